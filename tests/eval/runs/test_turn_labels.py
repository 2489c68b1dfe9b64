"""Labels and further right answers of a benchmark's own: in the turn's line, in the slices, in what is read again."""

from __future__ import annotations

from assistant.core.types import Answer, Turn
from eval.data.samples import Sample, SampleTurn
from eval.metrics.run_scores import run_scores
from eval.runs.shapes import odd_turn
from eval.runs.turn_record import turn_line


def line(n, more, truths=(), answer="x"):
    turn = SampleTurn(f"t{n}", 0, "q", "x", more=more, truths=truths)
    sample = Sample(f"t{n}", (turn,), "single", "validation", False)
    return {**turn_line(sample, turn, Turn("q", Answer(answer, "answered")), 1.0), "trace": 0}


def test_they_stand_in_the_line_where_there_are_any():
    found = line(1, {"popularity": "head", "year": 2024, "asked": None}, ("y", "z"))
    assert found["labels"] == {"popularity": "head", "year": 2024, "asked": None}
    assert found["truths"] == ["y", "z"]
    assert odd_turn(found) == ""
    assert not {"labels", "truths"} & line(1, {}).keys()


def test_a_line_with_others_is_told():
    assert "labels" in odd_turn({**line(1, {}), "labels": {"popularity": ["head"]}})
    assert "truths" in odd_turn({**line(1, {}), "truths": "y"})


def test_turns_are_sliced_by_those_that_their_benchmark_names():
    lines = [line(n, {"popularity": "head" if n < 4 else "tail", "time": f"at {n}"}) for n in range(51)]
    lines.append(line(99, {}))
    verdicts = {one["interaction_id"]: "wrong" for one in lines} | {"t0": "correct"}
    found = run_scores(lines, verdicts, {}, own=("popularity", "year"))["slices"]
    # Of the four at the head one is right and three are wrong: (1 - 3) / 4.
    assert (found["popularity"]["head"]["n"], found["popularity"]["head"]["truthfulness"]) == (4, -0.5)
    assert found["popularity"]["tail"]["n"] == 47
    assert not {"time", "year"} & found.keys()  # not named, and on no turn
