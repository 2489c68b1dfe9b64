"""Answers that many hands wrote and labelled, for the lexical judge to be fitted on: `data/answers/*.jsonl`.

One question a line: `domain`, `question`, `ground_truth`, `correct` (texts), `wrong` (pairs of how and text), `missing`
(refusals). No hand has seen the judge or a benchmark; one has seen a few lines of two others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.errors import BadInput
from eval.equivalence import LABELS

DATA_DIR = Path(__file__).resolve().parent / "data" / "answers"
#: Hands whose answers the small model does not see: rules and model are weighed on them.
HELD_OUT = ("18", "32", "38", "73", "75")
#: Hands that serve for the final figure only (`python -m tests.bench judge --set-aside`); nobody has read them.
SET_ASIDE = ("65", "78")
#: Question, ground truth, answer, and the number of its label.
Row = tuple[str, str, str, int]


def read_hand(path: Path) -> list[list[Row]]:
    """The answers of one file, question by question."""
    out = []
    for line in path.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)
        answers = [(text, 0) for text in asked["correct"]] + [(text, 1) for _, text in asked["wrong"]]
        answers += [(text, 2) for text in asked["missing"]]
        out.append([(asked["question"], asked["ground_truth"], text, label) for text, label in answers])
    return out


def read_rows(path: Path) -> list[list[Row]]:
    """Answers one a line (`group`, `question`, `ground_truth`, `answer`, `label`), question by question."""
    groups: dict[object, list[Row]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        label = LABELS.index(row["label"])
        groups.setdefault(row["group"], []).append((row["question"], row["ground_truth"], row["answer"], label))
    return list(groups.values())


def read_answers(
    folder: Path = DATA_DIR, rows: Iterable[Path] = (), held_out: Sequence[str] = HELD_OUT
) -> tuple[dict[str, list[list[Row]]], dict[str, list[list[Row]]]]:
    """What is practised on, and what only the weighing sees, both by hand.

    Raises:
        BadInput: answers that the weighing needs are not there.
    """
    files = sorted(folder.glob("*.jsonl"))
    if lacking := {*held_out} - {f.stem for f in files}:
        raise BadInput(
            f"{str(folder)!r} lacks the answers of {', '.join(sorted(lacking))}, on which the judge is weighed"
        )
    practised = {f.stem: read_hand(f) for f in files if f.stem not in (*held_out, *SET_ASIDE)}
    practised |= {str(f): read_rows(f) for f in rows}
    return practised, {f.stem: read_hand(f) for f in files if f.stem in held_out}
