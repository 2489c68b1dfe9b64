"""Two runs on the same questions: the difference, how sure it is, and which answers changed.

Everything is paired on the interaction ids that both runs have: a question that is hard for both says nothing about
which is better. Differences are B − A. Their intervals come from resampling conversations, both runs' together
(`eval.metrics.intervals`); the exact McNemar test asks whether as many turns were won as lost, and takes turns for
independent, so with several turns a conversation the interval is the one to go by. Two runs are *tied* when the
interval of their difference in the headline (`eval.reports.headline`) holds zero. Runs over data that nobody wrote a
ground truth for are compared by the figures of their benchmark, and by no test. Not covered: more than two runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.core.errors import BadInput
from eval.benchmarks.base import Benchmark
from eval.benchmarks.registry import BENCHMARKS, benchmark_of
from eval.data.samples import FAILED
from eval.data.truths import with_truth, without_truth_words
from eval.metrics import public as metrics
from eval.metrics.intervals import METHODS, Interval, Ratio, ratio_intervals
from eval.metrics.run_scores import READINGS, Columns, columns
from eval.metrics.traffic import Weights
from eval.reports.headline import Headline, headline
from eval.reports.leaderboard import too_many_failed
from eval.reports.loaded_run import JudgedRun
from eval.runs.handed import handed_to

_RATES = {"accuracy": 1, "missing": 0, "hallucination_rate": -1}


@dataclass(frozen=True)
class Difference:
    """One figure in both runs, and B − A with its interval."""

    a: float
    b: float
    difference: float
    interval: Interval

    def json(self) -> dict[str, Any]:
        return {"a": self.a, "b": self.b, "difference": self.difference, "interval": self.interval.json()}


def compare(a: JudgedRun, b: JudgedRun) -> dict[str, Any]:
    """Compare two runs on the turns they have in common.

    Returns:
        `{"a", "b", "judge", "headline": {"name", "reading", "figure", "explanation"}, "n_common", "n_without_truth",
        "n_conversations", "only_a", "only_b", "figures": {reading: {figure: {"a", "b", "difference", "interval"}}},
        "titles": {reading: {figure: title}} of a benchmark's own figures, "mcnemar": {"only_a_correct",
        "only_b_correct", "p"} or None where no turn has a ground truth, "tied", "summary", "broken": [sentences],
        "differs": [[what, A's, B's], ...], "flipped": [...], "notes": [...]}`.

    Raises:
        BadInput: other judges, no turn in common, the same ids with other questions, or no figure that both have.
    """
    if a.judge != b.judge:
        raise BadInput(
            f"the runs cannot be compared: {a.name!r} was judged by {a.judge_text}, {b.name!r} by {b.judge_text}; "
            f"judge one again with python -m eval judge RUN --judge {a.judge['judge']}"
        )
    whole_a, whole_b = _common(a, b)
    lines_a, lines_b = with_truth(whole_a), with_truth(whole_b)
    if not lines_a:
        return _without_truths(a, b, whole_a, whole_b)
    table_a, table_b = (columns(lines, run.verdicts, run.leanings) for lines, run in ((lines_a, a), (lines_b, b)))
    public = (columns(lines, run.verdicts, run.leanings) for lines, run in ((whole_a, a), (whole_b, b)))
    own = _own_differences(a, b, lines_a, lines_b)
    figures = {**own, **_differences(table_a, table_b), "public": _public_differences(*public)}
    mcnemar = _mcnemar(table_a.values > 0, table_b.values > 0)
    benchmark = benchmark_of(a.info)
    if benchmark.name in own:
        name, main = _own_headline(benchmark, own)
    else:
        name = headline(a.scores, {})
        reading, _, figure = name.key.partition(".")
        main = figures[reading][figure]
    tied = main.interval.low <= 0 <= main.interval.high
    return {
        "a": _named(a),
        "b": _named(b),
        "judge": a.judge_text,
        "n_common": len(whole_a),
        "n_without_truth": len(whole_a) - len(lines_a),
        "n_conversations": len(table_a.conversations.starts),
        "only_a": len(a.lines) - len(whole_a),
        "only_b": len(b.lines) - len(whole_b),
        "figures": {part: {k: d.json() for k, d in found.items()} for part, found in figures.items()},
        "titles": _titles(own),
        "methods": METHODS,
        "mcnemar": mcnemar,
        "tied": tied,
        **_ahead(a, b, name, main),
        "differs": differs(a.info, b.info),
        "flipped": _flipped(a, b, lines_a, lines_b, table_a, table_b),
        "notes": _notes(a, b, table_a, table_b, len(whole_a), len(whole_a) - len(lines_a)),
    }


def _without_truths(
    a: JudgedRun, b: JudgedRun, lines_a: Sequence[Mapping[str, Any]], lines_b: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The comparison of turns without any ground truth: by their benchmark's own figures, where it has some."""
    own = _own_differences(a, b, lines_a, lines_b)
    figures = {part: {key: d.json() for key, d in found.items()} for part, found in own.items()}
    none = f"none of the {len(lines_a)} turns that {a.name!r} and {b.name!r} share has a ground truth"
    benchmark = benchmark_of(a.info)
    if benchmark.name not in own:
        said = "" if benchmark.differences is None else f", and no figure of {benchmark.title} is known of both"
        raise BadInput(none + said)
    name, main = _own_headline(benchmark, own)
    lost = [sum(line["status"] in FAILED for line in lines) for lines in (lines_a, lines_b)]
    return {
        "a": _named(a),
        "b": _named(b),
        "judge": a.judge_text,
        "n_common": len(lines_a),
        "n_without_truth": len(lines_a),
        "n_conversations": len(lines_a),
        "only_a": len(a.lines) - len(lines_a),
        "only_b": len(b.lines) - len(lines_b),
        "figures": figures,
        "titles": _titles(own),
        "methods": METHODS,
        "mcnemar": None,
        "tied": main.interval.low <= 0 <= main.interval.high,
        **_ahead(a, b, name, main),
        "differs": differs(a.info, b.info),
        "flipped": [],
        "notes": [
            *(
                f"{n} turns of {run.name} failed and count in no figure"
                for run, n in zip((a, b), lost, strict=True)
                if n
            ),
            *_side_notes(a, len(lines_a)),
            *_side_notes(b, len(lines_a)),
        ],
    }


