"""What a conversation is about: the thing spoken of last, what was not known, and what "she" and "there" stood for.

Names only. `resolve` decides with this whom a question means; the agent keeps on one frame what is in focus.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.core.types import Conversation, Recognition, Turn
from assistant.text.kinds import asked_kinds, fits, kind_of
from assistant.understanding.naming import asks_name
from assistant.understanding.scales import scale_of

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

DEICTIC = re.compile(
    r"\b(?:this|these|here|in front of me|looking at|i see|i['’]m holding|in my hand)\b", re.IGNORECASE
)
ANAPHOR = re.compile(r"\b(?:it|its|it['’]s|they|them|their|theirs|that|those)\b", re.IGNORECASE)
PERSON = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
PLACE = re.compile(
    r"^(?!.*\b(?:(?:this|that|these|those) \w+(?: \w+)?|over|up|out|down) there\b)"
    r".*\b(?<!\bare )(?<!\bwere )there\b(?!\s+(?:is|are|was|were|any|a|an)\b)"
    r"|\bthat (?:town|city|village|country|place|region|state|island|area)\b",
    re.IGNORECASE,
)
#: "the other one"; not "the other towers of this group", nor "one after the other".
OTHER = re.compile(
    r"\b(?<!after )the other(?! (?:day|hand|way round|night|week)\b)"
    r"(?!(?:s| ones| \w+[^\Wsu]s)\b.*\b(?:of|in|from|on|to) (?:this|the|that|its|their|these|one)\b)"
    r"(?:s| one| thing| \w+)?\b",
    re.IGNORECASE,
)
#: "this whole set": what the thing spoken of belongs to.
_ITS_GROUP = re.compile(
    r"\b(?:this|these|of this|all this) (?:(?:whole|entire|full|complete|same) )?"
    r"(?:set|series|line|range|collection|family|group|fleet|suite|league|edition|brand)\b",
    re.IGNORECASE,
)
_OVER_THERE = re.compile(r"\b(?:the|that) (?:\w+ ){1,2}(?:over|up|down|out|back) there\b", re.IGNORECASE)
#: So many subjects are a group, of which none is named.
_GROUP = 3
#: How reasons begin that lie with the question's words, or with a picture on which nothing was known then.
_NOT_OF_THE_THING = ("the question is", "I cannot find a question", "nothing on this picture")


def kept_in_focus(recognition: Recognition, conversation: Conversation, question: str) -> Recognition:
    """On a frame spoken of before, the question is about what was spoken of last, unless its words point away.

    "The box over there", after one box was spoken of without such words, is the other one in view.
    """
    past = recent_subjects(conversation)
    last = next((c for c in recognition.candidates if past[:1] == [c.name]), None)
    if last is None or recognition.entity is None or not recognition.seen_before or last.name not in recognition.meant:
        return recognition
    others = [c for c in recognition.candidates if c.name in recognition.meant and c.name != last.name]
    afar = len(others) == 1 and _OVER_THERE.search(question)
    if afar and not any(_OVER_THERE.search(t.question) for t in conversation.turns if last.name in t.subjects):
        return replace(recognition, entity=others[0])
    return replace(recognition, entity=last)


def still_unknown(core: str, conversation: Conversation, recognition: Recognition) -> str:
    """Why the turn before was about nothing known, when this one goes on about the same on the same frame; else "".

    "What is it, then?" and "how heavy is this?" ask for what is there.
    """
    last = conversation.turns[-1] if conversation.turns else None
    if last is None or not recognition.seen_before or last.subjects or last.answer.entity is not None:
        return ""
    if last.answer.reason.startswith(_NOT_OF_THE_THING) or asks_name(
        core
    ):  # "what is it, then?" asks for what is there
        return ""
    here = DEICTIC.search(_ITS_GROUP.sub(" ", core))
    points_back = ANAPHOR.search(core) or re.search(r"\bthis one\b", core, re.IGNORECASE) or not here
    goes_on = recognition.candidates and points_back and not recognition.pointed and not OTHER.search(core)
    return last.answer.reason if goes_on else ""


def is_no_such_thing(core: str, names: Sequence[str], recognition: Recognition, knowledge: Knowledge) -> bool:
    """Whether the question asks for a thing of a kind that nothing in view is, nor what was spoken of before."""
    if not names or recognition.entity is not None or not recognition.candidates:
        return False
    return not fits_kind_word(names[0], asked_kinds(core, surely=True), knowledge)


def fits_kind_word(name: str, words: Sequence[str], knowledge: Knowledge) -> bool:
    """Whether the thing of that name may be called by one of the words, if there are any."""
    return not words or _best_fit(name, words, knowledge) >= 0


def is_called(name: str, word: str, knowledge: Knowledge) -> bool:
    """Whether the thing of that name surely is what the word, in the singular or the plural, stands for."""
    words = asked_kinds(f"the {word}")
    return bool(words) and _best_fit(name, words, knowledge) > 0


def _best_fit(name: str, words: Sequence[str], knowledge: Knowledge) -> int:
    """`fits` of the word that suits the thing best."""
    record = knowledge.entity(name)
    attributes = record.attributes if record else None
    kind = kind_of(name, attributes) if attributes is not None else None
    return max(fits(word, name, kind, attributes) for word in words)


def is_sign(names: Sequence[str], knowledge: Knowledge) -> bool:
    """Whether the first of the things is one that is there to be read."""
    record = knowledge.entity(names[0]) if names else None
    return record is not None and kind_of(names[0], record.attributes) == "sign"


def same_person_or_place(core: str, conversation: Conversation) -> tuple[str, ...]:
    """ "when was she born?", "and what did she study?": still the same person; so with places."""
    last = conversation.turns[-1] if conversation.turns else None
    if last is None or len(last.subjects) < 2 or not _by_pronoun(last):
        return ()
    return last.subjects if any(p.search(core) and p.search(last.question) for p in (PERSON, PLACE)) else ()


def recent_subjects(conversation: Conversation) -> list[str]:
    """Names the conversation was about, latest turn first; what "she" and "there" stood for comes behind the thing that
    led there.
    """
    out: list[str] = []
    for i, turn in reversed(list(enumerate(conversation.turns))):
        aside = len(turn.subjects) > 1 and _by_pronoun(turn)
        out += (*turn.subjects[1:], turn.subjects[0]) if aside else _led_by(turn, conversation.turns[:i])
    return unique(out)


def first_subject(conversation: Conversation) -> str:
    """What a conversation that had a subject was about first: "the thing we started with", whatever it was compared
    with.
    """
    turn = next(t for t in conversation.turns if t.subjects)
    return turn.subjects[-1] if len(turn.subjects) > 1 and _by_pronoun(turn) else turn.subjects[0]


def _compares(question: str) -> bool:
    """Whether two things are held against each other: "what's roomier, the Bolm or this?", "is the Bolm cheaper?"."""
    if re.search(r"\bdifference\b|\bcompared\b", question, re.IGNORECASE):
        return True
    return scale_of(question) is not None


def _led_by(turn: Turn, earlier: Sequence[Turn]) -> tuple[str, ...]:
    """The turn's subjects, first the one that the question came from: "which of this set is the oldest?" and "what's
    roomier, the Bolm Jug or this jug?" leave "it" with the thing that was spoken of before.
    """
    if len(turn.subjects) < _GROUP and (len(turn.subjects) < 2 or not _compares(turn.question)):
        return turn.subjects
    seen = turn.answer.entity.name if turn.answer.entity is not None else None
    before = next((i for i in reversed(range(len(earlier))) if earlier[i].subjects), None)
    spoken_of = None
    if before is not None and earlier[before].frame_digest == turn.frame_digest:
        spoken_of = _led_by(earlier[before], earlier[:before])[0]
    first = next((n for n in (spoken_of, seen) if n in turn.subjects), turn.subjects[0])
    return (first, *(n for n in turn.subjects if n != first))


def _by_pronoun(turn: Turn) -> bool:
    """Whether the turn was about what "she" or "there" stood for."""
    said = turn.question.lower()
    return bool(PERSON.search(said) or PLACE.search(said)) and turn.subjects[0].lower() not in said


def unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
