"""A small folder in the layout that CRAG released, with contents of our own.

pandas pickles are written as pandas 2.0.3 with numpy 1 lays them out, part by part, so that no pandas is needed; that
the layout is the real one is shown by `data/table_pandas_2_0_3.pkl`, which that pandas wrote.
"""

from __future__ import annotations

import bz2
import io
import json
import pickle
import sqlite3
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Named:
    """Something that a pickle names without the module being there."""

    name: str


@dataclass(frozen=True)
class Called:
    """A call of something named, and the state that is set on what it gave."""

    name: str
    arguments: tuple[Any, ...] = ()
    state: Any = None


class Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]
    """Writes `Named` and `Called` as what they stand for."""

    def save(self, obj: Any, save_persistent_id: bool = True) -> None:
        if isinstance(obj, Named):
            module, _, name = obj.name.rpartition(".")
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        elif isinstance(obj, Called):
            self.save(Named(obj.name))
            self.save(obj.arguments)
            self.write(pickle.REDUCE)
            if obj.state is not None:
                self.save(obj.state)
                self.write(pickle.BUILD)
        else:
            super().save(obj, save_persistent_id)


def pickled(value: Any) -> bytes:
    file = io.BytesIO()
    Pickler(file, protocol=4).dump(value)
    return file.getvalue()


def dtype(code: str, unit: str | None = None) -> Called:
    order = "|" if code in ("O8", "b1", "i1") else "<"
    state: tuple[Any, ...] = (3, order, None, None, None, -1, -1, 0)
    if unit is not None:
        state = (4, *state[1:], ({}, (unit.encode(), 1, 1, 1)))
    return Called("numpy.dtype", (code, False, True), state)


def array(code: str, shape: tuple[int, ...], data: Any, unit: str | None = None) -> Called:
    start = (Named("numpy.ndarray"), (0,), b"b")
    return Called("numpy.core.multiarray._reconstruct", start, (1, shape, dtype(code, unit), False, data))


def objects(values: list[Any]) -> Called:
    return array("O8", (len(values),), values)


def index(values: list[Any], name: str | None = None) -> Called:
    parts = {"data": objects(values), "name": name}
    return Called("pandas.core.indexes.base._new_Index", (Named("pandas.core.indexes.base.Index"), parts))


def range_index(rows: int) -> Called:
    parts = {"name": None, "start": 0, "stop": rows, "step": 1}
    return Called("pandas.core.indexes.base._new_Index", (Named("pandas.core.indexes.range.RangeIndex"), parts))


def multi_index(names: list[str], labels: list[tuple[Any, ...]]) -> Called:
    levels, codes = [], []
    for level in zip(*labels, strict=True):
        known = sorted({value for value in level if value is not None})
        levels.append(index(known))
        places = [known.index(value) if value is not None else -1 for value in level]
        codes.append(array("i1", (len(places),), struct.pack(f"{len(places)}b", *places)))
    parts = {"levels": levels, "codes": codes, "sortorder": None, "names": names}
    return Called("pandas.core.indexes.base._new_Index", (Named("pandas.core.indexes.multi.MultiIndex"), parts))


def frame(columns: dict[str, list[Any]], labels: Called, dates: tuple[str, ...] = ()) -> Called:
    """A table: whole numbers and fractions in blocks of numbers, `dates` (nanoseconds) as dates, the rest objects."""
    blocks = []
    for place, (name, values) in enumerate(columns.items()):
        rows = len(values)
        if name in dates:
            data = array("M8", (1, rows), struct.pack(f"<{rows}q", *values), "ns")
            backed = "pandas._libs.arrays.__pyx_unpickle_NDArrayBacked"
            kind = Named("pandas.core.arrays.datetimes.DatetimeArray")
            block: Called = Called(backed, (kind, 223698104, None), (dtype("M8", "ns"), data, {"_freq": None}))
        elif all(type(value) is int for value in values):
            block = array("i8", (1, rows), struct.pack(f"<{rows}q", *values))
        elif all(type(value) is float for value in values):
            block = array("f8", (1, rows), struct.pack(f"<{rows}d", *values))
        else:
            block = array("O8", (1, rows), values)
        where = Called("builtins.slice", (place, place + 1, 1))
        blocks.append(Called("pandas._libs.internals._unpickle_block", (block, where, 2)))
    manager = Called("pandas.core.internals.managers.BlockManager", (tuple(blocks), [index(list(columns)), labels]))
    state = {"_mgr": manager, "_typ": "dataframe", "_metadata": [], "attrs": {}, "_flags": {}}
    return Called("pandas.core.frame.DataFrame", (), state)


# What the folder holds.

