"""What is ready on this machine, and the one thing to do for a better one. Nothing is asked of the network."""

from __future__ import annotations

import argparse
import json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--index")
    parser.add_argument("--profile")
    parser.add_argument("--model", help="what the chat or local profile would ask")
    parser.add_argument("--data-dir")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    from assistant.doctor import examine
    from assistant.settings import read_settings

    settings = read_settings(
        profile=args.profile, data_dir=args.data_dir, index=args.index, model=args.model, ready=False
    )
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
