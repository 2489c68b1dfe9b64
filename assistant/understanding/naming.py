"""Questions that want nothing but a thing's name: "what is this called?", "identify the hat on the left, please".

The words that point at the thing ("this tower", "the one on the left", "the game next to it") are first made one word;
what is left is one of few English ways to ask for a name. "The maker", "its author" point at another thing.
"""

from __future__ import annotations

import re

from assistant.text.colour_words import WORDS as COLOURS
from assistant.text.english import content_stems
from assistant.text.kind_words import KINDS, Kind
from assistant.understanding.pointing.phrases import BEHIND
from assistant.understanding.roles import is_somebody_or_firm, role_asked

_SIDES = (
    r"left|right|top|bottom|front|back|middle|centre|center|far left|far right|left[- ]hand side|right[- ]hand side|"
    r"table|shelf|wall|ground|floor|picture|photo|image|frame|(?:window ?)?sill|window|desk|counter|rack|hook|bench|"
    r"chair|stand|stool|bed|street|road|square|field|meadow|lawn|grass|garden|yard|water|roof|fence|branch|tree|"
    r"pot|vase|"
    r"tray|plate|stall|display|corner|door|hill|river|cage|bowl|worktop|stove|hob"
)
#: Where something is in view.
_PLACED = (
    rf"(?:,?\s+(?:(?:right |over |up |down |just )?(?:here|there)|(?:right |straight )?in front of (?:me|us)|before me|"
    rf"(?:on|to|at|in|by|near|beside|under|behind|next to) (?:the|my) "
    rf"(?:{_SIDES})(?: of (?:it|that|this|me|the (?:picture|photo|image|frame)))?|"
    r"(?:right )?(?:next to|beside|behind|above|below|under|by|near) (?:it|that|this|them|me)|"
    r"(?:that |which )?(?:i(?:['’]m| am)|we(?:['’]re| are)) (?:holding|looking at|seeing|facing|pointing at|"
    r"standing (?:by|at|before|in front of))|(?:that |which )?(?:i|we) (?:see|hold|have) here|"
    r"in (?:my|the) hands?|in view|itself))"
)
_OPENS_PLACE = (
    r"right|over|up|down|just|here|there|straight|in|on|to|at|next|beside|behind|above|below|under|by|near|before|that|"
    r"which|i|we|itself|of|from|for|with|and|or|than|is|are|was|were|called|named|have|has|bear|bears|carry|carries|go|"
    r"goes|does|do|please|per|each|apiece|together|altogether|be|might|could|who|made|sold|known|worth|like|about|doing|used|good|so|as|not"
)
_NOUN = rf"(?:(?!(?:{_OPENS_PLACE})\b)[a-z][\w-]*)"
_SIDED = (
    r"(?:(?:left|right|front|back|upper|lower|middle|other|big|bigger|small|smaller|large|larger)(?:most|[- ]hand)?|"
    rf"(?:(?:light|dark|pale|bright|deep)[- ])?(?:{'|'.join(COLOURS)}))"
)


def _words_for(*kinds: Kind) -> str:
    """Everyday words for things of the kinds, as alternatives of a pattern."""
    words = {w for k in kinds for group in (KINDS[k].general, *KINDS[k].sorts) for w in group}
    return "|".join(sorted(map(re.escape, words), key=lambda w: (-len(w), w)))


