"""What a person would call the colour of a part of a picture: colour words as shares of its pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from assistant.core.types import Candidate, Frame
from assistant.text.colour_words import HUES

#: In a frame whose brightest parts are darker than this, colours are told as if they were lit.
DIM = 0.5
_LIT, _MOST_GAIN = 0.85, 8.0

#: Share of the outline that must have a colour before the thing is called so; and the only thing that stands aside.
ENOUGH, ENOUGH_ALONE = 0.15, 0.4
#: So many times more than any other that has enough of it, or they are of one colour.
_MORE = 1.25
#: What comes near a colour has some of it, so many times more than any other, and so much of it and the hues beside it
#: (so many degrees away).
_SOME, _FAR_MORE, _NEAR, _BESIDE = 0.07, 5.0, 0.4, 12
#: In poor light one has to have so many times more of it than any other.
_CLEARLY = 2.0


def _brightest(frame: Frame) -> float:
    return float(np.percentile(frame.pixels[::8, ::8].max(axis=2), 99)) / 255.0


def is_dim(frame: Frame) -> bool:
    """Whether so little light fell that hues cannot be trusted: a lamp's own colour tints all of them."""
    return _brightest(frame) < DIM


def _gain(frame: Frame) -> float:
    """What makes a dim frame as bright as a lit one, hues kept; 1 for frames that are bright enough."""
    brightest = _brightest(frame)
    return min(_LIT / max(brightest, 0.01), _MOST_GAIN) if brightest < DIM else 1.0


def lit(frame: Frame) -> np.ndarray:
    """(height, width, 3) float64, 0..255: the frame's pixels, a dim frame's as if it were lit."""
    return np.minimum(frame.pixels * _gain(frame), 255.0)


def colour_share(frame: Frame, candidate: Candidate, colour: str, *, loosely: bool = False) -> float:
    """Share of the outline's pixels that a person would call by this colour word, 0..1; `loosely`: or by that of a hue
    beside it, where the light is warm or nothing else comes nearer.
    """
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
        wider = _BESIDE if loosely else 0
        inside |= ((hue - (low - wider)) % 360) < high - low + 2 * wider
    vivid = (saturation > 0.28) & (value > 0.2)
    if colour in ("orange", "yellow", "red") and not loosely:
        vivid &= ~brown
    if colour == "pink":  # light reds are called pink
        inside |= ((hue >= 335) | (hue < 12)) & (saturation < 0.5) & (value > 0.7)
        vivid = (saturation > 0.15) & (value > 0.55)
    return float((inside & vivid).mean())


def nearest(colour: str, frame: Frame, candidates: Sequence[Candidate], shares: Sequence[float]) -> int | None:
    """The one of several things that comes near a colour which none has enough of: bricks in the evening sun are the
    red ones beside grey stones.
    """
    order = sorted(range(len(shares)), key=lambda i: (-shares[i], i))
    if len(order) < 2 or colour not in HUES or shares[order[0]] < max(_SOME, _FAR_MORE * shares[order[1]]):
        return None
    return order[0] if colour_share(frame, candidates[order[0]], colour, loosely=True) >= _NEAR else None


def which_is(colour: str, shares: Sequence[float], dim: bool, enough: float = ENOUGH) -> int | str:
    """The place of the thing that the colour tells from the others, by their shares of it; or why it tells none."""
    chosen = max(range(len(shares)), key=lambda i: (shares[i], -i))
    best, rival = shares[chosen], max((s for i, s in enumerate(shares) if i != chosen), default=0.0)
    if best < enough:
        return f"none of the things I recognise on this picture is {colour}"
    if dim and _CLEARLY * rival > best:
        return f"in this light I cannot tell which of the things is {colour}"
    if rival >= ENOUGH and _MORE * rival > best:
        return f"more than one of the things I recognise on this picture is {colour}"
    return chosen
