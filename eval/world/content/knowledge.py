"""The knowledge graph of a world: attributes as dirty as the benchmark's, and how many pictures each entity has.

Nothing of what is not indexed comes here.
"""

from __future__ import annotations

from typing import Any

from eval.world import seeds
from eval.world.model import Region, Thing
from eval.world.verbalise import dirty

#: Indexed members of a family → pictures of each, so that every member has at least three pictures of siblings to be
#: confused with. A family of which one alone is indexed has others that are asked about.
PICTURES_EACH = {1: 3, 2: 3, 3: 2}


def indexed_things(seed: int, region: Region) -> list[Thing]:
    """What is indexed, in the order of the index."""
    things = [t for t in region.entities if t.indexed]
    seeds.rng(seed, "kg order").shuffle(things)
    return things


def picture_counts(region: Region) -> dict[str, int]:
    """How many index pictures each indexed entity has: two of the well-known, one of others, more in small families."""
    counts = {t.id: 2 if t.popularity == "head" else 1 for t in region.entities if t.indexed}
    for members in region.families.values():
        indexed = [m for m in members if m in counts]
        if len(members) > 1:
            for m in indexed:
                counts[m] = max(counts[m], PICTURES_EACH.get(len(indexed), 1))
    return counts


def attributes(seed: int, thing: Thing) -> dict[str, Any]:
    """Dirty, as the benchmark's are; some None, some of no use."""
    r = seeds.rng(seed, "attributes", thing.id)
    found: dict[str, Any] = {r.choice(["name", "title", "label"]): thing.name}
    if "series_key" in thing.content:
        found[thing.content["series_key"]] = r.choice([thing.family_name, f"[[{thing.family_name}]]"])
        if thing.kind == "book":
            found[r.choice(["volume", "series_no"])] = str(thing.content["number"])
    if thing.kind == "notice":
        found["type"] = f"{thing.noun} ({thing.content['form']})"
    for fact in thing.facts.values():
        if fact.in_kg:
            found[fact.key] = dirty(fact.value, r)
    coordinates = f"{{{{coord|{r.uniform(40, 60):.3f}|{r.uniform(1, 20):.3f}|display=inline}}}}"
    extras = {
        "caption": r.choice([None, "", "Seen from the front"]),
        "coordinates": r.choice([None, coordinates]),
        "image_size": r.choice([None, "250px"]),
        "website": f"{{{{URL|{seeds.opaque_id(seed, 'site', thing.id, length=8)}.invalid}}}}",
    }
    for key in r.sample(sorted(extras), r.randint(1, 3)):
        found[key] = extras[key]
    keys = list(found)
    r.shuffle(keys)
    return {k: found[k] for k in keys}
