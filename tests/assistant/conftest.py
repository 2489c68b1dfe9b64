"""A tiny world and its index, built once; tests that change an index copy it first."""

from pathlib import Path

import pytest

from assistant.index.build import build_index
from tests.assistant.tiny_world import make_world


@pytest.fixture(scope="session")
def tiny_world(tmp_path_factory) -> Path:
    return make_world(tmp_path_factory.mktemp("tiny") / "world")


@pytest.fixture(scope="session")
def tiny_index(tiny_world, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny-index") / "index"
    build_index(tiny_world, folder, read_pictures=False)
    return folder
