"""The reader on questions written by hand over five invented collections of very different vocabularies."""

from __future__ import annotations

import pytest

from assistant.reading.multi_hop import _may_go_on
from assistant.text.english import content_stems
from assistant.understanding.intent import asked_in, parse_clause
from assistant.understanding.naming import may_want_the_name
from assistant.understanding.pointing.phrases import pointing_left_out
from assistant.understanding.reading_requests import asks_for_text
from assistant.understanding.reference.focus import OTHER, PLACE
from assistant.understanding.reference.groups import counts_members
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge
from tests.bench.questions import Answered, ask_collections, collections_questions, figures, sample

pytestmark = pytest.mark.slow

STEP = 8


@pytest.fixture(scope="module")
def verdicts() -> list[Answered]:
    """Every eighth question of each kind; all by `python -m tests.bench questions`."""
    return ask_collections(sample(collections_questions(), STEP))


def test_the_question_file_is_large_and_partly_unanswerable(verdicts: list[Answered]) -> None:
    every = collections_questions()
    assert len(every) >= 250
    assert sum(item["expected"] is None for item in every) >= len(every) / 5
    assert len(verdicts) >= len(every) / STEP
    assert sum(item["expected"] is None for item, _, _ in verdicts) >= len(verdicts) / 5


def test_most_answers_are_right_and_few_are_wrong(verdicts: list[Answered]) -> None:
    found = figures(verdicts)
    assert found["right"] >= 0.75
    assert found["wrong"] <= 0.06, [(item["question"], text) for item, text, v in verdicts if v == "wrong"]


def test_what_cannot_be_known_is_not_answered(verdicts: list[Answered]) -> None:
    claimed = [(item["question"], text) for item, text, _ in verdicts if item["expected"] is None and text]
    assert figures(verdicts)["claimed"] <= 0.13, claimed


@pytest.mark.parametrize("kind", ["attr", "page", "hop", "compare", "agg", "convert", "yesno"])
def test_every_kind_of_question_works(verdicts: list[Answered], kind: str) -> None:
    assert figures(verdicts)["right_by_kind"][kind] >= 0.5


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what is the home town of the one who restored it?", "place"),
        ("in which year did the town where it is made get its market?", "date"),
        ("what does the person who runs it earn", "any"),
        ("who is it by?", "person"),
        ("where is the one who built it buried?", "place"),
    ],
)
def test_a_relative_clause_asks_for_nothing(question: str, kind: str) -> None:
    assert parse_clause(question).expected.kind == kind


CHAIR = MemoryKnowledge(
    [{"name": "Foxglove", "attributes": {"weight": "8.1 kg", "tested_to": "115 kg", "price": "1975 EUR"}}],
    [
        {
            "url": "https://shop.invalid/fox",
            "title": "Foxglove",
            "text": "Foxglove is a chair. It weighs 8,100 grams and folds. It comes in navy, plum, walnut and grey.",
        }
    ],
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("My neighbour weighs 77 kg. May he sit on that chair?", "Yes"),
        ("Somebody of 130 kg, can he stand on it?", "No"),
        ("What does it sell for right now?", "€1,975"),
        ("Does it come in black?", "No: "),
        ("Does it come in walnut?", "Yes: "),
        ("Can I get it in black?", "No: "),
        ("Is it sold in navy?", "Yes: "),
    ],
)
def test_what_it_bears_and_costs(question: str, said: str) -> None:
    assert said in answer(CHAIR, question, "Foxglove")[0]


