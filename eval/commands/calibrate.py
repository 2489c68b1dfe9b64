"""Fit the estimate of risk to a judged run of a model: which signs went with wrong answers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from assistant.core.storage import write_json
from assistant.pipelines.risk import STATED, RiskModel, fit
from eval.metrics.risk_coverage import risk_coverage
from eval.reports.loaded_run import load_run
from eval.runs.reading import read_traces


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="the folder of a judged run whose answers a model wrote")
    parser.add_argument("--out", type=Path, help="file of weights, for --risk-model (default: RUN/risk.json)")
    parser.add_argument("--judge", help="whose verdicts count (default: those of the run's scores)")
    parser.add_argument("--json", action="store_true", help="print the weights as JSON")


def run(args: argparse.Namespace) -> int:
    judged = load_run(args.run, args.judge)
    wanted = {
        line["trace"]: line["interaction_id"]
        for line in judged.lines
        if line["status"] == "answered" and judged.verdicts.get(line["interaction_id"])
    }
    rows = []
    for offset, trace in read_traces(judged.path, wanted):
        signs = next((e.get("signs") for e in trace.get("events") or () if e.get("event") == "RiskEstimated"), None)
        if isinstance(signs, dict):
            known = {name: float(value) for name, value in signs.items() if isinstance(value, int | float)}
            rows.append((known, judged.verdicts[wanted[offset]] == "wrong"))
    model = fit(rows, f"{judged.name}: {len(rows)} answers, judge {judged.judge_text}")
    out = args.out or judged.path / "risk.json"
    write_json(out, model.as_json())
    print(json.dumps(model.as_json(), indent=1) if args.json else table(model, rows, out))
    return 0


def table(model: RiskModel, rows: list[tuple[dict[str, float], bool]], out: Path) -> str:
    """The weights before and after, and how well each orders these answers (the same that were fitted on)."""
    lines = [f"{'log-odds of being wrong':<26}{'stated':>8}{'fitted':>8}"]
    lines += [f"{name:<26}{STATED[name]:>8.2f}{model.weights[name]:>8.2f}" for name in STATED]
    for name, one in (("stated", RiskModel()), ("fitted", model)):
        curve = risk_coverage(((one.risk(signs), wrong) for signs, wrong in rows), len(rows))
        assert curve is not None
        lines.append(
            f"{name}: area under risk and coverage {curve['aurc']:.3f}, expects {curve['expected_wrong']:.1%} wrong, "
            f"{curve['wrong']:.1%} are"
        )
    return "\n".join([*lines, f"written to {out}; a run or a page uses it with --risk-model"])
