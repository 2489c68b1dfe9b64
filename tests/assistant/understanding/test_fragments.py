"""Questions cut short or turned round, and those that only look like them. Words of their own."""

from __future__ import annotations

import pytest

from assistant.understanding.paraphrases.fragments import cut_short


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("haunted or not, this mill?", "is this mill haunted?"),
        ("hm, this mill, haunted or not?", "hm, is this mill haunted?"),
        ("washable or not, these gloves?", "are these gloves washable?"),
        ("believe it or not, this mill grinds pepper", None),
        ("carved where, this spoon?", "where was this spoon carved?"),
        ("kept where, this letter?", "where is this letter kept?"),
        ("this spoon was carved in which village?", "in which village was this spoon carved?"),
        ("the organ, tuned by whom?", "who tuned the organ?"),
        ("the psalm was written by whom?", "who wrote the psalm?"),
        ("the parish is run by whom?", None),
        ("how old is the inn it was stolen from, opened when?", "when was the inn it was stolen from opened?"),
        ("how old is the inn?", None),
        ("this organ is how tall?", "how tall is this organ?"),
        ("the organ, how heavy?", "how heavy is the organ?"),
        ("it takes how many players?", "how many players does it take?"),
        ("this is how a bell is cast", None),
        ("so latest overhaul of the organ?", "so when was the organ last overhauled?"),
        ("the date of the last repair of this roof?", "when was this roof last repaired?"),
        ("who paid for the last repair of this roof?", None),
        ("first discoverer of this comet?", "who first discovered this comet?"),
        ("the translator of this psalm was born where?", "where was the translator of this psalm born?"),
        ("where did the translator of this psalm live?", None),
        ("stock of the blue gloves at the moment?", "how many of the blue gloves are in stock right now?"),
        ("how many pairs of the gloves does it take?", None),
        (
            "how many copies of this psalter does the shop still have?",
            "how many of this psalter are in stock right now?",
        ),
        ("if I laid the trout on the kitchen scales, what would they show?", "how much does the trout weigh?"),
        ("if I play it on the scales, what would it sound like?", None),
        ("to see the real crown, where must one go?", "where is the real crown?"),
        ("to see the real crown, when do I go?", None),
        ("present address of whoever tuned it, which village?", "where does whoever tuned it live now?"),
        ("current home of the crown, which town?", None),
        ("when did they begin to sell these gloves?", "when were these gloves introduced?"),
        ("where does the barge moor over winter?", "where is the barge moored over winter?"),
        ("which firm turns out this chocolate?", "which firm makes this chocolate?"),
        ("how it turns out, nobody knows", None),
        ("I only eat halal food, may I have this?", "is this halal?"),
        ("I only eat at noon, may I have this?", None),
        ("3 weeks in the hut, how much is that?", "how much are 3 weeks in the hut?"),
        ("a week in the hut, how much snow is there?", None),
        ("who owns the village that mill stands in?", "who owns the village this mill stands in?"),
        (
            "how old was she in the year that bridge was blown up?",
            "how old was she in the year this bridge was blown up?",
        ),
        ("how old was she in the year that nobody was paid?", None),
        ("who owns the village that still stands there?", None),
    ],
)
def test_a_question_cut_short_is_said_whole(question: str, whole: str | None) -> None:
    assert cut_short(question) == (whole or question)