@pytest.mark.parametrize(
    ("question", "kind", "dimensions"),
    [
        ("how bad is the left box for my diet, kcal in 100 g?", "quantity", {"energy"}),
        ("to what size does it grow, in centimetres?", "quantity", {"length"}),
        ("where does the lamp come from, which company?", "name", set()),
        ("which business gives money for that cow?", "any", set()),
        ("which price do they pay for it?", "quantity", {"money"}),
        ("tell me the day and year it was launched", "date", {"date"}),
        ("year of the left one in the register?", "date", {"date"}),
        ("years of guarantee on this?", "quantity", {"time"}),
        ("what would 8 of it yield in a year?", "any", set()),
        ("what is the guarantee in months?", "quantity", {"time"}),
        ("how hard is it to clean?", "any", set()),
        ("which one is harder: this or that?", "quantity", {"count"}),
        ("how old do they become?", "quantity", {"time"}),
        ("how old is the charter of the place, what year?", "date", {"date"}),
        ("how far behind schedule is that tram?", "quantity", {"time"}),
        ("how big is the staff of the maker?", "count", {"", "count"}),
        ("what do farmers ask for the ram?", "quantity", {"money"}),
        ("what do I ask for the key?", "any", set()),
        ("how long are they pregnant?", "quantity", {"time"}),
        ("how long is this passport valid?", "quantity", {"time"}),
        ("how long is this passport?", "quantity", {"length", "time"}),
        ("how much fits into it?", "quantity", {"mass", "volume"}),
        ("how low can we set the thermostat for it?", "quantity", {"temperature"}),
        ("how far can I turn the key?", "quantity", {"length"}),
        ("latest count of the geese on the pond?", "count", {"", "count"}),
        ("what's the name of the vicar?", "any", set()),
        ("what's the name of the mayor there?", "person", set()),
        ("the name of its water?", "any", set()),
        ("in which district does one see it?", "place", set()),
        ("the birthday of its carver", "date", {"date"}),
        ("the person who carved this, living where now?", "place", set()),
        ("the person who carved this", "person", set()),
    ],
)
def test_the_kind_of_answer_is_told_by_the_end_too(question: str, kind: str, dimensions: set[str]) -> None:
    asked = asked_in(question)
    assert (asked.expected.kind, set(asked.expected.dimensions)) == (kind, dimensions)


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("how many times do I lift my feet to get up that tower over there?", "lookup"),
        ("how many times heavier is this one than that?", "ratio"),
        ("name of the firm behind the compound on the right?", "lookup"),
        ("it was built in 1950, right?", "yesno"),
    ],
)
def test_what_is_to_be_done_with_the_facts(question: str, operation: str) -> None:
    assert asked_in(question).operation == operation


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("how many sail the boat out there", ""),
        ("how many people the bus takes", "people"),
        ("how many pages has it", "pages"),
        ("how many belong to this set", ""),
        ("how many litres of petrol go into it", "petrol"),
        ("how many there are in the group of this temple", ""),
    ],
)
def test_what_is_counted(question: str, noun: str) -> None:
    assert asked_in(question).expected.noun == noun


@pytest.mark.parametrize(
    ("noun", "added_up", "members"),
    [
        ("games", False, True),
        ("pieces", False, True),
        ("pieces", True, False),
        ("steps", False, False),
        ("visitors", True, False),
    ],
)
def test_what_is_counted_of_a_series(noun: str, added_up: bool, members: bool) -> None:
    assert counts_members(noun, {"weight"}, frozenset({"game"}), added_up) is members


@pytest.mark.parametrize(
    ("question", "reads"),
    [
        ("the days it takes to read this book with 20 pages per day", False),
        ("how long would I need to read this one?", False),
        ("can you read this for me?", True),
        ("please read the label to me", True),
        ("how old is the clock on the wall?", False),
        ("what does the sign on the wall say?", True),
        ("which number is on the door?", True),
    ],
)
def test_what_is_to_be_read_from_the_frame(question: str, reads: bool) -> None:
    assert asks_for_text(question) is reads


SHUTTERS = MemoryKnowledge(
    [
        {"name": "Opening Times of the Toll House", "attributes": {"type": "panel (opening)", "post_height": "140 cm"}},
        {"name": "Larkwell", "attributes": {"type": "open boat", "image_size": "300px", "fare": "3 EUR"}},
    ],
    [
        {
            "url": "https://shore.invalid/larkwell",
            "title": "Larkwell",
            "text": "Larkwell is a boat. An aunt of mine irons all she has.",
        }
    ],
)


@pytest.mark.parametrize(
    ("question", "name", "said"),
    [
        ("it is Sunday, ten o'clock. Is it open?", "Opening Times of the Toll House", ""),
        ("Is it an open boat?", "Larkwell", "Yes"),
        ("do you iron it?", "Larkwell", ""),
        ("what does a ticket cost?", "Larkwell", "3"),
        ("how many cm does the post go up?", "Opening Times of the Toll House", "140 cm"),
    ],
)
def test_the_sort_of_a_thing_says_nothing_else(question: str, name: str, said: str) -> None:
    text = answer(SHUTTERS, question, name)[0]
    assert said in text if said else not text