#: What kind of car or rose it is, is its name; what kind of bridge or box it is, is not.
_NAMED_BY_KIND = _words_for("plant", "animal", "vehicle")
#: What is asked about a place and is no thing there: "what's the fine here?"
_ABSTRACT = (
    r"fine|fee|price|cost|charge|fare|toll|rate|limit|reward|penalty|discount|deal|rule|law|weather|temperature|"
    r"altitude|"
    r"elevation|population|distance|address|number|code|password|language|currency|year|date|problem|matter|reason|"
    r"purpose|occasion|occupation|job|age"
)
#: Who holds an office is nobody in view: "who is the mayor there?"
_OFFICES = (
    r"mayor(?:ess)?|president|governor|minister|bishop|vicar|priest|chair(?:man|woman|person)|head(?:master|mistress)?|"
    r"principal|director|manager|boss|chief|landlord|landlady"
)
#: What points at a thing in view: with "this" a noun alone, with "the" a word for a thing, a place or a side.
_POINTED = re.compile(
    r"\b(?:this|that|these|those)(?! (?:very )?(?:moment|minute|second|instant|time|day|week|month|year)\b)"
    r"(?: (?:kind|sort|type|make|model|breed|variety|species|brand) of)?"
    rf"(?: {_NOUN}){{0,3}}{_PLACED}*(?!\w)"
    rf"|\bthe (?:{_SIDED})(?: {_NOUN}){{0,2}}{_PLACED}*(?!\w)"
    rf"|\bthe (?!(?:\w+ )?(?:{BEHIND}|{_ABSTRACT}|{_OFFICES})\b)(?:{_NOUN} ){{0,2}}{_NOUN}{_PLACED}+(?!\w)"
    rf"|\bthe (?!(?:\w+ )?(?:{BEHIND})\b)(?:{_NOUN} )?(?:{_words_for(*KINDS)}){_PLACED}*"
    rf"(?!['’\w]| (?:of|from|for)\b| (?:on|in|inside) it\b)"
    rf"|\bit{_PLACED}*(?!\w)",
    re.IGNORECASE,
)
_X = "§"
_NAMES = r"(?:full |whole |exact |proper |real |product |brand )*(?:name|title)"
#: Nouns for what a thing is one of, so that asking for them asks for its name.
_SORTS = (
    r"(?:breed|species|variety|cultivar|model|breed or species|species or breed|sort or variety|"
    r"(?:make|brand) (?:and|or) model)"
)
#: Nouns that ask for a property, not for a thing of that kind: "what colour is this".
_OWN_PROPERTIES = (
    r"colou?r|size|year|language|shape|material|price|age|flavou?r|day|date|time|country|city|weight|height|length|"
    r"width|depth|brand|make|maker|town|village|county|region|century|style|use|purpose|genre|metal|wood|fabric|"
    r"leather|cloth|textile|timber|plastic|alloy|fib(?:re|er)|yarn|wool|"
    r"upper|lining|sole|hull|frame|bladder|filling|stuffing|topping|binding|crust|coating|casing|closure|finish|"
    r"fuel|scale|format|series|range|line|collection|group|firm|company|author|artist|designer"
)
_PROPERTIES = rf"(?:{_OWN_PROPERTIES}|part|place|kind|sort|type|number|unit|set|family|good|this|that|it|there|one)s?"
_IS = r"(?:is|are|was|were|['’]s)"
_ASKS = tuple(
    re.compile(rf"^(?:{pattern})$", re.IGNORECASE)
    for pattern in (
        rf"(?:what|who|which(?: one)?)(?: exactly| actually)? ?{_IS}(?: exactly| actually)? {_X}(?:,? {_X})?"
        rf"(?: (?:exactly|actually))?(?:, (?:which|what) {_SORTS})?",
        rf"(?:what|who|which(?: one)?) (?:might|could|would|can) {_X} be",
        rf"(?:what|which(?: one)?) {_X} {_IS}(?: exactly)?",
        rf"(?:what|which) (?!{_PROPERTIES}\b){_NOUN}(?: {_NOUN})? {_IS} {_X}(?:,? {_X})?",
        rf"(?:what|which) {_SORTS}(?: of {_NOUN})? {_IS} {_X}",
        rf"(?:what|which) (?!{_PROPERTIES}\b){_NOUN}(?: {_NOUN})? {_X} {_IS}",
        rf"(?:what|which) (?:kind|sort|type) of (?:{_NAMED_BY_KIND}) (?:{_IS} {_X}|{_X} {_IS})",
        rf"(?:{_X},? )?what (?:do|does|would|did) (?:they|you|people|one|shops?) (?:sell|know|market|label|list) {_X} "
        r"(?:as|under)",
        rf"(?:{_X},? )?(?:what|how) (?:{_IS} {_X}|{_X} {_IS}) (?:sold|known|marketed|labelled|listed)(?: as)?",
        rf"(?:(?:what|which) ?{_IS} )?(?:the |its |it['’]s )?(?:exact )?(?:{_NAMES}|{_SORTS})(?: (?:of|for) {_X})?",
        rf"(?:what|which)(?: words?| name)? (?:would|should|do|can|could|must) (?:i|we|you|one) "
        rf"(?:type|enter|key in|put|write|search for|google)(?: in)? to (?:look up|find|search for|google) {_X}"
        rf"(?: (?:online|on the internet|on the web))?(?:,? (?:its|the) {_NAMES})?",
        rf"(?:what|which) {_NAMES} (?:does|do|has|have|is|are|did)? ?{_X} ?(?:have|bear|carry|go by|given|called)?",
        rf"(?:by|under) (?:what|which) {_NAMES} (?:is|are|was|do|does|did|can|could|would|will)(?: \w+)? "
        rf"(?:\w+ )?{_X}(?: \w+){{0,2}}",
        rf"(?:what|how) ?(?:{_IS})? {_X} (?:{_IS} |gets? )?(?:called|named|known as|known)(?: exactly)?",
        rf"(?:what|how) (?:do|does|would|should|could|can|did) "
        r"(?:you|they|we|i|one|people|folk|everybody|anyone|"
        r"(?:the )?(?!critics|reviewers|fans|readers|players)[a-z]{4,}s) "
        rf"(?:call|name) {_X}",
        rf"(?:(?:do|can|could|would|will|did) you )?(?:please )?(?:recogni[sz]e|identify|name) {_X}"
        r"(?: (?:for|to) (?:me|us))?",
        rf"(?:(?:can|could|would|will) you )?(?:please )?"
        rf"(?:find out|look up|tell me|give me|say|read|read me|work out) (?:the |its )?"
        rf"{_NAMES}(?: (?:of|for) {_X})?(?: (?:for|to) (?:me|us))?",
        rf"{_X}[:,]? (?:what|which|who) {_IS} {_X}(?: called| named)?",
        # the card under a thing on show
        rf"(?:what|which(?: \w+)?) (?:would|does|do|should|will|might) (?:an?|the|they)(?: \w+){{0,2}} "
        rf"(?:write|print)(?: down)? (?:under|below|beneath|next to|beside) {_X}",
        # "which one of theirs is this", "which of their lamps is the one on the shelf"
        rf"(?:what|which)(?: one)? of (?:theirs|(?:their|his|her) (?:\w+ )?\w+s) {_IS} {_X}",
    )
)


