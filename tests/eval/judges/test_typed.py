"""The typed judge: right values in other clothes, and traps that look right."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from eval.data.gold import GoldAnswer, GoldTurn
from eval.judges.claims import chosen_name
from eval.judges.exact import judge_exact
from eval.judges.phrases import plain_attribute
from eval.judges.registry import make_judge
from eval.judges.typed import TypedJudge
from eval.judges.values import dates, quantities

FACTS = {
    "Amber Lamp": {
        "weight": "{{convert|340|g|oz|abbr=on}}", "maker": "[[Nordlicht Works|Nordlicht]]", "colours": "red<br />blue",
        "launched": "{{start date|1987|5|12}}", "parts": "12", "colour": "blue",
    },
    "Amber Lamp Deluxe": {
        "weight": "200&nbsp;g", "maker": "Holm & Sons", "colours": "{{hlist|green|red}}", "launched": "1992",
        "parts": "14", "colour": "amber",
    },
    "Model 340": {"weight": "90 g", "maker": "Ada Brück", "colours": "black", "parts": "{{formatnum:1200}}"},
}  # fmt: skip
JUDGE = TypedJudge(FACTS)


def turn(kind, value, unit=None, *, aliases=(), entities=("Amber Lamp",), rests_on=(), standalone=""):
    answer = GoldAnswer(kind, value, unit, tuple(aliases))
    pairs = tuple((entity, key) for entity, key in rests_on)
    return GoldTurn("i", entities[0], tuple(entities), answer, True, standalone, (), pairs, {})


WEIGHT = turn("number", 340.0, "g", rests_on=[("Amber Lamp", "weight")]), "How heavy is this?"
PARTS = turn("number", 12.0, rests_on=[("Amber Lamp", "parts")]), "How many parts has it?"
PRICE = turn("number", 12.5, "EUR"), "What does it cost?"
BOTH = ("Amber Lamp", "Amber Lamp Deluxe")
DEAR = turn("number", 250.9, "EUR"), "What does it cost?"
SUM = (
    turn("number", 540.0, "g", entities=BOTH, rests_on=[(name, "weight") for name in BOTH]),
    "What do this and the Amber Lamp Deluxe weigh together?",
)
MEAN = turn("number", 3.7466667, "kg", entities=BOTH), "What is their average weight?"
GUARANTEE = turn("number", 18.0, "month"), "How long is it guaranteed?"
COLD = turn("number", -5.0, "°C"), "How cold may it get?"
MODEL = turn("number", 90.0, "g", entities=("Model 340",), rests_on=[("Model 340", "weight")]), "Its weight?"
SIX = turn("number", 75.0, "EUR"), "6 pieces of this would be how much money?"
STAFF = turn("number", 1194.0), "How many people work for the maker?"


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (WEIGHT, "The Amber Lamp weighs 340 g."),
        (WEIGHT, "0.34 kg"),
        (WEIGHT, "It weighs 340 grams (0.34 kg)."),
        (WEIGHT, "About 12 oz."),
        (WEIGHT, "It weighs 340."),
        (WEIGHT, "It does not weigh 200 g but 340 g."),
        (WEIGHT, "340 g, up from 300 g."),
        (PARTS, "twelve"),
        (PARTS, "It has 12 parts and weighs 340 g."),
        (PARTS, "It was made in 1987 and has 12 parts."),
        (PRICE, "It costs €12.50."),
        (PRICE, "12.50 euros"),
        (PRICE, "EUR 12.5"),
        (PRICE, "12,50 €"),
        (SUM, "Together they weigh 540 g."),
        (SUM, "The Amber Lamp weighs 340 g and the Amber Lamp Deluxe 200 g, together 540 g."),
        (SUM, "0.54 kg"),
        (MEAN, "3.75 kg on average"),
        (GUARANTEE, "one year and six months"),
        (GUARANTEE, "1.5 years"),
        (COLD, "-5 °C"),
        (COLD, "23 °F"),
        (MODEL, "The Model 340 weighs 90 g."),
        (SIX, "75 € for 6: the price is 12.50 €."),
        (SIX, "At 12.50 euros apiece that is 75 euros."),
        (STAFF, "1,194 people work there, including two of my neighbours."),
        (PRICE, "12.50 € for one kilo: 2.50 € for 200 g."),
        (PRICE, "It is 2.50 € for 200 g, which makes 12.50 € a kilo."),
        (PARTS, "12 parts, so one a night keeps you busy."),
        (PARTS, "The blue one has 12 parts."),
    ],
)
def test_numbers_that_are_right(case, answer):
    assert JUDGE.judge(*case, answer).verdict == "correct"


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (WEIGHT, "It weighs 3,400 g."),
        (WEIGHT, "It weighs 340 kg."),
        (WEIGHT, "It is 340 cm long."),
        (WEIGHT, "341 g"),
        (WEIGHT, "0.3 kg"),
        (WEIGHT, "between 300 and 400 g"),
        (WEIGHT, "340 g or 200 g"),
        (WEIGHT, "340 g or 680 g"),
        (WEIGHT, "It does not weigh 340 g."),
        (WEIGHT, "200 g rather than 340 g"),
        (WEIGHT, "It is heavy."),
        (PARTS, "12 or 14"),
        (PARTS, "It weighs 12 g."),
        (PARTS, "12 parts, or one part"),
        (PARTS, "Just one."),
        (PARTS, "112 parts"),
        (PRICE, "$12.50"),
        (PRICE, "12 euros"),
        (PRICE, "12.45 euros"),
        (DEAR, "250 euros"),
        (SUM, "340 g and 200 g"),
        (SUM, "540 g or 600 g"),
        (MEAN, "4 kg"),
        (GUARANTEE, "18 weeks"),
        (COLD, "5 °C"),
        (MODEL, "It is the Model 340."),
        (SIX, "75 € for 6: the price is 15 €."),
        (SIX, "12.50 euros"),
        (STAFF, "1,194 people work there, or 1,832."),
        (PRICE, "12.50 € for one kilo: 3.50 € for 200 g."),
        (PRICE, "2.50 € for 200 g."),
        (WEIGHT, "340 g, or 0.68 kg."),
    ],
)
def test_numbers_that_only_look_right(case, answer):
    assert JUDGE.judge(*case, answer).verdict == "wrong"


CHOICE = turn("choice", "Amber Lamp", entities=BOTH), "Which is heavier, this or the Amber Lamp Deluxe?"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The Amber Lamp is heavier than the Amber Lamp Deluxe.", "correct"),
        ("The Amber Lamp Deluxe is lighter than the Amber Lamp.", "correct"),
        ("The Amber Lamp Deluxe is not heavier than the Amber Lamp.", "correct"),
        ("The Amber Lamp, at 340 g; the Amber Lamp Deluxe weighs 200 g.", "correct"),
        ("The heavier one is the Amber Lamp, not the Amber Lamp Deluxe.", "correct"),
        ("Amber Lamp", "correct"),
        ("The Amber Lamp Deluxe is heavier.", "wrong"),
        ("The Amber Lamp is not heavier than the Amber Lamp Deluxe.", "wrong"),
        ("The Amber Lamp is lighter than the Amber Lamp Deluxe.", "wrong"),
        ("Between the Amber Lamp and the Amber Lamp Deluxe, the Amber Lamp Deluxe is heavier.", "wrong"),
        ("Amber Lamp Deluxe", "wrong"),
        ("They weigh the same.", "wrong"),
        ("Neither.", "wrong"),
    ],
)
def test_choices(answer, verdict):
    assert JUDGE.judge(*CHOICE, answer).verdict == verdict


MAKER = turn("name", "Nordlicht", aliases=["Nordlicht Works"], rests_on=[("Amber Lamp", "maker")]), "Who made this?"
WHAT = turn("name", "Amber Lamp"), "What is this?"
COLOUR = turn("name", "blue", rests_on=[("Amber Lamp", "colour")]), "Which colour has it?"
ACCENT = turn("name", "Ada Brück", entities=("Model 340",), rests_on=[("Model 340", "maker")]), "Who made it?"


@pytest.mark.parametrize(
    ("case", "answer", "verdict"),
    [
        (MAKER, "It is made by Nordlicht.", "correct"),
        (MAKER, "NORDLICHT WORKS", "correct"),
        (MAKER, "Nordlicht's workshop made it.", "correct"),
        (MAKER, "Nordlichter made it.", "wrong"),
        (MAKER, "Holm and Sons makes it.", "wrong"),
        (MAKER, "Nordlicht or Holm & Sons", "wrong"),
        (MAKER, "It is not made by Nordlicht.", "wrong"),
        (MAKER, "Nordlicht or someone else", "wrong"),
        (MAKER, "Not Holm & Sons but Nordlicht", "correct"),
        (WHAT, "This is the Amber Lamp.", "correct"),
        (WHAT, "This is the Amber Lamp Deluxe.", "wrong"),
        (WHAT, "The Amber Lamp or the Model 340", "wrong"),
        (ACCENT, "Ada Bruck", "correct"),
        (COLOUR, "The Amber Lamp is blue.", "correct"),
        (COLOUR, "It is the Amber Lamp.", "wrong"),
    ],
)
def test_names(case, answer, verdict):
    assert JUDGE.judge(*case, answer).verdict == verdict


COLOURS = turn("list", ["red", "blue"], rests_on=[("Amber Lamp", "colours")]), "Which colours does it come in?"
LAUNCH = turn("date", "1987-05", rests_on=[("Amber Lamp", "launched")]), "When was it launched?"
SAFE = turn("yesno", False), "Is it dishwasher safe?"
PAYS = turn("yesno", True), "With 25 euros in my pocket, can 3 of it be bought?"
DAY = turn("name", "Sunday"), "On which day is the market?"
SIGN = turn("text", "NO ENTRY 24"), "What does the sign say?"


@pytest.mark.parametrize(
    ("case", "answer", "verdict"),
    [
        (COLOURS, "It comes in blue and red.", "correct"),
        (COLOURS, "red", "wrong"),
        (COLOURS, "red, blue and green", "wrong"),
        (COLOURS, "It comes in red but not in blue", "wrong"),
        (LAUNCH, "In May 1987.", "correct"),
        (LAUNCH, "12 May 1987", "correct"),
        (LAUNCH, "1987-05-12", "correct"),
        (LAUNCH, "12/05/1987", "correct"),
        (LAUNCH, "1987", "wrong"),
        (LAUNCH, "June 1987", "wrong"),
        (LAUNCH, "May 1987 or June 1992", "wrong"),
        (SAFE, "No, it is not.", "correct"),
        (SAFE, "It is not dishwasher safe.", "correct"),
        (SAFE, "It isn’t.", "correct"),
        (SAFE, "Yes, there is no problem.", "wrong"),
        (SAFE, "It is dishwasher safe.", "wrong"),
        (SAFE, "Yes. No, it isn't.", "wrong"),
        (SAFE, "Yes and no.", "wrong"),
        (PAYS, "Yes, 3 of them cost 23.25 euros.", "correct"),
        (PAYS, "It can be bought 3 times.", "correct"),
        (PAYS, "3 cost 23.25 euros.", "wrong"),
        (DAY, "The market is on Sunday.", "correct"),
        (DAY, "Sunday or Monday", "wrong"),
        (DAY, "On Saturday and Sunday.", "wrong"),
        (SIGN, "The sign says “No entry 24”.", "correct"),
        (SIGN, "NO ENTRV 24", "correct"),
        (SIGN, "No entry 25", "wrong"),
        (SIGN, "ENTRY", "wrong"),
    ],
)
def test_lists_dates_yes_and_no_and_texts(case, answer, verdict):
    assert JUDGE.judge(*case, answer).verdict == verdict


def test_whatever_is_said_where_nothing_can_be_known_is_wrong():
    nothing = GoldTurn("i", "Unknown Jar", ("Unknown Jar",), None, False)
    assert JUDGE.judge(nothing, "How heavy is this?", "340 g").verdict == "wrong"


def test_refusals_and_silence_are_missing_for_every_judge(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "turns.jsonl").write_text("")
    typed = make_judge("typed", tmp_path, {"i": WEIGHT[0]})
    line = {"interaction_id": "i", "query": "?", "ground_truth": "340 g", "status": "answered", "agent_response": ""}
    for judge in (typed, judge_exact):
        assert judge({**line, "agent_response": "I don’t know, perhaps 340 g."}).verdict == "missing"
        assert judge(line).verdict == "missing"
        assert judge({**line, "agent_response": "340 G "}).verdict == "correct"
    assert typed({**line, "interaction_id": "other", "agent_response": "340 g!"}).verdict is None
    assert judge_exact({**line, "agent_response": "0.34 kg"}).verdict == "wrong"


@settings(max_examples=150, deadline=None)
@drawn(st.integers(2, 9999), st.sampled_from([("g", "gram"), ("cm", "centimetres"), ("EUR", "euros"), (None, "parts")]))
def test_any_number_is_right_as_it_is_and_wrong_ten_times_over(value, unit):
    case = turn("number", float(value), unit[0], entities=("Thing",)), "How much?"
    assert JUDGE.judge(*case, f"It has {value:,} {unit[1]}.").verdict == "correct"
    assert JUDGE.judge(*case, f"It has {value * 10:,} {unit[1]}.").verdict == "wrong"
    assert JUDGE.judge(*case, f"It has {value} or {value + 1} {unit[1]}.").verdict == "wrong"


@settings(max_examples=150, deadline=None)
@drawn(st.integers(1, 99999))
def test_any_mass_is_right_in_kilograms(grams):
    case = turn("number", float(grams), "g", entities=("Thing",)), "How heavy?"
    assert JUDGE.judge(*case, f"{grams / 1000:.5f}".rstrip("0").rstrip(".") + " kg").verdict == "correct"
    assert JUDGE.judge(*case, f"{grams / 1000 * 1.05:.5f} kg").verdict == "wrong"


@settings(max_examples=100, deadline=None)
@drawn(st.dates())
def test_any_date_is_read_in_three_forms(day):
    if day.year < 1000 or day.year > 2199:
        return
    for text in (day.isoformat(), f"{day.day} {day:%B} {day.year}", f"{day:%b} {day.day}, {day.year}"):
        found = dates(f"It was on {text}.")
        assert [(d.year, d.month, d.day) for d in found] == [(day.year, day.month, day.day)]
        assert quantities(f"It was on {text}.") == []


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@drawn(st.text(max_size=80), st.sampled_from([WEIGHT, CHOICE, MAKER, COLOURS, LAUNCH, SAFE, SIGN, PARTS]))
def test_no_answer_breaks_the_judge(answer, case):
    assert JUDGE.judge(*case, answer).verdict in ("correct", "wrong")


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("{{convert|340|g|oz|abbr=on}}", "340 g"),
        ("{{val|3.5|u=kg}}", "3.5 kg"),
        ("{{EUR|3.50}}", "EUR 3.50"),
        ("{{formatnum:1200}}", "1200"),
        ("{{start date|1987|5|12|df=y}}", "1987-05-12"),
        ("{{plainlist|\n* red\n* blue\n}}", "red, blue"),
        ("red<br />blue", "red, blue"),
        ("[[A|B]]", "B"),
        ("<small>[[A]]</small>", "A"),
        ("{{nowrap|Ada Holm}}", "Ada Holm"),
        ("{{yes}}", "yes"),
        (["a", "b"], "a, b"),
        (None, "None"),
        ("{{}}", ""),
    ],
)
def test_attributes_without_their_markup(dirty, clean):
    assert plain_attribute(dirty) == clean


def test_what_a_share_is_of_is_no_second_claim():
    sugar = turn("number", 13.5, "g"), "How much sugar is in it?"
    for answer in ("13.5 g of sugar in 100 g.", "Of 100 g, 13.5 g are sugar.", "13.5 g per 100 g"):
        assert JUDGE.judge(*sugar, answer).verdict == "correct"


def test_a_comparing_word_in_a_name_compares_nothing():
    names = (["Gostusk Lower Bridge", "Lower Bridge"], ["Pelltofte Chain Bridge"])
    question = "between this bridge and Gostusk Lower Bridge, which is more expensive?"
    said = "Gostusk Lower Bridge is more expensive: 4 euros, against 0.50 euros for Pelltofte Chain Bridge."
    assert chosen_name(said, question, *names) == "gostusk lower bridge"
    turned = "Pelltofte Chain Bridge is cheaper than Gostusk Lower Bridge."
    assert chosen_name(turned, question, *names) == "gostusk lower bridge"
    assert chosen_name("Pelltofte Chain Bridge is more expensive.", question, *names) == "pelltofte chain bridge"


def test_one_more_thing_asks_for_no_more_of_anything():
    names = (["Arvo Kestrel"], ["Arvo Calla", "Arvo Wim"])
    said = "Arvo Kestrel is the least powerful: 148 kW, against 173 kW for Arvo Calla and 185 kW for Arvo Wim."
    for opener in ("", "One more thing: ", "one more question, "):
        assert chosen_name(said, f"{opener}which of this range is the least powerful?", *names) == "arvo kestrel"
    assert chosen_name(said, "which of this range is more powerful?", *names) != "arvo kestrel"


def test_what_was_counted_may_be_numbers_too():
    sizes = turn("number", 4, None), "In how many sizes is it sold?"
    assert JUDGE.judge(*sizes, "4 sizes: 36, 37, 39 and 41.").verdict == "correct"
    assert JUDGE.judge(*sizes, "5 sizes: 36, 37, 39 and 41.").verdict == "wrong"
    assert JUDGE.judge(*sizes, "4 sizes, or 5.").verdict == "wrong"
