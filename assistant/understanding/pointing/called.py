"""Which of the recognised things a question calls by its name, or by a word for what kind of thing it is.

Names and kinds are told from words; whether a thing stands there as the box it is sold in, from its outline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import numpy as np

from assistant.core.types import Candidate
from assistant.text.agreement import split_words
from assistant.text.kinds import asked_kind, asked_kinds, fits, is_kind_word, likely_kinds

_SMALL = ("the", "and", "over", "under", "for", "from", "with", "into")
_COMPARED_WITH = ("than", "as", "or", "and", "with", "versus", "vs", "to", "like")
_PROPER = re.compile(
    r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+(?:\s+(?:of|the|over|at|in|and|for|from)\b)*(?:\s+[A-Z0-9][\w'-]*)+"
)
_POINTING = re.compile(r"\b(?:this|that|these|those|it|its|here|there|in front of me|the one)\b")
#: "OK so huxmera Dryer KB-63, how much is it": what may stand before a name, and the name.
_BEGINS = re.compile(
    r"(?:(?:ok|okay|so|and|now|well|but|what about|how about|right|then|the)[ ,]+)*(?P<name>[^\s,?!.;:][^,?!.;:]*), ",
    re.IGNORECASE,
)
#: What begins a name that something is compared with, or that tells where or when.
_BESIDE_IT = frozenset((*_COMPARED_WITH, "in", "on", "at", "by", "for", "from", "unlike", "besides", "near", "of"))
#: What a bus and a theatre have, and a number in a series: no other thing in view.
_PARTS = frozenset(("seat", "volume"))
#: Words for what things are sold in, whatever they are.
_BOXES = frozenset(("box", "pack", "package", "packet", "carton"))
#: The share of the upright or turned rectangle around it that what is no box fills at most; boxes fill 0.87 and more.
_NO_BOX_FILLS = 0.76


def by_name(candidates: Sequence[Candidate], text: str) -> int | None:
    """The place of the one candidate whose name stands in the question; words may stand without article or series."""
    asked = split_words(text)
    scored = []
    for i, c in enumerate(candidates):
        words = split_words(c.name)
        others = {w for other in candidates if other is not c for w in split_words(other.name)}
        telling = [w for w in words if w not in others and len(w) > 2 and w not in _SMALL and not is_kind_word(w)]
        name, question = f" {' '.join(words)} ", f" {' '.join(asked)} "
        before = question.split(name)[0].split()[-1:] if name in question else []
        if before and before[0] in _COMPARED_WITH:
            continue  # "is this heavier than X?" is about this, not about X
        share = sum(w in asked for w in telling) / len(telling) if telling else 0.0
        scored.append((2.0 if name in question else share, i))
    if not scored:
        return None
    best = max(score for score, _ in scored)
    named = [i for score, i in scored if score == best]
    return named[0] if best > 0.5 and len(named) == 1 else None


def names_another(candidates: Sequence[Candidate], question: str) -> bool:
    """Whether the question gives a proper name of several words, none of the candidates', and points at nothing.

    A name the question begins with may be taken up by "it": "the Harwin Kettle KB-2, how much is it?".
    """
    pointing = set(_POINTING.findall(question.casefold()))
    if pointing - {"it", "its"} or asked_kind(question):
        return False
    told = _topic(question) + ([] if pointing else [m.group() for m in _PROPER.finditer(question)])
    known = {word for c in candidates for word in split_words(c.name)}
    for name in told:
        words = [w for w in split_words(name) if len(w) > 1]
        if len(words) > 1 and sum(w in known for w in words) < 0.5 * len(words):
            return True
    return False


def _topic(question: str) -> list[str]:
    """The name before the first comma, if that is all that stands there; also where its first letter is small."""
    found = _BEGINS.match(question)
    words = found.group("name").split() if found else []
    named = [w for w in words if w[0].isupper() or any(c.isdigit() for c in w)]
    plain = [w for w in words[1:] if w not in named and w not in _SMALL]
    named_so = len(named) > 1 and not plain and words[0].casefold() not in _BESIDE_IT
    return [" ".join(words)] if named_so else []


def of_kind(candidates: Sequence[Candidate], text: str) -> list[int] | str:
    """Places of those that can be called what the question calls the thing; all when it uses no such word.

    A reason when nothing in view can be called so.
    """
    everything = list(range(len(candidates)))
    words = asked_kinds(text)
    if not words:
        return everything
    # "Which plant made this car?" has two such words: what either fits may be meant.
    scores = [max(_fits(w, c) for w in words) for c in candidates]
    best = max(scores)
    if best < 0:
        words = asked_kinds(text, surely=True)  # "which animals eat it?" is about no animal
        words = [w for w in words if w not in _PARTS]
        return f"what I recognise on this picture is no {words[-1]}" if words else everything
    fitting = [i for i, score in enumerate(scores) if score == best]
    if set(words) <= _BOXES:
        return _boxes(candidates, fitting) or f"what I recognise on this picture is no {words[-1]}"
    return fitting


def _fits(word: str, candidate: Candidate) -> int:
    kinds = likely_kinds(candidate.name, candidate.attributes) or (None,)
    return max(fits(word, candidate.name, kind, candidate.attributes) for kind in kinds)


def _boxes(candidates: Sequence[Candidate], fitting: list[int]) -> list[int]:
    """Those that do not clearly have another shape than a box: "the box" beside a bare drill."""
    return [i for i in fitting if _filled(candidates[i]) > _NO_BOX_FILLS]


def _filled(candidate: Candidate) -> float:
    """The share of the smallest rectangle around it, upright or turned, that the outline fills."""
    outline = np.asarray(candidate.outline_px, np.float32)
    wide, high = cv2.minAreaRect(outline)[1]
    return float(cv2.contourArea(outline)) / max(wide * high, 1e-6)
