"""Local features of pictures: what one picture is verified against, and the store that keeps them beside an index.

A picture becomes SIFT descriptors (uint8), keypoints, a small JPEG for colour and edge checks, and the text read on
it. On disk: plain arrays, memory-mapped, so that opening costs nothing and only the pictures of a short list are read.

    features/ manifest.json     format_version, counts
              descriptors.npy   (total, 128) uint8
              keypoints.npy     (total, 4) float32: x, y, diameter (px of the picture), angle (degrees)
              pictures.npy      (n, 6) int64: first keypoint, end, first byte, end, width, height
              thumbnails.bin    JPEG bytes one after the other
              details.jsonl     one line a picture: {"extent": [[x, y], ...], "silhouette": PNG in base64,
                        "texts": [[text, confidence, [[x, y]]]]}
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.errors import NotReady, UnknownFormat
from assistant.core.types import TextLine
from assistant.vision.silhouette import thing_on

FORMAT_VERSION = 2
#: Keypoints kept for an indexed picture.
INDEXED_KEYPOINTS = 320
#: Keypoints at least so large (diameter as a share of the picture's longer side) get this share of the places.
SIZE_SHARES = ((0.03, 0.15), (0.015, 0.4), (0.008, 0.7), (0.0, 1.0))
#: Longest side of the small picture kept for comparison after alignment.
THUMBNAIL_SIDE_PX = 256
#: What one picture may take on disk, texts and all.
MAX_PICTURE_BYTES = 60_000
_TEXT_BYTES = 2_400


@dataclass(frozen=True, eq=False)
class LocalFeatures:
    """Local features of one picture, in that picture's pixels.

    descriptors (n, 128) uint8 SIFT; keypoints (n, 4) float32 x, y, diameter, angle, strongest first;
    thumbnail (h, w, 3) uint8 RGB, the whole picture at most 256 px long; texts: what was read on it, if anyone read it;
    known_extent, known_silhouette: `extent` and `silhouette` where they were found before.
    """

    width_px: int
    height_px: int
    keypoints: np.ndarray
    descriptors: np.ndarray
    thumbnail: np.ndarray
    texts: tuple[TextLine, ...] = field(default=())
    known_extent: np.ndarray | None = None
    known_silhouette: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.descriptors)

    def with_texts(self, texts: Sequence[TextLine]) -> LocalFeatures:
        return replace(self, texts=tuple(texts))

    def where(self, mask: np.ndarray) -> LocalFeatures:
        """Only the keypoints that `mask` (n,) bool or indices selects."""
        return replace(self, keypoints=self.keypoints[mask], descriptors=self.descriptors[mask])

    @cached_property
    def extent(self) -> np.ndarray:
        """(n, 2) float32 convex polygon in the picture's pixels: where the thing stands before its background."""
        if self.known_extent is not None:
            return self.known_extent
        return np.asarray(self._thing[0] * np.array([self.width_px, self.height_px], np.float32))

    @cached_property
    def silhouette(self) -> np.ndarray:
        """(h, w) uint8 0/1, small: which part of the picture is the thing."""
        return self._thing[1] if self.known_silhouette is None else self.known_silhouette

    @cached_property
    def _thing(self) -> tuple[np.ndarray, np.ndarray]:
        return thing_on(self.thumbnail)

    def within_extent(self) -> LocalFeatures:
        """Without the keypoints of the background; a little is left around for what the silhouette cut too closely."""
        if not len(self):
            return self
        height, width = self.silhouette.shape
        wider = cv2.dilate(self.silhouette, np.ones((5, 5), np.uint8))
        places = self.keypoints[:, :2] / (self.width_px, self.height_px) * (width, height)
        x, y = places.astype(int).clip(0, (width - 1, height - 1)).T
        return self.where(np.flatnonzero(wider[y, x] > 0))

    @cached_property
    def rootsift(self) -> np.ndarray:
        """(n, 128) float32 unit vectors (Arandjelović and Zisserman 2012)."""
        return rootsift(self.descriptors)


