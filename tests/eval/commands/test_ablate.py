"""`eval ablate`: a run with all parts and one without each, over real HTTP; goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import COMMANDS, main
from tests import scripted_chat

pytestmark = pytest.mark.slow


def test_what_a_part_brings_is_measured_on_the_same_turns(
    small_world: Path,
    small_index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    asked = ["ablate", "--data", str(small_world), "--index", str(small_index), "--data-dir", str(tmp_path / "d")]
    asked += ["--set", "single", "--limit", "3", "--no-pictures", "--model", "echo", "--out", str(tmp_path / "out")]
    with scripted_chat.start() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert main("python -m eval", COMMANDS, [*asked, "--parts", "evidence"]) == 0
        first = len(server.requests())
        told = capsys.readouterr()
        assert "what a part brings" in told.out
        assert "1 of 2: all" in told.err
        assert "2 of 2: without evidence" in told.err
        assert main("python -m eval", COMMANDS, [*asked, "--parts", "evidence", "naming", "--json"]) == 0
        assert len(server.requests()) == first  # what was asked before is not asked again
    kept = json.loads((tmp_path / "out" / "ablation.json").read_text())
    assert set(kept["parts"]) == {"evidence", "naming"}
    assert kept["n"] == 3
    for part in ("all", "evidence", "naming"):
        options = json.loads((tmp_path / "out" / part / "run.json").read_text())["options"]
        assert options["without"] == (None if part == "all" else [part])
        assert options["pipeline"] == "vitrine"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([], "--out is the folder"),
        (["--out", "x", "--pipeline", "task1"], "no other --pipeline"),
        (["--out", "x", "--without", "check"], "no --without"),
    ],
)
def test_what_cannot_be_ablated_is_one_sentence(more: list[str], words: str, capsys: pytest.CaptureFixture[str]):
    assert main("python -m eval", COMMANDS, ["ablate", "--data", "w", *more]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
