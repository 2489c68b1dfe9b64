"""Own runs beside the published systems of CRAG-MM, each row marked `measured here`, `imported` or `published`.

The published rows (`assets/published/crag_mm.csv`: Tables 5, 8 and 9 of arXiv 2510.26160) are in percent, on the public
test set, judged by GPT-4o, but for the winning team (private test set); industry systems used their own search. The
paper calls its groups not fully comparable, and a run here is comparable with none of them unless data, split and
judge agree: all three stand in every row, and own runs are listed apart, above the published ones, never ranked among
them. Imported rows are runs whose answers were made elsewhere: nobody here saw how.

Columns have different readings, and each is filled under its own. Single-turn: all columns are of all turns.
Multi-turn: accuracy, missing and hallucination are of all turns, truthfulness and early stop are of the stopped
conversations (the paper's reading). A run over both sets gives one row for each.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from eval.benchmarks.base import PublishedRow
from eval.benchmarks.cragmm import CRAGMM
from eval.benchmarks.registry import benchmark_of
from eval.data.samples import FAILED
from eval.data.truths import with_truth
from eval.metrics.run_scores import run_scores
from eval.reports.headline import headline
from eval.reports.loaded_run import JudgedRun
from eval.runs.about import read_about

Source = Literal["measured here", "imported", "published"]

#: What each column of a set is a figure of.
READINGS = {
    "single-turn": "all columns: all turns",
    "multi-turn": "accuracy, missing, hallucination: all turns; truthfulness, early stop: stopped conversations",
}
#: Of a run's turns; above it the run is named as broken and stands on no leaderboard.
MOST_FAILED = 0.05
GENERATED = ", generated worlds"
_SETS = {"single": "single-turn", "multi": "multi-turn"}


@dataclass(frozen=True)
class Row:
    """One system on one set; figures are shares (0.25 is 25 %), None where there is none.

    `low` and `high` are the 95 % interval of truthfulness, of own runs only. `where` is the table or the run folder.
    `generated`: the data are a generated world, which is never ranked among real benchmarks.
    """

    source: Source
    set: str
    system: str
    setting: str
    data: str
    split: str
    judge: str
    accuracy: float | None
    missing: float | None
    hallucination: float | None
    truthfulness: float | None
    early_stop: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    n_failed: int | None = None
    where: str = ""
    generated: bool = False

    def json(self) -> dict[str, Any]:
        return asdict(self)


def published_rows() -> list[Row]:
    """The published systems, each once a set and setting.

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    return [_published(row) for row in CRAGMM.published()]


def _published(row: PublishedRow) -> Row:
    data, _, split = row.data.partition(", ")
    reading = {key.removeprefix("paper."): value for key, value in row.figures.items()}
    return Row(
        source="published",
        set=row.part,
        system=row.system,
        setting=row.setting,
        data=data,
        split=split,
        judge=row.judge,
        accuracy=reading.get("accuracy"),
        missing=reading.get("missing"),
        hallucination=reading.get("hallucination_rate"),
        truthfulness=reading.get("truthfulness"),
        early_stop=reading.get("early_stop"),
        where=row.where,
    )


def measured_rows(run: JudgedRun) -> list[Row]:
    """A run's rows: one for each set it has turns of. Turns that name no set go by the length of their conversation."""
    options, data = run.info.get("options") or {}, run.info.get("data") or {}
    imported = str((run.info.get("imported") or {}).get("file") or "")
    rows = []
    for kind, lines in _by_set(run.lines).items():
        scores = run_scores(lines, run.verdicts, {}, leanings=run.leanings)
        reading, main = scores["paper"], headline(scores, {})
        splits = {str(line.get("split") or "") for line in lines} - {""}
        rows.append(
            Row(
                source="imported" if imported else "measured here",
                set=kind,
                system=(imported and (read_about(run.path).name or imported)) or str(options.get("agent") or "unknown"),
                setting=_setting(options),
                data=str(data.get("name") or ""),
                split=", ".join(sorted(splits)) or str(options.get("split") or ""),
                judge=run.judge_text,
                accuracy=reading["accuracy"],
                missing=reading["missing"],
                hallucination=reading["hallucination_rate"],
                truthfulness=main.value,
                early_stop=reading["early_stop"] if kind == "multi-turn" else None,
                low=main.low,
                high=main.high,
                n=len(lines),
                n_failed=scores["n_failed"],
                where=run.name,
                generated=bool(data.get("world")),
            )
        )
    return rows


