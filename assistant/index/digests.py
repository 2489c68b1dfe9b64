"""Checksums of an index's files: written when it is built, compared before it is used.

A search library reads a file of the right size whatever is in it, and gives neighbours that look right. Chroma writes
to its database at every opening (a row in `acquire_write`) and a later version may add to it (columns, and rows in
`migrations`), so that there the checksum is of the rows that it was filled with, and SQLite's own check says whether
the rest hangs together.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

#: The file that is compared by its rows.
DATABASE = "chroma.sqlite3"
#: What opening an index compares, smallest files first; `index check` compares everything. The bundled index (33 MB)
#: takes 0.2 s of one core. A database takes a second for 150 MB, another file for 400.
OPENING_BYTES = 256 << 20
_BYTES = 16
_LOCKED_S = 30.0
_APPENDED_TO = "migrations"
_ROWS = {
    _APPENDED_TO: "dir, version, filename, sql, hash",
    "collections": "id, name, dimension, config_json_str, schema_str",
    "segments": "id, type, scope, collection",
    "max_seq_id": "segment_id, seq_id",
    "embeddings": "id, segment_id, embedding_id, seq_id",
    "embedding_metadata": "id, key, string_value, int_value, float_value",
    "embeddings_queue": "seq_id, operation, topic, id, vector, encoding, metadata",
}


def digests_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Path in the folder → checksum; a path that is a folder stands for all files in it."""
    return {name: _digest(folder / name) for name in names}


def differing(folder: Path, digests: Mapping[str, str], most_bytes: float = float("inf")) -> Iterator[str]:
    """The paths that do not hold what they held when their checksums were taken, smallest first.

    A file that was compared before in this process and has not been written since is not read again.
    """
    sized = sorted((_stamp(folder / name), name) for name in digests)
    for stamp, name in sized:
        most_bytes -= stamp[0]
        if most_bytes < 0:
            return
        if not _same(folder / name, stamp, digests[name]):
            yield name


def _stamp(path: Path) -> tuple[int, int, int]:
    """Size, place and time of a path; without time for the database, which Chroma writes to."""
    if path.is_dir():
        files = [file.stat() for file in path.iterdir()]
        return sum(f.st_size for f in files), path.stat().st_ino, max((f.st_mtime_ns for f in files), default=0)
    found = path.stat()
    return found.st_size, found.st_ino, 0 if path.name == DATABASE else found.st_mtime_ns


@lru_cache(maxsize=256)
def _same(path: Path, stamp: tuple[int, int, int], digest: str) -> bool:
    try:
        return _digest(path, digest) == digest
    except sqlite3.DatabaseError:
        return False


def _digest(path: Path, earlier: str = "") -> str:
    """The checksum of a file or of the files of a folder; `earlier` is the one to be compared with, if there is one."""
    if path.name == DATABASE:
        return _digest_of_rows(path, int(earlier.partition(":")[0] or -1))
    if path.is_dir():
        whole = hashlib.blake2b(digest_size=_BYTES)
        for file in sorted(path.iterdir()):
            whole.update(f"{file.name} {_digest(file)}\n".encode())
        return whole.hexdigest()
    with path.open("rb") as content:
        return hashlib.file_digest(content, lambda: hashlib.blake2b(digest_size=_BYTES)).hexdigest()


def _digest_of_rows(path: Path, appended_to: int) -> str:
    """How many rows of the table that may grow are counted (`appended_to`, all of them for -1), and the checksum.

    Raises:
        sqlite3.DatabaseError: the file does not hang together.
    """
    counted = 0
    whole = hashlib.blake2b(digest_size=_BYTES)
    # mode=rw: a process that was killed while Chroma wrote leaves a journal, which has to be played back first
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=_LOCKED_S)) as database:
        database.text_factory = bytes
        [said] = database.execute("PRAGMA integrity_check(1)").fetchone()
        if said != b"ok":
            raise sqlite3.DatabaseError(said)
        for table, columns in _ROWS.items():
            most = appended_to if table == _APPENDED_TO else -1
            for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY rowid LIMIT {most}"):
                whole.update(repr(row).encode())
                counted += table == _APPENDED_TO
    return f"{counted}:{whole.hexdigest()}"
