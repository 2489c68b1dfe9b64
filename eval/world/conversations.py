"""Multi-turn conversations about one frame: follow-ups with "it", "the author", "that town", "the other one"."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval.world.gold import findable
from eval.world.model import Placed, Question, Thing
from eval.world.questions import Asker
from eval.world.wording import fill

#: Shares of conversations with 2, 3, 4, 5 and 6 turns: 4.9 turns on average, as published for CRAG-MM.
LENGTHS = ((2, 0.04), (3, 0.08), (4, 0.20), (5, 0.30), (6, 0.38))
#: Share of conversations that move on to a second thing in the frame.
DRIFT_SHARE = 0.38
_TYPES = (
    ("simple-knowledge", 0.52),
    ("comparison", 0.15),
    ("aggregation", 0.12),
    ("reasoning", 0.16),
    ("multi-hop", 0.05),
)


def length(r: random.Random) -> int:
    return r.choices([n for n, _ in LENGTHS], [w for _, w in LENGTHS])[0]


@dataclass
class _State:
    """What has been talked of: the thing in focus, and what it has led to."""

    thing: Thing
    asked: set[str] = field(default_factory=set)
    reached: Thing | None = None
    role: str = ""


def converse(
    asker: Asker, placed: Sequence[Placed], turns: int, hidden: Sequence[bool], r: random.Random
) -> list[Question]:
    """`turns` questions about the first of `placed`, and, when there is a second, later about that one."""
    state = _State(placed[0].thing)
    switch_at = r.randint(max(1, turns // 2), turns - 1) if len(placed) > 1 else turns
    questions: list[Question] = []
    for i in range(turns):
        if i == switch_at:
            state = _State(placed[1].thing)
            said = r.choice(asker.p["back"]["second"]).format(noun=state.thing.noun)
            q = _first(asker, state, placed, r, this=said)
        elif i == 0:
            q = _first(asker, state, placed, r, this=None)
        else:
            q = _follow(asker, state, placed, hidden[i], r)
        if q is None:
            continue
        q.needs_history = i > 0 and not q.names_entity
        q.needs_image = i == 0 or i == switch_at or state.thing.kind == "notice"
        state.asked.add(q.relation)
        questions.append(q)
    return questions


def _first(
    asker: Asker, state: _State, placed: Sequence[Placed], r: random.Random, *, this: str | None
) -> Question | None:
    order = ["simple-knowledge", "simple-recognition", "reasoning"]
    if r.random() < 0.3:
        order = ["simple-recognition", "simple-knowledge", "reasoning"]
    for type_ in order:
        q = asker.ask(type_, state.thing, placed, r, this=this)
        if q is not None:
            _note_step(asker, state, q)
            return q
    return None


def _follow(asker: Asker, state: _State, placed: Sequence[Placed], hidden: bool, r: random.Random) -> Question | None:
    """A step: one relation further from what was just reached, or another question about the thing in focus."""
    if state.reached is not None and not hidden and r.random() < 0.62:
        q = _step_on(asker, state, r)
        if q is not None:
            return q
    if state.thing.kind != "notice" and state.thing.indexed and not hidden and r.random() < 0.22:
        q = _role_question(asker, state, r)
        if q is not None:
            return q
    was_away = state.reached is not None
    state.reached = None
    options = [t for t, _ in _TYPES]
    weights = [w for _, w in _TYPES]
    first = "simple-knowledge" if hidden else r.choices(options, weights)[0]
    for type_ in dict.fromkeys([first, *options, "simple-recognition"]):
        if was_away or r.random() < 0.3:
            said = r.choice(asker.p["back"]["thing"]).format(noun=state.thing.noun)
        else:
            said = r.choice(asker.p["places"]["follow"])
        alone = [p for p in placed if p.thing.id == state.thing.id]
        q = asker.ask(type_, state.thing, alone, r, hidden=hidden, this=said, asked=frozenset(state.asked))
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
        said = fill(r.choice(asker.p["roles"][role]), this=r.choice(asker.p["places"]["follow"]))
    else:
        said = r.choice(asker.p["short_roles"][role])
    q = asker.fact_question(state.thing, target, n, said, r, type_="multi-hop", before=[(state.thing, role)])
    q.relation = f"{role}.{n}"
    state.reached, state.role = target, role
    return q
