"""Which extent of a thing a sentence gives: "23 metres wide" is no length, "from the foot to the top" is a height.

Of a boat, what lies below the waterline is its depth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.text.kinds import is_kind_word

_FIGURE = r"\d\s?(?:mm|cm|dm|m|km|ft|in|metres?|meters?|centimet(?:re|er)s?|millimet(?:re|er)s?|feet|foot|inch(?:es)?) "
_LABELS = r"^(?:[a-z]+ )?(?:{})(?: overall)?: "
_STATED = {
    "height": re.compile(
        rf"{_FIGURE}(?:tall|high|of height|in height)\b|\bheight(?: (?:is|of)\b|:)|"
        r"\bfrom (?:the |its )?(?:foot|ground|base|bottom|floor|paws?|hooves) to (?:the |its )?"
        r"(?:top|tip|head|shoulders?|roof|crown|withers)\b"
        r"|" + _LABELS.format("height"),
        re.IGNORECASE,
    ),
    "width": re.compile(
        rf"{_FIGURE}(?:wide|broad|of width|in width)\b|\bwidth(?: (?:is|of)\b|:)"
        r"|" + _LABELS.format("width|breadth|beam"),
        re.IGNORECASE,
    ),
    "length": re.compile(
        rf"{_FIGURE}(?:long|of length|in length)\b|\blength(?: (?:is|of)\b|:)|\bfrom end to end\b"
        r"|" + _LABELS.format("length|loa"),
        re.IGNORECASE,
    ),
    "depth": re.compile(
        rf"{_FIGURE}(?:deep|of depth|in depth|(?:below|under) (?:the )?water(?:line)?)\b|\bdepth(?: (?:is|of)\b|:)"
        r"|\bdraught\b|\bdraws \d|" + _LABELS.format("depth|draught|draft"),
        re.IGNORECASE,
    ),
    "span": re.compile(r"\bwing ?spans?\b|\b(?:wing )?tip to (?:wing )?tip\b", re.IGNORECASE),
    "seat": re.compile(r"\b(?:you|one|we|i) sits? (?:\w+ )?\d|\bsitting (?:\w+ )?\d", re.IGNORECASE),
    "diameter": re.compile(r"\bwheels? of \d|\bwheel (?:size|diameter)\b", re.IGNORECASE),
}
_ASKED = {
    "height": re.compile(r"\b(?:height|how (?:tall|high|low))\b", re.IGNORECASE),
    "width": re.compile(
        r"\b(?:width|beam|how (?:wide|broad|narrow)|how (?:far|many|much) .*\bacross|side to side)\b", re.IGNORECASE
    ),
    "length": re.compile(
        r"\b(?:its length|how long is (?:it|this|that))\b(?! [a-z]+(?:ed|en)\b)|\bend to end\b|\bbow to stern\b|"
        r"\b(?:paced?|pacing|walk(?:ed)?) (?:out )?(?:all )?(?:along|the length of) (?:it|this|that|the)\b",
        re.IGNORECASE,
    ),
    "span": re.compile(r"\bwing ?spans?\b|\btip to (?:wing )?tip\b|\bwings?\b|\bspread\b", re.IGNORECASE),
    "depth": re.compile(r"\b(?:depth|how (?:deep|shallow))\b", re.IGNORECASE),
    "seat": re.compile(r"\b(?:seats?|sit|sits|sitting)\b", re.IGNORECASE),
}


#: Parts of things that grow, live or are made, of which a measure may be asked.
_PART = (
    r"(?:leaf|leaves|blossoms?|flowers?|petals?|fruits?|berry|berries|cones?|roots?|stems?|trunk|twigs?|thorns?|seeds?|"
    r"tail|ears?|wings?|fins?|horns?|antlers?|beak|bill|legs?|arms?|neck|head|eyes?|paws?|feathers?|tusks?|"
    r"handle|blades?|wheels?|ty(?:re|re)s?|tires?|screen|display|lid|spout|cord|cable|lead|flex|straps?|brim|heels?|"
    r"soles?|sleeves?|collar|pockets?|drawers?|seat|doors?|windows?|spire|arch(?:es)?|span|mast|sails?|keel|antenna|"
    r"aerial|grip|shaft|strings?|hands?|dial|pendulum|basin|nozzle|hose|burner|shade|bulb|"
    r"roof|steeple|dome|porch|nave|altar|gate|balcony|staircase|stairs|railings?|pillars?|statue|jet|"
    r"funnel|rudder|anchor|engine|bonnet|bumper|roof ?rack|saddle|laces?|tongue|buckle|lining|hem|ribbon|clasp)"
)
_SIZE = r"(?:size|length|width|height|depth|diameter|thickness|breadth|span|weight)"
_OF_A_PART = re.compile(
    rf"\b(?P<a>{_PART}) {_SIZE}\b|\b{_SIZE} of (?:the|its|their|an?|one|each) (?:single |\w+ )?(?P<b>{_PART})\b"
    rf"|\bhow (?:big|large|long|wide|broad|tall|high|thick|deep|heavy) (?:is|are|does|do|can|will|would|get) "
    rf"(?:the|its|their|an?|one|each) (?:single )?(?P<c>{_PART})\b(?! of the one\b)",
    re.IGNORECASE,
)
_ANY_PART = re.compile(rf"\b{_PART}\b", re.IGNORECASE)
#: A measure said of nothing but the thing.
_OF_THE_WHOLE = re.compile(
    r"^(?:overall |total |max(?:imum)? |full |adult |body |standing )?(?:height|length|width|size|depth|weight|mass|"
    r"diameter|dimensions?|grows? to)(?: [a-z]{1,2})?:"
    r"|\b(?:it|they) (?:is|are|grows?|gets?|stands?|measures?|weighs?|reach(?:es)?|rises?|towers?|comes?) "
    r"(?:about |up to |to |roughly |some |an? (?:full )?(?:height|length|width|weight) of )*\d"
    r"|\d ?(?:m|cm|metres|meters|centimetres|feet) of (?:height|length|width)\b",
    re.IGNORECASE,
)


#: "what's the roof made of", "material of the lid".
_MADE_OF_PART = re.compile(
    rf"\bwhat(?:['’]s| is| are|['’]re) (?:the|its|their) (?P<a>{_PART}) (?:made|built|woven|cut|carved|formed|cast)\b"
    rf"|\b(?:materials?|fabric) (?:of|is|are) (?:the|its|their) (?P<b>{_PART})\b"
    rf"|\bwhat(?:['’]s| is| are) (?:the|its|their) (?P<c>{_PART}) (?:of|from)\b",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"^(?:main |building |outer )?(?:materials?|built of|made (?:of|from)|composition|fibres|fabric)s?:"
    r"|\b(?:made|built|consists?|consisting|constructed) (?:up )?(?:of|from|out of)\b|\bmaterials? (?:is|are)\b"
    r"|^(?:it|they) (?:is|are) (?:all )?[a-z ]+(?:, [a-z ]+)*(?: and [a-z ]+)?\b",
    re.IGNORECASE,
)
#: Words for one and the same part.
_ALIKE = (
    {"cord", "cable", "lead", "flex", "hose"},
    {"beak", "bill"},
    {"screen", "display", "dial"},
    {"handle", "grip", "shaft", "strap", "straps"},
    {"wheel", "wheels", "tyre", "tyres", "tire", "tires"},
    {"blossom", "blossoms", "flower", "flowers", "petal", "petals"},
    {"fruit", "fruits", "berry", "berries", "cone", "cones", "seed", "seeds"},
    {"leaf", "leaves"},
    {"trunk", "stem", "stems"},
    {"tail", "fin", "fins"},
    {"sail", "sails", "mast"},
)
#: "what does a new lid cost", "price of the handle": of a part that is bought by itself.
_PRICE_OF_A_PART = re.compile(
    rf"\b(?:what|how much) (?:does|do|is|are|would|for) (?:the|its|an?|one|another)(?: (?:new|spare|extra|second))? "
    rf"(?P<a>{_PART})(?: alone| itself)?(?: cost| be)?\W*$"
    rf"|\b(?:price|cost) (?:of|for) (?:the|its|an?|one|another)(?: (?:new|spare|extra|second))? (?P<b>{_PART})\W*$",
    re.IGNORECASE,
)
_SUM = re.compile(r"[€$£]|\b(?:euros?|eur|dollars?|usd|pounds?|gbp|price|costs?|rrp|msrp)\b", re.IGNORECASE)


def of_the_whole(text: str, question: str) -> bool:
    """Whether a measure or the price of a part is asked ("leaf size"), and the text states one of the whole thing, or
    of another part.
    """
    made = _MADE_OF_PART.search(question)
    if made is not None:
        part = next(p for p in made.groups() if p).lower()
        return not is_kind_word(part) and _MATERIAL.search(text) is not None and not _ANY_PART.search(text)
    m = _OF_A_PART.search(question)
    if m is None:
        priced = _PRICE_OF_A_PART.search(question)
        part = (priced["a"] or priced["b"]).lower() if priced else ""
        if not part or is_kind_word(part):  # a flower may be all there is
            return False
        return bool(_SUM.search(text) and not _ANY_PART.search(text))
    part = next(p for p in m.groups() if p).lower()
    same = next((group for group in _ALIKE if part in group), {part, part.removesuffix("s"), f"{part}s"})
    told = {p.lower() for p in _ANY_PART.findall(text)}
    return not told & same if told else _OF_THE_WHOLE.search(text) is not None


def of_another_side(text: str, questions: Sequence[str]) -> bool:
    """Whether the text states extents, none of them one that the questions ask for."""
    asked = {side for side, said in _ASKED.items() if any(said.search(q) for q in questions)}
    stated = {side for side, said in _STATED.items() if said.search(text)} if asked else set()
    return bool(stated) and not stated & asked
