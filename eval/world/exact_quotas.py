"""Shares that hold exactly as far as they can: decks of cards, and counts that say what is due.

Independent draws miss a share by chance; a deck deals it out in every block of cards, in a shuffled order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Deck(Generic[T]):
    """Deals cards without end. In every block each card comes in its share; fractions are carried to the next block."""

    def __init__(self, shares: Mapping[T, float], r: random.Random, block: int = 40) -> None:
        whole = sum(shares.values())
        if whole <= 0:
            raise ValueError(f"shares add up to {whole!r}: one at least must be above 0")
        self._shares = {card: share / whole for card, share in shares.items() if share > 0}
        self._owed = dict.fromkeys(self._shares, 0.0)
        self._random = r
        self._block = block
        self._cards: list[T] = []

    def deal(self) -> T:
        """The next card."""
        if not self._cards:
            self._fill()
        return self._cards.pop()

    def _fill(self) -> None:
        for card, share in self._shares.items():
            self._owed[card] += share * self._block
        counts = {card: max(0, int(owed)) for card, owed in self._owed.items()}
        left = self._block - sum(counts.values())
        for card in sorted(counts, key=lambda c: counts[c] - self._owed[c])[: max(0, left)]:
            counts[card] += 1
        for card, n in counts.items():
            self._owed[card] -= n
            self._cards += [card] * n
        self._random.shuffle(self._cards)


class Due(Generic[T]):
    """Counts what was made and says what is most due, for makers that cannot make everything at any time."""

    def __init__(self, shares: Mapping[T, float]) -> None:
        whole = sum(shares.values())
        self._shares = {card: share / whole for card, share in shares.items()}
        self._made: Counter[T] = Counter()

    def order(self) -> list[T]:
        """All cards, the most wanting first."""
        n = sum(self._made.values()) + 1
        return sorted(self._shares, key=lambda card: self._made[card] - self._shares[card] * n)

    def lacks(self, card: T) -> bool:
        """Whether one more of `card` would not exceed its share."""
        n = sum(self._made.values()) + 1
        return self._made[card] + 1 <= self._shares[card] * n + 0.5

    def made(self, card: T) -> None:
        self._made[card] += 1
