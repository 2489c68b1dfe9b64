"""Run an agent over a benchmark, judge its answers and score them."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput, VitrineError
from assistant.core.types import PARTS
from assistant.models.reply_cache import AnswerCache
from assistant.settings import PIPELINES, Settings
from eval.agents.factory import MODELS, AgentChoice, answering, asked_where, open_agent, preset_of, settings_for
from eval.benchmarks.handing import (
    Given,
    add_handing_arguments,
    answering_for,
    default_judge,
    handing_of,
    handing_options,
    prepared,
)
from eval.benchmarks.registry import BENCHMARKS
from eval.commands.told import tell
from eval.data.full_queries import read_full_queries
from eval.data.gold import has_gold
from eval.data.options import add_data_arguments, load_data
from eval.data.samples import Data
from eval.judges.judging import JudgeChoice
from eval.judges.options import JudgeProgress, add_judge_arguments, judge_choice, judging_record
from eval.judges.registry import JUDGES, MODEL_JUDGES
from eval.reports.summary import run_summary
from eval.runs.about import About, about, write_about
from eval.runs.control import RunControl, ends_cleanly
from eval.runs.record import agent_options, first_record, new_folder, now
from eval.runs.retries import RetryPolicy
from eval.runs.runner import Generated, generate, listed
from eval.runs.store import RunFolder, RunNotWritten
from eval.runs.workers import UsageTotals

if TYPE_CHECKING:
    from assistant.agent import Assistant
    from eval.agents.protocol import AnswerFunction


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_arguments(parser)
    add = parser.add_argument
    add("--out", type=Path, help="the run folder (default: a new one under runs/ in the data folder)")
    add("--agent", default="embedded", help="embedded, chat, local, or module:Class in the public kit's form")
    add("--agent-option", action="append", default=[], metavar="NAME=VALUE", help="an argument for a module:Class")
    add("--model", help="the model for --agent chat or --agent local")
    add("--full-queries", type=Path, help="JSONL of standalone questions to search with, in the kit's form")
    add("--pipeline", help=f"how a model's answers come about: {', '.join(PIPELINES[1:])} (default: vitrine)")
    add("--strictness", help="how strictly a model is told to hold back: none, soft, moderate (default) or severe")
    add("--prompts", type=Path, metavar="DIR", help="texts that stand in for what models are told, by the same names")
    add("--budget", type=float, metavar="S", help="seconds a turn may take; parts are left out for it (default: none)")
    add("--risk", type=float, metavar="P", help="how probably an answer may be wrong, 0 to 1 (default: no limit)")
    add("--risk-model", type=Path, metavar="FILE", help="weights of that estimate, from `eval calibrate`")
    add("--without", nargs="+", default=[], choices=PARTS, help="parts of the pipeline vitrine that are left out")
    add("--task", type=int, choices=(1, 2, 3), help="limit the sources: 1 no web, 1 and 2 nothing that was said before")
    add(
        "--judge",
        choices=JUDGES,
        help="default: typed for generated worlds, else as the benchmark has it",
    )
    add_judge_arguments(parser)
    add("--concurrency", type=int, help="calls to the agent at once (default: 1, with --agent chat 8)")
    add("--tries", type=int, default=RetryPolicy.tries, help="tries of a turn whose endpoint is busy (default: 6)")
    add("--no-cache", action="store_true", help="ask again what was asked before; by default replies are kept")
    add("--give", choices=("entity", "query", "passage"), help="hand the gold entity, query or passages to the agent")
    add_handing_arguments(parser)
    add("--benchmark", choices=tuple(BENCHMARKS), help="whose rows the data must be (default: as they are told)")
    add("--index", type=Path, help="index folder (default: the world's own index, built when it is missing)")
    add("--data-dir", type=Path, help="where indexes, runs and kept replies lie")
    add("--name", help="what the run is called in lists")
    add("--tag", action="append", default=[], help="a word to find it by (repeatable)")
    add("--note", help="what it is for")
    add("--resume", action="store_true", help="go on with the run that is in --out")
    add("--retry-failed", action="store_true", help="with --resume: make failed turns again, and what followed them")
    add("--json", action="store_true", help="print the scores as JSON")


def run(args: argparse.Namespace) -> int:
    choice = _check(args)
    said = about(args.name, args.tag, args.note)
    settings = settings_for(choice, data_dir=args.data_dir, index=args.index)
    how = answering(choice, settings)
    handing = handing_of(args)
    if args.give == "entity" and (preset := preset_of(settings)) is not None:
        raise BadInput(f"--give entity does not go with --pipeline {preset}, which fixes where it looks")
    data = load_data(args)
    _check_data(data, args.give, args.benchmark)
    benchmark = BENCHMARKS[data.benchmark]
    data, given = prepared(data, benchmark, handing, give=args.give, window=args.window, queries=_queries(choice))
    for sentence in data.lacks:
        print(sentence, file=sys.stderr)
    answers = answering_for(benchmark, model=choice.uses_model, pipeline=args.pipeline, kg=args.kg, window=args.window)
    if answers is not None:
        how = {**how, "pipeline": benchmark.name, "window": args.window, **_which_kg(args.kg)}
    elif args.window is not None:  # what is handed over hangs on it whoever answers
        how = {**how, "window": args.window}
    judge = args.judge or default_judge(data, benchmark)
    args.judge_labels = args.judge_labels or benchmark.judge_labels
    judging = judge_choice(args, judge)
    judging.check(data.world)
    for sentence in data.adjusted:
        print(f"public reading: {sentence}", file=sys.stderr)
    for row in data.unusable[:5]:
        print(f"left out: {row.source} row {row.row}: {row.why}", file=sys.stderr)
    out = args.out or new_folder(settings.data_dir / "runs", data, args.agent)
    with (
        ends_cleanly(),
        RunFolder.open(
            out,
            first_record(
                args,
                data,
                judge,
                asked_where(choice, settings),
                judging_record(args, judge),
                how,
                handing_options(handing),
            ),
            resume=args.resume,
        ) as folder,
    ):
        control = RunControl(folder.path)
        if said != About():
            write_about(folder.path, said)
        try:
            return _run(args, choice, data, _Asks(given, answers), settings, judging, folder, control)
        except KeyboardInterrupt:
            _end(folder, control, "cancelled")
            print(f"stopped; go on with --resume --out {out}", file=sys.stderr)
            return 130
        except VitrineError as problem:
            _end(folder, control, "failed", problem=str(problem))
            raise
        except BaseException as problem:  # a fault of ours: the folder says so before the traceback does
            _end(folder, control, "failed", problem=f"something went wrong ({type(problem).__name__})")
            raise
        finally:
            control.close()


def _which_kg(path: Path | None) -> dict[str, str | None]:
    """The mock KG as a run keeps it: a run goes on only with what it was started with."""
    if path is None:
        return {"kg": None}
    from eval.benchmarks.crag_kg.kg import CragKg

    return {"kg": str(path), "kg_digest": CragKg.open(path).digest}


@dataclass(frozen=True)
class _Asks:
    """What is handed over with every turn, and how an assistant of ours answers, if in the benchmark's own way."""

    given: Given
    answers: Callable[[Assistant], AnswerFunction] | None


