"""The panel "Test row" of the live page: a conversation that was tried becomes a row of a benchmark, with its answers.

What was asked about one picture is taken over, each answer as a proposal for the ground truth; the person corrects it,
leaves turns out, and says where a real user would have left. The picture is written only when the row is saved.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.types import Frame
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import Changes
from eval.annotate import rows
from eval.annotate.rows import Draft, RowTurn
from eval.ui.html.rows import where
from eval.ui.parts.label_fields import label_fields, labels_in
from eval.ui.state.annotation import AnnotationDesk

if TYPE_CHECKING:
    from assistant.ui.state.session import Session
    from assistant.ui.tab.base import Tab

_ABOUT = (
    '<p class="v-quiet">Keeps what was asked about this picture as a row of a benchmark, with the answers that would '
    "have been right. The picture is stored with it, on this machine.</p>"
)
HEADERS = ["Keep", "Question", "Right answer", "A user would leave here"]


class TestRowPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Test row"
    elem_id = "test-row"
    place: Literal["drawer", "wide"] = "wide"
    __test__ = False  # no test of pytest's

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk

    def build(self, tab: Tab) -> None:
        self._tab = tab
        gr.HTML(_ABOUT, apply_default_css=False)
        self.take = gr.Button("Take over this conversation", size="sm", elem_id="test-row-take")
        self.turns = gr.Dataframe(
            headers=HEADERS, datatype=["bool", "str", "str", "bool"], row_count=1, column_count=4, wrap=True,
            interactive=True, label="Turns about this picture", elem_id="test-row-turns", type="array", visible=False,
        )  # fmt: skip
        with gr.Row(visible=False) as self.more:
            self.labels = label_fields()
        self.save = gr.Button("Save as a test row", variant="primary", visible=False, elem_id="test-row-save")
        self.taken = gr.State((0, ""))  # the last of the turns that were taken over, and the digest of their picture
        self.notice = gr.HTML("", elem_id="test-row-notice", apply_default_css=False)

    def wire(self, tab: Tab) -> None:
        own = [self.turns, self.more, self.save, self.taken, self.notice]
        form = [tab.session_id, self.taken, self.turns, *self.labels.values()]
        tab.on(self.take.click, tab.guarded(self._take, self.notice), [tab.session_id], own)
        tab.on(self.save.click, tab.guarded(self._save, self.notice), form, own)

    # handlers

    def _take(self, session_id: str) -> Changes:
        self._desk.check()
        session = self._tab.session(session_id)
        turns = turns_about_the_picture(session)
        taken = (session.turns_shown, session.views[-1].digest)
        table = [[True, question, answer, False] for question, answer in turns]
        shown = {part: type(part)(visible=True) for part in (self.more, self.save)}
        return {self.turns: gr.Dataframe(value=table, visible=True), **shown, self.taken: taken, self.notice: ""}

    def _save(
        self, session_id: str, taken: tuple[int, str], table: Sequence[Sequence[Any]], *labels: str | None
    ) -> Changes:
        self._desk.check()
        session = self._tab.session(session_id)
        frame = session.frame_of(taken[0])
        if frame is None or frame.digest != taken[1]:
            raise BadInput("the picture of those questions is no longer kept: ask about it again, and take them over")
        named = labels_in(labels)
        kept = [line for line in table or () if len(line) >= 4 and _is_yes(line[0])]
        turns = tuple(RowTurn(str(line[1] or ""), str(line[2] or ""), **named) for line in kept)
        left = next((place for place, line in enumerate(kept) if _is_yes(line[3])), -1)
        draft = Draft(turns, _as_png(frame), left_at=left)
        if wrong := rows.check(draft, picture=False):
            field, sentence = next(iter(wrong.items()))
            raise BadInput(f"{where(field)}: {sentence}")
        row = rows.save(self._desk.folder, draft)
        many = "1 question" if len(row.turns) == 1 else f"{len(row.turns)} questions"
        words = f"Saved with {many}: under Annotate, “Test rows”, and to be chosen where a run is begun."
        gone = {part: type(part)(visible=False) for part in (self.turns, self.more, self.save)}
        return {**gone, self.taken: (0, ""), self.notice: render_notice(words)}


def turns_about_the_picture(session: Session) -> list[tuple[str, str]]:
    """Questions of the last turn and of those just before it that were about the same picture, each with its answer, ""
    where there was none.

    Raises:
        BadInput: nothing was asked about a picture.
    """
    found: list[tuple[str, str]] = []
    digest = None
    for view in reversed(session.turns()):
        if view.turn is None or not view.digest or (digest is not None and view.digest != digest):
            break
        digest = view.digest
        answer = view.turn.answer
        found.append((view.question, answer.text if answer.status == "answered" else ""))
    if not found:
        raise BadInput("nothing was asked about a picture yet: ask first, and take the conversation over then")
    return found[::-1]


def _is_yes(cell: Any) -> bool:
    """Whether a cell is ticked, however the browser sends it."""
    return cell is True or str(cell).lower() == "true"


def _as_png(frame: Frame) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(frame.pixels).save(out, "PNG")
    return out.getvalue()
