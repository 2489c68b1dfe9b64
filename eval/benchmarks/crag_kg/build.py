"""Building the store of a mock KG from the folder that CRAG released.

The store grows beside its place, as FILE.part, and takes its name when all of it is there. Each part is one
transaction: a build that was stopped goes on with the part it was at, as long as the files it has read are the same.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.game_parts import GAME_FILLS
from eval.benchmarks.crag_kg.parts import FILLS
from eval.benchmarks.crag_kg.source_files import refuse_pointer
from eval.benchmarks.crag_kg.store import FORMAT_VERSION, SCHEMA, Part

ALL_FILLS = {**FILLS, **GAME_FILLS}
#: Share done of all, and what is being read.
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Built:
    """What a build made: entries of each part, the parts without files, and those taken over from a stopped build."""

    out: Path
    entries: dict[Part, int]
    left_out: dict[Part, str]
    taken_over: tuple[Part, ...]


def build(folder: Path, out: Path, progress: Progress = lambda share, what: None) -> Built:
    """Build the store of a released folder.

    Args:
        folder: the one with open/, movie/, finance/, music/ and sports/ (`mock_api/cragkg` of the repository).
        out: the file to write; what is there is replaced when the build is complete.
        progress: told of often; what it raises stops the build, which can be taken up again.

    Raises:
        BadInput: none of the files is there, one of them is broken or refused, or `out` cannot be written.
    """
    present, left_out = _survey(folder)
    if not present:
        raise BadInput(
            f"{str(folder)!r} has none of CRAG's files, such as 'movie/movie_db.json': give the folder with open/, "
            "movie/, finance/, music/ and sports/ (mock_api/cragkg of its repository)"
        )
    unfinished = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        base, entries = _take_up(unfinished, present)
        taken_over = tuple(entries)
        try:
            mine = unfinished.stat()
            _fill(base, present, entries, progress)
        finally:
            base.close()
        if not os.path.samestat(mine, unfinished.stat()):
            raise OSError(f"another file took the place of {str(unfinished)!r}")
        os.replace(unfinished, out)
    except (sqlite3.Error, OSError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(
            f"the mock KG cannot be written to {str(out)!r} ({why}): make room there, wait for another build, or give "
            "another file as --out"
        ) from None
    return Built(out, entries, left_out, taken_over)


def _survey(folder: Path) -> tuple[dict[Part, list[Path]], dict[Part, str]]:
    """The files of each part, and of each that is not complete the first file that is missing."""
    present: dict[Part, list[Path]] = {}
    left_out: dict[Part, str] = {}
    for part, (names, _) in ALL_FILLS.items():
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            left_out[part] = missing[0]
            continue
        present[part] = [folder / name for name in names]
        for path in present[part]:
            refuse_pointer(path)
    return present, left_out


def _source(files: list[Path]) -> str:
    """What tells whether files are those that were read."""
    return json.dumps([[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in files])


def _take_up(path: Path, present: dict[Part, list[Path]]) -> tuple[sqlite3.Connection, dict[Part, int]]:
    """The unfinished store with the parts that are in it; an empty one where it is of other files."""
    sources = {part: _source(files) for part, files in present.items()}
    if path.is_file():
        base = sqlite3.connect(path, timeout=1.0)
        try:
            _claim(base)
            about = dict(base.execute("SELECT key, value FROM about"))
            parts = list(base.execute("SELECT part, source, entries FROM parts"))
            if about.get("format_version") == str(FORMAT_VERSION) and all(
                sources.get(part) == source for part, source, _ in parts
            ):
                return base, {part: entries for part, _, entries in parts}
        except sqlite3.DatabaseError as problem:  # no store yet, or none at all: it is started again
            if "locked" in str(problem):
                base.close()
                raise
        base.close()
        path.unlink()
    path.with_name(path.name + "-journal").unlink(missing_ok=True)  # of a file that is gone: it would be played back
    base = sqlite3.connect(path, timeout=1.0)
    _claim(base)
    base.executescript(SCHEMA)
    with base:
        base.execute("INSERT INTO about VALUES ('format_version', ?)", (str(FORMAT_VERSION),))
    return base, {}


def _claim(base: sqlite3.Connection) -> None:
    """Nobody else may read or write, from now to the end; room for the index of millions of names (KiB).

    Raises:
        sqlite3.DatabaseError: somebody else holds it, or it is no database.
    """
    base.execute("PRAGMA cache_size = -131072")
    base.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.execute("PRAGMA synchronous = NORMAL")
    base.execute("BEGIN EXCLUSIVE")
    base.commit()


def _fill(
    base: sqlite3.Connection, present: dict[Part, list[Path]], entries: dict[Part, int], progress: Progress
) -> None:
    sizes = {part: sum(path.stat().st_size for path in files) or 1 for part, files in present.items()}
    done = sum(sizes[part] for part in entries)
    total = sum(sizes.values())
    for part, files in present.items():
        if part in entries:
            continue

        def tell(share: float, part: Part = part, done: int = done) -> None:
            progress((done + sizes[part] * share) / total * 0.999, part)

        tell(0.0)
        with base:
            written = ALL_FILLS[part][1](base, files, tell)
            base.execute("INSERT INTO parts VALUES (?, ?, ?)", (part, _source(files), written))
        entries[part] = written
        done += sizes[part]
    progress(1.0, "done")