#: 2024-03-09 and 2024-03-10 in nanoseconds.
MARCH_9, MARCH_10 = 1_709_942_400_000_000_000, 1_710_028_800_000_000_000
NAN = float("nan")
OPEN = {
    "Florida": {
        "summary_text": "A state.",
        "summary_structured": {"capital": "Tallahassee"},
        "raw_mediawiki": "'''x'''",
    },
    "Florida City, Florida": {"summary_text": "A city.", "summary_structured": {}, "raw_mediawiki": ""},
    "Georgia": {"summary_text": "Peaches.", "summary_structured": {}, "raw_mediawiki": ""},
    "GEORGIA!": {"summary_text": "Shouted.", "summary_structured": {}, "raw_mediawiki": ""},
    "Oregon": {"summary_text": "Rain \U0001f327.", "summary_structured": {}, "raw_mediawiki": "line\u2028separator"},
    "Texas": {"summary_text": "Big.", "summary_structured": {}, "raw_mediawiki": ""},
}
MOVIES = {
    "glass key": {"id": 7, "title": "The Glass Key", "release_date": "1942-10-14", "rating": 6.9, "budget": 0},
    "glass house": {"id": 8, "title": "Glass House", "release_date": "2001-09-14", "rating": None},
    "harbour lights": {"id": 9, "title": "Harbour Lights"},
    "long winter": {"id": 10, "title": "Long Winter"},
    "short summer": {"id": 10, "title": "Short Summer"},
    "without number": {"title": "Without Number"},
}
PEOPLE = {
    "ida moss": {"id": 1, "name": "Ida Moss", "acted_movies": [7], "birthday": "1901-02-03"},
    "olaf moss": {"id": 2, "name": "Olaf Moss", "acted_movies": [7, 8], "birthday": None},
    "kim reed": {"id": 3, "name": "Kim Reed", "acted_movies": []},
    "lee stone": {"id": 4, "name": "Lee Stone", "acted_movies": []},
    "max wood": {"id": 5, "name": "Max Wood", "acted_movies": []},
}
YEARS = {"1992": {"movie_list": [7, 8], "oscar_awards": []}, "2022": {"movie_list": [9], "oscar_awards": []}}
COMPANIES = 'Name,Symbol\nGlass Works Inc. Common Stock,GLSW\n"Glass, Sand & Co",GSC\nOat Mill Corp,OATM\nReed plc,NA\n'
PRICES = {
    "2024-02-26 00:00:00 EST": {"Open": 10.0, "High": 11.0, "Low": 9.5, "Close": 10.5, "Volume": 1000},
    "2024-02-27 00:00:00 EST": {"Open": 10.5, "High": 12.0, "Low": 10.0, "Close": 11.5, "Volume": 2000},
    "2024-02-28 00:00:00 EST": {"Open": 11.5, "High": 12.5, "Low": 11.0, "Close": 12.0, "Volume": 3000},
}
MINUTES = {
    "2024-02-28 09:30:00 EST": {"Open": 11.5, "Close": 11.6, "Volume": 10},
    "2024-02-28 13:03:00 EST": {"Open": 11.6, "Close": 11.7, "Volume": 20},
    "2024-02-28 13:04:00 EST": {"Open": 11.7, "Close": 11.8, "Volume": 30},
}
DIVIDENDS = {"2024-02-21 00:00:00 EST": 0.5, "2024-02-29 00:00:00 EST": 0.6}
INFO = {"forwardEps": 2.5, "forwardPE": NAN, "city": "Reading", "companyOfficers": [{"name": "I. Moss", "age": 50}]}
#: Words of more than one in 55 names weigh too little to be searched: so many names that few have.
FILLING = [f"filling{n} of{n}" for n in range(240)]
ARTISTS = {
    "Ida Moss": {"country": "NO", "birth_date": "1987-05-05", "end_date": None, "members": []},
    "The Moss Five": {"country": "", "birth_date": "1999", "end_date": "2005", "members": ["Kim", "Lee", "Kim"]},
    "MOSS": {"country": "DE"},
    "moss.": {"country": "FR", "birth_date": None, "end_date": None, "members": None},
    **{name: {} for name in FILLING},
}
SONGS = {
    "Glass Harbour": {"author": "Ida Moss", "country": "XW", "date": "2023-09-21"},
    "Harbour (Live)": {"author": "", "country": None, "date": ""},
    **{name: {} for name in FILLING},
}
WORKS = {"Ida Moss": ["Glass Harbour", "Harbour (Live)"]}
#: year, category, nominee, artist, workers
GRAMMYS = [
    (2019, "Album Of The Year", "Fog", "Ida Moss", NAN),
    (2019, "Best New Artist", "Kim Reed", NAN, NAN),
    (2018, "Song Of The Year", "Glass Harbour", "Ida Moss & Lee", "Ida Moss, writer"),
    (1998, "Best New Artist", "Ida Moss", NAN, NAN),
    (1998, "Best New Artist", NAN, "Nobody", NAN),
]
RANKS = {
    "1": [
        {"Date": "2024-02-21", "Song": "Fog", "Artist": "Kim Reed"},
        {"Date": "2024-02-28", "Song": "Glass Harbour", "Artist": "Ida Moss"},
    ]
}
#: Rows as released: the rank stands fourth; the columns behind it are otherwise where the seventh is "-".
CHARTED = {
    "Glass Harbour": {
        "2024-02-21": ["2024-02-21", "Glass Harbour", "Ida Moss", "9", "9", "1", "-"],
        "2024-02-28": ["2024-02-28", "Glass Harbour", "Ida Moss", "1", "9", "1", "2"],
        "2024-03-06": ["2024-03-06"],
    }
}
SOCCER_LABELS = [
    ("ENG-Premier League", "2324", "Everton", "2024-03-09 Leeds-Everton"),
    ("ENG-Premier League", "2324", "Leeds", "2024-03-09 Leeds-Everton"),
    ("FRA-Ligue 1", "2324", "Monaco", "2024-03-10 Monaco-Lille"),
    (None, "2324", "Lille", "2024-03-10 Monaco-Lille"),
]
SOCCER = {
    "date": [MARCH_9, MARCH_9, MARCH_10, MARCH_10],
    "time": ["12:30:00", "12:30:00", None, "x"],
    "GF": ["0", "2", "1", "1"],
    "xG": [1.6, 2.7, NAN, 1 / 3],
    "Poss": [49, 51, 60, 40],
}
NBA_COLUMNS = (
    "game_id TEXT, game_date TIMESTAMP, team_name_home TEXT, team_name_away TEXT, min INTEGER, fg3 INTEGER, pct REAL"
)
NBA = [
    ("001", "2022-10-11 00:00:00", "Chicago Bulls", "Utah Jazz", 240, 5, 0.532),
    ("002", "2022-10-11 00:00:00", "Boston Celtics", "Miami Heat", 240, None, 0.5),
    ("003", "2022-11-02 00:00:00", "Utah Jazz", "Chicago Bulls", 265, 7, 0.45),
]
PLAYS = [("001", 1, None), ("002", 1, "2 - 0"), ("001", 2, "0 - 2"), ("003", 1, "3 - 0")]


