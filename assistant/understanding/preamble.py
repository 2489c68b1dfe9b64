"""What people tell around a question, set apart from what they ask: a reason or a situation before it ("I'm going away,
so how much water does it need?"), a reason behind it ("…, because my shelf is low"), and polite words around it ("could
you find out for me when …").

The figures of a story may count ("my shelf is 40 cm high, so does it fit?"), so that the whole question is kept beside
what is asked. English grammar only.
"""

from __future__ import annotations

import re

from assistant.text.english import content_stems

WH = r"(?:what|which|who|whom|whose|where|when|why|how)"
_SMALL = (
    r"(?:in|by|from|for|until|till|since|to|of|at|on|up to|after|within|into|around|about|with|under|before|over|"
    r"during|through|between|than|onto|near|against|behind)"
)
#: What may stand before the question word: "after", "around", "to the area of".
PREPOSITION = (
    rf"(?:{_SMALL} (?:(?:about|roughly|exactly|approximately) )?(?:(?:the|an?) (?:[a-z]+ )?[a-z]+ (?:of|in|from) )?)"
)
_AUX = (
    r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|might|must|shall|am|need)"
    r"(?:n['’]t)?"
)
#: Verbs of which the answer is asked.
_FIND = (
    r"(?:tell|say|find out|look up|look|check|see|reckon(?: out| up)?|calculate|work out|count(?: up)?|figure out|"
    r"compute|estimate|explain|confirm|show|inform|remind|advise|name|give|read(?: out)?|make out|determine|verify|"
    r"let (?:me|us) know)"
)
_YOU = r"(?:can|could|would|will|may|might|do|did) you(?: (?:please|perhaps|maybe|kindly|possibly|also|just|quickly))*"
_KIND = r"(?:(?: please)? be so (?:kind|nice|good|friendly)(?: as)?,? (?:and|to)| mind| be able to| help me(?: to)?)?"
#: Polite words before what is asked: "could you be so nice and tell me", "I'd like to know", "please say".
_WRAP = (
    rf"(?:please,? )*(?:{_YOU}{_KIND} {_FIND}(?:ing)?|{_FIND}|do you (?:happen to )?know|"
    r"(?:(?:and |but )?(?:i|we|he|she|they|(?:my|our) (?:\w+ )?\w+)(?:['’]d| would)? )?(?:just |really |only |always )?"
    r"(?:(?:like|love|want|wants|wish|wishes|need|needs|have|has)(?: very much)? to "
    r"(?:know|hear|learn|ask|find out|see)"
    r"|(?:would be|(?:['’]?m|am|is|are)) (?:curious|interested|wondering|asking|keen to know)|"
    r"wonder(?:s|ed)?|asks?|asked|keeps? asking|keeps? wondering)|(?:it|that)(?:['’]d| would)? interests? (?:me|us))"
    r"(?:(?: for)? (?:me|us|him|her|them))?"
    r"(?:,? (?:please|perhaps|exactly|also|now|quickly|about|as to|something|out|off|aloud|for (?:me|us))\b)*[,:]?"
)
_ASKS = rf"(?:{PREPOSITION}?{WH}\b|(?:if|whether)\b)"
_NO_SUBJECT_ALONE = r"(?!\w+ (?:(?:i|we|you|he|she|it|they|mine|yours)|(?:my|our|your|his|her) \w+)\s*(?:[,.;:!?]|$))"
#: Words after which the question begins, behind what was told before it.
_LINK = r"(?:(?:and |but )?(?:so|therefore|hence|thus|that['’]?s why|that is why|which is why|and now)),?"
_BEFORE = re.compile(
    rf"^(?P<story>.*\w.*?)(?:\s*[,;:–—-])? {_LINK} (?:then |now |please |just |again )?"
    rf"(?P<asks>(?:{PREPOSITION}?{WH}\b|whether\b|{_NO_SUBJECT_ALONE}{_AUX} \w|{_WRAP} (?!that\b)\w"
    r"|(?:just |only )?(?:the|its) [a-z]+ (?:of|for|with|in|on|by)\b"
    r"|(?:the )?(?:[a-z]+ ){1,3}(?:when|where|by whom|how (?:much|many|long))\W*$).*)$",
    re.IGNORECASE,
)
_EMPTY = content_stems("many much long did does could please turn")
_NAMES = re.compile(r"\b(?:call|called|named?|what(?:['’]s| is| are)? (?:this|that|it|these))\b", re.IGNORECASE)
#: "so that", "so many", "so to say", "so much" open no question.
_NO_LINK = re.compile(
    r"\bso,? (?:that|many|much|far|long|few|little|to (?:say|speak)|kind|nice|good|beautiful)\b", re.IGNORECASE
)
#: "…, could you look?", "…, do you know?", "…, if I may ask?".
_TAIL = re.compile(
    rf"[,;.?]? (?:(?:please,? )?{_YOU} (?:please )?(?:look|check|find out|tell me|help(?: me)?|say|see|look it up|find "
    r"(?:it|that) out|know)(?: that| it)?(?: up)?(?: for (?:me|us))?(?: please)?|if (?:i|we) may ask|"
    r"if you (?:don['’]t mind|please|know|can|could)(?: (?:me asking|my asking))?|thanks?(?: you)?|"
    r"thank you(?: very much)?)\s*([?.!]*)$",
    re.IGNORECASE,
)
#: "…, because I must build a gate", "…, I need it for the fence".
_BEHIND = re.compile(
    r"(?P<asks>^.*\w.*?)"
    r"(?:\s*[,;–—-] ?(?:(?:i ask |i['’]m asking |i mean )?because(?! of\b)|since|as|for)"
    r"| because| (?:as|since)(?= (?:i|we)(?:['’]\w+)? (?:want|need|have to|must|would|plan|intend|am|are|was)\b))"
    r" (?P<story>(?:i|we|my|our|i['’]\w+|we['’]\w+|he|she|there['’]?s|they['’]?re|otherwise)\b.*?)[?.!]*$",
    re.IGNORECASE,
)
_WRAPPED = re.compile(rf"^(?:(?:so|and|but) )?(?:for (?:that|this) )?{_WRAP} (?P<q>{_ASKS}.*)$", re.IGNORECASE)
#: "could you read me the ingredients"; what is written there is read, and no property ("read me the text").
_WRAPPED_NOUN = re.compile(
    rf"^(?:(?:so|and|but) )?(?:for (?:that|this) )?(?P<wrap>{_WRAP}) "
    r"(?P<q>(?:(?:the|its|their|his|her|all the|all its)\b|[a-z]+ of (?:this|that|these|those|the|it)\b).*)$",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"\b(?:text|code|labels?|numbers?|signs?|headings?|headlines?|notices?|words?|writing|letters|lettering|print|lines?|"
    r"inscription|title|address|phone|telephone|dates?)\b",
    re.IGNORECASE,
)
#: "please check: this one is older than that, isn't it?"
_WRAPPED_CLAIM = re.compile(rf"^(?:(?:so|and|but) )?{_WRAP}(?<=[:]) (?P<q>.*)$", re.IGNORECASE)
_RIGHT = r"(?:is|was|were|are) (?:he|she|that|this|it|they|i) (?:right|true|correct|so|really so|the case)"
#: "my aunt says it is edible, is she right?", "it is edible, is that true?"
_HE_SAYS = re.compile(
    r"^(?:(?:(?:(?:my|our|a|an|the|some|his|her) )?[a-z]+(?: [a-z]+)?|i['’]ve|i was) (?:says|say|said|thinks?|thought|"
    r"claims?|claimed|believes?|believed|swears?|insists?|told me|tells me|told|heard|read|means|is sure|was sure|"
    r"bets?)(?: that)? (?=\S+ \S))?(?P<claim>(?!to\b|if\b)[^,;]+?)"
    rf"[,;.–—-]* {_RIGHT}\s*\?*$",
    re.IGNORECASE,
)
_IS_IT_TRUE = re.compile(rf"{_RIGHT}\W*$", re.IGNORECASE)


