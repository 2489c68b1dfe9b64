"""Replies that were given before, kept by the hash of the whole rendered request: no question is paid for twice.

The key is made by who asks (`ChatClient.digest`): address, model, every message, the bytes of every picture as they
are sent (degraded or not) and the sampling. Only deterministic calls come here, and never failed or empty replies.
One small file a reply, written to a temporary name and renamed, so that any number of processes may share a cache.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import threading
from pathlib import Path

from assistant.models.protocol import ModelReply, ToolCall

FORMAT_VERSION = 1


class AnswerCache:
    """A `ReplyStore` in a folder. Safe between threads and processes; what cannot be read or kept is not there."""

    def __init__(self, folder: Path):
        self.folder = folder

    def get(self, key: str) -> ModelReply | None:
        try:
            content = json.loads(self._path(key).read_text(encoding="utf-8"))
            if content.pop("format_version") != FORMAT_VERSION:
                return None
            calls = tuple(ToolCall(**call) for call in content.pop("tool_calls", ()))
            reply = ModelReply(**content, tool_calls=calls)
            return reply if isinstance(reply.text, str) and reply.says_something else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def put(self, key: str, reply: ModelReply) -> None:
        if not reply.says_something:
            return
        path = self._path(key)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
        content = {"format_version": FORMAT_VERSION, **dataclasses.asdict(reply)}
        with contextlib.suppress(OSError):  # a cache that is full or closed to us costs a call, never a turn
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
            temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
