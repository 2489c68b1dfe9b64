"""Loads the world's language from `data/`, or from the files that a user gives instead.

Attributes, phrasings and voices are folders of JSON files, one a group of domains, which are laid over each other; a
user's file replaces a folder as a whole. Covers reading and checking shape; what the words are used for is in `region`,
`pages` and `questions`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput

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
    """Read everything; `phrasings` and `attributes` may be replaced.

    Raises:
        BadInput: a file that is not JSON, has another format version, or lacks a section of the bundled ones.
    """
    return Vocabulary(
        names=_read(DATA_DIR / "names.json"),
        attributes=_given(attributes, "attributes"),
        phrasings=_given(phrasings, "phrasings"),
        voices=bundled("voices"),
    )


def bundled(section: str) -> dict[str, Any]:
    """The bundled "attributes", "phrasings" or "voices": all files of the folder as one.

    Raises:
        ValueError: two files give one name different values.
    """
    whole: dict[str, Any] = {}
    for path in sorted((DATA_DIR / section).glob("*.json")):
        _lay_over(whole, _read(path), section)
    return whole


def _lay_over(whole: dict[str, Any], part: dict[str, Any], path: str) -> None:
    """Objects are united, lists appended; anything else must agree."""
    for key, value in part.items():
        here = f"{path}.{key}"
        if key not in whole:
            whole[key] = value
        elif isinstance(value, dict) and isinstance(whole[key], dict):
            _lay_over(whole[key], value, here)
        elif isinstance(value, list) and isinstance(whole[key], list):
            whole[key] = whole[key] + [v for v in value if v not in whole[key]]
        elif whole[key] != value:
            raise ValueError(f"{here} is given twice with different values")


def _given(path: Path | None, section: str) -> dict[str, Any]:
    wanted = bundled(section)
    if path is None:
        return wanted
    data = _read(path)
    if data.get("format_version") != FORMAT_VERSION:
        found = data.get("format_version")
        raise BadInput(f"{str(path)!r} has format_version {found!r}; this Vitrine writes {FORMAT_VERSION}")
    missing = _missing(wanted, data)
    if missing:
        raise BadInput(f"{str(path)!r} lacks {missing!r}, which the bundled {section} have; add it")
    return data


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"cannot read {str(path)!r}: {problem.strerror}; give a readable JSON file") from problem
    except ValueError as problem:
        raise BadInput(f"{str(path)!r} is not JSON ({problem}); compare it with the files in {DATA_DIR}") from problem
    if not isinstance(data, dict):
        raise BadInput(f"{str(path)!r} is not a JSON object; compare it with the files in {DATA_DIR}")
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
