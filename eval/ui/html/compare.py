"""Two runs compared, and the leaderboard, as HTML."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.benchmarks.registry import BENCHMARKS
from eval.ui.state.figures import dot, points, share, span

FLIPS = 25
#: Which changed answers are shown: B against A.
ONLY_WORDS = {"": "all", "regressions": "B is worse", "improvements": "B is better"}
_FIGURES = {
    "truthfulness": "truthfulness", "accuracy": "correct", "missing": "missing", "hallucination_rate": "wrong",
    "early_stop": "early stop", "grand_mean": "mean of turns", "truthfulness_score": "truthfulness, all turns",
    "mean_multi_turn_conversation_score": "conversation score",
}  # fmt: skip
_SHARES = ("accuracy", "missing", "hallucination_rate", "early_stop")
_READINGS = {
    "paper": "The paper’s reading: a conversation stops after two turns in a row that are wrong or missing.",
    "readme": "The README’s reading: only wrong answers count towards the stop.",
    "public": "The public evaluator: every turn counts, also those without a ground truth; nothing stops a "
    "conversation but in its conversation score.",
}


def render_comparison(found: Mapping[str, Any], flips: int = FLIPS, trust: Sequence[str] = (), only: str = "") -> str:
    """What `eval.reports.compare.compare` found; the first `flips` changed answers side by side, those of `ONLY_WORDS`
    that `only` names. `trust` are sentences about how far the judges agreed with people."""
    a, b = found["a"], found["b"]
    tone = "tied" if found["tied"] or found["broken"] else "apart"
    test = found["mcnemar"]
    notes = "".join(f"<li>{isolated(note, 400)}</li>" for note in found["notes"])
    titles = found["titles"]
    tables = "".join(
        _table(_READINGS.get(name) or f"The figures of {_title(name)}.", part, titles.get(name, {}), _signed(name))
        for name, part in found["figures"].items()
    )
    tested = "" if test is None else _tested(test)
    return (
        f'<section class="b-compare" aria-label="Comparison">{_differs(found["differs"])}'
        f'<p class="b-summary b-summary--{tone}" role="status">'
        f"{_summary(found)}</p>"
        f'<dl class="b-sides"><div><dt>A</dt><dd>{isolated(a["name"], 120)} <span class="v-quiet">'
        f"{isolated(a['agent'], 60)}, {found['only_a']:,} turns of its own</span></dd></div>"
        f'<div><dt>B</dt><dd>{isolated(b["name"], 120)} <span class="v-quiet">{isolated(b["agent"], 60)}, '
        f"{found['only_b']:,} turns of its own</span></dd></div></dl>"
        f'<p class="v-quiet">{found["n_common"]:,} turns of {found["n_conversations"]:,} conversations in common, '
        f"judge {isolated(found['judge'], 120)}. Differences are B − A, in points of 100, with 95 % intervals.</p>"
        f"{_trusted(trust)}<p class='v-quiet'>{text(found['headline']['explanation'])}</p>"
        f'<details class="b-all" data-key="all-figures"><summary>All figures</summary>{tables}</details>'
        f"{tested}{f'<ul class=b-notes>{notes}</ul>' if notes else ''}"
        f"{'' if test is None else _flipped(found['flipped'], flips, only)}</section>"
    )


def _tested(test: Mapping[str, Any]) -> str:
    return (
        f"<h3>Exact McNemar test</h3>"
        f"<p>Both right {test['both']:,}, neither {test['neither']:,}, only A "
        f"{test['only_a_correct']:,}, only B {test['only_b_correct']:,}: p = {test['p']:.4g}</p>"
    )


def _trusted(sentences: Sequence[str]) -> str:
    return "".join(f'<p class="v-quiet b-trust">{isolated(sentence, 400)}</p>' for sentence in sentences)


def _differs(differs: Sequence[Sequence[str]]) -> str:
    """What is not the same in the two runs, before who won."""
    if not differs:
        return '<p class="v-quiet">Nothing that was set differs between the two runs.</p>'
    rows = "".join(
        f"<tr><th scope='row'>{isolated(name, 60)}</th><td>{isolated(a, 160)}</td><td>{isolated(b, 160)}</td></tr>"
        for name, a, b in differs
    )
    return (
        '<div class="b-scroll"><table class="b-differs"><thead><tr><th>What differs</th><th>A</th><th>B</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _summary(found: Mapping[str, Any]) -> str:
    """Which run is ahead by the benchmark's headline, in one sentence; "tied" is said plainly, and nothing is where a
    run is broken."""
    if found["broken"]:
        return f"No headline: {isolated('; '.join(found['broken']), 400)}. Run the failed turns again, then compare."
    name = found["headline"]
    main = found["figures"][name["reading"]][name["figure"]]
    gap = f"{points(main['difference'])} points ({span(main['interval'])})"
    if found["tied"]:
        return f"Tied: the difference in {text(name['name'])}, {gap}, may be chance."
    return f"{'B' if main['difference'] > 0 else 'A'} is ahead: the difference in {text(name['name'])} is {gap}."


def _signed(name: str) -> set[str]:
    """The figures of a benchmark's own that go from -1 to 1, as they are called below its name."""
    figures = [one for benchmark in BENCHMARKS.values() if benchmark.name == name for one in benchmark.figures]
    return {one.key.removeprefix(f"{name}.") for one in figures if one.signed}


def _title(name: str) -> str:
    return next((benchmark.title for benchmark in BENCHMARKS.values() if benchmark.name == name), name)


