"""Which names of a fixed list occur in a text: whole words, any case, accents and punctuation aside.

One dictionary look-up a word, however many names there are. It finds what is spelled out; nicknames, parts of names
and misspellings are not its business.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
#: A name made of such words alone (a book called "It") counts only when it is spelled as the name is.
_COMMON = frozenset({
    "a", "an", "and", "are", "at", "be", "by", "he", "her", "here", "him", "his", "how", "i", "in", "is", "it",
    "its", "me", "my", "of", "off", "on", "one", "or", "other", "out", "she", "so", "that", "the", "them",
    "there", "these", "they", "this", "those", "to", "up", "us", "was", "we", "what", "when", "where", "which",
    "who", "why", "you",
})  # fmt: skip


class Mentions:
    """Finds the given names in texts."""

    def __init__(self, names: Iterable[str], before: Mentions | None = None) -> None:
        """`before`: finds its names, too."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = dict(before._by_first) if before else {}
        for name in names:
            tokens = tuple(word for word, _ in _words(name))
            if tokens and sum(map(len, tokens)) >= 2:
                alike = self._by_first.setdefault(tokens[0], [])
                if before is None:
                    alike.append((tokens, name))
                else:  # the list is the other's as well
                    self._by_first[tokens[0]] = [*alike, (tokens, name)]

    def find(self, text: str) -> tuple[str, ...]:
        """Names occurring in `text`, the longest first; where two overlap the longer one stands."""
        found = _words(text)
        tokens = [word for word, _ in found]
        hits = []
        for start, token in enumerate(tokens):
            for name_tokens, name in self._by_first.get(token, ()):
                end = start + len(name_tokens)
                if tuple(tokens[start:end]) != name_tokens:
                    continue
                if _COMMON.issuperset(name_tokens) and not _spelled_alike(name, [w for _, w in found[start:end]]):
                    continue
                hits.append((start, end, name))
        hits.sort(key=lambda hit: (hit[0] - hit[1], -len(hit[2]), hit[0]))
        taken: set[int] = set()
        names: dict[str, None] = {}
        for start, end, name in hits:
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                names[name] = None
        return tuple(names)


def _words(text: str) -> list[tuple[str, str]]:
    """(compared form, form as written) of each word; "Alder's" gives "alder" and "s"."""
    composed = unicodedata.normalize("NFKC", text)
    return [(_plain(m.group()), m.group()) for m in _WORD.finditer(composed)]


def _plain(word: str) -> str:
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c)) or word


def _spelled_alike(name: str, written: list[str]) -> bool:
    spelled = [w for _, w in _words(name)]
    return spelled == written and any(w != w.lower() for w in spelled)
