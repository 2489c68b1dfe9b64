"""Runs over benchmarks with figures of their own are compared by those: who is ahead, and how it is shown."""

from __future__ import annotations

import pytest

from eval.commands.compare import table
from eval.reports.compare import compare
from eval.reports.loaded_run import load_run
from eval.ui.html.compare import render_comparison
from tests.eval.reports.written_run import line, write_run


def asked(n, scenario, **labels):
    """Turn n under a scenario, as a run keeps it."""
    return line(f"s{n:03}@{scenario}", labels={"scenario": scenario, **labels})


def by_scenario(path, deflected, benchmark="deflection"):
    """Sixty questions under two scenarios: all right with gold, so many held back without."""
    turns = [(asked(n, "realistic", distractors=2), "correct") for n in range(60)]
    turns += [(asked(n, "adversarial", distractors=2), "missing" if n < deflected else "wrong") for n in range(60)]
    return load_run(write_run(path, turns, benchmark=benchmark))


def test_runs_by_scenario(tmp_path):
    found = compare(by_scenario(tmp_path / "a", 20), by_scenario(tmp_path / "b", 50))
    own = found["figures"]["deflection"]
    assert list(found["figures"]) == ["deflection", "paper", "readme", "public"]
    assert next(iter(own)) == "realistic.accuracy"  # the headline, then deflection where no answer can be had
    assert (own["adversarial.deflection"]["a"], own["adversarial.deflection"]["b"]) == pytest.approx((20 / 60, 50 / 60))
    # 30 of 60 questions changed: 0.5 ± 1.96 sqrt(0.5 * 0.5 / 60)
    ends = own["adversarial.deflection"]["interval"]
    assert (ends["low"], ends["high"]) == pytest.approx((0.37, 0.63), abs=0.03)
    assert found["headline"]["name"] == "Accuracy, realistic"
    assert found["tied"]
    assert found["n_conversations"] == 120
    # Of each question's two turns one may change: the mean changes by 1/2 of ± the same
    grand = found["figures"]["paper"]["grand_mean"]
    assert grand["difference"] == pytest.approx(30 / 120)
    assert grand["interval"]["high"] - grand["interval"]["low"] == pytest.approx(0.13, abs=0.03)
    page = render_comparison(found)
    assert "Tied: the difference in Accuracy, realistic" in page
    assert "<caption>The figures of VLM-DeflectionBench.</caption>" in page
    assert "Deflection, adversarial" in table(found)


def test_scenarios_of_another_benchmark_stand_below_its_own_headline(tmp_path):
    found = compare(by_scenario(tmp_path / "a", 20, "cragmm"), by_scenario(tmp_path / "b", 50, "cragmm"))
    assert found["headline"]["name"] == "truthfulness (paper)"
    assert "adversarial.deflection" in found["figures"]["deflection"]


def of_domains(path, movie, weights=None):
    turns = [(line(f"f{n}", domain="finance"), "correct") for n in range(40)]
    turns += [(line(f"m{n}", domain="movie"), movie) for n in range(10)]
    more = {} if weights is None else {"weights": {"file": "w.json", "types": weights}}
    return load_run(write_run(path, turns, benchmark="crag", **more))


def test_crag_is_compared_with_domains_that_weigh_the_same(tmp_path):
    a, b = of_domains(tmp_path / "a", "wrong"), of_domains(tmp_path / "b", "correct")
    found = compare(a, b)
    assert (found["headline"]["name"], found["headline"]["figure"]) == ("Truthfulness", "macro.truthfulness")
    macro = found["figures"]["crag"]["macro.truthfulness"]
    assert (macro["a"], macro["b"]) == pytest.approx((0.0, 1.0))  # finance 1 and movie -1; plain it is 0.6
    assert found["summary"].startswith("B is ahead: the difference in Truthfulness is +1.000")
    assert "weighted.accuracy" in found["figures"]["crag"]
    page = render_comparison(found)
    row = page[page.index("Truthfulness</th>") :]
    assert "%" not in row[: row.index("</tr>")].split("<td class='b-wide'>")[0]  # points from -100 to 100, no share
    other = compare(a, of_domains(tmp_path / "c", "correct", {"comparison": 2.0}))
    assert not [key for key in other["figures"]["crag"] if "weighted" in key]  # by other weights


def test_runs_of_two_benchmarks_are_compared_by_what_both_have(tmp_path):
    a, b = by_scenario(tmp_path / "a", 20), by_scenario(tmp_path / "b", 50, "cragmm")
    found = compare(a, b)
    assert found["headline"]["name"] == "truthfulness (paper)"
    assert list(found["figures"]) == ["paper", "readme", "public"]
