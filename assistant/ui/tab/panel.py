"""How a further panel joins the live tab: where it stands, what it may call. The panels have modules of their own.

A panel is handed to `LiveTab(services, page, panels=[...])`. The tab opens its place, calls `build` there, and `wire`
once everything stands. `tab.on(event, handler, inputs, outputs)` wires an event; a handler returns a dictionary of what
changed, of the panel's own components (named in `outputs`) and of the tab's. What a
panel may call stands in `assistant.ui.tab.base`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar
from weakref import WeakKeyDictionary

import gradio as gr

if TYPE_CHECKING:
    from assistant.ui.state.session import Session
    from assistant.ui.tab.base import Tab


class Panel(Protocol):
    """`place`: "drawer" under the picture, "wide" under everything; both begin closed, under their title."""

    title: str
    elem_id: str
    place: Literal["drawer", "wide"]

    def build(self, tab: Tab) -> None:
        """Create the components, inside the panel's place."""

    def wire(self, tab: Tab) -> None:
        """Wire them, once the whole tab stands."""


Desk = TypeVar("Desk")


class Desks(Generic[Desk]):
    """What each visitor has lying on one panel, made at the first look and gone with the session."""

    def __init__(self, make: Callable[[], Desk]):
        self._make = make
        self._desks: WeakKeyDictionary[Session, Desk] = WeakKeyDictionary()

    def of(self, session: Session) -> Desk:
        return self._desks.setdefault(session, self._make())


def scripted(value: str, elem_id: str, script: Path) -> gr.HTML:
    """A part of a panel that we draw ourselves and that `script` brings to life."""
    return gr.HTML(value, elem_id=elem_id, js_on_load=script.read_text(encoding="utf-8"), apply_default_css=False)
