"""Measurements and the correction of dark frames."""

import cv2
import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.vision.enhance import correct
from assistant.vision.quality import measure


def scene(seed: int = 0, size: tuple[int, int] = (480, 640)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    picture = np.full((*size, 3), 150, np.uint8)
    for _ in range(40):
        x, y = (int(v) for v in rng.integers(0, (size[1], size[0])))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        cv2.rectangle(picture, (x, y), (x + int(rng.integers(20, 120)), y + int(rng.integers(20, 120))), colour, -1)
    return picture


def darkened(pixels: np.ndarray, gain: float = 0.12) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.clip(pixels * gain + rng.normal(0, 1.5, pixels.shape), 0, 255).astype(np.uint8)


def test_brightness_and_contrast_have_known_values():
    quality = measure(Frame(np.full((100, 100, 3), 51, np.uint8)))
    assert (quality.brightness, quality.contrast, quality.sharpness) == pytest.approx((0.2, 0.0, 0.0))
    halves = np.zeros((100, 100, 3), np.uint8)
    halves[:, 50:] = 255
    quality = measure(Frame(halves))
    assert (quality.brightness, quality.contrast) == pytest.approx((0.5, 0.5))


def test_blur_lowers_sharpness_and_resolution_hardly_matters():
    sharp = scene()
    assert measure(Frame(cv2.GaussianBlur(sharp, (0, 0), 4))).sharpness < 0.2 * measure(Frame(sharp)).sharpness
    doubled = cv2.resize(sharp, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    assert measure(Frame(doubled)).brightness == pytest.approx(measure(Frame(sharp)).brightness, abs=0.01)


def test_tiny_frames_are_measured():
    assert measure(Frame(np.zeros((1, 1, 3), np.uint8))).sharpness == 0.0


def test_light_frames_are_left_alone():
    frame = Frame(scene())
    assert correct(frame, measure(frame)) == (frame, ())


def test_dark_frames_are_brightened_in_place():
    dark = Frame(darkened(scene()))
    bright, notes = correct(dark, measure(dark))
    assert notes
    assert bright.pixels.shape == dark.pixels.shape
    assert measure(bright).brightness > 3 * measure(dark).brightness
    # Geometry: the edges are where they were.
    edges = [cv2.Canny(p, 60, 120) > 0 for p in (scene(), bright.pixels)]
    near = cv2.dilate(edges[1].astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert near[edges[0]].mean() > 0.8


def test_black_frames_are_not_turned_into_noise():
    black = Frame(np.random.default_rng(0).integers(0, 3, (200, 200, 3)).astype(np.uint8))
    assert correct(black, measure(black))[0] is black


def test_dark_things_in_good_light_are_left_alone():
    picture = np.full((400, 400, 3), 15, np.uint8)
    picture[40:120, 40:360] = 235
    frame = Frame(picture)
    assert correct(frame, measure(frame))[0] is frame
