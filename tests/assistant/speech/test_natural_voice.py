"""Natural voices: which are found, which one speaks, and what happens where one cannot."""

from __future__ import annotations

import importlib.util
import io
import json
import shutil
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.core.errors import NotReady, VitrineError
from assistant.speech import natural_voice
from assistant.speech.natural_voice import natural_voices
from assistant.speech.speaking import PLAIN, Speaker

JOE = "en_US-joe-medium"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("piper") is None, reason="piper-tts is not installed")


@pytest.fixture(scope="module")
def speaker() -> Iterator[Speaker]:
    speaker = Speaker(voice=JOE)
    yield speaker
    speaker.end()


def seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as opened:
        assert (opened.getnchannels(), opened.getsampwidth()) == (1, 2)
        return opened.getnframes() / opened.getframerate()


def described(folder: Path, name: str, code: str = "en_GB") -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.onnx").write_bytes(b"no model")
    (folder / f"{name}.onnx.json").write_text(json.dumps({"language": {"code": code}}), encoding="utf-8")


def test_voices_of_the_folder_come_before_those_of_packages(tmp_path: Path):
    described(tmp_path, "en_GB-alba-medium")
    (tmp_path / "stray.onnx").write_bytes(b"")  # nothing says what it is
    (tmp_path / "broken.onnx").write_bytes(b"")
    (tmp_path / "broken.onnx.json").write_text("{", encoding="utf-8")
    found = natural_voices(tmp_path)
    assert [voice.name for voice in found][:1] == ["en_GB-alba-medium"]
    assert JOE in [voice.name for voice in found]
    assert not {"stray", "broken"} & {voice.name for voice in found}
    assert found[0].label == "Alba (en-GB)"
    assert natural_voices(tmp_path / "nowhere") == natural_voices(None)


def test_the_first_natural_voice_speaks_unless_another_is_named():
    assert Speaker().default == JOE
    assert Speaker(voice=PLAIN).default == PLAIN
    assert Speaker(voice="nobody").default == JOE
    assert Speaker(find=lambda name: None).missing == ""  # espeak-ng is not needed then


def test_without_the_engine_there_is_no_natural_voice(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(natural_voice.importlib.util, "find_spec", lambda name: None)
    assert natural_voices(None) == ()
    assert Speaker().default == PLAIN


def test_it_speaks_and_other_scripts_are_read_by_espeak(speaker: Speaker):
    assert 1 < seconds(speaker.speak("It costs three euros and forty cents.")) < 6
    assert speaker._natural.pid is not None
    if shutil.which("espeak-ng"):
        before = speaker.pid
        assert seconds(speaker.speak("Привет, мир")) > 0.3
        assert speaker.pid is not None
        assert before is None
        assert seconds(speaker.speak("hello", voice=PLAIN)) > 0.2


def test_marks_are_no_phonemes(speaker: Speaker):
    assert seconds(speaker.speak("[[ h ə l oʊ ]] there")) > 0.3  # piper takes double brackets for phonemes


def test_a_voice_that_cannot_be_loaded_is_one_sentence(tmp_path: Path):
    described(tmp_path, "en_GB-alba-medium")
    speaker = Speaker(voices_dir=tmp_path)
    with pytest.raises(VitrineError, match="the speech engine failed"):
        speaker.speak("hello")
    speaker.end()


def test_no_voice_at_all_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(natural_voice, "_packaged", lambda: ())
    with pytest.raises(NotReady, match="espeak-ng"):
        Speaker(find=lambda name: None).speak("hello")
