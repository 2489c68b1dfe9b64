"""People who annotate, for tests: stores made quickly, items by the dozen; as a program, one person at work.

`python -m tests.eval.annotate.annotator FOLDER PROJECT NAME MOST` labels what comes and writes the key of each label to
standard output once it is acknowledged.
"""

from __future__ import annotations

import functools
import shutil
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from eval.annotate.catalogue import FILE
from eval.annotate.store import Store
from eval.annotate.values import GRADES, Item, Label, Project, ProjectSettings


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@functools.cache
def _empty() -> bytes:
    """An empty file of annotations: making one takes a tenth of a second, copying one nothing."""
    with tempfile.TemporaryDirectory() as folder:
        Store(Path(folder)).close()
        return (Path(folder) / FILE).read_bytes()


def empty_store(folder: Path, now: Callable[[], float] | None = None) -> Store:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(_empty())
    return Store(folder, now or Clock())


_KEYS = count()


def uid() -> str:
    """A key that no other write of this process has."""
    return f"key-{next(_KEYS)}"


def conversation(name: str, turns: int, *, golden: bool = False) -> list[Item]:
    gold = Label("perfect") if golden else None
    return [
        Item(name, i, f"{name} question {i}", f"truth {i}", f"answer {i}", gold=gold, interaction_id=f"{name}-{i}")
        for i in range(turns)
    ]


def project_of(store: Store, turns: list[int], golds: int = 0, **settings: object) -> Project:
    """A project with one conversation for each number of turns, and so many items with a known answer."""
    made = store.create_project(f"p{next(_KEYS)}", ProjectSettings(**settings), uid())  # type: ignore[arg-type]
    items = [item for number, n in enumerate(turns) for item in conversation(f"c{number}", n)]
    items += [item for number in range(golds) for item in conversation(f"g{number}", 1, golden=True)]
    store.add_items(made.id, items, uid())
    return made


def main(folder: Path, project: int, name: str, most: int) -> None:
    with Store(folder) as store:
        for number in range(most):
            item = store.next_item(project, name)
            if item is None:
                return
            key = f"{name}/{item.id}/{number}"
            grade = GRADES[(item.id + len(name)) % len(GRADES)]
            store.label(project, name, item.id, Label(grade), key)
            print(key, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
