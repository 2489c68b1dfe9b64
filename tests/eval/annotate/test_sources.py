"""Items from runs, data and files, and the frames they refer to."""

from __future__ import annotations

import json

import pytest

from assistant import factory as services
from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.annotate.sources import Filters, FrameSource, data_items, file_items, run_items, write_items
from eval.annotate.values import Judged
from eval.data.options import DataChoice
from tests.eval.agents.scripted_agent import ScriptedAssistant
from tests.eval.tiny_world import write_world

ANSWERS = {
    "How heavy is this?": "The Amber Lamp weighs 0.34 kg.",
    "And this?": "I don't know: nothing was found.",
    "Who made this?": "It is made by Nordlicht.",
    "How many parts has it?": "It has 14 parts.",
    "Is it waterproof?": "No, it is not.",
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return write_world(tmp_path_factory.mktemp("data") / "world")


@pytest.fixture(scope="module")
def run(world, tmp_path_factory):
    """A run over the world, judged by `exact`."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    with pytest.MonkeyPatch.context() as patch:
        scripted = ScriptedAssistant(lambda conversation, question: ANSWERS[question])
        patch.setattr(services, "open_assistant", lambda settings, progress=None, **more: scripted)
        patch.setattr(index_cache, "world_index", lambda world, settings: world / "index")
        assert main("python -m eval", COMMANDS, ["run", "--data", str(world), "--out", str(folder)]) == 0
    return folder


def test_a_run_becomes_items_with_history_evidence_and_verdicts(run, world, tmp_path):
    items, told = run_items(run)
    assert told == ()
    assert len(items) == 5
    last = next(item for item in items if item.interaction_id == "m1-2")
    assert (last.conversation, last.turn_idx) == ("first/multi/m1", 2)
    assert last.history == (
        ("Who made this?", "It is made by Nordlicht."), ("How many parts has it?", "It has 14 parts."))  # fmt: skip
    assert (last.answer, last.ground_truth, last.status) == ("No, it is not.", "No, it is not.", "answered")
    assert [(j.judge, j.verdict) for j in last.judged] == [("typed", "correct")]
    assert last.picture.data == str(world)
    frame = FrameSource(tmp_path).frame(last.picture)
    assert (frame.width_px, frame.height_px) == (960, 1280)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(statuses=("abstained",)), {"s2-0"}),
        (Filters(verdicts=("wrong",)), {"m1-1"}),
        (Filters(judge="typed", verdicts=("wrong", "missing")), {"m1-1", "s2-0"}),
        (Filters(where=(("domain", "shopping"),)), {"s1-0", "m1-1", "m1-2"}),
        (Filters(words="PARTS 14"), {"m1-1"}),
    ],
)
def test_filters(run, filters, found):
    assert {item.interaction_id for item in run_items(run, filters)[0]} == found


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(verdicts=("good",)), "no verdict 'good'"),
        (Filters(statuses=("done",)), "no status 'done'"),
        (Filters(judge="llm", verdicts=("wrong",)), "no judge 'llm' .*there are: typed"),
        (Filters(words="elephant"), "none of the 5 turns"),
    ],
)
def test_filters_that_find_nothing(run, filters, said):
    with pytest.raises(BadInput, match=said):
        run_items(run, filters)


def test_data_alone_become_items_without_answers(world, tmp_path):
    items, told = data_items(DataChoice(str(world), limit=3))
    assert items[0].question == "How heavy is this?"
    assert {item.answer for item in items} == {""}
    assert len(told) == 1
    assert FrameSource(tmp_path).frame(items[0].picture).width_px == 960


def test_changed_data_are_noticed(tmp_path):
    world = write_world(tmp_path / "world")
    (item, *_), _ = data_items(DataChoice(str(world)))
    (world / "world.json").write_text(json.dumps({"format_version": 1, "seed": 8}))
    with pytest.raises(BadInput, match="have changed"):
        FrameSource(tmp_path).frame(item.picture)


def test_items_go_through_a_file(run, tmp_path):
    items, _ = run_items(run)
    write_items(tmp_path / "items.jsonl", items)
    assert file_items(tmp_path / "items.jsonl") == items
    (tmp_path / "small.jsonl").write_text('{"question": "What?"}\n{"question": 3}\n')
    with pytest.raises(BadInput, match=r"line 2 .*question"):
        file_items(tmp_path / "small.jsonl")


def test_the_latest_word_of_a_judge_counts(run):
    lines = (run / "judgements.jsonl").read_text()
    who = {"interaction_id": "s1-0", "judge": "llm", "judge_model": "m"}
    more = [{**who, "verdict": verdict, "why": verdict} for verdict in (None, "wrong")]
    try:
        with (run / "judgements.jsonl").open("a") as file:
            file.writelines(json.dumps(line) + "\n" for line in more)
        (item,) = run_items(run, Filters(judge="llm", verdicts=("wrong",)))[0]
        assert item.judged[-1] == Judged("llm m", "wrong", "wrong")
    finally:
        (run / "judgements.jsonl").write_text(lines)
