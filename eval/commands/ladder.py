"""Answer a run's failed turns again with the gold entity, then the gold query, then the gold pages handed in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from assistant.models.reply_cache import AnswerCache
from assistant.pipelines.registry import TASK_OF
from eval.agents.factory import OURS, AgentChoice, answering, asked_where, settings_for
from eval.commands.told import tell
from eval.data.gold import has_gold, read_gold
from eval.data.gold_pieces import WorldPieces
from eval.data.options import DataChoice
from eval.data.samples import Data
from eval.judges.registry import MODEL_JUDGES, VERSIONS
from eval.metrics.public import Verdict
from eval.reports.ladder import Rung, climb, ladder_path
from eval.reports.loaded_run import JudgedRun, load_run
from eval.runs.store import RunFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run", type=Path, help="a judged run folder on a generated world; its ladder is kept in RUN/ladder")
    add("--judge", help="whose verdicts to start from (default: the one the run was scored by)")
    add("--limit", type=int, help="only the first so many failed turns")
    add("--index", type=Path, help="index folder (default: the one the run used)")
    add("--data-dir", type=Path, help="where indexes are kept")
    add("--json", action="store_true", help="print the ladder as JSON")


def run(args: argparse.Namespace) -> int:
    if args.limit is not None and args.limit < 1:
        raise BadInput(f"--limit is {args.limit!r}: give a number above 0")
    judged = load_run(args.run, args.judge)
    tell(judged.left_out)
    data = _data(judged, args.data_dir)
    answer = _agent(judged, args, data)
    judge = judged.judge["judge"]
    if judge in MODEL_JUDGES or judged.judge.get("judge_version") != VERSIONS.get(judge):
        raise BadInput(
            f"the ladder cannot be judged as the run was, by {judged.judge_text}: judge the run with an offline judge "
            f"of today first, python -m eval judge {args.run} --judge typed"
        )

    def verdicts(folder: RunFolder) -> Mapping[str, Verdict | None]:
        from eval.scoring import judge_and_score

        judge_and_score(folder, judge, data.world)
        said = [found for found in folder.judgements() if found["judge"] == judge]
        return {found["interaction_id"]: found["verdict"] or found.get("leaning") for found in said}

    assert data.world is not None
    gold, world = read_gold(data.world), WorldPieces(data.world)
    found = climb(judged, data.samples, gold, world, answer, verdicts, limit=args.limit, progress=_progress)
    found = {"format_version": 1, "judge": judged.judge_text, **found}
    write_json(ladder_path(args.run), found)
    print(json.dumps(found, indent=1) if args.json else table(found))
    return 0


def _data(judged: JudgedRun, data_dir: Path | None) -> Data:
    """The run's world, its frames as the run had them: degraded, or left out, where they were."""
    options, about = judged.info.get("options") or {}, judged.info.get("data") or {}
    where = about.get("world") or about.get("path")
    if not where or not has_gold(Path(where)):
        gone = f": {str(where)!r} is not there any more" if where and about.get("world") else ""
        raise BadInput(
            f"the run in {str(judged.path)!r} has no generated world with gold/, so there is nothing to hand in{gone}"
        )
    if options.get("give"):
        raise BadInput(
            f"the run in {str(judged.path)!r} was given the gold {options['give']} already: climb from a plain run"
        )
    if options.get("full_queries"):
        raise BadInput(f"the run in {str(judged.path)!r} was given full queries: climb from a run without them")
    return DataChoice(
        data=str(where),
        split="all",
        set="both",
        degrade=tuple(options.get("degrade") or ()),
        pictures=options.get("pictures") is not False,
        data_dir=data_dir,
    ).load()


def _agent(judged: JudgedRun, args: argparse.Namespace, data: Data) -> Any:
    """The agent that made the run, over the same index; chat asks the same endpoint and model."""
    from assistant.factory import RUN_DEADLINE_S, open_assistant, under_profile
    from eval.agents.index_cache import with_world_index

    options = judged.info.get("options") or {}
    name = options.get("agent", "embedded")
    if name not in OURS:
        raise BadInput(f"the agent {name!r} cannot be handed gold: the ladder is for --agent {', '.join(OURS)}")
    index = args.index or (Path(options["index"]) if options.get("index") else None)
    asked = options.get("chat") or {}
    if options.get("pipeline") in TASK_OF or options.get("task") in (1, 2):
        raise BadInput(f"the run in {str(judged.path)!r} had its sources limited: climb from one with all of them")
    choice = AgentChoice(name, model=asked.get("model"))
    if name != "embedded":
        same: dict[str, Any] = {key: options.get(key) for key in ("pipeline", "strictness", "budget")}
        choice = replace(choice, **same)
    settings = settings_for(choice, data_dir=args.data_dir, index=index)
    if name != "embedded" and options.get("prompts") not in (None, answering(choice, settings)["prompts"]):
        raise BadInput(f"the run in {str(judged.path)!r} had other prompts: set VITRINE_PROMPTS to their folder")
    if asked_where(choice, settings) != (asked or None):
        raise BadInput(
            f"the run in {str(judged.path)!r} asked {asked.get('endpoint')!r}: set OPENAI_BASE_URL to that, or "
            "fetch the local model, before its ladder is climbed"
        )
    settings = with_world_index(data.world, settings)
    assistant = open_assistant(replace(settings, profile="embedded"), for_run=True)
    if name == "embedded":
        return assistant.answer
    # Not as in runs, which ask busy endpoints again later: here each turn waits for its own answer.
    replies = AnswerCache(settings.data_dir / "cache" / "replies")
    limit_s = settings.effective_budget_s or RUN_DEADLINE_S
    return under_profile(assistant, settings, name, replies=replies, deadline_s=limit_s).answer


def _progress(rung: Rung, done: int, total: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\rgold {rung:<8} {done}/{total} turns   ", end=end, file=sys.stderr, flush=True)
    elif done == total or done % 20 == 0:
        print(f"gold {rung} {done}/{total} turns", file=sys.stderr, flush=True)


def table(found: Mapping[str, Any]) -> str:
    """The ladder as text."""
    lines = [
        f"{found['n_asked_again']} of {found['n_failed_turns']} failed turns asked again, judge {found['judge']}",
        f"{'given':<12}{'asked':>7}{'accuracy':>10}{'wrong':>8}{'truthfulness':>14}{'won':>8}{'paper':>9}{'won':>8}",
    ]
    for rung in found["rungs"]:
        shares = f"{rung['accuracy']:>10.3f}{rung['hallucination_rate']:>8.3f}{rung['truthfulness']:>14.3f}"
        paper = f"{rung['paper_truthfulness']:>9.3f}{rung['paper_won']:>+8.3f}"
        lines.append(f"{rung['given']:<12}{rung['asked']:>7}{shares}{rung['won']:>+8.3f}{paper}")
    lines.append(f"{found['left']:.3f} are left to the answerer (and to questions that nothing answers)")
    return "\n".join(lines)
