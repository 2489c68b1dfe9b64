"""The image encoders there are: the packaged one, and one of open_clip where its weights are on the disk.

The packaged one is EfficientNet-Lite0 (`assistant.vision.pretrained`): one pass over the whole picture, each window
pooled from its map by the generalised mean. Nothing is whitened: that helps spoilt copies of a picture and hurts other
views of its thing. Known by one photograph each, 30 things are nearest to their own on 98 of 100 other photographs, on
spoilt ones on 93 (128 of each).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from assistant.core.threads import one_torch_thread
from assistant.core.types import Frame
from assistant.vision.open_clip_encoder import OpenClipEncoder
from assistant.vision.picture_encoder import PictureEncoder, unit, version_of
from assistant.vision.pretrained import FEATURES, SIDE_PX, WEIGHTS, FeatureMap, Window, pretrained, weights_file

#: The power of the generalised mean: between the mean (1) and the maximum.
POWER = 3.0


class NetworkSeen:
    """The network's map of one picture."""

    def __init__(self, seen: FeatureMap) -> None:
        self._seen = seen

    def vectors(self, windows: Sequence[Window]) -> np.ndarray:
        return unit(self._seen.pooled(windows, POWER))


class NetworkEncoder:
    """EfficientNet-Lite0 with ImageNet weights; the network is loaded with the first picture."""

    name = "efficientnet-lite0"
    dim = FEATURES

    def __init__(self) -> None:
        """Raises NotReady where the package with its weights is missing."""
        weights_file()
        self.version = version_of(WEIGHTS["lite0"].sha256, SIDE_PX, POWER)

    def see(self, frame: Frame) -> NetworkSeen:
        network = pretrained()
        with one_torch_thread():
            return NetworkSeen(network.look(frame))


@lru_cache(maxsize=4)
def picture_encoder(clip: Path | None = None) -> PictureEncoder:
    """The encoder of this process: the weights of open_clip in the folder `clip` where there is one, else the packaged.

    Raises:
        NotReady: there is no model in `clip`, or the package is missing.
    """
    if clip is None:
        return NetworkEncoder()
    return OpenClipEncoder(clip)
