"""What a comparison compares on: the scale that a comparative or superlative speaks of, and which end of it wins.

Covers adjectives ("heavier"), nouns ("fewer calories", "higher in sugar"), verbs ("keeps the shortest") and what comes
first; the scale is put as a plain question about one thing.
"""

from __future__ import annotations

import re

from assistant.text.english import ADJECTIVES, SCALES, base_adjective, is_plural, word_set, words_of
from assistant.text.units import unit_of
from assistant.text.values import find_dates, find_quantities
from assistant.understanding.degrees import (
    DIMENSIONS,
    GUARANTEE,
    GUARANTEED,
    LENGTHS,
    Scale,
    a_group,
    less_of,
    of_content,
    of_need,
    of_participle,
    of_richness,
)

#: What may stand before the noun of which there is more.
_QUALIFIERS = "fresh|raw|dry|free|spare|reserved|standing|live|hot|cold|clean|real|pure|total|main|open|different|added"
_NO_SCALES = ("this", "that", "the", "these", "those", "a", "it", "front", "total", "all", "far", "much", "miles")
NO_NOUNS = word_set(
    "than or of is about to the for one ones on in at and by with this that it any which are does do out likely more "
    "less thing things money"
)
_NO_VERBS = word_set("is are be was were the which one how much and or any no has it this that two a much even lot bit")
_SPEEDS = r"fastest|faster|quickest|quicker|slowest|slower"
_TAIL = (
    r"(?P<tail>\s+(?:after|once|before|without|when|while|outside|inside|under)\s+"
    r"(?:(?:it|they)(?:['’]s|['’]re| is| are)\s+)?(?!all\b)\w+)?"
)
_BY = re.compile(r"\b(?:by|in terms of|in) (?:its |their |the )?(?P<noun>[a-z]+)\b(?=\s*(?:[?.!,]|$))")


#: "for 8 litres, at most" and "which day is best" compare nothing.
_LIMIT = re.compile(
    r"\bat (?:the )?(?:most|least)\b"
    r"|\b(?:what|which|when)(?:['’]s| is)? (?:the )?best (?:day|time|season|month|week|way|place|hour|route|moment)\b"
    r"|\b(?:what|which) (?:day|time|season|month|week|way|place|hour|route|moment)(?: of \w+)? (?:is|are|was) (?:the )?"
    r"best\b"
)


#: "can one make it brighter", "can I turn it lower": what is done to it, and no comparison.
_CAUSED = re.compile(
    r"^(?:is it possible to|(?:can|could|may|does|do|will|would)\b(?: \w+){1,5}?) (?:make|turn|get|set|adjust|dim)"
    r"(?: (?!than\b)[\w'’-]+){1,7}? \w+er\W*$"
)


#: "what did the latest count come to": no thing is the latest of several.
_LAST_TOLD = re.compile(
    r"\b(?:latest|newest|most recent) (?=(?:official )?(?:counts?|figures?|numbers?|census|reports?|updates?|surveys?|"
    r"checks?|measurements?|tally|news|status|state|readings?|estimates?)\b)"
)


#: What is high or low without being tall: "has the highest price".
_MEASURES = (
    "temperature|heat|speed|load|weight|price|cost|fee|fare|distance|depth|altitude|setting|amount|dose|dosage|level|"
    "pressure|voltage|power|value|rate|rating|limit|capacity|consumption|mileage|age|humidity|current|force|strength|"
    "yield|output|efficiency|frequency|production|percentage|share|score|attendance|density|concentration|demand"
)
#: "what's the highest temperature it stands", "up to what greatest depth": a limit of one thing, none of several.
_OWN_LIMIT = re.compile(
    r"\b(?P<asks>what(?:['’]s| is| are| was)?|give me|tell me)(?P<its> the| its)?(?: very)? (?:highest|lowest|greatest|"
    rf"largest|biggest|smallest|longest|shortest)(?= (?:{_MEASURES})\b(?!.*\b(?:of (?:them|these|those|all|any)|among|"
    r"between|(?:of|in|from) (?:the|this|that|its|their) (?:whole )?(?:group|range|series|line|family|set|collection|"
    r"fleet|house|lot))\b))"
)


