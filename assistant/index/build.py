"""From a world folder to an index folder: pictures, entities and pages, everything that answering looks things up in.

Reads `kg/`, `web/` and the pictures that pages name only; `without_gold=True` alone also reads `gold/turns.jsonl`, to
leave out the pages and attributes it names. The index stands under its name when it is complete, never before
(`assistant.core.folders`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import VitrineError
from assistant.core.folders import builder_lock, staged
from assistant.core.threads import workers
from assistant.index import manifest as layout
from assistant.index.build_pictures import READING_PX, PictureRows, Progress, Reads, add_pictures
from assistant.index.catalogue import EntityRecord, write_catalogue
from assistant.index.chunking import Chunk, chunk_page
from assistant.index.collections import CollectionWriter
from assistant.index.manifest import EncoderInfo, Manifest
from assistant.index.page_pictures import write_page_pictures
from assistant.index.web_search import write_word_index
from assistant.index.world_files import (
    EntityRow,
    Gold,
    PageRow,
    read_entities,
    read_gold,
    read_pages,
    read_world,
    world_digest,
)
from assistant.text.encoder import TextEncoder, text_encoder

if TYPE_CHECKING:
    from assistant.vision.picture_encoder import PictureEncoder

_KEPT_SENTENCES = 100


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
    encoder: PictureEncoder | None = None,
    texts: TextEncoder | None = None,
    reader: Reads | None = None,
    read_pictures: bool = True,
    wait_s: float = 0.0,
    keep_current: bool = False,
) -> Manifest:
    """Build the index of `world` at `out` and return its manifest.

    Args:
        world: a world folder (see `assistant.index.world_files`).
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
        from assistant.vision.encoders import picture_encoder

        encoder = picture_encoder()
    texts = texts or text_encoder()
    if reader is None and read_pictures:
        from assistant.vision.ocr import TextReader

        reader = TextReader(engines=workers(), least_px=READING_PX, most_px=READING_PX)

    def wait(seconds: float) -> None:
        tell(0.0, "waiting for another process that builds it")
        time.sleep(seconds)

    with builder_lock(out, wait_s, wait):
        if keep_current and (current := usable_index(world, out, encoder)) is not None:
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
                digests=layout.content_digests(folder),
                built_in_s=round(time.monotonic() - start, 1),
            )
            done.write(folder)
    tell(1.0, "done")
    return done


def usable_index(world: Path, out: Path, encoder: PictureEncoder | None = None) -> Manifest | None:
    """The manifest of the index at `out` when `encoder` can use it and it was built from `world` as it is now, else
    None.

    One without checksums is not used: whether it is whole cannot be seen.
    """
    try:
        current = layout.check_manifest(out, encoder)
    except VitrineError:
        return None
    return current if current.digests and current.world.get("digest") == world_digest(world) else None


def _write(
    folder: Path,
    entities: Sequence[EntityRow],
    pages: Sequence[PageRow],
    encoder: PictureEncoder,
    texts: TextEncoder,
    reader: Reads | None,
    tell: Progress,
) -> _Written:
    """Everything but the manifest."""
    tell(0.0, "pictures")
    writer = CollectionWriter(folder / layout.CHROMA_DIR)
    try:
        rows = add_pictures(entities, folder, writer, encoder, reader, tell)
        chunks = _add_pages(pages, folder, writer, texts, rows, tell)
    finally:
        writer.close()
    tell(0.97, "names")
    records = (
        EntityRecord(e.name, e.attributes, tuple(rows.entities[i][0]), tuple(rows.entities[i][1]))
        for i, e in enumerate(entities)
    )
    shown, left_out = write_page_pictures(pages, folder)
    rows.skipped += left_out
    named = write_catalogue(folder / layout.CATALOGUE_FILE, records, chunks, shown)
    counts = {"images": rows.count, "entities": named, "pages": len({url for _, url in chunks})}
    if shown:
        counts["page_pictures"] = len({row.file for row in shown})
    return _Written({**counts, "chunks": len(chunks), "skipped": len(rows.skipped)}, rows.skipped)


def _without(entity: EntityRow, gold: Gold) -> EntityRow:
    if not gold.attributes:
        return entity
    kept = {k: v for k, v in entity.attributes.items() if (entity.name, k) not in gold.attributes}
    return EntityRow(entity.name, kept, entity.images)


def _add_pages(
    pages: Sequence[PageRow],
    folder: Path,
    writer: CollectionWriter,
    texts: TextEncoder,
    rows: PictureRows,
    tell: Progress,
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
