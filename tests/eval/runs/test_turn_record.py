"""What a trace keeps of the evidence that a run handed over."""

from __future__ import annotations

import json

from assistant.core.events import Trace
from assistant.core.types import Answer, Evidence, Turn
from eval.runs.turn_record import handed_in, trace_line

ONE = Evidence("w0/s0/t0", "passage", "p", "Fold it.", 0.9)
TWO = Evidence("w0/s0/i0", "picture", "p/0.png", "a plane", 0.8, picture=b"bytes of a picture")


def traced(shown, handed):
    turn = Turn("q", Answer("a", "answered", evidence=shown))
    return json.loads(json.dumps(trace_line("i", turn, Trace(), "", handed)))


def test_a_trace_holds_what_was_handed_once_and_no_pixels():
    trace = traced((ONE,), (ONE, TWO))
    assert trace["handed"][0] == "w0/s0/t0"
    assert [(piece["id"], piece["score"]) for piece in handed_in(trace)] == [("w0/s0/t0", 0.9), ("w0/s0/i0", 0.8)]
    assert handed_in(trace)[1]["picture"]["bytes"] == 18


def test_a_trace_of_an_agent_that_searched_tells_what_it_was_shown():
    trace = traced((ONE,), None)
    assert "handed" not in trace
    assert [piece["id"] for piece in handed_in(trace)] == ["w0/s0/t0"]
    assert handed_in(traced((ONE,), ())) == []
    assert handed_in({**trace, "handed": ["gone", 3]}) == []
