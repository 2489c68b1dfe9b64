"""Whether somebody, a firm or a place is meant, and in which respect something is asked and told."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.reading.scoring.property_classifier import FAMILIES, NONE, respects
from assistant.text.encoder import text_encoder
from assistant.understanding.roles import by_role, not_in_places, role_asked, role_of


@pytest.mark.parametrize(
    ("phrase", "role"),
    [
        ("the company", "firm"),
        ("the firm that keeps it in repair", "firm"),
        ("the little town where it was baked", "place"),
        ("its home port", "place"),
        ("the person who drew it", "person"),
        ("that scientist", "person"),
        ("the translator of it", "person"),
        ("the village printed on it", "place"),
        ("the maker", None),
        ("the tower", None),
        ("the charter of the town", None),
        ("the river that runs by it", None),
        ("the carver of it", "person"),
        ("whoever built it", None),
    ],
)
def test_what_a_phrase_speaks_of(phrase: str, role: str | None) -> None:
    assert role_asked([phrase]) == role


@pytest.mark.parametrize(
    ("told", "role"),
    [
        (["Harrow & Pike is a company in Lower Wexham.", "It employs 40 people."], "firm"),
        (["Odo Farrant was born in 1931.", "He studied law."], "person"),
        (["Lower Wexham is a small town on the Ede.", "The mayor is a baker."], "place"),
        (["It rained all week."], None),
        ([], None),
    ],
)
def test_what_a_name_stands_for_is_read_from_its_pages(told: list[str], role: str | None) -> None:
    assert role_of(told) == role


def test_whoever_did_it_is_seldom_a_town() -> None:
    pages = {"Odo Farrant": ["Odo Farrant was born in 1931."], "Ede": ["Ede is a town."]}
    moved = not_in_places(list(pages), [0.5, 0.6], lambda name: pages[name])
    assert moved[1] < 0.2 < moved[0] == pytest.approx(0.5)


def test_the_only_firm_among_the_names_is_meant_by_the_company() -> None:
    pages = {
        "Odo Farrant": ["Odo Farrant was born in 1931."],
        "Harrow & Pike": ["Harrow & Pike is a company."],
        "Ede": ["Nothing is told of it."],
    }
    names = list(pages)
    moved = by_role("firm", names, [0.5, 0.3, 0.3], lambda name: pages[name])
    assert moved[1] == max(moved) > 0.7
    assert moved[0] < 0.2
    assert moved[2] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("family", "question", "of", "facts"),
    [
        ("thing", "how heavy is it?", "", ["weight: 4.2 kg", "price: €12", "colour: red"]),
        (
            "thing",
            "what would I have to pay for that?",
            "",
            ["price: €12", "weight: 4.2 kg", "by: Odo Farrant"],
        ),
        ("behind", "in what year did it start out?", "firm:", ["It was founded in 1931.", "It employs 40 people."]),
        ("behind", "what did it study?", "person:", ["It has a degree in law.", "It was born in Wexham."]),
        ("relation", "who is the person who designed it?", "", ["It was designed by it.", "It is sold by it."]),
    ],
)
def test_the_fact_of_the_same_property_agrees_most(family: str, question: str, of: str, facts: list[str]) -> None:
    found = respects(family).agreement([question], facts, text_encoder().encode, of)  # type: ignore[arg-type]
    assert found.argmax() == 0
    assert np.all((found >= -2.7) & (found <= 2.0))


def test_every_family_has_its_class_for_what_only_looks_like_a_statement() -> None:
    for family in FAMILIES:
        kinds = respects(family).kinds
        assert kinds[-1] == NONE
        assert len(set(kinds)) == len(kinds) > 50
