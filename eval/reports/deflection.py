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
from eval.benchmarks.base import figure_at
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
    found = [_Run(name, info, cells) for name, info, scores in runs if (cells := _cells(scores))]
    paper = published_cells()
    return Views(
        (*_scenarios(found), *_published(paper, "4", lambda cell: cell.scenario)),
        (*_modalities(found), *_published(paper, "5", lambda cell: (cell.positives, cell.negatives))),
        (*_strictness(found), *_published(paper, "6", lambda cell: (cell.strictness, cell.scenario))),
        tuple(curve for run in found for curve in run.curves()),
    )


def _cells(scores: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cells of a run's scores; none of scores that another version or a hand wrote in another shape."""
    found = _mapping(scores.get("deflection")).get("cells")
    return [cell for cell in found if _mapping(cell).get("scenario") in SCENARIOS] if isinstance(found, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


class _Run:
    """What the views need of one run."""

    def __init__(self, name: str, info: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> None:
        options = _mapping(info.get("options"))
        self.name = name
        self.agent = str(_mapping(options.get("chat")).get("model") or options.get("agent") or "unknown")
        self.pipeline, self.data = str(options.get("pipeline") or ""), str(options.get("data"))
        self.strictness = str(options.get("strictness") or NO_STRICTNESS)
        self.cells = cells

    @property
    def unusual(self) -> list[str]:
        """What was handed over otherwise than in the paper's main table."""
        counts = sorted({c["distractors"] for c in self.cells if _counted(c)})
        told = [] if not counts or DISTRACTORS in counts else [f"{', '.join(map(str, counts))} distractors"]
        for key, what in (("positives", "gold"), ("negatives", "distractors")):
            found = {str(c[key]) for c in self.cells if c.get(key) not in (None, "both")}
            told += [f"{what}: {', '.join(sorted(found))}"] if found else []
        return told

    def share(self, scenario: str) -> Share | None:
        """The cell of a scenario; its only one, else that of as many distractors as in the paper."""
        wanted = [cell for cell in self.cells if cell["scenario"] == scenario]
        if len(wanted) > 1:
            wanted = [cell for cell in wanted if cell.get("distractors") == DISTRACTORS]
        return _share(wanted[0]) if wanted else None

    def curves(self) -> Iterable[Curve]:
        for scenario in SCENARIOS:
            points = {c["distractors"]: _share(c) for c in self.cells if c["scenario"] == scenario and _counted(c)}
            if len(points) > 1:
                yield Curve(self.agent, self.name, scenario, tuple(sorted(points.items(), key=lambda p: p[0])))


def _counted(cell: Mapping[str, Any]) -> bool:
    return isinstance(cell.get("distractors"), int) and not isinstance(cell["distractors"], bool)


def _share(cell: Mapping[str, Any]) -> Share:
    shares = {name: figure_at(cell, name) for name in SHARES.values()}
    n = cell.get("n")
    return Share(shares, _mapping(cell.get("intervals")), n if isinstance(n, int) else None)


def _scenarios(runs: Sequence[_Run]) -> list[ViewRow]:
    rows = []
    for run in runs:
        cells = {name: share for name in SCENARIOS if (share := run.share(name)) is not None}
        setting = ", ".join(filter(None, (run.pipeline, run.strictness, *run.unusual)))
        rows.append(ViewRow(run.agent, setting, run.name, True, cells))
    return rows


def _modalities(runs: Sequence[_Run]) -> list[ViewRow]:
    """Runs under `realistic`, by what gold and distractors were; of one system a row."""
    rows: dict[tuple[Any, ...], ViewRow] = {}
    for run in runs:
        pairs = {(str(c.get("positives")), str(c.get("negatives"))) for c in run.cells if c["scenario"] == "realistic"}
        share = run.share("realistic")
        if share is not None and len(pairs) == 1 and pairs != {("both", "both")}:
            row = _row(rows, run, (run.strictness,), f"{run.pipeline}, {run.strictness}")
            row.cells.setdefault(pairs.pop(), share)
    return list(rows.values())


def _strictness(runs: Sequence[_Run]) -> list[ViewRow]:
    """Runs that tell a model how strictly to hold back, by that; of one system a row."""
    rows: dict[tuple[Any, ...], ViewRow] = {}
    for run in runs:
        for scenario in ("realistic", "adversarial"):
            share = run.share(scenario)
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
