"""One self-contained HTML page of a run: scores with intervals, slices, where answers are lost, ladder, samples.

The page fetches nothing and its content security policy allows nothing but its own style and script, by their hashes;
every text of the run is escaped by the template, so what an agent wrote is shown and never acts. What is shown is
prepared here as plain values; `assets/report/` holds the template, the style sheet and the script. Frames are not
embedded: a page of a thousand samples would be a gigabyte.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assistant.core.paths import ASSETS_DIR
from eval.benchmarks.base import figure_at
from eval.benchmarks.registry import benchmark_of
from eval.data.gold import GoldTurn
from eval.data.samples import FAILED
from eval.data.truths import has_truth, without_truth_words
from eval.judges.summary import judging_rows
from eval.metrics.attribution import failure_of, known_steps
from eval.metrics.slices import LEAST_TURNS, label_text
from eval.reports.headline import Headline, all_figures, tells_nothing_of_truth
from eval.reports.ladder import RUNG_WORDS, read_ladder
from eval.reports.loaded_run import JudgedRun
from eval.runs.reading import read_traces

ASSETS = ASSETS_DIR / "report"
#: More rows make the page slow on a phone; the run's own files have all.
MOST_SAMPLES = 2000

_COLUMNS = {
    "truthfulness": "points", "accuracy": "share", "missing": "share", "hallucination_rate": "share",
    "early_stop": "share", "grand_mean": "points", "successful_turns": "number",
}  # fmt: skip
_HEADS = ("truthfulness", "correct", "missing", "wrong", "early stop", "mean of turns", "right turns")
_STEPS = {
    "not_recognised": "not recognised", "not_retrieved": "not retrieved", "not_used": "not used",
    "not_abstained": "not abstained", "failed": "failed", "unseen": "no steps shown",
}  # fmt: skip


def html_report(
    run: JudgedRun, gold: Mapping[str, GoldTurn] | None = None, most: int = MOST_SAMPLES, trust: str = ""
) -> str:
    """The page of a judged and scored run, as one HTML text.

    Args:
        run: with `scores`, see `eval.reports.loaded_run`.
        gold: the world's gold, to put each failed sample down to a step; without it that column stays empty.
        most: so many samples at most, those that went wrong first.
        trust: one sentence about how far the run's judge agreed with people, "" where nobody knows.
    """
    from markupsafe import Markup

    css, js = ((ASSETS / f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    samples = _samples(run, gold or {})
    kinds = [*dict.fromkeys(s["kind"] for s in samples), *dict.fromkeys(s["failure"] for s in samples if s["failure"])]
    return _template("report.html.j2").render(
        **_figures(run.path, run.scores, run.info), run=run, facts=_facts(run),
        notes=[*_notes(run), *filter(None, [trust])], samples=samples[:most],
        cut=len(samples) > most, kinds=kinds,
        css=Markup(css), js=Markup(js), css_hash=_hash(css), js_hash=_hash(js),
    )  # fmt: skip


def scores_html(run: Path, scores: Mapping[str, Any], info: Mapping[str, Any] | None = None) -> str:
    """The part of the page that shows scores, slices, failures, ladder and retrieval, to stand in another page.

    Args:
        run: the run folder, for its ladder and its recall; no turn is read.
        scores: its `scores.json`.
        info: its `run.json`.
    """
    return _template("scores.html.j2").render(**_figures(run, scores, info or {}))


def _template(name: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template(name)


def _figures(run: Path, found: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    scores = {**_OPTIONAL, **found}
    headline, *others = all_figures(scores, info)
    untold, own = tells_nothing_of_truth(scores, info), scores.get(benchmark_of(info).name)
    stages = (scores["attribution"] or {}).get("stages", {})
    return {
        "scores": scores, "headline": headline, "others": others, "columns": _HEADS,
        "readings": [] if untold else _readings(scores),
        "methods_used": _methods(scores, own if untold else scores["intervals"], scores["slices"]),
        "least": LEAST_TURNS, "slices": _slices(scores["slices"]),
        "failures": [(_STEPS[name], part) for name, part in stages.items()],
        "without_truth": without_truth_words(scores["n_without_truth"], scores.get("n_scored", 0)),
        "most": max([1, *(part["n"] for part in stages.values())]),
        "judging": _judging(scores, headline), **_topics(scores, info),
        "ladder": _ladder(run), "retrieval": scores["retrieval"], "raw": _raw(run),
        "risk": _risk(scores["risk_coverage"]),
    }  # fmt: skip


def _judging(scores: Mapping[str, Any], headline: Headline) -> list[dict[str, Any]]:
    """What each judging model said, with the headline by its scores under `own`."""
    parts = {**(scores.get("judges") or {}), "mean of the two": scores.get("averaged")}
    rows = judging_rows(scores)
    return [{**row, "own": figure_at(parts.get(row["name"]) or scores, headline.key)} for row in rows]


def _topics(scores: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    """A benchmark's own figures topic by topic, where its scores have them; those that no topic has are left out."""
    benchmark = benchmark_of(info)
    parts = (scores.get(benchmark.name) or {}).get("by_topic") or {}
    named = {one.key.removeprefix(f"{benchmark.name}."): one.name for one in benchmark.figures}
    keys = [key for key in named if any(part.get(key) is not None for part in parts.values())]
    rows = [
        {
            "name": name,
            "n": part.get("n_answers"),
            "cells": [(part.get(key), (part.get("intervals") or {}).get(key)) for key in keys],
        }
        for name, part in parts.items()
    ]
    return {"topics": rows if keys else [], "topic_columns": [named[key] for key in keys]}


