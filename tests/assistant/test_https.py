"""The machine's own certificate, its addresses, and what the terminal says."""

from __future__ import annotations

import io
import socket
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
import zxingcpp
from cryptography import x509

from assistant import https
from assistant.core.errors import BadInput

NAMES = ["localhost", "127.0.0.1", "::1", "192.168.1.20", "laptop", "laptop.local"]


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_a_certificate_names_all_it_is_asked_to_and_its_owner_alone_can_read_it(tmp_path: Path):
    path = https.own_certificate(tmp_path, NAMES)
    certificate = read(path)
    named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert named.get_values_for_type(x509.IPAddress) == [ip_address(n) for n in NAMES[1:4]]
    assert named.get_values_for_type(x509.DNSName) == ["localhost", "laptop", "laptop.local"]
    now = datetime.now(UTC)
    assert certificate.not_valid_before_utc < now < certificate.not_valid_after_utc
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc < timedelta(days=398)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_kept_while_it_fits(tmp_path: Path):
    kept = https.own_certificate(tmp_path, NAMES).read_bytes()
    assert https.own_certificate(tmp_path, NAMES).read_bytes() == kept
    assert https.own_certificate(tmp_path, NAMES[:3]).read_bytes() == kept  # as without a network
    later = datetime.now(UTC) + https.VALID - https.LEFT - timedelta(hours=1)
    assert https.own_certificate(tmp_path, NAMES, later).read_bytes() == kept


@pytest.mark.parametrize("days", [-3, 359, 4000])
def test_it_is_made_again_before_it_ends_and_where_it_has_not_begun(tmp_path: Path, days: int):
    kept = https.own_certificate(tmp_path, NAMES).read_bytes()
    now = datetime.now(UTC) + timedelta(days=days)
    path = https.own_certificate(tmp_path, NAMES, now)
    assert path.read_bytes() != kept
    assert read(path).not_valid_before_utc < now < read(path).not_valid_after_utc - https.LEFT


def test_it_is_made_again_for_a_new_address(tmp_path: Path):
    https.own_certificate(tmp_path, NAMES)
    named = read(https.own_certificate(tmp_path, [*NAMES, "10.0.0.7"])).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert ip_address("10.0.0.7") in named.value.get_values_for_type(x509.IPAddress)


def _another_key(path: Path) -> None:
    other = https.own_certificate(path.parent / "other", NAMES).read_text()
    begin = "-----BEGIN CERTIFICATE-----"
    path.write_text(other.partition(begin)[0] + begin + path.read_text().partition(begin)[2])


def _locked(path: Path) -> None:
    from cryptography.hazmat.primitives import serialization as s

    key = s.load_pem_private_key(path.read_bytes(), None)
    encrypted = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(b"x"))
    path.write_bytes(encrypted + path.read_bytes().partition(b"-----END EC PRIVATE KEY-----\n")[2])


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:700]),
        lambda path: path.write_bytes(b"\xff\x00" * 500),
        lambda path: path.chmod(0o644),
        _another_key,
        _locked,
    ],
    ids=["empty", "half", "noise", "readable", "another-key", "locked"],
)
def test_what_cannot_be_used_is_made_anew(tmp_path: Path, damage):
    path = https.own_certificate(tmp_path, NAMES)
    kept = path.read_bytes()
    damage(path)
    assert https.own_certificate(tmp_path, NAMES).read_bytes() != kept
    assert path.stat().st_mode & 0o777 == 0o600
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)


def test_no_right_to_write_is_one_sentence(tmp_path: Path):
    (tmp_path / https.FILE).mkdir()
    with pytest.raises(BadInput, match="cannot be kept") as told:
        https.own_certificate(tmp_path, NAMES)
    assert "\n" not in str(told.value)


def interfaces(monkeypatch: pytest.MonkeyPatch, routed: str, found: Mapping[str, tuple[bool, list[str]]]) -> None:
    def entry(address: str) -> SimpleNamespace:
        return SimpleNamespace(address=address, family=socket.AF_INET6 if ":" in address else socket.AF_INET)

    addresses = {name: [entry(address) for address in those] for name, (_, those) in found.items()}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: addresses)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: {n: SimpleNamespace(isup=up) for n, (up, _) in found.items()})
    monkeypatch.setattr(https, "_routed", lambda: routed)


