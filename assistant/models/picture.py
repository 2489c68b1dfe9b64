"""Pictures as they go along with a prompt: JPEG without any metadata, no larger than a model makes use of."""

from __future__ import annotations

from typing import Any

from assistant.core.types import Frame

JPEG_QUALITY = 85


def fitted(picture: bytes, longest_side_px: int) -> bytes:
    """An encoded picture as `jpeg_of` gives it.

    Raises:
        BadImage: the bytes are no picture, or a broken one.
    """
    from assistant.vision.frame import read_frame

    return jpeg_of(read_frame(picture), longest_side_px)


def jpeg_of(frame: Frame, longest_side_px: int) -> bytes:
    """The frame as JPEG without any metadata, scaled down to `longest_side_px` where it is larger."""
    import cv2

    pixels: Any = frame.pixels
    scale = longest_side_px / max(frame.width_px, frame.height_px)
    if scale < 1:
        size = (max(1, round(frame.width_px * scale)), max(1, round(frame.height_px * scale)))
        # A little smaller needs no averaging, which costs four times as much.
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR if scale >= 0.5 else cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"{frame!r} could not be written as JPEG")
    return bytes(data)
