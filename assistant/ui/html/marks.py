"""What a turn or a picture carries with it, as HTML: that the picture was degraded, that it came out of a file.

Pure functions, like `assistant.ui.html.turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.ui.html.escape import isolated, text
from assistant.ui.state.turn_view import TurnView
from assistant.vision.degrade import Degradation, DegradationKind

KIND_WORDS: dict[DegradationKind, str] = {
    "low light": "Low light",
    "blurred": "Blur",
    "truncated": "Cut off",
    "occluded": "Covered",
    "rotated": "Rotated",
}


def render_marks(view: TurnView) -> str:
    """What is to be known of a turn before its answer is read; "" for a turn like any other."""
    marks = ""
    if view.degraded:
        marks += f'<p class="v-degraded"><span>Picture made worse</span>{render_steps(view.degraded)}</p>'
    if view.opened:
        again = (
            f'<button type="button" class="v-act" data-event="vary" data-turn="{view.number}" data-act="here" '
            f'data-key="vary-{view.number}-here">Ask on this machine</button>'
        )
        marks += f'<p class="v-opened"><span>Opened from a saved turn</span>{isolated(view.opened, 300)} {again}</p>'
    return f'<div class="v-marks">{marks}</div>' if marks else ""


def render_steps(steps: Sequence[Degradation]) -> str:
    """The degradations as one line: "Low light 60 %, blur 20 % (seed 3)"."""
    if not steps:
        return ""
    words = ", ".join(f"{KIND_WORDS[step.kind]} {round(100 * step.severity)} %" for step in steps)
    return text(f"{words[:1]}{words[1:].lower()} (seed {steps[0].seed})")


def render_before(picture: str) -> str:
    """The picture as it was taken, over what became of it; cut by the slider of `render_wipe`."""
    if not picture:
        return ""
    return f'<img class="v-before" src="{text(picture)}" alt="" draggable="false"><i class="v-wipe-line"></i>'


def render_wipe(picture: str) -> str:
    """The slider between before and after."""
    if not picture:
        return ""
    return (
        '<label class="v-wipe"><span aria-hidden="true">Before</span><input type="range" min="0" max="100" value="50" '
        'data-wipe data-key="wipe" aria-label="Before and after: share of the picture that is shown as it was taken">'
        '<span aria-hidden="true">After</span></label>'
    )
