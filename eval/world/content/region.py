"""Makes the region: towns, people, makers, and the entities with their families and facts.

Everything is drawn from `data/attributes` and `data/names.json`. Pictures, pages and questions are made elsewhere from
what is decided here. Siblings share their family's look and shared facts and differ in the rest.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from eval.world import seeds
from eval.world.content import notices
from eval.world.content.families import FamilyMaker, entry_name, words_of
from eval.world.content.names import Namer
from eval.world.model import Fact, Popularity, Region, Thing, Value
from eval.world.vocabulary import Vocabulary

#: Share of the signs, notices and menus that are indexed at all: they are to be read, not recognised.
INDEXED_NOTICES = 0.6
#: Share of all entities that is not indexed, as published for image search (93.4 % are).
UNINDEXED_SHARE = 0.066
FAMILY_SIZES = (4, 5, 4, 3, 4, 5)
#: Where a fact stands: only in the knowledge graph, only in pages, in both, or (the rest) nowhere.
PLACES = (("kg", 0.30), ("pages", 0.32), ("both", 0.29))


@dataclass
class _Maker:
    """State while a region is being made."""

    seed: int
    vocabulary: Vocabulary
    namer: Namer
    towns: list[Thing]
    people: list[Thing]
    makers: list[Thing]
    others: dict[str, Thing]
    families: FamilyMaker

    @property
    def words(self) -> dict[str, Any]:
        return self.vocabulary.attributes["vocabulary"]


def make_region(seed: int, entities: int, unindexed: float | None, vocabulary: Vocabulary) -> Region:
    """A region with `entities` entities, of which the share `unindexed` (notices aside) stays out of the index. None
    means as many, notices included, as is published."""
    r = seeds.rng(seed, "region")
    namer = Namer(vocabulary.names, r)
    families = FamilyMaker(namer, vocabulary.attributes["vocabulary"], vocabulary.names)
    state = _Maker(seed, vocabulary, namer, [], [], [], {}, families)
    _make_background(state, entities, r)
    name = namer.from_patterns(vocabulary.names["region_names"], {"place": namer.town()})
    things: list[Thing] = []
    members_of: dict[str, list[str]] = {}
    for kind, count in share_out(vocabulary.attributes, entities).items():
        forms = notices.form_deck(count, seeds.rng(seed, "forms"))
        spec = vocabulary.attributes["kinds"][kind]
        for size in _family_sizes(count, kind, spec, seeds.rng(seed, "sizes", kind)):
            family_id = f"f{len(members_of)}"
            members = _make_family(state, kind, family_id, size, len(things), forms)
            members_of[family_id] = [m.id for m in members]
            things.extend(members)
    _choose_unindexed(things, members_of, unindexed, seeds.rng(seed, "unindexed"))
    return Region(name=name, entities=things, others=state.others, families=members_of)


def share_out(attributes: dict[str, Any], total: int) -> dict[str, int]:
    """How many entities of each kind. Domains come in the shares of `domains`, a domain's kinds in theirs; by largest
    remainders, so that they add up to `total`."""
    kinds, domains = attributes["kinds"], attributes["domains"]
    there = {k["domain"] for k in kinds.values()}
    whole = sum(domains[d] for d in there)
    within = {d: sum(k["share"] for k in kinds.values() if k["domain"] == d) for d in there}
    exact = {n: total * domains[k["domain"]] / whole * k["share"] / within[k["domain"]] for n, k in kinds.items()}
    counts = {name: int(x) for name, x in exact.items()}
    for name in sorted(exact, key=lambda n: counts[n] - exact[n])[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def _family_sizes(count: int, kind: str, spec: dict[str, Any], r: random.Random) -> list[int]:
    """Mostly families of 4; what would be left alone joins the family before. Notices have no family."""
    if kind == "notice":
        return [1] * count
    sizes: list[int] = []
    while count > 0:
        size = min(count, r.choice(spec.get("family_sizes", FAMILY_SIZES)))
        size += count - size == 1
        sizes.append(size)
        count -= size
    return sizes


def _make_background(state: _Maker, entities: int, r: random.Random) -> None:
    """Towns, people and makers: first all names, then their facts, which point at each other."""
    for i in range(max(8, entities // 6)):
        state.towns.append(Thing(id=f"t{i}", kind="town", name=state.namer.town(), noun="town"))
    for i in range(max(14, entities * 2 // 3)):
        state.people.append(Thing(id=f"p{i}", kind="person", name=state.namer.person(), noun="person"))
    for i in range(max(8, entities // 4)):
        state.makers.append(Thing(id=f"m{i}", kind="maker", name=state.namer.brand(), noun="company"))
    for thing in [*state.towns, *state.people, *state.makers]:
        state.others[thing.id] = thing
        thing.popularity = r.choice(["head", "torso", "tail"])
        fr = seeds.rng(state.seed, "facts", thing.id)
        for relation, spec in state.vocabulary.attributes["facts"][thing.kind].items():
            fact = Fact(relation, _draw(state, spec, fr), relation, spec.get("dynamism", "static"))
            fact.in_pages = fr.random() < 0.94
            _add_stale(fact, spec, fr, state)
            thing.facts[relation] = fact


def _make_family(state: _Maker, kind: str, family_id: str, size: int, first: int, forms: deque[str]) -> list[Thing]:
    """The members of one family, with names, looks and facts."""
    spec = state.vocabulary.attributes["kinds"][kind]
    r = seeds.rng(state.seed, "family", family_id)
    if kind == "notice":
        return [notices.make_notice(f"e{first}", forms.popleft(), r, state.namer, state.words, state.towns)]
    named = r.random() < spec["named"]
    style = r.getrandbits(40)
    family = state.families.make(spec, size, state.towns, state.people, state.makers, r)
    known = state.vocabulary.attributes["facts"][spec["facts"]]
    shared = {relation: _naming(thing) for relation, thing in family.roles.items() if relation in known}
    members: list[Thing] = []
    for i, member in enumerate(family.members):
        thing = Thing(id=f"e{first + i}", kind=kind, name=member.name, domain=spec["domain"], noun=spec["noun"])
        thing.family, thing.family_name, thing.variant = family_id, family.name, member.variant
        thing.popularity = _popularity(r)
        thing.look = {"style": style, "variant": i, "own": r.getrandbits(40), "flat": spec["flat"], "named": named}
        thing.look["modes"] = tuple(spec["modes"])
        thing.content = member.content | {"family": family.name, "group": family.group}
        own = {relation: _naming(thing) for relation, thing in member.roles.items() if relation in known}
        _make_facts(state, thing, spec["facts"], shared, own, members)
        if size > 1:
            thing.content["series_key"] = r.choice(["series", "part_of", "collection"])
        members.append(thing)
    return members


def _naming(thing: Thing) -> Value:
    """The value that names a person, maker or town."""
    surname = (thing.name.split()[-1],) if thing.kind == "person" else ()
    return Value("name", thing.name, aliases=surname, target=thing.id)


def _popularity(r: random.Random) -> Popularity:
    x = r.random()
    return "head" if x < 0.25 else "torso" if x < 0.62 else "tail"


def _make_facts(
    state: _Maker, thing: Thing, group: str, shared: dict[str, Value], own: dict[str, Value], members: list[Thing]
) -> None:
    """Draw each fact and decide where it stands. Shared ones are the family's; others differ between siblings."""
    r = seeds.rng(state.seed, "facts", thing.id)
    for relation, usual in state.vocabulary.attributes["facts"][group].items():
        spec = _case(usual, thing)
        present, place, key = r.random() < spec.get("p", 1.0), r.random(), r.choice(spec.get("keys", [relation]))
        value = shared.get(relation) or own.get(relation) or _draw(state, spec, r, thing)
        taken = [m.facts[relation].value.value for m in members if relation in m.facts]
        for _ in range(20):
            if spec.get("shared") or spec["type"] not in ("number", "date") or value.value not in taken:
                break
            value = _draw(state, spec, r, thing)
        if spec.get("shared"):
            shared.setdefault(relation, value)
        if not present:
            continue
        fact = Fact(relation, value, key, spec.get("dynamism", "static"))
        fact.in_kg, fact.in_pages = _place(place, spec)
        # What a label prints is a matter of the family's design.
        fact.on_picture = random.Random(thing.look["style"] + 7).random() < spec.get("printed", 0.0)
        _add_stale(fact, spec, r, state)
        thing.facts[relation] = fact


