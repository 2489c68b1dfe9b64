"""The kind of answer that a question calls for: a quantity, a count, a date, a person, a yes or no.

Reads English question grammar only (interrogatives, auxiliaries, quantifiers); which attribute is meant is decided
later, by meaning.
"""

from __future__ import annotations

import itertools
import re

from assistant.text.english import ADJECTIVES, is_plural, word_set, words_of
from assistant.text.units import unit_of
from assistant.understanding.answer_kinds import Expected, measured_in, told_by_phrase
from assistant.understanding.clause import YESNO
from assistant.understanding.roles import role_asked

_COLOURS = re.compile(r"\bcolou?rs?\b|\bhues?\b|\bshades?\b(?! of (?:meaning|opinion))", re.IGNORECASE)
_MONEY = re.compile(
    r"\b(?:costs?|price[ds]?|expensive|pay|paid|worth|(?<!in )charged?|fees?|fare|bill|money|cheap|"
    r"sells? for(?! (?:it|them|this|that)\b)|"
    r"set (?:me|you|us|one) back|(?:want|ask|take|asking)s? for (?:it|this|that|one|these|those|them)|"
    r"what (?:do|does|did|would|will) (?!(?:i|we|you|it|this|that)\b)(?:the )?\w+ (?:want|ask|demand) for "
    r"(?:the|an?|such|each|every)|"
    r"priced|spen[dt]|afford|buy)\b",
    re.IGNORECASE,
)


