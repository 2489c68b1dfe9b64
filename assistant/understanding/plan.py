"""Planning a turn: what is asked, about whom, and which standalone queries would find it.

Nothing is looked up here except names; instructions inside a question are words like any others.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.core.types import Conversation, Look, Recognition, Turn
from assistant.text.english import mask, plain
from assistant.text.kinds import is_kind_word
from assistant.understanding.classifiers.calculation import NUMBER, calculation_kinds
from assistant.understanding.classifiers.pointing import normalise_pointing
from assistant.understanding.classifiers.sign_role import HEADED, OF_LISTS, role_asked_of_sign
from assistant.understanding.clause import asking_clause
from assistant.understanding.follow_up import asked_in_full, complete_follow_up, converts_to
from assistant.understanding.implied_operation import (
    as_choice_of_two,
    asks_property,
    of_group,
    of_one,
)
from assistant.understanding.intent import (
    Expected,
    ParsedQuestion,
    expected_of,
    factor_of,
    parse_clause,
    with_condition,
)
from assistant.understanding.multiplicity import wanted_count
from assistant.understanding.naming import asks_name, may_want_the_name
from assistant.understanding.preamble import without_claimed_figures
from assistant.understanding.reading_requests import (
    NAMES_SURFACE,
    asks_for_name_on,
    asks_for_text,
    leads_on,
    names_line,
    scans_a_code,
)
from assistant.understanding.reference.focus import is_called, is_sign
from assistant.understanding.reference.group_questions import names_its_group, over_group
from assistant.understanding.reference.groups import Group, find_group
from assistant.understanding.reference.resolve import Subjects, asked_before, resolve

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

MAX_QUESTION_CHARS = 1200
#: More than one thing is spoken of.
_NAMED_PAIR = re.compile(
    r"\b(?:this|that|it|these|one)(?: \w+)? and (?!\d)(?:the |this |that |its |their )?\w", re.IGNORECASE
)
_JOINT = re.compile(
    r"\b(?:and|both|plus|with|two|three|these|those|them|they|each|every|all|between|besides|other)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Plan:
    """`queries` are standalone, one a subject; `core` is the asking clause with subjects' names masked.

    `mentioned` are subjects that the question itself names; `clue`: the subject was found by text on the frame;
    `reason` is set when nothing can be looked up; `today` anchors "years ago"; `previous` is the turn a follow-up
    leans on; `asked_before`: the question before, when it found no answer and this one speaks of what it asked for.
    `vouched`: somebody vouches that the evidence holds the answer, so that less makes it sure.
    """

    question: str
    subjects: tuple[str, ...]
    queries: tuple[str, ...]
    intent: str
    asked: ParsedQuestion
    today: datetime.date
    mentioned: tuple[str, ...] = ()
    answer_names: tuple[str, ...] = ()
    clue: bool = False
    reason: str = ""
    previous: Turn | None = None
    recognised: bool = False
    group: Group | None = None
    asked_before: str = ""
    vouched: bool = False


#: "what would 8 of it yield": so many of something else than money.
_NO_BILL = re.compile(
    r"\b(?:yield|bear|produce|hold|weigh|contain|carry|last|burn|use|consume|require|eat|drink|cover|fill|feed|"
    r"seat|measure|"
    r"provide|deliver|store|dissolve|grow|make up|take up|harvest|give|(?<!\bi )(?<!\bwe )(?<!\byou )need)s?\b"
    r"|\bhow (?:much|many)\b[^,]*\b(?:do|would|will|can|could|should) (?:i|we|you|they) (?:get|have)\b"
    r"(?! (?:for|back|to)\b)"
    r"|,\s*(?!(?:euros|dollars|pounds|costs|these|those)\b)[a-z]{3,}s (?:altogether|in total|in all)\W*$",
    re.IGNORECASE,
)


_PAID = (
    r"prices?|costs?|totals?|sums?|bills?|amounts?|damage|figure|charges?|fees?|fares?|price tag|cash|money|expense|"
    r"outlay|tickets?|entrance|entry|admission|passage|tolls?|rate"
)
#: "what's the working time for 4 of these": a property by its own name, and no sum to pay.
_OTHER = re.compile(
    rf"^(?:what(?:['’]s| is| are| was| would be)? )?(?:the |their |its )?(?!(?:\w+ ){{0,2}}?(?:{_PAID})\b)"
    r"(?!(?:what|which|how|who|do|does|did|will|would|can|could|is|are|was|if|i|we|you|all|each|every|both|and|so|for|"
    rf"with|of|at|by|in|on|to|from|this|that|these|those|it|them)\b)[a-z]+(?: (?!(?:{_PAID})\b)[a-z]+){{0,2}}? "
    rf"(?:for|of|with|to|from|over) (?:(?:making|to make|all|the) )*{NUMBER.pattern}"
    rf"|\bwhat(?:['’]s| is| are| was| would| will| might) (?:the|its|their) (?!(?:\w+ ){{0,2}}?(?:{_PAID})\b)"
    r"[a-z]+ (?:be|for|of)\b"
    rf"|\b(?:what|which) (?!(?:{_PAID})\b)[a-z]+ (?:do|does|would|will|can|could|have|has|must|should) "
    r"(?:i|we|you|they|one)\b",
    re.IGNORECASE,
)


#: What stands there in letters is asked for.
_SAYS = re.compile(r"\b(?:says?|reads?|written|writing|printed|stated|spell(?:s|ed)?|letters?|words?)\b", re.IGNORECASE)
#: "one filling divided by four, what's that per head?" asks for no name.
_SHARED = re.compile(r"\b(?:divided|split|shared) (?:by|between|among|in)\b|\bper (?:head|person)\b", re.IGNORECASE)


def make_plan(
    question: str,
    conversation: Conversation,
    recognition: Recognition,
    look: Look | None,
    knowledge: Knowledge,
    *,
    now: datetime.date | None = None,
) -> Plan:
    """Takes the question apart in the light of the conversation and of what is in view.

    `now` is the date that "how old" and "years ago" count to; today when left out.
    """
    today = now or datetime.date.today()
    text = without_claimed_figures(plain(question, limit=20_000))
    unusable = _unusable(text)
    if unusable:
        return Plan(text[:200], (), (), "unclear", parse_clause(""), today, reason=unusable)
    previous = next((t for t in reversed(conversation.turns) if t.answer.status == "answered"), None)
    last = conversation.turns[-1] if conversation.turns else None
    seen = recognition.entity
    to_read = names_line(text, look) and (seen is None or is_sign((seen.name,), knowledge))
    text = text if to_read else normalise_pointing(text)
    core, text = complete_follow_up(asking_clause(text), text, last, asked_in_full(conversation.turns))
    core = "what does the code say?" if scans_a_code(text) else core
    asked = as_choice_of_two(with_condition(parse_clause(core), text), text)
    asked = _multiplied(asked, core, text)
    subjects = resolve(core, text, conversation, recognition, look, knowledge, _of_several(asked))
    if asked.operation in ("sum", "mean") and not (subjects.mentioned or _JOINT.search(text)):
        subjects = replace(subjects, names=subjects.names[:1])  # "altogether" alone adds nothing of an earlier turn
    asked = _masked(_as_this_one(asked, subjects, recognition), subjects)
    asked, subjects, group = _of_the_group(asked, core, text, subjects, knowledge)
    unit = converts_to(core, text)
    if unit is not None and previous is not None and group is None:
        asked = _converted(_masked(parse_clause(asking_clause(previous.question)), subjects), *unit)
        subjects = replace(subjects, names=previous.subjects or subjects.names)
    return Plan(
        text[:MAX_QUESTION_CHARS],
        subjects.names,
        tuple(_query(asked.core, core, s) for s in subjects.names) or (core,),
        _intent(asked, core, text, subjects, look, knowledge),
        asked,
        today,
        subjects.mentioned,
        subjects.answer_names,
        subjects.clue,
        subjects.reason,
        previous,
        recognition.entity is not None,
        group,
        asked_before(core, last, subjects.names),
    )


def _multiplied(asked: ParsedQuestion, core: str, text: str) -> ParsedQuestion:
    """ "3 of these, what's that?": so many times its price, or times the property that is asked for."""
    factor = factor_of(text)
    if factor == 2 and asked.operation in ("sum", "multiply") and _NAMED_PAIR.search(core):
        return replace(asked, factor=None, operation="sum")  # "the two together, this and that one"
    names = asked.expected.kind in ("person", "place", "clock", "colour")  # "we had 3 of these, who makes them?"
    if not factor or names or asked.operation not in ("lookup", "sum", "multiply", "yesno") or wants_unit(asked):
        return asked
    money = replace(asked.expected, kind="quantity", dimensions=frozenset({"money"}))
    bill = asked.expected.kind == "any" or asked.operation == "yesno" or not asked.expected.dimensions
    measured = asked.expected.kind == "quantity" and asked.expected.noun  # "how much water do 3 of these need"
    bill = bill and (asked.operation == "yesno" or not (measured or _NO_BILL.search(core) or _OTHER.search(core)))
    return replace(
        asked,
        factor=factor,
        operation=asked.operation if asked.operation == "yesno" else "multiply",
        expected=money if bill and asked.operation != "yesno" else asked.expected,
        about=("what is its price?",) if bill else asked.about,
    )


def _of_several(asked: ParsedQuestion) -> bool:
    """Whether the question may be about more than one thing."""
    if asked.operation == "yesno":
        return asked.scale is not None
    return asked.operation in ("compare", "superlative", "sum", "mean", "difference", "ratio")


def _of_the_group(
    asked: ParsedQuestion, core: str, text: str, subjects: Subjects, knowledge: Knowledge
) -> tuple[ParsedQuestion, Subjects, Group | None]:
    """Over all members of a thing's group, where the question is; the group is None where it is about the thing."""
    group = None
    if subjects.names and (not subjects.mentioned or names_its_group(text, subjects)):
        group = find_group(text, subjects.names[0], knowledge)
    if group is not None:
        asked, subjects = over_group(asked, text, group, subjects, of_group(text, asked))
        group = group if subjects.names == group.members else None
    if group is None and len(subjects.names) == 1:
        asked = of_one(asked, text)
    return asked, subjects, group


