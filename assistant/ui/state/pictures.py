"""Pictures as the page shows them: small JPEGs inside the HTML itself, so that no file is left for anyone to fetch.

Covers frames, cut-outs of what was recognised, the small pictures of the index, and pictures among the evidence.
Decoding uploads is the business of `assistant.vision.frame`.
"""

from __future__ import annotations

import base64
import io
import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import BadImage
from assistant.core.types import Frame, Polygon
from assistant.teaching.teacher import Teacher

if TYPE_CHECKING:
    pass

log = logging.getLogger(__name__)

#: Longest sides in px: of the frame on the page, of the thumbnail beside a question, of an evidence card's picture, of
#: a picture in an answer, and of that one while the answer is being written: the page is drawn anew all the time then.
FRAME_SIDE_PX = 1120
THUMB_SIDE_PX = 200
CARD_SIDE_PX = 240
PLACED_SIDE_PX, DRAFT_SIDE_PX = 800, 320


def data_uri(frame: Frame, side_px: int, quality: int = 82) -> str:
    """`frame` as a JPEG data URI, scaled down so that its longest side has at most `side_px` pixels."""
    from PIL import Image

    picture = Image.fromarray(frame.pixels)
    picture.thumbnail((side_px, side_px), Image.Resampling.LANCZOS, reducing_gap=2.0)
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()


def cut_out(frame: Frame, outline_px: Polygon, margin: float = 0.04) -> Frame | None:
    """The upright box around `outline_px`, a little wider than it; None when nothing of it lies on the frame."""
    if len(outline_px) < 3:
        return None
    xs, ys = [p[0] for p in outline_px], [p[1] for p in outline_px]
    pad = margin * max(max(xs) - min(xs), max(ys) - min(ys))
    left, right = max(0, int(min(xs) - pad)), min(frame.width_px, int(max(xs) + pad) + 1)
    top, bottom = max(0, int(min(ys) - pad)), min(frame.height_px, int(max(ys) + pad) + 1)
    if right - left < 4 or bottom - top < 4:
        return None
    return Frame(frame.pixels[top:bottom, left:right].copy())


@dataclass(frozen=True)
class Drawn:
    """A picture as a data URI, and its size in px as it was before it was scaled."""

    uri: str
    width_px: int
    height_px: int


@lru_cache(maxsize=256)
def of_evidence(picture: bytes, side_px: int) -> Drawn | None:
    """A picture among the evidence, scaled down to `side_px`; None where the bytes are none that can be shown."""
    from assistant.vision.frame import read_frame

    try:
        frame = read_frame(picture)
    except BadImage as problem:
        log.warning("a picture among the evidence cannot be shown: %s", problem)
        return None
    return Drawn(data_uri(frame, side_px), frame.width_px, frame.height_px)


class IndexedPictures:
    """The small pictures that an index keeps beside its collections, one for each row of the image collection."""

    def __init__(self, index_dir: Path):
        self._folder = index_dir / "pictures"
        self._card = lru_cache(maxsize=128)(self._load)

    def card(self, index: int) -> str | None:
        """The picture of row `index` as a data URI of at most `CARD_SIDE_PX`; None when it is not at hand."""
        return self._card(index) if index >= 0 else None

    def _load(self, index: int) -> str | None:
        from assistant.vision.frame import read_frame

        path = self._folder / f"{int(index)}.jpg"
        if not path.is_file():
            return None
        try:
            return data_uri(read_frame(path), CARD_SIDE_PX)
        except BadImage as problem:
            log.warning("an indexed picture cannot be shown: %s", problem)
            return None


def card_of(teacher: Teacher | None, image_url: str) -> str | None:
    """The taught picture of that `image_url` as a data URI for a card; None for any other picture."""
    from assistant.teaching.teacher import picture_id

    jpeg = teacher.store.jpeg(picture_id(image_url)) if teacher is not None and picture_id(image_url) else None
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode() if jpeg is not None else None
