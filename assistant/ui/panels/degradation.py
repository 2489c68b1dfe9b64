"""The panel "Degrade image": the benchmark's five kinds of bad picture as sliders; the answer follows them.

What is moved is shown at once on a small copy; once a slider rests, the whole picture is degraded, becomes the picture
in view, and the last question about it is asked again as it was asked before. The degraded pixels are what that turn
keeps. The sliders and the slider between before and after are assets/style/lights.js.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Frame
from assistant.ui.html.marks import KIND_WORDS, render_steps
from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.html.turns import STATUS_WORDS
from assistant.ui.state.pictures import FRAME_SIDE_PX, data_uri
from assistant.ui.state.session import Degraded
from assistant.ui.state.turn_view import TurnView, announcement
from assistant.ui.tab.click_payload import Changes, detail
from assistant.ui.tab.panel import Desks, scripted
from assistant.vision.degrade import KINDS, Degradation, degrade

if TYPE_CHECKING:
    from assistant.ui.state.session import Session
    from assistant.ui.tab.base import Tab


#: Longest side of the small copy that is shown while a slider moves, in px.
PREVIEW_SIDE_PX = 448
MOST_SEED = 9999
_SCRIPT = ASSETS_DIR / "style" / "lights.js"


@dataclass(eq=False)
class _Desk:
    """What one visitor does: the small copy of a picture, what came of the pictures, the turn that follows."""

    small: tuple[str, Frame] | None = None
    made: dict[str, set[str]] = field(default_factory=dict)  # digest of an original: digests of what became of it
    followed: int = 0
    number: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class LightsPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Degrade image"
    elem_id = "lights"
    place: Literal["drawer", "wide"] = "drawer"

    def __init__(self) -> None:
        self._desks = Desks(_Desk)

    def build(self, tab: Tab) -> None:
        self._tab = tab
        self.sliders = scripted(render_sliders(()), "lights-sliders", _SCRIPT)
        self.says = scripted("", "lights-says", _SCRIPT)
        with tab.drawers:  # what a closed panel holds is not on the page; this must be
            self.preview = scripted("", "lights-preview", _SCRIPT)

    def wire(self, tab: Tab) -> None:
        own = [self.sliders, self.says, self.preview]

        def on(event: Callable[..., Any], handler: Callable[..., Any], **options: Any) -> None:
            tab.on(event, handler, [tab.session_id], own, **options)

        on(self.sliders.seen, tab.guarded(self._arrive, self.says))
        on(self.sliders.preview, tab.guarded(self._preview, self.says), trigger_mode="always_last")
        on(self.sliders.commit, self._commit, trigger_mode="multiple")

    # handlers

    def _arrive(self, session_id: str) -> Changes:
        session = self._tab.session(session_id)
        degraded = session.degraded
        return {self.sliders: render_sliders(degraded.steps if degraded is not None else ()), self.says: ""}

    def _preview(self, session_id: str, event: gr.EventData) -> Changes:
        session, desk = self._at(session_id)
        original = session.original
        if original is None:
            raise BadInput("there is no picture to make worse: give one first")
        steps = steps_of(event)
        if not _meant_for(original, event):
            return {}
        with desk.lock:
            if desk.small is None or desk.small[0] != original.digest:
                desk.small = (original.digest, smaller(original))
            small = desk.small[1]
        return {self.preview: f'<img alt="" src="{data_uri(through(small, steps), PREVIEW_SIDE_PX, quality=72)}">'}

    def _commit(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """A slider rests: the picture in view is another one, and the last question about it is asked again."""
        try:
            session, desk = self._at(session_id)
            steps, original = steps_of(event), session.original
            if original is None:
                raise BadInput("there is no picture to make worse: give one first")
            if not _meant_for(original, event):
                return
            with desk.lock:
                desk.number += 1
                mine = desk.number
            question = self._take(session, desk, original, steps, mine)
            if question is None:
                return
            words, tab = render_steps(steps) or "As it was taken", self._tab
            yield {
                tab.session_id: session.id,
                tab.frame: tab.draw_frame(session),
                self.preview: f'<i data-done="{mine}"></i>',  # another value each time: small copies may come late
                self.says: "",
                tab.announcer: render_announcement(words),
            }
            if question and detail(event, "follow", True) is not False:
                yield from self._ask_again(session, desk, question)
            else:
                seen = self._recognised(session)
                if desk.number == mine and seen:
                    yield {self.says: render_notice(seen), tab.announcer: render_announcement(f"{words}. {seen}")}
        except Exception as problem:
            yield {self.says: self._tab.sorry(problem)}

    def _take(
        self, session: Session, desk: _Desk, original: Frame, steps: tuple[Degradation, ...], mine: int
    ) -> str | None:
        """Put the degraded picture in view; returns the question that is to follow it, "" for none. None, and nothing
        is done, where another picture came while this one was being degraded, or the sliders rest elsewhere by now."""
        now, frame, degraded = session.degraded, original, None
        if steps:
            before = now.picture if now is not None else data_uri(original, FRAME_SIDE_PX)
            frame, degraded = through(original, steps), Degraded(original, before, steps)
        with session.lock:
            if desk.number != mine or session.original is None or session.original.digest != original.digest:
                return None
            now, mark = session.degraded, session.region_px
            session.take_frame(frame, session.example, degraded)
            if _moved(now.steps if now is not None else ()) == _moved(steps):
                session.region_px = mark  # nothing on the picture stands elsewhere now
        with desk.lock:
            made = desk.made.setdefault(original.digest, {original.digest})
            made.add(frame.digest)
            for digest in list(desk.made)[:-4]:
                del desk.made[digest]
        last = _last(session)
        if last is None or session.asked(last.number).digest not in made:
            return ""
        return last.question

    def _ask_again(self, session: Session, desk: _Desk, question: str) -> Iterator[Changes]:
        """Ask as the last turn was asked: what it answered must not help. A turn that follows is replaced in place."""
        with session.lock:
            last = _last(session)
            if last is None:
                return
            before = session.asked(last.number).conversation
            if last.number == desk.followed:
                session.take_back(last.number)
            elif session.run is not None:
                session.run.stop()
                session.keep(session.run)
            session.conversation = before
            run = self._tab.services.sessions.ask(session, question)
            desk.followed = run.number
        yield from self._tab.show_run(session, run)
        view = run.view()
        if desk.followed == run.number and view.turn is not None and not run.cancelled.is_set():
            yield {self.says: render_notice(f"{STATUS_WORDS[view.turn.answer.status]}: {announcement(view)}")}

    def _recognised(self, session: Session) -> str:
        """What is recognised on the picture, where no answer says it; "" while the models are still loading."""
        assistant, frame = self._tab.services.engine.assistant, session.frame
        if assistant is None or frame is None:
            return ""
        _, recognition = assistant.recognise("", frame)
        if not recognition.candidates:
            return "Nothing is recognised on it."
        best = recognition.entity or recognition.candidates[0]
        return f"Recognised: {best.name}, {round(100 * best.confidence)} %."

    def _at(self, session_id: str) -> tuple[Session, _Desk]:
        session = self._tab.session(session_id)
        return session, self._desks.of(session)


def render_sliders(steps: Sequence[Degradation]) -> str:
    """A slider for each kind, the seed, and the buttons."""
    severities = {step.kind: round(100 * step.severity) for step in steps}
    seed = steps[0].seed if steps else 1
    rows = "".join(
        f'<label class="v-light"><span>{KIND_WORDS[kind]}</span><input type="range" min="0" max="100" step="5" '
        f'value="{severities.get(kind, 0)}" data-kind="{kind}"><output>{severities.get(kind, 0)} %</output></label>'
        for kind in KINDS
    )
    return (
        f'<div class="v-lights" role="group" aria-label="How bad the picture is">{rows}<div class="v-light-acts">'
        f'<label>Seed <input type="number" min="0" max="{MOST_SEED}" step="1" value="{seed}" data-seed></label>'
        '<button type="button" class="v-act" data-roll>Another seed</button>'
        '<button type="button" class="v-act" data-reset>Reset</button></div>'
        '<label class="v-light-follow"><input type="checkbox" checked data-follow> Ask the last question again when a '
        "slider rests</label></div>"
    )


def steps_of(event: gr.EventData) -> tuple[Degradation, ...]:
    """What the sliders say, in the order in which it is done; nothing a browser sends is trusted."""
    told, seed = detail(event, "severities", {}), detail(event, "seed", 1)
    if not isinstance(told, dict):
        raise BadInput(f"the sliders told {told!r}, not a severity for each kind")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= MOST_SEED:
        raise BadInput(f"a seed is a whole number from 0 to {MOST_SEED}, not {str(seed)[:20]!r}")
    steps = []
    for kind in KINDS:
        severity = told.get(kind, 0)
        if not isinstance(severity, int | float) or isinstance(severity, bool) or not 0 <= severity <= 100:
            raise BadInput(f"{kind!r} goes from 0 to 100, not {str(severity)[:20]!r}")
        if severity > 0:
            steps.append(Degradation(kind, severity / 100, seed))
    return tuple(steps)


def _meant_for(original: Frame, event: gr.EventData) -> bool:
    """Whether the sliders were moved on this picture: another may have come since, and that is as it was taken."""
    return detail(event, "of", "") in ("", original.digest)


def through(frame: Frame, steps: Sequence[Degradation]) -> Frame:
    """The frame after all steps, one after the other."""
    return Frame(reduce(degrade, steps, frame.pixels)) if steps else frame


def _moved(steps: Sequence[Degradation]) -> tuple[Degradation, ...]:
    """The steps after which what the picture shows stands elsewhere on it."""
    return tuple(step for step in steps if step.kind in ("truncated", "rotated"))


def smaller(frame: Frame) -> Frame:
    """A copy for showing while a slider moves."""
    import cv2

    scale = PREVIEW_SIDE_PX / max(frame.width_px, frame.height_px)
    if scale >= 1:
        return frame
    size = (max(1, round(frame.width_px * scale)), max(1, round(frame.height_px * scale)))
    return Frame(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA))


def _last(session: Session) -> TurnView | None:
    """The last turn, finished or not."""
    with session.lock:
        if session.run is not None:
            return session.run.view()
        return session.views[-1] if session.views else None
