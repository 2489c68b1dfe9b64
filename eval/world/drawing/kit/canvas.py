"""A supersampled drawing surface with fitted text, palettes and fonts.

Coordinates are fractions of width and height.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR

Colour = tuple[int, int, int]
FONTS_DIR = ASSETS_DIR / "fonts"


@dataclass(frozen=True)
class Palette:
    """Five colours that go together; `word` is what a person would call the main one."""

    word: str
    main: Colour
    ink: Colour
    accent: Colour
    second: Colour
    light: Colour


def _hex(*codes: str) -> list[Colour]:
    return [(int(c[:2], 16), int(c[2:4], 16), int(c[4:], 16)) for c in codes]


PALETTES: tuple[Palette, ...] = tuple(
    Palette(word, *_hex(*codes.split()))
    for word, codes in (
        ("red", "b3322b 2a1512 f0c14b 7a1f1b f7ead6"),
        ("blue", "1f4e79 0c1b2a e9a23b 5b9bd5 f2efe6"),
        ("green", "2f6b4f 10241a f2d388 88b04b f6f1e3"),
        ("yellow", "e8b83a 3a2a10 b5382a 2f5d62 fbf3dc"),
        ("black", "22242a f1e9dc d9a441 a33b36 f4efe6"),
        ("white", "f3eee4 26242b c8452e 2d6a8a ffffff"),
        ("orange", "d9702b 2b1a12 f6e2b8 284b63 fff4e4"),
        ("purple", "5d3a6e 1d1226 e6b450 b07aa1 f4ecf2"),
        ("pink", "d98b9b 3a1f2b 8a2f4f f3d9b1 fdf3f1"),
        ("brown", "6b4429 1e130b e0b77d a65e2e f5ead9"),
        ("turquoise", "2a8c8c 0c2a2d f2c14e e4572e eef7f4"),
        ("grey", "7d8791 1d2228 e0a458 3f5765 f2f2ef"),
        ("dark blue", "16233f f2e8d5 d1495b 66a5ad f5f1e8"),
        ("light green", "a9c47f 24331c d1603d 4f7942 fbfaf0"),
    )
)

#: Font files by use. A folder given with `--fonts` serves every use with all its files.
ROLES: dict[str, tuple[str, ...]] = {
    role: tuple(files.split())
    for role, files in {
        "title": "playfair-display-700 dm-serif-display-400 abril-fatface-400 anton-400 bebas-neue-400"
        " alfa-slab-one-400 josefin-sans-700 righteous-400 cormorant-garamond-600 oswald-500",
        "brand": "lobster-400 pacifico-400 righteous-400 alfa-slab-one-400 fredoka-600 abril-fatface-400 anton-400"
        " dm-serif-display-400",
        "text": "lora-400 work-sans-400 josefin-sans-400 roboto-slab-400",
        "strong": "work-sans-700 roboto-slab-700 lora-700 archivo-narrow-500 oswald-500",
        "sign": "bebas-neue-400 oswald-500 anton-400 josefin-sans-700 roboto-slab-700 work-sans-700",
        "hand": "caveat-600 permanent-marker-400",
        "typed": "special-elite-400 space-mono-400",
    }.items()
}


@dataclass(frozen=True)
class FontBox:
    """The font files to draw with."""

    folder: Path = FONTS_DIR
    files: tuple[str, ...] = field(default=())

    @classmethod
    def open(cls, folder: Path | None = None) -> FontBox:
        if folder is None:
            return cls()
        found = tuple(sorted(p.name for p in folder.glob("*.[to]tf"))) if folder.is_dir() else ()
        if not found:
            raise BadInput(f"there is no .ttf or .otf file in {str(folder)!r}: give a folder with fonts")
        return cls(folder, found)

    def pick(self, role: str, r: random.Random) -> str:
        """A file for a use: `r` is the family's stream, so siblings share their lettering."""
        if self.files:
            return str(self.folder / r.choice(self.files))
        return str(self.folder / (r.choice(ROLES[role]) + ".ttf"))

    def all_paths(self) -> list[Path]:
        return [self.folder / f for f in self.files] if self.files else sorted(self.folder.glob("*.ttf"))


@lru_cache(maxsize=512)
def load_font(path: str, size_px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size_px, layout_engine=ImageFont.Layout.BASIC)


def mix(a: Colour, b: Colour, t: float) -> Colour:
    return (round(a[0] + (b[0] - a[0]) * t), round(a[1] + (b[1] - a[1]) * t), round(a[2] + (b[2] - a[2]) * t))


def luma(c: Colour) -> float:
    return (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]) / 255


