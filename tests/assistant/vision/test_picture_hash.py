"""Perceptual hashes: near for what looks alike, far for what does not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from assistant.core.types import Frame
from assistant.vision.picture_hash import ALIKE_BITS, look_alike, perceptual_hash


def drawn(seed):
    rng = np.random.default_rng(seed)
    small = Image.fromarray(rng.integers(0, 256, (6, 8, 3), np.uint8))
    return small.resize((320, 240), Image.Resampling.BICUBIC)


def hash_of(image):
    return perceptual_hash(Frame(np.asarray(image.convert("RGB")).copy()))


def jpeg(image, quality):
    target = io.BytesIO()
    image.save(target, "JPEG", quality=quality)
    return Image.open(target)


@pytest.mark.parametrize("seed", range(8))
def test_a_scaled_compressed_or_brighter_copy_looks_alike(seed):
    image = drawn(seed)
    copies = (jpeg(image, 30), image.resize((130, 100)), ImageEnhance.Brightness(image).enhance(1.15))
    assert all(look_alike(hash_of(image), hash_of(copy)) for copy in copies)


def test_other_pictures_do_not():
    hashes = [hash_of(drawn(seed)) for seed in range(12)]
    apart = [(a ^ b).bit_count() for n, a in enumerate(hashes) for b in hashes[n + 1 :]]
    assert min(apart) > ALIKE_BITS
    assert all(0 <= found < 2**64 for found in hashes)
