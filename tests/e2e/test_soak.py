"""Two minutes of questions over a running camera: none is asked in vain, nothing grows, nothing stays behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import Served
from tests.e2e.test_page import Visit
from tests.e2e.test_voice import ask, expect_end, with_picture

pytestmark = pytest.mark.slow


def test_two_minutes_of_questions(written_index: Path):
    run = "import json, sys; from tests.bench import soak; print(json.dumps(soak.run(sys.argv[1:])))"
    command = [sys.executable, "-c", run, "--index", str(written_index), "--minutes", "2"]
    told = subprocess.run(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True, check=True, timeout=280)
    figures = json.loads(told.stdout.splitlines()[-1])
    assert figures["turns"] > 10
    assert not {"in vain", "error"} & figures["ended"].keys(), figures["ended"]
    assert figures["left_behind"] == []
    # what the allocator keeps of several threads varies by about 100 MB; a frame kept for each turn is more
    assert figures["memory_last_mb"] - figures["memory_first_mb"] < 250, figures["memory_mb"]


def test_a_session_keeps_one_component_for_each_part_of_the_page(site: Served, visit: Visit):
    page = visit(site)
    with_picture(page)
    sizes = []
    for _ in range(3):
        ask(page, "What is the price?")
        expect_end(page)
        states = site.gradio_page.state_holder.session_data.values()
        sizes.append(sum(len(state.blocks_config.blocks) for state in states))
    assert sizes[0] == sizes[-1]
