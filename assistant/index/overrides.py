"""What is in view when it is told instead of recognised: by a name, or by evidence that a measuring run hands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.core.types import Candidate, Evidence, Frame, Recognition

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge


def as_indexed(name: str, knowledge: Knowledge, frame: Frame | None) -> Candidate:
    """The entity of that name as if it had been seen for certain, all over the frame."""
    record = knowledge.entity(name)
    w, h = (frame.width_px, frame.height_px) if frame else (0, 0)
    return Candidate(
        name=name,
        confidence=1.0,
        outline_px=((0, 0), (w, 0), (w, h), (0, h)),
        attributes=record.attributes if record else {},
        index=record.indexes[0] if record and record.indexes else -1,
        image_url=record.image_urls[0] if record and record.image_urls else "",
    )


def seen_as(name: str, recognition: Recognition, knowledge: Knowledge, frame: Frame | None) -> Recognition:
    """The recognition with the entity of that name as what is meant."""
    found = next((c for c in recognition.candidates if c.name == name), None) or as_indexed(name, knowledge, frame)
    return Recognition((found, *(c for c in recognition.candidates if c.name != name)), found, pointed=True)


def as_told(recognition: Recognition, knowledge: Knowledge) -> Recognition:
    """The recognition with no more known of what is in view than `knowledge` tells."""

    def told(candidate: Candidate) -> Candidate:
        record = knowledge.entity(candidate.name)
        return replace(candidate, attributes=record.attributes if record is not None else {})

    entity = recognition.entity
    return replace(
        recognition,
        candidates=tuple(map(told, recognition.candidates)),
        entity=told(entity) if entity is not None else None,
    )


def told_by_pages(
    evidence: Sequence[Evidence], recognition: Recognition, knowledge: Knowledge, frame: Frame | None
) -> Recognition:
    """What is in view, given evidence that answers: one of the things that its pages are about and that are recognised
    or else pictured in the index. A frame that was recognised as something else was not recognised.
    """
    titles = dict.fromkeys(piece.title for piece in evidence if piece.kind == "passage" and piece.title)
    named = dict.fromkeys(n for title in titles for n in knowledge.mentioned(title))
    if recognition.entity is not None and recognition.entity.name in named:
        return recognition
    told = [c.name for c in recognition.candidates if c.name in named]
    told += [n for n in named if (record := knowledge.entity(n)) is not None and record.image_urls]
    return seen_as(told[0], recognition, knowledge, frame) if told else recognition
