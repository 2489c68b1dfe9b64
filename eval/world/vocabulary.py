"""Loads the world's language from `data/*.json`, or from the files that a user gives instead.

Covers reading and checking shape; what the words are used for is in `facts`, `pages` and `questions`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.errors import BadInput

DATA_DIR = Path(__file__).resolve().parent / "data"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Vocabulary:
    """All words a world is written with."""

    names: dict[str, Any]
    attributes: dict[str, Any]
    phrasings: dict[str, Any]
    voices: dict[str, Any]


def load_vocabulary(phrasings: Path | None = None, attributes: Path | None = None) -> Vocabulary:
    """Read the four files; `phrasings` and `attributes` may be replaced.

    Raises:
        BadInput: a file that is not JSON, has another format version, or lacks a section of the bundled one.
    """
    return Vocabulary(
        names=_read(DATA_DIR / "names.json"),
        attributes=_read(attributes or DATA_DIR / "attributes.json", DATA_DIR / "attributes.json"),
        phrasings=_read(phrasings or DATA_DIR / "phrasings.json", DATA_DIR / "phrasings.json"),
        voices=_read(DATA_DIR / "voices.json"),
    )


def _read(path: Path, example: Path | None = None) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"cannot read {str(path)!r}: {problem.strerror}; give a readable JSON file") from problem
    except ValueError as problem:
        raise BadInput(f"{str(path)!r} is not JSON ({problem}); compare it with {example or path}") from problem
    if not isinstance(data, dict):
        raise BadInput(f"{str(path)!r} is not a JSON object; compare it with {example or path}")
    if example is not None and path != example:
        wanted = json.loads(example.read_text(encoding="utf-8"))
        if data.get("format_version") != FORMAT_VERSION:
            found = data.get("format_version")
            raise BadInput(f"{str(path)!r} has format_version {found!r}; this Vitrine writes {FORMAT_VERSION}")
        missing = _missing(wanted, data)
        if missing:
            raise BadInput(f"{str(path)!r} lacks {missing!r}, which the bundled {example.name} has; add it")
    return data


def _missing(wanted: dict[str, Any], given: dict[str, Any], depth: int = 2, path: str = "") -> str:
    """The first key of `wanted` (to `depth` levels) that `given` lacks, or ""."""
    for key, value in wanted.items():
        if key not in given:
            return path + key
        if depth > 1 and isinstance(value, dict) and isinstance(given[key], dict):
            inner = _missing(value, given[key], depth - 1, f"{path}{key}.")
            if inner:
                return inner
    return ""
