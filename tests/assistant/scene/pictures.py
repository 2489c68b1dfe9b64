"""Frames that are drawn for the tests of this folder, and what would be read on them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from assistant.core.types import Evidence, Frame, Look, Quality

Colour = tuple[int, int, int]
#: text, left, top, height in pixels, colour of its letters
Line = tuple[str, int, int, int, Colour]
BLACK, WHITE, RED, GREEN = (10, 10, 10), (245, 245, 245), (200, 20, 30), (10, 130, 60)


def page(lines: Sequence[Line], ground: Colour = WHITE, size: tuple[int, int] = (600, 800)) -> Frame:
    """A sheet of one colour with lines of text on it; `size` is width and height."""
    pixels = np.full((size[1], size[0], 3), ground, np.uint8)
    for text, left, top, height, colour in lines:
        scale = height / 22
        cv2.putText(
            pixels, text, (left, top + height), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, max(1, round(2 * scale))
        )
    return Frame(pixels)


def read(lines: Sequence[Line], confidence: float = 0.99) -> list[Evidence]:
    """Each line as evidence, with the outline that its letters take."""
    found = []
    for i, (text, left, top, height, _) in enumerate(lines):
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, height / 22, 1)
        outline = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
        found.append(Evidence(f"text:{i}", "text", "frame", text, confidence, outline_px=outline))
    return found


def thing(colour: Colour, ground: Colour = (150, 150, 150), size: int = 400) -> Frame:
    """A round thing in the middle of an even ground."""
    pixels = np.full((size, size, 3), ground, np.uint8)
    cv2.circle(pixels, (size // 2, size // 2), size // 4, colour, -1)
    return Frame(pixels)


def look(frame: Frame, brightness: float = 0.5, sharpness: float = 200.0) -> Look:
    return Look(Quality(brightness, 0.3, sharpness), frame)