#: "the one who built it", "the town where it is made" ask for neither a person nor a place.
_RELATIVE = re.compile(
    r"\b(?:(?:ones?|persons?|people|m[ae]n|wom[ae]n|guys?|lad(?:y|ies)|some(?:one|body)|any(?:one|body)|those|firm|"
    r"company|team|artist|\w{3,}(?:er|or|ist)s?) who(?:m|se)?"
    r"|(?:place|town|city|village|house|spot|room|country|region|reach(?:ed)?|get to|got to) where)\b"
)
_PLACES = re.compile(
    r"\bwhere\b|\b(?:location|whereabouts|birthplace|home ?town|headquarters|head office)\b"
    r"|\b(?:what|which)(?:['’]s| is| was| would be)?(?: (?:the|its|their|his|her))?(?: (?:home|native|birth))?"
    r" ?(?:country|city|town|village|place|region|state|continent|street|address|island|valley|province)\b"
    r"|\b(?:in|from|to|around|near|of) (?:what|which) "
    r"(?:area|district|neighbou?rhood|parts? of the (?:world|country))\b"
)
#: "in what place do those sit who make it": the place is asked, whoever is spoken of behind it.
_IN_WHICH_PLACE = re.compile(
    r"(?:in|at|to|from|near) (?:what|which) (?:country|city|town|village|place|region|state|continent|street|island|"
    r"valley|province)\b(?!.*\b(?:when|how (?:many|much|old|long|far|big|high|tall))\b)"
)
_SOMEBODY = (
    r"person|man|woman|guy|lady|gentleman|girl|boy|athlete|artist|player|singer|author|writer|designer|architect|"
    r"painter"
)
_WHICH_PERSON = re.compile(rf"\b(?:what|which) (?:{_SOMEBODY})\b(?!['’])")
#: A question that is nothing but the name of what it wants: "the person who steered it", "what's the town it's from".
_WANTS_NAMED = re.compile(
    r"^(?:(?:what|who|which(?: one)?)(?:['’]s| is| was) )?(?:(?:the |its )?names? of )?the (?:\w+ )?"
    rf"(?:(?P<person>(?:one|{_SOMEBODY}) (?:who|whose)|(?:{_SOMEBODY}) that)"
    r"|(?P<place>(?:place|town|city|village|country|region) (?:where|that|which|in which|it|this)))\b"
    r"(?!.*\b(?:how|when|where|what|which (?!is|was|has|it|are))\b)"
)
#: "what's the name of the mayor".
_NAME_OF = re.compile(
    r"\bnames? of ((?:the|its|their|his|her) (?:\w+ )??[a-z]+)(?=\W*$|, | (?:of|in|at|on|for|here|there|behind)\b)"
)
#: "how much is in a pack".
_CONTENTS = re.compile(
    r"\bhow much (?:is|comes|goes|are|fits|will fit|can fit|can go)(?: there)? (?:in(?:to)?|inside)(?: there| here)?"
    r"(?: it| this| that| there| them| these| all of (?:it|them|these)"
    r"| (?:a|an|the|one|each|every|this|that|all the|both) (?:\w+ )?"
    r"(?:pack|packet|package|box|bag|jar|tin|can|bottle|carton|tube|sachet|pouch|cup|pot)(?:e?s)?)?"
    r"(?:,? (?:in total|(?:all )?together|altogether|in all|all in all|all told|combined))?\s*(?:$|[,?])"
)
#: "how much do they hold together" asks for no sum of money.
_HOLDS_OR_GIVES = re.compile(
    r"\b(?:carry|hold|contain|bear|yield|produce|give|deliver|need|use|consume|draw|burn|eat|drink|measure|lift|"
    r"pull|tow|"
    r"store|pump|transport|haul|harvest|swallow)\b"
)
#: "how long are they pregnant", "how long is it valid": for how much time.
_LASTS = re.compile(
    r"\bhow long (?:is|are|was|were|will|would|does|do) (?:it|this|that|they|he|she|these|(?:the|this|that) \w+)"
    r"(?: (?:normally|usually|typically|generally|be|stay|remain))* (?:pregnant|in calf|in foal|open|closed|shut|valid|"
    r"good|fresh|awake|asleep|in (?:bloom|flower|season|leaf)|away|edible|usable|guaranteed|under guarantee|on (?:show|"
    r"sale|display)|covered by)\b"
)
_TAKES_TIME = re.compile(
    r"\b(?:does it take|take|last|cook|bake|live|wait|stay|keep|run|need|for how long|boil|steep|charge)\b"
)
#: "when does it melt" asks for no date.
_CHANGES_STATE = re.compile(
    r"\bwhen (?:do|does|did|will|would|should) .*\b(?:melt|boil|freeze|solidify|evaporate|ignite|catch fire)\b"
    r"|\bwhen (?:it|this|that) (?:melts|boils|freezes|solidifies|evaporates|ignites|catches fire)\b"
)
#: "will it carry him when he rides", "could it hang where there are 90 cm": a clause that only tells when or where.
_TELLS_WHEN = re.compile(
    r"(?<!since)(?<!until)(?<!till)(?<!or) (?:when|where|whenever|wherever) (?!(?:is|are|was|were|do|does|did|has|have|"
    r"had|can|could|will|would|should|must|may|might)\b)\w.*$"
)
_ASKS_OTHER = re.compile(rf"(?:{YESNO.pattern[1:]}|(?:[a-z]+ )?(?:what|which|who|whom|whose|how)\b)")
#: What is known or said of a time or a place is asked for: "does it say when it opens".
_KNOWS = re.compile(
    r"\b(?:know|knows|known|say|says|said|tell|tells|told|see|seen|show|shows|shown|idea|remember|sure|clear|written|stated|"
    r"recorded|certain|find out|explain|heard|read|learn|understand|decided|date|day|year|time|moment|place|spot|town|"
    r"remembers|guess|clue)(?: (?:exactly|about|as to|of|to|in|on|from|it|me|us))* (?:when|where)\b"
)
#: "does it shine like glass or like what?" wants no yes.
_OR_WHAT = re.compile(r"\bor (?:is it |just )?(?:(?:like|of|in|on|for|by|at|with) )?(?:what|which|who|how|where)\b")
#: A question for yes or no that goes on with what is asked instead.
_OR_ASKS = re.compile(r"\bor ((?:what|which|who|whose|where|when|how)\b.* .*)$")
_NUMBER_OF = re.compile(
    r"(?:(?:(?:up )?to |in |for |at |by |with |of )?(?:what|which) (?=number of)"
    r"|(?:what(?:['’]s| is| was) |tell me |give me )?(?:the |its )?)"
    r"(?:(?:(?:latest|last|newest|most recent|current|present|exact|total|official|full|final) )?"
    r"(?:number|count|tally|head ?count) of|count) (?:the |its |all )?(.+)"
)


