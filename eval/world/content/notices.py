"""What is written on signs, menus, labels, cards, notices and timetables: the entities of text understanding.

Every fact of such a thing is on its picture (`Fact.on_picture`), so its questions can be answered from the frame
alone. How it is drawn is in `drawing.paper`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from eval.world.content.names import Namer
from eval.world.model import Fact, Thing, Value

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def form_deck(count: int, r: random.Random) -> deque[str]:
    """`count` forms, each as often as any other."""
    deck: list[str] = []
    while len(deck) < count:
        forms = sorted(_FORMS)
        r.shuffle(forms)
        deck += forms
    return deque(deck)


def make_notice(
    thing_id: str, form: str, r: random.Random, namer: Namer, words: dict[str, Any], towns: list[Thing]
) -> Thing:
    """One sign or paper of a form, with its texts (`content`) and its facts."""
    town = r.choice(towns)
    thing = Thing(id=thing_id, kind="notice", name="", domain="text understanding", noun=_NOUNS[form])
    thing.family = thing_id
    thing.popularity = r.choice(["torso", "tail"])
    thing.look = {"style": r.getrandbits(40), "variant": 0, "own": r.getrandbits(40), "flat": True, "named": True}
    thing.content = {"form": form, "town": town.name}
    name, facts = _FORMS[form](r, namer, words, thing.content)
    thing.name = namer.reserve(name)
    facts["town"] = Value("name", town.name, target=town.id)
    for relation, value in facts.items():
        thing.facts[relation] = Fact(relation, value, relation, on_picture=True)
    return thing


def phone(r: random.Random) -> str:
    """A number that cannot be dialled: the area code 0555 is nobody's."""
    return f"0555 {r.randint(100, 999)} {r.randint(1000, 9999)}"


def _code(r: random.Random, content: dict[str, Any], facts: dict[str, Value], chance: float = 0.5) -> None:
    if r.random() < chance:
        address = "https://" + "".join(r.choice("abcdefghkmnprstuvwxyz") for _ in range(9)) + ".invalid/"
        address += "".join(r.choice("23456789abcdefgh") for _ in range(5))
        content["code"] = address
        facts["code"] = Value("text", address)


