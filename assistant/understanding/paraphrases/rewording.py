"""Roundabout words for the thing in view, and for what is done with it, made plain before a question is taken apart.

"What is on the menu of the dog" is what it eats; "the lecture with this slide" is what stands there. General English.
"""

from __future__ import annotations

import re

from assistant.text.english import base_adjective, is_plural, word_set
from assistant.text.kind_words import KINDS
from assistant.text.units import unit_of
from assistant.understanding.choices import picked
from assistant.understanding.clause import OPENERS
from assistant.understanding.paraphrases.count_paraphrases import tallied
from assistant.understanding.paraphrases.fragments import cut_short
from assistant.understanding.paraphrases.group_paraphrases import groups_said
from assistant.understanding.paraphrases.imperatives import asked_before, put_as_question
from assistant.understanding.paraphrases.properties import said_plainly
from assistant.understanding.preamble import set_apart

_ANIMALS = "|".join(sorted({w for g in (KINDS["animal"].general, *KINDS["animal"].sorts) for w in g}))
#: "what is on the menu of the dog": what it eats.
_FED = re.compile(
    r"\b(?:is|are) (?:there )?on the menu (?:of|for) (?P<whose>(?:the|this|that|these|those|an?) (?:\w+ )?"
    rf"(?:{_ANIMALS})s?\b"
    r"(?:(?: on the (?:left|right))| (?:over )?(?:here|there)| in front of me)?)",
    re.IGNORECASE,
)
#: Words for the whole of a thing; a building has structures, and a dog's breed or a box's volume is asked for.
_GENERAL = {
    word: kind
    for kind, words in KINDS.items()
    if kind not in ("building", "sign")
    for word in words.general - {"breed", "volume"}
}
#: "the lecture with this slide", "the plant this flower belongs to": a word for the whole, and one for what is seen.
_WHOLE = re.compile(
    rf"\bthe (?P<whole>{'|'.join(sorted(_GENERAL))}) (?:(?:with|of|behind|that has) (?P<a>this|that|these|those) "
    r"(?:\w+ )?(?P<part>\w+)|(?:that |which )?(?P<b>this|that|these|those) (?:\w+ )?(?P<part2>\w+) "
    r"(?:belongs to|is (?:from|of|part of)|comes from|goes with))(?![\w-])",
    re.IGNORECASE,
)


#: "the town with this as its emblem", "the club that has it for its badge".
_BEARS = re.compile(
    r"\b(?P<who>the \w+) (?:with|(?:that|which|who) (?:has|have|uses?)) "
    r"(?P<what>(?:it|(?:this|that|these|those)(?: one)?|(?:the|this|that) (?:coat of arms|[a-z]+)"
    r"(?: on the (?:left|right))?)) "
    r"(?:as|for) (?:its|their|an?) (?P<sign>(?:coat of )?[a-z]+)\b",
    re.IGNORECASE,
)

#: "the fine, please, I can't read it", "I'm too far away, what does it say at the top?"
_SIGN = r"(?:it|that|this|(?:the|that|this) (?:sign|text|notice|writing|letters|label|board|print))"
_UNREADABLE = re.compile(
    r"(?:^|[,;.]?\s+)(?:(?:because|as|since|but|and) )?i (?:can(?:['’]t|not| not)|could(?:n['’]t| not)) "
    rf"(?:quite |really )?(?:read|see|make out|decipher|recogni[sz]e) {_SIGN}"
    r"(?: (?:from|at|over) (?:here|this distance|there))?(?=\W*$|\s*[,;.:])[,;.:]?"
    rf"|(?:^|(?<=[a-z], ))i(?:['’]m| am) (?:standing )?too far (?:away|off)(?: to (?:read|see) {_SIGN})?"
    r"\s*[,;:]\s*(?:so )?",
    re.IGNORECASE,
)


