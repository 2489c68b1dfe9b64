"""Placeholders of pictures in a reply: never cut in two, between sentences, the same however the reply comes."""

from __future__ import annotations

import time

import pytest

from assistant.core.placeholders import PLACEHOLDER, placeholder
from assistant.core.turn_builder import written
from assistant.core.types import Sentence
from assistant.models.sentences import SentenceParser
from tests.assistant.models.test_reply_sentences import said_in


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            "It is so [2].\n\n![A lever. It is red [3]](piece-3)\n\nIt is red [1].",
            ["It is so.", "piece-3", "It is red."],
        ),
        ("It is so. ![A](piece-3) [2] It is red [1].", ["It is so.", "piece-3", "It is red."]),
        (
            "Press it ![lever](piece-3) until it clicks [1]. Wait [2].",
            ["Press it until it clicks.", "piece-3", "Wait."],
        ),
        ("Press it so: ![lever](piece-3) Then wait [2].", ["Press it so:", "piece-3", "Then wait."]),
        ("So [1]. ![](piece-2)![c](piece-3) More [2].", ["So.", "piece-2", "piece-3", "More."]),
        ('So [1].\n![x](<piece-4> "A title")', ["So.", "piece-4"]),
        ("- ![x](piece-1)\n- Fill it [1].\n2. ![y](piece-2)\n", ["piece-1", "Fill it.", "piece-2"]),
        ("So it is [1]. ![x](https://x.invalid/a_(b).jpg) So.", ["So it is.", "https://x.invalid/a_(b).jpg", "So."]),
        ("<think>![x](piece-1) Or so.</think>So it is [1].", ["So it is."]),
        ("So it is [1]. ![half of (piece-9", ["So it is."]),
        ("Wow! So it is [1]!", ["Wow!", "So it is!"]),
        ("A mark \ue0000\ue001 of its own [1].", ["A mark 0 of its own."]),
    ],
)
def test_a_reply_with_pictures_is_taken_apart_the_same_however_it_comes(reply, expected, size):
    assert [s.picture or s.text for s in said_in(reply, size=size)] == expected


def test_a_picture_is_given_as_soon_as_its_placeholder_is_whole():
    parser = SentenceParser()
    assert [s.text for s in parser.feed("It weighs 3 kg [2]. ![The")] == ["It weighs 3 kg."]
    assert parser.feed(" lever. It](piece-") == []
    assert parser.draft == ""
    (picture,) = parser.feed("3)")
    assert (picture.picture, picture.text) == ("piece-3", "The lever. It")
    assert parser.feed(" [4] It") == []
    assert [(s.text, s.numbers) for s in parser.feed(" is red [1].") + parser.finish()] == [("It is red.", (1,))]


def test_one_that_interrupts_a_sentence_waits_for_its_end():
    parser = SentenceParser()
    assert parser.feed("Press the lever ![lever](piece-3) until") == []
    assert parser.draft == "Press the lever until"
    assert [s.picture or s.text for s in parser.feed(" it clicks [1]. Then wait")] == [
        "Press the lever until it clicks.",
        "piece-3",
    ]


def test_a_long_reply_that_was_cut_keeps_what_is_whole():
    reply = "One is so [1]. Two is so [1]. Three is so [1]. ![x](piece-1)\nFour is"
    short, long = SentenceParser(), SentenceParser(long=True)
    for parser in (short, long):
        parser.feed(reply, may_be_thinking=True)
    assert short.finish(cut=True) == []
    found = long.finish(cut=True)
    assert [s.picture or s.text for s in found] == ["One is so.", "Two is so.", "Three is so.", "piece-1", "Four is"]
    assert [s.whole for s in found] == [True] * 4 + [False]


@pytest.mark.parametrize("piece", ["![", "![a](", "[a", "![a [b", "![[a]", "![a](b(c", "!"])
def test_a_reply_full_of_beginnings_is_taken_apart_in_no_time(piece):
    reply = f"So it is [1]. {piece * 2000}"
    start = time.perf_counter()
    assert said_in(reply, size=len(reply) // 4)[0].text.startswith("So it is")
    assert time.perf_counter() - start < 2.0


def test_a_placeholder_holds_whatever_it_is_given():
    for caption, url in [("", ""), ("[a] ](b", "x y"), ("a\nb", "https://x.invalid/(a)[b]?c=“d”")]:
        found = PLACEHOLDER.fullmatch(placeholder(caption, url))
        assert found is not None
        assert "\n" not in found[0]
    assert (
        placeholder("A lever", "https://x.invalid/a.jpg?b=1&c=%20") == "![A lever](https://x.invalid/a.jpg?b=1&c=%20)"
    )


def test_pictures_stand_on_lines_of_their_own_in_a_text():
    picture = Sentence("![p](u)", ("p",), picture="p")
    one, two = Sentence("One.", ()), Sentence("Two.", ())
    assert written([one, two]) == "One. Two."
    assert written([one, picture, picture, two, one]) == "One.\n![p](u)\n![p](u)\nTwo. One."
    assert written([]) == ""
