"""Whether a list names what is asked for, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.reading.operations.membership import asked_item
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {
        "name": "Orlex Cargo Trike",
        "attributes": {"equipment": "a lamp set, a rain hood, a cable lock, two side bags", "weight": "31 kg"},
    },
    {
        "name": "Grey Moor Pony",
        "attributes": {"feed": "clover, oat straw, carrots, crushed barley", "height": "121 cm"},
    },
    {"name": "Orlex Plum Chutney", "attributes": {"allergens": "mustard, sesame, walnuts", "servings": "14"}},
    {
        "name": "Dorvane Pennant",
        "attributes": {"display_days": "harvest day, the spring regatta, carnival", "width": "90 cm"},
    },
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("is there a whistle in it", "whistle"),
        ("are pedals part of its kit", "pedals"),
        ("would clover make a meal for it", "clover"),
        ("could I feed it on oats", "oats"),
        ("would we come across it on carnival day", "carnival day"),
        ("does it come with a pump in the box?", "pump"),
        ("is it fitted with fog lamps", "fog lamps"),
        ("does it belong to the things hung out at the spring regatta", "spring regatta"),
        ("does it bite", None),
        ("is it heavy", None),
        ("can I have it", None),
    ],
)
def test_what_is_looked_for_is_read_off_the_question(question: str, item: str | None) -> None:
    assert asked_item(question) == item


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Cargo Trike", "is a cable lock included with the trike in front of me?", "Yes"),
        ("Orlex Cargo Trike", "I was hoping for a rain hood, is that on the trike as part of the equipment?", "Yes"),
        ("Orlex Cargo Trike", "would I get a rain hood along with this one?", "Yes"),
        ("Orlex Cargo Trike", "does the trike come with a rear mirror as part of its equipment?", "No"),
        ("Grey Moor Pony", "we have carrots at home, does it eat those?", "Yes"),
        ("Grey Moor Pony", "does it eat crushed barley?", "Yes"),
        ("Grey Moor Pony", "oat straw as food for this pony, yes or no?", "Yes"),
        ("Grey Moor Pony", "does the pony in front of me eat fish meal?", "No"),
        ("Dorvane Pennant", "would I see it put up for the spring regatta?", "Yes"),
    ],
)
def test_a_list_says_yes_to_what_it_names_and_no_to_what_a_full_one_leaves_out(
    things: MemoryKnowledge, name: str, question: str, start: str
) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("is it free from sesame?", "No"),
        ("is it free of celery?", "Yes"),
        ("would it be a bad idea for a guest with an intolerance to walnuts?", "Yes"),
        ("could somebody who must avoid celery eat it without worry?", "Yes"),
        ("should a guest with an allergy to sesame avoid it?", "Yes"),
        ("my aunt reacts to mustard, is the chutney safe for her?", "No"),
    ],
)
def test_what_is_to_be_avoided_is_turned_round(things: MemoryKnowledge, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, "Orlex Plum Chutney")
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("text", "question", "start"),
    [
        ("What does it eat? Duckweed, larvae, worms and fallen fruit.", "would it eat pond weed?", "No"),
        ("Ours came with a lamp, a bell, a basket and a stand, no pleading needed.", "does it have a basket?", "Yes"),
        (
            "It is hung out on harvest day, at the regatta and on the first day of spring.",
            "is it seen on bank holidays?",
            "No",
        ),
    ],
)
def test_a_sentence_that_lists_is_a_list(text: str, question: str, start: str) -> None:
    page = {"url": "https://a.invalid/1", "title": "Orlex Thing", "text": f"Orlex Thing. {text}"}
    known = MemoryKnowledge([{"name": "Orlex Thing", "attributes": {"width": "30 cm"}}], [page])
    told, reason, _, _ = answer(known, question, "Orlex Thing")
    assert told.startswith(start), (told, reason)
