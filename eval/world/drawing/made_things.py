"""Which drawing belongs to which kind among vehicles, clothes and sports gear, and what colour a person calls it."""

from __future__ import annotations

from collections.abc import Callable

from eval.world.drawing.goods.accessories import draw_handbag, draw_shoe
from eval.world.drawing.goods.clothes import draw_dress, draw_jumper, draw_shirt
from eval.world.drawing.goods.hats import draw_hat
from eval.world.drawing.goods.sports import draw_ball, draw_kite, draw_racket, draw_skateboard
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.printed.covers import palette_for
from eval.world.drawing.printed.games import draw_game
from eval.world.drawing.vehicles.bicycles import draw_bicycle
from eval.world.drawing.vehicles.boats import draw_boat
from eval.world.drawing.vehicles.transit import draw_bus, draw_tram
from eval.world.drawing.vehicles.vehicles import draw_car, draw_van
from eval.world.model import Thing

DRAWINGS: dict[str, Callable[[Thing, Edition, FontBox], Art]] = {
    "car": draw_car,
    "van": draw_van,
    "bus": draw_bus,
    "tram": draw_tram,
    "boat": draw_boat,
    "bicycle": draw_bicycle,
    "jumper": draw_jumper,
    "shirt": draw_shirt,
    "dress": draw_dress,
    "shoe": draw_shoe,
    "handbag": draw_handbag,
    "hat": draw_hat,
    "game": draw_game,
    "racket": draw_racket,
    "ball": draw_ball,
    "skateboard": draw_skateboard,
    "kite": draw_kite,
}
#: Kinds whose largest part has the palette's main colour.
COLOURS: dict[str, Callable[[Thing], str]] = dict.fromkeys(
    ("car", "van", "bus", "tram", "bicycle", "shirt", "dress", "racket"), lambda thing: palette_for(thing).word
)