#: Parts that a run's scores may lack.
_OPTIONAL: dict[str, Any] = {"bounds": None, "crag": None, "attribution": None, "retrieval": None, "slices": {},
                             "intervals": {}, "methods": {}, "risk_coverage": None, "n_unjudged": 0, "n_leaning": 0,
                             "n_without_truth": 0,
                             "agreement": None, "overlay": None}  # fmt: skip


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _facts(run: JudgedRun) -> list[tuple[str, str]]:
    options, data = run.info.get("options") or {}, run.info.get("data") or {}
    facts = {
        "data": data.get("name"),
        "split": options.get("split"),
        "set": options.get("set"),
        "agent": options.get("agent"),
        "answers": (options.get("answers") or {}).get("file"),
        "pipeline": options.get("pipeline"),
        "given": options.get("give"),
        "scenarios": ", ".join((options.get("handing") or {}).get("scenarios") or ()),
        "judge": run.judge_text,
        "turns": len(run.lines),
        "conversations": run.scores.get("n_conversations"),
        "failed": run.scores.get("n_failed"),
        "without a ground truth": run.scores.get("n_without_truth") or None,
        "started": run.info.get("started"),
        "state": run.info.get("state"),
    }
    return [(key, str(value)) for key, value in facts.items() if value not in (None, "")]


def _notes(run: JudgedRun) -> list[str]:
    notes = []
    if run.info.get("state") != "finished":
        notes.append(
            f"This run is not finished ({run.info.get('state')}): the figures are of the turns that are there."
        )
    if run.scores.get("n_failed"):
        notes.append(f"{run.scores['n_failed']} turns failed and count as missing.")
    if lacking := int((run.info.get("imported") or {}).get("n_not_answered") or 0):
        notes.append(f"The file of answers has none to {lacking:,} turns of the data: they count in no figure.")
    notes += [f"{said}." for said in run.left_out]
    called = run.scores.get("public_counts_as_hallucination") or {}
    if any(called.values()):
        notes.append(
            f"The public reading counts {called['refusals']} refusals in words that its phrase rule does not know and "
            f"{called['empty']} empty answers as hallucinations."
        )
    return notes


