"""What the parts and panels of the live tab may call on it: `LiveTab` is the one that does it."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.errors import VitrineError
from assistant.ui.html.page import render_head, render_notice, render_target
from assistant.ui.tab.click_payload import Changes
from assistant.ui.tab.layout import LiveLayout

if TYPE_CHECKING:
    from assistant.core.types import Frame
    from assistant.ui.state.runs import Run
    from assistant.ui.state.session import Session

log = logging.getLogger(__name__)


def _changing(handler: Callable[..., Any]) -> Callable[..., Any]:
    """A handler that may do nothing: gradio empties the outputs of one that never yields, and takes {} for a value."""
    if isgeneratorfunction(handler):

        @wraps(handler)
        def yielding(*arguments: Any) -> Iterator[Any]:
            changes = handler(*arguments)
            yield next(changes, None) or gr.skip()
            for changed in changes:
                yield changed or gr.skip()

        return yielding

    @wraps(handler)
    def returning(*arguments: Any) -> Any:
        changed = handler(*arguments)
        return gr.skip() if changed == {} else changed

    return returning


class Tab(LiveLayout, ABC):
    """The components of the tab, how an event is wired, and what a handler returns after a change."""

    def on(
        self,
        event: Callable[..., Any],
        handler: Callable[..., Any],
        inputs: Sequence[Any] = (),
        outputs: Sequence[Any] = (),
        **options: Any,
    ) -> None:
        """Wire an event privately; the handler may change everything on the tab and `outputs` besides.

        That an event is under way is told to one silent component instead of to all that it may change: gradio's
        picture input closes its camera whenever it is told, be it by a tick of the clock or an answer being written.
        """
        settings = {
            "show_progress": "hidden",
            "show_progress_on": self.announcer,
            "api_visibility": "private",
            "concurrency_limit": 16,
            **options,
        }
        event(_changing(handler), list(inputs), [*self.components(), *outputs], **settings)

    def guarded(self, handler: Callable[..., Changes], notice: Any = None) -> Callable[..., Changes]:
        """A handler whose mistakes become one sentence on the page; the conversation is not touched."""

        @wraps(handler)
        def safe(*arguments: Any) -> Changes:
            try:
                return handler(*arguments)
            except Exception as problem:
                return {notice or self.ask_notice: self.sorry(problem)}

        return safe

    @staticmethod
    def sorry(problem: Exception) -> str:
        """A notice of one sentence about a mistake; what is not ours to explain goes to the log."""
        if isinstance(problem, VitrineError):
            words = str(problem)
        else:
            log.error("a handler of the page failed", exc_info=problem)
            words = "that did not work; the log of the server has the details"
        return render_notice(words[:1].upper() + words[1:], "error")

    def show_target(self, parts: Sequence[Any] = ()) -> Changes:
        """Whom questions go to, in the head and beside the Ask button; `parts` fill the badge's panel."""
        target, shown = self.services.model.target, self.target_shown()
        coming, how_far = shown[-2:]
        return {
            self.head: render_head(target, parts, coming),
            self.target: render_target(target, how_far),
            self.shown: shown,
        }

    def target_shown(self) -> tuple[str, ...]:
        """All that is said of whom questions go to; last what a model that is being loaded is called, and how far."""
        load = self.services.model.load
        coming = f"loading {load.name}" if load is not None and load.state == "loading" else ""
        how_far = ""
        if load is not None and coming:
            share = "" if load.share is None else f" ({load.share:.0%})"
            how_far = f"{load.name} is being loaded{share} and answers once it is there."
        elif load is not None and load.state == "failed":
            how_far = f"{load.name} could not be loaded; the panel Model says why."
        return (*self.services.sessions.told(), coming, how_far)

    @abstractmethod
    def session(self, session_id: str) -> Session:
        """The visitor's session; a new one when it has ended."""

    @abstractmethod
    def ask_question(
        self, question: str, session_id: str, look: Callable[[Session], Changes] = lambda session: {}
    ) -> Iterator[Changes]:
        """What happens on the page when a question is asked, to the end of its answer. `look` first puts in view what
        it is about, and tells what that changes on the page.
        """

    @abstractmethod
    def show_run(self, session: Session, run: Run, also: Changes | None = None) -> Iterator[Changes]:
        """What the page shows of a question from its beginning, with which `also` changes, to its end or to where
        another takes its place."""

    @abstractmethod
    def show_session(self, session: Session) -> Changes:
        """Everything that depends on the session: the picture, the turns, the buttons."""

    @abstractmethod
    def show_turns(self, session: Session) -> Changes:
        """The conversation: earlier turns, and the last one or the one being answered."""

    @abstractmethod
    def show_picture(self, session: Session) -> Changes:
        """The picture in view, or the place for one."""

    @abstractmethod
    def draw_frame(self, session: Session) -> str:
        """The picture in view with what was last found on it."""

    @abstractmethod
    def take_frame(self, session: Session, frame: Frame) -> Changes:
        """A new picture for the visitor, as if it had been uploaded."""
