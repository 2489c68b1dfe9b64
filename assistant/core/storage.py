"""Writing one whole file: under another name first, then renamed, so that a reader never sees half of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, with its folders.

    Raises:
        BadInput: no rights, no space, or a file where a folder should be.
    """
    try:
        with (
            _in_place_of(path) as temporary,
            temporary.open("w", encoding="utf-8", errors="replace", newline="") as file,
        ):
            file.write(text)
    except OSError as problem:
        raise BadInput(f"{str(path)!r} cannot be written ({problem.strerror or problem})") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole: under another name first, then in its place.

    Raises:
        OSError: it cannot be written.
    """
    with _in_place_of(path) as temporary:
        temporary.write_bytes(data)


def write_secret(path: Path, text: str) -> None:
    """Write a file that nobody but its owner can read at any moment.

    Raises:
        BadInput: the folder cannot be written to.
    """
    try:
        with _in_place_of(path) as temporary:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as problem:
        raise BadInput(f"the key cannot be kept in {str(path.parent)!r} ({problem.strerror or problem})") from None


@contextmanager
def _in_place_of(path: Path) -> Iterator[Path]:
    """A name beside `path` for a file that takes its place when the block ends without an error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary.unlink(missing_ok=True)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> None:
    """Write strict JSON to `path`."""
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
