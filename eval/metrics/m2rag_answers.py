"""An answer of M2RAG taken apart: its text, the pictures that it places, and what stands around each of them.

Placeholders are those of `assistant.core.placeholders`. A picture counts where it is first placed; placing it again, or
placing one that was never handed over, shows nothing and counts as such. The words around a picture are what its
metrics are about: 256 tokens before and after it, other pictures left out, as in the repository of the benchmark (whose
tokens are those of its judge; here they are the text encoder's).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from assistant.core.placeholders import PLACEHOLDER

CONTEXT_TOKENS = 256
#: Where each token of a text stands, (start, end) characters.
TokenSpans = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Placed:
    """One picture of an answer: `picture` counts the pictures that were handed over, from 0."""

    picture: int
    caption: str
    before: str
    after: str


@dataclass(frozen=True)
class Parts:
    """An answer: `text` without placeholders, pictures in their order, how many were placed again or are unknown."""

    text: str
    placed: tuple[Placed, ...]
    repeated: int
    unknown: int


def answer_of(line: Mapping[str, Any]) -> str:
    """What a turn's line has as its answer, uncut where it was cut."""
    return str(line.get("agent_response_uncut") or line["agent_response"])


def take_apart(answer: str, sources: Sequence[str]) -> Parts:
    """The parts of an answer; `sources` are the addresses of the pictures that were handed over."""
    known = {_plain(source): n for n, source in reversed([*enumerate(sources)])}
    stretches, found = list[str](), list[tuple[int, str, int]]()
    at, seen, repeated, unknown = 0, set[int](), 0, 0
    for match in PLACEHOLDER.finditer(answer):
        stretches.append(answer[at : match.start()])
        at = match.end()
        number = known.get(_plain(match["url"]))
        if number is None:
            unknown += 1
        elif number in seen:
            repeated += 1
        else:
            seen.add(number)
            found.append((number, match["caption"].strip(), len(stretches)))
    stretches.append(answer[at:])
    placed = tuple(
        Placed(number, caption, "".join(stretches[:place]), "".join(stretches[place:]))
        for number, caption, place in found
    )
    return Parts("".join(stretches), placed, repeated, unknown)


def _plain(address: str) -> str:
    return unquote(address.strip())


def context(placed: Placed, spans: TokenSpans, most: int = CONTEXT_TOKENS) -> tuple[str, str]:
    """The last tokens before a picture and the first ones after it, as they stand there."""
    before, after = spans(placed.before), spans(placed.after)
    above = placed.before[before[-most][0] :] if len(before) > most else placed.before
    below = placed.after[: after[most - 1][1]] if len(after) > most else placed.after
    return above, below
