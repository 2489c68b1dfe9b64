"""A small read-only SQLite file beside the collections: entities by name, and the order of chunks.

Chroma finds neighbours but cannot look an entity up by its name without reading every row, so building writes this
file once. It stays right for tens of thousands of entities: attributes are read for the one that is asked about.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from assistant.core.errors import NotReady

#: The table of pages' pictures; indexes of before there was any have none.
_PICTURES = "page_picture"


@dataclass(frozen=True)
class EntityRecord:
    """An indexed entity: attributes raw as stored, rows and URLs of its pictures (same order)."""

    name: str
    attributes: Mapping[str, Any]
    indexes: tuple[int, ...]
    image_urls: tuple[str, ...]


@dataclass(frozen=True)
class PagePictureRow:
    """A picture of the page at `page`: its own address, what the page says under it, and the number of its file."""

    page: str
    url: str
    caption: str
    file: int


def name_key(name: str) -> str:
    """The form under which a name is found again: case, width of letters and white space do not matter."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()


def write_catalogue(
    path: Path,
    entities: Iterable[EntityRecord],
    chunks: Iterable[tuple[str, str]],
    pictures: Iterable[PagePictureRow] = (),
) -> int:
    """Write the file; `chunks` are (id, page url) in the order of the word index, `pictures` those of pages, each
    page's in its order. Returns the number of entities.

    Entities of one name become one: rows are joined, and an attribute keeps the first value given for it.
    """
    merged: dict[str, EntityRecord] = {}
    for entity in entities:
        key = name_key(entity.name)
        old = merged.get(key)
        merged[key] = entity if old is None else EntityRecord(
            name=old.name,
            attributes={**entity.attributes, **old.attributes},
            indexes=(*old.indexes, *entity.indexes),
            image_urls=(*old.image_urls, *entity.image_urls),
        )  # fmt: skip
    connection = sqlite3.connect(path)
    try:
        with connection:
            connection.execute(
                "CREATE TABLE entity (key TEXT PRIMARY KEY, name TEXT, attributes TEXT, rows TEXT, urls TEXT)"
            )
            connection.execute("CREATE TABLE chunk (row INTEGER PRIMARY KEY, id TEXT, url TEXT)")
            connection.executemany(
                "INSERT INTO entity VALUES (?, ?, ?, ?, ?)",
                (
                    (key, e.name, _json(dict(e.attributes)), _json(e.indexes), _json(e.image_urls))
                    for key, e in merged.items()
                ),
            )
            connection.executemany(
                "INSERT INTO chunk VALUES (?, ?, ?)", ((row, i, url) for row, (i, url) in enumerate(chunks))
            )
            connection.execute("CREATE INDEX chunk_url ON chunk (url)")
            connection.execute(f"CREATE TABLE {_PICTURES} (page TEXT, url TEXT, caption TEXT, file INTEGER)")
            connection.executemany(
                f"INSERT INTO {_PICTURES} VALUES (?, ?, ?, ?)", ((p.page, p.url, p.caption, p.file) for p in pictures)
            )
            connection.execute(f"CREATE INDEX page_picture_page ON {_PICTURES} (page)")
    finally:
        connection.close()
    return len(merged)


class Catalogue:
    """Reads the file; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NotReady(f"the index has lost {path.name} ({str(path.parent)!r}): build it again")
        self._lock = threading.Lock()
        # immutable: nobody writes this file once the index is in place, and so a read-only folder is no trouble
        uri = f"file:{quote(str(path))}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            self._rows("SELECT key FROM entity LIMIT 1")
            self._rows("SELECT row FROM chunk LIMIT 1")
        except sqlite3.DatabaseError as problem:
            self._connection.close()
            raise NotReady(f"{str(path)!r} is damaged ({problem}): build the index again") from problem

    def names(self) -> tuple[str, ...]:
        """The names of all entities, in the order of the world."""
        return tuple(name for (name,) in self._rows("SELECT name FROM entity ORDER BY rowid"))

    def entity(self, name: str) -> EntityRecord | None:
        rows = self._rows("SELECT name, attributes, rows, urls FROM entity WHERE key = ?", name_key(name))
        if not rows:
            return None
        stored, attributes, indexes, urls = rows[0]
        return EntityRecord(stored, json.loads(attributes), tuple(json.loads(indexes)), tuple(json.loads(urls)))

    def chunk_ids(self, rows: Sequence[int]) -> list[str]:
        """The ids of chunks by their row in the word index."""
        marks = ",".join("?" * len(rows))
        found = dict(self._rows(f"SELECT row, id FROM chunk WHERE row IN ({marks})", *map(int, rows)))
        return [found[int(row)] for row in rows]

    def page_chunk_ids(self, url: str) -> list[str]:
        """The ids of a page's chunks in reading order; empty for an unknown page."""
        return [i for (i,) in self._rows("SELECT id FROM chunk WHERE url = ? ORDER BY row", url)]

    def page_pictures(self, url: str) -> list[PagePictureRow]:
        """The pictures of a page in its order; empty for an unknown page, and in an index of before there were any."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", _PICTURES):
            return []
        query = f"SELECT page, url, caption, file FROM {_PICTURES} WHERE page = ? ORDER BY rowid"
        return [PagePictureRow(*row) for row in self._rows(query, url)]

    def counts(self) -> dict[str, int]:
        return {
            "entities": self._rows("SELECT COUNT(*) FROM entity")[0][0],
            "chunks": self._rows("SELECT COUNT(*) FROM chunk")[0][0],
        }

    def close(self) -> None:
        self._connection.close()

    def _rows(self, query: str, *values: Any) -> list[tuple]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class TaughtRecord(EntityRecord):
    """A taught object as `Knowledge.entity` gives it. `attributes` hold its facts too; `facts` are those that were
    taught, `sentences` what was said besides, `source` names it as the source of evidence."""

    facts: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    source: str = ""
