"""Practice material for the matcher: hand-written things with facts, and questions with the facts that answer them.

`data/readings/*.jsonl`, one thing a line: `kind`, `name`, `attributes`, `page` (sentences), `others` (what its facts
lead to, with facts of their own), `questions`, each with `answers` and, where it asks about one of the others, `link`:
references such as "a:net_wt", "p:3", "o0:p:1". All of it is fiction, written by several people who saw neither this
program nor any generated world.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.answering.matcher import attribute_text, chain_text
from assistant.answering.rank import mask

DATA_DIR = Path(__file__).resolve().parent / "data" / "readings"
#: Lots whose questions are asked as people mostly ask begin so.
PLAIN = "plain_"
_MAX_LINKS = 3
_OPENERS = (
    *("",) * 6,
    *("so ", "um, ", "hey, ", "just wondering, ", "ok so ", "tell me, ", "do you know ", "and ", "right, "),
    *("quick question: ", "sorry, ", "well "),
)
#: What people say instead of "it"; {kind} is the thing's own.
_POINTING = (
    *("the {kind}", "this {kind}", "that {kind}", "the {kind} in front of me", "this {kind} here"),
    *("the {kind} on the left", "the one on the right", "this thing here", "the thing I'm looking at"),
    *("the right {kind}", "the left one", "that {kind} over there"),
    *("the one I'm holding", "that one", "the other one here"),
)
_IT = re.compile(r"\b(it|this one|that one|this thing|that thing|this|that)\b(?! (?:one|thing|is|was|\w+s\b))")


@dataclass(frozen=True)
class Candidate:
    """A fact as the matcher reads it: `ref` of one of the thing's own, or "o0:p:1|a:maker" for one behind a link."""

    text: str
    ref: str

    @property
    def onward(self) -> bool:
        return "|" in self.ref


@dataclass(frozen=True)
class Practice:
    """One question: `answers` is 1 for candidates that answer, 0 for others, -1 for those that should not be used;
    `links` is 1 for facts that name what the question is about.
    """

    thing: dict[str, Any]
    question: dict[str, Any]
    candidates: tuple[Candidate, ...]
    answers: tuple[int, ...]
    links: tuple[int, ...]

    @property
    def text(self) -> str:
        return mask(self.question["q"], [self.thing["name"]])


def read_things(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The things of some files of readings."""
    return [json.loads(line) for p in paths for line in p.read_text(encoding="utf-8").splitlines() if line.strip()]


def practices(thing: dict[str, Any]) -> list[Practice]:
    """All questions about a thing, with everything that could be taken for their answers."""
    candidates = _candidates(thing)
    return [Practice(thing, q, candidates, *_labels(q, candidates)) for q in thing["questions"]]


def facts_of(owner: dict[str, Any]) -> dict[str, str]:
    """Reference to text, with the owner's name in it."""
    found = {f"a:{k}": f"{k}: {v}" for k, v in owner.get("attributes", {}).items()}
    return found | {f"p:{i}": s for i, s in enumerate(owner["page"])}


_SINGULAR = {"do": "does", "were": "was", "are": "is", "have": "has"}
_AUXILIARY = re.compile(r"\b(do|were|are|have) they\b", re.IGNORECASE)


def left_alone(practice: Practice) -> tuple[str, list[tuple[str, int]]] | None:
    """ "where did it grow up?" of a question about an author's youth, with the facts about the author and whether each
    answers; None for questions about the thing itself.
    """
    outer, right = practice.question.get("outer"), set(practice.question["answers"])
    behind = next((ref for ref in practice.question["answers"] if ref.startswith("o")), None)
    if not outer or behind is None:
        return None
    owner, _, _ = behind.partition(":")
    other = practice.thing["others"][int(owner[1:])]
    facts = [(attribute_text(k, _clean(v)), f"a:{k}") for k, v in other["attributes"].items()]
    facts += [(text, f"p:{i}") for i, text in enumerate(other["page"])]
    asked = _AUXILIARY.sub(lambda m: f"{_SINGULAR[m[1].lower()]} it", outer)
    asked = re.sub(r"\b(?:they|he|she|him|them)\b", "it", asked, flags=re.IGNORECASE)
    return asked, [(mask(text, [other["name"]]), int(f"{owner}:{ref}" in right)) for text, ref in facts]


def _candidates(thing: dict[str, Any]) -> tuple[Candidate, ...]:
    name = thing["name"]
    own = {f"a:{k}": mask(attribute_text(k, _clean(v)), [name]) for k, v in thing["attributes"].items()}
    own |= {f"p:{i}": mask(s, [name]) for i, s in enumerate(thing["page"])}
    out = [Candidate(text, ref) for ref, text in own.items()]
    for n, other in enumerate(thing["others"]):
        facts = {f"a:{k}": f"{other['name']}, {attribute_text(k, _clean(v))}" for k, v in other["attributes"].items()}
        facts |= {f"p:{i}": s for i, s in enumerate(other["page"])}
        for link in _naming(facts_of(thing), other["name"])[:_MAX_LINKS]:
            out += [Candidate(chain_text(own[link], text), f"o{n}:{ref}|{link}") for ref, text in facts.items()]
    return tuple(out)


def _clean(value: object) -> str:
    return str(value).replace("[[", "").replace("]]", "")


def _naming(facts: dict[str, str], name: str) -> list[str]:
    """The facts that name the other thing, wholly or by its last word."""
    last = [w for w in re.findall(r"\w+", name) if len(w) > 3][-1:]
    return [
        ref
        for ref, text in facts.items()
        if name.lower() in text.lower() or (last and last[0][0].isupper() and last[0].lower() in text.lower())
    ]


def _labels(question: dict[str, Any], candidates: Sequence[Candidate]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    right, link = set(question["answers"]), set(question.get("link", []))
    answers, links = [], []
    for c in candidates:
        ref, _, by = c.ref.partition("|")
        answers.append(int(ref in right) if not by or not link or by in link or ref not in right else -1)
        links.append(int(not by and ref in link))
    return tuple(answers), tuple(links)


def varied(question: str, kind: str, chance: random.Random) -> str:
    """The question as somebody else might begin it and point at the thing."""
    if chance.random() < 0.35:
        pointing = chance.choice(_POINTING).format(kind=chance.choice([kind, kind.split()[-1], "thing"]))
        found = _IT.search(question) or re.search(r"\bit\b", question)
        if found:
            question = question[: found.start()] + pointing + question[found.end() :]
    if chance.random() < 0.3:
        question = chance.choice(_OPENERS) + question[:1].lower() + question[1:]
    return question.rstrip("?") if chance.random() < 0.3 else question
