"""Whatever is overwritten in an index is noticed before it is used; the bundled index mends itself, others are told."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.paths import PROJECT_DIR
from assistant.factory import ensure_index
from assistant.index import build, digests, manifest
from assistant.index.check import check_index
from assistant.index.collections import Collections
from assistant.index.knowledge import Knowledge
from assistant.index.manifest import check_files, check_manifest, read_manifest
from assistant.settings import Settings

pytestmark = pytest.mark.slow

DATABASE = "chroma/chroma.sqlite3"
LISTED = [
    *("descriptors.npy", "keypoints.npy", "pictures.npy", "thumbnails.bin", "details.jsonl", "features/manifest.json"),
    *("data.csc.index.npy", "indices.csc.index.npy", "vocab.index.json", "catalogue.sqlite", "chroma.sqlite3"),
]


@pytest.fixture
def index_copy(tiny_index: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_index, tmp_path / "copy"))


def overwrite(path: Path, first: int = 0, count: int | None = None) -> None:
    """Random bytes over bytes of a file, whose size stays."""
    size = path.stat().st_size
    count = size - first if count is None else min(count, size - first)
    with path.open("r+b") as file:
        file.seek(first)
        file.write(np.random.default_rng(3).bytes(count))


def without_digests(folder: Path) -> Path:
    """The index as it was written before there were checksums."""
    path = folder / "manifest.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "digests"}))
    return folder


@pytest.mark.parametrize("share", [None, 0.5])
@pytest.mark.parametrize("name", LISTED)
def test_random_bytes_of_the_same_size_are_one_sentence(index_copy: Path, name: str, share: float | None):
    [path] = [p for p in index_copy.rglob(Path(name).name) if p.as_posix().endswith(name)]
    if name == "chroma.sqlite3" and share is not None:
        overwrite(path, path.read_bytes().index(b"enamel"), 64)
    else:
        overwrite(path, 0 if share is None else int(path.stat().st_size * share), None if share is None else 64)
    sentence = rf"is damaged \(\S*{name} does not hold .*\): build it again with `python -m assistant index build"
    for use in (check_manifest, Collections.open, Knowledge.open):
        with pytest.raises(NotReady, match=sentence) as told:
            use(index_copy)
        assert "\n" not in str(told.value)


@pytest.mark.slow
def test_a_database_is_either_damaged_or_answers_as_before(tiny_index: Path, tmp_path: Path):
    """No place in the file may change an answer in silence; unused room may hold anything."""
    opened = Knowledge.open(tiny_index)
    asked = ("enamel fired at how many degrees", "who wrote a novel", "gasket", "cheese")
    answers = [opened.search(question, 3) for question in asked]
    opened.close()
    whole = (tiny_index / DATABASE).read_bytes()
    noticed = 0
    for number, first in enumerate(np.random.default_rng(1).integers(0, len(whole) - 64, 40)):
        folder = Path(shutil.copytree(tiny_index, tmp_path / str(number)))
        overwrite(folder / DATABASE, int(first), 64)
        try:
            opened = Knowledge.open(folder)
        except NotReady:
            noticed += 1
            continue
        assert [opened.search(question, 3) for question in asked] == answers
        opened.close()
    assert noticed > 5


def test_files_that_chroma_writes_anew_may_hold_anything(index_copy: Path):
    """Segment files of a collection that lives in the database alone."""
    files = [f for f in (index_copy / "chroma").rglob("*.bin") if f.stat().st_size]
    assert files
    for file in files:
        overwrite(file)
    knowledge = Knowledge.open(index_copy)
    assert knowledge.search("enamel fired at how many degrees", 1)[0].url == "https://kettles.invalid/harrow"
    knowledge.close()
    assert check_index(index_copy)[1] == []


@pytest.mark.slow
def test_opening_and_asking_change_no_checksum(index_copy: Path):
    """Chroma writes at every opening, also when it was killed over it."""
    script = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom assistant.index.knowledge import Knowledge\n"
        "Knowledge.open(Path(sys.argv[1])).search('cheese', 1)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    before = (index_copy / DATABASE).read_bytes()
    subprocess.run([sys.executable, "-c", script, str(index_copy)], cwd=PROJECT_DIR, timeout=120, check=False)
    assert (index_copy / DATABASE).read_bytes() != before
    assert check_index(index_copy)[1] == []
    assert manifest.content_digests(index_copy) == read_manifest(index_copy).digests


def test_a_later_chroma_may_add_to_its_database(index_copy: Path):
    with sqlite3.connect(index_copy / DATABASE) as database:
        database.execute("ALTER TABLE collections ADD COLUMN later TEXT")
        database.execute("CREATE TABLE new (id INTEGER)")
        database.execute("INSERT INTO migrations SELECT dir, 99, filename, sql, hash FROM migrations LIMIT 1")
    database.close()
    check_files(index_copy, read_manifest(index_copy))


def test_small_pictures_are_for_the_check(index_copy: Path):
    overwrite(index_copy / "pictures" / "2.jpg")
    assert check_manifest(index_copy).counts["images"] == 5
    [problem] = check_index(index_copy)[1]
    assert "damaged (pictures does not hold" in problem


def test_of_a_very_large_index_opening_compares_the_smaller_files(index_copy: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(manifest, "OPENING_BYTES", 150_000)
    assert (index_copy / "features" / "descriptors.npy").stat().st_size > 150_000
    overwrite(index_copy / "features" / "descriptors.npy", 1000, 10)
    assert check_manifest(index_copy).digests
    assert "descriptors.npy" in check_index(index_copy)[1][0]
    overwrite(index_copy / "features" / "pictures.npy")
    with pytest.raises(NotReady, match=r"pictures\.npy"):
        check_manifest(index_copy)


def test_what_was_compared_is_not_read_again(index_copy: Path, monkeypatch: pytest.MonkeyPatch):
    check_manifest(index_copy)
    monkeypatch.setattr(digests, "_digest", lambda *a: pytest.fail(f"read again: {a}"))
    Collections.open(index_copy).close()
    check_manifest(index_copy)


@pytest.fixture
def bundled(tiny_world: Path, tiny_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    settings = Settings(data_dir=tmp_path, world_dir=tiny_world)
    shutil.copytree(tiny_index, settings.index_dir)
    real = build.build_index
    monkeypatch.setattr(build, "build_index", lambda *a, **k: real(*a, **k, read_pictures=False))
    return settings


@pytest.mark.slow
def test_the_bundled_index_is_built_again_when_it_is_damaged(bundled: Settings):
    place = bundled.index_dir.stat().st_ino
    ensure_index(bundled)
    assert bundled.index_dir.stat().st_ino == place
    overwrite(bundled.index_dir / "features" / "thumbnails.bin", 100, 50)
    ensure_index(bundled)
    assert bundled.index_dir.stat().st_ino != place
    assert check_index(bundled.index_dir)[1] == []


@pytest.mark.slow
def test_the_bundled_index_of_before_checksums_is_built_again(bundled: Settings):
    without_digests(bundled.index_dir)
    assert ensure_index(bundled).digests
    assert read_manifest(bundled.index_dir).digests


def test_a_named_index_of_before_checksums_opens(index_copy: Path, tmp_path: Path):
    settings = Settings(data_dir=tmp_path, index=without_digests(index_copy))
    assert ensure_index(settings).counts["images"] == 5
    knowledge = Knowledge.open(index_copy)
    assert knowledge.search("cheese", 1)
    knowledge.close()


def test_a_named_index_that_is_damaged_stays_as_it_is(index_copy: Path, tmp_path: Path):
    damaged = index_copy / "features" / "descriptors.npy"
    overwrite(damaged)
    before = damaged.read_bytes()
    with pytest.raises(NotReady, match=r"descriptors\.npy .* --out .*copy`"):
        ensure_index(Settings(data_dir=tmp_path, index=index_copy))
    assert damaged.read_bytes() == before
