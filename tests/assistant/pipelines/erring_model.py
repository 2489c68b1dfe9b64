"""A vision-language model that is none: over a generated world it is right and wrong as often as is stated here.

What is asked is told by the request's own words, as a model would tell it. Each kind of request has its own stated
rates (`Rates`), the same whoever asks; what the model errs in is drawn from (seed, question, what is drawn), so that it
errs in the same questions under every pipeline and every strictness, as one model would. Nothing here is a measurement
of any model: the rates are stated, in the neighbourhood of what CRAG-MM reports (arXiv 2510.26160).

| request | right | wrong | else |
|---|---|---|---|
| name the thing, also where that is the question | `names` 0.65 | `misnames` 0.20 | cannot tell |
| queries | speak of the thing as it was named | | of the question as it stands |
| rank one piece | on the right side of one half with `ranks` 0.85 | | |
| answer, shown what it takes | `reads` 0.84, citing it | another line `misreads` 0.05, `invents` 0.04 | declines |
| answer off the picture | `reads_picture` 0.65 | `misreads_picture` 0.20 | as if nothing were shown |
| answer, nothing shown | `recalls` 0.08 | guesses 0.85, 0.80, 0.70, 0.60 | declines |
| holds back what it could answer | 0, 0.01, 0.03, 0.08 | | |
| second look | doubts a right draft with `false_alarms` 0.10 | doubts a wrong one with `detects` 0.60 | |

Four figures are those of none, soft, moderate and severe: strictness makes it guess less by three tenths at most, so
that what brings wrong answers down further is not the model's doing. What it says without evidence it marks [memory]
(0.40), [picture] (0.20), not at all (0.15), or it cites a line that does not say so (0.25; half of these repeat that
line instead of inventing); where no lines are shown the last share falls to the others. P(yes) of a piece and P(no) of
a second look are anywhere between 0.05 and 0.45 or 0.55 and 0.95. The first token begins a refusal with up to 0.25
before right answers, 0.05 to 0.40 before wrong ones, 0.60 to 0.95 before a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from assistant.core.types import Strictness, Usage
from assistant.models.protocol import ModelReply, Prompt
from tests.assistant.pipelines.erring_world import Known, says_figures
from tests.scripted_chat.replies import share_of

T = TypeVar("T")
Kind = Literal["name", "query", "queries", "rank", "verify", "answer"]
DECLINES = "I don't know."
_LINE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_PAGE = re.compile(r"page “[^”]*”[^:]*: ")


@dataclass(frozen=True)
class Rates:
    """The table above."""

    names: float = 0.65
    misnames: float = 0.20
    ranks: float = 0.85
    reads: float = 0.84
    misreads: float = 0.05
    invents: float = 0.04
    reads_picture: float = 0.65
    misreads_picture: float = 0.20
    recalls: float = 0.08
    guesses: Mapping[Strictness, float] = field(
        default_factory=lambda: {"none": 0.85, "soft": 0.80, "moderate": 0.70, "severe": 0.60}
    )
    holds_back: Mapping[Strictness, float] = field(
        default_factory=lambda: {"none": 0.0, "soft": 0.01, "moderate": 0.03, "severe": 0.08}
    )
    detects: float = 0.60
    false_alarms: float = 0.10
    #: What it says of a guess: memory, picture, nothing; the rest cites a line that does not say so.
    marks: tuple[float, float, float] = (0.40, 0.20, 0.15)


STATED = Rates()


def kind_of(text: str) -> Kind:
    """What a request asks for, by its own words."""
    if "proposes this answer" in text:
        return "verify"
    if "one word: Yes or No" in text:
        return "rank"
    if "thing:" in text and "query:" in text:
        return "name"
    if "numbered list" in text and "queries" in text:
        return "queries"
    if "one query" in text:
        return "query"
    return "answer"


def strictness_of(rules: str) -> Strictness:
    """How strictly the rules say to hold back; rules in other words that ask for it are moderate."""
    if "Always give the best answer" in rules:
        return "none"
    if "you may write" in rules:
        return "soft"
    return "severe" if "memory is not allowed" in rules else "moderate"


@dataclass(frozen=True)
class ErringModel:
    """Asked about one question; safe to share between threads. Another `seed` errs elsewhere.

    `answered_from` keeps of each request to answer the numbers of the lines that held what was needed, () for none.
    """

    known: Known
    seed: int = 0
    rates: Rates = STATED
    sees: bool = True
    picture_px: int = 64
    answered_from: list[tuple[int, ...]] = field(default_factory=list)

    def ask(self, prompt: Prompt, **_: object) -> _Whole:
        text = "\n".join(str(message["content"]) for message in prompt.messages)
        kind = kind_of(text)
        last = str(prompt.messages[-1]["content"])
        lines = {int(n): line for n, line in _LINE.findall(last)}
        if kind == "verify":
            said, first = self._verify(last)
        elif kind == "rank":
            said, first = self._rank(lines)
        elif kind == "answer":
            said, first = self._answer(lines, strictness_of(text), bool(prompt.images))
        else:
            said, first = self._look_up(kind), {}
        size = len(text) // 4 + 200 * len(prompt.images)
        return _Whole(said, size, first if prompt.first_token else {})

    def digest(self, prompt: Prompt) -> str:
        return f"{self.seed} {self.known.id} {prompt.messages}"

    # one method a kind of request

    def named(self) -> str:
        """What the model takes the thing for, "" where it cannot tell."""
        draw = self._draw("name")
        if draw < self.rates.names:
            return self.known.thing
        return self._one_of(self.known.others, "other") if draw < self.rates.names + self.rates.misnames else ""

    def _look_up(self, kind: Kind) -> str:
        known, thing = self.known, self.named() if not self.known.read else ""
        if kind == "name" and known.read:
            return "nothing"
        query = known.standalone.replace(known.thing, thing) if thing and known.thing else known.question
        if kind == "query":
            return query
        if kind == "queries":
            return "\n".join(f"{n}. {q}" for n, q in enumerate([query, *([thing] if thing else [])], 1))
        return "\n".join([*([f"thing: {thing}"] if thing else []), f"query: {query}"])

    def _rank(self, lines: Mapping[int, str]) -> tuple[str, dict[str, float]]:
        holds = any(way.met_by(line) for ways in self.known.needs for way in ways for line in lines.values())
        what = " ".join(lines.values())
        yes = holds == (self._draw("rank", what) < self.rates.ranks)
        p = (0.55 if yes else 0.05) + 0.4 * self._draw("ranked", what)
        return ("Yes" if yes else "No"), {"Yes": p, "No": 1 - p}

    def _verify(self, text: str) -> tuple[str, dict[str, float]]:
        draft = text.partition("proposes this answer: ")[2].partition("\n")[0]
        right = self.known.is_right(draft)
        doubts = self._draw("verify") < (self.rates.false_alarms if right else self.rates.detects)
        p = (0.55 if doubts else 0.05) + 0.4 * self._draw("verified")
        return ("no" if doubts else "yes"), {"no": p, "yes": 1 - p}

    def _answer(self, lines: Mapping[int, str], strictness: Strictness, sees: bool) -> tuple[str, dict[str, float]]:
        said = self._said(lines, strictness, sees)
        u = self._draw("first token")
        if said == DECLINES:
            p = 0.60 + 0.35 * u
        else:
            p = 0.25 * u if self.known.is_right(re.sub(r" \[[^\]]*\]", "", said)) else 0.05 + 0.35 * u
        return said, {"I": p, "It": 1 - p}

    def _said(self, lines: Mapping[int, str], strictness: Strictness, sees: bool) -> str:
        known, rates, draw = self.known, self.rates, self._draw("answer")
        cited = known.carried_by(lines)
        self.answered_from.append(cited)
        if cited and self._draw("holds back") < rates.holds_back[strictness]:
            return DECLINES
        if cited:
            if draw < rates.reads:
                return _marked(known.truth, "".join(f"[{n}]" for n in cited))
            if draw < rates.reads + rates.misreads:
                return self._repeats(lines, cited) or DECLINES
            if draw < rates.reads + rates.misreads + rates.invents:
                return _marked(self._one_of(known.wrong, "wrong"), f"[{cited[0]}]")
            return DECLINES
        if known.names and sees:
            thing = self.named()
            return _marked(f"It is {thing}.", "[picture]") if thing else DECLINES
        if known.read and sees and draw < rates.reads_picture + rates.misreads_picture:
            text = known.truth if draw < rates.reads_picture else self._one_of(known.wrong, "wrong")
            return _marked(text, "[picture]")
        if self._draw("recalls") < rates.recalls:
            return self._guess(known.truth, {})
        if self._draw("guesses") < rates.guesses[strictness]:
            return self._guess(self._one_of(known.wrong, "wrong"), lines)
        return DECLINES

    def _guess(self, text: str, lines: Mapping[int, str]) -> str:
        """What rests on nothing that is shown, with what the model says of it."""
        memory, picture, nothing = self.rates.marks
        draw = self._draw("mark") * (1.0 if lines else memory + picture + nothing)
        if draw < memory:
            return _marked(text, "[memory]")
        if draw < memory + picture:
            return _marked(text, "[picture]")
        if draw < memory + picture + nothing:
            return text
        if self._draw("repeats") < 0.5 and (repeated := self._repeats(lines, ())):
            return repeated
        return _marked(text, f"[{self._one_of(tuple(lines), 'line')}]")

    def _repeats(self, lines: Mapping[int, str], but: tuple[int, ...]) -> str:
        """Another line's value as if it were the answer, of the same sort where there is one."""
        figures = says_figures(self.known.truth)
        own = [(n, s) for n, line in lines.items() if n not in but and (s := _statement(line))]
        alike = [(n, s) for n, s in own if says_figures(s) == figures] or own
        if not alike:
            return ""
        n, statement = self._one_of(tuple(alike), "another line")
        return _marked(statement, f"[{n}]")

    def _draw(self, *what: object) -> float:
        return share_of(self.seed, self.known.id, *what)

    def _one_of(self, of: tuple[T, ...], what: str) -> T:
        return of[int(self._draw(what) * len(of))]


def _statement(line: str) -> str:
    """What a line says, as a sentence."""
    if found := _PAGE.search(line):
        told = [s for s in re.split(r"(?<=[.!?])\s+", line[found.end() :]) if len(s) > 12]
        return told[0] if told else ""
    if line.startswith("about ") and line.count(": ") >= 2:
        return f"It is {line.split(': ', 2)[2].rstrip('.')}."
    return ""


def _marked(sentence: str, mark: str) -> str:
    return f"{sentence.rstrip('.')} {mark}."


class _Whole:
    """A reply in one piece (`models.protocol.ModelStream`)."""

    may_be_thinking = False

    def __init__(self, text: str, prompt_tokens: int, first_token: Mapping[str, float]) -> None:
        self.usage = Usage("scripted", prompt_tokens, len(text) // 4)
        self.reply = ModelReply(text, "scripted", prompt_tokens, len(text) // 4, "stop", first_token=first_token)
        self._pieces = iter([text])

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        self._pieces = iter(())
