"""Kinds above kinds: what is said is the most particular one that is likely enough."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.vision.kinds import _TABLE, LEAST_GENERAL, LEAST_PARTICULAR, Kind, kinds_of, likely_enough
from assistant.vision.pretrained import CLASSES


def test_the_table_names_every_class_and_tells_its_source():
    table = json.loads(_TABLE.read_text(encoding="utf-8"))
    assert len(table["kinds"]) == CLASSES
    assert "WordNet" in table["source"]
    assert all(row and all(name == name.strip() and name for name in row) for row in table["kinds"])
    assert ["flowerpot", "container"] in table["kinds"]


def test_a_general_kind_is_as_likely_as_all_that_are_of_it():
    kinds = {k.name: k for k in kinds_of(Frame(np.full((80, 80, 3), 90, np.uint8)))}
    assert kinds["dog"].probability <= kinds["animal"].probability
    assert kinds["dog"].holds > 100
    assert kinds["flowerpot"].holds == 1
    assert 0 <= kinds["container"].probability <= 1.0001


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ([Kind("mug", LEAST_PARTICULAR, 1), Kind("container", 0.99, 90)], "mug"),
        ([Kind("mug", LEAST_PARTICULAR - 0.01, 1), Kind("container", LEAST_GENERAL, 90)], "container"),
        ([Kind("dog", LEAST_GENERAL, 118), Kind("animal", 0.99, 398)], "dog"),
        ([Kind("mug", 0.2, 1), Kind("container", LEAST_GENERAL - 0.01, 90)], None),
        ([], None),
    ],
)
def test_the_most_particular_kind_that_is_likely_enough_is_said(kinds: list[Kind], said: str | None):
    found = likely_enough(kinds)
    assert (found.name if found else None) == said


def test_where_the_thing_stands_counts():
    pixels = np.random.default_rng(1).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    whole, part = kinds_of(Frame(pixels)), kinds_of(Frame(pixels), (0.5, 0.5, 1.0, 1.0))
    assert {k.name for k in whole} == {k.name for k in part}
    assert [k.probability for k in whole] != [k.probability for k in part]
