"""What the folder of a run says of how it was started: its name and the beginning of `run.json`."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.options import data_choice, data_options, data_record
from eval.data.samples import Data
from eval.runs.runner import listed
from eval.runs.versions import versions


def new_folder(runs: Path, data: Data, agent: str) -> Path:
    """A name that is not taken: when, what, who."""
    words = re.sub(r"[^\w.]+", "-", f"{data.name}-{agent}").strip("-").lower()[:60]
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{words}"
    number = 1
    while (runs / (path := name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return runs / path


def first_record(
    args: argparse.Namespace,
    data: Data,
    judge: str,
    asked: Mapping[str, str] | None,
    judging: Mapping[str, Any] | None,
    answering: Mapping[str, Any] | None = None,
    handing: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What `run.json` begins with. `options` must be equal for a run to be resumed; `judging` is whom the
    `judge` asks (`eval.judges.options.judging_record`), `answering` how answers come about
    (`eval.agents.factory.answering`), `handing` which evidence is handed over (`eval.benchmarks.handing`).
    """
    options = {
        "data": data.digest,
        **data_options(args),
        "agent": args.agent,
        "agent_options": agent_options(args.agent_option) or None,
        "full_queries": hashlib.sha256(args.full_queries.read_bytes()).hexdigest() if args.full_queries else None,
        "chat": asked,
        **(answering or {"pipeline": args.pipeline}),
        "task": args.task,
        "give": args.give,
        **({"handing": handing} if handing else {}),
        "index": str(args.index) if args.index else None,
    }
    return {
        "state": "preparing",
        "started": now(),
        "ended": None,
        "data": data_record(data_choice(args), data),
        "options": options,
        "benchmark": data.benchmark,
        "judge": judge,
        "judging": judging,
        "n_samples": len(data.samples),
        "n_turns": sum(len(sample.turns) for sample in data.samples),
        "unusable": listed(data.unusable),
        "versions": versions(),
    }


def agent_options(texts: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise BadInput(f"--agent-option {text!r} is no NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
