"""A contact sheet of a world: frames of every domain with a question and its right answer."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from eval.world.drawing.canvas import FONTS_DIR, load_font
from eval.world.rows import label_names

CELL = (330, 440)
TEXT_PX = 96
COLUMNS = 6


def contact_sheet(world: Path, rows_per_domain: int = 1) -> Image.Image:
    """Up to six frames a row, one row (or more) a domain, taken from both splits of the single-turn set."""
    chosen = _choose(world, COLUMNS * rows_per_domain)
    lines = [cells[i : i + COLUMNS] for cells in chosen.values() for i in range(0, len(cells), COLUMNS)]
    sheet = Image.new("RGB", (COLUMNS * CELL[0], len(lines) * (CELL[1] + TEXT_PX)), (246, 245, 242))
    draw = ImageDraw.Draw(sheet)
    for j, line in enumerate(lines):
        for i, (jpeg, query, answer) in enumerate(line):
            x, y = i * CELL[0], j * (CELL[1] + TEXT_PX)
            with Image.open(io.BytesIO(jpeg)) as picture:
                picture.thumbnail((CELL[0] - 10, CELL[1] - 6))
                sheet.paste(picture, (x + 5 + (CELL[0] - 10 - picture.width) // 2, y + 6))
            below = _write(draw, query, x + 8, y + CELL[1] + 4, "work-sans-700", (30, 30, 34))
            _write(draw, answer, x + 8, below + 2, "work-sans-400", (90, 60, 40))
    return sheet


def _choose(world: Path, per_domain: int) -> dict[str, list[tuple[bytes, str, str]]]:
    chosen: dict[str, list[tuple[bytes, str, str]]] = {}
    seen: set[bytes] = set()
    for split in ("validation", "public_test"):
        path = world / "single_turn" / f"{split}.parquet"
        names = label_names(path)["domain"]
        for row in pq.read_table(path).to_pylist():
            jpeg = _bytes(world, row)
            digest = hashlib.sha256(jpeg).digest()
            cells = chosen.setdefault(names[row["turns"]["domain"][0]], [])
            if digest not in seen and len(cells) < per_domain:
                seen.add(digest)
                cells.append((jpeg, row["turns"]["query"][0], row["answers"]["ans_full"][0]))
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
