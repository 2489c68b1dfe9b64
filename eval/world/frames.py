"""Which frames are taken: of what, beside what, in which scene, with which degradation; and their pixels."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from assistant.vision.degrade import KINDS, Degradation, DegradationKind, degrade, outline_through
from eval.world import seeds
from eval.world.drawing.canvas import FontBox
from eval.world.drawing.draw import draw_art, photograph, usual_modes
from eval.world.drawing.scene import FRAME_SIZE, Scene, Stage
from eval.world.drawing.textures import make_textures
from eval.world.model import Placed, Region, Thing

#: Table 2 of the CRAG-MM paper (arXiv 2510.26160): egocentric and other pictures by quality.
TABLE_2: dict[str, tuple[int, int]] = {
    "normal": (5143, 1593),
    "low light": (267, 33),
    "blurred": (191, 24),
    "truncated": (370, 31),
    "occluded": (116, 8),
    "rotated": (161, 6),
}
WEB_SHARE = 0.21
SECOND_SHARE = 0.30
SIBLING_SHARE = 0.25
_WEB_SIZES = ((800, 600), (640, 640), (600, 800), (900, 675), (720, 900))
_INDEX_SIZES = ((600, 760), (680, 680), (640, 800), (760, 600))


@dataclass(frozen=True)
class Shot:
    """A picture that questions are asked about. `url` is None for egocentric frames."""

    id: str
    jpeg: bytes
    placed: tuple[Placed, ...]
    outline_px: list[list[float]] | None
    quality: str
    url: str | None


class Photographer:
    """Takes all pictures of one world."""

    def __init__(
        self, seed: int, fonts: FontBox, backgrounds: Path | None, degraded: float | None, balance: bool
    ) -> None:
        self._seed = seed
        self._fonts = fonts
        self._stage = Stage(make_textures(seeds.pixels_rng(seed, "textures"), backgrounds))
        self._degraded = degraded
        self._balance = balance
        self._count = 0

    def index_picture(self, thing: Thing, number: int) -> bytes:
        """A catalogue picture for the index: another copy of the thing than any frame shows."""
        r = seeds.rng(self._seed, "index picture", thing.id, number)
        art = draw_art(thing, r, self._fonts)
        wide = art.width_cm > 1.15 * art.height_cm
        size = _INDEX_SIZES[3] if wide else r.choice(_INDEX_SIZES[:3])
        scene = photograph(self._stage, [art], r.choice(usual_modes(thing)).replace("hand", "desk"), size, r, tidy=True)
        return encode(scene.pixels, r.randint(84, 90))

    def frame(self, things: Sequence[Thing], key: str) -> Shot:
        """A frame of `things`, the first being the one asked about."""
        r = seeds.rng(self._seed, "frame", key)
        web = r.random() < WEB_SHARE
        quality = self._quality(web, r)
        arts = [draw_art(t, r, self._fonts) for t in things]
        modes = list(usual_modes(things[0]))
        if len(things) > 1:
            modes = [m for m in modes if m != "hand" and all(m in usual_modes(t) for t in things)]
            modes = ["shelf"] if "shelf" in modes or not modes else modes
        size = r.choice(_WEB_SIZES) if web else FRAME_SIZE
        scene = photograph(self._stage, arts, r.choice(modes), size, r, tidy=web and r.random() < 0.5)
        degradation = self._degradation(quality, things[0], r)
        pixels = scene.pixels if degradation is None else degrade(scene.pixels, degradation)
        polygon = outline_through(scene.outlines[0], pixels.shape[:2], degradation)
        outline = [[round(float(x), 1), round(float(y), 1)] for x, y in polygon] if len(polygon) > 2 else None
        jpeg = encode(pixels, r.randint(75, 85))
        name = seeds.opaque_id(self._seed, "frame", key)
        url = None
        if web:
            host = seeds.opaque_id(self._seed, "image host", r.randrange(6), length=8)
            url = f"https://{host}.invalid/{name[:20]}.jpg"
        return Shot(name, jpeg, _placed(things, scene, degradation), outline, quality, url)

    def _quality(self, web: bool, r: random.Random) -> str:
        """A label of Table 2; in turn when the categories are to be balanced."""
        self._count += 1
        if self._balance:
            return list(TABLE_2)[self._count % len(TABLE_2)]
        counts = {k: v[1 if web else 0] for k, v in TABLE_2.items()}
        bad = {k: float(v) for k, v in counts.items() if k != "normal"}
        share = sum(bad.values()) / sum(counts.values()) if self._degraded is None else self._degraded
        if r.random() >= share:
            return "normal"
        return r.choices(list(bad), list(bad.values()))[0]

    def _degradation(self, quality: str, thing: Thing, r: random.Random) -> Degradation | None:
        kinds: dict[str, DegradationKind] = {k: k for k in KINDS}
        if quality not in kinds:
            return None
        worst = 0.55 if thing.kind == "notice" else 0.9  # what is asked should still be on the picture
        return Degradation(kinds[quality], round(r.uniform(0.25, worst), 3), r.getrandbits(31))


def _placed(things: Sequence[Thing], scene: Scene, degradation: Degradation | None) -> tuple[Placed, ...]:
    h, w = scene.pixels.shape[:2]
    result = []
    for thing, polygon in zip(things, scene.outlines, strict=True):
        inside = outline_through(polygon, (h, w), degradation)
        if len(inside) < 3:
            inside = polygon
        x, y = inside[:, 0], inside[:, 1]
        area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
        result.append(Placed(thing, float(x.mean()) / w, area / (w * h)))
    return tuple(result)


def second_thing(region: Region, thing: Thing, r: random.Random) -> Thing | None:
    """Another indexed thing that would stand or lie beside `thing`, a quarter of the time a sibling of it."""
    siblings = region.siblings(thing)
    if siblings and r.random() < SIBLING_SHARE:
        return r.choice(siblings)
    modes = set(usual_modes(thing)) - {"hand"}
    others = [
        t
        for t in region.entities
        if t.indexed and t.kind != "notice" and t.id != thing.id and t.family != thing.family
        and modes & set(usual_modes(t))
    ]  # fmt: skip
    return r.choice(others) if others else None


def encode(pixels: np.ndarray, quality: int) -> bytes:
    """JPEG without any metadata."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)
    return out.getvalue()
