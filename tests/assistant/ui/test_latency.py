"""How soon a turn was heard, answered and spoken, and what a conversation's turns say of it together."""

from __future__ import annotations

import csv
import io

from assistant.core.events import Drafted, EvidenceFound, Finished, SentenceReady
from assistant.core.types import Answer, Evidence, Sentence, Turn
from assistant.ui.html.timings import render_times
from assistant.ui.panels.latency import render_latency
from assistant.ui.state.latency import as_csv, moments_of, percentile, summary
from assistant.ui.state.runs import Run
from assistant.ui.state.session import Session
from assistant.ui.state.turn_view import TurnView


class Clock:
    """Seconds, as a test says."""

    def __init__(self) -> None:
        self.now_s = 10.0

    def __call__(self) -> float:
        return self.now_s


def a_turn(session: Session, heard_ms: float | None = None, slower_s: float = 0.0) -> TurnView:
    clock = Clock()
    session.heard_ms = heard_ms
    run = Run(session.begin("What is it?"), clock)
    session.run = run
    piece = Evidence("text:0", "text", "frame", "words", 0.9)
    for at_s, event in (
        (10.4, EvidenceFound((piece,))),
        (10.5, Drafted("It")),
        (10.6, Drafted("It is")),
        (10.7, SentenceReady(Sentence("It is.", ()))),
    ):
        clock.now_s = at_s + slower_s
        run.add(event)
    clock.now_s = 10.9 + slower_s
    run.sounds()
    clock.now_s = 12.0 + slower_s
    run.sounds()  # the first one counts
    run.add(Finished(Turn("What is it?", Answer("It is.", "answered"))))
    session.keep(run)
    return session.views[-1]


def test_a_spoken_question_counts_from_the_end_of_speech():
    view = a_turn(Session("s", 0.0), heard_ms=800.0)
    told = {name: round(ms) for name, ms in moments_of(view).items()}
    assert told == {"heard": 800, "evidence": 1200, "word": 1300, "sound": 1700, "done": 2800}


def test_the_words_of_one_question_are_not_counted_for_the_next():
    session = Session("s", 0.0)
    a_turn(session, heard_ms=800.0)
    second = a_turn(session)
    assert "heard" not in moments_of(second)
    assert round(moments_of(second)["word"]) == 500


def test_percentiles_are_values_that_were_measured():
    assert percentile([5.0], 0.95) == 5.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95.0


def test_a_conversation_is_summed_up_and_can_be_saved():
    session = Session("s", 0.0)
    a_turn(session, heard_ms=800.0)
    a_turn(session, slower_s=1.0)
    rows = {name: (count, round(median), round(most)) for name, count, median, most in summary(session.turns())}
    assert rows["transcript"] == (1, 800, 800)
    assert rows["done"] == (2, 2800, 3000)
    lines = list(csv.DictReader(io.StringIO(as_csv(session.turns()))))
    assert [line["heard_ms"] for line in lines] == ["800", ""]
    assert [line["status"] for line in lines] == ["answered", "answered"]
    html = render_latency(session.turns())
    assert "first sound" in html
    assert "data:text/csv;base64," in html
    assert "Nothing has been asked" in render_latency([])


def test_it_stands_with_the_turn(monkeypatch) -> None:
    from dataclasses import replace

    from assistant.ui.state.turn_view import StageView

    view = replace(a_turn(Session("s", 0.0), heard_ms=800.0), stages=(StageView("look", "done", 5.0),))
    assert "From the end of speech: transcript 800 ms" in render_times(view)
