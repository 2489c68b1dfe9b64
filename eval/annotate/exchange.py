"""Labels out of the store and into it: JSONL, CSV and Label Studio's JSON; and items as CRAG-MM rows.

One line is one person's label on one item; an item that nobody has labelled has one line without an annotator. The
columns are `COLUMNS`: which item (`digest`, `interaction_id`, …), what was asked and answered, the benchmark's labels,
and what was said. Files by hand need `query` (or `digest`, or `interaction_id`), `annotator` and `grade` (or `winner`).

Reading is idempotent: the same label is never written twice, nor an item that is there. A label finds its item by the
digest, else by interaction id and answer, else by question and answer; where none is found, an item is made of the
line, without evidence and picture. A file with a wrong line is refused whole, with the line's number.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from assistant.core.errors import BadInput
from assistant.core.storage import write_text
from assistant.core.whole_text import load_json
from eval.annotate import label_studio
from eval.annotate.rows import write_rows
from eval.annotate.sources import FrameSource
from eval.annotate.values import (
    Item,
    Label,
    Labelled,
    Preference,
    Reason,
    Verdict4,
    Winner,
    check_label,
    digest,
    majority,
    person_name,
)
from eval.data.json_rows import read_rows
from eval.data.samples import LABELS

if TYPE_CHECKING:
    from eval.annotate.store import ImportedLabel, Store

Format = Literal["jsonl", "csv", "label-studio"]
FORMATS: tuple[Format, ...] = get_args(Format)
_ITEM_COLUMNS = (
    "digest", "interaction_id", "session_id", "conversation", "turn_idx", "run", "query", "ground_truth", "answer",
    "other_answer", "status", *LABELS,
)  # fmt: skip
_SAID_COLUMNS = (
    "annotator", "grade", "winner", "reasons", "corrected_answer", "note", "guideline_version", "active_ms",
    "prefilled", "saw_truth", "left_here", "third", "at",
)  # fmt: skip
COLUMNS = (*_ITEM_COLUMNS, *_SAID_COLUMNS)
_UTF8_MARK = "utf-8-sig"


def _empty_is_none(value: Any) -> Any:
    return None if value == "" else value


def _listed(value: Any) -> Any:
    """Reasons as CSV has them: one text, parted by semicolons."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(";") if part.strip()]
    return value or []


_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
_Id = Annotated[str, BeforeValidator(lambda value: "" if value is None else str(value))]
_Flag = Annotated[bool, BeforeValidator(lambda value: value or False)]
_Count = Annotated[int, Field(ge=0), BeforeValidator(lambda value: value or 0)]
_BenchmarkLabel = Annotated[str | int | None, BeforeValidator(_empty_is_none)]


class _Line(BaseModel):
    """One label, as any of the files has it; what it does not name is passed over."""

    model_config = ConfigDict(extra="ignore")

    digest: _Text = ""
    interaction_id: _Id = ""
    session_id: _Id = ""
    conversation: _Text = ""
    turn_idx: _Count = 0
    run: _Text = ""
    query: _Text = Field("", validation_alias=AliasChoices("query", "question"))
    ground_truth: _Text = ""
    answer: _Text = Field("", validation_alias=AliasChoices("answer", "agent_response"))
    other_answer: _Text = ""
    status: _Text = ""
    domain: _BenchmarkLabel = None
    query_category: _BenchmarkLabel = None
    dynamism: _BenchmarkLabel = None
    image_quality: _BenchmarkLabel = None
    annotator: _Id = Field("", validation_alias=AliasChoices("annotator", "person"))
    grade: Annotated[Verdict4 | None, BeforeValidator(_empty_is_none)] = None
    winner: Annotated[Winner | None, BeforeValidator(_empty_is_none)] = None
    reasons: Annotated[tuple[Reason, ...], BeforeValidator(_listed)] = ()
    corrected_answer: _Text = ""
    note: _Text = ""
    guideline_version: _Count = 0
    active_ms: _Count = 0
    prefilled: Annotated[str | None, BeforeValidator(_empty_is_none)] = None
    saw_truth: _Flag = False
    left_here: _Flag = False
    third: _Flag = False
    at: Annotated[datetime | None, BeforeValidator(_empty_is_none)] = None

    def item(self) -> Item:
        conversation = self.conversation or self.session_id or hashlib.sha256(self.query.encode()).hexdigest()[:16]
        return Item(
            conversation,
            self.turn_idx,
            self.query,
            self.ground_truth,
            self.answer,
            self.status,
            domain=self.domain,
            query_category=self.query_category,
            dynamism=self.dynamism,
            image_quality=self.image_quality,
            run=self.run,
            interaction_id=self.interaction_id,
            session_id=self.session_id,
            other_answer=self.other_answer,
        )

    def said(self) -> Label | Preference:
        if self.winner is not None:
            return Preference(self.winner, self.note, self.guideline_version, self.active_ms, self.left_here)
        assert self.grade is not None
        return Label(
            self.grade,
            self.reasons,
            self.corrected_answer,
            self.note,
            self.guideline_version,
            self.active_ms,
            self.prefilled,
            self.saw_truth,
            self.left_here,
        )


