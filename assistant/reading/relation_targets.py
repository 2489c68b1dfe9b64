"""What evidence names: words for its subject's kind, and names of other things that could be looked up in turn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.text.attribute_keys import labelled_value
from assistant.text.english import content_stems, shared, word_set
from assistant.text.kind_words import KINDS
from assistant.text.values import find_dates, find_names, find_quantities, split_list

#: Words that open a sentence with a capital and name nobody: "All praise to the cook", "Full marks to her".
_NO_NAMES = word_set(
    "all people full delivery everybody everyone somebody someone nobody most many some few several each every both "
    "such much more less good great best nice thanks praise visitors guests readers buyers owners fans experts locals "
    "critics children men women credit applause final original initial main total current"
)


def kinds_of(own: Sequence[Evidence]) -> frozenset[str]:
    """Words for what the subject is: of its name, and of "<name> is a …"."""
    out: set[str] = set()
    for e in own:
        out |= content_stems(e.subject or "")
        m = re.search(r"(?:\b(?:is|was)|,)\s+an?\s+((?:[\w-]+\s*){1,3})", e.text) if e.key is None else None
        if m:
            out |= content_stems(m.group(1))
        if e.key is not None and re.search(r"\b(?:type|kind|category|class)\b", e.key.lower()):
            out |= content_stems(str(e.value))
    return frozenset(out)


#: What something is may be asked for, whatever else is.
ASKS_WHAT = re.compile(
    r"\b(?:kind|sort|type)\b"
    # "what kind of stove can I use it on"
    r"(?!s? of \w+ (?:can|could|do|does|did|should|may|might|will|would|must|has|have|goes|go|fits?|works?)\b)"
    r"|\b(?:what|who) ?(?:is|are|was|were|['’]s) (?:it|this|that|these|those|they|he|she)\b"
    # "what's this made from"
    r"(?!(?: \w+){0,2} (?:made|built|constructed|composed|cut|cast|carved|sewn|knitted|woven|put together) )"
    r"|\bwhat (?:this|that|it) is\b",
    re.IGNORECASE,
)
#: "what is this sign", "is it a poster".
_SORT_ASKED = re.compile(
    r"\b(?:kind|sort|type)\b|^(?:what|which) ?(?:is|are|was|were|['’]s) (?:it|this|that|these|those)(?: \w+)?\W*$"
    r"|^(?:is|was|are|were) (?:it|this|that|these|those|they)(?: one)? (?:really |just )?an? \w",
    re.IGNORECASE,
)


def asks_kind(core: str) -> bool:
    """Whether the question asks what something is: its kind, "what is it?", "is this a poster?"."""
    return _SORT_ASKED.search(core) is not None


_SIGN_FACTS = KINDS["sign"].facts


def sorts_a_sign(e: Evidence) -> bool:
    """Whether it says which sort of sign its subject is: that tells nothing of what stands there."""
    typed = e.key is not None and re.fullmatch(r"(?:\w+[ _])?(?:type|kind|category|class)", e.key.lower())
    return bool(typed) and _SIGN_FACTS.search(str(e.value).lower()) is not None


def siblings_only(e: Evidence) -> bool:
    """A sentence that names nothing but things called nearly like its subject leads to a mix-up, not further."""
    return all(_like_siblings(e))


def lists_siblings(e: Evidence) -> bool:
    """The same of an attribute; of a sentence already when it names one of them beside the group they form."""
    found = _like_siblings(e)
    return all(found) if e.key is not None else any(found)


def _like_siblings(e: Evidence) -> list[bool]:
    """For each name in the evidence whether it is nearly the subject's; a maker's is shorter than its product's."""
    own = content_stems(e.subject or "")
    stems = [content_stems(t) for t in targets_of(e)]
    return [len(s) >= len(own) and 2 * shared(s, own) >= len(s) for s in stems]


#: "Sent all over Norland" tells where, not by whom.
_ALL_OVER = re.compile(r"\b(?:in|near|around|over|across|throughout|outside)\s+(?:the\s+)?$", re.IGNORECASE)


def named_as_place(e: Evidence) -> bool:
    """Whether a sentence gives its first name as that of a place."""
    names = targets_of(e)
    return bool(e.key is None and names and _ALL_OVER.search(e.text[: e.text.find(names[0])]))


def targets_of(e: Evidence) -> tuple[str, ...]:
    """Names in the evidence that could be looked up in turn."""
    pair = labelled_value(e.text) if e.value is None else None
    text = str(e.value) if e.value is not None else (pair[1] if pair else e.text)
    if e.value is not None and (find_quantities(text) or (find_dates(text) and not re.search(r"[A-Za-z]{4}", text))):
        return ()
    if e.subject:
        text = re.sub(re.escape(e.subject), " ", text, flags=re.IGNORECASE)
    names = [re.sub(r"['’]s$", "", n) for n in find_names(text) if len(n) > 2 and n.lower() not in _NO_NAMES]
    if e.value is not None and len(text) <= 60:
        parts = split_list(text)
        whole = [text] if names and names[0] != text else []
        return tuple(
            dict.fromkeys([*(names[:1] if names else []), *whole, *(p for p in parts if p[:1].isupper()), *names])
        )
    return tuple(dict.fromkeys(names))
