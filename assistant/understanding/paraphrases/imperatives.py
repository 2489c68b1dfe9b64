"""Orders and statements put as the questions they are: "state whether it fits" → "does it fit?", "it eats oats, doesn't
it?" → "does it eat oats?", "calculate the total price" → "what is the total price?".

English word order only: the verb is found by a list of common ones and by its ending, and where none is found, or the
sentence has a question word of its own, the words are left as they are.
"""

from __future__ import annotations

import re

from assistant.text.english import is_plural, word_set
from assistant.text.kinds import is_kind_word

_POLITE = (
    r"(?:(?:please|kindly|could you|can you|would you|will you|i(?:['’]d| would) like you to|i want you to|"
    r"you (?:should|must|may)|just|now|then|also|and|so|but)\b[ ,]*)*"
)
_ORDERS = (
    r"(?:state|calculate|compute|determine|specify|indicate|establish|estimate|assess|confirm|verify|check|clarify|"
    r"report|advise|ascertain|reckon(?: up)?|work out|figure out|find out|let me know|let us know|look up|judge|decide|"
    r"declare|evaluate|affirm|tell|say)"
)
_START = r"(?P<before>^|.*?(?:[,;:.–—-] +|[.?!] +))"
#: A condition, with the question behind it: "tell me, if I want the light one, is it this".
_GOES_ON = (
    r"[^?]*[,;:] ?(?:so )?(?:is|are|was|were|does|do|did|can|could|would|will|should|what|which|who|whose|"
    r"how|where|when)\b"
)
#: "please confirm whether", "state that": what follows is a statement that is true or not.
_WHETHER = re.compile(
    rf"{_START}{_POLITE}{_ORDERS}(?: (?:to )?(?:me|us))?,? (?:for (?:me|us) )?(?:please )?"
    rf"(?:whether(?: or not)?|if|that) (?!{_GOES_ON})(?P<said>[^?]+?)(?:,? or not|,? please)*[\s?.!]*$",
    re.IGNORECASE,
)
#: "calculate the total length of it", "state how old it was".
_FIGURE = re.compile(
    rf"{_START}{_POLITE}(?:state|calculate|compute|determine|specify|indicate|establish|estimate|ascertain|report|"
    r"work out|figure out|reckon(?: up)?|find out|evaluate|give(?: me| us)?|provide(?: me with)?|"
    r"i (?:require|request|(?:require|request|need|want|(?:would|['’]d) like) to (?:know|hear)|would like))"
    r"(?: (?:to )?(?:me|us))? (?P<what>(?:the|its|their)\b(?! (?:other|others|rest|remaining|one)\b)[^?]+?)"
    r"(?:,? please)*[\s?.!]*$",
    re.IGNORECASE,
)
#: "name the heaviest", "pick the one with the most pockets".
_EXTREME = re.compile(
    rf"{_START}{_POLITE}(?:name|identify|pick(?: out)?|point out|single out|find|show me|tell me|give me|state|"
    rf"choose|select) "
    r"(?:me )?the (?P<what>(?:one (?:that|which|who|with the|in the|on the|made|built)?[^?,;]*?)?\b(?:most|least|"
    r"fewest|"
    r"(?!(?:rest|west|test|best friend|guest|forest|interest|request|honest|nest|chest|"
    r"crest)\b)[a-z]{2,}est)\b[^?,;]*?)[\s?.!]*$",
    re.IGNORECASE,
)
#: "the dearest in the series, which one's that?": what is asked stands first.
_EXTREME_FIRST = re.compile(
    rf"{_START}(?:the )?(?P<what>(?:one (?:that|which|who|with|in|on|made|built) [^?,;]*?)?\b(?:most|least|fewest|"
    r"(?!(?:rest|west|test|best friend|guest|forest|interest|request|honest|nest|chest|"
    r"crest|harvest|priest|tempest|conquest|contest|quest|bequest|latest|earliest|protest|arrest|digest|everest)\b)"
    r"[a-z]{2,}est)\b(?! of the time)[^?,;]*?)(?:,| [–—-]) (?:and )?"
    r"(?:(?:which|who)(?: one| of (?:them|these|those))?|(?:which|what) (?P<noun>[a-z]+))"
    r"(?:['’]s| is| was| would)?(?: (?:that|it|this|they))?(?: be)?[\s?.!]*$",
    re.IGNORECASE,
)
#: What is asked of the one that is the most: "the highest peak, what height is it?".
_NO_THINGS = word_set(
    "year years time date day days month hour century height length width depth weight size price cost fee place town "
    "city country region street river colour color number name kind sort type material person man woman company firm "
    "team word language age distance speed amount way reason part age shape"
)
#: "tell me the one that's newer", "point out the one that is cheaper".
_COMPARATIVE = re.compile(
    rf"{_START}{_POLITE}(?:name|identify|pick(?: out)?|point out|single out|find|show me|tell me|give me|state|"
    r"choose|select) (?:me )?the (?:one|thing) (?:that(?:['’]s| is| was)|which is|which was) (?P<how>(?:the )?"
    r"(?:(?:more|less) [a-z]+|(?!(?:over|under|after|other|here|either|rather|never|ever|made|her)\b)[a-z]{2,}er)"
    r"\b[^?,;]*?(?:, (?!please)[^?,;]+ or [^?,;]+?)?)(?:,? please)*[\s?.!]*$",
    re.IGNORECASE,
)
_WH = r"(?:what|which|who|whom|whose|where|when|why|how)"
#: "the one who …", "the town where …": no question.
_RELATIVE = re.compile(
    r"\b(?:one|ones|that|those|any(?:one|body)|some(?:one|body)|every(?:one|body)|people|person|man|woman|people|"
    r"town|city|place|firm|company|thing)s? (?:who|which|where|when)\b",
    re.I,
)
#: "state when it is due": the question stands there.
_ASKS = re.compile(
    rf"{_START}{_POLITE}{_ORDERS}(?: (?:to )?(?:me|us))?,? (?P<asked>(?:(?:in|by|for|to|of|at|on|until|till|"
    rf"since) )?{_WH}\b[^?]+?)"
    r"(?:,? please)*[\s?.!]*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:,\s*| (?=[a-z]+n['’]t ))(?:and )?(?P<tag>(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|"
    r"should|may|might|must|wo|sha)(?:n?['’]t)? (?:it|they|he|she|that|this|there|i|we|you|one)(?: not)?"
    r"|right|correct|true|yes|yeah|no|eh|huh|innit|or not|or|isn['’]t that (?:so|right|true)|am i right|"
    r"don['’]t you think)"
    r"\s*[?.!]*\s*$",
    re.IGNORECASE,
)
#: Words at the end that ask nothing.
_LAST_WORDS = re.compile(
    r"(?:,? (?:exactly|please|roughly|then|actually|again|though|approximately|in the end|if you know))*[\s?.!]*$",
    re.IGNORECASE,
)
#: "it was proved by whom", "two rides cost how much": what is asked stands behind the verb.
_IN_PLACE = re.compile(
    r"(?P<head>.*?\w) (?P<prep>(?:by|in|from|of|for|on|at|to|with|until|till|since|around|about|after|under|into|"
    r"up to) )?"
    rf"(?P<wh>{_WH})\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r",? (?:in all|all told|altogether|in total|all in all)\s*$", re.IGNORECASE)
#: What is asked is only spoken of: "I know how much it costs".
_EMBEDS = re.compile(
    r"\b(?:knows?|knew|wonder\w*|tells?|told|asks?|asked|guess|(?<!i )(?<!we )sees?|say|says|remember|forgot|"
    r"forget|show|explain|idea|curious|"
    r"sure|understand|depends?|matters?|like to|want to|need to|love to|interested|care|if|whether|suppose|when|while|"
    r"because|but|question)\b",
    re.IGNORECASE,
)
#: The verb of several things, right before what is asked.
_PLURAL_VERB = re.compile(
    r" (?:cost|make|take|hold|weigh|come|add|use|need|last|bear|yield|give|mean|contain|carry|fill|have|amount|"
    r"sum|sprout|"
    r"hatch|bloom|drink|eat|fit|measure|run|get|produce|require|burn|go|grow|keep|pay|bring)(?: (?:up|out|to|in|"
    r"up to|me|us|back))*$",
    re.IGNORECASE,
)
#: "name the town where it is put together", "state the river on which it lies".
_PLACE = re.compile(
    rf"{_START}{_POLITE}(?:{_ORDERS}|name|give|i(?:['’]d| would) like to (?:know|hear))(?: (?:me|"
    rf"us))? the (?P<noun>[a-z]+) "
    r"(?:where|(?P<prep>in|on|at|from|by|for|to|near|over) which) (?P<said>[^?,]+?)[\s?.!]*$",
    re.IGNORECASE,
)
#: "raisins — are those among what is in it?"
_SAID_FIRST = re.compile(
    r"(?:(?<=^)|(?<=[,:;] ))(?P<item>[^,;:?!]+?) ?(?:,|[–—]| -) (?P<be>is|are|was|were) (?:that|it|those|these) "
    r"(?P<rest>(?:among|amongst|one of|part of|included|listed|found|mentioned)\b)",
    re.IGNORECASE,
)
_AUXILIARIES = word_set(
    "is are was were can could will would may might must should has have had does did do isn't aren't wasn't can't "
    "won't doesn't cannot"
)
_PRONOUNS = word_set("it he she they this that these those there i we you one somebody someone")
_INSIDE = word_set("i we you that which who whom where i'd he she they")
#: Verbs in their form for "it", which begin what is said of a thing.
_VERBS = word_set(
    "contains includes fits covers suffices occurs comes has goes eats needs takes holds bears weighs costs "
    "lasts keeps "
    "lives carries grows gives works runs serves sells offers requires uses makes belongs stands shows appears "
    "supports "
    "accepts allows survives tolerates likes gets seats reaches exists features lies sits opens closes begins starts "
    "ends drinks produces provides measures exceeds permits does matches hangs tastes smells flies swims climbs floats "
    "folds feeds accompanies happens withstands endures stretches pays buys leaves stays plays sounds looks feels "
    "consists depicts bears wears yields means counts adds sums amounts remains turns moves travels passes crosses "
    "connects calls stops serves charges hits handles suits agrees"
)
#: Words that end what is spoken of: "the one on the left", "this hat here".
_ENDS = word_set("here there me one it left right this that")
#: Forms that are nouns behind a number or an adjective: "9 charges", "full charges".
_NOUNS_TOO = word_set(
    "charges feeds counts turns stops hits runs looks plays stays tastes smells ends starts features measures "
    "sounds works "
    "sums amounts yields passes crosses calls handles suits shows stretches moves travels needs leaves costs "
    "flies seats "
    "supports pays uses"
)
_NO_VERBS = word_set("this its is us gas bus plus as always perhaps besides towards afterwards sometimes yes thus")
_BEFORE_NOUNS = word_set("the a an of in on at with for from by to its their my our your some any no two three four")


def put_as_question(text: str) -> str:
    """The text with an order or a statement at its end put as a question; every other text as it is."""
    text = _SAID_FIRST.sub(lambda m: f"{m['be']} {m['item']} {m['rest']}", text)
    if (m := _WHETHER.match(text)) and (turned := turned_round(m["said"])) is not None:
        return _joined(m["before"], turned)
    if (m := _PLACE.match(text)) and (turned := turned_round(m["said"])) is not None:
        return _joined(m["before"], f"{m['prep'] or 'in'} which {m['noun']} {turned}")
    if m := _EXTREME.match(text):
        return _joined(m["before"], f"which is the {m['what']}?")
    if (m := _EXTREME_FIRST.match(text)) and (m["noun"] or "").lower() not in _NO_THINGS:
        return _joined(m["before"], f"which is the {m['what']}?")
    if m := _COMPARATIVE.match(text):
        return _joined(m["before"], f"which is {m['how']}?")
    if m := _FIGURE.match(text):
        return _joined(m["before"], f"what {'are' if is_plural(m['what']) else 'is'} {m['what']}?")
    if m := _ASKS.match(text):
        return _joined(m["before"], f"{m['asked']}?")
    tag = _TAG.search(text)
    m = re.match(rf"{_START}(?P<said>[^,;:?!]+)$", _LAST_WORDS.sub("", text[: tag.start()] if tag else text))
    if m is None or re.match(
        rf"(?:{_ORDERS}|name|list|{_WH}|{'|'.join(_AUXILIARIES)})\b", m["said"].strip(), re.IGNORECASE
    ):
        return text
    if tag and not re.search(rf"\b{_WH}\b", _RELATIVE.sub("", m["said"]), re.IGNORECASE):
        turned = turned_round(m["said"])
        return text if turned is None else _joined(m["before"], turned)
    return text


def asked_before(text: str) -> str:
    """The text with what is asked put before the verb: "it was proved by whom?" → "by whom was it proved?"."""
    m = re.match(rf"{_START}(?P<said>[^,;:?!]+)$", _LAST_WORDS.sub("", text))
    if m is None or re.match(
        rf"(?:{_ORDERS}|name|list|{_WH}|{'|'.join(_AUXILIARIES)})\b", m["said"].strip(), re.IGNORECASE
    ):
        return text
    turned = _asked_behind(m["said"])
    return text if turned is None else _joined(m["before"], turned)


def _asked_behind(said: str) -> str | None:
    """ "it was proved by whom" → "by whom was it proved?"; None where nothing is asked behind the verb."""
    m = _IN_PLACE.match(said.strip())
    if m is None or _EMBEDS.search(m["head"]):
        return None
    words = m["head"].split()
    relative = m["wh"].lower() in ("who", "which", "where", "when", "whose", "whom", "what") and m["rest"].strip()
    led = bool(m["prep"]) or words[-1].lower() in _AUXILIARIES or _is_verb(words[-1].lower())
    if (
        relative
        and not led
        and not (m["wh"].lower() in ("which", "what", "whose") and len(words) > 2 and _verb_at(words))
    ):
        return None
    if (
        m["prep"]
        and m["prep"].strip().lower() in ("to", "up to")
        and re.search(r"\b(?:come|add|amount|sum|run)s?\b", m["head"])
    ):
        m = (
            re.match(rf"(?P<head>.*?) (?P<wh>{_WH})\b(?P<rest>.*)$", said.strip(), re.IGNORECASE) or m
        )  # "come to how much"
        turned = turned_round(m["head"])
        if turned is None and (plural := _PLURAL_VERB.search(m["head"])):
            turned = f"do {m['head'][: plural.start()].strip()} {plural.group().strip()}?"
        return None if turned is None else f"{m['wh']}{m['rest']} {turned}"
    turned = turned_round(m["head"])
    if turned is None and (plural := _PLURAL_VERB.search(m["head"])):
        turned = f"do {m['head'][: plural.start()].strip()} {plural.group().strip()}?"
    rest = _IN_ALL.sub("", m["rest"]) if m["wh"].lower() == "how" else m["rest"]
    return None if turned is None else f"{m['prep'] or ''}{m['wh']}{rest} {turned}"


def _joined(before: str, question: str) -> str:
    return f"{before.rstrip()} {question}".strip()


def turned_round(said: str) -> str | None:
    """The question to a statement: "the seat bears 90 kg" → "does the seat bear 90 kg?"; None where no verb is seen."""
    said = re.sub(
        r"^(?:(?:so|and|but|then|well|okay|ok|so like|i (?:guess|think|suppose|assume|believe))\b[ ,]*)+",
        "",
        said.strip(),
        flags=re.I,
    )
    words = said.split()
    place = _verb_at(words)
    if place is None:
        return None
    words[0] = (
        words[0].lower() if re.match(r"(?:The|This|That|These|Those|It|A|An|They|My|Its)$", words[0]) else words[0]
    )
    subject, verb, rest = " ".join(words[:place]), words[place], " ".join(words[place + 1 :])
    low = verb.lower().replace("’", "'")
    if low in _AUXILIARIES and not (
        low in ("has", "have", "had") and not re.match(r"(?:been|got|had|[a-z]+ed)\b", rest)
    ):
        plain = {
            "isn't": "is",
            "aren't": "are",
            "wasn't": "was",
            "can't": "can",
            "cannot": "can",
            "won't": "will",
            "doesn't": "does",
        }
        return f"{plain.get(low, low)} {subject} {rest}?".replace(" ?", "?")
    helper = "did" if low == "had" else "do" if low == "have" else "does"
    return f"{helper} {subject} {_base(low)} {rest}".rstrip() + "?"


def _verb_at(words: list[str]) -> int | None:
    """Where the verb of a statement stands, behind its subject."""
    if len(words) > 1 and words[0].lower() in _PRONOUNS and _is_verb(words[1].lower()):
        return 1
    for i in range(1, len(words)):
        before, low = words[i - 1].lower().replace("’", "'"), words[i].lower().strip(",")
        if before in _INSIDE and (i > 1 or before not in _PRONOUNS):
            continue  # "the dog that is here", "the one I have"
        if before in ("it", "this", "that") and i > 2 and words[i - 2].lower() not in _BEFORE_NOUNS | _AUXILIARIES:
            continue  # "the town it is from"
        seen = before == "at" and words[i - 2].lower() in ("looking", "pointing", "staring")
        counted = (
            low in _NOUNS_TOO
            and (i == 1 or re.fullmatch(r"\d+|full|whole|single|complete", before))
            and before not in _PRONOUNS
        )
        known = low in _VERBS and not counted and (seen or before not in _BEFORE_NOUNS)
        ended = before in _ENDS or seen or is_kind_word(before)
        if low in _AUXILIARIES or known or (ended and _is_verb(low)):
            return i
    return None


def _is_verb(low: str) -> bool:
    regular = re.search(r"[^suiw]s$", low) is not None and low not in _NO_VERBS and not is_kind_word(low)
    return low in _AUXILIARIES or low in _VERBS or regular


def _base(verb: str) -> str:
    """ "carries" → "carry", "reaches" → "reach"."""
    irregular = {
        "has": "have",
        "had": "have",
        "have": "have",
        "goes": "go",
        "does": "do",
        "dies": "die",
        "lies": "lie",
        "suffices": "suffice",
    }
    if verb in irregular:
        return irregular[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|zz)es$", verb) else verb[:-1]
