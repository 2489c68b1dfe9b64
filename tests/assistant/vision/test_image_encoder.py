"""The embedded image encoder: unit vectors, the same thing near, other things far."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import NotReady
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Frame
from assistant.vision.image_encoder import ImageEncoder, extract, nearest_words, vlad
from tests.assistant.pictures import cover


@pytest.fixture(scope="module")
def encoder() -> ImageEncoder:
    return ImageEncoder.load()


def test_the_shipped_files_are_small():
    assert sum(p.stat().st_size for p in (ASSETS_DIR / "encoder").iterdir()) <= 10 * 1024 * 1024


def test_vectors_are_unit_length_and_repeatable(encoder: ImageEncoder):
    first, second = encoder.encode(Frame(cover(3))), encoder.encode(Frame(cover(3)))
    assert first.shape == (encoder.dim,)
    assert first.dtype == np.float32
    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(first, second)
    assert len(encoder.version) == 16


def test_vectors_of_parts_are_those_of_the_parts_alone(encoder: ImageEncoder):
    features = encoder.features(Frame(cover(6)))
    parts = [np.arange(len(features)), np.arange(0, len(features), 3), np.zeros(0, int)]
    together = encoder.vectors(features, parts)
    assert together.shape == (3, encoder.dim)
    for vector, part in zip(together, parts, strict=True):
        assert np.allclose(vector, encoder.vector(features.where(part)), atol=1e-5)


@pytest.fixture(scope="module")
def ten(encoder: ImageEncoder) -> np.ndarray:
    return np.stack([encoder.encode(Frame(cover(seed))) for seed in range(20, 30)])


@pytest.mark.slow
@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180])
def test_the_same_thing_turned_is_nearer_than_others(encoder: ImageEncoder, ten: np.ndarray, turn: int):
    query = encoder.encode(Frame(cv2.rotate(cv2.resize(cover(24), None, fx=0.6, fy=0.6), turn)))
    assert int((ten @ query).argmax()) == 4


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (7, 5), (600, 800)])
def test_pictures_without_structure_have_a_vector(encoder: ImageEncoder, shape: tuple[int, int]):
    vector = encoder.encode(Frame(np.full((*shape, 3), 120, np.uint8)))
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.slow
def test_keypoints_are_in_the_frames_own_pixels():
    small = cover(5)
    large = cv2.resize(small, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    a, b = extract(Frame(small)), extract(Frame(large))
    assert b.keypoints[:, 0].max() > 2.5 * small.shape[1]
    assert a.keypoints[:, 0].max() <= small.shape[1]
    # The strongest keypoints of one have a counterpart at the same place in the other.
    gaps = np.linalg.norm(a.keypoints[:60, None, :2] * 3 - b.keypoints[None, :, :2], axis=2).min(axis=1)
    assert np.mean(gaps < 6) > 0.8


@given(st.integers(1, 40), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_vlad_does_not_depend_on_order_and_is_normalised(count: int, seed: int):
    rng = np.random.default_rng(seed)
    local, words = rng.normal(size=(count, 8)).astype(np.float32), rng.normal(size=(5, 8)).astype(np.float32)
    nearest = nearest_words(local, words)
    residuals = local - words[nearest]
    assert (np.linalg.norm(residuals, axis=1) <= np.linalg.norm(local - words[0], axis=1) + 1e-4).all()
    a, b = vlad(residuals, nearest, 5), vlad(residuals[::-1], nearest[::-1], 5)
    assert np.allclose(a, b, atol=1e-4)
    assert np.linalg.norm(a) == pytest.approx(1.0, abs=1e-4)


def test_missing_and_damaged_files_are_named(tmp_path: Path):
    with pytest.raises(NotReady) as problem:
        ImageEncoder.load(tmp_path)
    assert "training.md" in str(problem.value)
    (tmp_path / "encoder.npz").write_bytes(b"garbage")
    with pytest.raises(NotReady):
        ImageEncoder.load(tmp_path)