#: "name the dress for me, would you": what is said behind an order.
_WOULD_YOU = re.compile(
    r"(?:,|(?<=\bfor me)|(?<=\bfor us)) ?(?:would|will|could|can|won['’]t|can['’]t) you(?:,? please)?(?=[\s?.!]*$)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(?:^|[,;:.–—-] ?)(?:please |just |now |and |so )*(?:name|tell|give|read|list|say|show|find|add|count|work out|"
    r"look up|state|let me|remind|spell|translate|describe|identify|pick|choose)\b",
    re.IGNORECASE,
)
#: "run me through the kit on this car".
_THROUGH = re.compile(
    r"^(?:(?:please|so|now|and|then|okay|right)[, ]+)*(?:(?:can|could|would|will) you )?(?:please )?(?:just )?"
    r"(?:run|walk|talk) (?:me|us) (?:quickly )?through (?:all )?(?P<what>(?:the|its|their|all) (?:[a-z]+ ){0,2}?"
    r"(?P<noun>(?!this\b|its\b)[a-z]{3,}s|kit|menu|equipment|gear|range|recipe|schedule|timetable|programme)\b[^,;:?.!]*?)"
    r"(?:,? please)?[\s?.!]*$",
    re.IGNORECASE,
)
#: "yearly events at this tower, can you list them?"
_LIST_THEM = re.compile(
    r"^(?:so |now |and )?(?P<what>(?!(?:i|you|we|they|it|this|that|there|here|if|when|as|what|which|who|where|how|"
    r"does|do|"
    r"did|is|are|can|could|has|have|name|list|tell|say)\b)(?:(?!\b(?:is|are|was|were|has|have|had|won|wins|comes?|"
    r"like|likes|want|wants|see|sees|do|does|did)\b)[^,;:?.!])+?)\s*[,;:–—-]+\s*"
    r"(?:please )?(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:list|enumerate|reel off|run through|go through|name|read out)(?: (?:me|us))? (?:them|those|these)(?: all)?"
    r"(?: for (?:me|us))?(?:,? please)?[\s?.!]*$",
    re.IGNORECASE,
)
#: "is its town a big place? How many residents, I mean": what is asked of the town is said last.
_MEANT_OF_IT = re.compile(
    r"\b(?:is|are|was|were) (?P<x>(?:the|that|this|its|their|it|they)\b(?! (?:true|right|correct|so)\b)[^,;:?]*?) "
    r"(?:an? (?:[a-z]+ )?|(?:very|really|quite|so|rather|pretty|fairly) )?"
    r"(?:big|large|small|tall|high|long|heavy|old|wide|deep|busy|populous|little|tiny|huge|expensive|dear|cheap)"
    r"(?: [a-z]+)?\s*[?.,;–—-]+ (?:(?P<q>how (?:many|much) [a-z]+(?: [a-z]+)?),? (?:i mean|that is)"
    r"|what(?:['’]s| is) (?:the|its) (?P<p>population|headcount|area|height|weight|size|length|price|number of [a-z]+))"
    r"[\s?.!]*$",
    re.IGNORECASE,
)
#: "there's some company sponsoring it, isn't there? Which?"
_THERE_IS_ONE = re.compile(
    r"\bthere(?:['’]s| is) (?:some|an?) (?P<noun>[a-z]+) (?P<does>[a-z]+ing|that [a-z]+|who [a-z]+|behind) "
    r"(?P<rest>[^,;:?.!]+?)(?:,? (?:isn['’]t there|is there not|right|no))?\s*[,;:?.!–—-]+ (?:and |so )?"
    r"(?P<wh>which|who)(?: one| is (?:it|that)|['’]s that| (?P=noun)(?: is (?:it|that))?)?[\s?.!]*$"
    r"|\bthere(?:['’]s some| is some| must be (?:some|an?)| has to be (?:some|an?)|['’]s got to be (?:some|an?)) "
    r"(?P<noun2>(?:[a-z]+ )?[a-z]+) (?P<does2>[a-z]+ing|that [a-z]+|who [a-z]+|behind|for|on|in) (?P<rest2>[^,;:?.!]+?)"
    r"(?:,? (?:isn['’]t there|is there not|mustn['’]t there|right|no))?\s*[,;:?.!–—-]+ (?:and |so )?"
    r"(?:which|who|what)(?: one| is (?:it|that)|['’]s that)?[\s?.!]*$",
    re.IGNORECASE,
)
#: "the town that this poster is about": the town on it.
_TOWN_OF_SIGN = re.compile(
    r"\b(?P<town>(?:the|what|which) (?:town|city|village|place|community|parish|municipality)) (?:that |which )?"
    r"(?P<x>it|(?:this|that|the) (?:sign|poster|notice|board|card|plate|plaque|placard|label|leaflet|flyer|bill|menu|"
    r"timetable|ad|advert|advertisement|announcement)(?: (?:over )?(?:here|there)| in front of me| i['’]m "
    r"(?:looking at|"
    r"showing you))*) (?:is about|deals with|concerns|talks about|is talking about|mentions|names|refers to|speaks of|"
    r"has to do with|is to do with|is concerned with)(?=\s*(?:[,;:?.!]|$|(?:is|was|has|have|had|does|got|lies|"
    r"sits)\b))",
    re.IGNORECASE,
)
#: "the thing that is a lamp": the lamp.
_THING_THAT = re.compile(
    r"\b(?:the|that|this) (?:thing|one|object|item) (?:that|which) (?:is|looks like) an? (?P<noun>[a-z]+)"
    r"(?=\s*(?:[,;?.!]|$|(?:is|was|has|can|does|will|would|weighs?|costs?|and|or|of|in|on|from|for|with|by|to|than|here|"
    r"there|give|gets?|need|made|end|lie|fit|take|eat|live|have|come|go|stand)\b))",
    re.IGNORECASE,
)
#: "in what numbers do they own it": how many.
_IN_NUMBERS = re.compile(
    r"\bin (?:what|which) numbers (?P<does>do|does|did|can|could|will|would) (?P<who>[^,?]+?) "
    r"(?P<verb>(?!(?:to|at|in|on|with|for|from|by|over|through|into|of)\b)[a-z]+) "
    r"(?P<what>(?:it|this|that|these|those|them|(?:the|this|that) [^,?]+?)(?: (?:here|there))?)(?=\s*[?.!]*$)"
    r"|\bin (?:what|which) numbers (?P<be>is|are|was|were) (?P<thing>[^,?]+?) (?P<done>[a-z]+)(?=\s*[?.!]*$)",
    re.IGNORECASE,
)
#: "what do I have to climb there, in steps": how many steps.
_IN_PIECES = re.compile(
    r"\bwhat (?P<rest>(?:do|does|did|will|would|can|could|must|should) [^,?]+?), (?:measured |counted )?"
    r"in (?:terms of )?(?:total |whole )?(?P<noun>people|[a-z]{3,}s)(?=\s*[?.!]*$)",
    re.IGNORECASE,
)
#: "how thick is the book in pages": how many pages it has.
_EXTENT_IN = re.compile(
    r"\bhow (?:thick|long|big|large|fat|extensive) (?:is|are|was) (?P<x>[^,?]+?),? (?:measured |counted )?"
    r"in (?:terms of )?(?P<noun>people|[a-z]{3,}s)(?=\s*[?.!]*$)",
    re.IGNORECASE,
)
#: What is no number of pieces: "in words", "in summers".
_NO_PIECES = word_set(
    "words terms colours colors letters figures numbers views stores shops summers winters springs evenings mornings "
    "details pictures gardens parks books museums"
)
#: "are there any left to buy, what's the number?": the number of those.
_ANY_NUMBER = re.compile(
    r"\b(?:are there|is there|have (?:you|they)(?: got)?|do (?:you|they) have) (?:any|some) (?P<what>(?:of )?[^,;:?]+?)"
    r"(?:[,;:?–-]| and)+ (?:and )?"
    r"(?:(?:what(?:['’]s| is| would be) |give me )?(?:the|their) (?:exact )?(?:number|count|figure)"
    r"|how many(?: (?:are there|of them|exactly|then))*)(?=\s*[?.!]*$)",
    re.IGNORECASE,
)
#: "do they throw in a lamp with it".
_THROWN_IN = re.compile(
    r"\b(?:do|does|did|will|would) (?:they|you|he|she|the \w+) throw in (?P<what>[^,?]+?)(?: (?:with|for) "
    r"(?:it|this|that|these|them|free|the \w+))*(?=\s*[?.!]*$)",
    re.IGNORECASE,
)

