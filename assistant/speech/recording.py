"""A recording from a browser as samples, and whether there is anything in it to hear.

Any container and codec that PyAV reads, any rate, any channels: they are mixed so that none can cancel another, as a
plain mean does when a cable or a driver turns one of them over. Runs in the hearing process: a file made to crash a
decoder crashes that. Words are found by `assistant.speech.hearing`.
"""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

RATE_HZ = 16_000
#: Longer than any question; the page stops recording there.
MAX_S = 30.0
#: What the page may be a little late by.
_GRACE_S = 1.0
MIN_S = 0.3
#: 30 s of stereo in 32-bit samples at 48 kHz, as some browsers' WAV recorders write.
MAX_BYTES = 12_000_000
#: Level of the loudest 0.1 s, in dB below full scale: below the first there is nothing but the microphone's own noise,
#: below the second it is made louder before anything listens to it. A voice at arm's length is around -25.
SILENT_DBFS, QUIET_DBFS = -58.0, -42.0
_TARGET_DBFS = -24.0
#: Of an undistorted voice hardly a sample in ten thousand stands at its very top.
_CLIPPED_SHARE = 0.004

NOTHING = "I heard nothing: is the right microphone on, and not muted?"
TOO_SHORT = "that was too short to hear: record until the question is asked"
BROKEN = "that recording cannot be read: record it again, or type the question"


def read_recording(data: bytes) -> np.ndarray:
    """Mono float32 samples at `RATE_HZ`, within [-1, 1].

    Raises:
        BadInput: too large, no sound we can read, too short, or too long.
    """
    import numpy as np

    if len(data) > MAX_BYTES:
        raise BadInput(f"that recording has {len(data) / 1e6:.0f} MB: {MAX_S:.0f} s of speech are the most")
    if not data:
        raise BadInput(TOO_SHORT)
    chunks, count = [], 0
    for chunk in _decode(data):
        chunks.append(chunk)
        count += chunk.shape[1]
        if count > (MAX_S + _GRACE_S) * RATE_HZ:
            raise BadInput(f"that recording is longer than {MAX_S:.0f} s: ask in fewer words")
    if count < MIN_S * RATE_HZ:
        raise BadInput(TOO_SHORT)
    if len({len(chunk) for chunk in chunks}) > 1:
        raise BadInput(BROKEN)
    return mixed(np.concatenate(chunks, axis=1))


def mixed(channels: np.ndarray) -> np.ndarray:
    """Channels (n, samples) as one, as loud as the loudest of them, without constant offsets.

    Each is added the way up that fits what was added before, the loudest first: the power of the sum is never less than
    that of its parts together, so nothing cancels. One channel that carries all of it comes out as it went in.
    """
    import numpy as np

    centred = channels - channels.mean(axis=1, keepdims=True, dtype=np.float64)
    power = np.square(centred).sum(axis=1)
    order = np.argsort(-power, kind="stable")
    total = centred[order[0]]
    for number in order[1:]:
        total = total + (centred[number] if total @ centred[number] >= 0 else -centred[number])
    summed = float(total @ total)
    scale = math.sqrt(float(power.max()) / summed) if summed > 0 else 1.0
    return np.clip(total * scale, -1.0, 1.0).astype(np.float32)


def _decode(data: bytes) -> Any:
    """Chunks (channels, samples) of floats at `RATE_HZ`."""
    import av
    from av.error import FFmpegError

    try:
        with av.open(io.BytesIO(data), mode="r", metadata_errors="ignore") as container:
            resampler = av.AudioResampler(format="flt", rate=RATE_HZ)  # the channels as they are
            for frame in container.decode(audio=0):
                for part in resampler.resample(frame):
                    yield _channels(part)
            for part in resampler.resample(None):
                yield _channels(part)
    except (FFmpegError, ValueError, IndexError, EOFError) as problem:
        raise BadInput(BROKEN) from problem


def level_dbfs(samples: np.ndarray) -> float:
    """The loudest 0.1 s, in dB below full scale; -inf for digital silence."""
    import numpy as np

    width = RATE_HZ // 10
    whole = samples[: len(samples) // width * width]
    windows = whole.reshape(-1, width) if len(whole) else samples.reshape(1, -1)
    centred = windows - windows.mean(axis=1, keepdims=True)  # a microphone's constant offset is no sound
    power = float(np.square(centred, dtype=np.float64).mean(axis=1).max())
    return 10 * math.log10(power) if power > 0 else -math.inf


def clipped(samples: np.ndarray) -> bool:
    """Whether the sound was too loud for the microphone: its tops are cut off."""
    import numpy as np

    top = float(np.abs(samples).max())
    return top > 0.5 and float((np.abs(samples) > 0.995 * top).mean()) > _CLIPPED_SHARE


def audible(samples: np.ndarray) -> tuple[np.ndarray, bool]:
    """The samples, louder when they are too quiet, and whether they were.

    Raises:
        BadInput: there is nothing in them.
    """
    import numpy as np

    level = level_dbfs(samples)
    if level < SILENT_DBFS:
        raise BadInput(NOTHING)
    if level >= QUIET_DBFS:
        return samples, False
    return np.clip(samples * 10 ** ((_TARGET_DBFS - level) / 20), -1.0, 1.0).astype(np.float32), True


def _channels(frame: Any) -> np.ndarray:
    """The channels of a frame that has them interleaved (there are libraries that know no more than eight apart)."""
    return frame.to_ndarray().reshape(-1, frame.layout.nb_channels).T
