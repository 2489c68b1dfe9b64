"""`eval calibrate`: weights of risk from a judged run, and the curve of risk against coverage in scores and report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.pipelines.risk import RiskModel
from eval.__main__ import COMMANDS, main
from eval.reports.loaded_run import load_run
from eval.reports.report import html_report
from eval.scoring import score_turns
from tests.eval.reports.written_run import line, write_run


def command(*arguments: object) -> int:
    return main("python -m eval", COMMANDS, list(map(str, arguments)))


def turns(n: int) -> list[tuple[dict, str | None]]:
    """Of answers from memory two of three are wrong, of checked ones one in ten."""
    found: list[tuple[dict, str | None]] = []
    for i in range(n):
        memory = i % 2 == 0
        signs = {"memory": 1.0} if memory else {}
        wrong = i // 2 % 3 != 0 if memory else i // 2 % 10 == 0
        risk = RiskModel().risk(signs)
        found.append((line(f"s{i}", signs=signs, risk=risk), "wrong" if wrong else "correct"))
    return [*found, (line("none", status="abstained", answer="I don't know."), "missing")]


def test_a_run_tells_how_risky_memory_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run = write_run(tmp_path / "run", turns(240))
    assert command("calibrate", run, "--out", tmp_path / "risk.json") == 0
    told = capsys.readouterr().out
    assert "memory" in told
    assert str(tmp_path / "risk.json") in told
    model = RiskModel.load(tmp_path / "risk.json")
    assert model.risk({"memory": 1.0}) == pytest.approx(2 / 3, abs=0.05)
    assert model.risk({}) == pytest.approx(0.1, abs=0.03)
    assert "240 answers" in model.fitted_on
    assert command("calibrate", run, "--json") == 0
    assert json.loads(capsys.readouterr().out)["weights"] == dict(model.weights)
    assert (run / "risk.json").is_file()


def test_a_run_without_estimates_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run = write_run(tmp_path / "run", [(line("a"), "correct"), (line("b"), "wrong")])
    assert command("calibrate", run) == 2
    assert "0 judged answers" in capsys.readouterr().err
    assert not (run / "risk.json").exists()


def test_scores_and_report_show_the_curve(tmp_path: Path):
    run = write_run(tmp_path / "run", turns(60))
    judged = load_run(run)
    scores = score_turns(run, judged.lines, judged.verdicts, {})
    curve = scores["risk_coverage"]
    assert curve["n"] == 60
    assert [round(p["coverage"], 3) for p in curve["points"]] == [round(30 / 61, 3), round(60 / 61, 3)]
    assert curve["points"][0]["risk"] < curve["points"][1]["risk"]
    (run / "scores.json").write_text(json.dumps({"format_version": 1, **judged.judge, **scores}))
    page = html_report(load_run(run))
    assert "Risk and coverage" in page
    assert "<polyline" in page
    without = score_turns(run, [x for x, _ in [(line("a"), "correct")]], {"a-0": "correct"}, {})
    assert "risk_coverage" not in without
