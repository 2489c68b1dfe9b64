"""A hub small enough for a test: the parts of its HTTP interface that a fetch uses, at a speed that can be chosen."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMIT = "1234567890abcdef1234567890abcdef12345678"


class Hub(ThreadingHTTPServer):
    """Serves `models[hub_id][file]`; `fetched` lists the files that were sent to their end, `begun` from which byte.

    Weights are files of the large kind: their digest is told, and they are sent from any byte on.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.models: dict[str, dict[str, bytes]] = {}
        self.fetched: list[str] = []
        self.begun: list[tuple[str, int]] = []
        self.breaks_after = 0  # bytes of one file after which a connection is cut once
        self.pause_s = 0.0  # before every 64 KiB
        self.silent = threading.Event()  # set: accept and never answer
        self.gated: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def hub() -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.silent.clear()
        server.shutdown()
        server.server_close()


def _told(name: str, data: bytes) -> dict[str, Any]:
    large = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return {"rfilename": name, "size": len(data), **({"lfs": large} if name.endswith(".safetensors") else {})}


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, *, body: bool) -> None:
        while self.server.silent.is_set():
            time.sleep(0.05)
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/"):
            self._tell_of("/".join(path.split("/")[3:5]))
        elif "/resolve/" in path:
            hub_id, _, rest = path[1:].partition("/resolve/")
            self._send(hub_id, rest.partition("/")[2], body=body)
        else:
            self._refuse("EntryNotFound")

    def _tell_of(self, hub_id: str) -> None:
        if hub_id in self.server.gated:
            self._refuse("GatedRepo", 403)
        elif hub_id not in self.server.models:
            self._refuse("RepoNotFound")
        else:
            files = [_told(name, data) for name, data in self.server.models[hub_id].items()]
            told = json.dumps({"id": hub_id, "modelId": hub_id, "sha": COMMIT, "siblings": files}).encode()
            self._head(200, len(told), {"Content-Type": "application/json"})
            self.wfile.write(told)

    def _send(self, hub_id: str, name: str, *, body: bool) -> None:
        data = self.server.models.get(hub_id, {}).get(name)
        if data is None:
            self._refuse("EntryNotFound")
            return
        asked = self.headers.get("Range", "").removeprefix("bytes=").partition("-")[0]
        first = int(asked) if asked.isdecimal() and body else 0
        told = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": COMMIT}
        self._head(206 if first else 200, len(data) - first, told)
        if not body:
            return
        self.server.begun.append((name, first))
        try:
            for start in range(first, len(data), 65536):
                if 0 < self.server.breaks_after <= start:
                    self.server.breaks_after = 0
                    raise OSError("cut off")
                time.sleep(self.server.pause_s if len(data) > 65536 else 0)
                self.wfile.write(data[start : start + 65536])
            self.server.fetched.append(name)
        except OSError:  # whoever fetched has gone
            self.close_connection = True

    def _refuse(self, code: str, status: int = 404) -> None:
        self._head(status, 0, {"X-Error-Code": code, "X-Error-Message": code})

    def _head(self, status: int, length: int, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(length), **more}.items():
            self.send_header(name, value)
        self.end_headers()
