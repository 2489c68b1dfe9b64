"""Taught things by their looks: alike and more alike than anything else, else not claimed."""

import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.recognition.likeness import Likeness, likenesses
from assistant.recognition.recogniser import Recogniser, shared
from assistant.recognition.taught_images import FIRST, TaughtRow, TaughtRows
from assistant.teaching.enrol import box_of, see
from assistant.vision.encoders import picture_encoder
from assistant.vision.image_encoder import extract
from assistant.vision.picture_encoder import unit
from assistant.vision.pretrained import WHOLE
from tests.assistant.pictures import TinyPipeline, cover, write_and_open

LEFT, RIGHT = (0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 1.0, 1.0)


def row(name: str, vector: np.ndarray) -> TaughtRow:
    return TaughtRow(name, name, {}, None, vector)  # type: ignore[arg-type]  # only the vector is looked at


def test_the_most_alike_view_and_part_against_the_most_alike_other_thing():
    mug, other_side, plant = unit(np.random.default_rng(1).normal(size=(3, 64)).astype(np.float32))
    taught = TaughtRows([row("mug", mug), row("plant", plant), row("mug", other_side)], 1)
    parts = unit(np.stack([plant + 0.1 * mug, other_side + 0.3 * plant]))
    found = {
        taught.row(one.index).name: one
        for one in likenesses(taught, [LEFT, RIGHT], parts, lambda v: np.full(len(v), 0.2))
    }
    assert found["mug"].index == FIRST - 2
    assert found["mug"].window == RIGHT
    assert found["mug"].similarity == pytest.approx(float(parts[1] @ other_side))
    assert found["mug"].margin == pytest.approx(found["mug"].similarity - max(0.2, float(parts[1] @ plant)))
    assert found["plant"].window == LEFT


def test_surer_the_more_alike_and_the_less_anything_else_is():
    def confidence(similarity: float, margin: float) -> float:
        return Likeness(FIRST, WHOLE, similarity, margin).confidence

    assert confidence(0.8, 0.2) > 0.9 > confidence(0.6, 0.2) > confidence(0.4, 0.2)
    assert confidence(0.8, 0.2) > confidence(0.8, 0.0)
    assert confidence(0.8, 0.2) == confidence(0.8, 0.6)
    assert confidence(0.7, -0.1) < 0.5  # something else is more like it


def test_with_nothing_to_compare_with_nothing_is_said():
    taught = TaughtRows([row("mug", np.eye(8, dtype=np.float32)[0])], 1)
    assert likenesses(taught, [WHOLE], np.eye(8, dtype=np.float32)[:1], lambda v: np.full(len(v), -1.0)) == []
    assert likenesses(TaughtRows(), [WHOLE], np.eye(8, dtype=np.float32)[:1], lambda v: np.full(len(v), 0.3)) == []


def ball(colour: tuple[int, int, int], at: tuple[int, int], ground: int) -> np.ndarray:
    """A shaded ball without any pattern before a plain ground: no local features to speak of."""
    y, x = np.mgrid[0:480, 0:640].astype(np.float32)
    inside = (x - at[0]) ** 2 + (y - at[1]) ** 2 < 150**2
    light = np.clip(1.2 - np.hypot(x - at[0] + 50, y - at[1] + 60) / 260, 0.2, 1.2)[..., None]
    pixels = np.where(inside[..., None], np.array(colour, np.float32) * light, np.float32(ground))
    return pixels.clip(0, 255).astype(np.uint8)


@pytest.mark.slow
def test_a_plain_thing_is_known_and_another_is_not_taken_for_it(tmp_path):
    encoder = picture_encoder()
    items = [extract(Frame(cover(seed))) for seed in range(6)]
    indexed = [encoder.see(Frame(cover(seed))).vectors([WHOLE])[0] for seed in range(6)]
    view = see(Frame(ball((210, 40, 30), (320, 240), 120)), box_of(160, 80, 480, 400), encoder, None)
    taught = TaughtRows([TaughtRow("red ball", "b", {"n": "1"}, view.features, view.vector)], 1)
    pipeline = TinyPipeline(np.stack(indexed), [f"thing {i}" for i in range(6)])
    recogniser = Recogniser(encoder, pipeline, write_and_open(tmp_path, items), lambda: taught)  # type: ignore[arg-type]

    frame = Frame(ball((200, 45, 30), (280, 250), 150))
    (found,) = recogniser.decide(frame, recogniser.propose(frame), ())
    assert found.name == "red ball"
    assert found.confidence >= recogniser.threshold
    assert found.image_url == "taught:b"
    around = np.array([[130, 100], [430, 100], [430, 400], [130, 400]], np.float32)
    assert shared(np.array(found.outline_px), around) > 0.5
    for pixels in (cover(107), np.full((480, 640, 3), 120, np.uint8)):
        assert recogniser.decide(Frame(pixels), recogniser.propose(Frame(pixels)), ()) == ()
