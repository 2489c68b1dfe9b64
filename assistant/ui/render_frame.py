"""The frame as HTML: as it was handed in, with what was recognised and read outlined on it.

Pure functions, like `assistant.ui.render`. Outlines are drawn as shapes over the picture, in its own pixels; the
pixels themselves are never changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.conversation import TextLine
from assistant.ui.inert import isolated, plain, text
from assistant.ui.render import NAME_CHARS, render_meter
from assistant.ui.turn_view import TurnView


def render_frame(picture: str, width_px: int, height_px: int, view: TurnView | None = None) -> str:
    """The frame as it was handed in, with what was found outlined on it.

    Args:
        picture: a data URI, any scale.
        width_px, height_px: of the frame as handed in; outlines are in these pixels.
        view: the latest turn about this frame, if any.
    """
    shapes, legend = ("", "") if view is None else (_shapes(view, max(width_px, height_px)), _legend(view))
    name = view.recognition.entity.name if view and view.recognition.entity else ""
    alt = f"Your picture, {plain(name, NAME_CHARS)} outlined" if name else "Your picture"
    return (
        f'<figure class="v-frame"><div class="v-glass" style="--ratio:{width_px / height_px:.5f}">'
        f'<img src="{text(picture)}" width="{width_px}" height="{height_px}" alt="{text(alt)}">'
        f'<svg viewBox="0 0 {width_px} {height_px}" aria-hidden="true">{shapes}</svg></div>'
        f"<figcaption>{legend}</figcaption></figure>"
    )


def _shapes(view: TurnView, side_px: int) -> str:
    parts = []
    boxes: list[tuple[str, Sequence[tuple[float, float]]]] = []
    if view.seen is not None:
        boxes += [("v-read", line.outline_px) for line in view.seen.texts[:200]]
        boxes += [("v-read", code.outline_px) for code in view.seen.codes[:50]]
    entity = view.recognition.entity
    boxes += [("v-other", c.outline_px) for c in view.recognition.candidates if c is not entity]
    if entity is not None:
        boxes += [("v-halo", entity.outline_px), ("v-outline", entity.outline_px)]
    for name, outline in boxes:
        points = " ".join(f"{float(x):.1f},{float(y):.1f}" for x, y in outline)
        parts.append(f'<polygon class="{name}" points="{points}" vector-effect="non-scaling-stroke"/>')
    return "".join(parts)


def _legend(view: TurnView) -> str:
    parts = []
    entity = view.recognition.entity
    if entity is not None:
        parts.append(
            f'<p class="v-name"><span class="v-key" aria-hidden="true"></span>{isolated(entity.name, NAME_CHARS)} '
            f'<span class="v-sure">{render_meter(entity.confidence)}</span></p>'
        )
    elif view.turn is not None and view.recognition.reason:
        parts.append(f'<p class="v-quiet">{isolated(view.recognition.reason, 300)}</p>')
    if view.seen is not None:
        notes = [_count(len(view.seen.texts), "line of text", "lines of text")] if view.seen.texts else []
        notes += [_count(len(view.seen.codes), "code", "codes")] if view.seen.codes else []
        notes = [f"{' and '.join(notes)} read"] if notes else []
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
    return f'<details class="v-read-lines"><summary>Text read</summary><ul>{items}</ul></details>'