#: "the size of this series": how many are in it.
_GROUP_SIZE = re.compile(
    r"\b(?:(?:what(?:['’]s| is) )?(?:the )?size of|how (?:big|large) is) "
    r"(?P<group>(?:this|that|the|its|their)(?: (?:whole|entire|full))? "
    r"(?:series|range|collection|fleet|family|line-?up|set|group|line|genus)"
    r"(?: (?:(?:that |which )?"
    r"(?:it|this|that|the [a-z]+(?: (?:on the (?:left|right)|i['’]m looking at|in front of me))?)"
    r"(?: [a-z]+)? (?:belongs to|is (?:from|in|part of)|comes from)"
    r"|to which (?:it|this|that)(?: [a-z]+)? belongs))?)"
    r"(?=\s*(?:[?.!,]|$|please))",
    re.IGNORECASE,
)

#: "how many times does it stop on the way": at how many places.
_TIMES_STOPPED = re.compile(
    r"\bhow (?:many times|often) (?P<does>does|do|will|would) (?P<what>[^,?]+?) (?:stop|halt|call|pull up)"
    r"(?: (?:on|along) (?:the|its|this) (?:way|route|line|journey|trip|run)| en route| in between|"
    r" before the (?:end|terminus))(?=\s*(?:[?.!,]|$))",
    re.IGNORECASE,
)


