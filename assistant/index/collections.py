"""The two Chroma collections of an index, in the benchmark's layout: creating, filling, opening, asking.

`image_embeddings`: ids "0", "1", …; metadata image_url, entities (JSON list of names), info (JSON object, name →
attributes). `web_search_embeddings`: ids `<url>_chunk_<i>`; metadata page_name, page_snippet, page_url. Cosine
distance over unit vectors. Metadata is read for hits only. Opening never creates: Chroma would make an empty
database of a missing path. Nor does Chroma notice a damaged segment file: checksums are compared before it is opened.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from assistant.core.errors import BadInput, NotReady
from assistant.index.manifest import CHROMA_DIR, Manifest, check_encoder, check_files, read_manifest
from assistant.text.encoder import text_encoder

IMAGES = "image_embeddings"
WEB = "web_search_embeddings"
#: Chroma's default of 100 finds 0.98 of the true neighbours at 68,000 rows, 400 finds 0.999.
_EF_SEARCH = 400
_EF_CONSTRUCTION = 200


@dataclass(frozen=True)
class Hit:
    """One neighbour: its id, score = 1 − cosine distance, and its metadata as stored."""

    id: str
    score: float
    metadata: Mapping[str, Any]


class Collections:
    """An open index. Safe to share between threads; `close` releases Chroma's files.

    Chroma shares one open database a path and process: an index that was built again shows only to a process in which
    everything that had the old one open is closed.
    """

    def __init__(self, folder: Path, manifest: Manifest, client: Any) -> None:
        self.folder = folder
        self.manifest = manifest
        self._client = client
        self.images = client.get_collection(IMAGES, embedding_function=None)
        self.web = client.get_collection(WEB, embedding_function=None)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index at `folder`, checking the manifest first.

        Raises:
            NotReady: nothing there, made with another text encoder, damaged, or in a folder that cannot be written.
            UnknownFormat: written in a format that this version does not know.
        """
        manifest = read_manifest(folder)
        check_encoder("text", manifest.text_encoder, text_encoder(), folder)
        path = folder / CHROMA_DIR
        if not (path / "chroma.sqlite3").is_file():
            raise NotReady(f"the index {str(folder)!r} has lost its collections ({CHROMA_DIR}): build it again")
        check_files(folder, manifest)
        if not (os.access(path, os.W_OK) and os.access(path / "chroma.sqlite3", os.W_OK)):
            raise NotReady(
                f"the index {str(folder)!r} is read-only and Chroma writes even when it only reads: "
                "copy the folder to a place that can be written and give that with --index"
            )
        client = None
        try:
            client = _client(path)
            opened = cls(folder, manifest, client)
            opened._check_counts()
        except BaseException as problem:  # Chroma raises its own errors, sqlite3's and Rust's, which are no Exception
            if client is not None:
                client.close()
            if isinstance(problem, (NotReady, KeyboardInterrupt, SystemExit)):
                raise
            raise NotReady(
                f"the index {str(folder)!r} cannot be opened ({type(problem).__name__}): build it again"
            ) from problem
        return opened

    def nearest_images(self, vector: np.ndarray, k: int) -> list[Hit]:
        """The `k` nearest rows of the image collection, nearest first."""
        return self.nearest_images_each([vector], k)[0]

    def nearest_images_each(self, vectors: Sequence[np.ndarray], k: int) -> list[list[Hit]]:
        """The same for each of several vectors, asked for at once: a fifth of the time of one after the other."""
        return _nearest(self.images, vectors, k, self.manifest.image_encoder.dim, self.manifest.counts["images"])

    def images_at(self, rows: Sequence[int]) -> list[Hit]:
        """These rows of the image collection, in this order, as far as there are such; their score is 0."""
        if not len(rows):
            return []
        found = self.images.get(ids=[str(row) for row in rows], include=["metadatas"])
        known = dict(zip(found["ids"], found["metadatas"], strict=True))
        return [Hit(str(row), 0.0, known[str(row)] or {}) for row in rows if str(row) in known]

    def nearest_chunks(self, vector: np.ndarray, k: int) -> list[Hit]:
        """The `k` nearest chunks of web pages, nearest first; pages may repeat."""
        return _nearest(self.web, [vector], k, self.manifest.text_encoder.dim, self.manifest.counts["chunks"])[0]

    def close(self) -> None:
        """Release the files; the object cannot be asked afterwards."""
        self._client.close()

    def _check_counts(self) -> None:
        found = {"images": self.images.count(), "chunks": self.web.count()}
        for kind, n in found.items():
            if n != self.manifest.counts.get(kind):
                raise NotReady(
                    f"the index {str(self.folder)!r} holds {n} {kind} and its manifest says "
                    f"{self.manifest.counts.get(kind)!r}: build it again"
                )


class CollectionWriter:
    """Creates both collections in an empty folder and fills them in batches that Chroma accepts."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._client = _client(folder)
        self._batch = int(self._client.get_max_batch_size())
        hnsw = {"space": "cosine", "ef_search": _EF_SEARCH, "ef_construction": _EF_CONSTRUCTION}
        self._images, self._web = (
            self._client.create_collection(name, embedding_function=None, configuration={"hnsw": hnsw})
            for name in (IMAGES, WEB)
        )

    def add_images(self, first: int, vectors: np.ndarray, metadata: Sequence[Mapping[str, Any]]) -> None:
        """Rows `first`, `first` + 1, …: vectors (n, dim) and their metadata."""
        self._add(self._images, [str(first + i) for i in range(len(metadata))], vectors, metadata)

    def add_chunks(self, ids: Sequence[str], vectors: np.ndarray, metadata: Sequence[Mapping[str, Any]]) -> None:
        self._add(self._web, ids, vectors, metadata)

    def close(self) -> None:
        """Everything is on disk afterwards, and the folder may be renamed."""
        self._client.close()

    def _add(self, collection: Any, ids: Sequence[str], vectors: np.ndarray, metadata: Sequence[Mapping]) -> None:
        for start in range(0, len(ids), self._batch):
            part = slice(start, start + self._batch)
            collection.add(
                ids=list(ids[part]),
                embeddings=np.asarray(vectors[part], np.float32),
                metadatas=[dict(m) for m in metadata[part]],
            )


def _client(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))


def _nearest(collection: Any, vectors: Sequence[np.ndarray], k: int, dim: int, count: int) -> list[list[Hit]]:
    """The nearest rows for each vector; none for one that is not finite."""
    vectors = [np.asarray(vector, np.float32) for vector in vectors]
    for vector in vectors:
        if vector.shape != (dim,):
            raise BadInput(f"this collection holds vectors of {dim} numbers, not of shape {vector.shape!r}")
    if k < 1:
        raise BadInput(f"k is {k!r}: ask for at least one result")
    out: list[list[Hit]] = [[] for _ in vectors]
    asked = [i for i, vector in enumerate(vectors) if np.isfinite(vector).all()] if count else []
    if not asked:
        return out
    found = collection.query(
        query_embeddings=[vectors[i] for i in asked], n_results=min(int(k), count), include=["metadatas", "distances"]
    )
    for n, i in enumerate(asked):
        rows = zip(found["ids"][n], found["distances"][n], found["metadatas"][n], strict=True)
        out[i] = [Hit(id=row, score=min(1.0, 1.0 - float(d)), metadata=m or {}) for row, d, m in rows]
    return out
