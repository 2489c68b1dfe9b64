"""The same property of several things, relatives of one name, and topics that a question opens with."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.scoring.paired_properties import of_one_property, stated_alike
from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import parse_clause
from assistant.understanding.reference.relatives import relatives
from tests.assistant.reading.asking import TODAY
from tests.assistant.reading.memory import MemoryKnowledge, seen


def _said(subject: str, n: int, text: str, key: str | None = None) -> Evidence:
    value = text if key is not None else None
    said = f"{key}: {text}" if key is not None else text
    return Evidence(f"{subject}:{n}", "attribute" if key else "passage", subject, said, 0.0, subject, key, value)


OWN = [_said("Old Oar", 0, "1928", "established"), _said("Old Oar", 1, "They rowed it first in 1928 (posted in May).")]
ASKED = parse_clause("which of them is the newest?")


def _plan(knowledge: MemoryKnowledge):
    from assistant.core.types import Conversation
    from assistant.understanding.plan import make_plan

    question = "which of them is the newest?"
    return make_plan(question, Conversation("c"), seen(knowledge, "Old Oar"), None, knowledge, now=TODAY)  # type: ignore[arg-type]


def _paired(others: list[Evidence]) -> Fact | None:
    knowledge = MemoryKnowledge([{"name": n, "attributes": {}} for n in ("Old Oar", "New Oar")], [])
    finder = FactFinder(_plan(knowledge), [*OWN, *others], knowledge.encode)
    lead = Fact("Old Oar", OWN[0], 0.9, ASKED)
    return of_one_property([lead, None], ("Old Oar", "New Oar"), finder)[1]


def test_what_is_stated_in_the_words_of_a_sure_fact_is_the_same_property() -> None:
    found = _paired(
        [_said("New Oar", 0, "They rowed it first in 1951 (posted in June)."), _said("New Oar", 1, "It leaks.")]
    )
    assert found is not None
    assert found.evidence.id == "New Oar:0"
    assert found.probability > 0.5


def test_a_date_of_something_else_is_not() -> None:
    assert _paired([_said("New Oar", 0, "The boathouse burnt down in 1951.")]) is None


def test_who_did_it_is_not_when() -> None:
    asked = parse_clause("which is the most recently restored?")
    lead = Fact("Old Oar", _said("Old Oar", 0, "1998", "restored"), 0.9, asked)
    page = _said("New Oar", 0, "The last restoration ended in 2006.")
    others = [page, _said("New Oar", 1, "Vira Tollen", "restored_by")]
    knowledge = MemoryKnowledge([{"name": n, "attributes": {}} for n in ("Old Oar", "New Oar")], [])
    plan = _plan(knowledge)
    finder = FactFinder(plan, [lead.evidence, *others], knowledge.encode)
    found = of_one_property([lead, Fact("New Oar", page, 0.45, asked)], ("Old Oar", "New Oar"), finder)[1]
    assert found is not None
    assert found.evidence.id == "New Oar:0"


def test_facts_are_stated_alike_in_one_sentence_with_other_figures() -> None:
    one, two = _said("Alder", 0, "It takes 51,500 l to fill Alder."), _said("Birch", 0, "It takes 900 l to fill Birch.")
    other = _said("Birch", 1, "It loses 900 l a day.")
    facts = [Fact(str(e.subject), e, 0.9, ASKED) for e in (one, two, other)]
    assert stated_alike(facts[:2])
    assert not stated_alike([facts[0], facts[2]])


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
