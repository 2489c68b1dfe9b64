"""Two things in one view, told apart by where they stand: "the jar or the one on the left", "the left one … the right".

Says which recognised thing each half of a comparison means, in the order in which the question speaks of them.
"""

from __future__ import annotations

import re

from assistant.core.types import Candidate, Recognition

#: Where a thing stands in the view: "the left one".
SIDE = re.compile(
    r"\b(?:on|to|at|in|by) the (?:far |very )?(?P<a>left|right|top|bottom)(?:[- ]hand)?(?: side| edge| corner)?\b"
    r"|\bthe (?:far |very )?(?P<b>left|right|upper|lower|top|bottom)(?:most|[- ]hand)?(?: \w+)?",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\b(?:than|or|compared to|and|versus|vs)\b", re.IGNORECASE)


def by_side(core: str, recognition: Recognition, here: str | None) -> tuple[str, ...]:
    """Names of the two things that a comparison places on sides of the view; () when it does not, or it is unclear."""
    candidates = list({c.name: c for c in recognition.candidates}.values())
    found = [((m["a"] or m["b"]).lower(), m.start()) for m in SIDE.finditer(core)]
    if len(candidates) < 2 or not found:
        return ()
    sided = [(_at(side, candidates), start) for side, start in found]
    names = list(dict.fromkeys(name for name, _ in sided))
    if len(names) >= 2:
        return tuple(names[:2])
    others = [c.name for c in candidates if c.name != names[0]]
    other = here if here in others else (others[0] if len(others) == 1 else None)
    if other is None:
        return ()
    joint = _JOINT.search(core)
    return (other, names[0]) if joint is not None and found[0][1] > joint.start() else (names[0], other)


def _at(side: str, candidates: list[Candidate]) -> str:
    across = side in ("left", "right")

    def place(c: Candidate) -> float:
        values = [p[0 if across else 1] for p in c.outline_px] or [0.0]
        return sum(values) / len(values)

    pick = max if side in ("right", "bottom", "lower") else min
    return pick(candidates, key=place).name
