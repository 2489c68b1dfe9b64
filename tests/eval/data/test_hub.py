"""Data by hub id: said at once when it cannot be had, fetched by revision when it may be, read offline afterwards."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.data import hub
from eval.data.datasets import Reading, load
from tests.eval.data.crag_sets import MULTI, SINGLE, crag_row, data_set, single_turn_rows
from tests.eval.data.hub_stub import HubStub, commit

REPO = hub.CRAG_MM["single"]
CARD = """---
configs:
- config_name: default
  data_files:
  - split: validation
    path: data/validation-*
  - split: public_test
    path: data/public_test-*
---
"""


def write_repository(folder: Path, rows: list, names=SINGLE) -> Path:
    (folder / "data").mkdir(parents=True)
    data_set(rows, names).to_parquet(folder / "data" / "validation-00000-of-00001.parquet")
    data_set([crag_row("p", names)], names).to_parquet(folder / "data" / "public_test-00000-of-00001.parquet")
    (folder / "README.md").write_text(CARD)
    return folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The hub's cache, empty, in a folder of the test's own."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path))
    return tmp_path / "hub"


def put(cache: Path, repo: str, revision: str, rows: list, names=SINGLE) -> Path:
    """A snapshot as `huggingface_hub` keeps it."""
    folder = cache / f"datasets--{repo.replace('/', '--')}"
    write_repository(folder / "snapshots" / commit(revision), rows, names)
    (folder / "refs").mkdir(exist_ok=True)
    (folder / "refs" / revision).write_text(commit(revision))
    return folder


def asked_nobody(monkeypatch) -> list:
    asked: list = []

    def refuse(*arguments, **named):
        asked.append(arguments)
        raise OSError("nobody is to be asked")

    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(f"socket.{name}", refuse)
    return asked


def test_a_set_that_is_not_here_is_said_without_asking_anybody(cache, monkeypatch):
    asked = asked_nobody(monkeypatch)
    with pytest.raises(hub.HubUnreachable, match=r"at revision 'v0\.1\.2' is not on this machine: add --allow-network"):
        load(REPO)
    with pytest.raises(hub.HubUnreachable, match="at revision 'main'"):
        load("someone/other")
    assert asked == []


@pytest.mark.slow
def test_being_offline_is_said_within_a_second_by_the_command(tmp_path):
    """The whole command, as a user has it: without leave, and with it where there is no network."""
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_ENDPOINT": "http://127.0.0.1:9"}
    environment.pop("HF_HUB_OFFLINE")
    warm = [sys.executable, "-c", "import eval.data.options, huggingface_hub.constants"]
    subprocess.run(warm, check=True, env=environment)
    for more, said in (([], "add --allow-network"), (["--allow-network"], "cannot be reached")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "eval", "data", "--data", REPO, *more]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        assert used_s < 1.0  # computing, not waiting for others at work here; that nobody is waited for is tested below


def test_a_name_look_up_that_hangs_is_not_waited_for(cache, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)

    def hang(*arguments, **named):
        time.sleep(2)
        raise OSError("no answer")

    monkeypatch.setattr("socket.create_connection", hang)
    start = time.monotonic()
    with pytest.raises(hub.HubUnreachable, match=r"gave no sign within 0\.2 s, .*--hub-wait"):
        load(REPO, reading=Reading(network=True, hub_wait_s=0.2))
    assert time.monotonic() - start < 1


def test_an_environment_that_forbids_the_hub_is_heeded(cache, monkeypatch):
    from huggingface_hub import constants

    asked = asked_nobody(monkeypatch)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(hub.HubUnreachable, match="HF_HUB_OFFLINE is set"):
        load(REPO, reading=Reading(network=True))
    assert asked == []


def test_what_was_fetched_before_is_read_by_its_revision(cache, monkeypatch):
    put(cache, REPO, "v0.1.1", single_turn_rows()[:1])
    put(cache, REPO, "v0.1.2", single_turn_rows())
    asked = asked_nobody(monkeypatch)
    data = load(REPO)
    assert [s.session_id for s in data.samples] == ["s1", "s2", "s3"]
    assert {s.set for s in data.samples} == {"single"}
    assert data.samples[1].turns[0].domain == "vehicle"
    assert data.name == f"{REPO}@v0.1.2"
    assert data.origin == {"hub": [{"repo": REPO, "revision": "v0.1.2", "commit": commit("v0.1.2")}]}
    older = load(REPO, reading=Reading(revision="v0.1.1"))
    assert [s.session_id for s in older.samples] == ["s1"]
    assert older.digest != data.digest == load(REPO, reading=Reading(revision=commit("v0.1.2"))).digest
    assert [s.session_id for s in load(REPO, "public_test").samples] == ["p"]
    with pytest.raises(BadInput, match="has no split 'train': choose one of validation, public_test, all"):
        load(REPO, "train")
    with pytest.raises(hub.HubUnreachable, match=r"of it, 'v0\.1\.1', 'v0\.1\.2' is here"):
        load(REPO, reading=Reading(revision="v0.2"))
    assert asked == []


def test_both_sets_by_one_word(cache):
    put(cache, hub.CRAG_MM["single"], "v0.1.2", single_turn_rows())
    put(cache, hub.CRAG_MM["multi"], "v0.1.2", [crag_row("m", MULTI, [{"domain": "book"}, {}])], MULTI)
    data = load("crag-mm")
    assert [(s.session_id, s.set, s.turns[0].domain) for s in data.samples] == [
        ("s1", "single", "book"),
        ("s2", "single", "vehicle"),
        ("s3", "single", "food"),
        ("m", "multi", "book"),
    ]
    assert [s.session_id for s in load("crag-mm", set_="multi").samples] == ["m"]


def test_a_snapshot_without_all_of_its_files_is_not_taken_for_the_whole(cache):
    folder = put(cache, REPO, "v0.1.2", single_turn_rows())
    (shard,) = folder.glob("snapshots/*/data/validation-*")
    shard.rename(shard.with_name("validation-00000-of-00002.parquet"))
    with pytest.raises(BadInput, match="'validation' is not whole: 1 of its 2 files"):
        load(REPO)


@pytest.mark.parametrize("revision", ["../../x", "a b", "/etc", ""])
def test_a_revision_that_is_none(cache, revision):
    if not revision:
        assert hub.default_revision(REPO) == "v0.1.2"
        return
    with pytest.raises(BadInput, match="is no revision"):
        load(REPO, reading=Reading(revision=revision))


@pytest.mark.slow
def test_fetched_by_revision_and_read_again_without_the_hub(tmp_path):
    """`datasets` and `huggingface_hub` as they are, against a hub on this machine, in processes of their own."""
    folders = {
        "v0.1.1": write_repository(tmp_path / "one", single_turn_rows()[:1]),
        "v0.1.2": write_repository(tmp_path / "two", single_turn_rows()),
    }
    stub = HubStub(REPO, folders)
    environment = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_ENDPOINT": stub.endpoint}
    environment.pop("HF_HUB_OFFLINE")
    environment.update(HF_UPDATE_DOWNLOAD_COUNTS="0", HF_HUB_DISABLE_TELEMETRY="1")

    def look(*more: str) -> tuple[dict, str]:
        command = [sys.executable, "-m", "eval", "data", "--data", REPO, "--json", *more]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        return json.loads(done.stdout or "{}"), done.stderr

    try:
        fetched, _ = look("--allow-network")
        assert any("/resolve/v0.1.2/" in line for line in stub.asked)
        assert not any("v0.1.1" in line or commit("v0.1.1") in line for line in stub.asked)
        assert fetched["origin"] == {"hub": [{"repo": REPO, "revision": "v0.1.2", "commit": commit("v0.1.2")}]}
        assert (fetched["n_samples"], fetched["n_ego"], fetched["n_unusable"]) == (3, 2, 1)
        assert fetched["labels"]["domain"] == {"book": 1, "vehicle": 1, "food": 1}
        stub.asked.clear()
        again, _ = look()
        assert {key: again[key] for key in ("digest", "labels", "n_samples")} == {
            key: fetched[key] for key in ("digest", "labels", "n_samples")
        }
        # The library's Arrow files alone are enough, and nothing else is taken for a revision that was not fetched.
        (shard,) = (tmp_path / "home").glob("hub/*/snapshots/*/data/validation-*")
        shard.unlink()
        prepared, _ = look()
        assert prepared["digest"] == fetched["digest"]
        nothing, said = look("--revision", "v0.1.1")
        assert nothing == {}
        assert "'v0.1.1' is not on this machine" in said
        assert stub.asked == []
        _, said = look("--allow-network", "--revision", "v9")
        assert "gives no data set" in said
        assert "'v9'" in said
    finally:
        stub.close()


def test_what_the_library_gives_instead_of_a_revision_is_refused(cache, monkeypatch):
    """`datasets` falls back on whatever it has when the hub fails half-way."""
    import datasets
    from huggingface_hub import constants

    put(cache, REPO, "v0.1.2", single_turn_rows())
    other = data_set(single_turn_rows(), SINGLE)
    other.save_to_disk(cache / "elsewhere")
    taken = datasets.load_from_disk(cache / "elsewhere")
    asked = []

    def load_dataset(repo, *, revision):
        asked.append((repo, revision))
        return datasets.DatasetDict({"validation": taken})

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "_knock", lambda *a: None)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    with pytest.raises(hub.HubUnreachable, match="what is on this machine is of another one"):
        load(REPO, reading=Reading(network=True))
    assert asked == [(REPO, "v0.1.2")]
    monkeypatch.setattr(datasets, "load_dataset", lambda repo, *, revision: 1 / 0)
    with pytest.raises(hub.HubUnreachable, match=r"ZeroDivisionError: .*try again"):
        load(REPO, reading=Reading(network=True))
