"""Judges on trial as HTML: those that are kept, one with its tables, its progress, a run's corrected scores.

Pure functions; what people, data and judges say is inert text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.annotate.correction import METHOD, Corrected
from eval.annotate.trial import SAID, Disagreement, Trial, TrialSlice
from eval.metrics.figures import Figure
from eval.ui.html.agreement import PAGE, card, cell, mark, pages, table
from eval.ui.html.projects import button, count
from eval.ui.state.figures import DASH, bar, duration, points, share
from eval.ui.state.trials import Job, trial_key

_SPENT = {"calls": "calls of a model", "prompt_tokens": "tokens read", "completion_tokens": "tokens written"}
_FIGURES = {
    "accuracy": "correct", "hallucination": "wrong", "missing": "missing", "truthfulness": "truthfulness",
}  # fmt: skip


def render_trials(trials: Sequence[Trial], opened: str = "") -> str:
    """Every trial that is kept, the latest first, each a button that opens it."""
    if not trials:
        return (
            '<p class="b-none v-quiet">No judge was on trial yet. A trial holds a judge against the labels that people '
            "gave: how often it agrees with them, where it errs, and what that does to a run’s scores.</p>"
        )
    rows = "".join(_row(one, opened) for one in trials)
    heads = ("judge", "labels", "answers", "agrees with people", "kappa", "held")
    return f'<div class="j-trials">{table("Trials", heads, rows)}</div>'


def _row(one: Trial, opened: str) -> str:
    key = trial_key(one)
    name = button("open", key, one.judge_text, kind="v-act", pressed=key == opened)
    at = one.at.replace("T", " ")[:16]
    return (
        f"<tr><th scope='row'>{name}</th><td>{isolated(one.labels, 80)}</td><td>{one.n:,}</td>{_percent(one.accuracy)}"
        f"{cell(one.kappa)}<td>{text(at)} UTC</td></tr>"
    )


def _percent(figure: Figure) -> str:
    """A share in a table, with its interval."""
    if figure.value is None:
        return cell(figure)
    ends = f"{share(figure.interval.low)} to {share(figure.interval.high)}" if figure.interval else ""
    return f'<td>{share(figure.value)}<span class="b-range">{ends}</span></td>'


def render_job(job: Job | None, may: bool) -> str:
    """The trial that is held, or how the last one ended."""
    if job is None:
        return ""
    who = f"{isolated(job.judge, 80)} against {isolated(job.labels, 80)}"
    if job.state == "working":
        errors = f", {job.errors:,} not reached" if job.errors else ""
        act = button("cancel", "", "Cancel") if may else ""
        told = f"{job.done:,} of {job.total:,} judged{errors}"
        far = bar(job.done / max(1, job.total), "Answers judged")
        return (
            f'<section class="b-watch" aria-label="Trial"><div class="b-watch-head"><span class="b-tag b-tag--loud" '
            f'role="status">{who}</span><div class="b-acts">{act}</div></div>{far}'
            f'<p class="v-quiet">{told}</p></section>'
        )
    words = {"done": "is done", "cancelled": "was cancelled", "failed": "did not work"}[job.state]
    problem = f": {isolated(job.problem, 400)}" if job.problem else ""
    kind = "error" if job.state == "failed" else "info"
    return f'<div class="v-notice v-notice--{kind}" role="status"><p>The trial of {who} {words}{problem}.</p></div>'


def render_trial(one: Trial, first: int = 0) -> str:
    """One trial: figures, tables, slices, and where judge and people differ."""
    said = text(one.sentence[:1].upper() + one.sentence[1:]).replace("%", "&nbsp;%")
    cards = (
        card("Agrees with people", one.accuracy, unit="answer")
        + card("Agrees where it is sure", one.sure, unit="answer")
        + card("Cohen’s kappa", one.kappa, unit="answer")
        + f'<div class="g-card"><h3>Unreadable</h3><p class="g-big">{one.n_unreadable:,}</p><p class="b-range">of '
        f"{count(one.n, 'answer')}{f', {one.n_leaning:,} only leaning' if one.n_leaning else ''}</p></div>"
        f'<div class="g-card"><h3>It took</h3>{_spent(one.spent)}</div>'
    )
    left = "".join(f"<li>{n:,} left out: {isolated(why, 200)}</li>" for why, n in one.left_out.items())
    if one.n_not_judged:
        left += f"<li>{one.n_not_judged:,} answers were not judged: put the judge on trial again</li>"
    notes = f'<ul class="b-notes">{left}</ul>' if left else ""
    slices = "".join(_slices(label, values) for label, values in one.slices.items())
    return (
        f'<section class="g-figures" aria-label="Trial"><h3>{isolated(one.judge_text, 160)}</h3><p class="g-lead">'
        f'{said}.</p>{notes}<div class="g-cards">{cards}</div>{_buckets(one)}'
        f"{_confusion(one)}{_bias(one)}{slices}{_disagreements(one.disagreements, first)}</section>"
    )


def _spent(spent: Mapping[str, float]) -> str:
    if not spent:
        return '<p class="g-big">0 $</p><p class="b-range">asks no model</p>'
    parts = [f"{spent[name]:,.0f} {words}" for name, words in _SPENT.items() if spent.get(name)]
    if "ms" in spent:
        parts.append(f"{duration(spent['ms'] / 1000)} in all")
    cost = f"{spent['cost']:.4f} $" if spent.get("cost") is not None else DASH
    return f'<p class="g-big">{cost}</p><p class="b-range">{", ".join(parts)}</p>'


def _buckets(one: Trial) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{name}</th><td>{bucket.n_people:,}</td><td>{bucket.n_judge:,}</td>"
        f"{cell(bucket.precision)}{cell(bucket.recall)}{cell(bucket.f1)}</tr>"
        for name, bucket in one.buckets.items()
    )
    return table("Per bucket", ("bucket", "people", "judge", "precision", "recall", "F1"), rows)


def _confusion(one: Trial) -> str:
    """By the three buckets, and by the four grades as far as people gave them."""
    drawn = table("People (rows) and the judge (columns)", ("", *SAID), _counts(one.confusion))
    if one.n_graded:
        caption = f"By the four grades, {one.n_graded:,} of {count(one.n, 'answer')}"
        drawn += table(caption, ("", *SAID), _counts(one.grades))
    return f'<div class="j-confusion">{drawn}</div>'


def _counts(found: Mapping[Any, Mapping[Any, int]]) -> str:
    same = {"perfect": "accurate", "acceptable": "accurate"}
    drawn = ""
    for name, given in found.items():
        right = same.get(name, name)
        cells = "".join(f"<td{' class=j-same' if said == right else ''}>{given[said]:,}</td>" for said in SAID)
        drawn += f"<tr><th scope='row'>{name}</th>{cells}</tr>"
    return drawn


def _bias(one: Trial) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{_FIGURES[rate]}</th><td>{_judged(rate, one.judge[rate])}</td>"
        f"<td>{_judged(rate, one.people[rate])}</td>{_points(bias)}</tr>"
        for rate, bias in one.bias.items()
    )
    return table("What the judge’s errors do", ("", "by the judge", "by people", "difference in points"), rows)


def _points(figure: Figure) -> str:
    if figure.value is None:
        return cell(figure)
    ends = f"{points(figure.interval.low)} to {points(figure.interval.high)}" if figure.interval else ""
    return f'<td>{points(figure.value)}<span class="b-range">{ends}</span></td>'


def _slices(label: str, values: Mapping[str, TrialSlice]) -> str:
    rows = "".join(
        f"<tr{' class=g-few' if part.few else ''}><th scope='row'>{isolated(value, 80)}</th><td>{part.n:,}"
        f"{'<span class=b-range>few</span>' if part.few else ''}</td>{_percent(part.accuracy)}{cell(part.kappa)}</tr>"
        for value, part in values.items()
    )
    return table(f"By {text(label.replace('_', ' '))}", ("value", "answers", "agrees with people", "kappa"), rows)


def _disagreements(found: Sequence[Disagreement], first: int) -> str:
    if not found:
        return "<h3>Judge and people differ nowhere</h3>"
    items = "".join(_disagreement(one) for one in found[first : first + PAGE])
    return f'<h3>{count(len(found), "disagreement")}</h3><ul class="g-list">{items}</ul>{pages(first, len(found))}'


def _disagreement(one: Disagreement) -> str:
    answer = isolated(one.answer, 500) if one.answer else '<span class="v-quiet">no answer</span>'
    leans = "not sure, leans: " if one.leaning and not one.why else ""
    return (
        f'<li><p class="b-q">{isolated(one.query, 400)}</p><p>{answer}</p><p class="b-l">truth: '
        f'{isolated(one.ground_truth, 300)}</p><ul class="g-said"><li>{mark(one.people)}<b>people</b></li>'
        f"<li>{mark(one.judge)}<b>judge</b><span class='v-quiet'>{leans}{isolated(one.why, 300)}</span></li></ul></li>"
    )


def render_corrected(run: str, found: Corrected) -> str:
    """A run's scores as judged, and as people would give them."""
    rows = "".join(
        f"<tr><th scope='row'>{_FIGURES[name]}</th><td>{_judged(name, found.as_judged[name])}</td>"
        f"{_points(figure) if name == 'truthfulness' else _percent(figure)}</tr>"
        for name, figure in found.figures.items()
    )
    why = f'<p class="g-why">There is no correction: {isolated(found.why, 400)}.</p>' if found.why else ""
    heads = ("", "as judged", "corrected")
    return (
        f'<section class="g-figures" aria-label="Corrected scores">{table(isolated(run, 120), heads, rows)}{why}'
        f'<p class="v-quiet">{count(found.n, "turn")} of the run, corrected by '
        f"{count(found.n_labelled, 'labelled answer')}; all turns, no early stop. Method: {text(METHOD)} (Rogan and "
        "Gladen’s estimate, for three classes). It holds as far as the judge errs on this run as on the labelled "
        "answers.</p></section>"
    )


def _judged(name: str, value: float | None) -> str:
    return points(value) if name == "truthfulness" else share(value)