def write_values(path: Path, values: dict[str, Any]) -> None:
    """A file as SqliteDict writes it."""
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE unnamed (key TEXT PRIMARY KEY, value BLOB)")
    base.executemany("INSERT INTO unnamed VALUES (?, ?)", [(key, pickled(value)) for key, value in values.items()])
    base.commit()
    base.close()


def write_released(folder: Path) -> Path:
    for name in ("open", "movie", "finance", "music", "sports"):
        (folder / name).mkdir(parents=True)
    lines = [json.dumps([name, entity], ensure_ascii=False) + "\n" for name, entity in OPEN.items()]
    (folder / "open" / "kg.0.jsonl.bz2").write_bytes(bz2.compress("".join(lines[:3]).encode()))
    (folder / "open" / "kg.1.jsonl.bz2").write_bytes(bz2.compress("".join(lines[3:]).encode()))
    for name, content in (("movie_db", MOVIES), ("person_db", PEOPLE), ("year_db", YEARS)):
        (folder / "movie" / f"{name}.json").write_text(json.dumps(content))

    finance = folder / "finance"
    (finance / "company_name.dict").write_text(COMPANIES)
    write_values(finance / "finance_price.sqlite", {"GLSW": PRICES})
    write_values(finance / "finance_detailed_price.sqlite", {"GLSW": MINUTES})
    write_values(finance / "finance_dividend.sqlite", {"GLSW": DIVIDENDS})
    cap = Called("numpy.core.multiarray.scalar", (dtype("f8"), struct.pack("<d", 1.25e9)))
    write_values(finance / "finance_marketcap.sqlite", {"GLSW": cap})
    write_values(finance / "finance_info.sqlite", {"GLSW": INFO, "OATM": {"city": "Bath"}})

    music = folder / "music"
    for name, content in (
        ("artist_dict_simplified", ARTISTS),
        ("song_dict_simplified", SONGS),
        ("artist_work_dict", WORKS),
        ("rank_dict_hot100", RANKS),
        ("song_dict_hot100", CHARTED),
    ):
        (music / f"{name}.pickle").write_bytes(pickled(content))
    names = ("year", "category", "nominee", "artist", "workers")
    columns = {name: list(values) for name, values in zip(names, zip(*GRAMMYS, strict=True), strict=True)}
    columns["workers"] = [*columns["workers"][:-1], "nan"]  # a column of text, as the real one
    (music / "grammy_df.pickle").write_bytes(pickled(frame(columns, range_index(len(GRAMMYS)))))

    labels = multi_index(["league", "season", "team", "game"], SOCCER_LABELS)
    table = frame(SOCCER, labels, dates=("date",))
    (folder / "sports" / "soccer_team_match_stats.pkl").write_bytes(pickled(table))
    base = sqlite3.connect(folder / "sports" / "nba.sqlite")
    base.execute(f"CREATE TABLE game ({NBA_COLUMNS})")
    base.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", NBA)
    base.execute("CREATE TABLE play_by_play (game_id TEXT, eventnum INTEGER, score TEXT)")
    base.executemany("INSERT INTO play_by_play VALUES (?, ?, ?)", PLAYS)
    base.commit()
    base.close()
    return folder
