"""Names of a family and its members, from the patterns of a kind in `data/attributes`.

A pattern's slots are filled from the family's own draws (maker, home town, a word it keeps) and from each member's
(place, model number, a word no sibling has). What was drawn is kept, so that facts and pictures can use it. Facts are
drawn in `region`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.world.content.names import Namer
from eval.world.model import Thing

_DRAWN = re.compile(r"\{(word|family):([\w.]+)\}")
_LETTERS = "ABCDEFHKLMNPRSTVX"
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@dataclass
class Member:
    """One member before it has facts. `content` holds what was drawn for it, by slot or word list; `roles` the things
    that stand behind slots of its name, by relation."""

    name: str
    variant: str
    content: dict[str, Any]
    roles: dict[str, Thing] = field(default_factory=dict)


@dataclass
class Family:
    """The members, what they are called together (None for a single one), and the roles all share."""

    members: list[Member]
    name: str | None
    group: str
    roles: dict[str, Thing]


def entry_name(entry: Any) -> str:
    """What an entry of a word list is called: itself, or the "name" of an object."""
    return str(entry["name"]) if isinstance(entry, dict) else str(entry)


def words_of(words: dict[str, Any], path: str) -> list[Any]:
    """The word list at a dotted path: `flavours.tin`.

    Raises:
        ValueError: there is no such list.
    """
    found: Any = words
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise ValueError(f"the vocabulary has no list {path!r}")
    return found


class FamilyMaker:
    """Draws the names of one family after another."""

    def __init__(self, namer: Namer, words: dict[str, Any], names: dict[str, Any]) -> None:
        self._namer = namer
        self._words = words
        self._names = names

    def make(
        self,
        spec: dict[str, Any],
        size: int,
        towns: Sequence[Thing],
        people: Sequence[Thing],
        makers: Sequence[Thing],
        r: random.Random,
    ) -> Family:
        """A family of `size` members of the kind `spec`."""
        brand, home, person = r.choice(makers), r.choice(towns), r.choice(people)
        patterns = self._patterns(spec["names"])
        fixed = r.choice(patterns)
        used = {path for text in [*patterns, spec.get("variant", "")] for _, path in _DRAWN.findall(text)}
        together = self._patterns(spec.get("family_names", []))
        kept = {path for text in [*patterns, *together] for w, path in _DRAWN.findall(text) if w == "family"}
        kept |= set(spec.get("draw", {}).get("family", []))
        own = (used | set(spec.get("draw", {}).get("own", []))) - kept
        shared = {path: r.choice(words_of(self._words, path)) for path in sorted(kept)}
        decks = {path: self._deck(path, size, r) for path in sorted(own)}
        letters = r.choice(_LETTERS) + r.choice(_LETTERS)
        numbers = sorted(r.sample(range(11, 99), size))
        members = []
        for i in range(size):
            place = r.choice(towns)
            drawn = shared | {path: deck[i] for path, deck in decks.items()}
            fields = self._fields(brand, home, person, place, r)
            fields |= {"letters": letters, "nn": str(numbers[i]), "code": f"{letters}-{numbers[i]}"}
            fields |= {"number": str(i + 1), "roman": _ROMAN[min(i, 9)]}
            pattern = r.choice(patterns) if spec.get("names_vary") else fixed
            name = self._namer.reserve(self._fill(pattern, drawn, fields))
            variant = self._fill(spec["variant"], drawn, fields | {"name": name}) if "variant" in spec else name
            content = {"brand": brand.name, "variant": variant, "number": i + 1, "home": home.name} | drawn
            content |= {"person": person.name, "place": place.name, "code_name": fields["code"]}
            members.append(Member(name, variant, content, self._roles(spec, place=place)))
        roles = self._roles(spec, brand=brand, home=home, person=person)
        group = spec["family"][0]
        return Family(members, self._name(spec, size, brand, home, person, shared, group, r), group, roles)

    def _patterns(self, given: Any) -> list[str]:
        """A list of patterns, or the name of one in `names.json`."""
        return list(self._names[given]) if isinstance(given, str) else list(given)

    def _deck(self, path: str, size: int, r: random.Random) -> list[Any]:
        """Words for `size` members, none twice while there are enough."""
        words = list(words_of(self._words, path))
        r.shuffle(words)
        return [words[i % len(words)] for i in range(size)]

    def _fields(self, brand: Thing, home: Thing, person: Thing, place: Thing, r: random.Random) -> dict[str, str]:
        plain = {k: r.choice(v) for k, v in self._names["words"].items()}
        plain |= {"brand": brand.name, "home": home.name, "place": place.name, "given": self._namer.given()}
        return plain | {"person": person.name, "surname": person.name.split()[-1]}

    def _fill(self, pattern: str, drawn: dict[str, Any], fields: dict[str, str]) -> str:
        text = _DRAWN.sub(lambda m: entry_name(drawn[m.group(2)]).replace("{", "").replace("}", ""), pattern)
        return re.sub(r"\b([Aa]) (?=[AEIOU])", r"\1n ", text.format(**fields))

    @staticmethod
    def _roles(spec: dict[str, Any], **things: Thing) -> dict[str, Thing]:
        """Relation → thing, for the slots that the kind gives a role."""
        roles = {"brand": "maker"} | spec.get("roles", {})
        return {relation: things[slot] for slot, relation in roles.items() if slot in things}

    def _name(
        self,
        spec: dict[str, Any],
        size: int,
        brand: Thing,
        home: Thing,
        person: Thing,
        shared: dict[str, Any],
        group: str,
        r: random.Random,
    ) -> str | None:
        if size < 2:
            return None
        patterns = self._patterns(spec.get("family_names", ["the {brand} {noun} {group}"]))

        def make() -> str:
            fields = self._fields(brand, home, person, home, r) | {"group": group}
            return self._fill(r.choice(patterns), shared, fields)

        return self._namer.unique(make)
