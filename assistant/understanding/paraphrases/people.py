"""Roundabout ways to ask about people, firms and towns, said plainly: what somebody studied, where she lives, when a
firm was founded, on which day there is a market.

Each line is a way of speaking with the plain one for it, and leaves what is asked as it was.
"""

from __future__ import annotations

import re

#: What is spoken of, up to the end of its clause.
X = r"(?P<x>[^,;:?.!]+?)"
END = r"(?=\s*(?:[,;:?.!]|$))"
_TRAINING = r"(?:education|training|studies|degree|university degree)"
_STAFF = r"(?:workforce|staff|personnel|payroll)"
_PLACE = r"(?:town|city|village|place|country)"
_TOWN = rf"(?P<n>{_PLACE})"
_SOMEBODY = (
    r"(?:he|she|whoever [^,;:?.!]+?|(?:the|its|that|this) (?:person|man|woman|one|[a-z]{3,}(?:er|or|ist)) "
    r"(?:who|that|of|behind) [^,;:?.!]+?|(?:the|its|that|this|their) (?:[a-z]+ )?(?:man|woman|person|designer|author|"
    r"writer|painter|maker|founder|owner|inventor|composer|sculptor|breeder|singer|player|builder|discoverer|publisher|"
    r"director|editor|lecturer|speaker|photographer|architect|illustrator|mathematician|restorer|engraver|[a-z]+ist))"
)
_DAY = r"(?:week ?days?|days?(?: of the week)?)"
_MARKET = r"(?P<e>(?:[a-z]+['’]? ){0,2}?(?:market|fair))"
_MAKER = (
    r"(?:firm|company|business|outfit|enterprise|brand|maker|manufacturer|producer|publisher|nursery|shipyard|brewery|"
    r"studio|workshop|builder|factory|publishing house)"
)
#: What runs on a line, and comes out of its depot before the first run.
_LINE = (
    r"(?:the|this|that) (?:[\w-]+ )?(?:bus|tram|train|coach|streetcar|railcar|trolley ?bus|trolley|tramcar)"
    r"(?: (?:here|there|on the (?:left|right)|in front of me|in view))?"
)
_SETS_OUT = (
    r"(?:(?:set|start|pull)(?: ?(?:out|off))?|(?:go|drive|head) ?out|come(?: ?out)?)(?: from)? "
    r"(?:in the morning|(?:every|each) (?:morning|day)|at dawn|first thing(?: in the morning)?|at the start of the day)"
)
_WHO_DID_IT = (
    r"(?:whoever [^,;:?.!]+?|(?:the|that|this|its|their) (?:\w+ )?"
    r"(?:designer|author|writer|painter|maker|founder|owner|inventor|composer|sculptor|breeder|singer|player|builder|"
    r"discoverer|[a-z]+(?:ist|ian|ect))(?: (?:of|behind|who|that) [^,;:?.!]+?)?)"
)
_COMES = rf"(?:is|was|does|did) (?P<x>{_WHO_DID_IT}) (?:come |hail )?from (?:originally|by birth)"

