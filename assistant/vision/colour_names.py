"""Names for the colours of a part of a picture, as most people would call them.

Told in CIELAB: hue by its angle, and how colourful by chroma over lightness, which stays about the same in light and
shade. Dark orange is called brown, light red pink, pale orange beige (Berlin and Kay 1969 have eleven words; turquoise
and beige are as usual). The names of the XKCD survey by least distance did worse on photographs: they were given for
patches on a screen, and call what stands in the shade brown or grey.
"""

from __future__ import annotations

import cv2
import numpy as np

from assistant.core.types import Frame
from assistant.vision.colours import lit

NAMES = (
    *("black", "white", "grey", "red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"),
    *("brown", "beige"),
)
#: Where hues begin, in degrees of CIELAB's hue angle, up to the next one's beginning.
_HUES = (
    *((12, "red"), (48, "orange"), (70, "yellow"), (105, "green")),
    *((195, "turquoise"), (225, "blue"), (298, "purple"), (330, "pink")),
)
#: Neutral: less chroma than this, or so little of it for its lightness; without colour however little light there is.
_LEAST_CHROMA, _LEAST_SATURATION, _BLACK = 9.0, 0.17, 14.0
_DARK_GREY, _LIGHT_GREY = 27.0, 68.0
#: So many pixels tell the shares well enough.
_MOST_PIXELS = 8000
#: A colour with a smaller share is not told; and no more than so many are.
LEAST_SHARE, MOST_COLOURS = 0.08, 4


def colours_of(frame: Frame, mask: np.ndarray | None = None) -> list[tuple[str, float]]:
    """Colour words with their shares of the part, 0..1, largest first, of those with `LEAST_SHARE` at least.

    Args:
        frame: a dim one is told as if it were lit.
        mask: (height, width) bool, the part that counts; None for all. An empty one gives no colours.
    """
    chosen = lit(frame).reshape(-1, 3) if mask is None else lit(frame)[mask]
    if not len(chosen):
        return []
    chosen = chosen[:: max(1, len(chosen) // _MOST_PIXELS)]
    shares = np.bincount(_named(chosen), minlength=len(NAMES)) / len(chosen)
    order = sorted(range(len(NAMES)), key=lambda i: -shares[i])
    return [(NAMES[i], round(float(shares[i]), 3)) for i in order[:MOST_COLOURS] if shares[i] >= LEAST_SHARE]


def _named(rgb: np.ndarray) -> np.ndarray:
    """(n,) the index into `NAMES` of each of (n, 3) pixels, RGB 0..255."""
    lab = cv2.cvtColor((rgb[None] / 255.0).astype(np.float32), cv2.COLOR_RGB2LAB)[0]
    lightness, chroma = lab[:, 0], np.hypot(lab[:, 1], lab[:, 2])
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1])) % 360
    saturation = chroma / np.maximum(lightness, 8.0)
    starts = np.array([start for start, _ in _HUES])
    of_hue = np.array([NAMES.index(name) for _, name in _HUES])
    names = of_hue[(np.searchsorted(starts, hue, side="right") - 1) % len(starts)]

    def between(low: float, high: float) -> np.ndarray:
        return np.asarray((hue - low) % 360 < high - low)

    warm = between(35, 95)
    names[between(340, 405) & (lightness > 55) & (saturation < 0.62)] = NAMES.index("pink")
    names[warm & (lightness < 52) & (saturation < 1.0)] = NAMES.index("brown")
    names[between(45, 95) & (lightness >= 52) & (saturation < 0.42)] = NAMES.index("beige")
    neutral = (chroma < _LEAST_CHROMA) | (saturation < _LEAST_SATURATION)
    names[neutral] = NAMES.index("grey")
    names[neutral & (lightness >= _LIGHT_GREY)] = NAMES.index("white")
    names[(neutral & (lightness < _DARK_GREY)) | (lightness < _BLACK)] = NAMES.index("black")
    return np.asarray(names)
