"""What is in view when it is told instead of recognised: by a name, or by the pages that a measuring run hands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.core.types import Candidate, Frame, Recognition

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


def told_by_pages(
    urls: Sequence[str], recognition: Recognition, knowledge: Knowledge, frame: Frame | None
) -> Recognition:
    """What is in view, given pages that answer: one of the things that they are about and that are recognised or else
    pictured in the index. A frame that was recognised as something else was not recognised.
    """
    titles = [p.title for url in urls for p in knowledge.page(url)[:1]]
    named = dict.fromkeys(n for title in titles for n in knowledge.mentioned(title))
    if recognition.entity is not None and recognition.entity.name in named:
        return recognition
    told = [c.name for c in recognition.candidates if c.name in named]
    told += [n for n in named if (record := knowledge.entity(n)) is not None and record.image_urls]
    return seen_as(told[0], recognition, knowledge, frame) if told else recognition
