"""Build an index from a world folder, or check one that exists.

index build WORLD --out DIR [--without gold]
index check DIR
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import NotReady
from assistant.index.manifest import Manifest
from assistant.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="build|check|import", parser_class=type(parser)
    )
    build = actions.add_parser("build", description="Build the index of a world folder.")
    build.add_argument("world", metavar="WORLD", help="a world folder: kg/ and web/ are read")
    build.add_argument("--out", required=True, metavar="DIR", help="the index folder; an index there is replaced")
    build.add_argument("--without", choices=["gold"], help="leave out the pages and attributes that gold/ names")
    build.add_argument("--json", action="store_true", help="the manifest as JSON")
    check = actions.add_parser("check", description="Check that an index is whole and finds its own rows.")
    check.add_argument("folder", metavar="DIR", help="an index folder")
    check.add_argument("--json", action="store_true", help="the manifest and the problems as JSON")
    imported = actions.add_parser("import", description="Not built yet.")
    imported.add_argument("folder", metavar="CHROMA_DIR", nargs="?")
    imported.add_argument("--out", metavar="DIR")


def run(args: argparse.Namespace) -> int:
    if args.action == "import":
        raise NotReady("importing a published Chroma folder is not built yet: use `index build WORLD --out DIR`")
    return _build(args) if args.action == "build" else _check(args)


def _build(args: argparse.Namespace) -> int:
    from assistant.index.build import build_index
    from assistant.vision.encoders import picture_encoder

    manifest = build_index(
        Path(args.world),
        Path(args.out),
        without_gold=args.without == "gold",
        progress=ShownProgress(),
        encoder=picture_encoder(read_settings().clip_dir),
    )
    for sentence in manifest.skipped:
        print(f"left out: {sentence}", file=sys.stderr)
    _print(args, manifest, [])
    return 0


def _check(args: argparse.Namespace) -> int:
    from assistant.index.check import check_index
    from assistant.vision.encoders import picture_encoder

    manifest, problems = check_index(Path(args.folder), picture_encoder(read_settings().clip_dir))
    for sentence in problems:
        print(sentence, file=sys.stderr)
    _print(args, manifest, problems)
    return 1 if problems else 0


def _print(args: argparse.Namespace, manifest: Manifest, problems: list[str]) -> None:
    if args.json:
        print(json.dumps({**asdict(manifest), "problems": problems}, ensure_ascii=False, indent=1))
    elif not problems:
        print(manifest.describe())
