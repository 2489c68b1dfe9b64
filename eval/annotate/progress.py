"""How far people are and how fast, and how often they are right where the answer is known."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from eval.annotate.ledger import current_labels
from eval.annotate.queue import Turn, open_to
from eval.annotate.schema import EventRow, ItemRow, StandingRow, TallyRow, count_if
from eval.annotate.values import GRADES, ProjectSettings, Verdict4, label_from

#: A longer time between two labels was no work on an item.
BREAK_S = 120.0


@dataclass(frozen=True)
class Progress:
    """labelled, skipped: items. total: of how many; of one person it is what they did and what they may still get.

    complete: items that as many people as wanted have labelled (None for one person). labels: how many there are in
    all. seconds_per_item: mean time between two labels or skips of one person, times above 120 s left out; None before
    there are two.
    """

    labelled: int
    skipped: int
    total: int
    labels: int
    complete: int | None = None
    seconds_per_item: float | None = None


@dataclass(frozen=True)
class GoldAccuracy:
    """How one person did where the answer is known: exactly the grade (`right`), or on the right side of correct and
    not (`near`: perfect and acceptable are one side). `missed` are (item, given, known)."""

    person: str
    n: int
    right: int
    near: int
    missed: tuple[tuple[int, Verdict4, Verdict4], ...]

    @property
    def share(self) -> float | None:
        return self.right / self.n if self.n else None


def of_person(c: Connection, turn: Turn) -> Progress:
    """One person in one project."""
    states = select(StandingRow.state, func.count()).where(
        StandingRow.project == turn.project, StandingRow.person == turn.person
    )
    counted = dict(c.execute(states.group_by(StandingRow.state)).tuples().all())
    labelled, skipped = counted.get("labelled", 0), counted.get("skipped", 0)
    left, _ = open_to(c, turn)
    return Progress(labelled, skipped, labelled + skipped + left, labelled, None, _pace(c, turn.project, turn.person))


def of_project(c: Connection, project: int, settings: ProjectSettings) -> Progress:
    """Everybody in one project; items with a known answer are left out."""
    total = select(func.count()).select_from(ItemRow).where(ItemRow.project == project, ItemRow.gold.is_(None))
    tallies = (
        select(func.count(), func.sum(TallyRow.labels), count_if(TallyRow.labels >= settings.overlap))
        .select_from(TallyRow)
        .join(ItemRow, ItemRow.id == TallyRow.item)
        .where(TallyRow.project == project, TallyRow.labels > 0, ItemRow.gold.is_(None))
    )
    labelled, labels, complete = c.execute(tallies).one()
    skipped = select(func.count(StandingRow.item.distinct())).join(ItemRow, ItemRow.id == StandingRow.item).where(
        StandingRow.project == project, StandingRow.state == "skipped", ItemRow.gold.is_(None))  # fmt: skip
    return Progress(
        int(labelled),
        int(c.execute(skipped).scalar_one()),
        int(c.execute(total).scalar_one()),
        int(labels or 0),
        int(complete),
        _pace(c, project),
    )


def _pace(c: Connection, project: int, person: int | None = None) -> float | None:
    """Mean seconds from one label or skip to the person's next one, breaks and imported labels left out."""
    wanted = select(EventRow.person, EventRow.at).where(
        EventRow.project == project,
        EventRow.kind.in_(("label", "skip")),
        EventRow.content["imported"].as_boolean().is_not(True),
    )
    if person is not None:
        wanted = wanted.where(EventRow.person == person)
    rows = c.execute(wanted.order_by(EventRow.person, EventRow.seq)).all()
    gaps = [
        after.at - before.at
        for before, after in itertools.pairwise(rows)
        if before.person == after.person and 0 <= after.at - before.at <= BREAK_S
    ]
    return sum(gaps) / len(gaps) if gaps else None


def gold_accuracy(c: Connection, project: int, person: int | None = None) -> tuple[GoldAccuracy, ...]:
    """Everybody who labelled items with a known answer, by name."""
    wanted = select(ItemRow.id, ItemRow.gold).where(ItemRow.project == project, ItemRow.gold.is_not(None))
    known = {item: label_from(gold) for item, gold in c.execute(wanted)}
    by_person: dict[str, list[tuple[int, Verdict4, Verdict4]]] = {}
    for said in current_labels(c, project, person):
        if said.item in known and said.label is not None:
            by_person.setdefault(said.person, []).append((said.item, said.label.grade, known[said.item].grade))
    return tuple(
        GoldAccuracy(
            name,
            len(pairs),
            sum(given == right for _, given, right in pairs),
            sum(_side(given) == _side(right) for _, given, right in pairs),
            tuple(pair for pair in pairs if pair[1] != pair[2]),
        )
        for name, pairs in sorted(by_person.items())
    )


def _side(grade: Verdict4) -> str:
    """Correct, missing or wrong."""
    return "correct" if grade in GRADES[:2] else grade
