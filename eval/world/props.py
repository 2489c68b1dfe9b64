"""Objects of a world to print, cut out and hold up to a camera: fold-up boxes, jackets, wrap-around labels, signs.

Each object has a page of A4 with cut lines (solid) and fold lines (dashed), its name, a question to ask and the right
answer. Drawn by the same functions as the pictures of the world, as a new copy without wear. What is chosen is in
`choose_props`; kinds that are not flat cannot be printed.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from assistant.core.errors import BadInput
from eval.world import seeds
from eval.world.content.pages import PageWriter
from eval.world.content.questions import Asker
from eval.world.content.region import make_region
from eval.world.drawing.draw import draw_edition
from eval.world.drawing.kit.canvas import FONTS_DIR, FontBox, load_font
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.model import Placed, Region, Thing
from eval.world.vocabulary import load_vocabulary

DPI = 200
#: A4 in cm, and what a printer leaves free.
PAGE_CM, MARGIN_CM = (21.0, 29.7), 1.2
CAPTION_CM = 2.6
TAB_CM = 1.0
#: Smaller things are printed at this size, for cameras that see no details.
SMALL_CM = 14.0
OBJECTS, UNKNOWN = 24, 4
#: How many of each form there are; a form is a way to fold. Kinds come in turn within one.
FORMS = {"box": 6, "jacket": 6, "wrap": 4, "sheet": 8}
_INK = (70, 74, 80)


@dataclass(frozen=True)
class Prop:
    """An object to print. `known` is whether it is in the index."""

    thing: Thing
    form: str
    known: bool
    question: str
    answer: str


def write_props(out: Path, seed: int, entities: int, unindexed: float | None = None) -> int:
    """Write a PDF with 24 objects of the world of that seed and size; returns the number of pages.

    Raises:
        BadInput: the world is too small to choose from.
    """
    vocabulary = load_vocabulary()
    region = make_region(seed, entities, unindexed, vocabulary)
    region.pages = PageWriter(seed, region, vocabulary).write_all()
    stranger = make_region(seed + 1, 60, 0.5, vocabulary)
    props = choose_props(seed, region, stranger, Asker(region, vocabulary.phrasings))
    fonts, partial = FontBox.open(None), out.with_name(f".{out.name}.partial")
    partial.unlink(missing_ok=True)
    day = time.gmtime(1_780_272_000)  # a fixed one: the same world gives the same file
    for i, prop in enumerate(props):
        page = draw_page(prop, i + 1, fonts, seeds.rng(seed, "props", prop.thing.id))
        page.save(
            partial, "PDF", resolution=DPI, quality=88, append=i > 0, title="Props", creationDate=day, modDate=day
        )
    partial.replace(out)
    return len(props)


def form_of(thing: Thing) -> str | None:
    """How the thing can be made of paper, or None."""
    if thing.kind in ("jar", "tin"):
        return "wrap"
    if thing.kind == "book":
        return "jacket"
    if thing.kind in ("box", "carton"):
        return "box"
    return "sheet" if thing.look["flat"] and thing.kind not in ("bag", "radio", "clock") else None


def choose_props(seed: int, region: Region, stranger: Region, asker: Asker) -> list[Prop]:
    """24 objects: look-alikes of one family where there are some, and four that the index does not know. Those are of
    the region where it has them, or of a `stranger` region."""
    chosen: list[Prop] = []
    unknown = _unknown(region, stranger)
    for form, count in FORMS.items():
        strange = [t for t in unknown if form_of(t) == form][: 2 if form == "sheet" else 1]
        strange = strange[: UNKNOWN - sum(not p.known for p in chosen)]
        known = _known(region, form, count - len(strange))
        if len(known) + len(strange) < count:
            raise BadInput(f"a world of {len(region.entities)} entities has too few to print: give more --entities")
        for thing in (*known, *strange):
            chosen.append(_prop(thing, form, thing not in strange, asker, seeds.rng(seed, "prop question", thing.id)))
    return chosen


def _unknown(region: Region, stranger: Region) -> list[Thing]:
    """What is not indexed, what looks like something indexed first."""
    own = [t for t in region.entities if not t.indexed and t.kind != "notice" and form_of(t)]
    own.sort(key=lambda t: -len(region.siblings(t)))
    return own + [t for t in stranger.entities if t.kind != "notice" and form_of(t)]


def _known(region: Region, form: str, count: int) -> list[Thing]:
    """Indexed things of a form: pairs of siblings, the kinds in turn, then signs (each form of sign once)."""
    fitting = [t for t in region.entities if form_of(t) == form and (t.indexed or t.kind == "notice")]
    turns: dict[str, list[Thing]] = {}
    for t in fitting:
        turns.setdefault(t.content["form"] if t.kind == "notice" else t.kind, []).append(t)
    signs, others = (sorted(k for k, ts in turns.items() if (ts[0].kind == "notice") == s) for s in (True, False))
    order = [k for pair in itertools.zip_longest(signs, others) for k in pair if k]  # half of them signs
    for members in turns.values():  # the largest family first, so that two of it come together
        members.sort(key=lambda t: (-len(region.siblings(t)), t.family or ""))
    result: list[Thing] = []
    while len(result) < count and any(turns.values()):
        for kind in order:
            step = 1 if form == "sheet" else 2
            result += turns[kind][:step]
            del turns[kind][:step]
    return result[:count]


def _prop(thing: Thing, form: str, known: bool, asker: Asker, r: random.Random) -> Prop:
    if not known:
        return Prop(thing, form, False, "Anything about it.", "I don't know. (It is not in the index.)")
    placed = [Placed(thing, 0.5, 0.4)]
    for type_ in ("simple-knowledge", "simple-recognition"):
        question = asker.ask(type_, thing, placed, r)
        if question is not None:
            return Prop(thing, form, True, question.query, question.answer_text)
    return Prop(thing, form, True, "What is it?", thing.name)


def draw_page(prop: Prop, number: int, fonts: FontBox, r: random.Random) -> Image.Image:
    """One page of A4 at `DPI`."""
    edition = Edition(r, 0.0, 1.0, 1.0, 0.0, 1.0, False)
    art = draw_edition(prop.thing, edition, fonts)
    net = _NETS[prop.form](art)
    wide = net.width_cm > net.height_cm
    page_cm = PAGE_CM[::-1] if wide else PAGE_CM
    page = Image.new("RGB", (_px(page_cm[0]), _px(page_cm[1])), "white")
    room = (page_cm[0] - 2 * MARGIN_CM, page_cm[1] - 2 * MARGIN_CM - CAPTION_CM)
    wanted = max(1.0, SMALL_CM / max(net.width_cm, net.height_cm))
    scale = min(wanted, room[0] / net.width_cm, room[1] / net.height_cm)
    origin = (MARGIN_CM + (room[0] - scale * net.width_cm) / 2, MARGIN_CM + (room[1] - scale * net.height_cm) / 2)
    net.draw(page, origin, scale)
    _caption(page, prop, number, scale)
    return page


@dataclass
class Net:
    """A flat pattern in cm: panels with their pixels, outlines to cut, lines to fold."""

    width_cm: float
    height_cm: float
    panels: list[tuple[tuple[float, float, float, float], np.ndarray]]
    cuts: list[list[tuple[float, float]]]
    folds: list[tuple[tuple[float, float], tuple[float, float]]]

    def draw(self, page: Image.Image, origin: tuple[float, float], scale: float) -> None:
        """Draw it with its top left corner at `origin` (cm)."""

        def at(x: float, y: float) -> tuple[int, int]:
            return _px(origin[0] + scale * x), _px(origin[1] + scale * y)

        for (x, y, w, h), pixels in self.panels:
            (left, top), (right, bottom) = at(x, y), at(x + w, y + h)
            panel = (
                Image.fromarray(pixels).convert("RGBA").resize((right - left, bottom - top), Image.Resampling.LANCZOS)
            )
            page.paste(panel, (left, top), panel)
        draw = ImageDraw.Draw(page)
        for cut in self.cuts:
            draw.line([at(*p) for p in cut], fill=_INK, width=2)
        for a, b in self.folds:
            _dashed(draw, at(*a), at(*b))


def _dashed(draw: ImageDraw.ImageDraw, a: tuple[int, int], b: tuple[int, int]) -> None:
    length = math.dist(a, b)
    steps = max(1, round(length / 16))
    for i in range(steps):
        t0, t1 = i / steps, (i + 0.55) / steps
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (t0, t1)]
        draw.line(points, fill=(150, 154, 160), width=2)


def _plain(art: Art) -> np.ndarray:
    """A panel in the colour of the sides."""
    return np.full((20, 20, 4), (*art.side, 255), np.uint8)


def _box_net(art: Art) -> Net:
    """Front and back with the same art, plain sides, a lid and a bottom with tabs."""
    w, h, d = art.width_cm, art.height_cm, max(2.0, art.depth_cm)
    t = TAB_CM
    x = [0.0, d, d + w, 2 * d + w, 2 * d + 2 * w, 2 * d + 2 * w + t]  # side, front, side, back, tab
    top, low = d + t, d + t + h
    panels = [((x[0], top, d, h), _plain(art)), ((x[1], top, w, h), art.pixels), ((x[2], top, d, h), _plain(art))]
    panels += [((x[3], top, w, h), art.pixels), ((x[1], t, w, d), _plain(art)), ((x[1], low, w, d), _plain(art))]
    s = t * 0.5
    outline = [(x[0], top), (x[0] + s, top - s * 2), (x[1] - 0.05, top - s * 2), (x[1], top), (x[1], t)]
    outline += [(x[1] + s, 0.0), (x[2] - s, 0.0), (x[2], t), (x[2], top), (x[2] + 0.05, top - s * 2)]
    outline += [(x[3] - s, top - s * 2), (x[3], top), (x[4], top), (x[5], top + s), (x[5], low - s), (x[4], low)]
    outline += [(x[3], low), (x[3] - s, low + s * 2), (x[2] + 0.05, low + s * 2), (x[2], low), (x[2], low + d)]
    outline += [(x[2] - s, low + d + t), (x[1] + s, low + d + t), (x[1], low + d), (x[1], low)]
    outline += [(x[1] - 0.05, low + s * 2), (x[0] + s, low + s * 2), (x[0], low), (x[0], top)]
    folds = [((a, top), (a, low)) for a in x[1:5]]
    folds += [((x[0], y), (x[1], y)) for y in (top, low)] + [((x[2], y), (x[3], y)) for y in (top, low)]
    folds += [((x[1], y), (x[2], y)) for y in (t, top, low, low + d)]
    return Net(x[5], low + d + t, panels, [outline], folds)


def _jacket_net(art: Art) -> Net:
    """Back, spine and front of a book's jacket, to fold around cardboard."""
    w, h, d = art.width_cm, art.height_cm, max(1.2, art.depth_cm)
    panels = [((0.0, 0.0, w, h), _plain(art)), ((w, 0.0, d, h), _plain(art)), ((w + d, 0.0, w, h), art.pixels)]
    whole = 2 * w + d
    outline = [(0.0, 0.0), (whole, 0.0), (whole, h), (0.0, h), (0.0, 0.0)]
    return Net(whole, h, panels, [outline], [((w, 0.0), (w, h)), ((w + d, 0.0), (w + d, h))])


