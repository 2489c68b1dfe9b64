"""Looking an index over: does every part hold what the manifest says, and does each sampled row find itself?

Chroma does not notice a truncated segment file; it gives wrong neighbours. So rows are asked for by their own vector.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.errors import VitrineError
from assistant.index.catalogue import Catalogue
from assistant.index.collections import Collections, Hit
from assistant.index.digests import differing
from assistant.index.manifest import (
    BM25_DIR,
    CATALOGUE_FILE,
    FEATURES_DIR,
    PAGE_PICTURES_DIR,
    PICTURES_DIR,
    SHOWN_DIRS,
    Manifest,
    check_manifest,
    damage,
)
from assistant.index.web_search import WordIndex

if TYPE_CHECKING:
    from assistant.vision.picture_encoder import PictureEncoder

_SAMPLE = 64
_SAME = 0.999


def check_index(folder: Path, encoder: PictureEncoder | None = None) -> tuple[Manifest, list[str]]:
    """The manifest of an index and one sentence for each thing that is wrong with it.

    Raises:
        NotReady: nothing there, or nothing that can be opened.
        UnknownFormat: a format version that this Vitrine does not know.
    """
    manifest = check_manifest(folder, encoder)
    collections = Collections.open(folder)
    try:
        problems = [*_differing(folder, manifest), *_lost_rows(collections), *_parts(folder, manifest)]
    finally:
        collections.close()
    return manifest, problems


def _differing(folder: Path, manifest: Manifest) -> list[str]:
    """What opening does not look at: the small pictures, unless some are missing anyway, and large files."""
    digests = dict(manifest.digests)
    for name in SHOWN_DIRS:
        if _missing_pictures(folder, manifest, name):
            digests.pop(name, None)
    return [damage(folder, f"{name} does not hold what was written to it") for name in differing(folder, digests)]


def _missing_pictures(folder: Path, manifest: Manifest, name: str = PICTURES_DIR) -> list[int]:
    count = manifest.counts.get("images" if name == PICTURES_DIR else "page_pictures", 0)
    return [row for row in range(count) if not (folder / name / f"{row}.jpg").is_file()]


def _lost_rows(collections: Collections) -> list[str]:
    problems = []
    for kind, collection, nearest in (
        ("pictures", collections.images, collections.nearest_images),
        ("chunks", collections.web, collections.nearest_chunks),
    ):
        total = collection.count()
        rows = []
        for offset in range(0, total, max(1, total // _SAMPLE)):
            got = collection.get(limit=1, offset=offset, include=["embeddings"])
            rows += list(zip(got["ids"], got["embeddings"], strict=True))
        lost = [i for i, vector in rows if not _finds(i, nearest(np.asarray(vector), 10))]
        if lost:
            problems.append(f"{len(lost)} of {len(rows)} sampled {kind} do not find themselves: build the index again")
    return problems


def _finds(row: str, hits: list[Hit]) -> bool:
    """Whether a row is among its own neighbours; rows of equal vectors may push each other out."""
    return any(hit.id == row for hit in hits) or (len(hits) == 10 and hits[-1].score > _SAME)


def _parts(folder: Path, manifest: Manifest) -> list[str]:
    from assistant.vision.local_features import FeatureStore

    problems = []
    counts = manifest.counts
    try:
        features = len(FeatureStore(folder / FEATURES_DIR))
        if features != counts["images"]:
            problems.append(
                f"there are local features of {features} pictures, not of {counts['images']}: build it again"
            )
        catalogue = Catalogue(folder / CATALOGUE_FILE)
        try:
            found = catalogue.counts()
        finally:
            catalogue.close()
        for kind in ("entities", "chunks"):
            if found[kind] != counts[kind]:
                problems.append(f"the catalogue knows {found[kind]} {kind}, not {counts[kind]}: build the index again")
        word_rows = len(WordIndex(folder / BM25_DIR))
        if word_rows not in (counts["chunks"], 0):  # 0: pages without a single word
            problems.append(f"the word index knows {word_rows} chunks, not {counts['chunks']}: build the index again")
    except VitrineError as problem:
        problems.append(str(problem))
    if missing := _missing_pictures(folder, manifest):
        problems.append(
            f"{len(missing)} small pictures are missing, the first of row {missing[0]}: build the index again"
        )
    if missing := _missing_pictures(folder, manifest, PAGE_PICTURES_DIR):
        problems.append(f"{len(missing)} pictures of pages are missing, the first {missing[0]}.jpg: build it again")
    return problems
