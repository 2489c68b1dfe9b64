"""An image encoder of `open_clip` in the place of the packaged one, where its weights are on the disk.

The folder is one as open_clip writes it for the hub: `open_clip_config.json` and the weights beside it. Nothing is
fetched. Each window is seen as a picture of its own, all of a frame at once; words lie in the same space, so that
what a picture shows can be named by any list of kinds.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.types import Frame
from assistant.vision.picture_encoder import unit, version_of
from assistant.vision.pretrained import Window

CONFIG = "open_clip_config.json"
_WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.pth")


class ClipSeen:
    """One picture; what an encoder sees of it is seen when windows are asked for."""

    def __init__(self, frame: Frame, encoder: OpenClipEncoder) -> None:
        self._frame, self._encoder = frame, encoder

    def vectors(self, windows: Sequence[Window]) -> np.ndarray:
        return self._encoder.pictures([self._frame.pixels[_inside(self._frame, window)] for window in windows])


class OpenClipEncoder:
    """A model of open_clip; loaded with the first picture or word. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Raises NotReady where there is no such model in the folder."""
        try:
            config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
            self.dim = int(config.get("model_cfg", config)["embed_dim"])
            weights = next(path for pattern in _WEIGHTS for path in sorted(folder.glob(pattern)))
            with weights.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError, KeyError, TypeError, StopIteration) as problem:
            raise NotReady(
                f"there is no open_clip model in {str(folder)!r} ({CONFIG} and weights): unset VITRINE_CLIP, or give "
                "the folder of one"
            ) from problem
        self.folder = folder
        self.name = "open-clip"
        self.version = version_of(json.dumps(config, sort_keys=True), digest)
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, Any] | None = None

    def see(self, frame: Frame) -> ClipSeen:
        return ClipSeen(frame, self)

    def pictures(self, pictures: Sequence[np.ndarray]) -> np.ndarray:
        """(n, dim) float32 unit vectors of (h, w, 3) uint8 RGB pictures."""
        import torch
        from PIL import Image

        model, prepare, _ = self._model()
        given = torch.stack([prepare(Image.fromarray(np.ascontiguousarray(pixels))) for pixels in pictures])
        with torch.inference_mode():
            return unit(model.encode_image(given).float().numpy())

    def texts(self, words: Sequence[str]) -> np.ndarray:
        """(n, dim) float32 unit vectors of words, to be compared with those of pictures."""
        import torch

        model, _, tokens = self._model()
        with torch.inference_mode():
            return unit(model.encode_text(tokens(list(words))).float().numpy())

    def _model(self) -> tuple[Any, Any, Any]:
        """The model, what prepares a picture and what makes tokens of words."""
        with self._lock:
            if self._loaded is None:
                import open_clip

                name = f"local-dir:{self.folder}"
                try:
                    model, prepare = open_clip.create_model_from_pretrained(name, device="cpu")
                    self._loaded = (model.eval(), prepare, open_clip.get_tokenizer(name))
                except (OSError, ValueError, KeyError, RuntimeError) as problem:
                    raise NotReady(
                        f"the open_clip model in {str(self.folder)!r} cannot be loaded ({problem}): "
                        "unset VITRINE_CLIP, or give the folder of another"
                    ) from problem
            return self._loaded


def _inside(frame: Frame, window: Window) -> tuple[slice, slice]:
    """Rows and columns of a window; at least one pixel each."""
    left, top, right, bottom = window
    x, y = min(int(left * frame.width_px), frame.width_px - 1), min(int(top * frame.height_px), frame.height_px - 1)
    return slice(y, max(y + 1, round(bottom * frame.height_px))), slice(x, max(x + 1, round(right * frame.width_px)))
