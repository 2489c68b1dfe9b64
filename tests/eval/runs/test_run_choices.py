"""`eval run` on chosen data: what the agent is asked and shown, what `run.json` keeps, what a resumed run refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant import factory as services
from assistant.vision.degrade import degrade
from eval.__main__ import COMMANDS, main
from eval.data.datasets import Reading, load
from eval.data.filters import parse_degradation, spoil
from eval.data.public_quirks import SKIPPED_SESSIONS
from eval.runs.store import read_turn_lines
from tests.eval.agents.scripted_agent import ScriptedAssistant, count
from tests.eval.data.crag_sets import MULTI, crag_row, data_set


@pytest.fixture
def rows(tmp_path):
    made = [crag_row(f"c{i}", MULTI, [{"domain": "book" if i % 2 else "food"}, {}], url="") for i in range(6)]
    made.append(crag_row(SKIPPED_SESSIONS[0], MULTI, [{"domain": "food"}]))
    made.append(crag_row("broken", MULTI, [{"domain": "food"}], image=b"no picture"))
    data_set(made, MULTI).to_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


@pytest.fixture
def frames(monkeypatch):
    """The frames that the agent was shown, by question's conversation, in order."""
    shown: list = []

    class Watching(ScriptedAssistant):
        def answer(self, conversation, question, frame=None, **more):
            shown.append((conversation.id, frame))
            return super().answer(conversation, question, frame, **more)

    monkeypatch.setattr(services, "open_assistant", lambda settings, progress=None, **more: Watching(count))
    return shown


def run(tmp_path, rows, *more: object) -> int:
    fixed = [
        "run",
        "--data",
        rows,
        "--out",
        tmp_path / "run",
        "--data-dir",
        tmp_path / "data",
        "--index",
        tmp_path / "i",
    ]
    return main("python -m eval", COMMANDS, [str(text) for text in (*fixed, *more)])


@pytest.mark.slow
def test_a_run_asks_what_was_chosen_and_shows_what_was_spoiled(rows, frames, tmp_path, capsys):
    chosen = ["--where", "domain=food", "--public", "--degrade", "low-light:0.7:2", "--limit", "4"]
    assert run(tmp_path, rows, *chosen) == 0
    said = capsys.readouterr().err
    assert f"public reading: the session {SKIPPED_SESSIONS[0]!r} is skipped" in said
    lines = read_turn_lines(tmp_path / "run")
    assert sorted({line["session_id"] for line in lines}) == ["c0", "c2", "c4"]
    assert [(line["is_ego"], line["is_ego_public"]) for line in lines] == [(True, False)] * 6
    plain = load(str(rows), reading=Reading(public=True)).samples
    spoiled = {s.session_id: s for s in spoil(plain, (parse_degradation("low-light:0.7:2"),))}
    for sample in plain[:5:2]:
        seen = [frame for name, frame in frames if name == sample.session_id]
        (own,) = spoiled[sample.session_id].degradations
        assert len(seen) == 2
        assert all(np.array_equal(frame.pixels, degrade(sample.frame().pixels, own)) for frame in seen)
    info = json.loads((tmp_path / "run" / "run.json").read_text())
    options = info["options"]
    assert (options["where"], options["degrade"], options["public"]) == (["domain=food"], ["low light:0.7:2"], True)
    assert (info["data"]["found"], info["data"]["taken"]) == (7, 4)
    assert len(info["data"]["adjusted"]) == 1
    assert [(row["session_id"], row["row"]) for row in info["unusable"]] == [("broken", 7)]


@pytest.mark.parametrize(
    "other", [["--where", "domain=book"], ["--degrade", "blurred:0.5"], ["--sample", "2"], ["--public"]]
)
def test_a_run_is_not_gone_on_with_on_other_data(rows, frames, tmp_path, capsys, other):
    assert run(tmp_path, rows, "--limit", "1") == 0
    asked = len(frames)
    assert run(tmp_path, rows, "--limit", "1", "--resume", *other) == 2
    assert "resume it with the same options" in capsys.readouterr().err
    assert len(frames) == asked
