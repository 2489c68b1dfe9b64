"""From a thing to its pictures: which drawing belongs to which kind, and where such a thing is usually seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from eval.world.drawing import indoor_things as objects
from eval.world.drawing import made_things as made
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.living_things import COLOURS, DRAWINGS
from eval.world.drawing.printed.covers import draw_cover, palette_for
from eval.world.drawing.printed.devices import draw_carton, draw_clock, draw_radio
from eval.world.drawing.printed.packages import draw_package, draw_wrap
from eval.world.drawing.printed.paper import draw_paper
from eval.world.drawing.scenes.outdoors import PLACES, shoot_outdoors
from eval.world.drawing.scenes.scene import Scene, Stage, shoot
from eval.world.model import Thing

_DRAW: dict[str, Callable[[Thing, Edition, FontBox], Art]] = {
    "book": draw_cover,
    "jar": draw_wrap,
    "tin": draw_wrap,
    "box": draw_package,
    "bag": draw_package,
    "carton": draw_carton,
    "radio": draw_radio,
    "clock": draw_clock,
    "notice": draw_paper,
    **DRAWINGS,
    **made.DRAWINGS,
    **objects.DRAWINGS,
}
#: What a person calls a thing's main colour, for kinds of which that can be said.
_COLOURS: dict[str, Callable[[Thing], str]] = {
    **dict.fromkeys(
        ("book", "jar", "tin", "box", "bag", "carton", "radio", "clock", "notice"),
        lambda thing: palette_for(thing).word,
    ),
    **COLOURS,
    **made.COLOURS,
    **objects.COLOURS,
}
_NOTICE_MODES: dict[str, tuple[str, ...]] = {
    "menu": ("desk", "hand", "wall"),
    "label": ("wall", "desk"),
    "card": ("hand", "desk"),
}
#: Who photographs the modes that are not a desk, a shelf, a hand or a wall: same signature as `shoot`.
_PLACES: dict[str, Callable[..., Scene]] = {**dict.fromkeys(PLACES, shoot_outdoors)}


def draw_art(thing: Thing, r: random.Random, fonts: FontBox) -> Art:
    """A new copy of the thing, as `r` has it."""
    return draw_edition(thing, Edition.draw(r), fonts)


def draw_edition(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The copy of the thing that `edition` describes."""
    return _DRAW[thing.kind](thing, edition, fonts)


def usual_modes(thing: Thing) -> tuple[str, ...]:
    """The kinds of scene that it is seen in."""
    if thing.kind == "notice":
        return _NOTICE_MODES.get(thing.content["form"], ("wall",))
    modes: tuple[str, ...] = thing.look["modes"]
    return modes


def photograph(
    stage: Stage, arts: Sequence[Art], mode: str, size: tuple[int, int], r: random.Random, *, tidy: bool = False
) -> Scene:
    """A picture of `arts` (the first is the main one) in the kind of scene that `mode` names."""
    return _PLACES.get(mode, shoot)(stage, arts, mode, size, r, tidy=tidy)


def colour_word(thing: Thing) -> str | None:
    """What a person calls its main colour, or None where that cannot be said in a word."""
    return _COLOURS[thing.kind](thing) if thing.kind in _COLOURS else None
