"""Colour words, and the hues they stand for."""

from __future__ import annotations

#: Hue ranges in degrees for colour words; the rest is decided by lightness and saturation.
HUES = {
    "red": ((345, 360), (0, 16)),
    "orange": ((16, 42),),
    "yellow": ((42, 70),),
    "green": ((70, 170),),
    "turquoise": ((165, 200),),
    "teal": ((165, 200),),
    "cyan": ((165, 200),),
    "blue": ((195, 258),),
    "purple": ((258, 310),),
    "violet": ((258, 310),),
    "pink": ((305, 350),),
    "magenta": ((295, 335),),
}


GREYS = ("black", "white", "grey", "gray", "brown", "beige")


#: All colour words.
WORDS = (*HUES, *GREYS)
