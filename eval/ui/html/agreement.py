"""How far people agree as HTML: figures with intervals, people, pairs, slices, where they differ, known answers.

Pure functions; what people and data say is inert text. A figure that is not defined says why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.ui.html.escape import isolated, text
from eval.annotate.values import Item, Labelled
from eval.metrics.agreement import Agreement, Pair, Person, Slice
from eval.metrics.figures import Figure
from eval.ui.html.projects import button, count
from eval.ui.state.figures import DASH, share

if TYPE_CHECKING:
    from eval.annotate.overlay import Proposal
    from eval.annotate.progress import GoldAccuracy
    from eval.annotate.verdicts import Disagreement, Resolution

#: So many disagreements, corrections, missed answers stand on one page.
PAGE = 10
MOST_PROPOSALS = 300
_WEIGHTED = {"none": "", "linear": ", linear weights", "quadratic": ", quadratic weights"}


@dataclass(frozen=True)
class Differing:
    """One item whose people differ, with all that they said of it."""

    item: Item
    said: tuple[Labelled, ...]
    found: Disagreement


def figure_value(figure: Figure) -> str:
    return DASH if figure.value is None else _number(figure.value)


def interval_text(figure: Figure) -> str:
    """`0.41 to 0.83`; "" where there is no interval."""
    if figure.value is None or figure.interval is None:
        return ""
    return f"{_number(figure.interval.low)} to {_number(figure.interval.high)}"


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def scale(figure: Figure, what: str) -> str:
    """A dot with its interval on a scale from −1 to 1; shares and kappas alike."""
    if figure.value is None:
        return ""

    def at(value: float) -> str:
        return f"{50 + 50 * min(max(value, -1.0), 1.0):.2f}%"

    whisker = ""
    if figure.interval is not None:
        ends = f'x1="{at(figure.interval.low)}" x2="{at(figure.interval.high)}"'
        whisker = f'<line class="whisker" {ends} y1="9" y2="9"/>'
    told = f"{what} {figure_value(figure)}, 95 % interval {interval_text(figure) or 'unknown'}"
    return (
        f'<svg class="g-scale" role="img" aria-label="{text(told)}"><line class="grid" x1="0" x2="100%" y1="9" y2="9"/>'
        f'<line class="zero" x1="50%" x2="50%" y1="1" y2="17"/>{whisker}<circle class="dot" cx="{at(figure.value)}" '
        'cy="9" r="4.5"/></svg>'
    )


def card(title: str, figure: Figure, note: str = "", unit: str = "item") -> str:
    """One figure with its interval, or why there is none."""
    if figure.value is None:
        return (
            f'<div class="g-card"><h3>{text(title)}</h3><p class="g-big">{DASH}</p>'
            f'<p class="g-why">Not defined: {isolated(figure.why, 300)}.</p></div>'
        )
    items = count(figure.n, unit)
    return (
        f'<div class="g-card"><h3>{text(title)}</h3><p class="g-big">{figure_value(figure)}</p>'
        f'<p class="b-range">{interval_text(figure) or "no interval"} · {items}{note}</p>{scale(figure, title)}</div>'
    )


def cell(figure: Figure) -> str:
    """A figure in a table."""
    if figure.value is None:
        why = f'<span class="b-range g-because">{isolated(figure.why, 80)}</span>'
        return f'<td title="{text(figure.why)}">{DASH}{why}</td>'
    return f'<td>{figure_value(figure)}<span class="b-range">{interval_text(figure)}</span></td>'


def table(caption: str, heads: Sequence[str], rows: str) -> str:
    names = "".join(f"<th>{head}</th>" for head in heads)
    return (
        f'<div class="b-scroll g-table" tabindex="0"><table><caption>{caption}</caption><thead><tr>{names}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def render_agreement(found: Agreement) -> str:
    """All figures of one project."""
    if not found.n_labels:
        return '<p class="b-none v-quiet">Nothing was labelled yet: figures come with the first labels.</p>'
    given = ", ".join(f"{n:,} {text(label)}" for label, n in found.given.items())
    lead = (
        f'<p class="g-lead" role="status">{count(found.n_labels, "label")} of '
        f"{count(len(found.people), 'person', 'people')} on {count(found.n_items, 'item')}, {found.n_shared:,} of them "
        f'by two people or more.</p><p class="v-quiet">{given}. Intervals are of 95 %; conversations are drawn for '
        "them. Items with a known answer are left out.</p>"
    )
    fleiss = f" of {found.fleiss_labels} labels" if found.fleiss_labels else ""
    cards = (
        card("Raw agreement", found.raw)
        + "".join(card(f"Cohen’s kappa{_WEIGHTED[weights]}", one) for weights, one in found.cohen.items())
        + card("Fleiss’ kappa", found.fleiss, fleiss)
        + "".join(card(f"Krippendorff’s alpha, {level}", one) for level, one in found.alpha.items())
    )
    people = "".join(_person(name, one) for name, one in found.people.items())
    heads = ("person", "labels", "shared", "agreement with others", "kappa with others", "alpha without them")
    tables = table("Per person", heads, people)
    if len(found.pairs) > 1:
        heads = ("pair", "items", "raw agreement", "Cohen’s kappa", "linear weights", "quadratic weights")
        tables += table("Pairwise", heads, "".join(_pair(one) for one in found.pairs))
    tables += "".join(_slices(label, values) for label, values in found.slices.items())
    drawn = f'{lead}<div class="g-cards">{cards}</div>{tables}'
    return f'<section class="g-figures" aria-label="Agreement">{drawn}</section>'


def _person(name: str, one: Person) -> str:
    return (
        f"<tr><th scope='row'>{isolated(name, 80)}</th><td>{one.n:,}</td><td>{one.n_shared:,}</td>{cell(one.raw)}"
        f"{cell(one.kappa)}{cell(one.alpha_without)}</tr>"
    )


def _pair(one: Pair) -> str:
    kappas = "".join(cell(figure) for figure in one.cohen.values())
    names = f"{isolated(one.a, 60)} · {isolated(one.b, 60)}"
    return f"<tr><th scope='row'>{names}</th><td>{one.n:,}</td>{cell(one.raw)}{kappas}</tr>"


def _slices(label: str, values: Mapping[str, Slice]) -> str:
    rows = "".join(
        f"<tr{' class=g-few' if one.few else ''}><th scope='row'>{isolated(value, 80)}</th><td>{one.n_shared:,}"
        f"{'<span class=b-range>few</span>' if one.few else ''}</td>{cell(one.raw)}{cell(one.alpha)}</tr>"
        for value, one in values.items()
    )
    heads = ("value", "items by two or more", "raw agreement", "alpha, nominal")
    return table(f"By {text(label.replace('_', ' '))}", heads, rows)


# where people differ


def mark(value: str) -> str:
    """A grade or winner as a mark in its colour."""
    return f'<span class="b-mark b-mark--{text(value.replace(" ", "-"))}">{text(value)}</span>'


def render_differing(found: Sequence[Differing], first: int = 0, of: int | None = None) -> str:
    """The disagreements one by one; `of` is how many there are without the filter."""
    whole = len(found) if of is None else of
    if not found:
        words = "Nobody gave that label where people differ." if whole else "People differ nowhere so far."
        return f'<p class="b-none v-quiet">{words}</p>'
    shown = "".join(_differing(one) for one in found[first : first + PAGE])
    told = count(len(found), "disagreement") + (f" of {whole:,}" if len(found) < whole else "")
    return f'<p class="v-quiet" role="status">{told}</p><ul class="g-list">{shown}</ul>{pages(first, len(found))}'


def pages(first: int, total: int, act: str = "page") -> str:
    """Where in a list this is, and the ways on."""
    if total <= PAGE:
        return ""
    last = min(first + PAGE, total)
    steps = button(act, max(0, first - PAGE), "← Before") if first else ""
    steps += button(act, last, "After →") if last < total else ""
    return f'<div class="b-pages"><span class="v-quiet">{first + 1:,} to {last:,} of {total:,}</span>{steps}</div>'


def _differing(one: Differing) -> str:
    said = "".join(_said(label, one.found) for label in one.said)
    return f'<li>{_item(one.item)}<ul class="g-said">{said}</ul><p class="b-l">{_resolved(one)}</p></li>'


def _item(item: Item) -> str:
    answer = isolated(item.answer, 500) if item.answer else f"no answer {text(item.status)}"
    if item.other_answer:
        answer = f"A: {answer}</p><p>B: {isolated(item.other_answer, 500)}"
    truth = isolated(item.ground_truth, 300) if item.ground_truth else "none given"
    return f'<p class="b-q">{isolated(item.question, 400)}</p><p>{answer}</p><p class="b-l">truth: {truth}</p>'


def _said(said: Labelled, found: Disagreement) -> str:
    label, parts = said.label, []
    if label is not None and label.reasons:
        parts.append(", ".join(text(reason) for reason in label.reasons))
    if label is not None and label.corrected_answer:
        parts.append(f"would answer: {isolated(label.corrected_answer, 300)}")
    any_ = label or said.preference
    if any_ is not None and any_.note:
        note = any_.note
        parts.append(f"“{isolated(note, 400)}”")
    third = " <span class='v-quiet'>(third grader)</span>" if said.person == found.third else ""
    told = f"<span class='v-quiet'>{' · '.join(parts)}</span>" if parts else ""
    return f"<li>{mark(said.value)}<b>{isolated(said.person, 80)}</b>{third}{told}</li>"


def _resolved(one: Differing) -> str:
    if one.found.waiting:
        return "A third grader is to decide; nobody has yet."
    return resolution_words(one.found.resolution)


def resolution_words(found: Resolution) -> str:
    """How an item was decided, in one sentence."""
    if found.value is None:
        return "Not decided: no label has more than half of the people."
    by = {"majority": "by the majority", "third grader": "by the third grader"}.get(found.how, "by all")
    return f"Decided {by}: {text(found.value)}."


# known answers


def render_gold_accuracy(found: Sequence[GoldAccuracy], items: Mapping[int, Item]) -> str:
    """How everybody did where the answer is known, and what they missed."""
    if not found:
        return (
            '<p class="v-quiet">No item with a known answer was labelled yet: mark some under “Projects”, “Known '
            "answers”, and have a share of them mixed in.</p>"
        )
    rows = "".join(
        f"<tr><th scope='row'>{isolated(one.person, 80)}</th><td>{one.n:,}</td><td>{share(one.share)}</td>"
        f"<td>{share(one.near / one.n if one.n else None)}</td></tr>"
        for one in found
    )
    heads = ("person", "answers", "the very grade", "the right side")
    missed = [(one.person, *miss) for one in found for miss in one.missed]
    listed = "".join(
        f"<li>{_item(items[item])}<p><b>{isolated(person, 80)}</b> said {mark(given)}, known is {mark(known)}</p></li>"
        for person, item, given, known in missed[: 5 * PAGE]
        if item in items
    )
    what = (
        f'<details data-key="missed"><summary>What was missed ({len(missed):,})</summary><ul class="g-list">{listed}'
        "</ul></details>"
    )
    return table("Known answers", heads, rows) + (what if missed else "")


# corrected ground truths


def render_corrections(
    found: Sequence[Proposal], items: Mapping[int, Item], chosen: frozenset[str], accepted: Mapping[str, str]
) -> str:
    """Corrected answers that people proposed, each to be accepted or not.

    Args:
        found: what was proposed.
        items: those it is about.
        chosen: the keys of what is to be accepted next.
        accepted: interaction id → the correction that the overlay has already.
    """
    if not found:
        return '<p class="v-quiet">Nobody has proposed another answer than the ground truth.</p>'
    rows = "".join(
        _correction(one, items.get(one.item), proposal_key(one) in chosen, accepted.get(one.interaction_id) == one.new)
        for one in found[:MOST_PROPOSALS]
    )
    more = f", the first {MOST_PROPOSALS:,} shown" if len(found) > MOST_PROPOSALS else ""
    n = sum(proposal_key(one) in chosen for one in found)
    return (
        f'<p class="v-quiet" role="status">{count(len(found), "proposal")}{more}, {n:,} chosen</p>'
        f'<ul class="g-list">{rows}</ul>'
    )


def proposal_key(one: Proposal) -> str:
    """What tells one proposal from another on the page."""
    return f"{one.item}-{hashlib.sha256(one.new.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _correction(one: Proposal, item: Item | None, chosen: bool, accepted: bool) -> str:
    people = ", ".join(isolated(name, 80) for name in one.people)
    old = isolated(one.old, 500) if one.old else "none given"
    question = isolated(item.question, 400) if item is not None else text(one.interaction_id)
    words = "Chosen: leave it out again" if chosen else "Choose"
    return (
        f'<li><p class="b-q">{question}</p><div class="g-corrected"><div><span class="b-l">ground truth</span>'
        f'<p>{old}</p></div><div><span class="b-l">proposed</span>'
        f"<p>{isolated(one.new, 500)}</p></div></div>"
        f'<p class="b-l">{people}: {len(one.people):,} of {count(one.of, "person", "people")} who corrected it'
        f"{'; accepted before' if accepted else ''}</p>"
        f'<div class="b-acts">{button("choose", proposal_key(one), words, kind="b-kind", pressed=chosen)}</div></li>'
    )