_SHOWN = (
    r"(?:this|that|these|it|those|here|the (?:left|right|front|back|upper|lower|middle|other|big|small|bigger|"
    r"smaller)(?:most)? \w+|the \w+ (?:on|to|at|in) the (?:left|right|front|back|middle|top|bottom))"
)
_IDENTIFY = re.compile(
    r"^(?:so |and )?(?:"
    rf"(?:what|who|which(?: one)?)(?:['’]s| is| are| am i)?\s*(?:exactly |actually )?(?:{_SHOWN}(?: "
    rf"\w+){{0,2}}|(?:that |i )?(?:i['’]m |am i |i am )?(?:looking at|holding|seeing)(?: \w+)?|(?:the "
    rf")?(?:name|title|model)(?: of (?:this|that|it|the)(?: \w+){{0,2}})?)"
    rf"|what (?:do you see|do i see|have i got|have we got|am i (?:looking at|holding|seeing))(?: \w+){{0,2}}"
    rf"|what (?:i['’]m|i am|we['’]re|we are) (?:looking at|holding|seeing|facing)(?:,? {_SHOWN}(?: \w+){{0,2}})?"
    rf"|(?:identify|recogni[sz]e|name) (?:this|that|it|the)(?: \w+){{0,2}}"
    rf"|what (?:is|are|do you call|do they call) {_SHOWN}(?: \w+){{0,2}}(?: called| named)?"
    rf"|what(?:['’]s| is) {_SHOWN}(?: \w+){{0,2}} (?:called|named)|what(?:['’]s| is) its name"
    rf"|(?:what|which)(?: kind of| sort of| type of)? \w+(?: \w+)? (?:is|are|was) {_SHOWN}(?: here| one)?"
    rf"|(?:what(?:['’]s| is)|tell me|give me|read me)?\s*the (?:name|title|model)(?: of)? {_SHOWN}(?: \w+){{0,3}}"
    rf"|what {_SHOWN}(?: \w+){{0,2}} is (?:called|named)"
    rf"|(?:do you |can you )?(?:know|recogni[sz]e|identify|tell me) what {_SHOWN}(?: \w+){{0,2}} is"
    r")\s*[?.!]*$",
    re.IGNORECASE,
)
_OWN = r"(?:(?:this|that|these|it)\b|the (?!author|maker|writer|artist|company|firm|town|designer|publisher|\w+ of\b))"
#: Asks for nothing but the thing's own name.
_NAME_ONLY = re.compile(
    rf"^(?:(?:read|tell|give|say)(?: me)? )?(?:(?:what|which)(?:['’]s| is| are)? )?(?:the |its |it['’]s )?"
    rf"(?:full |whole |exact |product )?(?:name|title|model)"
    rf"(?: (?:is|of|for|does|has) {_OWN}(?: ?\w+){{0,4}}(?: (?:have|bear|called|here))?)?\s*[?.!]*$"
    rf"|^what (?:is |are |['’]s )?{_OWN}(?: ?\w+){{0,3}}? (?:is |are |gets )?(?:called|named)\b(?:, [\w ]+)?\s*[?.!]*$"
    rf"|^what['’]s {_OWN}(?: ?\w+){{0,3}}? (?:called|named)\b(?:, [\w ]+)?\s*[?.!]*$"
    rf"|^(?:do|can|could) you (?:recogni[sz]e|identify) {_OWN}(?: ?\w+){{0,3}}\s*[?.!]*$"
    r"|^(?:what|which) \w+(?: \w+)? (?:am i|are we|do i) (?:looking at|holding|seeing|see|have)(?: \w+){0,3}\s*[?.!]*$",
    re.IGNORECASE,
)