@dataclass(frozen=True)
class Imported:
    """labels and items that are new; `known` labels had been imported before."""

    labels: int
    known: int
    items: int


def label_lines(store: Store, project: int) -> Iterator[dict[str, Any]]:
    """Every label (and every item without any) as a line; items with a known answer among them."""
    by_item: dict[int, list[Labelled]] = {}
    for said in store.labels(project):
        by_item.setdefault(said.item, []).append(said)
    for item in store.items(project):
        said_of = by_item.get(item.id, [])
        yield from (_line(item, one) for one in said_of)
        if not said_of:
            yield _line(item, None)


def _line(item: Item, said: Labelled | None) -> dict[str, Any]:
    label = said and said.label
    preference = said and said.preference
    any_ = label or preference
    return {
        **{name: getattr(item, name) for name in _ITEM_COLUMNS if name not in ("digest", "query")},
        "digest": digest(item),
        "query": item.question,
        "annotator": said.person if said else None,
        "grade": label.grade if label else None,
        "winner": preference.winner if preference else None,
        "reasons": list(label.reasons) if label else [],
        "corrected_answer": label.corrected_answer if label else "",
        "note": any_.note if any_ else "",
        "guideline_version": any_.guideline_version if any_ else 0,
        "active_ms": any_.active_ms if any_ else 0,
        "prefilled": label.prefilled if label else None,
        "saw_truth": label.saw_truth if label else False,
        "left_here": any_.left_here if any_ else False,
        "third": said.third if said else False,
        "at": datetime.fromtimestamp(said.at, UTC).isoformat() if said else None,
    }


