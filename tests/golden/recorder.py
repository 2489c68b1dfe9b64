"""Golden files: what the embedded assistant plans, says and rests on, recorded before a refactor and held against it.

`python -m tests.golden.recorder` writes them again, `--check` compares instead. Two files lie beside this module:

- `questions.jsonl`: a line per turn of two generated worlds whose pictures are noise (the entity is handed in): the
  plan, the sentences with their evidence ids, the verdict of the typed judge.
- `bundled_run.jsonl`: a line per turn of the bundled world's validation split, pictures looked at.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import assistant.understanding.plan as planning
from assistant.core.events import Event, Finished
from assistant.core.types import Conversation, Turn
from assistant.factory import open_index
from assistant.index.build import build_index
from assistant.reading.scoring import cross_encoder
from assistant.settings import read_settings
from assistant.text import encoder
from assistant.understanding.plan import Plan
from eval.data.datasets import load
from eval.data.gold import given, read_gold
from eval.data.samples import FAILED
from eval.judges.registry import make_judge
from tests.eval.world import other_words, texts_alone

DEICTIC = Path(__file__).resolve().parent
QUESTIONS, BUNDLED = DEICTIC / "questions.jsonl", DEICTIC / "bundled_run.jsonl"
BUNDLED_WORLD = DEICTIC.parent.parent / "assets" / "world"
#: Seed → whose words its questions are asked in ("" are the bundled ones). None of them took part in a fit.
WORLDS = {441: "", 442: "eleventh"}
ENTITIES = 120
#: "How old is it?" must not depend on the day of the test.
TODAY = datetime.date(2026, 11, 1)


def write_world(seed: int, words: str, folder: Path, entities: int = ENTITIES) -> tuple[Path, Path]:
    """The texts of one world and its index, made under `folder` where they are not there; returns both paths."""
    world, index = folder / f"world-{seed}", folder / f"index-{seed}"
    if index.exists():
        return world, index
    options = ["--seed", str(seed), "--entities", str(entities), "--out", str(world)]
    if words:
        phrasings = folder / f"{words}.json"
        other_words.main(["--set", words, "--out", str(phrasings)])
        options += ["--phrasings", str(phrasings)]
    if not world.exists() and texts_alone.main(options) != 0:
        raise RuntimeError(f"world {seed} could not be written")
    build_index(world, index)
    return world, index


def plan_of(plan: Plan) -> dict[str, Any]:
    """What a plan decides, under names of its own; what is empty is left out."""
    asked = plan.asked
    expected = {k: v for k, v in dataclasses.asdict(asked.expected).items() if v and v != "any"}
    expected = {k: sorted(v) if isinstance(v, frozenset) else v for k, v in expected.items()}
    scale = dataclasses.asdict(asked.scale) | {"dimensions": sorted(asked.scale.dimensions)} if asked.scale else {}
    decided = {
        "intent": plan.intent,
        "operation": asked.operation,
        "subjects": plan.subjects,
        "queries": plan.queries,
        "about": asked.about,
        "expected": expected,
        "scale": {k: v for k, v in scale.items() if v},
        "factor": asked.factor,
        "unit": asked.unit,
        "group": plan.group.value if plan.group else "",
        "reason": plan.reason,
    }
    return {k: v for k, v in decided.items() if v}


def said(turn: Turn) -> dict[str, Any]:
    """Status, sentences with their evidence ids, and the reason where nothing was said."""
    answer = turn.answer
    said = {"status": answer.status, "sentences": [[s.text, *s.evidence_ids] for s in answer.sentences]}
    return said if answer.sentences else said | {"reason": answer.reason}


def answered(events: Iterable[Event]) -> Turn:
    """The finished turn of a stream of events."""
    return next(e.turn for e in events if isinstance(e, Finished))


def ask_world(world: Path, index: Path, *, every: int = 1) -> Iterator[dict[str, Any]]:
    """Asks all turns of every so-manieth sample, the entity handed in, no picture shown."""
    gold = read_gold(world)
    judge = make_judge("typed", world, gold)
    with tempfile.TemporaryDirectory() as empty:
        settings = read_settings(profile="embedded", data_dir=Path(empty), index=index, environ={})
        assistant = open_index(index, settings, for_run=True)  # a slow machine must not change answers
    assistant._tools = replace(assistant._tools, today=lambda: TODAY)
    plans: list[Plan] = []
    make_plan = planning.make_plan

    def kept(*args: Any, **named: Any) -> Plan:
        plans.append(make_plan(*args, **named))
        return plans[-1]

    planning.make_plan = kept  # the agent looks it up anew for every turn
    try:
        for sample in load(str(world), split="all", set_="both").samples[::every]:
            conversation = Conversation(sample.session_id)
            for asked in sample.turns:
                plans.clear()
                handed = given(gold.get(asked.interaction_id), "entity")
                events = assistant.answer(conversation, asked.query, None, given=handed)
                turn = answered(events)
                conversation = conversation.with_turn(turn)
                line = {
                    "interaction_id": asked.interaction_id,
                    "query": asked.query,
                    "ground_truth": asked.ground_truth,
                    "agent_response": "" if turn.answer.status in FAILED else turn.answer.text,
                    "status": turn.answer.status,
                }
                verdict = "missing" if turn.answer.status in FAILED else judge(line).verdict
                identity = {"id": asked.interaction_id, "question": asked.query}
                yield identity | said(turn) | {"verdict": verdict, "plans": [plan_of(p) for p in plans]}
    finally:
        planning.make_plan = make_plan


def ask_worlds(folder: Path, *, every: int = 1, seeds: Iterable[int] = tuple(WORLDS)) -> Iterator[dict[str, Any]]:
    """`ask_world` over the worlds of these seeds, which are made under `folder`."""
    for seed in seeds:
        world, index = write_world(seed, WORLDS[seed], folder)
        yield from ({"seed": seed} | line for line in ask_world(world, index, every=every))


def run_bundled(folder: Path) -> Iterator[dict[str, Any]]:
    """The bundled world's validation split by `python -m eval run`, pictures looked at; one line per turn."""
    index, run = folder / "index-bundled", folder / "run"
    if not index.exists():
        build_index(BUNDLED_WORLD, index)
    shutil.rmtree(run, ignore_errors=True)
    command = [sys.executable, "-m", "eval", "run", "--data", str(BUNDLED_WORLD), "--index", str(index)]
    command += ["--split", "validation", "--set", "both", "--judge", "typed", "--concurrency", "2", "--out", str(run)]
    subprocess.run([*command, "--data-dir", str(folder / "data")], check=True, capture_output=True)
    lines = [json.loads(line) for line in (run / "turns.jsonl").read_text(encoding="utf-8").splitlines()]
    verdicts = [json.loads(line) for line in (run / "judgements.jsonl").read_text(encoding="utf-8").splitlines()]
    by_id = {v["interaction_id"]: v["verdict"] for v in verdicts}
    kept = ("interaction_id", "status", "agent_response", "entity")
    for line in sorted(lines, key=lambda line: line["interaction_id"]):
        yield {k: line.get(k) for k in kept} | {"verdict": by_id.get(line["interaction_id"])}


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a golden file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def as_read(line: dict[str, Any]) -> dict[str, Any]:
    """A line as it comes back from a file: tuples are lists there."""
    back: dict[str, Any] = json.loads(json.dumps(line, ensure_ascii=False))
    return back


