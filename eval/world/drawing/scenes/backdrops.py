"""What is painted around a cut-out outdoors: sky, hills, trees, houses, leaves, the ground towards the viewer, water.

Backgrounds are painted small and out of focus, the ground in perspective up to the horizon. Where things stand on it
is decided in `outdoors`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, mix
from eval.world.drawing.kit.relief import Sheet, cloud, hairs, ribbon, threefold
from eval.world.drawing.kit.textures import SIDE, Texture
from eval.world.drawing.scenes.scene import Stage

#: Distances are painted at a half of the resolution.
_COARSE = 2


@dataclass(frozen=True)
class View:
    """A level camera: `horizon` is its row (px, may lie outside), the ground at the main thing is `drop` px below it,
    `focal` px, `scale` px per cm at the main thing. `far` is the row at which the thing furthest away stands."""

    w: int
    h: int
    horizon: float
    drop: float
    focal: float
    scale: float
    far: float


def paint(
    stage: Stage, view: View, ground: str, behind: str, blur_px: float, r: random.Random, g: np.random.Generator
) -> np.ndarray:
    """(h, w, 3) float32: the place without the things."""
    photographs = [t for t in stage.textures if t.kind == "photograph"]
    mood = _MOODS[r.choice(["clear", "clear", "cloudy", "overcast", "evening", "morning"])]
    if photographs:
        back: np.ndarray = cv2.resize(r.choice(photographs).pixels, (view.w, view.h)).astype(np.float32)
    else:
        back = _BEHIND[behind](replace(view), mood, r, g)
    back = cv2.GaussianBlur(back, (0, 0), max(0.4, blur_px))
    if ground == "branch":
        return back
    if behind == "leaves" and not photographs:
        line = min(view.h * r.uniform(0.52, 0.66), view.far - 0.04 * view.h)
    else:
        lowest = {"window": 0.5, "tank": 0.74}.get(behind, -9.0) * view.h
        line = max(view.horizon, lowest if behind == "tank" else min(lowest, view.far - 0.04 * view.h))
    if line >= view.h:
        return back
    if ground == "water":
        front = _water(view, back, r, g)
    else:
        front = _ground(stage.choose((ground,), r), view, r) * mood.ground
    top = max(0, int(line))
    rows = np.arange(view.h, dtype=np.float32)
    haze = np.exp(-np.maximum(0, rows - view.horizon) / (0.05 * view.h))[:, None, None]
    if ground != "water":
        far = front[top : top + max(4, view.h // 8)].mean((0, 1))
        front = front * (1 - 0.75 * haze) + (0.6 * far + 0.4 * mood.haze) * 0.75 * haze
    edge = np.clip((rows - line) / max(2.0, blur_px * (3 if behind == "leaves" else 1)) + 0.5, 0, 1)[:, None, None]
    return back * (1 - edge) + front * edge


@dataclass(frozen=True)
class _Mood:
    """A time of day: zenith and horizon of the sky, clouds (share), light on the ground, colour of the distance."""

    zenith: Colour
    low: Colour
    clouds: float
    ground: np.ndarray
    haze: np.ndarray


def _mood(zenith: Colour, low: Colour, clouds: float, ground: Colour) -> _Mood:
    return _Mood(zenith, low, clouds, np.array(ground, np.float32) / 100, np.array(low, np.float32))


_MOODS = {
    "clear": _mood((86, 140, 206), (196, 218, 232), 0.15, (104, 102, 96)),
    "cloudy": _mood((96, 146, 204), (206, 220, 230), 0.5, (100, 100, 98)),
    "overcast": _mood((176, 184, 192), (218, 221, 222), 0.8, (92, 94, 96)),
    "evening": _mood((104, 130, 178), (246, 206, 158), 0.3, (108, 97, 84)),
    "morning": _mood((142, 176, 210), (242, 226, 210), 0.25, (102, 99, 95)),
}


def _sky(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """(h, w, 3) at the coarse scale."""
    w, h = view.w // _COARSE, view.h // _COARSE
    bottom = float(np.clip(view.horizon / _COARSE, 40, h))
    t = np.clip(np.arange(h, dtype=np.float32) / bottom, 0, 1)[:, None, None] ** 0.8
    sky = np.array(mood.zenith, np.float32) * (1 - t) + np.array(mood.low, np.float32) * t
    sky = np.broadcast_to(sky, (h, w, 3)).copy()
    small = cv2.resize(cloud(g, w // 10, h // 4, 9, 3), (w, h), interpolation=cv2.INTER_CUBIC)
    cover = np.clip((small + mood.clouds * 2.2 - 1.5) / 1.3, 0, 1)[..., None] * (1 - 0.5 * t)
    white = np.array((250, 249, 246), np.float32) * 0.5 + np.array(mood.low, np.float32) * 0.5
    return sky * (1 - 0.85 * cover) + white * 0.85 * cover


def _ridge(g: np.random.Generator, w: int, base: float, swing: float, cell: float) -> np.ndarray:
    """(w,) heights in px of a skyline."""
    line: np.ndarray = base - swing * (0.5 + 0.5 * np.clip(cloud(g, w, 1, cell, 2)[0], -1.6, 1.6))
    return line


def _below(canvas: np.ndarray, line: np.ndarray, colour: np.ndarray, bottom: float) -> None:
    """Fill from a skyline down to `bottom`, all in px of the canvas."""
    rows = np.arange(canvas.shape[0], dtype=np.float32)[:, None]
    mask = np.clip(rows - line[None], 0, 1) * (rows < bottom + 2)
    cover = threefold(mask)
    canvas *= 1 - cover
    canvas += cover * colour


def _hills(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    out = _sky(view, mood, r, g)
    w, base = out.shape[1], view.horizon / _COARSE
    tone = np.array(r.choice([(92, 116, 96), (108, 122, 84), (96, 108, 120)]), np.float32)
    for i in range(3):
        colour = tone * (0.55 + 0.2 * (2 - i)) * (1 - 0.3 * (2 - i) / 2) + mood.haze * 0.28 * (2 - i)
        grain = threefold(1 + 0.06 * cv2.resize(cloud(g, w // 6, out.shape[0] // 6, 3), (w, out.shape[0])))
        _below(out, _ridge(g, w, base - (2 - i) * 12, 80 - 24 * i, 120 - 30 * i), colour * grain, base + 4)
    return cv2.resize(out, (view.w, view.h), interpolation=cv2.INTER_LINEAR)


def _trees(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    out = _sky(view, mood, r, g)
    h, w = out.shape[:2]
    base = view.horizon / _COARSE
    tone = np.array(r.choice([(70, 104, 56), (92, 118, 58), (120, 112, 52), (58, 92, 66)]), np.float32)
    reach = float(np.clip(view.drop * 0.4, 34, h * 0.24))
    columns = np.arange(w, dtype=np.float32)
    for i in range(2):
        grain = threefold(1 + 0.17 * cv2.resize(cloud(g, w // 2, h // 2, 9, 2), (w, h)))
        colour = (tone * (0.78 + 0.22 * (1 - i)) + mood.haze * 0.2 * (1 - i)) * grain
        line = np.full(w, base - reach * 0.3, np.float32)
        for _ in range(int(w / reach * 3.2)):  # round crowns side by side
            x, a = g.uniform(-10, w + 10), reach * g.uniform(0.22, 0.5)
            top = base - reach * g.uniform(0.45, 1.15) * (1.0 - 0.4 * i)
            crown = top - a * np.sqrt(np.clip(1 - ((columns - x) / a) ** 2, 0, 1)) + a
            line = np.where(np.abs(columns - x) < a, np.minimum(line, crown), line)
        line = line - 2.5 * np.abs(cloud(g, w, 1, 5)[0])
        _below(out, line.astype(np.float32), colour, base + 4)
    return cv2.resize(out, (view.w, view.h), interpolation=cv2.INTER_LINEAR)


def _houses(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A row of plain fronts."""
    out = _trees(view, mood, r, g)
    base, x = view.horizon + 3, -r.uniform(0, 120)
    unit = float(np.clip(view.drop * 2.2, 60, 260))
    tones = [(214, 196, 166), (196, 142, 116), (186, 192, 190), (228, 216, 196), (168, 120, 98), (196, 182, 140)]
    while x < view.w:
        wide, high = unit * r.uniform(0.6, 1.1), unit * r.uniform(0.8, 1.5)
        tone = mix(r.choice(tones), (int(mood.haze[0]), int(mood.haze[1]), int(mood.haze[2])), 0.25)
        wall = (float(tone[0]), float(tone[1]), float(tone[2]))
        roof = r.choice([(150, 84, 66), (98, 92, 96), (128, 96, 78)])
        cv2.rectangle(out, (int(x), int(base - high)), (int(x + wide), int(base)), wall, -1)
        peak = [
            [x - 4, base - high],
            [x + wide * 0.5, base - high - unit * r.uniform(0.2, 0.45)],
            [x + wide + 4, base - high],
        ]
        cv2.fillPoly(out, [np.array(peak).astype(np.int32)], roof, cv2.LINE_AA)
        cols, rows = r.randint(2, 4), r.randint(2, 3)
        for j in range(rows):
            for i in range(cols):
                x0, y0 = x + wide * (i + 0.3) / cols, base - high + high * (j + 0.22) / rows
                end = (int(x0 + wide * 0.42 / cols), int(y0 + high * 0.5 / rows))
                cv2.rectangle(out, (int(x0), int(y0)), end, (74, 82, 92), -1)
        x += wide * r.choice([1.0, 1.0, 1.2])
    return out


