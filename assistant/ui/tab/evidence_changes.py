"""Changing what an answer rests on: cards switched off, put back, swapped; settings left out; and the way back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_announcement
from assistant.ui.state.sessions import Session
from assistant.ui.state.turn_view import announcement
from assistant.ui.tab.click_payload import Changes, detail, number_of

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab


#: An answer that is there sooner is shown without saying that it is being made.
AT_ONCE_S = 0.15


class WhyPart:
    """Wires the cards' buttons and the settings under "Ask again"."""

    def __init__(self, tab: Tab):
        self._tab = tab
        self._sessions = tab.services.sessions

    def wire(self) -> None:
        tab = self._tab
        for part in (tab.current, tab.history):
            tab.on(part.vary, self._vary, [tab.session_id])
            tab.on(part.offer, tab.guarded(self._offer, tab.ask_notice), [tab.session_id])
            tab.on(part.undo, tab.guarded(self._undo), [tab.session_id])
            tab.on(part.restore, tab.guarded(self._restore), [tab.session_id])

    def _vary(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        tab, number = self._tab, number_of(event, "turn")
        try:
            session = self._session(session_id)
            act, card = str(detail(event, "act", "")), str(detail(event, "card", ""))
            run = self._sessions.vary(session, number, act, card)
        except Exception as problem:
            yield {tab.ask_notice: tab.sorry(problem), **tab.show_target()}
            return
        deadline = time.monotonic() + AT_ONCE_S
        while number in session.varying and time.monotonic() < deadline:
            time.sleep(0.005)
        if number in session.varying:
            yield self._show(session, number)
        while number in session.varying:  # the run is finished a moment before its variation is kept
            time.sleep(0.01)
        words = f"Answered again: {announcement(run.view())}"
        yield {**self._show(session, number), tab.announcer: render_announcement(words), tab.ask_notice: ""}

    def _offer(self, session_id: str, event: gr.EventData) -> Changes:
        """Choices for a card, or none any more; nothing is answered again before one is chosen."""
        number, session = number_of(event, "turn"), self._session(session_id)
        self._sessions.offer(session, number, str(detail(event, "card", "")))
        return {**self._show(session, number), self._tab.ask_notice: ""}

    def _undo(self, session_id: str, event: gr.EventData) -> Changes:
        return self._back(session_id, event, all=False)

    def _restore(self, session_id: str, event: gr.EventData) -> Changes:
        return self._back(session_id, event, all=True)

    def _back(self, session_id: str, event: gr.EventData, *, all: bool) -> Changes:
        number = number_of(event, "turn")
        session = self._session(session_id)
        session.undo(number, all=all)
        view = session.view_of(number)
        words = f"Undone: {announcement(view)}" if view is not None else "Undone"
        return {**self._show(session, number), self._tab.announcer: render_announcement(words)}

    def _session(self, session_id: str) -> Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise BadInput("that conversation has ended: reload the page to begin a new one")
        return session

    def _show(self, session: Session, number: int) -> Changes:
        """The part of the page where the turn stands, and the picture when it is about that."""
        tab = self._tab
        turns = tab.show_turns(session)
        changes = {tab.current: turns[tab.current]} if _is_last(session, number) else {tab.history: turns[tab.history]}
        shows = session.frame_view
        if shows is not None and shows.number == number:
            changes |= {tab.frame: tab.draw_frame(session)}
        return changes


def _is_last(session: Session, number: int) -> bool:
    return session.run is None and number == session.turns_shown
