"""Games and what happened in them: a pickled table of soccer, a SQLite file of basketball.

Of the released basketball file the tables `game` and `play_by_play` are asked; its rows are kept as lists of values,
the names of the columns once for all.
"""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import whole_text
from eval.benchmarks.crag_kg.frames import read_frame
from eval.benchmarks.crag_kg.parts import Fill, Tell
from eval.benchmarks.crag_kg.source_files import read_only
from eval.benchmarks.crag_kg.store import Part, pack

_WRITE = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_LEVELS = ("league", "season", "team", "game")
#: Rows of one game that stand side by side are packed together, at most so many.
_STRETCH = 5000


def fill_soccer(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """The table of matches, one row a team: rows of a known league, with their label as Python writes it."""
    frame = read_frame(files[0])
    if frame.levels != _LEVELS or "date" not in frame.columns:
        raise BadInput(f"{str(files[0])!r} has no index of {', '.join(_LEVELS)} and a date: take the file as released")
    names = list(frame.columns)
    _keep_columns(base, "soccer games", names)
    kept = 0
    for place, label in enumerate(frame.labels):
        if not isinstance(label[0], str):
            continue
        date = frame.columns["date"][place]
        day = date.date().isoformat() if isinstance(date, datetime.datetime) else None
        values = [_cell(frame.columns[name][place]) for name in names]
        team = label[2] if isinstance(label[2], str) else None
        base.execute(_WRITE, ("soccer games", place, day, team, None, whole_text(repr(label)), None, pack(values)))
        kept += 1
    tell(1.0)
    return kept


def _cell(value: Any) -> Any:
    """A value as pandas writes it into JSON: dates as ISO text with milliseconds, numbers to ten decimals."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return rounded(whole_text(value) if isinstance(value, str) else value)


def rounded(value: Any) -> Any:
    """A number to ten decimals; None for one that is none; anything else as it is."""
    if isinstance(value, float):
        return round(value, 10) if math.isfinite(value) else None
    return value


def fill_nba_games(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """The table `game`."""
    needed = ("game_id", "game_date", "team_name_home", "team_name_away")
    with read_only(files[0]) as source:
        names = _columns(source, files[0], "game", needed)
        id_, _, home, away = (names.index(name) for name in needed)
        _keep_columns(base, "nba games", names)
        last = _last_row(source, "game")
        rows = source.execute("SELECT rowid, strftime('%Y-%m-%d', game_date), * FROM game ORDER BY rowid")
        kept = 0
        for place, day, *values in rows:
            plain = [_plain(value) for value in values]
            team_home, team_away, game_id = (_text(plain[n]) for n in (home, away, id_))
            base.execute(_WRITE, ("nba games", place, day, team_home, team_away, None, game_id, pack(plain)))
            kept += 1
            tell(place / last)
    return kept


def fill_nba_plays(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """The table `play_by_play`, by far the largest."""
    with read_only(files[0]) as source:
        names = _columns(source, files[0], "play_by_play", ("game_id",))
        game = names.index("game_id") + 1
        _keep_columns(base, "nba plays", names)
        last = _last_row(source, "play_by_play")
        rows = source.execute("SELECT rowid, * FROM play_by_play ORDER BY rowid")
        kept = 0
        for game_id, stretch in groupby(rows, key=lambda row: row[game]):
            for piece in _pieces(stretch):
                values = [[_plain(value) for value in row[1:]] for row in piece]
                base.execute("INSERT INTO plays VALUES (?, ?, ?)", (_text(game_id), piece[0][0], pack(values)))
                kept += len(piece)
                tell(piece[-1][0] / last)
    return kept


def _pieces(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    piece: list[tuple[Any, ...]] = []
    for row in rows:
        piece.append(row)
        if len(piece) == _STRETCH:
            yield piece
            piece = []
    if piece:
        yield piece


def _columns(source: sqlite3.Connection, path: Path, table: str, needed: tuple[str, ...]) -> list[str]:
    names = [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
    missing = [name for name in needed if name not in names]
    if missing:
        raise BadInput(f"{str(path)!r} has no table {table!r} with {missing[0]!r}: take the file as released")
    return names


def _last_row(source: sqlite3.Connection, table: str) -> int:
    return max(1, source.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 1)


def _plain(value: Any) -> Any:
    return None if isinstance(value, bytes) else rounded(value)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _keep_columns(base: sqlite3.Connection, part: Part, names: list[str]) -> None:
    base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (f"columns of {part}", json.dumps(names)))


GAME_FILLS: dict[Part, tuple[tuple[str, ...], Fill]] = {
    "soccer games": (("sports/soccer_team_match_stats.pkl",), fill_soccer),
    "nba games": (("sports/nba.sqlite",), fill_nba_games),
    "nba plays": (("sports/nba.sqlite",), fill_nba_plays),
}
