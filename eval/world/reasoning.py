"""Questions that need a step of arithmetic or of common sense on top of one or more facts."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from eval.world.gold import findable
from eval.world.model import Region, Thing, Value
from eval.world.say import date_text, money, number_text, say

COMMON_ALLERGENS = ("gluten", "milk", "soya", "celery", "mustard", "sesame", "hazelnuts", "almonds", "peanuts", "eggs")


@dataclass
class Solved:
    answer: Value
    rests_on: list[tuple[Thing, str]]
    fields: dict[str, Any] = field(default_factory=dict)


_NEEDS: dict[str, tuple[str, ...]] = {
    "total": ("price",),
    "afford": ("price",),
    "reading_days": ("pages",),
    "author_age": ("author", "published"),
    "after_founding": ("maker", "launched"),
    "allergy": ("allergens",),
    "use_by": ("opened",),
    "covered_until": ("warranty",),
    "energy": ("power",),
    "fits": ("height",),
}


def possible(name: str, thing: Thing, region: Region) -> bool:
    """Whether all grounds are findable and the question makes sense."""
    if not all(findable(thing, n) for n in _NEEDS.get(name, ("?",))):
        return False
    if name == "author_age":
        author = region.thing(thing.facts["author"].value.target or "")
        if not author.facts["born"].pages:
            return False
        return _age(author.facts["born"].value.value, thing.facts["published"].value.value) >= 18
    if name == "after_founding":
        maker = region.thing(thing.facts["maker"].value.target or "")
        later = int(thing.facts["launched"].value.value[:4]) > int(maker.facts["founded"].value.value)
        return bool(maker.facts["founded"].pages) and later
    return True


def _age(born: str, day: str) -> int:
    b, d = date.fromisoformat(born), date.fromisoformat(day)
    return d.year - b.year - ((d.month, d.day) < (b.month, b.day))


def add_months(day: date, months: int) -> date:
    """The same day of the month, or the last one that exists."""
    y, m = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = (date(y + (m == 11), (m + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(y, m + 1, min(day.day, last))


def solve(name: str, thing: Thing, region: Region, r: random.Random) -> Solved:
    """The answer and the fields of the wording; `possible` must hold."""
    rests = [(thing, n) for n in _NEEDS[name]]
    f = thing.facts
    day = date(2026, r.randint(1, 12), r.randint(1, 28))
    if name in ("total", "afford"):
        n, price = r.randint(2, 9), f["price"].value.value
        total = round(n * price, 2)
        if name == "total":
            return Solved(Value("number", total, "EUR"), rests, {"n": n})
        budget = max(1, round(total + r.choice([-1, 1]) * r.uniform(0.05, 0.3) * total))
        return Solved(Value("yesno", budget >= total), rests, {"n": n, "budget": budget, "total": money(total)})
    if name == "reading_days":
        n = r.choice([10, 12, 15, 20, 25, 30, 40])
        return Solved(Value("number", float(math.ceil(f["pages"].value.value / n)), "day"), rests, {"n": n})
    if name == "author_age":
        author = region.thing(f["author"].value.target or "")
        age = _age(author.facts["born"].value.value, f["published"].value.value)
        return Solved(Value("number", float(age), "year"), [*rests, (author, "born")])
    if name == "after_founding":
        maker = region.thing(f["maker"].value.target or "")
        years = int(f["launched"].value.value[:4]) - int(maker.facts["founded"].value.value)
        return Solved(Value("number", float(years), "year"), [*rests, (maker, "founded")])
    if name == "allergy":
        inside = f["allergens"].value.value
        allergen = r.choice(inside) if r.random() < 0.5 else r.choice([a for a in COMMON_ALLERGENS if a not in inside])
        return Solved(Value("yesno", allergen not in inside), rests, {"allergen": allergen})
    if name == "use_by":
        until = day + timedelta(days=int(f["opened"].value.value))
        return Solved(Value("date", until.isoformat()), rests, {"date": date_text(day.isoformat())})
    if name == "covered_until":
        until = add_months(day, int(f["warranty"].value.value))
        return Solved(Value("date", until.isoformat()), rests, {"date": date_text(day.isoformat())})
    if name == "energy":
        n = r.choice([2, 3, 4, 5, 8, 10, 12, 20])
        return Solved(Value("number", round(f["power"].value.value * n / 1000, 3), "kWh"), rests, {"n": n})
    height = f["height"].value.value
    room = max(1, round(height + r.choice([-1, 1]) * r.uniform(0.08, 0.35) * height))
    fields = {"n": number_text(room), "height": say(f["height"].value)}
    return Solved(Value("yesno", room >= height), rests, fields)