def _case(spec: dict[str, Any], thing: Thing) -> dict[str, Any]:
    """The fact's description for this thing: `cases` change it by what was drawn from the list `by`."""
    if "by" not in spec:
        return spec
    case: dict[str, Any] = spec["cases"].get(entry_name(thing.content[spec["by"]]), {})
    return spec | case


def _place(x: float, spec: dict[str, Any]) -> tuple[bool, bool]:
    """(in the knowledge graph, in pages)."""
    if spec.get("only_pages"):
        return False, x < 0.8
    if spec.get("likely_found"):
        return x < 0.75, x > 0.2
    for name, share in PLACES:
        if x < share:
            return name != "pages", name != "kg"
        x -= share
    return False, False


def _draw(state: _Maker, spec: dict[str, Any], r: random.Random, thing: Thing | None = None) -> Value:
    """A typed value for one fact of `data/attributes`."""
    kind = spec["type"]
    if kind == "number":
        steps = round((spec["high"] - spec["low"]) / spec["step"])
        x = round(spec["low"] + r.randint(0, steps) * spec["step"], 4)
        return Value("number", float(x), spec["unit"])
    if kind == "date":
        d = date(r.randint(spec["low"], spec["high"]), 1, 1) + timedelta(days=r.randint(0, 364))
        return Value("date", d.isoformat()[: {"day": 10, "month": 7, "year": 4}[spec["precision"]]])
    if kind == "yesno":
        return Value("yesno", r.random() < spec["p_true"])
    if kind == "list":
        return Value("list", tuple(r.sample(words_of(state.words, spec["from"]), r.randint(spec["low"], spec["high"]))))
    if kind == "word":
        return Value("name", entry_name(r.choice(words_of(state.words, spec["from"]))))
    if kind == "content" and thing is not None:
        return _drawn_before(spec, thing)
    if kind == "river":
        return Value("name", state.namer.river())
    return _naming(r.choice({"person": state.people, "town": state.towns, "maker": state.makers}[kind]))