LO = {"lo": (True, ["127.0.0.1", "::1"])}
WLAN = {"wlan0": (True, ["192.168.1.20", "fe80::1%wlan0"])}
DOCKER = {"docker0": (True, ["172.17.0.1"]), "br-1f": (True, ["172.18.0.1"])}


@pytest.mark.parametrize(
    ("routed", "found", "expected"),
    [
        ("192.168.1.20", LO | DOCKER | WLAN, ["192.168.1.20"]),
        ("10.8.0.2", LO | {"tun0": (True, ["10.8.0.2"])} | WLAN, ["192.168.1.20"]),
        ("192.168.1.20", LO | {"eth0": (True, ["10.0.0.5"])} | WLAN, ["192.168.1.20", "10.0.0.5"]),
        ("", LO | {"eth0": (True, ["8.8.8.8"])} | WLAN, ["192.168.1.20", "8.8.8.8"]),
        ("", LO | {"wlan0": (False, ["192.168.1.20"])}, []),
        ("", LO | {"wlan0": (True, ["169.254.7.7"])}, []),
        ("172.17.0.1", LO | DOCKER, ["172.17.0.1", "172.18.0.1"]),
        ("", LO, []),
    ],
)
def test_the_address_for_a_phone_comes_first(monkeypatch: pytest.MonkeyPatch, routed: str, found, expected: list[str]):
    interfaces(monkeypatch, routed, found)
    assert https.lan_addresses() == expected


def test_it_is_served_on_the_network_for_who_asked_and_where_there_is_one(monkeypatch: pytest.MonkeyPatch):
    interfaces(monkeypatch, "", LO | WLAN)
    assert (https.default_host(False), https.default_host(True)) == ("127.0.0.1", "0.0.0.0")
    interfaces(monkeypatch, "", LO)
    assert https.default_host(True) == "127.0.0.1"


def test_names_that_no_certificate_can_have_are_left_out(monkeypatch: pytest.MonkeyPatch):
    interfaces(monkeypatch, "", LO | WLAN)
    monkeypatch.setattr(socket, "gethostname", lambda: "Ann's_laptop")
    assert https.names_for("0.0.0.0") == ["localhost", "127.0.0.1", "::1", "192.168.1.20"]
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.example.org")
    assert https.names_for("box.lan")[3:] == ["laptop.example.org", "laptop.local", "192.168.1.20", "box.lan"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(host: str, *, has_auth: bool = False, chosen: bool = False, out: io.StringIO | None = None) -> str:
    out = out or io.StringIO()
    https.say(host, 7860, has_auth, chosen=chosen, out=out)
    return out.getvalue()


def test_the_address_a_warning_and_who_can_come_are_said(monkeypatch: pytest.MonkeyPatch):
    interfaces(monkeypatch, "", LO | WLAN)
    where = "On the network it is at https://192.168.1.20:7860/"
    assert said("0.0.0.0").splitlines() == [where, https.WARNING, https.OPEN]
    assert said("0.0.0.0", has_auth=True).splitlines() == [where, https.WARNING, https.GUARDED]
    assert said("fd00::2", chosen=True).startswith("On the network it is at https://[fd00::2]:7860/\n")
    assert said("127.0.0.1", chosen=True).splitlines() == [https.WARNING]
    interfaces(monkeypatch, "", LO)
    assert said("127.0.0.1").splitlines() == [https.ALONE, https.WARNING]


def test_a_phone_can_read_the_code_on_a_terminal(monkeypatch: pytest.MonkeyPatch):
    interfaces(monkeypatch, "", LO | WLAN)
    shown = said("0.0.0.0", out=Terminal())
    lines = [line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in shown.splitlines() if "\x1b" in line]
    light = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
    rows = [[light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8), np.ones((4, 4), np.uint8))
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == ["https://192.168.1.20:7860/"]
    assert https.WARNING in shown


def test_a_terminal_without_such_signs_shows_the_address_alone(monkeypatch: pytest.MonkeyPatch):
    interfaces(monkeypatch, "", LO | WLAN)
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="strict", write_through=True)
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    https.say("0.0.0.0", 7860, False, chosen=False, out=out)
    assert raw.getvalue().decode("ascii").splitlines()[-2:] == [https.WARNING, https.OPEN]
