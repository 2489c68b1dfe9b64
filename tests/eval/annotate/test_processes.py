"""Several processes and threads at once, and processes that are killed: no acknowledged label is lost or twice."""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from eval.annotate.catalogue import FILE
from eval.annotate.store import Store
from eval.annotate.values import Label
from tests.eval.annotate import annotator
from tests.eval.annotate.annotator import empty_store, project_of, uid

ROOT = Path(__file__).resolve().parents[3]
PROCESSES, ITEMS, OVERLAP = 8, 500, 2


def start(folder: Path, project: int, name: str, most: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.eval.annotate.annotator", str(folder), str(project), name, str(most)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def at_work(folder: Path, project: int, name: str, said: Path) -> None:
    with said.open("w") as file, contextlib.redirect_stdout(file):
        annotator.main(folder, project, name, ITEMS)


def keys(folder: Path) -> list[str]:
    with sqlite3.connect(folder / FILE) as connection:
        return [key for (key,) in connection.execute("SELECT uid FROM events WHERE kind = 'label'")]


def test_eight_processes_give_a_thousand_labels(tmp_path):
    folder = tmp_path / "a"
    with empty_store(folder) as store:
        made = project_of(store, [2] * (ITEMS // 2), overlap=OVERLAP)
    people = [f"person {i}" for i in range(PROCESSES)]
    forked = multiprocessing.get_context("fork")  # 8 new interpreters would only take longer to begin
    running = [forked.Process(target=at_work, args=(folder, made.id, name, tmp_path / name)) for name in people]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert [process.exitcode for process in running] == [0] * PROCESSES
    acknowledged = [key for name in people for key in (tmp_path / name).read_text().splitlines()]
    with Store(folder) as store:
        assert len(acknowledged) == ITEMS * OVERLAP
        assert sorted(keys(folder)) == sorted(acknowledged)
        labels = store.labels(made.id)
        assert len({(one.item, one.person) for one in labels}) == ITEMS * OVERLAP
        assert set(Counter(one.item for one in labels).values()) == {OVERLAP}


def test_what_was_acknowledged_survives_sigkill(tmp_path):
    folder, drawn = tmp_path / "a", random.Random(20)
    with empty_store(folder) as store:
        made = project_of(store, [1] * 400)
    acknowledged: list[str] = []
    for number in range(4):
        process = start(folder, made.id, f"person {number}", 400)
        first = process.stdout.readline()  # it has begun
        time.sleep(drawn.uniform(0, 0.25))
        process.kill()
        acknowledged += [first.strip(), *process.communicate()[0].split("\n")[:-1]]
        there = keys(folder)
        assert set(acknowledged) <= set(there)
        assert len(there) <= len(acknowledged) + number + 1  # at most one each that nobody was told of
    last = acknowledged[-1]
    name, item, _ = last.split("/")
    with Store(folder) as store:
        assert store.label(made.id, name, int(item), Label("perfect"), last).again
        with sqlite3.connect(folder / FILE) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_threads_share_one_store(tmp_path):
    with empty_store(tmp_path / "a") as store:
        made = project_of(store, [1] * 40)

        def work(person: str) -> None:
            while (item := store.next_item(made.id, person)) is not None:
                store.label(made.id, person, item.id, Label("missing"), uid())

        threads = [threading.Thread(target=work, args=(f"person {i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.labels(made.id)) == 40
