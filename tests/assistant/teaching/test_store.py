"""The folder of taught objects: kept, shared between processes, whole after a kill, refused when foreign."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import BadInput, NotReady, UnknownFormat
from assistant.core.types import Frame, TextLine
from assistant.index.catalogue import EntityRecord, TaughtRecord
from assistant.teaching.enrol import View
from assistant.teaching.store import TaughtStore
from assistant.teaching.taught_object import Notes
from assistant.vision.local_features import LocalFeatures

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def a_view(seed: int = 0, keypoints: int = 40) -> View:
    """Random features of the right shape; the store does not look into them."""
    rng = np.random.default_rng(seed)
    picture = Frame(rng.integers(0, 255, (60, 80, 3)).astype(np.uint8))
    features = LocalFeatures(
        80,
        60,
        rng.uniform(0, 60, (keypoints, 4)).astype(np.float32),
        rng.integers(0, 255, (keypoints, 128)).astype(np.uint8),
        picture.pixels,
        (TextLine("NO 7", 0.9, ((1.0, 1.0), (9.0, 1.0), (9.0, 5.0), (1.0, 5.0))),),
        np.array([[0, 0], [80, 0], [80, 60], [0, 60]], np.float32),
        np.ones((48, 64), np.uint8),
    )
    vector = rng.normal(size=16).astype(np.float32)
    return View(picture, ((0.0, 0.0), (80.0, 0.0), (80.0, 60.0)), features, vector / np.linalg.norm(vector))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "taught"


def open_store(folder: Path) -> TaughtStore:
    return TaughtStore(folder, now=lambda: NOW)


NOTES = Notes({"maker": "Aunt Vreni", "year": "1954"}, ("It hangs in the hall.",))


def test_nothing_is_made_before_anything_is_taught(folder: Path):
    store = open_store(folder)
    assert store.objects() == ()
    assert len(store.rows()) == 0
    assert not folder.exists()


def test_what_was_taught_is_there_again(folder: Path):
    view = a_view()
    made = open_store(folder).add("The clock", NOTES, [view])
    (found,) = open_store(folder).objects()
    assert found == made
    assert (found.facts, found.sentences, found.created) == (NOTES.facts, NOTES.sentences, "2026-05-04T12:00:00+00:00")
    (row,) = open_store(folder).rows()
    assert row.name == "The clock"
    assert row.features.texts == view.features.texts
    np.testing.assert_array_equal(row.features.descriptors, view.features.descriptors)
    np.testing.assert_allclose(row.vector, view.vector)


def test_another_reader_sees_a_change_at_once(folder: Path):
    visitor, other = open_store(folder), open_store(folder)
    assert other.objects() == ()
    clock = visitor.add("Clock", NOTES, [a_view()])
    assert [o.name for o in other.objects()] == ["Clock"]
    before = other.version
    visitor.forget(clock.id)
    assert other.objects() == ()
    assert other.version != before


def test_a_name_is_taken_once_whatever_its_case(folder: Path):
    store = open_store(folder)
    store.add("Red Tin", NOTES, [a_view()])
    with pytest.raises(BadInput, match="taught already"):
        store.add("red  TIN", NOTES, [a_view(1)])


def test_changes_keep_what_is_not_named(folder: Path):
    store = open_store(folder)
    made = store.add("Tin", NOTES, [a_view()])
    store.change(made.id, name="Blue tin")
    store.change(made.id, views=[a_view(1)])
    (thing,) = open_store(folder).objects()
    assert (thing.name, thing.facts, len(thing.pictures)) == ("Blue tin", NOTES.facts, 2)
    assert thing.pictures[0] == made.pictures[0]
    assert len(open_store(folder).rows()) == 2


def test_forgetting_removes_the_pictures_and_can_be_undone(folder: Path):
    store = open_store(folder)
    made = store.add("Tin", NOTES, [a_view(), a_view(1)])
    gone = store.forget(made.id)
    assert list((folder / "views").iterdir()) == []
    assert store.jpeg(made.pictures[0].id) is None
    back = store.restore(gone)
    assert (back.id, back.name, back.created) == (made.id, made.name, made.created)
    assert len(store.rows()) == 2
    with pytest.raises(BadInput):
        store.forget("nobody")


def test_user_strings_are_never_paths(folder: Path):
    store = open_store(folder)
    store.add("../../../etc/passwd", Notes({"../x": "/tmp/y"}, ()), [a_view()])
    written = {p.relative_to(folder.parent.parent) for p in folder.parent.parent.rglob("*") if p.is_file()}
    assert all(str(p).startswith("data/taught/") for p in written)
    assert not any("passwd" in p.name for p in written)
    assert store.jpeg("../taught") is None


def test_a_foreign_format_is_refused_and_left_alone(folder: Path):
    folder.mkdir(parents=True)
    (folder / "taught.json").write_text('{"format_version": 99, "objects": []}')
    store = open_store(folder)
    with pytest.raises(UnknownFormat, match="format 99"):
        store.objects()
    with pytest.raises(UnknownFormat):
        store.add("Tin", NOTES, [a_view()])
    assert '"format_version": 99' in (folder / "taught.json").read_text()
    assert len(store.rows()) == 0  # recognition of everything else goes on


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format_version": 1}', '{"format_version": 1, "version": 1, "objects": [1]}']
)
def test_a_damaged_file_is_one_sentence(folder: Path, text: str):
    folder.mkdir(parents=True)
    (folder / "taught.json").write_text(text)
    with pytest.raises(UnknownFormat, match="damaged"):
        open_store(folder).objects()


def test_an_id_that_is_a_path_is_damage(folder: Path):
    store = open_store(folder)
    store.add("Tin", NOTES, [a_view()])
    data = json.loads((folder / "taught.json").read_text())
    data["objects"][0]["pictures"][0]["id"] = "../../secret"
    (folder / "taught.json").write_text(json.dumps(data))
    with pytest.raises(UnknownFormat):
        open_store(folder).objects()


def test_a_damaged_view_leaves_the_others(folder: Path):
    store = open_store(folder)
    made = store.add("Tin", NOTES, [a_view(), a_view(1)])
    (folder / "views" / f"{made.pictures[0].id}.npz").write_bytes(b"no zip")
    assert [row.picture_id for row in open_store(folder).rows()] == [made.pictures[1].id]


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(NotReady, match="cannot be written"):
        open_store(blocked / "taught").add("Tin", NOTES, [a_view()])


def test_a_full_disk_keeps_the_old_state(folder: Path, monkeypatch: pytest.MonkeyPatch):
    store = open_store(folder)
    store.add("Tin", NOTES, [a_view()])
    before = (folder / "taught.json").read_bytes()
    real = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        real(self, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(NotReady, match="No space left"):
            store.add("Cup", NOTES, [a_view(1)])
    assert (folder / "taught.json").read_bytes() == before
    assert len(list((folder / "views").iterdir())) == 2  # the half-written view is gone
    store.add("Cup", NOTES, [a_view(1)])
    assert len(store.objects()) == 2


def _add_many(folder: str, who: int) -> None:
    store = open_store(Path(folder))
    for n in range(6):
        store.add(f"thing {who}.{n}", NOTES, [a_view(100 * who + n, 4)])


@pytest.mark.slow
def test_two_processes_lose_nothing(folder: Path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_many, args=(str(folder), who)) for who in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert len(open_store(folder).objects()) == 12
    assert len(list(open_store(folder).rows())) == 12


@pytest.mark.slow
def test_a_killed_writer_leaves_old_or_new(folder: Path):
    open_store(folder).add("first", NOTES, [a_view()])
    code = (
        "import sys; from pathlib import Path; from tests.assistant.teaching.test_store import *\n"
        "store = open_store(Path(sys.argv[1])); print('on', flush=True)\n"
        "for n in range(100000): store.add(f'thing {n}', NOTES, [a_view(n, 4)])"
    )
    for wait_s in (0.05, 0.11, 0.17):
        worker = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, cwd=Path.cwd())
        assert worker.stdout is not None
        worker.stdout.readline()
        time.sleep(wait_s)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        worker.stdout.close()
        names = [o.name for o in open_store(folder).objects()]
        assert names[0] == "first"
        assert len(open_store(folder).rows()) == len(names)
        for thing in open_store(folder).objects()[1:]:
            open_store(folder).forget(thing.id)
    assert not list(folder.glob("*-tmp"))


def test_a_record_joins_index_and_teaching(folder: Path):
    store = open_store(folder)
    made = store.add("Tin", NOTES, [a_view()])
    indexed = EntityRecord("TIN", {"price": "3", "year": "1900"}, (4,), ("https://p.invalid/4",))
    record = store.record("tin", indexed)
    assert isinstance(record, TaughtRecord)
    assert record.attributes == {"price": "3", "year": "1954", "maker": "Aunt Vreni"}
    assert (record.name, record.indexes, record.sentences) == ("TIN", (4,), NOTES.sentences)
    assert record.source == f"taught:{made.pictures[0].id}"
    assert store.record("cup", indexed) is indexed
    assert store.record("cup", None) is None
