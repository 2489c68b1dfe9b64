"""A generated world and the real assistant: the judge knows the world's own truths, a run scores, gold stays closed."""

from __future__ import annotations

import json
import random

import pytest

from assistant import factory as services
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.data.datasets import load
from eval.data.gold import read_facts, read_gold
from eval.judges.typed import TypedJudge
from tests.eval.runs.opened import Watch
from tests.eval.world import texts_alone


@pytest.fixture(scope="module")
def watch():
    return Watch()


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A larger world without its pictures, which a judge of texts does not see."""
    out = tmp_path_factory.mktemp("texts") / "world"
    assert texts_alone.main(["--seed", "7", "--entities", "24", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def turns(texts):
    gold = read_gold(texts)
    data = load(str(texts), split="all")
    assert not data.unusable
    return [(gold[turn.interaction_id], turn) for sample in data.samples for turn in sample.turns]


def test_every_ground_truth_is_right_in_the_judges_eyes(texts, turns):
    judge = TypedJudge(read_facts(texts))
    missed = [
        (turn.query, turn.ground_truth, found.why)
        for gold, turn in turns
        if (found := judge.judge(gold, turn.query, turn.ground_truth)).verdict != "correct"
    ]
    assert not missed


def test_ground_truths_of_other_turns_are_wrong(texts, turns):
    judge = TypedJudge(read_facts(texts))
    chance = random.Random(1)
    asked = accepted = 0
    for gold, turn in turns:
        kind = gold.answer.kind, gold.answer.unit
        others = [
            (g, t) for g, t in turns if (g.answer.kind, g.answer.unit) == kind and g.answer.value != gold.answer.value
        ]
        for _, other in chance.sample(others, min(6, len(others))):
            asked += 1
            accepted += judge.judge(gold, turn.query, other.ground_truth).verdict == "correct"
    assert asked > 200
    assert accepted <= 0.02 * asked


@pytest.mark.slow
def test_a_run_of_the_real_assistant(small_world, small_index, small_assistant, monkeypatch, tmp_path, watch, capsys):
    opened_while_answering = []
    answer = small_assistant.answer

    def watched(*arguments, **options):
        yield from answer(*arguments, **options)
        opened_while_answering.extend(watch.opened)

    monkeypatch.setattr(services, "open_assistant", lambda settings, progress=None, **more: small_assistant)
    monkeypatch.setattr(index_cache, "world_index", lambda world, settings: small_index)
    monkeypatch.setattr(small_assistant, "answer", watched)
    out = tmp_path / "run"
    arguments = ["--data", str(small_world), "--set", "multi", "--limit", "2", "--out", str(out), "--json"]
    watch.folder, watch.opened = small_world / "gold", []
    try:
        assert main("python -m eval", COMMANDS, ["run", *arguments]) == 0
    finally:
        watch.folder = None
    assert opened_while_answering == []
    assert watch.opened
    scores = json.loads(capsys.readouterr().out)
    assert scores["n"] >= 4
    assert scores["n_failed"] == 0
    assert scores["n_unjudged"] == 0