def _opening(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    shop = namer.from_list("shop_names", {"brand": namer.brand()})
    closed = r.choice(["Monday", "Sunday", "Wednesday"])
    week, weekend = (r.choice(["08:00", "08:30", "09:00", "10:00"]), r.choice(["17:30", "18:00", "18:30", "19:00"]))
    saturday = (r.choice(["09:00", "09:30", "10:00"]), r.choice(["12:30", "13:00", "14:00", "16:00"]))
    hours = dict.fromkeys(WEEKDAYS, (week, weekend))
    hours["Saturday"] = saturday
    if closed != "Sunday":
        hours["Sunday"] = (r.choice(["10:00", "11:00"]), r.choice(["13:00", "14:00"]))
    del hours[closed]
    c |= {"title": shop, "hours": hours, "closed": closed, "phone": phone(r), "street": _street(r, words)}
    facts = {
        "title": Value("text", shop),
        "phone": Value("text", c["phone"]),
        "closed_day": Value("name", closed),
        "street": Value("name", c["street"]),
    }
    _code(r, c, facts)
    return f"opening hours of {shop}", facts


def _street(r: random.Random, words: dict[str, Any]) -> str:
    return f"{r.choice(words['streets'])} {r.randint(1, 98)}"


def _menu(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    cafe = namer.from_list("cafe_names", {"place": c["town"]})
    dishes = r.sample(words["dishes"], r.randint(4, 6))
    drinks = r.sample(words["drinks"], r.randint(3, 5))
    prices = r.sample(range(9, 36), len(dishes) + len(drinks))  # tenths of half euros: all different
    items = {name: round(p * 0.4 + 1.1, 2) for name, p in zip(dishes + drinks, prices, strict=True)}
    c |= {"title": cafe, "sections": [["Kitchen", dishes], ["Drinks", drinks]], "items": items, "phone": phone(r)}
    facts = {"title": Value("text", cafe), "phone": Value("text", c["phone"])}
    _code(r, c, facts, 0.3)
    return f"menu of {cafe}", facts


def _label(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    product = r.choice(words["flavours"][r.choice(sorted(words["flavours"]))])
    brand, grams = namer.brand(), r.choice([125, 200, 250, 400, 500, 750])
    price = r.randint(8, 68) * 0.1 + 0.05 * r.randint(0, 1)
    price = round(price, 2)
    c |= {"title": f"{brand} {product}", "price": price, "grams": grams, "per_kilo": round(price * 1000 / grams, 2)}
    c["number"] = f"{r.randint(10000, 99999)}"
    facts = {
        "product": Value("name", c["title"], aliases=(product,)),
        "price": Value("number", price, "EUR"),
        "weight": Value("number", float(grams), "g"),
    }
    return f"price label of {c['title']}", facts


def _card(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    person, job = namer.person(), r.choice(words["jobs"])
    user = person.lower().replace(" ", r.choice([".", "_", ""]))
    host = "".join(r.choice("bcdfgklmnprstv") + r.choice("aeiou") for _ in range(3))
    c |= {"title": person, "job": job, "phone": phone(r), "email": f"{user}@{host}.invalid"}
    c["street"] = _street(r, words)
    facts = {
        "person": Value("name", person),
        "job": Value("name", job),
        "phone": Value("text", c["phone"]),
        "email": Value("text", c["email"]),
        "street": Value("name", c["street"]),
    }
    _code(r, c, facts, 0.4)
    return f"business card of {person}", facts


def _event(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    event = r.choice(words["events"])
    day = date(2026, r.randint(5, 11), r.randint(1, 28))
    place = r.choice(["Town Hall", "Old Brewery", "Boat House", "School Yard", "Riverside Park", "Market Hall"])
    time = f"{r.randint(10, 20)}:{r.choice(['00', '30', '15'])}"
    fee = float(r.randint(3, 14))
    c |= {"title": f"{c['town']} {event}", "date": day.isoformat(), "time": time, "place": place, "fee": fee}
    c |= {"phone": phone(r)}
    facts = {
        "event": Value("text", c["title"]),
        "when": Value("date", c["date"]),
        "starts": Value("text", time),
        "place": Value("name", place),
        "fee": Value("number", fee, "EUR"),
        "phone": Value("text", c["phone"]),
    }
    _code(r, c, facts)
    return f"poster of the {c['title']}", facts


def _lost(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    what, reward = r.choice(words["lost"]), float(r.choice([20, 30, 40, 50, 80, 100, 150]))
    day = date(2026, r.randint(2, 10), r.randint(1, 28))
    c |= {"title": "LOST", "what": what, "reward": reward, "phone": phone(r), "date": day.isoformat()}
    c["street"] = r.choice(words["streets"])
    facts = {
        "lost": Value("name", what, aliases=(what.split(" with ")[0],)),
        "reward": Value("number", reward, "EUR"),
        "phone": Value("text", c["phone"]),
        "street": Value("name", c["street"]),
        "seen": Value("date", c["date"]),
    }
    return f"notice about a lost {what} in {c['town']}", facts


def _roadworks(
    r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]
) -> tuple[str, dict[str, Value]]:
    work, street = r.choice(words["works"]), r.choice(words["streets"])
    first = date(2026, r.randint(3, 10), r.randint(1, 28))
    days = r.randint(3, 24)
    last = first + timedelta(days=days - 1)
    c |= {"title": "ROAD CLOSED", "street": street, "work": work, "phone": phone(r), "days": days}
    c |= {"from": first.isoformat(), "until": last.isoformat()}
    facts = {
        "headline": Value("text", "ROAD CLOSED"),
        "works": Value("name", work),
        "until": Value("date", last.isoformat()),
        "street": Value("name", street),
        "phone": Value("text", c["phone"]),
    }
    return f"road closure notice for {street} in {c['town']}", facts


def _timetable(
    r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]
) -> tuple[str, dict[str, Value]]:
    line = r.choice(["Ferry", "Bus", "Tram"])
    stop = f"{c['town']} {r.choice(['Quay', 'Bridge', 'Market', 'Station'])}"
    rows = {}
    for _ in range(r.randint(2, 3)):
        minutes = sorted(r.sample(range(6 * 12, 22 * 12), r.randint(4, 6)))
        rows[namer.town()] = [f"{m // 12:02d}:{m % 12 * 5:02d}" for m in minutes]
    c |= {"title": stop, "line": f"{line} {r.randint(2, 88)}", "rows": rows, "phone": phone(r)}
    facts = {"title": Value("text", stop), "phone": Value("text", c["phone"])}
    _code(r, c, facts, 0.6)
    return f"{line.lower()} timetable at {stop}", facts


def _enamel(r: random.Random, namer: Namer, words: dict[str, Any], c: dict[str, Any]) -> tuple[str, dict[str, Value]]:
    text, year = r.choice(words["sign_texts"]), str(r.randint(1908, 1979))
    authority = f"{c['town']} {r.choice(['Harbour Office', 'Parish Council', 'Forestry Board', 'Waterworks'])}"
    fine = float(r.choice([5, 10, 20, 25, 40, 50]))
    c |= {"title": text, "year": year, "authority": authority, "fine": fine}
    facts = {
        "headline": Value("text", text),
        "year": Value("date", year),
        "authority": Value("name", authority),
        "fine": Value("number", fine, "EUR"),
    }
    return f'"{text.lower()}" sign of the {authority}', facts


_Form = Callable[[random.Random, Namer, dict[str, Any], dict[str, Any]], tuple[str, dict[str, Value]]]
_FORMS: dict[str, _Form] = {
    "opening": _opening,
    "menu": _menu,
    "label": _label,
    "card": _card,
    "event": _event,
    "lost": _lost,
    "roadworks": _roadworks,
    "timetable": _timetable,
    "enamel": _enamel,
}
_NOUNS = {
    "opening": "sign",
    "menu": "menu",
    "label": "label",
    "card": "card",
    "event": "poster",
    "lost": "poster",
    "roadworks": "sign",
    "timetable": "timetable",
    "enamel": "sign",
}