def _converted(before: ParsedQuestion, unit: str, dimension: str) -> ParsedQuestion:
    """What was asked before, in another unit."""
    expected = replace(before.expected, kind="quantity", dimensions=frozenset({dimension}), unit=unit)
    return replace(before, expected=expected, unit=unit, operation="lookup")


def _intent(
    asked: ParsedQuestion, core: str, text: str, subjects: Subjects, look: Look | None, knowledge: Knowledge
) -> str:
    """The operation; or "read" for what stands on the thing, "identify" for its name."""
    a_sign = is_sign(subjects.names[:1], knowledge)
    if look and look.texts and (a_sign or not subjects.names) and wants_part(text, asked):
        return "read"
    reads = asks_for_text(core) and wanted_count(text) is None and not _reckons(text, asked)
    if reads and subjects.names and not _SAYS.search(core) and not a_sign:
        reads = not asks_property(text, asked, "read")  # "how many materials are on this banner?"
    named_on = asks_for_name_on(core)
    if reads or (named_on and look and look.texts and (not subjects.names or a_sign)):
        return "read"
    if _SHARED.search(text):
        return asked.operation
    if (
        named_on
        or _asks_what(core, subjects, knowledge)
        or _names_it(core, text, asked)
        or _means_the_name(asked, text, subjects, knowledge)
    ):
        return "identify"
    return asked.operation


