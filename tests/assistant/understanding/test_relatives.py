"""Relatives of one name, and topics that a question opens with."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.reference.relatives import relatives
from tests.assistant.reading.memory import MemoryKnowledge


def test_of_two_things_of_one_name_the_one_of_its_own_series_is_meant() -> None:
    def thing(name: str, series: str) -> dict[str, object]:
        return {"name": name, "attributes": {"series": series}}

    knowledge = MemoryKnowledge(
        [
            thing("Upton Mill Clock", "the Ferrow clocks"),
            thing("Norby Station Clock", "the Ferrow clocks"),
            thing("Upton Station Clock", "the Quill clocks"),
        ],
        [],
    )
    found = relatives("is it older than their Station Clock?", "Upton Mill Clock", knowledge)  # type: ignore[arg-type]
    assert [n.name for n in found] == ["Norby Station Clock"]


def test_a_plain_word_for_the_thing_names_no_other_that_is_called_so() -> None:
    def thing(name: str, **more: object) -> dict[str, object]:
        return {"name": name, "attributes": {"part_of": "the Upton sights", **more}}

    things = [thing("Upton Shrine", consecrated=1432, services="daily"), thing("Upton Temple"), thing("Upton Fountain")]
    things.append(thing("Millers' Temple"))
    knowledge = MemoryKnowledge(things, [])

    def named(question: str, several: bool = True) -> list[str]:
        found = relatives(question, "Upton Shrine", knowledge, several=several)  # type: ignore[arg-type]
        return [n.name for n in found]

    assert named("how tall is the temple over there?", several=False) == []
    assert named("how tall is that temple?", several=False) == []
    assert named("is it older than their Temple?") == ["Upton Temple"]
    assert named("is it older than the fountain?") == ["Upton Fountain"]
    assert named("is it older than their Millers' Temple?") == ["Millers' Temple"]


def test_a_word_for_the_thing_itself_names_no_relative() -> None:
    told = {"series": "the Ferrow houses", "architect": "Odo Farrant", "restored": "1990", "spire height": "30 m"}
    names = ("Norby Chapel", "Norby Church")
    knowledge = MemoryKnowledge([{"name": n, "attributes": told} for n in names], [])

    def named(question: str, several: bool) -> list[str]:
        found = relatives(question, "Norby Chapel", knowledge, several=several)  # type: ignore[arg-type]
        return [n.name for n in found]

    assert named("how many can sit in the church over there?", False) == []
    assert named("is the church higher than this one?", True) == ["Norby Church"]
    assert named("how many seats has their Church?", False) == ["Norby Church"]


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("I really like the carving, who did it?", "who did the carving?"),
        ("I love it, who did it?", "who did it?"),
        ("If I wax the table, what woods am I waxing?", "what woods am I waxing?"),
        ("the girl who sewed it, what trade was that?", "what trade was the girl who sewed it?"),
        ("Is the maker a big firm, how many work there?", "how many work in the maker?"),
        (
            "the mayor of the town it is from, what's his birthday?",
            "what's the birthday of the mayor of the town it is from?",
        ),
        ("Is it waterproof, how deep?", "how deep?"),
        ("this kettle, how heavy is it?", "how heavy is it?"),
    ],
)
def test_what_a_question_opens_with_takes_the_place_of_its_pronoun(question: str, core: str) -> None:
    assert asking_clause(question) == core
