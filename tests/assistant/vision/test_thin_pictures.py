"""Pictures of one or two pixels, and of thousands by one: everything that looks at a frame comes to an end."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.models.picture import jpeg_of
from assistant.ui.state.pictures import data_uri
from assistant.vision.codes import read_codes
from assistant.vision.degrade import KINDS, Degradation, degrade
from assistant.vision.enhance import correct
from assistant.vision.image_encoder import ImageEncoder
from assistant.vision.ocr import TextReader
from assistant.vision.quality import measure

SIZES = [(1, 1), (2, 1), (1, 2), (2, 2), (7, 1), (640, 3), (1, 5000), (5000, 1), (10_000, 2)]


@pytest.fixture(scope="module")
def encoder() -> ImageEncoder:
    return ImageEncoder.load()


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return TextReader()


@pytest.mark.slow
@pytest.mark.parametrize("brightest", [1, 12, 256])
@pytest.mark.parametrize("size", SIZES)
def test_a_thin_picture_is_looked_at_like_any_other(
    size: tuple[int, int], brightest: int, encoder: ImageEncoder, reader: TextReader
):
    width, height = size
    frame = Frame(np.random.default_rng(0).integers(0, brightest, (height, width, 3), np.uint8))
    corrected, _ = correct(frame, measure(frame))
    assert corrected.pixels.shape == frame.pixels.shape
    for seen in (frame, corrected):
        assert read_codes(seen) == ()
        assert reader.read(seen) == ()
        assert np.isfinite(encoder.encode(seen)).all()
        assert data_uri(seen, 200).startswith("data:image/jpeg")
        assert jpeg_of(seen, 768)[:2] == b"\xff\xd8"
    for kind in KINDS:
        for severity in (0.01, 0.5, 1.0):
            spoilt = degrade(frame.pixels, Degradation(kind, severity, 3))
            assert spoilt.shape == frame.pixels.shape or kind == "truncated"
            assert spoilt.size
