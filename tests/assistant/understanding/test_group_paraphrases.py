"""Whole groups and counts that are asked for in a roundabout way."""

from __future__ import annotations

import pytest

from assistant.understanding.paraphrases.group_paraphrases import groups_said


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        (
            "to own the whole collection, which mugs apart from this mug would I have to buy?",
            "which other mugs besides this mug are in the whole collection?",
        ),
        (
            "this owl is not the only one in its brood, is it - what others are there?",
            "which others besides this owl are in its brood?",
        ),
        ("who are the companions of this owl in that brood?", "which others besides this owl are in that brood?"),
        ("tot up the oars of all of this fleet, please", "what is the total oars for all of this fleet?"),
        ("if I counted the buttons on this coat, how many would there be?", "how many buttons does this coat have?"),
        ("what is the number of herbs listed for this tea?", "how many herbs does this tea have?"),
        (
            "this owl is part of a brood, so what are the others in it",
            None,
        ),
        (
            "that mug is part of a set, so what are the others in it",
            "which others besides that mug are in the set of that mug?",
        ),
        ("what mugs come in one set with this mug?", "which others besides this mug are in the set of this mug?"),
        ("which ones share a series with this?", "which others besides this are in the series of this?"),
        ("apart from this mug, which ones go in that range?", "which others besides this mug are in that range?"),
        ("Besides the bridge, what is in that town?", None),
        ("Apart from this, which goes to the station?", None),
        ("Which tower shares a line with this bus?", None),
        ("what comes in a set with a lid?", None),
        ("how many people are in the room?", None),
        ("who is the brother of the founder?", None),
        ("add up my shopping", None),
    ],
)
def test_groups_and_counts_are_asked_for_plainly(question: str, plain: str | None) -> None:
    assert groups_said(question) == (plain or question)
