"""What an index keeps of its pictures: vectors and metadata in the collection, local features and small JPEGs aside.

Pictures are seen side by side, one thread each, and written in their order; a bad file is left out and told, never the
end of a build.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from assistant.core.errors import BadImage
from assistant.core.threads import one_thread_each
from assistant.core.types import Frame, TextLine
from assistant.index import manifest as layout
from assistant.index.collections import CollectionWriter
from assistant.index.world_files import EntityRow

if TYPE_CHECKING:
    from assistant.vision.local_features import LocalFeatures
    from assistant.vision.picture_encoder import PictureEncoder

    #: What the index keeps of a picture (features, vector, small JPEG), or why it is left out.
    Seen = tuple[LocalFeatures, np.ndarray, bytes] | str


Progress = Callable[[float, str], None]
PICTURE_SIDE_PX = 512
#: The shorter side that text is looked for on; lines are read at the picture's own size. On the bundled world 600 px,
#: the pictures' own, take half as much time again and find two more words in a hundred of those printed there.
READING_PX = 480
#: Rows given to the collection at once; results that may wait for the one before them.
_SLICE = 64
_AHEAD = 16


class Reads(Protocol):
    """What reads the text on indexed pictures (`assistant.vision.ocr.TextReader`)."""

    def read(self, frame: Frame) -> tuple[TextLine, ...]: ...


@dataclass
class PictureRows:
    """What has been written so far of the image collection."""

    count: int = 0
    entities: dict[int, tuple[list[int], list[str]]] = field(default_factory=dict)  # entity → rows, urls
    skipped: list[str] = field(default_factory=list)


def add_pictures(
    entities: Sequence[EntityRow],
    folder: Path,
    writer: CollectionWriter,
    encoder: PictureEncoder,
    reader: Reads | None,
    tell: Progress,
) -> PictureRows:
    """Vectors and metadata to the collection, local features and small pictures beside it, rows in the same order."""
    from assistant.vision.local_features import write_features

    rows = PictureRows(entities={i: ([], []) for i in range(len(entities))})
    pictures = [(i, path, url) for i, entity in enumerate(entities) for path, url in entity.images]
    (folder / layout.PICTURES_DIR).mkdir()

    def seen(path: Path) -> Seen:
        return _see(path, encoder, reader)

    def features(results: Iterator[Seen]) -> Iterator[LocalFeatures]:
        vectors: list[np.ndarray] = []
        metadata: list[dict[str, Any]] = []
        for done, ((i, path, url), result) in enumerate(zip(pictures, results, strict=True), 1):
            tell(0.75 * done / len(pictures), "pictures")
            if isinstance(result, str):
                rows.skipped.append(f"the picture {path.name!r} of {entities[i].name!r} {result}")
                continue
            local, vector, jpeg = result
            (folder / layout.PICTURES_DIR / f"{rows.count}.jpg").write_bytes(jpeg)
            vectors.append(vector)
            metadata.append(_image_metadata(entities[i], url))
            rows.entities[i][0].append(rows.count)
            rows.entities[i][1].append(url)
            rows.count += 1
            yield local
            if len(metadata) == _SLICE:
                writer.add_images(rows.count - len(metadata), np.stack(vectors), metadata)
                vectors.clear()
                metadata.clear()
        if metadata:
            writer.add_images(rows.count - len(metadata), np.stack(vectors), metadata)

    with one_thread_each() as threads, ThreadPoolExecutor(threads, thread_name_prefix="index-pictures") as pool:
        results = _in_order(pool, seen, [path for _, path, _ in pictures])
        write_features(folder / layout.FEATURES_DIR, features(results))
    return rows


def _in_order(pool: Executor, work: Callable[[Path], Seen], items: Sequence[Path]) -> Iterator[Seen]:
    """The results in the order of the items; the pool is kept busy, and never more than `_AHEAD` results wait."""
    waiting: deque[Future[Seen]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _see(path: Path, encoder: PictureEncoder, reader: Reads | None) -> Seen:
    """Features, vector and small JPEG of one picture, or why it is left out. One bad file must not stop a build."""
    from assistant.vision.frame import read_frame
    from assistant.vision.image_encoder import extract
    from assistant.vision.picture_encoder import thing_vector

    if not path.is_file():
        return "is missing"
    try:
        frame = read_frame(path)
    except BadImage as problem:
        return f"cannot be used: {problem}"
    local = extract(frame)
    if reader is not None:
        local = local.with_texts(reader.read(frame))
    return local, thing_vector(encoder, frame, local), small_jpeg(frame)


def small_jpeg(frame: Frame) -> bytes:
    """The frame as JPEG of at most `PICTURE_SIDE_PX`, for showing."""
    import io

    from PIL import Image

    picture = Image.fromarray(frame.pixels)
    picture.thumbnail((PICTURE_SIDE_PX, PICTURE_SIDE_PX))
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=85)
    return stream.getvalue()


def _image_metadata(entity: EntityRow, url: str) -> dict[str, Any]:
    return {
        "image_url": url,
        "entities": json.dumps([entity.name], ensure_ascii=False),
        "info": json.dumps({entity.name: dict(entity.attributes)}, ensure_ascii=False),
    }
