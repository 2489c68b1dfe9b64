"""Look at a benchmark before a run: how many samples, which labels, which rows cannot be used; fetch its pictures."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadImage
from eval.data.options import DataChoice, add_data_arguments, data_choice, data_record
from eval.data.samples import LABELS, Data, Sample, Unusable
from eval.data.truths import without_truth_words

_LISTED = 20
#: Turns whose evidence is counted: pages of the web are many.
_LOOKED_INTO = 200
#: Fetching waits for others, not for this machine; more at once would only make hosts refuse.
_AT_ONCE = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_arguments(parser)
    parser.add_argument("--read-pictures", action="store_true", help="read (and fetch) every picture, list the broken")
    parser.add_argument("--data-dir", type=Path, help="where fetched pictures are kept")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: argparse.Namespace) -> int:
    choice = data_choice(args)
    data = choice.load()
    broken = _read_pictures(data) if args.read_pictures else []
    unusable = [*data.unusable, *broken]
    about = {
        **data_record(choice, data),
        "digest": data.digest,
        "options": choice.options(),
        **_counts(data),
        "n_unusable": len(unusable),
        "unusable": [vars(row) for row in unusable],
        "n_without_pictures": _gained_without_pictures(choice, data, unusable),
    }
    print(json.dumps(about, indent=1, ensure_ascii=False) if args.json else _text(about))
    return 0


def _gained_without_pictures(choice: DataChoice, data: Data, unusable: Sequence[Unusable]) -> int:
    """How many more rows could be asked about with `--no-pictures`."""
    if not unusable or not choice.pictures:
        return 0
    return max(0, len(replace(choice, pictures=False).load().samples) - len(data.samples))


def _counts(data: Data) -> dict[str, Any]:
    labels: dict[str, dict[str, int]] = {}
    for label in LABELS:
        counted = Counter(getattr(turn, label) for sample in data.samples for turn in sample.turns)
        if set(counted) - {None}:
            labels[label] = {str(name): n for name, n in counted.most_common()}
    return {
        "n_samples": len(data.samples),
        "n_turns": sum(len(sample.turns) for sample in data.samples),
        "n_ego": sum(sample.is_ego for sample in data.samples),
        "n_conversations": sum(len(sample.turns) > 1 for sample in data.samples),
        "benchmark": data.benchmark,
        "evidence": _evidence(data),
        "n_without_truth": sum(not turn.ground_truth.strip() for sample in data.samples for turn in sample.turns),
        "labels": labels,
    }


def _evidence(data: Data) -> dict[str, int]:
    """How many pieces of evidence the first turns bring along, by what they are to their questions."""
    pieces = (turn.pieces() for sample in data.samples for turn in sample.turns if turn.pieces is not None)
    return dict(Counter(piece.role for found in islice(pieces, _LOOKED_INTO) for piece in found))


def _text(about: dict[str, Any]) -> str:
    lines = [
        f"{about['name']}: {about['n_samples']} of {about['found']} samples taken, {about['n_turns']} turns, "
        f"{about['n_conversations']} conversations of several turns, {about['n_ego']} egocentric"
    ]
    for label, counted in about["labels"].items():
        lines.append(f"{label:<15} {', '.join(f'{name} {n}' for name, n in counted.items())}")
    if about["evidence"]:
        n = min(about["n_turns"], _LOOKED_INTO)
        told = ", ".join(f"{role} {pieces / n:.1f}" for role, pieces in about["evidence"].items())
        lines.append(f"rows of {about['benchmark']}; pieces of evidence a turn (of the first {n:,}): {told}")
    lines += [f"public reading: {said}" for said in about["adjusted"]]
    if said := without_truth_words(about["n_without_truth"]):
        lines.append(said)
    lines.append(f"{about['n_unusable']} rows cannot be used")
    if about["n_without_pictures"]:
        lines[-1] += f"; {about['n_without_pictures']} of them can with --no-pictures, which asks the questions alone"
    for row in about["unusable"][:_LISTED]:
        whose = f" ({row['session_id']})" if row["session_id"] is not None else ""
        lines.append(f"  {row['source']} row {row['row']}{whose}: {row['why']}")
    if about["n_unusable"] > _LISTED:
        lines.append(f"  and {about['n_unusable'] - _LISTED} more: --json lists them all")
    return "\n".join(lines)


def _read_pictures(data: Data) -> list[Unusable]:
    """Read every picture once; those that cannot be had are listed in the order of the data."""
    with_picture = [sample for sample in data.samples if sample.picture is not None]
    broken: dict[int, Unusable] = {}
    shown = ShownProgress()
    pool = ThreadPoolExecutor(max_workers=_AT_ONCE)
    try:
        futures = {pool.submit(_broken, sample): i for i, sample in enumerate(with_picture)}
        for done, future in enumerate(as_completed(futures), 1):
            if (found := future.result()) is not None:
                broken[futures[future]] = found
            shown(done / len(with_picture), f"{done} of {len(with_picture)} pictures, {len(broken)} broken")
    except KeyboardInterrupt:
        print("stopped; what was fetched is kept", file=sys.stderr)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return [broken[i] for i in sorted(broken)]


def _broken(sample: Sample) -> Unusable | None:
    try:
        sample.frame()
    except BadImage as problem:
        return sample.unusable(str(problem))
    return None
