"""Alignment finds where a picture lies; agreement compares words; verification measures what the warp shows."""

import cv2
import numpy as np
import pytest

from assistant.core.types import Frame, TextLine
from assistant.recognition.alignment import align, match, plausible, project
from assistant.recognition.recogniser import on_frame, shared
from assistant.recognition.verify import NAMES, measure_alignment
from assistant.text.agreement import UNKNOWN, compare, words_of
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import LocalFeatures
from tests.assistant.pictures import cover, shown


def measured(frame_thing: np.ndarray, indexed: np.ndarray):
    pixels, _ = shown([frame_thing], seed=5)
    frame, picture = Frame(pixels), extract(Frame(indexed))
    seen = extract(frame)
    alignment = align(picture, seen)
    assert alignment is not None
    return measure_alignment(frame, seen, picture, alignment)


@pytest.mark.slow
@pytest.mark.parametrize("turn_deg", [0.0, 33.0, 90.0, 180.0])
@pytest.mark.parametrize("scale", [1.0, 0.45])
def test_the_outline_is_found_within_a_few_pixels(turn_deg: float, scale: float):
    thing = cover(11)
    pixels, (truth,) = shown([thing], seed=2, turn_deg=turn_deg, scale=scale)
    alignment = align(extract(Frame(thing)), extract(Frame(pixels)))
    assert alignment is not None
    assert alignment.outline.shape == (4, 2)
    assert np.linalg.norm(alignment.outline - truth, axis=1).max() < 6


@pytest.mark.slow
def test_similar_lettering_gives_inliers_but_not_agreement():
    """Why a count of inliers is not enough: another cover of the same series has them by the dozen."""
    same, other = measured(cover(11), cover(11)), measured(cover(11), cover(77))
    assert other.inliers > np.log(20)
    assert other.share < 0.5 < same.share
    assert other.lost_blocks > 0.3 > same.lost_blocks
    assert other.colour > 2 * same.colour


def _at(places: np.ndarray) -> LocalFeatures:
    """As many features as places, on a frame of 1,000 pixels."""
    n = len(places)
    keypoints = np.column_stack([places, np.ones(n), np.zeros(n)]).astype(np.float32)
    return LocalFeatures(1000, 1000, keypoints, np.zeros((n, 128), np.uint8), np.zeros((8, 8, 3), np.uint8))


def test_the_next_best_somewhere_else_decides():
    """A twin of the best beside it says nothing against a pair; a twin elsewhere does."""
    places = np.array([[500, 500], [503, 500], [500, 504], [900, 100], *([20 * i, 20 * i] for i in range(20))])
    picture, frame = _at(places), _at(places)
    similarity = np.full((24, 24), 0.1, np.float32)
    np.fill_diagonal(similarity, 0.95)
    similarity[0, [1, 2]] = 0.94
    similarity[3, 20] = 0.94
    a, b = match(picture, frame, similarity)
    pairs = dict(zip(a.tolist(), b.tolist(), strict=True))
    assert pairs[0] == 0
    assert 3 not in pairs


def test_empty_features_do_not_align():
    nothing = extract(Frame(np.full((60, 60, 3), 9, np.uint8)))
    assert align(nothing, extract(Frame(cover(1)))) is None
    assert align(extract(Frame(cover(1))), nothing) is None


def _blank(width: int, height: int) -> LocalFeatures:
    return extract(Frame(np.zeros((height, width, 3), np.uint8)))


@pytest.mark.parametrize(
    ("matrix", "good"),
    [
        (np.eye(3), True),
        (np.diag([0.02, 0.02, 1.0]), False),  # a speck
        (np.diag([-1.0, 1.0, 1.0]) + np.array([[0, 0, 400.0], [0, 0, 0], [0, 0, 0]]), False),  # mirrored
        (np.diag([1.0, 0.1, 1.0]), False),  # a sliver
        (np.array([[1, 0, 0], [0, 1, 0], [-0.004, 0, 1.0]]), False),  # through the horizon
        (np.eye(3) + np.array([[0, 0, 390.0], [0, 0, 0], [0, 0, 0]]), False),  # hardly on the frame
    ],
)
def test_what_a_camera_cannot_see_is_refused(matrix: np.ndarray, good: bool):
    assert plausible(matrix, _blank(400, 300), _blank(400, 300)) is good


def test_points_at_infinity_stay_numbers():
    assert np.isfinite(project(np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0.0]]), np.array([[0.0, 5.0]]))).all()


def line(text: str, height: float = 30.0, y: float = 0.0) -> TextLine:
    return TextLine(text, 0.95, ((0.0, y), (200.0, y), (200.0, y + height), (0.0, y + height)))


def test_the_same_words_agree_whatever_the_line_breaks():
    a = words_of([line("Amber River", 60), line("a novel by Jo Stone")])
    b = words_of([line("Amber", 50), line("River", 50), line("a nove1 by Jo Stone")])
    agreement = compare(a, b)
    assert agreement.recall > 0.9
    assert agreement.largest > 0.95
    assert agreement.amount == 1.0


def test_another_title_or_number_disagrees_where_it_counts():
    first = words_of([line("Amber River", 60), line("a novel by Jo Stone")])
    sibling = words_of([line("Velvet Orchard", 60), line("a novel by Jo Stone")])
    assert compare(first, sibling).largest < 0.2
    assert compare(first, sibling).recall < 0.6
    assert compare(words_of([line("Volume 2", 60)]), words_of([line("Volume 3", 60)])).largest < 0.9


def test_accents_case_and_lost_spaces_do_not_matter():
    assert compare(words_of([line("Café Zürich")]), words_of([line("CAFEZURICH")])).recall == 1.0


def test_nothing_to_read_is_neither_for_nor_against():
    assert compare([], words_of([line("Amber")])) == UNKNOWN
    assert compare(words_of([line("Amber")]), []) == UNKNOWN


@pytest.mark.slow
def test_measures_tell_the_thing_from_its_sibling_and_from_another_colour():
    thing, sibling = cover(31, "Amber River"), cover(31, "Velvet Orchard")
    same, other = measured(thing, thing), measured(sibling, thing)
    assert same.blocks > 0.9
    assert same.lost_blocks < other.lost_blocks
    assert same.inliers > other.inliers
    recoloured = measured(np.ascontiguousarray(thing[..., ::-1]), thing)
    assert recoloured.colour > 2 * same.colour
    assert len(NAMES) == len(set(NAMES))


def test_shared_area_and_clipping():
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)
    assert shared(square, square + np.array([5, 0])) == pytest.approx(0.5)
    assert shared(square, square + np.array([50, 0])) == 0.0
    frame = Frame(np.zeros((100, 100, 3), np.uint8))
    assert on_frame(square, frame) == tuple(map(tuple, square))
    clipped = np.array(on_frame(square * 4 - 20, frame))
    assert (clipped.min(), clipped.max()) == (0.0, 20.0)
    assert cv2.contourArea(clipped.astype(np.float32)) == pytest.approx(400.0)
