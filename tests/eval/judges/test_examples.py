"""Every question of the page's example frames, asked of the real assistant and judged by what the world knows.

The index holds what the examples are about, what belongs to the same groups and what looks alike, with all that is
written of them; VITRINE_BUNDLED_INDEX names a whole index of the bundled world to ask instead.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.agent import Assistant
from assistant.core.events import Finished
from assistant.core.options import Conditions
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Conversation, Frame, Turn
from assistant.factory import open_index
from assistant.index.build import build_index
from assistant.settings import read_settings
from assistant.ui.tab.examples import ExampleFrames
from eval.data.gold import GoldTurn, read_example_gold, read_facts
from eval.judges.gold_grades import GoldGrades
from eval.judges.typed import TypedJudge

pytestmark = pytest.mark.slow
WORLD = ASSETS_DIR / "world"
#: What looks like the one thing of the examples that is in no index.
LOOKALIKES = {"Junlto Tomato Soup", "Junlto Green Olives"}
KNOWN = {(session, question): gold for session, question, gold in read_example_gold(WORLD)}
GRADE = GoldGrades(WORLD)
EXAMPLES = json.loads((WORLD / "examples.json").read_text(encoding="utf-8"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _part_of_the_world(folder: Path) -> Path:
    """The bundled world, less the entities that have nothing to do with the examples, and their pages."""
    (folder / "web").mkdir(parents=True)
    (folder / "kg" / "images").mkdir(parents=True)
    (folder / "world.json").write_text((WORLD / "world.json").read_text("utf-8"), "utf-8")
    named = LOOKALIKES.union(*(gold.entities for gold in KNOWN.values()))
    kept = [e for e in _lines(WORLD / "kg" / "entities.jsonl") if e["name"] in named]
    in_view = LOOKALIKES.union(*(KNOWN[e["session_id"], e["questions"][0]].entities for e in EXAMPLES))
    kept = [e if e["name"] in in_view else e | {"images": []} for e in kept]  # a picture takes most of a second
    for image in (image["file"] for e in kept for image in e["images"]):
        shutil.copy(WORLD / image, folder / image)
    (folder / "kg" / "entities.jsonl").write_text("\n".join(map(json.dumps, kept)), "utf-8")
    leads_to = {g.answer.value for g in KNOWN.values() if g.answer and isinstance(g.answer.value, str)}
    about = [
        p
        for p in _lines(WORLD / "web" / "pages.jsonl")
        if any(name in f"{p['name']} {p['text']}" for name in named | {n for n in leads_to if " " in n})
    ]
    (folder / "web" / "pages.jsonl").write_text("\n".join(map(json.dumps, about)), "utf-8")
    return folder


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    folder = tmp_path_factory.mktemp("examples")
    whole = os.environ.get("VITRINE_BUNDLED_INDEX")
    index = Path(whole) if whole else folder / "index"
    if not whole:
        build_index(_part_of_the_world(folder / "world"), index)
    settings = read_settings(profile="embedded", data_dir=folder / "data", index=index, environ={})
    return open_index(index, settings, for_run=True)


@pytest.fixture(scope="module")
def frames() -> ExampleFrames:
    return ExampleFrames(WORLD)


def ask(
    assistant: Assistant, question: str, frame: Frame | None, conversation: Conversation, **options: Conditions
) -> Turn:
    events = assistant.answer(conversation, question, frame, **options)
    return next(e.turn for e in events if isinstance(e, Finished))


def test_each_question_has_one_answer_in_gold(frames: ExampleFrames) -> None:
    asked = [(e["session_id"], question) for e in EXAMPLES for question in e["questions"]]
    assert len(asked) == len(set(asked)) == len(KNOWN)
    assert set(asked) == set(KNOWN)
    assert [example.questions for example in frames.shown()] == [tuple(e["questions"]) for e in EXAMPLES]
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_question_is_answered_right(assistant: Assistant, frames: ExampleFrames, number: int) -> None:
    judge = TypedJudge(read_facts(WORLD))
    conversation = Conversation("example")
    frame = frames.frame(number)
    for question in frames.questions(number):
        gold: GoldTurn = KNOWN[EXAMPLES[number]["session_id"], question]
        turn = ask(assistant, question, frame, conversation)
        conversation = conversation.with_turn(turn)
        told = f"{question} -> {turn.answer.text} ({turn.answer.reason})"
        if not gold.answerable:
            assert turn.answer.status == "abstained", told
        else:
            assert turn.answer.status == "answered", told
            verdict = judge.judge(gold, question, turn.answer.text)
            assert verdict.verdict == "correct", f"{told}: {verdict}"
        if question == frames.questions(number)[0]:  # what the comparison of two settings offers is scored by gold
            assert GRADE(frames.digest(number), turn) == (1 if gold.answerable else 0)


def test_the_comparison_shows_what_its_settings_promise(assistant: Assistant, frames: ExampleFrames) -> None:
    """With the check off a thing that is in no index is taken for one that looks alike, and gold calls that wrong."""
    number = next(n for n, e in enumerate(EXAMPLES) if not KNOWN[e["session_id"], e["questions"][0]].answerable)
    question, frame, alone = frames.questions(number)[0], frames.frame(number), Conversation("aside")
    sure = ask(assistant, question, frame, alone)
    guessed = ask(assistant, question, frame, alone, conditions=Conditions(check=False, guess=True))
    assert [GRADE(frames.digest(number), turn) for turn in (sure, guessed)] == [0, -1]
