"""What is ready on this machine, and the one thing to do for a better one.

Nothing is asked of the network, but with `--test`: that tests the connection to the configured chat endpoint.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--index")
    parser.add_argument("--profile")
    parser.add_argument("--model", help="what the chat or local profile would ask")
    parser.add_argument("--data-dir")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--test", action="store_true", help="test the connection to the configured chat endpoint")


def run(args: argparse.Namespace) -> int:
    from assistant.doctor import examine
    from assistant.settings import read_settings

    settings = read_settings(
        profile=args.profile, data_dir=args.data_dir, index=args.index, model=args.model, ready=False
    )
    if args.test:
        return test(settings, as_json=args.json)
    parts = examine(settings)
    if args.json:
        rows = [{"part": p.part, "ready": p.ready, "is_now": p.is_now, "better": p.better} for p in parts]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    for p in parts:
        print(f"{'ready ' if p.ready else 'absent'}  {p.part:<14} {p.is_now}")
        if p.better:
            print(f"{'':8}{'':14} → {p.better}")
    return 0


def test(settings: Settings, *, as_json: bool) -> int:
    """Test the connection and print each step as it ends; 1 where the endpoint gives no answer.

    Raises:
        NotReady: no chat endpoint is configured.
        BadInput: what is configured cannot be used.
    """
    from assistant.models.chat.probe import probe

    told, shown = None, 0
    for told in probe(settings.chat_options()):
        if as_json:
            continue
        if not told.steps:
            print(f"{told.model} at {told.endpoint}", flush=True)
        for step in told.steps[shown:]:
            print(f"{_MARKS[step.works]}  {step.name:<9} {step.says} ({step.took_s:.1f} s)", flush=True)
        shown = len(told.steps)
    assert told is not None
    suggested = told.suggested_timeout_s
    if as_json:
        print(json.dumps({**dataclasses.asdict(told), "suggested_timeout_s": suggested}, ensure_ascii=False, indent=1))
        return 0 if told.answers else 1
    if told.sees is False and settings.chat_pictures:
        print("→ set VITRINE_CHAT_PICTURES=no: it sees nothing")
    if suggested is not None and suggested > settings.chat_timeout_s:
        print(
            f"→ set VITRINE_CHAT_TIMEOUT_S={suggested:g}: {settings.chat_timeout_s:g} s may be too short for an answer"
        )
    return 0 if told.answers else 1


_MARKS = {True: "yes", False: "no ", None: "?  "}
