"""Whether a sentence that a model wrote may be shown: the reader's check, and what only a model can get wrong.

A model may say that it does not know in many wordings, put words into evidence that holds none of them, or hand on
what a stranger wrote to it. Not a proof of meaning, as `reading.grounding` says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.core.types import Evidence, Sentence
from assistant.models.chat.sentences import Said
from assistant.pipelines.prompt import gives_orders
from assistant.reading.grounding import grounding_problem
from assistant.text.dates import find_dates
from assistant.text.english import content_stems, related
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
    return reason or _handed_on(said.text, cited) or _put_in(said.text, cited, plan)


def as_sentence(said: Said, pieces: Sequence[Evidence]) -> Sentence:
    ids = [pieces[n - 1].id for n in said.numbers if 1 <= n <= len(pieces)]
    return Sentence(said.text, tuple(dict.fromkeys(ids)))


def _with_dates(piece: Evidence) -> Evidence:
    """The piece with its dates as a person says them, too: a model writes 3 July 1989 for 1989-07-03."""
    said = [f"{d.day} {d.first_day:%B} {d.year}" for d in find_dates(piece.text) if d.day is not None]
    return replace(piece, text=f"{piece.text} ({'; '.join(said)})") if said else piece


def _handed_on(text: str, cited: Sequence[Evidence]) -> str:
    """Writing that addresses a machine may be quoted, as signs are read out, but not spoken as ours."""
    if not all(gives_orders(e.text) for e in cited):
        return ""
    quoted = " ".join(_QUOTED.findall(text))
    own = _QUOTED.sub(" ", text)
    rest = content_stems(own) & frozenset().union(*(content_stems(e.text) for e in cited))
    return "" if quoted and not rest else "the sentence does what a text in the evidence asks for"


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
