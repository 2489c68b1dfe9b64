"""Own runs beside a benchmark's published rows, for every benchmark whose figures are its own (`eval.benchmarks`).

CRAG-MM, whose rows are told apart by set and whose intervals are drawn from its conversations, has
`eval.reports.leaderboard`. Own runs stand above what was published and are never ranked among it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.benchmarks.base import Benchmark, Figure, interval_at, value_at
from eval.benchmarks.registry import benchmark_of
from eval.benchmarks.scenarios import DISTRACTORS
from eval.reports.leaderboard import kept_off


@dataclass(frozen=True)
class BoardRow:
    """One system: its figures by their keys, shares of one (or of -1 to 1 where a figure is signed). `imported`: its
    answers were made elsewhere."""

    own: bool
    part: str
    system: str
    setting: str
    data: str
    judge: str
    where: str
    figures: Mapping[str, float]
    intervals: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    n: int | None = None
    imported: bool = False


@dataclass(frozen=True)
class Board:
    """A benchmark's rows, own ones first, each kind by the headline; `off` are runs that stand nowhere, and why."""

    rows: tuple[BoardRow, ...]
    off: tuple[tuple[str, str], ...]

    def tables(self, figures: Sequence[Figure]) -> list[tuple[list[Figure], list[BoardRow]]]:
        """The rows in tables, each with its columns: rows of which the same of a benchmark's `figures` is the first
        that they have stand together, and what they have are the columns. An own run stands in every table that begins
        with a figure of its own.
        """
        heads = [next((one for one in figures if one.key in row.figures), None) for row in self.rows]
        found = []
        for head in (one for one in figures if one in heads):
            headed = [row for row, own in zip(self.rows, heads, strict=True) if own is head]
            columns = [one for one in figures if any(one.key in row.figures for row in headed)]
            rows = [row for row in self.rows if row in headed or (row.own and head.key in row.figures)]
            found.append((columns, rows))
        return found


def board(benchmark: Benchmark, runs: Iterable[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> Board:
    """The board of one benchmark.

    Args:
        benchmark: whose figures and published rows.
        runs: name, `run.json` and `scores.json` of finished runs; those of other benchmarks are passed over.
    """
    rows, off = list[BoardRow](), []
    for name, info, scores in runs:
        if benchmark_of(info).name != benchmark.name:
            continue
        n, failed = int(scores.get("n") or 0), int(scores.get("n_failed") or 0)
        if why := kept_off(info, failed, n):
            off.append((name, why))
            continue
        figures = {figure.key: value for figure in benchmark.figures if (value := figure.of(scores)) is not None}
        if not figures:
            off.append((name, f"it has none of the figures of {benchmark.title}: judge it first"))
            continue
        rows.append(_own(benchmark, name, info, scores, figures))
    rows += [
        BoardRow(False, row.part, row.system, row.setting, row.data, row.judge, row.where, row.figures)
        for row in benchmark.published()
    ]
    first = benchmark.headline
    best = 1.0 if first.better == "high" else -1.0
    order = sorted(rows, key=lambda row: (not row.own, row.part, -best * row.figures.get(first.key, -9.0 * best)))
    return Board(tuple(order), tuple(off))


def _own(
    benchmark: Benchmark,
    name: str,
    info: Mapping[str, Any],
    scores: Mapping[str, Any],
    figures: Mapping[str, float],
) -> BoardRow:
    options, data = info.get("options") or {}, info.get("data") or {}
    told = [options.get("pipeline"), options.get("strictness")]
    file = str((info.get("imported") or {}).get("file") or "")
    told += [f"task {options['task']}"] if options.get("task") else []
    counts = (options.get("handing") or {}).get("distractors") or [DISTRACTORS]
    told += [f"{', '.join(map(str, counts))} distractors"] if DISTRACTORS not in counts else []
    return BoardRow(
        True,
        "",
        file or str((options.get("chat") or {}).get("model") or options.get("agent") or "unknown"),
        ", ".join(str(one) for one in told if one),
        str(data.get("name") or ""),
        _judge_of(benchmark, scores),
        name,
        figures,
        {figure.key: ends for figure in benchmark.figures if (ends := interval_at(scores, figure.key)) is not None},
        int(scores.get("n") or 0),
        bool(file),
    )


def _judge_of(benchmark: Benchmark, scores: Mapping[str, Any]) -> str:
    """Whose verdicts the figures are of; both models where they are the mean of two."""
    if value_at(scores, f"{benchmark.name}.n_judges") == 2:
        return ", ".join(scores.get("judges") or ())
    return str(scores.get("judge_model") or scores.get("judge") or "")
