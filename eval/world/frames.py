"""Takes the pictures: of an entity for the index, of things at a place for a frame, with the degradation asked for.

What is on which frame is decided in `frame_sampling`.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from assistant.vision.degrade import KINDS, Degradation, DegradationKind, degrade, outline_through
from eval.world import seeds
from eval.world.drawing.draw import draw_art, photograph, usual_modes
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.textures import make_textures
from eval.world.drawing.scenes.scene import FRAME_SIZE, Scene, Stage
from eval.world.frame_sampling import Cast
from eval.world.model import Thing

_WEB_SIZES = ((800, 600), (640, 640), (600, 800), (900, 675), (720, 900))
_INDEX_SIZES = ((600, 760), (680, 680), (640, 800), (760, 600))


@dataclass(frozen=True)
class Spot:
    """Where one thing is on a frame: its middle, as a share of the width, and the share of the frame it covers."""

    centre_x: float
    area: float


@dataclass(frozen=True)
class Shot:
    """What is known of a picture that questions are asked about, with a spot for each thing on it. `url` is None for
    egocentric ones."""

    id: str
    spots: tuple[Spot, ...]
    outline_px: list[list[float]] | None
    url: str | None


class Photographer:
    """Takes all pictures of one world. Each depends on its key alone, so any process can take any of them."""

    def __init__(self, seed: int, fonts: FontBox, backgrounds: Path | None) -> None:
        self._seed = seed
        self._fonts = fonts
        self._stage = Stage(make_textures(seeds.pixels_rng(seed, "textures"), backgrounds))

    def index_picture(self, thing: Thing, number: int) -> bytes:
        """A catalogue picture for the index: another copy of the thing than any frame shows."""
        r = seeds.rng(self._seed, "index picture", thing.id, number)
        art = draw_art(thing, r, self._fonts)
        wide = art.width_cm > 1.15 * art.height_cm
        size = _INDEX_SIZES[3] if wide else r.choice(_INDEX_SIZES[:3])
        mode = r.choice(usual_modes(thing)).replace("hand", "desk")
        scene = photograph(self._stage, [art], mode, size, r, tidy=True)
        return encode(scene.pixels, r.randint(75, 82))

    def frame(self, cast: Cast) -> tuple[Shot, bytes]:
        """The frame that was cast, as JPEG, and what is known of it."""
        r = seeds.rng(self._seed, "frame", cast.key)
        things = cast.things
        arts = [draw_art(t, r, self._fonts) for t in things]
        modes = list(usual_modes(things[0]))
        if len(things) > 1:
            modes = [m for m in modes if m != "hand" and all(m in usual_modes(t) for t in things)]
            modes = ["shelf"] if "shelf" in modes or not modes else modes
        size = r.choice(_WEB_SIZES) if cast.web else FRAME_SIZE
        scene = photograph(self._stage, arts, r.choice(modes), size, r, tidy=cast.web and r.random() < 0.5)
        degradation = _sample_degradation(cast.quality, things[0], r)
        pixels = scene.pixels if degradation is None else degrade(scene.pixels, degradation)
        polygon = outline_through(scene.outlines[0], pixels.shape[:2], degradation)
        outline = [[round(float(x), 1), round(float(y), 1)] for x, y in polygon] if len(polygon) > 2 else None
        jpeg = encode(pixels, r.randint(75, 85))
        name = seeds.opaque_id(self._seed, "frame", cast.key)
        url = None
        if cast.web:
            host = seeds.opaque_id(self._seed, "image host", r.randrange(6), length=8)
            url = f"https://{host}.invalid/{name[:20]}.jpg"
        return Shot(name, _spots(scene, degradation), outline, url), jpeg


def _sample_degradation(quality: str, thing: Thing, r: random.Random) -> Degradation | None:
    kinds: dict[str, DegradationKind] = {k: k for k in KINDS}
    if quality not in kinds:
        return None
    worst = 0.55 if thing.kind == "notice" else 0.9  # what is asked should still be on the picture
    return Degradation(kinds[quality], round(r.uniform(0.25, worst), 3), r.getrandbits(31))


def _spots(scene: Scene, degradation: Degradation | None) -> tuple[Spot, ...]:
    h, w = scene.pixels.shape[:2]
    result = []
    for polygon in scene.outlines:
        inside = outline_through(polygon, (h, w), degradation)
        if len(inside) < 3:
            inside = polygon
        x, y = inside[:, 0], inside[:, 1]
        area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
        result.append(Spot(round(float(x.mean()) / w, 4), round(area / (w * h), 4)))
    return tuple(result)


def encode(pixels: np.ndarray, quality: int) -> bytes:
    """JPEG without any metadata."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)
    return out.getvalue()
