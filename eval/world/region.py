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

from eval.world import notices, seeds
from eval.world.model import Fact, Popularity, Region, Thing, Value
from eval.world.names import Namer
from eval.world.vocabulary import Vocabulary

#: Share of the signs, notices and menus that are indexed at all: most are to be read, not recognised.
INDEXED_NOTICES = 0.25
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

    @property
    def words(self) -> dict[str, Any]:
        return self.vocabulary.attributes["vocabulary"]


def make_region(seed: int, entities: int, unindexed: float, vocabulary: Vocabulary) -> Region:
    """A region with `entities` entities, of which the share `unindexed` (notices aside) stays out of the index."""
    r = seeds.rng(seed, "region")
    namer = Namer(vocabulary.names, r)
    state = _Maker(seed, vocabulary, namer, [], [], [], {})
    _make_background(state, entities, r)
    name = namer.from_patterns(vocabulary.names["region_names"], {"place": namer.town()})
    things: list[Thing] = []
    families: dict[str, list[str]] = {}
    for kind, count in share_out(vocabulary.attributes["kinds"], entities).items():
        forms = notices.form_deck(count, seeds.rng(seed, "forms"))
        for size in _family_sizes(count, kind, seeds.rng(seed, "sizes", kind)):
            family_id = f"f{len(families)}"
            members = _make_family(state, kind, family_id, size, len(things), forms)
            families[family_id] = [m.id for m in members]
            things.extend(members)
    _choose_unindexed(things, families, unindexed, seeds.rng(seed, "unindexed"))
    return Region(name=name, entities=things, others=state.others, families=families)


