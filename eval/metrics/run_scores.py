"""The figures of one run, computed from its turns and their verdicts: every reading, intervals, bounds, slices.

Works on columns, so that 100,000 turns take seconds. What a world's gold adds (slices, retrieval, attribution) comes in
as arguments; nothing here opens a file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.data.gold import GoldTurn
from eval.data.samples import FAILED, session_in_data
from eval.data.truths import with_truth
from eval.metrics import public as metrics
from eval.metrics.bounds import reading_bounds
from eval.metrics.figures import numbered
from eval.metrics.intervals import METHODS, Interval, Ratio, ratio_intervals, share_of_sums, wilson
from eval.metrics.public import WORTH, Conversations, Flags, Reading, Stopped, Verdict
from eval.metrics.slices import slices

READINGS: tuple[Reading, ...] = ("paper", "readme")
_RATES = ("accuracy", "missing", "hallucination_rate")


@dataclass(frozen=True, eq=False)
class Columns:
    """A run as columns (n,), in the order of its lines: what each turn counts as and what the public rule says.

    `cluster` says which conversations (c,) ask the same of the data under several scenarios; None where none do.
    """

    conversations: Conversations
    values: np.ndarray
    failed: np.ndarray
    unjudged: np.ndarray
    leaning: np.ndarray
    exact: np.ndarray
    correct: np.ndarray
    miss: np.ndarray
    ego: np.ndarray
    cluster: np.ndarray | None = None

    @property
    def drawn_with(self) -> np.ndarray:
        """Which conversation, or cluster of them, each turn belongs to, in the order of the lines."""
        found = np.empty(len(self.values), np.int64)
        of_row = self.conversations.of_row
        found[self.conversations.order] = of_row if self.cluster is None else self.cluster[of_row]
        return found


def columns(
    lines: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, Verdict | None],
    leanings: Mapping[str, Verdict] | None = None,
) -> Columns:
    """A run's lines and verdicts as columns; where a judge was not sure, the turn counts as what it leans to."""
    failed = np.array([line["status"] in FAILED for line in lines], bool)
    keys = [line["interaction_id"] for line in lines]
    told = [verdicts.get(key) for key in keys]
    counted = [v or (leanings or {}).get(key) for v, key in zip(told, keys, strict=True)]
    given = [None if f else v for v, f in zip(counted, failed, strict=True)]
    flags = [_public(line, verdict) for line, verdict in zip(lines, counted, strict=True)]
    conversations = _conversations(lines)
    return Columns(
        conversations=conversations,
        values=np.array([0 if v is None else WORTH[v] for v in given], np.int8),
        failed=failed,
        unjudged=np.array([v is None for v in told], bool) & ~failed,
        leaning=np.array([v is None and c is not None for v, c in zip(told, counted, strict=True)], bool) & ~failed,
        exact=np.array([f.is_exact_match for f in flags], bool),
        correct=np.array([f.is_correct for f in flags], bool),
        miss=np.array([f.is_miss for f in flags], bool),
        ego=np.array([line.get("is_ego_public", line["is_ego"]) == True for line in lines], bool),  # noqa: E712
        cluster=clusters(lines, conversations),
    )


def clusters(lines: Sequence[Mapping[str, Any]], conversations: Conversations) -> np.ndarray | None:
    """Which conversation of the data each of a run's asks (c,): under several scenarios one is asked several times.
    None where each asks its own.
    """
    names = [session_in_data(lines[int(row)]) for row in conversations.order[conversations.starts]]
    codes, n = numbered(names)
    return None if n == len(names) else codes