def readable(on: Colour, *choices: Colour) -> Colour:
    """The choice that stands out most from `on`."""
    return max(choices, key=lambda c: abs(luma(c) - luma(on)))


class Canvas:
    """An RGBA surface of `width` x `height` px (already supersampled). Positions are fractions, 0..1."""

    def __init__(self, width: int, height: int, colour: Colour | None) -> None:
        self.w, self.h = width, height
        self.image = Image.new("RGBA", (width, height), (*colour, 255) if colour else (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def xy(self, *points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * self.w, y * self.h) for x, y in points]

    def rect(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour | None,
        *,
        outline: Colour | None = None,
        width: float = 0.0,
    ) -> None:
        box = self.xy((x0, y0), (x1, y1))
        self.draw.rectangle(box, fill=fill, outline=outline, width=round(width * self.w))

    def rounded(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius: float,
        fill: Colour | None,
        *,
        outline: Colour | None = None,
        width: float = 0.0,
    ) -> None:
        box = self.xy((x0, y0), (x1, y1))
        self.draw.rounded_rectangle(box, radius * self.w, fill=fill, outline=outline, width=round(width * self.w))

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None,
        *,
        outline: Colour | None = None,
        width: float = 0.0,
    ) -> None:
        """`radius` is a fraction of the width."""
        cx, cy, rr = x * self.w, y * self.h, radius * self.w
        box = [cx - rr, cy - rr, cx + rr, cy + rr]
        self.draw.ellipse(box, fill=fill, outline=outline, width=round(width * self.w))

    def poly(self, points: Sequence[tuple[float, float]], fill: Colour) -> None:
        self.draw.polygon(self.xy(*points), fill=fill)

    def line(self, points: Sequence[tuple[float, float]], fill: Colour, width: float) -> None:
        self.draw.line(self.xy(*points), fill=fill, width=max(1, round(width * self.w)), joint="curve")

    def text(
        self,
        box: tuple[float, float, float, float],
        text: str,
        font: str,
        fill: Colour,
        *,
        align: str = "centre",
        valign: str = "middle",
        max_size: float = 1.0,
        lines: int = 4,
        spacing: float = 1.12,
        track: float = 0.0,
    ) -> float:
        """Write `text` as large as fits into `box` (x0, y0, x1, y1), on at most `lines` lines; `max_size` is the
        greatest letter size as a fraction of the height. Returns the bottom of the text as a fraction."""
        x0, y0, x1, y1 = box[0] * self.w, box[1] * self.h, box[2] * self.w, box[3] * self.h
        size, rows = fit(text, font, x1 - x0, y1 - y0, max_size * self.h, lines, spacing)
        face = load_font(font, size)
        ascent, descent = face.getmetrics()
        step = (ascent + descent) * spacing * 0.86
        total = step * len(rows)
        y = y0 if valign == "top" else y1 - total if valign == "bottom" else (y0 + y1 - total) / 2
        for row in rows:
            width = face.getlength(row)
            x = x0 if align == "left" else x1 - width if align == "right" else (x0 + x1 - width) / 2
            self.draw.text((x, y), row, font=face, fill=fill)
            y += step
        return y / self.h

    def array(self) -> np.ndarray:
        """(height, width, 4) uint8."""
        return np.array(self.image)


def fit(
    text: str, font: str, width: float, height: float, max_size: float, lines: int, spacing: float
) -> tuple[int, list[str]]:
    """The greatest size, in px, at which `text` fits, with its line breaks."""
    probe = load_font(font, 100)
    ascent, descent = probe.getmetrics()
    words = text.split()
    best: tuple[float, list[str]] = (0.0, [text])
    lengths = [probe.getlength(w + " ") for w in words]
    for n in range(1, min(lines, len(words)) + 1):
        rows = _break(words, lengths, n)
        widest = max(probe.getlength(row) for row in rows)
        size = min(100 * width / max(1.0, widest), height / ((ascent + descent) / 100 * spacing * 0.86 * len(rows)))
        if size > best[0]:
            best = (size, rows)
    return max(6, int(min(best[0], max_size))), best[1]


def _break(words: list[str], lengths: list[float], n: int) -> list[str]:
    """`words` on `n` lines of about equal length."""
    target, used = sum(lengths) / n, 0.0
    rows: list[str] = []
    row: list[str] = []
    for i, (word, length) in enumerate(zip(words, lengths, strict=True)):
        left = n - len(rows) - 1
        if row and left > 0 and (used + length / 2 > target or len(words) - i <= left):
            rows.append(" ".join(row))
            row, used = [], 0.0
        row.append(word)
        used += length
    rows.append(" ".join(row))
    return rows
