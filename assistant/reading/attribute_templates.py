"""Attributes said aloud: keys that are no nouns get a sentence of their own grammar.

"stands: 144 cm" is "X stands 144 cm", "part_of" "X is part of …", "in_the_box" "In the box of X: …". What compose's
`attribute_sentence` says stays as it is, since the lookup was taught on it; this is what people read and hear.
"""

from __future__ import annotations

import calendar
import re

from assistant.reading.compose import attribute_sentence, join_list, sentence_case
from assistant.text.attribute_keys import spoken_key
from assistant.text.english import is_plural
from assistant.text.values import find_dates, find_quantities, number_of, split_list

_MONTH_NAMES = tuple(calendar.month_name[1:])
_ISO = re.compile(r"\b(?P<year>1\d{3}|20\d\d)-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?(?![\d-])")
#: Verbs that state a thing's property; some are plural nouns as well, which then count: "stands: 4".
_VERB = re.compile(
    r"^(?:stands|eats|reaches|needs|requires|lasts|hatches|sprouts|ripens|blooms|flowers|feeds|grazes|sleeps|smells|"
    r"tastes|sounds|runs|carries|holds|departs|arrives|leaves|begins|ends|starts|sails|flies|weighs|measures)\b"
)
#: A verb in front of one of these is no noun: "keeps until", "opens after".
_VERB_UNTIL = re.compile(r"^[a-z]+s (?:after|until|within|every)$")
_UP_TO = re.compile(r"^(?P<things>[a-z]+(?:[eo]rs|people|ants|ests|ents)) up to$")
#: "units built: 900".
_SO_MANY_DONE = re.compile(r"^(?P<things>[a-z]+s) (?P<done>known|printed|built|made|sold|issued|produced|left)$")
#: Participles without -ed which compose does not know, with what belongs to them.
_DONE = re.compile(
    r"^(?P<done>struck|given|withdrawn|taken|driven|thrown|chosen|shown|taught|handed over|taken over|set up|put up)"
    r"(?: (?P<how>by|at|in|on|for|from))?$"
)
_DOING = re.compile(r"^[a-z]+ing (?:at|in|on|from|for|to)$")
_SINCE = re.compile(r"^(?:on|in) [a-z ]+ since$")
_EVERY = re.compile(r"^(?P<verb>[a-z]+[^s\s]) every$")
_DID = re.compile(r"^(?:entered|joined|left|began|ceased|received|won) [a-z]+$")
_CAN = re.compile(r"^(?P<modal>can|may|must|should) (?P<rest>.+)$")
_DOES = re.compile(
    r"^(?P<verb>contains|includes|needs|requires|supports|fits|works|floats|accepts|takes|comes) ?(?P<rest>.*)$"
)
_IMPERATIVE = re.compile(
    r"^(?P<verb>keep|store|serve|wash|chill|cook|bake) (?P<rest>below|under|above|over|at|between)$"
)
_ADJECTIVE_TO = re.compile(
    r"^[a-z]+(?:ible|able|ive|ant|ent|ful|ous|lar|ed) (?:to|for|with|against|from)$", re.IGNORECASE
)
_INSIDE = re.compile(r"^(?:in|on|inside|under|with|at) the [a-z]+$")
_WORK = (
    r"(?:design|drawings?|illustrations?|art|artwork|cover|photographs?|photos?|photography|music|lyrics|words|"
    r"text|script|"
    r"translation|recipe|pattern|print|graphics?|engraving|styling|upholstery|plate|certificate)"
)
#: A label that is a clause: "Its motto reads: …", "Be warned: …".
_CLAUSE = re.compile(
    r"^(?:its|his|her|their|there|here|be|this|these|the following|believe|mind|remember|note|included (?:is|are))\b",
    re.IGNORECASE,
)
#: "1 hours".
_ONE = re.compile(r"(?<![\d.,])1 (?:second|minute|hour|day|week|month|year)s\b")
_LASTING = re.compile(
    r"^(?:supported|sponsored|owned|maintained|operated|run|used|kept|managed|played|worn|looked after) by$"
)
_LAST_WORD = re.compile(r"^(?P<noun>.+) (?P<which>ideal|maximum|minimum|average)$")
#: Words that may follow "is": participles, and what ends as adjectives do.
_ADJECTIVE = re.compile(
    r"(?:^|[\s-])(?:[a-z]*(?:ed|ing|able|ible|ful|less|ous|ive|ic|al|ant|ent|ary|ish|free|proof|resistant)|safe|legal|"
    r"made|built|friendly|easy|ready|open|on|new|rare|wild|native|tame|dry|hardy|edible|solid|hollow|waterproof|"
    r"in [a-z]+|easy to [a-z]+|safe for [a-z ]+|suitable for [a-z ]+)$"
)