def _own_differences(
    a: JudgedRun, b: JudgedRun, lines_a: Sequence[Mapping[str, Any]], lines_b: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Difference]]:
    """The figures of the runs' benchmark under its name, and those of scenarios wherever there are any; {} for runs of
    two benchmarks."""
    benchmark = benchmark_of(a.info)
    if benchmark_of(b.info) != benchmark:
        return {}
    found = {}
    for own in dict.fromkeys((benchmark, BENCHMARKS["deflection"])):
        if own.differences is None:
            continue
        sides = (_with_judgements(a, lines_a, own), _with_judgements(b, lines_b, own))
        more: dict[str, Any] = {}
        if own.takes_weights:
            weights = [Weights.from_json(run.info.get("weights")) for run in (a, b)]
            more["weights"] = weights[0] if weights[0] == weights[1] else None
        known = {
            name: Difference(between.a, between.b, between.b - between.a, between.interval)
            for name, between in own.differences(*sides, **more).items()
        }
        keys = [figure.key.removeprefix(f"{own.name}.") for figure in own.figures]
        if known:
            found[str(own.name)] = {key: known[key] for key in keys if key in known}
    return found


def _own_headline(benchmark: Benchmark, own: Mapping[str, Mapping[str, Difference]]) -> tuple[Headline, Difference]:
    """Which of a benchmark's own figures says who is ahead; at least one is known."""
    start, known = f"{benchmark.name}.", own[benchmark.name]
    titles = {one.key.removeprefix(start): one for one in benchmark.figures}
    order = [next(iter(titles)), *(key.removeprefix(start) for key in benchmark.stand_ins), *titles]
    figure = next(key for key in order if key in known)
    title = titles[figure]
    return Headline(title.name, None, None, None, title.what, title.key), known[figure]


def _titles(own: Mapping[str, Mapping[str, Difference]]) -> dict[str, dict[str, str]]:
    return {
        one.name: {
            key: figure.name
            for figure in one.figures
            if (key := figure.key.removeprefix(f"{one.name}.")) in own.get(one.name, ())
        }
        for one in BENCHMARKS.values()
        if one.name in own
    }