def wants_part(text: str, asked: ParsedQuestion, *, surely: bool = False) -> str:
    """The role of the text on the frame that is asked for; "" where none is, or one of what it leads to.

    "What is it called?" asks for the thing, and for its heading only where the question names what is written on.
    """
    role = role_asked_of_sign(text, surely=surely)
    other = role in HEADED and not NAMES_SURFACE.search(text)
    return "" if other or (role not in OF_LISTS and leads_on(asked.core)) else role


def wants_unit(asked: ParsedQuestion) -> bool:
    """Whether the number in the question is what it is about ("how many of these …")."""
    return asked.expected.kind == "count"


def _unusable(text: str) -> str:
    letters = sum(c.isalpha() for c in text)
    if not text.strip():
        return "the question is empty; ask me something about what you see"
    if letters < 2:
        return "I cannot find a question in that; please ask in words"
    if len(text) > MAX_QUESTION_CHARS:
        return "the question is too long; please ask it in one or two sentences"
    return ""


#: "what's the compound?", "what is the drill called?"
_WHAT_IT_IS = re.compile(
    r"^(?:so |and )?what(?:['’]s| is| are) (?:the|this|that|these|those) (?P<noun>[a-z]+)(?: called| named)?\W*$",
    re.IGNORECASE,
)


