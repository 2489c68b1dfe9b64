"""`python -m tests.scripted_chat --port 0`: see the package for what it does."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from pathlib import Path

import tests.scripted_chat as package
from tests.scripted_chat.faults import KINDS, Faults, parse_shares
from tests.scripted_chat.replies import Rules
from tests.scripted_chat.server import PICTURES, ChatServer, Setup


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def main() -> int:
    parser = argparse.ArgumentParser(description=package.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--judge-correct", type=float, default=0.5)
    parser.add_argument("--faults", type=parse_shares, default={})
    parser.add_argument("--faulty-attempts", type=int, default=3)
    parser.add_argument("--always", choices=KINDS, default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--latency-spread", type=float, default=0.0)
    parser.add_argument("--chunk-delay", type=float, default=0.0)
    parser.add_argument("--hang", type=float, default=60.0)
    parser.add_argument("--retry-after", default="0.05")
    parser.add_argument("--key", default="")
    parser.add_argument("--models", type=_names, default=())
    parser.add_argument("--unknown-fields", type=_names, default=())
    parser.add_argument("--pictures", choices=PICTURES, default="ignore")
    parser.add_argument("--logprobs", action="store_true")
    parser.add_argument("--tools", action="store_true")
    parser.add_argument("--context", type=int, default=0)
    parser.add_argument("--no-stream", action="store_true")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--log-bytes", action="store_true")
    parser.add_argument("--until-stdin-closes", action="store_true")
    args = parser.parse_args()
    script = json.loads(args.script.read_text(encoding="utf-8")) if args.script else []
    setup = Setup(
        rules=Rules(tuple(script), args.judge_correct),
        faults=Faults(args.faults, args.seed, args.faulty_attempts, args.always),
        latency_s=args.latency,
        latency_spread=args.latency_spread,
        chunk_delay_s=args.chunk_delay,
        hang_s=args.hang,
        retry_after=args.retry_after,
        key=args.key,
        models=args.models,
        unknown_fields=args.unknown_fields,
        pictures=args.pictures,
        logprobs=args.logprobs,
        tools=args.tools,
        context=args.context,
        streams=not args.no_stream,
        log=args.log,
        log_bytes=args.log_bytes,
    )
    server = ChatServer(args.port, setup)
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.server_address[1]}/v1"}), flush=True)
    if args.until_stdin_closes:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    try:
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
