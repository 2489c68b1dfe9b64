"""What a sentence that a model wrote rests on, and whether it may be shown.

With numbers it is checked against the evidence behind them: the reader's check (`reading.grounding`), and what only a
model can get wrong. Without any it may still be carried whole by one piece; else it rests on the picture or on the
model's memory, as it says itself. One that does not say is taken for the weaker where it holds names or figures that
cannot be read in the picture. A model may say in many wordings that it does not know, or hand on what a stranger wrote
to it. Not a proof of meaning, as `reading.grounding` says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.core.types import Evidence, Ground, Sentence, Strictness
from assistant.models.sentences import Said
from assistant.pipelines.evidence_lines import gives_orders
from assistant.reading.grounding import grounding_problem
from assistant.text.dates import find_dates
from assistant.text.english import content_stems, related
from assistant.text.values import find_names, find_quantities
from assistant.understanding.plan import Plan

_APOSTROPHE = re.compile(r"[’‘`´]")
_I_CANNOT = re.compile(
    r"\b(?:i|we)(?:'m| am|'re| are| was| were)? (?:"
    r"(?:really |simply |honestly |just )?(?:don't|do not|didn't|did not) (?:actually |really |currently )?"
    r"(?:know|have|see|find|recogni[sz]e)|"
    r"(?:can't|cannot|can not|could not|couldn't|won't|will not) (?:be able|tell|say|answer|find|determine|see|"
    r"identify|confirm|help|provide|give|verify|make out|assist)|"
    r"(?:unable|not able|not sure|not certain|unsure|uncertain|afraid|sorry)|"
    r"have no (?:idea|information|knowledge|evidence|data|way|clue)|lack )"
    r"|^\W*(?:sorry|unfortunately|apologies|i apologi[sz]e)\b",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\b(?:unknown|unclear|insufficient|inconclusive|no (?:answer|information|evidence|data|mention|details?)|"
    r"not (?:enough|known|clear|certain|possible|stated|mentioned|specified|given|provided|included|available|"
    r"contained|answered|in the evidence|shown)|"
    r"(?:isn't|aren't|wasn't|doesn't|does not|do not|don't|didn't|cannot|can't) (?:be (?:determined|answered|known|"
    r"said|told|found|identified)|say|state|mention|contain|give|specify|provide|include|tell|hold|answer|show|enough|"
    r"known|stated|mentioned|specified|given|provided|clear|available)|"
    r"n/a|don't know|do not know|hard to (?:say|tell)|impossible to)\b",
    re.IGNORECASE,
)
_PLEASANTRY = re.compile(
    r"(?:sure|certainly|of course|absolutely|great question|good question|thanks?|hello|hi|okay|ok|"
    r"here(?: is|'s)[\w ]*|"
    r"(?:according to|based on|from) (?:the|this|your)[\w ]*|let me [\w ]*)[\w ]{0,20}[.!:,]*",
    re.IGNORECASE,
)
#: Verbs that only tie a thing to what is said of it: "Pramera makes it" answers "who produces it?".
_RELATING = (
    "make makes made produce produces produced cost costs weigh weighs measure measures name named call called build "
    "built own owned run runs hold holds say says show shows list lists locate located write written belong belongs"
)
_QUOTED = re.compile(r"[“\"‘']([^”\"]+)[”\"’']")


def declines(said: Said) -> bool:
    """Whether the sentence says that there is no answer.

    "The plaque says the maker is unknown [2]" is an answer: wordings without an "I" count only where nothing is cited.
    """
    text = _APOSTROPHE.sub("'", said.text)
    if _I_CANNOT.search(text) or re.match(
        r"\W*(?:sorry|unfortunately|apologies|i apologi[sz]e)\b", text, re.IGNORECASE
    ):
        return True
    return not said.numbers and _UNKNOWN.search(text) is not None


def says_nothing(said: Said) -> bool:
    """A greeting or a lead-in, which is neither an answer nor a claim."""
    return not said.numbers and _PLEASANTRY.fullmatch(_APOSTROPHE.sub("'", said.text).strip()) is not None


@dataclass(frozen=True)
class Basis:
    """What a sentence may rest on.

    Attributes:
        pieces: the evidence the model was shown, numbered from 1.
        plan: what is asked.
        picture: whether the model was shown the picture.
        strictness: "severe" allows no memory, and of the picture nothing that only the model claims to read.
        read: the lines of text on the picture; called where a sentence hangs on them, for it may wait for them.
        shown: whether the model was shown the pictures among the evidence.
    """

    pieces: Sequence[Evidence]
    plan: Plan
    picture: bool
    strictness: Strictness
    read: Callable[[], Sequence[str]] = tuple
    shown: bool = False


def grounded(said: Said, basis: Basis, *, check: bool = True) -> tuple[Sentence | None, str]:
    """The sentence with what it rests on, or None and why it may not be shown.

    `check` False takes the model's word for everything, as a visitor may ask for.
    """
    if not said.whole:
        return None, "the sentence was cut off"
    pieces, plan = basis.pieces, basis.plan
    if said.numbers:
        said = replace(said, numbers=with_links(said.numbers, pieces, plan))
        reason = unsupported(said, pieces, plan) if check else ""
        if reason and basis.shown and any(pieces[n - 1].picture for n in said.numbers if 0 < n <= len(pieces)):
            # What a cited picture shows only the model has seen: it is said to, and nothing here confirms it.
            return replace(as_sentence(said, pieces), ground="picture"), ""
        return (None, reason) if reason else (as_sentence(said, pieces), "")
    if said.ground is None and (carrier := _carrier(said, pieces, plan)) is not None:
        return Sentence(said.text, (carrier.id,)), ""
    ground: Ground = said.ground or ("picture" if basis.picture and _is_seen(said, basis) else "memory")
    if ground == "picture" and not basis.picture:
        ground = "memory"
    if check:
        if basis.strictness == "severe" and (reason := _uncertain(said, ground, basis)):
            return None, reason
        if reason := _handed_on(said.text, [line for line in basis.read() if gives_orders(line)], cited=False):
            return None, reason
    return Sentence(said.text, (), ground), ""


def _uncertain(said: Said, ground: Ground, basis: Basis) -> str:
    """Why a sentence without evidence may not be shown where nothing may be doubted; "" where it may.

    That a model says it sees something makes it no sight: a name or a figure of more than one digit counts as shown
    only where it was read, recognised or asked with. Colours, kinds and small numbers can be seen by looking.
    """
    if ground == "memory":
        return "the sentence rests on the model's memory alone"
    return (
        "" if _is_seen(said, basis, digits=1) else "the sentence says to see a name or figure that was not read there"
    )


def with_links(numbers: Sequence[int], pieces: Sequence[Evidence], plan: Plan) -> tuple[int, ...]:
    """The numbers, and before one of evidence about a second thing that of the piece which leads there.

    A model often cites the last step alone: of "who founded the firm that makes this?" the line about the firm, not the
    one that says which firm makes it.
    """
    allowed = {name.casefold() for name in (*plan.subjects, *plan.answer_names)}
    out: list[int] = []
    for n in numbers:
        other = (pieces[n - 1].subject or "").casefold() if 1 <= n <= len(pieces) else ""
        if allowed and other and other not in allowed:
            leads = (
                m
                for m, piece in enumerate(pieces, 1)
                if (piece.subject or "").casefold() in allowed and other in f"{piece.text} {piece.value}".casefold()
            )
            out += [m for m in leads if m not in numbers][:1]
        out.append(n)
    return tuple(dict.fromkeys(out))


def _carrier(said: Said, pieces: Sequence[Evidence], plan: Plan) -> Evidence | None:
    """The one piece that says all that the sentence adds to the question."""
    asked = content_stems(" ".join((plan.question, *plan.queries[:1], *plan.subjects[:1], _RELATING)))
    new = [s for s in content_stems(said.text) if not any(related(s, a) for a in asked)]
    for n, piece in enumerate(pieces, 1):
        known = content_stems(f"{piece.text} {piece.value or ''} {piece.title or ''} {piece.subject or ''}")
        says_all = bool(new) and all(any(related(s, k) for k in known) for s in new)
        if says_all and not unsupported(replace(said, numbers=(n,)), pieces, plan):
            return piece
    return None


def _is_seen(said: Said, basis: Basis, *, digits: int = 2) -> bool:
    """Whether the sentence holds no name and no figure but those asked with, recognised or read on the picture.

    Figures of up to so many `digits` may be counted by looking.
    """
    known = " ".join((basis.plan.question, *basis.plan.subjects, *basis.read())).casefold()
    names = find_names(said.text[:1].lower() + said.text[1:])  # any word is capitalised where a sentence begins
    figures = [f for f in re.findall(r"\d(?:[\d.,]*\d)?", said.text) if len(f) > digits]
    figures += [
        q.text for q in find_quantities(said.text) if q.dimension not in ("", "count")
    ]  # nobody sees a weight or a price, but reads it
    return all(name.casefold() in known for name in names) and all(figure.casefold() in known for figure in figures)


def unsupported(said: Said, pieces: Sequence[Evidence], plan: Plan) -> str:
    """ "" when the evidence that the sentence cites carries it, else why not. `pieces` are numbered from 1."""
    if not said.whole:
        return "the sentence was cut off"
    if not said.numbers:
        return "the sentence names no evidence"
    if any(not 1 <= n <= len(pieces) for n in said.numbers):
        return "the sentence names evidence that does not exist"
    cited = [pieces[n - 1] for n in said.numbers]
    reason = grounding_problem(as_sentence(said, pieces), [_with_dates(piece) for piece in cited], plan)
    orders = [e.text for e in cited] if all(gives_orders(e.text) for e in cited) else []
    handed_on = _handed_on(said.text, orders, cited=True)
    return reason or handed_on or _put_in(said.text, cited, plan)


def as_sentence(said: Said, pieces: Sequence[Evidence]) -> Sentence:
    ids = [pieces[n - 1].id for n in said.numbers if 1 <= n <= len(pieces)]
    return Sentence(said.text, tuple(dict.fromkeys(ids)))


def _with_dates(piece: Evidence) -> Evidence:
    """The piece with its dates as a person says them, too: a model writes 3 July 1989 for 1989-07-03."""
    said = [f"{d.day} {d.first_day:%B} {d.year}" for d in find_dates(piece.text) if d.day is not None]
    return replace(piece, text=f"{piece.text} ({'; '.join(said)})") if said else piece


def _handed_on(text: str, orders: Sequence[str], *, cited: bool) -> str:
    """Writing that addresses a machine may be quoted, as signs are read out, but not spoken as ours.

    Of what only stands in view (`cited` False) nothing needs to have come into the sentence.
    """
    if not orders:
        return ""
    quoted = " ".join(_QUOTED.findall(text))
    own = _QUOTED.sub(" ", text)
    rest = content_stems(own) & frozenset().union(*(content_stems(order) for order in orders))
    fine = not rest and (quoted or not cited)
    return "" if fine else "the sentence does what a text in the evidence asks for"


def _put_in(text: str, cited: Sequence[Evidence], plan: Plan) -> str:
    """A statement in words must share at least one of the words that make it an answer with what it cites."""
    asked = content_stems(" ".join((plan.question, *plan.queries[:1], *plan.subjects[:1], _RELATING)))
    new = [s for s in content_stems(text) if not any(related(s, a) for a in asked) and not s[0].isdigit()]
    known = content_stems(" ".join(f"{e.text} {e.value or ''} {e.title or ''} {e.subject or ''}" for e in cited))
    if not new or any(related(s, k) for s in new for k in known) or re.search(r"\d", text):
        return ""
    if re.match(r"\W*(?:yes|no)\b", text, re.IGNORECASE) and len(new) <= 1:
        return ""
    return "nothing in the cited evidence says so"
