"""From a world folder to an index folder: pictures, entities and pages, everything that answering looks things up in.

Reads `kg/` and `web/` only; `without_gold=True` alone also reads `gold/turns.jsonl`, to leave out the pages and
attributes it names. The index stands under its name when it is complete, never before (`assistant.search.staging`).
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from assistant.conversation import Frame, TextLine
from assistant.errors import BadImage, VitrineError
from assistant.search import manifest as layout
from assistant.search.catalogue import EntityRecord, write_catalogue
from assistant.search.chunking import Chunk, chunk_page
from assistant.search.collections import CollectionWriter
from assistant.search.cores import one_thread_each, workers
from assistant.search.manifest import EncoderInfo, Manifest
from assistant.search.staging import builder_lock, staged
from assistant.search.text_encoder import TextEncoder, text_encoder
from assistant.search.web import write_word_index
from assistant.search.world_files import (
    EntityRow,
    Gold,
    PageRow,
    read_entities,
    read_gold,
    read_pages,
    read_world,
    world_digest,
)

if TYPE_CHECKING:
    from assistant.search.features import LocalFeatures
    from assistant.search.image_encoder import ImageEncoder

    #: What the index keeps of a picture (features, vector, small JPEG), or why it is left out.
    Seen = tuple[LocalFeatures, np.ndarray, bytes] | str

Progress = Callable[[float, str], None]
PICTURE_SIDE_PX = 512
#: Smaller pictures are enlarged for reading, as frames are, but not to a frame's 704: on the bundled world that took a
#: third more time and gave as many of the words that are printed there (455 on 406 pictures).
_READING_LEAST_PX = 600
#: Rows given to the collection at once; results that may wait for the one before them.
_SLICE = 64
_AHEAD = 16
_KEPT_SENTENCES = 100


class Reads(Protocol):
    """What reads the text on indexed pictures (`assistant.vision.reading.TextReader`)."""

    def read(self, frame: Frame) -> tuple[TextLine, ...]: ...


@dataclass
class _Rows:
    """What has been written so far of the image collection."""

    count: int = 0
    entities: dict[int, tuple[list[int], list[str]]] = field(default_factory=dict)  # entity → rows, urls
    skipped: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Written:
    counts: dict[str, int]
    skipped: list[str]


def build_index(
    world: Path,
    out: Path,
    *,
    without_gold: bool = False,
    progress: Progress | None = None,
    encoder: ImageEncoder | None = None,
    texts: TextEncoder | None = None,
    reader: Reads | None = None,
    read_pictures: bool = True,
    wait_s: float = 0.0,
    keep_current: bool = False,
) -> Manifest:
    """Build the index of `world` at `out` and return its manifest.

    Args:
        world: a world folder (see `assistant.search.world_files`).
        out: the folder to write; an index that stands there is replaced when the new one is complete.
        without_gold: leave out the pages and attributes that gold/turns.jsonl names.
        progress: gets the share done, 0..1, and what is being done.
        encoder, texts: the encoders; the shipped ones by default.
        reader: reads the text on the pictures, which helps to tell similar ones apart; the shipped one by default.
        read_pictures: False leaves the pictures' text unread.
        wait_s: how long to wait for another builder of the same index.
        keep_current: when an index of this world can be used by then, as after waiting, return that one.

    Raises:
        BadInput: the world or `out` cannot be used; the sentence says which file and line.
        NotReady: another process is building it, or an encoder is missing.
    """
    world, out = Path(world), Path(out)
    tell = progress or (lambda share, what: None)
    start = time.monotonic()
    about = read_world(world)
    gold = read_gold(world) if without_gold else Gold(frozenset(), frozenset())
    entities = [_without(entity, gold) for entity in read_entities(world)]
    pages = [page for page in read_pages(world) if page.url not in gold.pages]
    if encoder is None:
        from assistant.search.image_encoder import ImageEncoder

        encoder = ImageEncoder.load()
    texts = texts or text_encoder()
    if reader is None and read_pictures:
        from assistant.vision.reading import TextReader

        reader = TextReader(engines=workers(), threads=1, least_px=_READING_LEAST_PX)
    with builder_lock(out, wait_s):
        if keep_current and (current := usable_index(world, out)) is not None:
            return current
        with staged(out, layout.FILE_NAME) as folder:
            written = _write(folder, entities, pages, encoder, texts, reader if read_pictures else None, tell)
            done = Manifest(
                image_encoder=EncoderInfo(encoder.name, encoder.version, encoder.dim),
                text_encoder=EncoderInfo(texts.name, texts.version, texts.dim),
                counts=written.counts,
                world={
                    **{key: about[key] for key in ("seed", "format_version", "versions") if key in about},
                    "digest": world_digest(world),
                },
                without_gold=without_gold,
                skipped=tuple(written.skipped[:_KEPT_SENTENCES]),
                files=layout.lasting_files(folder),
                built_in_s=round(time.monotonic() - start, 1),
            )
            done.write(folder)
    tell(1.0, "done")
    return done


def usable_index(world: Path, out: Path) -> Manifest | None:
    """The manifest of the index at `out` when it can be used and was built from `world` as it is now, else None."""
    try:
        current = layout.check_manifest(out)
    except VitrineError:
        return None
    return current if current.world.get("digest") == world_digest(world) else None


def _write(
    folder: Path,
    entities: Sequence[EntityRow],
    pages: Sequence[PageRow],
    encoder: ImageEncoder,
    texts: TextEncoder,
    reader: Reads | None,
    tell: Progress,
) -> _Written:
    """Everything but the manifest."""
    tell(0.0, "pictures")
    writer = CollectionWriter(folder / layout.CHROMA_DIR)
    try:
        rows = _add_pictures(entities, folder, writer, encoder, reader, tell)
        chunks = _add_pages(pages, folder, writer, texts, rows, tell)
    finally:
        writer.close()
    tell(0.97, "names")
    records = (
        EntityRecord(e.name, e.attributes, tuple(rows.entities[i][0]), tuple(rows.entities[i][1]))
        for i, e in enumerate(entities)
    )
    named = write_catalogue(folder / layout.CATALOGUE_FILE, records, chunks)
    counts = {"images": rows.count, "entities": named, "pages": len({url for _, url in chunks})}
    return _Written({**counts, "chunks": len(chunks), "skipped": len(rows.skipped)}, rows.skipped)


def _without(entity: EntityRow, gold: Gold) -> EntityRow:
    if not gold.attributes:
        return entity
    kept = {k: v for k, v in entity.attributes.items() if (entity.name, k) not in gold.attributes}
    return EntityRow(entity.name, kept, entity.images)


def _add_pictures(
    entities: Sequence[EntityRow],
    folder: Path,
    writer: CollectionWriter,
    encoder: ImageEncoder,
    reader: Reads | None,
    tell: Progress,
) -> _Rows:
    """Vectors and metadata to the collection, local features and small pictures beside it, rows in the same order."""
    from assistant.search.features import write_features

    rows = _Rows(entities={i: ([], []) for i in range(len(entities))})
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


def _see(path: Path, encoder: ImageEncoder, reader: Reads | None) -> Seen:
    """Features, vector and small JPEG of one picture, or why it is left out. One bad file must not stop a build."""
    from assistant.vision.frame import read_frame

    if not path.is_file():
        return "is missing"
    try:
        frame = read_frame(path)
    except BadImage as problem:
        return f"cannot be used: {problem}"
    local = encoder.features(frame)
    if reader is not None:
        local = local.with_texts(reader.read(frame))
    return local, np.asarray(encoder.picture_vector(local), np.float32), _small_jpeg(frame)


def _small_jpeg(frame: Frame) -> bytes:
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


def _add_pages(
    pages: Sequence[PageRow], folder: Path, writer: CollectionWriter, texts: TextEncoder, rows: _Rows, tell: Progress
) -> list[tuple[str, str]]:
    """Chunks to the collection and to the word index; returns (id, url) of each chunk in order."""
    tell(0.75, "pages")
    chunks: list[tuple[PageRow, int, Chunk]] = []
    known: set[str] = set()
    for page in pages:
        if page.url in known:
            rows.skipped.append(f"the page {page.url!r} stands twice in web/pages.jsonl")
            continue
        known.add(page.url)
        found = chunk_page(page.name, page.text if page.text.strip() else page.snippet, texts)
        chunks.extend((page, i, chunk) for i, chunk in enumerate(found))
    embedded = [chunk.embedded for _, _, chunk in chunks]
    write_word_index(folder / layout.BM25_DIR, embedded)
    if not chunks:
        return []
    vectors = texts.encode_corpus(embedded, lambda share: tell(0.77 + 0.18 * share, "pages"))
    tell(0.95, "storing")
    ids = [f"{page.url}_chunk_{i}" for page, i, _ in chunks]
    rest = iter(chunks)
    for start in range(0, len(ids), 5000):  # metadata is made piece by piece: texts are held once only
        metadata = [
            {"page_name": page.name, "page_snippet": chunk.text, "page_url": page.url}
            for page, _, chunk in islice(rest, 5000)
        ]
        part = slice(start, start + len(metadata))
        writer.add_chunks(ids[part], vectors[part], metadata)
    return [(i, page.url) for i, (page, _, _) in zip(ids, chunks, strict=True)]
