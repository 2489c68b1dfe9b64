"""What is kept of the model on this machine: settings in plain JSON, the key in the keyring or a file of one's own."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from assistant import remembered
from assistant.core.errors import BadInput
from assistant.models.chat.request import Prices
from assistant.remembered import Kept, Memory, with_remembered
from assistant.settings import Settings, read_settings, set_by

KEY, URL = "sk-test-4242424242abcdef", "http://models.invalid:8000/v1"


class Ring:
    """A keyring in memory; `broken` fails at every call, `deaf` never comes back."""

    def __init__(self, broken: bool = False, deaf: bool = False):
        self.kept: dict[tuple[str, str], str] = {}
        self.broken, self.deaf = broken, deaf

    def _meet(self) -> None:
        if self.deaf:
            time.sleep(30)
        if self.broken:
            raise RuntimeError(f"no backend for {KEY}")

    def set_password(self, service: str, name: str, secret: str) -> None:
        self._meet()
        self.kept[service, name] = secret

    def get_password(self, service: str, name: str) -> str | None:
        self._meet()
        return self.kept.get((service, name))

    def delete_password(self, service: str, name: str) -> None:
        self._meet()
        del self.kept[service, name]


def settings(folder: Path, **configured: Any) -> Settings:
    return Settings(data_dir=folder, profile="chat", base_url=URL, api_key=KEY, chat_model="m", **configured)


def test_without_a_keyring_the_key_lies_in_a_file_that_only_its_owner_reads(tmp_path: Path):
    os.umask(old := os.umask(0))
    try:
        os.umask(0)  # as careless as can be
        memory = Memory(tmp_path, lambda: None)
        words = memory.save(settings(tmp_path, chat_prices=Prices(0.25, 2), chat_pictures=False, chat_timeout_s=85.0))
    finally:
        os.umask(old)
    assert str(memory.key_path) in words
    assert stat.S_IMODE(memory.key_path.stat().st_mode) == 0o600
    assert KEY not in memory.path.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.json", "model.key"]
    kept = Memory(tmp_path, lambda: None).load()
    assert (kept.key, kept.problem) == (KEY, "")
    assert KEY not in repr(kept)
    assert with_remembered(Settings(data_dir=tmp_path), kept, {}) == settings(
        tmp_path, chat_prices=Prices(0.25, 2), chat_pictures=False, chat_timeout_s=85.0
    )


def test_the_file_is_closed_to_others_from_its_first_moment(tmp_path: Path, monkeypatch):
    seen = []
    opened = os.open

    def watched(path: Any, *how: Any) -> int:
        handle = opened(path, *how)
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watched)
    Memory(tmp_path, lambda: None).save(settings(tmp_path))
    assert seen == [0o600]


def test_a_keyring_that_works_is_used_and_no_file_is_written(tmp_path: Path):
    ring = Ring()
    memory = Memory(tmp_path, lambda: ring)
    assert "keyring" in memory.save(settings(tmp_path))
    assert not memory.key_path.exists()
    assert ring.kept == {("vitrine", "http://models.invalid:8000"): KEY}
    assert memory.load().key == KEY
    memory.forget_key()
    assert ring.kept == {}
    assert memory.load().values["base_url"] == URL
    assert memory.load().key is None
    memory.save(settings(tmp_path))
    memory.forget()
    assert (ring.kept, memory.there) == ({}, False)


@pytest.mark.parametrize("ring", [Ring(broken=True), Ring(deaf=True)])
def test_a_keyring_that_does_not_work_is_not_waited_for(tmp_path: Path, monkeypatch, caplog, ring: Ring):
    monkeypatch.setattr(remembered, "KEYRING_PATIENCE_S", 0.2)
    memory = Memory(tmp_path, lambda: ring)
    began = time.monotonic()
    memory.save(settings(tmp_path))
    assert time.monotonic() - began < 5
    assert memory.load().key == KEY  # from the file
    assert KEY not in caplog.text


def test_a_key_that_is_gone_is_said(tmp_path: Path):
    memory = Memory(tmp_path, lambda: None)
    memory.save(settings(tmp_path))
    memory.key_path.unlink()
    kept = memory.load()
    assert kept.key is None
    assert "type it again" in kept.problem


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        json.dumps({"format": 99, "chat_model": "m"}),
        json.dumps({"format": 1, "chat_timeout_s": "soon"}),
        json.dumps({"format": 1, "profile": "nobody"}),
        json.dumps({"format": 1, "profile": "local", "local_model": 3}),
        json.dumps({"format": 1, "base_url": "http://me:secret@h/v1"}),
        json.dumps({"format": 1, "chat_prices": [1]}),
        json.dumps({"format": 1, "strictness": ["x"]}),
        b"\xff\xfe",
    ],
)
def test_a_broken_file_is_one_sentence_and_defaults(tmp_path: Path, content: str | bytes):
    memory = Memory(tmp_path, lambda: None)
    memory.path.write_bytes(content if isinstance(content, bytes) else content.encode())
    kept = memory.load()
    assert "is not used" in kept.problem
    assert "\n" not in kept.problem
    assert "secret@" not in kept.problem
    plain = Settings(data_dir=tmp_path)
    assert with_remembered(plain, kept, {}) == plain


def test_flags_and_the_environment_win_and_are_named(tmp_path: Path):
    memory = Memory(tmp_path, lambda: None)
    memory.save(settings(tmp_path, strictness="severe"))
    env = {"OPENAI_BASE_URL": "http://other.invalid/v1", "VITRINE_CHAT_TIMEOUT_S": "90", "OPENAI_API_KEY": " "}
    named = set_by(model="flagged", environ=env)
    assert named == {
        "base_url": "OPENAI_BASE_URL",
        "chat_timeout_s": "VITRINE_CHAT_TIMEOUT_S",
        "chat_model": "--model",
    }
    read = read_settings(data_dir=tmp_path, model="flagged", environ=env)
    merged = with_remembered(read, memory.load(), named)
    assert (merged.base_url, merged.chat_model, merged.chat_timeout_s) == ("http://other.invalid/v1", "flagged", 90.0)
    assert merged.strictness == "severe"
    assert merged.api_key is None  # it was for another address
    embedded = set_by(profile="embedded", environ={})
    assert (
        with_remembered(Settings(data_dir=tmp_path, profile="embedded"), memory.load(), embedded).profile == "embedded"
    )


def test_a_key_of_the_environment_goes_to_no_remembered_address(tmp_path: Path):
    kept = Kept({"base_url": URL, "profile": "chat", "chat_model": "m"})
    env = {"OPENAI_API_KEY": KEY}
    merged = with_remembered(read_settings(data_dir=tmp_path, environ=env), kept, set_by(environ=env))
    assert (merged.base_url, merged.api_key) == (URL, None)


def test_a_remembered_public_service_without_its_key_is_not_asked(tmp_path: Path):
    kept = Kept({"base_url": None, "profile": "chat", "chat_model": "m"})
    assert with_remembered(Settings(data_dir=tmp_path), kept, {}).effective_profile == "embedded"


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(BadInput, match="cannot be kept"):
        Memory(blocked, lambda: None).save(settings(tmp_path))
