"""Roundabout ways to ask for an everyday property, said as the lookup reads them best.

"Who gave the chair its shape" asks who designed it, "what is she by training" what she studied. General English only:
each line is a way of speaking with the plain one for it, and leaves what is asked as it was.
"""

from __future__ import annotations

import re

from assistant.understanding.paraphrases.people import END, OF_PEOPLE, X

_SHAPE = r"(?:form|shape|looks?|design|outline|lines|appearance|styling)"
_CORD = r"(?P<n>cord|cable|lead|wire|rope|chain|flex)"
_PIECES = r"(?:pieces|copies|examples|specimens|units)"
_BUILDERS = r"(?:ground|bottom|base|foot|floor)"
_TOP = r"(?:top|tip|roof|highest point|spire)"
_RANGE = r"(?:catalogue|catalog|range|assortment|price list|programme)"
_BUILT = r"(?:built|constructed|put up|erected|put together|crafted|fashioned)"
_BUILD = r"(?:build|construct|put up|erect|put together|craft|fashion|make)"
#: What is made, and is no work of other kinds: a film, a meal, an announcement.
_NO_WORK = (
    r"(?P<x>(?![^,;:?.!]*\b(?:film|movie|picture|photo|recording|announcement|poster|sign|company|firm|money|tent|song)\b)"
    r"[^,;:?.!]+?)"
)
_LAYS = (
    r"(?:la(?:y|id)|put|h[eo]ld|place[ds]?|run|ran) (?:an? |my |the )?"
    r"(?:ruler|tape(?: measure)?|measuring tape|yardstick|folding rule) (?:along|alongside|against|next to|beside|to)"
)
_SELLER = r"(?:firm|company|business|outfit|brand|supplier|seller|dealer|nursery|shop|store|maker|manufacturer)"

