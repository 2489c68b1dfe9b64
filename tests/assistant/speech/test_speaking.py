"""Speaking: a process for each text, a time-out, and a sentence about what is missing."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.speech import speaking
from assistant.speech.speaking import PLAIN, Speaker

ENGINE_THERE = Speaker(voice=PLAIN)._plain_missing == ""
needs_engine = pytest.mark.skipif(not ENGINE_THERE, reason="espeak-ng is missing")


@pytest.fixture(autouse=True)
def no_natural_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/assistant/speech/test_natural_voice.py is about those."""
    monkeypatch.setattr(speaking, "natural_voices", lambda folder: ())


@pytest.fixture(scope="module")
def speaker() -> Iterator[Speaker]:
    speaker = Speaker(voice=PLAIN)
    yield speaker
    speaker.end()


def seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as opened:
        assert (opened.getnchannels(), opened.getsampwidth()) == (1, 2)
        assert any(opened.readframes(10**8))
        return opened.getnframes() / opened.getframerate()


def test_without_an_engine_it_says_what_to_install():
    speaker = Speaker(find=lambda name: None)
    assert "espeak-ng" in speaker.missing
    with pytest.raises(NotReady, match="apt-get install espeak-ng"):
        speaker.speak("hello")
    speaker.warm()
    assert speaker.pid is None


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(speaking.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotReady, match=r"pip install -r requirements\.txt"):
        Speaker(find=lambda name: "/bin/true").speak("hello")


@pytest.mark.parametrize("text", ["", "  \n ", "\x00\x07", "🍪", "<br/>"])
def test_nothing_to_say(text: str):
    with pytest.raises(BadInput):
        Speaker(find=lambda name: "/bin/true").speak(text)


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_process_that_fails_is_reported(tmp_path: Path):
    broken = Speaker(find=lambda name: "/bin/true", python=script(tmp_path / "broken", "exit 7"))
    with pytest.raises(VitrineError, match="exit code 7"):
        broken.speak("hello")


def test_an_engine_that_hangs_is_ended():
    child = subprocess.Popen(["sleep", "30"])
    assert speaking._wait(child.pid, 0.1) is None  # killed and waited for
    with pytest.raises(ChildProcessError):
        os.waitpid(child.pid, os.WNOHANG)


def test_a_process_that_hangs_is_ended(tmp_path: Path):
    slow = Speaker(find=lambda name: "/bin/true", timeout_s=-1.7, python=script(tmp_path / "slow", "exec sleep 30"))
    with pytest.raises(VitrineError, match="longer than"):
        slow.speak("hello")


@needs_engine
def test_every_text_is_said_to_its_end(speaker: Speaker):
    """The engine's library loses the second text of a process; each of ours has an engine of its own."""
    long, short = "Halden Oat Biscuits cost three euros and forty cents.", "Yes."
    durations = [seconds(speaker.speak(text)) for text in (long, short, long, short)]
    assert durations[0] == durations[2] > 3
    assert 0.4 < durations[1] == durations[3] < 1.5


@needs_engine
def test_a_slow_engine_is_waited_for(tmp_path: Path):
    """In pyttsx3's usual mode it says that it has run while the engine's thread still works: as on a busy machine."""
    target = tmp_path / "said.wav"
    code = """
import os, pathlib, sys, time
from pyttsx3.drivers.espeak import EspeakDriver
from assistant.speech.speaking import _write
quick = EspeakDriver._onSynth
def slow(self, *arguments):
    time.sleep(0.1)
    return quick(self, *arguments)
EspeakDriver._onSynth = slow
_write("Yes.", None, pathlib.Path(sys.argv[1]))
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code, str(target)], timeout=30, check=True, stdout=subprocess.DEVNULL)
    assert seconds(target.read_bytes()) > 0.4


@pytest.mark.slow
@needs_engine
def test_the_same_text_is_the_same_sound(speaker: Speaker):
    """In the usual mode the speed that was set is lost now and then."""
    assert len({speaker.speak("Halden Oat Biscuits cost 3.40 euros.") for _ in range(30)}) == 1


@needs_engine
def test_a_dead_process_is_replaced(speaker: Speaker):
    speaker.speak("one")
    pid = speaker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert seconds(speaker.speak("two")) > 0.2
    assert speaker.pid not in (None, pid)


@needs_engine
def test_many_at_once_all_come_back(speaker: Speaker):
    sounds: dict[int, float] = {}

    def say(n: int) -> None:
        sounds[n] = seconds(speaker.speak("word " * (n + 1), owner=f"visitor {n}"))

    threads = [threading.Thread(target=say, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(dict(sorted(sounds.items())).values()) == sorted(sounds.values())  # each got its own
    assert len(set(sounds.values())) == 8


@needs_engine
def test_nothing_in_a_text_is_an_instruction(speaker: Speaker):
    assert seconds(speaker.speak("--help; rm -rf ~ '\"$(echo)")) > 0.5
    assert seconds(speaker.speak("wait <break time='30s'/> here")) < 3
    assert seconds(speaker.speak("x" * 100_000)) < 60
    assert seconds(speaker.speak("a\x00b")) > 0.3


@needs_engine
def test_other_scripts_are_read_by_their_own_voice(speaker: Speaker):
    """An English voice would say "Japanese letter" for each character."""
    assert 0.5 < seconds(speaker.speak("水は青い")) < 3.2
    assert 0.5 < seconds(speaker.speak("Привет, мир")) < 3


@needs_engine
def test_nothing_is_left_on_disk(speaker: Speaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(speaking.tempfile, "tempdir", str(tmp_path))
    speaker.speak("hello")
    assert list(tmp_path.iterdir()) == []
