"""Which of the recognised things a question is about: "the left one", "the blue one", "the bigger", by name.

Pure decisions over what was recognised; nothing is searched here. Words are only believed where they speak of the
thing looked at ("the red one", "the box on the left"), not where they are what is asked ("what colour is it?").
Not covered: pointing by hand, spatial relations between things ("the one behind the cup").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.conversation import Candidate, Frame, Recognition
from assistant.search.agreement import split_words

NOTHING = "nothing on this picture is among the things I can recognise"

_THING = (
    r"(?:ones?|things?|objects?|items?|products?|books?|novels?|volumes?|box(?:es)?|packs?|packets?|packages?|bottles?|"
    r"cans?|jars?|tins?|bags?|cartons?|covers?|posters?|signs?|cards?|labels?|tickets?|menus?|games?|toys?|cups?|tubes?|"
    r"magazines?|albums?|records?|leaflets?|notices?|boards?|pictures?|side|hand side)"
)
_SCENE = r"(?:picture|photo|image|frame|view|table|shelf|scene|screen)\b"
_SIDES = {
    "left": r"left(?:most)?|left[- ]hand",
    "right": r"right(?:most)?|right[- ]hand",
    "top": r"top(?:most)?|upper|highest",
    "bottom": r"bottom|lower|lowest",
    "middle": r"middle|cent(?:re|er)|central",
}
_ORDINALS = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "1st": 0,
    "2nd": 1,
    "3rd": 2,
    "4th": 3,
    "last": -1,
}
_LARGER = re.compile(
    rf"\bthe (?:bigger|biggest|larger|largest|big|large)(?: {_THING})?\b(?! (?:number|amount|town|city))"
)
_SMALLER = re.compile(rf"\bthe (?:smaller|smallest|small|little|tiny)(?: {_THING})?\b(?! (?:number|amount|town|city))")
_OTHER = re.compile(r"\b(?:the other (?:one|thing|object|item|product|book|box|pack|bottle|can|sign)|not this one)\b")

_COMPARED_WITH = ("than", "as", "or", "and", "with", "versus", "vs", "to", "like")

#: Hue ranges in degrees for colour words; the rest is decided by lightness and saturation.
_HUES = {
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
_GREYS = ("black", "white", "grey", "gray", "brown", "beige")
_COLOUR = re.compile(
    rf"\b(?:the|this|that|a|an)\s+(?:\w+\s+)?({'|'.join((*_HUES, *_GREYS))})(?:ish)?\s+(?:\w+\s+)?{_THING}\b"
    rf"|\b{_THING}\s+(?:that is|that's|which is|in)\s+({'|'.join((*_HUES, *_GREYS))})\b"
)
#: Share of the outline that must have a colour before the thing is called so.
_ENOUGH_COLOUR = 0.15


@dataclass(frozen=True)
class _Placed:
    candidate: Candidate
    x: float
    y: float
    area: float


def choose(candidates: Sequence[Candidate], question: str, frame: Frame) -> Recognition:
    """The thing the question is about.

    Args:
        candidates: what was recognised, surest first.
        question: as asked.
        frame: the frame the outlines belong to.

    Returns:
        A recognition with all candidates; `entity` is None with a reason when nothing was recognised or when the
        question points at something else than what was recognised.
    """
    kept = tuple(candidates)
    if not kept:
        return Recognition(reason=NOTHING)
    text = " ".join(question.casefold().split())
    placed = [_place(candidate, frame) for candidate in kept]
    for rule in (_by_name, _by_side, _by_ordinal, _by_colour, _by_size, _by_other):
        outcome = rule(placed, text, frame)
        if isinstance(outcome, str):
            return Recognition(candidates=kept, reason=outcome)
        if outcome is not None:
            return Recognition(candidates=kept, entity=outcome.candidate)
    return Recognition(candidates=kept, entity=_default(placed).candidate)


def _place(candidate: Candidate, frame: Frame) -> _Placed:
    outline = np.asarray(candidate.outline_px, np.float32)
    area = float(cv2.contourArea(outline)) / (frame.width_px * frame.height_px)
    middle = outline.mean(axis=0)
    return _Placed(candidate, float(middle[0]) / frame.width_px, float(middle[1]) / frame.height_px, area)


def _default(placed: Sequence[_Placed]) -> _Placed:
    """The most central, size counting a little: what a person asking "what is this" looks at."""

    def distance(p: _Placed) -> float:
        return float(np.hypot(p.x - 0.5, p.y - 0.5)) - 0.35 * p.area**0.5

    return min(placed, key=lambda p: (round(distance(p), 3), -p.area, p.candidate.index))


_Outcome = _Placed | str | None


def _by_name(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    """A name in the question that belongs to exactly one candidate; its words may stand without article or series."""
    asked = split_words(text)
    scored = []
    for p in placed:
        words = split_words(p.candidate.name)
        others = {w for q in placed if q is not p for w in split_words(q.candidate.name)}
        telling = [w for w in words if w not in others and len(w) > 2]
        name, question = f" {' '.join(words)} ", f" {' '.join(asked)} "
        before = question.split(name)[0].split()[-1:] if name in question else []
        if before and before[0] in _COMPARED_WITH:
            continue  # "is this heavier than X?" is about this, not about X
        whole = name in question
        share = sum(w in asked for w in telling) / len(telling) if telling else 0.0
        scored.append((2.0 if whole else share, p))
    if not scored:
        return None
    best = max(score for score, _ in scored)
    named = [p for score, p in scored if score == best]
    return named[0] if best >= 0.5 and len(named) == 1 else None


def _by_side(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    side = _side_word(text)
    if side is None:
        return None
    keys: dict[str, Callable[[_Placed], float]] = {
        "left": lambda p: p.x,
        "right": lambda p: -p.x,
        "top": lambda p: p.y,
        "bottom": lambda p: -p.y,
        "middle": lambda p: abs(p.x - 0.5) + abs(p.y - 0.5),
    }
    best = min(placed, key=lambda p: (keys[side](p), p.candidate.index))
    if side == "middle":
        if len(placed) == 3:  # the middle one of three, wherever they stand
            wide = np.ptp([p.x for p in placed]) >= np.ptp([p.y for p in placed])
            return sorted(placed, key=lambda p: p.x if wide else p.y)[1]
        return best if abs(best.x - 0.5) < 0.25 and abs(best.y - 0.5) < 0.3 else _not_there("in the middle")
    if len(placed) == 1 and side in ("top", "bottom"):
        return best  # "what stands at the bottom?" asks about the thing itself
    reach = {"left": best.x, "right": 1 - best.x, "top": best.y, "bottom": 1 - best.y}[side]
    # With one thing recognised, the other may be what was meant: it has to stand on the side that was named.
    if reach > (0.5 if len(placed) == 1 else 0.6):
        return _not_there(
            {"left": "on the left", "right": "on the right", "top": "at the top"}.get(side, "at the bottom")
        )
    return best


def _not_there(where: str) -> str:
    return f"the thing {where} is not among the things I can recognise"


def _side_word(text: str) -> str | None:
    for side, words in _SIDES.items():
        one = rf"(?:(?:far|very) )?(?:{words})(?:[- ]hand)?"
        patterns = (
            # "on the left", "in the middle of the table", but not "at the top of the label": that is a part of a thing
            rf"\b(?:on|to|at|in|by) the {one}(?: side| edge| corner)?\b(?! of)",
            rf"\b(?:on|to|at|in|by) the {one}(?: side| edge| corner)? of the {_SCENE}",
            rf"\bthe {one} {_THING}\b",
            rf"\b{side}most\b",
            rf"^(?:and )?(?:what about )?the (?:{words})\b[ ?.!]*$",
        )
        if any(re.search(pattern, text) for pattern in patterns):
            return side
    return None


def _by_ordinal(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    word = rf"\bthe ({'|'.join(_ORDINALS)}) (?:one|thing|object|item|product)"
    found = re.search(rf"{word}?\s*(?:from|on|to|counting from) the (left|right|top|bottom)\b", text)
    plain = re.search(rf"{word}\b", text) if len(placed) > 1 else None
    if found is None and plain is None:
        return None
    match = found or plain
    assert match is not None
    side = found.group(2) if found else "left"
    order = sorted(placed, key=lambda p: p.y if side in ("top", "bottom") else p.x, reverse=side in ("right", "bottom"))
    position = _ORDINALS[match.group(1)]
    if position >= len(order):
        return f"I recognise only {len(order)} thing{'s' if len(order) > 1 else ''} on this picture"
    return order[position]


def _by_colour(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    found = _COLOUR.search(text)
    if found is None:
        return None
    colour = found.group(1) or found.group(2)
    shares = [(colour_share(frame, p.candidate, colour), p) for p in placed]
    best, chosen = max(shares, key=lambda pair: (pair[0], -pair[1].candidate.index))
    if best < _ENOUGH_COLOUR:
        return f"none of the things I recognise on this picture is {colour}"
    return chosen


def colour_share(frame: Frame, candidate: Candidate, colour: str) -> float:
    """Share of the outline's pixels that a person would call by this colour word, 0..1."""
    outline = np.asarray(candidate.outline_px, np.float32)
    left, top = np.floor(outline.min(axis=0)).clip(0).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 1
    cut = frame.pixels[top:bottom, left:right]
    if cut.size == 0:
        return 0.0
    mask = np.zeros(cut.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline - (left, top)).astype(np.int32)], 1)
    hsv = cv2.cvtColor((cut[mask > 0][None] / 255.0).astype(np.float32), cv2.COLOR_RGB2HSV)[0]
    if not len(hsv):
        return 0.0
    hue, saturation, value = hsv[:, 0], hsv[:, 1], hsv[:, 2]
    brown = (hue > 8) & (hue < 45) & (saturation > 0.3) & (value > 0.12) & (value < 0.55)
    masks = {
        "black": value < 0.25,
        "white": (saturation < 0.15) & (value > 0.72),
        "grey": (saturation < 0.15) & (value >= 0.25) & (value <= 0.75),
        "brown": brown,
        "beige": (hue > 20) & (hue < 60) & (saturation > 0.08) & (saturation < 0.4) & (value > 0.6),
    }
    masks["gray"] = masks["grey"]
    if colour in masks:
        return float(masks[colour].mean())
    inside = np.zeros(len(hsv), bool)
    for low, high in _HUES[colour]:
        inside |= (hue >= low) & (hue < high)
    vivid = (saturation > 0.28) & (value > 0.2)
    if colour in ("orange", "yellow", "red"):
        vivid &= ~brown
    if colour == "pink":  # light reds are called pink
        inside |= ((hue >= 335) | (hue < 12)) & (saturation < 0.5) & (value > 0.7)
        vivid = (saturation > 0.15) & (value > 0.55)
    return float((inside & vivid).mean())


def _by_size(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    if len(placed) < 2:
        return None
    if _LARGER.search(text):
        return max(placed, key=lambda p: (p.area, -p.candidate.index))
    if _SMALLER.search(text):
        return min(placed, key=lambda p: (p.area, p.candidate.index))
    return None


def _by_other(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    """ "The other one": what would not have been chosen without the word."""
    if not _OTHER.search(text):
        return None
    rest = [p for p in placed if p is not _default(placed)]
    return _default(rest) if rest else "I recognise only one thing on this picture"
