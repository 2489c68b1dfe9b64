"""The views of VLM-DeflectionBench as HTML: scenarios, modalities, strictness, and curves over the distractors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.benchmarks.scenarios import MODALITIES, MOST_DISTRACTORS, SCENARIOS
from eval.reports.deflection import STRICTNESS, Curve, Share, ViewRow, Views
from eval.ui.state.figures import share, share_span, stack

_GIVEN = {
    "parametric": "nothing handed over",
    "oracle": "gold alone",
    "realistic": "gold and distractors",
    "adversarial": "distractors alone",
}
_WORDS = {"both": "text and pictures", "text": "text", "picture": "pictures"}
#: The chart's box, and where its plane stands in it.
_WIDTH, _HEIGHT, _LEFT, _TOP, _FLOOR = 360, 190, 40, 12, 158
_LINES = {"accuracy": "right", "deflection": "missing", "hallucination": "wrong"}


def render_views(found: Views) -> str:
    """All views, each folded but the first."""
    pairs = [(gold, other) for gold in ("text", "picture", "both") for other in MODALITIES]
    pairs = [pair for pair in pairs if any(pair in row.cells for row in found.modalities)]
    levels = [(level, name) for level in STRICTNESS for name in ("realistic", "adversarial")]
    levels = [pair for pair in levels if any(pair in row.cells for row in found.strictness)]
    none = "" if found.own else f'<p class="v-quiet">{_NONE}</p>'
    parts = [
        _view("By scenario", found.scenarios, SCENARIOS, lambda name: (str(name), _GIVEN[str(name)]), opened=True),
        _view("By strictness and scenario", found.strictness, levels, lambda pair: (pair[0], pair[1])),
        _view("By modality, realistic", found.modalities, pairs, _of_modalities),
        _curves(found.curves),
    ]
    return f'<section class="b-views" aria-label="Views of VLM-DeflectionBench">{none}{"".join(parts)}</section>'


def _of_modalities(pair: tuple[str, str]) -> tuple[str, str]:
    return f"gold: {_WORDS[pair[0]]}", f"distractors: {_WORDS[pair[1]]}"


_NONE = (
    "No run by scenario here yet: make rows with python -m eval curate, then start a run on them with “Evidence from "
    "outside” under New run. What was published stands below."
)


def _view(
    title: str,
    rows: Sequence[ViewRow],
    columns: Sequence[Any],
    head: Callable[[Any], tuple[str, str]],
    *,
    opened: bool = False,
) -> str:
    if not rows or not columns:
        return ""
    heads = "".join(
        f'<th>{text(first)}<span class="b-range">{text(second)}</span></th>' for first, second in map(head, columns)
    )
    drawn = "".join(_row(row, columns) for row in rows)
    return (
        f'<details class="b-all" data-key="view-{text(title)}"{" open" if opened else ""}><summary>{text(title)}'
        f'</summary>{_KEY}<div class="b-scroll"><table class="b-board b-matrix"><thead><tr><th>system</th>{heads}</tr>'
        f"</thead><tbody>{drawn}</tbody></table></div></details>"
    )


_KEY = (
    '<p class="v-quiet b-stack-key"><span class="right">accuracy</span><span class="missing">deflection</span>'
    '<span class="wrong">hallucination</span> as shares of the turns; below them the 95 % interval of the first.</p>'
)


def _row(row: ViewRow, columns: Sequence[Any]) -> str:
    mark = '<span class="b-own">measured here</span>' if row.own else '<span class="b-pub">published</span>'
    cells = "".join(f"<td>{_cell(row.cells.get(column))}</td>" for column in columns)
    about = ", ".join(filter(None, (row.setting, row.where)))
    return (
        f"<tr{' class=b-own-row' if row.own else ''}><th scope='row'>{mark}{isolated(row.system, 60)}"
        f"<span class='b-range'>{isolated(about, 120)}</span></th>{cells}</tr>"
    )


def _cell(found: Share | None) -> str:
    if found is None or found.shares.get("accuracy") is None:
        return '<span class="v-quiet">–</span>'
    said = {name: float(found.shares.get(name) or 0.0) for name in _LINES}
    drawn = stack({_LINES[name]: value for name, value in said.items()})
    words = " · ".join(share(value) for value in said.values())
    interval = share_span(found.intervals.get("accuracy"))
    n = f"{found.n:,} turns" if found.n else ""
    under = ", ".join(filter(None, (interval, n)))
    return f'{words}{drawn}<span class="b-range">{text(under)}</span>'


def _curves(curves: Sequence[Curve]) -> str:
    """A small chart a run and scenario: three lines over the number of distractors."""
    if not curves:
        return ""
    charts = "".join(
        f'<figure class="b-curve">{_chart(one)}<figcaption class="v-quiet">{isolated(one.system, 60)}, '
        f"{text(one.scenario)}<span class='b-range'>{isolated(one.where, 100)}</span></figcaption></figure>"
        for one in curves
    )
    return (
        '<details class="b-all" data-key="view-curves" open><summary>Over the number of distractors</summary>'
        f'{_KEY}<div class="b-curves">{charts}</div></details>'
    )


def _chart(curve: Curve) -> str:
    top = max(MOST_DISTRACTORS, *(n for n, _ in curve.points))

    def x(n: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 12) * n / top

    def y(value: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * value

    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 12}" y1="{y(v):.1f}" y2="{y(v):.1f}"/>'
        f'<text class="axis" x="{_LEFT - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{100 * v:.0f}</text>'
        for v in (0.0, 0.5, 1.0)
    )
    ticks = "".join(
        f'<text class="axis" x="{x(n):.1f}" y="{_FLOOR + 18}" text-anchor="middle">{n}</text>' for n, _ in curve.points
    )
    lines = ""
    for name, kind in _LINES.items():
        known = [(n, float(value)) for n, found in curve.points if (value := found.shares.get(name)) is not None]
        places = " ".join(f"{x(n):.1f},{y(value):.1f}" for n, value in known)
        dots = "".join(f'<circle class="{kind}" cx="{x(n):.1f}" cy="{y(value):.1f}" r="3.5"/>' for n, value in known)
        lines += f'<polyline class="{kind}" points="{places}"/>{dots}'
    told = "; ".join(
        f"{n} distractors: " + ", ".join(f"{name} {share(found.shares.get(name))}" for name in _LINES)
        for n, found in curve.points
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{text(told)}">{grid}{ticks}{lines}'
        f'<text class="axis" x="{(_LEFT + _WIDTH) / 2:.0f}" y="{_HEIGHT - 2}" text-anchor="middle">distractors</text>'
        "</svg>"
    )
