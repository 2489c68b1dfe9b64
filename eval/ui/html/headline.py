"""A run's one figure, and all others behind a fold with a sentence each, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.ui.html.escape import text
from eval.reports.headline import Headline
from eval.ui.state.figures import DASH, points, share, span


def written(figure: Headline) -> str:
    """A figure's value as it is read; of bounds both ends."""
    if figure.value is None:
        return span(figure.interval).replace(" to ", " … ") if figure.interval else DASH
    if figure.kind == "number":
        return f"{figure.value:.3f}"
    return share(figure.value) if figure.kind == "share" else points(figure.value)


def between(figure: Headline) -> str:
    """Its interval, written as its value is; "" for none."""
    if figure.value is None or figure.interval is None or figure.kind == "number":
        return ""
    if figure.kind == "points":
        return span(figure.interval)
    return f"{100 * figure.interval['low']:.1f} to {100 * figure.interval['high']:.1f}"


def render_all_figures(figures: Sequence[Headline], key: str) -> str:
    """The fold "All figures"; "" where there is nothing but the headline. `key` tells it from others on the page."""
    if len(figures) < 2:
        return ""
    rows = "".join(
        f"<div><dt>{text(figure.name)}</dt><dd><b>{written(figure)}</b> <span class='b-range'>{between(figure)}</span>"
        f"</dd><dd class='v-quiet'>{text(figure.explanation)}</dd></div>"
        for figure in figures
    )
    return (
        f'<details class="b-all" data-key="all-{text(key)}"><summary>All figures</summary><dl class="b-figures">{rows}'
        "</dl></details>"
    )
