"""The benchmarks side by side, each with its board, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.ui.html.escape import isolated, text
from eval.benchmarks.base import Benchmark, Figure
from eval.reports.board import Board, BoardRow
from eval.ui.state.figures import points, share, share_span, span

#: So many figures stand in a board's columns; the others are a tap away.
COLUMNS = 5


def render_overview(benchmarks: Sequence[Benchmark], runs: Mapping[str, int]) -> str:
    """What each benchmark asks and needs, how to get its data and under which licence; `runs` counts own ones."""
    cards = "".join(_card(one, runs.get(one.name, 0)) for one in benchmarks)
    return f'<section class="b-four" aria-label="Benchmarks">{cards}</section>'


def _card(one: Benchmark, n: int) -> str:
    facts = (
        ("It asks", one.asks),
        ("It needs", one.needs),
        ("Its data", one.get),
        ("Licence", one.licence),
        ("Judged by", ", ".join(one.judges)),
        ("First figure", f"{one.headline.name}. {one.headline.what}"),
    )
    told = "".join(f"<div><dt>{text(name)}</dt><dd>{isolated(words, 600)}</dd></div>" for name, words in facts)
    own = f"{n:,} run{'s' * (n != 1)} here" if n else "no run here yet"
    return (
        f'<article class="b-card b-bench" id="b-bench-{text(one.name)}"><h3>{text(one.title)}</h3>'
        f'<p class="v-quiet">{isolated(one.paper, 120)} · <code>--benchmark {text(one.name)}</code> · {own}</p>'
        f"<dl>{told}</dl></article>"
    )


def render_board(benchmark: Benchmark, found: Board) -> str:
    """One benchmark's own runs above its published rows, folded."""
    if not found.rows and not found.off:
        return ""
    tables = "".join(_table(figures, rows) for figures, rows in found.tables(benchmark.figures))
    off = "".join(f"<li>{isolated(name, 100)}: {isolated(why, 200)}</li>" for name, why in found.off)
    off = f"<details><summary>{len(found.off)} runs are not listed</summary><ul>{off}</ul></details>" if off else ""
    title = f"{text(benchmark.title)}: own runs and published rows"
    return (
        f'<details class="b-all b-bench-board" data-key="board-{text(benchmark.name)}"><summary>{title}</summary>'
        '<p class="b-key v-quiet"><span class="b-own">measured here</span> stands above what was published, and is '
        "never ranked among it.</p>"
        f"{tables}{off}</details>"
    )


def _table(figures: Sequence[Figure], rows: Sequence[BoardRow]) -> str:
    first, rest = figures[:COLUMNS], figures[COLUMNS:]
    heads = "".join(f'<th title="{text(one.what)}">{text(one.name)}</th>' for one in first)
    more = "<th>more</th>" if rest else ""
    drawn = "".join(_row(row, first, rest) for row in rows)
    what = "".join(f"<li><b>{text(one.name)}</b>: {text(one.what)}</li>" for one in figures)
    return (
        f'<div class="b-scroll"><table class="b-board"><thead><tr><th>system</th>{heads}{more}<th>data, judge</th></tr>'
        f'</thead><tbody>{drawn}</tbody></table></div><ul class="b-notes">{what}</ul>'
    )


def _row(row: BoardRow, first: Sequence[Figure], rest: Sequence[Figure]) -> str:
    mark = '<span class="b-own">measured here</span>' if row.own else '<span class="b-pub">published</span>'
    if row.imported:
        mark = '<span class="b-pub">imported</span>'
    setting = ", ".join(filter(None, (row.part, row.setting)))
    cells = "".join(f"<td>{_value(row, one)}</td>" for one in first)
    if rest:
        told = [f"<li>{text(one.name)} {_value(row, one)}</li>" for one in rest if one.key in row.figures]
        more = f"<details><summary>{len(told)}</summary><ul>{''.join(told)}</ul></details>" if told else ""
        cells += f"<td>{more}</td>"
    n = f"; {row.n:,} turns" if row.n else ""
    return (
        f"<tr{' class=b-own-row' if row.own else ''}><th scope='row'>{mark}{isolated(row.system, 60)}"
        f"<span class='b-range'>{isolated(setting, 80)}</span></th>{cells}<td class='b-where'>"
        f"{isolated(f'{row.data}, judge {row.judge}', 160)}{n}<span class='b-range'>{isolated(row.where, 100)}</span>"
        "</td></tr>"
    )


def _value(row: BoardRow, figure: Figure) -> str:
    value = row.figures.get(figure.key)
    said = points(value) if figure.signed else share(value)
    interval = row.intervals.get(figure.key)
    ends = span(interval) if figure.signed else share_span(interval)
    return f'{said}<span class="b-range">{ends}</span>' if ends else said
