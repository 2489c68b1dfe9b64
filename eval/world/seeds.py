"""Derived random streams: every drawing and every wording has its own, so adding one thing never shifts another.

Only `random.Random` and numpy's `Generator` are used, seeded from SHA-256 of the world's seed and a path of names;
Python's salted `hash()` never is. The text of a world is therefore the same bytes on every machine.
"""

from __future__ import annotations

import hashlib
import random

import numpy as np


def _digest(seed: int, path: tuple[object, ...]) -> bytes:
    return hashlib.sha256("\x1f".join([str(seed), *map(str, path)]).encode()).digest()


def rng(seed: int, *path: object) -> random.Random:
    """A stream for text, numbers and choices, belonging to `path` alone."""
    return random.Random(int.from_bytes(_digest(seed, path)[:16], "big"))


def pixels_rng(seed: int, *path: object) -> np.random.Generator:
    """A stream for pictures, belonging to `path` alone."""
    return np.random.default_rng(int.from_bytes(_digest(seed, ("pixels", *path))[:16], "big"))


def opaque_id(seed: int, *path: object, length: int = 32) -> str:
    """A hexadecimal id that says nothing about what it names (file names, URLs, session ids)."""
    return hashlib.sha256(b"id" + _digest(seed, path)).hexdigest()[:length]


def opaque_uuid(seed: int, *path: object) -> str:
    """The same in the shape of a UUID, as the benchmark's sessions and interactions have."""
    h = opaque_id(seed, *path)
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:32]}"
