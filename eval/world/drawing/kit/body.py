"""Bodies that carry art: boxes and books with side faces, papers, discs, curved labels, cut-outs and balls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from eval.world.drawing.kit.camera import Camera
from eval.world.drawing.kit.cutouts import contour, on_plane
from eval.world.drawing.kit.edition import Art


@dataclass(frozen=True)
class Pose:
    """Where a body is. lying: art faces up, `x`, `y` is its centre, `turn` degrees around the vertical.
    standing: on the ground at (x, y), art faces the camera. wall: centre at (x, 0, z), flat against y = 0."""

    mode: str
    x: float
    y: float
    z: float
    turn: float


@dataclass(frozen=True)
class Face:
    """One visible quadrilateral: world corners in the order top-left, top-right, bottom-right, bottom-left."""

    corners: np.ndarray
    pixels: np.ndarray
    shade: float


def faces(art: Art, pose: Pose, camera: Camera, lid_pitch: float) -> list[Face]:
    """The faces towards the camera, far ones first; the front is last."""
    front, depth_axis = front_corners(art, pose, camera), _front(art, pose)[1]
    pixels = _cylinder(art, lid_pitch, pose.turn) if art.body == "cylinder" else art.pixels
    result: list[Face] = []
    if art.body in ("slab", "paper") and art.depth_cm > 0.25:
        position = camera.axes()[0]
        back = front + depth_axis * art.depth_cm
        for i in range(4):
            j = (i + 1) % 4
            corners = np.stack([front[i], front[j], back[j], back[i]])
            normal = np.cross(front[j] - front[i], depth_axis)
            normal = normal if normal @ (front.mean(0) - corners.mean(0)) < 0 else -normal
            if normal @ (position - corners.mean(0)) > 0:
                result.append(Face(corners, _side(art, i), 0.72 if i % 2 else 0.86))
    if art.ends is not None:
        result += _ends(art, front, depth_axis, camera)
    if art.body == "slab" and not art.pages:  # what shows behind rounded corners is the body, not the stage
        result.append(Face(front, np.full((40, 40, 4), (*art.side, 255), np.uint8), 0.8))
    result.append(Face(front, pixels, 1.0))
    return result


def _ends(art: Art, front: np.ndarray, depth_axis: np.ndarray, camera: Camera) -> list[Face]:
    """The end of a long thing (the nose of a tram), where the camera sees one."""
    assert art.ends is not None
    back = front + depth_axis * art.depth_cm
    position = camera.axes()[0]
    across = front[1] - front[0]
    if (position - front[1]) @ across > 0:
        return [Face(np.stack([front[1], back[1], back[2], front[2]]), art.ends, 0.8)]
    if (position - front[0]) @ across < 0:
        return [Face(np.stack([back[0], front[0], front[3], back[3]]), art.ends, 0.8)]
    return []


def front_corners(art: Art, pose: Pose, camera: Camera) -> np.ndarray:
    """(4, 3): where the corners of the front are, from the top left one clockwise. A sphere looks at the camera."""
    front, _ = _front(art, pose)
    if art.body != "sphere":
        return front
    _, right, down, _ = camera.axes()
    centre = front.mean(0) if pose.mode != "lying" else np.array([pose.x, pose.y, art.height_cm / 2])
    across, up = right * art.width_cm / 2, -down * art.height_cm / 2
    return np.stack([centre - across + up, centre + across + up, centre + across - up, centre - across - up])


def _front(art: Art, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the front, and the unit vector from the front into the body."""
    w, h, d = art.width_cm / 2, art.height_cm, art.depth_cm
    a = math.radians(pose.turn)
    c, s = math.cos(a), math.sin(a)
    if pose.mode == "lying":
        flat = np.array([[-w, h / 2], [w, h / 2], [w, -h / 2], [-w, -h / 2]])
        x, y = flat[:, 0] * c - flat[:, 1] * s + pose.x, flat[:, 0] * s + flat[:, 1] * c + pose.y
        return np.stack([x, y, np.full(4, d)], axis=1), np.array([0, 0, -1.0])
    if pose.mode == "wall":
        flat = np.array([[-w, h / 2], [w, h / 2], [w, -h / 2], [-w, -h / 2]])
        x, z = flat[:, 0] * c - flat[:, 1] * s + pose.x, flat[:, 0] * s + flat[:, 1] * c + pose.z
        return np.stack([x, np.full(4, -d), z], axis=1), np.array([0, 1.0, 0])
    if art.body == "cylinder":
        c, s = 1.0, 0.0
    across = np.array([c, s, 0.0])
    base = np.array([pose.x, pose.y, 0.0])
    low_left, low_right = base - across * w, base + across * w
    up = np.array([0, 0, h])
    return np.stack([low_left + up, low_right + up, low_right, low_left]), np.array([-s, c, 0.0])


