"""One visitor: the conversation, the pictures, the turns as shown and their variations. `assistant.ui.state.sessions`
keeps the sessions of all visitors and answers their questions.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from assistant.core.errors import BadInput
from assistant.core.options import Box, Conditions
from assistant.core.types import Conversation, Frame
from assistant.ui.state.pictures import FRAME_SIDE_PX, THUMB_SIDE_PX, data_uri
from assistant.ui.state.runs import Run
from assistant.ui.state.turn_view import TurnView
from assistant.ui.state.variations import Offer, Variation, first_of, varied
from assistant.vision.degrade import Degradation

#: A visitor who asks more than this in one conversation loses sight of the oldest turns, not of the newest.
MAX_TURNS = 60
#: The pixels of so many pictures are kept for asking again; of older ones only what is shown.
MAX_FRAMES = 6


@dataclass(frozen=True)
class Shown:
    """A picture as the page shows it: data URIs, and the size of the frame behind them."""

    picture: str
    thumb: str
    size_px: tuple[int, int]


@dataclass(frozen=True)
class Asked:
    """What a turn was asked with, so that it can be answered again."""

    conversation: Conversation
    digest: str | None
    conditions: Conditions


@dataclass(frozen=True)
class Degraded:
    """A picture that was made worse on purpose: as it was taken, the same as data URI, and what was done, in order."""

    original: Frame
    picture: str
    steps: tuple[Degradation, ...]


class Session:
    """One visitor: the conversation, the current picture, the turns as shown, and the question being answered."""

    def __init__(self, id: str, now_s: float):
        self.id = id
        self.others: tuple[tuple[str, str], ...] = ()  # profiles a turn can be asked again with, see `TurnView.others`
        self.told: tuple[str, ...] = ()  # what the visitor was last told of whom questions go to
        self.last_seen_s = now_s
        self.recording = ""  # the name under which its turns are recorded, "" while nobody asked for that
        self.recorded_after = 0  # turns up to this number were asked before
        self.conversation = Conversation(id)
        self.frame: Frame | None = None
        self.region_px: Box | None = None  # the part of the current picture that is marked
        self.choosing = False  # another picture is being chosen, while this one is still in view
        self.example: int | None = None
        self.age_s: float | None = None  # of the camera's frame when its question ended; nothing once that is asked
        self.heard_ms: float | None = None  # from the end of speech to the words that are asked next
        self.views: list[TurnView] = []  # finished turns as first answered, oldest first
        self.run: Run | None = None
        self.digests: set[str] = set()
        self.frame_view: TurnView | None = None  # the last turn about the current picture
        self.lock = threading.RLock()
        self._frames: dict[str, Frame] = {}
        self._degraded: dict[str, Degraded] = {}  # by the digest of what came out
        self._shown: dict[str, Shown] = {}
        self._asked: dict[int, Asked] = {}
        self._variations: dict[int, list[Variation]] = {}
        self._offers: dict[int, tuple[str, tuple[Offer, ...]]] = {}
        self.varying: dict[int, Run] = {}
        self.asides: list[Run] = []  # questions that are answered beside the conversation

    # pictures

    def take_frame(
        self,
        frame: Frame,
        example: int | None = None,
        degraded: Degraded | None = None,
        age_s: float | None = None,
    ) -> None:
        """A new picture; the conversation goes on, and nothing on the picture is marked."""
        shown = Shown(data_uri(frame, FRAME_SIDE_PX), data_uri(frame, THUMB_SIDE_PX), (frame.width_px, frame.height_px))
        with self.lock:
            self.frame, self.example, self.region_px, self.frame_view = frame, example, None, None
            self.choosing, self.age_s = False, age_s
            self.digests.add(frame.digest)
            self._shown[frame.digest] = shown
            self._frames.pop(frame.digest, None)
            self._frames[frame.digest] = frame
            self._degraded.pop(frame.digest, None)
            if degraded is not None:
                self._degraded[frame.digest] = degraded
            for digest in list(self._frames)[:-MAX_FRAMES]:
                del self._frames[digest]
                self._degraded.pop(digest, None)

    @property
    def picture(self) -> str:
        """The current frame as data URI, as the page shows it; "" without one."""
        shown = self.shown(self.frame.digest if self.frame is not None else None)
        return shown.picture if shown is not None else ""

    @property
    def pixel_bytes(self) -> int:
        """What the pictures of this session take in memory."""
        kept = self._frames | {d.original.digest: d.original for d in self._degraded.values()}
        return sum(frame.pixels.nbytes for frame in kept.values())

    @property
    def degraded(self) -> Degraded | None:
        """What was done to the current picture; None as it was taken."""
        return self._degraded.get(self.frame.digest) if self.frame is not None else None

    @property
    def original(self) -> Frame | None:
        """The current picture as it was taken."""
        return self.degraded.original if self.degraded is not None else self.frame

    def shown(self, digest: str | None) -> Shown | None:
        return self._shown.get(digest or "")

    def picture_of(self, number: int) -> Shown | None:
        """The picture that turn `number` was asked about."""
        asked = self._asked.get(number)
        return self.shown(asked.digest) if asked is not None else None

    def frame_of(self, number: int) -> Frame | None:
        """The frame that turn `number` was asked about, while its pixels are kept."""
        asked = self._asked.get(number)
        return self._frames.get(asked.digest or "") if asked is not None else None

    # turns

    @property
    def turns_shown(self) -> int:
        return self.views[-1].number if self.views else 0

    def begin(self, question: str) -> TurnView:
        """The next turn, before anything happened; what it is asked with is kept."""
        digest = self.frame.digest if self.frame is not None else None
        shown = self.shown(digest)
        number = self.turns_shown + 1
        self._asked[number] = Asked(self.conversation, digest, Conditions(region_px=self.region_px))
        age_s, self.age_s = self.age_s, None
        heard_ms, self.heard_ms = self.heard_ms, None
        return TurnView(
            number,
            question,
            pictures={"frame": shown.thumb} if shown is not None else {},
            size_px=shown.size_px if shown is not None else None,
            region_px=self.region_px,
            degraded=self.degraded.steps if self.degraded is not None else (),
            others=self.others,
            digest=digest or "",
            age_s=age_s,
            moments={} if heard_ms is None else {"heard": heard_ms},
        )

    def open(self, view: TurnView, asked: Asked) -> None:
        """A turn from elsewhere becomes the last one, and later questions follow on it; its picture is in view.

        Raises:
            BadInput: a question is being answered.
        """
        with self.lock:
            if self.run is not None:
                raise BadInput("a question is being answered: wait for its end, or stop it")
            assert view.turn is not None  # only finished turns are kept anywhere
            number = self.turns_shown + 1
            self._asked[number] = asked
            self.views = [*self.views, replace(view, number=number, others=self.others)][-MAX_TURNS:]
            self.conversation = asked.conversation.with_turn(view.turn)
            if self.frame is not None and self.frame.digest == asked.digest:
                self.frame_view = self.views[-1]

    def take_back(self, number: int) -> None:
        """The last turn, finished or not, is as if it had never been asked; for asking it again with other pixels."""
        with self.lock:
            if self.run is not None and self.run.number == number:
                self.run.stop()
                self.run = None
            elif self.views and self.views[-1].number == number:
                self.views = self.views[:-1]
            else:
                return
            if number in self.varying:
                self.varying.pop(number).stop()
            self.conversation = self._asked.pop(number).conversation
            self._variations.pop(number, None)
            self._offers.pop(number, None)
            if self.frame_view is not None and self.frame_view.number == number:
                self.frame_view = None

    def asked(self, number: int) -> Asked:
        """What turn `number` was asked with.

        Raises:
            BadInput: there is no such turn any more.
        """
        if (asked := self._asked.get(number)) is None:
            raise BadInput("that answer is no longer here")
        return asked

    def keep(self, run: Run) -> None:
        """A finished run becomes one of the session's turns."""
        self.run = None
        view = run.view()
        self.views = [*self.views, view][-MAX_TURNS:]
        for number in [n for n in self._asked if n < self.views[0].number]:
            del self._asked[number]
            self._variations.pop(number, None)
            self._offers.pop(number, None)
        here = self.frame.digest if self.frame is not None else None
        in_use = {asked.digest for asked in self._asked.values()} | {here}
        self._shown = {digest: shown for digest, shown in self._shown.items() if digest in in_use}
        if view.seen is not None and self._asked[view.number].digest == here:
            self.frame_view = view

    def has_gone_on_from(self, run: Run) -> bool:
        """Whether another question took a run's place, so that what becomes of it is no longer what is shown."""
        with self.lock:
            return self.run is not run if self.run is not None else self.turns_shown > run.number

    def turns(self) -> list[TurnView]:
        """The finished turns as the page shows them, varied where the visitor varied them."""
        with self.lock:
            return [replace(self._as_varied(view), others=self.others) for view in self.views]

    def before(self, number: int) -> list[TurnView]:
        """The finished turns before turn `number`, which may have finished itself by now."""
        return [view for view in self.turns() if view.number < number]

    def view_of(self, number: int) -> TurnView | None:
        """Turn `number` as far as it has come, kept already or still with its worker."""
        with self.lock:
            views = [*self.turns(), self.run.view()] if self.run is not None else self.turns()
        return next((view for view in views if view.number == number), None)

    def frame_shows(self) -> TurnView | None:
        """The last turn about the current picture, varied if it is."""
        with self.lock:
            return self._as_varied(self.frame_view) if self.frame_view is not None else None

    # variations

    def variation(self, number: int) -> Variation:
        """The variation of turn `number` that is shown now; the turn itself when there is none.

        Raises:
            BadInput: there is no such turn, or it is being answered.
        """
        asked = self.asked(number)
        first = next((view for view in self.views if view.number == number), None)
        if first is None:
            raise BadInput("that question is still being answered: wait for its end, or stop it")
        kept = self._variations.get(number)
        return kept[-1] if kept else first_of(first, asked.conditions)

    def add_variation(self, number: int, variation: Variation) -> None:
        with self.lock:
            if number in self._asked:
                self._variations.setdefault(number, []).append(variation)
                self._offers.pop(number, None)

    def undo(self, number: int, *, all: bool = False) -> None:
        """Back to the variation before, or to the turn as it was answered at first."""
        with self.lock:
            kept = self._variations.get(number, [])
            self._variations[number] = [] if all else kept[:-1]
            self._offers.pop(number, None)

    def offer(self, number: int, card: str, offers: tuple[Offer, ...]) -> None:
        """Show what could stand in the place of a card of turn `number`; none closes the list."""
        with self.lock:
            self._offers.pop(number, None)
            if offers and number in self._asked:
                self._offers[number] = (card, offers)

    def offered(self, number: int, card: str) -> tuple[Offer, ...]:
        """What is offered in a card's place now."""
        place, offers = self._offers.get(number, ("", ()))
        return offers if place == card else ()

    def _as_varied(self, view: TurnView) -> TurnView:
        kept = self._variations.get(view.number)
        busy = view.number in self.varying
        if (offered := self._offers.get(view.number)) is not None:
            view = replace(view, offers={offered[0]: _said_by(offered[1])})
        if not kept and not busy:
            return view
        usual = self._asked[view.number].conditions
        top = kept[-1] if kept else first_of(view, usual)
        assert top.view is not None  # only answered variations are kept
        return replace(top.view, varied=varied(top, view, usual, busy=busy), offers=view.offers)


def _said_by(offers: tuple[Offer, ...]) -> tuple[tuple[str, str], ...]:
    """Names, each with the value it states; nothing beside a name where a page or a thing is offered."""
    return tuple((name, str(piece.value) if piece.kind == "attribute" else "") for name, piece in offers)
