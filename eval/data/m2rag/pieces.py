"""Pieces of a page in the order of the page: passages, and pictures where they stand between them.

A piece's id says where it stands: page, part of the page, and place in the part ("w0/s3/t0", "w0/s3/i5"); pictures that
belong to no page begin with "aux". What is picked goes by parts (`eval.benchmarks.m2rag_retrieval`): a picture stays
with the text that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterator

from eval.data.chunks import MOST_CHARS, passages
from eval.data.pieces import Piece

AUXILIARY = "aux"
#: A picture's address longer than this is no use in an answer: a short one stands for it.
MOST_URL_CHARS = 500


def page_of(piece: Piece) -> str:
    """Which page a piece is of; `AUXILIARY` for a picture that is of none."""
    return piece.id.partition("/")[0]


def part_of(piece: Piece) -> str:
    """Which part of its page a piece stands in."""
    return piece.id.rpartition("/")[0]


def cut(text: str, most_chars: int = MOST_CHARS) -> Iterator[str]:
    """A text in pieces of at most `most_chars` characters, cut between lines, a longer line between sentences."""
    taken = ""
    for line in text.split("\n"):
        for part in [line] if len(line) <= most_chars else passages(line, most_chars):
            if taken and len(taken) + 1 + len(part) > most_chars:
                yield taken
                taken = ""
            taken = f"{taken}\n{part}" if taken else part.rstrip()
    if taken.strip():
        yield taken


class Addresses:
    """Addresses of one question's pictures, each its own: answers name pictures by them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, id_: str, *wanted: str | None) -> str:
        """The first of `wanted` that is free and fit to stand in Markdown, or one made of the id."""
        made = f"images/{id_.replace('/', '-')}"
        for url in (*wanted, made):
            if url and url not in self._taken and _fit(url):
                self._taken.add(url)
                return url
        self._taken.add(made)
        return made


def _fit(url: str) -> bool:
    return len(url) <= MOST_URL_CHARS and not url.startswith("data:") and url.isprintable() and " " not in url
