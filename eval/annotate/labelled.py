"""Answers that people graded, out of a file: one line a label, or a line an answer.

A line holds the answer and its label in any of the usual names: `interaction_id` (or `session_id` with `turn_idx`),
`query` or `question`, `ground_truth`, `answer` (or `agent_response`, `prediction`), `grade` or `verdict`, `annotator`,
the benchmark's labels beside them or under `labels`. Several lines of one answer are several people; the same person's
later line counts. A grade is one of CRAG's four, or a verdict of three, which is half as much: right, and not how well.

Of several people the majority counts: of their grades, and where that is a tie, of what the grades come to (perfect and
acceptable are both right). Answers without a majority are left out and counted, and so are lines without a grade or
with a word that is none.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from assistant.core.errors import BadInput
from eval.data.json_rows import read_rows
from eval.data.samples import FAILED, LABELS, id_text
from eval.metrics.public import Verdict

Grade = Literal["perfect", "acceptable", "missing", "incorrect"]

#: What a word comes to: its verdict, and the grade where the word says that much.
WORDS: dict[str, tuple[Verdict, Grade | None]] = {
    "perfect": ("correct", "perfect"),
    "acceptable": ("correct", "acceptable"),
    "missing": ("missing", "missing"),
    "incorrect": ("wrong", "incorrect"),
    "wrong": ("wrong", "incorrect"),
    "correct": ("correct", None),
    "accurate": ("correct", None),
}
#: Who labelled where a line names nobody.
NOBODY = "unnamed"


@dataclass(frozen=True)
class Labelled:
    """One answer and what people hold of it. `grade` is None where they say only that it is right.

    `id` is unique within its set, and the interaction id wherever that is.
    """

    id: str
    session_id: str
    turn_idx: int
    query: str
    ground_truth: str
    answer: str
    status: str
    verdict: Verdict
    grade: Grade | None
    labels: Mapping[str, Any] = field(default_factory=dict)
    people: int = 1

    def line(self) -> dict[str, Any]:
        """The turn's line that a judge reads."""
        return {
            "interaction_id": self.id,
            "session_id": self.session_id,
            "turn_idx": self.turn_idx,
            "query": self.query,
            "ground_truth": self.ground_truth,
            "agent_response": self.answer,
            "status": self.status,
        }


@dataclass(frozen=True)
class LabelledSet:
    """Graded answers. `digest` is of their texts and grades, `left_out` why → how many lines or answers."""

    name: str
    items: tuple[Labelled, ...]
    digest: str
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def sentences(self) -> list[str]:
        return [f"{n} left out: {why}" for why, n in self.left_out.items()]


@dataclass(frozen=True)
class Rated:
    """Every label by item and annotator, for agreement: see `eval.metrics.agreement`."""

    ratings: Mapping[str, Mapping[str, str]]
    conversations: Mapping[str, str]
    labels: Mapping[str, Mapping[str, Any]]
    left_out: Mapping[str, int]


class _Row(BaseModel):
    """A line of such a file; of what it does not name, only `labels` is kept."""

    model_config = ConfigDict(extra="ignore")

    item: str | int | None = Field(None, validation_alias=AliasChoices("item", "item_id", "id"))
    interaction_id: str | int | None = None
    session_id: str | int | None = Field(
        None, validation_alias=AliasChoices("session_id", "conversation", "conversation_id")
    )
    turn_idx: int | None = Field(None, validation_alias=AliasChoices("turn_idx", "turn"))
    query: str | None = Field(None, validation_alias=AliasChoices("query", "question"))
    ground_truth: str | None = Field(None, validation_alias=AliasChoices("ground_truth", "truth"))
    answer: str | None = Field(None, validation_alias=AliasChoices("answer", "agent_response", "prediction"))
    status: str = "answered"
    annotator: str | int | None = Field(None, validation_alias=AliasChoices("annotator", "person", "by"))
    grade: str | None = None
    verdict: str | None = None
    labels: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    domain: str | int | None = None
    query_category: str | int | None = None
    dynamism: str | int | None = None
    image_quality: str | int | None = None

    def key(self) -> str:
        """What tells one item from another: its own id, else the turn and the texts, as several systems answer one."""
        if (own := id_text(self.item)) is not None:
            return own
        session = id_text(self.session_id) or "answer"
        turn = id_text(self.interaction_id) or (session if self.turn_idx is None else f"{session}:{self.turn_idx}")
        if self.query is None and self.answer is None:
            return turn
        texts = json.dumps([self.query, self.ground_truth, self.answer])
        return f"{turn}#{hashlib.sha256(texts.encode('utf-8', 'replace')).hexdigest()[:8]}"

    def named(self) -> dict[str, Any]:
        own = {name: value for name in LABELS if (value := getattr(self, name)) is not None}
        return {name: value for name, value in {**self.labels, **own}.items() if value is not None}


