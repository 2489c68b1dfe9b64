"""Yes or no that an answer implies without saying so, for the lexical judge: by advice, at its end, by what is over."""

from __future__ import annotations

import re

from eval.judges.lexical.words import plain

_WARNS = re.compile(
    r"(?:^|[.!;,:]\s*|\b(?:please|so|but|and|better|you should|i would|i'd|rather)\s+)(?:do not|don't|never"
    r"|avoid|not in the)\b"
    r"(?! (?:worry|hesitate|know|think|forget|see|need|have))|\bkeep \w+(?: \w+)?(?: well| far)? (?:away|out)\b"
    r"|\bkeep away\b"
    r"|\b(?:stay|steer|well) (?:away|clear)\b|\b(?:better|best|rather) not\b|\b(?:would|should)(?: not"
    r"|n't) (?:\w+ )?(?:do|try|"
    r"risk|recommend|put|eat|use|let|give|go)\b|\bnot (?:recommended|advisable|advised|a good idea)\b|\bbad idea\b"
    r"|\boff[- ]limits\b|\bout of the question\b|\bno chance\b|\bnothing of the sort\b|\bunfortunately not\b"
    r"|\bi(?:'m| am) afraid not\b|\bsadly not\b|\bnot (?:at all|anymore|yet|quite|exactly)\W*(?:$|[.;,:!])",
    re.I,
)
_ENCOURAGES = re.compile(
    r"\b(?:go ahead|feel free|no (?:problem|worries)|by all means|you bet|go for it|help yourself|without (?:any )?"
    r"(?:problems?|trouble|worr(?:y|ies))|(?:is|are|it's|that's|would be) (?:perfectly |totally |quite "
    r"|absolutely |just |all )?"
    r"(?:fine|ok|okay|all right|alright)|nothing to worry about)\b",
    re.I,
)


def advises(text: str) -> bool | None:
    """Yes or no by what a sentence advises ("keep it away from the cat", "go ahead"); None where it advises nothing."""
    warns, encourages = _WARNS.search(text) is not None, _ENCOURAGES.search(text) is not None
    return None if warns == encourages else encourages


_ADVISABLE = re.compile(r"\b(?:safe|can|could|should|may|ok|okay|fine|allowed|good|suitable|healthy)\b", re.I)


_TAIL = re.compile(
    r"\bso (?:yes|(?:it|he|she|they|you|that|this|there) (?:is|are|was|were|does|do|did|can|has|have"
    r"|will)( not)?|(no))\W*$",
    re.I,
)
_OVER = re.compile(
    r"\b(?:no longer|not any ?more|stopped|ceased|discontinued|replaced|ended|closed|dissolved|is gone|went out)\b",
    re.I,
)
_APART = re.compile(
    r"\bseparate(?:ly)?\b|\b(?:not|isn't|aren't) included\b|\b(?:costs?|is|are) extra\b|\bjust (?:an?|the)\b", re.I
)
_CONDITION = re.compile(
    r"^\W*(?:you|it|they|he|she|we|one) (?:can|could|may|should|might|will)"
    r"(?:,| if| as long as| provided| when| once| but)",
    re.I,
)
_MUST = re.compile(r"\b(?:need|needs|must|have to|has to|required?|requires|should|necessary|mandatory)\b", re.I)
_NEED_NOT = re.compile(
    r"\b(?:do|does)(?: not|n't) (?:have|need) to\b|\bno need\b|\bnot (?:needed|necessary|a must)\b", re.I
)


def implied(question: str, answer: str, first: str) -> bool | None:
    """Yes or no by the end of an answer ("…, so it is not"), by its first sentence's advice where the question asks
    for some, and by what that says is over or need not be; None where nothing is implied."""
    if _MUST.search(question) and _NEED_NOT.search(first):
        return False
    if tail := _TAIL.search(plain(answer)):
        return tail[1] is None and tail[2] is None
    if re.search(r"\bstill\b", question, re.I) and _OVER.search(answer):
        return False
    if re.search(r"\b(?:come|comes) with\b|\binclud|\bget\b", question, re.I) and _APART.search(answer):
        return False
    if _CONDITION.match(answer):
        return True
    return advises(first) if _ADVISABLE.search(question) else None
