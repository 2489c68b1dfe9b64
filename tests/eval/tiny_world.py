"""A world of a few rows written by hand, for tests of loading, running and judging: tiny pictures, no generator."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

DOMAINS = ["book", "food", "shopping"]
NAMES = {
    "domain": DOMAINS,
    "query_category": ["simple-knowledge", "comparison"],
    "dynamism": ["static", "fast-changing"],
    "image_quality": ["normal", "low light"],
}


def picture(colour: tuple[int, int, int] = (200, 30, 30), size: tuple[int, int] = (96, 128)) -> bytes:
    """A PNG of one colour, size as (width, height)."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def row(
    session: str, turns: Sequence[Mapping[str, Any]], image: bytes | None, url: str | None = None
) -> dict[str, Any]:
    """One CRAG-MM row; each turn has `query`, `answer` and integer labels (0 unless given)."""
    ids = [f"{session}-{i}" for i in range(len(turns))]
    return {
        "session_id": session,
        "image": None if image is None else {"bytes": image, "path": None},
        "image_url": url,
        "turns": {
            "interaction_id": ids,
            **{label: [t.get(label, 0) for t in turns] for label in NAMES},
            "query": [t["query"] for t in turns],
        },
        "answers": {"interaction_id": ids, "ans_full": [t["answer"] for t in turns]},
    }


def write_parquet(
    path: Path,
    rows: Sequence[Mapping[str, Any]],
    names: Mapping[str, Sequence[str]] | None = NAMES,
    *,
    old: bool = False,
) -> None:
    """Write rows with the features' names in the schema, as `datasets` does; `old`: lists of dictionaries."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [dict(r) for r in rows]
    if old:
        for r in rows:
            for part in ("turns", "answers"):
                columns = r[part]
                r[part] = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    columns = {name: [r[name] for r in rows] for name in rows[0] if name != "image"}
    table = pa.table({**columns, "image": pa.array([r["image"] for r in rows], image)})
    if names is not None:
        labels = {key: {"names": list(values), "_type": "ClassLabel"} for key, values in names.items()}
        if old:
            turns: Any = [labels]
        else:
            turns = {key: {"feature": value, "_type": "List"} for key, value in labels.items()}
        features = {"info": {"features": {"turns": turns, "session_id": {"dtype": "string", "_type": "Value"}}}}
        table = table.replace_schema_metadata({"huggingface": json.dumps(features)})
    pq.write_table(table, path, row_group_size=2)


GOLD_DEFAULTS: dict[str, Any] = {
    "flat": True, "domain": "book", "indexed": True, "outline_px": None, "passages": [], "attributes": [],
    "answerable": True, "why_not": None, "popularity": "head", "text_clue": False, "needs_image": True,
    "needs_history": False, "standalone_query": "", "question_type": "simple-knowledge", "entities": [],
}  # fmt: skip


def gold(interaction: str, entity: str | None, answer: Mapping[str, Any] | None, **changes: Any) -> dict[str, Any]:
    session, _, turn = interaction.rpartition("-")
    return {
        **GOLD_DEFAULTS,
        "session_id": session,
        "interaction_id": interaction,
        "turn_idx": int(turn),
        "entity": entity,
        "entities": [entity] if entity else [],
        "answer": answer,
        **changes,
    }


def number(value: float, unit: str | None = None) -> dict[str, Any]:
    return {"kind": "number", "value": value, "unit": unit, "aliases": []}


def write_world(folder: Path) -> Path:
    """Three single-turn rows (one by URL, one without a picture) and one conversation of three turns."""
    write_parquet(
        folder / "single_turn" / "validation.parquet",
        [
            row("s1", [{"query": "How heavy is this?", "answer": "It weighs 340 g.", "domain": 2}], picture()),
            row("s2", [{"query": "And this?", "answer": "7 pages", "domain": 1}], None, "https://a.invalid/x.png"),
            row("s3", [{"query": "Lost?", "answer": "gone"}], None),
        ],
    )
    reordered = {**NAMES, "domain": list(reversed(DOMAINS))}
    turns = [
        {"query": "Who made this?", "answer": "Nordlicht", "domain": 2},
        {"query": "How many parts has it?", "answer": "12 parts", "domain": 0},
        {"query": "Is it waterproof?", "answer": "No, it is not.", "domain": 0, "query_category": 1},
    ]
    write_parquet(folder / "multi_turn" / "validation.parquet", [row("m1", turns, picture((0, 0, 200)))], reordered)
    cache = folder / "urlcache" / hashlib.sha256(b"https://a.invalid/x.png").hexdigest()
    cache.parent.mkdir()
    cache.write_bytes(picture((0, 200, 0), (40, 30)))
    lamp = {"entity": "Amber Lamp"}
    lines = [
        gold("s1-0", "Amber Lamp", number(340.0, "g"), attributes=[{**lamp, "key": "weight"}], standalone_query="w?"),
        gold("s2-0", None, number(7.0), indexed=False, popularity="tail"),
        gold("m1-0", "Amber Lamp", {"kind": "name", "value": "Nordlicht", "unit": None, "aliases": []}),
        gold("m1-1", "Amber Lamp", number(12.0), needs_history=True),
        gold("m1-2", "Unknown Jar", {"kind": "yesno", "value": False, "unit": None, "aliases": []}, indexed=False),
    ]
    _write_lines(folder / "gold" / "turns.jsonl", lines)
    facts = {"name": "Amber Lamp", "attributes": {"weight": "{{convert|340|g|oz}}"}, "images": []}
    _write_lines(folder / "kg" / "entities.jsonl", [facts])
    _write_lines(folder / "web" / "pages.jsonl", [])
    (folder / "world.json").write_text(json.dumps({"format_version": 1, "seed": 7}))
    return folder


def _write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
