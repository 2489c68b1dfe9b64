"""What the page shows of one turn, as a pure projection of its events.

The agent's events are the only source; this module keeps no state and draws nothing. `assistant.ui.html.turns` turns a
view into HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from assistant.core.events import (
    Drafted,
    Event,
    EvidenceFound,
    Finished,
    Looked,
    Planned,
    Recognised,
    SentenceReady,
    Stage,
    StageFinished,
    StageStarted,
)
from assistant.core.options import Box
from assistant.core.types import (
    REFUSAL,
    Answer,
    Candidate,
    Code,
    Evidence,
    Quality,
    Recognition,
    Sentence,
    TextLine,
    Turn,
)
from assistant.text.attribute_keys import spoken_key
from assistant.vision.degrade import Degradation

StageState = Literal["waiting", "running", "done"]

#: The stages a visitor sees, in order; `speak` joins them when an answer is spoken.
SHOWN_STAGES: tuple[Stage, ...] = ("look", "recognise", "plan", "retrieve", "answer", "check")


@dataclass(frozen=True)
class StageView:
    """`ms` is the stage's own work; `start_ms` and `end_ms` say when it ran, counted from the question."""

    stage: Stage
    state: StageState
    ms: float = 0.0
    note: str = ""
    start_ms: float = 0.0
    end_ms: float = 0.0


@dataclass(frozen=True)
class Seen:
    """What `look` told, without any pixels."""

    quality: Quality
    corrections: tuple[str, ...]
    texts: tuple[TextLine, ...]
    codes: tuple[Code, ...]


@dataclass(frozen=True)
class Varied:
    """What a visitor changed about a turn, beside what was answered before.

    `changes`: a few words for each change. `first`: what was answered before any. `cards`: all evidence as it would
    stand there, what is off included. `off`: ids of what is off, "entity" for the recognition. `swapped`: id to the
    relative whose words stand there. `busy`: it is being answered again. `profile`: the one that answered, "" for the
    page's own.
    """

    changes: tuple[str, ...] = ()
    first: str = ""
    cards: tuple[Evidence, ...] = ()
    off: frozenset[str] = frozenset()
    swapped: Mapping[str, str] = field(default_factory=dict)
    set_aside: Candidate | None = None
    busy: bool = False
    profile: str = ""


@dataclass(frozen=True)
class TurnView:
    """One turn as far as it has come.

    `draft` is what has come of the sentence that is being written, unchecked. `waiting` says why nothing runs yet
    (the index is being built). `turn` is set once it is finished; `wall_ms` is then the time from question to end.
    `pictures` maps names to data URIs: "frame" for the thumbnail of the picture, "seen" for the cut-out of the
    recognised object, "indexed" for its indexed picture. `size_px` is the frame's, `region_px` the part of it that
    was marked. `contexts` maps evidence ids to what the page says before and after. `degraded` is what had been
    done to the picture. `opened` says of which capsule the turn is, "" for one asked here. `others` are the other
    profiles it can be asked again with, each with the words of its button; `answered_by` the one that answered.
    `digest` is the frame's, `age_s` how long before the end of the question a camera took it. `moments`: "heard", how
    many ms a spoken question took to be words, and "evidence", "word" and "sound", the ms from asking to the first.
    `offers`: the place of a card to the names of what could stand in its place, each with what it says.
    """

    number: int
    question: str
    stages: tuple[StageView, ...] = ()
    waiting: str = ""
    seen: Seen | None = None
    recognition: Recognition = field(default_factory=Recognition)
    queries: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    draft: str = ""
    turn: Turn | None = None
    wall_ms: float = 0.0
    pictures: Mapping[str, str] = field(default_factory=dict)
    size_px: tuple[int, int] | None = None
    region_px: Box | None = None
    contexts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    varied: Varied | None = None
    degraded: tuple[Degradation, ...] = ()
    opened: str = ""
    others: tuple[tuple[str, str], ...] = ()
    answered_by: str = ""
    digest: str = ""
    age_s: float | None = None
    moments: Mapping[str, float] = field(default_factory=dict)
    offers: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    @property
    def used_ids(self) -> tuple[str, ...]:
        """Ids of the evidence the answer rests on, in the order in which the sentences name it."""
        return tuple(dict.fromkeys(i for s in self.sentences for i in s.evidence_ids))


def project(
    number: int,
    question: str,
    events: Iterable[tuple[float, Event]],
    pictures: Mapping[str, str] | None = None,
    waiting: str = "",
) -> TurnView:
    """The view of a turn after `events`, each with its time in ms since the question."""
    return projected(TurnView(number, question, pictures=dict(pictures or {}), waiting=waiting), events)


