"""Which drawing belongs to which kind among animals, plants and landmarks, and what colour a person calls it."""

from __future__ import annotations

from collections.abc import Callable

from eval.world.drawing.birds import draw_bird, plumage
from eval.world.drawing.canvas import FontBox
from eval.world.drawing.edition import Art, Edition
from eval.world.drawing.quadrupeds import coat, draw_cow, draw_dog
from eval.world.drawing.swimmers import draw_fish, livery
from eval.world.model import Thing

DRAWINGS: dict[str, Callable[[Thing, Edition, FontBox], Art]] = {
    "dog": draw_dog,
    "cow": draw_cow,
    "bird": draw_bird,
    "fish": draw_fish,
}
COLOURS: dict[str, Callable[[Thing], str]] = {
    "dog": lambda thing: coat(thing)[0],
    "cow": lambda thing: coat(thing)[0],
    "bird": lambda thing: plumage(thing)[0],
    "fish": lambda thing: livery(thing)[0],
}
