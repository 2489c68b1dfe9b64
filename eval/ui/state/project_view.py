"""What stands about a project on its page: how far it is, who works on it, how well, and what is known of its items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.annotate.values import Item, Project

if TYPE_CHECKING:
    from eval.annotate.progress import GoldAccuracy, Progress
    from eval.annotate.store import Store


@dataclass(frozen=True)
class Worker:
    """One person in a project. `only` conversations are theirs, None for all."""

    name: str
    progress: Progress
    gold: GoldAccuracy | None
    only: int | None = None


@dataclass(frozen=True)
class ProjectView:
    """`n_items` without those whose answer is known, which are `n_golds`; `guideline` is its newest version, 0 before
    there is one."""

    project: Project
    progress: Progress
    workers: tuple[Worker, ...]
    n_golds: int
    guideline: int

    @property
    def n_items(self) -> int:
        return self.progress.total


@dataclass(frozen=True)
class Gone:
    """What goes with a person: project → (labels, items passed over)."""

    name: str
    projects: tuple[tuple[str, int, int], ...]


def project_view(store: Store, project: Project) -> ProjectView:
    """A project as it is now; people are those who did something in it or were assigned something, by name."""
    only = store.assignments(project.id)
    golds = {one.person: one for one in store.gold_accuracy(project.id)}
    known = {*(said.person for said in store.labels(project.id)), *only}
    known |= {name for name in store.people() if name not in known and store.history(project.id, name)}
    names = sorted(known, key=str.casefold)
    guideline = store.guideline(project.id)
    return ProjectView(
        project,
        store.progress(project.id),
        tuple(
            Worker(
                name,
                store.progress(project.id, name),
                golds.get(name),
                len(only[name]) if name in only else None,
            )
            for name in names
        ),
        sum(item.gold is not None for item in store.items(project.id, with_gold=True)),
        guideline.version if guideline is not None else 0,
    )


def gone_with(store: Store, name: str) -> Gone:
    """What deleting a person takes away, in all projects, also those that were put away."""
    found = []
    for project in store.projects(archived=True):
        done = store.history(project.id, name)
        labels = len(store.labels(project.id, name))
        skipped = sum(one.state == "skipped" for one in done)
        if labels or skipped:
            found.append((project.name, labels, skipped))
    return Gone(name, tuple(found))


def matching(items: Sequence[Item], words: str) -> list[Item]:
    """The items whose texts hold all the words, those with a known answer first."""
    wanted = words.casefold().split()
    found = [
        item
        for item in items
        if all(word in f"{item.question} {item.answer} {item.ground_truth}".casefold() for word in wanted)
    ]
    return sorted(found, key=lambda item: item.gold is None)


def latest_labelled(store: Store, names: Sequence[str]) -> str | None:
    """Of projects by their names, oldest first, the latest that has labels, else the latest."""
    found = (name for name in reversed(names) if store.progress(store.project(name).id).labels)
    return next(found, names[-1] if names else None)
