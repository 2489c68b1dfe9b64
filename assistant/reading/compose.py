"""Saying it: one plain English sentence from a fact, with the subject named.

Realises attribute keys by their grammar (a plural noun, a participle, a yes-or-no word) and trims page sentences to the
clause that answers. States nothing beyond key and value.
"""

from __future__ import annotations

import re

from assistant.reading.scoring.rank import agreement
from assistant.text.attribute_keys import key_unit, key_words, labelled_value
from assistant.text.english import content_stems, is_plural, named_subject, plain, shared, word_set
from assistant.text.values import find_dates, find_quantities, number_of, split_list
from assistant.understanding.clause import WH
from assistant.understanding.intent import Asked

MAX_SENTENCE_CHARS = 320
_PARTICIPLE = re.compile(
    r"^(?:(?:first|last|originally|date|year|when)\s+)?(?P<p>\w+ed|made|built|written|born|found|grown|sold|"
    r"known|drawn|sung|spoken|bred|worn|set|laid|cut|won|held|kept|begun|sewn|woven|shot)(?:\s+(?P<prep>in|"
    r"on|at|by|for|from|with|to|of|since|as|near|under))?(?P<rest>\s+(?:year|date))?$"
)
#: When a page was written says nothing of its subject: "(posted on 3 May, edited once)".
_OF_THE_PAGE = re.compile(
    r"\s*[(\[](?:posted|edited|written|updated|published online|last|seen|checked|as of my)\b[^)\]]*[)\]]",
    re.IGNORECASE,
)
_YES = word_set("yes true y")
_NO = word_set("no false n")


