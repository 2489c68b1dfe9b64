"""Whose emblem a thing is: the phrases that mean them, and the facts that name them."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.emblem_owner import speak_of_bearer, tells_bearer
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("phrase", "bearer"),
    [
        ("the club whose badge it is", True),
        ("the county it stands for", True),
        ("the village it is the flag of", True),
        ("the town it is kept in", False),
        ("the town it belongs to", False),  # a bridge's, too
        ("the firm that printed it", False),
    ],
)
def test_phrases_for_whose_emblem_it_is(phrase: str, bearer: bool) -> None:
    assert speak_of_bearer([phrase]) is bearer


def _fact(name: str, key: str | None, value: str) -> Evidence:
    text = f"{key}: {value}" if key else value
    return Evidence("e:1", "attribute" if key else "passage", "x", text, 1.0, name, key, value if key else None)


@pytest.mark.parametrize(
    ("name", "key", "value", "tells"),
    [
        ("Banner of Harnwick", "shown_at", "Harnwick", True),
        ("Otter Banner", "used_by", "Harnwick", True),
        ("Otter Banner", None, "It is the symbol of Harnwick.", True),
        ("Banner of Harnwick", "kept_in", "Selby Marsh", False),
        ("Banner of Harnwick", None, "It was sewn by Ida Crale.", False),
    ],
)
def test_facts_that_name_whose_it_is(name: str, key: str | None, value: str, tells: bool) -> None:
    assert tells_bearer(_fact(name, key, value)) is tells


@pytest.mark.slow
def test_the_place_that_keeps_the_original_is_not_whose_emblem_it_is() -> None:
    things = [
        {"name": "Banner of Harnwick", "attributes": {"original_at": "Selby Marsh", "used_by": "Harnwick"}},
        {"name": "Selby Marsh", "attributes": {"mayor": "Ida Crale", "river": "Ouse"}},
        {"name": "Harnwick", "attributes": {"mayor": "Tom Brand", "river": "Wend"}},
    ]
    said = answer(MemoryKnowledge(things, []), "who is mayor of the town with this as its flag?", "Banner of Harnwick")
    assert "Ida Crale" not in said[0]
