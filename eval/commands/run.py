"""Run an agent over a benchmark, judge its answers and score them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.errors import BadInput
from assistant.settings import Settings, read_settings
from eval import datasets
from eval.gold import given, has_gold, read_gold
from eval.judges import JUDGES, check_judge
from eval.runner import Generated, generate, listed
from eval.samples import Data
from eval.store import RunFolder

AGENTS = ("embedded", "chat", "local")
PIPELINES = ("reader", "mm-llm", "task1", "task2", "task3", "vitrine")
BUILT_PIPELINES = ("reader", "vitrine")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", required=True, help="a world folder, or a JSONL, JSON or Parquet file of rows")
    add("--out", type=Path, required=True, help="the run folder")
    add("--split", default="validation", choices=(*datasets.SPLITS, "all"), help="of a world (default: validation)")
    add("--set", default="both", choices=datasets.SETS, help="of a world: single-turn rows, multi-turn rows or both")
    add("--agent", default="embedded", help="embedded (chat, local and module:Class are not built yet)")
    add("--pipeline", default="vitrine", help="vitrine or reader: the embedded assistant with all its sources")
    add("--task", type=int, choices=(1, 2, 3), help="limit the sources; 3, all of them, is the only one built yet")
    add("--judge", choices=JUDGES, help="typed (the default for generated worlds) or exact")
    add("--limit", type=int, help="only the first so many rows")
    add("--concurrency", type=int, default=1, help="conversations side by side (default: 1)")
    add("--give", choices=("entity", "query", "passage"), help="hand the gold entity, query or passages to the agent")
    add("--index", type=Path, help="index folder (default: the world's own index, built when it is missing)")
    add("--data-dir", type=Path, help="where indexes are kept")
    add("--resume", action="store_true", help="go on with the run that is in --out")
    add("--json", action="store_true", help="print the scores as JSON")


def run(args: argparse.Namespace) -> int:
    _check_agent(args)
    data = datasets.load(args.data, args.split, args.set, args.limit)
    judge = args.judge or ("typed" if has_gold(data.world) else "exact")
    check_judge(judge, data.world)
    _check_data(data, args.give)
    settings = read_settings(profile="embedded", data_dir=args.data_dir, index=args.index)
    for row in data.unusable[:5]:
        print(f"left out: {row.source} row {row.row}: {row.why}", file=sys.stderr)
    with RunFolder.open(args.out, _info(args, data, judge), resume=args.resume) as folder:
        done = _generate(args, data, settings, folder)
        from eval.scoring import judge_and_score  # only now may anything look at the world's gold

        scores = judge_and_score(folder, judge, data.world)
        unusable = [*data.unusable, *done.unusable]
        state = "cancelled" if done.cancelled else "finished"
        folder.write_info(state=state, ended=_now(), judge=judge, unusable=listed(unusable))
    print(json.dumps(scores, indent=1, ensure_ascii=False) if args.json else _summary(scores, len(unusable), args.out))
    if done.cancelled:
        print(f"stopped after {scores['n']} turns; go on with --resume", file=sys.stderr)
        return 130
    return 0


def _check_agent(args: argparse.Namespace) -> None:
    if ":" in args.agent:
        raise BadInput(f"agents of one's own ({args.agent!r}) cannot be run yet: use --agent embedded")
    if args.agent not in AGENTS:
        raise BadInput(f"there is no agent {args.agent!r}: choose one of {', '.join(AGENTS)}")
    if args.agent != "embedded":
        raise BadInput(f"the agent {args.agent!r} is not built yet: use --agent embedded")
    if args.pipeline not in PIPELINES:
        raise BadInput(f"there is no pipeline {args.pipeline!r}: choose one of {', '.join(PIPELINES)}")
    if args.pipeline not in BUILT_PIPELINES:
        raise BadInput(f"the pipeline {args.pipeline!r} is not built yet: use {' or '.join(BUILT_PIPELINES)}")
    if args.task in (1, 2):
        raise BadInput(f"limiting the sources to task {args.task} is not built yet: leave --task out or give 3")
    if args.concurrency < 1:
        raise BadInput(f"--concurrency is {args.concurrency!r}: give a number above 0")


def _check_data(data: Data, give: str | None) -> None:
    if give is not None and not has_gold(data.world):
        raise BadInput(f"--give {give} needs a generated world with gold/: this data has nothing to hand in")
    if not data.samples:
        first = data.unusable[0]
        raise BadInput(
            f"none of the {len(data.unusable)} rows of {data.name!r} can be used; row {first.row}: {first.why}"
        )


def _info(args: argparse.Namespace, data: Data, judge: str) -> dict[str, Any]:
    """What `run.json` begins with. `options` must be equal for a run to be taken up again."""
    options = {
        "data": data.digest,
        "split": args.split,
        "set": args.set,
        "limit": args.limit,
        "agent": args.agent,
        "pipeline": args.pipeline,
        "task": args.task,
        "give": args.give,
        "index": str(args.index) if args.index else None,
    }
    return {
        "state": "running",
        "started": _now(),
        "ended": None,
        "data": {"name": data.name, "path": str(args.data), "world": str(data.world) if data.world else None},
        "options": options,
        "judge": judge,
        "n_samples": len(data.samples),
        "n_turns": sum(len(sample.turns) for sample in data.samples),
        "unusable": listed(data.unusable),
    }


def _generate(args: argparse.Namespace, data: Data, settings: Settings, folder: RunFolder) -> Generated:
    from assistant.services import open_assistant
    from eval.index_cache import with_world_index

    done = {line["interaction_id"] for line in folder.turns()}
    if all(turn.interaction_id in done for sample in data.samples for turn in sample.turns):
        return generate(data.samples, _nobody, folder)
    try:
        assistant = open_assistant(with_world_index(data.world, settings))
    except BaseException:
        folder.withdraw()
        raise
    folder.write_info(state="running", profile=settings.effective_profile, concurrency=args.concurrency)
    # `--give` is the one case in which gold is opened before the answers are made, here and never by the agent.
    gold = read_gold(data.world) if args.give and data.world else {}

    def handed(interaction_id: str) -> Mapping[str, Any] | None:
        return given(gold.get(interaction_id), args.give)

    return generate(data.samples, assistant.answer, folder, concurrency=args.concurrency, given=handed)


def _nobody(*_: object, **__: object) -> Any:
    raise AssertionError("every turn is there already")


def _summary(scores: Mapping[str, Any], unusable: int, out: Path) -> str:
    """The main figures as a short table."""
    lines = [f"{scores['n']} turns, {scores['n_failed']} failed, {unusable} rows left out, judge {scores['judge']}"]
    public = scores["public"]["all"]
    rows = {
        "paper": scores["paper"],
        "readme": scores["readme"],
        "public": {**public, "truthfulness": public["truthfulness_score"]},
    }
    names = ("truthfulness", "accuracy", "missing", "hallucination_rate", "early_stop")
    lines.append(f"{'reading':<10}" + "".join(f"{name.removesuffix('_rate'):>15}" for name in names))
    for reading, figures in rows.items():
        cells = (figures.get(name) for name in names)
        lines.append(f"{reading:<10}" + "".join(f"{'' if c is None else f'{c:.3f}':>15}" for c in cells))
    lines.append(f"\n{'by type':<28}{'n':>6}{'correct':>9}{'missing':>9}{'wrong':>9}")
    for name, part in scores["slices"].get("type", {}).items():
        shares = "".join(f"{part[key]:>9.3f}" for key in ("accuracy", "missing", "hallucination_rate"))
        lines.append(f"{name:<28}{part['n']:>6}{shares}")
    return "\n".join([*lines, f"\nwritten to {out}"])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