def _by_set(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        kind = _SETS.get(str(line.get("set")))
        if kind is None:
            kind = "multi-turn" if (line.get("total_turn_count") or 1) > 1 else "single-turn"
        found.setdefault(kind, []).append(line)
    return found


def _setting(options: Mapping[str, Any]) -> str:
    parts = [str(options.get("pipeline") or "")]
    if options.get("task"):
        parts.append(f"task {options['task']}")
    if options.get("give"):
        parts.append(f"given the answer key: {options['give']}")
    return ", ".join(part for part in parts if part)


def elsewhere(info: Mapping[str, Any]) -> str:
    """Where the board of a run of another benchmark is, in one clause; "" for one of CRAG-MM."""
    own = benchmark_of(info)
    return "" if own is CRAGMM else f"it is of {own.title}: see Overview, or --benchmark {own.name}"


def kept_off(info: Mapping[str, Any], n_failed: int, n: int) -> str:
    """Why a run stands on no leaderboard, in one clause; "" where it may.

    Args:
        info: its `run.json`.
        n_failed: of its turns, those that failed.
        n: its turns.
    """
    options = info.get("options") or {}
    if options.get("give"):
        return f"it was handed the answer key: {options['give']}"
    if options.get("handing") and (info.get("benchmark") or "cragmm") == "cragmm":
        return "its evidence was handed over by scenario"
    if too_many_failed(n_failed, n):
        return f"{n_failed:,} of {n:,} turns failed, more than {100 * MOST_FAILED:.0f} %"
    lacking = int((info.get("imported") or {}).get("n_not_answered") or 0)
    if too_many_failed(lacking, n + lacking):
        return f"its file has no answer to {lacking:,} of {n + lacking:,} turns, more than {100 * MOST_FAILED:.0f} %"
    return ""


def too_many_failed(n_failed: int, n: int) -> bool:
    """Whether a run's figures say more about what broke than about the agent."""
    return n_failed > MOST_FAILED * max(n, 1)


def leaderboard(runs: Iterable[JudgedRun], published: Iterable[Row]) -> dict[str, Any]:
    """Both kinds of rows by set: own runs, then the published rows, each with the highest truthfulness first. Runs over
    generated worlds stand in parts of their own, and some stand nowhere (`kept_off`, `elsewhere`).

    Returns:
        `{"single-turn"|"multi-turn"[, generated worlds]: {"set", "reading": what the columns are of, "headline":
        {"name", "short", "explanation"}, "rows": [...]}, "notes": [...], "off": [[run, why], ...]}`.
    """
    rows, off = list(published), []
    for run in runs:
        failed = sum(line.get("status") in FAILED for line in with_truth(run.lines))
        if why := elsewhere(run.info) or kept_off(run.info, failed, len(run.lines)):
            off.append([run.name, why])
        else:
            rows += measured_rows(run)
    found: dict[str, Any] = {}
    main = headline({}, {})
    column = {"name": main.name, "short": main.short, "explanation": main.explanation}
    for kind, generated in itertools.product(READINGS, (False, True)):
        part = [row for row in rows if (row.set, row.generated) == (kind, generated)]
        if part or not generated:
            found[f"{kind}{GENERATED if generated else ''}"] = {
                "set": kind,
                "reading": READINGS[kind],
                "headline": column,
                "rows": [row.json() for row in sorted(part, key=_order)],
            }
    found["notes"], found["off"] = _notes(rows), off
    return found


def _order(row: Row) -> tuple[bool, float, str]:
    return (row.source == "published", -(row.truthfulness if row.truthfulness is not None else -2.0), row.system)


def _notes(rows: Iterable[Row]) -> list[str]:
    notes = [
        "Published rows were judged by GPT-4o on CRAG-MM; what was measured here on other data, another split or by "
        "another judge does not say who is better.",
    ]
    if any(row.setting == "industry" for row in rows):
        notes.append("Industry systems used their own search, the winning team was scored on the private test set.")
    if any(row.source == "imported" for row in rows):
        notes.append(
            "Imported rows: the answers were made elsewhere, and so were the verdicts where the judge says so."
        )
    if any(row.n_failed for row in rows):
        notes.append("Failed turns count as missing.")
    return notes
