"""Raw vector search in the manner of the benchmark's client: one callable, lists of the documented dictionaries.

    image result  {index, score, url, entities: [{entity_name, entity_attributes}]}
    web result    {index, score, page_name, page_snippet, page_url}

Score = 1 − cosine distance. It is dense search only: verification and confidence are `recognise`'s, fusion with words
is `assistant.index.web_search`'s. Unlike the benchmark's client a string is never a path: files are given as `Path`, a
string is an image URL when the user allowed the network, else a text query.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from assistant.core.errors import BadInput
from assistant.core.types import Frame
from assistant.core.whole_text import whole_text
from assistant.index.collections import Collections, Hit
from assistant.index.manifest import Manifest, check_encoder
from assistant.text.encoder import TextEncoder, text_encoder

if TYPE_CHECKING:
    from PIL.Image import Image

    from assistant.vision.picture_encoder import PictureEncoder

_MAX_K = 1000


class SearchPipeline:
    """Searches an open index. Safe to share between threads."""

    def __init__(
        self,
        collections: Collections,
        *,
        allow_network: bool = False,
        encoder: PictureEncoder | None = None,
        texts: TextEncoder | None = None,
    ) -> None:
        self._collections = collections
        self._allow_network = allow_network
        self._encoder = encoder
        self._texts = texts or text_encoder()
        self._lock = threading.Lock()
        if encoder is not None:
            self._check(encoder)

    @classmethod
    def open(cls, index_dir: Path, *, allow_network: bool = False, encoder: PictureEncoder | None = None) -> Self:
        """Open the index at `index_dir`; the packaged image encoder is taken unless one is given.

        Raises:
            NotReady: no index there, or built with other encoders than this Vitrine has.
            UnknownFormat: a format version that this Vitrine does not know.
        """
        return cls(Collections.open(Path(index_dir)), allow_network=allow_network, encoder=encoder)

    @property
    def manifest(self) -> Manifest:
        return self._collections.manifest

    def __call__(self, query: Frame | Image | Path | np.ndarray | str, k: int = 10) -> list[dict[str, Any]]:
        """The `k` best results for a picture (`Frame`, PIL image, `Path`), a vector (ndim 1) or a text.

        A vector goes to the collection whose dimension it has (images first, should both have the same); a (height,
        width, 3) uint8 array is a picture.
        """
        if isinstance(query, str):
            if self._allow_network and query.startswith(("http://", "https://")):
                from assistant.index.fetch import fetch

                return self.images(self._encode(_frame(fetch(query))), k)
            return self.web(whole_text(query), k)
        if isinstance(query, np.ndarray) and query.ndim == 1:
            return self._by_dimension(query, k)
        return self.images(self._encode(_frame(query)), k)

    def images(self, vector: np.ndarray, k: int) -> list[dict[str, Any]]:
        """The `k` nearest pictures to a vector of the image encoder."""
        return self.images_each([vector], k)[0]

    def images_each(self, vectors: Sequence[np.ndarray], k: int) -> list[list[dict[str, Any]]]:
        """The same for each of several vectors, asked for at once."""
        found = self._collections.nearest_images_each(vectors, _checked(k))
        return [[_image_result(hit) for hit in hits] for hits in found]

    def pictures(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        """Image results of known rows of the collection, in their order, with a score of 0: nothing was compared."""
        return [_image_result(hit) for hit in self._collections.images_at(rows)]

    def web(self, query: str | np.ndarray, k: int) -> list[dict[str, Any]]:
        """The nearest chunks of `k` different pages; over-fetches until there are as many, or none is left."""
        k = _checked(k)
        vector = self._texts.encode([query])[0] if isinstance(query, str) else query
        total = self.manifest.counts["chunks"]
        wanted = 4 * k
        while True:
            hits = self._collections.nearest_chunks(vector, max(1, min(wanted, total)))
            best: dict[Any, Hit] = {}
            for hit in hits:
                best.setdefault(hit.metadata.get("page_url"), hit)
            if len(best) >= k or wanted >= total or not hits:
                return [_web_result(hit) for hit in list(best.values())[:k]]
            wanted *= 4

    def close(self) -> None:
        """Release the index's files."""
        self._collections.close()

    def _by_dimension(self, vector: np.ndarray, k: int) -> list[dict[str, Any]]:
        images, texts = self.manifest.image_encoder.dim, self.manifest.text_encoder.dim
        if vector.shape[0] == images:
            return self.images(vector, k)
        if vector.shape[0] == texts:
            return self.web(vector, k)
        raise BadInput(f"a vector of {vector.shape[0]} numbers fits neither pictures ({images}) nor texts ({texts})")

    def _encode(self, frame: Frame) -> np.ndarray:
        from assistant.vision.encoders import picture_encoder
        from assistant.vision.pretrained import WHOLE

        with self._lock:
            if self._encoder is None:
                encoder = picture_encoder()
                self._check(encoder)
                self._encoder = encoder
        return np.asarray(self._encoder.see(frame).vectors([WHOLE])[0])

    def _check(self, encoder: PictureEncoder) -> None:
        check_encoder("image", self.manifest.image_encoder, encoder, self._collections.folder)


def _frame(source: Any) -> Frame:
    """A picture in any accepted form as a Frame; formats, EXIF and damage are `read_frame`'s business."""
    if isinstance(source, Frame):
        return source
    if isinstance(source, np.ndarray):
        if source.ndim == 3 and source.shape[2] == 3 and source.dtype == np.uint8:
            return Frame(source.copy())
        raise BadInput(f"an array of shape {source.shape!r} and type {source.dtype} is neither a vector nor a picture")
    from assistant.vision.frame import read_frame

    if isinstance(source, bytes | Path):
        return read_frame(source)
    from PIL import Image

    if isinstance(source, Image.Image):
        import io

        stream = io.BytesIO()
        source.convert("RGBA" if "A" in source.getbands() or "transparency" in source.info else "RGB").save(
            stream, "PNG", compress_level=1, exif=source.getexif()
        )
        return read_frame(stream.getvalue())
    raise BadInput(f"cannot search by {type(source).__name__!r}: give a Frame, a picture, a Path, a vector or a text")


def _checked(k: int) -> int:
    if not 1 <= k <= _MAX_K:
        raise BadInput(f"k is {k!r}: ask for 1 to {_MAX_K} results")
    return int(k)


def _image_result(hit: Hit) -> dict[str, Any]:
    names = _json(hit.metadata.get("entities"), list)
    info = _json(hit.metadata.get("info"), dict)
    return {
        "index": int(hit.id),
        "score": hit.score,
        "url": hit.metadata.get("image_url"),
        "entities": [{"entity_name": name, "entity_attributes": info.get(name)} for name in names],
    }


def _web_result(hit: Hit) -> dict[str, Any]:
    page: Mapping[str, Any] = hit.metadata
    fields = {name: page.get(name) for name in ("page_name", "page_snippet", "page_url")}
    return {"index": hit.id, "score": hit.score, **fields}


def _json(text: Any, kind: type) -> Any:
    """Stored JSON of the expected kind, or an empty one: published rows hold nulls and damaged values."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        value = None
    return value if isinstance(value, kind) else kind()
