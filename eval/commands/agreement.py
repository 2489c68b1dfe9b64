"""How far people agree who labelled the same items: raw agreement, kappas, Krippendorff's alpha, with intervals.

Labels are a project's, by its name, or JSONL: a line a label, with `item` (or `interaction_id`), `annotator` and
`grade`; `conversation` or `session_id`, `domain` and the like are used where they stand.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from assistant.settings import read_settings
from eval.annotate.labelled import Rated, read_rated
from eval.annotate.project_labels import order_of, project_named, rated_of
from eval.commands.told import tell
from eval.metrics.agreement import ORDERED, Agreement, agreement


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--labels", required=True, metavar="FILE|PROJECT", help="JSONL of labels, or a project's name")
    parser.add_argument("--data-dir", type=Path, help="where annotations are kept")
    parser.add_argument(
        "--order",
        metavar="A,B,…",
        help=f"the labels from one end to the other, for weighted and ordinal figures (default: {','.join(ORDERED)})",
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: argparse.Namespace) -> int:
    labels = _labels(args.labels, args.data_dir)
    tell(f"{n} left out: {why}" for why, n in labels.left_out.items())
    given = [name.strip().lower() for name in (args.order or "").split(",") if name.strip()]
    order = given or order_of(labels.ratings, ORDERED)
    found = agreement(labels.ratings, order=order, conversations=labels.conversations, labels=labels.labels)
    print(json.dumps(found.json(), indent=1, ensure_ascii=False) if args.json else table(found))
    return 0


def _labels(name: str, data_dir: Path | None) -> Rated:
    path = Path(name)
    if path.is_file():
        return read_rated(path)
    folder = read_settings(profile="embedded", data_dir=data_dir).data_dir
    with project_named(folder, name) as (store, project):
        return rated_of(store, project)


def table(found: Agreement) -> str:
    """The figures as text: all items, every person, every pair, every slice."""
    fleiss = f" ({found.fleiss.n} items of {found.fleiss_labels} labels)" if found.fleiss_labels else ""
    lines = [
        f"{found.n_labels} labels of {len(found.people)} people on {found.n_items} items, {found.n_shared} of them by "
        "two people or more: " + ", ".join(f"{n} {label}" for label, n in found.given.items()),
        _row("raw agreement", found.raw.text),
        *(_row(f"Cohen's kappa{_weighted(weights)}", figure.text) for weights, figure in found.cohen.items()),
        _row("Fleiss' kappa", found.fleiss.text + fleiss),
        *(_row(f"Krippendorff's alpha, {level}", figure.text) for level, figure in found.alpha.items()),
    ]
    for name, person in found.people.items():
        lines += [
            f"\n{name}: {person.n} labels, {person.n_shared} of items that others labelled too",
            _row("agreement with the others", person.raw.text),
            _row("kappa with the others", person.kappa.text),
            _row("alpha without this person", person.alpha_without.text),
        ]
    if len(found.people) > 2:
        lines.append("\npairs: items, raw agreement, Cohen's kappa")
        lines += [_row(f"{p.a} · {p.b}", f"{p.n:>6}  {p.raw.text}  {p.cohen['none'].text}") for p in found.pairs]
    for label, values in found.slices.items():
        lines.append(f"\n{label}: items by two people or more, raw agreement, alpha")
        lines += [
            _row(text + (" (few)" if part.few else ""), f"{part.n_shared:>6}  {part.raw.text}  {part.alpha.text}")
            for text, part in values.items()
        ]
    return "\n".join(lines)


def _weighted(weights: str) -> str:
    return "" if weights == "none" else f", {weights} weights"


def _row(name: str, text: str) -> str:
    return f"{name:<36}{text}"
