"""Halves of characters: taken out or joined, in texts, in JSON, in pieces."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.whole_text import HalfKept, load_json, whole_text

ANY = st.text(st.characters(exclude_categories=[]), max_size=30)


def test_halves_are_left_out_and_pairs_are_joined():
    assert whole_text("a\ud83d b\udcff") == "a b"
    assert whole_text("\ud83c\udf89") == "🎉"
    assert whole_text("plain – 🎉") == "plain – 🎉"


def test_json_is_whole_in_every_depth():
    text = json.dumps({"k\ud83d": ["a\ud83d", {"b": "🎉"}, 1, None]})
    assert load_json(text) == load_json(text.encode()) == {"k": ["a", {"b": "🎉"}, 1, None]}
    assert load_json(b"\xef\xbb\xbf[1]") == [1]


@given(ANY)
def test_whatever_comes_can_be_written_and_nothing_else_is_lost(text):
    whole = whole_text(text)
    whole.encode("utf-8")
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert whole == "".join(c for c in joined if not "\ud800" <= c <= "\udfff")
    assert load_json(json.dumps([text])) == [whole]


@given(ANY, st.integers(1, 5))
def test_pieces_are_joined_as_the_whole_would_be(text, size):
    units = text.encode("utf-16-le", "surrogatepass")
    pieces = [units[i : i + 2 * size].decode("utf-16-le", "surrogatepass") for i in range(0, len(units), 2 * size)]
    join = HalfKept()
    assert "".join(map(join, pieces)) == whole_text(text)
