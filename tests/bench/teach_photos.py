"""Real things taught from one photograph each, asked on another, spoilt view: known again, and claimed by none else.

    python -m tests.bench teach_photos --photos DIR --index DIR

Ten things are cut out of public photographs that the project does not carry (whoever has them names their folder) and
taught by a box. Another view of each is made: its silhouette seen from aside, turned and smaller, before a photograph
that shows none of them, and spoilt in one of the five ways a benchmark's pictures are. `known`: on how many of these it
is named; `objects`: how many of the ten are named on three of their five. `claimed`: how many of the photographs and
views of other things are given a taught thing's name, with all ten taught and with one alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.types import Frame, TextLine
from assistant.index.raw_search import SearchPipeline
from assistant.recognition.recogniser import Recogniser
from assistant.recognition.taught_images import TaughtRow, TaughtRows
from assistant.teaching.enrol import box_of, see
from assistant.vision.degrade import KINDS, Degradation, degrade
from assistant.vision.encoders import picture_encoder
from assistant.vision.frame import read_frame
from assistant.vision.image_encoder import thumbnail_of
from assistant.vision.local_features import FeatureStore
from assistant.vision.ocr import TextReader
from assistant.vision.picture_encoder import PictureEncoder
from assistant.vision.pretrained import Window
from assistant.vision.silhouette import thing_on

#: Where on its photograph each of the ten stands, in shares of width and height.
THINGS: dict[str, tuple[str, Window]] = {
    "book": ("book_atomic_habits.jpg", (0.1, 0.08, 0.9, 1.0)),
    "other book": ("book_viral_justice.jpg", (0.15, 0.0, 0.93, 1.0)),
    "game": ("candyland.jpg", (0.0, 0.0, 1.0, 1.0)),
    "plant": ("house_plant.jpg", (0.15, 0.0, 0.85, 1.0)),
    "mouse": ("hp_mouse_512x512.jpg", (0.15, 0.12, 0.85, 0.9)),
    "sign": ("motivational_sign.jpg", (0.0, 0.15, 1.0, 0.6)),
    "rug": ("persian_rug.jpg", (0.2, 0.0, 0.75, 1.0)),
    "card": ("stem_card_chinese.jpg", (0.05, 0.2, 0.95, 0.65)),
    "toy car": ("toy_car.jpg", (0.18, 0.15, 0.68, 0.65)),
    "glove": ("winning_gloves.jpg", (0.05, 0.0, 0.95, 1.0)),
}
SEVERITY = 0.45
#: How long the thing is on the ground of its other view, as a share of the shorter side.
SHARES = (0.55, 0.85)
LEAST_OF_BOX = 0.4


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture that is asked, what is read on it, and which of the ten it shows."""

    frame: Frame
    texts: tuple[TextLine, ...]
    things: frozenset[str]


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench teach_photos")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True, help="an index that knows none of them")
    parser.add_argument("--show", action="store_true", help="every picture with what was named on it")
    args = parser.parse_args(argv)
    encoder, reader = picture_encoder(), TextReader()
    photos = {path.name: read_frame(path) for path in sorted(args.photos.glob("*.jpg"))}
    rows = [taught(name, photos[file], window, encoder, reader) for name, (file, window) in THINGS.items()]
    asked = [Shown(frame, reader.read(frame), frozenset({name})) for name, frame in other_views(photos)]
    plain = [Shown(frame, reader.read(frame), shown_on(file)) for file, frame in photos.items()]
    pipeline, store = SearchPipeline.open(args.index), FeatureStore(args.index / "features")

    def recogniser(known: TaughtRows) -> Recogniser:
        return Recogniser(encoder, pipeline, store, lambda: known)

    every = recogniser(TaughtRows(rows, 1))
    named = [names(every, shown, args.show) for shown in asked]
    hits = {name: [name in found for found, shown in zip(named, asked, strict=True) if name in shown.things]
            for name in THINGS}  # fmt: skip
    strange = sum(bool(found - shown.things) for found, shown in zip(named, asked, strict=True))
    strange_photos = sum(bool(names(every, shown, args.show) - shown.things) for shown in plain)
    alone = sum(claims_alone(row, [*asked[::5], *plain], recogniser) for row in rows)
    others = sum(row.name not in shown.things for row in rows for shown in (*asked[::5], *plain))
    figures = {
        "known": f"{sum(map(sum, hits.values()))} of {sum(map(len, hits.values()))}",
        "objects": f"{sum(sum(found) >= 3 for found in hits.values())} of {len(hits)}",
        "each": {name: f"{sum(found)} of {len(found)}" for name, found in hits.items()},
        "claimed, all taught": f"{strange} of {len(asked)} views, {strange_photos} of {len(plain)} photographs",
        "claimed, one taught": f"{alone} of {others}",
    }
    for key, value in figures.items():
        print(f"{key:<22}{value}")
    return figures


