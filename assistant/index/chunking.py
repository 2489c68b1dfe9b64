"""Pages cut into chunks that the text encoder reads to the end: whole sentences, a little overlap, title included.

Nothing is lost: every character of a page stands in some chunk, and every text that is embedded has at most the
encoder's 256 tokens. A "sentence" too long for a chunk (a table, a list, hostile input) is cut between words.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Protocol

from assistant.text.markup import clean_text

#: Body tokens aimed at. MiniLM was trained on 128 tokens, and a shorter chunk says one thing.
CHUNK_TOKENS = 144
OVERLAP_TOKENS = 32
TITLE_TOKENS = 48
#: A token stands for at most this many characters here: a "word" of 10,000 letters is one token to the encoder.
_CHARS_PER_TOKEN = 8
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")

Span = tuple[int, int]


class Counter(Protocol):
    """What chunking asks of an encoder (the real one, or a scripted one in tests)."""

    max_tokens: int

    def count_tokens(self, text: str) -> int: ...
    def token_spans(self, text: str) -> list[Span]: ...


@dataclass(frozen=True)
class Chunk:
    """`text` is a slice of the page, as it stands there; `embedded` is what the encoder reads (title, markup off)."""

    text: str
    embedded: str


def chunk_page(title: str, text: str, encoder: Counter) -> list[Chunk]:
    """The chunks of one page in reading order; a page without text gives one chunk of its title (or none)."""
    title = _short_title(title, encoder)
    budget = min(CHUNK_TOKENS, encoder.max_tokens - encoder.count_tokens(title))
    if not text.strip():
        return [Chunk(text=title, embedded=title)] if title else []
    pieces = [(piece, _cost(text[slice(*piece)], encoder)) for piece in _pieces(text, budget, encoder)]
    chunks: list[Chunk] = []
    current: list[tuple[Span, int]] = []
    for piece, cost in pieces:
        if current and sum(c for _, c in current) + cost > budget:
            chunks.extend(_chunks(title, text, current, encoder))
            current = _overlap(current, budget - cost)
        current.append((piece, cost))
    chunks.extend(_chunks(title, text, current, encoder))
    return chunks


def _short_title(title: str, encoder: Counter) -> str:
    title = " ".join(clean_text(title)[:2000].split())
    spans = encoder.token_spans(title)
    if len(spans) > TITLE_TOKENS:
        title = title[: spans[TITLE_TOKENS][0]]
    return title[: TITLE_TOKENS * _CHARS_PER_TOKEN].strip()


def _cost(text: str, encoder: Counter) -> int:
    return max(len(encoder.token_spans(text)), -(-len(text) // _CHARS_PER_TOKEN))


def _pieces(text: str, budget: int, encoder: Counter) -> list[Span]:
    """Sentences, or parts of sentences that are too long, as spans that together cover all that is not white space."""
    borders = [0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text)]
    out: list[Span] = []
    for start, end in itertools.pairwise(borders):
        if text[start:end].strip():
            out.extend(_cut(text, start, end, budget, encoder))
    return out


def _cut(text: str, start: int, end: int, budget: int, encoder: Counter) -> list[Span]:
    if _cost(text[start:end], encoder) <= budget:
        return [(start, end)]
    out: list[Span] = []
    while start < end:
        out.append(_cut_once(text, start, end, budget, encoder))
        start = out[-1][1]
    return out


def _cut_once(text: str, start: int, end: int, budget: int, encoder: Counter) -> Span:
    """The longest part from `start` that fits; looks only as far as a chunk can reach, so the whole stays linear."""
    end = min(end, start + budget * _CHARS_PER_TOKEN)
    spans = encoder.token_spans(text[start:end])
    reach = start + spans[budget][0] if len(spans) > budget else end
    if reach < len(text) and not text[reach - 1].isspace() and not text[reach].isspace():
        space = max(text.rfind(" ", start + 1, reach), text.rfind("\n", start + 1, reach))
        if space > start + (reach - start) // 2:
            reach = space + 1
    while reach - start > 1 and _cost(text[start:reach], encoder) > budget:
        reach = start + (reach - start) * 3 // 4
    return start, max(reach, start + 1)


def _overlap(pieces: list[tuple[Span, int]], room: int) -> list[tuple[Span, int]]:
    """The last sentences of a chunk that may open the next one: few tokens, and never the whole chunk."""
    kept: list[tuple[Span, int]] = []
    for piece, cost in reversed(pieces[1:]):
        if sum(c for _, c in kept) + cost > min(OVERLAP_TOKENS, room):
            break
        kept.insert(0, (piece, cost))
    return kept


def _chunks(title: str, text: str, pieces: list[tuple[Span, int]], encoder: Counter) -> list[Chunk]:
    """One chunk of `pieces`, or two when they count more tokens side by side than each alone (a word cut in two)."""
    raw = text[pieces[0][0][0] : pieces[-1][0][1]].strip()
    for body in (clean_text(raw), raw):
        embedded = f"{title}\n{body}".strip()
        if body and encoder.count_tokens(embedded) <= encoder.max_tokens:
            return [Chunk(text=raw, embedded=embedded)]
    middle = len(pieces) // 2
    if not middle:
        raise ValueError(f"a piece of {len(raw)} characters does not fit the encoder's {encoder.max_tokens} tokens")
    return _chunks(title, text, pieces[:middle], encoder) + _chunks(title, text, pieces[middle:], encoder)
