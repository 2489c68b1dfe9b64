"""The bytes behind an image URL, fetched with care: only when the user allowed the network, never from inside it.

Refused: schemes other than http and https, hosts that resolve to a private, local or reserved address (also after a
redirect; the connection goes to the very address that was checked), bodies over a size, anything slower than a limit.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from assistant.core.errors import BadInput

MAX_BYTES = 20 * 1024 * 1024
TIMEOUT_S = 10.0
_MAX_REDIRECTS = 3
_PIECE_BYTES = 64 * 1024


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_global and not (mapped or ip).is_multicast


def fetch(
    url: str,
    *,
    max_bytes: int = MAX_BYTES,
    timeout_s: float = TIMEOUT_S,
    allowed: Callable[[str], bool] = is_public,
) -> bytes:
    """The body of a GET request to `url`, at most three redirects further.

    Raises:
        BadInput: the URL cannot be used, the host is not allowed, or it did not answer as wanted within the limits.
    """
    deadline = time.monotonic() + timeout_s
    for _ in range(_MAX_REDIRECTS + 1):
        try:
            found, location = _get(url, max_bytes, deadline, allowed)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise BadInput(
                f"the picture at {url!r} could not be fetched ({problem}): save it and give the file"
            ) from problem
        if found is not None:
            return found
        url = urljoin(url, location)
    raise BadInput(f"the picture at {url!r} is redirected too often: save it and give the file")


def _get(url: str, max_bytes: int, deadline: float, allowed: Callable[[str], bool]) -> tuple[bytes | None, str]:
    """One request: the body, or None and where it is redirected to."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{url!r} is no http or https address: give the URL of a picture")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _connection(parts.scheme, parts.hostname, port, deadline, allowed)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", target, headers={"User-Agent": "vitrine", "Accept": "image/*"})
        response = connection.getresponse()
        if response.status in (301, 302, 303, 307, 308) and response.headers.get("Location"):
            return None, str(response.headers["Location"])
        if response.status != 200:
            raise OSError(f"it answered {response.status}")
        body = b""
        while piece := response.read1(_PIECE_BYTES):
            body += piece
            if len(body) > max_bytes:
                raise OSError(f"it is larger than {max_bytes // 1024} KB")
            if time.monotonic() > deadline:
                raise TimeoutError("it took too long")
        return body, ""
    finally:
        connection.close()


def _connection(
    scheme: str, host: str, port: int, deadline: float, allowed: Callable[[str], bool]
) -> http.client.HTTPConnection:
    """A connection to an address that was checked: looking the name up again could give another one."""
    addresses = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not addresses or not all(allowed(address) for address in addresses):
        raise BadInput(f"the host {host!r} is not a public one: pictures are fetched from the public internet only")
    left = max(0.1, deadline - time.monotonic())
    raw = socket.create_connection((addresses[0], port), timeout=left)
    connection = http.client.HTTPConnection(host, port, timeout=left)
    try:
        connection.sock = (
            ssl.create_default_context().wrap_socket(raw, server_hostname=host) if scheme == "https" else raw
        )
    except (OSError, ValueError):
        raw.close()
        raise
    return connection
