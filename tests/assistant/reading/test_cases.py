"""A fact told for one case answers no question about another; what falls short of a quality does not have it."""

from __future__ import annotations

import pytest

from assistant.reading.scoring.cases import falls_short, of_another_case
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

NAME = "Halden Oat Biscuits"
MAKER = {"manufacturer": "Halden", "price": "3.40 €"}


def made(*sentences: str, **attributes: str) -> MemoryKnowledge:
    """One thing with these attributes beside its price and maker, and a page of these sentences."""
    page = {"url": "https://x.invalid/p", "title": NAME, "text": " ".join(sentences)}
    return MemoryKnowledge([{"name": NAME, "attributes": MAKER | attributes}], [page] if sentences else [])


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("how many calories per serving?", "energy per 100 g: 450 kcal", True),
        ("how many calories does a portion have?", "kcal per 100 g: 450", True),
        ("how many calories does the whole packet have?", "450 kcal per 100 g", True),
        ("how many calories per 100 g?", "Per serving: 120 kcal", True),
        ("how many calories per serving?", "120 kcal per serving, 450 per 100 g", False),
        ("how many calories does it have?", "energy per 100 g: 450 kcal", False),
        ("how much is in it?", "There are 260 g in it.", False),
        ("how long does an open jar keep?", "Closed it lasts 17 months.", True),
        ("how long does it keep once opened?", "shelf life: 17 months", True),
        ("how long does it keep unopened?", "Finish it within 52 days after opening.", True),
        ("how long does it keep?", "Finish it within 52 days after opening.", False),
        ("is it open on Sundays?", "Closed on Mondays.", False),
        ("when was it opened?", "It was opened in 1950.", False),
    ],
)
def test_cases_of_one_kind_exclude_each_other(asked: str, told: str, another: bool) -> None:
    assert of_another_case(asked, told) is another


def test_calories_of_a_serving_are_not_those_of_100_g() -> None:
    per_100 = made(energy_per_100_g="450 kcal", portions="8", net_weight="260 g")
    for question in ("how many calories per serving?", "how much energy does one portion have?"):
        assert answer(per_100, question, NAME)[0] == ""
    said = answer(per_100, "how many calories per 100 g?", NAME)[0]
    assert said == f"The energy per 100 g of {NAME} is 450 kcal."
    both = made("Energy per 100 g: 450 kcal.", "Per serving: 120 kcal.", portions="8")
    assert answer(both, "how many calories are in one serving?", NAME)[0] == f"{NAME}: 120 kcal per serving."


def test_how_long_it_keeps_closed_is_not_how_long_it_keeps_open() -> None:
    closed, opened = "Closed it lasts 17 months.", "Finish it within 52 days after opening."
    assert answer(made(closed, shelf_life="17 months"), "how long does it keep once opened?", NAME)[0] == ""
    told = made(closed, opened, shelf_life="17 months")
    assert "52 days" in answer(told, f"how long can an open {NAME} stay around?", NAME)[0]
    assert "17 months" in answer(told, "how long does it keep unopened?", NAME)[0]


def test_a_weight_is_no_energy() -> None:
    weighed = made("There are 260 g in it, gone by Sunday.")
    for question in ("how much energy is in it?", "energy content of it, per 100 g please"):
        assert answer(weighed, question, NAME)[0] == ""
    fed = made("There are 260 g in it, gone by Sunday.", "It gives you 450 kcal of energy per 100 g.")
    assert "450 kcal" in answer(fed, "how much energy is in it?", NAME)[0]


@pytest.mark.parametrize(
    ("asked", "told", "less"),
    [
        ("is it waterproof?", "It is splash-proof.", True),
        ("can i swim with it?", "Rain and splashes do it no harm.", True),
        ("is it waterproof?", "It is waterproof, not merely splash-proof.", False),
        ("is it splash proof?", "It is waterproof.", False),
        ("is it fireproof?", "The cover is heat-resistant.", True),
    ],
)
def test_what_falls_short(asked: str, told: str, less: bool) -> None:
    assert falls_short(asked, told) is less


@pytest.mark.parametrize(
    ("told", "question", "said"),
    [
        ("It is splash proof.", "is it waterproof?", ""),
        ("It is splash proof.", "is it splash proof?", "Yes"),
        ("It is not even splash proof.", "is it waterproof?", "No"),
        ("Rain and splashes do it no harm.", "is it waterproof?", ""),
        ("Rain and splashes do it no harm.", "can it get wet?", "Yes"),
    ],
)
def test_splash_proof_is_not_waterproof(told: str, question: str, said: str) -> None:
    assert answer(made(told), question, NAME)[0].partition(":")[0] == said
    key = {"splash_proof": "no" if " not " in told else "yes"}
    if "splash proof" in told:
        assert answer(made(**key), question, NAME)[0].partition(":")[0] == said
