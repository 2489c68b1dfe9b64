"""Indexed names that stand in a question or on the frame; small slips of the keyboard are forgiven in questions.

A name read on the frame counts only when it is there whole.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.core.types import Look
from assistant.text.english import words_of

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge


def mentions(question: str, knowledge: Knowledge) -> tuple[str, ...]:
    """Indexed names in the question, in the order in which they stand there; small slips of the keyboard are
    forgiven.
    """
    exact = list(knowledge.mentioned(question))
    low = question.lower()
    exact.sort(key=lambda n: low.find(n.lower()) if n.lower() in low else len(low))
    return tuple(exact) if exact else _nearly(question, knowledge)


def _nearly(question: str, knowledge: Knowledge) -> tuple[str, ...]:
    names: Sequence[str] = getattr(knowledge, "names", ()) or ()
    if callable(names):
        names = names()
    words = words_of(question)
    found: list[tuple[float, str]] = []
    for name in names:
        size = len(words_of(name))
        if len(name) < 6 or size > len(words):
            continue
        for i in range(len(words) - size + 1):
            part = " ".join(words[i : i + size])
            if part[:1].lower() != name[:1].lower() or abs(len(part) - len(name)) > 2:
                continue
            if re.findall(r"\d+", part) != re.findall(r"\d+", name):
                continue
            ratio = difflib.SequenceMatcher(None, part.lower(), name.lower()).ratio()
            if ratio >= 0.88:
                found.append((ratio, name))
    if not found:
        return ()
    found.sort(key=lambda f: (-f[0], f[1]))
    best = [name for ratio, name in found if ratio >= found[0][0] - 0.04]
    return (best[0],) if len(set(best)) == 1 else ()


def text_clue(look: Look | None, knowledge: Knowledge) -> str | None:
    """An indexed name that stands whole on the frame, when there is exactly one and it is long enough to be no
    chance.
    """
    if look is None or not look.texts:
        return None
    sure = [t for t in look.texts if t.confidence >= 0.8]
    lines = [t.text for t in sure]
    found = set(knowledge.mentioned("\n".join(lines))) | set(knowledge.mentioned(" ".join(lines)))
    whole = [n for n in found if len(re.sub(r"\W", "", n)) >= 8 and len(words_of(n)) >= 2]
    top = [n for n in whole if not any(n != o and n.lower() in o.lower() for o in whole)]
    return top[0] if len(top) == 1 else None