def _asks_what(core: str, subjects: Subjects, knowledge: Knowledge) -> bool:
    """Whether nothing but the thing is spoken of, by a word for its kind."""
    said = _WHAT_IT_IS.match(core)
    if said is None or len(subjects.names) != 1 or subjects.mentioned:
        return False
    return is_called(subjects.names[0], said["noun"].lower(), knowledge)


def _names_it(core: str, text: str, asked: ParsedQuestion) -> bool:
    if asked.expected.kind == "quantity":  # "if I measured the leaf, what would it be?"
        return False
    named = asked.factor is None and (asks_name(core) or asks_name(text)) and factor_of(text) is None
    named = named and not asks_property(text, asked, "name")  # "its supplier, who is that?"
    plainly = re.search(r"\b(?:call|called|names?|named|title)\b", core, re.IGNORECASE) is not None
    return named and (plainly or wanted_count(text) is None)  # "6 singles with it, what's that?"


#: A question is taken for one about the thing's own name when it is so probably one.
_NAME_WANTED, _SURELY_NAME = 0.85, 0.95


def _means_the_name(asked: ParsedQuestion, text: str, subjects: Subjects, knowledge: Knowledge) -> bool:
    """ "what would an expert call that one?": the name of what is in view, in words that no pattern has."""
    wanted = calculation_kinds(text, asked)["name"]
    kinds = ("any", "name") if wanted < _SURELY_NAME else ("any", "name", "reason")  # "how does one call it?"
    if asked.operation != "lookup" or asked.expected.kind not in kinds or subjects.mentioned:
        return False
    return wanted >= _NAME_WANTED and may_want_the_name(asked.core)


#: A question with a number that is so improbably a plain one is reckoned, and read off no sign.
_PLAIN_AT_MOST = 0.15


def _reckons(text: str, asked: ParsedQuestion) -> bool:
    """ "5 rounds of the lecture on this slide": a reckoning, though it speaks of what text may stand on."""
    if NUMBER.search(text) is None:
        return False
    kinds = calculation_kinds(text, asked)
    return kinds["plain"] + kinds["name"] < _PLAIN_AT_MOST


#: "the other microscope", "the second lamp": which one is told by what is in view.
_ONE_OF_THESE = re.compile(
    r"\bthe (?:very )?(?:other|second|third|bigger|larger|smaller) (?P<noun>[a-z]+(?:-[a-z]+)*)\b", re.IGNORECASE
)


def _as_this_one(asked: ParsedQuestion, subjects: Subjects, recognition: Recognition) -> ParsedQuestion:
    """ "the other microscope" is "this microscope" once it is known which one that is."""
    chosen = recognition.pointed and recognition.entity is not None and subjects.names == (recognition.entity.name,)
    if not chosen or asked.operation != "lookup":
        return asked

    def plain(m: re.Match[str]) -> str:
        return f"this {m['noun']}" if is_kind_word(m["noun"].lower()) else m[0]

    return replace(asked, core=_ONE_OF_THESE.sub(plain, asked.core), whole=_ONE_OF_THESE.sub(plain, asked.whole))


def _masked(asked: ParsedQuestion, subjects: Subjects) -> ParsedQuestion:
    """Names out of the asking clause, so that similarity is about the property and not about the name."""
    names = (*subjects.mentioned, *subjects.aliases)
    core = mask(asked.core, names)
    asked = replace(asked, whole=mask(asked.whole, names))
    if core == asked.core:
        return asked
    of_core = asked.operation == "lookup" and asked.expected == expected_of(asked.core)
    expected: Expected = expected_of(core) if of_core else asked.expected
    return replace(asked, core=core, expected=replace(expected, unit=expected.unit or asked.unit))


def _query(masked: str, core: str, subject: str) -> str:
    """A standalone wording that names the subject."""
    if subject.lower() in core.lower():
        return core
    swapped, n = re.subn(
        r"\b(?:this|that|these|those)(?: one)?\b|\b(?:it|they|them)\b", subject, core, count=1, flags=re.IGNORECASE
    )
    if n:
        return swapped
    swapped, n = re.subn(r"\b(?:its|their|his|her)\b", f"{subject}’s", core, count=1, flags=re.IGNORECASE)
    return swapped if n else f"{core.rstrip(' ?.!')} – {subject}?"