def _readings(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for name in ("paper", "readme"):
        intervals = scores["intervals"].get(name, {})
        cells = [_cell(kind, scores[name].get(key), intervals.get(key)) for key, kind in _COLUMNS.items()]
        rows.append({"name": name, "cells": cells})
    for part in ("all", "ego"):
        figures, intervals = scores["public"][part], scores["intervals"].get("public", {}).get(part, {})
        keys = {"truthfulness": "truthfulness_score", "grand_mean": "mean_multi_turn_conversation_score"}
        cells = []
        for key, kind in _COLUMNS.items():
            known = keys.get(key, key)
            cells.append(_cell(kind, figures.get(known), intervals.get(known)))
        # The evaluator's conversation score is its stopped mean; it has no mean of stopped turns.
        cells[5] = _cell("points", None, None)
        rows.append({"name": f"public, {part}", "cells": cells})
        if part == "all":
            rows[-1]["name"] = "public, all turns"
    score = "mean_multi_turn_conversation_score"
    for part in ("all", "ego"):
        interval = scores["intervals"].get("public", {}).get(part, {}).get(score)
        blank = [_cell("points", None, None)] * (len(_COLUMNS) - 1)
        first = _cell("points", scores["public"][part][score], interval)
        rows.append({"name": f"public, {part}: conversation score", "cells": [first, *blank]})
    return rows


def _cell(kind: str, value: Any, interval: Any) -> dict[str, Any]:
    return {"kind": kind, "value": value, "interval": interval}


def _slices(slices: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Labels that tell turns apart: one with a single value says what the scores above say. Turns count from 1."""
    return [
        (name.replace("_", " "), [(str(int(v) + 1) if name == "turn" else v, s) for v, s in values.items()])
        for name, values in slices.items()
        if len(values) > 1
    ]


def _risk(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The curve of risk against coverage in the chart's box (282 by 130, from 30, 10), and a few rows of it."""
    if not found:
        return None
    points = found["points"]
    highest = max([0.05, *(point["risk"] for point in points)])
    line = " ".join(f"{30 + 282 * p['coverage']:.1f},{140 - 130 * p['risk'] / highest:.1f}" for p in points)
    wanted = [next((p for p in points if p["coverage"] >= part * points[-1]["coverage"]), points[-1])
              for part in (0.25, 0.5, 0.75, 1.0)]  # fmt: skip
    rows = list({p["n"]: p for p in wanted}.values())
    return {**found, "highest": highest, "line": line, "rows": rows}


def _methods(scores: Mapping[str, Any], *parts: Any) -> list[str]:
    """The interval methods that these parts of the scores were made by, each once."""
    used: dict[str, None] = {}

    def walk(value: Any) -> None:
        if isinstance(value, Mapping):
            if isinstance(value.get("method"), str):
                used[value["method"]] = None
            for item in value.values():
                walk(item)

    for part in parts:
        walk(part)
    return [method for method in used if method in scores["methods"]]


def _ladder(run: Path) -> dict[str, Any] | None:
    found = read_ladder(run)
    if found is None:
        return None
    rungs = [{**rung, "label": RUNG_WORDS.get(rung["given"], rung["given"])} for rung in found["rungs"]]
    return {**found, "rungs": rungs}


def _raw(run: Path) -> list[dict[str, Any]]:
    """Recall curves of `retrieval.json`, ready to draw."""
    found = _json(run / "retrieval.json")
    try:
        return _curves(found) if found else []
    except (KeyError, TypeError, AttributeError, ValueError):
        return []  # written by hand, or by another version


def _curves(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    image = {name: part for name, part in found["image"].items() if isinstance(part, dict) and part["n"]}
    asked = {"as_asked": "question as asked", "standalone": "gold standalone query"}
    web = {asked.get(name, name): part for name, part in found["web"].items() if part["n"]}
    charts = [("Raw image search: recall of the entity, whole frames", image, ("1", "30")),
              ("Raw web search: recall of a gold page", web, ("1", "50"))]  # fmt: skip
    return [_curve(title, parts, ks) for title, parts, ks in charts if parts]


def _curve(title: str, parts: Mapping[str, Mapping[str, Any]], ks: Iterable[str]) -> dict[str, Any]:
    steps = list(next(iter(parts.values()))["recall"])
    xs = [40 + 262 * i / max(1, len(steps) - 1) for i in range(len(steps))]
    lines = [
        " ".join(f"{x:.1f},{140 - 130 * part['recall'][k]:.1f}" for x, k in zip(xs, steps, strict=True))
        for part in parts.values()
    ]
    colours = ("k-right", "k-wrong", "k-soft")
    rows = [
        {"name": name, "n": part["n"], "recall": [part["recall"][k] for k in ks], "css": colours[i % 3]}
        for i, (name, part) in enumerate(parts.items())
    ]
    ticks = [(f"{x:.1f}", k) for x, k in zip(xs, steps, strict=True)]
    return {"title": title, "ticks": ticks, "lines": lines, "rows": rows, "ks": list(ks)}


def _json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


_RANK = {"wrong": 0, "unsure": 1, "unjudged": 2, "missing": 3, "correct": 4, "no_truth": 5}


def _samples(run: JudgedRun, gold: Mapping[str, GoldTurn]) -> list[dict[str, Any]]:
    """Every turn as the table shows it, those that went wrong first."""
    wanted = {line["trace"]: line["interaction_id"] for line in run.lines if line["interaction_id"] in gold}
    steps = known_steps(read_traces(run.path, wanted), wanted, gold)
    found = []
    for line in run.lines:
        key = line["interaction_id"]
        failed, verdict = line["status"] in FAILED, run.verdicts.get(key)
        kind: str = "missing" if failed else verdict or ("unsure" if key in run.leanings else "unjudged")
        if not has_truth(line):
            kind = "no_truth"
        counts = key in gold and has_truth(line)
        failure = failure_of(verdict, failed, steps.get(key), gold[key]) if counts else None
        labels = [line.get(name) for name in ("domain", "query_category", "dynamism", "image_quality")]
        texts = [label_text(label) for label in labels if label is not None]
        found.append(
            {
                "kind": kind,
                "failure": failure,
                "where": f"turn {line['turn_idx'] + 1}",
                "query": line["query"],
                "labels": " · ".join([*texts, "egocentric" if line.get("is_ego") else "normal"]),
                "truth": line["ground_truth"],
                "answer": line["agent_response"] or f"({line['status']})",
                "why": "; ".join(part for part in (run.why.get(key), line.get("reason")) if part),
            }
        )
    return sorted(found, key=lambda sample: _RANK[sample["kind"]])
