"""Choices in roundabout words, made plain: "if I want the lighter one, is it this or that" → "which is lighter, …".

Only the frame of the question changes; the two things keep the words that name them.
"""

from __future__ import annotations

import re

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


def as_choice(core: str) -> str:
    """The clause with a roundabout choice put as "which is …, A or B"; every other clause as it is."""
    bare = core.strip(" ?.!")
    if m := _WANTED.match(bare):
        what, pair = m["what"] or m["what2"], m["pair"] or m["pair2"]
        verb = "has" if m["verb"] == "with" else m["verb"] or "is"
        return f"which one {verb} {what}, {pair}?"
    if m := _WINS.match(bare):
        return f"{m['which']}, {m['pair']}?"
    if (m := _ORDER.match(bare)) and re.search(r"\b(?:most|least|fewest|\w+est)\b", m["most"], re.IGNORECASE):
        return f"which is {m['most']} {m['rest']}?"
    return core
