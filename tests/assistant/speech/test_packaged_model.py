"""The speech model that the packages carry: found, laid out once, checked, and heard with."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import BadInput, NotReady
from assistant.speech import packaged_model
from assistant.speech.hearing import Hearing
from assistant.speech.packaged_model import NAME, lay_out, package_folders
from assistant.speech.recording import clipped
from assistant.speech.speaking import Speaker
from assistant.speech.whisper_models import find_model

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def parts() -> tuple[Path, ...]:
    folders = package_folders()
    assert folders is not None, "requirements.txt brings them"
    return folders


@pytest.fixture(scope="module")
def ears(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hearing]:
    ears = Hearing.of(None, tmp_path_factory.mktemp("ears"))
    yield ears
    ears.end()


def test_it_is_laid_out_once_and_hears_a_spoken_question(tmp_path: Path):
    ears, speaker = Hearing.of(None, tmp_path), Speaker()
    if speaker.missing:
        pytest.skip(speaker.missing)
    assert ears.model.packages
    assert not list(tmp_path.iterdir())  # looking for it makes nothing
    try:
        assert ears.transcribe(speaker.speak("When does the museum open on Sunday?")).text.lower().rstrip("?") == (
            "when does the museum open on sunday"
        )
    finally:
        ears.end()
        speaker.end()
    assert ears.model.path == tmp_path / "models" / NAME
    assert not ears.model.packages


@pytest.mark.parametrize(("voice", "words"), [("de", "Wer hat dieses Buch geschrieben?"), ("en", "Who made it?")])
def test_another_language_is_one_sentence(ears: Hearing, voice: str, words: str):
    command = ["espeak-ng", "-v", voice, "--stdout", words]
    said = subprocess.run(command, capture_output=True, check=True).stdout
    if voice == "en":
        ears.transcribe(said)
        return
    with pytest.raises(BadInput, match="another language"):
        ears.transcribe(said)


def test_a_voice_too_loud_for_the_microphone_is_known():
    time = np.arange(16_000) / 16_000
    voice = np.sin(2 * np.pi * 140 * time) * np.sin(2 * np.pi * 3 * time) * 0.7
    assert not clipped(voice.astype(np.float32))
    assert clipped(np.clip(voice * 3, -0.98, 0.98).astype(np.float32))
    assert not clipped(np.zeros(16_000, np.float32))


def test_any_other_model_on_the_machine_is_preferred(tmp_path: Path):
    other = tmp_path / "models" / "small.en"
    other.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (other / name).write_bytes(b"0")
    assert find_model(None, tmp_path, tmp_path / "none").path == other
    assert find_model(NAME, tmp_path, tmp_path / "none").packages


def test_a_damaged_package_is_told_and_leaves_nothing(parts: tuple[Path, ...], tmp_path: Path):
    first, second = tmp_path / "first", tmp_path / "second"
    for copy, part in zip((first, second), parts, strict=True):
        shutil.copytree(part, copy)
    with (first / "model.bin.part1").open("r+b") as file:
        file.write(b"no")
    with pytest.raises(NotReady, match="not the file it should be"):
        lay_out(tmp_path / "models" / NAME, (first, second))
    assert not (tmp_path / "models" / NAME).exists()
    (second / "tokenizer.json").unlink()
    with pytest.raises(NotReady, match="not complete"):
        lay_out(tmp_path / "models" / NAME, (first, second))


def test_no_room_is_one_sentence(parts: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(parts: list[Path], out: Path) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packaged_model, "_joined", full)
    with pytest.raises(BadInput, match="No space left on device"):
        lay_out(tmp_path / "models" / NAME, parts)
    assert not (tmp_path / "models" / NAME).exists()


def test_without_the_packages_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(packaged_model, "_PACKAGES", ("no_such_package_1", "no_such_package_2"))
    assert package_folders() is None
    assert "pip install" in find_model(None, tmp_path, tmp_path / "none").missing
