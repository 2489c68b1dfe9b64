"""A world folder whose page tells how a kettle is descaled, with pictures; one is broken, one missing, one of other
things."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tests.assistant.tiny_world import draw, write_lines

NAME = "Harrow Kettle"
QUESTION = "Show me how to descale the Harrow Kettle"
URL = "https://kettles.invalid/descale"
TEXT = (
    "The Harrow Kettle is descaled with white vinegar. Fill the Harrow Kettle half with water and half with white "
    "vinegar. Bring it to the boil and leave it for an hour. Rinse the Harrow Kettle three times under the tap. The "
    "Harrow Kettle is descaled every two months where the water is hard."
)
VINEGAR, RINSED = "https://pictures.invalid/vinegar.jpg", "https://pictures.invalid/rinsed.png"
CAPTIONS = {
    VINEGAR: "White vinegar is poured into the Harrow Kettle",
    RINSED: "The Harrow Kettle is rinsed <b>under the tap</b>",
    "https://pictures.invalid/factory.jpg": "A portrait of the founder of a sailing club",
    "https://pictures.invalid/broken.jpg": "The Harrow Kettle, descaled",
    "https://pictures.invalid/missing.jpg": "The Harrow Kettle before descaling",
}
COLOURS = {VINEGAR: (40, 70, 200), RINSED: (200, 60, 40)}


def encoded(colour: tuple[int, int, int], size: tuple[int, int] = (900, 600), kind: str = "JPEG") -> bytes:
    picture = Image.new("RGB", size, colour)
    ImageDraw.Draw(picture).ellipse((size[0] // 4, size[1] // 4, size[0] // 2, size[1] // 2), fill=(240, 230, 200))
    stream = io.BytesIO()
    picture.save(stream, kind)
    return stream.getvalue()


def make_pictured_world(folder: Path) -> Path:
    """Write the world and return its folder."""
    (folder / "kg" / "images").mkdir(parents=True)
    (folder / "web").mkdir()
    (folder / "urlcache").mkdir()
    draw(folder / "kg" / "images" / "p0.jpg", 0)
    images: list[dict[str, Any]] = [{"file": "kg/images/p0.jpg", "url": "https://pictures.invalid/0"}]
    write_lines(
        folder / "kg" / "entities.jsonl", [{"name": NAME, "attributes": {"maker": "Lumen Works"}, "images": images}]
    )
    bytes_of = {
        VINEGAR: encoded(COLOURS[VINEGAR]),
        "https://pictures.invalid/factory.jpg": encoded((90, 90, 90)),
        "https://pictures.invalid/broken.jpg": b"\xff\xd8 this is no picture",
    }
    for url, content in bytes_of.items():
        (folder / "urlcache" / hashlib.sha256(url.encode()).hexdigest()).write_bytes(content)
    (folder / "web" / "rinsed.png").write_bytes(encoded(COLOURS[RINSED], (400, 700), "PNG"))
    shown = [{"url": url, "caption": caption} for url, caption in CAPTIONS.items()]
    shown[1]["file"] = "web/rinsed.png"
    pages = [
        {"url": URL, "name": "Descaling the Harrow Kettle", "snippet": "", "text": TEXT, "images": shown},
        {
            "url": "https://books.invalid/harrow",
            "name": "Harrow",
            "snippet": "",
            "text": "Harrow is a novel by Ida Venn.",
        },
    ]
    write_lines(folder / "web" / "pages.jsonl", pages)
    (folder / "world.json").write_text(json.dumps({"format_version": 1, "seed": 7}))
    return folder