def run_scores(
    lines: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, Verdict | None],
    gold: Mapping[str, GoldTurn],
    *,
    grades: Mapping[str, str] | None = None,
    labels: Mapping[str, Mapping[str, Any]] | None = None,
    own: Sequence[str] = (),
    leanings: Mapping[str, Verdict] | None = None,
) -> dict[str, Any]:
    """All readings of a run: `public`, `paper`, `readme`, `slices`, and how many turns they rest on.

    Under `public` a failed turn is an empty answer and scored as the public evaluator does; in the other readings it is
    missing. A row with an empty `image_url` is egocentric, only not under `public`, whose evaluator asks for None.
    Slices count single turns (no conversation rule); a conversation's domain is its first turn's. Turns without a
    ground truth count in no reading but the public one (`eval.data.truths`); they are in `n`, and `n_without_truth`
    says how many.

    Args:
        lines: the turns (see `eval.runs.turn_record`).
        verdicts: interaction id → verdict, None where the judge could not tell.
        gold: interaction id → gold turn, {} where gold stays closed.
        grades: interaction id → CRAG's grade, from judges that give them.
        labels: interaction id → further labels to slice by, such as whether the gold passage was retrieved.
        own: those of the turns' own `labels` that are sliced by.
        leanings: interaction id → what a judge leans to that gave no verdict: counted, and the bounds hold the rest.
    """
    whole, told = columns(lines, verdicts, leanings), with_truth(lines)
    table = whole if len(told) == len(lines) else columns(told, verdicts, leanings)
    stops = {rule: metrics.stopped(table.conversations, table.values, rule) for rule in READINGS}
    counts = {"n_failed": int(table.failed.sum()), "n_unjudged": int(table.unjudged.sum())}
    leaning = {"n_leaning": int(table.leaning.sum())} if table.leaning.any() else {}
    times = sorted(line["ms"] for line in lines if line.get("ms") is not None)
    bounds = {rule: reading_bounds(table.conversations, table.values, table.unjudged, rule) for rule in READINGS}
    return {
        "public": {"all": _finite(public_part(whole, lines)), "ego": _finite(public_part(whole, lines, ego=True))},
        **{rule: {**metrics.reading_figures(stops[rule]), **counts} for rule in READINGS},
        "intervals": _intervals(table, stops, whole, lines),
        "methods": METHODS,
        **({"bounds": {rule: _pairs(found) for rule, found in bounds.items()}} if table.unjudged.any() else {}),
        **({"crag": metrics.crag_scores(grades.values())} if grades else {}),
        "slices": slices(table.values, table.drawn_with, _labels(told, gold, labels or {}, own)),
        "n": len(lines),
        "n_without_truth": len(lines) - len(told),
        "n_conversations": len(table.conversations.starts),
        **counts,
        **leaning,
        "public_counts_as_hallucination": refusals_called_wrong(told, table),
        "statuses": dict(Counter(line["status"] for line in lines).most_common()),
        "median_ms": times[len(times) // 2] if times else None,
    }


def public_part(table: Columns, lines: Sequence[Mapping[str, Any]], *, ego: bool = False) -> dict[str, float]:
    """The public figures of all turns, or of the egocentric ones alone."""
    if not ego:
        return metrics.public_figures(table.conversations, table.exact, table.correct, table.miss)
    keep = np.flatnonzero(table.ego)
    return metrics.public_figures(
        _conversations([lines[int(i)] for i in keep]), table.exact[keep], table.correct[keep], table.miss[keep]
    )


def refusals_called_wrong(lines: Sequence[Mapping[str, Any]], table: Columns) -> dict[str, int]:
    """Turns that are missing in our readings and hallucinations in the public one: `refusals` in words that its phrase
    rule does not know, and `empty` answers, failed turns among them."""
    called = (table.values == 0) & (~table.unjudged | table.leaning) & ~table.correct & ~table.miss
    empty = sum(not lines[int(i)]["agent_response"].strip() for i in np.flatnonzero(called))
    return {"refusals": int(called.sum()) - empty, "empty": empty}


def _public(line: Mapping[str, Any], verdict: Verdict | None) -> Flags:
    return metrics.public_flags(
        line["agent_response"], line["ground_truth"], None if verdict is None else verdict == "correct"
    )


def _conversations(lines: Sequence[Mapping[str, Any]]) -> Conversations:
    return Conversations.of([line["session_id"] for line in lines], [line["turn_idx"] for line in lines])


def _intervals(
    table: Columns, stops: Mapping[Reading, Stopped], whole: Columns, lines: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Of the readings over `table`, the turns with a ground truth, and of the public one over all `lines`."""
    result = _reading_intervals(table, stops) if len(table.values) else {}
    if not len(whole.values):
        return result
    result["public"] = {"all": _json(_public_intervals(whole.conversations, whole.correct, whole.miss, whole.cluster))}
    keep = np.flatnonzero(whole.ego)
    if len(keep):
        rows = [lines[int(i)] for i in keep]
        part, correct, miss = _conversations(rows), whole.correct[keep], whole.miss[keep]
        result["public"]["ego"] = _json(_public_intervals(part, correct, miss, clusters(rows, part)))
    return result


def _reading_intervals(table: Columns, stops: Mapping[Reading, Stopped]) -> dict[str, Any]:
    values = table.values[table.conversations.order]
    cluster = table.cluster
    rates = _rates(table.conversations, {n: values == w for n, w in zip(_RATES, (1, 0, -1), strict=True)}, cluster)
    ratios: dict[str, Ratio] = {}
    for rule, found in stops.items():
        ones, longest = np.ones(len(found.lengths)), float(found.lengths.max())
        ratios[f"{rule}.truthfulness"] = Ratio(found.means, ones, -1.0, 1.0)
        ratios[f"{rule}.grand_mean"] = Ratio(found.points, found.lengths, -1.0, 1.0)
        ratios[f"{rule}.successful_turns"] = Ratio(found.successful, ones, 0.0, longest)
    drawn = ratio_intervals(ratios, cluster=cluster)
    result: dict[str, Any] = {}
    for rule, found in stops.items():
        of_rule = {n.removeprefix(f"{rule}."): i for n, i in drawn.items() if n.startswith(f"{rule}.")}
        early = wilson(float(found.early.mean()), len(found.early))
        if cluster is not None:
            early = share_of_sums(found.early.astype(float), np.ones(len(found.early)), cluster)[1]
        result[rule] = _json({**of_rule, **rates, "early_stop": early})
    return result


def _public_ratios(part: Conversations, correct: np.ndarray, miss: np.ndarray) -> dict[str, Ratio]:
    worth = part.sums(2 * correct[part.order].astype(int) + miss[part.order]) - part.lengths
    each = metrics.public_conversation_scores(part, correct, miss)
    return {
        "public.truthfulness_score": Ratio(worth, part.lengths, -1.0, 1.0),
        "public.mean_multi_turn_conversation_score": Ratio(each, np.ones(len(each)), -1.0, 1.0),
    }


def _public_intervals(
    part: Conversations, correct: np.ndarray, miss: np.ndarray, cluster: np.ndarray | None
) -> dict[str, Interval]:
    drawn = ratio_intervals(_public_ratios(part, correct, miss), cluster=cluster)
    right, missed = correct[part.order], miss[part.order]
    rates = _rates(part, {"accuracy": right, "missing": missed, "hallucination_rate": ~right & ~missed}, cluster)
    return {**rates, **{n.removeprefix("public."): i for n, i in drawn.items() if n.startswith("public.")}}


def _rates(part: Conversations, hits: Mapping[str, np.ndarray], cluster: np.ndarray | None) -> dict[str, Interval]:
    """Wilson intervals of shares of turns; `hits` are in the order of the sorted rows."""
    turns = part.lengths.astype(float)
    return {name: share_of_sums(part.sums(hit).astype(float), turns, cluster)[1] for name, hit in hits.items()}


def _labels(
    lines: Sequence[Mapping[str, Any]],
    gold: Mapping[str, GoldTurn],
    more: Mapping[str, Mapping[str, Any]],
    own: Sequence[str],
) -> dict[str, list[Any]]:
    """Label → its value on each turn: the usual ones, the world's, `more`, and `own`, those of the turns' benchmark. A
    conversation's domain is its first turn's.
    """
    first: dict[str, Mapping[str, Any]] = {}
    for line in lines:
        if line["turn_idx"] < first.setdefault(line["session_id"], line)["turn_idx"]:
            first[line["session_id"]] = line
    found: dict[str, list[Any]] = {
        "domain": [first[line["session_id"]].get("domain") for line in lines],
        "type": [line.get("query_category") for line in lines],
        "dynamism": [line.get("dynamism") for line in lines],
        "image_quality": [line.get("image_quality") for line in lines],
        "ego": [line.get("is_ego") for line in lines],
        "set": [line.get("set") for line in lines],
        "turn": [line["turn_idx"] for line in lines],
    }
    turns = [gold.get(line["interaction_id"]) for line in lines]
    names = dict.fromkeys(name for turn in turns if turn is not None for name in turn.labels)
    for name in names:
        found[name] = [None if turn is None else turn.labels.get(name) for turn in turns]
    if names:
        found["answer_kind"] = [turn.answer.kind if turn and turn.answer else None for turn in turns]
    for name in dict.fromkeys(name for labels in more.values() for name in labels):
        found[name] = [more.get(line["interaction_id"], {}).get(name) for line in lines]
    for name in own:
        found.setdefault(name, [(line.get("labels") or {}).get(name) for line in lines])
    return found


def _json(intervals: Mapping[str, Interval]) -> dict[str, Any]:
    return {name: interval.json() for name, interval in intervals.items()}


def _pairs(bounds: Mapping[str, tuple[float, float]]) -> dict[str, list[float]]:
    return {name: list(pair) for name, pair in bounds.items()}


def _finite(scores: Mapping[str, float]) -> dict[str, float | None]:
    """NaN (no turns) as null: `scores.json` is strict JSON."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}
