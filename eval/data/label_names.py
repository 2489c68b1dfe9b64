"""Labels of rows: their names stand in the data's own features, or in a file that the user gives; never in this code.

The single-turn and the multi-turn set of the benchmark order the same labels differently, so a list in code would be
wrong for one of them. A number that nothing names stays a number.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.data.samples import LABELS, Label

Names = Mapping[str, Sequence[str]]


def names_in_metadata(metadata: Mapping[bytes, bytes] | None) -> dict[str, tuple[str, ...]]:
    """The names of the labels, in their order, from the "huggingface" entry of a schema; {} without one."""
    try:
        return names_in_features(json.loads((metadata or {}).get(b"huggingface", b"{}")))
    except ValueError:
        return {}


def names_in_features(features: Any) -> dict[str, tuple[str, ...]]:
    """The names of the labels anywhere below `features` (as `datasets.Features.to_dict` gives them, or a data card)."""
    found: dict[str, tuple[str, ...]] = {}

    def walk(node: Any) -> None:
        if isinstance(node, Mapping):
            if node.get("name") in LABELS and (names := _names(node.get("dtype"))) is not None:  # a data card's list
                found.setdefault(node["name"], names)
            for key, value in node.items():
                if key in LABELS and (names := _names(value)) is not None:
                    found.setdefault(key, names)
                else:
                    walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(features)
    return found


def _names(node: Any) -> tuple[str, ...] | None:
    """The class names at or below a feature, whichever way sequences are wrapped around it."""
    while isinstance(node, Mapping):
        names = node.get("names")
        if isinstance(names, Mapping):  # a data card writes {'0': first, '1': second, …}
            names = _in_order(names)
        if isinstance(names, list):
            return tuple(str(name) for name in names)
        node = node.get("feature", node.get("class_label"))
    return _names(node[0]) if isinstance(node, list) and len(node) == 1 else None


def _in_order(names: Mapping[Any, Any]) -> list[Any] | None:
    try:
        ordered = {int(key): value for key, value in names.items()}
    except ValueError:
        return None
    return [ordered[i] for i in range(len(ordered))] if set(ordered) == set(range(len(ordered))) else None


def read_label_file(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """A file of names for bare numbers.

    Its JSON is `{"domain": ["animal", …], "dynamism": {"0": "static", …}}`, or one such object for each of "single"
    and "multi", as the two sets of the benchmark order their labels differently.

    Returns:
        Set ("single", "multi", or "" for any) → label → names in order.

    Raises:
        BadInput: not such a file; the message names the entry.
    """
    try:
        content = load_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise BadInput(f"the labels file {str(path)!r} cannot be read as JSON ({problem})") from None
    if not isinstance(content, dict) or not content:
        raise BadInput(f"the labels file {str(path)!r} is not an object of labels and their names")
    by_set = content if set(content) <= {"single", "multi"} else {"": content}
    return {name: _label_lists(part, path) for name, part in by_set.items()}


def _label_lists(part: Any, path: Path) -> dict[str, tuple[str, ...]]:
    if not isinstance(part, dict):
        raise BadInput(f"the labels file {str(path)!r} is not an object of labels and their names")
    found = {}
    for key, value in part.items():
        if key not in LABELS:
            raise BadInput(f"the labels file {str(path)!r} names {key!r}, which is none of {', '.join(LABELS)}")
        names = _in_order(value) if isinstance(value, dict) else value
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or not names:
            raise BadInput(f"the labels file {str(path)!r} has no list of names from 0 on under {key!r}")
        found[key] = tuple(names)
    return found


class LabelReader:
    """Reads the labels of one source, and notices when they are numbers in one row and names in another."""

    def __init__(self, names: Names, given: Names | None = None):
        """`names` are the data's own; `given` (the user's file) names only what they leave as numbers."""
        self._names = {**(given or {}), **names}
        self._seen: dict[str, tuple[str, str]] = {}

    def read(self, key: str, value: Any, place: str) -> Label:
        """The label under `key`; `place` says where it stands ("row 3 of 'rows.json'").

        Raises:
            BadInput: neither a text nor a whole number, or another type than in an earlier row without any names.
        """
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, float) and (math.isnan(value) or value.is_integer()):  # what a column with gaps becomes
            value = None if math.isnan(value) else int(value)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BadInput(f"{place} has {value!r} as {key!r}: a label is a text or a whole number")
        names = self._names.get(key)
        if names is None:
            kind = "a text" if isinstance(value, str) else "a number"
            first_kind, first_place = self._seen.setdefault(key, (kind, place))
            if kind != first_kind:
                raise BadInput(
                    f"{place} has {value!r} as {key!r}, {kind}, where {first_place} has {first_kind}: "
                    "make them alike or name the numbers with --labels"
                )
            return value
        if isinstance(value, str):
            return value
        if value == -1:
            return None  # what `datasets` stores for a label that is not known
        return names[value] if 0 <= value < len(names) else value