def rootsift(descriptors: np.ndarray) -> np.ndarray:
    """(n, 128) float32 unit vectors of (n, 128) uint8 SIFT descriptors."""
    values = descriptors.astype(np.float32)
    values /= np.maximum(values.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(values))


def best_spread(features: LocalFeatures, count: int) -> LocalFeatures:
    """The strongest `count` keypoints, shared out over sizes and over an 8x8 grid.

    Without the shares fine print takes all places, and the picture cannot be found where it is small or blurred.
    """
    if len(features) <= count:
        return features
    sizes = features.keypoints[:, 2] / max(features.width_px, features.height_px)
    cells = (features.keypoints[:, :2] / (features.width_px, features.height_px) * 8).astype(int).clip(0, 7)
    cell = cells[:, 0] * 8 + cells[:, 1]
    chosen = np.zeros(len(features), bool)
    for least, share in SIZE_SHARES:  # coarse ones first; places they leave free go to finer ones
        band = np.flatnonzero((sizes >= least) & ~chosen)
        wanted = min(round(share * count), count) - int(chosen.sum())
        chosen[band[_spread(cell[band])[: max(wanted, 0)]]] = True
    rest = np.flatnonzero(~chosen)
    chosen[rest[_spread(cell[rest])[: count - int(chosen.sum())]]] = True
    return features.where(np.flatnonzero(chosen))


def _spread(cell: np.ndarray) -> np.ndarray:
    """Positions in an order that takes the first of every cell, then the second of every cell, and so on."""
    order = np.argsort(cell, kind="stable")  # keypoints are sorted by strength: this gives ranks within a cell
    rank = np.empty(len(cell), int)
    sorted_cells = cell[order]
    rank[order] = np.arange(len(cell)) - np.searchsorted(sorted_cells, sorted_cells)
    return np.argsort(rank, kind="stable")


