"""Small things before a busy ground: where they are looked for, and that they are found at all."""

import cv2
import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.recognition.small_objects import MOST, Island, closer, islands, uncovered
from assistant.vision.image_encoder import thumbnail_of
from assistant.vision.local_features import LocalFeatures
from tests.assistant.pictures import cover


def bricks(width: int = 960, height: int = 1280, seed: int = 0) -> np.ndarray:
    """A wall of bricks in shades of one colour, all edges and grain."""
    rng = np.random.default_rng(seed)
    wall = np.full((height, width, 3), (196, 186, 172), np.float32)
    for row, y in enumerate(range(0, height, 40)):
        for x in range(-40 * (row % 2), width, 90):
            wall[y + 3 : y + 38, max(0, x + 3) : max(0, x + 87)] = np.array([176, 108, 76]) * rng.uniform(0.85, 1.1)
    return np.clip(wall + rng.normal(0, 7, wall.shape), 0, 255).astype(np.uint8)


def with_thing(wall: np.ndarray, thing: np.ndarray, left: int, top: int, width: int) -> tuple[np.ndarray, Island]:
    height = round(thing.shape[0] * width / thing.shape[1])
    wall = wall.copy()
    wall[top : top + height, left : left + width] = cv2.resize(thing, (width, height), interpolation=cv2.INTER_AREA)
    return wall, Island((left, top, width, height))


@pytest.mark.parametrize("place", [(90, 560), (700, 200), (430, 1000)])
def test_a_small_thing_before_bricks_is_an_island(place: tuple[int, int]) -> None:
    pixels, thing = with_thing(bricks(), cover(74, "Copper Garden"), *place, 110)
    found = islands(pixels)
    assert 1 <= len(found) <= MOST
    middles = [i.corners.mean(axis=0) for i in found]
    assert any(cv2.pointPolygonTest(thing.corners, tuple(map(float, m)), False) > 0 for m in middles)


def test_an_even_ground_has_none() -> None:
    assert islands(np.full((480, 640, 3), 120, np.uint8)) == []
    assert islands(np.full((1, 3, 3), 120, np.uint8)) == []


def test_features_of_an_island_lie_in_the_frame_around_it() -> None:
    pixels, thing = with_thing(bricks(), cover(74, "Copper Garden"), 90, 560, 110)
    seen = closer(pixels, thing, thumbnail_of(pixels))
    assert isinstance(seen, LocalFeatures)
    assert (seen.width_px, seen.height_px) == (960, 1280)
    assert len(seen) > 50
    x, y = seen.keypoints[:, 0], seen.keypoints[:, 1]
    margin = 0.25 * 147
    assert x.min() >= 90 - margin
    assert x.max() <= 200 + margin
    assert y.min() >= 560 - margin
    assert y.max() <= 707 + margin


def test_an_island_at_the_edge_stays_on_the_frame() -> None:
    pixels, thing = with_thing(bricks(), cover(52, "Quiet Salt"), 0, 0, 100)
    seen = closer(pixels, thing, thumbnail_of(pixels))
    assert (seen.keypoints[:, :2] > -2).all()


def test_what_an_outline_explains_needs_no_closer_look() -> None:
    one, other = Island((10, 10, 100, 100)), Island((500, 500, 80, 60))
    around = np.array([[0, 0], [150, 0], [150, 150], [0, 150]], np.float32)
    assert uncovered([one, other], [around]) == [other]
    assert uncovered([one, other], []) == [one, other]


def test_turned_and_lit_frames_give_islands_of_the_same_place() -> None:
    pixels, thing = with_thing(bricks(), cover(85, "Winter Glass"), 600, 400, 120)
    turned = Frame(np.ascontiguousarray(np.rot90(pixels))).pixels
    left, top, width, height = thing.box
    middle = (top + height / 2, 960 - (left + width / 2))
    assert any(
        cv2.pointPolygonTest(i.corners, (float(middle[0]), float(middle[1])), False) > 0 for i in islands(turned)
    )


@pytest.mark.parametrize("shape", [(10, 4000, 3), (4000, 10, 3), (17, 17, 3), (2, 2, 3)])
def test_frames_of_odd_shapes_break_nothing(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(5)
    pixels = np.clip(rng.normal(120, 4, shape), 0, 255).astype(np.uint8)
    pixels[: shape[0] // 2, : max(1, shape[1] // 6)] = (20, 90, 220)
    for island in islands(pixels):
        left, top, width, height = island.box
        assert left + width <= shape[1] + 1
        assert top + height <= shape[0] + 1
        closer(pixels, island, thumbnail_of(pixels))
