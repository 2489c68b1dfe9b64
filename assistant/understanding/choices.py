"""Choices in roundabout words, made plain: "if I want the lighter one, is it this or that" → "which is lighter, …".

Only the frame of the question changes; the two things keep the words that name them.
"""

from __future__ import annotations

import re

from assistant.text.english import content_stems, shared
from assistant.understanding.clause import asking_sentence
from assistant.understanding.scales import scale_of

_WANTS = (
    r"(?:if|when|suppose|supposing|say|given(?: that)?|provided) (?:i|we|you|somebody|someone|one) "
    r"(?:want(?:ed|s)?|need(?:ed|s)?|prefer(?:red|s)?|am after|are after|look for|am looking for|['’]d like|would like|"
    r"care for|care about|choose|pick|take)"
)
_TAKE = (
    r"(?:(?:is|would) it(?: be)?|(?:should|shall|do|would|must) (?:i|we|one) (?:take|pick|choose|buy|get|go for|have)|"
    r"which is it:?|that(?: would be| is|['’]s)|(?:i|we) (?:take|pick))"
)
_WANTED = re.compile(
    rf"^{_WANTS} (?:(?:the|an?) (?:one|thing|something)|something|whichever|what) (?:that |which |to be )?"
    rf"(?P<verb>is|has|with|was|weighs|costs|lasts|keeps|holds|needs|lives|goes|takes)?\s*(?P<what>[^,]+?),? "
    rf"{_TAKE} (?P<pair>.+? or .+)$"
    rf"|^{_WANTS} the (?P<what2>[a-z]+(?:er|est))(?: one| thing)?,? {_TAKE} (?P<pair2>.+? or .+)$",
    re.IGNORECASE,
)
_WINS = re.compile(
    r"^(?:who|which(?: one)?|what) (?:wins|comes first|is it|is ahead|leads|gets it)[,:]? (?P<pair>.+? or .+?),? "
    r"(?:if|when) (?:i|we|you|one) (?:ask|want to know|wonder|look for|go by|compare)[,:]? "
    r"(?P<which>(?:which|who|what)(?: one)? .+)$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:(?:name|give|find|pick|choose|show|point out|say)(?: me| us)? )?"
    r"(?P<most>the (?:(?:most|least|fewest) )?\w+(?: one)?) "
    r"(?P<rest>(?:of|in|among|from) .+)$",
    re.IGNORECASE,
)


#: Two things before the question: "the pot against the kettle: is the pot taller", "the pot or the kettle: which …".
_FRONTED = re.compile(
    r"^(?:(?P<lead>(?:(?:if|when|suppose|imagine|say) (?:i|we|you|one) (?:were to |would )?)?"
    r"(?:put(?:ting)?|plac(?:e|ed|ing)|set(?:ting)?|h[oe]ld(?:ing)?|la(?:y|id|ying)|st(?:an|oo)d(?:ing)?|"
    r"park(?:ed|ing)?|"
    r"compar(?:e|ed|ing)|match(?:ed|ing)?|measur(?:e|ed|ing)|weigh(?:ed|ing)?)) )?"
    r"(?P<a>[^:;,?.!]+?) (?P<joint>or|and|(?(lead)(?:with|to)|(?!))|against|versus|vs\.?|next to|beside|alongside|"
    r"compared (?:to|with)) (?P<b>[^:;,?.!]+?)(?P<sep>\s*[:;,]| [–—-]) (?:then )?"
    r"(?P<rest>(?P<be>which|what|who|is|are|was|were|does|do|has|have)\b[^:;]+)$",
    re.IGNORECASE,
)
#: What the one is that is wanted: "the one that's covered for a shorter time", "the covered longer one", "the newer".
_WANTED_ONE = (
    r"the (?:one (?:that|which|who|with|of)(?:['’]s| is| has| was)? (?P<how>[^,;:?]+?)|(?P<how2>[^,;:?]+?) one"
    r"|(?P<how3>[a-z]+er|(?:more|less) [a-z]+))"
)
_PICK = (
    r"(?:(?:please |just |can you |could you |would you |will you )*(?:pick|choose|name|tell|give|find|show|point out|"
    r"point to|select|single out|say|state|identify)(?: out)?(?: (?:me|us))?(?: for me)?|i(?:['’]d| would)? "
    r"(?:want|like|prefer|need|am after)|who is|which is|what is|what['’]s|which['’]s)"
)
_FOR_ME = r"(?: for (?:me|us)| out| please|, please|, would you)*"
#: "out of this and that, pick the newer one for me", "take this and that: the newer one is which?"
_PICKED = re.compile(
    r"^(?:(?:now |so |okay |right )?(?:out of|between|of|from|among|take|given|with|compare|comparing|looking at|"
    r"consider|considering|there['’]s|you have|we have|i have|i['’]ve got)) (?P<pair>[^;:?]+? (?:and|or) [^;:?,]+?)"
    rf"\s*(?:[,;:]|[–—]| - )\s*(?:{_PICK} {_WANTED_ONE}{_FOR_ME}|{_WANTED_ONE.replace('how', 'wh')} is (?:which|"
    rf"what))\W*$",
    re.IGNORECASE,
)
#: One of the two: "this mug", "the Oriel", "it", "Oriel".
_ONE_OF_THEM = (
    r"(?:(?:the|this|that|these|those|its|their|my|an?|volume|number|book|part) (?!\w+est\b|most\b|least\b|one is\b)"
    r"[^;:?]+?|it|this|that|(?-i:[A-Z])[^;:?]+?)"
)
#: "which of the two is newer, I mean this and that".
_MEANT_PAIR = re.compile(
    r"^(?P<which>(?:which|who|what)(?: one)?)(?: of (?:the two|these|them|those|these two|the pair|both))?"
    r"(?P<rest> [^;:?]+?)\s*[,;:–—-]+\s*(?:and |so )?(?:i mean|i['’]m talking about|meaning|that is|namely|i['’]d say)"
    rf"(?: to say)?,? (?P<pair>{_ONE_OF_THEM} (?:and|or) {_ONE_OF_THEM})\W*$",
    re.IGNORECASE,
)
_SAID_OF_FIRST = re.compile(r"\b(?:it|this one|that one|this|that|the (?:first|former)(?: one)?)\b", re.IGNORECASE)
#: "I have this one and there is the Oriel: which is roomier?"
_THERE = re.compile(
    r"^(?:(?:i|we|you)(?:['’]ve| have)(?: got)?|(?:here|there)(?:['’]s| is| are)|it is|that is|with|so|now) ",
    re.IGNORECASE,
)
#: "which would you say is roomier".
_OPINION = re.compile(
    r"\b(?P<which>which(?: one)?|what|who) (?:would|do|did|could|should) (?:you|we|they|people|one) "
    r"(?:say|think|reckon|guess|suppose)(?: that)? (?P<how>(?:is|was|has|costs?|weighs?|lasts?|holds?)\b)",
    re.IGNORECASE,
)


