"""Models that answer on this machine: list, fetch, remove and try them.

model list
model get NAME
model remove NAME
model test NAME
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from typing import Any

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import Cancelled


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|get|remove|test", parser_class=type(parser)
    )
    listed = actions.add_parser("list", description="The short list, and what else is in the hub's cache.")
    listed.add_argument("--json", action="store_true")
    got = actions.add_parser("get", description="Fetch a model from the hub; Ctrl-C stops, the same goes on.")
    got.add_argument("name", metavar="NAME", help="of the list, or a hub id ORG/NAME")
    got.add_argument("--json", action="store_true")
    removed = actions.add_parser("remove", description="Delete a model from the hub's cache.")
    removed.add_argument("name", metavar="NAME")
    tested = actions.add_parser("test", description="Load a model, show it a small picture, and take the time.")
    tested.add_argument("name", metavar="NAME", nargs="?", help="also a folder or a GGUF file; default: the best here")
    tested.add_argument("--device", help="cuda, mps or cpu (default: the best there is)")
    tested.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    return {"list": _list, "get": _get, "remove": _remove, "test": _test}[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from assistant.models.local.curated import CURATED, fits
    from assistant.models.local.machine import this_machine
    from assistant.models.local.store import cached_models

    machine, here = this_machine(), {model.hub_id: model for model in cached_models()}
    rows: list[dict[str, Any]] = []
    for one in CURATED:
        there, fit = here.pop(one.hub_id, None), fits(one, machine)
        rows.append(
            {
                "name": one.name,
                "hub_id": one.hub_id,
                "here": there is not None and not there.lacks,
                "fetch_bytes": one.fetch_bytes,
                "memory_bytes": one.memory_bytes(machine.bytes_per_weight),
                "fits": fit.fits,
                "answer_s": round(fit.answer_s, 1) if fit.answer_s is not None else None,
                "licence": one.licence,
                "good_for": one.good_for,
                "words": fit.words,
            }
        )
    others: list[dict[str, Any]] = [
        {"hub_id": model.hub_id, "here": not model.lacks, "bytes": model.on_disk, "lacks": model.lacks}
        for model in here.values()
    ]
    if args.json:
        print(json.dumps({"models": rows, "others": others}, ensure_ascii=False, indent=1))
        return 0
    for row in rows:
        state = "here" if row["here"] else f"about {row['fetch_bytes'] / 1e9:.1f} GB to fetch"
        print(f"{row['name']:<15} {state:<24} {row['words']}")
        print(f"{'':15} {row['good_for']}; {row['licence']}; {row['hub_id']}")
    for other in others:
        print(f"{other['hub_id']}: {other['bytes'] / 1e9:.1f} GB in the cache{_but(str(other['lacks']))}")
    return 0


def _but(lacks: str) -> str:
    return f", but {lacks}" if lacks else ""


def _get(args: argparse.Namespace) -> int:
    from assistant.models.local.store import fetch

    shown, stop = ShownProgress(args.name), threading.Event()

    def show(done: int, total: int) -> None:
        shown(done / total, f"{done / 1e6:.0f} of {total / 1e6:.0f} MB")

    try:
        found = fetch(args.name, show, cancelled=stop)
    except KeyboardInterrupt:
        raise Cancelled("the fetch was stopped: what has come is kept, the same command goes on from there") from None
    if args.json:
        print(json.dumps({"name": found.name, "path": str(found.path)}, ensure_ascii=False))
    else:
        print(f"{found.name} is here: `python -m assistant model test {found.name}` takes its time")
    return 0


def _remove(args: argparse.Namespace) -> int:
    from assistant.models.local.store import remove

    print(f"{remove(args.name) / 1e6:.0f} MB were freed")
    return 0


def _test(args: argparse.Namespace) -> int:
    from assistant.models.local.model import PICTURE_PX, LocalModel
    from assistant.models.local.store import find

    found = find(args.name)
    px = found.known.picture_px if found.known is not None else PICTURE_PX
    model = LocalModel(found.path, name=found.name, device=args.device, picture_px=px)
    print(f"loading {found.name} and asking it twice", file=sys.stderr)
    speed = model.measure_speed()
    loaded = model.load().model
    if args.json:
        row = {
            "name": found.name,
            "sees": model.sees,
            "device": str(loaded.device),
            "dtype": str(loaded.dtype).removeprefix("torch."),
            "load_s": round(speed.load_s, 2),
            "prompt_tokens": speed.prompt_tokens,
            "first_token_s": round(speed.first_token_s, 3),
            "tokens_per_s": round(speed.tokens_per_s, 2),
            "answer_s": round(speed.answer_s, 1),
        }
        print(json.dumps(row, ensure_ascii=False))
        return 0
    shown = "a small picture and a sentence" if model.sees else "a sentence; it takes no pictures"
    print(f"{found.name} on {loaded.device} in {str(loaded.dtype).removeprefix('torch.')}: shown {shown}")
    print(f"  loaded in {speed.load_s:.1f} s, {speed.prompt_tokens} tokens of prompt")
    print(f"  first token after {speed.first_token_s:.2f} s, then {speed.tokens_per_s:.1f} tokens a second")
    print(f"  an answer of two sentences takes about {speed.answer_s:.0f} s here, more with much evidence")
    return 0
