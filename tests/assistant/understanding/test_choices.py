"""Comparisons in roundabout words, what they compare on, and second things that are named in part."""

from __future__ import annotations

import pytest

from assistant.understanding.choices import as_choice
from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import parse_clause
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("if I need the lighter one, should I take this or the Oriel?", "which one is lighter, this or the Oriel?"),
        ("When you need the one with more sugar, is it this or that?", "which one has more sugar, this or that?"),
        ("pick me the cheapest of this collection", "which is the cheapest of this collection?"),
        ("who wins, this fridge or that, if I ask which is quieter?", "which is quieter, this fridge or that?"),
        ("which do you think lasts longer, this candle or that?", "which lasts longer, this candle or that?"),
        ("give me the price of this", None),
        ("what would you call that?", None),
        ("if I take 3 of this, is it more than 20 euros or less?", None),
    ],
)
def test_roundabout_choices_become_plain(question: str, plain: str | None) -> None:
    core = asking_clause(question)
    assert as_choice(core) == (plain or core)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("um, this barge against the Oriel: is this barge deeper?", "is this barge deeper than the Oriel?"),
        ("the mug or the Oriel: which would you say is roomier", "which is roomier, the mug or the Oriel?"),
        ("the jug with a lid or the Oriel: which is taller", "which is taller, the jug with a lid or the Oriel?"),
        ("if I put it beside the Oriel, is it poorer in salt?", "is it poorer in salt than the Oriel?"),
        ("Comparing this with the Oriel, is it heavier?", "is this heavier than the Oriel?"),
        ("the brown one versus the Oriel - is it cheaper?", "is the brown one cheaper than the Oriel?"),
        (
            "Listen, which of the two is cheaper, I mean this mug and the Oriel?",
            "which is cheaper, this mug and the Oriel?",
        ),
        (
            "out of this mug and the Oriel, pick the covered longer one for me",
            "which is covered longer, this mug and the Oriel?",
        ),
        (
            "Between that mug and the Oriel, tell me the one that's covered for a shorter time",
            "which is covered for a shorter time, that mug and the Oriel?",
        ),
        ("Take that mug and the Oriel: the newer one is which?", "which is newer, that mug and the Oriel?"),
        ("which of the two is cheaper, I mean in the long run and all?", None),
        ("Which has more pages, I mean pages and not slides?", None),
        ("What is the biggest town, that is, with people and shops?", None),
        ("between you and me, tell me the name of it", None),
        ("I have this one here and there is the Oriel; which is lower?", "which is lower, this one here or the Oriel?"),
        ("I bought it to replace the fan: is it louder?", None),
        ("is it held against the light?", None),
        ("this or that, which is older?", None),
    ],
)
def test_two_things_named_before_the_comparison_come_into_its_clause(question: str, plain: str | None) -> None:
    core = asking_clause(question)
    assert as_choice(core, question) == (plain or core)


@pytest.mark.parametrize(
    ("question", "sign", "asked"),
    [
        ("which is more widely worn, this or that?", 1, "how many people have worn it?"),
        ("which is covered longer, this or that?", 1, "how long is it covered by the guarantee?"),
        ("which is shorter-lived, this or that?", -1, "how long does it last?"),
        ("the thirstiest of this family?", 1, "how much does it need to drink?"),
        ("which is the most spacious of them?", 1, "what is its capacity?"),
        ("which was founded earlier, this or that?", -1, "when was it founded?"),
        ("which one was painted less recently, this or that?", -1, "when was it painted?"),
        ("which is better insured, this or that?", 1, "for how much is it insured?"),
        ("which is the least attended of them?", -1, "how many people attend it?"),
        ("which is guaranteed for a longer period, this or that?", 1, "how long is it covered by the guarantee?"),
        ("which is insured for a longer period, this or that?", 1, "for how long is it insured?"),
        ("which of the two is wider at the base?", 1, "how wide is its base?"),
        ("which is shorter-necked, this or that?", -1, "how long are its necks?"),
        ("which is poorer in fibre, this or that?", -1, "how much fibre is in it?"),
        ("which has been the longest on the market?", -1, "since when is it on the market?"),
    ],
)
def test_scales_are_asked_for_in_plain_words(question: str, sign: int, asked: str) -> None:
    taken = parse_clause(question)
    assert taken.scale is not None
    assert taken.scale.sign == sign
    assert taken.about[0] == asked