def projected(view: TurnView, events: Iterable[tuple[float, Event]]) -> TurnView:
    """`view`, which says what was asked about what, after `events`."""
    stages: dict[Stage, StageView] = {stage: StageView(stage, "waiting") for stage in SHOWN_STAGES}
    for at_ms, event in events:
        match event:
            case StageStarted(stage):
                begun = stages[stage].start_ms if stages[stage].state == "running" else at_ms
                stages[stage] = StageView(stage, "running", start_ms=begun)
            case StageFinished(stage, ms, note):
                begun = stages[stage].start_ms if stages[stage].state == "running" else at_ms
                stages[stage] = StageView(stage, "done", ms, note, begun, at_ms)
            case Looked(look):
                view = replace(view, seen=Seen(look.quality, look.corrections, look.texts, look.codes))
            case Recognised(recognition):
                view = replace(view, recognition=recognition)
            case Planned(_, queries, _):
                view = replace(view, queries=queries)
            case EvidenceFound(evidence):
                view = replace(view, evidence=evidence)
            case SentenceReady(sentence):
                view = replace(view, sentences=(*view.sentences, sentence), draft="")
            case Drafted(draft):
                view = replace(view, draft=draft)
            case Finished(turn):
                view = _finish(view, turn, at_ms)
    return replace(view, stages=tuple(stages.values()))


def _finish(view: TurnView, turn: Turn, at_ms: float) -> TurnView:
    """The finished turn has the last word over what was streamed."""
    return replace(
        view,
        turn=turn,
        wall_ms=at_ms,
        sentences=turn.answer.sentences,
        draft="",
        evidence=turn.answer.evidence or view.evidence,
    )


def ended(question: str, status: Literal["cancelled", "error"], reason: str) -> Turn:
    """A turn that the agent never finished: stopped by the visitor, or failed before it began."""
    return Turn(question, Answer("", status, reason))


def what_would_help(view: TurnView) -> str:
    """One sentence for a visitor whose question was not answered, derived from what the turn found; "" otherwise."""
    if view.turn is None or view.turn.answer.status == "answered":
        return ""
    status, entity = view.turn.answer.status, view.recognition.entity
    if status in ("cancelled", "error", "timeout"):
        return "The conversation is kept: ask again, or ask something else."
    if status == "retake":
        return "More light, a steadier hand or a step closer often help."
    if status == "refused":
        return ""
    if view.seen is None:
        return "Give it a picture first: it answers from what it sees and from what is indexed."
    if entity is not None:
        known = "What is known about it can be asked" if follow_ups(view) else "What was found is listed below"
        return f"{known}; what is missing can be taught, under “Teach an object”."
    if view.recognition.candidates:
        return "Several objects were recognised: say which one is meant, by name, side, colour or size."
    if view.seen.texts or view.seen.codes:
        return "What is written on it was read, and can be asked about."
    return "A closer, straighter picture of one object often helps."


def follow_ups(view: TurnView, most: int = 3) -> tuple[str, ...]:
    """Questions the evidence at hand carries: attributes of the entity that were found and not used.

    Nothing is offered unless an entity was recognised and the turn ended with an answer or an honest refusal.
    """
    if view.turn is None or view.recognition.entity is None:
        return ()
    if view.turn.answer.status not in ("answered", "abstained"):
        return ()
    name, used, asked = view.recognition.entity.name, set(view.used_ids), view.question.lower()
    keys = [
        spoken_key(e.key).lower()
        for e in view.evidence
        if e.kind == "attribute" and e.key and e.subject == name and e.id not in used and _is_worth_asking(e, name)
    ]
    return tuple(f"What is its {key}?" for key in dict.fromkeys(keys) if key not in asked)[:most]


def _is_worth_asking(evidence: Evidence, name: str) -> bool:
    """Whether "What is its …?" is a sentence with this key, and the value an answer to it."""
    key, value = spoken_key(evidence.key or ""), str(evidence.value or "").strip()
    if not 3 <= len(key) <= 28 or not key.replace(" ", "").isalpha() or not value or value.lower() == name.lower():
        return False
    if value.lower() in ("yes", "no", "true", "false"):
        return False  # "what is its dishwasher safe?"
    if _ADDRESS.search(value):
        return False
    last = key.lower().split()[-1]
    is_plural = last.endswith("s") and not last.endswith(("ss", "is", "us"))
    return not (is_plural or last.endswith("ed") or last in _DANGLING)


#: Addresses of pages and points on the map are data that nobody asks for aloud.
_ADDRESS = re.compile(r"://|^\S+\.[a-z]{2,}(?:/\S*)?$|^[\d.°' NS-]+, ?[\d.°' EW-]+$", re.IGNORECASE)
_DANGLING = frozenset(("at", "by", "for", "from", "in", "of", "on", "to", "with"))


def announcement(view: TurnView) -> str:
    """What a screen reader says at this point of the turn: short, and changing only when something happened."""
    if view.turn is not None:
        answer = view.turn.answer
        return answer.words or answer.reason or REFUSAL
    said = [sentence for sentence in view.sentences if sentence.picture is None]
    if said:
        return said[-1].text
    return view.waiting or "Working on it"
