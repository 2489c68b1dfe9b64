"""Finding the port to serve on: the one asked for, or the next free one."""

from __future__ import annotations

import socket

from assistant.core.errors import BadInput

DEFAULT_PORT = 7860
#: Ports tried when none was asked for.
NEXT_PORTS = 20


def free_port(host: str, port: int | None) -> int:
    """The port asked for if it is free, else the first free one from the default on.

    Raises:
        BadInput: the port asked for is busy, the host is not an address of this machine, or no port is free.
    """
    for candidate in [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + NEXT_PORTS):
        try:
            family, kind, _, _, address = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
            return candidate
        except socket.gaierror as problem:
            raise BadInput(f"app.py: --host {host!r} is not an address of this machine") from problem
        except PermissionError as problem:
            raise BadInput(f"app.py: port {candidate!r} may not be used by this user: pass another --port") from problem
        except OSError as problem:
            if problem.errno not in (98, 48, 10048):  # address in use: Linux, macOS, Windows
                raise BadInput(f"app.py: --host {host!r} is not an address of this machine") from problem
    if port is not None:
        raise BadInput(f"app.py: port {port} is busy: pass another --port")
    raise BadInput(f"app.py: no port from {DEFAULT_PORT} to {DEFAULT_PORT + NEXT_PORTS - 1} is free: pass --port")
