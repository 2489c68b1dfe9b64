"""The store of a mock KG: one SQLite file, written by `build` and read here.

What is looked up by a key stands in `entries` (kind, key, value), values as JSON, packed where that is shorter. Games
are rows of their own, so that they can be found by date; what happened in a game is packed by stretches of rows. Names
to search stand in the tables of `names`. A store says which parts it was built with; the others are missing.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from assistant.core.errors import BadInput, NotReady, UnknownFormat
from eval.benchmarks.crag_kg import names

FORMAT_VERSION = 1
Part = Literal[
    "open",
    "movies",
    "people",
    "movie years",
    "companies",
    "prices",
    "detailed prices",
    "dividends",
    "market caps",
    "company info",
    "artists",
    "songs",
    "works",
    "grammys",
    "chart ranks",
    "chart songs",
    "soccer games",
    "nba games",
    "nba plays",
]

SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS about(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS parts(part TEXT PRIMARY KEY, source TEXT, entries INTEGER);
CREATE TABLE IF NOT EXISTS entries(kind TEXT, key TEXT, place INTEGER, id TEXT, value BLOB);
CREATE UNIQUE INDEX IF NOT EXISTS entries_by_key ON entries(kind, key);
CREATE INDEX IF NOT EXISTS entries_by_id ON entries(kind, id) WHERE id IS NOT NULL;
CREATE TABLE IF NOT EXISTS games(
    kind TEXT, place INTEGER, day TEXT, home TEXT, away TEXT, label TEXT, game_id TEXT, value BLOB);
CREATE INDEX IF NOT EXISTS games_by_day ON games(kind, day);
CREATE INDEX IF NOT EXISTS games_by_id ON games(kind, game_id);
CREATE TABLE IF NOT EXISTS plays(game_id TEXT, place INTEGER, value BLOB);
CREATE INDEX IF NOT EXISTS plays_by_game ON plays(game_id);
"""
    + names.SCHEMA
)