def _wrap_net(art: Art) -> Net:
    """A label around a jar or a tin, with a tab to glue."""
    lo, hi = art.label_share
    w, h = math.pi * art.width_cm, art.height_cm * (hi - lo)
    outline = [(0.0, 0.0), (w, 0.0), (w + TAB_CM, 0.3), (w + TAB_CM, h - 0.3), (w, h), (0.0, h), (0.0, 0.0)]
    return Net(w + TAB_CM, h, [((0.0, 0.0, w, h), art.pixels)], [outline], [((w, 0.0), (w, h))])


def _sheet_net(art: Art) -> Net:
    """A sign, a card, a picture: to cut out."""
    w, h = art.width_cm, art.height_cm
    outline = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (0.0, 0.0)]
    return Net(w, h, [((0.0, 0.0, w, h), art.pixels)], [outline], [])


_NETS = {"box": _box_net, "jacket": _jacket_net, "wrap": _wrap_net, "sheet": _sheet_net}
_HOW = {
    "box": "Cut along the solid lines, fold along the dashed ones, glue the tabs.",
    "jacket": "Cut along the solid lines, fold along the dashed ones around cardboard or a book.",
    "wrap": "Cut along the solid lines and glue around a jar, a tin or a rolled sheet.",
    "sheet": "Cut along the solid lines; cardboard behind it keeps it flat.",
}


def _caption(page: Image.Image, prop: Prop, number: int, scale: float) -> None:
    draw = ImageDraw.Draw(page)
    x, y = _px(MARGIN_CM), page.height - _px(MARGIN_CM + CAPTION_CM - 0.5)
    strong = load_font(str(FONTS_DIR / "work-sans-700.ttf"), _px(0.36))
    plain = load_font(str(FONTS_DIR / "work-sans-400.ttf"), _px(0.32))
    size = "" if abs(scale - 1) < 0.01 else f" Printed at {scale:.0%} of its size."
    name = prop.thing.name if prop.known else "an object that the index does not know"
    rows = [(f"{number} of {OBJECTS}: {name}", strong), (_HOW[prop.form] + size, plain)]
    rows += [(f"Ask: {prop.question}", plain), (f"Right: {prop.answer}", plain)]
    for text, font in rows:
        while font.getlength(text) > page.width - 2 * x:
            text = text[:-2].rstrip(" …") + "…"
        draw.text((x, y), text, font=font, fill=_INK)
        y += _px(0.55)


def _px(cm: float) -> int:
    return round(cm / 2.54 * DPI)
