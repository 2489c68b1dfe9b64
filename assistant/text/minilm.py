"""The forward pass of all-MiniLM-L6-v2 in plain numpy, for questions and for pages, as it is or adapted.

Importing sentence-transformers takes 6 to 7 s, importing torch alone 1.5 s; this takes 0.1 s, gives the same vectors
(a test compares them) and is no slower on a processor, as nothing is padded. It covers inference of this one
architecture (BERT with mean pooling), nothing else: no training, no GPU, no other model.

The formulas are those of Devlin et al. 2018 (BERT) and Reimers & Gurevych 2019 (mean pooling), as the weights were
trained with: post-layer-norm, exact GELU, layer-norm epsilon 1e-12.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.threads import in_pool, one_blas_thread, pool, workers

_LAYER_NORM_EPSILON = 1e-12
#: Texts are run together up to this many tokens: enough for large products, few enough for the processor's cache.
_BATCH_TOKENS = 512
#: Fewer than this are not worth another thread.
_SHARED_TOKENS = 64
_GELU_ROWS = 32
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class MiniLM:
    """Weights and tokenizer of one all-MiniLM-L6-v2 folder; `encode` is thread-safe (nothing is written after init)."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self.max_tokens = max_tokens
        weights = load_file(str(folder / "model.safetensors"))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        self._words = weights["embeddings.word_embeddings.weight"]
        self._positions = weights["embeddings.position_embeddings.weight"]
        self._type = weights["embeddings.token_type_embeddings.weight"][0]
        self._embedding_norm = _pair(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, f"encoder.layer.{i}") for i in range(6)]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 384) float32 unit vectors; what lies beyond `max_tokens` is not read (callers chunk)."""
        pooled = self.means(texts)
        return pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)

    def means(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 384) float32 means over the tokens of each text; not normalised."""
        return self._means([e.ids for e in self._tokenizer.encode_batch(list(texts))])

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """(n, 384) float32 means over the tokens of both texts, read as one with a separator between; not normalised.

        The longer text is cut first where both together are beyond `max_tokens`.
        """
        return self._means([e.ids for e in self._tokenizer.encode_batch(list(pairs))])

    def tokens(self, text: str) -> tuple[np.ndarray, list[tuple[int, int]]]:
        """(t, 384) float32 vectors of the tokens of one text, without the two around it that are no words, and where in
        the text each begins and ends.
        """
        read = self._tokenizer.encode(text)
        return self._hidden([read.ids])[0][1:-1], list(read.offsets)[1:-1]

    def adapted(self, changes: Mapping[str, np.ndarray], max_tokens: int) -> MiniLM:
        """The same model with something added to some weight matrices; embeddings are shared.

        Args:
            changes: name of the matrix as in the weights' file ("encoder.layer.0.attention.self.query") to what is
                added, (in, out).
        """
        other = copy.copy(self)
        other.max_tokens = max_tokens
        other._tokenizer = copy.deepcopy(self._tokenizer)
        other._tokenizer.enable_truncation(max_tokens)
        other._layers = [layer.adapted(changes, f"encoder.layer.{i}") for i, layer in enumerate(self._layers)]
        return other

    def _means(self, ids: list[list[int]]) -> np.ndarray:
        """Several lots go side by side, each on one thread: that beats sharing out the products of one."""
        lots: list[list[list[int]]] = []
        shares = 1 if in_pool() else workers()
        enough = max(_SHARED_TOKENS, math.ceil(sum(map(len, ids)) / shares))
        start = 0
        while start < len(ids):
            end, tokens = start, 0
            while end < len(ids) and tokens < enough and (end == start or tokens + len(ids[end]) <= _BATCH_TOKENS):
                tokens += len(ids[end])
                end += 1
            lots.append(ids[start:end])
            start = end
        if not lots:
            return np.empty((0, self._words.shape[1]), np.float32)
        found = map(self._forward, lots) if len(lots) == 1 or shares == 1 else pool().map(self._forward, lots)
        return np.concatenate(list(found))

    def _forward(self, ids: list[list[int]]) -> np.ndarray:
        return np.stack([x.mean(axis=0) for x in self._hidden(ids)])

    def _hidden(self, ids: list[list[int]]) -> list[np.ndarray]:
        with one_blas_thread():
            return self._read(ids)

    def _read(self, ids: list[list[int]]) -> list[np.ndarray]:
        """Texts are laid end to end, so that no padding is computed; only attention looks at one text at a time."""
        ends = np.cumsum([len(i) for i in ids])
        spans = [slice(int(end) - len(i), int(end)) for i, end in zip(ids, ends, strict=True)]
        positions = np.concatenate([np.arange(len(i)) for i in ids])
        x = self._words[np.concatenate([np.asarray(i) for i in ids])] + self._positions[positions] + self._type
        x = _layer_norm(x, *self._embedding_norm)
        for layer in self._layers:
            x = layer(x, spans)
        return [x[span] for span in spans]


