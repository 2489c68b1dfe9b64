"""What is said of what is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.speech.wording import MAX_CHARS, PIECE_CHARS, REST, pieces, spoken, voice_for


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Halden Oat Biscuits cost 3.40 euros.", "Halden Oat Biscuits cost 3.40 euros."),
        ("It costs $3.40, or 1 €.", "It costs 3.40 dollars, or 1 euro."),
        ("a\x00b\x07c\u202ed\ud800e", "a b c d e"),
        ("<speak>wait <break time='30s'/>here</speak>", "wait here"),
        ("[[h@'loU]] {{x}} ${y} `z`", "h@'loU x $ y z"),
        ("See https://shop.invalid/halden?x=1 for more.", "See shop.invalid for more."),
        ("[the shop](http://a.invalid/b(c)) **bold** # head", "the shop bold head"),
        ("3 < 4 and 5 > 4", "3 4 and 5 4"),
        ("20 °C 🍪", "20 degrees Celsius"),
        ("$1.5 million, €5M, US$ 5", "1.5 million dollars, 5 million euros, US$ 5"),
        ("It weighs 2,080 g; 1 kg.", "It weighs 2,080 grams; 1 kilogram."),
        ("5 in the box, 3 kilos, the 1990s", "5 in the box, 3 kilos, the 1990s"),
        ("30 m², 120 km/h, EUR 3.40", "30 square meters, 120 kilometers per hour, 3.40 euros"),
        ("from 2019-05-03, 9:00–17:00; 2019-13-45", "from 3 May 2019, 9:00 to 17:00; 2019-13-45"),
        ("🍪 👩‍🍳", ""),
        (" \n\t… — !", ""),
    ],
)
def test_words_only(written: str, said: str):
    assert spoken(written) == said


def test_pieces_are_sentences_in_order():
    assert pieces("It costs 3.40 euros. It is made by Halden Mills! Anything else?") == [
        "It costs 3.40 euros.",
        "It is made by Halden Mills!",
        "Anything else?",
    ]
    assert pieces("first line\nsecond line") == ["first line.", "second line."]
    assert pieces("水は青い。空も青い。") == ["水は青い。", "空も青い。"]
    assert pieces("") == pieces("…") == []


def test_a_book_is_cut_and_says_so():
    long = pieces("Sentence number one is here. " * 5000)
    assert long[-1] == REST
    assert sum(map(len, long)) <= MAX_CHARS + PIECE_CHARS
    words = pieces("word, " * 200)
    assert all(len(piece) <= PIECE_CHARS for piece in words)
    assert all(piece.endswith(("word,", "word")) for piece in words)  # cut where one would breathe
    assert all(len(piece) <= PIECE_CHARS for piece in pieces("x" * 5000))


@pytest.mark.slow
@given(st.text(max_size=2000))
def test_any_text_gives_plain_pieces(text: str):
    for piece in pieces(text):
        assert piece == piece.strip() != ""
        assert piece.isprintable()
        assert not set(piece) & set("<>[]{}`")


def test_the_voice_follows_the_script():
    assert voice_for("Halden Müller costs Ωmega") is None
    assert voice_for("水は青い") == "ja"
    assert voice_for("水是蓝的") == "cmn"
    assert voice_for("Привет, мир") == "ru"
    assert voice_for("مرحبا") == "ar"
    assert voice_for("3.40") is None
