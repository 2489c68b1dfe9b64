"""A contact sheet of a world: frames of every domain with a question and its right answer."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from eval.world.drawing.kit.canvas import FONTS_DIR, load_font
from eval.world.rows import label_names

CELL = (330, 440)
TEXT_PX, HEAD_PX = 96, 30
COLUMNS = 6


def contact_sheet(world: Path) -> Image.Image:
    """One row a domain, six frames of different entities in each, as they come in the single-turn set; a domain that
    has too few there goes on with the beginnings of conversations."""
    chosen = _choose(world, COLUMNS)
    height = HEAD_PX + CELL[1] + TEXT_PX
    sheet = Image.new("RGB", (COLUMNS * CELL[0], len(chosen) * height), (246, 245, 242))
    draw = ImageDraw.Draw(sheet)
    for j, (domain, cells) in enumerate(chosen.items()):
        top = j * height
        draw.rectangle((0, top, sheet.width, top + HEAD_PX - 4), fill=(52, 62, 74))
        _write(draw, domain, 8, top + 3, "work-sans-700", (246, 245, 242))
        for i, (jpeg, query, answer) in enumerate(cells):
            x, y = i * CELL[0], top + HEAD_PX
            with Image.open(io.BytesIO(jpeg)) as picture:
                picture.thumbnail((CELL[0] - 10, CELL[1] - 6))
                sheet.paste(picture, (x + 5 + (CELL[0] - 10 - picture.width) // 2, y + 3))
            below = _write(draw, query, x + 8, y + CELL[1] + 4, "work-sans-700", (30, 30, 34))
            _write(draw, answer, x + 8, below + 2, "work-sans-400", (90, 60, 40))
    return sheet


def _choose(world: Path, per_domain: int) -> dict[str, list[tuple[bytes, str, str]]]:
    gold = map(json.loads, (world / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines())
    entity = {(g["set"], g["session_id"]): g["entity"] for g in gold if g["turn_idx"] == 0}
    chosen: dict[str, list[tuple[bytes, str, str]]] = {}
    seen: set[str] = set()
    for kind in ("single_turn", "multi_turn"):
        for split in ("validation", "public_test"):
            path = world / kind / f"{split}.parquet"
            names = label_names(path)["domain"]
            for batch in pq.ParquetFile(path).iter_batches(batch_size=16):
                for row in batch.to_pylist():
                    cells = chosen.setdefault(names[row["turns"]["domain"][0]], [])
                    about = entity[kind, row["session_id"]]
                    if about not in seen and len(cells) < per_domain:
                        seen.add(about)
                        cells.append((_bytes(world, row), row["turns"]["query"][0], row["answers"]["ans_full"][0]))
    return dict(sorted(chosen.items()))


def _bytes(world: Path, row: dict[str, Any]) -> bytes:
    if row["image"]:
        data: bytes = row["image"]["bytes"]
        return data
    return (world / "urlcache" / hashlib.sha256(row["image_url"].encode()).hexdigest()).read_bytes()


def _write(draw: ImageDraw.ImageDraw, text: str, x: int, y: int, font: str, fill: tuple[int, int, int]) -> int:
    """Up to two lines of small print; returns where the next one starts."""
    face = load_font(str(FONTS_DIR / f"{font}.ttf"), 15)
    rows, row = [], ""
    for word in text.split():
        if face.getlength(f"{row} {word}") > CELL[0] - 16 and row:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    rows.append(row)
    if len(rows) > 2:
        rows = [rows[0], rows[1] + " …"]
    for line in rows:
        draw.text((x, y), line, font=face, fill=fill)
        y += 20
    return y
