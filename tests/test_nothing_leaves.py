"""Nothing leaves this machine: the page, commands and a run as real processes, with every socket call recorded."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as parquet
import pytest

from tests import traced
from tests.e2e.conftest import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # 40 s on two idle cores


@pytest.fixture(scope="module")
def frame(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    row = parquet.read_table(small_world / "single_turn" / "validation.parquet").slice(0, 1).to_pylist()[0]
    path = tmp_path_factory.mktemp("frame") / "frame.jpg"
    path.write_bytes(row["image"]["bytes"])
    return path


def assert_nothing_left(log: Path) -> None:
    assert traced.left_this_machine(log) == []
    assert traced.kept_at_home(log) == []  # a lasting id of this machine is kept by what means to send it


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("connect(('192.0.2.1', 9))", '"192.0.2.1"'),  # a datagram socket: nothing is sent by this
        ("sendto(b'', ('127.0.0.1', 53))", "htons(53)"),
        ("bind(('0.0.0.0', 0))", '"0.0.0.0"'),
        ("connect(('127.0.0.1', 9))", ""),
    ],
)
def test_the_record_shows_what_leaves(tmp_path: Path, code: str, seen: str):
    program = f"import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).{code}"
    assert traced.start(tmp_path / "log", "-c", program).wait(60) == 0
    found = traced.left_this_machine(tmp_path / "log")
    assert len(found) == bool(seen)
    assert all(seen in line for line in found)


def commands(index: Path, world: Path, frame: Path, out: Path) -> Iterator[tuple[str, ...]]:
    data = ("--index", str(index), "--data-dir", str(out / "data"))
    yield "-m", "assistant", "ask", "--image", str(frame), "--question", "What is this?", *data
    fact = ("--fact", "holds: buttons")
    yield "-m", "assistant", "teach", "--image", str(frame), "--name", "Aunt Ida's tin", *fact, *data
    chosen = ("--split", "validation", "--set", "single", "--sample", "1", "--judge", "typed")
    yield "-m", "eval", "run", "--data", str(world), *chosen, "--out", str(out / "run"), *data


@pytest.mark.slow
def test_commands_and_runs(small_index: Path, small_world: Path, frame: Path, tmp_path: Path):
    for number, command in enumerate(commands(small_index, small_world, frame, tmp_path)):
        log = tmp_path / f"{number}.log"
        process = traced.start(log, *command)
        said = process.communicate(timeout=300)[0]
        assert process.returncode == 0, said
        assert_nothing_left(log)


@pytest.mark.slow
def test_the_page(small_index: Path, frame: Path, tmp_path: Path):
    from gradio_client import Client, handle_file

    log = tmp_path / "page.log"
    where = ("--port", str(free_port()), "--data-dir", str(tmp_path / "data"), "--index", str(small_index))
    process = traced.start(log, "app.py", *where)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Vitrine is at ").strip()
        for page in ("", "eval"):
            with urllib.request.urlopen(f"{url.rstrip('/')}/{page}") as reply:
                assert reply.status == 200
        client = Client(url, verbose=False)
        assert client.predict(handle_file(frame), "What is this?", "", api_name="/ask")["answer"]
        client.close()
    finally:
        traced.end(process)
    assert_nothing_left(log)
