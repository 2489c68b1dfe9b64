"""CRAG-MM rows (v0.1.2 and the older layout) as samples.

Labels are integers whose names stand in the data set's features and nowhere in this code: the single-turn and the
multi-turn set order them differently.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.pictures import FilePicture, Picture
from eval.samples import LABELS, Label, Sample, SampleTurn, Unusable


def label_names(metadata: Mapping[bytes, bytes]) -> dict[str, tuple[str, ...]]:
    """The names of the labels, in their order, from the "huggingface" entry of a Parquet schema; {} without one."""
    try:
        features = json.loads(metadata.get(b"huggingface", b"{}"))
    except ValueError:
        return {}
    found: dict[str, tuple[str, ...]] = {}

    def walk(node: Any) -> None:
        if isinstance(node, dict):
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
    while isinstance(node, dict):
        if isinstance(node.get("names"), list):
            return tuple(str(name) for name in node["names"])
        node = node.get("feature")
    return _names(node[0]) if isinstance(node, list) and len(node) == 1 else None


def crag_sample(
    row: Mapping[str, Any],
    source: str,
    number: int,
    set_: str,
    split: str,
    names: Mapping[str, Sequence[str]],
    picture: Picture | None,
    urlcache: Path,
) -> Sample | Unusable:
    """One CRAG-MM row; `turns` and `answers` as dictionaries of columns or as lists of dictionaries."""
    session = row.get("session_id")
    turns, answers = _records(row.get("turns")), _records(row.get("answers"))
    if not session or not turns:
        return Unusable(source, number, session, "the row has no session id or no turns")
    truths = {answer.get("interaction_id"): answer.get("ans_full") for answer in answers}
    made = []
    for i, turn in enumerate(turns):
        interaction = turn.get("interaction_id")
        if not interaction or not isinstance(turn.get("query"), str):
            return Unusable(source, number, session, f"turn {i} has no interaction id or no query")
        if interaction not in truths:
            return Unusable(source, number, session, f"turn {i} has no answer")
        labels = {key: _label(turn.get(key, row.get(key)), names.get(key)) for key in LABELS}
        made.append(SampleTurn(str(interaction), i, turn["query"], truths[interaction] or "", **labels))
    url = row.get("image_url") or None
    if picture is None or not picture.exists():
        if url is None:
            return Unusable(source, number, session, "the row has no picture and no image_url")
        cached = urlcache / hashlib.sha256(url.encode()).hexdigest()
        if not cached.is_file():
            return Unusable(source, number, session, f"the picture behind {url!r} is not at hand")
        picture = FilePicture(cached)
    return Sample(
        str(session), tuple(made), set_, split, is_ego=url is None, image_url=row.get("image_url"), picture=picture
    )


def _records(value: Any) -> list[Mapping[str, Any]]:
    """A list of dictionaries from either layout; [] when it is neither."""
    if isinstance(value, Mapping):
        columns = {key: column for key, column in value.items() if isinstance(column, Sequence)}
        length = min((len(column) for column in columns.values()), default=0)
        return [{key: column[i] for key, column in columns.items()} for i in range(length)]
    if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(item, Mapping) for item in value):
        return list(value)
    return []


def _label(value: Any, names: Sequence[str] | None) -> Label:
    if value is None or isinstance(value, str):
        return value
    number = int(value)
    return names[number] if names is not None and 0 <= number < len(names) else number