def scale_of(core: str) -> Scale | None:
    """The scale of a comparative or superlative in the clause, or None."""
    low = _LAST_TOLD.sub(" ", _CAUSED.sub(" ", _LIMIT.sub(" ", core.lower())))
    low = _OWN_LIMIT.sub(r"\g<asks>\g<its>", low)
    readings = (
        _of_text,
        of_richness,
        of_participle,
        of_need,
        of_content,
        _of_having_done,
        _of_doing_more,
        _of_quantifier,
        _of_doing,
        _of_numbers,
        _of_possession,
        _of_adjective,
        _of_verb,
        _of_first,
    )
    for reading in readings:
        found = reading(low)
        if found is not None:
            return found
    return None


#: Adjectives that are counted as nouns: "the one with the most young".
_ALSO_NOUNS = word_set("young light lights sweet sweets cold colds")
#: "how much more does it hold than the other one".
_DOES_MORE = re.compile(
    r"\bhow (?:much|many) (?P<how>more|less|fewer) (?:does|do|did|will|can|could|would) (?:[\w'’-]+ ){1,5}?"
    r"(?P<verb>[a-z]+)(?: (?:in|at|on|up|out))? (?:than|compared to|compared with)\b"
)


def _of_doing_more(low: str) -> Scale | None:
    """ "how much more does it hold than that one"."""
    m = _DOES_MORE.search(low)
    if m is None:
        return None
    verb = m["verb"]
    noun = {"weigh": "weight", "cost": "price"}.get(verb, "")
    question = "" if noun else f"how much does it {verb}?"
    dims = DIMENSIONS.get(noun, frozenset()) if noun else frozenset()
    return Scale(noun or verb, less_of(m["how"]) if m["how"] != "more" else 1, dims, question=question)


def _of_quantifier(low: str) -> Scale | None:
    """ "more calories", "the least expensive", "holds more water", "is there more in this, by weight"."""
    m = re.search(
        r"(?:\b(?P<verb>[a-z]+)\s+(?:the\s+|any\s+|much\s+)?)?\b(?P<how>more|less|fewer|most|least|fewest)\b\s*"
        rf"(?P<noun>(?:(?:{_QUALIFIERS}) )?[a-z-]+)?",
        low,
    )
    if m is None:
        return None
    sign = 1 if m["how"] in ("more", "most") else -1
    noun, verb = m["noun"] or "", _base_verb(m["verb"] or "")
    held = verb in _HAVING and re.match(r"\s*(?:$|[?.,!:]|(?:in|of|from|at|per|out|or|among|here)\b)", low[m.end() :])
    if noun in ADJECTIVES and not (held and noun in _ALSO_NOUNS):
        scale, dims, own = ADJECTIVES[noun]
        return Scale(scale, sign * own, dims, noun)
    if noun in _ALSO_NOUNS and held:
        return Scale(noun, sign, frozenset({"count", ""}), question=f"how many {noun} does it have?")
    if noun and noun not in NO_NOUNS:
        known = unit_of(noun)
        dims = frozenset({known[1]}) if known else frozenset()
        if verb and verb not in _NO_VERBS | _HAVING:
            much = "many" if noun.endswith("s") and not noun.endswith("ss") else "much"
            return Scale(noun, sign, dims, question=f"how {much} {noun} does it {verb}?")
        return Scale(noun, sign, dims)
    named = next((m["noun"] for m in _BY.finditer(low) if m["noun"] in SCALES), None)
    if named:
        return Scale(named, sign, DIMENSIONS.get(named, frozenset()))
    if verb and verb not in _NO_VERBS | _HAVING:
        scale = {"weigh": "weight", "cost": "price"}.get(verb, "")
        question = "" if scale else f"how much does it {verb}?"
        return Scale(scale or verb, sign, DIMENSIONS.get(scale, frozenset()), question=question)
    if noun == "than":
        amounts = find_quantities(low)
        return Scale("", sign, frozenset({amounts[0].dimension}) if amounts else frozenset())
    return None


