"""What a sentence denies, and whether that is what was asked: "it lists milk, and nothing I cannot pronounce" has milk.

A negation counts in the clause that speaks of what is asked; "children go free" denies that they pay.
"""

from __future__ import annotations

import re

from assistant.reading.compose import clauses_of
from assistant.text.english import content_stems, negated, shared
from assistant.text.values import find_quantities

_PAYS = re.compile(r"\b(?:pay|pays|paying|charged?|charges|costs?|fees?|tickets?|admission)\b", re.IGNORECASE)
_FREE = re.compile(r"\b(?:free|gratis|for nothing)\b(?! (?:of|from|with|after|before|for)\b)", re.IGNORECASE)
_CHILDREN = re.compile(r"\b(?:kids?|child|children|son|daughter|little ones?|toddlers?|bab(?:y|ies))\b", re.IGNORECASE)
#: "nothing I cannot pronounce" is everything I can.
_NOTHING = re.compile(r"\b(?:nothing|nobody|nowhere)\b", re.IGNORECASE)
#: "rain does it no harm" says that it may get wet.
_NO_HARM = re.compile(r"\bno (?:harm|damage|problem|trouble|difficulty|bother)s?\b", re.IGNORECASE)
#: "Either you like it or you do not": says nothing.
_EITHER_WAY = re.compile(
    r"\beither\b.*\bor\b.*(?:\bnot\b|n['’]t\b)|\bsome (?:people )?(?:like|love|swear|find)\b.*\b(?:others?|some)\b",
    re.IGNORECASE,
)
_WHERE = re.compile(r"\b(?:in|into|on|at|under) (?:the|a|an|my|our) (?P<place>[a-z]+)\b", re.IGNORECASE)
#: One for every person is a matter of two numbers.
_FOR_EACH = re.compile(
    r"\b(?:for|to) (?:each|every(?:one|body)?|all)\b(?! (?:day|week|month|year|weather|season)s?\b)", re.IGNORECASE
)


def denies(text: str, core: str) -> bool:
    """Whether the text says no to what the question is about."""
    stems = content_stems(core)
    text = _ASIDE.sub(lambda m: m[0] if shared(stems, content_stems(m[0])) else "", text)
    covered = shared(stems, content_stems(text))
    about = next((c for c in clauses_of(text) if covered and shared(stems, content_stems(c)) == covered), text)
    says_no = negated(about) != bool(len(_NOTHING.findall(about)) % 2)
    if (harmless := _NO_HARM.search(about)) and not shared(stems, content_stems(harmless[0])):
        says_no = False
    if not says_no and (_none_of(about, stems) or (_BARRED.search(about) and not _BARRED.search(core))):
        says_no = True
    return says_no != _says_free(text, core)


#: "… and roof rails, no haggling needed": what is denied last, in words of its own.
_ASIDE = re.compile(r",\s*(?:and |but )?(?:no|not|never|without)\b[^,;.]*(?=[.!]?$)", re.IGNORECASE)
#: "Official matches are closed to it", "it lacks the approval": no, without a negation.
_BARRED = re.compile(
    r"\b(?:closed to|off limits|barred|banned|forbidden|prohibited|ruled out|excluded from|lacks?|lacking)\b",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\b(?:0|zero) (?P<noun>[a-z]+)\b(?! (?:percent|per cent|degrees|%))", re.IGNORECASE)


def _none_of(text: str, stems: frozenset[str]) -> bool:
    """ "there are 0 pockets in it" says that it has no pockets."""
    return any(shared(stems, content_stems(m["noun"])) for m in _ZERO.finditer(text))


def _says_free(text: str, core: str) -> bool:
    """Whether the text says that those asked about need not pay."""
    if not _PAYS.search(core) or _FREE.search(core) or not _FREE.search(text):
        return False
    priced = any(q.dimension == "money" for q in find_quantities(text))
    return not priced or bool(_CHILDREN.search(core) and _CHILDREN.search(text))


def undecided(text: str) -> bool:
    """Whether a remark leaves everything open."""
    return _EITHER_WAY.search(text) is not None


def only_named(text: str, name: str) -> bool:
    """Whether a line announces its subject and says nothing of it: "Our guest tonight: Ada Moor."."""
    announced = re.fullmatch(r"[^:;.]{1,60}: (?P<what>[^:;]+?)[.!]?", text.strip())
    return announced is not None and bool(name) and announced["what"].casefold() == name.casefold()


def elsewhere(text: str, core: str) -> bool:
    """ "in the cupboard" for "in the fridge"."""
    asked = {m["place"].lower() for m in _WHERE.finditer(core)}
    told = {m["place"].lower() for m in _WHERE.finditer(text)}
    return bool(asked and told) and not shared(content_stems(" ".join(asked)), content_stems(text))


def for_each(core: str) -> bool:
    """Whether enough for everybody is asked for, which one number alone does not tell."""
    return _FOR_EACH.search(core) is not None
