"""Numbered evidence as a model is shown it, and the whole prompt around it.

Evidence and writing in the picture come from strangers. Three things keep them from giving orders: each piece is one
line between marks that cannot be foreseen (they are made from the evidence itself), the rules say that nothing between
the marks is addressed to the model, and pieces of pages that address a model at all are withheld, number and all.
Whatever still comes back is checked sentence by sentence (`sentence_check`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assistant.core.types import REFUSAL, Conversation, Evidence, Strictness
from assistant.models.protocol import Message
from assistant.pipelines.prompts import Prompts
from assistant.text.english import plain
from assistant.understanding.plan import Plan

#: Six turns back is further than "it" ever points; an earlier answer is cut to what a follow-up may lean on.
EARLIER_TURNS, EARLIER_CHARS = 6, 400
#: About 4,000 tokens: the reader's sixty pieces of evidence nearly always fit.
EVIDENCE_CHARS, PIECE_CHARS = 16_000, 700
#: Of English; other writing has fewer, so that a prompt may have to be cut a second time.
CHARS_PER_TOKEN = 4

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,60}\b(?:instructions?|rules?|prompts?|guidelines|context|"
    r"everything|evidence|(?:above|before|previous|earlier|prior))\b"
    r"|\b(?:system|developer) (?:prompt|message)\b|<\|\w+\|>|\[/?INST\]|^\W*(?:system|assistant|user)\s*:"
    r"|\byou are (?:now|no longer) (?:an? |the |in )"
    r"|\b(?:AI|LLM|language model|chat ?bot|assistants?|voice assistant)\b[^.!?]{0,50}\b(?:must|should|shall|please|"
    r"answer|reply|respond|say|tell|ignore|output)\b"
    r"|\b(?:must|should|shall|please|now)\s+(?:only\s+)?(?:answer|reply|respond|output|print)\b"
    r"|\b(?:answer|reply|respond) (?:only |always |every \w+ )?(?:with|by saying)\b"
    r"|\b(?:your|the) (?:answer|reply|response|output) (?:must|should|shall|has to)\b",
    re.IGNORECASE,
)
#: The wearer's words that count from today.
_TODAY = re.compile(
    r"\b(?:old|age|ago|today|now|current(?:ly)?|still|yet|this year|since|until|so far)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Shown:
    """What a model is told: rules, earlier turns, and last its task with the numbered evidence in it.

    Attributes:
        system: the rules.
        before: earlier turns, oldest first.
        pieces: the evidence behind each number (a number stands for its place, from 1).
        task: the last message, made of the pieces, so that it can be made of fewer.
        shows: whether the pictures among the pieces go along.
        places: whether the model may place pictures of the pieces in its answer.
        piece_chars: as much of a piece as is shown.
    """

    system: str
    before: tuple[Message, ...]
    pieces: tuple[Evidence, ...]
    task: Callable[[Sequence[Evidence]], str]
    shows: bool = False
    places: bool = False
    piece_chars: int = PIECE_CHARS

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        asked = {"role": "user", "content": self.task(self.pieces)}
        return ({"role": "system", "content": self.system}, *self.before, asked)

    def shorter(self, excess: int | None = None) -> Shown | None:
        """The same with less in it, for a model that reads no more: without the evidence that comes last (`excess`
        tokens of it, or half), then without earlier turns; None where there is nothing left to do without.
        """
        if self.pieces:
            fewer = len(self.pieces) // 2
            if excess is not None:
                rest, fewer = excess * CHARS_PER_TOKEN, len(self.pieces)
                while fewer and rest > 0:
                    fewer -= 1
                    rest -= len(_line(self.pieces[fewer], self.piece_chars))
            return replace(self, pieces=self.pieces[:fewer])
        return replace(self, before=()) if self.before else None


@dataclass(frozen=True)
class Room:
    """How much evidence fits into a prompt: `most` of it in all, as `size` counts a line, and characters a piece."""

    most: int = EVIDENCE_CHARS
    piece_chars: int = PIECE_CHARS
    size: Callable[[str], int] = len


USUAL_ROOM = Room()
#: For evidence that a run hands in: what a model is measured with is what it was given, to the last word.
WHOLE = Room(10**9, 10**9)


def gives_orders(text: str) -> bool:
    """Whether a text addresses whoever reads it as a machine that answers. A list of wordings, not an understanding."""
    return _ORDERS.search(text) is not None


def compose(
    prompts: Prompts,
    strictness: Strictness,
    plan: Plan,
    conversation: Conversation,
    evidence: Sequence[Evidence],
    *,
    with_picture: bool,
    shows: bool = False,
    room: Room = USUAL_ROOM,
    rules: str = "system",
    places: bool = False,
) -> Shown:
    """The whole prompt but for the pictures: rules, earlier turns, evidence, question.

    `with_picture`: what the wearer sees goes along; `shows`: so do the pictures among the evidence, after it. `rules`
    is the name of the prompt that says how to answer. `places`: pictures among the evidence may be placed in the
    answer.
    """
    about = []
    pictured = shows and any(piece.picture for piece in evidence)
    if with_picture:
        about.append(f"The {'first ' if pictured else ''}picture is what the wearer sees.")
    if plan.subjects:
        about.append(f"The question is about: {'; '.join(plain(s, 120) for s in plan.subjects[:6])}.")
    if _TODAY.search(plan.question):
        about.append(f"Today is {plan.today:%d %B %Y}.")
    about.append(f"Question: {plan.question}")

    def task(pieces: Sequence[Evidence]) -> str:
        return "\n\n".join(([fenced(pieces, room, 1 + with_picture if shows else 0)] if pieces else []) + about)

    system = prompts.fill(rules, strictness=prompts.fill(f"strictness-{strictness}"))
    pieces = chosen(evidence, room, shows)
    places = places and any(piece.kind == "picture" for piece in pieces)
    if places:
        system = f"{system}\n\n{prompts.fill('place-pictures')}"
    return Shown(system, tuple(earlier(conversation)), pieces, task, shows, places, room.piece_chars)


def earlier(conversation: Conversation) -> list[Message]:
    """The last questions and what was answered, oldest first."""
    messages: list[Message] = []
    for turn in conversation.turns[-EARLIER_TURNS:]:
        messages.append({"role": "user", "content": plain(turn.question, EARLIER_CHARS)})
        messages.append({"role": "assistant", "content": plain(turn.answer.words, EARLIER_CHARS) or f"{REFUSAL}."})
    return messages


def fenced(
    pieces: Sequence[Evidence],
    room: Room = USUAL_ROOM,
    first_picture: int = 0,
    *,
    numbers: Sequence[int] | None = None,
) -> str:
    """The pieces, numbered from 1 or by `numbers`, between marks that nobody who wrote them could know.

    `first_picture` is the place, among the prompt's pictures, of the first that is evidence; 0 where none goes along.
    """
    told, place = [], first_picture
    for n, piece in zip(numbers or range(1, len(pieces) + 1), pieces, strict=True):
        shown = f"picture {place}, " if first_picture and piece.picture else ""
        told.append(f"[{n}] {shown}{_line(piece, room.piece_chars)}")
        place += bool(shown)
    lines = "\n".join(told)
    mark = f"evidence-{hashlib.sha256(lines.encode()).hexdigest()[:10]}"
    return f"<{mark}>\n{lines}\n</{mark}>"


def chosen(evidence: Sequence[Evidence], room: Room = USUAL_ROOM, shows: bool = False) -> tuple[Evidence, ...]:
    """The pieces that are shown, in the reader's order, as many as fit; pages that give orders are left out, and, where
    pictures do not go along, those of which nothing is said.
    """
    kept: list[Evidence] = []
    said: set[str] = set()
    left = room.most
    for piece in evidence:
        line = _line(piece, room.piece_chars)
        if piece.kind == "picture":
            if not (piece.text or (shows and piece.picture)):
                continue
            line = f"{line} {piece.id}"  # two may be captioned alike
        if line in said or (piece.kind not in ("text", "code") and gives_orders(f"{piece.title or ''}. {piece.text}")):
            continue
        left -= room.size(line)
        if left < 0:
            break
        said.add(line)
        kept.append(piece)
    return tuple(kept)


def _line(piece: Evidence, chars: int) -> str:
    """One line: what kind of thing it is, whom it speaks of, what it says. Numbers in brackets are ours alone."""
    text = re.sub(r"[\[【]\s*(\d[\d,;\s–-]*)[\]】]", r"(\1)", plain(piece.text, chars))
    subject, title = plain(piece.subject or "", 120), plain(piece.title or "", 120)
    match piece.kind:
        case "text":
            return f"read in the picture: “{text}”"
        case "code":
            return f"a code in the picture holds: “{text}”"
        case "entity":
            # What was recognised has an outline; without one its picture was only found to be alike.
            return f"recognised in the picture: {text}" if piece.outline_px else f"a picture like it shows: {text}"
        case "kind" | "measured":
            return f"measured in the picture: {text}"
        case "picture":
            page = f"on the page “{title}”" if title else "on a page"
            return f"a picture {page}" + (f", captioned: {text}" if text else "")
        case "attribute" | "taught":
            return f"about {subject}: {text}" if subject else text
        case _:
            about = f"about {subject}, " if subject and subject != title else ""
            name = f"page “{title}”" if title else "a page"
            dated = f" of {plain(piece.written, 10)}" if piece.written else ""
            return f"{about}{name}{dated}: {text}"