def with_claim(parts: list[str]) -> list[str]:
    """Sentences, a last "is that true?" joined to what it is said of."""
    if len(parts) > 1 and _IS_IT_TRUE.match(parts[-1]):
        return [*parts[:-2], f"{parts[-2].rstrip(' .!')}, {parts[-1]}"]
    return parts


def set_apart(text: str) -> tuple[str, str]:
    """What is told before the question, and the question: ("I'm going away", "how much water does it need?"); the
    story is empty where there is none.
    """
    kept = _NO_LINK.sub(lambda m: m[0].replace(" ", "\x00"), text)
    found = _BEFORE.match(kept)
    empty = found is not None and not content_stems(found["asks"]) - _EMPTY and not _NAMES.search(found["asks"])
    if found is None or empty:  # "somebody had to draw it, so who did?"
        return "", text
    return found["story"].replace("\x00", " ").strip(" ,;:–—-"), found["asks"].replace("\x00", " ")


def without_tail(text: str) -> str:
    """The words without a last "could you look?"."""
    shorter = _TAIL.sub(r"\1", text)
    return shorter if len(re.findall(r"\w+", shorter)) > 2 else text


def without_reason(text: str) -> str:
    """The question without the reason told behind it."""
    found = _BEHIND.match(text)
    if found is not None and (re.match(rf"\W*(?:{_WRAP} )?(?:{_ASKS}|{_AUX} )", found["asks"], re.IGNORECASE)):
        text = found["asks"].rstrip(" ,;–—-") + "?"
    return text


