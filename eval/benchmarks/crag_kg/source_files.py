"""The released files as they stand, one record at a time: what a file can be read in pieces is never whole in memory.

The two kinds of file that cannot are pickles of one dictionary (music) and of one table (see `frames`).
"""

from __future__ import annotations

import bz2
import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json, whole_text
from eval.benchmarks.crag_kg.plain_pickles import Plain, load_passive

_CHUNK = 1 << 20
#: One record of the released JSON files is far below this.
_LONGEST_RECORD = 64 << 20


def refuse_pointer(path: Path) -> None:
    """Refuse what Git leaves in place of a file that Git LFS was not asked for.

    Raises:
        BadInput: it is such a pointer, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(64)
    except OSError as problem:
        raise BadInput(f"{str(path)!r} cannot be read ({problem.strerror or problem})") from None
    if start.startswith(b"version https://git-lfs"):
        raise BadInput(f"{str(path)!r} is a pointer of Git LFS, not the file: run git lfs pull where it was cloned")


def json_entries(path: Path) -> Iterator[tuple[str, Any, int]]:
    """The entries of a file that is one JSON object, in order: key, value, bytes read so far.

    Raises:
        BadInput: it cannot be read, breaks off, or is no such object.
    """
    with _named(path), path.open("r", encoding="utf-8-sig") as file:
        window = _Window(file)
        if window.next_sign() != "{":
            raise ValueError("it is no object")
        window.skip(1)
        if window.next_sign() != "}":
            while True:
                key = window.value()
                if not isinstance(key, str) or window.next_sign() != ":":
                    raise ValueError("a key is expected")
                window.skip(1)
                yield whole_text(key), window.value(), window.read
                sign = window.next_sign()
                if sign not in (",", "}"):
                    raise ValueError("a comma is expected")
                if sign == "}":
                    break
                window.skip(1)
        window.skip(1)
        if window.next_sign():
            raise ValueError("something follows its end")


class _Window:
    """The part of a text that is looked at."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._text, self._at = "", 0
        self._decoder = json.JSONDecoder()
        self.read = 0

    def _more(self) -> bool:
        piece = self._file.read(_CHUNK)
        if piece:
            self._text, self._at = self._text[self._at :] + piece, 0
            self.read += len(piece)
        return bool(piece)

    def skip(self, signs: int) -> None:
        self._at += signs

    def next_sign(self) -> str:
        """The next character that is no white space, "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def value(self) -> Any:
        """The next value; one that ends with the window may go on behind it."""
        self.next_sign()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if len(self._text) - self._at > _LONGEST_RECORD or not self._more():
                    raise
                continue
            if end >= len(self._text) - 2 and self._more():  # the "e+" of a number may stand at the end
                continue
            escaped = self._text.find("\\u", self._at, end) >= 0
            self._at = end
            return load_json(json.dumps(value)) if escaped else value  # half an emoji can stand in an escape alone


def bz2_lines(path: Path) -> Iterator[tuple[Any, int]]:
    """The JSON of each line of a compressed file, and the bytes of the file read so far.

    Raises:
        BadInput: it cannot be read, breaks off, or a line is no JSON.
    """
    with _named(path), path.open("rb") as raw, bz2.open(raw, "rt", encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            try:
                yield load_json(line), raw.tell()
            except ValueError as problem:
                raise BadInput(f"{str(path)!r}, line {number}, is no JSON ({problem})") from None


def csv_rows(path: Path, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The named columns of a CSV file, a row at a time.

    Raises:
        BadInput: it cannot be read, or a column is missing.
    """
    with _named(path), path.open("r", encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        missing = [name for name in names if name not in (reader.fieldnames or ())]
        if missing:
            raise BadInput(f"{str(path)!r} has no column {missing[0]!r}: its first line is {reader.fieldnames!r}")
        for row in reader:
            yield tuple(row[name] or "" for name in names)


def pickled_values(path: Path) -> Iterator[tuple[str, Any, float]]:
    """What a SqliteDict file (one table `unnamed` of keys and pickles) holds: key, plain value, share read so far.

    Raises:
        BadInput: it cannot be read, or a pickle is refused.
    """
    with read_only(path) as base:
        rows = base.execute("SELECT count(*) FROM unnamed").fetchone()[0]
        for number, (key, value) in enumerate(base.execute("SELECT key, value FROM unnamed ORDER BY rowid"), 1):
            where = f"the value of {key!r} in {str(path)!r}"
            if not isinstance(key, str) or not isinstance(value, bytes):
                raise BadInput(f"{where} is no pickle")
            yield whole_text(key), Plain(where, 4 * len(value) + 1000)(load_passive(value, where)), number / rows


def pickled_dictionary(path: Path) -> Iterator[tuple[str, Any, float]]:
    """The entries of a pickled dictionary: key, plain value, share handed on so far.

    Raises:
        BadInput: it cannot be read, is refused, or holds something else.
    """
    where = repr(str(path))
    content = load_passive(path, where)
    if not isinstance(content, dict):
        raise BadInput(f"{where} holds no dictionary: take the file as released")
    plain = Plain(where, 4 * path.stat().st_size + 1000)
    many = len(content)
    for number, key in enumerate(list(content), 1):
        if not isinstance(key, str):
            raise BadInput(f"{where} has the key {key!r}, which is no text")
        yield whole_text(key), plain(content.pop(key)), number / many


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite file opened so that nothing is written beside it.

    Raises:
        BadInput: it is no such file, or breaks off.
    """
    base = None
    try:
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        base.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield base
    except sqlite3.Error as problem:
        raise BadInput(f"{str(path)!r} cannot be read as SQLite ({problem}): fetch it again") from None
    finally:
        if base is not None:
            base.close()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What goes wrong with a file, in one sentence."""
    try:
        yield
    except (OSError, EOFError, UnicodeDecodeError, ValueError, csv.Error, RecursionError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(f"{str(path)!r} cannot be read ({why}): fetch it again") from None