def _table(title: str, part: Mapping[str, Any], names: Mapping[str, str], signed: Collection[str]) -> str:
    rows = ""
    for name, row in part.items():
        show = share if name in _SHARES or (name in names and name not in signed) else points
        clear = row["interval"]["low"] > 0 or row["interval"]["high"] < 0
        row_name = text(names.get(name) or _FIGURES.get(name, name))
        rows += (
            f"<tr><th scope='row'>{row_name}</th><td>{show(row['a'])}</td><td>{show(row['b'])}</td>"
            f"<td class='{'b-clear' if clear else ''}'>{points(row['difference'])}</td>"
            f"<td class='b-range'>{span(row['interval'])}</td>"
            f"<td class='b-wide'>{dot(row['difference'], row['interval'], 'difference')}</td></tr>"
        )
    return (
        f'<div class="b-scroll"><table><caption>{title}</caption><thead><tr><th></th><th>A</th><th>B</th><th>B − A</th>'
        f'<th>interval</th><th class="b-wide">−100 … +100</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _flipped(flipped: Sequence[Mapping[str, Any]], most: int, only: str) -> str:
    if not flipped:
        return "<h3>No verdict changed</h3>"
    kinds = {
        "": flipped,
        "regressions": [flip for flip in flipped if flip["change"] < 0],
        "improvements": [flip for flip in flipped if flip["change"] > 0],
    }
    chosen = kinds.get(only, flipped)
    buttons = "".join(
        f'<button type="button" class="b-kind" data-act="only" data-value="{kind}" data-key="only-{kind}" '
        f'aria-pressed="{"true" if kind == only else "false"}">{ONLY_WORDS[kind]} <b>{len(some):,}</b></button>'
        for kind, some in kinds.items()
    )
    items = "".join(
        f'<li><p class="b-q">{isolated(flip["query"], 400)}</p><p class="b-l">truth: '
        f'{isolated(flip["ground_truth"], 300)}</p><div class="b-pair">{_side("A", flip["a"])}{_side("B", flip["b"])}'
        "</div></li>"
        for flip in chosen[:most]
    )
    more = ""
    if len(chosen) > most:
        more = (
            f'<button type="button" class="b-act" data-act="more" data-value="{most + FLIPS}" data-key="more">'
            f"Show {min(FLIPS, len(chosen) - most)} more</button>"
        )
    return (
        f'<h3>{len(flipped):,} verdicts changed</h3><div class="b-kinds" role="group" aria-label="Show only">{buttons}'
        f'</div><p class="v-quiet">The largest changes first, losses before wins.</p><ul class="b-flips">{items}</ul>'
        f"{more}"
    )


def _side(name: str, side: Mapping[str, Any]) -> str:
    kind = str(side["counts_as"])
    return (
        f'<div><span class="b-mark b-mark--{text(kind)}">{name}: {text(kind)}</span>'
        f"<p>{isolated(side['answer'] or '(' + str(side['status']) + ')', 600)}</p>"
        f'<p class="b-l">{isolated(side["why"], 200)}</p></div>'
    )


def render_leaderboard(found: Mapping[str, Any], left_out: Sequence[tuple[str, str]], trust: Sequence[str] = ()) -> str:
    """Own runs and the published rows, set by set; `left_out` are runs that cannot stand there, with why."""
    tables = "".join(_board(kind, found[kind]) for kind in found if kind not in ("notes", "off"))
    notes = "".join(f"<li>{isolated(note, 400)}</li>" for note in found["notes"])
    rest = "".join(f"<li>{isolated(name, 100)}: {isolated(why, 200)}</li>" for name, why in left_out)
    rest = (
        f'<details data-key="out"><summary>{len(left_out)} runs are not listed</summary><ul>{rest}</ul></details>'
        * bool(left_out)
    )
    return (
        '<p class="b-key v-quiet"><span class="b-own">measured here</span> stands above what was published, and is '
        f"never ranked among it.</p>{_trusted(trust)}{tables}<ul class='b-notes'>{notes}</ul>{rest}"
    )


def _board(kind: str, part: Mapping[str, Any]) -> str:
    rows = ""
    for row in part["rows"]:
        own = row["source"] != "published"
        interval = {"low": row["low"], "high": row["high"]} if row["low"] is not None else None
        where = f"{row['data']} {row['split']}, judge {row['judge']}"
        failed = f", {row['n_failed']:,} failed" if row.get("n_failed") else ""
        n = f"; {row['n']:,} turns{failed}" if row.get("n") else ""
        mark = text(row["source"])
        name = f"{isolated(row['system'], 60)}<span class='b-range'>{isolated(row['setting'], 60)}</span>"
        rows += (
            f"<tr class='{'b-own-row' if own else ''}'><th scope='row'>"
            f"<span class='{'b-own' if mark == 'measured here' else 'b-pub'}'>{mark}</span>{name}</th>"
            f"<td>{points(row['truthfulness'])}<span class='b-range'>{span(interval)}</span></td>"
            f"<td class='b-wide'>{dot(row['truthfulness'], interval)}</td><td>{share(row['accuracy'])}</td>"
            f"<td>{share(row['missing'])}</td><td>{share(row['hallucination'])}</td><td>{share(row['early_stop'])}</td>"
            f"<td class='b-where'>{isolated(where, 160)}{n}<span class='b-range'>{isolated(row['where'], 100)}</span>"
            "</td></tr>"
        )
    return (
        f'<h3>{text(kind)}</h3><p class="v-quiet">{text(part["reading"])}. {text(part["headline"]["name"])}: '
        f'{text(part["headline"]["explanation"])}</p><div class="b-scroll">'
        f'<table class="b-board"><thead><tr><th>system</th><th title="{text(part["headline"]["explanation"])}">'
        f'{text(part["headline"]["name"])}</th><th class="b-wide">−100 … +100</th>'
        "<th>correct</th>"
        "<th>missing</th><th>wrong</th><th>early stop</th><th>data, split, judge</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
