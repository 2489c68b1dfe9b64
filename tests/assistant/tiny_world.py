"""A world folder of a few drawn pictures and made-up pages, for tests of search alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

ENTITIES: list[dict[str, Any]] = [
    {"name": "Harrow Kettle", "attributes": {"weight": "{{convert|940|g|oz}}", "maker": "Lumen Works", "colour": None}},
    {"name": "Harrow", "attributes": {"author": "Ida Venn", "published": 1987}},
    {"name": "Pesto alla Vèrde", "attributes": {"net_weight": "190 g", "ingredients": ["basil", "oil"]}},
    {"name": "It", "attributes": {"author": "Bo Lind"}},
    {"name": "東京 Guide", "attributes": {"pages": 240}},
]
PAGES: list[dict[str, str]] = [
    {
        "url": "https://kettles.invalid/harrow",
        "name": "The Harrow Kettle",
        "text": "The Harrow Kettle boils a litre in three minutes. It is sold in blue. " * 12
        + "Its enamel is fired at 820 degrees in Port Alder.",
    },
    {
        "url": "https://books.invalid/harrow",
        "name": "Harrow",
        "text": "Harrow is a novel by Ida Venn. It won a prize in 1988.",
    },
    {
        "url": "https://food.invalid/pesto",
        "name": "Pesto",
        "text": "A sauce of basil, oil and cheese.\n\nGluten is absent.",
    },
    {
        "url": "https://odd.invalid/code",
        "name": "Part ZX-4417",
        "text": "Replacement gasket ZX-4417 fits no other pump.",
    },
    {"url": "https://empty.invalid/", "name": "Nothing here", "text": ""},
]


def draw(path: Path, seed: int) -> None:
    """A picture with enough corners to have local features."""
    rng = np.random.default_rng(seed)
    picture = Image.new("RGB", (640, 480), tuple(int(v) for v in rng.integers(100, 255, 3)))
    pen = ImageDraw.Draw(picture)
    for _ in range(120):
        x, y, w, h = (int(v) for v in (*rng.integers(0, 560, 2), *rng.integers(8, 80, 2)))
        pen.rectangle((x, y, x + w, y + h), fill=tuple(int(v) for v in rng.integers(0, 255, 3)))
    picture.save(path, quality=92)


def make_world(folder: Path, images_each: int = 1) -> Path:
    """Write the world and return its folder."""
    (folder / "kg" / "images").mkdir(parents=True)
    (folder / "web").mkdir()
    (folder / "gold").mkdir()
    rows, number = [], 0
    for entity in ENTITIES:
        images = []
        for _ in range(images_each):
            draw(folder / "kg" / "images" / f"p{number}.jpg", number)
            images.append({"file": f"kg/images/p{number}.jpg", "url": f"https://pictures.invalid/{number}"})
            number += 1
        rows.append({**entity, "images": images})
    write_lines(folder / "kg" / "entities.jsonl", rows)
    write_lines(folder / "web" / "pages.jsonl", [{"snippet": page["text"][:80], **page} for page in PAGES])
    turns = [
        {"passages": ["https://food.invalid/pesto"], "attributes": [{"entity": "Harrow", "key": "author"}]},
        {"passages": [], "attributes": []},
    ]
    write_lines(folder / "gold" / "turns.jsonl", turns)
    (folder / "world.json").write_text(json.dumps({"format_version": 1, "seed": 7}))
    return folder


def write_lines(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
