"""Scenes: a stage, one light, bodies with shadows, and what a camera does to them. Gives pixels and outlines.

Frames are what smart glasses see (960x1280, desk, shelf, hand or wall); index pictures and web pictures are
catalogue-like, at their own sizes. Degradations are not here: see `assistant.vision.degrade`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from eval.world.drawing.kit import cutouts
from eval.world.drawing.kit.body import Pose, faces, front_corners, outline
from eval.world.drawing.kit.camera import Camera
from eval.world.drawing.kit.edition import Art
from eval.world.drawing.kit.textures import SIDE, Texture, noise
from eval.world.drawing.scenes.places import Place, horizon_px
from eval.world.drawing.scenes.rooms import ROOMS
from eval.world.drawing.scenes.streets import STREETS

FRAME_SIZE = (960, 1280)
#: Places out of doors, by the name of their mode.
PLACES: dict[str, Place] = {**STREETS, **ROOMS}


@dataclass(frozen=True)
class Scene:
    """`pixels` is (height, width, 3) uint8; `outlines` one polygon (n, 2) per art, in px, unclipped."""

    pixels: np.ndarray
    outlines: tuple[np.ndarray, ...]


class Stage:
    """The surfaces that the scenes of one world happen on."""

    def __init__(self, textures: Sequence[Texture]) -> None:
        self.textures = list(textures)

    def choose(self, kinds: tuple[str, ...], r: random.Random) -> Texture:
        fitting = [t for t in self.textures if t.kind in (*kinds, "photograph")]
        return r.choice(fitting or self.textures)


def shoot(
    stage: Stage, arts: Sequence[Art], mode: str, size: tuple[int, int], r: random.Random, *, tidy: bool = False
) -> Scene:
    """Photograph `arts` (the first is the main one). mode: desk, shelf, hand, wall; `tidy`: a catalogue picture."""
    w, h = size
    place = PLACES.get(mode)
    placing = place.placing if place else {"desk": "lying", "shelf": "standing", "hand": "wall", "wall": "wall"}[mode]
    poses = _arrange(arts, placing, r, tidy)
    if place is not None and place.eye_cm is not None:
        poses = [replace(p, turn=0.5 * p.turn) for p in poses]
        camera = _camera(arts, poses, placing, size, r, tidy, r.uniform(*place.eye_cm))
    else:
        camera = _camera(arts, poses, placing, size, r, tidy)
    if placing == "standing":
        poses = [replace(p, turn=-camera.azimuth) if a.revolves else p for a, p in zip(arts, poses, strict=True)]
    g = np.random.default_rng(r.getrandbits(63))
    if place is not None:
        canvas: np.ndarray = place.backdrop(camera, size, r, g).astype(np.float32)
        photographs = [t for t in stage.textures if t.kind == "photograph"]
        if photographs:
            canvas = _with_photograph(canvas, r.choice(photographs), camera, placing, r)
    else:
        canvas = _background(stage, camera, mode, size, r, g, tidy).astype(np.float32)
    light = r.uniform(0, 2 * math.pi) if place is None else r.uniform(-0.9, 0.9)
    for art, pose in zip(arts, poses, strict=True):
        if place is not None and place.water:
            pixels, corners = cutouts.mirrored(art, front_corners(art, pose, camera), g)
            _paste(canvas, pixels, camera.project(corners), 0.8)
        else:
            _shadow(canvas, art, pose, camera, light, soft=mode == "hand")
    glare = np.zeros((h, w), np.float32)
    for i in sorted(range(len(arts)), key=lambda i: -poses[i].y):
        for face in faces(arts[i], poses[i], camera, camera.pitch):
            _paste(canvas, face.pixels, camera.project(face.corners), face.shade)
        _glare(glare, outline(arts[i], poses[i], camera), arts[i].gloss, r)
    outlines = tuple(outline(a, p, camera) for a, p in zip(arts, poses, strict=True))
    if mode == "hand":
        _fingers(canvas, outlines[0], r, g)
    return Scene(develop(canvas, glare, light, r, g, tidy), outlines)


def _arrange(arts: Sequence[Art], placing: str, r: random.Random, tidy: bool) -> list[Pose]:
    """Side by side, the main one anywhere in the row, none overlapping."""
    order = list(range(len(arts)))
    r.shuffle(order)
    turn = 4 if tidy else {"lying": 16, "standing": 24, "wall": 4}[placing]
    poses: dict[int, Pose] = {}
    x = 0.0
    for i in order:
        art, angle = arts[i], r.uniform(-turn, turn)
        a = abs(math.radians(angle))
        reach = art.width_cm * math.cos(a) + (art.height_cm if placing != "standing" else art.depth_cm) * math.sin(a)
        gap = r.uniform(0.03, 0.14) * art.width_cm if x else 0.0
        centre = x + gap + reach / 2
        poses[i] = Pose(placing, centre, r.uniform(-1.5, 1.5), r.uniform(-1, 1) if placing == "wall" else 0.0, angle)
        x += gap + reach
    return [poses[i] for i in range(len(arts))]


def _camera(
    arts: Sequence[Art],
    poses: list[Pose],
    placing: str,
    size: tuple[int, int],
    r: random.Random,
    tidy: bool,
    eye_cm: float | None = None,
) -> Camera:
    """A viewpoint from which the objects fill a believable part of the picture, the main one near the middle.

    With `eye_cm` the camera is that high above the ground, wherever it has to stand, and looks from hardly aside.
    """
    main = poses[0]
    row = (
        min(p.x - a.width_cm / 2 for a, p in zip(arts, poses, strict=True))
        + max(p.x + a.width_cm / 2 for a, p in zip(arts, poses, strict=True))
    ) / 2
    look = 0.45 * main.x + 0.55 * row
    if placing == "lying":
        target = (look, main.y, 0.0)
        pitch = r.uniform(76, 89) if tidy else r.uniform(48, 84)
    elif placing == "standing":
        target = (look, main.y, arts[0].height_cm * 0.48)
        pitch = r.uniform(6, 12) if tidy else r.uniform(8, 26)
    else:
        target = (look, 0.0, main.z)
        pitch = r.uniform(-3, 3) if tidy else r.uniform(-14, 16)
    azimuth = r.uniform(-5, 5) if tidy else r.uniform(-20, 20)
    azimuth *= 0.5 if eye_cm is not None else 1.0
    roll = r.uniform(-1, 1) if tidy else r.gauss(0, 3)
    focal = 1.25 * max(size)
    shift = 0.02 if tidy else 0.06
    aim = np.array([size[0] * (0.5 + r.uniform(-shift, shift)), size[1] * (0.5 + r.uniform(-shift, shift))])
    wide = 0.8 if tidy else r.uniform(0.74, 0.9) if len(arts) > 1 else r.uniform(0.55, 0.84)
    if eye_cm is not None and not tidy:
        wide = r.uniform(0.68, 0.93)
    camera = Camera(target, 100.0, pitch, azimuth, roll, focal, (float(aim[0]), float(aim[1])))
    for _ in range(4):  # the distance at which the row is as wide, and no higher, than wanted, around the aim
        points = np.concatenate([outline(a, p, camera) for a, p in zip(arts, poses, strict=True)])
        extent = np.ptp(points, axis=0) / np.array(size)
        factor = max(extent[0] / wide, extent[1] / (0.84 if tidy else 0.78))
        centre = np.array(camera.centre) + aim - (points.max(0) + points.min(0)) / 2
        camera = replace(
            camera, distance=max(8.0, camera.distance * factor), centre=(float(centre[0]), float(centre[1]))
        )
        if eye_cm is not None:
            rise = (eye_cm - target[2]) / camera.distance
            camera = replace(camera, pitch=math.degrees(math.asin(max(-0.5, min(0.8, rise)))))
    return camera


def _background(
    stage: Stage, camera: Camera, mode: str, size: tuple[int, int], r: random.Random, g: np.random.Generator, tidy: bool
) -> np.ndarray:
    if tidy:
        return _studio(camera, mode, size, r)
    if mode == "hand":
        return _room(stage, size, r, g)
    x, y, z = np.eye(3)
    origin = np.array([r.uniform(0, 99), r.uniform(0, 99), 0.0])
    if mode == "wall":
        wall = stage.choose(("plaster", "brick", "tiles", "wood"), r)
        return _surface(wall, camera.plane(np.array([0, 0, 0.0]), x, -z), size, origin, r)
    ground = stage.choose(("wood", "cloth", "marble"), r)
    if mode == "desk":
        return _surface(ground, camera.plane(np.zeros(3), x, -y), size, origin, r)
    wall = stage.choose(("plaster", "brick", "tiles"), r)
    behind = r.uniform(8, 22)
    back: np.ndarray = _surface(wall, camera.plane(np.array([0, behind, 0.0]), x, -z), size, origin, r)
    back = cv2.GaussianBlur(back, (0, 0), r.uniform(1.5, 5))
    board = _surface(ground, camera.plane(np.zeros(3), x, -y), size, origin, r)
    far = 400.0
    edge = camera.project(
        np.array([[-far / 4, behind, 0], [far / 4, behind, 0], [60, -far / 10, 0], [-60, -far / 10, 0]])
    )
    mask = np.zeros((size[1], size[0]), np.uint8)
    edge[2:, 1] = size[1] + 4000
    edge[2, 0], edge[3, 0] = size[0] + 4000, -4000
    cv2.fillPoly(mask, [np.clip(np.round(edge), -20000, 20000).astype(np.int32)], 255, cv2.LINE_AA)
    alpha = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32)[..., None] / 255
    occlusion = 1 - 0.35 * np.exp(-np.abs(np.arange(size[1]) - edge[:2, 1].mean()) / 40.0)[:, None, None]
    return (back * (1 - alpha) + board * alpha) * occlusion


def _with_photograph(
    canvas: np.ndarray, texture: Texture, camera: Camera, placing: str, r: random.Random
) -> np.ndarray:
    """A given photograph behind what stands out of doors, above the horizon, or under what lies there."""
    h, w = canvas.shape[:2]
    if placing == "lying":
        x, y, _ = np.eye(3)
        return _surface(texture, camera.plane(np.zeros(3), x, -y), (w, h), np.array([r.uniform(0, 99), 0.0, 0.0]), r)
    row = int(np.clip(horizon_px(camera), 0, h))
    if row > 8:
        high = min(SIDE // 2, max(8, round(SIDE // 2 * row / w)))
        part = texture.pixels[:high, : SIDE // 2]
        canvas[:row] = cv2.resize(part, (w, row), interpolation=cv2.INTER_LINEAR)
    return canvas


def _surface(
    texture: Texture, plane: np.ndarray, size: tuple[int, int], origin: np.ndarray, r: random.Random
) -> np.ndarray:
    """The texture on a plane; `plane` maps cm to px."""
    scale = texture.cm / SIDE
    turn = r.choice([0.0, math.pi / 2]) if texture.kind in ("wood", "cloth", "marble") else 0.0
    c, s = math.cos(turn), math.sin(turn)
    to_cm = np.array([[scale * c, -scale * s, -origin[0]], [scale * s, scale * c, -origin[1]], [0, 0, 1.0]])
    m = plane @ to_cm
    soft = cv2.GaussianBlur(texture.pixels, (0, 0), 0.8)
    flat = cv2.warpPerspective(soft, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    tint = np.array([r.uniform(0.94, 1.05), r.uniform(0.95, 1.03), r.uniform(0.92, 1.05)], np.float32)
    return flat.astype(np.float32) * tint * r.uniform(0.85, 1.06)


def _studio(camera: Camera, mode: str, size: tuple[int, int], r: random.Random) -> np.ndarray:
    """A seamless backdrop."""
    w, h = size
    tone = np.array(
        r.choice([(244, 244, 242), (226, 230, 232), (236, 228, 214), (214, 222, 216), (205, 210, 220)]), np.float32
    )
    fall = np.linspace(r.uniform(0.98, 1.04), r.uniform(0.84, 0.94), h, dtype=np.float32)[:, None, None]
    return np.broadcast_to(tone * fall, (h, w, 3)).copy()


def _room(stage: Stage, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """What is far behind a thing held up: out of focus."""
    w, h = size
    base = stage.choose(("plaster", "wood", "tiles"), r).pixels
    small: np.ndarray = cv2.resize(base, (w // 8, h // 8)).astype(np.float32) * r.uniform(0.6, 1.0)
    for _ in range(r.randint(5, 10)):
        colour = [r.uniform(30, 230) for _ in range(3)]
        x0, y0 = r.randint(0, w // 8), r.randint(0, h // 8)
        cv2.rectangle(small, (x0, y0), (x0 + r.randint(6, 50), y0 + r.randint(10, 90)), colour, -1)
    for _ in range(r.randint(0, 6)):
        cv2.circle(small, (r.randint(0, w // 8), r.randint(0, h // 16)), r.randint(2, 6), (255, 240, 200), -1)
    small = cv2.GaussianBlur(small, (0, 0), r.uniform(4, 7))
    return cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)


def _shadow(canvas: np.ndarray, art: Art, pose: Pose, camera: Camera, light: float, *, soft: bool) -> None:
    """Contact shadow and cast shadow on the stage, darkening `canvas` in place."""
    if soft:
        return
    if art.body in ("cutout", "sphere"):
        cutouts.shadow(canvas, art, _front_on_stage(art, pose, camera), pose.mode, camera, light)
        return
    w, d, height = art.width_cm / 2, art.depth_cm, art.height_cm
    a = math.radians(pose.turn)
    c, s = math.cos(a), math.sin(a)
    if pose.mode == "standing":
        if art.body == "cylinder":
            ring = np.linspace(0, 2 * np.pi, 24)
            base = np.stack([w * np.cos(ring), w * np.sin(ring) + w * 0.7], axis=1)
        else:
            base = np.array([[-w, 0], [w, 0], [w, d], [-w, d]])
            base = np.stack([base[:, 0] * c - base[:, 1] * s, base[:, 0] * s + base[:, 1] * c], axis=1)
        reach, lift = 0.55 * height, np.array([math.cos(light), abs(math.sin(light)) * 0.6])
    else:
        base = np.array([[-w, height / 2], [w, height / 2], [w, -height / 2], [-w, -height / 2]])
        if art.body == "disc":
            ring = np.linspace(0, 2 * np.pi, 24)
            base = w * np.stack([np.cos(ring), np.sin(ring)], axis=1)
        base = np.stack([base[:, 0] * c - base[:, 1] * s, base[:, 0] * s + base[:, 1] * c], axis=1)
        reach, lift = 0.5 + 0.9 * d, np.array([math.cos(light), math.sin(light)])
    steps = [(0.06, 0.5, 0.0), (0.35, 0.42, 1.0)]
    for blur, strength, far in steps:
        hull = (
            base if far == 0 else cv2.convexHull(np.concatenate([base, base + lift * reach]).astype(np.float32))[:, 0]
        )
        if pose.mode == "wall":
            world = np.stack([hull[:, 0] + pose.x, np.zeros(len(hull)), hull[:, 1] + pose.z], axis=1)
        else:
            world = np.stack([hull[:, 0] + pose.x, hull[:, 1] + pose.y, np.zeros(len(hull))], axis=1)
        px = camera.project(world)
        scale = camera.focal / camera.distance
        _darken(canvas, px, strength, max(1.5, blur * scale * (1 + 0.1 * reach)))


def _front_on_stage(art: Art, pose: Pose, camera: Camera) -> np.ndarray:
    """Corners of the silhouette that throws the shadow, which does not turn with the camera."""
    return front_corners(replace(art, body="cutout"), pose, camera)


def _darken(canvas: np.ndarray, polygon: np.ndarray, strength: float, blur_px: float) -> None:
    h, w = canvas.shape[:2]
    k = 4  # shadows are soft: a quarter of the resolution is enough
    mask = np.zeros((h // k, w // k), np.float32)
    cv2.fillPoly(mask, [np.round(polygon / k).astype(np.int32)], 1.0, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, blur_px / k))
    canvas *= 1 - strength * cv2.resize(mask, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]


def _paste(canvas: np.ndarray, pixels: np.ndarray, corners: np.ndarray, shade: float) -> None:
    """Warp RGBA `pixels` onto the quadrilateral, blending at its edges."""
    h, w = canvas.shape[:2]
    x0, y0 = np.floor(corners.min(0)).astype(int) - 2
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 3
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
    if x1 <= x0 or y1 <= y0:
        return
    ph, pw = pixels.shape[:2]
    wide = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3]))
    high = max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1]))
    target = (max(4, min(pw, round(wide * 1.15))), max(4, min(ph, round(high * 1.15))))
    if target != (pw, ph):
        pixels = cv2.resize(pixels, target, interpolation=cv2.INTER_AREA)
        pw, ph = target
    framed = cv2.copyMakeBorder(pixels, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    framed[:2, :, 3] = framed[-2:, :, 3] = 0
    framed[:, :2, 3] = framed[:, -2:, 3] = 0
    source = np.array([[2, 2], [pw + 2, 2], [pw + 2, ph + 2], [2, ph + 2]], np.float32)
    m = cv2.getPerspectiveTransform(source, (corners - [x0, y0]).astype(np.float32))
    warped = cv2.warpPerspective(framed, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    alpha = warped[..., 3:].astype(np.float32) / 255
    region = canvas[y0:y1, x0:x1]
    region *= 1 - alpha
    region += warped[..., :3].astype(np.float32) * (alpha * shade)


def _glare(glare: np.ndarray, polygon: np.ndarray, gloss: float, r: random.Random) -> None:
    """A soft reflection on shiny things."""
    if r.random() > gloss:
        return
    h, w = glare.shape
    k = 4
    mask = np.zeros((h // k, w // k), np.float32)
    cv2.fillPoly(mask, [np.round(polygon / k).astype(np.int32)], 1.0)
    centre = polygon.mean(0) / k + np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * np.ptp(polygon, axis=0) / k * 0.3
    spread = float(np.ptp(polygon, axis=0).mean()) / k
    streak = np.zeros_like(mask)
    angle = r.uniform(20, 160)
    cv2.ellipse(
        streak,
        (round(centre[0]), round(centre[1])),
        (round(spread * r.uniform(0.15, 0.5)), round(spread * r.uniform(0.04, 0.12))),
        angle,
        0,
        360,
        1.0,
        -1,
    )
    soft = cv2.GaussianBlur(streak, (0, 0), max(1.0, spread * 0.06)) * mask * r.uniform(0.15, 0.5)
    glare += cv2.resize(soft, (w, h), interpolation=cv2.INTER_LINEAR)


def _fingers(canvas: np.ndarray, polygon: np.ndarray, r: random.Random, g: np.random.Generator) -> None:
    """A thumb over the lower edge of the thing held, the hand below it."""
    h, w = canvas.shape[:2]
    low = polygon[np.argsort(polygon[:, 1])[-2:]]
    at = low.mean(0) + (low[0] - low[1]) * r.uniform(-0.25, 0.25)
    skin = np.array(
        r.choice([(226, 178, 146), (198, 146, 112), (150, 102, 74), (104, 68, 48), (236, 196, 170)]), np.float32
    )
    side = float(np.linalg.norm(polygon[0] - polygon[3]))
    unit = max(50.0, 0.17 * min(float(np.linalg.norm(low[0] - low[1])), 1.1 * side))
    hand: np.ndarray = np.zeros((h, w), np.float32)
    lean = r.uniform(-0.5, 0.5)
    base = (int(at[0] + lean * unit * 4), h + int(unit * 2))
    tip = (int(at[0]), int(at[1] - unit * 0.3))
    mid = (int(at[0] * 0.7 + base[0] * 0.3), int(at[1] + unit * 1.4))
    cv2.line(hand, tip, mid, 1.0, int(unit * 1.05), cv2.LINE_AA)
    cv2.line(hand, mid, base, 1.0, int(unit * 2.2), cv2.LINE_AA)
    hand = cv2.GaussianBlur(hand, (0, 0), unit * 0.05)
    inner = cv2.GaussianBlur(hand, (0, 0), unit * 0.3)
    shadow = np.roll(cv2.GaussianBlur(hand, (0, 0), unit * 0.25), (int(unit * 0.12), int(unit * 0.1)), (0, 1))
    canvas *= (1 - 0.45 * shadow * (1 - hand))[..., None]
    shading = (0.55 + 0.5 * inner)[..., None] * skin
    canvas *= 1 - hand[..., None]
    canvas += shading * hand[..., None]
    nail: np.ndarray = np.zeros((h, w), np.float32)
    cv2.ellipse(
        nail,
        (tip[0], int(tip[1] - unit * 0.06)),
        (int(unit * 0.27), int(unit * 0.34)),
        lean * 20,
        0,
        360,
        1.0,
        -1,
        cv2.LINE_AA,
    )
    nail = cv2.GaussianBlur(nail, (0, 0), 2)[..., None] * 0.55
    canvas *= 1 - nail
    canvas += (skin * 0.5 + np.array([250, 214, 206], np.float32) * 0.55) * nail


def develop(
    canvas: np.ndarray, glare: np.ndarray, light: float, r: random.Random, g: np.random.Generator, tidy: bool
) -> np.ndarray:
    """(h, w, 3) uint8 from what was painted: one light over everything, vignette, lens softness, grain."""
    h, w = canvas.shape[:2]
    strength = 0.08 if tidy else r.uniform(0.1, 0.26)
    yy, xx = np.mgrid[0 : h // 8, 0 : w // 8].astype(np.float32)
    u, v = xx / (w // 8) * 2 - 1, yy / (h // 8) * 2 - 1
    field = 1 + strength * (u * math.cos(light) - v * math.sin(light)) - 0.09 * (u * u + v * v)
    if not tidy:
        field += 0.05 * cv2.resize(noise(g, 3, 3, 96), (w // 8, h // 8))
    field = cv2.resize(field, (w, h), interpolation=cv2.INTER_LINEAR)
    warm = np.array([1 + r.uniform(-0.02, 0.06), 1.0, 1 - r.uniform(-0.03, 0.08)], np.float32) if not tidy else 1.0
    out = canvas * (field * (1.0 if tidy else r.uniform(0.9, 1.08)))[..., None] * warm + 235 * glare[..., None]
    out = cv2.GaussianBlur(out, (0, 0), 0.45 if tidy else r.uniform(0.5, 0.9))
    tile = g.normal(0, 1, (256, 256)).astype(np.float32)
    grain = np.tile(tile, (h // 256 + 1, w // 256 + 1))[:h, :w] * (0.8 if tidy else r.uniform(1.2, 2.6))
    return np.clip(out + grain[..., None], 0, 255).astype(np.uint8)
