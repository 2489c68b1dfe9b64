"""What stands out on a picture, and what is cut out by it before grounds that have structure."""

import cv2
import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.vision import salience as module
from assistant.vision.image_encoder import ImageEncoder
from assistant.vision.salience import SIDE_PX, salience
from assistant.vision.silhouette import thing_on
from tests.assistant.pictures import cover


def clutter(seed: int, size: tuple[int, int] = (256, 256)) -> np.ndarray:
    """A ground of many overlapping blurred shapes in the colours of anything that may stand before it."""
    g = np.random.default_rng(seed)
    ground = np.full((*size, 3), 120, np.uint8)
    for _ in range(160):
        colour = tuple(int(v) for v in g.integers(30, 220, 3))
        centre = (int(g.integers(0, size[1])), int(g.integers(0, size[0])))
        axes = (int(g.integers(6, 30)), int(g.integers(4, 14)))
        cv2.ellipse(ground, centre, axes, float(g.uniform(0, 180)), 0, 360, colour, -1)
    return cv2.GaussianBlur(ground, (0, 0), 1.5)


def before(ground: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A fish with a pattern and a light from above before the ground, and its silhouette."""
    g = np.random.default_rng(seed)
    height, width = ground.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (120, 128), (74, 42), 0, 0, 360, 1, -1)
    cv2.fillPoly(mask, [np.array([[180, 128], [232, 92], [224, 128], [232, 168]], np.int32)], 1)
    colour = g.integers(90, 240, 3).astype(float)
    coat = np.broadcast_to(colour, ground.shape).astype(np.float32).copy()
    for _ in range(18):
        centre = (int(g.integers(40, 200)), int(g.integers(80, 170)))
        cv2.circle(coat, centre, int(g.integers(5, 11)), tuple(float(v) for v in 0.6 * colour), -1)
    coat *= np.linspace(1.25, 0.6, height)[:, None, None]
    edge = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.8)[..., None]
    return np.clip(ground * (1 - edge) + coat * edge, 0, 255).astype(np.uint8), mask


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_a_thing_before_clutter_of_all_colours_is_cut_out(seed: int):
    picture, truth = before(clutter(seed), seed)
    extent, silhouette = thing_on(picture)
    found = cv2.resize(silhouette, (256, 256), interpolation=cv2.INTER_NEAREST)
    assert (found & truth).sum() / (found | truth).sum() > 0.8
    assert 0 < extent.min() < extent.max() < 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_clutter_alone_is_no_thing(seed: int):
    extent, silhouette = thing_on(clutter(seed))
    assert silhouette.all()
    assert extent.min() == 0
    assert extent.max() == 1


def test_values_are_shares_at_the_models_own_size():
    values = salience(cover(3))
    assert values.shape == (SIDE_PX, SIDE_PX)
    assert values.dtype == np.float32
    assert 0 <= values.min() <= values.max() <= 1


def test_a_plain_ground_does_not_ask_the_model(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("assistant.vision.silhouette.salience", lambda picture: pytest.fail("asked"))
    picture = np.full((256, 256, 3), 220, np.uint8)
    picture[60:200, 60:200] = cv2.resize(cover(4), (140, 140))
    extent, _ = thing_on(picture)
    assert extent.min(axis=0) == pytest.approx((60 / 256, 60 / 256), abs=0.03)


@pytest.mark.parametrize("content", [None, b"no model"])
def test_a_missing_or_damaged_model_is_one_sentence(tmp_path, monkeypatch: pytest.MonkeyPatch, content: bytes | None):
    file = tmp_path / "u2netp.onnx"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(module, "MODEL_FILE", file)
    module._model.cache_clear()
    try:
        with pytest.raises(NotReady, match=r"u2netp.onnx .* is missing or damaged: restore it"):
            salience(cover(3))
    finally:
        module._model.cache_clear()


def test_an_index_made_with_another_model_is_not_used(tmp_path, monkeypatch: pytest.MonkeyPatch):
    version = ImageEncoder.load().version
    file = tmp_path / "u2netp.onnx"
    file.write_bytes(module.MODEL_FILE.read_bytes() + b"another")
    monkeypatch.setattr(module, "MODEL_FILE", file)
    assert ImageEncoder.load().version != version
