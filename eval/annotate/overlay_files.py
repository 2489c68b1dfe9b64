"""Overlays as files: corrections of ground truths, one JSON object a line, beside the annotations.

A line is `{"interaction_id", "old", "new", "by", "when", "version"}`; `when` is ISO 8601, UTC. Version n of an overlay
is `DATA/annotations/overlays/NAME.vN.jsonl` and holds all corrections up to it; a version is never changed, but for a
name that was asked to go.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assistant.core.errors import BadInput
from assistant.core.storage import write_text
from assistant.core.whole_text import load_json

FOLDER = "overlays"


@dataclass(frozen=True)
class Correction:
    """A ground truth that was found wrong; `old` is what the data say, so that other data are noticed."""

    interaction_id: str
    old: str
    new: str
    by: str
    when: str
    version: int


_LINE = TypeAdapter(Correction)


def read_overlay(path: Path) -> tuple[Correction, ...]:
    """The corrections of an overlay; of two for one turn the later line counts.

    Raises:
        BadInput: not to be read, or a line is no correction; the message names it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise BadInput(f"the overlay {str(path)!r} cannot be read ({why})") from None
    found: dict[str, Correction] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                made = _LINE.validate_python(load_json(line))
            except ValidationError as problem:
                first = problem.errors()[0]
                where = ".".join(map(str, first["loc"])) or "the line"
                raise BadInput(
                    f"line {number} of the overlay {str(path)!r} is no correction ({where}: {first['msg']})"
                ) from None
            except ValueError:
                raise BadInput(f"line {number} of the overlay {str(path)!r} is not JSON: {line[:60]!r}") from None
            found[made.interaction_id] = made
    return tuple(found.values())


def write_overlay(path: Path, corrections: Iterable[Correction]) -> None:
    """Write a whole overlay in one step."""
    lines = (json.dumps(dataclasses.asdict(one), ensure_ascii=False) + "\n" for one in corrections)
    write_text(path, "".join(lines))


def versions(folder: Path, name: str) -> dict[int, Path]:
    """The versions of an overlay that there are, oldest first; `folder` is that of the annotations."""
    pattern = re.compile(re.escape(name) + r"\.v(\d+)\.jsonl")
    found = {int(m[1]): p for p in (folder / FOLDER).glob("*.jsonl") if (m := pattern.fullmatch(p.name))}
    return dict(sorted(found.items()))


def forget(folder: Path, person: str) -> int:
    """Take a name out of all overlays; the corrections stay. Returns how many lines named it."""
    count = 0
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        lines = read_overlay(path)
        named = sum(line.by.casefold() == person.casefold() for line in lines)
        if named:
            write_overlay(path, [replace(x, by="") if x.by.casefold() == person.casefold() else x for x in lines])
        count += named
    return count
