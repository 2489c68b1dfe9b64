"""One taught view on disk: `ID.npz` with local features and vector, `ID.jpg` with the picture as it was cut out.

A vector of another encoder is made again from the picture when the view is read. A file that is damaged gives None; the
object is then known by its other views.
"""

from __future__ import annotations

import io
import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.types import Frame, Polygon, TextLine
from assistant.teaching.enrol import View
from assistant.vision.frame import read_frame
from assistant.vision.local_features import LocalFeatures
from assistant.vision.picture_encoder import PictureEncoder, box_of

log = logging.getLogger(__name__)

FORMAT_VERSION = 1
#: Longest side of the kept picture.
PICTURE_SIDE_PX = 1024
_MAX_FILE_BYTES = 4_000_000


@dataclass(frozen=True, eq=False)
class StoredView:
    """A view as it is kept; `size_px` and `outline_px` are those of the cut-out before it was made smaller."""

    features: LocalFeatures
    vector: np.ndarray
    encoder_version: str
    jpeg: bytes
    outline_px: Polygon
    size_px: tuple[int, int]

    @classmethod
    def of(cls, view: View, encoder_version: str) -> StoredView:
        size = (view.picture.width_px, view.picture.height_px)
        return cls(view.features, view.vector, encoder_version, _jpeg(view.picture), view.outline_px, size)


def write_view(folder: Path, view_id: str, view: StoredView) -> None:
    """Write both files; they are complete before anybody is told the id.

    Raises:
        OSError: no room, or no right to write there.
    """
    f = view.features
    texts = [[t.text, t.confidence, [list(p) for p in t.outline_px]] for t in f.texts]
    meta = {
        "format_version": FORMAT_VERSION,
        "encoder_version": view.encoder_version,
        "size_px": [f.width_px, f.height_px],
        "outline_px": [list(p) for p in view.outline_px],
        "texts": texts,
    }
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        meta=np.array(json.dumps(meta, ensure_ascii=False)),
        descriptors=f.descriptors,
        keypoints=f.keypoints,
        thumbnail=f.thumbnail,
        extent=f.extent,
        silhouette=f.silhouette,
        vector=view.vector,
    )
    (folder / f"{view_id}.npz").write_bytes(buffer.getvalue())
    (folder / f"{view_id}.jpg").write_bytes(view.jpeg)


def read_view(folder: Path, view_id: str, encoder: PictureEncoder | None) -> StoredView | None:
    """The view of that id, its vector made by the present encoder if there is one; None when it is missing or
    damaged.
    """
    path = folder / f"{view_id}.npz"
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise ValueError("larger than any view")
        with np.load(path, allow_pickle=False) as data:
            view = _from(data, (folder / f"{view_id}.jpg").read_bytes())
    except Exception as problem:  # zip, numpy and JSON raise whatever a damaged file leads them into
        log.warning("the taught view %s cannot be read (%r)", view_id, problem)
        return None
    if encoder is None or view.encoder_version == encoder.version:
        return view
    picture = read_frame(view.jpeg)
    thing = box_of(view.features.extent, view.features.width_px, view.features.height_px)
    return replace(view, vector=encoder.see(picture).vectors([thing])[0], encoder_version=encoder.version)


def _from(data: Any, jpeg: bytes) -> StoredView:
    meta = json.loads(str(data["meta"]))
    if meta["format_version"] != FORMAT_VERSION:
        raise ValueError(f"format {meta['format_version']!r}")
    width, height = (int(v) for v in meta["size_px"])
    texts = tuple(
        TextLine(str(text), float(sure), tuple((float(x), float(y)) for x, y in outline))
        for text, sure, outline in meta["texts"]
    )
    keypoints, descriptors = np.asarray(data["keypoints"], np.float32), np.asarray(data["descriptors"], np.uint8)
    if keypoints.shape != (len(descriptors), 4) or descriptors.shape[1:] != (128,):
        raise ValueError("keypoints and descriptors do not fit each other")
    features = LocalFeatures(
        width, height, keypoints, descriptors, np.asarray(data["thumbnail"], np.uint8), texts,
        np.asarray(data["extent"], np.float32), np.asarray(data["silhouette"], np.uint8),
    )  # fmt: skip
    outline = tuple((float(x), float(y)) for x, y in meta["outline_px"])
    vector = np.asarray(data["vector"], np.float32)
    return StoredView(features, vector, str(meta["encoder_version"]), jpeg, outline, (width, height))


def _jpeg(picture: Frame) -> bytes:
    scale = min(1.0, PICTURE_SIDE_PX / max(picture.width_px, picture.height_px))
    size = (max(1, round(picture.width_px * scale)), max(1, round(picture.height_px * scale)))
    small = cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture.pixels
    bgr = cv2.cvtColor(np.ascontiguousarray(small), cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
