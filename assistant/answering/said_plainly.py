"""Roundabout ways to ask for an everyday property, said as the lookup reads them best.

"Who gave the chair its shape" asks who designed it, "what is she by training" what she studied. General English only:
each line is a way of speaking with the plain one for it, and leaves what is asked as it was.
"""

from __future__ import annotations

import re

#: What is spoken of, up to the end of its clause.
_X = r"(?P<x>[^,;:?.!]+?)"
_END = r"(?=\s*(?:[,;:?.!]|$))"
_SHAPE = r"(?:form|shape|looks?|design|outline|lines|appearance|styling)"
_TRAINING = r"(?:education|training|studies|degree|university degree)"
_STAFF = r"(?:workforce|staff|personnel|payroll)"
_CORD = r"(?P<n>cord|cable|lead|wire|rope|chain|flex)"
_PIECES = r"(?:pieces|copies|examples|specimens|units)"
_BUILDERS = r"(?:ground|bottom|base|foot|floor)"
_TOP = r"(?:top|tip|roof|highest point|spire)"
_PLACE = r"(?:town|city|village|place|country)"
_TOWN = rf"(?P<n>{_PLACE})"
_SOMEBODY = (
    r"(?:he|she|whoever [^,;:?.!]+?|(?:the|its|that|this) (?:person|man|woman|one|[a-z]{3,}(?:er|or|ist)) "
    r"(?:who|that|of|behind) [^,;:?.!]+?|(?:the|its|that|this|their) (?:[a-z]+ )?(?:man|woman|person|designer|author|"
    r"writer|painter|maker|founder|owner|inventor|composer|sculptor|breeder|singer|player|builder|discoverer|publisher|"
    r"director|editor|lecturer|speaker|photographer|architect|illustrator|mathematician|restorer|engraver|[a-z]+ist))"
)
_RANGE = r"(?:catalogue|catalog|range|assortment|price list|programme)"

_DAY = r"(?:week ?days?|days?(?: of the week)?)"
_MARKET = r"(?P<e>(?:[a-z]+['’]? ){0,2}?(?:market|fair))"
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
_MAKER = (
    r"(?:firm|company|business|outfit|enterprise|brand|maker|manufacturer|producer|publisher|nursery|shipyard|brewery|"
    r"studio|workshop|builder|factory|publishing house)"
)
_SELLER = r"(?:firm|company|business|outfit|brand|supplier|seller|dealer|nursery|shop|store|maker|manufacturer)"
#: What runs on a line, and comes out of its depot before the first run.
_LINE = (
    r"(?:the|this|that) (?:[\w-]+ )?(?:bus|tram|train|coach|streetcar|railcar|trolley ?bus|trolley|tramcar)"
    r"(?: (?:here|there|on the (?:left|right)|in front of me|in view))?"
)
_SETS_OUT = (
    r"(?:set|start|come|go|drive|head|pull) ?(?:out)?(?: from)? "
    r"(?:in the morning|(?:every|each) (?:morning|day)|at dawn|first thing(?: in the morning)?|at the start of the day)"
)
_WHO_DID_IT = (
    r"(?:whoever [^,;:?.!]+?|(?:the|that|this|its|their) (?:\w+ )?"
    r"(?:designer|author|writer|painter|maker|founder|owner|inventor|composer|sculptor|breeder|singer|player|builder|"
    r"discoverer|[a-z]+(?:ist|ian|ect))(?: (?:of|behind|who|that) [^,;:?.!]+?)?)"
)
_COMES = rf"(?:is|was|does|did) (?P<x>{_WHO_DID_IT}) (?:come |hail )?from (?:originally|by birth)"

