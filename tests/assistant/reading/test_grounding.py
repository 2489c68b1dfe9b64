"""The check: numbers, names, subjects and polarity that the evidence does not carry are refused."""

from __future__ import annotations

import datetime
from dataclasses import replace

from assistant.core.types import Evidence, Sentence
from assistant.reading.grounding import grounding_problem
from assistant.understanding.intent import parse_clause
from assistant.understanding.plan import Plan


def _plan(question: str, *subjects: str) -> Plan:
    return Plan(question, subjects, (question,), "lookup", parse_clause(question), datetime.date(2026, 11, 1))


WEIGHT = Evidence(
    "a", "attribute", "Kettle One", "weight: 1.2 kg", 1.0, subject="Kettle One", key="weight", value="1.2 kg"
)
OTHER = Evidence(
    "b", "attribute", "Kettle Two", "weight: 1500 g", 1.0, subject="Kettle Two", key="weight", value="1500 g"
)
MADE = Evidence("c", "attribute", "Kettle One", "founded: 1990", 1.0, subject="Kettle One", key="founded", value="1990")
SAFE = Evidence(
    "d", "passage", "https://x.invalid", "It is not safe in the oven.", 1.0, subject="Kettle One", title="Kettle One"
)


def _reason(
    text: str, *evidence: Evidence, question: str = "how heavy is it?", subjects: tuple[str, ...] = ("Kettle One",)
) -> str:
    return grounding_problem(
        Sentence(text, tuple(e.id for e in evidence)), (WEIGHT, OTHER, MADE, SAFE), _plan(question, *subjects)
    )


def test_a_stated_value_passes() -> None:
    assert _reason("The weight of Kettle One is 1.2 kg.", WEIGHT) == ""


def test_another_number_or_name_is_refused() -> None:
    assert "1.3" in _reason("The weight of Kettle One is 1.3 kg.", WEIGHT)
    assert "Boston" in _reason("The weight of Kettle One, says Anna Boston, is 1.2 kg.", WEIGHT)


def test_a_sentence_without_evidence_is_refused() -> None:
    assert grounding_problem(Sentence("It weighs 1.2 kg.", ()), (WEIGHT,), _plan("how heavy is it?", "Kettle One"))


def test_shown_arithmetic_passes() -> None:
    both = ("Kettle One", "Kettle Two")
    assert _reason("0.3 kg: 1.2 kg for Kettle One and 1500 g for Kettle Two.", WEIGHT, OTHER, subjects=both) == ""
    assert (
        _reason("2.7 kg together: 1.2 kg for Kettle One and 1500 g for Kettle Two.", WEIGHT, OTHER, subjects=both) == ""
    )
    assert _reason("36 years: Kettle One was founded in 1990.", MADE, question="how old is it?") == ""
    assert _reason("1.2 kg, which is 42.33 oz.", WEIGHT, question="how heavy is it in ounces?") == ""


def test_a_slip_of_the_decimal_point_is_no_step() -> None:
    weight = replace(WEIGHT, id="w", text="weight: 400 g", value="400 g")
    price = replace(WEIGHT, id="p", key="price", text="price: €3.60", value="€3.60")
    plan = _plan("what does it cost per kilo?", "Kettle One")

    def said(total: str) -> str:
        sentence = Sentence(f"{total} for a kilo: €3.60 for 400 g.", ("w", "p"))
        return grounding_problem(sentence, (weight, price), replace(plan, question="what does a kilo of it cost?"))

    assert said("€9") == ""
    assert "0.9" in said("€0.90")
    assert "90" in said("€90")


def test_evidence_about_something_else_is_refused() -> None:
    assert "Kettle Two" in _reason("Kettle One weighs 1500 g.", OTHER)


def test_polarity_must_agree() -> None:
    question = "is it safe in the oven?"
    assert _reason("No: Kettle One is not safe in the oven.", SAFE, question=question) == ""
    assert _reason("Yes: Kettle One is not safe in the oven.", SAFE, question=question)


def test_markup_is_refused() -> None:
    assert _reason("Kettle One weighs 1.2 kg <script>x</script>.", WEIGHT)


def test_a_date_in_another_form_is_the_same_date() -> None:
    stated = Evidence(
        "d", "attribute", "Heron", "christened: 1936-07-04", 1.0, subject="Heron", key="christened", value="1936-07-04"
    )
    plan = _plan("how old was it in 2013?", "Heron")
    said = Sentence("77 years: from 4 July 1936 to 2013.", ("d",))
    assert grounding_problem(said, (stated,), plan) == ""
    assert grounding_problem(Sentence("77 years: from 5 July 1936 to 2013.", ("d",)), (stated,), plan)


def test_per_cent_in_two_words_is_plain_text() -> None:
    told = Evidence("e", "passage", "Heron", "45 per cent of it is wool.", 1.0, subject="Heron")
    assert (
        grounding_problem(Sentence("45 per cent of it is wool.", ("e",)), (told,), _plan("how much is wool?", "Heron"))
        == ""
    )
