"""The image encoders: unit vectors of windows, the packaged one and one of open_clip, and what is not one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from assistant.core.errors import NotReady
from assistant.core.paths import ASSETS_DIR
from assistant.core.threads import one_torch_thread
from assistant.core.types import Frame
from assistant.settings import read_settings
from assistant.vision import salience
from assistant.vision.degrade import KINDS, Degradation, DegradationKind, degrade
from assistant.vision.encoders import NetworkEncoder, picture_encoder
from assistant.vision.frame import read_frame
from assistant.vision.image_encoder import extract
from assistant.vision.kinds import kinds_of
from assistant.vision.open_clip_encoder import CONFIG, OpenClipEncoder
from assistant.vision.picture_encoder import WINDOWS, box_of, thing_vector, unit
from assistant.vision.pretrained import WHOLE
from tests.assistant.pictures import cover


def test_each_window_has_a_unit_vector_and_the_same_picture_the_same():
    encoder = picture_encoder()
    vectors = encoder.see(Frame(cover(3))).vectors(WINDOWS)
    assert vectors.shape == (len(WINDOWS), encoder.dim)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, encoder.see(Frame(cover(3))).vectors(WINDOWS))


@pytest.mark.parametrize("size", [(1, 1), (1, 900), (2000, 3), (600, 800)])
def test_pictures_of_any_shape_have_vectors(size: tuple[int, int]):
    vectors = picture_encoder().see(Frame(np.full((*size, 3), 120, np.uint8))).vectors([WHOLE, (0.9, 0.9, 0.9, 0.9)])
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_spoilt_picture_is_nearest_to_itself(kind: DegradationKind):
    encoder = picture_encoder()
    pictures = [read_frame(path) for path in sorted((ASSETS_DIR / "world" / "kg" / "images").iterdir())[::40][:8]]
    indexed = np.stack([thing_vector(encoder, picture, extract(picture)) for picture in pictures])
    spoilt = Frame(degrade(pictures[3].pixels, Degradation(kind, 0.4, 5)))
    scores = (encoder.see(spoilt).vectors(WINDOWS) @ indexed.T).max(axis=0)
    assert int(scores.argmax()) == 3


def test_a_box_ends_where_the_picture_ends():
    assert box_of(np.array([[-10.0, 5.0], [50.0, 30.0]]), 100, 20) == (0.0, 0.25, 0.5, 1.0)
    assert np.array_equal(unit(np.zeros((1, 3), np.float32)), [[1, 0, 0]])


def test_the_version_changes_with_what_cuts_things_out(monkeypatch):
    version = NetworkEncoder().version
    assert version == NetworkEncoder().version
    assert len(version) == 16
    monkeypatch.setattr(salience, "MODEL_FILE", Path(__file__))
    assert NetworkEncoder().version != version


def test_inside_the_block_torch_keeps_to_one_thread():
    import torch

    def numbers() -> set[int]:
        return {lib["num_threads"] for lib in ThreadpoolController().select(user_api="openmp").info()}

    torch.get_num_threads()
    before = numbers()
    with one_torch_thread():
        assert torch.get_num_threads() == 1
        assert numbers() == {1}
    assert numbers() == before


TINY = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 16},
    "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1},
}


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of open_clip's own classes, with random weights."""
    import open_clip
    import torch

    folder = tmp_path_factory.mktemp("clip")
    torch.manual_seed(1)
    mean = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}
    (folder / CONFIG).write_text(json.dumps({"model_cfg": TINY, "preprocess_cfg": mean}))
    torch.save(open_clip.CLIP(**TINY).state_dict(), folder / "open_clip_pytorch_model.bin")
    return folder


@pytest.mark.slow
def test_a_model_of_open_clip_takes_its_place_and_names_by_words(clip: Path):
    encoder = picture_encoder(clip)
    assert isinstance(encoder, OpenClipEncoder)
    assert (encoder.name, encoder.dim) == ("open-clip", 16)
    vectors = encoder.see(Frame(cover(3))).vectors(WINDOWS[:4])
    words = encoder.texts(["a mug", "a dog"])
    assert (vectors.shape, words.shape) == ((4, 16), (2, 16))
    for each in (vectors, words):
        assert np.allclose(np.linalg.norm(each, axis=1), 1, atol=1e-5)
    assert np.array_equal(OpenClipEncoder(clip).see(Frame(cover(3))).vectors(WINDOWS[:4]), vectors)
    assert encoder.version != picture_encoder().version


@pytest.mark.slow
def test_kinds_are_named_by_words_where_there_is_such_a_model(clip: Path):
    encoder, frame = OpenClipEncoder(clip), Frame(cover(3))
    kinds = kinds_of(frame, None, encoder)
    particular = [kind for kind in kinds if kind.holds == 1]
    assert 0.99 < sum(kind.probability for kind in particular) < 1.01 + 1e-4 * len(particular)
    names = [kind.name for kind in particular]
    near = encoder.pictures([frame.pixels]) @ encoder.texts([f"a photo of a {name}." for name in names]).T
    assert names[int(near[0].argmax())] == particular[0].name
    assert kinds != kinds_of(frame)


@pytest.mark.parametrize("files", [{}, {CONFIG: "{"}, {CONFIG: json.dumps(TINY)}, {"open_clip_model.safetensors": ""}])
def test_a_folder_without_a_model_is_refused_in_one_sentence(tmp_path: Path, files: dict[str, str]):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(NotReady, match="VITRINE_CLIP"):
        OpenClipEncoder(tmp_path)


def test_the_folder_comes_from_the_environment_or_the_data_folder(tmp_path: Path):
    assert read_settings(data_dir=tmp_path, environ={}).clip_dir is None
    (tmp_path / "clip").mkdir()
    assert read_settings(data_dir=tmp_path, environ={}).clip_dir == tmp_path.resolve() / "clip"
    named = read_settings(data_dir=tmp_path, environ={"VITRINE_CLIP": str(tmp_path / "other")})
    assert named.clip_dir == tmp_path.resolve() / "other"
    assert str(named.clip_dir) in named.withheld
