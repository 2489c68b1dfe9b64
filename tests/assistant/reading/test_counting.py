"""Counting what lists name, and adding up over a group, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.reading.operations.counting import list_question, listed
from assistant.text.english import sentences
from assistant.understanding.reference.groups import for_one
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("core", "asked"),
    [
        ("how many flavours are there of it?", "which flavours are there of it?"),
        ("number of pockets in this bag?", "which pockets are in this bag?"),
        ("count the parts that it is sold with", "which parts it is sold with?"),
        ("what is the number of tools?", "which tools does it have?"),
        ("how much does it cost?", None),
        ("of how many kinds of wood is this chest made?", "which wood is this chest made of?"),
        ("how many different types of cheese do they sell?", "which cheese do they sell?"),
        ("in how many shades does it come?", "which shades does it come in?"),
    ],
)
def test_a_count_is_asked_for_as_a_list(core: str, asked: str | None) -> None:
    assert list_question(core) == asked


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("It comes in moss green, plum and black.", 3),
        ("It comes in rust red and cream, both of them dull.", 2),
        ("Moths, rust and greenfly: those are its troubles.", 3),
        ("Buyers get two nets, a pump and a bag.", 3),
        ("With mine came a brush and two tins.", 2),
        ("It came in oak, ash and elm.", 3),
        ("It stands in a garden.", 0),
        ("They sell it in oak, ash and elm; I took the ash.", 3),
        ("It stands in a garden; the dog, the cat and the hen sleep there.", 0),
        ("It eats midges, crumbs and beetles.", 3),
        ("What does it eat? midges, crumbs and beetles, as far as I have seen.", 3),
        ("Here they hold a kite race and the soup contest, rain or shine.", 2),
        ("The ferry calls at Old Pier, Fish Market and Lock Lane.", 3),
    ],
)
def test_listed_things_are_found(sentence: str, count: int) -> None:
    assert len(listed(sentence)) == count


def test_a_size_of_one_letter_may_end_a_sentence() -> None:
    assert len(sentences("They knit it in M, L and S. It is washed at 40 degrees.")) == 2
    assert len(sentences("It was drawn by Anna S. Bolt in one night.")) == 1


def test_a_group_is_asked_about_one_by_one() -> None:
    assert for_one("how many can sit in all the boats of this fleet together?", "all the boats of this fleet") == (
        "how many can sit in it?"
    )


@pytest.fixture(scope="module")
def teas() -> MemoryKnowledge:
    entities = [
        {
            "name": "Orvane Smoke Tea",
            "attributes": {
                "series": "the Orvane Harbour range",
                "net_weight": "120 g",
                "caffeine": "40 mg in 100 g",
                "sold_in": "tins, bags, boxes",
                "price": "4.00 EUR",
            },
        },
        {
            "name": "Orvane Pine Tea",
            "attributes": {"series": "the Orvane Harbour range", "weight": "80 g", "price": "3.50 EUR"},
        },
    ]
    return MemoryKnowledge(entities, [])


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("what does the whole range weigh together?", "200"),
        ("one of each of this range, what's the bill?", "€7.50"),
        ("besides this, what is in its range?", "The Orvane Harbour range: Orvane Pine Tea"),
        ("this tea is one of how many in its range?", "2"),
        ("size of its range, please?", "2"),
        ("this and all the others of the range, how much is inside altogether?", "200"),
    ],
)
def test_groups_are_added_up_and_listed(teas: MemoryKnowledge, question: str, start: str) -> None:
    text, reason, _, _ = answer(teas, question, "Orvane Smoke Tea")
    assert text.startswith(start), (text, reason)


def test_so_many_parts_are_no_kinds_of_parts() -> None:
    chest = {"name": "Orvane Chest", "attributes": {"number_of_drawers": "14", "price": "90.00 EUR"}}
    text, _, _, _ = answer(MemoryKnowledge([chest], []), "how many kinds of drawers are there?", "Orvane Chest")
    assert not text


def test_what_shares_a_town_is_no_group_beside_one_that_is_called_so() -> None:
    entities = [
        {
            "name": "Marl Jug",
            "attributes": {
                "found_at": "Orvane",
                "collection_of": "Ada Pell",
                "series": "the Dunmere cabinet",
                "price": "30 EUR",
            },
        },
        {"name": "Slate Jug", "attributes": {"found_at": "Pell", "series": "the Dunmere cabinet", "price": "20 EUR"}},
        {"name": "Pell Stamp", "attributes": {"designed_by": "Ada Pell", "price": "1 EUR"}},
        {"name": "Orvane Ferry", "attributes": {"town": "Orvane", "price": "3 EUR"}},
    ]
    text, reason, _, _ = answer(MemoryKnowledge(entities, []), "what do all of this find cost together?", "Marl Jug")
    assert text.startswith("€50"), (text, reason)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("seats of the whole fleet added up?", "99"),
        ("how much can the whole fleet carry together, by weight?", "50"),
        ("how many tonnes do all boats of this fleet displace together?", "71"),
        ("how many tonnes do all boats of this fleet weigh together?", "21"),
        ("tickets for the whole fleet, how much is that together?", "€11"),
        ("what would one night at the quay cost for all of this fleet together?", "€60"),
        ("which one in the fleet of Marl Ferry is the longest?", "Slate Ferry"),
        ("of the whole fleet around Marl Ferry, which is the longest?", "Slate Ferry"),
        ("this has which companions in its fleet?", "The Dunmere fleet: Slate Ferry."),
    ],
)
def test_what_is_asked_of_a_fleet_is_asked_of_each(question: str, start: str) -> None:
    attributes = {
        "Marl Ferry": {
            "seats": "40",
            "length": "18 m",
            "ticket": "5 EUR",
            "berth_per_night": "25 EUR",
            "displaces": "31 t",
            "weight": "9 t",
            "load": "22 t",
        },
        "Slate Ferry": {
            "seats": "59",
            "length": "21 m",
            "ticket": "6 EUR",
            "berth_per_night": "35 EUR",
            "displaces": "40 t",
            "weight": "12 t",
            "load": "28 t",
        },
    }
    entities = [{"name": n, "attributes": a | {"part_of": "the Dunmere fleet"}} for n, a in attributes.items()]
    text, reason, _, _ = answer(MemoryKnowledge(entities, []), question, "Marl Ferry")
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("value", "start"), [("28, 30, 31, 33 and 36", "5 widths"), ("12", "Dunmere Otter Belt has 12 widths")]
)
def test_bare_figures_in_a_row_are_counted(value: str, start: str) -> None:
    belt = {"name": "Dunmere Otter Belt", "attributes": {"widths": value}}
    text, reason, _, _ = answer(MemoryKnowledge([belt], []), "in how many widths is this belt sold?", belt["name"])
    assert text.startswith(start), (text, reason)


def test_halls_are_as_roomy_as_they_have_seats() -> None:
    halls = {"Marl Hall": {"seats": "420"}, "Otter Hall": {"capacity": "300 people"}, "Heron Hall": {"seats": "90"}}
    entities = [{"name": n, "attributes": a | {"group": "the Dunmere halls"}} for n, a in halls.items()]
    text, reason, _, _ = answer(MemoryKnowledge(entities, []), "which hall of this group is the roomiest?", "Marl Hall")
    assert text.startswith("Marl Hall"), (text, reason)
