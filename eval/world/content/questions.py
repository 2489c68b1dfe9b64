"""Questions about a frame: the six types of the benchmark, each with its wording, typed answer and grounds.

Only what is asked is decided here; where facts stand was decided in `region` and recorded by `pages`. Questions about
notices are in `notice_questions`, chains of turns in `conversations`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from eval.world.content import reasoning
from eval.world.content.gold import findable
from eval.world.content.notice_questions import NoticeAsker
from eval.world.content.wording import (
    NAMED_SHARE,
    Rounds,
    clear,
    fill,
    group_noun,
    other_reference,
    points_back,
    reference,
    sentence,
    spoken,
)
from eval.world.model import Placed, Question, Region, Thing, Value
from eval.world.verbalise import listed, say

#: How often a question is thrown away for another one before the thing is said to offer none.
ATTEMPTS = 5
LIVE_WEIGHT = 5
#: Share of comparisons of two that ask for yes or no.
YESNO_SHARE = 0.25
_SPEED = ("static", "slow-changing", "fast-changing", "real-time")


class Asker:
    """Writes questions for the things of one region."""

    def __init__(self, region: Region, phrasings: dict[str, Any]) -> None:
        self.region = region
        self.p = phrasings
        self.rounds = Rounds()
        self.notices = NoticeAsker(region, phrasings, self.rounds)
        self._types: dict[str, Callable[..., Question | None]] = {
            "simple-recognition": self.recognition,
            "simple-knowledge": self.knowledge,
            "multi-hop": self.multi_hop,
            "comparison": self.comparison,
            "aggregation": self.aggregation,
            "reasoning": self.reasoning,
        }

    def ask(
        self,
        type_: str,
        thing: Thing,
        placed: Sequence[Placed],
        r: random.Random,
        *,
        hidden: bool = False,
        this: str | None = None,
        asked: frozenset[str] = frozenset(),
        welcome: Callable[[Question], bool] | None = None,
    ) -> Question | None:
        """A question of this type, or None where the thing offers none. `hidden` asks for a fact that stands nowhere;
        `this` replaces the reference (in conversations); `asked` are relations that were asked before; what is not
        `welcome` is thrown away, and after a few attempts there is none."""
        for _ in range(ATTEMPTS):
            question = self._ask(type_, thing, placed, r, hidden, this, asked)
            if question is None or welcome is None or welcome(question):
                return question
        return None

    def _ask(
        self,
        type_: str,
        thing: Thing,
        placed: Sequence[Placed],
        r: random.Random,
        hidden: bool,
        this: str | None,
        asked: frozenset[str],
    ) -> Question | None:
        if thing.kind == "notice":
            return self.notices.ask(type_, thing, r, this=this, asked=asked)
        if not thing.indexed and type_ not in ("simple-recognition", "simple-knowledge"):
            return None
        named = this is None and type_ != "simple-recognition" and r.random() < NAMED_SHARE
        said = thing.name if named else this or reference(thing, placed, self.p, r)
        question = self._types[type_](thing, placed, said, r, hidden, asked)
        if question is not None:
            question.reference = said
            question.names_entity = named or question.names_entity
            question.needs_image = not named and this is None
        return question

    def roles(self, thing: Thing) -> list[str]:
        """Its relations that lead to a person, a maker or a town and have words for that."""
        return [n for n, fact in thing.facts.items() if n in self.p["roles"] and fact.value.target]

    def _plural(self, thing: Thing) -> str:
        return str(self.p["plurals"].get(thing.noun, thing.noun + "s"))

    def _speak(self, text: str, this: str | None, r: random.Random) -> str:
        follow = this is not None and points_back(this, self.p)
        return spoken(text, self.p["follow_openers" if follow else "openers"], r)

    def _pick(self, thing: Thing, hidden: bool, asked: frozenset[str], wanted: Callable[[str], bool]) -> list[str]:
        """Relations that fit, in order: findable ones, or (hidden, or an unknown entity) those that stand nowhere."""
        want_findable = not hidden and thing.indexed
        names = [n for n in thing.facts if n in self.p["relations"] and n not in asked and wanted(n)]
        return [n for n in names if findable(thing, n) == want_findable or (not thing.indexed and findable(thing, n))]

    def recognition(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        if hidden or "name" in asked:
            return None
        recognise = self.p["recognise"]
        wording = recognise.get(thing.kind) or recognise.get(thing.domain) or recognise["any"]
        among = [t for t in wording["ask"] if "{this}" in t] if len(placed) > 1 else wording["ask"]
        template, number = self.rounds.next(f"recognise.{thing.domain}", wording["ask"], r, among)
        query = self._speak(fill(template, this=said, noun=thing.noun), said, r)
        text = fill(r.choice(self.p["recognise"]["answer"]), name=thing.name)
        aliases = (thing.variant,) if thing.variant and thing.variant != thing.name else ()
        return Question(
            thing, [thing], "simple-recognition", "static", query, f"What is {thing.name}?",
            Value("name", thing.name, aliases=aliases), text, [(thing, "name")], "name", number,
        )  # fmt: skip

    def knowledge(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        choice = self._pick(thing, hidden, asked, lambda n: True)
        if not choice:
            return None
        # What changes by the minute is rare among the facts; asked for as often as others it would hardly come up.
        weights = [LIVE_WEIGHT if thing.facts[n].dynamism == "real-time" else 1 for n in choice]
        return self.fact_question(thing, thing, r.choices(choice, weights)[0], said, r)

    def fact_question(
        self,
        thing: Thing,
        of: Thing,
        relation: str,
        said: str,
        r: random.Random,
        *,
        type_: str = "simple-knowledge",
        before: Sequence[tuple[Thing, str]] = (),
        standalone: str | None = None,
    ) -> Question:
        """A question for one fact of `of`, which is `thing` itself or something that it leads to."""
        wording, fact = self.p["relations"][relation], of.facts[relation]
        template, number = self.rounds.next(f"relations.{relation}", wording["ask"], r)
        query = self._speak(fill(template, this=said), said, r)
        alone = sentence(fill(template, this=standalone or of.name))
        if fact.value.kind == "yesno":
            text = fill(r.choice(wording["answer_yes" if fact.value.value else "answer_no"]), name=of.name)
        else:
            text = fill(r.choice(wording["answer"]), name=of.name, value=say(fact.value))
        dynamism = max([fact.dynamism, *(t.facts[n].dynamism for t, n in before)], key=_SPEED.index)
        return Question(
            thing,
            [thing],
            type_,
            dynamism,
            query,
            alone,
            fact.value,
            sentence(text),
            [*before, (of, relation)],
            relation,
            number,
        )

    def multi_hop(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        options = []
        for role in self.roles(thing):
            if findable(thing, role):
                target = self.region.thing(thing.facts[role].value.target or "")
                for relation, fact in target.facts.items():
                    if f"{role}.{relation}" not in asked and bool(fact.pages) != hidden:
                        options.append((role, relation))
        if not options:
            return None
        role = r.choice(sorted({o[0] for o in options}))
        relation = r.choice([o[1] for o in options if o[0] == role])
        target = self.region.thing(thing.facts[role].value.target or "")
        by = fill(r.choice(self.p["roles"][role]), this=said)
        alone = fill(self.p["roles"][role][0], this=thing.name)
        before = [(thing, role)]
        q = self.fact_question(thing, target, relation, by, r, type_="multi-hop", before=before, standalone=alone)
        q.relation = f"{role}.{relation}"
        return q

    def comparison(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        if hidden:
            return None
        beside = [p.thing for p in placed if p.thing.id != thing.id]
        pool = [t for t in [*beside, *self.region.siblings(thing)] if t.indexed]
        if not pool or r.random() < 0.12:
            pool = pool + [t for t in self.region.entities if t.kind == thing.kind and t.indexed and t.id != thing.id]
        if beside and r.random() < 0.7:
            pool = [t for t in beside if t.indexed] or pool
        r.shuffle(pool)
        for other in dict.fromkeys(t.id for t in pool):
            q = self._compare_with(thing, self.region.thing(other), placed, said, r, asked)
            if q is not None:
                return q
        return None

    def _compare_with(
        self, thing: Thing, other: Thing, placed: Sequence[Placed], said: str, r: random.Random, asked: frozenset[str]
    ) -> Question | None:
        def comparable(n: str) -> bool:
            w = self.p["relations"][n]
            if "more" not in w or not findable(other, n) or f"compare.{n}" in asked:
                return False
            a, b = thing.facts[n].value, other.facts[n].value
            return a.unit == b.unit and a.value != b.value

        names = self._pick(thing, False, frozenset(), comparable)
        if not names:
            return None
        n = r.choice(names)
        siblings = self.region.siblings(thing)
        everyone = [thing, *siblings]
        distinct = all(findable(m, n) for m in everyone) and len({m.facts[n].value.value for m in everyone})
        if len(everyone) >= 3 and r.random() < 0.25 and distinct == len(everyone):
            return self._extreme(thing, everyone, n, placed, said, r)
        wording, compare = self.p["relations"][n], self.p["compare"]
        a, b = thing.facts[n], other.facts[n]
        upward = r.random() < 0.5
        more = wording["more" if upward else "less"]
        larger = a.value.value > b.value.value
        that, names_other = other_reference(other, thing, placed, self.p, r)
        fields: dict[str, Any] = {"name": thing.name, "other_name": other.name, "more": more}
        fields |= {"value": say(a.value), "other_value": say(b.value)}
        if r.random() < YESNO_SHARE:
            own = wording.get("compare", []) if upward else []
            if own and r.random() < 0.3:
                template, number = self.rounds.next(f"relations.{n}/compare", own, r)
            else:
                template, number = self.rounds.next("compare.yesno", compare["yesno"], r)
            right = larger == upward
            answer, text = Value("yesno", right), fill(compare["answer_yes" if right else "answer_no"][0], **fields)
        else:
            template, number = self.rounds.next("compare.choice", compare["choice"], r)
            winner, loser = (thing, other) if larger == upward else (other, thing)
            aliases = (winner.variant,) if winner.variant and winner.variant != winner.name else ()
            answer = Value("choice", winner.name, aliases=aliases)
            fields |= {"winner": winner.name, "winner_value": say(winner.facts[n].value)}
            text = fill(compare["answer_choice"][0], loser_value=say(loser.facts[n].value), **fields)
        query = self._speak(fill(template, this=said, other=that, more=more), said, r)
        alone = sentence(fill(template, this=thing.name, other=other.name, more=more))
        rests: list[tuple[Thing, str]] = [(thing, n), (other, n)]
        dynamism = max(a.dynamism, b.dynamism, key=_SPEED.index)
        q = Question(
            thing,
            [thing, other],
            "comparison",
            dynamism,
            query,
            alone,
            answer,
            sentence(text),
            rests,
            f"compare.{n}",
            number,
        )
        q.names_entity = names_other
        return q

    def _extreme(
        self, thing: Thing, everyone: list[Thing], n: str, placed: Sequence[Placed], said: str, r: random.Random
    ) -> Question:
        wording, compare = self.p["relations"][n], self.p["compare"]
        highest = r.random() < 0.5
        pick = max if highest else min
        winner = pick(everyone, key=lambda m: m.facts[n].value.value)
        most = wording["most" if highest else "least"]
        fields = {
            "most": most,
            "group": group_noun(thing),
            "noun": thing.noun,
            "nouns": self._plural(thing),
            "winner": winner.name,
            "this": said,
        }
        template, number = self.rounds.next("compare.extreme", compare["extreme"], r, clear(compare["extreme"], placed))
        query = self._speak(fill(template, **fields), said if "{this}" in template else None, r)
        alone = f"Which {thing.noun} of {thing.family_name} is the {most}?"
        text = fill(compare["answer_extreme"][0], winner_value=say(winner.facts[n].value), **fields)
        aliases = (winner.variant,) if winner.variant and winner.variant != winner.name else ()
        rests = [(m, n) for m in everyone] + [(thing, "members")]
        return Question(
            thing, everyone, "comparison", thing.facts[n].dynamism, query, alone,
            Value("choice", winner.name, aliases=aliases), sentence(text), rests, f"compare.{n}", number,
        )  # fmt: skip

    def aggregation(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        if hidden:
            return None
        relations, everyone = self.p["relations"], [thing, *self.region.siblings(thing)]
        options: list[tuple[str, str]] = []
        for n in self._pick(thing, False, frozenset(), lambda n: True):
            if "count" in relations[n]:
                options += [("count", n)] * 2
            sums = clear(relations[n].get("sum", []), placed)
            if sums and len(everyone) > 1 and all(findable(m, n) for m in everyone):
                options += [("sum", n)] * 2
        if len(everyone) > 1 and thing.content.get("family_page"):
            options += [(k, "") for k in ("members", "count_members") if clear(self.p["aggregate"][k], placed)]
        options = [o for o in options if ".".join(o) not in asked]
        if not options:
            return None
        kind, n = r.choice(options)
        return self._aggregate(kind, n, thing, everyone, placed, said, r)

    def _aggregate(
        self,
        kind: str,
        n: str,
        thing: Thing,
        everyone: list[Thing],
        placed: Sequence[Placed],
        said: str,
        r: random.Random,
    ) -> Question:
        words = self.p["aggregate"]
        fields: dict[str, Any] = {
            "group": group_noun(thing),
            "noun": thing.noun,
            "nouns": self._plural(thing),
            "name": thing.name,
            "this": said,
        }
        family = thing.family_name or "the family"
        rests: list[tuple[Thing, str]] = [(thing, "members")]
        dynamism = "static"
        lists = {"count": ("relations", n, "count"), "sum": ("relations", n, "sum")}
        path = lists.get(kind, ("aggregate", kind))
        asks: Any = self.p
        for step in path:
            asks = asks[step]
        key = f"relations.{n}/{kind}" if kind in lists else ".".join(path)
        template, number = self.rounds.next(key, asks, r, asks if kind == "count" else clear(asks, placed))
        if kind == "count":
            items = thing.facts[n].value.value
            answer = Value("number", float(len(items)))
            text = fill(words["answer_count"][0], value=len(items), items=listed(items), **fields)
            rests, family = [(thing, n)], ""
        elif kind == "sum":
            values = [m.facts[n].value for m in everyone]
            answer = Value("number", round(sum(v.value for v in values), 2), values[0].unit)
            text = fill(words["answer_sum"][0], value=say(answer), **fields)
            rests += [(m, n) for m in everyone]
            dynamism = thing.facts[n].dynamism
        elif kind == "members":
            answer = Value("list", tuple(m.name for m in everyone[1:]))
            text = fill(words["answer_members"][0], value=say(answer), **fields)
        else:
            answer = Value("number", float(len(everyone)))
            text = fill(words["answer_count_members"][0], value=len(everyone), **fields)
        query = self._speak(fill(template, **fields), said if "{this}" in template else None, r)
        alone = sentence(fill(template, **(fields | {"this": thing.name})))
        if family:
            alone += f" ({family})"
        about = [thing] if kind == "count" else everyone
        return Question(
            thing, about, "aggregation", dynamism, query, alone, answer, sentence(text), rests, f"{kind}.{n}", number
        )

    def reasoning(
        self, thing: Thing, placed: Sequence[Placed], said: str, r: random.Random, hidden: bool, asked: frozenset[str]
    ) -> Question | None:
        if hidden:
            return None
        specs = self.p["reason"].items()
        names = [n for n, s in specs if f"reason.{n}" not in asked and reasoning.possible(s, thing, self.region)]
        if not names:
            return None
        n = r.choice(names)
        wording = self.p["reason"][n]
        made = reasoning.solve(wording, thing, self.region, r)
        template, number = self.rounds.next(f"reason.{n}", wording["ask"], r)
        query = self._speak(fill(template, this=said, **made.fields), said, r)
        alone = sentence(fill(template, this=thing.name, **made.fields))
        fields = made.fields | {"name": thing.name}
        if made.answer.kind == "yesno":
            text = fill(r.choice(wording["answer_yes" if made.answer.value else "answer_no"]), **fields)
        else:
            text = fill(r.choice(wording["answer"]), value=say(made.answer), **fields)
        dynamism = max((t.facts[x].dynamism for t, x in made.rests_on), key=_SPEED.index)
        return Question(
            thing,
            [thing],
            "reasoning",
            dynamism,
            query,
            alone,
            made.answer,
            sentence(text),
            made.rests_on,
            f"reason.{n}",
            number,
        )