def _with_judgements(
    run: JudgedRun, lines: Sequence[Mapping[str, Any]], benchmark: Benchmark
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each line with its judgement, and with what its turn was handed where the benchmark reads that."""
    if benchmark.reads_handed:
        handed = handed_to(run.path, lines)
        lines = [{**line, "handed": handed.get(line["interaction_id"])} for line in lines]
    return [(line, run.judgements.get(line["interaction_id"]) or {}) for line in lines]


def _ahead(a: JudgedRun, b: JudgedRun, name: Headline, main: Difference) -> dict[str, Any]:
    """What says which run is ahead, and whether anything can."""
    reading, _, figure = name.key.partition(".")
    tied, broken = main.interval.low <= 0 <= main.interval.high, _broken(a, b)
    return {
        "headline": {"name": name.name, "reading": reading, "figure": figure, "explanation": name.explanation},
        "summary": f"no headline: {'; '.join(broken)}" if broken else _summary(name.name, main, tied),
        "broken": broken,
    }


def _common(a: JudgedRun, b: JudgedRun) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    of_b = {line["interaction_id"]: line for line in b.lines}
    lines_a = [line for line in a.lines if line["interaction_id"] in of_b]
    lines_b = [of_b[line["interaction_id"]] for line in lines_a]
    if not lines_a:
        raise BadInput(f"the runs {a.name!r} and {b.name!r} have no turn in common: they ran on other data")
    for one, other in zip(lines_a, lines_b, strict=True):
        if (one["query"], one["ground_truth"]) != (other["query"], other["ground_truth"]):
            raise BadInput(
                f"the runs cannot be compared: the turn {one['interaction_id']!r} has another question or truth in "
                f"{a.name!r} than in {b.name!r}"
            )
    return lines_a, lines_b


def _differences(a: Columns, b: Columns) -> dict[str, dict[str, Difference]]:
    """Every figure of our readings; both tables hold the same turns in the same order."""
    part = a.conversations
    ones, turns = np.ones(len(part.lengths)), part.lengths.astype(float)
    sides: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray, float]] = {}
    for rule in READINGS:
        one, other = (metrics.stopped(part, table.values, rule) for table in (a, b))
        sides[f"{rule}.truthfulness"] = (one.means, other.means, ones, 2.0)
        sides[f"{rule}.grand_mean"] = (one.points, other.points, turns, 2.0)
        sides[f"{rule}.early_stop"] = (one.early.astype(int), other.early.astype(int), ones, 1.0)
        for name, worth in _RATES.items():
            hits = [part.sums((table.values == worth)[part.order]) for table in (a, b)]
            sides[f"{rule}.{name}"] = (hits[0], hits[1], turns, 1.0)
    return _paired(sides, a.cluster)


def _public_differences(a: Columns, b: Columns) -> dict[str, Difference]:
    """The public evaluator's scores, over all turns."""
    part = a.conversations
    ones, turns = np.ones(len(part.lengths)), part.lengths.astype(float)
    scores = [metrics.public_conversation_scores(part, table.correct, table.miss) for table in (a, b)]
    sides = {
        "public.truthfulness_score": (_public_worth(a), _public_worth(b), turns, 2.0),
        "public.mean_multi_turn_conversation_score": (scores[0], scores[1], ones, 2.0),
    }
    return _paired(sides, a.cluster)["public"]


def _paired(
    sides: Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray, float]], cluster: np.ndarray | None
) -> dict[str, dict[str, Difference]]:
    """`reading.figure` → per conversation A's and B's sums, what they are divided by, the scale's end."""
    intervals = ratio_intervals(
        {name: Ratio(other - one, bottom, -scale, scale) for name, (one, other, bottom, scale) in sides.items()},
        cluster=cluster,
    )
    found: dict[str, dict[str, Difference]] = {}
    for name, (top_a, top_b, bottom, _) in sides.items():
        reading, figure = name.split(".")
        of_a, of_b = float(top_a.sum() / bottom.sum()), float(top_b.sum() / bottom.sum())
        found.setdefault(reading, {})[figure] = Difference(of_a, of_b, of_b - of_a, intervals[name])
    return found


def _public_worth(table: Columns) -> np.ndarray:
    part = table.conversations
    return part.sums((2 * table.correct.astype(int) + table.miss - 1)[part.order])


def _mcnemar(a: np.ndarray, b: np.ndarray) -> dict[str, Any]:
    """McNemar's exact test: of the turns that only one run got right, is a split this uneven likely by chance?"""
    from scipy.stats import binomtest

    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    p = float(binomtest(only_a, only_a + only_b, 0.5).pvalue) if only_a + only_b else 1.0
    return {"both": int((a & b).sum()), "neither": int((~a & ~b).sum()), "only_a_correct": only_a,
            "only_b_correct": only_b, "p": p}  # fmt: skip


def _summary(name: str, main: Difference, tied: bool) -> str:
    interval = f"{main.difference:+.3f} [{main.interval.low:+.3f}, {main.interval.high:+.3f}]"
    if tied:
        return f"tied: the difference in {name}, {interval}, may be chance"
    return f"{'B' if main.difference > 0 else 'A'} is ahead: the difference in {name} is {interval}"


def _flipped(
    a: JudgedRun,
    b: JudgedRun,
    lines_a: Sequence[Mapping[str, Any]],
    lines_b: Sequence[Mapping[str, Any]],
    table_a: Columns,
    table_b: Columns,
) -> list[dict[str, Any]]:
    """Turns whose verdict changed, both answers side by side: the largest changes first, losses before wins."""
    names = {worth: name for name, worth in metrics.WORTH.items()}
    change = table_b.values.astype(int) - table_a.values
    found = []
    for i in sorted(np.flatnonzero(change).tolist(), key=lambda i: (-abs(change[i]), change[i], i)):
        one, other = lines_a[i], lines_b[i]
        key = one["interaction_id"]
        found.append(
            {
                "interaction_id": key,
                "session_id": one["session_id"],
                "turn_idx": one["turn_idx"],
                "query": one["query"],
                "ground_truth": one["ground_truth"],
                "change": int(change[i]),
                "a": _answer(one, names[int(table_a.values[i])], a.why.get(key, "")),
                "b": _answer(other, names[int(table_b.values[i])], b.why.get(key, "")),
            }
        )
    return found