def joined(items: tuple[str, ...] | list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    items = [i for i in items if i]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def sentence_case(text: str) -> str:
    text = plain(text, MAX_SENTENCE_CHARS * 2).strip()
    if not text:
        return text
    if text[0].islower() and not re.match(r"^[a-z]+[A-Z0-9]", text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def attribute_sentence(subject: str, key: str, value: str) -> str:
    """A sentence for one attribute: "The weight of X is 340 g." / "X was published in 1987." / "X has 352 pages."."""
    named = key_unit(key)
    words = named[0] if named else key_words(key)
    value = value.strip()
    low = value.lower().rstrip(".")
    if low in _YES | _NO:
        negative = low in _NO
        if m := re.match(r"^(?:has|have|with)\s+(.*)$", words):
            return sentence_case(f"{subject} {'does not have' if negative else 'has'} {m.group(1)}")
        words = re.sub(r"^(?:is|are)\s+", "", words)
        return sentence_case(
            f"{subject}: {'not ' if negative else ''}{words}"
            if is_plural(words)
            else f"{subject} is {'not ' if negative else ''}{words}"
        )
    if m := _PARTICIPLE.match(words):
        return sentence_case(_passive(subject, m, value, words))
    items = split_list(value) if not find_dates(value) else (value,)
    shown = joined(items) if len(items) > 1 and all(len(i) < 60 for i in items) and "." not in value[:-1] else value
    if number_of(value) is not None and is_plural(words) and len(words.split()) <= 3:
        return sentence_case(
            f"{subject} has {value} {words.removeprefix('number of ').removeprefix('no of ').removeprefix('num ')}"
        )
    number = re.match(r"^(?:number of|no of|num|count of)\s+(.+)$", words)
    if number and number_of(value) is not None:
        return sentence_case(f"{subject} has {value} {number.group(1)}")
    if m := re.match(
        r"^(?:is|has|can|does|was|lives|grows|comes|goes|belongs|opens|closes|contains|serves|seats|weighs|"
        r"costs|plays)\b.*$",
        words,
    ):
        return sentence_case(f"{subject} {words} {shown}")
    verb = "are" if is_plural(words) else "is"
    return sentence_case(f"The {words} of {subject} {verb} {shown}")


def _passive(subject: str, m: re.Match[str], value: str, words: str) -> str:
    first = "first " if words.startswith("first") else ""
    participle, prep = m.group("p"), m.group("prep")
    dates = find_dates(value)
    dated = bool(dates) and len(value) < 40
    if prep is None:
        if dated:
            prep = "on" if dates[0].day else "in"
            if re.match(r"^(?:in|on|around|about|circa|c\.|before|after|between|the|since)\b", value.lower()):
                prep = ""
        elif participle in ("known", "made", "cut", "set"):
            prep = ""
        else:
            return f"{subject} – {words}: {value}"
    verb = "has been" if prep == "since" else "was" if dated or prep == "by" else "is"
    if value.lower().startswith(f"{prep} "):
        prep = ""
    return " ".join(f"{subject} {verb} {first}{participle} {prep} {value}".split())


#: "What does it eat? Worms and fallen fruit.": what follows the question is said.
_OWN_QUESTION = re.compile(rf"^{WH}\b[^?.!]{{3,80}}\?\s+(?=\w)", re.IGNORECASE)


#: "They sew it by hand": those who do are not the thing, and "they live long" is no sentence with one name.
_THEY = re.compile(r"^They\b")


def passage_sentence(subject: str, text: str, asked: Asked) -> str:
    """The page's sentence with the subject named, trimmed to the clause that answers when it says several things."""
    text = _OWN_QUESTION.sub("", _OF_THE_PAGE.sub("", plain(text, 1200)))
    pair = labelled_value(text)
    if pair is not None:
        from assistant.reading.attribute_templates import spoken_attribute

        return spoken_attribute(subject, *pair)
    full = text if _THEY.match(text) else named_subject(text, subject)
    clause = answering_clause(full, asked)
    if clause != full:
        if subject.lower() in clause.lower():
            return sentence_case(clause)
        lead = re.match(r"^(?:and|but|while|which|whereas|yet|so|or|with)\s+", clause)
        rest = clause[lead.end() :] if lead else clause
        if re.match(r"^(?:it|he|she)\b", rest, re.IGNORECASE):
            return sentence_case(named_subject(rest[0].upper() + rest[1:], subject))
        if re.match(
            r"^(?:is|was|are|were|has|had|weighs?|costs?|measures?|holds?|lasts?|takes?|comes?|stands?|\w+s|\w+ed)\b",
            rest,
        ) and not re.match(r"^\w+s\s+(?:is|are|was|were)\b", rest):
            return sentence_case(f"{subject} {rest}")
        return sentence_case(f"{subject}: {rest}")
    if subject.lower() not in full.lower():
        return sentence_case(f"{subject}: {full}")
    return sentence_case(full)


def clauses_of(text: str) -> list[str]:
    """Coordinate clauses: split at semicolons, dashes, and commas or conjunctions between statements."""
    parts = re.split(
        r"\s*;\s+|\s+[–—]\s+|,\s+(?=(?:and|but|while|whereas|which|though|although|yet|with)\s)|\s+(?=(?:and|"
        r"but|while|whereas)\s+(?:it|they|he|she|is|was|are|has|had|can|weighs?|costs?|measures?|holds?|"
        r"takes?|lasts?|the|its|their|comes?|sells?)\b)",
        text,
    )
    return [p.strip(" ,") for p in parts if p and p.strip(" ,")]


def answering_clause(text: str, asked: Asked) -> str:
    """The clause that carries the kind of value asked for and most of the question's words; the whole when unsure."""
    parts = clauses_of(text)
    if len(parts) < 2:
        return text
    stems = content_stems(" ".join((asked.core, *asked.about)))
    values = len(find_quantities(text)) + len(find_dates(text))
    if values < 2 and len(text) <= 180:
        return text
    scores = [(1.5 * agreement(asked.expected, p) + shared(stems, content_stems(p)), -i) for i, p in enumerate(parts)]
    best = max(range(len(parts)), key=lambda i: scores[i])
    tie = sorted((s[0] for s in scores), reverse=True)
    if len(tie) > 1 and tie[0] - tie[1] < 0.5:
        return text
    return parts[best]
