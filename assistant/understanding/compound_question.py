"""Two questions asked in one breath: "how long is it and who made it?".

The reader answers one thing at a time, so the agent asks the parts one after the other and says all their answers.
Where one finds none, or wants a yes or no and so may be one question with the next ("is it heavy? how much exactly?"),
they only stand in for a whole that finds no answer.
"""

from __future__ import annotations

import re

#: What a question begins with when nothing else stands before it; "that" and "if" only go on with the one before.
_ASKS = (
    r"(?:(?:and|also|then|in|at|from|to|by|for|on|with|of) )?"
    r"(?:who|whom|whose|what|where|when|why|which|how)(?:['’]s|['’]re)?\b"
)
_WORD = re.compile(rf"\b{_ASKS}", re.IGNORECASE)
_VERB = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should)\b"
_BETWEEN = re.compile(
    rf"\s*(?:[?!.;]\s+(?:and |also |then )?(?={_ASKS}|{_VERB})|,?\s+(?:and|plus)(?: also| then)?,? (?={_ASKS})"
    rf"|,\s+and(?: also)? (?={_VERB})|\s+and(?: also)? (?={_VERB} (?:it|this|that|these|those|they|there|he|she)\b))",
    re.IGNORECASE,
)
#: A piece that asks: a question word anywhere, or a verb at its beginning or after a comma ("that lamp, is it heavy").
_ASKING = re.compile(rf"\b{_ASKS}|(?:^|,\s*){_VERB}", re.IGNORECASE)
#: Of what a clause speaks on: "the person who made it and who runs it" goes on with its own "who".
_SPEAKS_ON = re.compile(r"\w+ (?:who|whose|that|which|where) \w", re.IGNORECASE)
#: More questions than these at once are a list to be worked off, not a question.
_MOST = 3


def parts(question: str) -> tuple[str, ...]:
    """The questions in it, each with a question mark, in their order; none when it is one question or a long list."""
    found = [piece.strip(" ,;.!?") for piece in _BETWEEN.split(question.strip())]
    found = [piece for piece in found if piece]
    if not 2 <= len(found) <= _MOST or any(len(piece.split()) < 2 for piece in found):
        return ()
    if not all(_ASKING.search(piece) for piece in found):
        return ()
    if any(_SPEAKS_ON.search(piece) for piece in found[:-1]):
        return ()
    return tuple(f"{piece}?" for piece in found)


def asks_for_something(question: str) -> bool:
    """Whether it has a question word; otherwise it wants a yes or no."""
    return bool(_WORD.search(question))
