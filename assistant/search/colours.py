"""What a person would call the colour of a part of a picture: colour words as shares of its pixels."""

from __future__ import annotations

import cv2
import numpy as np

from assistant.conversation import Candidate, Frame

#: Hue ranges in degrees for colour words; the rest is decided by lightness and saturation.
HUES = {
    "red": ((345, 360), (0, 16)),
    "orange": ((16, 42),),
    "yellow": ((42, 70),),
    "green": ((70, 170),),
    "turquoise": ((165, 200),),
    "teal": ((165, 200),),
    "cyan": ((165, 200),),
    "blue": ((195, 258),),
    "purple": ((258, 310),),
    "violet": ((258, 310),),
    "pink": ((305, 350),),
    "magenta": ((295, 335),),
}
GREYS = ("black", "white", "grey", "gray", "brown", "beige")
#: All colour words.
WORDS = (*HUES, *GREYS)
#: In a frame whose brightest parts are darker than this, colours are told as if they were lit.
DIM = 0.5
_LIT, _MOST_GAIN = 0.85, 8.0


def _brightest(frame: Frame) -> float:
    return float(np.percentile(frame.pixels[::8, ::8].max(axis=2), 99)) / 255.0


def is_dim(frame: Frame) -> bool:
    """Whether so little light fell that hues cannot be trusted: a lamp's own colour tints all of them."""
    return _brightest(frame) < DIM


def _gain(frame: Frame) -> float:
    """What makes a dim frame as bright as a lit one, hues kept; 1 for frames that are bright enough."""
    brightest = _brightest(frame)
    return min(_LIT / max(brightest, 0.01), _MOST_GAIN) if brightest < DIM else 1.0


def colour_share(frame: Frame, candidate: Candidate, colour: str) -> float:
    """Share of the outline's pixels that a person would call by this colour word, 0..1."""
    outline = np.asarray(candidate.outline_px, np.float32)
    left, top = np.floor(outline.min(axis=0)).clip(0).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 1
    cut = frame.pixels[top:bottom, left:right]
    if cut.size == 0:
        return 0.0
    mask = np.zeros(cut.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline - (left, top)).astype(np.int32)], 1)
    lit = np.minimum(cut * _gain(frame), 255.0)
    hsv = cv2.cvtColor((lit[mask > 0][None] / 255.0).astype(np.float32), cv2.COLOR_RGB2HSV)[0]
    if not len(hsv):
        return 0.0
    hue, saturation, value = hsv[:, 0], hsv[:, 1], hsv[:, 2]
    brown = (hue > 8) & (hue < 45) & (saturation > 0.3) & (value > 0.12) & (value < 0.55)
    masks = {
        "black": value < 0.25,
        "white": (saturation < 0.15) & (value > 0.72),
        "grey": (saturation < 0.15) & (value >= 0.25) & (value <= 0.75),
        "brown": brown,
        "beige": (hue > 20) & (hue < 60) & (saturation > 0.08) & (saturation < 0.4) & (value > 0.6),
    }
    masks["gray"] = masks["grey"]
    if colour in masks:
        return float(masks[colour].mean())
    inside = np.zeros(len(hsv), bool)
    for low, high in HUES[colour]:
        inside |= (hue >= low) & (hue < high)
    vivid = (saturation > 0.28) & (value > 0.2)
    if colour in ("orange", "yellow", "red"):
        vivid &= ~brown
    if colour == "pink":  # light reds are called pink
        inside |= ((hue >= 335) | (hue < 12)) & (saturation < 0.5) & (value > 0.7)
        vivid = (saturation > 0.15) & (value > 0.55)
    return float((inside & vivid).mean())
