"""Numbers in words, as all parts of the tab write them: points of 100, shares, spans of time, small charts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

DASH = "–"


def points(value: Any) -> str:
    """A share as points with its sign: 0.137 is +13.7."""
    return DASH if not _is_number(value) else f"{100 * value:+.1f}".replace("-", "−")


def share(value: Any) -> str:
    """A share in percent."""
    return DASH if not _is_number(value) else f"{100 * value:.1f} %"


def span(interval: Mapping[str, Any] | None) -> str:
    """A 95 % interval in points: "−2.3 to +31.2"; "" for none."""
    return f"{points(interval['low'])} to {points(interval['high'])}" if interval else ""


def share_span(interval: Mapping[str, Any] | None) -> str:
    """A 95 % interval of a share: "79.3 to 98.2 %"; "" for none."""
    return f"{100 * interval['low']:.1f} to {100 * interval['high']:.1f} %" if interval else ""


def duration(seconds: Any) -> str:
    """About how long: "40 s", "4 min", "2 h 10 min"."""
    if not _is_number(seconds) or seconds < 0:
        return DASH
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes < 48 * 60 else f"{minutes // 1440} days"


def money(dollars: float) -> str:
    """About how much, in US dollars."""
    return f"about {dollars:,.2f} $" if dollars >= 0.01 or not dollars else "less than 0.01 $"


def rate(per_s: Any) -> str:
    """Turns a second, or a minute where they are slow."""
    if not _is_number(per_s) or per_s <= 0:
        return DASH
    return f"{per_s:.1f} turns/s" if per_s >= 1 else f"{60 * per_s:.1f} turns/min"


def dot(value: Any, interval: Mapping[str, Any] | None, what: str = "truthfulness") -> str:
    """A dot with its interval on a scale from −100 to +100, as an SVG as wide as its place."""
    if not _is_number(value):
        return ""
    told = f"{what} {points(value)}" + (f", 95 % interval {span(interval)}" if interval else "")
    whisker = ""
    if interval:
        whisker = f'<line class="whisker" x1="{_at(interval["low"])}" x2="{_at(interval["high"])}" y1="9" y2="9"/>'
    return (
        f'<svg class="b-dot" height="18" role="img" aria-label="{told}"><line class="grid" x1="0" x2="100%" y1="9" '
        f'y2="9"/><line class="zero" x1="50%" x2="50%" y1="1" y2="17"/>{whisker}'
        f'<circle class="dot" cx="{_at(value)}" cy="9" r="4.5"/></svg>'
    )


def stack(parts: Mapping[str, float]) -> str:
    """Shares that add up to one, side by side: correct, missing, wrong."""
    told = ", ".join(f"{name} {share(value)}" for name, value in parts.items())
    drawn, left = "", 0.0
    for name, value in parts.items():
        drawn += f'<rect class="{name}" x="{100 * left:.2f}%" width="{100 * value:.2f}%" height="12"/>'
        left += value
    return f'<svg class="b-stack" height="12" role="img" aria-label="{told}">{drawn}</svg>'


def bar(done: float, label: str) -> str:
    """How far something is, 0 to 1."""
    percent = round(100 * min(max(done, 0.0), 1.0))
    return (
        f'<div class="b-bar" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" '
        f'aria-label="{label}"><span style="width:{percent}%"></span></div>'
    )


def _at(value: float) -> str:
    return f"{50 + 50 * min(max(value, -1.0), 1.0):.2f}%"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
