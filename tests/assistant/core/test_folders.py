"""A folder that cannot be written to is one sentence, whatever words the library has for it; nothing half stays."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.core.errors import BadImage, BadInput
from assistant.core.folders import staged


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