def test_the_side_on_which_a_thing_stands_is_no_part_of_what_is_asked() -> None:
    kinds = content_stems("banner")
    assert pointing_left_out("how wide is the right banner?", kinds) == "how wide is it?"
    assert pointing_left_out("the left-hand banner, how wide?", kinds) == "it, how wide?"
    assert pointing_left_out("how old is the dark red banner?", kinds) == "how old is it?"
    assert pointing_left_out("the banner with the white stripes, how old?", kinds) == "it, how old?"
    assert pointing_left_out("the banner with the pole, how dear?", kinds) == "it with the pole, how dear?"
    assert pointing_left_out("whose is the coat of arms?", content_stems("coat of arms")) == "whose is it?"
    assert pointing_left_out("on the right side of the street", kinds) == "on the right side of the street"


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("who... I mean what number should I ring?", "what number should I ring?"),
        ("where did it stand once, I mean where was it made?", "where was it made?"),
        ("what does it weigh, I mean the box?", "what does it weigh, I mean the box?"),
        ("Is this lute dear? What does it cost", "What does it cost"),
        ("Who wrote it? I know it well.", "Who wrote it?"),
        ("How old is it? When I was small it stood there.", "How old is it?"),
        ("What tune is it? What a lovely sound", "What tune is it?"),
        ("I want new strings for that lute, how thick?", "how thick are the strings of that lute?"),
        ("I want it for that lute, how thick?", "how thick?"),
        ("the motif's designer, where was she born?", "where was the motif's designer born?"),
        ("does this exist in my size, which ones are there?", "which sizes of it are there?"),
        ("the lid came off on 21 October 2026, until what date may I use it?", "until what date may I use it?"),
        ("market in the place it is in, which day of the week", "market in the place it is in, which day of the week"),
    ],
)
def test_the_clause_that_asks(question: str, core: str) -> None:
    assert asked_in(question).core == core


@pytest.mark.parametrize(
    ("core", "kinds", "may"),
    [
        ("how many good neighbours are named for the plant?", {"plant"}, False),
        ("at what interval does the plant want to be fed?", {"plant"}, False),
        ("where was she born?", {"plant"}, True),
        ("where was that designer born?", {"lamp"}, True),
        ("how many people live there?", {"plant"}, True),
        ("when is the market?", {"plant"}, True),
    ],
)
def test_what_may_be_asked_of_what_the_answer_before_named(core: str, kinds: set[str], may: bool) -> None:
    assert _may_go_on(core, frozenset(kinds)) is may


@pytest.mark.parametrize(
    ("core", "place"),
    [("how much is that handbag there", False), ("what is the bag over there", False), ("what can I do there", True)],
)
def test_what_stands_there_is_no_place(core: str, place: bool) -> None:
    assert bool(PLACE.search(core)) is place


@pytest.mark.parametrize(
    ("core", "may"),
    [
        ("Stock of the jar I also see this very moment", False),
        ("which sizes of it are there?", False),
        ("what would an expert call that one?", True),
    ],
)
def test_what_may_ask_for_the_name(core: str, may: bool) -> None:
    assert may_want_the_name(core) is may


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("name the other ones of this line", False),
        ("what are the other towers in this group called?", False),
        ("is the other bus of the fleet older?", True),
        ("and the other one?", True),
        ("how long do 7 like this take, one after the other?", False),
    ],
)
def test_the_other_one_is_one(question: str, other: bool) -> None:
    assert bool(OTHER.search(question)) is other


def test_the_best_day_is_no_rating() -> None:
    assert asked_in("which day is best for the market in the town it is from?").operation == "lookup"
    assert asked_in("which of the two is better?").operation == "compare"


def test_from_one_end_to_the_other_is_a_length() -> None:
    asked = asked_in("From the ground to the shoulder, how much is the cow?")
    assert asked.expected.dimensions == {"length"}


def test_one_thing_alone_is_not_compared() -> None:
    text, reason, _, _ = answer(CHAIR, "Is this chair lighter than their smaller one?", "Foxglove")
    assert not text
    assert "compare" in reason
    assert answer(CHAIR, "Is this chair lighter than 10 kg?", "Foxglove")[0].startswith("Yes")