def write_features(folder: Path, items: Iterable[LocalFeatures]) -> None:
    """Write the features of indexed pictures in the order of their rows in the collection."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptors, keypoints, pictures, texts = [], [], [], []
    first = byte = 0
    with (folder / "thumbnails.bin").open("wb") as blob:
        for item in items:
            kept = best_spread(item.within_extent(), INDEXED_KEYPOINTS)
            lines = _details_json(item)
            room = MAX_PICTURE_BYTES - len(kept) * (128 + 16) - len(lines.encode()) - 49
            jpeg = _jpeg(item.thumbnail, room)
            blob.write(jpeg)
            pictures.append((first, first + len(kept), byte, byte + len(jpeg), item.width_px, item.height_px))
            first, byte = first + len(kept), byte + len(jpeg)
            descriptors.append(kept.descriptors)
            keypoints.append(kept.keypoints)
            texts.append(lines)
    np.save(folder / "descriptors.npy", np.concatenate(descriptors or [np.zeros((0, 128), np.uint8)]))
    np.save(folder / "keypoints.npy", np.concatenate(keypoints or [np.zeros((0, 4), np.float32)]))
    np.save(folder / "pictures.npy", np.array(pictures, np.int64).reshape(-1, 6))
    (folder / "details.jsonl").write_text("".join(line + "\n" for line in texts), encoding="utf-8")
    manifest = {"format_version": FORMAT_VERSION, "pictures": len(pictures), "keypoints": first}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


class FeatureStore:
    """Read access to what `write_features` wrote; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Open the folder.

        Raises:
            NotReady: the folder or one of its files is missing.
            UnknownFormat: written in a version this Vitrine does not know.
        """
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise NotReady(f"the index has no local features in {folder.name!r}: build the index again") from problem
        if manifest.get("format_version") != FORMAT_VERSION:
            raise UnknownFormat(
                f"the index's local features have format {manifest.get('format_version')!r}, "
                f"this Vitrine reads {FORMAT_VERSION}: build the index again"
            )
        try:
            self._descriptors = _mapped(folder / "descriptors.npy")
            self._keypoints = _mapped(folder / "keypoints.npy")
            self._pictures = np.load(folder / "pictures.npy")
            self._thumbnails = np.memmap(folder / "thumbnails.bin", np.uint8, "r") if len(self._pictures) else None
            rows = [
                json.loads(line) for line in (folder / "details.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
            ]
            self._texts = [_texts(row["texts"]) for row in rows]
            self._extents = [np.array(row["extent"], np.float32) for row in rows]
            self._silhouettes = [str(row["silhouette"]) for row in rows]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise NotReady("the index's local features are damaged: build the index again") from problem
        if not len(rows) == len(self._pictures) == manifest["pictures"]:
            raise NotReady("the index's local features are incomplete: build the index again")
        # Short lists of neighbouring frames overlap; what is derived from a picture is kept with it for a while.
        self._recent = lru_cache(maxsize=128)(self._read)

    def __len__(self) -> int:
        return len(self._pictures)

    def texts(self, index: int) -> tuple[TextLine, ...]:
        """The text that was read on the indexed picture, without touching anything else of it."""
        return self._texts[index]

    def descriptors(self, index: int) -> np.ndarray:
        """(n, 128) uint8 descriptors of the indexed picture, strongest keypoint first, without its thumbnail."""
        first, end = self._pictures[index, :2]
        return np.asarray(self._descriptors[first:end])

    def get(self, index: int) -> LocalFeatures:
        """Features of the picture in row `index` of the image collection."""
        return self._recent(int(index))

    def _read(self, index: int) -> LocalFeatures:
        first, end, byte, last, width, height = (int(v) for v in self._pictures[index])
        assert self._thumbnails is not None  # there is at least one picture
        thumbnail = cv2.imdecode(np.asarray(self._thumbnails[byte:last]), cv2.IMREAD_COLOR)
        if thumbnail is None:
            raise NotReady("the index's local features are damaged: build the index again")
        return LocalFeatures(
            width_px=width,
            height_px=height,
            keypoints=np.asarray(self._keypoints[first:end]),
            descriptors=np.asarray(self._descriptors[first:end]),
            thumbnail=cv2.cvtColor(thumbnail, cv2.COLOR_BGR2RGB),
            texts=self._texts[index],
            known_extent=self._extents[index],
            known_silhouette=_from_png(self._silhouettes[index]),
        )


def _mapped(path: Path) -> np.ndarray:
    array: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _jpeg(thumbnail: np.ndarray, room: int) -> bytes:
    """The thumbnail as JPEG in at most `room` bytes."""
    bgr = cv2.cvtColor(np.ascontiguousarray(thumbnail), cv2.COLOR_RGB2BGR)
    for quality in (88, 75, 60, 40, 20, 5):
        data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= room:
            return data
    return data


def _details_json(item: LocalFeatures) -> str:
    """Extent and texts on one line; where there is too much text, the shortest lines are left out."""
    extent = [[round(float(x), 1), round(float(y), 1)] for x, y in item.extent]
    rows = [
        [line.text[:200], round(line.confidence, 3), [[round(x, 1), round(y, 1)] for x, y in line.outline_px]]
        for line in item.texts
    ]
    while rows and len(json.dumps(rows, ensure_ascii=False).encode()) > _TEXT_BYTES:
        rows.remove(min(rows, key=lambda row: len(str(row[0]))))
    return json.dumps({"extent": extent, "silhouette": _png(item.silhouette), "texts": rows}, ensure_ascii=False)


def _png(silhouette: np.ndarray) -> str:
    """A few hundred characters: the silhouette as PNG of one bit a pixel, base64."""
    data = cv2.imencode(".png", silhouette * 255, [cv2.IMWRITE_PNG_BILEVEL, 1])[1].tobytes()
    return base64.b64encode(data).decode("ascii")


def _from_png(text: str) -> np.ndarray:
    pixels = cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        raise NotReady("the index's local features are damaged: build the index again")
    return (pixels > 127).astype(np.uint8)


def _texts(rows: list[Any]) -> tuple[TextLine, ...]:
    return tuple(
        TextLine(text=text, confidence=confidence, outline_px=tuple((float(x), float(y)) for x, y in outline))
        for text, confidence, outline in rows
    )
