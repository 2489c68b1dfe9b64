"""Pronouns that stand for what was told before, and lists that settle a yes or no."""

from __future__ import annotations

import pytest

from assistant.understanding.reference.antecedent import with_antecedent
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

KNOWLEDGE = MemoryKnowledge(
    [
        {"name": "Grey Fen Hen", "attributes": {"eats": "water snails, reed seed, duckweed, midges"}},
        {"name": "Orlex Tunic Sorrel", "attributes": {"sizes": "XS, M, XL", "price": "30 EUR"}},
        {"name": "Pale Sloop", "attributes": {"comes_with": "a stove, a lantern, an anchor, a bell", "length": "7 m"}},
    ],
    [],
)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("I've got some oats left over, so is that something this pony eats?", "does this pony eat oats?"),
        ("Could you check whether oats belong to what this pony feeds on?", "does this pony feed on oats?"),
        ("My son insists on a horn, so could you see whether this boat has it?", "whether this boat has a horn?"),
        ("She takes size M, so can one get this coat for her?", "in size M?"),
        ("I wear XL, so do they have this coat in that size?", "in size XL?"),
        ("I found some quartz, so is that one of the stones found with this ore?", "found together with quartz?"),
    ],
)
def test_the_pronoun_stands_for_what_was_told(said: str, plain: str) -> None:
    assert with_antecedent(said).endswith(plain)


def test_which_one_is_one_of_what_was_told() -> None:
    said = with_antecedent("there's got to be a firm behind this boat, which one builds it?")
    assert said.endswith("which firm builds it?")


@pytest.mark.parametrize(
    "said",
    [
        "I have a garden, so does it need much water?",
        "I bought this lamp yesterday, so is it dimmable?",
        "I've got 40 cm, so does it fit?",
        "We have a dog, so is it dangerous for it?",
        "I am 45, so may I ride this horse?",
        "I have weak eyes, so is it possible to dim this lamp?",
    ],
)
def test_the_thing_itself_stays_it(said: str) -> None:
    assert with_antecedent(said) == said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Grey Fen Hen", "I've got duckweed in my pond, so is that something this hen takes as food?", "Yes"),
        ("Grey Fen Hen", "Does this hen eat turnips?", "No"),
        ("Grey Fen Hen", "My girl wants to offer bread to this hen, would that be its normal food?", "No"),
        ("Grey Fen Hen", "Does this hen eat insects?", ""),
        ("Orlex Tunic Sorrel", "My niece takes size XL and likes it, so can one get this tunic for her?", "Yes"),
        ("Orlex Tunic Sorrel", "I wear S, so do they have this tunic in that size?", "No"),
        ("Pale Sloop", "I can't do without a bell any more, so does one get it with this boat?", "Yes"),
    ],
)
def test_lists_settle_it(name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert bool(text) == bool(start), reason or text
    assert text.startswith(start)
