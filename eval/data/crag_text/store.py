"""Rows with what is kept of their pages: in memory for small files, in a prepared file for large ones.

A prepared file is made once, beside nothing half done: it grows under another name and takes its place when every row
is in it. It is named by the digest of what it was made of, so that the same rows at another place need none of their
own. Several may prepare the same at a time, each for itself; what a killed one left behind is taken away by the next.
Reading is by row, from any thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assistant.core.errors import BadInput

#: Raised with every change of what is kept.
FORMAT_VERSION = 1
_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE rows (number INTEGER PRIMARY KEY, head TEXT NOT NULL, pages BLOB NOT NULL);
"""
#: Rows between two writes to the disk.
_AT_ONCE = 50


@dataclass(frozen=True)
class Page:
    """What is kept of a search result: its text is cut into passages; `written` is an ISO date, "" for none."""

    title: str
    url: str
    snippet: str
    written: str
    passages: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """One row: the number of its line, what it says but for its pages, and those, packed."""

    number: int
    head: Mapping[str, Any]
    pages: bytes


class Rows(Protocol):
    """Rows of a file, heads at hand and pages when they are asked for."""

    def heads(self) -> Iterable[tuple[int, Mapping[str, Any]]]: ...

    def pages(self, number: int) -> list[Page]: ...


def pack(pages: Sequence[Page]) -> bytes:
    text = json.dumps([[p.title, p.url, p.snippet, p.written, p.passages] for p in pages], ensure_ascii=False)
    return zlib.compress(text.encode(), 6)


def unpack(packed: bytes) -> list[Page]:
    return [
        Page(title, url, snippet, written, tuple(passages))
        for title, url, snippet, written, passages in json.loads(zlib.decompress(packed))
    ]


class InMemory:
    """The rows of a small file."""

    def __init__(self, rows: Iterable[Kept]):
        self._rows = {row.number: row for row in rows}

    def heads(self) -> Iterable[tuple[int, Mapping[str, Any]]]:
        return [(row.number, row.head) for row in self._rows.values()]

    def pages(self, number: int) -> list[Page]:
        return unpack(self._rows[number].pages)


class Prepared:
    """The rows of a prepared file. Safe between threads: each reading opens it anew, which takes no time beside it."""

    def __init__(self, path: Path):
        self.path = path

    def heads(self) -> Iterable[tuple[int, Mapping[str, Any]]]:
        """
        Raises:
            BadInput: the file is gone or broken.
        """
        with self._read() as base:
            rows = base.execute("SELECT number, head FROM rows ORDER BY number").fetchall()
            return [(number, json.loads(head)) for number, head in rows]

    def pages(self, number: int) -> list[Page]:
        """
        Raises:
            BadInput: the file is gone or broken.
        """
        with self._read() as base:
            return unpack(base.execute("SELECT pages FROM rows WHERE number = ?", (number,)).fetchone()[0])

    def whole(self) -> bool:
        """Whether it is there, complete and of this version; one that is broken is not."""
        if not self.path.is_file():
            return False
        try:
            with contextlib.closing(self._open()) as base:
                about = dict(base.execute("SELECT key, value FROM about"))
                n = base.execute("SELECT COUNT(*) FROM rows").fetchone()[0]
        except sqlite3.Error:
            return False
        return about.get("format_version") == str(FORMAT_VERSION) and about.get("rows") == str(n)

    @contextlib.contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        try:
            with contextlib.closing(self._open()) as base:
                yield base
        except (sqlite3.Error, zlib.error, ValueError, TypeError) as problem:
            raise BadInput(
                f"the prepared pages in {str(self.path)!r} cannot be read ({problem}): delete the file, and it is made "
                "anew"
            ) from None

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)


def prepare(path: Path, rows: Iterable[Kept]) -> Prepared:
    """Write `rows` as the prepared file `path`; what they raise ends it, and nothing is left of it, nor of others that
    were killed over it.

    Raises:
        BadInput: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _growing(path) as growing:
            _write(growing, rows)
            growing.replace(path)
    except (OSError, sqlite3.Error) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(
            f"the pages cannot be prepared in {str(path)!r} ({why}): make room, or give another --data-dir"
        ) from None
    return Prepared(path)


def _write(growing: Path, rows: Iterable[Kept]) -> None:
    with contextlib.closing(sqlite3.connect(growing)) as base:
        # Nothing of a file that is not complete is ever read.
        base.execute("PRAGMA journal_mode = OFF")
        base.execute("PRAGMA synchronous = OFF")
        base.executescript(_SCHEMA)
        n = 0
        for n, row in enumerate(rows, 1):
            head = json.dumps(row.head, ensure_ascii=False)
            base.execute("INSERT INTO rows VALUES (?, ?, ?)", (row.number, head, row.pages))
            if n % _AT_ONCE == 0:
                base.commit()
        about = {"format_version": str(FORMAT_VERSION), "rows": str(n)}
        base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        base.commit()


@contextlib.contextmanager
def _growing(path: Path) -> Iterator[Path]:
    """An empty file beside `path`, held as long as the block lasts; gone at its end but where it was renamed."""
    import fcntl

    for old in path.parent.glob(f".{path.name}.*.part"):
        with contextlib.suppress(OSError), old.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it fails where somebody writes to it
            old.unlink(missing_ok=True)
    growing = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    while True:
        with growing.open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not growing.exists():  # another one took it for left behind before it was held
                continue
            try:
                yield growing
            finally:
                growing.unlink(missing_ok=True)
            return