_LANDSCAPE = re.compile(
    r" (?:river|lake|mountain|hill|sea|coast|street|road|square|region|country|county|valley|island|station)s?$",
    re.IGNORECASE,
)
#: "what are the other ones called": the names of several others.
_OF_THE_OTHERS = re.compile(
    r"\b(?:the|its|their|all) (?:(?:\w+ )?others|other (?:\w+ )?(?:ones|\w+[^s\W]s)|rest|remaining \w+s)\b",
    re.IGNORECASE,
)
#: "the one who began it, what's the name?" asks for somebody else's.
_OF_ANOTHER = re.compile(
    r"^(?:the (?:one|person|man|woman|people|ones|guy|lady|company|firm|town|place) "
    r"(?:who|that|which|where|behind)(?! (?:i|we|you|is|am)\b)|"
    r"whoever)\b",
    re.IGNORECASE,
)


_NAMES_SEVERAL = re.compile(
    r"\bname (?:everything|all|every|each|the others?|some|any|a few|both|two|three|what|who|where)\b|"
    r"\bnumber to (?:call|ring|dial|phone)\b",
    re.IGNORECASE,
)
#: "the scent of §", "events at §", "its scent".
_PART_OF_IT = re.compile(
    rf"^(?:tell me )?(?:(?:what|which|who)(?: ?{_IS})? |tell me |give me )?(?:the |its |any )?"
    rf"(?!(?:{_NAMES}|{_SORTS}|(?:\w+ ){{0,2}}(?:names?|titles?|terms?|words?|models?|species|breed|variety|kind|sort|"
    rf"type|label|identity))\b)(?!(?:{_IS}|who|what|which|do|does|would|can|could|will|name|identify|recogni[sz]e)\b)"
    rf"{_NOUN}(?: {_NOUN})? (?:of|at|on|in|for|inside|around) {_X}"
    rf"(?: (?:(?:that|which) )?(?:i|we) (?:can )?(?:also |just )?see)?(?: {_IS})?"
    r"(?: (?:now|today|currently|at the moment|(?:(?:at|right) )?this (?:very )?(?:moment|minute|second|instant)))?$"
    rf"|^(?:what {_IS} )?its (?!{_NAMES}|{_SORTS})"
    rf"|^(?:what|which) \w+s (?:of {_X} )?are there(?: of {_X})?$",
    re.IGNORECASE,
)
#: "what's beneath it", "what is the number", "which pieces of § are to be had": another thing, a property, several.
_NOT_ITSELF = re.compile(
    rf"^what ?{_IS} (?:all )?(?:underneath|behind|beneath) (?:of )?(?:there|{_X})$"
    rf"|^(?:what|which) ?{_IS} (?:the|its|their) (?:\w+ )?"
    rf"(?:{_ABSTRACT}|{_OWN_PROPERTIES}|amount|quantity|total|count)s?$"
    rf"|^(?:what|which) (?:\w+ )?(?!(?:species|series|{_NAMES}|{_SORTS})\b)[a-z]{{3,}}s of {_X} (?!{_IS} {_X})\w+",
    re.IGNORECASE,
)
#: "what's in there", "what's inside": what it holds.
_HOLDS = re.compile(
    rf"^what(?: all| else)? ?{_IS}(?: there)? (?:in|inside|within)(?: of)?(?: (?:{_X}|here|there))?$", re.I
)
_IN_A_PICTURE = re.compile(r"\bin (?:this|that|the) (?:picture|photo|image|frame|view|scene|shot)\b", re.IGNORECASE)
#: "what do they call the colour of §": the word for something about it, or for a part.
_CALLS_A_PART = re.compile(
    rf"\b(?:call|calls|called|name|named)\b(?: \w+ly)? (?:the|its) "
    rf"(?!(?:{_NAMES}|{_SORTS})\b){_NOUN}(?: {_NOUN})? (?:of|on|in|at|inside|around) {_X}"
    rf"|\b(?:call|name)(?: \w+ly)? its (?!(?:{_NAMES}|{_SORTS})\b){_NOUN}(?: {_NOUN})?$"
    rf"|^(?:what|how) {_IS} its (?!(?:{_NAMES}|{_SORTS})\b){_NOUN}(?: {_NOUN})? (?:called|named)$"
    rf"|^(?:what|how) ?(?:{_IS} )?(?:the|its) (?!(?:{_NAMES}|{_SORTS})\b){_NOUN}(?: {_NOUN})? (?:of|on|in|at) {_X} "
    rf"(?:{_IS} )?(?:called|named)\b",
    re.IGNORECASE,
)