#: "lighter than that one?": a comparison without its verb.
_THAN_ALONE = re.compile(
    r"^(?P<than>(?:much |even |any )?(?:(?P<how>more|less) )?(?P<word>[a-z]+)(?: in [a-z]+)? than "
    r"(?:(?:the|this|that|its|their|his|her|my) |[A-Z])[^,;:?.!]+\?*)$",
    re.IGNORECASE,
)


#: "which one comes out dearer": is dearer.
_COMES_OUT = re.compile(
    r"\b(?:comes?|came|turns?|turned) out (?:as |to be )?(?=(?:the |much |even |a bit )?(?:more|less|most|least|fewest|"
    r"(?!(?:under|over|after|ever|never|her|other|order|paper|water|number)\b)[a-z]{2,}er|"
    r"(?!(?:best|test|rest|west)\b)[a-z]{2,}est)\b)",
    re.IGNORECASE,
)
#: "does this come out dearer": is this dearer.
_COME_OUT = re.compile(rf"\b(?:do|does|did|would|will) (?P<who>[^,;:?]+?) {_COMES_OUT.pattern[2:]}", re.IGNORECASE)


#: One word for a unit: "how many per cent" asks for no number of cents.
_PER_CENT = re.compile(r"\b(per) (cent)\b", re.IGNORECASE)


def reworded(text: str) -> str:
    """The question with such words made plain; every other question as it is, and what is told before it."""
    story, asks = set_apart(text)
    if story and (plain := _reworded(asks)) != asks:
        return f"{story}, so {plain}"
    return _reworded(text)


