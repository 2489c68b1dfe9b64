"""Reckoning with one figure of the thing and one of the question, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.reading.operations import shares
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

EXTRAS = "a roof rack, rubber mats, a tow bar"
VAN = {"range_on_full_tank": "600 km", "width": "1.9 m", "seats": "5", "doors": "4"}
ENTITIES = [
    {"name": "Dorvane Harvest Cup", "attributes": {"prize_money": "900 EUR", "town": "Dorvane"}},
    {"name": "Dorvane Weir Bridge", "attributes": {"opened": "1902", "width": "7 m"}},
    {"name": "Hazel 'Dorvane Lantern'", "attributes": {"planting_distance": "150 cm", "height": "3 m"}},
    {
        "name": "Orlex Finch Van",
        "attributes": VAN | {"fuel_consumption": "8 l per 100 km", "length": "4.9 m", "extras_included": EXTRAS},
    },
    {
        "name": "Heron of Dorvane",
        "attributes": {"fresh_water": "600 l", "length": "12 m", "jetty_per_night": "14.00 EUR"},
    },
    {"name": "Pale Ringed Quail", "attributes": {"incubation": "17 days", "weight": "110 g"}},
    {"name": "Dorvane Penny Stamp", "attributes": {"sheet_size": "25", "printed": "40,000"}},
    {"name": "Brown Moor Hound", "attributes": {"eats": "oats, rabbit", "weight": "21 kg"}},
    {"name": "Grey Moor Sheep", "attributes": {"daily_rest": "4 hours", "gestation": "150 days", "weight": "60 kg"}},
    {"name": "Orlex Shawl Pim", "attributes": {"knitting_time": "11 hours", "price": "45.00 EUR"}},
    {"name": "Plum 'Dorvane Toll'", "attributes": {"yearly_crop": "9 kg", "height": "3 m"}},
    {
        "name": "Lark's Lament",
        "attributes": {"composer": "Ada Thole", "first_performed": "1931", "publisher": "Quay Press"},
    },
    {"name": "Ada Thole", "attributes": {"born": "1889", "nationality": "Danish"}},
    {"name": "Quay Press", "attributes": {"founded": "1874", "town": "Dorvane"}},
    {
        "name": "Sunny Marrow 'Dorvane Bell'",
        "attributes": {"days_to_germination": "12 days", "flowering_period": "60 days"},
    },
    {"name": "Orlex Jug Marl", "attributes": {"height": "24 cm", "price": "12.00 EUR"}},
    {"name": "Orlex Urn Bell", "attributes": {"capacity": "6 l", "price": "80.00 EUR"}},
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Dorvane Harvest Cup", "if the money is split between three winners, how much does one get?", "300"),
        ("Dorvane Harvest Cup", "how much does each of 6 winners receive?", "150"),
        ("Orlex Urn Bell", "if 3 of us share what fits in this urn, how much does each get?", "2 l"),
        ("Dorvane Harvest Cup", "3 of us win it together, how many euros a head?", "300"),
        ("Dorvane Harvest Cup", "3 winners at once, how much a head with this cup?", "300"),
        ("Dorvane Harvest Cup", "what's one share if 6 of them take it together and split the cash?", "150"),
        ("Dorvane Harvest Cup", "prize money of this cup split 9 ways, how much each?", "100"),
        ("Heron of Dorvane", "12 people empty the full tank of fresh water together, how much per person?", "50"),
        ("Heron of Dorvane", "at 40 l of water per day, days until that boat has to fill up?", "15 days"),
        ("Dorvane Weir Bridge", "how old was this bridge in 1950?", "48 years"),
        ("Dorvane Weir Bridge", "by 1932, how long had this been open?", "30 years"),
        ("Hazel 'Dorvane Lantern'", "how long is a row of these with 4 gaps?", "600 cm"),
        ("Orlex Finch Van", "how much petrol do I need for 300 km with this?", "24 l"),
        ("Heron of Dorvane", "we use 40 litres of water a day, how many days does it last?", "15 days"),
        ("Pale Ringed Quail", "it laid its eggs on 2 May 2026, when will they hatch?", "On 19 May 2026"),
        ("Orlex Finch Van", "does this go into a garage that is 5 metres deep?", "Yes"),
        ("Orlex Jug Marl", "I have 20 cm of room on the shelf, does it fit?", "No"),
        ("Dorvane Penny Stamp", "if I took 4 sheets of this stamp, how many stamps would I have?", "100"),
        ("Dorvane Penny Stamp", "how many of these are on three sheets?", "75"),
        ("Orlex Finch Van", "would this fit lengthways into a space of 4 m?", "No"),
        ("Orlex Finch Van", "does it go into a parking space of 5 metres, will it fit?", "Yes"),
        ("Brown Moor Hound", "is rabbit something for this dog?", "Yes"),
        ("Grey Moor Sheep", "how many hours does this sheep sleep in two weeks?", "56 hours"),
        ("Grey Moor Sheep", "how many hours does this sheep sleep in 5 days?", "20 hours"),
        ("Grey Moor Sheep", "mated on 1 March 2026, on what date will it give birth?", "On 29 July 2026"),
        ("Orlex Shawl Pim", "how long does it take to knit 3 like this shawl, one after the other?", "33 hours"),
        ("Orlex Shawl Pim", "4 times the shawl here, hours of work?", "44 hours"),
        ("Plum 'Dorvane Toll'", "with 5 trees of this, how much do I get?", "45 kg"),
        ("Dorvane Weir Bridge", "1950: what was the age of this bridge then?", "48 years"),
        ("Lark's Lament", "what was the age of its composer when this was first performed?", "42 years"),
        (
            "Sunny Marrow 'Dorvane Bell'",
            "I sowed the seeds on 3 May 2026, on which day can I expect them?",
            "On 15 May",
        ),
        ("Orlex Shawl Pim", "if I knit it twice, how many hours is that?", "22 hours"),
        ("Orlex Finch Van", "how far do I get on three tanks?", "1800 km"),
        ("Orlex Finch Van", "what is its length plus its width?", "6.8 m"),
        ("Orlex Finch Van", "how many seats and doors does it have in all?", "9"),
        ("Orlex Jug Marl", "how much do three cost?", "36"),
        ("Heron of Dorvane", "3 nights at the jetty with it, how much?", "42"),
        ("Orlex Jug Marl", "would 50 euros get me 4 like this jug?", "Yes"),
        ("Orlex Finch Van", "does it come with a roof rack?", "Yes"),
        ("Orlex Jug Marl", "there are 4 of us and each wants one of these, what does that cost?", "48"),
    ],
)
def test_one_step_with_a_figure_of_the_question(things: MemoryKnowledge, name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Dorvane Weir Bridge", "how much does each of 6 winners receive?"),
        ("Orlex Jug Marl", "how old was this in 1950?"),
        ("Lark's Lament", "how old was the composer in 1960?"),
        ("Grey Moor Sheep", "how much water do 3 of these need?"),
        ("Grey Moor Sheep", "if it is mated twice, how long is that?"),
        ("Orlex Finch Van", "does it come with a guarantee?"),
        ("Orlex Shawl Pim", "how much are 3 nights with it?"),
        ("Heron of Dorvane", "2 months at the jetty with it, how much?"),
        ("Orlex Finch Van", "what is its length plus its height?"),
        ("Orlex Finch Van", "what is the sum of its length and seats?"),
        ("Orlex Finch Van", "does it come with a roof window?"),
        ("Dorvane Weir Bridge", "how old was whoever opened this bridge at the time?"),
        ("Dorvane Weir Bridge", "it's Tuesday, 9:15. Is it open?"),
        ("Plum 'Dorvane Toll'", "how much fruit do three weeks of it give?"),
        ("Brown Moor Hound", "is cheese something for this dog?"),
        ("Hazel 'Dorvane Lantern'", "how much petrol do I need for 300 km with this?"),
        ("Pale Ringed Quail", "we use 40 litres of water a day, how many days does it last?"),
    ],
)
def test_nothing_is_worked_out_from_another_figure(things: MemoryKnowledge, name: str, question: str) -> None:
    text, _, _, _ = answer(things, question, name)
    assert not text


def test_a_firms_age_that_was_only_guessed_at_hides_no_plain_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "wants", lambda kind, *_: kind == "makers_age")
    poppy = "Marsh Poppy 'Orlex Red'"
    knowledge = MemoryKnowledge([{"name": poppy, "attributes": {"germination": "15 days", "height": "40 cm"}}], [])
    text, reason, _, _ = answer(knowledge, "after how many days do seedlings of it come up?", poppy)
    assert "15 days" in text, reason


def test_the_age_of_the_firm_is_told_by_its_own_pages() -> None:
    shawl = {
        "name": "Orlex Shawl Pim",
        "attributes": {"fashion_house": "Dunmarrow", "pattern_by": "Vira Tollen", "introduced": "2001"},
    }
    pages = [
        ("Dunmarrow, the firm", "Dunmarrow is a company. It has existed since 1950. Dunmarrow employs 30 people."),
        ("Vira Tollen", "Vira Tollen is a designer. Date of birth: 3 May 1921. Vira Tollen was born in Pell."),
        ("Orlex Shawl Pim, a look", "The pattern of Orlex Shawl Pim is Vira Tollen's, you would know it anywhere."),
    ]
    knowledge = MemoryKnowledge(
        [shawl], [{"url": f"https://x.invalid/{n}", "title": t, "text": said} for n, (t, said) in enumerate(pages)]
    )
    text, reason, _, _ = answer(knowledge, "the maker was how many years old when this came out?", "Orlex Shawl Pim")
    assert text.startswith("51 years"), (text, reason)


def test_whoever_did_it_is_as_old_as_he_was_when_he_did_it() -> None:
    entities = [
        {
            "name": "Dunmarrow Theorem",
            "attributes": {"proved_by": "Vira Tollen", "proved": "1957", "publisher": "Quay Press"},
        },
        {"name": "Vira Tollen", "attributes": {"born": "1921"}},
        {"name": "Quay Press", "attributes": {"founded": "1874"}},
    ]
    knowledge = MemoryKnowledge(entities, [])
    text, _, _, _ = answer(knowledge, "how old was whoever proved it when it was published?", "Dunmarrow Theorem")
    assert not text.startswith("83 years")  # that is the firm's age
    question = "in calendar years, how old was whoever proved this theorem at the time?"
    text, reason, _, _ = answer(knowledge, question, "Dunmarrow Theorem")
    assert text.startswith("36 years"), (text, reason)


def test_a_van_that_is_still_made_can_be_had_new() -> None:
    van = {"name": "Orlex Finch Van", "attributes": {"still_made": "yes", "length": "4.9 m"}}
    text, reason, _, _ = answer(MemoryKnowledge([van], []), "could I still buy this van new?", "Orlex Finch Van")
    assert text.startswith("Yes"), (text, reason)