#: "the name of the one who began it", "name of whoever built this".
_OF_SOMEBODY = re.compile(
    r"\bnames? (?:of|for) (?:whoever|(?:the|that) (?:one|person|man|woman|people|ones|firm|company|town|place|"
    r"[a-z]+(?:er|or|ist|ian)) (?:who|that|which|where|behind)\b(?! (?:i|we|you|is|am)\b))",
    re.IGNORECASE,
)


#: "who's the mayor there?"
_WHO_THERE = re.compile(rf"^who ?{_IS} (the [a-z]+)(?: (?:over |up |down )?(?:here|there))?\W*$", re.IGNORECASE)
#: "which line is §", "and the pattern?": a property, or a word that stands alone and points at nothing.
_OF_A_PROPERTY = re.compile(
    rf"^(?:what|which) (?:{_OWN_PROPERTIES})s? {_IS} {_X}$"
    rf"|^(?:and |but )?(?:the|its) (?!(?:{_NAMES}|{_SORTS})\b){_NOUN}$",
    re.IGNORECASE,
)


def asks_name(core: str) -> bool:
    """Whether the question asks for the name of a thing that it points at, and for nothing else about it."""
    if (who := _WHO_THERE.match(core)) and (role_asked([who[1]]) or is_somebody_or_firm(who[1])):
        return False
    if (
        _OF_THE_OTHERS.search(core)
        or _OF_ANOTHER.search(core)
        or names_another(core)
        or _CALLS_A_PART.search(_pointed(core))
    ):
        return False
    if _NAME_ONLY.search(core) or (_IDENTIFY.search(core) and not _property_left(core)):
        return True
    return _points_and_asks(core)


