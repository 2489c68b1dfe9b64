"""The views of VLM-DeflectionBench's paper over own runs and its published rows: scenarios (Table 4), modalities (Table
5), strictness (Table 6), and the curve over the number of distractors (Figure 3).

Own rows are of one run each, or of runs of one system that differ in what the view shows; they stand above the
published ones and are not ranked among them: other data, other gates and another judge make them no rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from assistant.core.types import Strictness
from eval.benchmarks.deflection import SHARES, PublishedCell, published_cells
from eval.benchmarks.scenarios import DISTRACTORS, SCENARIOS

STRICTNESS: tuple[str, ...] = get_args(Strictness)
NO_STRICTNESS = "none to set"


@dataclass(frozen=True)
class Share:
    """One cell of a view: the three shares with their 95 % intervals, of `n` turns; published ones have neither."""

    shares: Mapping[str, float | None]
    intervals: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    n: int | None = None


@dataclass(frozen=True)
class ViewRow:
    """One row: whose it is, where it was measured, its cells by the view's columns."""

    system: str
    setting: str
    where: str
    own: bool
    cells: dict[Any, Share]


@dataclass(frozen=True)
class Curve:
    """One run's shares over the number of distractors, in one scenario."""

    system: str
    where: str
    scenario: str
    points: tuple[tuple[int, Share], ...]


@dataclass(frozen=True)
class Views:
    """All four. Columns: scenarios; pairs of modalities (gold, distractors); pairs of strictness and scenario."""

    scenarios: tuple[ViewRow, ...]
    modalities: tuple[ViewRow, ...]
    strictness: tuple[ViewRow, ...]
    curves: tuple[Curve, ...]

    @property
    def own(self) -> bool:
        """Whether any run of one's own is among them."""
        return any(row.own for row in (*self.scenarios, *self.modalities)) or bool(self.curves)


def views(runs: Iterable[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> Views:
    """The views of finished runs.

    Args:
        runs: name, `run.json` and `scores.json` of each; those that were not run by scenario are passed over.
    """
    found = [_Run(name, info, scores) for name, info, scores in runs if (scores.get("deflection") or {}).get("cells")]
    cells = published_cells()
    return Views(
        (*_scenarios(found), *_published(cells, "4", lambda cell: cell.scenario)),
        (*_modalities(found), *_published(cells, "5", lambda cell: (cell.positives, cell.negatives))),
        (*_strictness(found), *_published(cells, "6", lambda cell: (cell.strictness, cell.scenario))),
        tuple(curve for run in found for curve in run.curves()),
    )


class _Run:
    """What the views need of one run."""

    def __init__(self, name: str, info: Mapping[str, Any], scores: Mapping[str, Any]) -> None:
        options = info.get("options") or {}
        self.name = name
        self.agent = str((options.get("chat") or {}).get("model") or options.get("agent") or "unknown")
        self.pipeline, self.data = str(options.get("pipeline") or ""), options.get("data")
        self.strictness = str(options.get("strictness") or NO_STRICTNESS)
        self.cells: Sequence[Mapping[str, Any]] = scores["deflection"]["cells"]

    def share(self, scenario: str, distractors: int | None = None, pair: tuple[str, str] | None = None) -> Share | None:
        """The cell of a scenario; its only one, else that of so many distractors."""
        wanted = [cell for cell in self.cells if cell["scenario"] == scenario]
        if pair is not None:
            wanted = [cell for cell in wanted if (cell.get("positives"), cell.get("negatives")) == pair]
        if distractors is not None and len(wanted) > 1:
            wanted = [cell for cell in wanted if cell.get("distractors") == distractors]
        return _share(wanted[0]) if wanted else None

    def curves(self) -> Iterable[Curve]:
        for scenario in SCENARIOS:
            points = {c["distractors"]: _share(c) for c in self.cells if c["scenario"] == scenario and _counted(c)}
            if len(points) > 1:
                yield Curve(self.agent, self.name, scenario, tuple(sorted(points.items(), key=lambda p: p[0])))


def _counted(cell: Mapping[str, Any]) -> bool:
    return isinstance(cell.get("distractors"), int)


def _share(cell: Mapping[str, Any]) -> Share:
    return Share({name: cell.get(name) for name in SHARES.values()}, cell.get("intervals") or {}, cell.get("n"))


def _scenarios(runs: Sequence[_Run]) -> list[ViewRow]:
    rows = []
    for run in runs:
        cells = {name: share for name in SCENARIOS if (share := run.share(name, DISTRACTORS)) is not None}
        rows.append(ViewRow(run.agent, f"{run.pipeline}, {run.strictness}".strip(", "), run.name, True, cells))
    return rows


def _modalities(runs: Sequence[_Run]) -> list[ViewRow]:
    """Runs under `realistic`, by what gold and distractors were; of one system a row."""
    rows: dict[tuple[Any, ...], ViewRow] = {}
    for run in runs:
        for cell in run.cells:
            pair = (cell.get("positives"), cell.get("negatives"))
            if cell["scenario"] == "realistic" and pair != ("both", "both"):
                row = _row(rows, run, (run.strictness,), f"{run.pipeline}, {run.strictness}")
                row.cells.setdefault(pair, _share(cell))
    return list(rows.values())


def _strictness(runs: Sequence[_Run]) -> list[ViewRow]:
    """Runs that tell a model how strictly to hold back, by that; of one system a row."""
    rows: dict[tuple[Any, ...], ViewRow] = {}
    for run in runs:
        for scenario in ("realistic", "adversarial"):
            share = run.share(scenario, DISTRACTORS)
            if share is not None and run.strictness in STRICTNESS:
                row = _row(rows, run, (), run.pipeline)
                row.cells[run.strictness, scenario] = share
    return list(rows.values())


def _row(rows: dict[tuple[Any, ...], ViewRow], run: _Run, more: tuple[Any, ...], setting: str) -> ViewRow:
    key = (run.agent, run.pipeline, run.data, *more)
    return rows.setdefault(key, ViewRow(run.agent, setting.strip(", "), run.name, True, {}))


def _published(cells: Sequence[PublishedCell], table: str, column: Any) -> list[ViewRow]:
    rows: dict[str, dict[Any, Share]] = {}
    gates = {cell.system for cell in cells if cell.gate}
    for cell in cells:
        if cell.table == table:
            rows.setdefault(cell.system, {})[column(cell)] = Share(cell.shares)
    return [
        ViewRow(system, "a gate of the curation" if system in gates else "", f"Table {table}", False, found)
        for system, found in rows.items()
    ]