def pack(value: Any) -> bytes | str:
    """A value as JSON; as compressed bytes where that is shorter."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_sendable(value), ensure_ascii=False, separators=(",", ":"))
    if len(text) < 100:
        return text
    packed = zlib.compress(text.encode("utf-8"), 6)
    return packed if len(packed) < len(text) else text


def _sendable(value: Any) -> Any:
    """A value with None for numbers that JSON has no word for, or Python no figures (more than 4,300)."""
    if isinstance(value, dict):
        return {key: _sendable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sendable(item) for item in value]
    odd = (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, int) and value.bit_length() > 10_000
    )
    return None if odd else value


def unpack(value: bytes | str) -> Any:
    """What `pack` was given."""
    return json.loads(zlib.decompress(value) if isinstance(value, bytes) else value)


class Store:
    """A store that is open for reading, from any number of threads at a time."""

    def __init__(self, path: Path) -> None:
        """Open a store.

        Raises:
            BadInput: there is no such file, or it is no store.
            UnknownFormat: it was written in another format.
        """
        self.path = path
        self._own = threading.local()
        self._searches: dict[str, names.NameSearch] = {}
        self._whole: dict[str, list[Any]] = {}
        if not path.is_file():
            raise BadInput(f"there is no mock KG at {str(path)!r}: build it with python -m eval crag-kg build DIR")
        try:
            self.about = {key: json.loads(value) for key, value in self.base.execute("SELECT key, value FROM about")}
            if self.about.get("format_version") != FORMAT_VERSION:
                raise UnknownFormat(
                    f"{str(path)!r} is a mock KG of format {self.about.get('format_version')!r}, and this Vitrine "
                    f"reads {FORMAT_VERSION}: build it again"
                )
            self.parts = frozenset(row[0] for row in self.base.execute("SELECT part FROM parts"))
        except (sqlite3.Error, TypeError, ValueError) as problem:
            raise BadInput(f"{str(path)!r} is no mock KG ({problem}): give the file that build wrote") from None

    @property
    def base(self) -> sqlite3.Connection:
        """The connection of the thread that asks."""
        if not hasattr(self._own, "base"):
            uri = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
            self._own.base = sqlite3.connect(uri, uri=True)
        base: sqlite3.Connection = self._own.base
        return base

    @functools.cached_property
    def digest(self) -> str:
        """Hex digits, equal for stores that were built of the same files (names and sizes) to as many entries."""
        parts = self.base.execute("SELECT part, source, entries FROM parts ORDER BY part")
        told = [[part, [file[:2] for file in json.loads(source)], entries] for part, source, entries in parts]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def need(self, part: Part) -> None:
        """Refuse what a part answers that the store was built without.

        Raises:
            NotReady: it was.
        """
        if part not in self.parts:
            raise NotReady(f"this mock KG was built without {part!r}: build it again from a folder that has its files")

    def entry(self, part: Part, key: str) -> Any:
        """The value of a key; None where there is none.

        Raises:
            NotReady: the store has no such part.
        """
        self.need(part)
        row = self.base.execute("SELECT value FROM entries WHERE kind = ? AND key = ?", (part, key)).fetchone()
        return None if row is None else unpack(row[0])

    def entry_by_id(self, part: Part, number: int) -> Any:
        """The value of the last entry of that id; None where there is none.

        Raises:
            NotReady: the store has no such part.
        """
        self.need(part)
        asked = "SELECT value FROM entries WHERE kind = ? AND id = ? ORDER BY place DESC LIMIT 1"
        row = self.base.execute(asked, (part, str(number))).fetchone()
        return None if row is None else unpack(row[0])

    def entries(self, part: Part) -> Iterator[Any]:
        """All values of a part, in the order of its file.

        Raises:
            NotReady: the store has no such part.
        """
        self.need(part)
        if part not in self._whole:
            rows = self.base.execute("SELECT value FROM entries WHERE kind = ? ORDER BY place", (part,))
            self._whole[part] = [unpack(value) for (value,) in rows]
        return iter(self._whole[part])

    def columns(self, part: Part) -> list[str]:
        """The names of the columns of a part that is a table."""
        names: list[str] = self.about[f"columns of {part}"]
        return names

    def find(self, part: Part, query: str) -> list[list[str]]:
        """What a search by name in that part gives, a list for every name found, the best first.

        Raises:
            NotReady: the store has no such part.
        """
        self.need(part)
        if part not in self._searches:
            opened = names.open_search(self.base, part)
            if opened is None:
                raise NotReady(f"this mock KG has no index of names for {part!r}: build it again")
            self._searches[part] = opened
        return self._searches[part].find(self.base, query)

    def games(self, part: Part, date: str, team: str | None) -> Iterator[tuple[str, str, Any]]:
        """Games of a day, a month or a year, in the order of their file: day, label and values.

        Args:
            part: which games.
            date: YYYY-MM-DD, YYYY-MM or YYYY; nothing is found for any other text.
            team: the name of one of the two teams, letter by letter; None for all.

        Raises:
            NotReady: the store has no such part.
        """
        self.need(part)
        digits = (10, 7, 4)[2 - date.count("-")] if date.count("-") <= 2 else 0
        if len(date) != digits:
            return
        asked = "SELECT day, label, value FROM games WHERE kind = ? AND day >= ? AND day < ? "
        given: list[Any] = [part, date, date + "~"]
        if team is not None:
            asked += "AND (home = ? OR away = ?) "
            given += [team, team]
        for day, label, value in self.base.execute(asked + "ORDER BY place", given):
            if day[:digits] == date:
                yield day, label, unpack(value)

    def day_of_game(self, part: Part, game_id: str) -> str | None:
        """The day of a game, None where it is not known."""
        self.need(part)
        row = self.base.execute("SELECT day FROM games WHERE kind = ? AND game_id = ?", (part, game_id)).fetchone()
        return None if row is None else row[0]

    def plays(self, game_ids: list[str]) -> list[list[Any]]:
        """What happened in these games, in the order of the file, whichever order they are named in.

        Raises:
            NotReady: the store has no such part.
        """
        self.need("nba plays")
        found: list[tuple[int, Any]] = []
        for game_id in dict.fromkeys(game_ids):
            found += self.base.execute("SELECT place, value FROM plays WHERE game_id = ?", (game_id,))
        return [row for _, value in sorted(found, key=lambda stretch: stretch[0]) for row in unpack(value)]
