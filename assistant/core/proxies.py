"""Proxies that the environment names: never on the way to this machine, and never in the way of the start.

The variables are read by libraries (httpx, which gradio asks its own page with, and urllib), each in its own manner.
So they are mended once, in the environment itself, before any of them looks.
"""

from __future__ import annotations

import ipaddress
import urllib.request
from collections.abc import MutableMapping
from urllib.parse import urlsplit

_NAMES = ("http_proxy", "https_proxy", "all_proxy")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
#: Stands in for a proxy that no client here could use: whoever would have asked through it is refused at once, and
#: nothing goes past a proxy that its owner set.
UNUSABLE = "http://127.0.0.1:0"


def mend_proxies(environ: MutableMapping[str, str], *hosts: str) -> None:
    """Keep loopback and `hosts` away from proxies; put `UNUSABLE` in the place of those that cannot be used at all."""
    set_ = [name for name, value in environ.items() if name.lower() in _NAMES and value]
    if not set_:
        return
    for name in set_:
        if not _usable(environ[name]):
            environ[name] = UNUSABLE
    listed = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    # httpx refuses addresses in brackets.
    entries = [entry.strip().removeprefix("[").removesuffix("]") for entry in listed.split(",") if entry.strip()]
    entries = [entry for entry in entries if _understood(entry)]
    if "*" not in entries:
        entries = list(dict.fromkeys([*entries, *_LOOPBACK, *hosts]))
    environ["no_proxy"] = environ["NO_PROXY"] = ",".join(entries)


def _usable(proxy: str) -> bool:
    import httpx

    try:
        httpx.HTTPTransport(proxy=proxy if "://" in proxy else f"http://{proxy}", verify=False).close()
    except (ImportError, ValueError, TypeError, httpx.InvalidURL):
        return False
    return True


def _understood(entry: str) -> bool:
    """Whether httpx can take an entry of NO_PROXY; it refuses to work at all where it cannot."""
    import httpx

    try:
        ipaddress.ip_address(entry)
    except ValueError:
        pattern = entry if "://" in entry else f"all://*{entry}"
        try:
            httpx.Client(trust_env=False, verify=False, mounts={pattern: None}).close()
        except (ValueError, httpx.InvalidURL):
            return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host's name or address means this machine, told without asking anybody."""
    host = host.lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def proxy_for(url: str) -> str | None:
    """The proxy on the way to an address, as the environment has it."""
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if found and not urllib.request.proxy_bypass(parts.hostname or "") else None
