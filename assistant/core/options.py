"""Under which conditions one turn is answered, where a visitor departs from the usual: a part of the frame, a stage
left out, evidence taken away or exchanged.

Plain values; `assistant.agent` applies them. They are for showing what an answer rests on, never for measuring runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.core.types import Candidate, Evidence, Frame, Recognition

#: A box as left, top, right, bottom in the frame's pixels.
Box = tuple[float, float, float, float]

#: A box narrower than this share of the frame's shorter side is a slip of the hand.
LEAST_SIDE = 0.02

SET_ASIDE = "what was recognised has been set aside, and nothing else says what this is about"


@dataclass(frozen=True)
class Conditions:
    """The defaults change nothing.

    Attributes:
        region_px: the part of the frame that the question is about ("this one").
        correct: whether a dark frame is brightened before it is looked at.
        read_text: whether text and codes are read.
        check: whether a sentence that its evidence does not carry is held back.
        guess: whether the likeliest indexed entity is believed, however unsure, where none is recognised.
        evidence: answer from these pieces; nothing is retrieved. None retrieves as usual.
        recognised: False sets aside what was recognised.
        entity: take what was recognised for the indexed entity of this name; "" believes the recognition.
    """

    region_px: Box | None = None
    correct: bool = True
    read_text: bool = True
    check: bool = True
    guess: bool = False
    evidence: tuple[Evidence, ...] | None = None
    recognised: bool = True
    entity: str = ""

    def over(self, recognition: Recognition, other: Candidate | None) -> Recognition:
        """What the later stages are told was recognised; `other` is the entity of the name `entity`, if indexed."""
        if not self.recognised:
            return Recognition(reason=SET_ASIDE)
        if not self.entity or other is None:
            return recognition
        seen = recognition.entity
        if seen is not None:
            other = replace(other, outline_px=seen.outline_px, confidence=seen.confidence)
        rest = tuple(c for c in recognition.candidates if c is not seen and c.name != other.name)
        return Recognition((other, *rest), other)


USUAL = Conditions()


def box_on(frame: Frame, left: float, top: float, right: float, bottom: float) -> Box | None:
    """The box between two corners, each 0..1 of the frame, in its pixels; None when hardly anything is inside."""
    xs = sorted(min(max(x, 0.0), 1.0) * frame.width_px for x in (left, right))
    ys = sorted(min(max(y, 0.0), 1.0) * frame.height_px for y in (top, bottom))
    least = LEAST_SIDE * min(frame.width_px, frame.height_px)
    if not (xs[1] - xs[0] >= least and ys[1] - ys[0] >= least):  # also when a corner is not a number
        return None
    return (xs[0], ys[0], xs[1], ys[1])