def narrow_changes(stored: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What `MiniLM.adapted` adds, of the two thin matrices ("….down", "….up") that are stored for each."""
    names = [n.removesuffix(".down") for n in stored if n.endswith(".down")]
    return {n: (stored[f"{n}.down"].astype(np.float32) @ stored[f"{n}.up"]).astype(np.float32) for n in names}


class _Layer:
    """One transformer block: 12 heads of 32."""

    heads = 12

    def __init__(self, weights: dict[str, np.ndarray], name: str) -> None:
        attention = f"{name}.attention"
        parts = [_dense(weights, f"{attention}.self.{part}") for part in ("query", "key", "value")]
        self._qkv = np.concatenate([w for w, _ in parts], axis=1), np.concatenate([b for _, b in parts])
        self._mix = _dense(weights, f"{attention}.output.dense")
        self._mix_norm = _pair(weights, f"{attention}.output.LayerNorm")
        self._up = _dense(weights, f"{name}.intermediate.dense")
        self._down = _dense(weights, f"{name}.output.dense")
        self._down_norm = _pair(weights, f"{name}.output.LayerNorm")

    def adapted(self, changes: Mapping[str, np.ndarray], name: str) -> _Layer:
        """A copy with the changes of this layer's matrices added."""
        other = copy.copy(self)
        width = self._qkv[0].shape[0]
        parts = (f"{name}.attention.self.{part}" for part in ("query", "key", "value"))
        other._qkv = (
            np.concatenate(
                [_changed(self._qkv[0][:, n * width : (n + 1) * width], changes, part) for n, part in enumerate(parts)],
                axis=1,
            ),
            self._qkv[1],
        )
        other._mix = _changed(self._mix[0], changes, f"{name}.attention.output.dense"), self._mix[1]
        other._up = _changed(self._up[0], changes, f"{name}.intermediate.dense"), self._up[1]
        other._down = _changed(self._down[0], changes, f"{name}.output.dense"), self._down[1]
        return other

    def __call__(self, x: np.ndarray, spans: list[slice]) -> np.ndarray:
        width = x.shape[1]
        qkv = x @ self._qkv[0] + self._qkv[1]
        seen = np.empty_like(x)
        for span in spans:
            part = qkv[span].reshape(-1, 3, self.heads, width // self.heads).transpose(1, 2, 0, 3)
            scores = part[0] @ part[1].transpose(0, 2, 1) / np.sqrt(np.float32(width // self.heads))
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            seen[span] = (scores @ part[2]).transpose(1, 0, 2).reshape(-1, width)
        x = _layer_norm(x + seen @ self._mix[0] + self._mix[1], *self._mix_norm)
        inner = _gelu(x @ self._up[0] + self._up[1])
        return _layer_norm(x + inner @ self._down[0] + self._down[1], *self._down_norm)


def _dense(weights: dict[str, np.ndarray], name: str) -> tuple[np.ndarray, np.ndarray]:
    return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]


def _changed(weight: np.ndarray, changes: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return weight + changes[name] if name in changes else weight


def _pair(weights: dict[str, np.ndarray], name: str) -> tuple[Any, Any]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _layer_norm(x: np.ndarray, scale: np.ndarray, shift: np.ndarray) -> np.ndarray:
    x = x - x.mean(axis=-1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + _LAYER_NORM_EPSILON)
    x *= scale
    x += shift
    return x


def _gelu(x: np.ndarray) -> np.ndarray:
    """x · Φ(x) in place, with erf after Abramowitz & Stegun 7.1.26 (absolute error below 1.5e-7, float32's own noise).

    A few rows at a time: the dozen steps then find their numbers in the processor's cache, and take half the time.
    """
    one, half = np.float32(1.0), np.float32(0.5)
    for start in range(0, len(x), _GELU_ROWS):
        rows = x[start : start + _GELU_ROWS]
        z = np.abs(rows)
        z *= np.float32(0.7071067811865476)
        t = z * np.float32(0.3275911)
        t += one
        np.divide(one, t, out=t)
        erf = t * np.float32(_ERF[0])
        for factor in _ERF[1:]:
            erf += np.float32(factor)
            erf *= t
        np.multiply(z, z, out=z)
        np.negative(z, out=z)
        erf *= np.exp(z, out=z)
        np.subtract(one, erf, out=erf)
        np.copysign(erf, rows, out=erf)
        erf += one
        erf *= half
        rows *= erf
    return x
