"""What speaks against a fact, and names that are none."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.relation_targets import named_as_place, targets_of
from assistant.reading.scoring.rank import agreement
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.understanding.intent import parse_clause


def _page(text: str) -> Evidence:
    return Evidence("e", "passage", "https://a.invalid", text, 0.0, subject="Heron Bench")


def test_the_day_of_a_report_is_no_birthday() -> None:
    asked = parse_clause("when was she born?")
    assert relevance_factor(_page("4 March 2023: we went to see the maker."), asked) < 0.1
    assert relevance_factor(_page("4 March 2023: the maker was born on 2 May 1950."), asked) > 0.1


def test_a_place_is_nobody() -> None:
    who = parse_clause("who keeps it?").expected
    assert agreement(who, "Their seat is in Wexham, by the bridge.") < 0
    assert agreement(who, "We send it all over Norland.") < 0
    assert agreement(who, "In Wexham it is Osric Fell.") > 0
    assert agreement(who, "It is in Osric Fell's care.") > 0


def test_where_somebody_is_a_native_of_is_a_place() -> None:
    where = parse_clause("in which town was the weaver born?").expected
    assert agreement(where, "A native of Wexham, she went to sea.") > 0
    assert agreement(where, "The place of birth is Ede.") > 0
    assert agreement(where, "The name of the dog is Rex.") < 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("All praise to Osric Fell for it.", ("Osric Fell",)),
        ("Full marks to Osric Fell.", ("Osric Fell",)),
        ("Visitors like the work of Osric Fell.", ("Osric Fell",)),
        ("Quarrow keeps it in repair.", ("Quarrow",)),
        ("Final checks are made in Quarrow.", ("Quarrow",)),
    ],
)
def test_words_that_only_open_a_sentence_name_nobody(text: str, names: tuple[str, ...]) -> None:
    assert targets_of(_page(text)) == names


def test_a_country_that_it_is_sent_to_is_nobody() -> None:
    assert named_as_place(_page("We send it all over Norland."))
    assert not named_as_place(_page("Norland Post brings it."))


@pytest.mark.parametrize(
    ("question", "key", "value", "doubted"),
    [
        ("where is it produced?", "producer", "Quarrow", True),
        ("where is it produced?", "produced_in", "Wexham", False),
        ("where is it produced?", "producer", "Quarrow, works in Wexham", False),
        ("who produces it?", "producer", "Quarrow", False),
        ("how many boxes are there?", "per_box", "24", True),
        ("how many wheels has it?", "wheel_bolts", "16", True),
        ("how many wheel bolts has it?", "wheel_bolts", "16", False),
        ("how many wheels has it?", "wheel_count", "4", False),
        ("how many pens are there?", "per_box", "24", False),
        ("how many are there per box?", "per_box", "24", False),
        ("how many seats does one carriage have?", "seats", "640", True),
        ("how many seats does one carriage have?", "seats_per_carriage", "64", False),
        ("how many seats does it have?", "seats", "640", False),
    ],
)
def test_what_is_told_of_something_else_is_doubted(question: str, key: str, value: str, doubted: bool) -> None:
    e = Evidence("a", "attribute", "Heron Pen", f"{key}: {value}", 1.0, "Heron Pen", key, value)
    assert (relevance_factor(e, parse_clause(question)) < 0.5) is doubted


def test_people_who_work_there_are_none_of_it() -> None:
    staff = _page("At the works 410 people earn their bread.")
    assert relevance_factor(staff, parse_clause("how many of these does the firm own?")) < 0.5
    assert relevance_factor(staff, parse_clause("how many of the locals work there?")) == 1.0
    assert relevance_factor(_page("They keep 12 of them."), parse_clause("how many of these does the firm own?")) == 1.0


def test_which_of_several_it_is_counts_nothing() -> None:
    asked = parse_clause("how many of these were printed?")
    volume = Evidence("e", "attribute", "Heron Bench", "volume: 3", 0.0, "Heron Bench", "volume", "3")
    copies = Evidence("e", "attribute", "Heron Bench", "print run: 300", 0.0, "Heron Bench", "print run", "300")
    assert relevance_factor(volume, asked) < 0.5 < relevance_factor(copies, asked)
