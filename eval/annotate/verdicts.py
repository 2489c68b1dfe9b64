"""Where people differ, and what their labels come to together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from eval.annotate.ledger import current_labels
from eval.annotate.schema import ItemRow
from eval.annotate.values import Labelled, ProjectSettings, majority

How = Literal["single", "unanimous", "majority", "third grader", "none"]


@dataclass(frozen=True)
class Resolution:
    """What an item comes to: `value` is the grade (or winner) that more than half of the people gave, else the third
    grader's, else None. `n` people were asked."""

    item: int
    value: str | None
    how: How
    n: int


@dataclass(frozen=True)
class Disagreement:
    """An item whose people differ. `given` is by person, in the order in which they came; `third` is the grader who
    was asked because of that, "" for nobody; `waiting`: a third grader is wanted and has not answered."""

    item: int
    given: Mapping[str, str]
    third: str
    waiting: bool
    resolution: Resolution


def resolve(item: int, labels: Sequence[Labelled]) -> Resolution:
    """What the labels of one item come to."""
    values = [said.value for said in labels]
    most = majority(values)
    third = next((said.value for said in labels if said.third), None)
    if most is not None:
        how: How = "single" if len(values) == 1 else "unanimous" if len(set(values)) == 1 else "majority"
        return Resolution(item, most, how, len(values))
    return Resolution(item, third, "none" if third is None else "third grader", len(values))


def resolved(c: Connection, project: int) -> dict[int, Resolution]:
    """What every labelled item comes to, those with a known answer left out."""
    return {item: resolve(item, labels) for item, labels in _by_item(c, project).items()}


def disagreements(c: Connection, project: int, settings: ProjectSettings) -> tuple[Disagreement, ...]:
    """The items whose people differ, in the order of the items; those with a known answer are left out."""
    found = []
    for item, labels in _by_item(c, project).items():
        if len({said.value for said in labels}) < 2:
            continue
        third = next((said.person for said in labels if said.third), "")
        given = {said.person: said.value for said in labels}
        open_ = majority(list(given.values())) is None and not third and len(labels) >= settings.overlap
        waiting = settings.third_grader and open_
        found.append(Disagreement(item, given, third, waiting, resolve(item, labels)))
    return tuple(found)


def _by_item(c: Connection, project: int) -> dict[int, list[Labelled]]:
    golden = set(c.execute(select(ItemRow.id).where(ItemRow.project == project, ItemRow.gold.is_not(None))).scalars())
    found: dict[int, list[Labelled]] = {}
    for said in current_labels(c, project):
        if said.item not in golden:
            found.setdefault(said.item, []).append(said)
    return found