def differences(golden: dict[str, Any] | None, now: dict[str, Any], key: str) -> list[str]:
    """A sentence for each thing about a turn that is not as it was; turns are told by their `key`."""
    if golden is None:
        return [f"{now[key]} is new"]
    changed = [k for k in golden | now if golden.get(k) != now.get(k)]
    return [f"{now[key]} {k}: {golden.get(k)!r} -> {now.get(k)!r}" for k in changed]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    parser.add_argument("--only", choices=("questions", "bundled"))
    parser.add_argument("--every", type=int, default=1, help="with --check: every so-manieth sample of the questions")
    parser.add_argument("--work", type=Path, help="keep worlds and indexes here, and use those that are there")
    args = parser.parse_args(argv)
    # Questions of one world share most of its texts: what was read once is not read again.
    encoder._CACHED_TEXTS = cross_encoder._CACHED_PAIRS = 200_000
    if args.every > 1 and not args.check:
        parser.error("--every goes with --check")
    changed = 0
    with tempfile.TemporaryDirectory() if args.work is None else nullcontext(args.work) as folder:
        Path(folder).mkdir(exist_ok=True)
        for name, path, key, lines in (
            ("questions", QUESTIONS, "id", partial(ask_worlds, every=args.every)),
            ("bundled", BUNDLED, "interaction_id", run_bundled),
        ):
            if args.only not in (None, name):
                continue
            golden = {line[key]: line for line in read(path)} if args.check else {}
            part = path.with_suffix(".part")
            turns = 0
            with nullcontext() if args.check else part.open("w", encoding="utf-8") as out:
                for line in lines(Path(folder)):
                    turns += 1
                    if out is None:
                        told = differences(golden.get(line[key]), as_read(line), key)
                        changed += len(told)
                        print(*told, sep="\n", end="\n" if told else "", flush=True)
                    else:
                        out.write(json.dumps(line, ensure_ascii=False) + "\n")
                        out.flush()
            if not args.check:
                part.replace(path)
            print(f"{name}: {turns} turns, {changed} differences" if args.check else f"{name}: {turns} turns written")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
