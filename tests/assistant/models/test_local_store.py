"""Finding, fetching and removing models, against a hub that runs in the test."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from assistant.core.errors import BadInput, Cancelled, NotReady
from assistant.models.local.fetch import PART, repository
from assistant.models.local.machine import Machine
from assistant.models.local.store import cached_folder, cached_models, fetch, find, hub_id_of, remove
from tests.assistant.models.hub_server import COMMIT, Hub, hub

pytestmark = pytest.mark.slow  # a fetch is a process of its own
TINY = "HuggingFaceTB/SmolVLM2-256M-Video-Instruct"
CONFIG = json.dumps({"model_type": "smolvlm"}).encode()
FILES = {"config.json": CONFIG, "tokenizer.json": b"{}", "model.safetensors": b"w" * 300_000, "README.md": b"text"}
MACHINE = Machine(16 * 10**9, 10**10, 4, True)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")  # for the process that fetches; it is told of the server of this test alone
    with hub() as served:
        served.models[TINY] = dict(FILES)
        yield served


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "hub"


def test_a_model_is_fetched_found_listed_and_removed(server: Hub, cache):
    with pytest.raises(NotReady, match="`python -m assistant model get smolvlm2-256m`"):
        find("smolvlm2-256m", cache)
    with pytest.raises(NotReady, match="no local model was fetched yet"):
        find(None, cache)
    told: list[tuple[int, int]] = []
    got = fetch("smolvlm2-256m", lambda *sizes: told.append(sizes), endpoint=server.url, cache=cache)
    assert (got.name, got.path.name) == ("smolvlm2-256m", COMMIT)
    assert sorted(server.fetched) == ["config.json", "model.safetensors", "tokenizer.json"]
    assert told[-1] == (300_002 + len(CONFIG),) * 2
    assert told == sorted(told)
    assert find(TINY, cache) == find("SmolVLM2-256M", cache) == find(None, cache, lambda: MACHINE) == got
    assert [(model.hub_id, model.lacks) for model in cached_models(cache)] == [(TINY, "")]
    fetch(TINY, endpoint=server.url, cache=cache)  # nothing is fetched twice
    assert len(server.fetched) == 3
    assert remove("smolvlm2-256m", cache) > 300_000
    assert cached_models(cache) == []
    with pytest.raises(NotReady, match="nothing to remove"):
        remove(TINY, cache)


def test_a_fetch_ends_when_it_is_cancelled_and_goes_on_later(server: Hub, cache):
    server.models[TINY]["model.safetensors"] = b"x" * 40 * 65536
    server.pause_s = 0.1
    cancelled, told = threading.Event(), []

    def watch(done: int, total: int) -> None:
        told.append(done)
        if done > 5 * 65536:
            cancelled.set()

    begun = time.monotonic()
    with pytest.raises(Cancelled, match="what has come is kept"):
        fetch(TINY, watch, cancelled=cancelled, endpoint=server.url, cache=cache)
    assert "model.safetensors" not in server.fetched
    assert sorted(server.fetched) == ["config.json", "tokenizer.json"]
    assert time.monotonic() - begun < 30
    with pytest.raises(NotReady, match="is not whole"):
        find(TINY, cache)
    (half,) = cached_models(cache)
    (part,) = cache.rglob("*.incomplete")
    there = part.stat().st_size
    assert half.lacks
    assert half.on_disk >= there > 65536
    server.pause_s = 0.0
    told.clear()
    fetch(TINY, lambda *sizes: told.append(sizes[0]), endpoint=server.url, cache=cache)
    assert sorted(server.fetched) == ["config.json", "model.safetensors", "tokenizer.json"]
    assert [place for name, place in server.begun if name == "model.safetensors"] == [0, there]
    assert told[0] > there  # what was there is counted from the beginning
    weights = cached_folder(TINY, cache) / "model.safetensors"
    assert weights.read_bytes() == b"x" * 40 * 65536
    assert not list(cache.rglob("*.incomplete"))


def test_a_connection_that_breaks_is_made_again_and_damage_is_dropped(server: Hub, cache):
    server.models[TINY]["model.safetensors"] = b"y" * 10 * 65536
    server.breaks_after = 5 * 65536
    fetch(TINY, endpoint=server.url, cache=cache)
    assert [place > 0 for name, place in server.begun if name == "model.safetensors"] == [False, True]
    (blob,) = (path for path in cache.rglob("blobs/*") if path.stat().st_size > 65536)
    blob.rename(blob.with_name(blob.name + PART))
    blob.with_name(blob.name + PART).write_bytes(b"z" * 3 * 65536)  # another file's beginning
    (cached_folder(TINY, cache) / "model.safetensors").unlink()
    with pytest.raises(NotReady, match="came damaged and was dropped: fetch it again"):
        fetch(TINY, endpoint=server.url, cache=cache)
    assert fetch(TINY, endpoint=server.url, cache=cache).path.is_dir()


def test_what_was_broken_off_is_removed_whole(server: Hub, cache):
    blobs = repository(TINY, cache) / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"abc{PART}").write_bytes(b"x" * 1000)
    assert remove(TINY, cache) == 1000
    assert not repository(TINY, cache).exists()


def test_what_goes_wrong_is_one_sentence_at_once(server: Hub, cache):
    server.models["some/pickle"] = {"config.json": CONFIG, "pytorch_model.bin": b"x"}
    server.gated.add("some/gated")
    for name, words in (("some/model", "has no model"), ("some/pickle", "safetensors"), ("some/gated", "licence")):
        with pytest.raises(NotReady, match=words) as raised:
            fetch(name, endpoint=server.url, cache=cache)
        assert "\n" not in str(raised.value)
    server.models[TINY]["model.safetensors"] = b"x"
    server.silent.set()  # a network that swallows everything
    begun = time.monotonic()
    with pytest.raises(NotReady, match="cannot be reached"):
        fetch(TINY, endpoint=server.url, cache=cache)
    assert time.monotonic() - begun < 15  # 4.5 s once the process runs, which takes its time on a busy machine
    with pytest.raises(NotReady, match="cannot be reached"):
        fetch(TINY, endpoint="http://127.0.0.1:9", cache=cache)


def test_nothing_is_fetched_offline(cache, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(NotReady, match="HF_HUB_OFFLINE"):
        fetch(TINY, cache=cache)


@pytest.mark.parametrize("name", ["nonsense", "a/b/c", "a b/c", "x/../y"])
def test_a_name_that_cannot_be_one(name):
    with pytest.raises(BadInput, match="there is no model"):
        hub_id_of(name)


def test_folders_are_taken_by_their_path(tmp_path, cache):
    (tmp_path / "config.json").write_bytes(CONFIG)
    assert find(str(tmp_path), cache).path == tmp_path
    for wrong in (tmp_path / "none", tmp_path / "none.gguf"):
        with pytest.raises(NotReady):
            find(str(wrong), cache)
    with pytest.raises(BadInput, match="path of your own"):
        remove(str(tmp_path), cache)


def test_a_model_in_several_files_is_whole_with_all_of_them(tmp_path):
    from assistant.models.local.store import missing_of

    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "a.safetensors").write_text("")
    index = {"weight_map": {"one": "a.safetensors", "two": "b.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert missing_of(tmp_path) == "1 of its weight files are missing"
    (tmp_path / "b.safetensors").write_text("")
    assert missing_of(tmp_path) == ""
