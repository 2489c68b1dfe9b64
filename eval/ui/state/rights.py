"""What a visitor of the eval tab may do, by the address that the page is served on.

On this machine's own address whoever opens the page could run the commands as well: everything is open to them. On
another address with `--auth`, known people may start and steer runs, on bundled and stored worlds and on data from the
hub, but name no path and no code of this machine. On another address without `--auth` the tab only shows.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True)
class Rights:
    """`start`: start, pause, cancel and resume runs. `paths`: name paths and `module:Class` agents of this machine.
    `why` says in one sentence what is closed; empty when nothing is."""

    start: bool = True
    paths: bool = True
    why: str = ""


#: Of whoever sits at this machine.
ALL_RIGHTS = Rights()


def rights_for(host: str, has_auth: bool) -> Rights:
    """The rights of visitors of a page served on `host`."""
    if _is_loopback(host):
        return Rights()
    if has_auth:
        why = "Paths and module:Class agents can be named only on a page that is served to this machine alone."
        return Rights(paths=False, why=why)
    why = (
        "This page is open to others without --auth: runs can be looked at, not started or changed. "
        "Start it with --auth USER:PASSWORD, or without --host and --https, to run benchmarks here."
    )
    return Rights(start=False, paths=False, why=why)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
