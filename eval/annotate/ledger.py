"""The record of events, and what follows from it: who says what of each item now.

Every function takes a connection within a transaction (`eval.annotate.database`). An undo is an event like any other:
what a person has done is read by `fold`, and undoing several times goes further back, until they label or skip again.
Labels that were imported stand beside that: their person did not give them here and cannot undo them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Row, delete, func, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from eval.annotate.schema import EventRow, PersonRow, StandingRow, TallyRow, count_if
from eval.annotate.values import Label, Labelled, Preference, State, label_from, person_name, preference_from

Kind = Literal[
    "project", "settings", "archive", "guideline", "assign", "items", "gold", "label", "skip", "undo", "redo", "deleted"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: What a person does to items, one after another.
_DEEDS = ("label", "skip", "undo", "redo")


@dataclass(frozen=True)
class Event:
    """One event of a person on an item. `content` of a label is {"label": …} or {"preference": …}."""

    seq: int
    kind: str
    item: int
    at: float
    content: Mapping[str, Any]

    @property
    def imported(self) -> bool:
        return bool(self.content.get("imported"))


def known(c: Connection, uid: str) -> Row[Any] | None:
    """The event that this uid has written already."""
    return c.execute(select(EventRow.seq, EventRow.kind, EventRow.project, EventRow.item, EventRow.content).where(
        EventRow.uid == uid)).first()  # fmt: skip


def add_event(
    c: Connection,
    uid: str,
    kind: Kind,
    at: float,
    content: Mapping[str, Any],
    *,
    project: int | None = None,
    person: int | None = None,
    item: int | None = None,
) -> int:
    """Write one event and return its number."""
    values = {"uid": uid, "kind": kind, "at": at, "project": project, "person": person, "item": item}
    return int(c.execute(insert(EventRow).values(**values, content=dict(content)).returning(EventRow.seq)).scalar_one())


def person_id(c: Connection, name: str) -> int | None:
    """Who has this name; None for nobody yet."""
    key = person_name(name).casefold()
    return c.execute(select(PersonRow.id).where(PersonRow.key == key)).scalar_one_or_none()


def person_made(c: Connection, name: str, at: float) -> int:
    """Who has this name, made when first seen.

    Raises:
        BadInput: it is no name.
    """
    found = person_id(c, name)
    if found is not None:
        return found
    kept = person_name(name)
    made = insert(PersonRow).values(key=kept.casefold(), name=kept, first_seen=at, leaving=False)
    return int(c.execute(made.returning(PersonRow.id)).scalar_one())


def fold(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    """What a person has done and not undone, oldest first, and what a redo would bring back, next one last."""
    done: list[Event] = []
    undone: list[Event] = []
    for event in events:
        if event.kind == "undo":
            if done:
                undone.append(done.pop())
        elif event.kind == "redo":
            if undone:
                done.append(undone.pop())
        elif not event.imported:
            done.append(event)
            undone.clear()
    return done, undone


def deeds(c: Connection, project: int, person: int) -> list[Event]:
    """All that a person did to the items of a project, oldest first."""
    wanted = select(EventRow.seq, EventRow.kind, EventRow.item, EventRow.at, EventRow.content).where(
        EventRow.project == project, EventRow.person == person, EventRow.kind.in_(_DEEDS)
    )
    return [Event(*row) for row in c.execute(wanted.order_by(EventRow.seq))]


def surviving(events: Sequence[Event]) -> list[Event]:
    """Labels and skips that were not undone, imported ones included, oldest first."""
    done, _ = fold(events)
    imported = [event for event in events if event.imported]
    return sorted([*done, *imported], key=lambda event: event.seq)


def restate(c: Connection, project: int, person: int, item: int, events: Sequence[Event]) -> State:
    """Write what a person says of one item now, after an undo or redo; `events` are all their deeds."""
    alive = [event for event in surviving(events) if event.item == item]
    _stand(c, project, person, item, alive)
    recount(c, project, [item])
    return _state(alive)


def _state(alive: Sequence[Event]) -> State:
    return "open" if not alive else "labelled" if alive[-1].kind == "label" else "skipped"


def _stand(c: Connection, project: int, person: int, item: int, alive: Sequence[Event]) -> None:
    last = alive[-1] if alive else None
    state = _state(alive)
    values = {
        "project": project,
        "state": state,
        "value": _value(last.content) if last is not None and state == "labelled" else "",
        "skips": sum(event.kind == "skip" for event in alive),
        "third": any(bool(event.content.get("third")) for event in alive),
        "event": last.seq if last is not None else None,
    }
    _write_standing(c, item, person, values)


def stand(
    c: Connection, project: int, person: int, item: int, state: State, event: int, content: Mapping[str, Any]
) -> None:
    """Write what a person says of an item now, after a label or skip."""
    before = c.execute(select(StandingRow.skips).where(
        StandingRow.item == item, StandingRow.person == person)).scalar_one_or_none()  # fmt: skip
    values = {
        "project": project,
        "state": state,
        "value": _value(content) if state == "labelled" else "",
        "skips": (before or 0) + (state == "skipped"),
        "third": bool(content.get("third")),
        "event": event,
    }
    _write_standing(c, item, person, values)
    recount(c, project, [item])


def _value(content: Mapping[str, Any]) -> str:
    return str(content["label"]["grade"] if "label" in content else content["preference"]["winner"])


def _write_standing(c: Connection, item: int, person: int, values: Mapping[str, Any]) -> None:
    c.execute(
        upsert(StandingRow)
        .values(item=item, person=person, **values)
        .on_conflict_do_update(index_elements=["item", "person"], set_=dict(values))
    )


def recount(c: Connection, project: int, items: Iterable[int]) -> None:
    """Count again how many people say what of these items."""
    for item in items:
        by_value = c.execute(
            select(func.count(), count_if(StandingRow.third))
            .where(StandingRow.item == item, StandingRow.state == "labelled")
            .group_by(StandingRow.value)
        ).all()
        counts = [int(n) for n, _ in by_value]
        values = {
            "project": project,
            "labels": sum(counts),
            "top": max(counts, default=0),
            "thirds": sum(int(n or 0) for _, n in by_value),
        }
        c.execute(
            upsert(TallyRow).values(item=item, **values).on_conflict_do_update(index_elements=["item"], set_=values)
        )


def rebuild(c: Connection) -> None:
    """Make all that follows from the events again."""
    c.execute(delete(StandingRow))
    c.execute(delete(TallyRow))
    who = select(EventRow.project, EventRow.person).where(EventRow.kind.in_(_DEEDS)).distinct()
    touched: dict[int, set[int]] = {}
    for project, person in c.execute(who).all():
        assert project is not None
        assert person is not None
        events = deeds(c, project, person)
        by_item: dict[int, list[Event]] = {event.item: [] for event in events}
        for event in surviving(events):
            by_item[event.item].append(event)
        for item, alive in by_item.items():
            _stand(c, project, person, item, alive)
        touched.setdefault(project, set()).update(by_item)
    for project, items in touched.items():
        recount(c, project, sorted(items))


def said(content: Mapping[str, Any]) -> tuple[Label | None, Preference | None]:
    """The label or preference of an event."""
    if "label" in content:
        return label_from(content["label"]), None
    return None, preference_from(content["preference"]) if "preference" in content else None


def current_labels(c: Connection, project: int, person: int | None = None, item: int | None = None) -> list[Labelled]:
    """What everybody says of the items now, in the order of the items, then of who came first."""
    wanted = (
        select(StandingRow.item, PersonRow.name, EventRow.at, EventRow.content, StandingRow.third)
        .join(PersonRow, PersonRow.id == StandingRow.person)
        .join(EventRow, EventRow.seq == StandingRow.event)
        .where(StandingRow.project == project, StandingRow.state == "labelled")
        .order_by(StandingRow.item, StandingRow.event)
    )
    if person is not None:
        wanted = wanted.where(StandingRow.person == person)
    if item is not None:
        wanted = wanted.where(StandingRow.item == item)
    return [
        Labelled(item, name, at, *said(content), third=bool(third))
        for item, name, at, content, third in c.execute(wanted)
    ]