def taught(name: str, photo: Frame, window: Window, encoder: PictureEncoder, reader: TextReader) -> TaughtRow:
    left, top, right, bottom = window
    width, height = photo.width_px, photo.height_px
    view = see(photo, box_of(left * width, top * height, right * width, bottom * height), encoder, reader)
    return TaughtRow(name, name, {}, view.features, view.vector)


def shown_on(file: str) -> frozenset[str]:
    """The close view of the card shows the card as well."""
    return frozenset(name for name, (own, _) in THINGS.items() if file in (own, own.replace(".jpg", "_closeup.jpg")))


def names(recogniser: Recogniser, shown: Shown, show: bool = False) -> frozenset[str]:
    """The taught names given on a picture."""
    proposal = recogniser.propose(shown.frame)
    found = recogniser.decide(shown.frame, proposal, shown.texts)
    if show:
        best = [(a.index, round(a.similarity, 2), round(a.margin, 2)) for a in recogniser.alike(proposal)[:2]]
        print(sorted(shown.things), [(c.name, c.confidence) for c in found if c.index < 0], best)
    return frozenset(c.name for c in found if c.index < 0)


def claims_alone(row: TaughtRow, pictures: Sequence[Shown], recogniser: Callable[[TaughtRows], Recogniser]) -> int:
    """On how many pictures of other things one taught thing is named when nothing else was taught."""
    one = recogniser(TaughtRows([row], 1))
    return sum(bool(names(one, shown)) for shown in pictures if row.name not in shown.things)


def other_views(photos: dict[str, Frame], seed: int = 11) -> Iterator[tuple[str, Frame]]:
    """Each of the ten with its name, from aside before another ground, spoilt in each of the five ways."""
    rng = np.random.default_rng(seed)
    grounds = [frame for file, frame in photos.items() if not shown_on(file) and frame.pixels.std() > 20]
    for name, (file, window) in THINGS.items():
        for kind in KINDS:
            ground = grounds[int(rng.integers(len(grounds)))]
            seen = before(cut(photos[file], window), ground.pixels, rng)
            spoilt = degrade(seen, Degradation(kind, SEVERITY, int(rng.integers(1 << 16))))
            yield name, Frame(spoilt)


def cut(photo: Frame, window: Window) -> np.ndarray:
    left, top, right, bottom = window
    rows = slice(int(top * photo.height_px), int(bottom * photo.height_px))
    return photo.pixels[rows, int(left * photo.width_px) : int(right * photo.width_px)]


def before(thing: np.ndarray, ground: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The thing's silhouette (all where it is hardly half of the cut-out) from aside, turned by up to 15 degrees."""
    height, width = thing.shape[:2]
    silhouette = thing_on(thumbnail_of(thing))[1]
    silhouette = silhouette if silhouette.mean() > LEAST_OF_BOX else np.ones_like(silhouette)
    mask = cv2.resize(silhouette * 255, (width, height), interpolation=cv2.INTER_LINEAR)
    high, wide = ground.shape[:2]
    size = float(rng.uniform(*SHARES)) * min(high, wide) / max(height, width)
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]], float) * size / 2
    angle = np.deg2rad(rng.uniform(-15, 15))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners[:, 1] *= 1 + 0.12 * np.sign(corners[:, 0]) * rng.choice([-1, 1])  # one side is nearer
    corners[:, 0] *= rng.uniform(0.75, 0.95)
    middle = np.array([wide, high]) / 2 + rng.uniform(-0.08, 0.08, 2) * (wide, high)
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(source, (corners @ turn + middle).astype(np.float32))
    seen = cv2.warpPerspective(thing, warp, (wide, high), flags=cv2.INTER_AREA)
    alpha = cv2.warpPerspective(mask, warp, (wide, high))[..., None] / 255.0
    return np.asarray(seen * alpha + ground * (1 - alpha), np.uint8)
