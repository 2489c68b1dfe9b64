"""Counting recognitions: each frame once, predictions before gold, groups as they are named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant import factory as services
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.data.datasets import load
from eval.data.gold import read_gold
from eval.metrics.recognition import Prediction, predict, tally
from tests.eval.agents.scripted_agent import ScriptedAssistant, count
from tests.eval.tiny_world import picture, row, write_parquet, write_world


@pytest.fixture
def world(tmp_path):
    return write_world(tmp_path / "world")


def test_each_frame_is_asked_once_with_its_first_question(tmp_path):
    turns = [{"query": "first", "answer": "a"}, {"query": "second", "answer": "a"}]
    same = [{"query": "the same picture", "answer": "a"}]
    dim = [{**same[0], "image_quality": 1}]
    rows = [row("a", turns, picture()), row("b", same, picture()), row("c", dim, picture((1, 2, 3)))]
    write_parquet(tmp_path / "r.parquet", [*rows, row("d", same, b"broken")])
    asked = []
    agent = ScriptedAssistant(count)

    def recognise(question, frame):
        asked.append(question)
        return agent.recognise(question, frame)

    found, unusable = predict(load(str(tmp_path / "r.parquet")).samples, recognise)
    assert asked == ["first", "the same picture"]
    assert [p.interaction_id for p in found] == ["a-0", "c-0"]
    assert [p.clean for p in found] == [True, False]
    assert [u.session_id for u in unusable] == ["d"]
    assert len(predict(load(str(tmp_path / "r.parquet")).samples, recognise, limit=1)[0]) == 1


def test_counts_by_hand(world):
    gold = read_gold(world)
    named = [Prediction("s1-0", "shopping", "AMBER lamp", 0.9, ""), Prediction("s2-0", "food", "Amber Lamp", 0.9, "")]
    more = [Prediction("m1-1", "food", "Other", 0.5, ""), Prediction("m1-2", "book", None, 0.0, "nothing")]
    counts = tally([*named, *more], gold)
    assert counts["n"] == 3
    assert counts["indexed"] == {"n": 2, "right": 1, "wrong": 1, "none": 0}
    assert counts["unindexed"] == {"n": 1, "none": 1}
    assert counts["without_entity"] == {"n": 1, "none": 0}
    assert counts["by_domain"]["food"] == {
        "n": 1, "indexed": {"n": 1, "right": 0, "wrong": 1, "none": 0}, "unindexed": {"n": 0, "none": 0}
    }  # fmt: skip
    assert counts["flat"]["n"] == 3
    assert counts["not_flat"]["n"] == 0
    assert counts["clean_flat"]["n"] == 0
    clean = tally([replace(named[0], clean=True), *more], gold)
    assert clean["clean_flat"] == tally(named[:1], gold)["flat"]


@pytest.mark.parametrize("name", ["Amber Lamp", None])
def test_the_command(world, monkeypatch, capsys, name):
    agent = ScriptedAssistant(count, name=name)
    monkeypatch.setattr(services, "open_assistant", lambda settings, progress=None, **more: agent)
    monkeypatch.setattr(index_cache, "world_index", lambda world, settings: world)
    assert main("python -m eval", COMMANDS, ["recognise", "--data", str(world), "--json"]) == 0
    shown = capsys.readouterr()
    counts = json.loads(shown.out)
    assert counts["indexed"]["right" if name else "none"] == 2
    assert counts["n_unusable"] == 1
    assert "without" not in shown.err
    assert "1 frames show text alone" in shown.err


def test_data_without_gold_is_refused(tmp_path, capsys):
    (tmp_path / "d.jsonl").write_text('{"query": "q", "ground_truth": "t"}')
    assert main("python -m eval", COMMANDS, ["recognise", "--data", str(tmp_path / "d.jsonl")]) == 2
    assert "generated world" in capsys.readouterr().err