#: "the longest lasting of them", written without its hyphen; not "the longest running time".
_LASTING = re.compile(
    rf"\b(?P<how>{LENGTHS}) (?P<doing>lasting|living|running|burning|serving|keeping|flowering|blooming|standing|"
    r"working|glowing|reigning)\b"
    r"(?! (?:times?|distances?|tracks?|shoes|lengths?|life|hours|rooms?|ston\w+|ovation|period|span)\b)"
)


def _of_doing(low: str) -> Scale | None:
    """ "lives longer", "keeps the shortest", "goes off soonest", "longer-lasting", "faster to boil"."""
    low = _LASTING.sub(r"\g<how>-\g<doing>", low)
    if m := re.search(rf"\b(?:(?P<less>less|least)[\s-])?(?P<how>{LENGTHS}|long)-(?P<verb>[a-z]+?)(?:ing|ed)\b", low):
        if m["how"] == "long" and not m["less"]:
            return None
        verb = {"liv": "live", "us": "use", "sav": "save", "writ": "write", "serv": "serve"}.get(m["verb"]) or re.sub(
            r"([bdgmnprt])\1$", r"\1", m["verb"]
        )
        sign = less_of(m["how"]) * (-1 if m["less"] else 1)
        if verb == "live":
            return _of_life(sign)
        return Scale("duration", sign, frozenset({"time"}), question=f"how long does it {verb}?")
    if m := re.search(rf"\b(?P<how>{LENGTHS})[ -]lived\b", low):
        return _of_life(less_of(m["how"]))
    if m := re.search(rf"\b(?P<how>{_SPEEDS})(?: one)? to (?P<verb>[a-z]+)(?P<to> (?:an? |the )?hundred)?\b", low):
        question = f"how long does it take to {m['verb']}{m['to'] or ''}?"
        return Scale("duration", -less_of(m["how"]), frozenset({"time"}), question=question)
    if m := re.search(
        rf"\b(?P<how>{LENGTHS}) to (?P<verb>(?!the\b|be\b|a\b|an\b|this\b|that\b|it\b|me\b)[a-z]+)\b", low
    ):
        return Scale(  # "longer to play"
            "duration", less_of(m["how"]), frozenset({"time"}), question=f"how long does it take to {m['verb']}?"
        )
    if re.search(
        r"\b(?:get|gets|grow|grows|become|becomes|live|lives) (?:to be )?(?:the )?(?:much )?(?:older|oldest)\b", low
    ):
        return Scale("lifespan", 1, frozenset({"time"}), question="how long does it live?")
    m = re.search(
        rf"(?<!['’])\b(?P<verb>[a-z]+)(?P<part> off| out| up| down)?\s+(?:(?:for )?the\s+|for\s+|any\s+|much\s+)?"
        rf"(?P<how>{LENGTHS}|{_SPEEDS}|soonest|sooner)\b{_TAIL}",
        low,
    )
    if (
        not m
        or m["verb"] in _NO_VERBS
        or re.match(r"\s+(?!than|or|of|in|on|at|for|after|this)[a-z]+", low[m.end("how") :])
    ):
        return None
    if m["tail"] is None and re.match(r"\s*-", low[m.end() :]):
        return None
    if re.match(r"(?:(?:if|whether) .*)?\b(?:is|are|was|were)\b", low) and not re.search(
        r"(?:ed|en|pt|wn|lt)$", m["verb"]
    ):
        return None  # "is the boat slower": no verb stands there
    verb, how, tail = _base_verb(m["verb"]) + (m["part"] or ""), m["how"], (m["tail"] or "").rstrip()
    if how in ("soonest", "sooner"):
        return Scale(
            "duration",
            -1,
            frozenset({"time"}),
            question=f"how long does it keep until it {m['verb']}{m['part'] or ''}{tail}?",
        )
    if re.match(LENGTHS, how):
        if m["verb"] in GUARANTEED and not tail:
            return Scale("duration", less_of(how), frozenset({"time"}), question=GUARANTEE)
        does = f"how long is it {m['verb']}" if m["verb"].endswith("ed") else f"how long does it {verb}"
        dims = frozenset({"time", "length"}) if verb in _SPATIAL else frozenset({"time"})
        return Scale("duration", less_of(how), dims, question=f"{does}{tail}?")
    if _base_verb(m["verb"]) in _MOVING:
        return Scale("speed", less_of(how), frozenset({"speed"}), "fast")
    return Scale("duration", -less_of(how), frozenset({"time"}), question=f"how long does it take to {verb}{tail}?")


