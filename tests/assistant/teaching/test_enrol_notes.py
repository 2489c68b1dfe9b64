"""Facts and sentences as visitors type them."""

import pytest

from assistant.core.errors import BadInput
from assistant.teaching.taught_object import MAX_LINES, clean_name, parse_notes


@pytest.mark.parametrize(
    ("text", "facts", "sentences"),
    [
        ("maker: Aunt Vreni", {"maker": "Aunt Vreni"}, ()),
        ("Maker : Aunt\n\nmaker: Uncle", {"Maker": "Aunt; Uncle"}, ()),
        ("maker: Aunt\nMAKER: Aunt", {"maker": "Aunt"}, ()),
        ("It weighs 2 kg.\nIt weighs 2 kg.", {}, ("It weighs 2 kg.",)),
        ("See https://a.invalid/x for more", {}, ("See https://a.invalid/x for more",)),
        ("opens: 10:30 to 12:00", {"opens": "10:30 to 12:00"}, ()),
        ("key:", {}, ("key:",)),
        ("He said to all of us there: go home", {}, ("He said to all of us there: go home",)),
        ("  \n:::\n—", {}, ()),
        ("age: 4\r\nIt is old", {"age": "4"}, ("It is old",)),
    ],
)
def test_lines_are_facts_or_sentences(text: str, facts: dict, sentences: tuple):
    notes = parse_notes(text)
    assert (dict(notes.facts), notes.sentences) == (facts, sentences)


def test_what_is_typed_becomes_plain():
    notes = parse_notes("price\u202e: <script>alert(1)</script>5 CHF\u0000\nIt <b>is</b> old")
    assert notes.facts == {"price": "5 CHF"}
    assert notes.sentences == ("It is old",)
    assert clean_name("  The\u202e red\n\ttin ") == "The red tin"
    assert clean_name("Red \udcff tin \ud83c\udf89") == "Red tin 🎉"
    assert dict(parse_notes("Maker:\ud83d my aunt").facts) == {"Maker": "my aunt"}


@pytest.mark.parametrize(
    "text",
    ["x" * 100_000, "key: " + "v" * 900, "a sentence " * 60, "\n".join(f"k{i}: v" for i in range(MAX_LINES + 1))],
)
def test_too_much_is_refused_in_one_sentence(text: str):
    with pytest.raises(BadInput) as problem:
        parse_notes(text)
    assert len(str(problem.value)) < 200
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("name", ["", "   ", "\u202e\u200b", "—!?", "n" * 81, "n" * 100_000])
def test_names_that_cannot_be_said(name: str):
    with pytest.raises(BadInput):
        clean_name(name)
