"""The panel "Blind comparison" of the live page: the last question again under two settings, shown without their names.

Which is better is kept as a preference in a project of annotation of its own, with both answers, so that it counts like
any other label. A person says who they are, or is named by a login.
"""

from __future__ import annotations

import random
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.options import USUAL, Conditions
from assistant.core.types import Frame
from assistant.ui.html.comparison import RIVALS
from assistant.ui.state.runs import Run
from assistant.ui.tab.click_payload import Changes, detail
from assistant.ui.tab.layout import html
from assistant.ui.tab.panel import Desks
from assistant.vision.degrade import KINDS, Degradation, degrade
from eval.annotate.values import Item, Preference, ProjectSettings
from eval.ui.html.blind import CHOICES, Pair, render_pair, render_votes
from eval.ui.state.annotation import AnnotationDesk

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

PROJECT = "Blind comparisons"
SEVERITY, SEED = 0.6, 1
_ABOUT = (
    '<p class="v-quiet">Asks your last question again under two settings and shows both answers without saying which '
    "is which. What you choose is kept as a label, in the project “Blind comparisons”.</p>"
)
_LONGEST_S = 180.0


@dataclass(frozen=True)
class Setting:
    """One way to answer: its name, what the assistant is told, the profile, and what is done to the picture."""

    name: str
    conditions: Conditions = USUAL
    profile: str = ""
    degradation: Degradation | None = None

    def of(self, frame: Frame) -> Frame:
        return Frame(degrade(frame.pixels, self.degradation)) if self.degradation is not None else frame


@dataclass(eq=False)
class _Desk:
    """One visitor's comparison."""

    question: str = ""
    which: str = ""
    statuses: tuple[str, str] = ("", "")
    pair: Pair = field(default_factory=lambda: Pair(("", "")))
    digest: str = ""
    runs: tuple[Run, ...] = ()
    open: bool = False


class BlindPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Blind comparison"
    elem_id = "blind"
    place: Literal["drawer", "wide"] = "wide"

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk
        self._desks = Desks(_Desk)
        self._chance = random.SystemRandom()

    def build(self, tab: Tab) -> None:
        self._tab = tab
        gr.HTML(_ABOUT, apply_default_css=False)
        with gr.Row():
            pairs = [(name, name) for name in pairs_of(())]
            self.which = gr.Dropdown(pairs, value=pairs[0][1], label="Compare", elem_id="blind-which", scale=3)
            self.person = gr.Textbox(label="Your name", max_lines=1, elem_id="blind-person", scale=2)
            self.ask = gr.Button("Ask both", variant="primary", elem_id="blind-ask", scale=0, min_width=120)
        self.board = html("", "blind-board", listens=True, events=("choose",))
        self.notice = gr.HTML("", elem_id="blind-notice", apply_default_css=False)
        self.votes = gr.HTML("", elem_id="blind-votes", apply_default_css=False)

    def wire(self, tab: Tab) -> None:
        own = [self.which, self.board, self.notice, self.votes]
        tab.on(self.ask.click, self._ask, [tab.session_id, self.which], own)
        tab.on(self.board.choose, self._choose, [tab.session_id, self.person], own)
        tab.on(self.which.focus, tab.guarded(self._offer, self.notice), [tab.session_id], own)

    # handlers

    def _offer(self, session_id: str) -> Changes:
        """What can be compared now: other profiles come and go."""
        session = self._tab.session(session_id)
        return {self.which: gr.Dropdown(choices=[(name, name) for name in pairs_of(session.others)])}

    def _ask(self, session_id: str, which: str) -> Iterator[Changes]:
        try:
            yield from self._compare(session_id, which)
        except Exception as problem:
            yield {self.notice: self._tab.sorry(problem)}

    def _compare(self, session_id: str, which: str) -> Iterator[Changes]:
        session = self._tab.session(session_id)
        desk, number = self._desks.of(session), session.turns_shown
        if not number:
            raise BadInput("nothing was asked yet: ask a question first, then compare")
        asked, frame, settings = session.asked(number), session.frame_of(number), pairs_of(session.others).get(which)
        if frame is None:
            raise BadInput("the picture of the last question is no longer kept: ask about it again")
        if settings is None:
            raise BadInput(f"there is nothing called {which[:40]!r} to compare")
        for run in desk.runs:
            run.stop()
        question = session.views[-1].question
        sessions = self._tab.services.sessions
        runs = tuple(
            sessions.aside(
                session, question, one.of(frame), replace(one.conditions, region_px=asked.conditions.region_px),
                profile=one.profile, after=asked.conversation,
            )
            for one in settings
        )  # fmt: skip
        names = (settings[0].name, settings[1].name)
        desk.runs, desk.question, desk.which, desk.digest, desk.open = runs, question, which, frame.digest, False
        desk.pair = Pair(names, swapped=self._chance.random() < 0.5)
        yield {self.notice: "", self.board: render_pair(question, desk.pair, done=False)}
        until = time.monotonic() + _LONGEST_S
        while desk.runs is runs and not all(run.view().turn is not None for run in runs):
            if time.monotonic() > until:
                raise BadInput(f"that took longer than {_LONGEST_S:.0f} s: ask again")
            time.sleep(0.06)
        if desk.runs is not runs:
            return  # another comparison took its place
        answers = tuple(turn.answer.text or turn.answer.reason for run in runs if (turn := run.view().turn) is not None)
        turns = [run.view().turn for run in runs]
        desk.statuses = (turns[0].answer.status, turns[1].answer.status) if turns[0] and turns[1] else ("", "")
        desk.pair, desk.open = replace(desk.pair, answers=(answers[0], answers[1])), True
        yield {self.board: render_pair(question, desk.pair, done=True)}

    def _choose(self, session_id: str, person: str, request: gr.Request, event: gr.EventData) -> Changes:
        try:
            desk, chosen = self._desks.of(self._tab.session(session_id)), str(detail(event, "act", ""))
            if not desk.open or chosen not in CHOICES:
                raise BadInput("there is nothing to choose between: ask both first")
            self._keep(desk, self._desk.name(request.username, person), chosen)
            desk.open = False
            board = render_pair(desk.question, desk.pair, done=True, winner=chosen)
            return {self.board: board, self.notice: "", self.votes: render_votes(self._counted())}
        except Exception as problem:
            return {self.notice: self._tab.sorry(problem)}

    # what is kept

    def _keep(self, desk: _Desk, person: str, chosen: str) -> None:
        """The pair as an item, and what was chosen as this person's preference; "a" is the first setting."""
        store = self._desk.store
        if PROJECT not in [project.name for project in store.projects(archived=True)]:
            store.create_project(PROJECT, ProjectSettings(overlap=1), uuid.uuid4().hex)
        project = store.project(PROJECT)
        if project.archived:
            project = store.archive(project.id, uuid.uuid4().hex, archived=False)
        first, second = desk.pair.answers
        item = Item(
            conversation=f"{desk.which}/{uuid.uuid4().hex}", turn_idx=0, question=desk.question, answer=first,
            status=desk.statuses[0], run=desk.pair.names[0], other_answer=second, other_run=desk.pair.names[1],
        )  # fmt: skip
        added = store.add_items(project.id, [item], uuid.uuid4().hex)
        turned = {"a": "b", "b": "a"}.get(chosen, chosen) if desk.pair.swapped else chosen
        said = Preference(turned)  # type: ignore[arg-type]  # one of CHOICES
        store.label(project.id, person, added.ids[0], said, uuid.uuid4().hex)

    def _counted(self) -> dict[str, Counter[str]]:
        store = self._desk.store
        project = store.project(PROJECT)
        names = {item.id: f"{item.run} against {item.other_run}" for item in store.items(project.id)}
        counted: dict[str, Counter[str]] = {}
        for said in store.labels(project.id):
            counted.setdefault(names[said.item], Counter())[said.value] += 1
        return counted


def pairs_of(others: tuple[tuple[str, str], ...]) -> dict[str, tuple[Setting, Setting]]:
    """What can be compared, by name: settings, degradations of the picture, and the `others` that may answer."""
    found = {
        f"{pair.names[0]} against {pair.names[1].lower()}": (
            Setting(pair.names[0], pair.conditions[0]),
            Setting(pair.names[1], pair.conditions[1]),
        )
        for pair in RIVALS.values()
    }
    for kind in KINDS:
        spoilt = Setting(f"Picture {kind}", degradation=Degradation(kind, SEVERITY, SEED))
        found[f"As taken against {kind}"] = (Setting("As taken"), spoilt)
    for profile, words in others:
        found[f"This page against {profile}"] = (Setting("This page's own"), Setting(words, profile=profile))
    return found
