"""The five degradations as values: shapes, determinism, severity, and outlines that follow the pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.vision.degrade import KINDS, Degradation, degrade, outline_through

degradations = st.builds(
    Degradation,
    kind=st.sampled_from(KINDS),
    severity=st.floats(0.01, 1.0),
    seed=st.integers(0, 2**31 - 1),
)
shapes = st.tuples(st.integers(16, 160), st.integers(16, 160))


def picture(shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Coarse noise: structure that survives interpolation."""
    g = np.random.default_rng(seed)
    small = g.integers(0, 256, (shape[0] // 8 + 1, shape[1] // 8 + 1, 3), dtype=np.uint8)
    return np.repeat(np.repeat(small, 8, axis=0), 8, axis=1)[: shape[0], : shape[1]].copy()


@given(degradations, shapes)
@settings(max_examples=60, deadline=None)
def test_shape_and_type_stay_and_the_input_is_untouched(d: Degradation, shape: tuple[int, int]) -> None:
    before = picture(shape)
    kept = before.copy()
    after = degrade(before, d)
    assert after.shape == before.shape
    assert after.dtype == np.uint8
    assert np.array_equal(before, kept)


@given(degradations)
@settings(max_examples=30, deadline=None)
def test_the_same_value_gives_the_same_pixels(d: Degradation) -> None:
    pixels = picture((90, 70))
    assert np.array_equal(degrade(pixels, d), degrade(pixels, d))


@given(degradations, shapes)
@settings(max_examples=60, deadline=None)
def test_outlines_stay_inside_the_picture(d: Degradation, shape: tuple[int, int]) -> None:
    h, w = shape
    polygon = np.array([[-0.2 * w, 0.3 * h], [1.1 * w, 0.2 * h], [0.9 * w, 1.3 * h], [0.1 * w, 0.8 * h]])
    inside = outline_through(polygon, shape, d)
    assert inside.shape[1] == 2
    if len(inside):
        assert inside.min() >= -1e-6
        assert inside[:, 0].max() <= w + 1e-6
        assert inside[:, 1].max() <= h + 1e-6


@pytest.mark.parametrize("kind", ["truncated", "rotated"])
@pytest.mark.parametrize("seed", range(6))
def test_outlines_follow_the_pixels(kind, seed) -> None:
    """A white square on black: after the degradation its bright pixels lie where the mapped outline says."""
    pixels = np.zeros((400, 300, 3), np.uint8)
    pixels[150:250, 110:190] = 255
    square = np.array([[110, 150], [190, 150], [190, 250], [110, 250]], float)
    d = Degradation(kind, 0.5, seed)
    bright = np.argwhere(degrade(pixels, d)[..., 0] > 200)
    mapped = outline_through(square, (400, 300), d)
    assert len(bright) > 100
    assert np.allclose(bright[:, ::-1].min(0), mapped.min(0), atol=4)
    assert np.allclose(bright[:, ::-1].max(0), mapped.max(0), atol=4)


@pytest.mark.parametrize("kind", ["low light", "blurred", "occluded"])
def test_other_kinds_leave_the_outline_alone(kind) -> None:
    square = np.array([[10, 10], [60, 10], [60, 70], [10, 70]], float)
    mapped = outline_through(square, (100, 80), Degradation(kind, 0.9, 3))
    assert sorted(map(tuple, mapped)) == sorted(map(tuple, square))


def test_low_light_is_darker_with_severity() -> None:
    pixels = np.full((60, 60, 3), 180, np.uint8)
    means = [degrade(pixels, Degradation("low light", s, 1)).mean() for s in (0.2, 0.5, 0.9)]
    assert 180 > means[0] > means[1] > means[2]


def test_blur_takes_sharpness_with_severity() -> None:
    pixels = picture((256, 256))
    edges = [
        np.abs(np.diff(degrade(pixels, Degradation("blurred", s, 5)).astype(float), axis=1)).mean()
        for s in (0.1, 0.5, 1.0)
    ]
    assert edges[0] > edges[1] > edges[2]


def test_occlusion_hides_more_with_severity_and_only_a_part() -> None:
    pixels = picture((320, 240))
    hidden = []
    for severity in (0.2, 1.0):
        changed = [
            (np.abs(degrade(pixels, Degradation("occluded", severity, s)).astype(int) - pixels).max(2) > 30).mean()
            for s in range(8)
        ]
        hidden.append(np.mean(changed))
    assert 0.02 < hidden[0] < hidden[1] < 0.7


@pytest.mark.parametrize("severity", [0, -0.1, 1.01])
def test_a_severity_out_of_range_is_refused(severity) -> None:
    with pytest.raises(ValueError, match="severity"):
        Degradation("blurred", severity, 0)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no degradation 'foggy'"):
        Degradation("foggy", 0.5, 0)  # type: ignore[arg-type]