#: "the day and year it was born", "year of it in the register"; not "years of guarantee".
_DAY_OF = re.compile(
    r"(?:the )?(?:exact |precise )?(?:day|date|month|year)(?:,? (?:and|or) (?:the )?(?:day|date|month|year))?"
    r" (?:of|when|in which|on which|that|the|this|it)\b(?! week\b)"
)
#: "which business gives money for it": who pays is asked, no sum.
_WHEN = re.compile(r"\bwhen\b")
#: "what is my share when it is divided": a condition.
_WHENEVER = re.compile(
    r"^((?:what|which)\b.{12,}?[^,]) when (?=(?:it|this|that|the|they|i|we|you|its)\b)(?!.*\bborn\b)"
)
_WHO_PAYS = re.compile(
    r"(?:what|which) (?!(?:price|cost|sum|amount|fees?|fare|bill|value|money|total)\b)"
    r"(?:(?!(?:is|was|are|were|gets?|got)\b)\w+ )?"
    r"(?:gives?|pays?|paid|gave|spends?|spent|puts?|lends?|raises?|provides?)\b"
)
#: "what time passes before they hatch" asks for a span, not for the hour.
_TIME_PASSES = re.compile(
    r"\bwhat (?:length of |amount of |stretch of )?time (?:(?:has to|must|will|should|does it|do they|would it) )?"
    r"(?:pass(?:es)?|elapses?|go(?:es)? by|lies|takes?|needs?)\b|\bwhat (?:length|amount|stretch|span) of time\b"
    r"|\b(?:total|overall|entire|whole|combined|working) (?:length of |amount of )?time\b|\btime (?:needed|"
    r"required|elapsed|spent)\b"
    r"|\bwhat time (?:do|does|did|will|would|must|should) (?!(?:it|they|this|that|he|she) (?:take place)\b)"
    r"[a-z' ]+? (?:spend|need|invest|put in|require)s?\b"
)
#: What a question ends on after a comma: "how bad is it, kcal in 100 g", "where is it from, which company".
_LAST = re.compile(
    r", (?:(?:and )?(?:in|how many|roughly|about|so many) )?(?P<unit>[a-z°]+)(?: (?:in|of|per|for|an?|each) .{1,12})?$"
)
#: "grams, according to the tag?", "litres in this one?"
_UNIT_ALONE = re.compile(
    r"(?:the )?(?P<unit>[a-z]+s)(?:$|,| (?:according|per|in (?:it|this|that|each|one|the|a)|on (?:it|this|the))\b)"
)
_WEIGHED = frozenset(("mass", "volume", "energy", "power", "speed"))
_LAST_NOUN = re.compile(r", (?:(?:in|by|from|of|at) )?(?:what|which) (?P<noun>[a-z]+)$")
_FIRM = re.compile(r"(?:company|firm|brand|business|maker|manufacturer|producer|label|house)$")


_SPEED = re.compile(
    r"\b(?:kilomet\w+|km|miles|met(?:re|er)s|knots)\s+(?:an|per|a) (?:hour|second)\b"
    r"|\bhow (?:many|much) (?:km/h|kph|km?ph|kmh|mph|m/s|knots)\b"
)


#: "how many square centimetres", "how many million years old": a measure in two words.
_TWO_WORDS = re.compile(
    r"\bhow many (?:(?P<unit>(?:square|cubic) [a-z]+)|(?:(?:million|thousand|hundred)s?(?: of)? )+years old)\b"
)
#: "what sum", "what share of it": kinds of figures told by a noun behind the question word.
_SUM_ASKED = re.compile(r"(?:[a-z]+ )?(?:what|which) (?:sum|amount of money|sum of money)\b")
_SHARE_ASKED = re.compile(r"(?:[a-z]+ )?(?:what|which) (?:share|percentage|proportion|per cent|percent)\b")
#: "which things do I buy", "what else is in it for the money": no sum of money is asked.
_WHICH_THINGS = re.compile(
    r"(?:[a-z]+ )?(?:what|which) (?:else|(?:other |more |kinds? of |sorts? of )?"
    r"(?!(?:does|has|was|is|costs|weighs)\b)(?!(?:price|cost|fee|sum|amount|fare|bill|charge|value|toll|rate|tax|euro|"
    r"expense|tariff)s?\b)"
    r"(?:[a-z]{3,}(?<!s)s|stuff|material|fabric|cloth|wood|thing|item|part|piece))\b"
)


