"""The mock KG over HTTP: the paths of the released server, on this machine alone.

POST with a JSON object gives `{"result": ...}`; what cannot be answered gives `{"detail": sentence}` with 400 (no JSON,
no length), 403, 404 (no such path), 405, 413 (more than a megabyte), 422 (parameters) or 503 (a part that was not
built). Pages that a browser on this machine has open are refused (403): requests that name another host, as a page does
that has its own name point here, or that come from another origin.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from assistant.core.errors import BadInput, NotReady
from assistant.core.proxies import is_loopback
from assistant.core.whole_text import load_json
from eval.benchmarks.crag_kg.kg import ROUTES, CragKg

HOST, PORT = "127.0.0.1", 8000
_LARGEST_BODY = 1 << 20
_FOREIGN = "this server answers programs of this machine, no pages of other sites"
_BY_PATH = {route.path: route.name for route in ROUTES.values()}


class KgServer(ThreadingHTTPServer):
    """A server of one KG; `serve_forever` answers, a thread a connection."""

    daemon_threads = True

    def __init__(self, kg: CragKg, port: int = PORT) -> None:
        """Bind to the port, 0 for any that is free.

        Raises:
            BadInput: the port is taken, or none.
        """
        self.kg = kg
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise BadInput(f"port {port!r} cannot be used ({why}): give another as --port") from None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Refused(Exception):
    """A request that gets no result: the status and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: KgServer
    protocol_version = "HTTP/1.1"
    timeout = 60.0  # a client that stops in the middle of a request

    def do_GET(self) -> None:
        self.close_connection |= self.headers.get("Content-Length", "0") != "0"  # nobody reads that body
        if self._is_foreign():
            self._answer(403, {"detail": _FOREIGN})
        elif self.command in ("GET", "HEAD") and self._path == "/":
            self._answer(200, {"message": "The mock KG is running", "paths": list(_BY_PATH)})
        else:
            known = self._path == "/" or self._path in _BY_PATH
            self._answer(405 if known else 404, {"detail": "ask with POST one of the paths that / lists"})

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET

    @property
    def _path(self) -> str:
        """The path that is asked for, without what follows a question mark."""
        return self.path.partition("?")[0]

    def _is_foreign(self) -> bool:
        """Whether a page of another site sent it."""
        addresses = [f"//{self.headers.get('Host') or HOST}", self.headers.get("Origin") or f"//{HOST}"]
        try:
            return not all(is_loopback(urlsplit(address).hostname or "") for address in addresses)
        except ValueError:
            return True

    def do_POST(self) -> None:
        try:
            if self._is_foreign():
                self.close_connection = True
                raise _Refused(403, _FOREIGN)
            body = self._body()
            name = _BY_PATH.get(self._path)
            if name is None:
                raise _Refused(404, f"there is no path {self._path!r}: GET / lists them")
            parameters = load_json(body) if body.strip() else {}
            if not isinstance(parameters, dict):
                raise _Refused(422, f"the body is {type(parameters).__name__}, not an object")
            result = self.server.kg.ask(name, **parameters)
        except _Refused as problem:
            self._answer(problem.status, {"detail": str(problem)})
        except NotReady as problem:
            self._answer(503, {"detail": str(problem)})
        except BadInput as problem:
            self._answer(422, {"detail": str(problem)})
        except (ValueError, RecursionError) as problem:
            self._answer(400, {"detail": f"the body is no JSON ({problem})"})
        else:
            self._answer(200, {"result": result})

    def _body(self) -> bytes:
        said = self.headers.get("Content-Length", "0")
        length = int(said) if said.isdecimal() and len(said) < 20 else -1
        if length < 0 or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise _Refused(400, f"give the length of the body as Content-Length, not {said[:60]!r}")
        if length > _LARGEST_BODY:
            self.close_connection = True
            raise _Refused(413, f"the body has {length} bytes: give at most {_LARGEST_BODY}")
        return self.rfile.read(length)

    def _answer(self, status: int, content: Any) -> None:
        text = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""
