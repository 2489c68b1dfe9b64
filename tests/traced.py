"""Every socket call of a process and of all that it starts, as strace sees it: C code escapes Python's audit hooks."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.core.paths import PROJECT_DIR
from assistant.core.telemetry import SWITCHES

_ADDRESS = re.compile(
    r'sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"'
)
_HERE = re.compile(r"127\.\d+\.\d+\.\d+|::1|::ffff:127\..*")
#: What looks names up for a process: the C library's cache and systemd's resolver.
_RESOLVER = re.compile(r'connect\(.*sun_path="[^"]*(?:nscd|resolve)[^"]*".* = 0$', re.IGNORECASE)
_NAMES_PORT = "53"


def start(log: Path, *command: str) -> subprocess.Popen[str]:
    """Python with `command`, as a stranger starts it: its home is the empty folder beside `log`, and nothing in its
    environment keeps it from the network."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.fail("this test records socket calls with strace: on Debian `apt-get install strace`", pytrace=False)
    home = log.with_suffix(".home")
    home.mkdir()
    ours = {*SWITCHES, "HF_HUB_OFFLINE", "HF_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    calls = "trace=connect,bind,sendto,sendmsg,sendmmsg"
    return subprocess.Popen(
        [strace, "-f", "-qq", "--seccomp-bpf", "-s", "300", "-e", calls, "-o", str(log), sys.executable, *command],
        cwd=PROJECT_DIR,
        env={**environment, "HOME": str(home)},
        text=True,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> None:
    """SIGTERM to what is recorded; strace ignores it and ends with it."""
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(60)


def left_this_machine(log: Path) -> list[str]:
    """The recorded calls that name another machine's address or have a name looked up, on this machine or elsewhere."""
    found = []
    for line in log.read_text("utf-8", "replace").splitlines():
        address = _ADDRESS.search(line)
        if _RESOLVER.search(line) or (address and (address[1] == _NAMES_PORT or not _HERE.fullmatch(address[2]))):
            found.append(line)
    return found


def kept_at_home(log: Path) -> list[str]:
    """What the process wrote to its home folder."""
    home = log.with_suffix(".home")
    return [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
