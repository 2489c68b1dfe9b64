"""What stands in the panel "Compare settings", as HTML: pure functions of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.core.options import Conditions
from assistant.core.types import Status
from assistant.ui.html.escape import isolated, text
from assistant.ui.html.turns import STAGE_WORDS, STATUS_WORDS
from assistant.ui.state.tally import Round, Side, Sum, Tally
from assistant.ui.state.turn_view import TurnView

#: A status after which there is nothing to score: nothing was said.
UNSCORED: tuple[Status, ...] = ("refused", "timeout", "cancelled", "error")
_SCORES = ((1, "+1", "right"), (0, "0", "not answered"), (-1, "−1", "wrong"))

_BY = {"": "", "gold": "by the world’s gold", "rule": "silence is worth nothing", "presenter": "by you"}


@dataclass(frozen=True)
class Rivals:
    """Two settings: what the choice is called, and each one's name, what it means, and its conditions."""

    title: str
    names: tuple[str, str]
    means: tuple[str, str]
    conditions: tuple[Conditions, Conditions]


RIVALS: Mapping[str, Rivals] = {
    "check": Rivals(
        "The check",
        ("Check on", "Check off"),
        (
            "says only what it recognises surely and its evidence carries",
            "believes its best guess and says it unchecked",
        ),
        (Conditions(), Conditions(check=False, guess=True)),
    ),
    "correct": Rivals(
        "Brightening",
        ("Brightened", "As taken"),
        ("a dark picture is brightened before it is looked at", "the picture is looked at as it is"),
        (Conditions(), Conditions(correct=False)),
    ),
    "read": Rivals(
        "Reading",
        ("Reads", "Does not read"),
        ("text and codes on the picture are read", "nothing on the picture is read"),
        (Conditions(), Conditions(read_text=False)),
    ),
}


def render_desk(questions: Sequence[str] = (), question: str = "", level: int = 0, rivals: str = "check") -> str:
    """Where a duel is set up: the two settings, the question, the light. Its script is assets/style/duel.js."""
    options = "".join(
        f'<option value="{key}"{" selected" if key == rivals else ""}>{r.title}: {r.names[0].lower()} against '
        f"{r.names[1].lower()}</option>"
        for key, r in RIVALS.items()
    )
    chips = "".join(
        f'<button type="button" class="v-chip" data-duel-ask="{text(q, 300)}">{isolated(q, 300)}</button>'
        for q in questions[:2]
    )
    offered = (
        f'<div class="v-followups" role="group" aria-label="Questions for this frame">{chips}</div>' if chips else ""
    )
    return (
        '<div class="v-duel-desk"><label class="v-dim"><span>Light taken away</span>'
        f'<input type="range" min="0" max="100" step="10" value="{level}" data-level>'
        f"<output>{level} %</output></label>"
        '<label class="v-duel-field v-duel-question"><span>One question for both</span><input type="text" '
        f'maxlength="2000" value="{text(question)}" data-question placeholder="What do you want to know?"></label>'
        f'<button type="button" class="v-duel-ask" data-go>Ask both</button>{offered}'
        '<label class="v-duel-field v-duel-settings"><span>Settings</span>'
        f"<select data-rivals>{options}</select></label></div>"
    )


def render_picture(picture: str, level: int) -> str:
    """The picture as both see it."""
    if not picture:
        return (
            '<div class="v-duel-none"><p>Give it a picture below, or try one of the examples: those are scored by what '
            "the world knows of them, all others by you.</p></div>"
        )
    alt = "The picture as taken" if level == 0 else f"The picture with {level} % of the light taken away"
    return f'<img class="v-duel-picture" src="{text(picture)}" alt="{alt}">'


def render_board(rivals: str, live: tuple[TurnView, TurnView] | None, done: Round | None, tally: Tally) -> str:
    """Both answers side by side, the tally, and the chart. `live` while they are being made, else `done`."""
    pair = RIVALS[rivals]
    columns = ""
    for side in (0, 1):
        if live is not None:
            body, state = _live(live[side]), "live"
        elif done is not None:
            body, state = _said(done.sides[side], side), done.sides[side].answer.status
        else:
            body, state = '<p class="v-quiet">Nothing asked yet.</p>', "none"
        columns += (
            f'<section class="v-duel-side v-duel-side--{state}" aria-label="{pair.names[side]}"><h3>{pair.names[side]}'
            f'</h3><p class="v-quiet">{pair.means[side]}</p>{body}</section>'
        )
    busy = ' aria-busy="true"' if live is not None else ""
    return f'<div class="v-duel-pair"{busy}>{columns}</div>{_tally(pair, tally)}'


def _live(view: TurnView) -> str:
    if view.turn is not None:
        return _said(Side(view.turn.answer), None)
    if view.sentences:
        words = " ".join(s.text for s in view.sentences if s.picture is None)
        return f'<p class="v-duel-answer" dir="auto">{isolated(words, 600)}</p>'
    running = [STAGE_WORDS[s.stage] for s in view.stages if s.state == "running"]
    words = view.waiting or (", ".join(running) if running else "Starting")
    return f'<p class="v-waiting"><span class="v-pulse" aria-hidden="true"></span>{isolated(words, 300)}</p>'


