"""Copy all annotations to a new folder: labels as of one moment, overlays, rows. Others may work meanwhile."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from assistant.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder that is not there yet, or is empty")
    parser.add_argument("--data-dir", type=Path, help="where the annotations are kept")
    parser.add_argument("--json", action="store_true", help="print the names of the files as JSON")


def run(args: argparse.Namespace) -> int:
    from eval.annotate.store import open_store

    settings = read_settings(profile="embedded", data_dir=args.data_dir)
    with open_store(settings.data_dir) as store:
        names = store.backup(args.out)
    if args.json:
        print(json.dumps({"out": str(args.out), "files": names}, indent=1))
    else:
        print(f"written to {args.out}: {len(names)} files", file=sys.stderr)
    return 0
