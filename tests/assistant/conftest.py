"""A tiny world and its index, built once; tests that change an index copy it first."""

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.index.build import build_index
from assistant.vision import ocr, silhouette
from tests.assistant.tiny_world import make_world


@pytest.fixture(autouse=True, scope="session")
def _salience_once() -> Iterator[None]:
    """What stands out on a picture is asked of the model once: most tests are about the same few pictures."""
    ask = silhouette.salience

    @functools.lru_cache(maxsize=256)
    def kept(pixels: bytes, shape: tuple[int, ...]) -> np.ndarray:
        found = ask(np.frombuffer(pixels, np.uint8).reshape(shape))
        found.flags.writeable = False
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(silhouette, "salience", lambda picture: kept(picture.tobytes(), picture.shape))
        yield


_loaded = functools.cache(ocr.TextReader)


@pytest.fixture(scope="module")
def _one_text_reader() -> Iterator[None]:
    """Whoever opens an assistant gets the text reader that was loaded before: loading takes longer than reading."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ocr, "TextReader", _loaded)
        yield


@pytest.fixture(scope="session")
def tiny_world(tmp_path_factory) -> Path:
    return make_world(tmp_path_factory.mktemp("tiny") / "world")


@pytest.fixture(scope="session")
def tiny_index(tiny_world, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-index") / "index"
    build_index(tiny_world, folder, read_pictures=False)
    return folder
