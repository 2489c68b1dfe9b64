"""A perceptual hash: pictures that look alike have hashes that differ in few bits.

The hash is Zauner's pHash (Implementation and Benchmarking of Perceptual Image Hash Functions, 2010): the discrete
cosine transform of the picture's luma at 32x32 pixels, its 64 lowest frequencies against their median. Scaling,
compression and small changes of brightness leave it nearly as it is; cropping, turning and mirroring do not.
"""

from __future__ import annotations

from assistant.core.types import Frame

_SIDE_PX, _FREQUENCIES = 32, 8
#: Pictures whose hashes differ in no more bits are taken for the same.
ALIKE_BITS = 10


def perceptual_hash(frame: Frame) -> int:
    """64 bits as a number."""
    import cv2
    import numpy as np

    luma = cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(luma, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    lowest = cv2.dct(small)[:_FREQUENCIES, :_FREQUENCIES].ravel()
    bits = lowest > np.median(lowest[1:])  # the first is the mean brightness, which would move the median
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def look_alike(one: int, other: int) -> bool:
    """Whether two hashes are of pictures that are taken for the same."""
    return (one ^ other).bit_count() <= ALIKE_BITS