def read_labelled(path: Path) -> LabelledSet:
    """The answers of a file and their grades.

    Raises:
        BadInput: not to be read, a line of another shape (its number is told), or nothing that is graded.
    """
    unit, rows = read_rows(path)
    return labelled_set(path.stem, rows, f"{unit} {{}} of {str(path)!r}")


def labelled_set(name: str, rows: Iterable[tuple[int, Any]], place: str = "row {}") -> LabelledSet:
    """A labelled set out of numbered rows, such as an export has them; `place` says where a row is, by its number.

    Raises:
        BadInput: see `read_labelled`.
    """
    grouped: dict[str, list[_Row]] = {}
    left_out: Counter[str] = Counter()
    for number, row in _rows(rows, place):
        if word := _no_grade(row):
            left_out[word] += 1
            continue
        for key, value in (("query", row.query), ("ground_truth", row.ground_truth), ("answer", row.answer)):
            if value is None:
                raise BadInput(f"{place.format(number)} has no {key!r}, and a judge reads it")
        grouped.setdefault(row.key(), []).append(row)
    taken = Counter(id_text(rows[0].interaction_id) for rows in grouped.values())
    items = []
    for key, found in grouped.items():
        graded = _settled(found)
        if graded is None:
            left_out["no majority among the people who labelled the answer"] += 1
            continue
        row, own = found[-1], id_text(found[-1].interaction_id)
        status = row.status if row.status not in FAILED else "answered"
        items.append(
            Labelled(
                id=own if own is not None and taken[own] == 1 else key,
                session_id=id_text(row.session_id) or key,
                turn_idx=row.turn_idx or 0,
                query=row.query or "",
                ground_truth=row.ground_truth or "",
                answer=row.answer or "",
                status=status,
                verdict=graded[0],
                grade=graded[1],
                labels=row.named(),
                people=len({_person(each) for each in found}),
            )
        )
    if not items:
        why = f" ({'; '.join(f'{n} times {word}' for word, n in left_out.items())})" if left_out else ""
        raise BadInput(f"{name!r} holds no answer with a grade{why}: a line needs one of {', '.join(WORDS)}")
    return LabelledSet(name, tuple(items), _digest(items), dict(left_out))


def read_rated(path: Path) -> Rated:
    """Every label of a file, for agreement; a line needs an item, an annotator and a grade, and no texts.

    Words that are no grades of ours are kept: people may have agreed on other labels.

    Raises:
        BadInput: not to be read, a line of another shape, or without an item.
    """
    unit, rows = read_rows(path)
    return rated(rows, f"{unit} {{}} of {str(path)!r}")


def rated(rows: Iterable[tuple[int, Any]], place: str = "row {}") -> Rated:
    """As `read_rated`, out of numbered rows."""
    ratings: dict[str, dict[str, str]] = {}
    conversations: dict[str, str] = {}
    labels: dict[str, Mapping[str, Any]] = {}
    left_out: Counter[str] = Counter()
    for number, row in _rows(rows, place):
        if not _word(row):
            left_out["no grade"] += 1
            continue
        if all(id_text(value) is None for value in (row.item, row.interaction_id, row.session_id)):
            raise BadInput(f"{place.format(number)} names no 'item': labels of one item are what is compared")
        key = row.key()
        ratings.setdefault(key, {})[_person(row)] = _word(row)
        labels[key] = row.named()
        if (conversation := id_text(row.session_id)) is not None:
            conversations[key] = conversation
    return Rated(ratings, conversations, labels, dict(left_out))


def _rows(rows: Iterable[tuple[int, Any]], place: str) -> Iterable[tuple[int, _Row]]:
    for number, row in rows:
        try:
            yield number, _Row.model_validate(row)
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "it"
            raise BadInput(
                f"{place.format(number)} is no label: {where} is {first['input']!r} ({first['msg'].lower()})"
            ) from None


def _word(row: _Row) -> str:
    return (row.grade or row.verdict or "").strip().lower()


def _person(row: _Row) -> str:
    return id_text(row.annotator) or NOBODY


def _no_grade(row: _Row) -> str:
    word = _word(row)
    return "no grade" if not word else "" if word in WORDS else f"{word!r} is no grade"


def _settled(rows: Sequence[_Row]) -> tuple[Verdict, Grade | None] | None:
    """What the people hold together; None where neither grades nor verdicts have a majority of more than a half."""
    words = [WORDS[_word(row)] for row in {_person(row): row for row in rows}.values()]
    verdicts = Counter(verdict for verdict, _ in words)
    verdict, votes = verdicts.most_common(1)[0]
    if votes * 2 <= len(words):
        return None
    grades = Counter(grade for _, grade in words)
    grade, votes = grades.most_common(1)[0]
    return verdict, grade if votes * 2 > len(words) else None


def _digest(items: Sequence[Labelled]) -> str:
    """A hash of texts and grades, whatever the order of the lines."""
    texts = sorted(
        json.dumps([item.id, item.session_id, item.query, item.ground_truth, item.answer, item.verdict, item.grade])
        for item in items
    )
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()
