"""Which drawing belongs to which kind of household, science and heraldry, and what their colours are called."""

from __future__ import annotations

from collections.abc import Callable

from eval.world.drawing.goods.household import draw_chair, draw_kettle, draw_lamp
from eval.world.drawing.goods.instruments import draw_microscope
from eval.world.drawing.goods.tools import draw_drill, shell_word
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.natural.minerals import draw_mineral, stone_of
from eval.world.drawing.printed.emblems import draw_arms, draw_banner
from eval.world.drawing.printed.molecules import draw_molecule
from eval.world.drawing.printed.slides import draw_slide
from eval.world.drawing.printed.stamps import draw_medal, draw_stamp
from eval.world.model import Thing

DRAWINGS: dict[str, Callable[[Thing, Edition, FontBox], Art]] = {
    "drill": draw_drill,
    "kettle": draw_kettle,
    "lamp": draw_lamp,
    "chair": draw_chair,
    "slide": draw_slide,
    "molecule": draw_molecule,
    "microscope": draw_microscope,
    "mineral": draw_mineral,
    "arms": draw_arms,
    "banner": draw_banner,
    "stamp": draw_stamp,
    "medal": draw_medal,
}
#: Only what has one colour; prints, papers and painted boards have many.
COLOURS: dict[str, Callable[[Thing], str]] = {
    "drill": shell_word,
    "mineral": lambda thing: stone_of(thing).word,
}