_PLAINLY: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # "does the diet of the cat include fish", "is fish part of the diet of the cat"
        (
            rf"\b(?P<does>does|do|would|will) (?:the )?(?:diet|menu|food|meals) of {X} (?:include|contain|"
            rf"comprise|consist of) "
            rf"(?P<y>[^,;:?.!]+?){END}",
            r"\g<does> \g<x> eat \g<y>",
        ),
        (
            rf"\b(?:is|are) (?P<y>[^,;:?.!]+?) (?:part of|in|on|among|included in) (?:the )?(?:diet|menu|food|"
            rf"meals) of {X}{END}",
            r"does \g<x> eat \g<y>",
        ),
        # "if I held out fish to the cat, would it be something it eats"
        (
            r"\b(?:if|when|suppose|say) (?:i|we|you|one|somebody) (?:held out|offer(?:ed|s)?|gave|give|fe[ed]d?|"
            r"fed|throw|threw|"
            r"handed|hand|serve[ds]?|put) (?P<y>[^,;:?.!]+?) (?:to|in front of|before) (?P<x>(?:this|that|the|it|"
            r"these)\b[^,;:?.!]*?)"
            r"[,;:] (?:would|will|does|is|could|might) (?:it|that|he|she|they) [^?]*?\b(?:eats?|food|diet|"
            r"take it|accept it|like it)\b"
            rf"[^,;:?.!]*{END}",
            r"does \g<x> eat \g<y>",
        ),
        # "who gave the chair its shape", "to whom does it owe its looks"
        (rf"\bwho (?:gave|has given|had given) {X} (?:its|their|this|that) {_SHAPE}{END}", r"who designed \g<x>"),
        (rf"\bwho gave (?:its |the )?{_SHAPE} to {X}{END}", r"who designed \g<x>"),
        (rf"\b(?:to )?whom? (?:does|do) {X} owe (?:its|their) {_SHAPE}(?: to)?{END}", r"who designed \g<x>"),
        # "if I lay a ruler along this mineral, how many centimetres"
        (
            rf"\b(?:if|when|suppose|say) (?:i|we|you|one) (?:were to |would )?{_LAYS} {X}[,;:] (?:how (?:many|"
            rf"much) (?:[a-z]*"
            r"(?:met(?:re|er)s?|inch(?:es)?|feet|cm|mm))|what (?:would|does|will) (?:it|the \w+) (?:read|say|show)|"
            r"how long)\b"
            r"[^?]*",
            r"how long is \g<x>",
        ),
        (
            rf"\b(?:if|when|suppose|say) (?:i|we|you|one) (?:were to |would )?{_LAYS} {X}[,;:] "
            r"how (?P<how>tall|high|wide|deep|thick|broad) (?:is|would|does|will) (?:it|that|this)\b[^?]*",
            r"how \g<how> is \g<x>",
        ),
        # "whose design is this"
        (
            r"\bwhose design (?:is|was|are|were) (?P<x>(?:it|this|that|these|those|the)\b"
            rf"(?![^,;:?.!]*\b(?:based|used|chosen|better|older|newer)\b)[^,;:?.!]*?){END}",
            r"who designed \g<x>",
        ),
        # "since when have you been able to buy it"
        (
            rf"\bsince when (?:have|has|can|could) (?:i|we|you|one|people|they|anyone|anybody) (?:been able to )?"
            r"(?:buy|get|purchase) (?P<x>(?:it|this|that|these|those|one|the)\b(?![^,;:?.!]* (?:at|by|to|for|from) )"
            rf"[^,;:?.!]*?|(?-i:[A-Z])[^,;:?.!]+?){END}",
            r"when was \g<x> first sold",
        ),
        # "what else is in the box with it"
        (
            rf"\bwhat(?: else| all)?(?:['’]s| is| do (?:i|you|we) (?:get|find))(?: else)? in the (?:box|package|"
            rf"packaging|carton) "
            r"(?:(?:with|besides|along with|together with) (?P<x>(?:it|this|that|these|those)\b[^,;:?.!]*?|"
            r"(?-i:[A-Z])[^,;:?.!]+?"
            r"|the (?![^,;:?.!]*\b(?:lid|label|ribbon|handle|picture)\b)[^,;:?.!]+?)"
            r"|(?:of|for) (?P<y>(?:it|this|that|these|those)\b[^,;:?.!]*?))"
            rf"(?:,? (?:besides|apart from|other than) [^,;:?.!]+?)?{END}",
            r"what does \g<x>\g<y> come with",
        ),
        # "what was that tower built of", "out of what did they put up the temple"
        (
            rf"\bwhat(?:['’]s| is| are| was| were) {X} (?:{_BUILT} (?:from|of|out of)|(?:built|constructed) with|"
            rf"made out of)"
            rf"{END}",
            r"what is \g<x> made of",
        ),
        (
            rf"\bwhat did (?:they|people|somebody|one) {_BUILD} {_NO_WORK} (?:from|of|out of){END}",
            r"what is \g<x> made of",
        ),
        (
            rf"\b(?:out of|from|of) what (?:did (?:they|people|somebody|one) {_BUILD} {_NO_WORK}|(?:is|was|are|were) "
            rf"(?P<y>[^,;:?.!]+?) {_BUILT}){END}",
            r"what is \g<x>\g<y> made of",
        ),
        # "how far back do records of the bird go"
        (
            rf"\bhow far back (?:do|does) (?:the )?(?:records?|descriptions?|mentions?|accounts?) of {X} (?:go|"
            rf"reach|date)"
            rf"(?: back)?{END}",
            r"when was \g<x> first recorded",
        ),
        # "what would the scales say if the dog stood on them"
        (
            r"\bwhat (?:would|will|do|does) (?:the |my |a )?scales? (?:say|show|read|tell)(?: me)?,? (?:if|when|once) "
            rf"(?:(?:i|we|you|one|somebody) (?:put|place|set|weigh)(?:ed)? {X}(?: (?:on|onto) (?:it|them|the "
            rf"scales?))?"
            rf"|(?P<y>(?:it|this|that|the|these|those)\b[^,;:?.!]*?) (?:stood|stands?|sat|sits|were|was|is|went) on "
            rf"(?:it|them|the scales?)){END}",
            r"how heavy is \g<x>\g<y>",
        ),
        # "is the cow heavy? How much exactly"
        (
            r"(?:^|(?<=[,:;] ))is (?P<x>(?:it|this|that|the|its)\b(?:(?!\b(?:is|are|says?|saying)\b)[^,;:?.!])*?) heavy"
            r"\s*[?,;.–—-]+ (?:and |so )?how (?:much|heavy)(?: is it| exactly| then| precisely)*(?=\s*[?.!]*$)",
            r"how heavy is \g<x>",
        ),
        (
            r"(?:^|(?<=[,:;] ))is (?P<x>(?:it|this|that|the|its)\b(?:(?!\b(?:is|are|says?|saying)\b)[^,;:?.!])*?) "
            r"(?P<how>tall|long|big|large|old|wide|deep|high|fast|thick)"
            r"\s*[?,;.–—-]+ (?:and |so )?how (?P=how)(?: is it| exactly| then| precisely)*(?=\s*[?.!]*$)",
            r"how \g<how> is \g<x>",
        ),
        # "from which company do I get it", "if I want to order it, which firm do I write to"
        (
            rf"\bfrom (?:which|what) {_SELLER} (?:do|can|could|would|should|will) (?:i|we|you|one|people) (?:get|"
            rf"buy|order|"
            rf"obtain) (?P<x>(?:it|this|that|these|those|one|the)\b(?![^,;:?.!]* (?:to|for|"
            rf"[a-z]+ed)\b)[^,;:?.!]*?){END}",
            r"which company supplies \g<x>",
        ),
        (
            r"\b(?:if|when|to|suppose) (?:(?:i|we|you|one) (?:want(?:ed|s)?|would like|need(?:ed)?|were) to )?"
            r"(?:order|buy|purchase|get(?! to\b)) (?P<x>(?:it|this|that|these|those|one|the)\b[^,;:?.!]*?), "
            r"(?:which|what) "
            rf"{_SELLER} (?:do|can|could|would|should|must) (?:i|we|you|one) "
            rf"(?:write|turn|talk|speak|get in touch|order)(?: to| with| from)?{END}",
            r"which company supplies \g<x>",
        ),
        # "under what name is it sold"
        (
            rf"\bunder (?:what|which) name (?:is|are) {X} (?:sold|known|marketed|listed|offered|traded){END}",
            r"what is \g<x> called",
        ),
        # "how many of it could I order"
        (
            rf"\bhow many of {X} (?:could|can|may) (?:i|we|you|one) (?:still )?(?:order|buy|get)(?: today| "
            rf"now)?{END}",
            r"how many of \g<x> are in stock",
        ),
        # "how long since anybody restored it, when was it"
        (
            r"\bhow long (?:is it |has it been )?since (?:anybody|anyone|somebody|someone|they|people) (?:last )?"
            rf"(?P<v>restored|repaired|renovated|refurbished|repainted|cleaned|painted|overhauled|moderni[sz]ed) {X}"
            rf"(?:, (?:and )?when was (?:it|that))?{END}",
            r"when was \g<x> last \g<v>",
        ),
        # "how much cable is on the drill"
        (
            rf"\bhow much {_CORD} (?:is|are)(?: there)? (?:on|at|with|attached to) {X}{END}",
            r"how long is the \g<n> of \g<x>",
        ),
        (rf"\bhow much {_CORD} (?:does|do) {X} (?:have|come with|bring)\b", r"how long is the \g<n> of \g<x>"),
        # "how old does the dog get"
        (
            rf"\bhow old (?:does|do|can|could|will|would|might|may) (?!(?:i|you|we|one)\b){X} (?:get|become|grow|"
            rf"live to be){END}",
            r"how long does \g<x> live",
        ),
        # "how many pieces of it exist"
        (
            rf"\bhow many {_PIECES} of {X} (?:exist|are there|are in existence)"
            rf"(?: in (?:the world|existence|all|total))?{END}",
            r"how many of \g<x> were made",
        ),
        # "what do shops charge for the lamp now"
        (
            r"\bwhat (?:do|does|would|will) (?:(?:the|most|a|your) )?(?:shops?|stores?|dealers?|sellers?|retailers?) "
            rf"(?:charge|ask|want|take) for (?!me\b|us\b){X}"
            rf"(?P<when> (?:at the moment|right now|now|today|currently|these days|nowadays))?{END}",
            r"what does \g<x> cost\g<when>",
        ),
        # "from the ground to the tip, how much is it"
        (
            rf"\bfrom (?:the )?{_BUILDERS} to (?:the )?{_TOP},? how (?:much|far|many (?:met(?:re|er)s?|feet|yards|"
            rf"cm|m)) (?:is|does) {X}"
            rf"(?: (?:go|measure|rise|reach))?{END}",
            r"how tall is \g<x>",
        ),
        # "which town is the backdrop of the film"
        (
            rf"\b(?P<wh>what|which) (?P<n>town|city|village|place|country|region|island) (?:is|was|forms|serves as) "
            rf"the (?:backdrop|setting|scene|stage|background) (?:of|for|to|in) {X}{END}",
            r"\g<wh> \g<n> is \g<x> set in",
        ),
        # "in what place do the people sit who make it"
        (
            rf"\b(?:where|in (?:what|which) (?:town|city|village|place)) (?:do|are) (?:the|those) (?:people )?"
            r"(?:sit|work|live|working|sitting)? ?(?:who|that) (?P<v>make|build|sew|produce|assemble) "
            rf"(?P<x>(?:it|this|that|these|those|the)\b[^,;:?.!]*?){END}",
            r"where do they make \g<x>",
        ),
        # "whose catalogue is it in", "in whose range is this one"
        (
            rf"\b(?:in whose {_RANGE} is {X}|whose {_RANGE} is (?P<y>[^,;:?.!]+?) (?:listed )?in){END}",
            r"who sells \g<x>\g<y>",
        ),
        # "where do they hand it out"
        (
            r"\bwhere (?:do |does |did |will )?(?:they|people|one|somebody|someone) "
            rf"(?:hands?|handed|gives?|gave|pins?) out {X}{END}",
            r"where is \g<x> awarded",
        ),
        (
            r"\bwhere (?:do |does |did |will )?(?:they|people|one|somebody|someone) "
            rf"(?:hands?|handed|gives?|gave|pins?) (?P<x>it|this|that|them|these|those) out{END}",
            r"where is \g<x> awarded",
        ),
        # "can I still get this jar, how many are there"
        (
            r"\b(?:can|could) (?:i|we|you|one|people) (?:still )?(?:get|buy|order|have) (?P<x>(?!the (?:bus|tram|"
            r"train|boat|table|ferry)\b)(?:it|this|that|the)\b"
            r"[^,;:?.!]*?)(?: (?:today|now|here))?, (?:and )?how many (?:are (?:there|left)|do (?:they|you) have)"
            rf"(?: left)?{END}",
            r"how many of \g<x> are in stock",
        ),
        # "to what use do people put the plant"
        (
            r"\b(?:to )?(?:what|which) uses? (?:do|does|did|can|could|may|might|will|would|should) "
            rf"(?:i|we|you|one|people|they|somebody|the \w+) put {X}(?: to)?{END}",
            r"what is \g<x> used for",
        ),
        (rf"\bto (?:what|which) uses? (?:is|are|was|were) {X} put{END}", r"what is \g<x> used for"),
    )
)


def said_plainly(text: str) -> str:
    """The question in plainer words for the property that it asks for; every other question as it is."""
    for pattern, plain in (*_PLAINLY, *OF_PEOPLE):
        text, n = pattern.subn(plain, text, count=1)
        if n:
            break
    return text
