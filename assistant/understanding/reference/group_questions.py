"""Questions about a whole group, put for each member: "seats of the whole fleet" → "how many seats does it have?".

Which things form the group is the matter of `groups`; what is done with the members' figures that of `several`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.text.english import word_set
from assistant.text.kinds import is_kind_word
from assistant.text.units import unit_of
from assistant.understanding.implied_operation import added_up
from assistant.understanding.intent import Expected, ParsedQuestion, expected_of
from assistant.understanding.property_queries import PLAIN_AMOUNTS
from assistant.understanding.reference.groups import TOGETHER, Group, for_one, wants_all
from assistant.understanding.reference.resolve import Subjects

_OTHERS = re.compile(
    r"\b(?:else|others?|other ones|companions|fellows|mates|siblings|members|rest of|"
    r"(?:apart|aside) from|besides|except(?: for)?|"
    r"(?:which|what)(?: \w+)? (?:(?:are|belong|is) (?:in|part|to)|(?:make|makes|form|forms) up|shares?\b)|"
    r"list|name all)\b",
    re.IGNORECASE,
)
#: What is counted of each member, without a verb.
_COUNTED = re.compile(r"^(?:the |all (?:the )?)?([a-z]{3,}[^s\W]s) (?:of|in|on|for|over|across) ", re.IGNORECASE)
#: "how large is (this series)": how many belong to it.
_SIZE = re.compile(
    r"(?:(?:and|so|ok|um|hey|well|tell me|please)\b[ ,]*)*(?:(?:what(?:['’]s| is) )?(?:the )?size of|"
    r"how (?:big|large) is)\s*(?:,? (?:please|altogether|in all))?\W*$",
    re.IGNORECASE,
)
#: What is paid at the door.
_TICKETS = re.compile(r"\b(?:tickets?|admission|entry|entrance)\b", re.IGNORECASE)
#: "worth in postage" asks for no price.
_WORTH_AS = re.compile(
    r"\b(?:worth|value|good for) (?:in|as|of) (?!euros?|pounds?|dollars?|total|all\b)[a-z]+", re.IGNORECASE
)

_DONE = re.compile(
    r"^how (?:many|much) .*\b(?:do|does|did|can|could|would|will) .*?\b(?P<verb>[a-z]+)"
    r"(?:,? (?:(?:measured |counted )?(?:by|in) (?!total\b|all\b)[a-z]+|at (?:once|a time|most)|in one go))?\W*$",
    re.IGNORECASE,
)
#: "by weight" says in what it is counted, and that is known by then.
_BY_MEASURE = re.compile(r",? (?:measured |counted )?by (?:weight|mass|volume)(?=\W*$)", re.IGNORECASE)
#: How much there is in a package, by weight or by volume.
_CONTENTS = frozenset({"mass", "volume"})
_PLAIN_VERBS = word_set("have weigh measure hold contain be come make bring need cost take it this amount give")


def _counted_of_each(asked: ParsedQuestion) -> str:
    """What is counted where a sum is asked for without a verb; "" where a verb or a unit says what."""
    found = _COUNTED.match(asked.core) if asked.expected.kind == "any" and not asked.about else None
    return found[1].lower() if found and unit_of(found[1].lower()) is None else ""


def names_its_group(text: str, subjects: Subjects) -> bool:
    """ "in the series of X", "X and all the others in it": the only thing named is named for its group."""
    if len(subjects.names) != 1 or subjects.mentioned != subjects.names or subjects.aliases:
        return False
    name = re.escape(subjects.names[0])
    found = re.search(
        rf"\b(?:of|around|that|which) {name}(?!['’]s)(?= (?:is|are|belongs?|comes?|was)\b|\W*$|,)"
        rf"|\b{name},? (?:and|plus|with|along with|together with) (?:(?:all|every) )?(?:of )?"
        r"(?:the|its) (?:others?|other \w+|rest)\b"
        rf"|\bothers besides {name} are in\b",
        text,
        re.IGNORECASE,
    )
    return found is not None


#: Words that ask for a group's members and for nothing that some of them have.
_OF_MEMBERS = word_set(
    "which what who whats others other ones one rest members member remaining remain remains left leave leaves "
    "else belong belongs go goes come comes form forms make makes up list name tell give show me us the a an is "
    "are be in of to from with and or besides apart aside except without minus than beside beyond next together "
    "also too as well it its this that these those them they their there here i we you my our can could would "
    "will do does did if all every full whole entire complete please for missing need have has got collect "
    "siblings companions fellows mates on right out counted named still yet same itself taken away put more any "
    "some which's who's what's that's share shares sharing"
)


def _told_apart(bare: str) -> bool:
    """Whether some of the members are told from others, or something is asked of them: "which ones have a lid?"."""
    words = re.findall(r"[a-z]+(?:['’][a-z]+)?", bare.lower())
    return any(w not in _OF_MEMBERS and not is_kind_word(w) and not is_kind_word(w.removesuffix("s")) for w in words)


def _unnamed_sum(asked: ParsedQuestion) -> bool:
    """Whether grammar does not say what is added up."""
    return asked.operation in ("lookup", "yesno", "list") or (asked.operation == "sum" and asked.expected.kind == "any")


def over_group(
    asked: ParsedQuestion, core: str, group: Group, subjects: Subjects, meant: str = ""
) -> tuple[ParsedQuestion, Subjects]:
    """ "all of this series": the members become the subjects when the question is about them together.

    `meant` is what the question surely wants of them (`meant.of_group`), which goes before what its words seem to say.
    """
    bare = core.replace(group.phrase, " ")
    if meant == "members" and asked.operation != "yesno" and not _told_apart(bare):
        return replace(asked, operation="list"), replace(subjects, names=group.members)
    if meant == "count_members" and asked.expected.kind != "count":
        asked = replace(asked, operation="lookup", expected=Expected("count"), about=(), scale=None)
    elif meant == "sum_group" and wants_all(core) and _unnamed_sum(asked):
        asked = added_up(asked, core, group.phrase)
    joint = (
        asked.operation in ("superlative", "compare", "sum", "mean")
        or asked.expected.kind == "count"
        or wants_all(core)
    )
    if re.search(r"\b(?:count|number) of\b", core, re.IGNORECASE):
        noun = re.search(r"\b(?:count|number) of (?:the )?(\w+)", core, re.IGNORECASE)
        expected = replace(asked.expected, kind="count", noun=noun.group(1) if noun else "")
        asked, joint = replace(asked, expected=expected), True
    if _SIZE.match(bare.strip()):
        asked, joint = replace(asked, expected=replace(asked.expected, kind="count", noun="")), True
    joint = joint or bool(_OTHERS.search(core))
    choice = asked.operation == "compare" and re.search(r"\bor\b", core, re.IGNORECASE)  # of two, one not found
    if not joint or choice or asked.operation in ("yesno", "identify"):
        return asked, subjects
    if _OTHERS.search(core) and asked.operation == "lookup" and asked.expected.kind in ("any", "person", "name"):
        return replace(asked, operation="list"), replace(subjects, names=group.members)
    if asked.operation in ("lookup", "sum") and re.search(r"\b(?:on|the|an) average\b", core, re.IGNORECASE):
        asked = replace(asked, operation="mean")
    if asked.operation in ("lookup", "multiply", "age"):
        asked = replace(asked, operation="sum")
    if asked.operation == "compare":
        asked = replace(asked, operation="superlative")
    if asked.expected.kind == "any" and asked.scale is None:
        asked = replace(asked, expected=expected_of(bare))
    if asked.operation in ("sum", "mean") and (counted := _counted_of_each(asked)):  # "seats of the whole fleet"
        expected = replace(asked.expected, kind="count", dimensions=frozenset({"count", ""}), noun=counted)
        asked = replace(asked, expected=expected, about=(f"how many {counted} does it have?",))
    if asked.operation in ("sum", "mean") and (asked.expected.dimensions != {"money"} or not asked.about):
        one = (
            _BY_MEASURE.sub("", for_one(asked.core, group.phrase))
            if not _COUNTED.match(asked.core) or not asked.about
            else asked.about[0]
        )
        dims = asked.expected.dimensions
        kind = next(iter(dims), "") if len(dims) == 1 else "contents" if dims == _CONTENTS else ""
        usual = PLAIN_AMOUNTS.get(kind, ()) if not asked.about else ()
        told = _DONE.search(TOGETHER.sub("", one))  # "how many tonnes does it displace": no plain weight
        usual = () if told is not None and told["verb"].lower() not in _PLAIN_VERBS else usual
        asked = replace(asked, about=tuple(dict.fromkeys((*usual[:1], one, *usual, *asked.about))))
    elif asked.operation in ("sum", "mean"):
        one = "how much is a ticket?" if _TICKETS.search(core) else for_one(asked.core, group.phrase)
        worth = _WORTH_AS.search(asked.core) is not None
        asked = replace(asked, about=asked.about if worth and asked.about else (one, *asked.about))
    return asked, replace(subjects, names=group.members)