def _said(side: Side, number: int | None) -> str:
    answer = side.answer
    words = answer.words or answer.reason or "Nothing was said."
    name = answer.entity.name if answer.entity is not None else ""
    sure = f", {round(100 * answer.entity.confidence)} % sure" if answer.entity is not None else ""
    seen = f'<p class="v-quiet">Took it for {isolated(name, 120)}{sure}</p>' if name else ""
    head = (
        f'<p class="v-duel-status"><span class="v-tag">{STATUS_WORDS[answer.status]}</span>{_worth(side, number)}</p>'
    )
    return f'{head}<p class="v-duel-answer" dir="auto">{isolated(words, 600)}</p>{seen}{_buttons(side, number)}'


def _worth(side: Side, number: int | None) -> str:
    if number is None or side.score is None:
        return ""
    word, name = next((word, name) for score, word, name in _SCORES if score == side.score)
    return (
        f'<span class="v-score v-score--{name.split()[-1]}"><b>{word}</b><span class="v-sr">, {name},</span></span>'
        f'<span class="v-quiet">{_BY[side.by]}</span>'
    )


def _buttons(side: Side, number: int | None) -> str:
    """What the presenter clicks where no gold speaks."""
    if number is None or side.by in ("gold", "rule") or side.answer.status in UNSCORED:
        return ""
    buttons = "".join(
        f'<button type="button" class="v-act" data-score="{score}" data-side="{number}" '
        f'data-key="score-{number}-{score}" aria-pressed="{"true" if side.score == score else "false"}">'
        f'{word} <span class="v-duel-word">{name}</span></button>'
        for score, word, name in _SCORES
    )
    return f'<div class="v-duel-scores" role="group" aria-label="What is this worth?">{buttons}</div>'


def _tally(pair: Rivals, tally: Tally) -> str:
    sums, waiting = tally.sums(), tally.open
    if not tally.rounds:
        return ""
    rows = "".join(
        f'<tr><th scope="row"><i class="v-duel-key v-duel-key--{side}" aria-hidden="true"></i>{pair.names[side]}</th>'
        f"<td>{s.right}</td><td>{s.silent}</td><td>{s.wrong}</td><td><b>{_signed(s.total)}</b></td>"
        f"<td>{_share(s)}</td></tr>"
        for side, s in enumerate(sums)
    )
    note = f'<p class="v-quiet">{waiting} of {len(tally.rounds)} wait for a score on both sides.</p>' if waiting else ""
    return (
        '<div class="v-duel-result"><div><table class="v-tally"><caption>Tally</caption><thead><tr><td></td>'
        '<th scope="col"><abbr title="right">+1</abbr></th><th scope="col"><abbr title="not answered">0</abbr></th>'
        '<th scope="col"><abbr title="wrong">−1</abbr></th><th scope="col">Sum</th><th scope="col">Truthful</th></tr>'
        f'</thead><tbody>{rows}</tbody></table>{note}<button type="button" class="v-act" data-clear>Reset the tally'
        f"</button></div>{_chart(pair, tally.by_level())}</div>"
    )


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def _share(sums: Sum) -> str:
    share = sums.truthfulness
    return "" if share is None else _signed(round(100 * share)) + " %"


def _chart(pair: Rivals, levels: Mapping[int, tuple[Sum, Sum]]) -> str:
    """Truthfulness over the light that was taken away: a line for each setting, a table for whoever cannot see it."""
    if not levels:
        return ""
    left, right, top, bottom = 40, 350, 14, 126

    def x(level: int) -> float:
        return left + (right - left) * level / 100

    def y(value: float) -> float:
        return top + (bottom - top) * (1 - value) / 2

    lines = "".join(
        f'<line x1="{left}" x2="{right}" y1="{y(v)}" y2="{y(v)}" class="v-grid"/>'
        f'<text x="{left - 6}" y="{y(v) + 4}" text-anchor="end">{_signed(v)}</text>'
        for v in (1, 0, -1)
    )
    lines += "".join(
        f'<text x="{x(level)}" y="{bottom + 18}" text-anchor="middle">{level}</text>' for level in (0, 50, 100)
    )
    for side in (1, 0):  # the first setting lies on top
        points = [(x(level), y(sums[side].truthfulness or 0.0) + (3 if side else -3)) for level, sums in levels.items()]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        dots = "".join(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4"/>'
            if side == 0
            else f'<rect x="{px - 3.5:.1f}" y="{py - 3.5:.1f}" width="7" height="7"/>'
            for px, py in points
        )
        lines += f'<g class="v-line v-line--{side}"><polyline points="{path}"/>{dots}</g>'
    rows = "".join(
        f"<tr><td>{level} %</td><td>{_share(a)}</td><td>{_share(b)}</td></tr>" for level, (a, b) in levels.items()
    )
    return (
        f'<figure class="v-duel-chart"><svg viewBox="0 0 366 150" aria-hidden="true">{lines}</svg>'
        f"<figcaption>Truthfulness over the light taken away, in %</figcaption>"
        f'<table class="v-sr"><caption>Truthfulness by light taken away</caption><tr><th>Light taken away</th>'
        f"<th>{pair.names[0]}</th><th>{pair.names[1]}</th></tr>{rows}</table></figure>"
    )
