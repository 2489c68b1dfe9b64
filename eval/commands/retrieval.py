"""Recall of the raw search on a generated world: pictures at 1 and 30 by egocentric and normal, pages at 50."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from assistant.settings import read_settings
from eval.data import datasets
from eval.data.gold import has_gold, read_gold
from eval.metrics.retrieval import image_recall, web_recall


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", required=True, help="a generated world")
    add("--index", type=Path, help="index folder (default: the world's own index, built when it is missing)")
    add("--split", default="all", choices=(*datasets.SPLITS, "all"), help="(default: all)")
    add("--set", default="both", choices=datasets.SETS, help="(default: both)")
    add("--limit", type=int, help="only the first so many rows")
    add("--data-dir", type=Path, help="where indexes are kept")
    add("--run", type=Path, help="keep the figures in this run folder, where its report finds them")
    add("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    data = datasets.load(args.data, args.split, args.set, args.limit)
    if data.world is None or not has_gold(data.world):
        raise BadInput(f"{args.data!r} is not a generated world with gold/: only there is it known what is right")
    if args.run is not None and not (args.run / "run.json").is_file():
        raise BadInput(f"{str(args.run)!r} is not a run folder")
    settings = read_settings(profile="embedded", data_dir=args.data_dir, index=args.index)

    from assistant.factory import open_search
    from eval.agents.index_cache import with_world_index

    settings = with_world_index(data.world, settings)
    pipeline = open_search(settings)
    try:
        gold = read_gold(data.world)
        found = {
            "format_version": 1,
            "what": "raw vector search of the index: whole frames, plain queries",
            "data": data.name,
            "index": str(settings.index),
            "image": image_recall(data.samples, gold, pipeline, _progress("pictures")),
            "web": web_recall(data.samples, gold, pipeline, _progress("queries")),
        }
    finally:
        pipeline.close()
    if args.run is not None:
        write_json(args.run / "retrieval.json", found)
    print(json.dumps(found, indent=1, ensure_ascii=False) if args.json else table(found))
    return 0


def _progress(what: str) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{what} {done}/{total}  ", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif done == total:
            print(f"{what} {done}/{total}", file=sys.stderr, flush=True)

    return show


def table(found: Mapping[str, Any]) -> str:
    """The recalls as text."""
    lines = [found["what"]]
    for kind, ks in (("image", ("1", "30")), ("web", ("1", "50"))):
        lines.append(f"\n{kind:<22}{'n':>7}" + "".join(f"{f'recall at {k}':>15}" for k in ks))
        for name, part in found[kind].items():
            if not isinstance(part, Mapping):
                continue
            rows = [(name, part["n"], part["recall"])]
            if "recall_indexed" in part:
                rows.append((f"{name}, indexed only", part["n_indexed"], part["recall_indexed"]))
            for text, n, recall in rows:
                cells = "".join(f"{'' if recall[k] is None else f'{recall[k]:.3f}':>15}" for k in ks)
                lines.append(f"{text:<22}{n:>7}{cells}")
    return "\n".join(lines)
