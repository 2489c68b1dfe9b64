"""What a world is made of before it is written: things, their facts, pages, questions and conversations.

Plain data. Facts are typed (`Value`) and know where they can be found, so that the gold of a question is computed
from the same record that wrote the attributes and the pages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ValueKind = Literal["number", "date", "name", "list", "yesno", "choice", "text"]
Popularity = Literal["head", "torso", "tail"]


@dataclass(frozen=True)
class Value:
    """A typed value. number: float with `unit` (None for counts); date: ISO text, possibly only a year or month;
    list: tuple of strings; yesno: bool. `target` is the id of the thing that a name stands for."""

    kind: ValueKind
    value: Any
    unit: str | None = None
    aliases: tuple[str, ...] = ()
    target: str | None = None

    def gold(self) -> dict[str, Any]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {"kind": self.kind, "value": value, "unit": self.unit, "aliases": list(self.aliases)}


@dataclass
class Fact:
    """One fact of a thing. `key` is its attribute name in the knowledge graph; `pages` are the URLs that state it
    rightly, `outdated` those that state an older or mistaken figure, settled by `rule`."""

    relation: str
    value: Value
    key: str
    dynamism: str = "static"
    in_kg: bool = False
    in_pages: bool = False
    on_picture: bool = False
    stale: Value | None = None
    rule: Literal["date", "source"] | None = None
    pages: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)


@dataclass
class Thing:
    """An entity (it has a `domain`, a `kind` with a picture, and may be indexed) or a person, maker or town.

    `look` holds the parameters of its picture; `content` the texts printed on it.
    """

    id: str
    kind: str
    name: str
    domain: str | None = None
    noun: str = "thing"
    family: str | None = None
    family_name: str | None = None
    variant: str | None = None
    popularity: Popularity = "torso"
    indexed: bool = False
    facts: dict[str, Fact] = field(default_factory=dict)
    look: dict[str, Any] = field(default_factory=dict)
    content: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    url: str
    name: str
    snippet: str
    text: str


@dataclass
class Region:
    """Everything that exists. `entities` are in the order of their making; `others` are people, makers and towns;
    `topics` the pages on a domain that help with no question."""

    name: str
    entities: list[Thing]
    others: dict[str, Thing]
    families: dict[str, list[str]]
    pages: list[Page] = field(default_factory=list)
    topics: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_id = {t.id: t for t in self.entities} | self.others
        self._items: dict[tuple[str, str], frozenset[str]] = {}

    def thing(self, thing_id: str) -> Thing:
        return self._by_id[thing_id]

    def items(self, kind: str, relation: str) -> frozenset[str]:
        """Everything that the lists of this relation hold, over all things of a kind."""
        key = (kind, relation)
        if key not in self._items:
            lists = (t.facts[relation].value.value for t in self.entities if t.kind == kind and relation in t.facts)
            self._items[key] = frozenset(item for items in lists for item in items)
        return self._items[key]

    def siblings(self, thing: Thing, *, indexed: bool = True) -> list[Thing]:
        """The other members of its family, in order."""
        members = [self._by_id[m] for m in self.families.get(thing.family or "", [])]
        return [m for m in members if m.id != thing.id and (m.indexed or not indexed)]


@dataclass(frozen=True)
class Placed:
    """An object on a frame, as the question writer sees it: whose it is, where, how big (share of the frame)."""

    thing: Thing
    centre_x: float
    area: float


@dataclass
class Question:
    """One turn: what is asked, what is right, what it rests on. `wording` says which template it was written with,
    `reference` what it calls the thing it is about."""

    thing: Thing
    about: list[Thing]
    type: str
    dynamism: str
    query: str
    standalone: str
    answer: Value
    answer_text: str
    rests_on: list[tuple[Thing, str]]
    relation: str
    wording: str
    reference: str = ""
    names_entity: bool = False
    needs_image: bool = True
    needs_history: bool = False
    recognises: bool = False
