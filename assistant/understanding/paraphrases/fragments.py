"""Questions cut short, or with the question word behind, said as whole questions.

"Listed or not, this barn?" asks whether it is listed, "built where, this one?" where it was built, "latest overhaul of
the organ?" when it was last overhauled. English grammar only; what is asked stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.text.english import is_plural
from assistant.text.kinds import is_kind_word

#: Where a question may begin: first, behind a comma, or behind a word that only opens it.
_START = r"(?:^|(?<=[,;:.!?] )|(?<=^so )|(?<=^and )|(?<=^um )|(?<=^ok )|(?<=^well )|(?<=^also ))"
_X = r"(?P<x>[^,;:?.!]+?)"
_END = r"(?=\s*(?:[,;:?.!]|$))"
_LAST = r"(?=\s*[?.!]*$)"
#: What a bare noun phrase is of: no clause of its own.
_BARE = (
    r"(?P<x>(?:(?!\b(?:is|was|are|were|has|have|had|do|does|did|can|will|which|what|who|whom|where|when|how)\b)"
    r"[^,;:?.!])+?)"
)
#: What is pointed at.
_THIS = r"(?P<x>(?:it|this|that|these|those|they)(?: one)?|(?:this|that|these|those|the|its) [^,;:?.!]+?)"
_PAST = (
    r"(?P<done>[a-z]{2,}ed|made|built|born|written|drawn|sold|kept|held|bred|grown|sewn|found|shot|laid|bought|woven|"
    r"cut|put together|hewn|spun|cast|bound|blown|dug|sung|shown|taken|won)"
)
_WHEN_WHERE = r"(?P<wh>where|when|by whom|how|by which [a-z]+|(?:in|from) (?:what|which) [a-z]+)"
#: Where something is, not where it was done.
_STILL = frozenset(("kept", "held", "stored", "moored", "based", "located", "displayed", "shown", "sold", "housed"))
#: The past tense of participles that do not end alike.
_PAST_OF = {
    w: w for w in ("made", "built", "bred", "sold", "found", "bought", "cut", "put together", "kept", "held")
} | {
    "drawn": "drew",
    "written": "wrote",
    "grown": "grew",
    "woven": "wove",
    "shot": "shot",
    "sung": "sang",
}
_DEEDS = {
    "renovation": "renovated",
    "restoration": "restored",
    "repair": "repaired",
    "overhaul": "overhauled",
    "refurbishment": "refurbished",
    "modernisation": "modernised",
    "modernization": "modernised",
    "inspection": "inspected",
    "revision": "revised",
    "servicing": "serviced",
    "repainting": "repainted",
    "cleaning": "cleaned",
    "rebuilding": "rebuilt",
    "update": "updated",
}
_DOERS = {
    "describer": "described",
    "discoverer": "discovered",
    "finder": "found",
    "raiser": "raised",
    "carver": "carved",
    "engraver": "engraved",
    "translator": "translated",
    "illustrator": "illustrated",
    "patron": "sponsors",
    "benefactor": "sponsors",
    "backer": "sponsors",
}
_HOW = r"long|high|tall|wide|broad|deep|heavy|old|big|large|fast|thick|far"
_DOES = r"weighs|costs|holds|takes|has|lasts|carries|needs|eats|drinks|uses|gives|contains|seats"
_NUMBER = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|a dozen)"
_PLACES = r"town|city|village|place|region|country|island|street|shop|house|firm|company|workshop|garden"
_FINITE = r"is|was|comes|came|runs|ran|belongs|goes|went|has|had|stands|stood|lives|sails|got"


def _be(x: str) -> str:
    return "are" if re.match(r"(?:these|those|they)\b", x, re.IGNORECASE) or is_plural(x.split()[-1]) else "is"


def _whether(m: re.Match[str]) -> str:
    """ "sold or not, that barn": is it."""
    return f"{_be(m['x'])} {m['x']} {m['a']}"


def _done(m: re.Match[str]) -> str:
    """ "built where, this one": where was it built; "it was built by whom": who built it."""
    be, wh, done = m.groupdict().get("be") or "", m["wh"], m["done"].lower()
    if not be:
        be = _be(m["x"])
        be = be if done in _STILL else {"is": "was", "are": "were"}[be]
    past = done if done.endswith("ed") else _PAST_OF.get(done, "")
    if past and be.startswith("w") and wh.lower().startswith("by wh"):
        return f"{'who' if wh.lower() == 'by whom' else wh[3:]} {past} {m['x']}"
    return f"{wh} {be} {m['x']} {done}"


def _how(m: re.Match[str]) -> str:
    """ "the organ, how heavy": how heavy is it."""
    return f"how {m['how']} {m['be'] or _be(m['x'])} {m['x']}"


def _how_much(m: re.Match[str]) -> str:
    """ "it takes how much oil": how much oil does it take."""
    verb = {"has": "have", "carries": "carry"}.get(m["verb"].lower(), m["verb"].removesuffix("s"))
    return f"how {m['how']}{m['of'] or ''} does {m['x']} {verb}"


def _last_done(m: re.Match[str]) -> str:
    """ "latest repair of the roof": when was it last repaired."""
    return f"when was {m['x']} last {_DEEDS[m['deed'].lower()]}"


def _who_did(m: re.Match[str]) -> str:
    return f"who {'first ' if m['first'] else ''}{_DOERS[m['doer'].lower()]} {m['x']}"


_NO_STATE = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|must|have|has|had|whether|if|believe|like|"
    r"ready|why|what|which|who|how|when|where|i|we|you|they|it|he|she|right|true|yes|sure|more|one|now|today|"
    r"this|that|the)"
)
_CUT: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), whole)
    for pattern, whole in (
        # "listed or not, this barn", "this barn, listed or not"
        (rf"{_START}(?!{_NO_STATE}\b)(?P<a>[a-z-]+(?: [a-z-]+)?) or not(?: (?P=a))?, {_THIS}{_LAST}", _whether),
        (rf"{_START}{_THIS}, (?!{_NO_STATE}\b)(?P<a>[a-z-]+(?: [a-z-]+)?) or not{_LAST}", _whether),
        # "built where, this one", "that barn was built when"
        (rf"{_START}{_PAST} {_WHEN_WHERE},? {_THIS}{_LAST}", _done),
        (rf"{_START}{_THIS}(?:,| (?P<be>is|was|are|were)) {_PAST} {_WHEN_WHERE}{_LAST}", _done),
        # "how old is the barn, built when"
        (
            rf"\bhow old (?:is|are|was|were) {_X}, (?:and )?{_PAST} (?P<wh>when|in (?:what|which) year){_LAST}",
            _done,
        ),
        # "this one is how long", "the organ, how heavy", "it takes how much oil"
        (rf"{_START}{_THIS}(?:,| (?P<be>is|was|are|were)) how (?P<how>{_HOW}){_LAST}", _how),
        (
            rf"{_START}{_THIS} (?P<verb>{_DOES}) how (?P<how>much|many|long)(?P<of> [a-z]+)?{_LAST}",
            _how_much,
        ),
        # "latest overhaul of the organ"
        (
            rf"{_START}(?:(?:what(?:['’]s| is| was) )?(?:the )?(?:date|year) of )?(?:the |its )?"
            rf"(?:last|latest|most recent)(?: (?:major|big|full|general|complete))? "
            rf"(?P<deed>{'|'.join(_DEEDS)}) (?:of|on|to) {_BARE}{_LAST}",
            _last_done,
        ),
        # "first describer of the moth", "patron of this breed"
        (
            rf"{_START}(?:who(?: is| was|['’]s) )?(?:the )?(?P<first>first |original )?(?P<doer>{'|'.join(_DOERS)}) "
            rf"(?:of|for) {_BARE}{_LAST}",
            _who_did,
        ),
        # "stock of this one right now", "how many pieces of it does the shop still have"
        (
            rf"{_START}(?:(?:what(?:['’]s| is) )?the )?(?:current |present )?stock (?:of|for) {_BARE}"
            r"(?: (?:right now|just now|now|today|currently|at (?:the|this) moment|at present|this (?:very )?moment))?"
            rf"{_LAST}",
            r"how many of \g<x> are in stock right now",
        ),
        (
            rf"\bhow many(?: (?:pieces|copies|examples|specimens|units))? of {_X} (?:does|do) "
            r"(?:the|this|that|your|their) (?:[a-z]+ )?(?:shop|store|dealer|seller|warehouse)s? "
            r"(?:still |currently )?"
            rf"(?:have|stock|keep|hold)(?: (?:left|in stock|to sell))*{_END}",
            r"how many of \g<x> are in stock right now",
        ),
        # "if I put it on the scales, what would they show"
        (
            rf"\bif (?:i|we|you|one|somebody) (?:put|set|lay|laid|placed?|stood|stand) {_X} (?:on|onto|in) "
            r"(?:a|the|my|our|some)(?: pair of)?(?: [a-z]+)? scales?, what (?:would|do|does|will) "
            rf"(?:it|they|the scales?|that) (?:show|say|read|display|tell(?: me)?){_END}",
            r"how much does \g<x> weigh",
        ),
        # "to see the first one, where do I go"
        (
            rf"\b(?:in order to|to|if (?:i|we) want(?:ed)? to) (?:see|admire|look at) {_X}, "
            r"where (?:do|must|should|would|can|could|shall) (?:i|we|you|one) (?:have to )?"
            rf"(?:go|look|turn|travel)(?: to)?{_END}",
            r"where is \g<x>",
        ),
        # "current home of whoever drew it, which town"
        (
            r"(?:\bwhat(?:['’]s| is) )?\b(?:the )?(?:current|present) (?:home|address|residence) of "
            r"(?P<x>(?:whoever|(?:the|its) (?:person|man|woman|one) (?:who|that)|(?:the|its) [a-z]{2,}(?:er|or|ist))\b"
            rf"[^,;:?.!]*?)(?:, (?:in )?(?:what|which) (?P<n>town|city|village|place|country))?{_LAST}",
            r"where does \g<x> live now",
        ),
        # "what year did they start selling it"
        (
            r"\b(?:when|(?:in )?(?:what|which) year|since when) (?:did|have|has) (?:they|the (?:maker|firm|company)) "
            rf"(?:start(?:ed)?|beg[aiu]n|been)(?: to)? sell(?:ing)? {_X}{_END}",
            lambda m: f"when {'were' if _be(m['x']) == 'are' else 'was'} {m['x']} introduced",
        ),
        # "where does this boat tie up"
        (
            rf"\bwhere (?:does|do) {_X} (?:tie up|moor|berth|dock|drop anchor)"
            r"(?P<rest> (?:in|over|for|during) [a-z ]+)?"
            rf"(?:, (?:in |at )?(?:what|which) (?:town|city|village|place|port|harbou?r))?{_LAST}",
            lambda m: f"where {_be(m['x'])} {m['x']} moored{m['rest'] or ''}",
        ),
        # "which outfit turns it out"
        (
            r"\b(?P<who>(?:what|which) (?:firm|company|outfit|business|brand|house|enterprise)|who) turns? out "
            rf"(?P<x>(?:it|this|that|these|those)(?: one| [a-z]+)?|the [^,;:?.!]+?){_LAST}",
            r"\g<who> makes \g<x>",
        ),
        # "I only buy fair trade, can I take this"
        (
            r"\bi (?:only|just) (?:ever )?(?:buy|eat|drink|use|take|wear|get|want) "
            r"(?P<a>organic|bio|fair ?trade|kosher|halal|local|regional|seasonal|recycled|hand-?made|[a-z]+-free)"
            r"(?: (?:things?|food|stuff|products|ones|goods|clothes))?,? (?:so )?(?:can|may|could|should|would) i "
            rf"(?:take|buy|have|get|eat|drink|use|wear) {_THIS}{_LAST}",
            _whether,
        ),
        # "time for making the wreath"
        (
            rf"{_START}(?:the )?(?:(?:total|whole|working) )?time (?:for|needed for|of|spent) "
            r"(?P<x>[a-z]+ing [^,;:?.!]+?)"
            rf"(?:,? (?:all in all|in total|altogether|all together|please))*{_LAST}",
            r"how long does \g<x> take",
        ),
        # "is there a pump in the box of this ball", "does one get a pump with this ball"
        (
            r"\b(?:is|are) there (?P<what>[^,;:?.!]+?) (?:in|inside) the (?:box|package|pack|packaging|kit|parcel) "
            rf"(?:of|with|for) {_THIS}{_LAST}",
            r"does \g<x> come with \g<what>",
        ),
        (
            r"\bdoes the (?:box|package|pack|packaging|kit|parcel) (?:of|with|for) "
            r"(?P<x>(?:it|this|that|these|those)(?: one)?|(?:this|that|these|those|the|its) [^,;:?.!]+?) "
            rf"(?:contain|include|hold|have) (?P<what>[^,;:?.!]+?)(?: (?:in|inside)(?: it)?)?{_LAST}",
            r"does \g<x> come with \g<what>",
        ),
        (
            r"\b(?:does one|do you|do i|do we|can one|can i|can we|will i|would i|do people|do buyers) (?:also )?get "
            rf"(?P<what>(?:an? |the |any |some )?(?!(?:it|that|this|them|one|on|by|along)\b)[a-z]+(?: [a-z]+){{0,2}}?) "
            rf"(?:together )?with {_THIS}"
            rf"(?: in the (?:box|package|pack|parcel))?{_LAST}",
            r"does \g<x> come with \g<what>",
        ),
        # "4 nights in the hut, how much"
        (
            rf"{_START}(?P<x>{_NUMBER} (?!of it\b)[a-z][^,;:?.!]+?), how much"
            rf"(?: (?:is|are|would|will) (?:that|it|they|those)(?: be| cost| come to)?)?{_LAST}",
            r"how much are \g<x>",
        ),
    )
)
#: "the town that hat was made in", "the year that hat came out": "that" points, it begins no clause.
_THAT_THING = re.compile(
    rf"\b(?P<n>the (?P<noun>[a-z]+)) that (?P<x>(?!(?:it|they|he|she|we|i|you|this|the|now|once|"
    rf"still|first|later|then|also|who|one|always|never|usually|today)\b)[a-z]+(?<!ly)) (?P<verb>{_FINITE})\b",
    re.IGNORECASE,
)
_TOWN_OR_FIRM = re.compile(rf"(?:{_PLACES}|person|man|woman)", re.IGNORECASE)


def _this_thing(m: re.Match[str]) -> str:
    points = _TOWN_OR_FIRM.fullmatch(m["noun"]) or is_kind_word(m["x"].lower())
    return f"{m['n']} this {m['x']} {m['verb']}" if points else m[0]


def cut_short(text: str) -> str:
    """The whole question for one that was cut short or turned round; every other question as it is."""
    text = _THAT_THING.sub(_this_thing, text)
    for pattern, whole in _CUT:
        text, n = pattern.subn(whole, text, count=1)
        if n:
            break
    return text
