"""The reader on questions written by hand over five invented collections of very different vocabularies.

Right: the expected words are in the answer. Wrong: any other answer, or an answer where none can be known.
"""

from __future__ import annotations

import collections
import json

import pytest

from assistant.answering.intents import take_apart

from .asking import answer
from .memory import DATA, MemoryKnowledge, load

COLLECTIONS = sorted(p.stem for p in DATA.glob("*.json"))


def _verdict(item: dict, text: str) -> str:
    expected = item["expected"]
    if not text:
        return "right" if expected is None else "missing"
    if expected is None:
        return "wrong"
    leads = item["type"] == "compare" or expected in ("Yes", "No")
    plain, wanted = text.lower().replace(",", ""), expected.lower().replace(",", "")
    return "right" if (plain.startswith(wanted) if leads else wanted in plain) else "wrong"


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[str, dict, str, str]]:
    out = []
    for name in COLLECTIONS:
        knowledge = load(name)
        for item in json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["questions"]:
            text, _, _, _ = answer(knowledge, item["question"], *item["seen"])
            out.append((name, item, text, _verdict(item, text)))
    return out


def test_the_question_file_is_large_and_partly_unanswerable(verdicts: list) -> None:
    unanswerable = sum(item["expected"] is None for _, item, _, _ in verdicts)
    assert len(verdicts) >= 250
    assert unanswerable >= len(verdicts) / 5


def test_most_answers_are_right_and_few_are_wrong(verdicts: list) -> None:
    counts = collections.Counter(verdict for _, _, _, verdict in verdicts)
    wrong = [f"{item['question']} -> {text}" for _, item, text, verdict in verdicts if verdict == "wrong"]
    assert counts["right"] / len(verdicts) >= 0.75
    assert counts["wrong"] / len(verdicts) <= 0.06, "\n".join(wrong)


def test_what_cannot_be_known_is_not_answered(verdicts: list) -> None:
    unanswerable = [(item, text) for _, item, text, _ in verdicts if item["expected"] is None]
    claimed = [f"{item['question']} -> {text}" for item, text in unanswerable if text]
    assert len(claimed) / len(unanswerable) <= 0.13, "\n".join(claimed)


@pytest.mark.parametrize("kind", ["attr", "page", "hop", "compare", "agg", "convert", "yesno"])
def test_every_kind_of_question_works(verdicts: list, kind: str) -> None:
    own = [verdict for _, item, _, verdict in verdicts if item["type"] == kind]
    assert own.count("right") / len(own) >= 0.5


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
    assert take_apart(question).expected.kind == kind


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
        ("What does it sell for right now?", "1975"),
        ("Does it come in black?", "No: "),
        ("Does it come in walnut?", "Yes: "),
    ],
)
def test_what_it_bears_and_costs(question: str, said: str) -> None:
    assert said in answer(CHAIR, question, "Foxglove")[0]
