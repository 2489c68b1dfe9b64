"""Recognition end to end on drawn covers: the right one, with its place; siblings and strangers unclaimed."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Candidate, Frame
from assistant.recognition.recogniser import Recogniser, shared
from assistant.recognition.verify import Verifier
from assistant.vision.encoders import picture_encoder
from assistant.vision.image_encoder import extract
from assistant.vision.ocr import TextReader
from assistant.vision.picture_encoder import thing_vector
from tests.assistant.pictures import TinyPipeline, cover, shown, write_and_open
from tests.assistant.recognition.test_small_objects import bricks, with_thing

pytestmark = pytest.mark.slow

#: seed of the design and title; 41 is a series of which one volume is not indexed.
INDEXED = {
    "Amber River": 41,
    "Velvet Orchard": 41,
    "Quiet Salt": 52,
    "North Lantern": 63,
    "Copper Garden": 74,
    "Winter Glass": 85,
    "Stone Harbor": 96,
}
UNINDEXED = {"Paper Moon": 41, "Silent Mill": 107}


@pytest.fixture(scope="module")
def reader() -> TextReader:
    """Looks for text on half-size pictures, which is enough for titles as large as these."""
    return TextReader(least_px=360, most_px=360)


@pytest.fixture(scope="module")
def recogniser(reader: TextReader, tmp_path_factory) -> Recogniser:
    encoder = picture_encoder()
    items, vectors = [], []
    for title, seed in INDEXED.items():
        frame = Frame(cover(seed, title))
        items.append(extract(frame).with_texts(reader.read(frame)))
        vectors.append(thing_vector(encoder, frame, items[-1]))
    pipeline = TinyPipeline(np.stack(vectors), list(INDEXED))
    store = write_and_open(tmp_path_factory.mktemp("features"), items)
    return Recogniser(encoder, pipeline, store)  # type: ignore[arg-type]


def found(recogniser: Recogniser, reader: TextReader, pixels: np.ndarray) -> tuple[Candidate, ...]:
    frame = Frame(np.ascontiguousarray(pixels))
    return recogniser.decide(frame, recogniser.propose(frame), reader.read(frame), ())


@pytest.mark.parametrize("title", ["Amber River", "Velvet Orchard", "North Lantern"])
def test_the_indexed_thing_is_named_and_outlined(recogniser, reader, title: str):
    pixels, (outline,) = shown([cover(INDEXED[title], title)], seed=len(title))
    (candidate,) = found(recogniser, reader, pixels)
    assert candidate.name == title
    assert candidate.confidence >= recogniser.threshold
    assert candidate.attributes == {"position": list(INDEXED).index(title)}
    assert candidate.image_url == f"https://pictures.invalid/{candidate.index}"
    place = np.array(candidate.outline_px)
    assert shared(place, outline) > 0.93
    assert cv2.contourArea(place.astype(np.float32)) == pytest.approx(
        cv2.contourArea(outline.astype(np.float32)), rel=0.1
    )


@pytest.mark.parametrize("title", list(UNINDEXED))
def test_siblings_and_strangers_are_not_claimed(recogniser, reader, title: str):
    pixels, _ = shown([cover(UNINDEXED[title], title)], seed=3)
    assert found(recogniser, reader, pixels) == ()


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turned_frames_change_nothing(recogniser, reader, turns: int):
    pixels, _ = shown([cover(52, "Quiet Salt")], seed=6)
    assert [c.name for c in found(recogniser, reader, np.rot90(pixels, turns))] == ["Quiet Salt"]


def test_several_things_are_all_found_each_at_its_place(recogniser, reader):
    titles = ["Copper Garden", "Quiet Salt"]
    pixels, outlines = shown([cover(INDEXED[t], t) for t in titles], seed=9, size=(1280, 960))
    candidates = {c.name: c for c in found(recogniser, reader, pixels)}
    assert set(candidates) == set(titles)
    for title, outline in zip(titles, outlines, strict=True):
        assert shared(np.array(candidates[title].outline_px), outline) > 0.9


def test_an_indexed_thing_beside_a_stranger(recogniser, reader):
    pixels, _ = shown([cover(107, "Silent Mill"), cover(85, "Winter Glass")], seed=4, size=(1280, 960))
    assert [c.name for c in found(recogniser, reader, pixels)] == ["Winter Glass"]


def test_the_outline_stays_on_the_frame(recogniser, reader):
    pixels, _ = shown([cover(63, "North Lantern")], seed=2)
    cut = pixels[:, 250:]
    for candidate in found(recogniser, reader, cut):
        place = np.array(candidate.outline_px)
        assert place.min() >= 0
        assert (place <= (cut.shape[1], cut.shape[0])).all()


@pytest.mark.parametrize("kind", ["black", "grey", "noise", "one pixel", "thin"])
def test_frames_without_things(recogniser, reader, kind: str):
    noise = np.random.default_rng(0).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    pixels = {
        "black": np.zeros((480, 640, 3), np.uint8),
        "grey": np.full((480, 640, 3), 127, np.uint8),
        "noise": noise,
        "one pixel": noise[:1, :1],
        "thin": np.ascontiguousarray(np.tile(noise[:4], (1, 4, 1))),
    }[kind]
    assert found(recogniser, reader, pixels) == ()


def test_recognition_is_repeatable(recogniser, reader):
    pixels, _ = shown([cover(74, "Copper Garden")], seed=5)
    assert found(recogniser, reader, pixels) == found(recogniser, reader, pixels)


def test_an_empty_index_recognises_nothing(reader, tmp_path):
    encoder = picture_encoder()
    empty = Recogniser(encoder, TinyPipeline(np.zeros((0, encoder.dim)), []), write_and_open(tmp_path, []))  # type: ignore[arg-type]
    pixels, _ = shown([cover(52)], seed=1)
    assert found(empty, reader, pixels) == ()


def test_a_verification_model_for_other_measures_is_refused(tmp_path):
    with pytest.raises(NotReady):
        Verifier.load(tmp_path)
    shipped = json.loads((ASSETS_DIR / "encoder" / "verification.json").read_text(encoding="utf-8"))
    nothing = shipped["networks"][0] | {"bias": None}
    others = [
        {"format_version": 1},
        {"measures": ["other"]},
        {"cell_measures": ["other"]},
        {"mean": shipped["mean"][1:]},
        {"weights": [float("nan"), *shipped["weights"][1:]]},
        {"scale": [0.0, *shipped["scale"][1:]]},
        {"networks": [nothing]},
        {"networks": [shipped["networks"][0] | {"hidden_bias": [float("inf")] * 16}]},
    ]
    for other in others:
        (tmp_path / "verification.json").write_text(json.dumps(shipped | other), encoding="utf-8")
        with pytest.raises(NotReady, match="again"):
            Verifier.load(tmp_path)


def test_a_small_thing_before_a_busy_ground_is_found_by_a_closer_look(recogniser, reader):
    wall, thing = with_thing(bricks(), cover(74, "Copper Garden"), 90, 560, 110)
    frame = Frame(wall)
    overlooked = replace(recogniser.propose(frame), aligned=())  # as among many pictures
    (candidate,) = recogniser.decide(frame, overlooked, reader.read(frame), ())
    assert candidate.name == "Copper Garden"
    assert shared(np.array(candidate.outline_px), thing.corners) > 0.9


def test_a_small_stranger_before_a_busy_ground_is_not_claimed(recogniser, reader):
    wall, _ = with_thing(bricks(seed=2), cover(107, "Silent Mill"), 600, 300, 120)
    assert found(recogniser, reader, wall) == ()
