"""Dogs and cows, seen from the side: a build by family, a coat by animal, a pose by drawing.

The coat's marks are fixed on the body; only head, legs and tail move between two drawings. Facts are not drawn here.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.heads import Head, draw_head
from eval.world.drawing.kit.relief import (
    Sheet,
    blend,
    cloud,
    cutout,
    enlarged,
    hairs,
    oval,
    ragged,
    ribbon,
    smooth,
    step,
    threefold,
)
from eval.world.model import Thing

W, H = 1280, 1000

#: Coats: what a person calls the colour, ground colour, marks, a second mark.
_DOG_COATS: tuple[tuple[str, Colour, Colour, Colour], ...] = (
    ("white", (236, 230, 218), (64, 46, 36), (176, 112, 60)),
    ("brown", (150, 92, 48), (238, 228, 210), (58, 36, 24)),
    ("black", (46, 42, 42), (230, 222, 208), (176, 104, 48)),
    ("golden", (212, 160, 88), (246, 234, 208), (126, 76, 38)),
    ("grey", (136, 138, 142), (44, 44, 50), (232, 230, 226)),
    ("red-brown", (142, 78, 50), (240, 230, 214), (60, 32, 24)),
    ("cream", (232, 212, 176), (112, 66, 38), (60, 44, 38)),
)
_COW_COATS: tuple[tuple[str, Colour, Colour, Colour], ...] = (
    ("white", (238, 234, 226), (38, 34, 34), (160, 84, 50)),
    ("brown", (142, 76, 42), (240, 234, 222), (70, 36, 24)),
    ("black", (42, 38, 38), (240, 236, 228), (150, 90, 60)),
    ("red-brown", (150, 82, 54), (246, 238, 226), (84, 40, 26)),
    ("cream", (226, 200, 158), (110, 64, 38), (250, 242, 226)),
    ("grey", (146, 142, 140), (52, 48, 50), (238, 234, 230)),
)


@dataclass(frozen=True)
class _Build:
    """Proportions, in px of the sheet: where the back is, how long the legs are, how the head is carried."""

    back: float
    belly: float
    left: float
    right: float
    ground: float
    leg: float
    neck: float
    head: float
    snout: float
    ears: str
    tail: str
    tuck: float


def coat(thing: Thing) -> tuple[str, Colour, Colour, Colour]:
    """Siblings walk through the coats from their family's start."""
    coats = list(_COW_COATS if thing.kind == "cow" else _DOG_COATS)
    random.Random(thing.look["style"] + 3).shuffle(coats)
    return coats[thing.look["variant"] % len(coats)]


