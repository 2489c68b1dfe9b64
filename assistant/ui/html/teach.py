"""What stands in the panel "Teach", as HTML: pure functions of values; everything typed by visitors is made inert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.teaching.taught_object import MAX_NAME_CHARS, TaughtObject
from assistant.teaching.view_quality import Meter
from assistant.ui.html.escape import isolated, text

if TYPE_CHECKING:
    pass

#: Objects that are listed; of more the newest.
MOST_LISTED = 60
_DRAW = (
    "Draw round the object with mouse, pen or finger. By keys: arrows move the box, Shift and arrows change its size, "
    "Enter takes it."
)


def render_glass(number: int = 0) -> str:
    """The picture to draw on; its script (assets/style/teach.js) puts the frame in view into it.

    Another `number` makes it a fresh one, with nothing drawn.
    """
    return (
        f'<div class="v-teach-empty" data-number="{number}">'
        "<p>Give it a picture above, then draw round the object here.</p></div>"
        f'<div class="v-teach-glass" role="application" tabindex="0" aria-label="{_DRAW}" hidden>'
        '<img alt="" draggable="false"><svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">'
        '<polygon points=""></polygon></svg></div>'
        '<p class="v-quiet v-teach-hint" hidden>Draw round the object.</p>'
    )


def render_meter(views: Sequence[tuple[str, str, Meter]], warnings: Sequence[str] = (), editing: str = "") -> str:
    """The views of a draft (key, data URI, meter) and what the meter says of the best."""
    about = f'<p class="v-teach-editing">Editing {isolated(editing, MAX_NAME_CHARS)}</p>' if editing else ""
    if not views:
        return about
    best = max((meter for _, _, meter in views), key=lambda meter: meter.score)
    percent = min(99, max(1, round(100 * best.score)))
    several = len(views) > 1
    words = "Two views: it will be known from either side." if several and best.level != "good" else best.words
    pictures = "".join(
        f'<li><img src="{text(picture)}" alt="View {n}"><button type="button" class="v-act" data-drop="{text(key)}" '
        f'aria-label="Remove view {n}">Remove</button></li>'
        for n, (key, picture, _) in enumerate(views, 1)
    )
    advice = "" if several else "".join(f"<li>{text(words)}</li>" for words in best.advice)
    more = "" if several or best.level == "good" else _SECOND
    warned = "".join(f'<p class="v-teach-warning" role="alert">{isolated(w, 300)}</p>' for w in warnings)
    return (
        f'{about}<ul class="v-teach-views">{pictures}</ul>'
        f'<div class="v-teach-meter v-teach-meter--{best.level}" role="meter" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{percent}" aria-label="How distinctive this view is">'
        f'<span style="width:{percent}%"></span></div>'
        f'<p class="v-teach-says" role="status">{text(words)}</p>'
        f'<ul class="v-teach-advice">{advice}</ul>{more}{warned}'
    )


_SECOND = (
    '<p class="v-quiet">For a second view take another picture above and draw again: both are kept. '
    "You can save now, too.</p>"
)


def render_taught(objects: Sequence[TaughtObject], pictures: Mapping[str, str], undo: str = "") -> str:
    """What is taught, newest first; `pictures` are data URIs by id, `undo` the name of what was forgotten just now."""
    bar = ""
    if undo:
        bar = (
            f'<p class="v-teach-undo" role="status"><span>{isolated(undo, MAX_NAME_CHARS)} is forgotten.</span>'
            '<button type="button" class="v-act" data-undo>Undo</button></p>'
        )
    if not objects:
        return bar + (
            '<p class="v-quiet v-teach-none">Nothing is taught yet. What you save is known to everyone who uses this '
            "page, and stays until somebody forgets it.</p>"
        )
    newest = sorted(objects, key=lambda thing: thing.created, reverse=True)[:MOST_LISTED]
    rows = "".join(_row(thing, pictures) for thing in newest)
    more = len(objects) - len(newest)
    rest = f'<p class="v-quiet">and {more} more</p>' if more else ""
    return (
        f'{bar}<section aria-label="What is taught"><h3>Taught so far</h3><ul class="v-taught-list">{rows}</ul>{rest}'
        "</section>"
    )


def _row(thing: TaughtObject, pictures: Mapping[str, str]) -> str:
    source = next((pictures[p.id] for p in thing.pictures if p.id in pictures), "")
    picture = f'<img src="{text(source)}" alt="" loading="lazy">' if source else '<span class="v-taught-blank"></span>'
    name = isolated(thing.name, MAX_NAME_CHARS)
    lines = thing.notes.splitlines()
    notes = "".join(f"<li>{isolated(line, 400)}</li>" for line in lines)
    count = f"{len(lines)} fact{'s' * (len(lines) != 1)}, {len(thing.pictures)} view{'s' * (len(thing.pictures) != 1)}"
    told = f"<details><summary>{count}</summary><ul>{notes}</ul></details>" if lines else f"<small>{count}</small>"
    label = text(thing.name, MAX_NAME_CHARS)
    return (
        f'<li class="v-taught">{picture}<div><p class="v-name">{name}</p>{told}</div><span class="v-taught-acts">'
        f'<button type="button" class="v-act" data-edit="{text(thing.id)}" aria-label="Edit {label}">Edit</button>'
        f'<button type="button" class="v-act" data-forget="{text(thing.id)}" aria-label="Forget {label}">Forget'
        "</button></span></li>"
    )