def export_labels(store: Store, project: int, out: Path, form: Format = "jsonl") -> int:
    """Write a project's labels; returns how many. Beside Label Studio's JSON comes the interface to set up there.

    Raises:
        BadInput: no such project, or the file cannot be written.
    """
    lines = [{name: line[name] for name in COLUMNS} for line in label_lines(store, project)]
    if form == "jsonl":
        write_text(out, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    elif form == "csv":
        file = io.StringIO(newline="")
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({**line, "reasons": "; ".join(line["reasons"])} for line in lines)
        write_text(out, file.getvalue())
    else:
        write_text(out, json.dumps(label_studio.tasks(lines, _ITEM_COLUMNS), ensure_ascii=False, indent=1) + "\n")
        write_text(out.with_suffix(".config.xml"), label_studio.CONFIG)
    return sum(line["annotator"] is not None for line in lines)


def import_labels(store: Store, project: int, path: Path, form: Format = "jsonl") -> Imported:
    """Read labels into a project; nothing is written where a line is wrong.

    Raises:
        BadInput: no such project, the file cannot be read, or a line is wrong; the message says which.
    """
    store.project(project)
    found = [(place, _checked(path, place, line)) for place, line in _read(path, form)]
    there = _Items(store.items(project))
    missing = {}
    for place, line in found:
        if there.find(line) is None:
            if not line.query:
                what = line.digest or line.interaction_id
                raise BadInput(f"{place} of {str(path)!r} is of {what!r}, which the project lacks: give its query")
            missing[digest(line.item())] = line.item()
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    added = store.add_items(project, list(missing.values()), f"import/{project}/{content}/{len(missing)}")
    there = _Items(store.items(project))
    labels = []
    for _, line in found:
        item = there.find(line)
        assert item is not None, "it was added"
        if line.annotator:
            labels.append(_imported(project, item, line))
    new, known = store.import_labels(project, labels)
    return Imported(new, known, added.new if missing else 0)


def _imported(project: int, item: Item, line: _Line) -> ImportedLabel:
    said, person = line.said(), person_name(line.annotator)
    at = None
    if line.at is not None:
        at = (line.at if line.at.tzinfo else line.at.replace(tzinfo=UTC)).timestamp()
    content = json.dumps([project, digest(item), person.casefold(), vars(said), at])
    key = hashlib.sha256(content.encode()).hexdigest()
    from eval.annotate.store import ImportedLabel

    return ImportedLabel(person, item.id, said, at, f"import/{key}", line.third)


class _Items:
    """The items of a project, to be found by what a line knows of them."""

    def __init__(self, items: Sequence[Item]):
        self._by: dict[tuple[str, ...], Item] = {}
        for item in items:
            for key in (
                ("digest", digest(item)),
                ("id", item.interaction_id, item.answer),
                ("text", item.question, item.answer),
            ):
                self._by.setdefault(key, item)

    def find(self, line: _Line) -> Item | None:
        if line.digest and (found := self._by.get(("digest", line.digest))):
            return found
        if line.interaction_id:
            return self._by.get(("id", line.interaction_id, line.answer))
        return self._by.get(("text", line.query, line.answer)) if line.query else None


def _checked(path: Path, place: str, line: Any) -> _Line:
    try:
        made = _Line.model_validate(line)
        if not (made.query or made.digest or made.interaction_id):
            raise BadInput("it names no item: give query, digest or interaction_id")
        if made.annotator:
            if made.grade is None and made.winner is None:
                raise BadInput("it has neither grade nor winner")
            check_label(made.said())
            person_name(made.annotator)
        elif made.grade is not None or made.winner is not None:
            raise BadInput("it has no annotator")
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise BadInput(f"{place} of {str(path)!r} is no label ({where}: {first['msg']})") from None
    except BadInput as problem:
        raise BadInput(f"{place} of {str(path)!r} is no label ({problem})") from None
    return made


def _read(path: Path, form: Format) -> Iterator[tuple[str, Any]]:
    """The lines of a file, each with its place in words."""
    if form == "jsonl":
        unit, rows = read_rows(path)
        yield from ((f"{unit} {number}", row) for number, row in rows)
        return
    try:
        text = path.read_text(encoding=_UTF8_MARK)
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise BadInput(f"{str(path)!r} cannot be read as text ({why})") from None
    try:
        if form == "csv":
            yield from _csv_lines(text)
        else:
            yield from label_studio.lines(load_json(text))
    except (ValueError, csv.Error) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as {form}: {problem}") from None


def _csv_lines(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    while True:
        first = reader.line_num + 1
        try:
            line = next(reader)
        except StopIteration:
            return
        if None in line:
            raise ValueError(f"line {first} has more cells than there are columns")
        yield f"line {first}", {key: value for key, value in line.items() if value is not None}


def export_rows(store: Store, project: int, out: Path, frames: FrameSource, *, corrected: bool = False) -> int:
    """Write a project's items as CRAG-MM rows (v0.1.2), one for each conversation; returns how many.

    Args:
        store: the annotations.
        project: its items, with or without answers of a run: the rows hold questions and ground truths.
        out: FILE.parquet or FILE.jsonl, with the pictures inside.
        frames: where pictures come from.
        corrected: take corrected answers that more than half of an item's people agree on in place of ground truths.

    Raises:
        BadInput: nothing to write, a picture that is gone, or two items that are one turn (answers of several runs).
    """
    conversations: dict[str, list[Item]] = {}
    for item in sorted(store.items(project), key=lambda item: item.turn_idx):
        conversations.setdefault(item.conversation, []).append(item)
    corrections = _corrections(store, project) if corrected else {}
    rows: list[tuple[dict[str, Any], bytes | None]] = []
    every: list[str] = []
    for name, items in conversations.items():
        first = items[0]
        ids = [item.interaction_id or f"{name}-{item.turn_idx}" for item in items]
        every += ids
        frame, url = None, None
        if first.picture is not None:
            sample = frames.sample(first.picture)
            frame = sample.picture.read() if sample.picture is not None else None
            url = sample.image_url
        row = {
            "session_id": first.session_id or name,
            "image_url": url,
            "turns": {
                "interaction_id": ids,
                **{label: [getattr(item, label) for item in items] for label in LABELS},
                "query": [item.question for item in items],
            },
            "answers": {
                "interaction_id": ids,
                "ans_full": [corrections.get(item.id, item.ground_truth) for item in items],
            },
        }
        rows.append((row, frame))
    twice = next((key for key, n in Counter(every).items() if n > 1), None)
    if twice is not None:
        raise BadInput(f"the turn {twice!r} is there twice (answers of several runs?): export a project of one run")
    write_rows(out, rows)
    return len(rows)


def _corrections(store: Store, project: int) -> dict[int, str]:
    texts: dict[int, list[str]] = {}
    for said in store.labels(project):
        if said.label is not None:
            texts.setdefault(said.item, []).append(said.label.corrected_answer.strip())
    agreed = {item: majority(given) for item, given in texts.items()}
    return {item: text for item, text in agreed.items() if text}
