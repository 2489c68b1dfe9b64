"""A small hub on this machine: real HTTP, as much of the hub's interface as fetching one data set takes.

Serves folders by revision, says which commit each is, and notes what it was asked.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class HubStub:
    """`revisions` maps a revision to the folder that holds its files; the commit is a hash of the revision's name."""

    def __init__(self, repo: str, revisions: Mapping[str, Path]):
        self.repo = repo
        self.asked: list[str] = []
        self._folders = dict(revisions)
        for revision, folder in revisions.items():
            self._folders[commit(revision)] = folder
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                stub.asked.append(f"{self.command} {self.path}")
                status, headers, content = stub._answer(self.path, body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_HEAD = do_POST = do_GET

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, target: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        path = urllib.parse.unquote(urllib.parse.urlsplit(target).path)
        if path.startswith(f"/datasets/{self.repo}/resolve/"):
            revision, _, name = path.removeprefix(f"/datasets/{self.repo}/resolve/").partition("/")
            return self._file(revision, name)
        if path.startswith(f"/api/datasets/{self.repo}/"):
            kind, _, rest = path.removeprefix(f"/api/datasets/{self.repo}/").partition("/")
            revision, _, below = rest.partition("/")
            return self._about(kind, revision, below, body)
        return 404, {"X-Error-Code": "RepoNotFound"}, b""

    def _file(self, revision: str, name: str) -> tuple[int, dict[str, str], bytes]:
        if revision not in self._folders:
            return 404, {"X-Error-Code": "RevisionNotFound"}, b""
        about = {"X-Repo-Commit": commit(revision)}
        file = self._folders[revision] / name
        if not file.is_file():
            return 404, {"X-Error-Code": "EntryNotFound", **about}, b""
        content = file.read_bytes()
        return 200, {"ETag": f'"{_oid(content)}"', **about}, content

    def _about(self, kind: str, revision: str, below: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if revision not in self._folders:
            return 404, {"X-Error-Code": "RevisionNotFound"}, b""
        folder = self._folders[revision]
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        if kind == "revision":
            names = [{"rfilename": str(path.relative_to(folder))} for path in files]
            return _json({"id": self.repo, "sha": commit(revision), "siblings": names, "private": False, "tags": []})
        entries = [_entry(folder, path) for path in sorted(folder.rglob("*"))]
        if kind == "tree":
            return _json([e for e in entries if not below or e["path"].startswith(f"{below}/")])
        if kind == "paths-info":
            wanted = json.loads(body)["paths"] if body[:1] == b"{" else urllib.parse.parse_qs(body.decode())["paths"]
            return _json([entry for entry in entries if entry["path"] in wanted])
        return 404, {"X-Error-Code": "EntryNotFound"}, b""


def commit(revision: str) -> str:
    """The commit that a revision stands for; a commit stands for itself."""
    return revision if len(revision) == 40 else hashlib.sha1(revision.encode()).hexdigest()


def _entry(folder: Path, path: Path) -> dict[str, Any]:
    name = str(path.relative_to(folder))
    if path.is_dir():
        return {"type": "directory", "path": name, "oid": _oid(name.encode()), "size": 0}
    return {"type": "file", "path": name, "oid": _oid(path.read_bytes()), "size": path.stat().st_size}


def _oid(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


def _json(value: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "application/json"}, json.dumps(value).encode()
