"""How often the assistant finds the right entity on the frames of a generated world: the path of `ask`, up to there."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import read_settings
from eval.data import datasets
from eval.data.gold import has_gold, read_gold
from eval.metrics.recognition import predict, tally


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", required=True, help="a generated world")
    add("--index", type=Path, help="index folder (default: the world's own index, built when it is missing)")
    add("--limit", type=int, help="only the first so many distinct frames")
    add("--split", default="all", choices=(*datasets.SPLITS, "all"), help="(default: all)")
    add("--set", default="both", choices=datasets.SETS, help="(default: both)")
    add("--data-dir", type=Path, help="where indexes are kept")
    add("--json", action="store_true", help="print the counts as JSON")


def run(args: argparse.Namespace) -> int:
    if args.limit is not None and args.limit < 1:
        raise BadInput(f"--limit is {args.limit!r}: give a number above 0")
    data = datasets.load(args.data, args.split, args.set)
    if data.world is None or not has_gold(data.world):
        raise BadInput(f"{args.data!r} is not a generated world with gold/: only there is it known what is right")
    settings = read_settings(profile="embedded", data_dir=args.data_dir, index=args.index)

    from assistant.factory import open_assistant
    from eval.agents.index_cache import with_world_index

    assistant = open_assistant(with_world_index(data.world, settings), for_run=True)
    predictions, unusable = predict(data.samples, assistant.recognise, args.limit, _progress())

    # Only now, with every prediction made, may anything look at the world's gold.
    counts = {**tally(predictions, read_gold(data.world)), "n_unusable": len(data.unusable) + len(unusable)}
    print(_table(counts), file=sys.stderr)
    if args.json:
        print(json.dumps(counts, indent=1, ensure_ascii=False))
    return 0


def _progress() -> Callable[[int, int], None]:
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            rate = done / max(time.monotonic() - start, 1e-9)
            end = "\n" if done == total else ""
            print(f"\r{done}/{total} rows · {rate:.2f}/s   ", end=end, file=sys.stderr, flush=True)

    return show


def _table(counts: Mapping[str, Any]) -> str:
    head = ("frames", "indexed", "right", "wrong", "none", "unindexed", "none")
    lines = [f"{'':<28}" + "".join(f"{name:>10}" for name in head)]
    groups = {name.replace("_", " "): counts[name] for name in ("flat", "not_flat", "clean_flat", "clean_not_flat")}
    groups = {"all": counts, **groups, **counts["by_domain"]}
    for name, group in groups.items():
        indexed, unindexed = group["indexed"], group["unindexed"]
        cells = (
            group["n"],
            *(indexed[key] for key in ("n", "right", "wrong", "none")),
            unindexed["n"],
            unindexed["none"],
        )
        lines.append(f"{name:<28}" + "".join(f"{cell:>10}" for cell in cells))
    without = counts["without_entity"]
    if without["n"]:
        lines.append(f"{without['n']} frames show text alone, no entity; on {without['none']} of them none was named")
    if counts["n_unusable"]:
        lines.append(f"{counts['n_unusable']} rows have no picture that could be read")
    return "\n".join(lines)
