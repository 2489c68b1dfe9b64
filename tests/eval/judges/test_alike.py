"""What the lexical judge's model reads: the same amounts and moments in the same words, everything else as it was."""

from __future__ import annotations

import pytest

from eval.judges.lexical.alike import alike


@pytest.mark.parametrize(
    ("truth", "answer", "read"),
    [
        ("The mast is 12 metres tall.", "It rises thirty-nine feet and four inches.", "It rises 12 metres."),
        ("It costs $20.", "That's 20 dollars.", "That's $20."),
        ("2,500 kg", "It may tow 2.5 tonnes, braked.", "It may tow 2,500 kg, braked."),
        ("41 minutes by train, 40 minutes by bus", "By bus, forty minutes.", "By bus, 40 minutes."),
        ("18 g", "0.018 kg of it", "18 g of it"),
        ("opened in May 1932", "It opened in 5/1932.", "It opened in May 1932."),
        ("The last one leaves at 8:30 pm.", "At 20:30.", "At 8:30 pm."),
        ("about 110 years", "about eleven decades", "about 110 years"),
    ],
)
def test_what_is_the_same_takes_the_words_of_the_truth(truth: str, answer: str, read: str):
    assert alike(truth, answer)[1] == read


@pytest.mark.parametrize(
    ("truth", "answer"),
    [
        ("12 metres", "It is 12 feet tall."),
        ("opened in May 1932", "It opened in 1932."),
        ("opened in 1932", "It opened in the 1930s."),
        ("24 kg (53 lb)", "It weighs 53 lb."),
        ("51", "It's 50."),
        ("206 bones", "It has 210 bones."),
        ("8.2 kg", "It weighs nearly 9 kg."),
        ("This is a Porsche 911.", "This is a Porsche 900."),
        ("50 weeks", "52 weeks"),
        ("25 hours", "1 day"),
        ("The box weighs 41 kg, the lid 40 kg.", "The lid weighs 40 kg."),
        ("330 metres (1,083 feet)", "Tokyo Tower, at 333 metres"),
        ("5 ft 11 in", "6 feet"),
        ("10 °C warmer", "50 °F warmer"),
        ("£20 each", "It weighs 20 pounds."),
        ("20 to 30 kg", "44 lb"),
        ("closed on Mondays", "It is closed on Monday."),
        ("", "42 grams"),
        ("42 grams", ""),
    ],
)
def test_what_is_not_the_same_or_is_as_precise_already_stays(truth: str, answer: str):
    assert alike(truth, answer)[1] == answer


def test_the_truth_keeps_its_words_and_number_words_become_figures():
    assert alike("Seven seats, built in nineteen sixty-nine", "7")[0] == "7 seats, built in 1969"


@pytest.mark.slow
def test_strange_texts_are_read():
    for text in ("12 m " * 150, "1/2/3/4/5 " * 100, "🙂" * 500, "\x00\n" * 100):
        assert isinstance(alike("12 metres, 5 March 1998", text)[1], str)
        assert isinstance(alike(text, text)[1], str)
