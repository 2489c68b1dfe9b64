"""Small data sets of CRAG-MM's shape, made with `datasets` as the published ones are, in both orders of labels.

The two orders differ on purpose, as those of the published single-turn and multi-turn sets do.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PIL import Image

MULTI: Mapping[str, Sequence[str]] = {
    "domain": ["animal", "other", "shopping", "book", "local", "vehicle", "food"],
    "query_category": ["reasoning", "simple-knowledge", "comparison", "simple-recognition", "multi-hop", "aggregation"],
    "dynamism": ["fast-changing", "static", "slow-changing", "real-time"],
    "image_quality": ["rotated", "truncated", "occluded", "low light", "blurred", "normal"],
}
SINGLE: Mapping[str, Sequence[str]] = {
    "domain": ["food", "book", "vehicle", "shopping", "other", "animal", "local"],
    "query_category": ["reasoning", "comparison", "aggregation", "simple-recognition", "simple-knowledge", "multi-hop"],
    "dynamism": ["static", "fast-changing", "real-time", "slow-changing"],
    "image_quality": ["normal", "blurred", "low light", "occluded", "truncated", "rotated"],
}


def photo(seed: int, size: tuple[int, int] = (48, 64)) -> bytes:
    """A JPEG of noise; size as (width, height)."""
    pixels = np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=90)
    return file.getvalue()


def crag_row(
    session: str,
    names: Mapping[str, Sequence[str]],
    turns: Sequence[Mapping[str, Any]] = ({},),
    image: bytes | None = b"",
    url: str | None = None,
    *,
    old: bool = False,
) -> dict[str, Any]:
    """One row; a turn's labels are given by name and stored as numbers; `image` b"" draws one of noise."""
    labels = {"domain": "food", "query_category": "simple-knowledge", "dynamism": "static", "image_quality": "normal"}
    listed = [
        {
            "interaction_id": f"{session}-{i}",
            **{key: names[key].index(turn.get(key, value)) for key, value in labels.items()},
            "query": turn.get("query", f"what is it, {i}?"),
        }
        for i, turn in enumerate(turns)
    ]
    answers = [
        {"interaction_id": f"{session}-{i}", "ans_full": t.get("answer", f"it is {i}")} for i, t in enumerate(turns)
    ]
    if image == b"":
        image = photo(sum(session.encode()))
    return {
        "session_id": session,
        "image": None if image is None else {"bytes": image, "path": None},
        "image_url": url,
        "turns": listed if old else columns(listed),
        "answers": answers if old else columns(answers),
    }


def columns(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Records as a dictionary of columns."""
    return {key: [record[key] for record in records] for key in records[0]}


def features(names: Mapping[str, Sequence[str]], *, old: bool = False) -> Any:
    """The published features: columns of lists, or in the older layout lists of structures."""
    import datasets

    turn: dict[str, Any] = {
        "interaction_id": datasets.Value("string"),
        **{key: datasets.ClassLabel(names=list(names[key])) for key in ("domain", "query_category", "dynamism")},
        "query": datasets.Value("string"),
        "image_quality": datasets.ClassLabel(names=list(names["image_quality"])),
    }
    answer = {"interaction_id": datasets.Value("string"), "ans_full": datasets.Value("string")}
    wrap = datasets.List if old else lambda parts: {key: datasets.List(value) for key, value in parts.items()}
    return datasets.Features(
        {
            "session_id": datasets.Value("string"),
            "image": datasets.Image(),
            "image_url": datasets.Value("string"),
            "turns": wrap(turn),
            "answers": wrap(answer),
        }
    )


def data_set(rows: Sequence[Mapping[str, Any]], names: Mapping[str, Sequence[str]], *, old: bool = False) -> Any:
    """A `datasets.Dataset` of rows."""
    import datasets

    return datasets.Dataset.from_list(list(rows), features=features(names, old=old))


def single_turn_rows(prefix: str = "s") -> list[dict[str, Any]]:
    """An egocentric row, one with a URL and its own picture, one whose URL is empty, one without any picture."""
    return [
        crag_row(f"{prefix}1", SINGLE, [{"domain": "book"}]),
        crag_row(
            f"{prefix}2", SINGLE, [{"domain": "vehicle", "image_quality": "blurred"}], url="https://a.invalid/2.jpg"
        ),
        crag_row(f"{prefix}3", SINGLE, [{"query_category": "multi-hop"}], url=""),
        crag_row(f"{prefix}4", SINGLE, image=None),
    ]


def multi_turn_rows() -> list[dict[str, Any]]:
    return [
        crag_row("m1", MULTI, [{"domain": "book"}, {"domain": "food", "query_category": "comparison"}, {}]),
        crag_row("m2", MULTI, [{"domain": "animal"}, {"dynamism": "real-time"}], url="https://a.invalid/m2.jpg"),
    ]
