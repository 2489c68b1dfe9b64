"""The short list: what a small part of a busy frame shows is on it, and no entity takes all places."""

import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.recognition.shortlist import BY_VECTOR, BY_VOTES, PICTURES_OF_ONE, ShortList, enough_inside, few_of_each
from assistant.recognition.taught_images import NONE
from assistant.vision.encoders import picture_encoder
from assistant.vision.image_encoder import ImageEncoder, extract
from assistant.vision.local_features import LocalFeatures
from assistant.vision.picture_encoder import WINDOWS, thing_vector
from tests.assistant.pictures import TinyPipeline, cover, shown, write_and_open
from tests.assistant.recognition.test_small_objects import bricks, with_thing


@pytest.fixture(scope="module")
def encoder() -> ImageEncoder:
    return ImageEncoder.load()


def made(encoder: ImageEncoder, covers: list[np.ndarray], names: list[str], folder) -> ShortList:
    frames = [Frame(pixels) for pixels in covers]
    items = [extract(frame) for frame in frames]
    vectors = [thing_vector(picture_encoder(), *pair) for pair in zip(frames, items, strict=True)]
    pipeline = TinyPipeline(np.stack(vectors), names)
    return ShortList(encoder, pipeline, write_and_open(folder, items))  # type: ignore[arg-type]


def looked(pixels: np.ndarray) -> tuple[LocalFeatures, np.ndarray]:
    """Local features and vectors of a frame."""
    frame = Frame(pixels)
    return extract(frame), picture_encoder().see(frame).vectors(WINDOWS)


def test_only_windows_that_show_enough_are_asked_about():
    pixels, _ = shown([cover(52)], seed=1)
    pixels[:, 360:] = 128
    telling = enough_inside(extract(Frame(pixels)), WINDOWS)
    assert telling[0] == 0
    assert 4 < len(telling) < len(WINDOWS)
    assert enough_inside(extract(Frame(np.full((300, 200, 3), 128, np.uint8))), WINDOWS) == []


@pytest.mark.slow
def test_a_small_thing_on_a_busy_ground_is_on_the_list(encoder, tmp_path):
    covers = [cover(seed) for seed in range(200, 260)]
    short_list = made(encoder, covers, [f"thing {i}" for i in range(60)], tmp_path)
    found = []
    for wanted in range(0, 60, 10):
        pixels, _ = with_thing(bricks(seed=wanted), covers[wanted], 200, 300, 220)
        rows, results = short_list.of_frame(*looked(pixels), NONE)
        assert len(rows) <= BY_VECTOR + BY_VOTES
        assert set(rows) <= set(results)
        found.append(wanted in rows)
    assert sum(found) >= 5


@pytest.mark.slow
def test_many_pictures_of_one_entity_leave_room_for_others(encoder, tmp_path):
    grain = np.random.default_rng(7)  # no two pictures of a series are the same: equal ones would share one vote
    covers = [np.clip(cover(300 + i % 2) + grain.normal(0, 6, (1, 1, 3)), 0, 255).astype(np.uint8) for i in range(24)]
    covers = [np.clip(c + grain.normal(0, 8, c.shape), 0, 255).astype(np.uint8) for c in covers]
    covers += [cover(seed) for seed in range(310, 320)]
    names = [f"series {i % 2}" for i in range(24)] + [f"thing {i}" for i in range(10)]
    short_list = made(encoder, covers, names, tmp_path)
    pixels, _ = shown([cover(300)], seed=5)
    rows, results = short_list.of_frame(*looked(pixels), NONE)
    shown_names = [results[row]["entities"][0]["entity_name"] for row in rows]
    assert shown_names.count("series 0") == PICTURES_OF_ONE
    assert len(set(shown_names)) > 2


def test_what_is_taken_already_counts_among_the_pictures_of_one():
    results = {row: {"entities": [{"entity_name": "a" if row < 4 else "b"}]} for row in range(6)}
    assert few_of_each({1: 0.9, 2: 0.8, 4: 0.1}, results, 3, taken=[0]) == [1, 4]
    assert few_of_each({7: 1.0}, {7: {"entities": []}}, 3) == [7]


def test_an_index_without_pictures_and_a_frame_without_structure(encoder, tmp_path):
    empty = ShortList(encoder, TinyPipeline(np.zeros((0, picture_encoder().dim)), []), write_and_open(tmp_path, []))  # type: ignore
    assert empty.of_frame(*looked(cover(1)), NONE) == ([], {})
    assert empty.of_frame(*looked(np.full((300, 200, 3), 128, np.uint8)), NONE) == ([], {})
    assert empty.nearest(np.zeros((1, picture_encoder().dim), np.float32)).tolist() == [-1.0]