def _answer(line: Mapping[str, Any], counts_as: str, why: str) -> dict[str, Any]:
    return {"answer": line["agent_response"], "status": line["status"], "counts_as": counts_as, "why": why}


def _broken(*runs: JudgedRun) -> list[str]:
    """Runs in which so many turns failed that their difference says nothing about the agents."""
    told = []
    for run in runs:
        lines = with_truth(run.lines) or run.lines
        failed = sum(line.get("status") in FAILED for line in lines)
        if too_many_failed(failed, len(lines)):
            told.append(f"{failed:,} of {len(lines):,} turns of {run.name} failed")
    return told


#: Settings as the form for a run calls them.
_CALLED = {"budget": "time limit per turn, s", "give": "answer key", "degrade": "degradation", "risk": "risk allowed"}
#: What is compared by other means, or tells nothing of how answers came about.
_SAME_ANYWAY = ("data", "index")


def differs(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[list[str]]:
    """What was set otherwise in two runs, by their `run.json`: [what, A's, B's], "–" where it was not set."""
    one, other = (_settings(info) for info in (a, b))
    names = [name for name in dict.fromkeys([*one, *other]) if one.get(name) != other.get(name)]
    return [[_CALLED.get(name, name.replace("_", " ")), one.get(name, "–"), other.get(name, "–")] for name in names]


def _settings(info: Mapping[str, Any]) -> dict[str, str]:
    """Options of a run as words, nested ones by their path; what was not set is left out."""
    told: dict[str, str] = {"data": str((info.get("data") or {}).get("name") or "")}
    for name, value in (info.get("options") or {}).items():
        parts = {f"{name} {key}": v for key, v in value.items()} if isinstance(value, Mapping) else {name: value}
        for part, said in parts.items():
            if name not in _SAME_ANYWAY and said not in (None, "", [], {}):
                told[part] = ", ".join(map(str, said)) if isinstance(said, list) else str(said)
    versions = info.get("versions") or {}
    if versions.get("vitrine"):
        told["version"] = str(versions["vitrine"])
    return told


def _named(run: JudgedRun) -> dict[str, Any]:
    options = run.info.get("options") or {}
    return {
        "name": run.name,
        "path": str(run.path),
        "agent": options.get("agent"),
        "pipeline": options.get("pipeline"),
        "n": len(run.lines),
    }


def _side_notes(run: JudgedRun, common: int) -> list[str]:
    """What must be known of one run, whatever it is compared by."""
    notes = [*run.left_out]
    if run.info.get("state") != "finished":
        notes.append(f"{run.name} is not finished ({run.info.get('state')})")
    if len(run.lines) > common:
        notes.append(
            f"{len(run.lines) - common} turns of {run.name} are not in the other run and are left out; "
            "a conversation that lost turns so is scored by what is left"
        )
    return notes


def _notes(
    a: JudgedRun, b: JudgedRun, table_a: Columns, table_b: Columns, common: int, without_truth: int
) -> list[str]:
    """What a reader must know before believing the figures."""
    notes = [said] if (said := without_truth_words(without_truth)) else []
    if any("averaged" in run.scores and run.scores.get("judge") == run.judge["judge"] for run in (a, b)):
        notes.append(f"two models judged, and what is compared is what one of them said: {a.judge_text}")
    by_scenario = ", in the figures by scenario not at all" if table_a.cluster is not None else ""
    for run, table in ((a, table_a), (b, table_b)):
        notes += _side_notes(run, common)
        if table.failed.any():
            notes.append(f"{int(table.failed.sum())} turns of {run.name} failed and count as missing")
        if table.unjudged.any():
            leaning = int(table.leaning.sum())
            open_ = int(table.unjudged.sum()) - leaning
            if leaning:
                notes.append(f"the judge is not sure of {leaning} turns of {run.name}: they count as it leans")
            if open_:
                notes.append(f"{open_} turns of {run.name} have no verdict and count as missing{by_scenario}")
    if a.judge.get("judge") == "imported":
        notes.append("the verdicts came with the answers: nothing says that one judge gave those of both runs")
    if (table_a.conversations.lengths > 1).any():
        notes.append(
            "conversations have several turns: McNemar's test takes them for independent, the interval does not"
        )
    return notes
