"""A picture whose thing was not cut out, compared with its cut-out sibling on what both show."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.recognition.alignment import align
from assistant.recognition.overlap import not_cut_out, within
from assistant.recognition.recogniser import Recogniser
from assistant.recognition.verify import measure_alignment
from assistant.vision.encoders import picture_encoder
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import LocalFeatures
from assistant.vision.pretrained import WHOLE
from tests.assistant.pictures import TinyPipeline, cover, shown, write_and_open
from tests.assistant.recognition.test_small_objects import with_thing

#: Where the thing stands on the picture that shows a mosaic as well: left, top, width, height.
PLACE = (170, 160, 300, 400)


@pytest.fixture(scope="module")
def busy() -> LocalFeatures:
    """The thing, in a picture that is busy up to its border, as it is where nothing could be cut out of it."""
    tiles = np.random.default_rng(3).integers(0, 255, (36, 32, 3)).astype(np.uint8)
    mosaic = cv2.resize(tiles, (640, 720), interpolation=cv2.INTER_NEAREST)
    pixels, _ = with_thing(mosaic, cover(74, "Copper Garden"), *PLACE[:3])
    corners = np.array([[0, 0], [640, 0], [640, 720], [0, 720]], np.float32)
    whole = np.ones((128, 114), np.uint8)
    return replace(extract(Frame(pixels)), known_extent=corners, known_silhouette=whole)


@pytest.fixture(scope="module")
def plain() -> LocalFeatures:
    """Its sibling, on plain paper: the same but for the title and what is below."""
    paper = np.full((720, 640, 3), 240, np.uint8)
    sibling = cover(74, "Winter Glass")
    sibling[520:] = cover(85)[520:]
    pixels, _ = with_thing(paper, sibling, *PLACE[:3])
    return extract(Frame(pixels))


def test_what_was_cut_out_is_told(busy: LocalFeatures, plain: LocalFeatures) -> None:
    assert not_cut_out(busy)
    assert not not_cut_out(plain)


def test_within_the_siblings_silhouette_the_ground_counts_no_more(busy, plain) -> None:
    pixels, _ = shown([cover(74, "Copper Garden")], seed=5)
    frame = Frame(pixels)
    seen = extract(frame)
    here, there = align(busy, seen), align(plain, seen)
    assert here is not None
    assert there is not None
    cut = within(busy, here, plain, there)
    assert cut is not None
    picture, alignment = cut
    left, top, width, height = PLACE
    x, y = picture.keypoints[:, 0], picture.keypoints[:, 1]
    assert left - 15 < x.min() <= x.max() < left + width + 15
    assert top - 15 < y.min() <= y.max() < top + height + 15
    assert alignment.inliers.max() < len(picture)
    whole, on_same_ground = measure_alignment(frame, seen, busy, here), measure_alignment(frame, seen, *cut)
    assert on_same_ground.weak_blocks > whole.weak_blocks + 0.5
    assert on_same_ground.colour < whole.colour


def test_the_thing_itself_is_named_although_its_sibling_stands_in_a_cleaner_picture(busy, plain, tmp_path) -> None:
    items = [busy, plain]
    encoder = picture_encoder()
    vectors = encoder.see(Frame(cover(74))).vectors([WHOLE, WHOLE])  # as alike as can be: both are on the short list
    pipeline = TinyPipeline(vectors, ["Copper Garden", "Winter Glass"])
    recogniser = Recogniser(encoder, pipeline, write_and_open(tmp_path, items))  # type: ignore[arg-type]
    pixels, _ = shown([cover(74, "Copper Garden")], seed=5)
    frame = Frame(pixels)
    proposal = recogniser.propose(frame)
    assert [c.name for c in recogniser.decide(frame, proposal, ())] == ["Copper Garden"]


def test_too_little_in_common_is_nothing(busy: LocalFeatures, plain: LocalFeatures) -> None:
    pixels, _ = shown([cover(74, "Copper Garden")], seed=5)
    seen = extract(Frame(pixels))
    here, there = align(busy, seen), align(plain, seen)
    assert here is not None
    assert there is not None
    few = busy.where(np.arange(0))
    none = np.zeros(0, int)
    assert within(few, replace(here, inliers=none, matched=none), plain, there) is None
