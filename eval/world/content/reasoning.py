"""Questions that need a step of arithmetic or of common sense on top of one or more facts.

Which question rests on which relation, and by which rule, stands in `data/phrasings` ("reason"); here are the rules.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from eval.world.content.gold import findable
from eval.world.model import Region, Thing, Value
from eval.world.verbalise import date_text, number_text, say


@dataclass
class Solved:
    """The answer, the facts it rests on, and the slots of the wording."""

    answer: Value
    rests_on: list[tuple[Thing, str]]
    fields: dict[str, Any] = field(default_factory=dict)


def possible(spec: dict[str, Any], thing: Thing, region: Region) -> bool:
    """Whether all grounds are findable and the question makes sense."""
    relation = spec["relation"]
    if not findable(thing, relation):
        return False
    value = thing.facts[relation].value
    if spec["rule"] == "between":
        role, _, further = spec["since"].partition(".")
        if not findable(thing, role):
            return False
        start = region.thing(thing.facts[role].value.target or "").facts.get(further)
        return start is not None and bool(start.pages) and _years(start.value, value) >= spec.get("at_least", 1)
    if spec["rule"] == "contains":
        return bool(_elsewhere(thing, relation, region))
    if spec["rule"] == "until":
        return value.unit in ("day", "month")
    return bool(value.value)


def _years(start: Value, end: Value) -> int:
    """Whole years between two dates; between their years where one has no day."""
    if start.value.count("-") == end.value.count("-") == 2:
        b, d = date.fromisoformat(start.value), date.fromisoformat(end.value)
        return d.year - b.year - ((d.month, d.day) < (b.month, b.day))
    return int(end.value[:4]) - int(start.value[:4])


def _elsewhere(thing: Thing, relation: str, region: Region) -> list[str]:
    """Items that other things of its kind have in this list, and it has not."""
    return sorted(region.items(thing.kind, relation) - set(thing.facts[relation].value.value))


def add_months(day: date, months: int) -> date:
    """The same day of the month, or the last one that exists."""
    y, m = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = (date(y + (m == 11), (m + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(y, m + 1, min(day.day, last))


def solve(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    """The answer and the fields of the wording; `possible` must hold."""
    solved = RULES[spec["rule"]](spec, thing, region, r)
    solved.fields.setdefault("v", say(thing.facts[spec["relation"]].value))
    return solved


def _times(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    n, v = r.choice(spec.get("choices", range(2, 10))), thing.facts[spec["relation"]].value
    return Solved(Value("number", round(n * v.value, 4), spec.get("unit", v.unit)), _on(spec, thing), {"n": n})


def _per(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    n, v = r.choice(spec.get("choices", (2, 4, 5, 10))), thing.facts[spec["relation"]].value
    return Solved(Value("number", round(v.value / n, 4), spec.get("unit", v.unit)), _on(spec, thing), {"n": n})


def _enough(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    n, v = r.choice(spec.get("choices", range(2, 10))), thing.facts[spec["relation"]].value
    total = round(n * v.value, 4)
    budget = max(1, round(total + r.choice([-1, 1]) * r.uniform(0.05, 0.3) * total))
    fields = {"n": n, "budget": budget, "total": say(Value("number", total, v.unit))}
    return Solved(Value("yesno", budget >= total), _on(spec, thing), fields)


def _days_at(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    n = r.choice(spec.get("choices", (10, 12, 15, 20, 25, 30, 40)))
    days = math.ceil(round(thing.facts[spec["relation"]].value.value / n, 6))
    return Solved(Value("number", float(days), spec.get("unit", "day")), _on(spec, thing), {"n": n})


def _between(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    role, _, further = spec["since"].partition(".")
    other = region.thing(thing.facts[role].value.target or "")
    years = _years(other.facts[further].value, thing.facts[spec["relation"]].value)
    rests = [(thing, role), (thing, spec["relation"]), (other, further)]
    return Solved(Value("number", float(years), "year"), rests)


def _age_in(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    start = int(thing.facts[spec["relation"]].value.value[:4])
    year = start + r.randint(1, max(2, 2026 - start))
    return Solved(Value("number", float(year - start), "year"), _on(spec, thing), {"year": year})


def _contains(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    inside = thing.facts[spec["relation"]].value.value
    item = r.choice(inside) if r.random() < 0.5 else r.choice(_elsewhere(thing, spec["relation"], region))
    yes = (item in inside) == bool(spec.get("inverse"))
    return Solved(Value("yesno", yes), _on(spec, thing), {"item": item})


def _until(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    day = date(2026, r.randint(1, 12), r.randint(1, 28))
    span = thing.facts[spec["relation"]].value
    end = day + timedelta(days=int(span.value)) if span.unit == "day" else add_months(day, int(span.value))
    return Solved(Value("date", end.isoformat()), _on(spec, thing), {"date": date_text(day.isoformat())})


def _energy(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    n, watts = r.choice([2, 3, 4, 5, 8, 10, 12, 20]), thing.facts[spec["relation"]].value.value
    return Solved(Value("number", round(watts * n / 1000, 3), "kWh"), _on(spec, thing), {"n": n})


def _fits(spec: dict[str, Any], thing: Thing, region: Region, r: random.Random) -> Solved:
    size = thing.facts[spec["relation"]].value.value
    room = max(1, round(size + r.choice([-1, 1]) * r.uniform(0.08, 0.35) * size))
    fits = room <= size if spec.get("inverse") else room >= size  # inverse: a load that the thing's limit must bear
    return Solved(Value("yesno", fits), _on(spec, thing), {"n": number_text(room)})


def _on(spec: dict[str, Any], thing: Thing) -> list[tuple[Thing, str]]:
    return [(thing, spec["relation"])]


RULES: dict[str, Callable[[dict[str, Any], Thing, Region, random.Random], Solved]] = {
    "times": _times,
    "per": _per,
    "share_of": _per,
    "enough": _enough,
    "days_at": _days_at,
    "between": _between,
    "age_in": _age_in,
    "contains": _contains,
    "until": _until,
    "energy": _energy,
    "fits": _fits,
}
