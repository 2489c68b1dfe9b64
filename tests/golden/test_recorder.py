"""Turns are recorded whole, and a change to one is told."""

from pathlib import Path

from tests.golden.recorder import QUESTIONS, WORLDS, as_read, ask_world, differences, read

SOME = 8


def test_turns_are_recorded_and_compared(small_world: Path, small_index: Path) -> None:
    lines = [as_read(line) for line in ask_world(small_world, small_index, every=SOME)]
    assert len({line["id"] for line in lines}) == len(lines) >= 2
    for line in lines:
        assert line["question"]
        assert line["plans"]
        assert (line.get("sentences")) or line["reason"]
        assert line["verdict"] in ("correct", "wrong", "missing")
        assert differences(line, as_read(line), "id") == []
        told = differences(line, line | {"sentences": [["Another."]]}, "id")
        assert len(told) == 1
        assert line["id"] in told[0]
        assert "Another." in told[0]
    assert differences(None, lines[0], "id") == [f"{lines[0]['id']} is new"]


def test_the_golden_file_holds_turns_of_every_world() -> None:
    lines = read(QUESTIONS)
    assert {line["seed"] for line in lines} == set(WORLDS)
    assert len(lines) > 800
    assert len({(line["seed"], line["id"]) for line in lines}) == len(lines)
    assert QUESTIONS.stat().st_size < 2_000_000