#: "price per kg" as it is said.
_UNIT_LAST = re.compile(r"\bper (\w+)$")
_UNITS = {"l": "litre", "kg": "kilogram", "m": "metre", "km": "kilometre", "g": "gram", "h": "hour"}


def spoken_attribute(subject: str, key: str, value: str) -> str:
    """The attribute as somebody would say it."""
    value = _ONE.sub(lambda m: m.group().removesuffix("s"), spoken_dates(value.strip()))
    words = _noun_phrase(_UNIT_LAST.sub(lambda m: f"per {_UNITS.get(m[1], m[1])}", spoken_key(key)), value)
    low = value.lower().rstrip(".")
    if _CLAUSE.match(words):
        label = re.sub(r"^(?:its|his|her|their)\b", f"{subject}’s", words, flags=re.IGNORECASE)
        lead = label if label != words else f"{subject}: {sentence_case(words)[:-1]}"
        return sentence_case(f"{lead}: {value}")
    if low in ("yes", "true", "no", "false", "y"):
        return _yes_or_no(subject, words, low in ("no", "false")) or attribute_sentence(subject, key, value)
    shown = _listed(value)
    said = _measured(subject, words, value) or _said(subject, words, value, shown)
    if said is not None:
        return sentence_case(said)
    if words.startswith("per "):
        return sentence_case(f"{subject}: {value} {words}")
    if " per " in words:
        return sentence_case(f"The {words} of {subject} {'are' if is_plural(words) else 'is'} {value}")
    if words != spoken_key(key):
        return attribute_sentence(subject, words.replace(" ", "_"), value)
    return attribute_sentence(subject, key, shown if _takes_items(words) else value)


#: What is measured → how it is said of the thing; two parts stand around the value.
_MEASURES = {
    "mass": {"weight": ("weighs", ""), "mass": ("weighs", "")},
    "length": {
        "height": ("is", "high"), "length": ("is", "long"), "width": ("is", "wide"), "depth": ("is", "deep"),
        "thickness": ("is", "thick"),
    },
    "money": {"price": ("costs", ""), "retail price": ("costs", "")},
}  # fmt: skip


def _measured(subject: str, words: str, value: str) -> str | None:
    """ "X weighs 2,080 g": a single plain measure of one thing; None for everything else."""
    found = find_quantities(value)
    if is_plural(subject) or len(found) != 1 or found[0].text.strip() != value.strip(" ."):
        return None
    verb, after = _MEASURES.get(found[0].dimension, {}).get(words, ("", ""))
    return f"{subject} {verb} {value} {after}".rstrip() if verb else None


def _said(subject: str, words: str, value: str, shown: str) -> str | None:
    """The sentence for a key that is no noun phrase; None for all others."""
    counted = number_of(value) is not None
    if (_VERB.match(words) or _VERB_UNTIL.match(words)) and not (counted and is_plural(words)):
        return f"{subject} {words} {shown}"
    if _DID.match(words):
        dates = find_dates(value)
        return f"{subject} {words} {('on' if dates[0].day else 'in') if dates else ''} {value}".replace("  ", " ")
    if words == "part of" or _ADJECTIVE_TO.match(words):
        return None if _lasting_or_past(words) else f"{subject} is {words} {shown}"
    if _LASTING.match(words):
        return f"{subject} is {words} {shown}"
    if (m := re.match(r"^(?P<noun>.+) by$", words)) and re.search(rf"\b{_WORK}$", m["noun"]):
        return f"The {m['noun']} of {subject} is by {shown}"
    if re.fullmatch(rf"(?:[a-z]+ )?{_WORK}", words) and _is_name(value):
        return f"The {words} of {subject} {'are' if is_plural(words) else 'is'} by {shown}"
    if _INSIDE.match(words):
        return f"{words.capitalize()} of {subject}: {shown}"
    if counted and re.match(r"^(?:in stock|on (?:sale|loan|show)|for sale)\b", words):
        return f"{value} of {subject} {'is' if value == '1' else 'are'} {words}"  # "7 in stock" may be heard as inches
    if counted and (m := _UP_TO.match(words)):
        return f"{subject}: up to {value} {m['things']}"
    if counted and (m := _SO_MANY_DONE.match(words)):
        return f"{value} {m['things']} of {subject} {'are' if m['done'] in ('known', 'left') else 'were'} {m['done']}"
    if m := _DONE.match(words):
        dates = find_dates(value) if not m["how"] else ()
        if not m["how"] and not dates:
            return None
        how = m["how"] or ("on" if dates[0].day else "in")
        return f"{subject} {'was' if dates or how == 'by' else 'is'} {m['done']} {how} {shown}"
    return _said_of_time(subject, words, value, shown)


