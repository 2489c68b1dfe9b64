"""What a comparison compares on, and the phrases of a question that may stand for another thing."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import asked_in, parse_clause
from assistant.understanding.pointing.phrases import PLACED
from assistant.understanding.relation_phrases import split_hops


@pytest.mark.parametrize(
    ("question", "asked", "sign"),
    [
        ("what's the dearest to restore of the set?", "what does it cost to restore it?", 1),
        ("which is cheaper to buy, this or that?", "what is its price?", -1),
        ("which is newer, I mean this lamp or that?", "when did it come out?", 1),
        ("which candle is the longest burning of the set?", "how long does it burn?", 1),
        ("who is the shorter serving, this mayor or that one?", "how long does it serve?", -1),
        ("which would be longer to play, this or that?", "how long does it take to play?", 1),
        ("which one is shorter to read?", "how long does it take to read?", -1),
        ("which is less in need of sun?", "how much sun does it need?", -1),
        ("which would you say is hungrier for sun?", "how much sun does it need?", 1),
        ("which is roomier for standing passengers?", "how many standing passengers does it have room for?", 1),
        ("which of the two is less often fed?", "how often is it fed?", 1),
        ("which one needs to be watered more often, no: is watered most frequently?", "how often is it watered?", -1),
        ("that lamp or their other one, which of the two is shorter lived?", "how long does it last?", -1),
        ("which of them has the highest price?", "what is its price?", 1),
        ("what is the lowest price in this series?", "what is its price?", -1),
        ("which has the highest seat?", "what is its seat height?", 1),
        ("which is cheaper by far?", "what is its price?", -1),
        ("which one is more closely spaced?", "how closely is it spaced?", -1),
        ("which of the two is less generously planted?", "how far apart are they planted?", -1),
        ("which is smaller in bloom?", "how big is its bloom?", -1),
        ("name the one with the most fresh water of this fleet", "what is its fresh water?", 1),
        ("what's the slowest of this family?", "what is its speed?", -1),
        ("name the one that runs the longest of this line", "how long does it run?", 1),
        ("which is the one with the most in it?", "what is its content or net weight?", 1),
        ("which jar is smaller in content, this or that?", "what is its content or net weight?", -1),
        ("what's the one with the shortest coverage in this line?", "how long is it covered by the guarantee?", -1),
        ("what's the one with the most young in this brood?", "how many young does it have?", 1),
        ("which of the two is fonder of cold air?", "what temperature of air does it like?", -1),
        ("who of them is least fond of light?", "how much light does it need?", -1),
        ("which is lower in stature, this tree or that?", "how tall does it grow?", -1),
        ("which one is quicker to charge, this or that?", "how long does it take to charge?", -1),
        ("which hut is worse supplied with firewood?", "how much firewood is in it?", -1),
        ("which bridge is cheaper across the river?", "what is its price?", -1),
    ],
)
def test_the_scale_and_which_end_wins(question: str, asked: str, sign: int) -> None:
    found = parse_clause(question)
    assert found.operation in ("compare", "superlative")
    assert found.scale is not None
    assert (found.about[0], found.scale.sign) == (asked, sign)


@pytest.mark.parametrize("question", ["which train is cheaper to Ebern?", "the most expensive stamp to date?"])
def test_a_place_and_a_time_are_nothing_to_have_done(question: str) -> None:
    scale = parse_clause(question).scale
    assert scale is None or not scale.question


@pytest.mark.parametrize("question", ["what do the five rings mean?", "what do these two letters mean?"])
def test_what_something_means_is_no_average(question: str) -> None:
    assert parse_clause(question).operation != "mean"


def test_a_volume_of_a_series_is_no_measure() -> None:
    assert parse_clause("which one is less tall: that book or volume 2 of the series?").expected.dimensions == {
        "length"
    }
    assert parse_clause("which has the larger volume, this or that?").scale is not None


def test_charging_a_battery_is_no_matter_of_money() -> None:
    assert parse_clause("which one is slower to charge, this or that?").expected.dimensions == {"time"}
    assert parse_clause("which one is cheaper to charge, this or that?").expected.dimensions == {"money"}


def test_a_way_of_measuring_is_not_asked_for_as_a_price() -> None:
    found = asked_in("side to side, how much is the bridge over there")
    assert found.expected.dimensions == {"length"}
    assert not found.about


@pytest.mark.parametrize(
    "question",
    [
        "what is the designer by education",
        "the market in the town where this is put together, which day?",
        "what's the highest temperature it can be kept at?",
        "what is its greatest depth?",
        "tell me the lowest price I would pay for this",
    ],
)
def test_what_is_no_comparison_and_no_sum(question: str) -> None:
    assert parse_clause(question).operation == "lookup"


@pytest.mark.parametrize(
    ("question", "inner", "outer"),
    [
        ("when was the firm behind it set up?", "what is the firm behind it?", "when was it set up?"),
        (
            "from which town does the firm behind it operate?",
            "what is the firm behind it?",
            "from which town does it operate?",
        ),
        (
            "what day does the town where it has its home hold its market?",
            "what is the town where it has its home?",
            "what day does it hold its market?",
        ),
        ("the elevation of the place it is made in?", "what is the place it is made in?", "the elevation of it?"),
        (
            "head office of the maker of it, in which town?",
            "what is the maker of it?",
            "head office of it, in which town?",
        ),
        ("the mayor of the town where it is sewn?", "what is the town where it is sewn?", "the mayor of it?"),
        (
            "in which county does the woman who cut the stencil of it live these days?",
            "what is the woman who cut the stencil of it?",
            "in which county does it live these days?",
        ),
        (
            "who is the present vicar of the village it takes place in?",
            "what is the village it takes place in?",
            "who is the present vicar of it?",
        ),
        (
            "the diver who first filmed that wreck holds a licence in what?",
            "what is the diver who first filmed that wreck?",
            "it holds a licence in what?",
        ),
        (
            "when was the man who repaired the cracked bell born?",
            "what is the man who repaired the cracked bell?",
            "when was it born?",
        ),
    ],
)
def test_a_phrase_is_cut_whole(question: str, inner: str, outer: str) -> None:
    found = {(h.inner, h.outer) for h in split_hops(question)}
    assert (inner, outer) in found
    assert not any(h.outer.endswith(("does it?", "set it?")) or " it behind" in h.outer for h in split_hops(question))


@pytest.mark.parametrize(
    ("question", "torn"),
    [
        ("in which county does the woman who cut the stencil of it live these days?", "live"),
        ("who is the present vicar of the village it takes place in?", "the present"),
        ("who is the present vicar of the village it takes place in?", "takes"),
        ("the diver who first filmed that wreck holds a licence in what?", "holds"),
        ("when was the man who repaired the cracked bell born?", "repaired"),
        ("when was the man who repaired the cracked bell born?", "cracked"),
        ("how much is the height of it at the ridge?", "the height of it"),
        ("tell me where the owner of it resides", "resides"),
    ],
)
def test_a_phrase_does_not_end_in_the_middle(question: str, torn: str) -> None:
    assert split_hops(question)
    assert not any(h.phrase.endswith(torn) for h in split_hops(question))


@pytest.mark.parametrize(
    ("said", "core"),
    [
        ("ok so current home of the designer, which town?", "current home of the designer, which town?"),
        ("this kettle, how heavy is it?", "how heavy is it?"),
        ("the box on the left, which one is it?", "which one is it?"),
        ("just asking, the company, where are they at home?", "where are the company at home?"),
        ("that firm, how many people work in it?", "how many people work in that firm?"),
        ("the composer, when's the birthday?", "when's the birthday of the composer?"),
        ("the tower, when was it built?", "when was it built?"),
        ("is this actually the same?", "is this the same?"),
        ("the town with the yard, which river is that on?", "which river is the town with the yard on?"),
        ("the town this fish is at home in, when's the fair?", "when's the fair in the town this fish is at home in?"),
        ("the place named on it, how high above the sea?", "how high above the sea is the place named on it?"),
        ("is the air thin in the town it belongs to, how high is it?", "how high is the town it belongs to?"),
        ("the poster on the left, when is the concert?", "when is the concert?"),
    ],
)
def test_a_noun_phrase_before_which_town_stays(said: str, core: str) -> None:
    assert asking_clause(said) == core


@pytest.mark.parametrize(
    ("said", "whole", "kind", "dimensions"),
    [
        (
            "hm, if I put the lamp on the right on a scale, what would it show?",
            "if I put the lamp on the right on a scale, what would it show?",
            "quantity",
            {"mass"},
        ),
        ("side to side, how much is this bridge?", "side to side, how much is this bridge?", "quantity", {"length"}),
        ("unopened, how long does it keep?", "unopened, how long does it keep?", "quantity", {"time"}),
        ("ok so this kettle, how heavy is it?", "", "quantity", {"mass"}),
        ("what does it cost?", "", "quantity", {"money"}),
    ],
)
def test_a_condition_stays_with_what_is_asked(said: str, whole: str, kind: str, dimensions: set[str]) -> None:
    asked = asked_in(said)
    assert (asked.whole, asked.expected.kind, set(asked.expected.dimensions)) == (whole, kind, dimensions)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("when was the company behind it founded?", "when was the company behind it founded?"),
        ("what does the box behind it cost?", "what does it cost?"),
        ("the firm behind this, where is it?", "the firm behind this, where is it?"),
    ],
)
def test_who_stands_behind_a_thing_is_not_placed_there(said: str, left: str) -> None:
    assert PLACED.sub("it", said) == left


@pytest.mark.parametrize(
    ("question", "outers"),
    [
        ("when did the company that makes it get going?", {"when did it get going?"}),
        ("who got that company off the shelf?", {"who got it off the shelf?"}),
        ("where did the poet come to rest?", {"Where did it come to rest?"}),
    ],
)
def test_what_is_left_is_a_question(question: str, outers: set[str]) -> None:
    found = {h.outer.lower() for h in split_hops(question)}
    assert {o.lower() for o in outers} <= found
    assert not any(o.startswith(("when did it going", "who got it the", "where did it to")) for o in found)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("is the boat out there slower than it?", "speed"),
        ("is the tower longer than the other one?", "length"),
        ("is the milk kept longer than this one?", "duration"),
        ("does the boat go slower than this one?", "speed"),
    ],
)
def test_what_is_compared_in_a_yes_or_no_question(question: str, noun: str) -> None:
    found = parse_clause(question)
    assert found.operation == "yesno"
    assert found.scale is not None
    assert found.scale.noun == noun


def test_how_much_more_it_does_is_a_difference() -> None:
    asked = parse_clause("how much more does it carry than the old one?")
    assert asked.operation == "difference"
    assert asked.about[0] == "how much does it carry?"


def test_what_was_told_last_is_no_comparison() -> None:
    assert parse_clause("what number did the latest count of them come up with?").scale is None


def test_that_before_a_noun_points() -> None:
    assert (
        asking_clause("Would you say that plant is taller than the fern?") == "if that plant is taller than the fern?"
    )
    assert asking_clause("Would you say that it is taller than the fern?") == "if it is taller than the fern?"