#: "the dearest to restore", "cheaper to run"; what is cheap to buy has a low price.
_TO_HAVE_DONE = re.compile(
    r"\b(?P<how>cheaper|cheapest|dearer|dearest|costlier|costliest|(?:more|most|less|least) (?:expensive|costly|dear))"
    r"(?: one)? to (?P<verb>run|keep|feed|restore|repair|maintain|rent|hire|insure|post|send|ship|visit|enter|heat|"
    r"make|"
    r"build|clean|service|use|drive|fly|park|renew|print|charge|fill|mend|fix|produce|install|replace|operate|store|moor)\b"
)


def _of_having_done(low: str) -> Scale | None:
    m = _TO_HAVE_DONE.search(low)
    if m is None:
        return None
    sign = -1 if m["how"].startswith(("cheap", "less", "least")) else 1
    return Scale("price", sign, frozenset({"money"}), question=f"what does it cost to {m['verb']} it?")


def _of_life(sign: int) -> Scale:
    """ "shorter lived": lamps have lives as animals do."""
    return Scale("lifespan", sign, frozenset({"time"}), question="how long does it last?")


def _of_numbers(low: str) -> Scale | None:
    """ "is printed in larger numbers": how many were."""
    m = re.search(
        r"\b(?P<verb>[a-z]+(?:ed|n|t)) in (?P<how>larger|greater|higher|bigger|smaller|lower|fewer) numbers?\b", low
    )
    if m is None:
        return None
    return Scale("number", less_of(m["how"]), frozenset({"count", ""}), question=f"how many were {m['verb']}?")


def _of_possession(low: str) -> Scale | None:
    """ "comes with the longer guarantee", "needs a bigger tank": the scale is a measure of a part."""
    m = re.search(
        r"\b(?:has|have|had|got|needs?|requires?|comes? with|offers?|with|takes?|gives?|wants?)\s+(?:the|an?)\s+"
        r"(?P<how>[a-z]+)\s+(?P<noun>[a-z]+)\b",
        low,
    )
    base = base_adjective(m["how"]) if m else None
    if m is None or base is None or base[0] not in ADJECTIVES or m["noun"] in NO_NOUNS:
        return None
    noun, dims, sign = ADJECTIVES[base[0]]
    if m["noun"] in _COVER and base[0] in ("short", "long"):
        return Scale("duration", less_of(m["how"]), frozenset({"time"}), question=GUARANTEE)
    plain = noun in ("length", "rating", "date", m["noun"]) or re.fullmatch(_MEASURES, m["noun"])
    named = m["noun"] if plain else f"{m['noun']} {noun}"
    own = DIMENSIONS.get(m["noun"], frozenset())
    dims = own or (dims if noun != "size" else frozenset())
    if noun == "height" and plain:
        return Scale(named, sign, own, question=f"what is its {named}?")
    return Scale(
        named, sign, dims, question=f"what is its {named}?" if named != m["noun"] else f"how {base[0]} is its {named}?"
    )


#: What is tall or low of something that grows: "the lowest in growth".
_STATURE = word_set("growth stature habit")
GROWN = "how tall does it grow?"


