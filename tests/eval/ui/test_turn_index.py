"""The turns of a run as a table: pages, filters, search, several judges, and a run that goes on meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput
from eval.ui.html.samples import render_kinds, render_sample
from eval.ui.state.running import Running, failures
from eval.ui.state.sample_view import FramePicture, Frames, show
from eval.ui.state.turn_index import Filters, TurnIndex, TurnIndexes, judge_name
from tests.eval.reports.written_run import line, write_run

pytestmark = pytest.mark.slow

EXACT = "exact, version 1"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    turns = [
        (line("a", 0, "seven", domain="book"), "correct"),
        (line("a", 1, "six", domain="book", total_turn_count=2, interaction_id_history=["a-0"]), "wrong"),
        (line("b", 0, "I don't know", domain="food", is_ego=False), "missing"),
        (line("c", 0, "", domain=None, status="timeout", reason="the endpoint took too long"), None),
        (line("d", 0, "maybe Ünïcode", domain="food"), None),
    ]
    return write_run(tmp_path / "run", turns)


def found(run: Path, **filters: Any) -> list[str]:
    index = TurnIndex(run).refresh()
    numbers = index.find(Filters(**filters), EXACT)
    return [row.line["interaction_id"] for row in index.rows(numbers, EXACT)]


def test_what_a_judge_is_not_sure_of_is_a_kind_of_its_own(tmp_path: Path):
    run = write_run(tmp_path / "unsure", [(line("s"), "~wrong"), (line("t"), "wrong"), (line("u"), None)])
    index = TurnIndex(run).refresh()
    assert index.counts(EXACT) == {"wrong": 1, "unsure": 1, "unjudged": 1}
    assert index.find(Filters(kind="unsure"), EXACT) == [0]
    assert "not sure <b>1</b>" in render_kinds(index.counts(EXACT), "")


def test_what_turns_count_as(run: Path):
    index = TurnIndex(run).refresh()
    assert index.counts(EXACT) == {"wrong": 1, "correct": 1, "missing": 1, "unjudged": 1, "failed": 1}
    assert index.counts("") == {"unjudged": 4, "failed": 1}
    assert [row.kind for row in index.rows(range(5), EXACT)] == ["correct", "wrong", "missing", "failed", "unjudged"]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, ["a-0", "a-1", "b-0", "c-0", "d-0"]),
        ({"kind": "wrong"}, ["a-1"]),
        ({"kind": "failed"}, ["c-0"]),
        ({"labels": (("domain", "food"),)}, ["b-0", "d-0"]),
        ({"labels": (("domain", "food"), ("ego", "yes"))}, ["d-0"]),
        ({"labels": (("status", "timeout"),)}, ["c-0"]),
        ({"kind": "correct", "labels": (("domain", "food"),)}, []),
        ({"words": "QUESTION a-1"}, ["a-1"]),
        ({"words": "ünïcode"}, ["d-0"]),
        ({"words": "too long"}, ["c-0"]),
        ({"words": "by hand seven"}, ["a-0", "a-1", "b-0", "c-0", "d-0"]),
        ({"words": "domain"}, []),  # names of columns are not texts
    ],
)
def test_filters(run: Path, filters: dict[str, Any], ids: list[str]):
    assert found(run, **filters) == ids


def test_values_for_the_filters_are_the_most_frequent_first(run: Path):
    index = TurnIndex(run).refresh()
    assert index.values("domain") == ["book", "food"]
    assert index.values("ego") == ["yes", "no"]


def test_a_run_that_goes_on_is_read_on_and_half_a_line_waits(run: Path):
    indexes = TurnIndexes()
    assert len(indexes.of(run)) == 5
    whole = json.dumps({**line("e", 0, "eight"), "trace": 0})
    with (run / "turns.jsonl").open("a") as file:
        file.write(whole + "\n" + whole[:40])
    assert len(indexes.of(run)) == 6
    with (run / "turns.jsonl").open("a") as file:
        file.write(whole[40:].replace('"e-0"', '"e-1"') + "\n")
    with (run / "judgements.jsonl").open("a") as file:
        file.write(
            json.dumps({"interaction_id": "e-0", "judge": "exact", "judge_version": 1, "verdict": "wrong"}) + "\n"
        )
    index = indexes.of(run)
    assert len(index) == 7
    assert index.kind(5, EXACT) == "wrong"
    assert index.number_of("e-1") == 6


def test_a_folder_begun_anew_is_read_anew(run: Path):
    index = TurnIndex(run).refresh()
    (run / "turns.jsonl").write_text(json.dumps({**line("z"), "trace": 0}) + "\n")
    assert len(index.refresh()) == 1
    assert index.number_of("z-0") == 0


def test_several_judges_and_the_one_of_the_scores(run: Path):
    with (run / "judgements.jsonl").open("a") as file:
        file.write(
            json.dumps({"interaction_id": "a-0", "judge": "llm", "judge_model": "m", "verdict": "wrong", "why": "no"})
            + "\n"
        )
    index = TurnIndex(run).refresh()
    assert index.judges == [EXACT, "llm, model m"]
    assert index.judge_of({"judge": "exact", "judge_version": 1}) == EXACT
    assert index.judge_of({}) == "llm, model m"
    assert index.kind(0, EXACT) == "correct"
    assert index.kind(0, "llm, model m") == "wrong"
    assert [judge_name(said) for said in index.judgements(0)] == index.judges


def test_long_texts_are_searched_and_shown_whole(tmp_path: Path):
    run = write_run(tmp_path / "run", [(line("a", 0, "short"), "wrong")])
    text = "x" * 400 + " needle"
    trace = {"interaction_id": "a-0", "events": [], "turn": {}, "long": {"agent_response": text}}
    (run / "traces.jsonl").write_text(json.dumps(trace) + "\n")
    (run / "turns.jsonl").write_text(json.dumps({**line("a"), "agent_response": None, "long": ["agent_response"],
                                                 "trace": 0}) + "\n")  # fmt: skip
    assert found(run, words="needle") == ["a-0"]
    index = TurnIndex(run).refresh()
    assert show(run, index, 0, EXACT).line["agent_response"] == text


def test_lines_of_another_shape_are_left_out_and_told(run: Path):
    odd = [
        "{half",
        "[]",
        "null",
        "{}",
        "7",
        json.dumps({**line("z"), "trace": "0"}),
        json.dumps({**line("a"), "trace": 0}),
    ]
    with (run / "turns.jsonl").open("a") as file:
        file.write("\n".join(odd) + "\n" + json.dumps({**line("y"), "trace": 0}) + "\n")
    with (run / "judgements.jsonl").open("a") as file:
        file.write('[]\n{"judge": 3}\n{"interaction_id": "a-0", "judge": "exact", "verdict": 1}\n')
    index = TurnIndex(run).refresh()
    assert len(index) == 6
    assert index.number_of("y-0") == 5
    assert [row.line["interaction_id"] for row in index.rows([5], EXACT)] == ["y-0"]
    assert [found["interaction_id"] for found in index.lines(4)] == ["d-0", "y-0"]
    turns, judgements = index.left_out
    assert turns == f"7 lines of {str(run / 'turns.jsonl')!r} left out: line 6 is not JSON"
    assert judgements == f"3 lines of {str(run / 'judgements.jsonl')!r} left out: line 6 is a list, not an object"


def test_a_turn_whose_trace_is_gone_is_shown_as_it_stands_in_the_list(run: Path):
    index = TurnIndex(run).refresh()
    (run / "traces.jsonl").write_text('{"interaction_id": "other", "turn": 3}\n')
    assert show(run, index, 0, EXACT).trace == {}
    (run / "traces.jsonl").unlink()
    assert show(run, index, 1, EXACT).line["agent_response"] == "six"
    assert index.find(Filters(words="six"), EXACT) == [1]


@pytest.mark.parametrize(
    "turn",
    [[], {"answer": 3}, {"answer": {"text": 5, "entity": [], "evidence": [3]}, "timings_ms": []},
     {"answer": {"entity": {"outline_px": "x", "confidence": "y"}, "sentences": [{"evidence_ids": 3}],
                 "evidence": [{"id": [], "score": "high"}, {"id": "e", "score": 0.5}]}}],
)  # fmt: skip
def test_a_trace_of_another_shape_is_shown_as_far_as_it_can(run: Path, turn: Any):
    trace = {"interaction_id": "a-0", "events": {}, "turn": turn}
    (run / "traces.jsonl").write_text(json.dumps(trace) + "\n")
    shown = show(run, TurnIndex(run).refresh(), 0, EXACT)
    assert "seven" in render_sample(shown, FramePicture("data:,", 4, 3), 0, 1)


def test_one_turn_with_the_conversation_before_it(run: Path):
    index = TurnIndex(run).refresh()
    shown = show(run, index, 1, EXACT)
    assert (shown.kind, shown.why) == ("wrong", "by hand")
    assert [(before["interaction_id"], before["kind"]) for before in shown.before] == [("a-0", "correct")]
    with pytest.raises(BadInput, match="no turn 99"):
        show(run, index, 98, EXACT)


def test_running_truthfulness_is_an_estimate_by_an_offline_judge(run: Path):
    index = TurnIndex(run).refresh()
    so_far = Running(run, "exact").look(index)
    assert so_far.figures is not None
    assert (so_far.judge, so_far.n, so_far.of) == ("exact", 5, 5)
    # seven is the truth; six and "maybe" are not it; one says that it does not know; one failed
    assert so_far.figures["truthfulness"] == pytest.approx((1 - 1 + 0 + 0 - 1) / 5)
    low, high = (so_far.figures["intervals"]["truthfulness"][end] for end in ("low", "high"))
    assert -1 <= low < so_far.figures["truthfulness"] < high <= 1
    assert Running(run, "llm").look(index).judge == "lexical"


def test_an_empty_run_has_no_estimate(tmp_path: Path):
    run = write_run(tmp_path / "run", [])
    assert Running(run, "exact").look(TurnIndex(run).refresh()).figures is None
    assert TurnIndex(tmp_path / "nowhere").refresh().rows([], "") == []


def test_failures_are_counted_by_their_sentence(run: Path):
    assert failures(TurnIndex(run).refresh()) == [(1, "the endpoint took too long")]


def test_frames_come_from_the_data_and_only_from_those_that_were_run(small_world: Path, tmp_path: Path):
    from assistant.settings import Settings
    from eval.data import datasets

    data = datasets.load(str(small_world))
    sample = data.samples[0]
    frames = Frames(Settings(data_dir=tmp_path))
    where = {"session_id": sample.session_id, "set": sample.set}
    info = {"data": {"path": str(small_world), "world": str(small_world)}, "options": {"data": data.digest}}
    plain = frames.of(info, where)
    assert plain.uri.startswith("data:image/jpeg;base64,")
    if sample.is_ego:
        assert (plain.width_px, plain.height_px) == (960, 1280)
    spoiled = frames.of({**info, "options": {"data": data.digest, "degrade": ["low light:0.9:0"]}}, where)
    assert spoiled.uri
    assert spoiled.uri != plain.uri
    other = frames.of({**info, "options": {"data": "another"}}, where)
    assert "have changed since" in other.problem
    assert "does not say" in frames.of({"options": {}}, where).problem
    gone = {"data": {"path": "/nowhere/world"}, "options": {"data": "x"}}
    assert "/nowhere/world" in frames.of(gone, where).problem
    assert "no session 'x'" in frames.of(info, {"session_id": "x", "set": "single"}).problem
