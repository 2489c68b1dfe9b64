"""A pinhole camera over a small stage. Units: cm in the world (x right, y away, z up), px in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Camera:
    """Looks at `target` from `distance`, `pitch` degrees down, turned by `azimuth`, tilted by `roll`.

    `centre` is where the target falls in the picture, `focal` the focal length in px.
    """

    target: tuple[float, float, float]
    distance: float
    pitch: float
    azimuth: float
    roll: float
    focal: float
    centre: tuple[float, float]

    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(position, right, down, forward) in the world."""
        a, b = math.radians(self.pitch), math.radians(self.azimuth)
        forward = np.array([math.sin(b) * math.cos(a), math.cos(b) * math.cos(a), -math.sin(a)])
        right = np.array([math.cos(b), -math.sin(b), 0.0])
        down = np.cross(forward, right)
        c, s = math.cos(math.radians(self.roll)), math.sin(math.radians(self.roll))
        right, down = c * right + s * down, c * down - s * right
        return np.array(self.target) - self.distance * forward, right, down, forward

    def project(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) world → (n, 2) px; points behind the camera are pulled to just before it."""
        position, right, down, forward = self.axes()
        p = np.asarray(points, float) - position
        z = np.maximum(p @ forward, 1.0)
        x = self.centre[0] + self.focal * (p @ right) / z
        y = self.centre[1] + self.focal * (p @ down) / z
        return np.stack([x, y], axis=1)

    def plane(self, origin: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The 3x3 homography from plane coordinates (a, b), meaning origin + a·u + b·v, to px."""
        position, right, down, forward = self.axes()
        basis = np.stack([np.asarray(u, float), np.asarray(v, float), np.asarray(origin, float) - position], axis=1)
        rows = np.stack([right, down, forward]) @ basis
        k = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])
        return k @ rows
