"""`app.py --https`: a certificate of this machine's own, the addresses it is good for, what the terminal says of it.

Browsers give camera and microphone to pages from https or localhost alone, so that a phone on the same network needs a
certificate. Nobody vouches for this one: browsers warn once and go on when they are told to.
"""

from __future__ import annotations

import io
import ipaddress
import os
import re
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

from assistant.core.proxies import is_loopback
from assistant.core.storage import write_secret

FILE = "https.pem"
EVERYWHERE = "0.0.0.0"
HERE = "127.0.0.1"
#: Apple's browsers refuse certificates for longer than 825 days, and offer no way on.
VALID = timedelta(days=365)
#: One that ends sooner than this is made again.
LEFT = timedelta(days=7)
#: Of another computer's clock that is behind.
SLACK = timedelta(days=1)
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.IGNORECASE)
#: Interfaces that lead to containers, virtual machines and tunnels, not to a phone beside this machine.
_VIRTUAL = re.compile(r"docker|br-|veth|virbr|vbox|virtualbox|vmnet|vmware|vethernet|lxc|cni|tun|tap|tailscale|wg|utun")

WARNING = (
    "The browser will warn once, because this machine made its certificate itself: choose 'Advanced' "
    "(Safari: 'Show Details'), then go on to the page."
)
OPEN = "Everybody on the network who knows the address can open the page; --auth USER:PASSWORD asks who they are."
GUARDED = "Everybody on the network who knows the address is asked for name and password."
ALONE = (
    "This machine has no network address, so the page is served to itself alone: join a network, then start it again."
)


def lan_addresses() -> list[str]:
    """IPv4 addresses of this machine that others may reach it at, the likeliest first; nothing is sent.

    Those of virtual interfaces are named where there are no others.
    """
    import psutil

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    routed, found = _routed(), []
    for name, entries in psutil.net_if_addrs().items():
        for entry in entries:
            if entry.family != socket.AF_INET or name not in up:
                continue
            address = ipaddress.ip_address(entry.address)
            if not (address.is_loopback or address.is_link_local or address.is_unspecified):
                virtual = bool(_VIRTUAL.match(name.lower()))
                found.append((virtual, entry.address != routed, not address.is_private, int(address), entry.address))
    found.sort()
    return list(dict.fromkeys(address for virtual, *_, address in found if virtual == found[0][0]))


def _routed() -> str:
    """The address that this machine would speak to the world from; connecting a datagram socket sends nothing."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("203.0.113.1", 9))
        return str(probe.getsockname()[0])
    return ""


def default_host(https: bool) -> str:
    """Where the page is served when no --host was given: on the network only for who asked for https."""
    return EVERYWHERE if https and lan_addresses() else HERE


def reached_at(host: str) -> list[str]:
    """What others reach a page at that is served on `host`; nothing where it is served to this machine alone."""
    if _is_everywhere(host):
        return lan_addresses()
    return [] if is_loopback(host) else [host]


def _is_everywhere(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def names_for(host: str) -> list[str]:
    """What a certificate has to name for a page served on `host`: localhost, this machine's names and addresses."""
    own = socket.gethostname()
    names = ["localhost", HERE, "::1", own, f"{own.partition('.')[0]}.local", *lan_addresses(), *reached_at(host)]
    return list(dict.fromkeys(name.lower() for name in names if _can_be_named(name)))


def _can_be_named(name: str) -> bool:
    with suppress(ValueError):
        return bool(ipaddress.ip_address(name))
    return len(name) <= 253 and bool(_NAME.fullmatch(name))


def own_certificate(folder: Path, names: Sequence[str], now: datetime | None = None) -> Path:
    """The file in `folder` with key and certificate, for the server and for programs that are to trust it.

    It is made where there is none that fits: that names all of `names`, can be read, has a week left, and whose key
    nobody else could read. It is signed by an authority that exists for this one signature; its key is kept nowhere.

    Raises:
        BadInput: the folder cannot be written to.
    """
    now = now or datetime.now(UTC)
    path = folder / FILE
    if not _fits(path, names, now):
        write_secret(path, _made(names, now))
    return path


def _fits(path: Path, names: Sequence[str], now: datetime) -> bool:
    from cryptography import x509

    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            return False
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path, password="")
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):  # a wrong key, half a file
        return False
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - LEFT:
        return False
    return set(names) <= {str(name.value) for name in named}


def _made(names: Sequence[str], now: datetime) -> str:
    import trustme

    whose = f"Vitrine on {socket.gethostname()}"[:64]
    authority = trustme.CA(organization_name="Vitrine", organization_unit_name="Authority of one certificate")
    certificate = authority.issue_cert(
        *names,
        organization_name="Vitrine",
        organization_unit_name=whose,
        not_before=now - SLACK,
        not_after=now + VALID,
    )
    return (certificate.private_key_and_cert_chain_pem.bytes() + authority.cert_pem.bytes()).decode("ascii")


def say(host: str, port: int, has_auth: bool, *, chosen: bool, out: TextIO | None = None) -> None:
    """Print how a page with this certificate is reached; on a terminal as a QR code, too.

    Args:
        host: what is served on; `chosen`: by --host.
        has_auth: whether a password is asked for.
    """
    out = out or sys.stdout
    urls = [f"https://{f'[{address}]' if ':' in address else address}:{port}/" for address in reached_at(host)]
    if urls:
        print(f"On the network it is at {' or '.join(urls)}", file=out)
        if out.isatty():
            _draw(urls[0], out)
    elif not chosen:
        print(ALONE, file=out)
    print(WARNING, file=out)
    if urls:
        print(GUARDED if has_auth else OPEN, file=out)
    out.flush()


def _draw(url: str, out: TextIO) -> None:
    """White on black whatever the terminal's colours are; not every phone reads a code the other way round."""
    import segno

    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True, border=2)
    with suppress(UnicodeEncodeError):  # a terminal without such signs: the address stands above
        out.writelines(f"\x1b[97;40m{line}\x1b[0m\n" for line in drawn.getvalue().splitlines())
