"""The panel "Compare settings": one question, one picture, two settings, and a slider that dims the light.

Both are asked beside the conversation, with no history, about the picture as it was taken with some of its light taken
away. What an answer is worth is told by a service that is handed in (for the bundled frames, which it alone knows the
gold of), else by the presenter. A slider that rests asks the same question again; the tally lasts as long as the
session. The script is assets/style/duel.js.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Frame, Turn
from assistant.ui.html.comparison import RIVALS, UNSCORED, render_board, render_desk, render_picture
from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.panels.degradation import PREVIEW_SIDE_PX, smaller
from assistant.ui.state.pictures import data_uri
from assistant.ui.state.runs import Run
from assistant.ui.state.tally import Round, Side, Tally
from assistant.ui.tab.click_payload import Changes, detail, number_of
from assistant.ui.tab.panel import Desks, scripted
from assistant.vision.degrade import Degradation, degrade

if TYPE_CHECKING:
    from assistant.ui.state.session import Session
    from assistant.ui.tab.base import Tab


#: The digest of an example's file and a finished turn about it → what the answer is worth; None when not known.
Grade = Callable[[str, Turn], "int | None"]

MAX_QUESTION_CHARS = 2000
#: The same noise and colour cast at every level, so that a slower slide shows less light and nothing else.
SEED = 1
_SCRIPT = ASSETS_DIR / "style" / "duel.js"


@dataclass(eq=False)
class _Desk:
    """One visitor's duel: which settings, what was asked last, and a tally for each pair of settings."""

    rivals: str = "check"
    question: str = ""
    level: int = 0
    done: Round | None = None
    runs: tuple[Run, ...] = ()
    small: tuple[str, Frame] | None = None
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def tally(self) -> Tally:
        return self.tallies.get(self.rivals, Tally())


class DuelPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Compare settings"
    elem_id = "duel"
    place: Literal["drawer", "wide"] = "wide"

    def __init__(self, grade: Grade | None = None) -> None:
        self._grade = grade
        self._desks = Desks(_Desk)

    def build(self, tab: Tab) -> None:
        self._tab = tab
        with gr.Row(elem_id="duel-row"):
            with gr.Column(scale=4, min_width=260, elem_id="duel-left"):
                self.picture = scripted(render_picture("", 0), "duel-view", _SCRIPT)
                self.desk = scripted(render_desk(), "duel-desk", _SCRIPT)
                self.notice = scripted("", "duel-notice", _SCRIPT)
            with gr.Column(scale=8, min_width=300, elem_id="duel-right"):
                self.board = scripted(render_board("check", None, None, Tally()), "duel-board", _SCRIPT)

    def wire(self, tab: Tab) -> None:
        own = [self.picture, self.desk, self.notice, self.board]

        def on(event: Callable[..., Any], handler: Callable[..., Any], **options: Any) -> None:
            tab.on(event, handler, [tab.session_id], own, **options)

        on(self.desk.seen, self._guarded(self._arrive))
        on(self.desk.dim, self._guarded(self._dim), trigger_mode="always_last")
        on(self.desk.ask, self._ask, trigger_mode="multiple")
        on(self.desk.choose, self._guarded(self._choose))
        on(self.board.score, self._guarded(self._score))
        on(self.board.clear, self._guarded(self._clear))

    # handlers

    def _arrive(self, session_id: str, event: gr.EventData) -> Changes:
        """The panel came into view, or another picture did; what was typed and not asked yet stays."""
        session, desk = self._at(session_id)
        original, typed = session.original, str(detail(event, "question", ""))[:MAX_QUESTION_CHARS]
        typed = typed if typed != desk.question else ""
        if original is None or (desk.done is not None and desk.done.picture != original.digest):
            desk.question, desk.level, desk.done = "", 0, None
        offered = self._tab.services.examples.questions(session.example)
        # Only the first question of a conversation can be asked without the turns before it.
        questions = offered[:1]
        return {
            self._tab.session_id: session.id,
            self.desk: render_desk(questions, typed or desk.question, desk.level, desk.rivals),
            self.picture: self._seen(session, desk, desk.level),
            self.board: self._board(desk),
        }

    def _dim(self, session_id: str, event: gr.EventData) -> Changes:
        session, desk = self._at(session_id)
        return {self.picture: self._seen(session, desk, _level(event))}

    def _choose(self, session_id: str, event: gr.EventData) -> Changes:
        _, desk = self._at(session_id)
        rivals = str(detail(event, "rivals", ""))
        if rivals not in RIVALS:
            raise BadInput(f"there is no pair of settings {rivals[:20]!r}")
        desk.rivals, desk.done = rivals, None
        return {self.board: self._board(desk), self.notice: ""}

    def _score(self, session_id: str, event: gr.EventData) -> Changes:
        _, desk = self._at(session_id)
        side, score = number_of(event, "side"), detail(event, "score", None)
        if desk.done is None or side not in (0, 1) or score not in (1, 0, -1) or isinstance(score, bool):
            raise BadInput("there is no answer to give that score to")
        one = desk.done.sides[side]
        if one.by in ("gold", "rule") or one.answer.status in UNSCORED:
            raise BadInput("that answer is not scored by hand")
        self._keep(desk, desk.done.scored(side, score))
        return {self.board: self._board(desk)}

    def _clear(self, session_id: str) -> Changes:
        _, desk = self._at(session_id)
        desk.tallies.pop(desk.rivals, None)
        desk.done = None
        return {self.board: self._board(desk), self.notice: render_notice("The tally begins anew.")}

    def _ask(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """Ask both, and show them until they are done or asked something else."""
        try:
            yield from self._duel(session_id, event)
        except Exception as problem:
            yield {self.notice: self._tab.sorry(problem)}

    def _duel(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        session, desk = self._at(session_id)
        question, level = str(detail(event, "question", "")).strip(), _level(event)
        original = session.original
        if original is None:
            raise BadInput("there is no picture to ask about: give one first")
        if not question:
            raise BadInput("there is no question yet: write one for both")
        if len(question) > MAX_QUESTION_CHARS:
            raise BadInput(f"that question has {len(question):,} characters; {MAX_QUESTION_CHARS:,} are the most here")
        for run in desk.runs:
            run.stop()
        frame = _dimmed(original, level)
        rivals, picture = desk.rivals, self._file_of(session)
        sessions = self._tab.services.sessions
        runs = tuple(sessions.aside(session, question, frame, c) for c in RIVALS[rivals].conditions)
        desk.runs, desk.question, desk.level, desk.done = runs, question, level, None
        yield {self.notice: "", self.picture: self._seen(session, desk, level), self._tab.session_id: session.id}
        drawn = ""
        while desk.runs is runs:
            views = (runs[0].view(), runs[1].view())
            if all(view.turn is not None for view in views):
                break
            board = render_board(rivals, views, None, desk.tally)
            if board != drawn:
                drawn = board
                yield {self.board: board}
            time.sleep(0.06)
        if desk.runs is not runs or desk.rivals != rivals:
            return  # another question took its place
        turns = [view.turn for view in (runs[0].view(), runs[1].view()) if view.turn is not None]
        first, second = (self._worth(picture, turn) for turn in turns)
        self._keep(desk, Round(original.digest, question, level, (first, second)))
        said = " ".join(
            f"{n}: {t.answer.words or t.answer.reason}." for n, t in zip(RIVALS[rivals].names, turns, strict=True)
        )
        yield {self.board: self._board(desk), self._tab.announcer: render_announcement(said)}

    # what it is made of

    def _worth(self, picture: str, turn: Turn) -> Side:
        """An answer with its grade, where one is known."""
        grade = self._grade(picture, turn) if self._grade is not None and picture else None
        if grade is None:
            return Side(turn.answer, 0, "rule") if turn.answer.status in ("abstained", "retake") else Side(turn.answer)
        return Side(turn.answer, 1 if grade > 0 else -1 if grade < 0 else 0, "gold")

    @staticmethod
    def _keep(desk: _Desk, done: Round) -> None:
        desk.done = done
        if not any(side.answer.status in UNSCORED for side in done.sides):
            desk.tallies[desk.rivals] = desk.tally.with_round(done)

    def _board(self, desk: _Desk) -> str:
        return render_board(desk.rivals, None, desk.done, desk.tally)

    def _seen(self, session: Session, desk: _Desk, level: int) -> str:
        original = session.original
        if original is None:
            return render_picture("", 0)
        if desk.small is None or desk.small[0] != original.digest:
            desk.small = (original.digest, smaller(original))
        return render_picture(data_uri(_dimmed(desk.small[1], level), PREVIEW_SIDE_PX, quality=75), level)

    def _file_of(self, session: Session) -> str:
        """The digest of the file that the picture in view comes from, when it is one of the examples."""
        return self._tab.services.examples.digest(session.example)

    def _at(self, session_id: str) -> tuple[Session, _Desk]:
        session = self._tab.session(session_id)
        return session, self._desks.of(session)

    def _guarded(self, handler: Callable[..., Changes]) -> Callable[..., Changes]:
        return self._tab.guarded(handler, self.notice)


def _level(event: gr.EventData) -> int:
    level = number_of(event, "level")
    if not 0 <= level <= 100:
        raise BadInput("the light goes from 0 to 100")
    return level


def _dimmed(frame: Frame, level: int) -> Frame:
    if level == 0:
        return frame
    return Frame(degrade(frame.pixels, Degradation("low light", level / 100, SEED)))
