"""Which of the recognised things a question is about: "the left one", "the blue one", "the bigger", by name.

Pure decisions over what was recognised; nothing is searched here. Words are only believed where they speak of the
thing looked at ("the red one", "the box on the left"), not where they are what is asked ("what colour is it?").
Not covered: pointing by hand, depth ("the one behind the cup").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.core.types import Candidate, Frame, Recognition
from assistant.text.colour_words import WORDS
from assistant.text.kinds import KIND_WORDS, asked_kinds
from assistant.understanding.classifiers.pointing import normalise_pointing
from assistant.understanding.pointing.beside import beside_asked, stands_there
from assistant.understanding.pointing.called import by_name, names_another, of_kind
from assistant.vision.colours import ENOUGH, ENOUGH_ALONE, colour_share, is_dim, nearest, which_is

#: A single thing whose middle is further from the frame's middle than this (share of the width) stands aside.
ASIDE = 0.16

NOTHING = "nothing on this picture is among the things I can recognise"

_THING = (
    rf"(?:ones?|things?|objects?|items?|products?|bottles?|covers?|cards?|labels?|tickets?|games?|toys?|cups?|tubes?|"
    rf"magazines?|albums?|records?|boards?|pictures?|side|hand side|{KIND_WORDS})"
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
_OTHER = re.compile(
    r"\b(?:the other (?:of (?:the|these|those) two|of them|"
    rf"(?!(?:hand )?side){_THING}(?<!s)(?! (?:on|to|at) the (?:left|right)))|not this one)\b"
)

_COMPARED = re.compile(
    rf"\b(?:than|and|or|versus|vs|compared (?:to|with)|next to|unlike) (?P<phrase>the "
    rf"(?:(?:light |dark )?[a-z]+(?: hand)? )?{_THING}(?: on the (?:left|right))?)\b"
)
_COLOUR = re.compile(
    rf"\b(?:the|this|that|a|an)\s+(?:\w+\s+)?({'|'.join(WORDS)})(?:ish)?\s+(?:\w+\s+)?{_THING}\b"
    rf"|\b{_THING}\s+(?:that is|that's|which is|in)\s+({'|'.join(WORDS)})\b"
)

#: "Hey Vitrine Glasses, what is it?" names whom it speaks to.
_SPOKEN_TO = re.compile(r"^\W*(?i:hey|hi|hello)\s+[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*\s*[,!.]\s*")


@dataclass(frozen=True)
class _Placed:
    candidate: Candidate
    x: float
    y: float
    area: float
    frame_middle: tuple[float, float]
    alone: bool  # the only thing recognised


def choose_candidate(candidates: Sequence[Candidate], question: str, frame: Frame) -> Recognition:
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
    said = _SPOKEN_TO.sub("", question)
    placed = [_place(candidate, frame, len(kept) == 1) for candidate in kept]
    outcome = _pointed_at(placed, said, normalise_pointing(said), frame)
    if isinstance(outcome, str):
        return Recognition(candidates=kept, reason=outcome)
    chosen, meant, pointed = outcome
    return Recognition(kept, chosen.candidate, meant=tuple(p.candidate.name for p in meant), pointed=pointed)


def _pointed_at(
    placed: Sequence[_Placed], said: str, question: str, frame: Frame
) -> tuple[_Placed, Sequence[_Placed], bool] | str:
    """The thing the question points at, all that its words can mean, and whether they say more than "this"; or why it
    is none of these. `question` is what was said, put plainly.
    """
    text = " ".join(question.casefold().split())
    if len(placed) > 1 and (beside := _by_other_thing(placed, text, frame)) is not None:
        return beside if isinstance(beside, str) else (beside, [beside], True)
    if (called := by_name([p.candidate for p in placed], text)) is not None:
        return placed[called], [placed[called]], True
    if names_another([p.candidate for p in placed], question):
        return "the question names something that I do not recognise on this picture"
    text, placed = _without_compared(placed, text, frame)
    # "the counter at this temple", plainly "this counter", is still about a temple
    told = text if asked_kinds(text) or not asked_kinds(said.casefold(), surely=True) else said.casefold()
    fit = of_kind([p.candidate for p in placed], told)
    if isinstance(fit, str):
        return fit
    fitting = [placed[i] for i in fit]
    for rule in (_by_side, _by_ordinal, _by_colour, _by_size, _by_other):
        if rule is _by_other and len(fitting) == 1 < len(placed):
            continue  # "the other kettle", beside a book: its kind tells it
        # Sides are counted among all that is recognised: "the left box" of a box and a book is where the box stands.
        outcome = rule(fitting if rule is not _by_ordinal else placed, text, frame)
        if isinstance(outcome, str):
            return outcome
        if outcome is not None:
            return outcome, [outcome], True
    chosen = _default(fitting)
    if _aside(chosen):
        return (
            f"the only thing I recognise on this picture, {chosen.candidate.name}, stands to the side: "
            "point the camera at what you mean, or name it"
        )
    return chosen, fitting, bool(asked_kinds(text))


def _place(candidate: Candidate, frame: Frame, alone: bool) -> _Placed:
    outline = np.asarray(candidate.outline_px, np.float32)
    area = float(cv2.contourArea(outline)) / (frame.width_px * frame.height_px)
    middle = outline.mean(axis=0)
    return _Placed(
        candidate,
        float(middle[0]) / frame.width_px,
        float(middle[1]) / frame.height_px,
        area,
        (frame.width_px / 2, frame.height_px / 2),
        alone,
    )


def _default(placed: Sequence[_Placed]) -> _Placed:
    """The most central, size counting a little: what a person asking "what is this" looks at."""

    def distance(p: _Placed) -> float:
        return float(np.hypot(p.x - 0.5, p.y - 0.5)) - 0.35 * p.area**0.5

    return min(placed, key=lambda p: (round(distance(p), 3), -p.area, p.candidate.index))


def _without_compared(placed: Sequence[_Placed], text: str, frame: Frame) -> tuple[str, Sequence[_Placed]]:
    """Question and things without the one that is only compared with: "... or the left one", "than the red box"."""
    found = _COMPARED.search(text)
    if found is None or (found.start() < 4 and not found.group().startswith("compared")):
        return text, placed  # "and the left one?" compares nothing
    phrase = found.group("phrase")
    rest = " ".join((text[: found.start()] + " " + text[found.end() :]).split())
    if _OTHER.search(phrase):
        return rest, placed
    for rule in (_by_side, _by_colour, _by_size):
        other = rule(placed, phrase, frame)
        if isinstance(other, _Placed) and len(placed) > 1:
            return rest, [p for p in placed if p is not other]
    return text, placed


def _by_other_thing(placed: Sequence[_Placed], text: str, frame: Frame) -> _Placed | str | None:
    """ "The one to the left of the red box": what stands there, when the other thing is surely told."""
    if (asked := beside_asked(text)) is None:
        return None
    what, side, phrase = asked
    told: list[_Placed] = []
    for rule in (_by_side, _by_colour):
        other = rule(placed, phrase, frame)
        if isinstance(other, _Placed):
            told = [other]
            break
    fit = of_kind([p.candidate for p in placed], phrase) if not told and asked_kinds(phrase) else ""
    if not isinstance(fit, str):
        told = [placed[i] for i in fit]
    if len(told) != 1:
        return None
    rest = [p for p in placed if p is not told[0]]
    alike = of_kind([p.candidate for p in rest], f"the {what}") if what else list(range(len(rest)))
    if isinstance(alike, str):
        return alike
    rest = [rest[i] for i in alike]
    found = stands_there(side, (told[0].x, told[0].y), [(p.x, p.y) for p in rest])
    return found if isinstance(found, str) else rest[found]


def _aside(p: _Placed) -> bool:
    """Whether the only thing recognised is so far from the middle that the question may be about something else."""
    outline = np.asarray(p.candidate.outline_px, np.float32)
    holds_middle = cv2.pointPolygonTest(outline, (p.frame_middle[0], p.frame_middle[1]), False) >= 0
    return p.alone and not holds_middle and abs(p.x - 0.5) > ASIDE


_Outcome = _Placed | str | None


def _by_side(placed: Sequence[_Placed], text: str, frame: Frame) -> _Outcome:
    side = side_word(text)
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


def side_word(text: str) -> str | None:
    """ "left", "right", "top", "bottom" or "middle" where the question points there."""
    for side, words in _SIDES.items():
        one = rf"(?:(?:far|very) )?(?:{words})(?:[- ]hand)?"
        patterns: tuple[str, ...] = (
            # "on the left", "in the middle of the table", but not "at the top of the label": that is a part of a thing
            rf"\b(?:on|to|at|in|by) (?:the|my) {one}(?: side| edge| corner)?\b(?! of)",
            rf"\b(?:on|to|at|in|by) the {one}(?: side| edge| corner)? of the {_SCENE}",
            rf"\bthe {one} {_THING}\b",
            rf"\b{side}most\b",
            rf"^(?:and )?(?:what about )?the (?:{words})\b[ ?.!]*$",
        )
        if side in ("left", "right"):
            patterns += (
                rf"\bthe {one}(?: one)? of (?:the|these|those|them)(?: two| three)?\b(?! \w)",
                rf"\b(?:further|farther|furthest|farthest|more) to the {one}\b|\b(?:further|farther) {one}\b",
                rf"^and {side}\b[ ?.!]*$",
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
    shares = [colour_share(frame, p.candidate, colour) for p in placed]
    only = _aside(placed[0])
    meant = which_is(colour, shares, is_dim(frame), ENOUGH_ALONE if only else ENOUGH)
    if isinstance(meant, str) and not is_dim(frame):
        near = nearest(colour, frame, [p.candidate for p in placed], shares)
        meant = meant if near is None else near
    return placed[meant] if isinstance(meant, int) else meant


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
