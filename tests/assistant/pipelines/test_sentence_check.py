"""What may be said without evidence at the strictest setting: what others than the model saw, nothing it recalls."""

from __future__ import annotations

import datetime

import pytest

from assistant.core.types import Strictness
from assistant.models.sentences import SentenceParser
from assistant.pipelines.sentence_check import Basis, grounded
from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import parse_clause
from assistant.understanding.plan import Plan

QUESTION = "What is the one on the left?"


def shown(text: str, strictness: Strictness, *read: str, check: bool = True) -> str:
    """The ground under which the sentence is shown, "" where it is not."""
    parser = SentenceParser()
    (one,) = [*parser.feed(text), *parser.finish()]
    plan = Plan(
        QUESTION,
        ("Harrow Kettle",),
        (QUESTION,),
        "lookup",
        parse_clause(asking_clause(QUESTION)),
        datetime.date(2026, 11, 1),
    )
    sentence, _ = grounded(one, Basis((), plan, True, strictness, lambda: read), check=check)
    return sentence.ground if sentence is not None else ""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It stands in Port Alder [picture].", ()),
        ("It costs 40 euros [picture].", ()),
        ("There are 83 people [picture].", ()),
        ("It was built in 1402 [picture].", ("open since 1403",)),
        ("It weighs 3 kg [picture].", ()),
    ],
)
def test_at_severe_a_name_or_figure_that_only_the_model_sees_is_not_shown(text, read):
    assert shown(text, "severe", *read) == ""
    assert shown(text, "moderate", *read) == "picture"
    assert shown(text, "severe", *read, check=False) == "picture"  # a visitor who switched the check off


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It is blue [picture].", ()),
        ("There are 7 of them [picture].", ()),
        ("It is made of dried fish and lemons [picture].", ()),
        ("It is the Harrow Kettle [picture].", ()),  # recognised
        ("It stands in Port Alder [picture].", ("PORT ALDER", "museum")),
        ("It costs 40 euros [picture].", ("40 euros",)),
        ("It was built in 1402.", ("built in 1402",)),
    ],
)
def test_at_severe_what_was_read_recognised_or_can_be_seen_is_shown(text, read):
    assert shown(text, "severe", *read) == "picture"


@pytest.mark.parametrize("text", ["It is rare [memory].", "It was founded by Ida Venn."])
def test_memory_is_left_to_the_looser_settings(text):
    assert shown(text, "severe") == ""
    assert shown(text, "none") == "memory"
