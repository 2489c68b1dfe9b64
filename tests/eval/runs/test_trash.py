"""Deleted runs can be put back for a day; nothing that is at work is deleted, nothing else is touched."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.runs.control import PROGRESS
from eval.runs.store import RunFolder
from eval.runs.trash import KEPT_S, TRASH, delete, deleted, empty, put_back
from eval.ui.state.run_state import RunList
from tests.eval.reports.written_run import line, write_run

NOON = 1_800_000_000.0


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        write_run(tmp_path / "runs" / name, [(line("s"), "correct")])
    return tmp_path / "runs"


def names(runs: Path) -> list[str]:
    return sorted(run.name for run in RunList(runs).all())


def test_deleted_and_put_back_as_it_was(runs: Path):
    before = {path.name: path.read_bytes() for path in (runs / "a").iterdir()}
    gone = delete(runs / "a", now=lambda: NOON)
    assert (names(runs), deleted(runs)) == (["b"], [gone])
    assert (gone.name, gone.at) == ("a", NOON)
    assert put_back(runs, gone.entry) == "a"
    assert {path.name: path.read_bytes() for path in (runs / "a").iterdir()} == before
    assert (names(runs), deleted(runs)) == (["a", "b"], [])


def test_a_name_can_be_deleted_twice_and_is_not_put_back_over_another(runs: Path):
    first = delete(runs / "a", now=lambda: NOON)
    write_run(runs / "a", [(line("other"), "wrong")])
    with pytest.raises(BadInput, match="another run 'a' by now"):
        put_back(runs, first.entry)
    second = delete(runs / "a", now=lambda: NOON + 1)
    assert deleted(runs) == [second, first]
    put_back(runs, second.entry)
    assert "other-0" in (runs / "a" / "turns.jsonl").read_text()


def test_after_a_day_it_is_gone_and_only_then(runs: Path, tmp_path: Path):
    old = delete(runs / "a", now=lambda: NOON)
    (runs / TRASH / "letters").mkdir()  # not ours: stays
    elsewhere = write_run(tmp_path / "elsewhere", [(line("s"), "correct")])
    (runs / "linked").symlink_to(elsewhere)
    linked = delete(runs / "linked", now=lambda: NOON + 1)
    assert empty(runs, now=lambda: NOON + KEPT_S) == 0
    later = delete(runs / "b", now=lambda: NOON + KEPT_S + 5)  # takes away what is old
    assert deleted(runs) == [later]
    assert not (runs / TRASH / old.entry).exists()
    assert not (runs / TRASH / linked.entry).is_symlink()
    assert (elsewhere / "run.json").is_file()
    assert (runs / TRASH / "letters").is_dir()


def test_what_is_at_work_stays(runs: Path):
    info = {"options": {}, "state": "running"}
    with RunFolder.open(runs / "new", info, resume=False), pytest.raises(BadInput, match="at work on 'new'"):
        delete(runs / "new")
    alive = {"state": "running", "pid": os.getpid(), "updated": time.time()}
    (runs / "a" / PROGRESS).write_text(json.dumps(alive))
    with pytest.raises(BadInput, match="at work on 'a'"):
        delete(runs / "a")
    assert names(runs) == ["a", "b", "new"]
    delete(runs / "new")


@pytest.mark.parametrize("entry", ["", "a", "../a", "1800000000000-../../a", "1800000000000-gone"])
def test_only_what_was_deleted_can_be_put_back(runs: Path, entry: str):
    with pytest.raises(BadInput, match="no deleted run"):
        put_back(runs, entry)


def test_a_folder_that_cannot_be_moved_is_one_sentence(runs: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(BadInput, match=r"cannot be deleted \(Permission denied\)"):
        delete(runs / "a")
    assert names(runs) == ["a", "b"]
