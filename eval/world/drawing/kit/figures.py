"""Figures for fountains: a fish, a bird with spread wings, an urn, an orb, a person with a jug."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, mix
from eval.world.drawing.kit.masonry import ornament
from eval.world.drawing.kit.relief import Sheet, oval, ribbon, smooth, turned


def draw_figure(s: Sheet, own: random.Random, x: float, top: float, bronze: Colour, trim: Colour) -> None:
    """One of the figures, standing on (x, top) px."""
    s.part(oval(x, top, 46, 14), trim, depth_px=10)
    own.choice([_fish, _bird, _urn, _orb, _person])(s, own, x, top - 6, bronze, trim)


def _fish(s: Sheet, own: random.Random, x: float, y: float, bronze: Colour, trim: Colour) -> None:
    body = ribbon([(x - 10, y), (x + 34, y - 60), (x - 4, y - 120), (x - 30, y - 170)], [18, 40, 38, 18])
    s.part(body, bronze, depth_px=34)
    tail = [(x - 30, y - 160), (x - 90, y - 200), (x - 30, y - 196), (x - 4, y - 230), (x - 8, y - 168)]
    s.part(smooth(tail), bronze, depth_px=12)
    s.part(oval(x + 22, y - 34, 7, 7), (30, 30, 30), depth_px=4)
    for k in range(5):
        scale = np.array([(x + 6, y - 70 - 18 * k), (x + 26 - 6 * k, y - 78 - 18 * k)])
        s.line(scale, mix(bronze, (20, 20, 20), 0.5), 4)


def _bird(s: Sheet, own: random.Random, x: float, y: float, bronze: Colour, trim: Colour) -> None:
    body = [(x - 40, y), (x - 52, y - 90), (x - 14, y - 150), (x + 34, y - 120), (x + 60, y - 30), (x + 96, y + 4)]
    s.part(smooth(body), bronze, depth_px=40)
    s.part(oval(x - 22, y - 164, 32, 30), bronze, depth_px=26)
    s.part(np.array([(x - 46, y - 176), (x - 90, y - 160), (x - 46, y - 154)]), trim, depth_px=6)
    for side in (-1, 1):
        wing = [(16, -110), (120, -214), (134, -130), (40, -40)]
        s.part(smooth([(x + side * dx, y + dy) for dx, dy in wing]), bronze, depth_px=18)


def _urn(s: Sheet, own: random.Random, x: float, y: float, bronze: Colour, trim: Colour) -> None:
    s.part(turned([(x - 26, y), (x - 60, y - 70), (x - 40, y - 130), (x - 58, y - 160)], x), bronze, depth_px=44)
    ornament(s, x, y - 74, 24, own.choice(["star", "sun", "ring"]), trim)
    for i in range(9):
        a = i * 0.7
        s.part(oval(x + 40 * math.cos(a), y - 176 - 18 * math.sin(a * 1.7), 24, 20), (90, 140, 84), depth_px=14)


def _orb(s: Sheet, own: random.Random, x: float, y: float, bronze: Colour, trim: Colour) -> None:
    s.part(oval(x, y - 74, 74, 74), bronze, depth_px=70, shine=0.2)
    for lift in (-0.5, 0.0, 0.5):
        ring = oval(x, y - 74 + lift * 74, 72 * math.sqrt(1 - lift * lift), 12)[:19]
        s.line(ring, mix(bronze, (20, 20, 20), 0.5), 5)
    ornament(s, x, y - 172, 30, own.choice(["star", "sun"]), trim)


def _person(s: Sheet, own: random.Random, x: float, y: float, bronze: Colour, trim: Colour) -> None:
    robe = [(-40, 0), (-46, -110), (-30, -196), (30, -196), (46, -110), (44, 0)]
    s.part(smooth([(x + dx, y + dy) for dx, dy in robe]), bronze, depth_px=36)
    for k in (-20, 0, 20):
        s.line(np.array([(x + k, y - 6), (x + k * 0.6, y - 120)]), mix(bronze, (20, 20, 20), 0.45), 5)
    s.part(oval(x, y - 226, 28, 32), bronze, depth_px=24)
    s.part(ribbon([(x + 28, y - 180), (x + 74, y - 150), (x + 66, y - 230)], [13, 11, 10]), bronze, depth_px=12)
    jug = [(50, -226), (40, -280), (66, -300), (92, -280), (84, -226)]
    s.part(smooth([(x + dx, y + dy) for dx, dy in jug]), trim, depth_px=20)
    s.part(ribbon([(x - 28, y - 180), (x - 62, y - 130), (x - 30, y - 96)], [13, 11, 10]), bronze, depth_px=12)
