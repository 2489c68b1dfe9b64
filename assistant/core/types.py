"""The values that a turn is made of: frames, what was seen on them, evidence, answers, conversations.

Plain frozen data, no behaviour beyond small derivations: the stages in `assistant.agent` compute these values, the
page and the runner show them. All outlines are polygons in the pixels of the frame as handed in (EXIF applied).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

Status = Literal["answered", "abstained", "retake", "refused", "timeout", "cancelled", "error"]
EvidenceKind = Literal["entity", "attribute", "passage", "picture", "text", "code", "taught", "kind", "measured"]
#: What a sentence rests on: pieces of evidence, what a model sees in the picture, what a model knows by itself.
Ground = Literal["evidence", "picture", "memory"]
#: How strictly a model is told to hold back, loosest first; the last one forbids memory.
Strictness = Literal["none", "soft", "moderate", "severe"]
#: How an answer comes about (`assistant.pipelines`).
PipelineName = Literal[
    "reader", "mm-llm", "task1", "task2", "task3", "kdd-2025", "separate", "single-stage", "multi-stage", "vitrine"
]
#: Parts of the pipeline `vitrine` that can be left out, to see what each brings.
PARTS = ("naming", "evidence", "picture", "check", "second-look")
Point = tuple[float, float]
Polygon = tuple[Point, ...]

#: Every abstention begins with these words, so that the benchmark's public rule finds it.
REFUSAL = "I don't know"


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture as captured: `pixels` is (height, width, 3) uint8 RGB with EXIF orientation applied."""

    pixels: np.ndarray

    def __post_init__(self) -> None:
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8:
            raise ValueError(f"a frame is (height, width, 3) uint8, not {self.pixels.shape} {self.pixels.dtype}")
        self.pixels.setflags(write=False)

    @property
    def height_px(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def width_px(self) -> int:
        return int(self.pixels.shape[1])

    @cached_property
    def digest(self) -> str:
        """SHA-256 over shape and pixels: equal pictures have equal digests."""
        h = hashlib.sha256(repr(self.pixels.shape).encode())
        h.update(np.ascontiguousarray(self.pixels).data)
        return h.hexdigest()

    def __repr__(self) -> str:  # never print pixels
        return f"Frame({self.width_px}x{self.height_px}, {self.digest[:12]})"


@dataclass(frozen=True)
class Quality:
    """Measured properties of a frame, on its luma scaled to at most 640 px.

    brightness and contrast: mean and standard deviation, 0..1. sharpness: variance of the Laplacian on 0..255.
    """

    brightness: float
    contrast: float
    sharpness: float


@dataclass(frozen=True)
class TextLine:
    """One line of text read from the frame; confidence 0..1."""

    text: str
    confidence: float
    outline_px: Polygon


@dataclass(frozen=True)
class Code:
    """A QR or bar code: `format` such as "QRCode" or "EAN13", its payload as inert text."""

    format: str
    text: str
    outline_px: Polygon


@dataclass(frozen=True)
class Look:
    """What the `look` stage knows: measurements, the frame later stages see, text and codes (frame-as-handed-in px)."""

    quality: Quality
    corrected: Frame
    corrections: tuple[str, ...] = ()
    texts: tuple[TextLine, ...] = ()
    codes: tuple[Code, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """An indexed entity that was found on the frame; confidence is calibrated, 0..1."""

    name: str
    confidence: float
    outline_px: Polygon
    attributes: Mapping[str, Any]
    index: int
    image_url: str


@dataclass(frozen=True)
class Recognition:
    """All accepted candidates, surest first, and the one the question is about (None: see `reason`).

    `meant`: names of those that the question's words can mean. `pointed`: these words say more than "this" and "it": a
    name, a kind, a side, a colour. `seen_before`: the turn before was about the same frame, so that what points at
    nothing goes on about what that turn was about.
    """

    candidates: tuple[Candidate, ...] = ()
    entity: Candidate | None = None
    reason: str = ""
    meant: tuple[str, ...] = ()
    pointed: bool = False
    seen_before: bool = False


@dataclass(frozen=True)
class Evidence:
    """One thing an answer may rest on.

    `source` is where it comes from: an image URL (entity, picture), an entity's name (attribute), a page URL (passage),
    "frame" (text, code, kind, measured). `text` is what is shown, of a picture its caption. `subject` is the entity
    that it speaks of, if known; `key` and `value` are set for attributes; `written` is the date of a passage's page,
    ISO 8601, where it gives one. `picture` is an encoded picture (JPEG, PNG, GIF, WebP), which no trace keeps.
    """

    id: str
    kind: EvidenceKind
    source: str
    text: str
    score: float
    subject: str | None = None
    key: str | None = None
    value: Any = None
    title: str | None = None
    outline_px: Polygon | None = None
    written: str | None = None
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Sentence:
    """One sentence of an answer, what it rests on, and the ids of the evidence that carries it.

    What rests on evidence was checked against it. What a model sees or knows was not: nothing here could.

    A picture that is shown between sentences stands among them: `picture` is the id of its evidence, and `text` its
    placeholder, `![caption](source)` (`core.placeholders`), which is shown as a picture and never spoken.
    """

    text: str
    evidence_ids: tuple[str, ...]
    ground: Ground = "evidence"
    picture: str | None = None


@dataclass(frozen=True)
class Usage:
    """What a model took for an answer. Tokens are None where its server does not count, `cost` where no prices are
    set (US dollars, by what a million tokens cost). `cached`: the reply was known already, nothing was asked.
    `calls`: how many replies it took; `tries`: how often the one that was asked most often was.
    """

    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    tries: int = 1
    cached: bool = False
    calls: int = 1

    def plus(self, other: Usage) -> Usage:
        """Both together; what was known already costs nothing beside what was asked.

        What is not known of one of them is not known of both.
        """
        calls, tries = self.calls + other.calls, max(self.tries, other.tries)
        if self.cached != other.cached:
            return replace(other if self.cached else self, calls=calls, tries=tries)
        return replace(
            self,
            prompt_tokens=_sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens=_sum(self.completion_tokens, other.completion_tokens),
            cost=_sum(self.cost, other.cost),
            tries=tries,
            calls=calls,
        )


def _sum(one: Any, other: Any) -> Any:
    return None if one is None or other is None else one + other


@dataclass(frozen=True)
class Answer:
    """What is said in the end. `evidence` holds everything shown to the answerer; sentences name what they used.

    `text` holds a placeholder on a line of its own for each picture that is shown, `words` none.
    `usage` is set where a model wrote the answer; `risk`, how probably it is wrong (0..1), where that is estimated.
    """

    text: str
    status: Status
    reason: str = ""
    sentences: tuple[Sentence, ...] = ()
    entity: Candidate | None = None
    evidence: tuple[Evidence, ...] = ()
    usage: Usage | None = None
    risk: float | None = None

    @property
    def words(self) -> str:
        """What is said without the pictures: for the ear, and for whatever reads the answer as language."""
        if all(sentence.picture is None for sentence in self.sentences):
            return self.text
        return " ".join(sentence.text for sentence in self.sentences if sentence.picture is None)


@dataclass(frozen=True)
class Turn:
    """One question and its answer. `subjects` are the names of the entities it was about, the main one first."""

    question: str
    answer: Answer
    frame_digest: str | None = None
    subjects: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Conversation:
    """Turns so far, oldest first. Immutable: `with_turn` gives a new one."""

    id: str
    turns: tuple[Turn, ...] = ()

    def with_turn(self, turn: Turn) -> Conversation:
        return replace(self, turns=(*self.turns, turn))
