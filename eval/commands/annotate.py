"""What people say about answers: projects, their items, labels out and in, corrected ground truths, test rows.

annotate projects [--create NAME ...] [--archive NAME]
annotate items PROJECT --run RUN | --data DATA | --file ITEMS.jsonl
annotate export PROJECT --out FILE [--format jsonl|csv|label-studio|items|rows]
annotate import PROJECT FILE [--format jsonl|csv|label-studio]
annotate overlay PROJECT --name NAME --by WHO
annotate rows --out FILE.parquet|FILE.jsonl
annotate delete-person NAME
"""

from __future__ import annotations

import argparse
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import Settings, read_settings
from eval.commands.told import tell
from eval.data.filters import parse_where
from eval.data.options import add_data_arguments, data_choice

_FORMATS = ("jsonl", "csv", "label-studio")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = "projects|items|export|import|overlay|rows|delete-person"
    actions = parser.add_subparsers(dest="action", required=True, metavar=names, parser_class=type(parser))
    _add_projects(_action(actions, "projects", "List the projects, make one, or put one away."))
    items = _action(actions, "items", "Add items to a project; those that are there are not added again.")
    _add_items(items)
    export = _action(actions, "export", "Write a project's labels, its items, or its questions as benchmark rows.")
    export.add_argument("project", help="its name")
    export.add_argument("--out", type=Path, required=True, help="the file to write")
    export.add_argument("--format", choices=(*_FORMATS, "items", "rows"), default="jsonl", help="default: jsonl")
    export.add_argument("--corrected", action="store_true", help="rows: with corrected answers that most agree on")
    imported = _action(actions, "import", "Read labels into a project; the same ones are never written twice.")
    imported.add_argument("project", help="its name")
    imported.add_argument("file", type=Path)
    imported.add_argument("--format", choices=_FORMATS, default="jsonl", help="default: jsonl")
    overlay = _action(actions, "overlay", "Accept corrected ground truths: the next version of an overlay.")
    overlay.add_argument("project", help="its name")
    overlay.add_argument("--name", required=True, help="of the overlay, as that of the data")
    overlay.add_argument("--by", required=True, help="who accepts")
    overlay.add_argument("--people", type=int, default=1, help="only what so many people wrote alike (default: 1)")
    rows = _action(actions, "rows", "Write the test rows that were saved, so that a run takes them as --data.")
    rows.add_argument("--out", type=Path, required=True, help="FILE.parquet or FILE.jsonl")
    gone = _action(actions, "delete-person", "Delete a person's labels and name; their items are open again.")
    gone.add_argument("name")


