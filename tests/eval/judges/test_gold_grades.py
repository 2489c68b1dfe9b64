"""Grades of the bundled world's frames: what its gold says of answers that are made already."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as parquet
import pytest

from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Answer, Status, Turn
from eval.judges.gold_grades import GoldGrades

WORLD = ASSETS_DIR / "world"


@pytest.fixture(scope="module")
def grades() -> GoldGrades:
    return GoldGrades(WORLD)


@pytest.fixture(scope="module")
def known() -> tuple[str, str, str]:
    """File digest, question and true answer of the first frame that carries its own picture."""
    table = parquet.read_table(WORLD / "single_turn" / "validation.parquet", columns=["image", "turns", "answers"])
    for row in table.slice(0, 20).to_pylist():
        if row["image"] and row["image"]["bytes"]:
            digest = hashlib.sha256(row["image"]["bytes"]).hexdigest()
            return digest, row["turns"]["query"][0], row["answers"]["ans_full"][0]
    raise AssertionError("no frame of the world carries its picture")


def said(question: str, text: str, status: Status = "answered") -> Turn:
    return Turn(question, Answer(text, status))


def test_right_silent_and_wrong(grades: GoldGrades, known: tuple[str, str, str]):
    picture, question, truth = known
    assert grades(picture, said(question, truth)) == 1
    assert grades(picture, said(question, "I don't know: it is too dark.", "abstained")) == 0
    assert grades(picture, said(question, "It was surely Quxbert Nonesuch of Zzyzx.")) == -1


def test_what_the_gold_does_not_know_gets_no_grade(grades: GoldGrades, known: tuple[str, str, str]):
    picture, question, truth = known
    assert grades("0" * 64, said(question, truth)) is None
    assert grades(picture, said("And the other one?", truth)) is None
    for status in ("error", "timeout", "cancelled", "refused"):
        assert grades(picture, said(question, truth, status)) is None


def test_questions_that_need_the_turns_before_get_no_grade(grades: GoldGrades):
    rows = [json.loads(line) for line in (WORLD / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines()]
    needy = {row["interaction_id"] for row in rows if row["needs_history"]}
    assert needy
    grades("", said("?", "x"))
    assert not needy & {line["interaction_id"] for line in grades._lines.values()}


def test_a_folder_without_gold_grades_nothing(tmp_path: Path):
    assert GoldGrades(tmp_path)("0" * 64, said("?", "x")) is None