def draw_dog(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A standing dog."""
    style = random.Random(thing.look["style"])
    leg = style.uniform(180, 330)
    depth = style.uniform(210, 270)
    ground = 950.0
    build = _Build(
        back=ground - leg - depth,
        belly=ground - leg,
        left=400 + style.uniform(-20, 20),
        right=930 + style.uniform(-40, 50),
        ground=ground,
        leg=style.uniform(34, 46),
        neck=style.uniform(92, 122),
        head=style.uniform(92, 112),
        snout=style.uniform(92, 160),
        ears=style.choice(["hanging", "pricked", "folded", "long"]),
        tail=style.choice(["curled", "straight", "plume", "hook"]),
        tuck=style.uniform(40, 95),
    )
    shaggy = style.choice([0.0, 0.0, 3.0, 7.0])
    return _draw(thing, edition, build, style, shaggy, width_cm=88.0)


def draw_cow(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A standing cow, with horns or without."""
    style = random.Random(thing.look["style"])
    leg = style.uniform(235, 285)
    depth = style.uniform(310, 345)
    ground = 960.0
    build = _Build(
        back=ground - leg - depth,
        belly=ground - leg,
        left=360.0,
        right=1040 + style.uniform(-30, 40),
        ground=ground,
        leg=style.uniform(44, 54),
        neck=style.uniform(120, 140),
        head=104.0,
        snout=style.uniform(150, 180),
        ears="cow",
        tail="cow",
        tuck=style.uniform(-24, 6),
    )
    return _draw(thing, edition, build, style, 0.0, width_cm=230.0)


def _draw(thing: Thing, edition: Edition, b: _Build, style: random.Random, shaggy: float, width_cm: float) -> Art:
    cow = thing.kind == "cow"
    own, pose = random.Random(thing.look["own"]), edition.draws
    word, ground, mark, second = coat(thing)
    s = Sheet(W, H, flip=style.random() < 0.5)
    g = np.random.default_rng(own.getrandbits(40))
    coat_map, legs_map = _coat_maps(g, own, (ground, mark, second), b, cow, shaggy)
    tufts = np.random.default_rng(own.getrandbits(40))
    hoof = mix(second, (30, 24, 20), 0.6) if cow else ground
    hind_x, front_x = b.right - 72, b.left + 70
    for x, hind in ((hind_x - 66, True), (front_x + 62, False)):
        outline, foot = _leg_outline(x, b, hind, pose.uniform(-26, 26), cow)
        s.part(outline, legs_map, depth_px=b.leg, shadow=0.12, tone=0.62)
        _foot(s, foot, b, legs_map, hoof, cow, 0.62)
    _tail(s, b, legs_map, mark, pose)
    if cow:
        udder = smooth(
            [
                (hind_x - 190, b.belly - 30),
                (hind_x - 60, b.belly - 40),
                (hind_x - 50, b.belly + 46),
                (hind_x - 110, b.belly + 62),
                (hind_x - 170, b.belly + 40),
            ]
        )
        s.part(udder, (226, 172, 156), depth_px=40)
    dip = style.uniform(0, 18)
    torso = smooth(
        [
            (b.left - 20, b.back + 60),
            (b.left + 90, b.back - 6),
            ((b.left + b.right) / 2, b.back + dip),
            (b.right - 90, b.back - 2),
            (b.right - 6, b.back + 46),
            (b.right + 12, b.back + 150),
            (b.right - 30, b.belly - 24),
            (b.right - 170, b.belly - b.tuck),
            ((b.left + b.right) / 2, b.belly - b.tuck * 0.45),
            (b.left + 110, b.belly + 10),
            (b.left - 6, b.belly - 50),
            (b.left - 46, (b.back + b.belly) / 2),
        ]
    )
    near = [_leg_outline(x, b, hind, pose.uniform(-22, 22), cow) for x, hind in ((hind_x, True), (front_x, False))]
    hx, hy = (b.left - 90, b.back + 10) if cow else (b.left - 70, b.back - 86)
    nod = pose.uniform(-20, 20)
    neck = ribbon(
        [(b.left + 120, b.back + 150), (b.left + 20, b.back + (90 if cow else 50)), (hx + 26, hy + nod + 6)],
        [b.neck * 0.9, b.neck * 1.05, b.neck * 0.74],
    )
    body = [ragged(torso, tufts, shaggy * 0.6), ragged(neck, tufts, shaggy), *(leg for leg, _ in near)]
    s.part(body, coat_map, depth_px=96 if cow else 74, shadow=0.2)
    for _, foot in near:
        _foot(s, foot, b, legs_map, hoof, cow, 1.0)
    drop = 0.78 if cow else own.uniform(0.22, 0.4)
    draw_head(s, Head(hx, hy + nod, b.head, b.snout, drop, b.ears), own, coat_map, (mark, second), tufts, shaggy)
    return cutout(s.pixels(edition), W / width_cm, ground, word)


def _coat_maps(
    g: np.random.Generator,
    own: random.Random,
    colours: tuple[Colour, Colour, Colour],
    b: _Build,
    cow: bool,
    shaggy: float,
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w, 3) colours of body and legs: ground, large marks, smaller marks of the second colour, and hair."""
    ground, mark, second = colours
    kind = own.choice(["patches", "patches", "speckles", "belt"] if cow else ["patches", "saddle", "spots", "brindle"])
    wobble = cloud(g, W // 2, H // 2, 30, 2) * 0.22
    base: np.ndarray = np.broadcast_to(np.array(ground, np.float32), (H // 2, W // 2, 3))
    yy, xx = np.mgrid[0:H:2, 0:W:2].astype(np.float32)
    if kind == "patches":
        m = step(cloud(g, W // 2, H // 2, own.uniform(60, 95)) + wobble, own.uniform(0.1, 0.5), 0.05)
    elif kind == "saddle":
        edge = b.back + (b.belly - b.back) * own.uniform(0.4, 0.62)
        m = step((edge - yy) / 90 + wobble * 1.6, 0.0, 0.25)
    elif kind == "belt":
        centre, half = own.uniform(b.left + 190, b.right - 190), own.uniform(60, 120)
        m = 1 - step(np.abs(xx - centre) / half + wobble * 0.8, 1.0, 0.06)
    elif kind == "brindle":
        bend = cloud(g, W // 2, H // 2, 75) * 1.5
        m = step(np.sin(xx / own.uniform(10, 15) + yy / 60 + bend * 2) + wobble * 2, 0.35, 0.5) * 0.6
        mark = mix(ground, (26, 20, 16) if sum(ground) > 240 else (150, 120, 90), 0.8)
    else:
        m = np.zeros((H // 2, W // 2), np.float32)
        _dots(m, g, own, 170 if kind == "spots" else 420, (7, 24) if kind == "spots" else (3, 11))
    base = blend(base, mark, m)
    small = np.zeros((H // 2, W // 2), np.float32)
    _dots(small, g, own, own.randint(24, 60), (6, 22))
    base = blend(base, second, small * step(cloud(g, W // 2, H // 2, 70), 0.1, 0.1) * 0.9)
    fur = hairs(g, W // 2, H // 2, 9 if shaggy else 5, 0.25)
    base = base * threefold(1 + (0.11 if shaggy else 0.06) * fur + 0.05 * cloud(g, W // 2, H // 2, 20))
    pale = step((yy - b.belly + 30) / 80 + wobble, 0.3, 0.4) * (0.75 if own.random() < 0.5 else 0.1)
    under = blend(base, mix(ground, (250, 244, 234), 0.7), pale)
    return enlarged(base, W, H), enlarged(under, W, H)


def _dots(m: np.ndarray, g: np.random.Generator, own: random.Random, count: int, radius: tuple[float, float]) -> None:
    """Round-ish marks anywhere on the sheet."""
    for _ in range(count):
        x, y, a = own.uniform(0, W), own.uniform(150, H), own.uniform(*radius)
        points = oval(x, y, a, a * own.uniform(0.6, 1.0), own.uniform(0, 3), 14)
        cv2.fillPoly(m, [np.round(ragged(points, g, a * 0.12) * 4).astype(np.int32)], 1.0, cv2.LINE_AA, 3)


def _leg_outline(x: float, b: _Build, hind: bool, swing: float, cow: bool) -> tuple[np.ndarray, float]:
    """The outline of one leg, `swing` px forward or back at the foot, and where the foot is."""
    top = b.belly - (120 if cow else 95)
    knee = (b.belly + b.ground) / 2
    w = b.leg
    foot = x + swing
    if hind:
        spine = [
            (x - 10, top),
            (x - 12 + swing * 0.2, b.belly + 4),
            (x + 26 + swing * 0.6, knee),
            (foot + 6, b.ground - 22),
        ]
        widths = [w * 1.9, w * 1.6, w * 0.68, w * 0.56]
    else:
        spine = [(x, top), (x + swing * 0.2, b.belly + 10), (x + swing * 0.6, knee), (foot, b.ground - 22)]
        widths = [w * 1.3, w * 1.05, w * 0.72, w * 0.58]
    return ribbon(spine, widths), foot


def _foot(s: Sheet, foot: float, b: _Build, colour: np.ndarray, hoof: Colour, cow: bool, tone: float) -> None:
    w = b.leg
    if cow:
        shoe = smooth(
            [
                (foot - w * 0.62, b.ground - 42),
                (foot + w * 0.66, b.ground - 42),
                (foot + w * 0.8, b.ground - 2),
                (foot - w * 0.95, b.ground - 2),
            ]
        )
        s.part(shoe, hoof, depth_px=16, tone=tone)
        return
    paw = smooth(
        [
            (foot - w * 1.35, b.ground - 12),
            (foot - w * 0.9, b.ground - 38),
            (foot + w * 0.1, b.ground - 46),
            (foot + w * 0.72, b.ground - 26),
            (foot + w * 0.66, b.ground - 2),
            (foot - w * 1.1, b.ground - 1),
        ]
    )
    s.part(paw, colour, depth_px=22, shadow=0.1, tone=tone)
    for i in (-0.85, -0.5):
        toe = np.array([(foot + w * i, b.ground - 4), (foot + w * (i + 0.05), b.ground - 22)])
        s.line(toe, (40, 30, 26), 3, 0.6)


def _tail(s: Sheet, b: _Build, colour: np.ndarray, mark: Colour, pose: random.Random) -> None:
    x, y, wag = b.right - 12, b.back + 52, pose.uniform(-26, 26)
    if b.tail == "cow":
        s.part(
            ribbon([(x, y - 10), (x + 34, y + 60), (x + 26 + wag, y + 250), (x + 24 + wag, y + 330)], [17, 12, 9, 9]),
            colour,
            depth_px=12,
        )
        tuft = smooth(
            [
                (x + 12 + wag, y + 310),
                (x + 40 + wag, y + 312),
                (x + 54 + wag, y + 390),
                (x + 28 + wag, y + 430),
                (x + 6 + wag, y + 385),
            ]
        )
        s.part(tuft, mix(mark, (30, 26, 24), 0.4), depth_px=18)
        return
    spines = {
        "curled": [(x - 10, y), (x + 70, y - 60), (x + 50 + wag * 0.4, y - 150), (x - 30, y - 150), (x - 40, y - 96)],
        "straight": [(x - 10, y), (x + 90, y + 10 + wag), (x + 180, y + 30 + wag * 2), (x + 240, y + 60 + wag * 3)],
        "plume": [(x - 10, y), (x + 80, y - 50), (x + 150, y - 110 + wag), (x + 190, y - 200 + wag * 1.5)],
        "hook": [(x - 10, y), (x + 60, y + 50), (x + 100, y + 140 + wag), (x + 170, y + 150 + wag)],
    }
    widths = {
        "curled": [34, 34, 30, 24, 10],
        "straight": [30, 24, 16, 6],
        "plume": [26, 50, 56, 8],
        "hook": [30, 24, 18, 8],
    }
    s.part(ribbon(spines[b.tail], widths[b.tail]), colour, depth_px=26, shadow=0.1)
