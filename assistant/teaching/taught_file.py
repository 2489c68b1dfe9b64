"""`taught.json`, the list of taught objects: read and checked, written as a whole, and how a change to it is seen.

    {"format_version", "version", "objects": [...]}

`version` is one more after every change. The file is only ever put in the place of the one before, so that a reader
finds the old list or the new one. Who may write, and the pictures' own files, are the business of
`assistant.teaching.store` and `assistant.teaching.views`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assistant.core.errors import NotReady, UnknownFormat
from assistant.index.catalogue import name_key
from assistant.teaching.taught_object import TaughtObject, TaughtPicture

FORMAT_VERSION = 1
FILE_NAME = "taught.json"


@dataclass(frozen=True, eq=False)
class TaughtState:
    """Everything that is known at one moment, oldest object first; version 0 is a folder nothing was taught to."""

    version: int = 0
    objects: tuple[TaughtObject, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, TaughtObject]:
        """The objects by name, case and white space aside."""
        return {name_key(thing.name): thing for thing in self.objects}


def stamp_of(folder: Path) -> tuple[int, ...] | None:
    """What differs once another file is in place (time in ns, size in bytes, inode); None when there is no file.

    Raises:
        NotReady: the folder cannot be looked into.
    """
    try:
        status = (folder / FILE_NAME).stat()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise NotReady(f"the taught objects in {str(folder)!r} cannot be read: {problem.strerror}") from problem
    return status.st_mtime_ns, status.st_size, status.st_ino


def read_state(folder: Path) -> TaughtState:
    """The state as it is on the disk; nothing taught where there is no file.

    Raises:
        UnknownFormat: written in a format that this version does not know, or damaged.
    """
    path = folder / FILE_NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = data["format_version"]
    except FileNotFoundError:
        return TaughtState()
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UnknownFormat(f"{str(path)!r} is damaged: move the folder away to begin with nothing taught") from problem
    if found != FORMAT_VERSION:
        raise UnknownFormat(
            f"the taught objects in {str(folder)!r} have format {found!r} and this Vitrine reads "
            f"{FORMAT_VERSION}: use the Vitrine that wrote them, or another --data-dir"
        )
    try:
        return TaughtState(int(data["version"]), tuple(_object(row) for row in data["objects"]))
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UnknownFormat(f"{str(path)!r} is damaged: move the folder away to begin with nothing taught") from problem


def write_state(folder: Path, state: TaughtState) -> None:
    """Put `state` in the place of what the file says; only for who holds the right to write.

    Raises:
        OSError: no room, or no right to write there; the file is as it was.
    """
    data = {
        "format_version": FORMAT_VERSION,
        "version": state.version,
        "objects": [asdict(thing) for thing in state.objects],
    }
    temporary = folder / f"{FILE_NAME}.{os.getpid()}-tmp"
    try:
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / FILE_NAME)
    finally:
        temporary.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove what a writer that was killed left half written; only for who holds the right to write."""
    for stale in folder.glob(f"{FILE_NAME}.*-tmp"):
        stale.unlink(missing_ok=True)


def _object(row: dict[str, Any]) -> TaughtObject:
    pictures = tuple(
        TaughtPicture(
            _id(p["id"]),
            tuple((float(x), float(y)) for x, y in p["outline_px"]),
            int(p["width_px"]),
            int(p["height_px"]),
        )
        for p in row["pictures"]
    )
    return TaughtObject(
        id=_id(row["id"]),
        name=str(row["name"]),
        facts={str(k): str(v) for k, v in row["facts"].items()},
        sentences=tuple(map(str, row["sentences"])),
        pictures=pictures,
        created=str(row["created"]),
        changed=str(row["changed"]),
    )


def _id(value: Any) -> str:
    """An id names files: what is not one of ours is damage, whoever wrote it."""
    if not isinstance(value, str) or not value.isalnum() or not value.isascii() or len(value) > 32:
        raise ValueError(f"not an id: {value!r}")
    return value
