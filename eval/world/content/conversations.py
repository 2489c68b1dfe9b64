"""Multi-turn conversations about one frame: follow-ups with "it", "the author", "that town", "the other one"."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval.world.content.gold import findable
from eval.world.content.questions import Asker
from eval.world.content.quota import Quota
from eval.world.content.wording import fill
from eval.world.model import Placed, Question, Thing

#: Types that open the talk about a thing.
_OPENING = ("simple-knowledge", "simple-recognition", "reasoning")


@dataclass
class _State:
    """What has been talked of: the thing in focus, and what it has led to."""

    thing: Thing
    asked: set[str] = field(default_factory=set)
    reached: Thing | None = None
    role: str = ""


def converse(asker: Asker, placed: Sequence[Placed], turns: int, quota: Quota, r: random.Random) -> list[Question]:
    """`turns` questions about the first of `placed`, and, when there are others, later about those in turn."""
    state = _State(placed[0].thing)
    switches = _switches(len(placed) - 1, turns, r)
    questions: list[Question] = []
    for i in range(turns):
        moved = i in switches
        if moved:
            state = _State(placed[switches.index(i) + 1].thing)
            words = asker.p["back"]["second" if len(placed) == 2 else "third"]
            said = str(r.choice(words).format(noun=state.thing.noun))
            q = _first(asker, state, placed, quota, r, this=said)
        elif i == 0:
            q = _first(asker, state, placed, quota, r, this=None)
        else:
            q = _follow(asker, state, placed, quota, r)
        if q is None:
            continue
        q.needs_history = i > 0 and not q.names_entity
        q.needs_image = i == 0 or moved or state.thing.kind == "notice"
        state.asked.add(q.relation)
        quota.made(asker.region, q)
        questions.append(q)
    return questions


def _switches(others: int, turns: int, r: random.Random) -> list[int]:
    """At which turns the talk moves on to the next thing: in the later half, rising."""
    if not others:
        return []
    earliest = max(1, turns // 2 - others + 1)
    return sorted(r.sample(range(earliest, turns), min(others, turns - earliest)))


def _first(
    asker: Asker, state: _State, placed: Sequence[Placed], quota: Quota, r: random.Random, *, this: str | None
) -> Question | None:
    """The first question about a thing: seldom one that leads further."""
    order = [t for t in quota.types() if t in _OPENING]
    for type_ in order:
        q = asker.ask(type_, state.thing, placed, r, this=this, welcome=quota.welcome)
        if q is not None:
            _note_step(asker, state, q)
            return q
    return None


def _follow(asker: Asker, state: _State, placed: Sequence[Placed], quota: Quota, r: random.Random) -> Question | None:
    """A step: one relation further from what was just reached, or another question about the thing in focus."""
    hidden = quota.hide(state.thing)
    order = quota.types()
    due = order.index("multi-hop") < 3
    if state.reached is not None and due and not hidden:
        q = _step_on(asker, state, r)
        if q is not None:
            return q
    if state.thing.kind != "notice" and state.thing.indexed and due and not hidden:
        q = _role_question(asker, state, r)
        if q is not None:
            return q
    was_away = state.reached is not None
    state.reached = None
    for hide in (True, False) if hidden else (False,):
        for type_ in ["simple-knowledge"] if hide else order:
            if was_away or r.random() < 0.3:
                said = r.choice(asker.p["back"]["thing"]).format(noun=state.thing.noun)
            else:
                said = str(r.choice(asker.p["places"]["follow"]).format(noun=state.thing.noun))
            alone = [p for p in placed if p.thing.id == state.thing.id]
            before = frozenset(state.asked)
            q = asker.ask(type_, state.thing, alone, r, hidden=hide, this=said, asked=before, welcome=quota.welcome)
            if q is not None:
                _note_step(asker, state, q)
                return q
    return None


def _note_step(asker: Asker, state: _State, q: Question) -> None:
    """Remember the person, maker or town that the answer named."""
    target = q.answer.target
    state.reached = asker.region.thing(target) if target else None
    state.role = q.relation.split(".")[-1] if target else ""


def _step_on(asker: Asker, state: _State, r: random.Random) -> Question | None:
    """A question about what the last answer named: "where was the author born", "which river is that town on"."""
    reached = state.reached
    assert reached is not None
    key = f"{state.role}."
    names = [n for n, f in reached.facts.items() if f.pages and key + n not in state.asked]
    words = asker.p["short_roles"].get(state.role) or asker.p["pronouns"].get(reached.kind)
    if not names or not words:
        return None
    n = r.choice(names)
    before = [(state.thing, state.role)] if state.role in state.thing.facts else []
    q = asker.fact_question(state.thing, reached, n, r.choice(words), r, type_="multi-hop", before=before)
    q.relation = key + n
    target = q.answer.target
    if target:
        state.asked.add(q.relation)
        state.reached, state.role = asker.region.thing(target), n
    return q


def _role_question(asker: Asker, state: _State, r: random.Random) -> Question | None:
    """One relation further without having asked for the first: "and where was the author born?"."""
    options = []
    for role in asker.roles(state.thing):
        if findable(state.thing, role) and role in asker.p["short_roles"]:
            target = asker.region.thing(state.thing.facts[role].value.target or "")
            options += [(role, n) for n, f in target.facts.items() if f.pages and f"{role}.{n}" not in state.asked]
    if not options:
        return None
    role, n = r.choice(options)
    target = asker.region.thing(state.thing.facts[role].value.target or "")
    if target.kind == "town":  # "the town" would not say which
        again = r.choice(asker.p["places"]["follow"]).format(noun=state.thing.noun)
        said = fill(r.choice(asker.p["roles"][role]), this=again)
    else:
        said = r.choice(asker.p["short_roles"][role])
    q = asker.fact_question(state.thing, target, n, said, r, type_="multi-hop", before=[(state.thing, role)])
    q.relation = f"{role}.{n}"
    state.reached, state.role = target, role
    return q
