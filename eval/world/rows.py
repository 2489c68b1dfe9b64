"""CRAG-MM v0.1.2 rows as parquet, with the label names in the file's Hugging Face features.

The two sets order their labels differently, as the published ones do: a reader that takes names from a list in code
instead of from the features will be wrong on one of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

#: Set → column → names in their order. Commas, because the names hold spaces.
LABELS: dict[str, dict[str, list[str]]] = {
    set_name: {column: names.split(", ") for column, names in columns.items()}
    for set_name, columns in {
        "multi_turn": {
            "domain": "animal, other, shopping, book, general object recognition, local, vehicle, "
            "plants and gardening, style and fashion, food, text understanding, sports and games, math and science",
            "query_category": "reasoning, simple-knowledge, comparison, simple-recognition, multi-hop, aggregation",
            "dynamism": "fast-changing, static, slow-changing, real-time",
            "image_quality": "rotated, truncated, occluded, low light, blurred, normal",
        },
        "single_turn": {
            "domain": "style and fashion, book, math and science, general object recognition, shopping, "
            "plants and gardening, food, sports and games, local, vehicle, other, text understanding, animal",
            "query_category": "reasoning, comparison, aggregation, simple-recognition, simple-knowledge, multi-hop",
            "dynamism": "static, fast-changing, real-time, slow-changing",
            "image_quality": "normal, low light, blurred, truncated, occluded, rotated",
        },
    }.items()
}
_TURN_COLUMNS = ("interaction_id", "domain", "query_category", "dynamism", "query", "image_quality")


def schema(set_name: str) -> pa.Schema:
    """Arrow schema of a set, with its features as the `datasets` library keeps them."""
    labels = LABELS[set_name]
    turn_type = {c: pa.list_(pa.int64() if c in labels else pa.string()) for c in _TURN_COLUMNS}
    turn_feature: dict[str, Any] = {}
    for column in _TURN_COLUMNS:
        if column in labels:
            turn_feature[column] = {"names": labels[column], "_type": "ClassLabel"}
        else:
            turn_feature[column] = {"dtype": "string", "_type": "Value"}
    text = {"dtype": "string", "_type": "Value"}
    features = {
        "session_id": text,
        "image": {"_type": "Image"},
        "image_url": text,
        "turns": {"feature": turn_feature, "_type": "Sequence"},
        "answers": {"feature": {"interaction_id": text, "ans_full": text}, "_type": "Sequence"},
    }
    fields = [
        pa.field("session_id", pa.string()),
        pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        pa.field("image_url", pa.string()),
        pa.field("turns", pa.struct(list(turn_type.items()))),
        pa.field(
            "answers", pa.struct([("interaction_id", pa.list_(pa.string())), ("ans_full", pa.list_(pa.string()))])
        ),
    ]
    return pa.schema(fields, metadata={"huggingface": json.dumps({"info": {"features": features}})})


class RowWriter:
    """Writes the splits of one set, a few rows at a time. Rows carry label NAMES; a frame shared by several rows of a
    row group is stored once. Use as a context: files are whole when it ends."""

    ROWS = 48

    def __init__(self, root: Path, set_name: str, splits: Sequence[str]) -> None:
        folder = root / set_name
        folder.mkdir(parents=True, exist_ok=True)
        self._labels = LABELS[set_name]
        self._schema = schema(set_name)
        self._waiting: dict[str, list[dict[str, Any]]] = {split: [] for split in splits}
        self._files = {
            split: pq.ParquetWriter(
                folder / f"{split}.parquet",
                self._schema,
                compression="zstd",
                use_dictionary=True,
                dictionary_pagesize_limit=1 << 30,
            )
            for split in splits
        }

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(self, *_: object) -> None:
        for split, file in self._files.items():
            self._flush(split)
            file.close()

    def add(self, split: str, row: dict[str, Any]) -> None:
        """One more row of a split."""
        turns = {c: [t[c] for t in row["turns"]] for c in _TURN_COLUMNS}
        for column, names in self._labels.items():
            turns[column] = [names.index(v) for v in turns[column]]
        answers = {k: [a[k] for a in row["answers"]] for k in ("interaction_id", "ans_full")}
        self._waiting[split].append({**row, "turns": turns, "answers": answers})
        if len(self._waiting[split]) >= self.ROWS:
            self._flush(split)

    def _flush(self, split: str) -> None:
        if self._waiting[split]:
            self._files[split].write_table(pa.Table.from_pylist(self._waiting[split], schema=self._schema))
            self._waiting[split] = []


def label_names(path: Path) -> dict[str, list[str]]:
    """column → names, read back from a file's features."""
    metadata = pq.read_schema(path).metadata or {}
    features = json.loads(metadata[b"huggingface"])["info"]["features"]["turns"]["feature"]
    return {c: f["names"] for c, f in features.items() if f["_type"] == "ClassLabel"}
