"""Whom or what a question is about: "this", "it", "the other one", "there", "she", names, and what was read on the
frame.

Decides on names only; what is asked about them is decided elsewhere. A weak clue never names a subject: a name read on
the frame counts only when it is there whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.types import Conversation, Look, Recognition, Turn
from assistant.text.english import mask, plain
from assistant.text.kinds import asked_kinds
from assistant.text.values import find_names
from assistant.understanding.clause import asking_clause
from assistant.understanding.reference.focus import (
    ANAPHOR,
    DEICTIC,
    OTHER,
    PERSON,
    PLACE,
    first_subject,
    fits_kind_word,
    is_no_such_thing,
    recent_subjects,
    same_person_or_place,
    still_unknown,
    unique,
)
from assistant.understanding.reference.groups import is_within_group
from assistant.understanding.reference.mentioned_names import mentions, text_clue
from assistant.understanding.reference.relatives import Named, relatives
from assistant.understanding.reference.sides import SIDE, by_side

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

_BOTH = re.compile(
    r"\b(?:both|the two|these two|those two|two of (?:them|these)|either|between them|of the pair|each of "
    r"them|all three|all of (?:them|these)|the three|these three|them all)\b",
    re.IGNORECASE,
)
_POINTED = re.compile(r"\b(?:it|it['’]s|they|them|that|those)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"\bthe [a-z]+\b", re.IGNORECASE)
_FIRST = re.compile(
    r"\bthe (?:first|former|earlier|previous)(?: one)?\b(?!\s+(?:time|edition|year|day|to|person|known|"
    r"published|built))",
    re.IGNORECASE,
)


#: "back to the first one: who built it?"
_BACK_TO_FIRST = re.compile(r"\b(?:back|return(?:ing)?|again) to the first(?: one| thing)?\b", re.IGNORECASE)
#: "the tower itself", after something else was spoken of.
_ITSELF = re.compile(
    r"\b(?:the|that) (?:\w+ ){1,2}(?:itself|over there|(?:that |which )?i (?:can )?(?:also )?see)\b", re.IGNORECASE
)
#: "is the other one cheaper": the other one is what is judged.
_OTHER_FIRST = re.compile(r"^\W*(?:\w+\W+){0,3}?the other\b(?!.*\bcompared\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Subjects:
    """The names, main one first. `named`: they stand in the question. `clue`: found through text on the frame.

    `aliases`: words of the question that name some of them in part ("volume 4"). `answer_names`: names that the
    previous answer gave ("she", "there" may mean them). `reason`: why there is none.
    """

    names: tuple[str, ...]
    mentioned: tuple[str, ...] = ()
    answer_names: tuple[str, ...] = ()
    clue: bool = False
    reason: str = ""
    aliases: tuple[str, ...] = ()


def resolve(
    core: str,
    question: str,
    conversation: Conversation,
    recognition: Recognition,
    look: Look | None,
    knowledge: Knowledge,
    several: bool,
) -> Subjects:
    """The subjects of the question; `several` says that its grammar wants more than one (a comparison, a sum)."""
    mentioned = mentions(question, knowledge)
    past = recent_subjects(conversation)
    here = recognition.entity.name if recognition.entity else None
    answered = answer_names(conversation.turns[-1]) if conversation.turns else ()
    names: list[str] = []
    focus = here or (past[0] if past else None)
    anchor = mentioned[0] if mentioned else focus
    named: tuple[Named, ...] = ()
    if not mentioned and (unknown := still_unknown(core, conversation, recognition)):
        return Subjects((), (), answered, reason=unknown)
    if anchor is not None and (several or not mentioned) and len(mentioned) < 2:
        named = relatives(question, anchor, knowledge, mentioned, several=several)
        mentioned = (*mentioned, *(n.name for n in named))
    sided = by_side(core, recognition, here) if several and not mentioned else ()
    if sided:
        return Subjects(sided, (), answered)
    if several and not mentioned and _OF_THEM.search(core) and len(told := _told_of(conversation)) > 1:
        return Subjects(told, (), answered)
    if _BOTH.search(core) and not mentioned:
        on_frame = [c.name for c in recognition.candidates]
        pool = (
            unique([*past, *([here] if here else []), *on_frame])
            if not DEICTIC.search(core)
            else unique([*on_frame, *past])
        )
        wanted = 3 if re.search(r"\bthree\b|\ball\b", core) else 2
        names = pool[:wanted]
    elif OTHER.search(core) or OTHER.match(_opening(question)) or _other_before(core, question):
        names = _others(core, here, past, recognition, conversation)
        if several and (here or past):
            current = [here] if here and here not in names else past[:1]
            names = unique([*names, *current] if _OTHER_FIRST.search(core) else [*current, *names])
    elif (_FIRST.search(core) or _BACK_TO_FIRST.search(question)) and len(past) > 1 and not named:
        names = [first_subject(conversation)]
    elif not mentioned and (still := same_person_or_place(core, conversation)):
        return Subjects(still, (), answered)
    elif not mentioned and PLACE.search(core) and _LIVES_THERE.search(core) and _asked_where(conversation):
        return Subjects((), (), answered, reason="the place that was asked for is not known")
    elif (PERSON.search(core) or PLACE.search(core)) and answered and not mentioned:
        return Subjects(tuple(unique([answered[0], *past[:1]])), (), answered)
    if not names:
        names = _pronoun_or_name(core, mentioned, here, past, look, several, conversation, question, recognition)
    if not mentioned and is_no_such_thing(question, names, recognition, knowledge):
        return Subjects((), (), answered, reason=recognition.reason)
    names = _in_order(core, names, mentioned, named) if mentioned and several else names
    names = unique([*names, *[m for m in mentioned if m not in names]])
    if (
        several and len(names) == 1 and not is_within_group(core) and not _THAN_SO_MUCH.search(core)
    ):  # else its group is meant, not what stands beside it
        names = unique([*names, *past, *[c.name for c in recognition.candidates]])[:2]
    clue = text_clue(look, knowledge) if recognition.entity is None else None
    if clue and (
        any(c.name == clue for c in recognition.candidates)  # recognised, and found not to be what is meant
        or not fits_kind_word(clue, asked_kinds(question, surely=True), knowledge)
    ):
        clue = None
    if names:
        aliases = tuple(n.phrase for n in named)
        return Subjects(tuple(names), mentioned, answered, clue=names == [clue], aliases=aliases)
    if clue:
        return Subjects((clue,), (), answered, clue=True)
    return Subjects((), (), answered, reason=_why_none(recognition, look))


#: "which of them is the fastest?", after an answer that named several things.
_OF_THEM = re.compile(r"\b(?:which|what) (?:one )?of (?:them|these|those)\b", re.IGNORECASE)


def _told_of(conversation: Conversation) -> tuple[str, ...]:
    """Subjects of the last turn that its answer names."""
    last = conversation.turns[-1] if conversation.turns else None
    return tuple(s for s in last.subjects if s in last.answer.words) if last else ()


#: "how many people live there?", after "where was it held?" found nothing.
_LIVES_THERE = re.compile(r"\b(?:live|lives|living|inhabitants|residents|population|mayor|born|river)\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b|\b(?:what|which) (?:town|city|village|place|country)\b", re.IGNORECASE)


def _asked_where(conversation: Conversation) -> bool:
    """Whether the turn before asked for a place and found none."""
    last = conversation.turns[-1] if conversation.turns else None
    return last is not None and last.answer.status != "answered" and _WHERE.search(last.question) is not None


def _opening(question: str) -> str:
    """The question without the small words before it: "um, the other one, who made it?"."""
    return re.sub(
        r"^(?:(?:and|so|but|ok(?:ay)?|um|uh|hm+|well|now|hey|thanks|cool|right)\b[,.!]?\s*)+", "", question, flags=re.I
    )


#: What is pointed at before it is asked about: "the one on the left, how heavy is it?", "if I lift the red jar, …".
_POINTS_AHEAD = re.compile(
    r"^(?:\W*(?:so|and|ok(?:ay)?|um+|uh|hm+|hey|now|well|then|but|"
    r"if (?:i|we) \w+|say (?:i|we) \w+|when (?:i|we) \w+)\b)*"
    r"\W*(?:the|that|this) [^,?]*,",
    re.IGNORECASE,
)
#: What the other one is only set against: "this looks smaller than the other one, how heavy is it?".
_SET_AGAINST = re.compile(
    r"\b(?:than|as|like|to|from|with|beside|behind|near|by|of|unlike)\W*$|\b(?:this|that|it|these)\b", re.I
)


def _other_before(core: str, question: str) -> bool:
    """Whether the other one is spoken of before what is asked of it: "if I take the other one, how long is that?"."""
    found = OTHER.search(question)
    if found is None or _SET_AGAINST.search(question[: found.start()]):
        return False
    return ANAPHOR.search(core) is not None and not DEICTIC.search(core)


#: "is it older than 30 years": against a figure, and no other thing.
_THAN_SO_MUCH = re.compile(r"\bthan (?:about |just |only )?\d", re.IGNORECASE)
_JUDGES = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would)\b")


def _in_order(core: str, names: Sequence[str], mentioned: Sequence[str], named: Sequence[Named]) -> list[str]:
    """Subjects in the order in which the question speaks of them: "is the X newer than this" is about the X."""
    low = core.lower()
    phrases = {n.name: n.phrase.lower() for n in named}
    places = {m: low.find(phrases.get(m, m.lower())) for m in mentioned}
    bare = low
    for name in mentioned:
        phrase = phrases.get(name, name.lower())
        bare = bare.replace(phrase, " " * len(phrase))
    own = min((m.start() for p in (DEICTIC, _POINTED, _DEFINITE) if (m := p.search(bare))), default=-1)
    known = sorted((p, m) for m, p in places.items() if p >= 0)
    if own < 0 and known and _JUDGES.match(low) and not re.search(r"\bthan\b", low[: known[0][0]]):
        return unique([*(m for _, m in known), *names, *mentioned])  # "is the Bolm Jug cheaper?" is about the jug
    if own < 0 or not known:
        return [*names, *mentioned]
    before = [m for p, m in known if p <= own]
    return unique([*before, *names, *mentioned])


def _pronoun_or_name(
    core: str,
    mentioned: Sequence[str],
    here: str | None,
    past: Sequence[str],
    look: Look | None,
    several: bool,
    conversation: Conversation,
    question: str,
    recognition: Recognition,
) -> list[str]:
    """ "this", "it", a name, or nothing at all."""
    new_frame = here is not None and here not in past
    if mentioned:
        alone = several and len(mentioned) == 1
        points = DEICTIC.search(core) or _ITSELF.search(question)
        deictic = points or (ANAPHOR.search(core) and several and len(mentioned) < 2) or alone
        own = here if (points and here) or new_frame else (past[0] if past else here)
        return [own] if deictic and own and own not in mentioned else []
    if DEICTIC.search(core):
        if here:
            return [here]
        return list(past[:1]) if look is None or _same_frame(conversation) else []
    if here and _ITSELF.search(core) and asked_kinds(core):
        return [here]
    pointed = here is not None and recognition.pointed and recognition.meant == (here,)
    if here and pointed and (_POINTS_AHEAD.search(question) or SIDE.search(core) or asked_kinds(core)):
        return [here]
    if ANAPHOR.search(core) and past and not new_frame:
        return [past[0]]
    if here and (new_frame or not past):
        return [here]
    return list(past[:1]) or ([here] if here else [])


def _same_frame(conversation: Conversation) -> bool:
    """Whether earlier turns already spoke of a subject on a frame that is still in view."""
    digests = [t.frame_digest for t in conversation.turns if t.frame_digest]
    return len(set(digests)) == 1


def _others(
    core: str, here: str | None, past: Sequence[str], recognition: Recognition, conversation: Conversation
) -> list[str]:
    """ "the other one": on the frame but not spoken of last; else spoken of before the last."""
    if here and past and here != past[0] and recognition.pointed:  # which one it is was told by the picture
        return [here]
    current = past[0] if past else here
    seen = [c.name for c in recognition.candidates if c.name != current]
    earlier = [p for p in past if p != current]
    on_frame = bool(seen) and (not earlier or DEICTIC.search(core) is not None or len(recognition.candidates) > 1)
    return seen[:1] if on_frame else earlier[:1]


def _why_none(recognition: Recognition, look: Look | None) -> str:
    if look is None and not recognition.reason:
        return "there is no picture and the question names nothing that I know"
    return recognition.reason or "I do not recognise what is in the picture"


#: What the question before asked for: "when was that scientist born", "how many work for the firm".
_ASKED_FOR = re.compile(
    r"\b(?:that|the|this) (?:same )?(?:person|man|woman|guy|lady|firm|company|business|town|place|city|village|nursery|"
    r"studio|cook|athlete|\w+(?:er|or|ist|ian))\b(?! (?:of|behind|who|that|which|where|in|on|from)\b)"
    r"|\b(?:they|he|she)\b",
    re.IGNORECASE,
)


def asked_before(core: str, last: Turn | None, names: Sequence[str]) -> str:
    """The question of the turn before about the same thing, when it found no answer and this one speaks of what it
    asked for; else "".
    """
    if last is None or last.answer.status == "answered" or not set(last.subjects) & set(names):
        return ""
    return mask(asking_clause(plain(last.question)), names) if _ASKED_FOR.search(core) else ""


def answer_names(turn: Turn) -> tuple[str, ...]:
    """Names that the turn's answer gave, apart from its subjects."""
    if turn.answer.status != "answered":
        return ()
    used = {i for s in turn.answer.sentences for i in s.evidence_ids}
    text = turn.answer.words
    names: list[str] = []
    for e in turn.answer.evidence:
        if e.id in used and e.kind == "attribute" and e.value is not None:
            names += [n for n in find_names(str(e.value)) if n in text]
    rest = text
    for subject in sorted(turn.subjects, key=len, reverse=True):
        rest = rest.replace(subject, " it ")
    said = "\n".join(e.text for e in turn.answer.evidence)
    names += [n for n in find_names(rest) if " " in n or not _only_begins(n, rest, said)]
    out = [n for n in unique(names) if n not in turn.subjects and n.lower() not in ("yes", "no")]
    return tuple(out)


def _only_begins(word: str, text: str, said: str) -> bool:
    """A lone word is capitalised because a sentence begins with it ("Put together in …"), not as a name: nowhere in
    `text` or in the evidence, `said`, does it stand with a capital behind another word.
    """
    inside = re.compile(rf"[a-z0-9,;)] +{re.escape(word)}\b|^\w[\w ]*: {re.escape(word)}$", re.MULTILINE)
    return not inside.search(text) and not inside.search(said)