def expected_of(core: str) -> Expected:
    """The kind of answer that the interrogative and what follows it call for."""
    low = core.lower().strip(" ?.!")
    if YESNO.match(low) and (m := _OR_ASKS.search(low)):  # "do I buy extras, or what is in the box?"
        low = m[1]
    if _ASKS_OTHER.match(low) and not _KNOWS.search(low):
        low = _TELLS_WHEN.sub("", low)
    if told := measured_in(low):
        return told
    into = re.search(
        r"\b(?:in|into|to|as)\s+(?:an?\s+|terms of\s+)?([a-z°²³/]+(?: (?:ounces?|feet|metres?|meters?|miles|"
        r"per hour))?)$",
        low,
    )
    target = unit_of(into.group(1)) if into and len(into.group(1)) > 1 else None
    if target and target[1] == "time" and re.search(r"\bin\s+(?:an?|one)\s+\w+$", low):  # "what does it bear in a year"
        target = None
    unit = target[0] if target else ""
    if target and target[1] == "money":
        unit = ""
    told = (
        told_by_phrase(low, unit)
        or _told_by_noun(low)
        or _by_count(low, unit)
        or _by_measure(low, unit)
        or _by_moment_or_colour(low, unit)
        or _by_question_word(low, unit)
    )
    if told:
        return told
    return Expected("quantity", frozenset({target[1]}), unit=unit) if unit and target else _by_noun(low)


def _by_count(low: str, unit: str) -> Expected | None:
    """An age, "how many", "the number of"."""
    if re.search(
        r"\bhow (?:many years |much |long )?(?:old|long ago|many (?:years|months|days|weeks|decades) ago)\b|"
        r"\bhow many years ago\b|\b(?:for )?how long (?:has|have) (?:it|this|that|they|these|the \w+)(?: \w+)? been\b",
        low,
    ):
        return Expected("age", frozenset({"date", "time"}), unit=unit)
    if m := re.search(r"\bhow (?:many|much)\s+(?:more\s+|less\s+|fewer\s+)?((?:[a-z°'’-]+\s?){0,4})", low):
        return _how_many(m, low, unit)
    if m := _NUMBER_OF.match(low):
        return _how_many(m, f"how many {m.group(1)}", unit)
    return None


def _by_measure(low: str, unit: str) -> Expected | None:
    """A measure by its adjective ("how heavy") or unit ("kilos of"), how far back, a clock time."""
    if _DAY_OF.match(low):
        return Expected("date", frozenset({"date"}))
    if told := _asked_last(low):
        return told
    if (m := re.match(r"([a-z]+) of\b", low)) and (measured := unit_of(m.group(1))) and measured[1] != "money":
        return Expected("quantity", frozenset({measured[1]}), unit=measured[0])
    if (m := _UNIT_ALONE.match(low)) and (measured := unit_of(m["unit"])) and measured[1] in _WEIGHED:
        return Expected("quantity", frozenset({measured[1]}), unit=measured[0])
    if re.search(r"\bhow far back\b", low):
        return Expected("date", frozenset({"date"}))
    if m := re.search(r"\bhow\s+(\w+)", low):
        return _how(m.group(1), low, unit)
    if _TIME_PASSES.search(low):
        return Expected("quantity", frozenset({"time"}), unit=unit)
    if re.search(
        r"\bwhat time\b|\b(?:opening|closing) (?:time|hours)\b|\bwhen does (?:it|this|the \w+|that) (?:open|"
        r"close|shut)\b",
        low,
    ):
        return Expected("clock")
    return None


def _by_moment_or_colour(low: str, unit: str) -> Expected | None:
    """An age group, a year, a day, an amount, a colour, a place."""
    if re.search(r"\b(?:what|which) age\b|\bage (?:range|group|limit)\b", low):
        return Expected("quantity", frozenset({"time", "count", ""}))
    if re.match(r"what(?:['’]s| is| was| would be) (?:the|its) (?:[a-z]+ )?year\b", low):
        return Expected("date", frozenset({"date"}))
    if _CHANGES_STATE.search(low):
        return Expected("quantity", frozenset({"temperature"}))
    if _WHEN.search(_WHENEVER.sub(r"\1 if ", low)) or re.search(
        r"\b(?:what|which) (?:year|date|day|month|decade|century|season)\b|\bsince when\b", low
    ):
        return Expected("date", frozenset({"date"}))
    if re.search(r"\b(?:what|which) (?:amount|quantity)\b(?! of (?:money|people|time))", low):
        return Expected("quantity", frozenset({"mass", "volume", "count", ""}), unit=unit)
    if _COLOURS.search(low):
        return Expected("colour")
    if _IN_WHICH_PLACE.match(low):
        return Expected("place")
    return None


