"""Pictures are the same from one process or two, and a world that was killed goes on where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eval.world.exact_quotas import Deck, Due
from eval.world.generate import Options, generate
from eval.world.seeds import rng
from tests.eval.world.world_texts import Blank

pytestmark = pytest.mark.slow

OPTIONS = {"seed": 31, "entities": 9, "questions": 2, "conversations": 1}


def contents(root: Path) -> dict[str, object]:
    """Every file of a world; of parquet files the rows."""
    found: dict[str, object] = {}
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        name = path.relative_to(root).as_posix()
        found[name] = pq.read_table(path).to_pylist() if path.suffix == ".parquet" else path.read_bytes()
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, object]:
    out = tmp_path_factory.mktemp("alone") / "w"
    generate(Options(**OPTIONS), out, processes=1)
    return contents(out)


def test_a_killed_world_goes_on_where_it_stopped_and_is_what_one_process_makes(alone, tmp_path) -> None:
    out, shots = tmp_path / "w", tmp_path / ".w.partial" / "shots"
    arguments = [f"--{k}={v}" for k, v in OPTIONS.items()]
    command = [sys.executable, "-m", "eval", "world", *arguments, "--out", str(out), "--processes", "2"]
    root = Path(__file__).resolve().parents[3]
    first = subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(list(shots.glob("*.json"))) < 2 and time.monotonic() < deadline and first.poll() is None:
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert not out.exists()
    time.sleep(1.0)  # its helpers leave with it; a picture that one of them was at may still be finished
    kept = {p.name: p.stat().st_mtime_ns for p in shots.glob("*.jpg")}
    assert kept
    index = tmp_path / ".w.partial" / "kg" / "images"
    drawn = {p.name: p.stat().st_mtime_ns for p in index.glob("*.jpg")}
    generate(Options(**OPTIONS), out, processes=2)
    assert contents(out) == alone  # drawn by one process
    again = {p.name: p.stat().st_mtime_ns for p in (out / "kg" / "images").glob("*.jpg")}
    assert drawn == {name: again[name] for name in drawn}
    assert [p.name for p in tmp_path.iterdir()] == ["w"]


def test_what_was_begun_with_other_options_is_not_used(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("eval.world.generate.Studio", Blank)
    partial = tmp_path / ".w.partial"
    (partial / "shots").mkdir(parents=True)
    (partial / "shots" / "single-0.json").write_text("not a record")
    (partial / "recipe.json").write_text("{}")
    generate(Options(seed=32, entities=9, questions=1, conversations=0), tmp_path / "w")
    assert (tmp_path / "w" / "world.json").is_file()


def test_a_deck_keeps_its_shares_in_every_block() -> None:
    deck = Deck({"a": 0.62, "b": 0.33, "c": 0.05}, rng(1, "deck"), 20)
    cards = [deck.deal() for _ in range(400)]
    assert [cards.count(c) for c in "abc"] == [248, 132, 20]
    assert 0 < cards[:20].count("b") < 20
    with pytest.raises(ValueError, match="add up"):
        Deck({"a": 0.0}, rng(1, "deck"))


def test_what_is_due_keeps_its_shares() -> None:
    due = Due({"a": 0.7, "b": 0.2, "c": 0.1})
    made = []
    for _ in range(200):
        made.append(due.order()[0])
        due.made(made[-1])
    assert [made.count(c) for c in "abc"] == [140, 40, 20]
    assert not due.lacks("a") or due.order()[0] == "a"