def fronted(clause: str) -> str | None:
    """A comparison whose two things stand before it, in one clause: "is A taller than B?", "which is taller, A or B?";
    None for every other clause.
    """
    m = _FRONTED.match(_OPINION.sub(r"\g<which> \g<how>", clause.strip(" ?.!")))
    if m is None:
        return None
    a, b, rest, joint = _THERE.sub("", m["a"]), _THERE.sub("", m["b"]), m["rest"], m["joint"].lower()
    if re.search(r"\b(?:than|or)\b", rest) or scale_of(rest) is None:
        return None
    if m["be"].lower() in ("which", "what", "who"):  # a comma parts them in "which"-questions of the common sort
        return f"{rest}, {a} or {b}?" if m["lead"] or m["sep"].strip() != "," else None
    if joint in ("or", "and") and not m["lead"]:
        return None
    if b.lower() in rest.lower():
        return None
    if a.lower() in rest.lower():
        return f"{rest} than {b}?"
    said, n = _SAID_OF_FIRST.subn(lambda _: a, rest, count=1)
    if n:
        return f"{said} than {b}?"
    named = content_stems(a)
    return f"{rest} than {b}?" if named and shared(named, content_stems(rest)) == len(named) else None


def picked(clause: str) -> str | None:
    """One of two picked: "out of A and B, pick the newer one" → "which is newer, A and B?"; None for other clauses."""
    bare = clause.strip(" ?.!")
    if m := _MEANT_PAIR.match(bare):
        return f"{m['which']}{m['rest']}, {m['pair']}?" if scale_of(f"which{m['rest']}") is not None else None
    if m := _PICKED.match(bare):
        how = next(h for h in (m["how"], m["how2"], m["how3"], m["wh"], m["wh2"], m["wh3"]) if h)
        which = f"which is {how}"
        return f"{which}, {m['pair']}?" if scale_of(which) is not None else None
    return None


def as_choice(core: str, text: str = "") -> str:
    """The clause with a roundabout choice put as "which is …, A or B"; every other clause as it is.

    `text` is the whole utterance: two things may be named before the clause that asks.
    """
    if (plain := picked(core) or (picked(asking_sentence(text)) if text else None)) is not None:
        return plain
    if (plain := fronted(core) or (fronted(asking_sentence(text)) if text else None)) is not None:
        return plain
    bare = _OPINION.sub(r"\g<which> \g<how>", core).strip(" ?.!")
    if m := _WANTED.match(bare):
        what, pair = m["what"] or m["what2"], m["pair"] or m["pair2"]
        verb = "has" if m["verb"] == "with" else m["verb"] or "is"
        return f"which one {verb} {what}, {pair}?"
    if m := _WINS.match(bare):
        return f"{m['which']}, {m['pair']}?"
    if (m := _ORDER.match(bare)) and re.search(r"\b(?:most|least|fewest|\w+est)\b", m["most"], re.IGNORECASE):
        return f"which is {m['most']} {m['rest']}?"
    return _OPINION.sub(r"\g<which> \g<how>", core)
