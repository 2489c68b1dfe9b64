"""A run's oracle ladder as a small chart and a table, to stand beneath the button that climbs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.reports.ladder import RUNG_WORDS
from eval.ui.state.figures import points

#: The chart's box, and where its columns stand in it.
_WIDTH, _HEIGHT, _TOP, _LEFT = 320, 150, 18, 38
_FLOOR = _HEIGHT - 22
_SCALE = {-1.0: "−100", 0.0: "0", 1.0: "+100"}


def render_ladder(found: Mapping[str, Any] | None) -> str:
    """What `eval.reports.ladder.read_ladder` found; "" for none."""
    if found is None:
        return ""
    rungs = found["rungs"]
    rows = "".join(
        f"<tr><th scope='row'>{_name(rung)}</th><td>{rung['asked'] or ''}</td><td>{points(rung['truthfulness'])}</td>"
        f"<td>{points(rung['won']) if i else ''}</td></tr>"
        for i, rung in enumerate(rungs)
    )
    again, failed = found["n_asked_again"], found["n_failed_turns"]
    rest = " Failed turns that were not asked again keep their verdict." if again < failed else ""
    judge = f", judge {isolated(found['judge'], 80)}" if found.get("judge") else ""
    return (
        f'<figure class="b-ladder">{_chart(rungs)}<div class="b-scroll"><table><thead><tr><th>given</th><th>asked</th>'
        f"<th>truth</th><th>won</th></tr></thead><tbody>{rows}</tbody></table></div>"
        f'<figcaption class="v-quiet">{again:,} of {failed:,} failed turns asked again{judge}. Truth is truthfulness '
        f"over turns, without stops; {100 * found['left']:.1f} points are still missing after the last rung.{rest}"
        "</figcaption></figure>"
    )


def _name(rung: Mapping[str, Any]) -> str:
    return text(RUNG_WORDS.get(rung["given"], rung["given"]))


def _chart(rungs: Sequence[Mapping[str, Any]]) -> str:
    """A column a rung: what the rung below had, and on top what this one won."""
    low = -1.0 if min(rung["truthfulness"] for rung in rungs) < 0 else 0.0

    def y(value: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * (min(max(value, low), 1.0) - low) / (1.0 - low)

    step = (_WIDTH - _LEFT) / len(rungs)
    drawn = ""
    for i, rung in enumerate(rungs):
        x, wide = _LEFT + step * (i + 0.18), step * 0.64
        top, base = y(rung["truthfulness"]), y(rung["truthfulness"] - max(rung["won"], 0.0))
        drawn += (
            f'<rect class="had" x="{x:.1f}" y="{base:.1f}" width="{wide:.1f}" height="{_FLOOR - base:.1f}"/>'
            f'<rect class="won" x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{max(base - top, 0):.1f}"/>'
            f'<text x="{x + wide / 2:.1f}" y="{top - 4:.1f}">{points(rung["truthfulness"])}</text>'
            f'<text class="axis" x="{x + wide / 2:.1f}" y="{_HEIGHT - 6}">{_name(rung)}</text>'
        )
    lines = "".join(
        f'<line x1="{_LEFT}" x2="{_WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        f'<text class="axis scale" x="{_LEFT - 6}" y="{y(value) + 4:.1f}">{_SCALE[value]}</text>'
        for value in dict.fromkeys((low, 0.0, 1.0))
    )
    told = ", ".join(f"{RUNG_WORDS.get(r['given'], str(r['given']))} {points(r['truthfulness'])}" for r in rungs)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="truthfulness by rung: {text(told)}">'
        f"{lines}{drawn}</svg>"
    )
