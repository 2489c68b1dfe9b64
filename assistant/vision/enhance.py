"""Correct a frame where that helps later stages: local contrast (CLAHE) for low light.

The geometry never changes, so outlines found on the corrected frame are outlines of the frame as handed in. A frame
with enough light is returned as it is: CLAHE would only add noise and shift its colours. Not covered: deblurring and
straightening.
"""

from __future__ import annotations

import cv2
import numpy as np

from assistant.core.types import Frame, Quality

#: A frame is dark when its mean luma is below this and its contrast below `FLAT_CONTRAST`: a well-lit picture of
#: something dark has highlights and therefore contrast.
DARK_BRIGHTNESS = 0.24
FLAT_CONTRAST = 0.17
#: Below this contrast (standard deviation of luma, 0..1) there is nothing to bring out but sensor noise.
NOTHING_THERE = 0.006


def is_dark(quality: Quality) -> bool:
    """Whether the frame was taken in low light and still shows something."""
    if quality.contrast < NOTHING_THERE:
        return False
    return quality.brightness < DARK_BRIGHTNESS and quality.contrast < FLAT_CONTRAST


def correct(frame: Frame, quality: Quality) -> tuple[Frame, tuple[str, ...]]:
    """Brighten a dark frame.

    Returns:
        The frame later stages should see (the same object when nothing was done), and what was done, in words.
    """
    if not is_dark(quality):
        return frame, ()
    return Frame(brighten(frame.pixels)), ("low light: local contrast raised",)


def brighten(pixels: np.ndarray) -> np.ndarray:
    """Stretch luma, denoise a little, then CLAHE; chroma is scaled with the luma so that colours keep their hue.

    Args:
        pixels: (height, width, 3) uint8 RGB.
    """
    ycc = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2YCrCb)
    luma = ycc[..., 0]
    low, high = (float(v) for v in np.percentile(luma[::4, ::4], (1.0, 99.5)))
    gain = min(255.0 / max(high - low, 1.0), 12.0)
    # Raising contrast raises sensor noise with it; a light blur first costs less than noise in the descriptors.
    smooth = cv2.GaussianBlur(luma, (0, 0), 0.8) if gain > 3.0 else luma
    stretched = np.clip((smooth.astype(np.float32) - low) * gain, 0, 255).astype(np.uint8)
    raised = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(stretched)
    chroma_gain = np.float32(min(gain, 4.0))
    chroma = (cv2.GaussianBlur(ycc[..., 1:], (0, 0), 1.5).astype(np.float32) - 128.0) * chroma_gain + 128.0
    out = np.dstack([raised, np.clip(chroma, 0, 255).astype(np.uint8)])
    return cv2.cvtColor(out, cv2.COLOR_YCrCb2RGB)
