"""Capsules on the page: "Save" beside an answer hands the turn to the browser as one file, and such a file opens again
when it is dropped on the page or chosen in the panel. What is opened is a turn of the conversation, shown as it was
and marked so; it can be asked again on this machine. The file is `assistant.capsule`, dropping assets/style/capsule.js.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr
from gradio.data_classes import FileData

from assistant.capsule import MAX_BYTES, SUFFIX, Capsule, Record, Sighting, StageTime, pack, unpack
from assistant.core.errors import BadInput
from assistant.core.options import Box, box_on
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Conversation, Frame
from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.state.pictures import CARD_SIDE_PX, cut_out, data_uri
from assistant.ui.state.session import Asked, Session
from assistant.ui.state.turn_view import Seen, StageView, TurnView, announcement
from assistant.ui.tab.click_payload import Changes, detail, number_of
from assistant.ui.tab.panel import scripted
from assistant.ui.tab.picture_input import Plain, read_upload, refuse_addresses

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

_SCRIPT = ASSETS_DIR / "style" / "capsule.js"
_ABOUT = (
    '<p class="v-quiet">“Save” beside an answer keeps the turn as one file: picture, question, evidence, times and '
    "versions, with the questions before it. Drop such a file anywhere on this page, or choose it here, to see the "
    "turn again, on this machine or another.</p>"
)


class CapsuleInput(gr.File, metaclass=Plain):
    """A `gr.File` whose handlers receive `bytes` (or None); the upload is deleted soon after."""

    def get_block_name(self) -> str:
        """The part of the frontend that draws it."""
        return "file"

    def preprocess(self, payload: Any) -> bytes | None:  # type: ignore[override]
        file = payload.root[0] if hasattr(payload, "root") and payload.root else payload
        return read_upload(file) if isinstance(file, FileData) else None

    def move_resource_to_block_cache(self, url_or_file_path: Any) -> str | None:
        refuse_addresses(url_or_file_path)
        return super().move_resource_to_block_cache(url_or_file_path)

    async def async_move_resource_to_block_cache(self, url_or_file_path: Any) -> str | None:
        refuse_addresses(url_or_file_path)
        return await super().async_move_resource_to_block_cache(url_or_file_path)


class CapsulePanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Saved turns"
    elem_id = "capsule"
    place: Literal["drawer", "wide"] = "drawer"

    def __init__(
        self,
        versions: Callable[[], Mapping[str, Any]],
        withhold: Callable[[], Sequence[str]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        """`versions` says what this is made of; `withhold` names keys and paths that go into no file."""
        self._versions = versions
        self._withhold = withhold
        self._now = now
        self._saved = 0

    def build(self, tab: Tab) -> None:
        self._tab = tab
        gr.HTML(_ABOUT, elem_id="capsule-about", apply_default_css=False)
        self.file = CapsuleInput(label="Open a saved turn", file_types=[".zip"], height=150, elem_id="capsule-file")
        with tab.drawers:  # what a closed panel holds is not on the page; this must be
            self.out = scripted("", "capsule-out", _SCRIPT)

    def wire(self, tab: Tab) -> None:
        own = [self.file, self.out]
        for part in (tab.current, tab.history):
            tab.on(part.save, tab.guarded(self._save), [tab.session_id], own)
        tab.on(self.file.upload, self._open, [self.file, tab.session_id], own)
        tab.on(self.out.refused, self._refuse, outputs=own)

    # handlers

    def _save(self, session_id: str, event: gr.EventData) -> Changes:
        now, number = self._now(), number_of(event, "turn")
        session = self._tab.session(session_id)
        capsule = capsule_of(session, number, self._tab.services.model.target.profile, dict(self._versions()), now)
        data = pack(capsule, self._withhold())
        self._saved += 1
        name = f"vitrine-{now:%Y%m%d-%H%M%S}-turn-{number}{SUFFIX}"
        link = f'<a download="{name}" data-serial="{self._saved}" data-file="{base64.b64encode(data).decode()}"></a>'
        return {self.out: link, self._tab.announcer: render_announcement(f"Saved as {name}"), self._tab.ask_notice: ""}

    def _open(self, data: bytes | None, session_id: str) -> Changes:
        tab = self._tab
        if data is None:
            return {}
        try:
            capsule = unpack(data)
            session = tab.session(session_id)
            view = open_in(session, capsule)
        except Exception as problem:
            return {self.file: None, tab.ask_notice: tab.sorry(problem)}
        return {
            self.file: None,
            self.out: f'<i data-opened="{view.number}"></i>',
            tab.session_id: session.id,
            **tab.show_session(session),
            tab.ask_notice: "",
            tab.announcer: render_announcement(f"Opened from a saved turn: {announcement(view)}"),
        }

    def _refuse(self, event: gr.EventData) -> Changes:
        """The browser holds a file back that the server would not take."""
        size = detail(event, "size", 0)
        words = "That is neither a picture nor a saved turn: the name of a saved turn ends in .zip."
        if isinstance(size, int | float) and size > MAX_BYTES:
            words = f"That file has {size / 1e6:,.0f} MB; a saved turn has at most {MAX_BYTES / 1e6:.0f} MB."
        return {self._tab.ask_notice: render_notice(words, "error")}


def capsule_of(session: Session, number: int, profile: str, versions: Mapping[str, Any], now: datetime) -> Capsule:
    """Turn `number` as it is shown now.

    Raises:
        BadInput: there is no such turn, it is not finished, or its picture is no longer kept.
    """
    view = session.view_of(number)
    if view is None or view.turn is None or (view.varied is not None and view.varied.busy):
        raise BadInput("that question is still being answered: save it once it is finished")
    asked, frame = session.asked(number), session.frame_of(number)
    if frame is None and asked.digest is not None:
        raise BadInput("the picture of that turn is no longer kept, so the turn cannot be saved")
    seen = view.seen
    record = Record(
        view.turn,
        asked.conversation.turns,
        session.variation(number).told(),
        view.degraded,
        tuple(StageTime(s.stage, s.ms, s.note, s.start_ms, s.end_ms) for s in view.stages if s.state == "done"),
        None if seen is None else Sighting(seen.quality, seen.corrections, seen.texts, seen.codes),
        view.recognition,
        view.queries,
        view.evidence,
        view.wall_ms,
        dict(view.contexts),
        view.varied.changes if view.varied is not None else (),
        profile=session.variation(number).profile or view.answered_by or profile,
        versions=versions,
        saved=now.isoformat(timespec="seconds"),
        moments=dict(view.moments),
    )
    return Capsule(record, frame, _picture(view.pictures.get("indexed", "")))


def open_in(session: Session, capsule: Capsule) -> TurnView:
    """The capsule's turn as the session's last one, its picture in view.

    Raises:
        BadInput: a question is being answered.
    """
    record, frame = capsule.record, capsule.frame
    if session.run is not None:
        raise BadInput("a question is being answered: wait for its end, or stop it, and open the saved turn then")
    conditions = replace(record.conditions, region_px=_on(frame, record.conditions.region_px))
    view = view_of(capsule, conditions.region_px)
    if frame is not None:
        session.take_frame(frame)
        session.region_px = conditions.region_px
        shown = session.shown(frame.digest)
        pictures = {"frame": shown.thumb, **view.pictures} if shown is not None else view.pictures
        view = replace(view, pictures=pictures)
    digest = frame.digest if frame is not None else None
    session.open(view, Asked(Conversation(session.id, record.before), digest, conditions))
    return session.views[-1]


def view_of(capsule: Capsule, region_px: Box | None) -> TurnView:
    """What the page shows of a capsule; its number is given by the session."""
    record, frame = capsule.record, capsule.frame
    sighting, entity = record.sighting, record.recognition.entity
    part = cut_out(frame, entity.outline_px) if frame is not None and entity is not None else None
    pictures = {"seen": data_uri(part, CARD_SIDE_PX)} if part is not None else {}
    if capsule.indexed is not None:
        pictures["indexed"] = data_uri(capsule.indexed, CARD_SIDE_PX)
    return TurnView(
        0,
        record.turn.question,
        tuple(StageView(s.stage, "done", s.ms, s.note, s.start_ms, s.end_ms) for s in record.stages),
        seen=None if sighting is None else Seen(sighting.quality, sighting.corrections, sighting.texts, sighting.codes),
        recognition=record.recognition,
        queries=record.queries,
        evidence=record.evidence,
        sentences=record.turn.answer.sentences,
        turn=record.turn,
        wall_ms=record.wall_ms,
        pictures=pictures,
        size_px=(frame.width_px, frame.height_px) if frame is not None else None,
        region_px=region_px,
        contexts=record.contexts,
        degraded=record.degradations,
        opened=_said_of(record),
        moments=record.moments,
    )


def _said_of(record: Record) -> str:
    """When and by what the turn was saved, and what about it was out of the usual."""
    try:
        when = f"saved {datetime.fromisoformat(record.saved):%d %B %Y, %H:%M}".replace(" 0", " ")
    except ValueError:
        when = "saved at an unknown time"
    version = record.versions.get("vitrine")
    parts = [when, f"Vitrine {str(version)[:20]}" if version else "", f"profile {record.profile[:20] or 'unknown'}"]
    parts += [change[:160] for change in record.changes[:8]]
    parts += [] if record.exact else ["picture kept as JPEG"]
    return " · ".join(part for part in parts if part)


def _on(frame: Frame | None, box: Box | None) -> Box | None:
    """A box from a file, as far as it lies on the frame."""
    if frame is None or box is None:
        return None
    w, h = frame.width_px, frame.height_px
    return box_on(frame, box[0] / w, box[1] / h, box[2] / w, box[3] / h)


def _picture(uri: str) -> Frame | None:
    """The frame behind one of our own data URIs."""
    from assistant.vision.frame import read_frame

    found = re.fullmatch(r"data:image/jpeg;base64,([A-Za-z0-9+/=]+)", uri)
    return read_frame(base64.b64decode(found[1])) if found else None
