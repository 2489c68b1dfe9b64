"""Roundabout ways to ask for a whole group or for a count, said plainly: "which others besides it are in the series?".

Each line is a way of speaking with the plain one for it; what is asked stays as it was.
"""

from __future__ import annotations

import re

from assistant.understanding.paraphrases.people import X as _X

_GROUP = r"(?P<group>(?:the|this|that|its|their|the same) (?:(?:whole|entire|complete|full|same) )?(?:[a-z]+ )?[a-z]+)"
_NO_PLACE = (
    r"(?!(?:the|this|that|its|their) (?:[a-z]+ )?(?:town|city|village|box|library|house|room|street|park|picture|"
    r"bag|jar|tin|"
    r"shop|museum)\b)"
)
_BESIDES = (
    r"(?:besides|apart from|other than|aside from|except(?: for)?|next to|beyond|in addition to|along with|beside)"
)
_END = r"\s*[?.!]*\s*$"
_LISTED = r"(?:listed|given|stated|named|recorded|noted|mentioned|specified|on record|there|indicated|set out)"
_COLLECTIVE = r"(?P<noun>series|set|range|group|line|collection|family|genus|fleet|edition|course|suite|class)"
_PLAINLY: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # "if I wanted to collect the entire series, which lamps besides this one would I still be missing"
        (
            rf"\b(?:if|to|when|suppose|say|for)\b[^,;:?]*? {_GROUP}[,;:]? (?:which|"
            rf"what) (?P<nouns>[a-z]+) {_BESIDES} {_X} "
            r"(?:would|do|will|should|could|am|are) (?:i|we|you|one) [^?]*?\b(?:missing|miss|need|lack|get|buy|"
            r"find|want|look)\b"
            rf"[^?]*{_END}",
            r"which other \g<nouns> besides \g<x> are in \g<group>?",
        ),
        # "that tower is part of a group, so what are the others in it", "it belongs to a series, what else is in that"
        (
            rf"^{_X} (?:(?:is|['’]s) (?:part|one|a member|a piece) of|belongs to|comes from) (?:an?|some) "
            rf"(?:\w+ )?{_COLLECTIVE}[,;:.–—-]? (?:so |and )?(?:what|which|who)(?: (?:are|is)(?: the)?|['’]s)? "
            r"(?:(?:all )?(?:other|rest)s?|else|members?)(?: (?:ones|members|[a-z]+s))?"
            rf"(?: (?:are|is|belongs?))?(?: (?:in|of|to|from) (?:it|that|there))?{_END}",
            r"which others besides \g<x> are in the \g<noun> of \g<x>?",
        ),
        # "what plants come in one series with the plant", "which are in one set with this"
        (
            r"(?:^|(?<=[,:;] )|(?<=know )|(?<=me ))(?:what|which)(?: other)?(?: (?:ones|(?!colours|sizes|materials|"
            r"prices)[a-z]+s|"
            r"fish|sheep))? "
            rf"(?:(?:come|comes|are|is|belong|belongs|stand|appear|go) (?:in|to|from) (?:one|the same|a single)|"
            rf"shares? (?:an?|one|the(?: same)?)) {_COLLECTIVE} (?:with|as) {_X}{_END}",
            r"which others besides \g<x> are in the \g<noun> of \g<x>?",
        ),
        # "apart from that one, which ones go in this range"
        (
            rf"^(?:\w+, )?(?:besides|apart from|other than|aside from|except(?: for)?|beyond|in addition to) {_X}, "
            r"(?:what|which)(?: ones?| others?| else)? (?:is|are|go(?:es)?|belongs?|comes?|stands?)(?: there)? "
            r"(?:in|of|from|into) (?P<group>(?:the|this|that|its|their|the same) (?:(?:whole|entire|complete|full|"
            r"same) )?"
            rf"(?:[a-z]+ )?{_COLLECTIVE}){_END}",
            r"which others besides \g<x> are in \g<group>?",
        ),
        # "this isn't the only one in its set, is it — which others are there"
        (
            rf"(?:(?<=^)|(?<=[,:;] )){_X} (?:isn['’]t|is not|can['’]t be|won['’]t be) the only (?:one|"
            rf"[a-z]+) (?:in|of|from) {_GROUP}"
            r"(?:,? (?:is|can|will) (?:it|he|she|this|that))?\s*[,;:?—–-]+\s*(?:so )?(?:which|what|"
            r"who)(?: are the)? others?"
            rf"(?: (?:ones|members))?(?: (?:are|is) there| belong(?:s)? to it)?{_END}",
            r"which others besides \g<x> are in \g<group>?",
        ),
        # "who are the siblings of this in that series"
        (
            rf"\b(?:who|what|which)(?: (?:or|and) (?:what|who))? (?:are|is) the (?:siblings?|companions?|"
            rf"fellows?|mates?|sisters?|"
            rf"brothers?|cousins?|counterparts?|fellow [a-z]+s?|stablemates?|relatives?) of {_X} (?:in|from|"
            rf"within|of) {_GROUP}{_END}",
            r"which others besides \g<x> are in \g<group>?",
        ),
        # "apart from this one what's in the range"
        (
            rf"^{_BESIDES} {_X},? what(?:['’]s| is| are| else is)(?: there)? (?:in|of|from) {_NO_PLACE}{_GROUP}{_END}",
            r"which others besides \g<x> are in \g<group>?",
        ),
        # "add up the prices of everything in that series, would you?"
        (
            r"\b(?:add|sum|tot|total|count|reckon) up (?:all )?(?:the |their |its )?(?P<what>[^,;:?.!]+?) (?:for|"
            r"of|across|over|from|in) "
            r"(?P<all>(?:everything|all|every[a-z]*|each|the (?:whole|entire|complete|full)|that|this|its|"
            r"their)\b[^,;:?.!]*?)"
            rf"(?:,? (?:would|will|could|can) you)?(?:,? please)?{_END}",
            r"what is the total \g<what> for \g<all>?",
        ),
        # "if I counted up the colours of this, how many would I get"
        (
            r"\b(?:if|when|suppose|say|were) (?:i|we|you|one|somebody) (?:(?:were|was) to )?(?:count(?:ed|s)?|"
            r"tall(?:y|ied)|number(?:ed)?) "
            rf"(?:up |out )?(?:all )?(?:the |its )?(?P<noun>[a-z]+(?: [a-z]+){{0,2}}) (?:of|on|in|at|for|"
            rf"from) {_X}, how many "
            r"(?:would|do|will|could|should|might) (?:i|we|you|one|that|it|there)\b[^?]*"
            rf"{_END}",
            r"how many \g<noun> does \g<x> have?",
        ),
        # "the number of colours given for this", "how many colours are listed for this"
        (
            r"\b(?:(?:what(?: is|['’]s)|(?:state|give|tell|name|say)(?: me)?) the (?:total |exact |full )?(?:number|"
            r"count) of|how many) (?P<noun>(?!of\b)[a-z]+(?: [a-z]+)?s) "
            rf"(?:(?:that|which) )?(?:are |were |is )?{_LISTED} for {_X}{_END}",
            r"how many \g<noun> does \g<x> have?",
        ),
    )
)


def groups_said(text: str) -> str:
    """The question said plainly; every other text as it is."""
    for pattern, plain in _PLAINLY:
        said, n = pattern.subn(plain, text, count=1)
        if n:
            return said
    return text
