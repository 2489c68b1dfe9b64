"""A project's labels as what a judge is put on trial against, and as ratings for agreement, straight from the store.

What people said of an item comes to what `eval.annotate.verdicts` resolves it to, the third grader's word included;
where that is nothing, to what their grades have in common (perfect and acceptable are both right). Items whose answer
is known check the people and are left out. Turns of one session count as one conversation, also across runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.annotate.catalogue import FILE
from eval.annotate.labelled import LabelledSet, Rated, labelled_set
from eval.annotate.store import FOLDER, Store, open_store
from eval.annotate.values import WINNERS, Item, Labelled, Project
from eval.data.samples import LABELS


@contextmanager
def project_named(data_dir: Path, name: str) -> Iterator[tuple[Store, Project]]:
    """A project of a data folder, with its store; nothing is made where there are no annotations.

    Raises:
        BadInput: there is neither a file nor a project of this name.
    """
    if not (data_dir / FOLDER / FILE).is_file():
        raise BadInput(f"there is no file {name!r}, and no project either: give a JSONL of labels or a project's name")
    with open_store(data_dir) as store:
        names = [project.name for project in store.projects(archived=True)]
        if name not in names:
            there = ", ".join(names) or "none yet"
            raise BadInput(f"there is no file {name!r}, and no project either (there are: {there})")
        yield store, store.project(name)


def labelled_of(store: Store, project: Project) -> LabelledSet:
    """A project's answers with what people hold of them.

    Raises:
        BadInput: nobody has graded anything yet.
    """
    items, said = _said(store, project)
    settled = store.resolved(project.id)
    rows = []
    for id_, labels in said.items():
        third = settled[id_].how == "third grader"
        for one in labels:
            if not third or one.third:
                rows.append(_row(items[id_], one))
    if not any(row["grade"] for row in rows):
        raise BadInput(f"nobody has graded an answer of {project.name!r} yet: label some first")
    return labelled_set(project.name, enumerate(rows, 1))


def rated_of(store: Store, project: Project) -> Rated:
    """Every label of a project by item and person, grades and preferences alike."""
    items, said = _said(store, project)
    return Rated(
        ratings={str(id_): {one.person: one.value for one in labels} for id_, labels in said.items()},
        conversations={str(id_): items[id_].session_id or items[id_].conversation for id_ in said},
        labels={str(id_): _named(items[id_]) for id_ in said},
        left_out={},
    )


def _said(store: Store, project: Project) -> tuple[dict[int, Item], dict[int, list[Labelled]]]:
    items = {item.id: item for item in store.items(project.id, with_gold=True)}
    found: dict[int, list[Labelled]] = {}
    for one in store.labels(project.id):
        if items[one.item].gold is None:
            found.setdefault(one.item, []).append(one)
    return items, found


def _named(item: Item) -> Mapping[str, Any]:
    return {name: value for name in LABELS if (value := getattr(item, name)) is not None}


def _row(item: Item, said: Labelled) -> dict[str, Any]:
    return {
        "item": item.id,
        "interaction_id": item.interaction_id or None,
        "session_id": item.session_id or item.conversation,
        "turn_idx": item.turn_idx,
        "query": item.question,
        "ground_truth": item.ground_truth,
        "answer": item.answer,
        "status": item.status or "answered",
        "annotator": said.person,
        "grade": said.label.grade if said.label is not None else None,
        "labels": _named(item),
    }


def order_of(ratings: Mapping[str, Mapping[str, str]], grades: Sequence[str]) -> tuple[str, ...]:
    """From one end to the other: the grades, or where only preferences were given the one answer, a tie, the other."""
    used = {value for given in ratings.values() for value in given.values()}
    return ("a", "tie", "b") if used and used <= set(WINNERS) else tuple(grades)
