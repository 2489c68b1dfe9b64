"""An assistant with a script: real events, no models, so that the page can be tested in milliseconds a turn.

It recognises one object on every frame, answers "price" and "maker" questions from two facts, does not know anything
else, and fails on demand. What it was asked is kept in `asked`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from assistant.core.events import (
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
from assistant.core.options import USUAL, Conditions
from assistant.core.types import (
    Answer,
    Candidate,
    Conversation,
    Evidence,
    Frame,
    Look,
    Quality,
    Recognition,
    Sentence,
    Status,
    TextLine,
    Turn,
)

NAME = "Halden Oat Biscuits"
RELATIVES = ("Almond Biscuits", "Spelt Biscuits")
HOSTILE = (
    '<script>window.pwned=1</script><img src=x onerror="window.pwned=2"> [click](javascript:window.pwned=3) '
    "![x](http://evil.invalid/x.png) ${window.pwned=4} {{constructor}} \u202egnp.exe\u202c </bdi></p></article>"
)


def a_frame(width_px: int = 480, height_px: int = 640, shade: int = 140) -> Frame:
    """A plain frame with a lighter rectangle on it."""
    pixels = np.full((height_px, width_px, 3), shade, np.uint8)
    pixels[height_px // 4 : 3 * height_px // 4, width_px // 4 : 3 * width_px // 4] = (226, 192, 120)
    return Frame(pixels)


class ScriptedAssistant:
    """Answers by a script; `pause_s` passes before each stage ends, `hostile` makes every string an attack.

    `between_s` passes between two sentences, if the answer is not cancelled meanwhile.
    """

    profile = "embedded"
    between_s = 0.0
    knowledge = search = None

    def __init__(self, pause_s: float = 0.0, hostile: bool = False):
        self.pause_s = pause_s
        self.hostile = hostile
        self.asked: list[tuple[Conversation, str, Frame | None]] = []
        self.conditions: list[Conditions] = []
        self.forgotten: list[str | None] = []
        self.looked_ahead: list[str] = []
        self.companions: dict[str, ScriptedAssistant] = {}

    def warm(self, progress: Callable[[float], None] | None = None) -> None:
        return None

    def under(self, profile: str, pipeline: object, change: object, deadline_s: float) -> ScriptedAssistant:
        """Another that plays the same script; no model is asked. Kept in `companions`."""
        other = type(self)(self.pause_s, self.hostile)
        other.profile = profile
        self.companions[profile] = other
        return other

    def look_ahead(self, frame: Frame) -> None:
        self.looked_ahead.append(frame.digest)

    def forget(self, digest: str | None) -> None:
        self.forgotten.append(digest)

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        conditions: Conditions = USUAL,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event]:
        self.asked.append((conversation, question, frame))
        self.conditions.append(conditions)
        if "crash" in question:
            raise RuntimeError("as the script says")
        look, recognition = self._see(frame)
        if look is not None and not conditions.read_text:
            look = replace(look, texts=())
        other = replace(recognition.entity, name=conditions.entity) if recognition.entity else None
        recognition = conditions.over(recognition, other)
        evidence = conditions.evidence if conditions.evidence is not None else self._evidence()
        if not conditions.recognised:
            evidence = tuple(e for e in evidence if e.subject is None)
        name = recognition.entity.name if recognition.entity else None
        yield from self._stage("look", 212.0)
        if look is not None:
            yield Looked(look)
        yield from self._stage("recognise", 148.0)
        yield Recognised(recognition)
        yield from self._stage("plan", 3.2)
        yield Planned((name,) if name else (), (f"{name} {question}",), "attribute")
        yield from self._stage("retrieve", 41.0)
        yield EvidenceFound(evidence)
        yield from self._stage("answer", 12.4)
        sentences = self._sentences(question, evidence) if frame is not None else ()
        yield from self._stage("check", 6.1)
        for number, sentence in enumerate(sentences):
            if cancelled is not None and cancelled.wait(self.between_s if number else 0.0):
                break
            time.sleep(self.pause_s)
            yield SentenceReady(sentence)
        status: Status = "answered" if sentences else "abstained"
        reason = (
            "" if sentences else (f"{name} is recognised, but nothing about that was found" if name else "no picture")
        )
        text = " ".join(s.text for s in sentences) or f"I don't know: {reason}."
        timings = {"look": 212.0, "recognise": 148.0, "plan": 3.2, "retrieve": 41.0, "answer": 12.4, "check": 6.1}
        answer = Answer(text, status, reason, sentences, recognition.entity, evidence)
        yield Finished(Turn(question, answer, frame.digest if frame else None, (name,) if name else (), timings))

    def _stage(self, stage: Stage, ms: float) -> Iterator[Event]:
        yield StageStarted(stage)
        time.sleep(self.pause_s)
        yield StageFinished(stage, ms)

    def _see(self, frame: Frame | None) -> tuple[Look | None, Recognition]:
        if frame is None:
            return None, Recognition(reason="there is no picture yet")
        w, h = frame.width_px, frame.height_px
        box = ((w * 0.25, h * 0.25), (w * 0.75, h * 0.25), (w * 0.75, h * 0.75), (w * 0.25, h * 0.75))
        line = TextLine(
            HOSTILE if self.hostile else "HALDEN OAT",
            0.98,
            ((w * 0.3, h * 0.3), (w * 0.7, h * 0.3), (w * 0.7, h * 0.36), (w * 0.3, h * 0.36)),
        )
        name = HOSTILE if self.hostile else NAME
        entity = Candidate(name, 0.94, box, {}, 0, "https://pictures.invalid/1")
        return Look(Quality(0.5, 0.2, 300.0), frame, ("contrast",), (line,)), Recognition((entity,), entity)

    def _evidence(self) -> tuple[Evidence, ...]:
        name = HOSTILE if self.hostile else NAME
        words = (
            HOSTILE
            if self.hostile
            else "Halden Oat Biscuits cost 3.40 euros in the shop and are baked by Halden Mills."
        )
        return (
            Evidence("e1", "entity", "https://pictures.invalid/1", name, 0.94, subject=name),
            Evidence(
                "a1",
                "attribute",
                name,
                "price: 3.40 EUR",
                0.9,
                subject=name,
                key="price",
                value=HOSTILE if self.hostile else "3.40 EUR",
            ),
            Evidence(
                "a2", "attribute", name, "maker: Halden Mills", 0.9, subject=name, key="maker", value="Halden Mills"
            ),
            Evidence("a3", "attribute", name, "weight: 250 g", 0.9, subject=name, key="net_weight", value="250 g"),
            Evidence(
                "p1", "passage", "https://shop.invalid/halden", words, 0.71, subject=name, title="Halden, the shop"
            ),
            Evidence("t1", "text", "frame", HOSTILE if self.hostile else "HALDEN OAT", 0.98),
        )

    def recognise(self, question: str, frame: Frame) -> tuple[Look, Recognition]:
        look, recognition = self._see(frame)
        assert look is not None
        return look, recognition

    def exchange(self, evidence: Evidence, question: str, tried: tuple[str, ...] = ()) -> tuple[str, Evidence] | None:
        """Two relatives, whose facts are of another price."""
        name = next((n for n in RELATIVES if n not in tried), None)
        if name is None or evidence.kind in ("text", "code"):
            return None
        value = HOSTILE if self.hostile else f"{name.split()[0]} {evidence.key or 'words'}"
        if evidence.kind == "entity":
            return name, replace(evidence, text=name, subject=name)
        return name, replace(evidence, text=value, value=value if evidence.key else None)

    def around(self, evidence: Evidence) -> tuple[str, str]:
        return (HOSTILE, HOSTILE) if self.hostile else ("Tins of all kinds stand here.", "Open until six.")

    def _sentences(self, question: str, evidence: tuple[Evidence, ...]) -> tuple[Sentence, ...]:
        """What the script says, as far as the evidence for it is there; an exchanged fact is said as it stands."""
        there = {e.id: e for e in evidence}
        if self.hostile:
            return (Sentence(HOSTILE, ("a1", "p1")),) if "a1" in there else ()
        said: tuple[Sentence, ...] = ()
        if "price" in question or "cost" in question:
            price = there["a1"].value if "a1" in there else None
            words = "Halden Oat Biscuits cost 3.40 euros." if price == "3.40 EUR" else f"The price is {price}."
            said = (Sentence(words, ("e1", "a1")), Sentence("The shop's page names the same price.", ("p1",)))
        elif "maker" in question or "makes" in question:
            said = (Sentence("They are made by Halden Mills.", ("a2", "p1")),)
        return said if said and set(said[0].evidence_ids) & {"a1", "a2"} <= set(there) else ()
