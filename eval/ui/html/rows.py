"""Test rows that were written here, as HTML: the list, and what is wrong with the one being written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.ui.html.escape import isolated, text
from eval.annotate.rows import Row

_FIELDS = {"query": "question", "answer": "answer", "frame": "picture", "image_url": "address of the picture"}


def render_row_list(rows: Sequence[tuple[Row, str]], chosen: str = "") -> str:
    """All saved rows, each with its small picture as a data URI ("" where it is gone)."""
    if not rows:
        return (
            '<p class="v-quiet a-none">No test row yet. Write one here, or keep a conversation of the live page: its '
            "panel “Test row” takes it over.</p>"
        )
    items = "".join(_item(row, picture, row.session_id == chosen) for row, picture in rows)
    return f'<ul class="a-rows">{items}</ul>'


def _item(row: Row, picture: str, chosen: bool) -> str:
    shown = f'<img src="{text(picture)}" alt="">' if picture else '<span class="a-no-picture"></span>'
    name, first = text(row.session_id), row.turns[0]
    return (
        f'<li{" class=a-chosen" * chosen}>{shown}<div><p class="b-q">{isolated(first.query, 160)}</p>'
        f'<p class="b-a">{isolated(first.answer, 160)}</p><p class="v-quiet">{_count(row)}</p></div>'
        '<span class="b-acts">'
        f'<button type="button" class="b-act" data-act="edit" data-value="{name}">Change</button>'
        f'<button type="button" class="b-act b-act--delete" data-act="delete" data-value="{name}">Delete</button>'
        "</span></li>"
    )


def _count(row: Row) -> str:
    turns = "1 question" if len(row.turns) == 1 else f"{len(row.turns)} questions"
    left = f" · a user would leave at the {row.left_at + 1}." if row.left_at >= 0 else ""
    return f"{turns}{left}"


def render_wrong(wrong: Mapping[str, str]) -> str:
    """What has to be mended before a row can be saved; one line a field."""
    if not wrong:
        return '<p class="v-quiet" role="status">Complete: it can be saved.</p>'
    lines = "".join(f"<li><b>{text(where(field))}</b>: {text(sentence)}</li>" for field, sentence in wrong.items())
    return f'<ul class="a-wrong" role="status">{lines}</ul>'


def where(field: str) -> str:
    """ "turns.1.query" → "Question 2"."""
    parts = field.split(".")
    name = _FIELDS.get(parts[-1], parts[-1].replace("_", " "))
    return f"{name.capitalize()} {int(parts[1]) + 1}" if len(parts) == 3 else name.capitalize()