def _action(actions: Any, name: str, description: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, description=description)
    parser.add_argument("--data-dir", type=Path, help="where annotations and fetched pictures are kept")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _add_projects(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--create", metavar="NAME", help="make a project")
    add("--archive", metavar="NAME", help="put a project away")
    add("--overlap", type=int, default=1, help="how many people label an item (default: 1)")
    add("--gold-rate", type=float, default=0.0, help="share of items whose answer is known (default: 0)")
    add("--hide-truth", action="store_true", help="show the ground truth only after the label")
    add("--allow-suggestions", action="store_true", help="a judge's verdict may be shown before")
    add("--third-grader", action="store_true", help="ask somebody else where people differ")
    add("--seed", type=int, default=0, help="of everybody's own order (default: 0)")
    add("--guideline", type=Path, metavar="FILE.md", help="how to label, for the new project")


def _add_items(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("project", help="its name")
    add("--run", type=Path, help="a run folder; --where and --limit choose as for data")
    add("--file", type=Path, metavar="ITEMS.jsonl", help="items as `annotate export --format items` writes them")
    add("--status", action="append", default=[], help="of a run: only turns that ended like this (repeatable)")
    add("--judge", default="", help="of a run: whose verdicts --verdict means (default: the one that judged last)")
    add("--verdict", action="append", default=[], help="correct, wrong, missing, unsure or unjudged (repeatable)")
    add("--words", default="", help="of a run: words that all stand in the turn")
    add_data_arguments(parser, required=False)


def run(args: argparse.Namespace) -> int:
    from eval.annotate.store import open_store

    settings = read_settings(profile="embedded", data_dir=args.data_dir)
    with open_store(settings.data_dir) as store:
        result, said = _ACTIONS[args.action](args, store, settings)
    if args.json:
        print(json.dumps(result, indent=1, ensure_ascii=False))
    else:
        print("\n".join(said))
    return 0


def _projects(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate.values import ProjectSettings

    if args.create:
        names = ("overlap", "gold_rate", "hide_truth", "allow_suggestions", "seed", "third_grader")
        text = _read(args.guideline) if args.guideline else None
        chosen = ProjectSettings(**{name: getattr(args, name) for name in names})
        made = store.create_project(args.create, chosen, _uid())
        if text is not None:
            store.add_guideline(made.id, text, _uid())
    if args.archive:
        store.archive(store.project(args.archive).id, _uid())
    result, said = [], []
    for project in store.projects(archived=True):
        done = store.progress(project.id)
        result.append({**asdict(project), "progress": asdict(done)})
        state = f"{done.labelled} of {done.total} items labelled, {done.labels} labels"
        overlap = f"overlap {project.settings.overlap}"
        said.append(f"{project.name}: {'archived' if project.archived else state}, {overlap}")
    return result, said or ["there is no project yet: annotate projects --create NAME"]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as text ({problem})") from None


def _items(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate.sources import Filters, data_items, file_items, run_items

    project = store.project(args.project)
    if sum(given is not None for given in (args.run, args.data, args.file)) != 1:
        raise BadInput("give one of --run RUN, --data DATA and --file ITEMS.jsonl")
    told: Sequence[str] = ()
    if args.run is not None:
        where = parse_where(args.where)
        filters = Filters(tuple(args.status), args.judge, tuple(args.verdict), where, args.words)
        items, told = run_items(args.run, filters)
        items = items[: args.limit]
    elif args.data is not None:
        items, told = data_items(replace(data_choice(args), data_dir=settings.data_dir))
    else:
        items = file_items(args.file)
    tell(told)
    added = store.add_items(project.id, items, _uid())
    return {"new": added.new, "known": added.known}, [f"{added.new} items added, {added.known} were there"]


def _export(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate.exchange import export_labels, export_rows
    from eval.annotate.sources import FrameSource, write_items

    project = store.project(args.project).id
    if args.corrected and args.format != "rows":
        raise BadInput("--corrected belongs to --format rows")
    if args.format == "items":
        items = store.items(project, with_gold=True)
        write_items(args.out, items)
        n, what = len(items), "items"
    elif args.format == "rows":
        frames = FrameSource(settings.data_dir)
        n, what = export_rows(store, project, args.out, frames, corrected=args.corrected), "rows"
    else:
        n, what = export_labels(store, project, args.out, args.format), "labels"
    return {"out": str(args.out), what: n}, [f"{n} {what} written to {args.out}"]


def _import(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate.exchange import import_labels

    found = import_labels(store, store.project(args.project).id, args.file, args.format)
    text = f"{found.labels} labels and {found.items} items are new, {found.known} labels were there"
    return asdict(found), [text]


def _overlay(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate.overlay import accept, proposals

    best: dict[str, Any] = {}
    for one in proposals(store, store.project(args.project).id):
        if len(one.people) >= args.people:
            best.setdefault(one.interaction_id, one)
    path = accept(store.folder, args.name, list(best.values()), store.person(args.by))
    return {"overlay": str(path), "corrections": len(best)}, [f"{len(best)} corrections accepted: {path}"]


def _rows(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    from eval.annotate import rows

    saved = rows.saved(store.folder)
    rows.export(store.folder, saved, args.out)
    return {"out": str(args.out), "rows": len(saved)}, [f"{len(saved)} rows written to {args.out}"]


def _delete_person(args: argparse.Namespace, store: Any, settings: Settings) -> tuple[Any, list[str]]:
    count = store.delete_person(args.name, _uid())
    return {"events": count}, [f"deleted, with {count} events"]


_ACTIONS: Mapping[str, Any] = {
    "projects": _projects,
    "items": _items,
    "export": _export,
    "import": _import,
    "overlay": _overlay,
    "rows": _rows,
    "delete-person": _delete_person,
}


def _uid() -> str:
    return uuid.uuid4().hex
