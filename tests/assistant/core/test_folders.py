"""A folder that cannot be written to is one sentence, whatever words the library has for it; nothing half stays, and
nothing that stood is lost."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.core.errors import BadImage, BadInput
from assistant.core.folders import builder_lock, is_there, staged


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_no_room_and_no_rights_are_one_sentence(tmp_path: Path, number: int):
    words = rf"cannot be written \({os.strerror(number)}\): make room"
    with pytest.raises(BadInput, match=words) as told, staged(tmp_path / "index", "m"):
        raise OSError(number, os.strerror(number))
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_known_by_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def build() -> None:
        with staged(tmp_path / "index", "m") as folder:
            (folder / "half").write_text("x")
            raise RuntimeError("failed to apply logs to the segment")

    with pytest.raises(RuntimeError):
        build()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=4096))
    with pytest.raises(BadInput, match="No space left on device"):
        build()
    assert list(tmp_path.iterdir()) == []


def test_what_has_a_sentence_of_its_own_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(BadImage, match="no picture"), staged(tmp_path / "index", "m"):
        raise BadImage("this is no picture")


_BUILD = """
import os, shutil, signal, sys
from pathlib import Path
from assistant.core.folders import builder_lock, staged

step, calls = int(sys.argv[2]), 0


def counted(call):
    def counting(*args, **kwargs):
        global calls
        calls += 1
        if calls == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **kwargs)
    return counting


for where, name in ((Path, "rename"), (Path, "mkdir"), (shutil, "rmtree")):
    setattr(where, name, counted(getattr(where, name)))
out = Path(sys.argv[1])
with builder_lock(out), staged(out, "mark") as folder:
    (folder / "mark").write_text("new")
    (folder / "rest").write_text("new")
print(calls)
"""


def build(out: Path, step: int = 0) -> subprocess.CompletedProcess[str]:
    """Builds in a process that dies for real before its `step`th change of a folder."""
    command = [sys.executable, "-c", _BUILD, str(out), str(step)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def stand(out: Path) -> Path:
    out.mkdir(parents=True)
    for name in ("mark", "rest"):
        (out / name).write_text("old")
    return out


def test_a_builder_killed_at_any_step_and_a_build_that_fails_lose_nothing(tmp_path: Path):
    steps = int(build(stand(tmp_path / "whole" / "index")).stdout)
    assert steps >= 6
    seen = set()
    for step in range(1, steps + 1):
        out = stand(tmp_path / str(step) / "index")
        assert build(out, step).returncode == -signal.SIGKILL
        with pytest.raises(BadInput), builder_lock(out), staged(out, "mark"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        found = {name: (out / name).read_text() for name in ("mark", "rest")}
        assert found["mark"] == found["rest"]
        seen.add(found["mark"])
        assert sorted(path.name for path in out.parent.iterdir()) == [".index.lock", "index"]
    assert seen == {"old", "new"}


def test_who_only_reads_finds_what_a_killed_builder_had_moved_aside(tmp_path: Path):
    steps = int(build(stand(tmp_path / "whole" / "index")).stdout)
    for step in range(1, steps + 1):
        out = stand(tmp_path / str(step) / "index")
        build(out, step)
        assert is_there(out)
        assert (out / "rest").read_text() in ("old", "new")
    assert not is_there(tmp_path / "never")
    assert not list(tmp_path.glob(".never*"))
