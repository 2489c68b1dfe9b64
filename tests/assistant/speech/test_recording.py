"""Recordings as samples: whatever the channels hold, a voice in one of them is heard."""

import io
import wave

import numpy as np
import pytest

from assistant.core.errors import BadInput
from assistant.speech.recording import NOTHING, RATE_HZ, audible, level_dbfs, read_recording

RATE = 22_050
TIME = np.arange(RATE) / RATE
#: Syllables of a hum with overtones: no speech, but shaped like it.
VOICE = 0.2 * np.sin(2 * np.pi * 5 * TIME) ** 2 * sum(np.sin(2 * np.pi * 140 * k * TIME) / k for k in range(1, 9))
SILENCE = np.zeros_like(VOICE)
HISS = np.random.default_rng(0).normal(0, 0.001, len(VOICE))


def wav(*channels: np.ndarray) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.clip(np.stack(channels, axis=1), -1, 1) * 32767).astype("<i2").tobytes())
    return target.getvalue()


CHANNELS = {
    "one turned over": (VOICE, -VOICE),
    "one turned over and a little quieter": (VOICE, -0.97 * VOICE),
    "one turned over, with an offset": (VOICE, 0.3 - VOICE),
    "one turned over, with hiss": (VOICE + HISS, -VOICE),
    "the second silent": (VOICE, SILENCE),
    "the first silent": (SILENCE, VOICE),
    "the second a constant": (VOICE, SILENCE + 0.6),
    "alike": (VOICE, VOICE),
    "three": (VOICE, -VOICE, SILENCE),
    "four": (VOICE, VOICE, -VOICE, -VOICE),
    "six": (VOICE, -VOICE, HISS, SILENCE, VOICE, -VOICE),
    "eight": (VOICE, -VOICE) * 4,
    "more than a layout names": (VOICE, -VOICE) * 4 + (HISS,),
}


@pytest.mark.parametrize("channels", CHANNELS.values(), ids=CHANNELS)
def test_channels_never_cancel(channels: tuple[np.ndarray, ...]):
    alone, mixed = read_recording(wav(VOICE)), read_recording(wav(*channels))
    assert len(mixed) == len(alone)
    assert abs(level_dbfs(mixed) - level_dbfs(alone)) < 0.5
    assert abs(np.corrcoef(alone, mixed)[0, 1]) > 0.99
    assert audible(mixed)[1] is False


def test_two_voices_in_two_channels_are_both_heard():
    other = np.roll(VOICE[::-1], RATE // 3)
    mixed = read_recording(wav(VOICE, other))
    for voice in (VOICE, other):
        assert abs(np.corrcoef(read_recording(wav(voice)), mixed)[0, 1]) > 0.5
    assert np.abs(mixed).max() <= 1.0


@pytest.mark.parametrize("channels", [(SILENCE, SILENCE), (SILENCE + 0.2, SILENCE - 0.1), (SILENCE,)])
def test_nothing_in_any_channel_is_nothing(channels: tuple[np.ndarray, ...]):
    samples = read_recording(wav(*channels))
    assert len(samples) == RATE_HZ
    with pytest.raises(BadInput) as raised:
        audible(samples)
    assert str(raised.value) == NOTHING
