"""Where a thing stands on its own picture."""

import cv2
import numpy as np
import pytest

from assistant.vision.silhouette import extent_of, thing_on
from tests.assistant.pictures import cover

WHOLE = {(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)}


def on_ground(thing: np.ndarray, shadow: bool) -> np.ndarray:
    """A thing in the middle of a lit wall, its corners at 0.2 and 0.8, perhaps with a soft shadow."""
    ramp = np.linspace(225, 195, 500)[:, None, None]
    ground = np.broadcast_to(ramp, (500, 400, 3)).copy()
    if shadow:
        dark = np.zeros((500, 400), np.float32)
        dark[120:430, 100:350] = 1
        ground *= 1 - 0.4 * cv2.GaussianBlur(dark, (0, 0), 14)[..., None]
    ground[100:400, 80:320] = cv2.resize(thing, (240, 300), interpolation=cv2.INTER_AREA)
    return ground.astype(np.uint8)


@pytest.mark.parametrize("shadow", [False, True])
@pytest.mark.parametrize("seed", [3, 8, 15])
def test_the_ground_and_its_shadow_are_left_out(seed: int, shadow: bool):
    extent = extent_of(on_ground(cover(seed), shadow))
    assert extent.min(axis=0) == pytest.approx((0.2, 0.2), abs=0.03)
    assert extent.max(axis=0) == pytest.approx((0.8, 0.8), abs=0.03)
    assert cv2.contourArea(extent) == pytest.approx(0.36, rel=0.08)


def test_a_thing_that_fills_its_picture_is_the_picture():
    assert {tuple(map(float, p)) for p in extent_of(cover(4))} == WHOLE


@pytest.mark.parametrize("shape", [(1, 1), (10, 300), (200, 200)])
def test_plain_and_tiny_pictures_are_taken_whole(shape: tuple[int, int]):
    assert {tuple(map(float, p)) for p in extent_of(np.full((*shape, 3), 90, np.uint8))} == WHOLE


def test_clutter_up_to_the_border_is_taken_whole():
    noise = np.random.default_rng(0).integers(0, 255, (200, 160, 3)).astype(np.uint8)
    assert {tuple(map(float, p)) for p in extent_of(noise)} == WHOLE


def test_a_thing_before_structure_is_cut_out_by_its_colours():
    g = np.random.default_rng(5)
    blades = cv2.GaussianBlur(g.normal(0, 1, (256, 256)).astype(np.float32), (0, 0), 1.2)
    picture = np.clip(np.array([70, 130, 50]) + 40 * blades[..., None], 0, 255).astype(np.uint8)
    cv2.ellipse(picture, (128, 128), (70, 40), 0, 0, 360, (230, 225, 215), -1)
    cv2.circle(picture, (110, 120), 12, (60, 40, 30), -1)
    truth = np.zeros((256, 256), np.uint8)
    cv2.ellipse(truth, (128, 128), (70, 40), 0, 0, 360, 1, -1)
    extent, silhouette = thing_on(picture)
    found = cv2.resize(silhouette, (256, 256), interpolation=cv2.INTER_NEAREST)
    assert (found & truth).sum() / (found | truth).sum() > 0.8
    assert cv2.contourArea(extent) == pytest.approx(float(truth.mean()), rel=0.25)


@pytest.mark.parametrize("seed", [0, 4, 11])
def test_a_thing_that_fills_its_picture_has_no_silhouette_within(seed: int):
    extent, silhouette = thing_on(cover(seed))
    assert {tuple(map(float, p)) for p in extent} == WHOLE
    assert silhouette.all()