#: "… what's the river called": of a landscape, a town or a person, which is no thing in view.
_CALLED = re.compile(
    r"\bwhat(?:['’]s| is| are| was) the (?:river|stream|lake|sea|mountain|town|city|village|street|mayor|people|family|"
    r"(?!computer|printer|scooter|poster|toaster|flower|counter|container|[a-z]*(?:cooker|blender|heater|mixer|dryer))"
    r"[a-z]+(?:ist|ian)) (?:there |here )?(?:called|named)\b",
    re.IGNORECASE,
)


def names_another(core: str) -> bool:
    """ "the name of the mayor", "what is the river in that town called": of somebody or something else."""
    if _OF_SOMEBODY.search(core):
        return True
    if _CALLED.search(core):
        return True
    whose = re.search(r"\b(?:name|title)s? (?:of|for) ((?:the|its|that|this|their) [a-z]+)\b", core, re.IGNORECASE)
    return whose is not None and (
        role_asked([whose[1]]) is not None or is_somebody_or_firm(whose[1]) or _LANDSCAPE.search(whose[1]) is not None
    )


def may_want_the_name(core: str) -> bool:
    """Whether the words leave open that the name of the thing pointed at is asked for.

    "which house put out that one", "what's the scent of it", "events at this fountain" ask for something else.
    """
    pointed = _pointed(core)
    if _NAMES_SEVERAL.search(core) or _OF_ANOTHER.search(core) or names_another(core):
        return False
    return (
        not _CALLS_A_PART.search(pointed)
        and not _OF_A_PROPERTY.match(pointed)
        and not _PART_OF_IT.match(pointed)
        and not (_HOLDS.match(pointed) and not _IN_A_PICTURE.search(core))
        and not _NOT_ITSELF.match(pointed)
    )


def _pointed(core: str) -> str:
    """The question with one sign for the words that point at the thing."""
    return " ".join(_POINTED.sub(_X, core).split()).strip(" ?.!,")


def _points_and_asks(core: str) -> bool:
    """Whether the question, with what points at the thing made one word, is a way to ask for its name."""
    text = " ".join(re.sub(r"[?.!,]*\s*(?:please)?\s*[?.!]*$", "", core.strip()).split())
    text = re.sub(r"^(?:so|and|well|now|ok|okay|please)[, ]+", "", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<=\w)['’]s\b", " is", text) if re.match(r"(?:what|who|which)['’]s", text, re.I) else text
    if re.search(r"\bits\b", text, re.IGNORECASE) and not re.search(rf"\bits {_NAMES}\b", text, re.IGNORECASE):
        return False
    pointed = _POINTED.sub(_X, text)
    return any(pattern.match(" ".join(pointed.split())) for pattern in _ASKS)


def _property_left(core: str) -> bool:
    """ "what is this made of" asks for more than a name."""
    low = core.lower()
    if re.search(rf"\b(?:what|which) (?:{_OWN_PROPERTIES})s?\b(?! (?:and|or) )", low):
        return True
    return (
        bool(
            re.search(
                r"\b(?:made|built|by|to|of|with|from|used|for|cost|worth|weigh|about|mean|doing|say|says|"
                r"contain|known|famous|like|eat|good)\b|\bin (?!front\b|my\b|the\b|here\b|view\b)\w+",
                low,
            )
        )
        or len(content_stems(low)) > 4
    )