def share_out(kinds: dict[str, Any], total: int) -> dict[str, int]:
    """How many entities of each kind: by largest remainders, so that they add up to `total`."""
    weight = sum(k["share"] for k in kinds.values())
    exact = {name: total * k["share"] / weight for name, k in kinds.items()}
    counts = {name: int(x) for name, x in exact.items()}
    for name in sorted(exact, key=lambda n: counts[n] - exact[n])[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def _family_sizes(count: int, kind: str, r: random.Random) -> list[int]:
    """Mostly families of 3 or 4, a pair now and then, and singletons; notices have no family."""
    if kind == "notice":
        return [1] * count
    sizes: list[int] = []
    while count > 0:
        size = min(count, r.choice([3, 4, 4, 3, 5, 2, 1]))
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
    shared: dict[str, Value] = {}
    maker_role = "publisher" if kind == "book" else "maker"
    brand = r.choice(state.makers)
    if maker_role in state.vocabulary.attributes["facts"][spec["facts"]]:
        shared[maker_role] = Value("name", brand.name, target=brand.id)
    named = r.random() < spec["named"]
    style = r.getrandbits(40)
    variants = _variants(state, kind, size, brand, r)
    family_name = None
    if size > 1:
        family_name = _family_name(state, kind, brand, variants, r)
    members: list[Thing] = []
    for i, (name, variant) in enumerate(variants):
        thing = Thing(id=f"e{first + i}", kind=kind, name=name, domain=spec["domain"], noun=spec["noun"])
        thing.family, thing.family_name, thing.variant = family_id, family_name, variant
        thing.popularity = _popularity(r)
        thing.look = {"style": style, "variant": i, "own": r.getrandbits(40), "flat": spec["flat"], "named": named}
        thing.content = {"brand": brand.name, "variant": variant, "number": i + 1, "family": family_name}
        _make_facts(state, thing, spec["facts"], shared, members)
        if size > 1:
            thing.content["series_key"] = r.choice(["series", "part_of", "collection"])
        members.append(thing)
    return members


def _variants(state: _Maker, kind: str, size: int, brand: Thing, r: random.Random) -> list[tuple[str, str]]:
    """Names of the members and what tells them apart: flavour, model, title."""
    words = state.words
    if kind == "book":
        titles = []
        for _ in range(size):
            place = r.choice(state.towns).name
            title = state.namer.from_patterns(state.vocabulary.names["book_titles"], {"place": place})
            titles.append((title, title))
        return titles
    product = state.vocabulary.attributes["kinds"][kind].get("product")
    if product:
        pool = list(words["flavours"][product])
        r.shuffle(pool)
        names = [(f"{brand.name} {flavour}", flavour) for flavour in pool[:size]]
    else:
        device = {"radio": "Radio", "clock": "Clock"}.get(kind) or r.choice(words["devices"])
        series = f"{r.choice('ABCDEFHKLMNPRSTVX')}{r.choice('ABCDEFHKLMNPRSTVX')}"
        numbers = sorted(r.sample(range(11, 99), size))
        names = [(f"{brand.name} {device} {series}-{n}", f"{series}-{n}") for n in numbers]
    # A maker may come up twice with the same flavour: the name tells the editions apart.
    return [(state.namer.reserve(name), variant) for name, variant in names]


def _family_name(state: _Maker, kind: str, brand: Thing, variants: list[tuple[str, str]], r: random.Random) -> str:
    if kind == "book":
        place = {"place": r.choice(state.towns).name}
        return state.namer.from_patterns(state.vocabulary.names["series_names"], place)
    group = state.vocabulary.attributes["kinds"][kind]["family"][0]
    return state.namer.unique(lambda: f"the {brand.name} {r.choice(state.vocabulary.names['words']['noun'])} {group}")


def _popularity(r: random.Random) -> Popularity:
    x = r.random()
    return "head" if x < 0.25 else "torso" if x < 0.62 else "tail"


def _make_facts(state: _Maker, thing: Thing, group: str, shared: dict[str, Value], members: list[Thing]) -> None:
    """Draw each fact and decide where it stands. Shared ones are the family's; others differ between siblings."""
    r = seeds.rng(state.seed, "facts", thing.id)
    for relation, spec in state.vocabulary.attributes["facts"][group].items():
        present, place, key = r.random() < spec.get("p", 1.0), r.random(), r.choice(spec.get("keys", [relation]))
        value = shared.get(relation) or _draw(state, spec, r)
        taken = [m.facts[relation].value.value for m in members if relation in m.facts]
        for _ in range(20):
            if spec.get("shared") or spec["type"] not in ("number", "date") or value.value not in taken:
                break
            value = _draw(state, spec, r)
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


def _draw(state: _Maker, spec: dict[str, Any], r: random.Random) -> Value:
    """A typed value for one fact of `data/attributes`."""
    kind = spec["type"]
    if kind == "number":
        steps = round((spec["high"] - spec["low"]) / spec["step"])
        x = round(spec["low"] + r.randint(0, steps) * spec["step"], 2)
        return Value("number", float(x), spec["unit"])
    if kind == "date":
        d = date(r.randint(spec["low"], spec["high"]), 1, 1) + timedelta(days=r.randint(0, 364))
        return Value("date", d.isoformat()[: {"day": 10, "month": 7, "year": 4}[spec["precision"]]])
    if kind == "yesno":
        return Value("yesno", r.random() < spec["p_true"])
    if kind == "list":
        return Value("list", tuple(r.sample(state.words[spec["from"]], r.randint(spec["low"], spec["high"]))))
    if kind == "word":
        return Value("name", r.choice(state.words[spec["from"]]))
    if kind == "river":
        return Value("name", state.namer.river())
    pool = {"person": state.people, "town": state.towns, "maker": state.makers}[kind]
    thing = r.choice(pool)
    surname = (thing.name.split()[-1],) if kind == "person" else ()
    return Value("name", thing.name, aliases=surname, target=thing.id)


def _add_stale(fact: Fact, spec: dict[str, Any], r: random.Random, state: _Maker) -> None:
    """Some facts also circulate in an older or mistaken form; `rule` says what settles it."""
    share, x, by_date = spec.get("stale", 0.0), r.random(), r.random() < 0.7
    if not fact.in_pages or x >= share:
        return
    for _ in range(20):
        other = _draw(state, spec, r)
        if other.value != fact.value.value:
            fact.stale, fact.rule = other, "date" if by_date else "source"
            return


def _choose_unindexed(things: list[Thing], families: dict[str, list[str]], share: float, r: random.Random) -> None:
    """Mark what is indexed. Of a family at least one member stays indexed while that is possible."""
    usual = [t for t in things if t.kind != "notice"]
    wanted = round(share * len(usual)) if share > 0 else 0
    if share > 0 and usual:
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
        if thing.kind == "notice":
            thing.indexed = r.random() < INDEXED_NOTICES
        else:
            thing.indexed = thing.id not in out
        if not thing.indexed:
            thing.family_name = None
            thing.content.pop("series_key", None)
            for fact in thing.facts.values():
                fact.in_kg = fact.in_pages = False
                fact.stale = fact.rule = None