def _run(
    args: argparse.Namespace,
    choice: AgentChoice,
    data: Data,
    asks: _Asks,
    settings: Settings,
    judging: JudgeChoice,
    folder: RunFolder,
    control: RunControl,
) -> int:
    done = _generate(args, choice, data, asks, settings, folder, control)
    control.cancelled.clear()  # what ended the answering; the judging that follows can be cancelled in turn
    control.enter("judging")
    unusable = [*data.unusable, *done.unusable]
    folder.write_info(
        state="judging",
        unusable=listed(unusable),
        spent=_added(folder.info.get("spent"), done.spent),
        retries=folder.info.get("retries", 0) + done.retries,
        fewest_calls=done.fewest_calls,
    )
    from eval.scoring import judge_and_score  # only now may anything look at the world's gold

    if done.cancelled and judging.name in MODEL_JUDGES:
        control.cancelled.set()  # who stops a run does not want it to go on asking: the verdicts can be had later
    scores = judge_and_score(
        folder, judging, data.world, progress=_judged(control, JudgeProgress()), cancelled=control.cancelled
    )
    folder.write_info(judge=judging.name, judging=judging_record(args, judging.name))
    tell(folder.left_out.sentences)
    cancelled = done.cancelled or control.cancelled.is_set()
    _end(folder, control, "cancelled" if cancelled else "finished")
    out = folder.path
    print(
        json.dumps(scores, indent=1, ensure_ascii=False)
        if args.json
        else run_summary(scores, len(unusable), out, folder.info)
    )
    if cancelled:
        print(f"stopped after {scores['n']} turns; go on with --resume --out {out}", file=sys.stderr)
        return 130
    return 0


def _judged(control: RunControl, shown: JudgeProgress) -> Callable[[int, int, int], None]:
    """Tells of the judging both where the run was started and where it is watched."""

    def tell(done: int, total: int, errors: int) -> None:
        shown(done, total, errors)
        control.report(judged=done, to_judge=total, judge_errors=errors)

    return tell


