"""Starts the server as a process of its own and ends it again."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class ScriptedChat:
    """A running server. `base_url` ends in /v1."""

    base_url: str
    log: Path
    process: subprocess.Popen

    def requests(self) -> list[dict[str, Any]]:
        """All requests to the chat endpoint so far, in order of arrival."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]


@contextmanager
def start(*arguments: str, script: list[dict[str, Any]] | None = None, port: int = 0) -> Iterator[ScriptedChat]:
    """A server with these command-line arguments; `script` is written to a file for `--script`."""
    with tempfile.TemporaryDirectory(prefix="scripted-chat-") as folder:
        log = Path(folder) / "requests.jsonl"
        command = [sys.executable, "-m", "tests.scripted_chat", "--port", str(port), "--until-stdin-closes"]
        command += ["--log", str(log), *arguments]
        if script is not None:
            rules = Path(folder) / "script.json"
            rules.write_text(json.dumps(script), encoding="utf-8")
            command += ["--script", str(rules)]
        process = subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"the scripted chat server ended with {process.wait()} before it was up")
            yield ScriptedChat(json.loads(line)["base_url"], log, process)
        finally:
            process.stdin.close()
            process.terminate()
            process.wait(10)
            process.stdout.close()
