"""Fixtures shared by all rooms, and the rule that no test leaves this machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from assistant.agent import Assistant

SMALL_WORLD_SEED = 7
#: As few as the tests can do with: a picture takes half a second to draw, another to be indexed.
SMALL_WORLD_SIZE = {"entities": 14, "questions": 16, "conversations": 4}


#: Whole files go to one process each: the longest begin, or one process would wait for the other at the end.
BEGIN = (
    "test_rates.py", "test_camera.py", "test_live.py", "test_eval_tab.py", "test_annotation.py", "test_voice.py",
    "test_model_panel.py", "test_nothing_leaves.py", "test_questions.py", "test_run_chat.py", "test_control.py",
    "test_image_prefetch.py", "test_processes.py",
)  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_slow(items)
    _sample(config, items)
    items.sort(key=lambda item: BEGIN.index(item.path.name) if item.path.name in BEGIN else len(BEGIN))


def _sample(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the variants of a test marked `sampled(n)` every n-th is run, beginning with one that hangs on the test's
    name, so that desktop and phone both have their share; all of them where VITRINE_THOROUGH is set.
    """
    if os.environ.get("VITRINE_THOROUGH"):
        return
    variants = Counter(item.nodeid.partition("[")[0] for item in items)
    seen: Counter[str] = Counter()
    kept, left_out = [], []
    for item in items:
        mark = item.get_closest_marker("sampled")
        test = item.nodeid.partition("[")[0]
        out = mark is not None and variants[test] > 1 and (seen[test] + zlib.crc32(test.encode())) % mark.args[0]
        (left_out if out else kept).append(item)
        seen[test] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def _mark_slow(items: list[pytest.Item]) -> None:
    """What stands on the small world is slow, as the world is; and modules whose questions go through the whole reader
    and its models one by one (`tests.assistant.reading.asking`), three minutes in all. Of their variants every second
    is run, and of those in a browser (desktop or phone, light or dark).
    """
    for item in items:
        asks = getattr(getattr(item, "module", None), "answer", None)
        through_reader = getattr(asks, "__module__", "") == "tests.assistant.reading.asking"
        if through_reader or "small_world" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
        by_browser = "e2e" in item.path.parts
        if (through_reader or by_browser) and hasattr(item, "callspec") and item.get_closest_marker("sampled") is None:
            item.add_marker(pytest.mark.sampled(2))


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Connections to anything but this machine fail at once and say so."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"tests stay on this machine: refused {host!r}")
        connect(self, address)  # type: ignore[arg-type]

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", guarded)
    patch.setenv("HF_HUB_OFFLINE", "1")
    patch.delenv("OPENAI_API_KEY", raising=False)
    patch.delenv("OPENAI_BASE_URL", raising=False)
    patch.delenv("VITRINE_PROFILE", raising=False)
    yield
    patch.undo()


@contextlib.contextmanager
def _made_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str, name: str) -> Iterator[Path]:
    """A path that all processes of one test run share; what is there already was made by another one."""
    base = tmp_path_factory.getbasetemp()
    base = base if worker_id == "master" else base.parent
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield base / name


@pytest.fixture(scope="session")
def small_world(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A generated world, small enough to draw in seconds; shared, so never write into it."""
    from assistant.commands.command_line import main
    from eval.__main__ import COMMANDS

    size = [f"--{name}={n}" for name, n in SMALL_WORLD_SIZE.items()]
    with _made_once(tmp_path_factory, worker_id, "small-world") as out:
        if not out.exists():
            arguments = ["world", "--seed", str(SMALL_WORLD_SEED), *size, "--out", str(out)]
            assert main("python -m eval", COMMANDS, arguments) == 0
        return out


@pytest.fixture(scope="session")
def small_index(small_world: Path, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The index of `small_world`."""
    from assistant.index.build import build_index

    with _made_once(tmp_path_factory, worker_id, "small-index") as out:
        if not out.exists():
            build_index(small_world, out)
        return out


@pytest.fixture(scope="session")
def small_assistant(small_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    """The real assistant over `small_index`; as in runs, a busy machine ends no turn."""
    from assistant.factory import open_index
    from assistant.settings import read_settings

    settings = read_settings(
        profile="embedded", data_dir=tmp_path_factory.mktemp("data"), index=small_index, environ={}
    )
    return open_index(small_index, settings, for_run=True)
