"""What notices and cards say without naming it: why a road is closed and for how long, what got lost, somebody's trade.

Reads what such texts have in common (a reason behind a colon, "from … until …", a headline over what is missing, a line
on a card that is neither name nor address). What is read is quoted, never followed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.reading.signs.layout import boxes
from assistant.reading.signs.opening_hours import Found
from assistant.text.english import content_stems, shared
from assistant.text.values import find_dates
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.relation_phrases import split_hops
from assistant.understanding.roles import role_asked

Line = tuple[str, tuple[str, ...], float]
_WHY = re.compile(
    r"\b(?:why|what for|how come|for (?:what|which) (?:kind of |sort of )?(?:reason|cause|purpose|works?|job)"
    # "what did they close it for"
    r"|what (?:is|are|was|were|did|do|have|has)\b.*\b(?:clos(?:ed?|ing)|shut|block(?:ed|ing)?|bar(?:red)?|dig(?:ging)?|"
    r"dug|cancel(?:l?ed)?)\b.*\bfor(?=\W*$)"
    r"|(?:because|on account) of (?:what|which)|(?:due|owing|thanks) to (?:what|which)"
    r"|(?:what|which)(?:['’]s| is| was| are)? (?:the |its )?(?:reason|cause|occasion)"
    # "what are they working on there", "which job are the workers busy with"
    r"|(?:what|which)\b(?: \w+){0,2} (?:are|were) (?:they|the (?:workers|workmen|workforce|men|people|crew)) "
    r"(?:\w+ )?(?:doing|working (?:on|at)|busy (?:with|doing)|up to|repairing|building)"
    r"|(?:what|which) (?:kind of |sort of )?works? (?:is|are|is being|are being) (?:this|it|that|done|"
    r"going on|carried out))\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"^(?:the )?(?:reason|cause|because of|due to|owing to|on account of|occasion)\s*[:–—-]?\s+(?P<value>[^:]{3,})$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|since|starting|starts|begins?|beginning|as of)\b", re.IGNORECASE)
#: "to 5 May", and not "to let from 1 May".
_UNTIL = re.compile(r"\b(?:until|till|through|ending|ends|to(?= (?:the )?(?:\d|(?-i:[A-Z]))))\b", re.IGNORECASE)
_END = re.compile(
    r"\b(?:the end|ends?|ending|finish(?:es|ed)?|over|until|till|up to|(?:last|final) day|expires?|runs? out)\b", re.I
)
_BEGIN = re.compile(
    r"\b(?:the (?:start|beginning)|starts?|starting|begins?|beginning|from when|since when|first day|commences?)\b",
    re.I,
)
_DAY = re.compile(r"^(?:what(?:['’]s| is) )?the (?:first|last|final) day\b", re.IGNORECASE)
_HOW_LONG = re.compile(r"\bhow (?:long|many (?P<unit>days|nights|weeks))\b", re.IGNORECASE)
#: Words of "for how many days is the road closed" that say nothing but how long it lasts.
_LASTING = content_stems(
    "how long many days nights weeks last lasts lasting go on be is this that it thing closed closure shut blocked "
    "open run runs running valid there stay stays altogether total in all whole take takes place going road street "
    "count counts counted counting including included inclusive both ends end first last day "
    "sign notice board poster apply applies applying force effect hold holds valid works work"
)
_LOST = re.compile(r"^\W*(?:lost|missing|have you seen|wanted|stolen)\b[^a-z]*$", re.IGNORECASE)
_SOUGHT = re.compile(
    r"\bwh(?:at|o|om)\b.*\b(?:look(?:ing)? (?:out )?for|keep(?:ing)? an eye (?:out )?(?:for|on|open for)"
    r"|search(?:ing)? for|watch(?:ing)? (?:out )?for)\W*$"
    r"|\bwh(?:at|o)(?:['’]s| is| was| has| have| did)?\b.*\b(?:missing|lost|lose|gone|disappeared|ran away|run away)\b",
    re.IGNORECASE,
)
_BY_ORDER = re.compile(
    r"\b(?:(?:by|on|at) whose (?:orders?|command|authority|behest|request)|on behalf of whom"
    r"|in (?:whose|what|which) name|who (?:is|['’]s) behind (?:it|this|that)|who (?:says|orders|"
    r"ordered|wants|forbids|forbade|decided|decides) (?:so|it|this|that)|who (?:put|set|hung|nailed) (?:it|this|that|"
    r"(?:this|that|the) (?:sign|notice|board|plate|poster))(?: up| here| there)*|whose (?:sign|notice|board|order|"
    r"property|land|rule) (?:is|are) (?:it|this|that)"
    r"|(?:what|which) (?:authority|office|body|department) (?:is|put|set|says|issued|has|signed)\b)",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"(?:the )?(?:[A-Z][\w'’.&-]+ (?:of |and |& |for |the )*){0,5}(?:Office|Council|Authority|Department|Board|"
    r"Ministry|Police|Administration|Association|Society|Club|Committee|Trust|Agency|Commission|Company|Ltd\.?|"
    r"Management|"
    r"(?:Water|Gas|Steel|Iron)?[Ww]orks|Railways?|Tramways?|Forestry|Parks|Estates?|Services?|Brigade|Port|Harbour|"
    r"Utilities|Union|Federation|Foundation|Corporation|Parish|University|School|Hospital|Museum)"
    r"(?: of(?: [A-Z][\w'’-]+)+)?\W*$"
)
_TRADE = re.compile(
    r"\b(?:lines? of (?:work|business)|professions?|occupations?|jobs?|trade|for a living|vocation|job title"
    r"|(?:do|does|is|are|did) (?:they|he|she|(?:this|that|the) (?:person|man|woman|lady|guy)) (?:\w+ )?"
    r"(?:do|work as|by (?:trade|profession)))\b",
    re.IGNORECASE,
)
MAIL = re.compile(r"\S+@\S+")
#: A card says little.
_CARD_LINES = 8


def on_notice(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    """The line that says why, what is sought or what somebody does: (text, evidence ids, probability)."""
    for read in (_reason, _sought, _trade, _authority, _bound):
        if (found := read(asked, lines)) is not None:
            return found
    return None


def _bound(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    """The first or the last day of what goes on from one day until another: "the end of it, what date?"."""
    dated = asked.expected.kind == "date" or _DAY.search(asked.core)
    if asked.operation not in ("lookup", "superlative") or not dated:
        return None
    ends, begins = _END.search(asked.core), _BEGIN.search(asked.core)
    found = bound(lines, ends is not None)
    if bool(ends) == bool(begins) or len(found) != 1:
        return None
    return found[0][0], (found[0][1].id,), 0.8


def bound(lines: Sequence[Evidence], ends: bool) -> list[tuple[str, Evidence]]:
    """The dates of lines that say until when something goes on, or from when."""
    said = _UNTIL if ends else _FROM
    return [(d.text, e) for e in lines if said.match(e.text.strip()) for d in find_dates(e.text) if d.day]


def _reason(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    found = reason(lines) if _WHY.search(asked.core) else None
    return (found[0], (found[1].id,), 0.9) if found else None


def reason(lines: Sequence[Evidence]) -> tuple[str, Evidence] | None:
    """What stands behind "Reason:"."""
    found = [(m["value"], e) for e in lines if (m := _REASON.match(e.text.strip()))]
    return found[0] if len(found) == 1 else None


def lasting(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Found | None:
    """How long it is from the first day to the last, both of them counted."""
    asks = _HOW_LONG.search(asked.core)
    if not asks or asked.operation not in ("lookup", "sum"):  # "in total" adds nothing up here
        return None
    written = content_stems(" ".join(e.text for e in lines))
    rest = content_stems(asked.core) - _LASTING
    if rest and shared(rest, written) < len(rest):
        return None  # how long something else takes
    return span_of_days(lines, (asks["unit"] or "days").lower())


def span_of_days(lines: Sequence[Evidence], unit: str) -> Found | None:
    """From the one day to the other that are given, both counted, in days, nights or weeks."""
    days = [(d.first_day, d.text, e) for e in lines for d in find_dates(e.text) if d.day]
    if len(days) != 2:
        return None
    (first, _, begins), (last, _, ends) = sorted(days, key=lambda d: d[0])
    if first == last or not _FROM.search(begins.text) or not _UNTIL.search(ends.text):
        return None
    number = (last - first).days + 1
    if unit == "nights":
        number -= 1
    if unit == "weeks":
        if number % 7:
            return None
        number //= 7
    unit = unit.removesuffix("s") if number == 1 else unit
    dated = begins.text if begins is ends else f"{begins.text} {ends.text}"
    return Found(f"{number} {unit}: {dated}.", tuple(dict.fromkeys((begins.id, ends.id))))


def _authority(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    """The one line that names an office, a council, a club."""
    found = office(lines) if _BY_ORDER.search(asked.core) else None
    return (found[0], (found[1].id,), 0.8) if found else None


def office(lines: Sequence[Evidence]) -> tuple[str, Evidence] | None:
    """The one line that names an office, a council, a club."""
    found = [e for e in lines if _OFFICE.match(e.text.strip())]
    return (found[0].text, found[0]) if len(found) == 1 else None


def _sought(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    """The line below the headline "LOST"."""
    found = lost(lines) if _SOUGHT.search(asked.core) else None
    return (found[0], (found[1].id,), 0.8) if found else None


def lost(lines: Sequence[Evidence]) -> tuple[str, Evidence] | None:
    """The line below the headline "LOST"."""
    heads = [i for i, e in enumerate(lines) if _LOST.match(e.text)]
    if len(heads) != 1 or heads[0] + 1 >= len(lines):
        return None
    below = lines[heads[0] + 1]
    return (below.text, below) if re.fullmatch(r"[^\d@:]{3,}", below.text) else None


def _trade(asked: ParsedQuestion, lines: Sequence[Evidence]) -> Line | None:
    """The one line of a card that is no name, no address and no number."""
    if not _TRADE.search(asked.core):
        return None
    if role_asked([h.phrase for h in split_hops(asked.core) if not re.search(r"\b(?:person|card)\b", h.phrase)]):
        return None  # "what is its designer's job": of somebody who is not on the card
    found = trade(lines)
    return (found[0], (found[1].id,), 0.7) if found else None


def trade(lines: Sequence[Evidence]) -> tuple[str, Evidence] | None:
    """The one line of a card that is no name, no address and no number."""
    if len(lines) > _CARD_LINES or not any(MAIL.search(e.text) for e in lines):
        return None
    worded = [e for e in lines if re.fullmatch(r"[^\W\d][^\d@:/]{2,}", e.text)]
    place = boxes(lines)
    heights = {e.id: place[e.id][3] - place[e.id][1] for e in worded if e.id in place}
    if len(worded) != 2 or len(heights) != 2:
        return None
    name, below = sorted(worded, key=lambda e: place[e.id][1])
    return (below.text, below) if heights[name.id] >= heights[below.id] else None
