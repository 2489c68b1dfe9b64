"""Hearing: models found without the network, recordings of every kind, and one sentence when there is nothing to hear.

The model is made in the test (see `tiny_whisper`): everything runs as with a real one except what it understands.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import threading
import wave
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.settings import read_settings
from assistant.speech import hearing, packaged_model
from assistant.speech.hearing import NO_WORDS, QUIET, Hearing, _hint, names_like
from assistant.speech.process import Cancelled
from assistant.speech.recording import (
    BROKEN,
    MAX_BYTES,
    NOTHING,
    RATE_HZ,
    TOO_SHORT,
    audible,
    level_dbfs,
    read_recording,
)
from assistant.speech.speaking import Speaker
from assistant.speech.whisper_models import Found, find_model, is_model
from tests.assistant.speech.tiny_whisper import SENTENCE, make_tiny_whisper

pytestmark = pytest.mark.slow

SPEAKER = Speaker()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whisper")
    return make_tiny_whisper(folder / "tiny", folder)


@pytest.fixture(scope="module")
def ears(tiny: Path) -> Iterator[Hearing]:
    ears = Hearing(lambda: Found(tiny))
    yield ears
    ears.end()


@pytest.fixture(scope="module")
def voice() -> np.ndarray:
    """A spoken question, 22,050 samples a second."""
    if SPEAKER.missing:
        pytest.skip(SPEAKER.missing)
    with wave.open(io.BytesIO(SPEAKER.speak("What is the price of this tin of biscuits?"))) as said:
        return np.frombuffer(said.readframes(10**8), "<i2") / 32768


def wav(samples: np.ndarray, rate_hz: int = 22_050) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(samples.shape[1] if samples.ndim == 2 else 1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return target.getvalue()


def coded(samples: np.ndarray, container: str, codec: str, rate_hz: int = 48_000) -> bytes:
    """As browsers record: Opus in WebM, AAC in MP4."""
    target = io.BytesIO()
    with av.open(target, "w", format=container) as file:
        stream = file.add_stream(codec, rate=rate_hz, layout="mono")
        stream.codec_context.open()  # only now it knows how long its frames are
        frame = av.AudioFrame.from_ndarray((samples[None] * 32767).astype(np.int16), format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = 22_050, 0, Fraction(1, 22_050)
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=rate_hz, frame_size=stream.frame_size)
        for part in [*resampler.resample(frame), *resampler.resample(None), None]:
            file.mux(stream.encode(part))
    return target.getvalue()


# finding a model


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged_model, "package_folders", lambda: None)


def test_without_a_model_it_says_how_to_get_one(tmp_path: Path, no_packages: None):
    found = find_model(None, tmp_path, tmp_path / "no-cache")
    assert found.path is None
    assert "pip install" in found.missing
    ears = Hearing(lambda: found)
    with pytest.raises(NotReady, match="pip install"):
        ears.transcribe(b"anything")
    ears.warm()
    assert ears.pid is None


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tiny: Path):
    monkeypatch.setattr(hearing.importlib.util, "find_spec", lambda name: None)
    assert "pip install" in Hearing(lambda: Found(tiny)).missing


def test_a_model_in_the_data_folder_is_found(tiny: Path, tmp_path: Path):
    shutil.copytree(tiny, tmp_path / "models" / "base.en")
    (tmp_path / "models" / "half").mkdir()
    (tmp_path / "models" / "half" / "model.bin").touch()
    found = find_model(None, tmp_path, tmp_path / "none")
    assert found.path == tmp_path / "models" / "base.en"
    assert found.name == "base.en"
    assert find_model("base.en", tmp_path, tmp_path / "none") == found
    settings = read_settings(data_dir=tmp_path, environ={"VITRINE_WHISPER_MODEL": "base.en"})
    assert Hearing.of(settings.whisper_model, settings.data_dir).model == found


def test_a_model_in_the_hub_cache_is_found(tiny: Path, tmp_path: Path):
    repository = tmp_path / "hub" / "models--Systran--faster-whisper-small"
    for revision in ("aaaa", "bbbb", "cccc"):
        shutil.copytree(tiny, repository / "snapshots" / revision)
    (repository / "snapshots" / "aaaa" / "model.bin").unlink()  # a download that broke off
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("cccc\n")
    found = find_model(None, tmp_path, tmp_path / "hub")
    assert found.path == repository / "snapshots" / "cccc"
    assert found.name == "faster-whisper-small"
    for name in ("small", "Systran/faster-whisper-small", "faster-whisper-small"):
        assert find_model(name, tmp_path, tmp_path / "hub") == found
    (repository / "refs" / "main").write_text("gone")
    assert find_model(None, tmp_path, tmp_path / "hub").path == repository / "snapshots" / "bbbb"


def test_the_largest_that_is_quick_enough_is_chosen(tiny: Path, tmp_path: Path):
    for name, extra in (("a", 0), ("b", 1000), ("huge", 2_000_000_000)):
        shutil.copytree(tiny, tmp_path / "models" / name)
        with (tmp_path / "models" / name / "model.bin").open("r+b") as file:
            file.truncate(1_000_000 + extra)  # a hole takes no room
    assert find_model(None, tmp_path, tmp_path / "none").name == "b"
    assert find_model("huge", tmp_path, tmp_path / "none").name == "huge"


@pytest.mark.parametrize(
    "setting", ["/no/such/folder", "~/none", "./here", "../x", "/tmp", "a/b/c", "C:\\x", "x" * 5000]
)
def test_a_folder_that_is_not_there_is_never_taken_for_a_name(setting: str, tmp_path: Path):
    """faster-whisper would ask the hub for it; the network is blocked here, and nothing is tried."""
    found = find_model(setting, tmp_path, tmp_path / "none")
    assert found.path is None
    assert repr(setting) in found.missing


def test_a_folder_without_its_tokenizer_is_no_model(tiny: Path, tmp_path: Path):
    """faster-whisper would ask the hub for the tokenizer."""
    copy = shutil.copytree(tiny, tmp_path / "copy")
    assert is_model(copy)
    (copy / "tokenizer.json").unlink()
    assert not is_model(copy)
    assert find_model(str(copy), tmp_path).path is None


# recordings


def test_what_was_said_becomes_text(ears: Hearing, voice: np.ndarray):
    steps: list[tuple[float, str]] = []
    heard = ears.transcribe(
        wav(voice), names=["Halden\x00 Oat", "x" * 500], progress=lambda share, doing: steps.append((share, doing))
    )
    assert heard.text == SENTENCE
    assert heard.hint == ""
    assert 2 < heard.duration_s < 3.5
    assert [doing for _, doing in steps][:2] == ["Loading the speech model", f"Listening to {heard.duration_s:.0f} s"]
    shares = [share for share, _ in steps]
    assert shares == sorted(shares)
    assert 0 < shares[-1] < 1


@pytest.mark.parametrize(
    ("container", "codec"), [("webm", "libopus"), ("mp4", "aac"), ("ogg", "libopus")], ids=["webm", "mp4", "ogg"]
)
def test_what_browsers_record_is_read(container: str, codec: str, voice: np.ndarray):
    samples = read_recording(coded(voice, container, codec))
    assert abs(len(samples) / RATE_HZ - len(voice) / 22_050) < 0.15
    assert level_dbfs(samples) > -30


def test_any_rate_and_any_channels(ears: Hearing, voice: np.ndarray):
    one_side = np.stack([voice, np.zeros_like(voice)], axis=1)
    for recording in (wav(one_side), wav(np.repeat(voice, 2), 44_100), wav(voice[::2], 11_025)):
        assert abs(len(read_recording(recording)) / RATE_HZ - len(voice) / 22_050) < 0.02
        assert ears.transcribe(recording).text == SENTENCE


@pytest.mark.parametrize("kind", ["silence", "offset", "whisper of a microphone"])
def test_silence_is_nothing(kind: str, ears: Hearing):
    noise = np.random.default_rng(0).normal(0, 1, 32_000)
    samples = {"silence": 0 * noise, "offset": 0 * noise + 0.2}.get(kind, noise * 0.0005)
    with pytest.raises(BadInput, match="heard nothing"):
        ears.transcribe(wav(samples, 16_000))


def test_sound_without_words_is_said_to_be_that(ears: Hearing):
    """A model that is given noise makes words up."""
    time = np.arange(48_000) / 16_000
    for samples in (np.random.default_rng(1).normal(0, 0.05, 48_000), 0.2 * np.sin(2 * np.pi * 440 * time)):
        with pytest.raises(BadInput) as raised:
            ears.transcribe(wav(samples, 16_000))
        assert str(raised.value) == NO_WORDS


def test_a_quiet_voice_is_made_louder_and_doubted(ears: Hearing, voice: np.ndarray):
    level = level_dbfs(read_recording(wav(voice)))
    soft = voice * 10 ** ((-50 - level) / 20)
    samples, quiet = audible(read_recording(wav(soft)))
    assert quiet
    assert abs(level_dbfs(samples) - -24) < 2
    assert ears.transcribe(wav(soft)).hint == QUIET


@pytest.mark.parametrize("data", [b"hello", b"RIFF1234WAVEfmt ", b"\x1aE\xdf\xa3" + b"\0" * 200, os.urandom(5000)])
def test_broken_files_are_one_sentence(data: bytes, ears: Hearing):
    with pytest.raises(BadInput) as raised:
        ears.transcribe(data)
    assert str(raised.value) == BROKEN


def test_a_file_cut_short_is_heard_as_far_as_it_goes(ears: Hearing, voice: np.ndarray):
    whole = coded(voice, "webm", "libopus")
    assert ears.transcribe(whole[: len(whole) * 2 // 3]).text == SENTENCE


def test_too_short_too_long_too_large(ears: Hearing, voice: np.ndarray):
    for recording in (b"", wav(voice[:2000])):
        with pytest.raises(BadInput) as raised:
            ears.transcribe(recording)
        assert str(raised.value) == TOO_SHORT
    with pytest.raises(BadInput, match="longer than 30 s"):
        ears.transcribe(coded(np.tile(voice, 15), "ogg", "libopus"))
    with pytest.raises(BadInput, match="13 MB"):
        ears.transcribe(b"x" * (MAX_BYTES + 1_000_000))
    assert NOTHING != NO_WORDS


# the process


def test_a_dead_process_is_replaced(ears: Hearing, voice: np.ndarray):
    ears.transcribe(wav(voice))
    pid = ears.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert ears.transcribe(wav(voice)).text == SENTENCE
    assert ears.pid not in (None, pid)


def test_eight_visitors_at_once(ears: Hearing, voice: np.ndarray):
    heard: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: heard.append(ears.transcribe(wav(voice), owner=str(n)).text))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == [SENTENCE] * 8


def test_cancelled_while_it_waits(ears: Hearing, voice: np.ndarray):
    cancelled = threading.Event()
    cancelled.set()
    with ears._process()._queue.turn("somebody else"), pytest.raises(Cancelled):
        ears.transcribe(wav(voice), cancelled=cancelled)
    assert ears.transcribe(wav(voice)).text == SENTENCE


def test_a_broken_model_is_one_sentence(tiny: Path, tmp_path: Path, voice: np.ndarray):
    broken = shutil.copytree(tiny, tmp_path / "broken")
    (broken / "model.bin").write_bytes(b"no model")
    ears = Hearing(lambda: Found(broken))
    with pytest.raises(VitrineError, match=r"could not be used|failed"):
        ears.transcribe(wav(voice))
    ears.end()


def test_a_model_that_hangs_is_ended(tiny: Path, tmp_path: Path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    ears = Hearing(lambda: Found(tiny), timeout_s=0.2, python=str(slow))
    with pytest.raises(VitrineError, match="took longer than"):
        ears.transcribe(b"x")
    assert ears.pid is None


def test_warming_loads_the_model_ahead(tiny: Path, voice: np.ndarray):
    ears, steps = Hearing(lambda: Found(tiny)), []
    ears._try_warm()
    ears.transcribe(wav(voice), progress=lambda _, doing: steps.append(doing))
    assert "Loading the speech model" not in steps
    ears.end()


def test_names_are_plain_words():
    assert _hint(["Halden\nOat ", "", "Halden Oat", "a\u202eb\x00"]) == "Halden Oat, ab"
    assert len(_hint(["x" * 999])) == 200


NAMES = ("Kortiva Laboratory Microscope BT-86", "Halden Oat Biscuits", "Wren", "Torsko Radio NB-91")


@pytest.mark.parametrize(
    ("heard", "like"),
    [
        ("where is the cord of a laboratory microscope BT86 put together?", ["Kortiva Laboratory Microscope BT-86"]),
        ("How heavy are Halden oat biscuits?", []),  # said as it is called
        ("How heavy are holden oat biskits?", ["Halden Oat Biscuits"]),
        ("What is the price of this?", []),
        ("when", []),
    ],
)
def test_names_that_were_heard_nearly_right(heard: str, like: list[str]):
    assert names_like(heard, NAMES) == like
    assert names_like(heard, ()) == []


@pytest.mark.parametrize(("sure", "taken"), [(0.9, True), (0.3, False)])
def test_it_is_heard_again_with_the_name_and_believed_where_it_is_as_sure(sure: float, taken: bool):
    asked: list[str] = []

    class Twice(Hearing):
        def _ask(self, request, *_):
            asked.append(request["hint"])
            said = "how heavy are Halden Oat Biscuits" if request["hint"] else "how heavy are holden oat biskits"
            return {"text": said, "probability": sure if request["hint"] else 0.8, "duration_s": 2.0, "hint": ""}

    text = Twice(lambda: Found(None, "")).transcribe(b"x", known=NAMES).text
    assert asked == ["", "Halden Oat Biscuits"]
    assert ("Halden" in text) == taken
