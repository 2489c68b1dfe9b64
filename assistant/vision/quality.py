"""Measure a frame: how bright, how contrasty, how sharp.

Only measures. What is done about it is decided in `assistant.vision.enhance` and by the agent.
"""

from __future__ import annotations

import cv2
import numpy as np

from assistant.core.types import Frame, Quality

#: Frames are measured at this size, so that the figures do not depend on the camera's resolution.
MEASURED_SIDE_PX = 640


def small_luma(pixels: np.ndarray, side_px: int = MEASURED_SIDE_PX) -> np.ndarray:
    """Luma (BT.601) of RGB pixels, (height, width) uint8, scaled down so that no side is longer than `side_px`."""
    height, width = pixels.shape[:2]
    scale = side_px / max(height, width)
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)


def measure(frame: Frame) -> Quality:
    """Brightness and contrast (mean and standard deviation of luma, 0..1) and sharpness (variance of the Laplacian)."""
    luma = small_luma(frame.pixels)
    return Quality(
        brightness=float(luma.mean()) / 255.0,
        contrast=float(luma.std()) / 255.0,
        sharpness=float(cv2.Laplacian(luma, cv2.CV_32F).var()),
    )