_PLAINLY: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # "does the diet of the cat include fish", "is fish part of the diet of the cat"
        (
            rf"\b(?P<does>does|do|would|will) (?:the )?(?:diet|menu|food|meals) of {_X} (?:include|contain|"
            rf"comprise|consist of) "
            rf"(?P<y>[^,;:?.!]+?){_END}",
            r"\g<does> \g<x> eat \g<y>",
        ),
        (
            rf"\b(?:is|are) (?P<y>[^,;:?.!]+?) (?:part of|in|on|among|included in) (?:the )?(?:diet|menu|food|"
            rf"meals) of {_X}{_END}",
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
            rf"[^,;:?.!]*{_END}",
            r"does \g<x> eat \g<y>",
        ),
        # "in which town did the artist first see the light of day", "which town has the house where he was a newborn"
        (
            rf"\bdid (?P<x>{_WHO_DID_IT}) (?:first |ever )?"
            r"(?:see the light of (?:day|the world)|come into (?:the|this) world|draw (?:his|her|their|a) first breath)"
            rf"{_END}",
            r"was \g<x> born",
        ),
        (
            rf"\b(?:which|what) {_TOWN} has the (?:house|home|hospital|place|street) (?:where|in which) "
            rf"(?P<x>{_WHO_DID_IT}) was (?:born|a newborn|a baby){_END}",
            r"in which \g<n> was \g<x> born",
        ),
        # "who gave the chair its shape", "to whom does it owe its looks"
        (rf"\bwho (?:gave|has given|had given) {_X} (?:its|their|this|that) {_SHAPE}{_END}", r"who designed \g<x>"),
        (rf"\bwho gave (?:its |the )?{_SHAPE} to {_X}{_END}", r"who designed \g<x>"),
        (rf"\b(?:to )?whom? (?:does|do) {_X} owe (?:its|their) {_SHAPE}(?: to)?{_END}", r"who designed \g<x>"),
        # "what is the founder by training", "the founder has a degree in what"
        (rf"\bwhat(?: is|['’]s| was) {_X} by {_TRAINING}\b", r"what did \g<x> study"),
        (
            rf"(?:^|(?<=, )){_X} (?:holds?|has|have|got|took|did|earned) (?:a|an|his|her|their) (?:\w+ )?"
            rf"degree in what{_END}",
            r"what did \g<x> study",
        ),
        (
            rf"\b(?:in )?what(?: subject| field| discipline)? (?:does|did|has) {_X} (?:hold|have|get|got|do|take|earn) "
            rf"(?:a|an|his|her|their) (?:\w+ )?degree(?: in)?{_END}",
            r"what did \g<x> study",
        ),
        # "whoever bred it went to college for what", "what did its designer go to university for"
        (
            rf"(?:^|(?<=[,:;] ))(?P<x>{_SOMEBODY}|(?-i:[A-Z])[\w' -]+?) (?:went to (?:college|university|school|"
            rf"uni) for|"
            rf"(?:went off and )?studied) what{_END}",
            r"what did \g<x> study",
        ),
        (
            rf"\b(?:for )?what did (?P<x>{_SOMEBODY}) (?:go to|attend) (?:college|university|school|uni)(?: "
            rf"for)?{_END}",
            r"what did \g<x> study",
        ),
        (
            rf"\bwhat(?: is|['’]s| was) the (?:university |college )?degree of (?P<x>{_SOMEBODY}) in{_END}",
            r"what did \g<x> study",
        ),
        # "how far back does the maker go"
        (
            rf"\bhow far back does (?P<x>(?:the|its|their|that|this) (?:[a-z]+ ){{0,2}}?{_MAKER}"
            rf"(?: (?:of|behind|that|who) [^,;:?.!]+?)?) go(?: back)?"
            r"(?:\s*[,;:–—-]+ (?:and )?(?:when|what year|in what year)\b[^?]*|(?=\s*(?:[?.!]|$)))",
            r"when was \g<x> founded",
        ),
        # "where has its designer settled"
        (
            rf"\bwhere (?:has |have |did )?(?P<x>{_SOMEBODY}) (?:has |have )?settled?(?: down)?(?:, the "
            rf"{_PLACE})?{_END}",
            r"where does \g<x> live now",
        ),
        # "if I lay a ruler along this mineral, how many centimetres"
        (
            rf"\b(?:if|when|suppose|say) (?:i|we|you|one) (?:were to |would )?{_LAYS} {_X}[,;:] (?:how (?:many|"
            rf"much) (?:[a-z]*"
            r"(?:met(?:re|er)s?|inch(?:es)?|feet|cm|mm))|what (?:would|does|will) (?:it|the \w+) (?:read|say|show)|"
            r"how long)\b"
            r"[^?]*",
            r"how long is \g<x>",
        ),
        (
            rf"\b(?:if|when|suppose|say) (?:i|we|you|one) (?:were to |would )?{_LAYS} {_X}[,;:] "
            r"how (?P<how>tall|high|wide|deep|thick|broad) (?:is|would|does|will) (?:it|that|this)\b[^?]*",
            r"how \g<how> is \g<x>",
        ),
        # "whose design is this"
        (
            r"\bwhose design (?:is|was|are|were) (?P<x>(?:it|this|that|these|those|the)\b"
            rf"(?![^,;:?.!]*\b(?:based|used|chosen|better|older|newer)\b)[^,;:?.!]*?){_END}",
            r"who designed \g<x>",
        ),
        # "since when have you been able to buy it"
        (
            rf"\bsince when (?:have|has|can|could) (?:i|we|you|one|people|they|anyone|anybody) (?:been able to )?"
            r"(?:buy|get|purchase) (?P<x>(?:it|this|that|these|those|one|the)\b(?![^,;:?.!]* (?:at|by|to|for|from) )"
            rf"[^,;:?.!]*?|(?-i:[A-Z])[^,;:?.!]+?){_END}",
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
            rf"(?:,? (?:besides|apart from|other than) [^,;:?.!]+?)?{_END}",
            r"what does \g<x>\g<y> come with",
        ),
        # "what was that tower built of", "out of what did they put up the temple"
        (
            rf"\bwhat(?:['’]s| is| are| was| were) {_X} (?:{_BUILT} (?:from|of|out of)|(?:built|constructed) with|"
            rf"made out of)"
            rf"{_END}",
            r"what is \g<x> made of",
        ),
        (
            rf"\bwhat did (?:they|people|somebody|one) {_BUILD} {_NO_WORK} (?:from|of|out of){_END}",
            r"what is \g<x> made of",
        ),
        (
            rf"\b(?:out of|from|of) what (?:did (?:they|people|somebody|one) {_BUILD} {_NO_WORK}|(?:is|was|are|were) "
            rf"(?P<y>[^,;:?.!]+?) {_BUILT}){_END}",
            r"what is \g<x>\g<y> made of",
        ),
        # "how far back do records of the bird go"
        (
            rf"\bhow far back (?:do|does) (?:the )?(?:records?|descriptions?|mentions?|accounts?) of {_X} (?:go|"
            rf"reach|date)"
            rf"(?: back)?{_END}",
            r"when was \g<x> first recorded",
        ),
        # "what would the scales say if the dog stood on them"
        (
            r"\bwhat (?:would|will|do|does) (?:the |my |a )?scales? (?:say|show|read|tell)(?: me)?,? (?:if|when|once) "
            rf"(?:(?:i|we|you|one|somebody) (?:put|place|set|weigh)(?:ed)? {_X}(?: (?:on|onto) (?:it|them|the "
            rf"scales?))?"
            rf"|(?P<y>(?:it|this|that|the|these|those)\b[^,;:?.!]*?) (?:stood|stands?|sat|sits|were|was|is|went) on "
            rf"(?:it|them|the scales?)){_END}",
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
        # "where does its designer sleep at night, which town"
        (
            rf"\bwhere (?:does|do) (?P<x>{_SOMEBODY}) (?:sleep|go home)(?: at night| in the evening)?(?:,? which "
            rf"{_PLACE})?{_END}",
            r"where does \g<x> live now",
        ),
        # "do you know what whoever discovered it studied"
        (
            rf"(?:^|(?<=know )|(?<=me )|(?<=[,:;] ))what (?P<x>{_SOMEBODY}) (?:has )?studied{_END}",
            r"what did \g<x> study",
        ),
        # "from which company do I get it", "if I want to order it, which firm do I write to"
        (
            rf"\bfrom (?:which|what) {_SELLER} (?:do|can|could|would|should|will) (?:i|we|you|one|people) (?:get|"
            rf"buy|order|"
            rf"obtain) (?P<x>(?:it|this|that|these|those|one|the)\b(?![^,;:?.!]* (?:to|for) )[^,;:?.!]*?){_END}",
            r"which company supplies \g<x>",
        ),
        (
            r"\b(?:if|when|to|suppose) (?:(?:i|we|you|one) (?:want(?:ed|s)?|would like|need(?:ed)?|were) to )?"
            r"(?:order|buy|purchase|get(?! to\b)) (?P<x>(?:it|this|that|these|those|one|the)\b[^,;:?.!]*?), "
            r"(?:which|what) "
            rf"{_SELLER} (?:do|can|could|would|should|must) (?:i|we|you|one) "
            rf"(?:write|turn|talk|speak|get in touch|order)(?: to| with| from)?{_END}",
            r"which company supplies \g<x>",
        ),
        # "which weekday do they have the market in that town", "which day is best for the fair there"
        (
            rf"\b(?:on )?(?:which|what) {_DAY} (?:(?:do|does|did|would|will) (?:they|people|one|it|i|you|we) "
            rf"(?:have|hold|get|visit|find|go to)|(?:is|are) (?:it )?(?:the )?(?:best|right|good|one)? ?for|is|has|"
            rf"are) the "
            rf"{_MARKET} (?:on |held |on for )?(?P<at>in|at|of) {_X}{_END}",
            r"on which day is the \g<e> \g<at> \g<x>",
        ),
        (
            rf"\b(?:on )?(?:which|what) {_DAY} (?:should|do|must|can|shall|would) (?:i|we|you|one) "
            r"(?:(?:have|need|want|like) to )?(?:go|come|travel|walk|ride|drive|get|head|be|(?:take|carry|bring) "
            r"[a-z ]+?)"
            rf"(?: down| over| along| out)? (?:to|in) {_X} for (?:the|its) {_MARKET}{_END}",
            r"on which day is the \g<e> in \g<x>",
        ),
        (
            rf"\bwhen(?:['’]s| is) the {_MARKET} on (?P<at>in|at) {_X}{_END}",
            r"when is the \g<e> \g<at> \g<x>",
        ),
        (
            rf"\b(?:(?:if|when) )?(?:i|we)(?:['’]d| would)? (?:want|like|wanted|plan|need) to (?:go|get|come|be) "
            rf"(?:to|at) the "
            rf"{_MARKET} (?:in|at|of) {_X}, (?:on )?(?:which|what) {_DAY}(?: (?:do|should|must|is|"
            rf"would)[^,;:?.!]*)?{_END}",
            r"on which day is the \g<e> in \g<x>",
        ),
        # "under what name is it sold"
        (
            rf"\bunder (?:what|which) name (?:is|are) {_X} (?:sold|known|marketed|listed|offered|traded){_END}",
            r"what is \g<x> called",
        ),
        # "the founding year of whoever makes it"
        (
            r"(?:\bwhat(?: is|['’]s| was) |^|(?<=[,:] ))(?:the )?(?:founding (?:year|date)|year of (?:the )?foundation|"
            rf"foundation year) of (?P<x>(?![^,;:?.!]*\b(?:or|and)\b)[^,;:?.!]+?){_END}",
            r"when was \g<x> founded",
        ),
        # "how many of it could I order"
        (
            rf"\bhow many of {_X} (?:could|can|may) (?:i|we|you|one) (?:still )?(?:order|buy|get)(?: today| "
            rf"now)?{_END}",
            r"how many of \g<x> are in stock",
        ),
        # "whoever designed it, where's home now"
        (
            rf"(?:^|(?<=[,:;] ))(?P<x>{_SOMEBODY}), where(?:['’]s| is) home(?: now| these days| nowadays| "
            rf"today)?{_END}",
            r"where does \g<x> live now",
        ),
        # "if I'm in that town, how far up am I compared with the sea"
        (
            r"\b(?:if|when|once) (?:i|we|you)(?:['’]m|['’]re| am| are| was| were| stand| stood) in "
            r"(?P<x>(?:the|that|this|its) [^,;:?.!]+?), how (?:far up|high(?: up)?) (?:am i|are we|would (?:i|we) "
            r"be|is (?:that|it))"
            rf"(?:,? (?:compared (?:with|to)|above|over|from) (?:the )?sea(?: level)?)?{_END}",
            r"how high above the sea is \g<x>",
        ),
        # "how long since anybody restored it, when was it"
        (
            r"\bhow long (?:is it |has it been )?since (?:anybody|anyone|somebody|someone|they|people) (?:last )?"
            rf"(?P<v>restored|repaired|renovated|refurbished|repainted|cleaned|painted|overhauled|moderni[sz]ed) {_X}"
            rf"(?:, (?:and )?when was (?:it|that))?{_END}",
            r"when was \g<x> last \g<v>",
        ),
        # "how much cable is on the drill"
        (
            rf"\bhow much {_CORD} (?:is|are)(?: there)? (?:on|at|with|attached to) {_X}{_END}",
            r"how long is the \g<n> of \g<x>",
        ),
        (rf"\bhow much {_CORD} (?:does|do) {_X} (?:have|come with|bring)\b", r"how long is the \g<n> of \g<x>"),
        # "the head count of the town on this": who lives there
        (
            rf"(?:\bwhat(?: is|['’]s) |^|(?<=[,:] ))(?:the )?head ?count (?:of|in) (?P<x>(?:the|that|this) (?:\w+ "
            rf")?{_PLACE}\b"
            rf"[^,;:?.!]*?){_END}",
            r"how many people live in \g<x>",
        ),
        # "what's the size of the staff of the firm", "the headcount at the firm"
        (
            rf"(?:\bwhat(?: is|['’]s) )?\b(?:(?:the )?(?:size|strength) of the {_STAFF}|(?:the )?head ?count) "
            rf"(?:of|at|in) {_X}{_END}",
            r"how many people work for \g<x>",
        ),
        # "how big is the staff of the firm"
        (
            rf"\bhow (?:big|large|strong|numerous) is the {_STAFF} (?:of|at|in) "
            rf"(?P<x>(?![^,;:?.!]*\b(?:picture|photo|image|town|village|city|shepherd)\b)[^,;:?.!]+?){_END}",
            r"how many people work for \g<x>",
        ),
        # "what did its inventor read at university"
        (
            rf"\bwhat (?:subject )?did (?P<x>{_SOMEBODY}) read (?:at (?:the )?(?:university|uni|college)|as a "
            rf"student){_END}",
            r"what did \g<x> study",
        ),
        # "how old does the dog get"
        (
            rf"\bhow old (?:does|do|can|could|will|would|might|may) {_X} (?:get|become|grow|live to be){_END}",
            r"how long does \g<x> live",
        ),
        # "how many pieces of it exist"
        (
            rf"\bhow many {_PIECES} of {_X} (?:exist|are there|are in existence)"
            rf"(?: in (?:the world|existence|all|total))?{_END}",
            r"how many of \g<x> were made",
        ),
        # "what do shops charge for the lamp now"
        (
            r"\bwhat (?:do|does|would|will) (?:(?:the|most|a|your) )?(?:shops?|stores?|dealers?|sellers?|retailers?) "
            rf"(?:charge|ask|want|take) for (?!me\b|us\b){_X}"
            rf"(?P<when> (?:at the moment|right now|now|today|currently|these days|nowadays))?{_END}",
            r"what does \g<x> cost\g<when>",
        ),
        # "from the ground to the tip, how much is it"
        (
            rf"\bfrom (?:the )?{_BUILDERS} to (?:the )?{_TOP},? how (?:much|far|many [a-z]+) (?:is|does) {_X}"
            rf"(?: (?:go|measure|rise|reach))?{_END}",
            r"how tall is \g<x>",
        ),
        # "which town is the backdrop of the film"
        (
            rf"\b(?P<wh>what|which) (?P<n>town|city|village|place|country|region|island) (?:is|was|forms|serves as) "
            rf"the (?:backdrop|setting|scene|stage|background) (?:of|for|to|in) {_X}{_END}",
            r"\g<wh> \g<n> is \g<x> set in",
        ),
        # "how big is the town it is from, inhabitants I mean"
        (
            rf"\bhow (?:big|large|populous) (?:is|are) {_X}, (?:in |by )?(?:(?:the )?number of )?"
            r"(?P<n>inhabitants|residents|people|citizens|employees|members)(?:,? (?:i mean|that is|i['’]d say))?"
            rf"{_END}",
            r"how many \g<n> does \g<x> have",
        ),
        # "its designer was a child of which town"
        (
            rf"(?:^|(?<=[,:;] )|(?<=^so )|(?<=^and ))(?P<x>(?:whoever|the|its|that|this) [^,;:?.!]+?) (?:is|was) "
            rf"an? (?:child|native|son|daughter) of (?:which|what) {_TOWN}{_END}",
            r"in which \g<n> was \g<x> born",
        ),
        # "where is the person who built it at home nowadays"
        (
            rf"\bwhere(?:['’]s| is| are) (?P<x>{_SOMEBODY}) at home (?:nowadays|these days|now|today|at present)\b",
            r"where does \g<x> live now",
        ),
        # "in what place do the people sit who make it"
        (
            rf"\b(?:where|in (?:what|which) (?:town|city|village|place)) (?:do|are) (?:the|those) (?:people )?"
            r"(?:sit|work|live|working|sitting)? ?(?:who|that) (?P<v>make|build|sew|produce|assemble) "
            rf"(?P<x>(?:it|this|that|these|those|the)\b[^,;:?.!]*?){_END}",
            r"where do they make \g<x>",
        ),
        # "whose catalogue is it in", "in whose range is this one"
        (
            rf"\b(?:in whose {_RANGE} is {_X}|whose {_RANGE} is (?P<y>[^,;:?.!]+?) (?:listed )?in){_END}",
            r"who sells \g<x>\g<y>",
        ),
        # "where do they hand it out"
        (
            r"\bwhere (?:do |does |did |will )?(?:they|people|one|somebody|someone) "
            rf"(?:hands?|handed|gives?|gave|pins?) out {_X}{_END}",
            r"where is \g<x> awarded",
        ),
        (
            r"\bwhere (?:do |does |did |will )?(?:they|people|one|somebody|someone) "
            rf"(?:hands?|handed|gives?|gave|pins?) (?P<x>it|this|that|them|these|those) out{_END}",
            r"where is \g<x> awarded",
        ),
        # "from which town does the bus set out in the morning"
        (
            rf"\b(?:from )?(?:what|which) {_PLACE} (?:does|do) (?P<x>{_LINE}) {_SETS_OUT}{_END}",
            r"what is the home depot of \g<x>",
        ),
        (rf"\b(?:from )?where (?:does|do) (?P<x>{_LINE}) {_SETS_OUT}{_END}", r"what is the home depot of \g<x>"),
        # "can I still get this jar, how many are there"
        (
            r"\b(?:can|could) (?:i|we|you|one|people) (?:still )?(?:get|buy|order|have) (?P<x>(?:it|this|that|the)\b"
            r"[^,;:?.!]*?)(?: (?:today|now|here))?, (?:and )?how many (?:are (?:there|left)|do (?:they|you) have)"
            rf"(?: left)?{_END}",
            r"how many of \g<x> are in stock",
        ),
        # "to what use do people put the plant"
        (
            r"\b(?:to )?(?:what|which) uses? (?:do|does|did|can|could|may|might|will|would|should) "
            rf"(?:i|we|you|one|people|they|somebody|the \w+) put {_X}(?: to)?{_END}",
            r"what is \g<x> used for",
        ),
        (rf"\bto (?:what|which) uses? (?:is|are|was|were) {_X} put{_END}", r"what is \g<x> used for"),
        # "the possessor of it?", "who possesses it"
        (
            rf"(?:\bwho(?: is| was|['’]s) )?(?:(?<=[,:] )|^)(?:the )?(?:possessor|proprietor) of {_X}{_END}",
            r"who is the owner of \g<x>",
        ),
        (rf"\bwho possesses {_X}{_END}", r"who is the owner of \g<x>"),
        # "which town is that painter from originally"
        (rf"\b(?P<wh>(?:what|which) {_PLACE}) {_COMES}{_END}", r"in \g<wh> was \g<x> born"),
        (rf"\bwhere {_COMES}{_END}", r"where was \g<x> born"),
        # "the restorer of it?"
        (
            rf"(?:\bwho(?: is| was|['’]s) )?(?:(?<=[,:] )|^)(?:the )?restorer of {_X}{_END}",
            r"who restored \g<x>",
        ),
    )
)


def said_plainly(text: str) -> str:
    """The question in plainer words for the property that it asks for; every other question as it is."""
    for pattern, plain in _PLAINLY:
        text, n = pattern.subn(plain, text, count=1)
        if n:
            break
    return text