def _side(art: Art, edge: int) -> np.ndarray:
    """Art of a side face: page edges for a book (except its spine, the left side), else the side colour."""
    out = np.empty((120, 240, 4), np.uint8)
    out[..., :3], out[..., 3] = art.side, 255
    if art.pages and edge != 3:
        lines = (226 + 14 * np.sin(np.arange(120) * 1.9))[:, None].astype(np.uint8)
        out[..., 0], out[..., 1], out[..., 2] = lines, np.maximum(lines, 10) - 8, np.maximum(lines, 28) - 26
        out[:7, :, :3] = art.side
        out[-7:, :, :3] = art.side
    return out


def _cylinder(art: Art, pitch: float, turn: float) -> np.ndarray:
    """A jar or tin seen from the front, `pitch` degrees from above, its label turned by `turn` degrees."""
    width, height = 760, round(760 * art.height_cm / art.width_cm)
    sag = math.sin(math.radians(max(2.0, pitch))) * width / 2 * 0.55
    x = (np.arange(width) + 0.5) / width * 2 - 1
    angle = np.arcsin(np.clip(x, -1, 1))
    bend = np.cos(angle) * sag
    top, bottom = sag, height - sag - 1
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (yy - top - bend[None] * 1.0) / (bottom - top)  # 0 at the upper rim, 1 at the lower
    lo, hi = art.label_share
    lh, lw = art.pixels.shape[:2]
    map_x = np.broadcast_to(((angle + math.radians(turn)) / (2 * math.pi) + 0.5)[None] * lw, xx.shape).astype(
        np.float32
    )
    map_y = ((along - lo) / (hi - lo) * lh).astype(np.float32)
    label = cv2.remap(
        cv2.GaussianBlur(art.pixels, (0, 0), 0.8), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    out = np.zeros((height, width, 4), np.float32)
    on_label = (along >= lo) & (along <= hi)
    metal = np.array([188, 190, 192], np.float32)
    body = np.array(art.content, np.float32) if art.content else metal
    out[..., :3] = np.where(on_label[..., None], label[..., :3], body)
    lid_band = along < (lo * 0.62 if art.content else lo)
    if art.lid:
        lid = np.array(art.lid if art.content else (188, 190, 192), np.float32)
        ridges = 0.9 + 0.1 * np.sin(angle * 60)
        out[..., :3] = np.where(lid_band[..., None], lid * ridges[None, :, None], out[..., :3])
    shade = 0.42 + 0.62 * np.clip(np.cos(angle - 0.45), 0, 1) ** 0.8
    shine = 0.34 * np.exp(-(((x + 0.52) / 0.07) ** 2)) + 0.12 * np.exp(-(((x - 0.7) / 0.05) ** 2))
    out[..., :3] = out[..., :3] * shade[None, :, None] + 255 * shine[None, :, None] * 0.5
    inside = (along >= 0) & (along <= 1)
    rim = ((xx - width / 2) / (width / 2)) ** 2 + ((yy - top) / max(1.0, sag)) ** 2 <= 1
    lid_top = np.array(art.lid if art.content and art.lid else (202, 204, 206), np.float32)
    rings = 0.93 + 0.07 * np.cos(
        np.sqrt(((xx - width / 2) / (width / 2)) ** 2 + ((yy - top) / max(1.0, sag)) ** 2) * 22
    )
    out[..., :3] = np.where(rim[..., None], lid_top * rings[..., None] * 1.04, out[..., :3])
    out[..., 3] = 255.0 * (inside | rim)
    return np.clip(out, 0, 255).astype(np.uint8)


def outline(art: Art, pose: Pose, camera: Camera) -> np.ndarray:
    """The polygon, in px, of the front as it is seen."""
    front = front_corners(art, pose, camera)
    if art.body == "disc":
        centre, right, up = front.mean(0), (front[1] - front[0]) / 2, (front[0] - front[3]) / 2
        turns = np.linspace(0, 2 * np.pi, 25)[:-1]
        return camera.project(np.stack([centre + np.cos(t) * right + np.sin(t) * up for t in turns]))
    if art.body in ("cutout", "sphere"):
        return camera.project(on_plane(front, contour(art)))
    return camera.project(front)
