"""What a place out of doors is to a scene: how things stand there, how high the eye is, what is behind them.

The places themselves are in `streets`; indoor stages (desk, shelf, wall) stay in `scene`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from eval.world.drawing.kit.camera import Camera

Backdrop = Callable[[Camera, tuple[int, int], random.Random, np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Place:
    """`backdrop` gives the (height, width, 3) float32 picture of the empty place.

    placing: standing or lying. `eye_cm`: the range of the camera's height above the ground; None where the camera looks
    as it does indoors. On `water` things are mirrored and cast no shadow.
    """

    backdrop: Backdrop
    placing: str = "standing"
    eye_cm: tuple[float, float] | None = (150.0, 185.0)
    water: bool = False


def horizon_px(camera: Camera) -> float:
    """The row of the picture, in px, at which level ground ends."""
    position, _, _, forward = camera.axes()
    level = np.array([forward[0], forward[1], 0.0])
    far = position + level / max(1e-9, float(np.linalg.norm(level))) * 1e7
    return float(camera.project(far[None])[0, 1])


def ground(
    texture: np.ndarray, cm: float, camera: Camera, size: tuple[int, int], origin: tuple[float, float]
) -> np.ndarray:
    """The tiling (side, side, 3) `texture`, `cm` wide, on the plane z = 0 as the camera sees it, float32.

    Towards the horizon the texture melts into its mean, which is what stands for anti-aliasing.
    """
    scale = cm / texture.shape[0]
    plane = camera.plane(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, -1.0, 0]))
    to_cm = np.array([[scale, 0, -origin[0]], [0, scale, -origin[1]], [0, 0, 1.0]])
    soft = cv2.GaussianBlur(texture, (0, 0), 1.2)
    flat = cv2.warpPerspective(soft, plane @ to_cm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    depth = (np.arange(size[1], dtype=np.float32) - horizon_px(camera)) / (0.3 * size[1])
    depth = np.clip(depth, 0, 1)[:, None, None]
    mean = texture.reshape(-1, 3).mean(0).astype(np.float32)
    return np.asarray(mean * (1 - depth) + flat.astype(np.float32) * depth, np.float32)
