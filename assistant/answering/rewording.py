"""Roundabout words for the thing in view, and for what is done with it, made plain before a question is taken apart.

"What is on the menu of the dog" is what it eats; "the lecture with this slide" is what stands there. General English.
"""

from __future__ import annotations

import re

from assistant.answering.said_plainly import said_plainly
from assistant.search.kind_words import KINDS

_ANIMALS = "|".join(sorted({w for g in (KINDS["animal"].general, *KINDS["animal"].sorts) for w in g}))
#: "what is on the menu of the dog": what it eats.
_FED = re.compile(
    r"\b(?:is|are) (?:there )?on the menu (?:of|for) (?P<whose>(?:the|this|that|these|those|an?) (?:\w+ )?"
    rf"(?:{_ANIMALS})s?\b"
    r"(?:(?: on the (?:left|right))| (?:over )?(?:here|there)| in front of me)?)",
    re.IGNORECASE,
)
#: Words for the whole of a thing; a building has structures, and a dog's breed or a box's volume is asked for.
_GENERAL = {
    word: kind
    for kind, words in KINDS.items()
    if kind not in ("building", "sign")
    for word in words.general - {"breed", "volume"}
}
#: "the lecture with this slide", "the plant this flower belongs to": a word for the whole, and one for what is seen.
_WHOLE = re.compile(
    rf"\bthe (?P<whole>{'|'.join(sorted(_GENERAL))}) (?:(?:with|of|behind|that has) (?P<a>this|that|these|those) "
    r"(?:\w+ )?(?P<part>\w+)|(?:that |which )?(?P<b>this|that|these|those) (?:\w+ )?(?P<part2>\w+) "
    r"(?:belongs to|is (?:from|of|part of)|comes from|goes with))(?![\w-])",
    re.IGNORECASE,
)


#: "the town with this as its emblem", "the club that has it for its badge".
_BEARS = re.compile(
    r"\b(?P<who>the \w+) (?:with|(?:that|which|who) (?:has|have|uses?)) "
    r"(?P<what>(?:it|(?:this|that|these|those)(?: one)?|(?:the|this|that) (?:coat of arms|[a-z]+)"
    r"(?: on the (?:left|right))?)) "
    r"(?:as|for) (?:its|their|an?) (?P<sign>(?:coat of )?[a-z]+)\b",
    re.IGNORECASE,
)

#: "the fine, please, I can't read it", "I'm too far away, what does it say at the top?"
_SIGN = r"(?:it|that|this|(?:the|that|this) (?:sign|text|notice|writing|letters|label|board|print))"
_UNREADABLE = re.compile(
    r"(?:^|[,;.]?\s+)(?:(?:because|as|since|but|and) )?i (?:can(?:['’]t|not| not)|could(?:n['’]t| not)) "
    rf"(?:quite |really )?(?:read|see|make out|decipher|recogni[sz]e) {_SIGN}"
    r"(?: (?:from|at|over) (?:here|this distance|there))?(?=\W*$|\s*[,;.:])[,;.:]?"
    rf"|(?:^|(?<=[a-z], ))i(?:['’]m| am) (?:standing )?too far (?:away|off)(?: to (?:read|see) {_SIGN})?"
    r"\s*[,;:]\s*(?:so )?",
    re.IGNORECASE,
)


#: "in what numbers does the yard own this boat", "in what numbers was it built"
_IN_NUMBERS = re.compile(
    r"\bin (?:what|which) numbers? (?:(?P<does>(?:does|do|did|has|have) .+?) "
    r"(?P<own>own|have|run|operate|make|build|sell|keep|use|produce|hold|owned|built|made|sold|produced) "
    r"(?P<what>it|(?:this|that|these|the) (?P<noun>[a-z]+))"
    r"(?P<here>(?: itself| here| there)?)"
    r"|(?P<be>is|was|are|were) (?P<it>it|they|these|this|that|(?:this|that|the) [a-z]+) "
    r"(?P<done>[a-z]+(?:ed|t|de|ld|n)))(?=\W*$)",
    re.IGNORECASE,
)


def _counted(m: re.Match[str]) -> str:
    """ "how many boats of this kind does the yard own", "how many of it were built"."""
    if m["be"]:
        it = "them" if m["it"].lower() == "they" else m["it"]
        return f"how many of {it} {'were' if m['be'].lower() in ('was', 'were') else 'are'} {m['done']}"
    noun = re.sub(r"(?<=[sxh])$", "e", m["noun"] or "") + "s"
    thing = f"{noun} of this kind" if m["noun"] and m["noun"].lower() not in ("one", "thing") else "of it"
    return f"how many {thing} {m['does']} {m['own']}"


def reworded(text: str) -> str:
    """The question with such words made plain; every other question as it is."""
    rest = _UNREADABLE.sub("", text).strip()
    text = _FED.sub(lambda m: f"does {m['whose']} eat", rest if re.search(r"[a-z]{3}", rest) else text)
    text = _BEARS.sub(lambda m: f"{m['who']} whose {m['sign']} {m['what']} is", text)
    return said_plainly(_WHOLE.sub(_as_one, _IN_NUMBERS.sub(_counted, text)))


def _as_one(m: re.Match[str]) -> str:
    """ "this lecture" for both words where they are said of one kind of thing."""
    part = (m["part"] or m["part2"]).lower()
    words = KINDS[_GENERAL[m["whole"].lower()]]
    said = part in words.general or any(part in group for group in words.sorts)
    return f"{m['a'] or m['b']} {m['whole']}" if said else m[0]
