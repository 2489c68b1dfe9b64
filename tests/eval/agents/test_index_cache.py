"""Which index a run over a world uses, and that none is built twice."""

from __future__ import annotations

import shutil

import pytest

from assistant.index import build
from assistant.settings import Settings
from eval.agents.index_cache import with_world_index, world_index


@pytest.fixture
def settings(small_world, small_index, tmp_path, monkeypatch):
    """A page over the small world has built its index already; no other can be built."""

    def refuse(*_, **__):
        raise AssertionError("an index is built")

    monkeypatch.setattr(build, "build_index", refuse)
    found = Settings(data_dir=tmp_path / "data", world_dir=small_world)
    shutil.copytree(small_index, found.index_dir)
    return found


def test_the_bundled_world_has_its_index_already(settings, small_world, tmp_path):
    assert with_world_index(small_world, settings).index == settings.index_dir
    shutil.copytree(small_world, tmp_path / "copy")
    assert with_world_index(tmp_path / "copy", settings).index == settings.index_dir


def test_another_world_has_its_own_and_it_is_built_once(settings, small_world, small_index, tmp_path, monkeypatch):
    other = tmp_path / "other"
    shutil.copytree(small_world, other)
    text = (other / "world.json").read_text()
    (other / "world.json").write_text(text + "\n")
    built = []

    def build_index(world, out, *, progress, encoder, wait_s, keep_current):
        built.append((world, wait_s > 0, keep_current))
        shutil.copytree(small_index, out)
        manifest = (out / "manifest.json").read_text()
        digest = build.world_digest
        (out / "manifest.json").write_text(manifest.replace(digest(small_world), digest(other)))

    monkeypatch.setattr(build, "build_index", build_index)
    found = world_index(other, settings)
    assert found != settings.index_dir
    assert world_index(other, settings) == found
    assert built == [(other, True, True)]


def test_an_index_that_was_named_is_used(settings, small_world, tmp_path):
    named = Settings(data_dir=settings.data_dir, world_dir=settings.world_dir, index=tmp_path / "mine")
    assert with_world_index(small_world, named) is named
