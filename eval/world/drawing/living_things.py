"""Which drawing belongs to which kind among animals, plants and landmarks, and what colour a person calls it."""

from __future__ import annotations

from collections.abc import Callable

from eval.world.drawing.buildings.bridges import colour_of, draw_bridge
from eval.world.drawing.buildings.fountains import draw_fountain
from eval.world.drawing.buildings.temples import draw_temple
from eval.world.drawing.buildings.towers import draw_tower
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.masonry import material
from eval.world.drawing.natural.birds import draw_bird, plumage
from eval.world.drawing.natural.foliage import crown, draw_pot_plant, draw_tree, leafage
from eval.world.drawing.natural.plants import berry, bloom, draw_flower, draw_shrub
from eval.world.drawing.natural.quadrupeds import coat, draw_cow, draw_dog
from eval.world.drawing.natural.swimmers import draw_fish, livery
from eval.world.model import Thing

DRAWINGS: dict[str, Callable[[Thing, Edition, FontBox], Art]] = {
    "dog": draw_dog,
    "cow": draw_cow,
    "bird": draw_bird,
    "fish": draw_fish,
    "flower": draw_flower,
    "shrub": draw_shrub,
    "potplant": draw_pot_plant,
    "tree": draw_tree,
    "tower": draw_tower,
    "bridge": draw_bridge,
    "temple": draw_temple,
    "fountain": draw_fountain,
}
COLOURS: dict[str, Callable[[Thing], str]] = {
    "dog": lambda thing: coat(thing)[0],
    "cow": lambda thing: coat(thing)[0],
    "bird": lambda thing: plumage(thing)[0],
    "fish": lambda thing: livery(thing)[0],
    "flower": lambda thing: bloom(thing)[0],
    "shrub": lambda thing: berry(thing)[0],
    "potplant": lambda thing: leafage(thing)[0],
    "tree": lambda thing: crown(thing)[0],
    "bridge": colour_of,
    **dict.fromkeys(
        ("tower", "temple", "fountain"), lambda thing: material(thing.look["style"], thing.look["variant"])[0]
    ),
}
