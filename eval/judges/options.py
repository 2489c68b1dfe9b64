"""The options by which a judge is chosen on the command line; the same for `run` and `judge`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.models.chat.request import ChatOptions, Prices
from assistant.models.reply_cache import AnswerCache
from assistant.settings import Settings, read_settings
from eval.judges.judging import JudgeChoice
from eval.judges.prompts import PromptLabels
from eval.judges.registry import JUDGES, MODEL_JUDGES
from eval.metrics.traffic import read_weights

#: A judging call is patient: hundreds share one endpoint, and a turn that is not reached has to be asked again.
_TRIES, _LONGEST_WAIT_S = 6, 60.0


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """--judge-model and what belongs to it; `--judge` itself is the command's."""
    add = parser.add_argument
    add(
        "--judge-model",
        action="append",
        default=[],
        metavar="NAME",
        help="the model that judges, for llm, lexical+llm and m2rag; given twice, two models are averaged as CRAG does",
    )
    add("--judge-url", metavar="URL", help="its OpenAI-compatible endpoint (default: OPENAI_BASE_URL)")
    add(
        "--judge-labels",
        choices=("crag", "simpleqa"),
        help="CORRECT and WRONG, or SimpleQA's CORRECT, INCORRECT, NOT_ATTEMPTED (default: as the benchmark has it)",
    )
    add("--judge-prices", metavar="IN,OUT", help="US dollars per million tokens read and written, for the cost")
    add("--judge-concurrency", type=int, default=8, help="judging calls at once (default: 8)")
    add("--judge-fresh", action="store_true", help="ask the model again what it was asked before")
    add(
        "--weights",
        type=Path,
        metavar="FILE",
        help="what question types weigh by traffic, in the benchmarks that weigh them (CRAG): JSON or CSV; the run "
        "keeps it (default: all types the same)",
    )


def judge_choice(args: argparse.Namespace, name: str) -> JudgeChoice:
    """The judge that the arguments choose.

    Raises:
        BadInput: models for a judge that asks none, none for one that does, prices or weights that are none.
        NotReady: no endpoint is configured.
    """
    weights = read_weights(args.weights) if args.weights is not None else None
    if name not in JUDGES:
        raise BadInput(f"there is no judge {name!r}: choose one of {', '.join(JUDGES)}")
    if name not in MODEL_JUDGES:
        if args.judge_model or args.judge_url or args.judge_prices:
            raise BadInput(f"the judge {name!r} asks no model: leave --judge-model, --judge-url and --judge-prices out")
        return JudgeChoice(name, weights=weights)
    choice = llm_choice(
        read_settings(profile="embedded", data_dir=getattr(args, "data_dir", None)),
        args.judge_model,
        labels=args.judge_labels or "crag",
        url=args.judge_url,
        prices=_prices(args.judge_prices),
        concurrency=args.judge_concurrency,
        fresh=args.judge_fresh,
        name=name,
    )
    return replace(choice, weights=weights)


def llm_choice(
    settings: Settings,
    models: Sequence[str],
    *,
    labels: PromptLabels = "crag",
    url: str | None = None,
    prices: Prices | None = None,
    concurrency: int = 8,
    fresh: bool = False,
    name: str = "llm",
) -> JudgeChoice:
    """A judge that asks a model, over the configured endpoint.

    Args:
        settings: endpoint, key, prices, and where replies are kept.
        models: one, or two that are averaged; none for the configured one.
        labels: which three or two labels the model is asked for.
        url: another endpoint than the configured one.
        prices: others than the configured ones.
        concurrency: judging calls at once.
        fresh: ask again what was asked before.
        name: one of `MODEL_JUDGES`.

    Raises:
        BadInput: models that cannot be used.
        NotReady: no endpoint is configured.
    """
    asked = list(models) or [settings.chat_model]
    base = ChatOptions(
        base_url=url or settings.base_url,
        api_key=settings.api_key,
        model=asked[0],
        timeout_s=settings.chat_timeout_s,
        max_tries=_TRIES,
        longest_wait_s=_LONGEST_WAIT_S,
        prices=prices or settings.chat_prices,
        sees=settings.chat_pictures,
    )
    endpoints = tuple(replace(base, model=model) for model in asked)
    replies = None if fresh else AnswerCache(settings.data_dir / "judgements")
    choice = JudgeChoice(name, endpoints, labels, concurrency, replies)
    choice.check(None)
    return choice


def _prices(text: str | None) -> Prices | None:
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split(","))
        if not (read >= 0 and written >= 0):
            raise ValueError
    except ValueError:
        raise BadInput(f"--judge-prices {text!r} is no pair of prices: give two such as 0.15,0.60") from None
    return Prices(read, written)


class JudgeProgress:
    """One line on standard error: how far judging is. Redrawn on a terminal, every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._start = self._last = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, total: int, errors: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = done - 1
        if now - self._last < (0.2 if self._terminal else 10.0) and done < total:
            return
        self._last = now
        rate = (done - self._first) / max(now - self._start, 1e-9)
        left = f"{(total - done) / rate:.0f} s left" if rate > 0 else "starting"
        text = f"judged {done}/{total} · {rate:.1f}/s · {left}" + (f" · {errors} not reached" if errors else "")
        if self._terminal:
            print(f"\r{text:<76}", end="\n" if done >= total else "", file=sys.stderr, flush=True)
        elif now - self._start >= 1.0:
            print(text, file=sys.stderr, flush=True)


def default_world(info: dict[str, object]) -> Path | None:
    """The world folder that a run's `run.json` names, when it is still there."""
    data = info.get("data")
    world = data.get("world") if isinstance(data, dict) else None
    return Path(str(world)) if world and Path(str(world)).is_dir() else None


def world_for(info: dict[str, object], judge: str) -> Path | None:
    """The world that `judge` may look at for a run: None where there is none and none is needed.

    Raises:
        BadInput: `typed`, and the run's world is not where it was.
    """
    world = default_world(info)
    data = info.get("data")
    named = data.get("world") if isinstance(data, dict) else None
    if judge == "typed" and world is None and named:
        raise BadInput(
            f"the world of this run, {str(named)!r}, is not there any more, and the judge typed reads its gold: put it "
            "back or judge by lexical"
        )
    return world


def judging_record(args: argparse.Namespace, judge: str) -> dict[str, Any] | None:
    """Whom a judge asks, None for those that ask nobody; of an endpoint of its own only that there was one."""
    if judge not in MODEL_JUDGES:
        return None
    return {
        "models": list(args.judge_model),
        "labels": args.judge_labels or "crag",
        "own_endpoint": bool(args.judge_url),
        "prices": args.judge_prices,
    }
