"""Corrected ground truths: proposed by people, accepted as versions, put on a run."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.annotate.overlay import accept, overlaid, proposals
from eval.annotate.overlay_files import Correction, read_overlay
from eval.annotate.values import Label
from eval.reports.report import scores_html
from eval.runs.reading import read_turn_lines
from tests.eval.annotate.annotator import empty_store, project_of, uid
from tests.eval.annotate.test_sources import run, world  # noqa: F401

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def store(tmp_path):
    with empty_store(tmp_path / "annotations") as opened:
        yield opened


def test_corrections_are_proposed_accepted_and_kept_as_versions(store):
    made = project_of(store, [2], overlap=3)
    first, second = store.items(made.id)
    for person, text in (("Ida", "better"), ("Bo", "other"), ("Cy", "better ")):
        store.label(made.id, person, first.id, Label("incorrect", ("bad ground truth",), text), uid())
    store.label(made.id, "Ida", second.id, Label("perfect", (), second.ground_truth), uid())
    found = proposals(store, made.id)
    assert [(p.new, p.people, p.of) for p in found] == [("better", ("Ida", "Cy"), 3), ("other", ("Bo",), 3)]
    with pytest.raises(BadInput, match="two corrections of 'c0-0'"):
        accept(store.folder, "data", found, "Di", NOW)
    path = accept(store.folder, "data", found[:1], "Di", NOW)
    assert path.name == "data.v1.jsonl"
    assert read_overlay(path) == (
        Correction("c0-0", "truth 0", "better", "Di", "2026-05-01T00:00:00+00:00", 1),)  # fmt: skip
    store.label(made.id, "Ida", second.id, Label("incorrect", (), "new"), uid())
    path = accept(store.folder, "data", proposals(store, made.id)[-1:], "Di", NOW)
    assert [(c.interaction_id, c.version) for c in read_overlay(path)] == [("c0-0", 1), ("c0-1", 2)]


def test_what_cannot_be_accepted_or_read(store, tmp_path):
    with pytest.raises(BadInput, match="no name for an overlay"):
        accept(store.folder, "../x", [], "Di")
    with pytest.raises(BadInput, match="nothing was accepted"):
        accept(store.folder, "x", [], "Di")
    (tmp_path / "x.jsonl").write_text(json.dumps(vars(Correction("a", "b", "c", "d", "e", 1))) + '\n{"old": 1}\n')
    with pytest.raises(BadInput, match="line 2 "):
        read_overlay(tmp_path / "x.jsonl")


def line(turn: str, old: str, new: str) -> str:
    return json.dumps(vars(Correction(turn, old, new, "Di", "now", 1))) + "\n"


def test_a_run_is_scored_without_and_with_an_overlay(run, tmp_path, capsys):  # noqa: F811
    path = tmp_path / "data.v1.jsonl"
    path.write_text(
        line("m1-1", "12 parts", "14 parts") + line("m1-2", "No, it is not.", "No.") + line("else-0", "a", "b")
        + line("s1-0", "another one", "x")
    )  # fmt: skip
    found = overlaid(read_turn_lines(run), read_overlay(path))
    assert (set(found.changed), found.stale, found.elsewhere) == ({"m1-1", "m1-2"}, ("s1-0",), 1)
    kept = (run / "judgements.jsonl").read_text()
    arguments = ["judge", str(run), "--judge", "lexical", "--overlay", str(path), "--json"]
    assert main("python -m eval", COMMANDS, arguments) == 0
    overlay = json.loads(capsys.readouterr().out)["overlay"]
    assert json.loads((run / "scores.json").read_text())["overlay"] == overlay
    changed = {one["interaction_id"]: (one["before"], one["after"]) for one in overlay["changed"]}
    assert changed == {"m1-1": ("wrong", "correct"), "m1-2": ("correct", "correct")}
    assert (overlay["n_changed"], overlay["n_flipped"], overlay["n_stale"], overlay["n_elsewhere"]) == (2, 1, 1, 1)
    assert overlay["without"]["paper"] != overlay["with"]["paper"]
    drawn = scores_html(run, json.loads((run / "scores.json").read_text()))
    assert "2 ground truths that people corrected (version 1 of data.v1.jsonl)" in drawn
    assert "1 verdicts changed" in drawn
    said = [json.loads(one) for one in (run / "judgements.jsonl").read_text()[len(kept) :].splitlines()]
    assert {one["verdict"] for one in said if one["interaction_id"] == "m1-1"} == {"wrong"}
    assert main("python -m eval", COMMANDS, arguments[:-1]) == 0
    assert "2 ground truths corrected by data.v1.jsonl, 1 verdicts changed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("judge", "content", "said"),
    [
        ("typed", line("m1-1", "12 parts", "14"), "changes nothing"),
        ("exact", line("else", "12 parts", "14"), "none of the 1 corrections"),
        ("exact", line("m1-1", "11 parts", "14"), "another one by now"),
    ],
)
def test_an_overlay_that_does_not_fit_is_refused_before_judging(run, tmp_path, capsys, judge, content, said):  # noqa: F811
    (tmp_path / "x.jsonl").write_text(content)
    arguments = ["judge", str(run), "--judge", judge, "--overlay", str(tmp_path / "x.jsonl")]
    assert main("python -m eval", COMMANDS, arguments) == 2
    assert said in capsys.readouterr().err
