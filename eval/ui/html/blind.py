"""Two answers to one question, nobody knows whose: the panel "Blind comparison" as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.ui.html.escape import isolated, text

CHOICES: Mapping[str, str] = {"a": "A is better", "b": "B is better", "tie": "Tie", "both bad": "Both bad"}


@dataclass(frozen=True)
class Pair:
    """Two settings, each with its name and its answer ("" while it is written); `swapped`: the second is shown as A."""

    names: tuple[str, str]
    answers: tuple[str, str] = ("", "")
    swapped: bool = False

    @property
    def shown(self) -> tuple[int, int]:
        """Which of the two stands as A, and which as B."""
        return (1, 0) if self.swapped else (0, 1)


def render_pair(question: str, pair: Pair, *, done: bool, winner: str = "", missing: Sequence[str] = ()) -> str:
    """The two answers; names only once somebody has chosen. `winner` is of `CHOICES`, as it was shown."""
    sides = "".join(
        f'<div class="a-one"><b class="a-letter">{letter}</b><p class="a-answer">'
        f"{isolated(pair.answers[place]) if pair.answers[place] else '…'}"
        + (f'<span class="a-whose">{text(pair.names[place])}</span>' if winner else "")
        + "</p></div>"
        for letter, place in zip("AB", pair.shown, strict=True)
    )
    buttons = "".join(
        f'<button type="button" class="b-act" data-event="choose" data-act="{key}" data-key="blind-{key}"'
        f'{" disabled" if not done or winner else ""} aria-pressed="{"true" if key == winner else "false"}">{words}'
        "</button>"
        for key, words in CHOICES.items()
    )
    wait = "" if done else '<p class="v-waiting"><span class="v-pulse"></span>Both are being asked</p>'
    same = '<p class="v-quiet">Both say the same.</p>' if done and len(set(pair.answers)) == 1 else ""
    return (
        f'<section class="a-blind" aria-label="Two answers"><p class="v-quiet">{isolated(question, 300)}</p>'
        f'{sides}{wait}{same}<div class="b-acts" role="group" aria-label="Which is better">{buttons}</div></section>'
    )


def render_votes(votes: Mapping[str, Mapping[str, int]]) -> str:
    """What was chosen so far in this project: for each pair of settings, how often which won."""
    if not votes:
        return ""
    rows = "".join(
        f"<tr><th>{isolated(pair, 120)}</th>"
        + "".join(f"<td>{counts.get(key, 0)}</td>" for key in ("a", "b", "tie", "both bad"))
        + "</tr>"
        for pair, counts in votes.items()
    )
    return (
        '<table class="v-latency"><thead><tr><th></th><th>first</th><th>second</th><th>tie</th><th>both bad</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>"
    )
