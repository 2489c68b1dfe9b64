"""Plain lines of text, whichever way they are made."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.text.english import plain


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_text_of_ascii_alone_is_made_plain_as_any_other(text):
    assert plain(text) == plain(text + "\u200b")  # which is taken away, on the way that all other text goes


def test_what_is_taken_away():
    assert plain("a\u202eb\u200bc\x00d") == "abcd"
    assert plain("<b>one</b>\n two<script>alert(1)</script>") == "one two"
    assert plain("  many   words  ", 6) == "many w"
