"""How old somebody was when they did what the question speaks of: "at what age did the author see it published?".

Whoever it is, and what was done, is read off the words; the two dates are then asked for plainly, one by one.
"""

from __future__ import annotations

import re

#: An age at a time of the past is asked for, in these words or others.
_AGE = re.compile(
    r"\b(?:how (?:old|many years old|aged)|old exactly|(?:what|which) age|the age of|age (?:of|was|at)|"
    r"what was the age)\b"
    r"|\bhow (?:many years|long)\b[^?]*\b(?:been alive|lived|been (?:in|on) (?:the|this) world|been around|"
    r"behind (?:him|her|them))\b"
    r"|\b(?:years of age|birthdays? had)\b",
    re.IGNORECASE,
)
_PERSON = (
    r"(?:author|writer|novelist|poet|mathematician|discoverer|inventor|designer|architect|painter|artist|composer|engraver|"
    r"breeder|founder|creator|illustrator|sculptor|scientist|chemist|physicist|explorer|finder|builder)"
)
_WHO = re.compile(
    rf"\b(?:the|its|that|this|his|her|their)(?: \w+)? (?P<role>{_PERSON})\b"
    r"|\b(?:whoever|(?:the|some|an?)(?: \w+){0,3}? (?:person|one|man|woman|girl|boy|genius|guy|mind|head|"
    r"somebody|someone|lady|fellow) "
    r"(?:who|that)|(?:somebody|someone) (?:who|that)|who) (?:had |has |have |first |finally |"
    r"once )?(?P<did>[a-z]+(?: (?:out|up))?)\b",
    re.IGNORECASE,
)
#: What was done, and how its date is asked for.
_DEEDS: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (
        re.compile(r"\b(?:prov(?:e|es|ed|en|ing)|proofs?|solved?|cracked|settled)\b", re.IGNORECASE),
        ("when was it proved?", "in what year was its proof found?"),
        "the person who proved it",
    ),
    (
        re.compile(
            r"\b(?:publi\w+|came out|come out|appear\w*|hit the (?:shelves|shops|stores)|br(?:ought|"
            r"ing) (?:it )?out|released?|"
            r"wrote|writes?|written|printed|in print|on sale)\b",
            re.IGNORECASE,
        ),
        ("when was it first published?", "when did it come out?"),
        "the author",
    ),
    (
        re.compile(r"\b(?:discover\w*|first (?:found|isolated|described))\b", re.IGNORECASE),
        ("when was it discovered?", "when was it first described?"),
        "the person who discovered it",
    ),
    (
        re.compile(r"\b(?:invent\w*|design(?:ed|s)?|launch\w*|introduc\w*)\b", re.IGNORECASE),
        ("when was it introduced?", "when was it designed?"),
        "the designer",
    ),
)
#: A time now: "how old is the author".
_NOW = re.compile(r"\bhow old (?:is|are)\b|\b(?:now|today|these days|nowadays|currently|still alive)\b", re.IGNORECASE)


def doers_age(question: str) -> tuple[str, tuple[str, ...]] | None:
    """Who it is, and how the time of what was done is asked for; None where no such age is asked for."""
    if not _AGE.search(question) or _NOW.search(question):
        return None
    who = _WHO.search(question)
    deed = next((d for d in _DEEDS if d[0].search(question)), None)
    if who is None or deed is None:
        return None
    _, asks, doer = deed
    return (f"the {who['role'].lower()}" if who["role"] and doer != "the person who proved it" else doer), asks


#: What a statement of whoever did it speaks of, by how they are called.
_TELLS = (
    (
        re.compile(r"proved"),
        re.compile(r"\b(?:prov(?:e|ed|en|ing)|proofs?|author|mathematician|solved|found|by)\b", re.IGNORECASE),
    ),
    (
        re.compile(r"author|writer|novelist|poet"),
        re.compile(r"\b(?:authors?|writ(?:er|es|ten|ing)|wrote|novelist|poet|book|pen|by)\b", re.IGNORECASE),
    ),
)
_OTHERS = re.compile(
    r"\b(?:lectur\w*|teach\w*|taught|class|course|seminar|cover|illustrat\w*|drew|drawn|translat\w*|publish\w*|printed|"
    r"restor\w*|review\w*)\b",
    re.IGNORECASE,
)


def tells_doer(text: str, who: str) -> bool:
    """Whether a statement about the thing may name the one who is meant: who teaches it has not proved it."""
    text = text.replace("_", " ")
    tells = next((told for name, told in _TELLS if name.search(who)), None)
    return tells is None or (tells.search(text) is not None and _OTHERS.search(text) is None)