def _drawn_before(spec: dict[str, Any], thing: Thing) -> Value:
    """A fact that was settled with the thing's name: a word of its, or a field of the object that it drew."""
    entry = thing.content[spec["from"]]
    value = entry[spec["field"]] if "field" in spec else entry_name(entry)
    kind = spec.get("kind", "name")
    if kind == "number":
        return Value("number", float(value), spec.get("unit"))
    return Value(kind, tuple(value) if kind == "list" else value)


def _add_stale(fact: Fact, spec: dict[str, Any], r: random.Random, state: _Maker) -> None:
    """Some facts also circulate in an older or mistaken form; `rule` says what settles it."""
    share, x, by_date = spec.get("stale", 0.0), r.random(), r.random() < 0.7
    if not fact.in_pages or x >= share or spec["type"] == "content":
        return
    for _ in range(20):
        other = _draw(state, spec, r)
        if other.value != fact.value.value:
            fact.stale, fact.rule = other, "date" if by_date else "source"
            return


def _choose_unindexed(
    things: list[Thing], families: dict[str, list[str]], share: float | None, r: random.Random
) -> None:
    """Mark what is indexed. Of a family at least one member stays indexed while that is possible."""
    usual = [t for t in things if t.kind != "notice"]
    read = {t.id for t in things if t.kind == "notice" and r.random() >= INDEXED_NOTICES}
    wanted = round(share * len(usual)) if share is not None else round(UNINDEXED_SHARE * len(things)) - len(read)
    if share != 0 and usual:
        wanted = max(1, wanted)
    order = usual[:]
    r.shuffle(order)
    # Members of larger families first: an unknown object that looks like a known one is the harder case.
    order.sort(key=lambda t: len(families[t.family or ""]) < 3)
    out: set[str] = set()
    for keep_one in (True, False):
        for thing in order:
            left = [m for m in families[thing.family or ""] if m not in out]
            if len(out) < wanted and thing.id not in out and (len(left) > 1 or not keep_one):
                out.add(thing.id)
    for thing in things:
        thing.indexed = thing.id not in out and thing.id not in read
        if not thing.indexed:
            thing.family_name = None
            thing.content.pop("series_key", None)
            for fact in thing.facts.values():
                fact.in_kg = fact.in_pages = False
                fact.stale = fact.rule = None