def _added(before: Mapping[str, Any] | None, now: UsageTotals) -> dict[str, Any]:
    """What models took in this process and in those before it."""
    return {name: (before or {}).get(name, 0) + value for name, value in vars(now).items()}


def _end(folder: RunFolder, control: RunControl, state: str, **more: Any) -> None:
    """Say in the folder how the run ended; a folder that cannot be written to has been told of already."""
    if folder.withdrawn:
        return
    with contextlib.suppress(RunNotWritten):
        folder.write_info(state=state, ended=now(), **{"problem": None, **more})
    control.enter(state, **more)


def _check(args: argparse.Namespace) -> AgentChoice:
    """The agent that was chosen, once everything that needs no data was looked at."""
    choice = AgentChoice(
        args.agent,
        agent_options(args.agent_option),
        _full_queries(args),
        args.model,
        multi_turn=args.set != "single",
        pipeline=args.pipeline,
        strictness=args.strictness,
        prompts=args.prompts,
        budget=args.budget,
        risk=args.risk,
        risk_model=args.risk_model,
        without=tuple(args.without),
        task=args.task,
    )
    with contextlib.redirect_stdout(sys.stderr):
        choice.check()
    if args.concurrency is None:
        args.concurrency = choice.concurrency
    for name in ("concurrency", "tries"):
        if getattr(args, name) < 1:
            raise BadInput(f"--{name} is {getattr(args, name)!r}: give a number above 0")
    if args.give and args.scenario:
        raise BadInput("--give and --scenario both hand gold over: choose one")
    if args.scenario and not choice.takes_evidence:
        raise BadInput(f"--scenario hands evidence over, and {args.agent!r} has no way to take it: see evidence_list")
    if args.give and not choice.is_ours:
        raise BadInput(f"--give {args.give} is for agents of ours: {args.agent!r} has no way to take it")
    if args.retry_failed and not args.resume:
        raise BadInput("--retry-failed makes failed turns of a run again: add --resume and the folder as --out")
    if args.resume and args.out is None:
        raise BadInput("--resume goes on with the run in --out: name its folder")
    return choice


def _full_queries(args: argparse.Namespace) -> dict[str, str]:
    return read_full_queries(args.full_queries) if args.full_queries else {}


def _check_data(data: Data, give: str | None, benchmark: str | None) -> None:
    if benchmark is not None and benchmark != data.benchmark:
        raise BadInput(f"--benchmark {benchmark} does not fit {data.name!r}, whose rows are those of {data.benchmark}")
    if give is not None and not has_gold(data.world):
        raise BadInput(f"--give {give} needs a generated world with gold/: this data has nothing to hand in")
    if not data.samples:
        first = data.unusable[0]
        raise BadInput(
            f"none of the {len(data.unusable)} rows of {data.name!r} can be used; row {first.row}: {first.why}"
        )


def _generate(
    args: argparse.Namespace,
    choice: AgentChoice,
    data: Data,
    asks: _Asks,
    settings: Settings,
    folder: RunFolder,
    control: RunControl,
) -> Generated:
    from eval.runs.answer_cut import answer_cut

    if args.retry_failed and (dropped := folder.drop_failed()):
        print(f"{dropped} turns are made again", file=sys.stderr)
    done = {line["interaction_id"] for line in folder.turn_heads()}
    if all(turn.interaction_id in done for sample in data.samples for turn in sample.turns):
        return generate(data.samples, _nobody, folder, control=control)
    cache = None if args.no_cache or choice.name not in MODELS else AnswerCache(settings.data_dir / "cache" / "replies")
    with contextlib.redirect_stdout(sys.stderr):  # the kit's agents print; standard output is for results
        try:
            cut = answer_cut()
            agent = open_agent(choice, settings, data.world, cache, asks.answers)
        except BaseException:
            control.close()
            folder.withdraw()
            raise
        folder.write_info(
            state="running",
            profile=settings.effective_profile if choice.is_ours else None,
            concurrency=args.concurrency,
            batch_size=agent.batch_size,
            tries=args.tries,
            tokenizer=cut.name,
            cache=cache is not None,
            **({"resumed": [*folder.info.get("resumed", []), now()], "ended": None} if done else {}),
        )
        return generate(
            data.samples,
            agent,
            folder,
            concurrency=args.concurrency,
            given=asks.given,
            cut=cut.cut,
            patience=RetryPolicy(tries=args.tries),
            control=control,
        )


def _queries(choice: AgentChoice) -> Mapping[str, str]:
    """Standalone questions for an agent of ours; others get theirs by themselves."""
    return choice.full_queries if choice.is_ours else {}


def _nobody(*_: object, **__: object) -> Any:
    raise AssertionError("every turn is there already")
