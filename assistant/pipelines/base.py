"""What a pipeline is: how a turn's answer comes about.

A pipeline takes the turn from the question to its last sentence, as a stream of events; it says how closely the frame
is looked at (`Eyes`). The agent (`assistant.agent`) looks, times and closes. Each pipeline stands in a module of its
own that reads from top to bottom, over the stages in `assistant.pipelines.stages` and `assistant.pipelines.writing`.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request
from assistant.core.types import Frame, Look, Recognition, Strictness
from assistant.models.protocol import VisionLanguageModel
from assistant.pipelines.prompts import Prompts
from assistant.pipelines.risk import RiskModel
from assistant.pipelines.time_left import Pace

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge
    from assistant.index.raw_search import SearchPipeline
    from assistant.scene.view import Namer


@dataclass(frozen=True)
class Seen:
    """What the frame showed.

    Attributes:
        frame: the new one or the one that is remembered, None without any.
        recognition: what is on it; empty after a glance.
        look: its quality, its corrected form and what is written on it; None without a frame and after a glance.
        lines: what is written on it, line by line; after a glance this waits until it is read.
    """

    frame: Frame | None
    recognition: Recognition
    look: Look | None = None
    lines: Callable[[], Sequence[str]] = tuple


class Eyes(Protocol):
    """How a pipeline sees the frame of its turn, told as events."""

    def look(self) -> Generator[Event, None, Seen]:
        """Correct it, read it and recognise what is on it, then go on."""

    def glance(self) -> Generator[Event, None, Seen]:
        """Go on at once: what is written on it is read meanwhile, nothing is recognised. For pipelines that hand the
        picture to a model as it is.
        """


@dataclass(frozen=True)
class Tools:
    """What a pipeline works with.

    search: the benchmark's own search, as the presets use it; None where no index is open.
    model: None where the embedded reader answers.
    strictness: how strictly the model is told to hold back; "severe" drops what rests on its memory.
    risk_model: estimates how probably an answer is wrong.
    risk_limit: an answer with a higher estimate is not given; None gives every answer as it comes.
    for_run: nobody waits for the first sentence, and whoever runs asks again where an endpoint is busy.
    without: parts of the pipeline that are left out (`core.types.PARTS`).
    pace: what the parts of a turn took so far in this process.
    namer: a model of pictures and words, where one is on this machine.
    """

    knowledge: Knowledge
    search: SearchPipeline | None = None
    model: VisionLanguageModel | None = None
    prompts: Prompts = field(default_factory=Prompts.load)
    strictness: Strictness = "moderate"
    risk_model: RiskModel = field(default_factory=RiskModel)
    risk_limit: float | None = None
    for_run: bool = False
    without: frozenset[str] = frozenset()
    pace: Pace = field(default_factory=Pace)
    namer: Namer | None = None
    clock: Callable[[], float] = time.perf_counter
    today: Callable[[], datetime.date] = datetime.date.today

    @property
    def shows_pictures(self) -> bool:
        """Whether frames go to the model."""
        return self.model is not None and self.model.sees


class Pipeline(Protocol):
    def __call__(self, request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
        """The whole of a turn; fills `turn` as it goes.

        Raises:
            Stop: the turn ends without an answer.
            EndpointBusy: in runs only.
        """
