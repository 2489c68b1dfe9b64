"""The frame as HTML: as it was handed in, with what was recognised and read outlined on it, and the marked part.

Pure functions, like `assistant.ui.html.turns`. Outlines are drawn as shapes over the picture, in its own pixels; the
pixels themselves are never changed. Drawing a mark is the business of assets/style/mark.js.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.options import Box
from assistant.core.types import Polygon, TextLine
from assistant.text.english import sentence_of
from assistant.ui.html.escape import isolated, plain, text
from assistant.ui.html.evidence import NAME_CHARS, card_numbers, link, render_meter
from assistant.ui.html.marks import render_before, render_wipe
from assistant.ui.state.session import Shown
from assistant.ui.state.turn_view import TurnView
from assistant.ui.state.variations import ENTITY

_MARK_LABEL = (
    "Marked part. Arrow keys move it, with Shift they make it larger or smaller, Delete takes it away, "
    "Escape returns to the question."
)


def render_frame(
    picture: str,
    width_px: int,
    height_px: int,
    view: TurnView | None = None,
    region_px: Box | None = None,
    before: str = "",
    original: str = "",
    *,
    choosing: bool = False,
) -> str:
    """The frame as it was handed in, with what was found outlined on it and the tools for marking a part.

    Args:
        picture: a data URI, any scale.
        width_px, height_px: of the frame as handed in; outlines are in these pixels.
        view: the latest turn about this frame, if any.
        region_px: the part that is marked now.
        before: a data URI of the picture before it was degraded; lies over it, as far as a slider says.
        original: digest of the picture as it was taken; the page sends it back with what is to be done to it.
        choosing: another picture is being chosen, so that the place for one is seen beside this one.
    """
    mark = _mark(region_px, width_px, height_px)
    tools = (
        '<div class="v-tools"><button type="button" class="v-act" data-mark data-key="mark">'
        f"{'Mark another part' if region_px else 'Mark a part'}</button>"
        + ('<button type="button" class="v-act" data-unmark data-key="unmark">Remove the mark</button>' * bool(mark))
        + '<span class="v-quiet v-mark-hint">Draw a box on the picture to ask about “this one”.</span></div>'
    )
    legend = "" if view is None else _legend(view)
    return (
        f'<figure class="v-frame" data-original="{text(original)}"{" data-choosing" * choosing}>'
        f"{_glass(picture, width_px, height_px, view, render_before(before) + mark)}"
        f"{render_wipe(before)}{tools}"
        f"<figcaption>{legend}</figcaption></figure>"
    )


def render_large(shown: Shown, view: TurnView) -> str:
    """The picture of a turn, large, for a dialog of its own."""
    glass = _glass(shown.picture, *shown.size_px, view, "", _box_polygon(view.region_px))
    return (
        f'<div class="v-large" data-dialog aria-label="The picture of turn {view.number}">'
        '<button type="button" class="v-act" data-close>Close</button>'
        f'<figure class="v-frame">{glass}<figcaption>{_legend(view)}</figcaption></figure></div>'
    )


def render_thumb(view: TurnView) -> str:
    """The small picture beside a question, with what was recognised outlined; a button that shows it large."""
    if "frame" not in view.pictures:
        return ""
    shapes = ""
    if view.size_px is not None:
        entity = view.recognition.entity
        outlines = [("v-outline", entity.outline_px)] if entity is not None else []
        outlines += [("v-marked", box) for box in _box_polygon(view.region_px)]
        drawn = "".join(_polygon(name, outline) for name, outline in outlines)
        shapes = f'<svg viewBox="0 0 {view.size_px[0]} {view.size_px[1]}" aria-hidden="true">{drawn}</svg>'
    return (
        f'<button type="button" class="v-thumb" data-event="look" data-turn="{view.number}" '
        f'data-key="look-{view.number}" aria-label="Show the picture of turn {view.number}">'
        f'<img src="{text(view.pictures["frame"])}" alt="">{shapes}</button>'
    )


def _glass(
    picture: str, width_px: int, height_px: int, view: TurnView | None, mark: str, marked: Sequence[Polygon] = ()
) -> str:
    shapes = "" if view is None else _shapes(view)
    shapes += "".join(_polygon("v-marked", outline) for outline in marked)
    name = view.recognition.entity.name if view and view.recognition.entity else ""
    alt = f"Your picture, {plain(name, NAME_CHARS)} outlined" if name else "Your picture"
    return (
        f'<div class="v-glass" style="--ratio:{width_px / height_px:.5f}">'
        f'<img src="{text(picture)}" width="{width_px}" height="{height_px}" alt="{text(alt)}" draggable="false">'
        f'<svg viewBox="0 0 {width_px} {height_px}" aria-hidden="true">{shapes}</svg>{mark}</div>'
    )


def _mark(region_px: Box | None, width_px: int, height_px: int) -> str:
    if region_px is None:
        return ""
    left, top, right, bottom = region_px
    place = (left / width_px, top / height_px, (right - left) / width_px, (bottom - top) / height_px)
    style = ";".join(
        f"{name}:{100 * share:.3f}%" for name, share in zip(("left", "top", "width", "height"), place, strict=True)
    )
    label = f'role="group" tabindex="0" data-key="box" aria-label="{_MARK_LABEL}"'
    return f'<div class="v-mark" {label} style="{style}"></div>'


def _box_polygon(region_px: Box | None) -> tuple[Polygon, ...]:
    if region_px is None:
        return ()
    left, top, right, bottom = region_px
    return (((left, top), (right, top), (right, bottom), (left, bottom)),)


def _shapes(view: TurnView) -> str:
    parts = []
    if view.seen is not None:
        parts += [_polygon("v-read", line.outline_px) for line in view.seen.texts[:200]]
        parts += [_polygon("v-read", code.outline_px) for code in view.seen.codes[:50]]
    entity = view.recognition.entity
    parts += [_polygon("v-other", c.outline_px) for c in view.recognition.candidates if c is not entity]
    numbers = card_numbers(view)
    if entity is not None:
        cards = [e for e in view.evidence if e.kind == "entity" and e.subject == entity.name and e.id in numbers]
        links = " ".join(link(view, numbers[e.id]) for e in cards)
        parts += [_polygon("v-halo", entity.outline_px), _polygon("v-outline", entity.outline_px, links)]
    for piece in view.evidence:
        if piece.kind in ("text", "code") and piece.id in numbers and piece.outline_px is not None:
            parts.append(_polygon("v-read v-used", piece.outline_px, link(view, numbers[piece.id])))
    return "".join(parts)


def _polygon(name: str, outline: Sequence[tuple[float, float]], links: str = "") -> str:
    points = " ".join(f"{float(x):.1f},{float(y):.1f}" for x, y in outline)
    linked = f' data-links="{links}"' if links else ""
    return f'<polygon class="{name}" points="{points}" vector-effect="non-scaling-stroke"{linked}/>'


def _legend(view: TurnView) -> str:
    parts = []
    entity = view.recognition.entity
    if entity is not None and view.varied is not None and ENTITY in view.varied.swapped:
        parts.append(
            f'<p class="v-name"><span class="v-key" aria-hidden="true"></span>{isolated(entity.name, NAME_CHARS)} '
            '<span class="v-whose">swapped in</span></p>'
        )
    elif entity is not None:
        parts.append(
            f'<p class="v-name"><span class="v-key" aria-hidden="true"></span>{isolated(entity.name, NAME_CHARS)} '
            f'<span class="v-sure">{render_meter(entity.confidence)}</span></p>'
        )
    elif view.turn is not None and view.recognition.reason:
        parts.append(f'<p class="v-quiet">{isolated(sentence_of(view.recognition.reason), 300)}</p>')
    if view.seen is not None:
        notes = [f"{_count(len(view.seen.codes), 'code', 'codes')} read"] if view.seen.codes else []
        notes += [f"corrected before reading: {text(c, 60)}" for c in view.seen.corrections]
        if notes:
            parts.append(f'<p class="v-quiet">{" · ".join(notes)}</p>')
        parts.append(_lines_read(view.seen.texts))
    return "".join(parts)


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _lines_read(lines: Sequence[TextLine]) -> str:
    if not lines:
        return ""
    items = "".join(f'<li dir="auto">{isolated(line.text, 200)}</li>' for line in lines[:60])
    count = _count(len(lines), "line of text", "lines of text")
    return (
        f'<details class="v-read-lines" data-key="read-lines"><summary>{count} read</summary><ul>{items}</ul></details>'
    )