def _by_question_word(low: str, unit: str) -> Expected | None:
    """Who, where, why; a yes or no; a sum of money."""
    asking = _RELATIVE.sub(" ", low)
    if (of := _NAME_OF.search(low)) and role_asked([of[1]]) == "person":
        return Expected("person")
    if named := _WANTS_NAMED.match(low):
        return Expected("person" if named["person"] else "place")
    if re.search(r"\b(?:who|whom|whose)\b", asking) or _WHICH_PERSON.search(asking):
        return Expected("person")
    if _PLACES.search(asking):
        return Expected("place")
    if re.search(r"\bweighs?\b|\bweighing\b", low) and not YESNO.match(low):
        return Expected("quantity", frozenset({"mass"}), unit=unit)
    if re.search(r"\bwhy\b|\bwhat for\b|\bfor what reason\b|\bhow come\b", low):
        return Expected("reason")
    if YESNO.match(low) and not _OR_WHAT.search(low):
        return Expected("yesno")
    if _MONEY.search(low) and not _WHO_PAYS.match(low) and not _WHICH_THINGS.match(low):
        return Expected("quantity", frozenset({"money"}))
    return None


def _told_by_noun(low: str) -> Expected | None:
    """ "how many square metres", "what sum", "what share"."""
    if m := _TWO_WORDS.search(low):
        unit = unit_of(m["unit"]) if m["unit"] else ("", "time")
        return Expected("quantity", frozenset({unit[1]}), unit=unit[0]) if unit else None
    if _SUM_ASKED.match(low):
        return Expected("quantity", frozenset({"money"}))
    return Expected("quantity", frozenset({"percent"})) if _SHARE_ASKED.match(low) else None


def wants_named(core: str) -> bool:
    """Whether the question is nothing but words for what it wants named: "the town it was built in"."""
    return _WANTS_NAMED.match(core.lower().strip(" ?.!")) is not None


def _asked_last(low: str) -> Expected | None:
    """What the end of a question tells of the kind of its answer, more exactly than its beginning."""
    if (m := _LAST.search(low)) and len(m["unit"]) > 1 and (unit := unit_of(m["unit"])) and unit[1] != "money":
        return Expected("quantity", frozenset({unit[1]}), unit=unit[0])
    if (m := _LAST_NOUN.search(low)) and _FIRM.match(m["noun"]):
        return Expected("name")
    return None


_HOW = word_set(
    "is are do does did can could to should would was were come about has have"  # "how does it work" asks for a way
)


def _how(adjective: str, low: str, unit: str) -> Expected:
    """ "how long", "how often", "how do I"."""
    if adjective in ("hard", "soft") and re.search(r"\bto\b", low):  # "how hard is it to clean"
        return Expected()
    if adjective == "bad":  # "how bad is it for my diet" is told by no rating
        return Expected()
    if adjective == "often":
        return Expected("quantity", frozenset({"time", "count", "frequency"}), noun="times")
    if adjective in _HOW:
        return Expected("reason")
    if adjective not in ADJECTIVES:
        return Expected("any", unit=unit)
    dims = frozenset(ADJECTIVES[adjective][1])
    if adjective in ("high", "low") and re.search(r"\b(?:price|cost|temperature|oven)\b", low):
        dims = frozenset({"money", "temperature"})
    if adjective == "long" and (_LASTS.search(low) or _TAKES_TIME.search(low)):
        dims = frozenset({"time"})
    return Expected("quantity", frozenset({"date"}) if "date" in dims else dims, unit=unit)


def _by_noun(low: str) -> Expected:
    """ "what is its weight", "the height please": the noun itself may name a scale."""
    for word in words_of(low):
        for noun, dims, _ in ADJECTIVES.values():
            if word == noun and noun not in ("size", "date", "rating", "power", "population"):
                return Expected("quantity", dims)
        if word in _MEASURED_BY and not _SORTED_BY.search(low):
            return Expected("quantity", _MEASURED_BY[word])
        if word in ("date", "birthday"):
            return Expected("date", frozenset({"date"}))
    return Expected("any")


