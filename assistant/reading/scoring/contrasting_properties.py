"""Statements about just the other case than the one that is asked about: unopened and once open, born and at home now.

The words of both are much alike, so that meaning alone mixes them up. Only pairs that exclude each other stand here.
"""

from __future__ import annotations

import re


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UNOPENED = _words(
    r"\b(?:unopened|sealed|unbroken|before (?:it is |it['’]s )?open(?:ed|ing)|"
    r"(?:don['’]t|do not|never|not|without|isn['’]t|is not|leave it un) ?(?:ever |yet )?open(?:ed|ing)?)\b"
    r"|\b(?:stand|keep|last|stay|leave|left|kept|stor(?:e|ed))s?\b.*\b(?:closed|shut)\b|\bstill (?:closed|shut)\b"
    r"|\b(?:closed|shut),? (?:it|they|this) (?:keeps?|lasts?|stays?|holds?)\b"
)
_OPENED = _words(
    r"\b(?:after|once|since)\b(?: \w+){0,3} open(?:ed|ing)?\b|\bwhen opened\b"
    r"|\buse (?:it )?(?:up )?within (?:\d+ )?days\b(?! of (?:purchase|manufacture|delivery|sale|baking|production))"
    r"|\b(?:an?|the) open(?:ed)? (?:pack(?:age|et)?|bag|box|tin|jar|bottle|can|carton|tub|one)\b"
)
_BORN = _words(
    r"\b(?:birthplace|place of birth|born|native|originally|home ?town|(?:come|came) into the world|gr[eo]w up|"
    r"childhood|a child of)\b"
)
_AT_HOME = _words(
    r"\b(?:lives?|living|resides?|residence|settled|moved|(?:today|now|nowadays|these days)\b.*\b(?:at home|home)|"
    r"home (?:today|now|these days)|(?:current|present) (?:home|address)|(?<!from the )home of (?:the|its|whoever)|"
    r"sleeps? at night|where (?:would|could|can|do|should) (?:i|we|one|you) (?:find|meet|visit|write|reach|see))\b"
)
#: What a thing bears, is filled with or strung with is not what it weighs itself.
_LOAD = _words(
    r"\bhow (?:much|many)\b.*\b(?:can|could|does|do|did|will|may) (?:it|this|that|they|(?:the|this|that) (?:\w+ )?\w+)"
    r" (?:carry|lift|bear|hold|pull|tow|haul|support|load)\b"
    r"|\b(?:strung|inflated|pumped up|loaded|filled|fills? (?:\w+ )?up|top(?:s|ped)? up|goes in(?:to)?|go in(?:to)?)\b"
    r"|\b(?:load|capacity|limit|maximum|tank|tension)\b"
)
_OWN_WEIGHT = _words(r"\bweigh(?:s|ed|t)?\b|\bdisplac\w+|\btonnage\b|\bscales?\b|\bheavy\b")
_BEARS = _words(
    r"^(?:[a-z.]+ ){0,3}(?:load|payload|cargo|carrying capacity|load limit|load capacity)(?: [a-z.()]+){0,2}:"
    r"|\b(?:bears?|carry|carries|supports?|holds|takes) (?:(?:loads?|a load) of )?(?:up to |at most |as much as )"
    r"|\b(?:can|could|may|will|does|would) (?:it|this|that|i|we|you|they|(?:the|this|that) [a-z]+)(?: [a-z]+)? "
    r"(?:carry|bear|lift|hold|support|load|take|put)\b|\b(?:load|payload|cargo)\b(?=.*\?)"
)
#: What a thing costs now, and what it cost when it was new ("it cost" without the s of the present).
_COSTS_NOW = _words(
    r"^(?=.*\b(?:at the moment|right now|now|today|these days|nowadays|currently|at present)\b)"
    r".*\b(?:costs?|charged?|charges|price|pay|sells?|ask|want|go(?:es)? for)\b|\b(?:costs|sells for)\b"
    r"|^(?:(?:what(?:['’]s| is) )?the )?(?:cost|price) of\b"
    r"|\bhow much (?:is|does) (?:it|this|that|(?:the|this|that) \w+)(?: cost)?\W*$"
)
_COST_THEN = _words(
    r"(?<!would )(?<!does )(?<!did )\bit (?:cost|sold for|went for)\b|\bface value\b|\bdenomination\b|\bnew it cost\b"
)
#: What a stamp is good for, and what collectors give for it.
_POSTAGE = _words(r"\b(?:postage|face value|denominations?|good for)\b")
_COLLECTED = _words(r"\b(?:catalogue|collectors?|auction(?:ed)?|market) ?(?:value|price|pay|give|worth)?\b")
#: So many in a year, and so many just now.
_PER_YEAR = _words(r"\b(?:(?:per|a|each|every|in one) (?:year|month|week)|annual(?:ly)?|yearly|monthly|weekly)\b")
_JUST_NOW = _words(r"\b(?:as i (?:write|speak)|right now|just now|at the moment|at present|at this moment)\b")
#: What may harm somebody, and all that is in it.
_ALLERGENS = _words(r"\ballerg\w+|\bintoleran\w+|\bmay contain\b")
_INGREDIENTS = _words(r"\bingredients?\b|\bmade (?:of|from|with)\b")
#: A firm is asked for, and a place is told.
_WHICH_FIRM = _words(
    r"(?:\b(?:what|which|whose)|^(?:the )?name of the|^the) "
    r"(?:firm|compan(?:y|ies)|business|brand|outfit|enterprise|corporation)\b"
    r"(?!.*\b(?:where|when|how|what|which)\b)"
)
_PLACE_TOLD = _words(
    r"^(?:\w+ )*(?:place|town|city|village|location|country)(?: \w+)*:"
    r"|^(?:their|its|the) (?:place|seat|offices?|headquarters) (?:is|are) in\b|\bborn in\b|\bnative of\b"
    r"|\b(?:what|which|in the) (?:town|city|village|place|country)\b"
)
#: Who does what, and where something is held, is not told by where somebody lives.
_WHO_OR_HELD = _words(
    r"^(?:who|whom|(?:what(?:['’]s| is) )?the name of)\b"
    r"|\bwhere\b.*\b(?:held|takes? place|took place|staged|performed)\b"
    r"|\bwhere\b.*\b(?:hear|attend|listen to|sit in on) (?:it|this|that|the)\b"
)
_LIVES = _words(
    r"^(?:today )?(?:[a-z'’-]+ ){1,3}(?:is at home|lives|resides|settled) (?:in|at|near) [^,;]+$"
    r"|\b(?:live[sd]?|living|resid\w+|home|settled)\b(?=.*\?|$)"
    r"|\bhome (?:these days|nowadays|now|today)\b"
)
#: Where a bus or a boat sets out from, and where it goes.
_SETS_OUT = _words(
    r"\b(?:depot|garage|home port|(?:sets?|setting) (?:out|off)|starts?|starting|departs?|departing|departure|leaves|"
    r"(?-i:from [A-Z]\w+))\b"
)
_GOES_TO = _words(
    r"\b(?:(?:runs?|goes|go|going) to|(?:headed|heading|bound) for|end of (?:the )?line|ends? (?:up|in|at)|terminus|"
    r"terminates?|destination|last stop)\b"
)
#: One town or stop is asked for, and what is told is that something goes everywhere.
_ONE_PLACE = _words(
    r"\b(?:what|which) (?:town|city|village|place|port|street|station|stop|harbou?r)s?\b"
    r"|\bwhere (?:can|could|do|should|would|may|must|might) (?:i|we|you|one|people) "
    r"(?:hop|get|step|jump|climb|change|board|alight)\b(?! (?:it|this|that|one|them|these|hold)\b)"
)
_EVERYWHERE = _words(
    r"^(?!.*\b(?:in|at|from|near) (?-i:[A-Z]))"
    r".*\b(?:all (?:over|across|around)|throughout|every ?where|any ?where|nation ?wide|world ?wide|"
    r"across (?:the|all))\b"
)
#: When a thing was put in order again, and when it came to be.
_DONE_UP = _words(
    r"\b(?:done up|(?:did|do|does|doing) (?:it|this|that|(?:the|this|that) \w+) up|restor\w+|renovat\w+|"
    r"refurbish\w*|overhaul\w*|moderni[sz]\w+|redecorat\w+|re-?paint\w*|spruced up|face ?lift)\b"
)
_CAME_TO_BE = _words(
    r"\b(?:(?<!re)(?<!re-)built|constructed|erected|put up|founded|established|inaugurated|construction|"
    r"dates? (?:from|back)|year of (?:building|construction|completion))\b"
)
#: What a thing is worth, and what was spent on putting it in order.
_WORTH = _words(r"\b(?:worth|value[ds]?|valuation)\b")
_SPENT_ON = _words(
    r"\b(?:an?|per|each) (?:night|day|hour|week|month)\b|\b(?:rent(?:al)?|hire|"
    r"paint|repairs?|restor(?:ing|ation|ed)|renovat(?:ing|ion|ed)|cleaning|postage|shipping|refurbish\w*|overhaul)\b"
)
#: A ticket for days or for many, and a plain one.
_FOR_MANY = (
    r"\b(?:day|daily|week(?:ly|end)?|month(?:ly)?|annual|yearly|year|season|family|group) (?:pass|ticket|card|fare)\b"
)
PASS = _words(_FOR_MANY)
_FARE = _words(rf"^(?!.*{_FOR_MANY}).*\b(?:tickets?|fares?|rides?|trip|singles?|admission|entry|entrance)\b")
#: How fast it goes, and in what time it gets there.
_HOW_FAST = _words(
    r"\bhow (?:fast|quick(?:ly)?|speedy)\b(?!.*\b(?:charg|boil|heat|fill|load|warm|cool|dr[iy]|start)\w*)"
    r"|\b(?:top|maximum|highest) speed\b"
)
_ACCELERATES = _words(
    r"\baccelerat\w+|\b(?:to|until it) reach(?:es)? \d|\bfrom (?:rest|a standstill|standstill|zero|0)\b|"
    r"\b0 ?(?:-|–|to) ?\d"
)
#: How high something flies or leaps, and how tall it is itself.
_RISES = _words(r"\bhow high (?:does|do|can|could|will|would|did)\b.* (?:fly|jump|leap|climb|soar|hop|kick)\b")
_STANDS = _words(r"\b(?:height|tall|stands|withers|shoulder|wing ?span|wing ?tip)\b")
#: Who made a part of it that is somebody's work by itself, and who made the whole.
_WORK_ON_IT = (
    r"(?:pattern|motifs?|print|cover|illustrations?|artwork|drawings|music|score|soundtrack|upholstery|fabric)\b"
)
_WHO_DID_PART = _words(
    rf"\bwho(?:m|ever)?\b.*\b(?:drew|draws|did|designed|made|painted|created|composed|wrote|thought up|came up with) "
    rf"(?:(?:the|its|their) (?:\w+ )?{_WORK_ON_IT}"
    r"|what(?: is|['’]s| you see| one sees)?(?: (?:shown|printed|painted|drawn))? on (?:it|this|that|the)\b)"
    r"|\b(?:artist|person|man|woman|one|hand|mind|name|designer|creator|author|maker|whoever)"
    rf"(?: is| was)? (?:behind|of|for) (?:the|its|their|this|that) (?:\w+ )?{_WORK_ON_IT}"
    rf"|\b{_WORK_ON_IT[:-2]}(?:['’]s)? (?:artist|designer|creator|author|composer|maker)\b"
)
_WHO_DID_ALL = _words(
    rf"^(?!.*\b{_WORK_ON_IT})(?:(?:designed by|designer|design|styling|maker|made by|manufacturer|producer|publisher|"
    r"author|written by|inventor|built by|builder|brand)\b[^:]*:|.*\b(?:designed|made|built|wrote) it\b|"
    r"(?:its|the) (?:design|form|shape|styling)(?: of it)? (?:is|was|comes from|came from|goes back to)\b|"
    r"(?:its|the) designer (?:is|was)\b|.*\b(?:it|(?<!pattern )(?<!print )(?<!cover )was|is) designed by\b|"
    r".*\bgave it its (?:form|shape)\b)"
)
#: What a thing is about, and what is about the thing.
_WHAT_ABOUT = _words(r"\bwhat(?: is|['’]s| are) (?:it|this|that|they|these|(?:the|this|that) \w+) (?:all )?about\b")
_ABOUT_IT = _words(r"\babout (?:it|this|that|them)\b")
#: With all that is in it, and by itself.
_LADEN = _words(
    r"\b(?:weigh\w*|heavy)\b.*\b(?:(?:fully )?(?:loaded|laden|packed)|with (?:all|the|its|everybody|everyone|"
    r"passengers|people)|full)\b"
)
_UNLADEN = _words(r"\b(?:unladen|kerb|curb|empty|tare|net|dry)\b")
#: Where it goes by day, and where it is put for the night.
_WHERE_TO = _words(
    r"^where (?:does|do|is|are) (?:it|this|that|they|(?:the|this|that) (?:\w+ )?\w+) (?:go|going|run|head)\W*$"
)
_HOME = _words(r"\bhome\b|\bdepots?\b|\bgarages?\b|\bsleeps?\b")
#: When it is up, and how long it sleeps.
_AWAKE = _words(r"\b(?:awake|wakes?|waking|is up|are up)\b")
_ASLEEP = _words(r"\b(?:sle(?:ep|eps|eping|pt)|rests?|resting|naps?|asleep)\b")
#: Dried by a machine, ironed or bleached, and washed by one.
_DRIED = _words(r"\b(?:tumble|tumbler|spin|dryer|drier|iron(?:ed|ing)?|bleach(?:ed|ing)?|dry[- ]?clean(?:ed|ing)?)\b")
_WASHED = _words(r"\b(?:wash(?:ed|ing|able|es)?|laundered)\b")
#: There and back, and one way.
_BACK = _words(r"\b(?:returns?(?! policy)|round[- ]?trips?|there and back|both ways)\b")
_ONE_WAY = _words(r"\b(?:singles?|one[- ]way|tolls?|crossing fee|fares?|tickets?|for (?:one|a) trip)\b")
#: When it turns to steam, and when it is no longer solid.
_BOILS = _words(r"\b(?:boil\w*|vapori[sz]\w*|evaporat\w*)\b")
_MELTS = _words(r"\b(?:melt\w*|freez\w*|solidif\w*)\b")
#: Who gives it away at the ceremony, whoever wins it, and who paid for it once.
_HANDS_OVER = _words(r"\bwho (?:hands|gives|presents|pins|awards|confers|bestows)\b")
_FOUNDED = _words(r"\b(?:endow\w*|found(?:ed|er)|thanks to|donat\w+|established|instituted)\b")
_WHO_GETS = _words(r"\bwho (?:gets|receives|wins|is (?:given|awarded)|can (?:get|win)|earns|deserves)\b")
_FROM_WHOM = _words(
    r"\b(?:get|gets|got|receives?|received|have|had) (?:it|this|them) (?:from|thanks to)\b"
    r"|\b(?:presented|handed (?:over|out)|given out|conferred|pinned on) by\b|\bpresent(?:er|s) (?:of )?"
)
#: Since when it has existed, and when somebody found or described it.
_AGE = _words(r"\bhow old\b")
_FOUND = _words(r"\b(?:discover\w*|describ\w*|catalogu\w*|unearthed|dug up|isolated)\b")
#: How many people go in, and how many of it there are.
_FIT_IN = _words(
    r"\bhow many\b.*\b(?:fits?|squeeze|room|gets? in|go in)\b"
    r"|\bhow many (?:people|passengers|persons|adults|kids|children)\b.*\b(?:seats?|takes?|carry|holds?)\b"
)
_MADE_SO_MANY = _words(
    r"\b(?:fleet|production|so far|sister|in service|of these|edition of|print run|units (?:built|made|sold)|"
    r"have been (?:built|made|sold))\b"
)
#: Who sits, and who stands.
_STAND_IN = _words(r"\bhow many\b.*\b(?:stand|standing|standees)\b")
_SIT_IN = _words(r"^(?!.*\bstand).*\b(?:sits?|seat(?:s|ed|ing)?)\b")
#: All who go in, and only those who have a seat.
_ALL_FIT = _words(r"\bhow many\b.*\b(?:fits?|get in|go in)\b.*\b(?:in all|altogether|in total|all told)\b")
_SEATED = _words(r"^(?!.*\b(?:capacity|total)\b).*\b(?:sits?|seat(?:s|ed|ing)?|stand(?:ing|ees)?)\b")
#: Who is at the wheel, and whose business it is.
_DRIVES = _words(r"\bwho (?:drives|steers|pilots|flies|sails|is at the (?:wheel|helm))\b")
_OPERATES = _words(
    r"^(?!.*\b(?:driv|steer|pilot|helm)).*\b(?:operat(?:ed|or|es?)|carrier|run by|runs it|owned by|owner)\b"
)
#: Who lives there, and who comes there for an hour.
_INHABIT = _words(r"\bhow many\b.*\b(?:live|living|inhabit\w*)\b(?! (?:on|up)\b)")
_ATTEND = _words(r"\b(?:attend\w*|audience|visitors?|visit|listeners|seats?|capacity)\b")
#: Filled or loaded, and as it comes.
_FULL = _words(r"\b(?:weigh\w*|heavy)\b.*\b(?:full|loaded|laden)\b")
_AS_IT_COMES = _words(
    r"^(?!.*\b(?:full|fill|laden|load|gross|max)).*(?:^(?:\w+ )?(?:weight|mass|weighs):|\bweighs\b|\bscales\b)"
)
#: How tall a thing is, and how high a town lies.
_HOW_TALL = _words(r"\bhow (?:tall|big|long|wide)\b")
_ALTITUDE = _words(r"\baltitude\b|\babove (?:the )?sea\b|\belevation\b")
#: Somebody, and where it goes.
_WHO = _words(r"^who\b")
#: The first stop, and the last.
_FIRST_STOP = _words(r"\b(?:which|what|where).*\b(?:first stop|stops? (?:comes |is )?first|starts?|begins?)\b")
_LAST_STOP = _words(r"\b(?:terminus|end of (?:the )?line|ends? (?:up|in|at)|last stop|runs to|destination)\b")
#: A tank or a charge, and the whole thing.
_FILLING = _words(
    r"\b(?:cost|price|pay|much)\b.*\b(?:(?:full|whole|a) (?:tank(?:ful)?|charge|refill)|fill(?:ing)? (?:it|the) ?up)\b"
    r"|\b(?:full|whole|a) (?:tank(?:ful)?|charge|refill)\b.*\b(?:cost|price|come to)\b"
)
_BOUGHT = _words(
    r"^(?:[a-z]+ )?(?:price|rrp|msrp|cost)(?: new)?:|\b(?:i paid|shops ask|at the till|recommended price)\b"
)
#: How far it goes on one filling, and what it uses on the way.
_RANGE = _words(r"\bhow far\b.*\b(?:tank(?:ful)?|charge|battery|filling|go|get|drive|last)\b")
_USES = _words(r"\b(?:burns?|consum\w+|uses?|drinks?|per 100|fuel economy|100 km)\b")
#: How tight a thing is strung is not how heavy it is.
_STRUNG = _words(r"\bstr(?:ing|ung)\w*\b|\btension\b")
#: On which line something runs, and where the line ends.
_WHICH_LINE = _words(
    r"\b(?:which|what) (?:(?:bus|tram|train|ferry) )?(?:route|line)(?: number)?\b|\b(?:line|route) (?:number\b|\d)"
)
_LAST_STOP = _words(r"\bterminus\b|\bterminates\b|\bdestination\b|\b(?:last|end|final) stop\b")
#: How much light a plant wants, and for how long it is in flower.
_LIGHT = _words(
    r"\bhours? of (?:\w+ )?(?:daylight|light|sun(?:light|shine)?|shade)\b|\bhow much (?:sun(?:light)?|light|shade)\b"
)
_IN_FLOWER = _words(
    r"^(?!.*\b(?:day)?(?:light|sun\w*|shade)\b).*\b(?:flower(?:s|ing)?|bloom(?:s|ing)?|blossom(?:s|ing)?)\b"
)
#: What is asked about, and what a statement of the other case says.
_PAIRS = (
    (_OWN_WEIGHT, _STRUNG),
    (_WHICH_LINE, _LAST_STOP),
    (_LIGHT, _IN_FLOWER),
    (_UNOPENED, _OPENED),
    (_OPENED, _UNOPENED),
    (_BORN, _AT_HOME),
    (_AT_HOME, _BORN),
    (_LOAD, _OWN_WEIGHT),
    (_OWN_WEIGHT, _BEARS),
    (_SETS_OUT, _GOES_TO),
    (_GOES_TO, _SETS_OUT),
    (_COSTS_NOW, _COST_THEN),
    (_POSTAGE, _COLLECTED),
    (_PER_YEAR, _JUST_NOW),
    (_JUST_NOW, _PER_YEAR),
    (_ALLERGENS, _INGREDIENTS),
    (_WHICH_FIRM, _PLACE_TOLD),
    (_WHO_OR_HELD, _LIVES),
    (_ONE_PLACE, _EVERYWHERE),
    (_DONE_UP, _CAME_TO_BE),
    (_CAME_TO_BE, _DONE_UP),
    (_WORTH, _SPENT_ON),
    (_HOW_FAST, _ACCELERATES),
    (_RISES, _STANDS),
    (_WHAT_ABOUT, _ABOUT_IT),
    (_WHO_DID_PART, _WHO_DID_ALL),
    (PASS, _FARE),
    (_LADEN, _UNLADEN),
    (_WHERE_TO, _HOME),
    (_AWAKE, _ASLEEP),
    (_DRIED, _WASHED),
    (_WASHED, _DRIED),
    (_BACK, _ONE_WAY),
    (_BOILS, _MELTS),
    (_MELTS, _BOILS),
    (_HANDS_OVER, _FOUNDED),
    (_WHO_GETS, _FROM_WHOM),
    (_AGE, _FOUND),
    (_FIT_IN, _MADE_SO_MANY),
    (_STAND_IN, _SIT_IN),
    (_ALL_FIT, _SEATED),
    (_DRIVES, _OPERATES),
    (_INHABIT, _ATTEND),
    (_FIRST_STOP, _LAST_STOP),
    (_FULL, _AS_IT_COMES),
    (_HOW_TALL, _ALTITUDE),
    (_WHO, _GOES_TO),
    (_FILLING, _BOUGHT),
    (_RANGE, _USES),
)

#: Who makes, drew or wrote it.
_MAKER_TOLD = _words(
    r"^(?:the )?(?:producer|manufacturer|maker|brand|label|marque|designer|author|writer|inventor|composer|artist|"
    r"painter|sculptor|architect|breeder|editor)(?: (?:is|was)|:) (?!.*\b(?:in|at|near|of|from) (?-i:[A-Z]))"
)


def of_its_maker(told: str) -> bool:
    """Whether a fact says no more than who made it: that is no place where it was made."""
    return _MAKER_TOLD.search(told) is not None


#: "how much can it carry, by weight?" asks for no weight of its own.
_BY_WEIGHT = re.compile(r",? \b(?:by|in) weight\b", re.IGNORECASE)


def of_the_other_case(question: str, text: str) -> bool:
    """Whether the text tells only of the case that excludes the one asked about."""
    question = _BY_WEIGHT.sub("", question)
    return any(
        a.search(question) and not b.search(question) and b.search(text) and not a.search(text) for a, b in _PAIRS
    )