def unwrapped(clause: str) -> str:
    """What is asked behind polite words: "could you find out for me when it opened" → "when it opened"."""
    if said := _HE_SAYS.match(clause):
        return f"if {said['claim']}?"
    if found := _WRAPPED.match(clause) or _WRAPPED_CLAIM.match(clause):
        return found["q"]
    found = _WRAPPED_NOUN.match(clause)
    if found is None or (re.search(r"\bread\b", found["wrap"], re.IGNORECASE) and _WRITTEN.search(found["q"])):
        return clause
    counts = re.search(r"\bcount\b", found["wrap"], re.IGNORECASE) is not None
    return f"count {found['q']}" if counts else found["q"]


#: "I'm told", "they say", "my friend claims", with what is said up to the question.
_TOLD = re.compile(
    r"\b(?:(?:i|we)(?:['’](?:m|ve|re)| am| was| have| are| were)?(?: been)? told|(?:i|we)(?:['’]ve)? (?:heard|hear)|"
    r"(?:they|people|he|she|someone|somebody|(?:my|our|an?) [a-z]+(?: of mine)?) "
    r"(?:says?|said|claims?|claimed|thinks?|thought|swears?|tells me|told (?:me|us))|apparently|supposedly|allegedly)\b"
    rf"(?P<claim>[^.;?!]*?)(?=[.;!]|,? (?:so|and|but|then) (?:{WH}|{_AUX})\b|, (?:{WH}|{_AUX})\b)(?P<asks>.*)$",
    re.IGNORECASE,
)
#: "is that right?", "does it?", "can it stand that?": asked of what was told.
_OF_THE_CLAIM = re.compile(
    rf"\W*(?:(?:so|and|but|then) )?{_AUX} (?:not )?(?:it|that|this|he|she|they|these|those)"
    r"(?: (?:really|actually|right|true|correct|so|the case|still))*\W*$|.*\b(?:that|this)\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.,-])\d[\d.,]*(?<=\d)(?![\w-])")


def without_claimed_figures(text: str) -> str:
    """The words, figures left out that the question only reports: of "I'm told it is from 1990, how old is it?" nothing
    is to be reckoned with. What is asked about the claim itself ("is that right?", "does it?") keeps it.
    """
    m = _TOLD.search(text)
    if m is None or _OF_THE_CLAIM.match(m["asks"]):
        return text
    return f"{text[: m.start('claim')]}{_FIGURE.sub('some', m['claim'])}{m['asks']}"
