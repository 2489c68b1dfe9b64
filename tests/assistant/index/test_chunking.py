"""Chunks: nothing is lost, nothing is cut off silently by the encoder, whatever a page is made of."""

import itertools
import random
from typing import Any

import pytest

from assistant.index.chunking import OVERLAP_TOKENS, chunk_page
from assistant.text.encoder import text_encoder


class Counted:
    """The encoder, and how many characters it was given to count."""

    max_tokens = text_encoder().max_tokens

    def __init__(self) -> None:
        self.characters = 0

    def count_tokens(self, text: str) -> int:
        self.characters += len(text)
        return text_encoder().count_tokens(text)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        self.characters += len(text)
        return text_encoder().token_spans(text)


def checked_texts(title: str, text: str, encoder: Any = None) -> list[str]:
    """Chunk and verify the two promises; returns the texts of the chunks."""
    encoder = encoder or text_encoder()
    chunks = chunk_page(title, text, encoder)
    position = 0
    for chunk in chunks:
        assert encoder.count_tokens(chunk.embedded) <= encoder.max_tokens
        following = position + len(text[position:]) - len(text[position:].lstrip())
        start = text.rfind(chunk.text, 0, following + len(chunk.text))  # it may overlap, and the text may repeat
        assert start >= 0, f"not a slice of the page, or something before it is lost: {chunk.text[:60]!r}"
        assert start + len(chunk.text) > position, "a chunk that says nothing new"
        position = start + len(chunk.text)
    lost = text[position:].strip()
    assert lost == "", f"{len(lost)} characters at the end"
    return [chunk.text for chunk in chunks]


def sentences(count: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    vocabulary = [
        "kettle",
        "enamel",
        "harbour",
        "blue",
        "prize",
        "boils",
        "quickly",
        "antidisestablishment",
        "7.5",
        "x",
    ]
    made = (" ".join(rng.choices(vocabulary, k=rng.randint(4, 18))) for _ in range(count))
    return " ".join(f"{n}: {s.capitalize()}." for n, s in enumerate(made))


def test_a_short_page_is_one_chunk_with_its_title():
    [chunk] = chunk_page("Pesto", "A sauce. Of basil.", text_encoder())
    assert (chunk.text, chunk.embedded) == ("A sauce. Of basil.", "Pesto\nA sauce. Of basil.")


def test_chunks_begin_and_end_with_sentences_and_overlap_a_little():
    texts = checked_texts("Kettles", sentences(60))
    assert len(texts) > 3
    assert all(text.endswith(".") for text in texts)
    shared = 0
    for one, two in itertools.pairwise(texts):
        first = two.split(". ")[0]
        shared += first in one
        overlap = next((two[:n] for n in range(len(two), 0, -1) if one.endswith(two[:n].strip())), "")
        assert len(text_encoder().token_spans(overlap)) <= OVERLAP_TOKENS + 4
    assert shared >= len(texts) // 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ten thousand characters in one sentence", "kettle harbour enamel " * 450),
        ("ten thousand letters in one word", "a" * 10_000),
        ("no spaces, many tokens", "a1b2," * 2_000),
        ("japanese", "東京の青いやかんは三分で沸く" * 200),
        ("korean", "주전자" * 800),
        ("emoji", "🙂🚲" * 1_500),
        ("combining", "e\u0301\u0302\u0303" * 2_000),
        ("new lines", "\n".join(f"row {i} | {i * i}" for i in range(600))),
        ("markup", "<p>Weight {{convert|940|g|oz}}</p> " * 200),
        ("rare words", " ".join(f"qx{i}zvv{i}ugh" for i in range(600))),
        ("ligatures", "\ufdfa " * 1_000),
    ],
)
def test_hostile_pages_are_read_to_the_end(name, text):
    encoder = Counted()
    assert checked_texts("A title", text, encoder)
    assert encoder.characters < 16 * len(text)


def test_a_long_title_leaves_room_for_the_page():
    encoder = text_encoder()
    chunks = chunk_page("title words " * 400, sentences(20), encoder)
    assert all(encoder.count_tokens(c.embedded) <= encoder.max_tokens for c in chunks)
    assert all(c.text[:20] in c.embedded for c in chunks)


def test_a_page_without_text():
    assert [c.embedded for c in chunk_page("Only a title", " \n ", text_encoder())] == ["Only a title"]
    assert chunk_page("", "", text_encoder()) == []


def test_markup_is_kept_in_the_text_and_off_in_what_is_embedded():
    [chunk] = chunk_page("K", "It weighs {{convert|940|g|oz}}<ref>x</ref>.", text_encoder())
    assert "{{convert|940|g|oz}}" in chunk.text
    assert chunk.embedded == "K\nIt weighs 940 g."


@pytest.mark.parametrize(
    "unit", ["kettle harbour ", "A kettle boils. ", "a", "a1b2,", "東京の青いやかん", "row 7 | 49\n"]
)
def test_twice_the_text_is_twice_the_work(unit):
    """A megabyte that were looked at again for each of its chunks would take hours."""
    work = []
    for length in (20_000, 40_000):
        encoder = Counted()
        chunks = chunk_page("Big", unit * (length // len(unit)), encoder)
        assert len(chunks) > length / 2000
        work.append(encoder.characters)
    assert work[0] < 20_000 * 12
    assert work[1] < 2.2 * work[0]
