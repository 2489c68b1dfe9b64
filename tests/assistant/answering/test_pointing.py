"""How a question points at a thing, said plainly: phrases of a hand that the model has not seen, and what must stay."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from assistant.answering.pointing_training import DATA_DIR, Composer, WordReader, filled, fit, hands, labels_of
from assistant.errors import NotReady
from assistant.search import pointed_at
from assistant.search.pointed_at import LABELS, OTHERS, PLAINLY, chances, plainly_pointed, said_plainly, words_in

#: Written by a hand of its own, and never fitted on.
HELD_OUT = json.loads((Path(__file__).parents[2] / "data" / "pointing_held_out.json").read_text(encoding="utf-8"))
_ONE = ("this", "that", "it", "this one", "that one", "this kettle", "that kettle", "the kettle itself", "the kettle")


def plainly(kind: str, text: str) -> tuple[str, str]:
    """What a phrase becomes in a question, and the phrase."""
    said = "".join(piece for piece, _ in filled(kind, text, "kettle", random.Random(3)))
    asked = plainly_pointed(f"what does {said} weigh?")
    return asked.removeprefix("what does ").removesuffix(" weigh?"), said


def told(kind: str) -> float:
    """The share of the phrases of one kind that come out as plain words for that kind."""
    right = 0
    for text in HELD_OUT[kind]:
        plain, said = plainly(kind, text)
        noun = "kettle" in said
        forms = {PLAINLY[kind][0 if noun else 1].format(noun="kettle", colour="")}
        right += plain in forms | (set(_ONE) if kind in ("place", "same", "first") else set())
    return right / len(HELD_OUT[kind])


@pytest.mark.parametrize(
    ("kind", "share"),
    [("place", 0.8), ("same", 0.7), ("first", 0.6), ("left", 0.7), ("right", 0.7), ("middle", 0.6)],
)
def test_phrases_of_an_unseen_hand_are_said_plainly(kind: str, share: float) -> None:
    assert told(kind) >= share


@pytest.mark.parametrize("kind", ["openers", "follow_openers", "tails"])
def test_what_stands_around_a_question_is_left_out(kind: str) -> None:
    asked = [f"what does it weigh{t}" if kind == "tails" else f"{t}what does it weigh?" for t in HELD_OUT[kind]]
    left = [plainly_pointed(q).rstrip(" ?.,") for q in asked]
    assert np.mean([q == "what does it weigh" for q in left]) >= 0.75, [q for q in left if q != "what does it weigh"]


@pytest.mark.parametrize(
    "question",
    [
        "what's the year written in small letters at the bottom of it?",
        "What does it weigh?",
        "Who painted The Silent Harbour of Ilm?",
        "is the Arnvik Jug heavier than this?",
        "which firm makes this jug?",
        "who is the mayor of the town it comes from?",
        "how many litres fit into the tank",
        "when was the person who designed it born?",
        "what is written above the door?",
        "does the price on the label include the bag?",
        "I wear S, so do they have this tunic in that size?",
        "what's the total for the whole fleet?",
        "besides this, what is in its range?",
        "Glazes: how many are listed for this bowl?",
        "how long is the crossing there and back?",
        "I read a third of it, how many pages is that?",
        "What is the fourth one from the left?",
        "what do all the lamps of that series cost together?",
        "how heavy is the whole model range taken together?",
        "if I want the one that is taller, is it this or the Arnvik Jug?",
        "",
        "?!",
    ],
)
def test_what_points_at_nothing_else_stays(question: str) -> None:
    assert plainly_pointed(question) == question


def test_the_one_beside_it_is_another_of_whatever_kind() -> None:
    assert plainly_pointed("how heavy is the one beside this jar?") == "how heavy is the other one?"
    assert plainly_pointed("how old is the one to the left of that tower?") == "how old is the one on the left?"


def test_what_has_it_is_no_other_one() -> None:
    assert plainly_pointed("What does the course with that slide cost?") == "What does the course with that slide cost?"


def test_back_to_the_first_is_no_mere_opening() -> None:
    plain = plainly_pointed("back to what we began with: how heavy is it?")
    assert plain == "back to the first one: how heavy is it?"
    assert plainly_pointed("back to this one: how heavy is it?") == "how heavy is it?"


def test_a_case_begins_a_question() -> None:
    assert plainly_pointed("Hey, if two of us share it, how much does each get?").startswith("if two of us")


def test_figures_around_a_question_stay() -> None:
    for question in ("My shelf is 40 cm high, so does it fit?", "We are 6 people, what do we pay for it?"):
        assert [f for f in ("40 cm", "6 people") if f in question] == [
            f for f in ("40 cm", "6 people") if f in plainly_pointed(question)
        ]


def test_a_span_that_is_not_sure_stays() -> None:
    question = "what does that thing yonder cost?"
    words = words_in(question)
    unsure = np.full((len(words), len(LABELS)), 0.0)
    unsure[:, 0] = 0.45
    unsure[:, LABELS.index("place")] = 0.55
    assert said_plainly(question, words, unsure) == question


def test_every_word_has_its_chances() -> None:
    words, shares = chances("hey, what's this?")
    assert [("hey, what's this?"[a:b]) for a, b in words] == ["hey", ",", "what's", "this", "?"]
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-4)
    assert shares.shape[1] == len(LABELS)


def test_every_hand_has_every_kind() -> None:
    for path in sorted(DATA_DIR.glob("*.json")):
        hand = json.loads(path.read_text(encoding="utf-8"))
        assert set(hand) == {*PLAINLY, *OTHERS, "openers", "follow_openers", "tails", "wraps"}, path.name
        assert HELD_OUT["place"] != hand["place"]


def test_what_a_composed_question_says_of_its_words_is_where_they_stand() -> None:
    composer = Composer(hands(), 5)
    for _ in range(200):
        text, spans = composer.draw()
        assert all(0 <= a < b and label in LABELS for a, b, label in spans)
        found = labels_of((text, spans), [a for a, _, _ in spans if a < len(text)])
        assert found == [LABELS.index(label) for a, _, label in spans if a < len(text)]


def test_the_fitted_model_reads_as_the_shipped_one_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model: WordReader = fit(hands(), steps=2, progress=lambda line: None)
    np.savez(tmp_path / pointed_at.FILE_NAME, **model.arrays())  # type: ignore[arg-type]
    (tmp_path / "reader").mkdir()
    (tmp_path / pointed_at.FILE_NAME).rename(tmp_path / "reader" / pointed_at.FILE_NAME)
    monkeypatch.setattr(pointed_at, "ASSETS_DIR", tmp_path)
    pointed_at._model.cache_clear()
    try:
        text = "hey, the kettle I'm looking at, what does it weigh?"
        _, read = chances(text)
        assert np.allclose(read, model.word_chances(text), atol=2e-2)
    finally:
        monkeypatch.undo()
        pointed_at._model.cache_clear()


def test_a_missing_model_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pointed_at, "ASSETS_DIR", tmp_path)
    pointed_at._model.cache_clear()
    with pytest.raises(NotReady, match="pointing_training"):
        plainly_pointed("never asked before, what is it?")
    monkeypatch.undo()
    pointed_at._model.cache_clear()
