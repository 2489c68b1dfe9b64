"""Before a run: the smallest difference that so many turns can show, how many calls it takes, what it costs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from assistant.core.errors import BadInput
from eval.data.options import add_data_arguments, load_data
from eval.metrics.power import Assumptions, Prices, estimate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_arguments(parser, required=False)
    add = parser.add_argument
    add("--turns", type=int, help="so many turns, instead of --data")
    add("--conversations", type=int, help="so many conversations (default: as many as turns)")
    add("--accuracy", type=float, default=0.4, help="guessed share of right turns (default: 0.4)")
    add("--hallucination", type=float, default=0.3, help="guessed share of wrong turns (default: 0.3)")
    add(
        "--changed", type=float, default=0.2, help="guessed share of turns that one run alone gets right (default: 0.2)"
    )
    add("--correlation", type=float, default=0.1, help="guessed correlation within a conversation (default: 0.1)")
    add("--calls-per-turn", type=float, default=1.0, help="calls of a model a turn (default: 1)")
    add("--tokens", type=int, nargs=2, metavar=("IN", "OUT"), default=(1500, 75), help="tokens a call")
    add("--price", type=float, nargs=2, metavar=("IN", "OUT"), default=(0.0, 0.0), help="money per million tokens")
    add("--judge-price", type=float, nargs=2, metavar=("IN", "OUT"), help="the judge's; asks for one judge call a turn")
    add("--seconds", type=float, help="seconds a turn, for the time it will take")
    add("--concurrency", type=int, default=1, help="conversations side by side (default: 1)")
    add("--json", action="store_true", help="print the estimate as JSON")


def run(args: argparse.Namespace) -> int:
    turns, conversations = _size(args)
    for name in ("accuracy", "hallucination", "changed", "correlation"):
        if not 0 <= getattr(args, name) <= 1:
            raise BadInput(f"--{name} is {getattr(args, name)!r}: give a share between 0 and 1")
    judge = args.judge_price or (0.0, 0.0)
    found = estimate(
        turns,
        conversations,
        assumed=Assumptions(args.accuracy, args.hallucination, args.changed, args.correlation),
        prices=Prices(
            calls_per_turn=args.calls_per_turn,
            input_tokens=args.tokens[0],
            output_tokens=args.tokens[1],
            per_million_input=args.price[0],
            per_million_output=args.price[1],
            judge_calls_per_turn=1.0 if args.judge_price else 0.0,
            judge_per_million_input=judge[0],
            judge_per_million_output=judge[1],
            seconds_per_turn=args.seconds,
        ),
        concurrency=args.concurrency,
    )
    print(json.dumps(found, indent=1) if args.json else table(found))
    return 0


def _size(args: argparse.Namespace) -> tuple[int, int]:
    if (args.data is None) == (args.turns is None):
        raise BadInput("give either --data or --turns")
    if args.data is not None:
        samples = load_data(args).samples
        return sum(len(sample.turns) for sample in samples), len(samples)
    conversations = args.turns if args.conversations is None else args.conversations
    if not 1 <= conversations <= args.turns:
        raise BadInput(f"{conversations!r} conversations cannot have {args.turns!r} turns: give at least one turn each")
    return args.turns, conversations


def table(found: Mapping[str, Any]) -> str:
    """The estimate as text."""
    can, assumed = found["detectable"], found["assumed"]
    lines = [
        f"{found['n_turns']} turns in {found['n_conversations']} conversations, worth {can['effective_turns']:.0f} "
        "independent turns",
        "smallest difference that is found four times in five:",
    ]
    for name, text in (
        ("paired_truthfulness", "truthfulness, same questions"),
        ("paired_accuracy", "accuracy, same questions"),
        ("unpaired_truthfulness", "truthfulness, other questions"),
        ("unpaired_accuracy", "accuracy, other questions"),
    ):
        share = can[name]
        lines.append(f"  {text:<34}" + ("none: too few turns" if share is None else f"{100 * share:.1f} points"))
    lines.append("assumed: " + ", ".join(f"{name} {value:g}" for name, value in assumed.items()))
    lines.append(f"calls {found['calls']}, judge calls {found['judge_calls']}, tokens {found['tokens']:,}")
    lines.append(f"cost {found['cost']:.2f} in the currency of the prices given")
    if found["hours"] is not None:
        lines.append(f"about {found['hours'] * 60:.0f} minutes")
    return "\n".join(lines)
