"""A file of answers that were made elsewhere, CSV or JSONL: which column is what, and its rows with their lines.

Nothing of the data is known here; `eval.imported.matching` lays rows on turns. A row that cannot be read is told with
its line and column, and nothing is imported then: half a file would give scores of something else.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import whole_text
from eval.data.digest import digest_of
from eval.data.json_rows import read_rows
from eval.data.samples import id_text
from eval.imported.scales import plain_value

#: By which columns a row finds its turn: the first of these that a row has.
KEYS = (("interaction_id",), ("session_id", "turn_idx"), ("query",))
#: Names of the other columns, the first that a file has. A file with a prediction has the truth as its "answer".
ANSWER = ("agent_response", "prediction", "response", "answer")
VERDICT = ("verdict", "score", "label", "grade", "is_correct")
#: In place of a column's name: the answers come without verdicts.
NO_COLUMN = "none"
#: Column → milliseconds in one of its units.
LATENCY = {"latency_ms": 1.0, "ms": 1.0, "latency_s": 1000.0, "latency": 1000.0, "seconds": 1000.0}
#: So many wrong rows are told.
_TOLD = 3
#: `0,5` and `12,25`; `1,500` may be a thousand and a half, and is refused.
_DECIMAL_COMMA = re.compile(r"(0|\d+(?=,\d{1,2}\Z)),(\d+)")
_LONGEST_CELL = 16 * 1024 * 1024


@dataclass(frozen=True)
class Given:
    """One row. `line` is counted as the file's `unit` says; `answer` is None where the row has none, `verdict` is as
    `plain_value` writes it."""

    line: int
    interaction_id: str | None
    session_id: str | None
    turn_idx: int | None
    query: str | None
    answer: str | None
    verdict: str | None
    ms: float | None


@dataclass(frozen=True)
class AnswerFile:
    """The rows of a file, and which of its columns they were read from ("" for none)."""

    path: Path
    name: str
    digest: str
    unit: str
    rows: tuple[Given, ...]
    answer_column: str
    verdict_column: str
    latency_column: str

    def place(self, line: int, column: str = "") -> str:
        """Where something stands, for a message."""
        return f"{self.unit} {line}{f', column {column!r}' if column else ''} of {self.name!r}"


def read_answers(path: Path, name: str = "", verdict_column: str | None = None) -> AnswerFile:
    """Read a file of answers.

    Args:
        path: a CSV (comma, semicolon or tab) or JSONL file, or a JSON list.
        name: what it is called, where it was uploaded under another name.
        verdict_column: the column with the verdicts; None for the first of `VERDICT`, `NO_COLUMN` for none.

    Raises:
        BadInput: not to be read, a column missing, or rows that are wrong, with line and column of the first.
    """
    name = name or path.name
    unit, rows = _csv(path, name) if path.suffix.lower() in (".csv", ".tsv") else _json(path, name)
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    if not any(all(part in columns for part in key) for key in KEYS):
        has = ", ".join(map(repr, columns[:20]))
        wanted = "interaction_id, session_id with turn_idx, or query"
        raise BadInput(f"{name!r} has no column to find turns by: {wanted} (it has {has})")
    answer = next((column for column in ANSWER if column in columns), None)
    if answer is None:
        has = ", ".join(map(repr, columns[:20]))
        raise BadInput(f"{name!r} has no answers: a column {', '.join(ANSWER)} is wanted (it has {has})")
    verdict = next((column for column in VERDICT if column in columns), "")
    if verdict_column:
        verdict = _column(verdict_column)
        if verdict == NO_COLUMN and verdict not in columns:
            verdict = ""
        elif verdict not in columns:
            raise BadInput(f"{name!r} has no column {verdict!r} with verdicts (it has {', '.join(columns[:20])})")
    latency = next((column for column in LATENCY if column in columns), "")
    reader = _Reader(name, unit, answer, verdict, latency)
    found = tuple(reader.row(line, row) for line, row in rows)
    reader.check()
    return AnswerFile(path, name, digest_of([path]), unit, found, answer, verdict, latency)


class _Reader:
    """Rows out of their cells; what is wrong is collected, to be told at once."""

    def __init__(self, name: str, unit: str, answer: str, verdict: str, latency: str):
        self._name, self._unit = name, unit
        self._answer, self._verdict, self._latency = answer, verdict, latency
        self._wrong: list[str] = []

    def row(self, line: int, row: Mapping[str, Any]) -> Given:
        def wrong(column: str, wanted: str) -> None:
            said = repr(row.get(column))
            self._wrong.append(f"{self._unit} {line}, column {column!r}: {said[:60]} where {wanted} is wanted")

        answer = row.get(self._answer)
        if answer is not None and not isinstance(answer, str):
            wrong(self._answer, "a text")
        given = Given(
            line,
            _id(row.get("interaction_id")),
            _id(row.get("session_id")),
            _turn(row.get("turn_idx"), lambda: wrong("turn_idx", "a whole number, 0 or more")),
            row.get("query") if isinstance(row.get("query"), str) and row["query"].strip() else None,
            answer if isinstance(answer, str) else None,
            self._verdict_of(row, wrong),
            self._ms(row, wrong),
        )
        if given.interaction_id is None and given.query is None and None in (given.session_id, given.turn_idx):
            self._wrong.append(f"{self._unit} {line} names no turn: interaction_id, session_id and turn_idx, or query")
        return given

    def _verdict_of(self, row: Mapping[str, Any], wrong: Any) -> str | None:
        value = row.get(self._verdict) if self._verdict else None
        if isinstance(value, list | dict):
            wrong(self._verdict, "a word or a number")
            return None
        return plain_value(value)

    def _ms(self, row: Mapping[str, Any], wrong: Any) -> float | None:
        value = row.get(self._latency) if self._latency else None
        if value in (None, ""):
            return None
        if isinstance(value, str) and (comma := _DECIMAL_COMMA.fullmatch(value.strip())):
            value = f"{comma[1]}.{comma[2]}"
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 <= number < 1e9:
            wrong(self._latency, "a number, 0 or more,")
            return None
        return number * LATENCY[self._latency]

    def check(self) -> None:
        """Raises:
        BadInput: rows were wrong.
        """
        if self._wrong:
            more = len(self._wrong) - _TOLD
            told = "; ".join(self._wrong[:_TOLD]) + (f"; and {more:,} more" if more > 0 else "")
            raise BadInput(f"{self._name!r} cannot be imported: {told}")


def _id(value: Any) -> str | None:
    """Without the blanks that tables leave around their cells."""
    text = id_text(value)
    return text and (text.strip() or None)


def _turn(value: Any, wrong: Any) -> int | None:
    if value in (None, ""):
        return None
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (0 <= number < 2**31 and number == int(number)):
        wrong()
        return None
    return int(number)


def _column(name: str) -> str:
    return "_".join(name.split()).casefold()


def _json(path: Path, name: str) -> tuple[str, list[tuple[int, dict[str, Any]]]]:
    unit, rows = read_rows(path)
    for number, row in rows:
        if not isinstance(row, dict):
            raise BadInput(f"{unit} {number} of {name!r} is {type(row).__name__}, not an object")
    return unit, [(number, {_column(str(key)): value for key, value in row.items()}) for number, row in rows]


def _csv(path: Path, name: str) -> tuple[str, list[tuple[int, dict[str, Any]]]]:
    try:
        data = path.read_bytes()
        # Spreadsheets that save "Unicode text" write UTF-16, with a mark in front.
        text = data.decode("utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig")
    except OSError as problem:
        raise BadInput(f"{name!r} cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise BadInput(f"line {line} of {name!r} is not UTF-8 ({problem.reason}): save the file as UTF-8") from None
    try:
        records = list(_records(text))
    except csv.Error as problem:
        raise BadInput(f"{name!r} is no CSV ({problem})") from None
    if len(records) < 2:
        raise BadInput(f"{name!r} holds no rows below a line with the names of its columns")
    (_, head), *rest = records
    columns = [_column(cell) for cell in head]
    for column in columns:
        if columns.count(column) > 1:
            raise BadInput(f"{name!r} has two columns {column!r}")
    rows = []
    for line, cells in rest:
        if len(cells) != len(columns):
            raise BadInput(f"line {line} of {name!r} has {len(cells)} cells, and there are {len(columns)} columns")
        rows.append((line, dict(zip(columns, map(whole_text, cells), strict=True))))
    return "line", rows


def _records(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """The records of a CSV, each with the line that it begins on; empty lines are passed over."""
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        line = 1
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    finally:
        csv.field_size_limit(before)