OF_PEOPLE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # "in which town did the artist first see the light of day", "which town has the house where he was a newborn"
        (
            rf"\bdid (?P<x>{_WHO_DID_IT}) (?:first |ever )?"
            r"(?:see the light of (?:day|the world)|come into (?:the|this) world|draw (?:his|her|their|a) first breath)"
            rf"{END}",
            r"was \g<x> born",
        ),
        (
            rf"\b(?:which|what) {_TOWN} has the (?:house|home|hospital|place|street) (?:where|in which) "
            rf"(?P<x>{_WHO_DID_IT}) was (?:born|a newborn|a baby){END}",
            r"in which \g<n> was \g<x> born",
        ),
        # "what is the founder by training", "the founder has a degree in what"
        (rf"\bwhat(?: is|['’]s| was) {X} by {_TRAINING}\b", r"what did \g<x> study"),
        (
            rf"(?:^|(?<=, )){X} (?:holds?|has|have|got|took|did|earned) (?:a|an|his|her|their) (?:\w+ )?"
            rf"degree in what{END}",
            r"what did \g<x> study",
        ),
        (
            rf"\b(?:in )?what(?: subject| field| discipline)? (?:does|did|has) {X} (?:hold|have|get|got|do|take|earn) "
            rf"(?:a|an|his|her|their) (?:\w+ )?degree(?: in)?{END}",
            r"what did \g<x> study",
        ),
        # "whoever bred it went to college for what", "what did its designer go to university for"
        (
            rf"(?:^|(?<=[,:;] ))(?P<x>{_SOMEBODY}|(?-i:[A-Z])[\w' -]+?) (?:went to (?:college|university|school|"
            rf"uni) for|"
            rf"(?:went off and )?studied) what{END}",
            r"what did \g<x> study",
        ),
        (
            rf"\b(?:for )?what did (?P<x>{_SOMEBODY}) (?:go to|attend) (?:college|university|school|uni)(?: "
            rf"for)?{END}",
            r"what did \g<x> study",
        ),
        (
            rf"\bwhat(?: is|['’]s| was) the (?:university |college )?degree of (?P<x>{_SOMEBODY}) in{END}",
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
            rf"{_PLACE})?{END}",
            r"where does \g<x> live now",
        ),
        # "where does its designer sleep at night, which town"
        (
            rf"\bwhere (?:does|do) (?P<x>{_SOMEBODY}) (?:sleep|go home)(?: at night| in the evening)?(?:,? which "
            rf"{_PLACE})?{END}",
            r"where does \g<x> live now",
        ),
        # "do you know what whoever discovered it studied"
        (
            rf"(?:^|(?<=know )|(?<=me )|(?<=[,:;] ))what (?P<x>{_SOMEBODY}) (?:has )?studied{END}",
            r"what did \g<x> study",
        ),
        # "which weekday do they have the market in that town", "which day is best for the fair there"
        (
            rf"\b(?:on )?(?:which|what) {_DAY} (?:(?:do|does|did|would|will) (?:they|people|one|it|i|you|we) "
            rf"(?:have|hold|get|visit|find|go to)|(?:is|are) (?:it )?(?:the )?(?:best|right|good|one)? ?for|is|has|"
            rf"are) the "
            rf"{_MARKET} (?:on |held |on for )?(?P<at>in|at|of) {X}{END}",
            r"on which day is the \g<e> \g<at> \g<x>",
        ),
        (
            rf"\b(?:on )?(?:which|what) {_DAY} (?:should|do|must|can|shall|would) (?:i|we|you|one) "
            r"(?:(?:have|need|want|like) to )?(?:go|come|travel|walk|ride|drive|get|head|be|(?:take|carry|bring) "
            r"[a-z ]+?)"
            rf"(?: down| over| along| out)? (?:to|in) {X} for (?:the|its) {_MARKET}{END}",
            r"on which day is the \g<e> in \g<x>",
        ),
        (
            rf"\bwhen(?:['’]s| is) the {_MARKET} on (?P<at>in|at) {X}{END}",
            r"when is the \g<e> \g<at> \g<x>",
        ),
        (
            rf"\b(?:(?:if|when) )?(?:i|we)(?:['’]d| would)? (?:want|like|wanted|plan|need) to (?:go|get|come|be) "
            rf"(?:to|at) the "
            rf"{_MARKET} (?:in|at|of) {X}, (?:on )?(?:which|what) {_DAY}(?: (?:do|should|must|is|"
            rf"would)[^,;:?.!]*)?{END}",
            r"on which day is the \g<e> in \g<x>",
        ),
        # "the founding year of whoever makes it"
        (
            r"(?:\bwhat(?: is|['’]s| was) |^|(?<=[,:] ))(?:the )?(?:founding (?:year|date)|year of (?:the )?foundation|"
            rf"foundation year) of (?P<x>(?![^,;:?.!]*\b(?:or|and)\b)[^,;:?.!]+?){END}",
            r"when was \g<x> founded",
        ),
        # "whoever designed it, where's home now"
        (
            rf"(?:^|(?<=[,:;] ))(?P<x>{_SOMEBODY}), where(?:['’]s| is) home(?: now| these days| nowadays| "
            rf"today)?{END}",
            r"where does \g<x> live now",
        ),
        # "if I'm in that town, how far up am I compared with the sea"
        (
            r"\b(?:if|when|once) (?:i|we|you)(?:['’]m|['’]re| am| are| was| were| stand| stood) in "
            rf"(?P<x>(?:the|that|this|its) (?:[a-z]+ )?{_PLACE}\b[^,;:?.!]*?), how (?:far up|high(?: up)?) "
            r"(?:am i|are we|would (?:i|we) be|is (?:that|it))(?:,? (?:compared (?:with|to)|above|over|from) "
            r"(?:the )?sea"
            rf"(?: level)?)?{END}",
            r"how high above the sea is \g<x>",
        ),
        # "the head count of the town on this": who lives there
        (
            rf"(?:\bwhat(?: is|['’]s) |^|(?<=[,:] ))(?:the )?head ?count (?:of|in) (?P<x>(?:the|that|this) (?:\w+ "
            rf")?{_PLACE}\b"
            rf"[^,;:?.!]*?){END}",
            r"how many people live in \g<x>",
        ),
        # "what's the size of the staff of the firm", "the headcount at the firm"
        (
            rf"(?:\bwhat(?: is|['’]s) )?\b(?:(?:the )?(?:size|strength) of the {_STAFF}|(?:the )?head ?count(?! of "
            rf"(?:the|this|that) "
            r"(?:herd|flock|colony|pack|shoal)\b)) "
            rf"(?:of|at|in) {X}{END}",
            r"how many people work for \g<x>",
        ),
        # "how big is the staff of the firm"
        (
            rf"\bhow (?:big|large|strong|numerous) is the {_STAFF} (?:of|at|in) "
            rf"(?P<x>(?![^,;:?.!]*\b(?:picture|photo|image|town|village|city|shepherd)\b)[^,;:?.!]+?){END}",
            r"how many people work for \g<x>",
        ),
        # "what did its inventor read at university"
        (
            rf"\bwhat (?:subject )?did (?P<x>{_SOMEBODY}) read (?:at (?:the )?(?:university|uni|college)|as a "
            rf"student){END}",
            r"what did \g<x> study",
        ),
        # "how big is the town it is from, inhabitants I mean"
        (
            rf"\bhow (?:big|large|populous) (?:is|are) {X}, (?:in |by )?(?:(?:the )?number of )?"
            r"(?P<n>inhabitants|residents|people|citizens|employees|members)(?:,? (?:i mean|that is|i['’]d say))?"
            rf"{END}",
            r"how many \g<n> does \g<x> have",
        ),
        # "its designer was a child of which town"
        (
            rf"(?:^|(?<=[,:;] )|(?<=^so )|(?<=^and ))(?P<x>(?:whoever|the|its|that|this) [^,;:?.!]+?) (?:is|was) "
            rf"an? (?:child|native|son|daughter) of (?:which|what) {_TOWN}{END}",
            r"in which \g<n> was \g<x> born",
        ),
        # "where is the person who built it at home nowadays"
        (
            rf"\bwhere(?:['’]s| is| are) (?P<x>{_SOMEBODY}) at home (?:nowadays|these days|now|today|at present)\b",
            r"where does \g<x> live now",
        ),
        # "from which town does the bus set out in the morning"
        (
            rf"\b(?:from )?(?:what|which) {_PLACE} (?:does|do) (?P<x>{_LINE}) {_SETS_OUT}{END}",
            r"what is the home depot of \g<x>",
        ),
        (rf"\b(?:from )?where (?:does|do) (?P<x>{_LINE}) {_SETS_OUT}{END}", r"what is the home depot of \g<x>"),
        # "the possessor of it?", "who possesses it"
        (
            rf"(?:\bwho(?: is| was|['’]s) )?(?:(?<=[,:] )|^)(?:the )?(?:possessor|proprietor) of {X}{END}",
            r"who is the owner of \g<x>",
        ),
        (rf"\bwho possesses {X}{END}", r"who is the owner of \g<x>"),
        # "which town is that painter from originally"
        (rf"\b(?P<wh>(?:what|which) {_PLACE}) {_COMES}{END}", r"in \g<wh> was \g<x> born"),
        (rf"\bwhere {_COMES}{END}", r"where was \g<x> born"),
        # "the restorer of it?"
        (
            rf"(?:\bwho(?: is| was|['’]s) )?(?:(?<=[,:] )|^)(?:the )?restorer of {X}{END}",
            r"who restored \g<x>",
        ),
    )
)
