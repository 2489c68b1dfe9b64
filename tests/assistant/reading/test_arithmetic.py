"""Comparisons, sums, reckoning and text on frames, asked in words of their own about a small invented collection.

Right: the expected words are in the answer (at its start for "Yes", "No" and the winner of a comparison). Wrong: any
other answer, or an answer where none can be known.
"""

from __future__ import annotations

import collections
import json
import math

import numpy as np
import pytest

from assistant.core.types import Frame, Look, Quality, Recognition, TextLine
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import DATA, MemoryKnowledge

FILE = DATA / "reckoning" / "set.json"
NOTHING = Recognition(reason="I do not recognise what is in the picture")


def _look(frame: dict) -> Look:
    """Lines of text on a page that is turned by `tilt_deg`, as a text reader would outline them."""
    turn = math.radians(frame["tilt_deg"])

    def turned(x: float, y: float) -> tuple[float, float]:
        return (400 + x * math.cos(turn) - y * math.sin(turn), 200 + x * math.sin(turn) + y * math.cos(turn))

    lines = []
    for text, x, y in frame["cells"]:
        wide, high = 17.0 * len(text), 34.0
        outline = tuple(turned(*p) for p in ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))
        lines.append(TextLine(text, 0.95, outline))
    return Look(Quality(0.5, 0.2, 100.0), Frame(np.zeros((4, 4, 3), np.uint8)), texts=tuple(lines))


def verdict(item: dict, text: str) -> str:
    expected = item["expected"]
    if not text:
        return "right" if expected is None else "missing"
    if expected is None:
        return "wrong"
    leads = expected in ("Yes", "No") or (item["type"] == "comparison" and not expected[0].isdigit())
    plain, wanted = text.lower().replace(",", ""), expected.lower().replace(",", "")
    return "right" if (plain.startswith(wanted) if leads else wanted in plain) else "wrong"


def answered() -> list[tuple[dict, str, str]]:
    """Every question with its answer and verdict."""
    raw = json.loads(FILE.read_text(encoding="utf-8"))
    knowledge = MemoryKnowledge(raw["entities"], raw["pages"])
    out = []
    for item in raw["questions"]:
        look = _look(raw["frames"][item["frame"]]) if "frame" in item else None
        text, _, _, _ = answer(
            knowledge, item["question"], *item["seen"], look=look, recognition=None if item["seen"] else NOTHING
        )
        out.append((item, text, verdict(item, text)))
    return out


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[dict, str, str]]:
    return answered()


def test_most_are_right_and_few_are_wrong(verdicts: list) -> None:
    counts = collections.Counter(v for _, _, v in verdicts)
    wrong = [f"{item['question']} -> {text}" for item, text, v in verdicts if v == "wrong"]
    assert len(verdicts) >= 60
    assert counts["right"] / len(verdicts) >= 0.8
    assert counts["wrong"] / len(verdicts) <= 0.06, "\n".join(wrong)


@pytest.mark.parametrize("kind", ["comparison", "aggregation", "reasoning", "frame"])
def test_every_kind_works(verdicts: list, kind: str) -> None:
    own = [v for item, _, v in verdicts if item["type"] == kind]
    assert own.count("right") / len(own) >= 0.7
