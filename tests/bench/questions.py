"""The reader on questions written by hand over invented collections, without seeing: how many are right and wrong.

Two sets of tests/assistant/reading/data: five collections of very different vocabularies, and comparisons, sums,
reckoning and text on frames. Right: the expected words are in the answer (at its start for "Yes", "No" and the winner
of a comparison). Wrong: any other answer, or an answer where none can be known. The tests ask every eighth and every
second question of each kind, this all of them.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from assistant.core.types import Frame, Look, Quality, Recognition, TextLine
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import DATA, MemoryKnowledge, load

COLLECTIONS = sorted(p.stem for p in DATA.glob("*.json"))
RECKONING = DATA / "reckoning" / "set.json"
_NOTHING = Recognition(reason="I do not recognise what is in the picture")

#: A question of a set, what was answered ("" for nothing), and "right", "wrong" or "missing".
Answered = tuple[dict[str, Any], str, str]


def collections_questions() -> list[dict[str, Any]]:
    """The questions over all collections, each with the name of its own."""
    return [
        {**item, "collection": name}
        for name in COLLECTIONS
        for item in json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["questions"]
    ]


def reckoning_questions() -> list[dict[str, Any]]:
    return json.loads(RECKONING.read_text(encoding="utf-8"))["questions"]


def sample(items: Sequence[dict[str, Any]], step: int) -> list[dict[str, Any]]:
    """Every `step`-th question of each kind, in the order of the set; the same ones each time."""
    by_type: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        by_type.setdefault(item["type"], []).append(item)
    kept = {id(item) for own in by_type.values() for item in own[::step]}
    return [item for item in items if id(item) in kept]


def ask_collections(items: Iterable[dict[str, Any]]) -> list[Answered]:
    """Each question with its answer and verdict."""
    out = []
    for item in items:
        text, _, _, _ = answer(load(item["collection"]), item["question"], *item["seen"])
        leads = item["type"] == "compare" or item["expected"] in ("Yes", "No")
        out.append((item, text, _verdict(item["expected"], text, leads)))
    return out


def ask_reckoning(items: Iterable[dict[str, Any]]) -> list[Answered]:
    """Each question with its answer and verdict."""
    raw = json.loads(RECKONING.read_text(encoding="utf-8"))
    knowledge = MemoryKnowledge(raw["entities"], raw["pages"])
    out = []
    for item in items:
        look = _look(raw["frames"][item["frame"]]) if "frame" in item else None
        text, _, _, _ = answer(
            knowledge, item["question"], *item["seen"], look=look, recognition=None if item["seen"] else _NOTHING
        )
        expected = item["expected"]
        winner = item["type"] == "comparison" and expected is not None and not expected[0].isdigit()
        out.append((item, text, _verdict(expected, text, expected in ("Yes", "No") or winner)))
    return out


def _verdict(expected: str | None, text: str, leads: bool) -> str:
    if not text:
        return "right" if expected is None else "missing"
    if expected is None:
        return "wrong"
    plain, wanted = text.lower().replace(",", ""), expected.lower().replace(",", "")
    return "right" if (plain.startswith(wanted) if leads else wanted in plain) else "wrong"


def _look(frame: dict[str, Any]) -> Look:
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


def figures(answered: Sequence[Answered]) -> dict[str, Any]:
    """Shares of right and wrong, by kind too, and of what cannot be known the share that was answered."""
    unknown = [text for item, text, _ in answered if item["expected"] is None]
    kinds = collections.Counter(item["type"] for item, _, _ in answered)
    right = collections.Counter(item["type"] for item, _, verdict in answered if verdict == "right")
    verdicts = collections.Counter(verdict for _, _, verdict in answered)
    return {
        "n": len(answered),
        "right": round(verdicts["right"] / len(answered), 4),
        "wrong": round(verdicts["wrong"] / len(answered), 4),
        "unanswerable": len(unknown),
        "claimed": round(sum(map(bool, unknown)) / max(1, len(unknown)), 4),
        "right_by_kind": {kind: round(right[kind] / n, 4) for kind, n in sorted(kinds.items())},
    }


def run(arguments: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench questions")
    parser.add_argument("--step", type=int, default=1, help="every so manieth question of each kind")
    step = parser.parse_args(arguments).step
    sets: dict[str, tuple[list[dict[str, Any]], Callable[[Iterable[dict[str, Any]]], list[Answered]]]] = {
        "collections": (collections_questions(), ask_collections),
        "reckoning": (reckoning_questions(), ask_reckoning),
    }
    found = {}
    for name, (items, ask) in sets.items():
        answered = ask(sample(items, step))
        found[name] = figures(answered)
        print(f"{name}: {found[name]}")
        for item, text, verdict in answered:
            if verdict == "wrong":
                print(f"  wrong: {item['question']} -> {text}")
    return found
