"""Names for towns, people, makers and works, composed from syllables.

Unique within a world, and real nowhere on purpose.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any


class Namer:
    """Draws names from the syllables of `data/names.json` and never gives the same name twice."""

    def __init__(self, data: dict[str, Any], random_: random.Random) -> None:
        self._data = data
        self._random = random_
        self._used: set[str] = set()

    def unique(self, make: Callable[[], str]) -> str:
        """The first name from `make` that this world does not have yet."""
        for attempt in range(2000):
            name = make()
            if attempt > 500:  # small vocabularies of strangers: lengthen instead of looping for ever
                name = f"{name} {self._random.choice(self._data['numerals'])}"
            if name.casefold() not in self._used:
                self._used.add(name.casefold())
                return name
        raise RuntimeError("the vocabulary is too small for so many names")

    def reserve(self, name: str) -> str:
        """`name`, or with a numeral if this world has it already."""
        return self.unique(lambda: name)

    def _join(self, *lists: str) -> str:
        text = "".join(self._random.choice(self._data[k]) for k in lists)
        return text[:1].upper() + text[1:]

    def town(self) -> str:
        return self.unique(lambda: self._join("town_start", "town_end"))

    def river(self) -> str:
        return self.unique(lambda: self._join("river_start", "river_end"))

    def given(self) -> str:
        """A given name; these may come up twice."""
        return self._join("given_start", "given_end")

    def person(self) -> str:
        def make() -> str:
            return f"{self.given()} {self._join('family_start', 'family_end')}"

        return self.unique(make)

    def brand(self) -> str:
        return self.unique(lambda: self._join("brand_start", "brand_end"))

    def from_patterns(self, patterns: list[str], fields: dict[str, str]) -> str:
        """A name from one of `patterns`, whose {slots} are filled from `fields` or else from the word lists."""

        def make() -> str:
            words = {k: self._random.choice(v) for k, v in self._data["words"].items()}
            name = self._random.choice(patterns).format(**(words | fields))
            return re.sub(r"\b([Aa]) (?=[AEIOU])", r"\1n ", name)

        return self.unique(make)

    def from_list(self, key: str, fields: dict[str, str]) -> str:
        """A name from the patterns that `names.json` holds under `key`."""
        return self.from_patterns(self._data[key], fields)
