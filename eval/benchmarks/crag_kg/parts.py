"""What of the released folder goes into the store, part by part, all but the games (see `game_parts`).

Each function fills one part inside a transaction of the caller's: it gets the store, the files of the part and a
function to tell how much of them is read, and returns how many entries it wrote.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.frames import read_frame
from eval.benchmarks.crag_kg.names import Formula, normalised, write_index
from eval.benchmarks.crag_kg.source_files import bz2_lines, csv_rows, json_entries, pickled_dictionary, pickled_values
from eval.benchmarks.crag_kg.store import Part, pack

Tell = Callable[[float], None]
Fill = Callable[[sqlite3.Connection, list[Path], Tell], int]
#: An entry as it is written: key, id, value.
Entry = tuple[str, str | None, Any]

#: A key that comes again keeps its place and gets the later value, as in a dictionary.
_WRITE = """
INSERT INTO entries VALUES (:kind, :key, :place, :id, :value)
ON CONFLICT(kind, key) DO UPDATE SET id = excluded.id, value = excluded.value
"""


def fill_open(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """Lines of [name, {summary_text, summary_structured, raw_mediawiki}]."""

    def entries() -> Iterator[Entry]:
        sizes = [path.stat().st_size for path in files]
        for number, path in enumerate(files):
            for line, (row, read) in enumerate(bz2_lines(path), 1):
                if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], str):
                    raise BadInput(f"{str(path)!r}, line {line}, is not [name, entity]: take the file as released")
                tell((sum(sizes[:number]) + read) / sum(sizes))
                yield row[0], None, row[1]

    written = _write(base, "open", entries())
    _index_sorted(base, "open", "okapi")
    return written


def _fill_movies(part: Part) -> Fill:
    def fill(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
        size = files[0].stat().st_size

        def entries() -> Iterator[Entry]:
            for key, value, read in json_entries(files[0]):
                tell(min(1.0, read / size))
                number = value.get("id") if isinstance(value, dict) else None
                yield key, None if number is None else str(number), value

        written = _write(base, part, entries())
        if part != "movie years":
            keys = base.execute("SELECT key FROM entries WHERE kind = ? ORDER BY place", (part,))
            write_index(base, part, "okapi", ((key, [key]) for (key,) in keys))
        return written

    return fill


def fill_companies(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """A CSV of names and ticker symbols; the names are searched as they stand, equal ones of them too."""
    rows = csv_rows(files[0], ("Name", "Symbol"))
    written = _write(base, "companies", ((name, None, symbol) for name, symbol in rows if name))
    names = [key for (key,) in base.execute("SELECT key FROM entries WHERE kind = 'companies' ORDER BY place")]
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(normalised(name), []).append(name)
    write_index(base, "companies", "okapi", ((normalised(name), alike[normalised(name)]) for name in names))
    tell(1.0)
    return written


def _fill_values(part: Part) -> Fill:
    def fill(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
        return _write(base, part, _told(pickled_values(files[0]), tell))

    return fill


def _fill_dictionary(part: Part, searched: bool = False) -> Fill:
    def fill(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
        written = _write(base, part, _told(pickled_dictionary(files[0]), tell))
        if searched:
            _index_sorted(base, part, "cut")
        return written

    return fill


#: Columns of the table of Grammys that are looked into.
GRAMMY_COLUMNS = ("year", "category", "nominee", "artist", "workers")


def fill_grammys(base: sqlite3.Connection, files: list[Path], tell: Tell) -> int:
    """The table of Grammys as one entry a row: its values, and what Python writes for the three it is searched in."""
    frame = read_frame(files[0])
    missing = [name for name in GRAMMY_COLUMNS if name not in frame.columns]
    if missing:
        raise BadInput(f"{str(files[0])!r} has no column {missing[0]!r}: take the file as released")
    years = {label: frame.columns["year"][row] for row, label in enumerate(frame.labels)}

    def entries() -> Iterator[Entry]:
        for row in range(len(frame.labels)):
            year, category, nominee, *_ = (frame.columns[name][row] for name in GRAMMY_COLUMNS)
            searched = [str(frame.columns[name][row]) for name in GRAMMY_COLUMNS[2:]]
            # The original finds rows by number and their years by label; both are the same in a table that is whole.
            yield str(row), None, [_number(year), _text(category), _text(nominee), searched, _number(years.get((row,)))]

    written = _write(base, "grammys", entries())
    tell(1.0)
    return written


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and value == value else None


def _told(values: Iterable[tuple[str, Any, float]], tell: Tell) -> Iterator[Entry]:
    for key, value, share in values:
        tell(share)
        yield key, None, value


def _write(base: sqlite3.Connection, part: Part, entries: Iterable[Entry]) -> int:
    rows = (
        {"kind": part, "key": key, "place": place, "id": number, "value": pack(value)}
        for place, (key, number, value) in enumerate(entries)
    )
    base.executemany(_WRITE, rows)
    counted: int = base.execute("SELECT count(*) FROM entries WHERE kind = ?", (part,)).fetchone()[0]
    return counted


def _index_sorted(base: sqlite3.Connection, part: Part, formula: Formula) -> None:
    """An index of the names of a part: each normalised name once, sorted; all names that are alike are its results."""
    base.create_function("normalised", 1, normalised, deterministic=True)
    rows = base.execute("SELECT normalised(key) AS name, key FROM entries WHERE kind = ? ORDER BY name, place", (part,))
    alike = groupby(rows, key=lambda row: row[0])
    write_index(base, part, formula, ((name, [key for _, key in group]) for name, group in alike))


FILLS: dict[Part, tuple[tuple[str, ...], Fill]] = {
    "open": (("open/kg.0.jsonl.bz2", "open/kg.1.jsonl.bz2"), fill_open),
    "movies": (("movie/movie_db.json",), _fill_movies("movies")),
    "people": (("movie/person_db.json",), _fill_movies("people")),
    "movie years": (("movie/year_db.json",), _fill_movies("movie years")),
    "companies": (("finance/company_name.dict",), fill_companies),
    "prices": (("finance/finance_price.sqlite",), _fill_values("prices")),
    "detailed prices": (("finance/finance_detailed_price.sqlite",), _fill_values("detailed prices")),
    "dividends": (("finance/finance_dividend.sqlite",), _fill_values("dividends")),
    "market caps": (("finance/finance_marketcap.sqlite",), _fill_values("market caps")),
    "company info": (("finance/finance_info.sqlite",), _fill_values("company info")),
    "artists": (("music/artist_dict_simplified.pickle",), _fill_dictionary("artists", searched=True)),
    "songs": (("music/song_dict_simplified.pickle",), _fill_dictionary("songs", searched=True)),
    "works": (("music/artist_work_dict.pickle",), _fill_dictionary("works")),
    "grammys": (("music/grammy_df.pickle",), fill_grammys),
    "chart ranks": (("music/rank_dict_hot100.pickle",), _fill_dictionary("chart ranks")),
    "chart songs": (("music/song_dict_hot100.pickle",), _fill_dictionary("chart songs")),
}