def _said_of_time(subject: str, words: str, value: str, shown: str) -> str | None:
    """The sentence for a key that tells since when, how often, or what to do when; None for all others."""
    if _DOING.match(words):
        return f"{subject} is {words} {shown}"
    if _SINCE.match(words):
        return f"{subject} has been {words} {value}"
    if m := _EVERY.match(words):
        return f"{m['verb'].capitalize()} {subject} every {value}"
    if m := re.match(r"^(?P<noun>original|copy|workshop|studio|office|seat) at$", words):
        return f"The {m['noun']} of {subject} is at {value}"
    if re.match(r"^(?:not|no (?:more|less)) [a-z ]+$", words):
        return f"{subject}: {words} {value}"
    if re.match(r"^(?:use|eat|drink|consume) (?:after|when|once) [a-z]+$", words):
        return f"{subject}: {words}, {value}"
    if m := _IMPERATIVE.match(words):
        return f"{m['verb'].capitalize()} {subject} {m['rest']} {value}"
    if words in ("since", "from", "until") or re.match(r"^(?:once|when|after|before) [a-z]+ed$", words):
        return f"{subject}: {words} {value}" if " " not in words else f"{subject}: {words}, {value}"
    return None


def _yes_or_no(subject: str, words: str, negative: bool) -> str | None:
    if m := _CAN.match(words):
        modal = {"can": "cannot", "must": "need not"}.get(m["modal"], f"{m['modal']} not") if negative else m["modal"]
        return sentence_case(f"{subject} {modal} {m['rest']}")
    if m := _DOES.match(words):
        base = m["verb"].removesuffix("s")
        return sentence_case(f"{subject} {f'does not {base}' if negative else m['verb']} {m['rest']}".rstrip())
    if m := re.match(r"^still (?P<done>\w+)$", words):
        return sentence_case(f"{subject} is {'no longer' if negative else 'still'} {m['done']}")
    if re.match(r"^(?:has|have|with|is|are) ", words):
        return None
    if is_plural(words) or " " not in words or _ADJECTIVE.search(words):
        return sentence_case(f"{subject} has {'no ' if negative else ''}{words}") if is_plural(words) else None
    return sentence_case(f"{subject}: {f'no {words}' if negative else f'{words}, yes'}")


#: Letters that stand for a magnitude beside its unit.
_LETTERS = {"v maximum": ("km/h", "top speed"), "bp": ("°", "boiling point"), "mp": ("°", "melting point")}


def _noun_phrase(words: str, value: str) -> str:
    """ "temperature ideal" → "ideal temperature", "number seats" → "seats"."""
    if words.endswith(" minimum") and re.search(r"\d ?min\b", value):  # "duration_min: 90 min" is in minutes
        return words.removesuffix(" minimum")
    if words in _LETTERS and _LETTERS[words][0] in value:
        return _LETTERS[words][1]
    words = re.sub(r"(?<!per )\b(100) ?(km|g|ml)\b", r"per \1 \2", re.sub(r"\b0 100\b", "0 to 100", words))
    if m := _LAST_WORD.match(words):
        return f"{m['which']} {m['noun']}"
    if (m := re.match(r"^number (?P<things>[a-z ]+)$", words)) and is_plural(m["things"]):
        return m["things"]
    return words


def spoken_dates(value: str) -> str:
    """ "2001-05" as "May 2001", "1998-06-07" as "7 June 1998"."""

    def said(m: re.Match[str]) -> str:
        month = _MONTH_NAMES[int(m["month"]) - 1]
        return f"{int(m['day'])} {month} {m['year']}" if m["day"] else f"{month} {m['year']}"

    return _ISO.sub(said, value)


def _listed(value: str) -> str:
    items = split_list(value) if not find_dates(value) else (value,)
    whole = "." in value[:-1] or len(items) < 2 or any(len(i) >= 60 for i in items)
    return value if whole else join_list(items)


def _takes_items(words: str) -> bool:
    """Whether what follows is a list in a sentence: "is built of lead, larch and copper"."""
    return re.search(r"\b(?:\w+ed|made|built|found|known|sewn|grown) (?:of|from|with|in|on|for)$", words) is not None


def _lasting_or_past(words: str) -> bool:
    return re.search(r"ed (?:to|for|with|from)$", words) is not None


def _is_name(value: str) -> bool:
    """Whether a value looks like somebody's name: two or three capitalised words and no figure."""
    return bool(re.fullmatch(r"(?:[A-ZÀ-Þ][\w'’-]+\.? ){1,3}[A-ZÀ-Þ][\w'’-]+", value)) and not find_quantities(value)
