"""Plant labels: a white tag on a stake with the name of the variety. Only things whose family is named carry one."""

from __future__ import annotations

import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Canvas, FontBox
from eval.world.drawing.kit.masonry import box
from eval.world.drawing.kit.relief import Sheet
from eval.world.model import Thing

#: Size of the tag in px of the sheet.
_SIZE = (236, 118)


def plant_label(s: Sheet, thing: Thing, fonts: FontBox, style: random.Random, at: tuple[float, float]) -> None:
    """Push a tag with the variety's name into the ground or pot; `at` is where its stake ends, in px of the sheet.

    The name is what stands between the quotation marks, without them.
    """
    if not thing.look["named"]:
        return
    w, h = _SIZE
    name = thing.name.split("'", 1)[-1].strip("'") if "'" in thing.name else thing.name
    c = Canvas(w * 2, h * 2, (246, 244, 236))
    c.rect(0.02, 0.04, 0.98, 0.96, None, outline=(70, 96, 74), width=0.012)
    c.text((0.06, 0.08, 0.94, 0.92), name, fonts.pick("strong", style), (28, 34, 30), lines=2)
    tag: np.ndarray = cv2.resize(c.array()[..., :3], _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    x0 = int(np.clip(at[0] - w / 2, 2, s.w - w - 2))
    y0 = int(at[1] - h - 56)
    s.part(box(at[0] - 9, y0 + h - 6, at[0] + 9, at[1]), (226, 222, 210), depth_px=6)
    colours = np.zeros((s.h, s.w, 3), np.float32)
    colours[y0 - 1 : y0 + h + 1, x0 - 1 : x0 + w + 1] = (246, 244, 236)
    colours[y0 : y0 + h, x0 : x0 + w] = tag
    s.part(box(x0, y0, x0 + w, y0 + h), colours, depth_px=3, strength=0.3, shadow=0.4)