def _how_many(m: re.Match[str], low: str, unit: str) -> Expected:
    rest = m.group(1).split()
    if re.search(r"\bhow much\b", low):
        if re.search(r"\bweigh", low):
            return Expected("quantity", frozenset({"mass"}), unit=unit)
        adds_up = r"\bhow much (?:would|will|do|does|did)\b.*\b(?:be|come to|together|in total|altogether)\b"
        if re.search(adds_up, low) and not _HOLDS_OR_GIVES.search(low):
            return Expected("quantity", frozenset({"money"}))
        if _MONEY.search(low) or re.search(
            r"\bhow much (?:(?:is|are|was|were)(?! (?:in|on|inside|left|there|of))|for|does (?:it|this|one) go|"
            r"(?:altogether|together|in all|in total|all told)(?=\W*$))\b",
            low,
        ):
            return Expected("quantity", frozenset({"money"}))
    if _CONTENTS.search(low):
        return Expected("quantity", frozenset({"mass", "volume"}), unit=unit)
    if rest and (paid := unit_of(rest[0])) and paid[1] == "money":
        return Expected("quantity", frozenset({"money"}))
    if _SPEED.search(low):
        return Expected("quantity", frozenset({"speed"}))
    if rest and re.fullmatch(r"degrees?", rest[0]):  # of heat as often as of an angle
        return Expected("quantity", frozenset({"temperature", "angle"}))
    if len(rest) > 1 and rest[0] in _ADDED and unit_of(rest[1]):
        rest = rest[1:]  # "working hours"
    if rest and rest[0] != "in" and (u := unit_of(rest[0])):
        counted = list(itertools.takewhile(lambda w: w not in _BARE_VERBS | _AUXILIARY, rest[2:4]))
        noun = _counted(counted) if len(rest) > 1 and rest[1] == "of" else ""
        if u[1] == "energy":
            return Expected("quantity", frozenset({"energy"}), noun=rest[0])
        return Expected("quantity", frozenset({u[1]}), noun=noun, unit=u[0])
    stop = next(
        (
            i
            for i, w in enumerate(rest)
            if w in _AUXILIARY
            or w in _BARE_VERBS
            or w in ("in", "of", "on", "it", "this", "that", "per", "to", "with", "at", "from", "for", "by", "there")
        ),
        len(rest),
    )
    head = next((i for i, w in enumerate(rest[:stop]) if w in _DETERMINERS), stop)
    noun = _counted(rest[: _head_end(rest[:head])])
    if head < stop and not any(is_plural(w) for w in rest[:head]):
        noun = ""  # "how many sail the boat": a verb
    if noun in _PIECES and re.search(rf"\b{noun} of (?:this|that|it|these|those|them|the)\b", low):
        noun = ""  # "pieces of this shirt" are shirts
    if "how many" in low:
        return Expected("count", frozenset({"count", ""}), noun=noun, unit=unit)
    return Expected("quantity", _MEASURED_BY.get(noun, frozenset()), noun=noun, unit=unit)


#: Nouns that name what is measured, and the dimensions of its figures; what is used up is told by its power as well.
_MEASURED_BY = {
    **dict.fromkeys(("diameter", "wingspan", "altitude", "elevation"), frozenset({"length"})),
    **dict.fromkeys(("energy", "electricity"), frozenset({"energy", "power"})),
    "duration": frozenset({"time"}),
    "volume": frozenset({"volume"}),
    "mass": frozenset({"mass"}),
}
#: "what is its energy class?"
_SORTED_BY = re.compile(r"\b(?:class|rating|label|source|supplier|efficiency|kind|type|sort)\b")


def _counted(words: list[str]) -> str:
    """What is counted; nothing for "those who have it" and "of this for"."""
    return " ".join(words) if words and words[0] not in _POINTING else ""


_POINTING = word_set("those these this that it them they one ones who which there")
_PIECES = word_set("pieces items units copies specimens examples")


def _head_end(words: list[str]) -> int:
    """Where the counted noun ends: at the first plural; a verb after it ("people live") is no part of it."""
    for i, word in enumerate(words):
        if is_plural(word):
            return i + 1
    return min(len(words), 2)


_ADDED = word_set("working full whole total extra single more further")
_DETERMINERS = word_set("the a an my your our")
#: What they do is not what is counted: "how many belong to it", "how many litres of petrol go in".
_BARE_VERBS = word_set("belong exist go come fit happen remain")
_AUXILIARY = word_set("is are was were do does did has have had can could will would should may might must")
