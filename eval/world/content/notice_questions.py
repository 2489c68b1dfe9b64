"""Questions about signs, menus, labels, cards, posters and timetables: all answered from the frame.

The one exception leads from the town on the notice to what pages say about that town.
"""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from eval.world.content.notices import WEEKDAYS
from eval.world.content.wording import Rounds, fill, sentence, spoken
from eval.world.model import Fact, Question, Region, Thing, Value
from eval.world.verbalise import money, say


class NoticeAsker:
    """Writes questions about the texts of notices."""

    def __init__(self, region: Region, phrasings: dict[str, Any], rounds: Rounds) -> None:
        self.region = region
        self.rounds = rounds
        self.p = phrasings

    def ask(
        self, type_: str, thing: Thing, r: random.Random, *, this: str | None, asked: frozenset[str]
    ) -> Question | None:
        said = str(this or r.choice(self.p["places"][thing.noun])).format(noun=thing.noun)
        if type_ == "multi-hop":
            return self._town(thing, said, r, asked, follow=this is not None)
        options = [n for n in self._relations(thing) if self._type(n) == type_ and n not in asked]
        if not options:
            return None
        n = r.choice(options)
        made = self._solve(n, thing, r)
        if made is None:
            return None
        answer, fields = made
        wording = self.p["notice"][n]
        template, number = self.rounds.next(f"notice.{n}", wording["ask"], r)
        openers = self.p["follow_openers" if this is not None else "openers"]
        query = spoken(fill(template, this=said, **fields), openers, r)
        alone = sentence(fill(template, this=f"the {thing.name}", **fields))
        if answer.kind == "yesno":
            text = fill(wording["answer_yes" if answer.value else "answer_no"][0], **fields)
        else:
            text = fill(r.choice(wording["answer"]), value=say(answer), **fields)
        # Everything is on the picture; the fact is kept so that the grounds can be looked up like any other.
        thing.facts.setdefault(n, Fact(n, answer, n, on_picture=True))
        q = Question(thing, [thing], type_, "static", query, alone, answer, sentence(text), [(thing, n)], n, number)
        q.needs_image = True
        return q

    def _town(
        self, thing: Thing, said: str, r: random.Random, asked: frozenset[str], *, follow: bool
    ) -> Question | None:
        c = thing.content
        shown = c["form"] in ("card", "event", "lost", "timetable", "enamel")
        town = self.region.thing(thing.facts["town"].value.target or "")
        names = [n for n, f in town.facts.items() if f.pages and f"town.{n}" not in asked]
        if not shown or not names:
            return None
        n = r.choice(names)
        wording = self.p["relations"][n]
        template, number = self.rounds.next(f"relations.{n}", wording["ask"], r)
        openers = self.p["follow_openers" if follow else "openers"]
        query = spoken(fill(template, this=fill(r.choice(self.p["roles"]["town"]), this=said)), openers, r)
        text = fill(r.choice(wording["answer"]), name=town.name, value=say(town.facts[n].value))
        alone = sentence(fill(template, this=town.name))
        rests = [(thing, "town"), (town, n)]
        fact = town.facts[n]
        return Question(
            thing,
            [thing],
            "multi-hop",
            fact.dynamism,
            query,
            alone,
            fact.value,
            sentence(text),
            rests,
            f"town.{n}",
            number,
        )

    def _type(self, relation: str) -> str:
        return str(self.p["notice"][relation].get("type", "simple-knowledge"))

    def _relations(self, thing: Thing) -> list[str]:
        form = thing.content["form"]
        extra = {
            "opening": ["hours", "closing", "open_at"],
            "menu": ["item_price", "item_compare", "item_total", "item_count", "cheapest", "change"],
            "label": ["per_kilo", "several"],
            "event": ["group_fee"],
            "roadworks": ["duration"],
            "timetable": ["departure", "last_departure", "departures", "next_departure"],
        }.get(form, [])
        shown = [n for n, f in thing.facts.items() if f.on_picture and n in self.p["notice"]]
        if form in ("opening", "menu", "roadworks", "label"):
            shown = [n for n in shown if n != "town"]  # the town is not printed on these
        own = [n for n in shown if n not in extra]
        return own + extra

    def _solve(self, n: str, thing: Thing, r: random.Random) -> tuple[Value, dict[str, Any]] | None:
        c = thing.content
        if n in ("hours", "closing", "open_at"):
            return self._hours(n, c, r)
        if n in ("item_price", "item_compare", "item_total", "item_count", "cheapest", "change"):
            return self._items(n, c["items"], r)
        if n in ("departure", "last_departure", "departures", "next_departure"):
            return self._departures(n, c["rows"], r)
        if n == "per_kilo":
            return Value("number", c["per_kilo"], "EUR"), {}
        if n == "several":
            k = r.randint(2, 6)
            return Value("number", round(k * c["price"], 2), "EUR"), {"n": k}
        if n == "group_fee":
            k = r.randint(2, 6)
            return Value("number", k * c["fee"], "EUR"), {"n": k}
        if n == "duration":
            days = (date.fromisoformat(c["until"]) - date.fromisoformat(c["from"])).days + 1
            return Value("number", float(days), "day"), {}
        return thing.facts[n].value, {}

    def _hours(self, n: str, c: dict[str, Any], r: random.Random) -> tuple[Value, dict[str, Any]]:
        day = r.choice([d for d in WEEKDAYS if d in c["hours"]])
        opens, closes = c["hours"][day]
        if n == "hours":
            return Value("text", opens), {"day": day}
        if n == "closing":
            return Value("text", closes), {"day": day}
        if r.random() < 0.2:
            return Value("yesno", False), {"day": c["closed"], "time": "11:00", "span": "closed"}
        hour = r.randint(7, 20)
        time = f"{hour:02d}:{r.choice(['15', '45'])}"
        inside = opens <= time < closes
        span = f"from {opens} to {closes}" if inside else f"only open from {opens} to {closes}"
        return Value("yesno", inside), {"day": day, "time": time, "span": span}

    def _items(self, n: str, items: dict[str, float], r: random.Random) -> tuple[Value, dict[str, Any]]:
        a, b = r.sample(sorted(items), 2)
        fields: dict[str, Any] = {"item": a.lower(), "item2": b.lower()}
        if n == "item_price":
            return Value("number", items[a], "EUR"), fields
        if n == "item_total":
            return Value("number", round(items[a] + items[b], 2), "EUR"), fields
        if n == "item_count":
            return Value("number", float(len(items))), {}
        if n == "cheapest":
            return Value("choice", min(items, key=lambda k: items[k])), {}
        if n == "change":
            pay = next(x for x in (5, 10, 20, 50) if x > items[a])
            return Value("number", round(pay - items[a], 2), "EUR"), fields | {"n": pay}
        low, high = sorted((items[a], items[b]))
        winner = a if items[a] < items[b] else b
        return Value("choice", winner), fields | {"low": money(low), "high": money(high)}

    def _departures(self, n: str, rows: dict[str, list[str]], r: random.Random) -> tuple[Value, dict[str, Any]] | None:
        dest = r.choice(sorted(rows))
        times = rows[dest]
        if n == "departure":
            return Value("text", times[0]), {"dest": dest}
        if n == "last_departure":
            return Value("text", times[-1]), {"dest": dest}
        if n == "departures":
            return Value("number", float(len(times))), {"dest": dest}
        after = r.randrange(len(times) - 1)
        hour, minute = (int(x) for x in times[after].split(":"))
        now = f"{hour:02d}:{minute + 2:02d}"
        return Value("text", times[after + 1]), {"dest": dest, "time": now}
