"""CRAG's mock knowledge graph: build DIR [--out FILE] makes it from the released files (mock_api/cragkg of the
repository facebookresearch/CRAG, CC BY-NC 4.0), serve FILE [--port N] answers its 38 routes on this machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadInput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("form", choices=("build", "serve"), help="make the store, or answer over HTTP")
    parser.add_argument("path", type=Path, metavar="DIR|FILE", help="build: the released folder; serve: the store")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the store to write (default: DIR/crag-kg.sqlite)")
    parser.add_argument("--port", type=int, help="where to serve (default: 8000; 0: any that is free)")
    parser.add_argument("--json", action="store_true", help="what was built, as JSON on standard output")


def run(args: argparse.Namespace) -> int:
    if args.form == "build":
        if args.port is not None:
            raise BadInput("--port belongs to serve")
        return _build(args)
    if args.out is not None:
        raise BadInput("--out belongs to build")
    return _serve(args)


def _build(args: argparse.Namespace) -> int:
    from eval.benchmarks.crag_kg.build import build

    if not args.path.is_dir():
        raise BadInput(f"there is no folder {str(args.path)!r}: give the one with open/, movie/, finance/, …")
    out = args.out or args.path / "crag-kg.sqlite"
    built = build(args.path, out, ShownProgress("crag-kg"))
    for part in built.taken_over:
        print(f"{part} was there from a build that was stopped", file=sys.stderr)
    for part, name in built.left_out.items():
        print(f"left out: {part} (there is no {name})", file=sys.stderr)
    print(f"wrote {out}: {', '.join(f'{n} {part}' for part, n in built.entries.items())}", file=sys.stderr)
    if args.json:
        print(json.dumps({"out": str(out), "entries": built.entries, "left_out": built.left_out}))
    return 0


def _serve(args: argparse.Namespace) -> int:
    from eval.benchmarks.crag_kg.kg import CragKg
    from eval.benchmarks.crag_kg.server import HOST, PORT, KgServer

    server = KgServer(CragKg.open(args.path), PORT if args.port is None else args.port)
    print(f"the mock KG answers at http://{HOST}:{server.server_port} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    with server:
        server.serve_forever()
    return 0