def _leaves(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Greenery close behind."""
    w, h = view.w // 3, view.h // 3
    dark, light = r.choice(
        [((34, 58, 30), (134, 160, 84)), ((44, 62, 36), (168, 176, 104)), ((30, 54, 44), (112, 148, 110))]
    )
    t = np.clip(0.42 + 0.26 * cloud(g, w, h, 46, 2) + 0.12 * np.linspace(1, -1, h, dtype=np.float32)[:, None], 0, 1)
    out = np.array(dark, np.float32) * (1 - t[..., None]) + np.array(light, np.float32) * t[..., None]
    for _ in range(90):
        x, y, a = r.uniform(0, w), r.uniform(0, h), r.uniform(8, 26)
        tone = mix(dark, light, r.random())
        colour = (float(tone[0]), float(tone[1]), float(tone[2]))
        cv2.ellipse(out, (int(x), int(y)), (int(a), int(a * 0.35)), r.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    for _ in range(r.randint(4, 14)):
        cv2.circle(out, (r.randint(0, w), r.randint(0, h // 2)), r.randint(4, 12), (216, 222, 168), -1, cv2.LINE_AA)
    return cv2.resize(out, (view.w, view.h), interpolation=cv2.INTER_LINEAR)


def _tank(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """The water of an aquarium with plants."""
    w, h = view.w // 3, view.h // 3
    top, low = r.choice(
        [((92, 176, 190), (14, 62, 84)), ((70, 150, 200), (12, 44, 92)), ((104, 176, 150), (18, 66, 58))]
    )
    t = np.linspace(0, 1, h, dtype=np.float32)[:, None, None]
    out: np.ndarray = np.repeat(np.array(top, np.float32) * (1 - t) + np.array(low, np.float32) * t, w, axis=1)
    xx, yy = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    rays = np.clip(np.sin((xx + yy * 0.35) / r.uniform(14, 26) + cloud(g, w, h, 60)), 0, 1) * (1 - yy / h) * 26
    out += rays[..., None]
    for _ in range(r.randint(5, 9)):
        x, high = r.uniform(0, w), r.uniform(0.3, 0.75) * h
        tone = r.choice([(46, 118, 58), (92, 142, 60), (132, 72, 62), (36, 92, 72)])
        for _ in range(r.randint(3, 7)):
            bend = r.uniform(-26, 26)
            stem = [(x, h), (x + bend * 0.3, h - high * 0.5), (x + bend, h - high * r.uniform(0.7, 1.0))]
            colour = tuple(float(c * r.uniform(0.8, 1.15)) for c in tone)
            cv2.fillPoly(out, [np.round(ribbon(stem, [3, 5, 1])).astype(np.int32)], colour, cv2.LINE_AA)
            x += r.uniform(-6, 6)
    return cv2.resize(out, (view.w, view.h), interpolation=cv2.INTER_LINEAR)


def _window(view: View, mood: _Mood, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A window with a view, or the wall beside it."""
    scene = _trees(replace(view, horizon=view.h * 0.45, drop=view.h * 0.3), mood, r, g) * 1.08
    wall = np.array(r.choice([(226, 218, 202), (206, 212, 208), (216, 198, 184), (190, 198, 206)]), np.float32)
    left = r.choice([-0.4, -0.1, 0.25]) * view.w
    frame = max(10, view.w // 26)
    inside = np.zeros((view.h, view.w), np.float32)
    for i in range(2):
        x0 = left + i * 0.52 * view.w
        cv2.rectangle(inside, (int(x0), -10), (int(x0 + 0.5 * view.w - frame), int(view.h * 0.62)), 1.0, -1)
    out = wall * (0.92 + 0.08 * np.linspace(1, 0, view.h, dtype=np.float32)[:, None, None])
    bars = threefold(cv2.dilate(inside, np.ones((frame, frame), np.uint8)))
    out = out * (1 - bars) + np.array((238, 236, 230), np.float32) * bars
    glass = threefold(inside)
    return out * (1 - glass) + scene * glass


_BEHIND = {"hills": _hills, "trees": _trees, "houses": _houses, "leaves": _leaves, "tank": _tank, "window": _window}


def _ground(texture: Texture, view: View, r: random.Random) -> np.ndarray:
    """The surface in perspective; rows above the horizon hold nothing of use."""
    eye = max(1.0, view.drop / view.scale)
    plane = np.array([[view.focal, view.w / 2, 0], [0, view.horizon, eye * view.focal], [0, 1, 0]], float)
    k = texture.cm / SIDE
    to_cm = np.array([[k, 0, -r.uniform(0, 3) * texture.cm], [0, k, -r.uniform(0, 2) * texture.cm], [0, 0, 1.0]])
    soft = cv2.GaussianBlur(texture.pixels, (0, 0), 0.8)
    flat = cv2.warpPerspective(
        soft, plane @ to_cm, (view.w, view.h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    ).astype(np.float32)
    far = cv2.GaussianBlur(flat, (0, 0), 2.5)  # what is far would flicker
    rows = np.arange(view.h, dtype=np.float32)
    t = np.clip((rows - view.horizon) / max(1.0, 0.45 * view.drop), 0, 1)[:, None, None]
    return (far * (1 - t) + flat * t) * r.uniform(0.9, 1.06)


def _water(view: View, back: np.ndarray, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A river that mirrors what is behind, with ripples."""
    line = int(np.clip(view.horizon, 1, view.h - 1))
    rows = np.clip(2 * line - np.arange(view.h), 0, view.h - 1)
    mirrored = cv2.GaussianBlur(back[rows], (0, 0), sigmaX=2, sigmaY=9)
    tint = np.array(r.choice([(70, 98, 104), (84, 100, 84), (64, 88, 110)]), np.float32)
    waves = cv2.resize(cloud(g, view.w // 12, view.h // 2, 2), (view.w, view.h), interpolation=cv2.INTER_LINEAR)
    return mirrored * 0.5 + tint * 0.5 + 9 * threefold(waves)


def water_in_front(canvas: np.ndarray, r: random.Random, g: np.random.Generator) -> None:
    """What the water of a tank adds: a tint, and bubbles."""
    canvas *= np.array((0.9, 1.0, 1.0), np.float32)
    h, w = canvas.shape[:2]
    x = r.uniform(0.1, 0.9) * w
    for _ in range(r.randint(8, 24)):
        at = (int(x + g.normal(0, 0.02) * w), int(r.uniform(0, 0.8) * h))
        a = r.randint(3, 10)
        cv2.circle(canvas, at, a, (214, 236, 238), 2, cv2.LINE_AA)
        cv2.circle(canvas, (at[0] - a // 3, at[1] - a // 3), max(1, a // 4), (250, 252, 252), -1, cv2.LINE_AA)


def branch(canvas: np.ndarray, x: float, y: float, scale: float, r: random.Random, g: np.random.Generator) -> None:
    """A branch to perch on, its upper side at row `y`."""
    h, w = canvas.shape[:2]
    thick = int(np.clip(scale * 3.2, 18, 60))
    s = Sheet(w, 8 * thick)
    lean = r.uniform(-1.2, 1.2) * thick
    bark = np.array(r.choice([(112, 88, 66), (134, 118, 100), (92, 72, 56)]), np.float32)
    colour = bark * (1 + 0.22 * hairs(g, w, 8 * thick, 31, 0.0) + 0.15 * cloud(g, w, 8 * thick, 12))[..., None]
    middle = 4.0 * thick
    line = [
        (-20.0, middle - lean),
        (x - 60, middle - lean * 60 / w),
        (x, middle),
        (x + 60, middle + lean * 60 / w),
        (w + 20.0, middle + lean),
    ]
    for _ in range(r.randint(1, 3)):
        at, up = r.uniform(0, w), r.choice([-1, 1])
        twig = [
            (at, middle),
            (at + 1.5 * thick, middle + up * 1.6 * thick),
            (at + 3.5 * thick, middle + up * 3.4 * thick),
        ]
        s.part(ribbon(twig, [thick * 0.28, thick * 0.2, 3]), colour, depth_px=thick * 0.3)
    s.part(
        ribbon(line, [thick * 0.6, thick * 0.54, thick * 0.5, thick * 0.52, thick * 0.44]),
        colour,
        depth_px=thick * 0.55,
    )
    top = int(y - middle + thick * 0.42)
    y0, y1 = max(0, top), min(h, top + 8 * thick)
    part = slice(y0 - top, y1 - top)
    a = s.alpha[part][..., None]
    canvas[y0:y1] *= 1 - a
    canvas[y0:y1] += np.clip(s.rgb[part], 0, 255) * a