@pytest.fixture(scope="module")
def roses() -> MemoryKnowledge:
    entities = {
        "Rose 'Halden Comet'": {"series": "the Halden garden roses", "price": "14.00 EUR", "introduced": "1987"},
        "Rose 'Halden Ember'": {"series": "the Halden garden roses", "price": "11.50 EUR", "introduced": "2003"},
        "Halden Tower 12": {"entry_fee": "6.00 EUR", "town": "Halden"},
    }
    return MemoryKnowledge([{"name": n, "attributes": a} for n, a in entities.items()], [])


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("which is cheaper, this one or their Ember?", "Rose 'Halden Ember'"),
        ("if I want the one that is newer, is it this or the Ember from the same series?", "Rose 'Halden Ember'"),
        ("name the most expensive of this series", "Rose 'Halden Comet'"),
    ],
)
def test_second_things_are_found(roses: MemoryKnowledge, question: str, start: str) -> None:
    text, reason, _, _ = answer(roses, question, "Rose 'Halden Comet'")
    assert text.startswith(start), reason


def test_the_only_sum_of_money_is_what_it_costs(roses: MemoryKnowledge) -> None:
    text, reason, _, _ = answer(roses, "what do 3 tickets for this come to?", "Halden Tower 12")
    assert text.startswith("18"), reason


def test_the_same_series_is_nothing_that_is_compared(roses: MemoryKnowledge) -> None:
    text, reason, _, _ = answer(roses, "is this cheaper than the Ember from the same series?", "Rose 'Halden Comet'")
    assert text.startswith("No"), reason


def test_a_choice_whose_second_thing_is_unknown_is_not_made_among_the_group(roses: MemoryKnowledge) -> None:
    text, _, _, _ = answer(roses, "which is newer, this or volume 7 of the same series?", "Rose 'Halden Comet'")
    assert not text


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("this pan against the other: is it deeper?", "is it deeper?"),
        ("is the hall busy right now, how many are inside?", "how many are inside right now?"),
        ("the pan or the pot: which do you reckon is deeper", "which is deeper"),
        ("how do you think it was made?", "how do you think it was made?"),
        ("is there a button for that, which one?", "which is the button for that?"),
        ("does it have any branches, what are they?", "what are the branches of it?"),
        ("are there still any seats on that boat, how many?", "how many seats on that boat are there?"),
        ("are there any of these left, what's the number?", "how many of these left are there?"),
        ("are there any toilets, what's the fee?", "what's the fee?"),
        ("if I flew to the city on this, how far would that be?", "how far is the city on this?"),
    ],
)
def test_what_is_asked_after_what_it_is_about(question: str, core: str) -> None:
    assert asking_clause(question) == core


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("list the rest of this set for me", ""),
        ("apart from this, what is in the series?", ""),
        ("what else is in this range?", "Bolm Jug"),
    ],
)
def test_what_comes_from_one_town_is_no_set(question: str, said: str) -> None:
    things = [
        {"name": "Arms of Ede", "attributes": {"type": "emblem", "town": "Wexham", "brand": "Bolm"}},
        {"name": "Bolm Jug", "attributes": {"type": "jug", "town": "Wexham", "brand": "Bolm"}},
        {"name": "Wexham Tram 4", "attributes": {"type": "tram", "town": "Wexham"}},
    ]
    text, _, _, _ = answer(MemoryKnowledge(things, []), question, "Arms of Ede")
    assert said in text
    assert "Tram" not in text
