"""Speaking: a process for each text, a time-out, and a sentence about what is missing."""

from __future__ import annotations

import io
import sys
import threading
import wave
from pathlib import Path

import pytest

from assistant.errors import BadInput, NotReady, VitrineError
from assistant.speech.speaking import Speaker

ENGINE_THERE = Speaker().missing == ""


def test_without_an_engine_it_says_what_to_install():
    speaker = Speaker(find=lambda name: None)
    assert "espeak-ng" in speaker.missing
    with pytest.raises(NotReady, match="apt-get install espeak-ng"):
        speaker.speak("hello")


def test_nothing_to_say():
    with pytest.raises(BadInput):
        Speaker(find=lambda name: "/bin/true").speak("  \n ")


def test_an_engine_that_hangs_is_ended(tmp_path: Path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    speaker = Speaker(find=lambda name: "/bin/true", timeout_s=0.3, python=str(slow))
    with pytest.raises(VitrineError, match="longer than"):
        speaker.speak("hello")


def test_an_engine_that_fails_is_reported(tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 7\n")
    broken.chmod(0o755)
    with pytest.raises(VitrineError, match="exit code 7"):
        Speaker(find=lambda name: "/bin/true", python=str(broken)).speak("hello")


def test_it_speaks_or_says_why_not():
    """With an engine: sound of a plausible length. Without: the sentence. Either way the same call."""
    speaker = Speaker()
    if not ENGINE_THERE:
        with pytest.raises(NotReady):
            speaker.speak("Halden Oat Biscuits cost three euros.")
        return
    with wave.open(io.BytesIO(speaker.speak("Halden Oat Biscuits cost three euros."))) as sound:
        samples = sound.readframes(10**8)
        assert sound.getnchannels() == 1
        assert sound.getsampwidth() == 2
        assert 1.0 < len(samples) / 2 / sound.getframerate() < 8.0
    assert any(samples)


def test_many_at_once_all_come_back():
    if not ENGINE_THERE:
        assert Speaker().missing
        return
    speaker, sounds = Speaker(), []
    threads = [threading.Thread(target=lambda n=n: sounds.append(speaker.speak(f"number {n}"))) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sounds) == 6


def test_options_and_quotes_are_words():
    """Text goes through standard input: nothing in it is an option, a path or a shell word."""
    if not ENGINE_THERE:
        assert Speaker(python=sys.executable).missing
        return
    assert len(Speaker().speak("--help; rm -rf ~ '\"$(echo)")) > 1000