def _reworded(text: str) -> str:
    text = picked(OPENERS.sub("", text)) or text
    if _WOULD_YOU.search(text) and _ORDERS.search(text):
        text = _WOULD_YOU.sub("", text)
    text = _LIST_THEM.sub(lambda m: f"what are {_definite(m['what'])}?", text)
    text = _THROUGH.sub(lambda m: f"what {'are' if is_plural(m['noun']) else 'is'} {m['what']}?", text)
    text = _MEANT_OF_IT.sub(
        lambda m: f"{m['q']} does {m['x']} have?" if m["q"] else f"what is the {m['p']} of {m['x']}?", text
    )
    text = _THERE_IS_ONE.sub(_which_is, text)
    text = _TOWN_OF_SIGN.sub(r"\g<town> on \g<x>", text)
    text = _COMES_OUT.sub("is ", _COME_OUT.sub(r"is \g<who> ", text))
    text = groups_said(put_as_question(groups_said(_PER_CENT.sub(r"\1\2", text))))
    rest = _UNREADABLE.sub("", text).strip()
    text = _FED.sub(lambda m: f"does {m['whose']} eat", rest if re.search(r"[a-z]{3}", rest) else text)
    text = _BEARS.sub(lambda m: f"{m['who']} whose {m['sign']} {m['what']} is", text)
    text = _IN_NUMBERS.sub(_how_many, text)
    text = _IN_PIECES.sub(_so_many, text)
    text = _EXTENT_IN.sub(_has_so_many, text)
    text = _ANY_NUMBER.sub(_number_of, text)
    text = _GROUP_SIZE.sub(lambda m: f"how many are there in {m['group']}", text)
    text = _TIMES_STOPPED.sub(lambda m: f"how many stops {m['does']} {m['what']} make", text)
    text = _THROWN_IN.sub(lambda m: f"does it come with {m['what']}", text)
    if (m := _THAN_ALONE.match(text)) and (m["how"] or base_adjective(m["word"].lower())):
        text = f"is it {m['than']}"
    text = _WHOLE.sub(_as_one, _THING_THAT.sub(r"this \g<noun>", text))
    bare = OPENERS.sub("", text)
    plain = tallied(bare)
    said = said_plainly(cut_short(plain if plain != bare else text))
    turned = asked_before(said)
    return said if turned == said else said_plainly(turned)


def _definite(what: str) -> str:
    """ "yearly events at it" → "the yearly events at it"; "Its stops" are so already."""
    if re.match(r"(?:the|its|their|his|her|these|those|all) ", what, re.IGNORECASE):
        return what[:1].lower() + what[1:]
    return f"the {what}"


def _which_is(m: re.Match[str]) -> str:
    noun, does, rest = m["noun"] or m["noun2"], (m["does"] or m["does2"]).lower(), m["rest"] or m["rest2"]
    led = does.removeprefix("that ").removeprefix("who ") if does.startswith(("that ", "who ")) else f"is {does}"
    return f"which {noun} {led} {rest}?"


def _how_many(m: re.Match[str]) -> str:
    """ "how many of it do they own", "how many of it were printed"."""
    if m["be"]:
        return f"how many of {m['thing']} {'were' if m['be'].lower().startswith('w') else 'are'} {m['done']}"
    return f"how many of {m['what']} {m['does']} {m['who']} {m['verb']}"


def _so_many(m: re.Match[str]) -> str:
    """ "how many steps do I have to climb"; a unit of measure says by itself what is asked."""
    noun = m["noun"].lower()
    return m[0] if noun in _NO_PIECES or unit_of(noun) else f"how many {noun} {m['rest']}"


def _has_so_many(m: re.Match[str]) -> str:
    noun = m["noun"].lower()
    return m[0] if noun in _NO_PIECES or unit_of(noun) else f"how many {noun} does {m['x']} have"


def _number_of(m: re.Match[str]) -> str:
    """ "any left to buy" → "how many are left to buy"."""
    what, n = _STILL_THERE.subn(r"\g<before>are \g<left>", m["what"], count=1)
    return f"how many {what if n else what + ' are there'}"


#: The last word that says they are still there: "of the one on the left left to buy".
_STILL_THERE = re.compile(
    r"(?P<before>^|^.*\s)(?P<left>(?:left|in stock|available|for sale|on sale|remaining|on offer)\b)", re.IGNORECASE
)


def _as_one(m: re.Match[str]) -> str:
    """ "this lecture" for both words where they are said of one kind of thing."""
    part = (m["part"] or m["part2"]).lower()
    words = KINDS[_GENERAL[m["whole"].lower()]]
    said = part in words.general or any(part in group for group in words.sorts)
    return f"{m['a'] or m['b']} {m['whole']}" if said else m[0]
