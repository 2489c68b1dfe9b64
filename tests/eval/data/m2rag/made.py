"""Rows in M2RAG's released layout and pictures, made by hand."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

URL = "https://pictures.invalid"


def picture(seed: int, size: tuple[int, int] = (160, 120), kind: str = "PNG") -> bytes:
    """A picture of three rectangles where the seed has them."""
    return _encoded(drawn(seed, size), kind)


def drawn(seed: int, size: tuple[int, int] = (160, 120)) -> Image.Image:
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", size, tuple(rng.integers(0, 256, 3).tolist()))
    for _ in range(3):
        left, top = rng.uniform(0, 0.6, 2)
        box = (left * size[0], top * size[1], (left + 0.35) * size[0], (top + 0.35) * size[1])
        ImageDraw.Draw(image).rectangle(box, fill=tuple(rng.integers(0, 256, 3).tolist()))
    return image


def _encoded(image: Image.Image, kind: str) -> bytes:
    target = io.BytesIO()
    image.save(target, kind)
    return target.getvalue()


def animated() -> bytes:
    target = io.BytesIO()
    drawn(1).save(target, "GIF", save_all=True, append_images=[drawn(2)])
    return target.getvalue()


def image(number: int, split: int | None, score: float | None, **changes: Any) -> dict[str, Any]:
    """An image of page 0; `split` None for one of no page."""
    where = {} if split is None else {"split_id": split}
    name = f"q/{number}.png" if split is None else f"q/webpage-0/{number}.png"
    return {
        "image_id": number, **where, "image_url": f"{URL}/{name}", "cached_image_url": f"http://0.0.0.0:1/set/{name}",
        "valid": True, "final_score": score, "detailed_image_caption": f"picture {number} shows step {number}",
        **changes,
    }  # fmt: skip


def row(query_id: Any = 1, **changes: Any) -> dict[str, Any]:
    """One page of three parts, the last hardly to the matter; pictures 0 and 1 in the first, 2 in the last; one of no
    page."""
    page = {
        "webpage_id": 0,
        "title": "Paper planes",
        "url": f"{URL}/planes",
        "cleaned_webpage_splits": [
            {
                "split_id": 0,
                "text": "Fold it. <IMAGE_PLACEHOLDER>[0] Turn it. <IMAGE_PLACEHOLDER>[1] Press it.",
                "score": 9,
            },
            {"split_id": 1, "text": "Now throw the plane.", "score": 5},
            {"split_id": 2, "text": "Buy our pens. <IMAGE_PLACEHOLDER>[2]", "score": 1},
        ],
        "images": [image(0, 0, 9), image(1, 0, 4), image(2, 2, 8)],
    }
    return {
        "query_id": query_id, "content": "how do I fold a paper plane?", "level": 1, "webpages": [page],
        "aux_images": [image(7, None, 8)], **changes,
    }  # fmt: skip


def write_rows(folder: Path, *rows: Any) -> Path:
    """Rows as a file, with the files of the pictures of page 0 but picture 1, where the released archives have them."""
    path = folder / "dev_set.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in rows) + "\n")
    for name in ("q/webpage-0/0.png", "q/webpage-0/2.png", "q/7.png"):
        file = folder / "images" / "set" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(picture(len(name) + int(file.stem)))
    return path
