"""From a frame and an outline to a view, and what the meter says of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Frame
from assistant.recognition.recogniser import Recogniser, shared
from assistant.recognition.taught_images import FIRST, SHORT_LIST, TaughtRow, TaughtRows
from assistant.recognition.verify import Verifier
from assistant.teaching.enrol import KEPT_KEYPOINTS, MAX_POINTS, box_of, checked_outline, see, whole_of
from assistant.teaching.store import TaughtStore
from assistant.teaching.taught_object import Notes
from assistant.teaching.teacher import Teacher
from assistant.teaching.view_quality import GOOD, advice_for, judge, seen_again
from assistant.vision.encoders import picture_encoder
from assistant.vision.picture_encoder import PictureEncoder
from tests.assistant.pictures import TinyPipeline, cover, shown, write_and_open

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def encoder() -> PictureEncoder:
    return picture_encoder()


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier.load(ASSETS_DIR / "encoder")


def frame_of(seed: int, look: int, **options) -> tuple[Frame, np.ndarray]:
    pixels, (outline,) = shown([cover(seed)], seed=look, **options)
    return Frame(pixels), outline


def row(name: str, frame: Frame, outline, encoder: PictureEncoder) -> TaughtRow:
    view = see(frame, outline, encoder, None)
    return TaughtRow(name, name.lower(), {"n": "1"}, view.features, view.vector)


def a_recogniser(rows: list[TaughtRow], encoder: PictureEncoder, folder) -> Recogniser:
    empty = TinyPipeline(np.zeros((0, encoder.dim)), [])
    taught = TaughtRows(rows, 1)
    return Recogniser(encoder, empty, write_and_open(folder, []), lambda: taught)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("drawn", ["round it", "box"])
def test_taught_once_known_from_another_side(drawn: str, encoder: PictureEncoder, tmp_path):
    rows = []
    for name, seed in (("Blue", 52), ("Red", 63), ("Green", 74)):
        frame, outline = frame_of(seed, 1)
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        rows.append(
            row(name, frame, outline if drawn == "round it" else box_of(x0 - 9, y0 - 9, x1 + 9, y1 + 9), encoder)
        )
    recogniser = a_recogniser(rows, encoder, tmp_path)
    for name, seed in (("Blue", 52), ("Red", 63), ("Green", 74)):
        frame, outline = frame_of(seed, 8, turn_deg=-31.0, scale=0.75)
        (candidate,) = recogniser.decide(frame, recogniser.propose(frame), ())
        assert candidate.name == name
        assert candidate.index <= FIRST
        assert candidate.image_url == f"taught:{name.lower()}"
        assert candidate.attributes == {"n": "1"}
        assert shared(np.array(candidate.outline_px), outline) > 0.9


@pytest.mark.slow
def test_what_was_not_taught_is_not_claimed(encoder: PictureEncoder, tmp_path):
    frame, outline = frame_of(52, 1)
    recogniser = a_recogniser([row("Blue", frame, outline, encoder)], encoder, tmp_path)
    for seed in (107, 85, 96):
        other, _ = frame_of(seed, 3)
        assert recogniser.decide(other, recogniser.propose(other), ()) == ()


def test_the_short_list_is_short_and_fair():
    vectors = np.eye(40, dtype=np.float32)
    rows = TaughtRows([TaughtRow(f"thing {i // 4}", str(i), {}, None, v) for i, v in enumerate(vectors)])  # type: ignore[arg-type]
    short = rows.short_list(vectors[:8] + 0.1)
    assert len(short) <= SHORT_LIST
    names = [rows.row(i).name for i in short]
    assert max(names.count(n) for n in names) <= 2
    assert TaughtRows().short_list(vectors) == []


@pytest.mark.parametrize(
    "outline",
    [
        [],
        [[1, 2]],
        [[1, 2], [3, 4]],
        [["a", "b"], [1, 2], [3, 4]],
        [[float("nan")] * 2, [1, 2], [300, 400]],
        [[10, 10], [20, 10], [20, 20]],
        [[-500, -500], [-10, -10], [-500, -10]],
        [[1, 2, 3]] * 5,
        "polygon",
        None,
    ],
)
def test_outlines_that_cannot_be_used(outline):
    with pytest.raises(BadInput):
        checked_outline(outline, Frame(np.zeros((480, 640, 3), np.uint8)))


def test_outlines_are_brought_onto_the_frame_and_thinned_out():
    frame = Frame(np.zeros((480, 640, 3), np.uint8))
    turn = np.linspace(0, 2 * np.pi, 5000)
    ring = np.column_stack([320 + 900 * np.cos(turn), 240 + 200 * np.sin(turn)])
    points = np.array(checked_outline(ring, frame))
    assert len(points) <= MAX_POINTS
    assert points.min() >= 0
    assert (points.max(axis=0) <= (640, 480)).all()


@pytest.mark.slow
def test_a_view_holds_the_thing_and_not_what_stands_beside_it(encoder: PictureEncoder):
    pixels, (left, _) = shown([cover(52), cover(63)], seed=4, size=(1280, 960))
    view = see(Frame(pixels), left, encoder, None)
    hull = left - left.min(axis=0) + (np.array(view.outline_px).min(axis=0))
    inside = [
        cv2.pointPolygonTest(hull.astype(np.float32), (float(x), float(y)), True)
        for x, y in view.features.keypoints[:, :2]
    ]
    assert 30 < len(view.features) <= KEPT_KEYPOINTS
    assert np.mean(np.array(inside) > -8) > 0.97
    assert abs(np.linalg.norm(view.vector) - 1) < 1e-4


@pytest.mark.slow
def test_the_meter_tells_good_views_from_poor_ones(encoder: PictureEncoder, verifier: Verifier):
    frame, outline = frame_of(52, 1)
    good = judge(see(frame, outline, encoder, None), encoder, verifier)
    assert good.level == "good"
    assert good.score >= GOOD
    assert good.advice == ()

    soft = Frame(cv2.GaussianBlur(frame.pixels, (0, 0), 14))
    plain = Frame(np.full((480, 640, 3), 140, np.uint8))
    for picture, border in ((soft, outline), (plain, whole_of(plain))):
        poor = judge(see(picture, border, encoder, None), encoder, verifier)
        assert poor.score < 0.7 * good.score
        assert poor.level != "good"
        assert poor.advice[-1] == "Turn it a little and add a second view."


@pytest.mark.slow
def test_the_advice_names_what_is_wrong(encoder: PictureEncoder, verifier: Verifier):
    frame, outline = frame_of(52, 1)

    def advice(pixels: np.ndarray) -> str:
        view = see(Frame(pixels), outline, encoder, None)
        return " ".join(advice_for(view, "poor"))

    assert "more light" in advice((frame.pixels * 0.08).astype(np.uint8))
    assert "glare" in advice(np.clip(frame.pixels.astype(int) * 5, 0, 255).astype(np.uint8))
    assert "not sharp" in advice(cv2.GaussianBlur(frame.pixels, (0, 0), 14))
    assert "little pattern" in advice(np.full_like(frame.pixels, 130))
    small, outline = frame_of(52, 1, size=(110, 150))
    assert "come closer" in advice(small.pixels)


@pytest.mark.slow
def test_the_meter_is_repeatable(encoder: PictureEncoder, verifier: Verifier):
    frame, outline = frame_of(63, 2)
    view = see(frame, outline, encoder, None)
    assert judge(view, encoder, verifier) == judge(view, encoder, verifier)
    assert [f.digest for f in seen_again(view.picture)] == [f.digest for f in seen_again(view.picture)]


class NoKnowledge:
    names = ()


@pytest.mark.slow
def test_a_plain_thing_can_be_taught_and_nothing_at_all_cannot(encoder: PictureEncoder, tmp_path):
    taught = TaughtStore(tmp_path / "taught", encoder)
    recogniser = a_recogniser([], encoder, tmp_path / "features")
    teacher = Teacher(taught, encoder, None, recogniser, NoKnowledge())  # type: ignore[arg-type]
    disc = cv2.circle(np.full((480, 640, 3), 90, np.uint8), (320, 240), 150, (200, 60, 40), -1)
    ball = Frame(cv2.GaussianBlur(disc, (0, 0), 6))
    draft = teacher.look(ball, box_of(150, 70, 490, 410))
    plain = replace(draft, view=replace(draft.view, features=draft.view.features.where(np.zeros(0, int))))
    assert draft.meter.level == "fair"
    assert teacher.save("Ball", "", [plain]).is_new
    assert len(TaughtStore(tmp_path / "taught", encoder).rows()) == 1

    blank = Frame(np.full((480, 640, 3), 127, np.uint8))
    with pytest.raises(BadInput, match="nothing to see"):
        teacher.save("Fog", "", [teacher.look(blank, whole_of(blank))])


@pytest.mark.slow
def test_a_view_of_another_encoder_is_seen_again(encoder: PictureEncoder, tmp_path):
    frame, outline = frame_of(52, 1)
    view = see(frame, outline, encoder, None)
    other = replace(view, vector=np.eye(1, 16, dtype=np.float32)[0])
    TaughtStore(tmp_path).add("Blue", Notes({}, ()), [other])  # kept by an encoder that is not there any more
    (kept,) = TaughtStore(tmp_path, encoder).rows()
    assert kept.vector.shape == view.vector.shape
    assert float(kept.vector @ view.vector) > 0.98
    (as_it_was,) = TaughtStore(tmp_path).rows()
    assert np.array_equal(as_it_was.vector, other.vector)