def _of_adjective(low: str) -> Scale | None:
    """ "heavier", "the oldest", "lower in sugar", "less tall"."""
    for word in words_of(low):
        base = base_adjective(word)
        if base and base[0] in ADJECTIVES and word not in ("other", "number", "over", "last"):
            noun, dims, sign = ADJECTIVES[base[0]]
            measure = re.search(rf"\b{word} ({_MEASURES})\b", low) if noun in ("height", "size") else None
            if measure:  # "the highest price of them"
                dims = DIMENSIONS.get(measure[1], frozenset())
                return Scale(measure[1], sign, dims, question=f"what is its {measure[1]}?")
            if noun == "hardness" and re.search(rf"\b{word} (?:to|on|for|as)\b", low):  # "harder to clean"
                return None
            named = re.search(rf"\b{word}\s+(?:in|by|in terms of)\s+(?:its |their |the )?([a-z]+)\b(?: ([a-z]+))?", low)
            if named and named[2] and a_group(named[2]):  # "the heaviest in the model range"
                named = None
            if named and named.group(1) in _STATURE and noun in ("height", "size", "length"):
                return Scale("height", sign, frozenset({"length"}), "tall", question=GROWN)
            if named and named.group(1) not in _NO_SCALES and not a_group(named.group(1)):
                known = unit_of(named.group(1))
                own = frozenset({known[1]}) if known else DIMENSIONS.get(named.group(1), frozenset())
                size = f"how big is its {named.group(1)}?" if noun == "size" and not known else ""
                return Scale(named.group(1), sign, own, question=size)
            return Scale(noun, sign, dims, base[0])
    return None


#: How much there is of a text is told in pages: "shorter in its rules", "the longest instructions".
_TEXT = re.compile(
    r"\b(?P<how>\w+er|\w+est) (?:in (?:its |the |their )?)?"
    r"(?P<text>rules|instructions|manual|rulebook|booklet|leaflet|preface|introduction|appendix)\b"
)


def _of_text(low: str) -> Scale | None:
    m = _TEXT.search(low)
    base = base_adjective(m["how"]) if m else None
    if m is None or base is None or ADJECTIVES[base[0]][0] not in ("length", "thickness", "size"):
        return None
    do = "do" if is_plural(m["text"]) else "does"
    return Scale(
        "pages",
        ADJECTIVES[base[0]][2],
        frozenset({"count", ""}),
        question=f"how many pages {do} its {m['text']} have?",
    )


def _of_verb(low: str) -> Scale | None:
    """ "holds the longest"."""
    m = re.search(r"\b(weighs?|costs?|holds?|lasts?|takes?|contains?|has|have)\s+(?:the\s+)?(longer|longest)\b", low)
    return Scale(m.group(1), 1) if m else None


def _of_first(low: str) -> Scale | None:
    """ "which came first", "was this written before that": a date."""
    if m := re.search(
        r"^(?:which|who|what)(?: one)?(?: of \w+(?: \w+)?)?\s+(?:\w+ )?(?:came|was|were|is|got|opened|"
        r"appeared|published|"
        r"released|built|founded|made|born)\b.*\b(first|earlier|later|last)\b"
        r"(?=\s*(?:[,?:;–]|$|of\b|out of\b|this\b|or\b))",
        low,
    ):
        return Scale("date", -1 if m.group(1) in ("first", "earlier") else 1, frozenset({"date"}), "")
    m = re.search(
        r"^(?:is|was|did|were|does|has|are|if|whether)\b.*?\b(?P<verb>[a-z]+(?:ed|ten|ilt|wn|un|de|rn|out)|come|"
        r"appear|open"
        r"|start|begin)\b.*?\b(?P<how>before|after|earlier than|later than)\s+(?!\d|the year)(?=\D)",
        low,
    )
    if m is None or find_dates(low[m.end() :]) or m["verb"] == "opened":
        return None
    question = (
        f"when was it {m['verb']}?"
        if re.search(r"(?:ed|ten|ilt|wn|un|de|rn)$", m["verb"])
        else f"when did it {m['verb']}?"
    )
    sign = -1 if m["how"] in ("before", "earlier than") else 1
    return Scale("date", sign, frozenset({"date"}), question=question)


_COVER = word_set("cover coverage guarantee warranty")
_HAVING = word_set("have has had with got contain contains there offer offers")
_SPATIAL = word_set("run reach extend stretch go measure jump grow throw")
_MOVING = word_set("go run drive fly swim move travel fall sail climb")


def _base_verb(verb: str) -> str:
    """ "holds" → "hold", "carries" → "carry", "goes" → "go"."""
    verb = re.sub(r"ies$", "y", verb)
    verb = re.sub(r"(?<=[sxzho])es$", "", verb) if not verb.endswith("oses") else verb
    return re.sub(r"(?<=[a-rt-z])s$", "", verb) if len(verb) > 3 else verb
