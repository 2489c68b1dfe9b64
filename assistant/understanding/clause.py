"""The clause of an utterance that asks, without greetings, politeness and "do you know" around it.

"um, the town it is from, do you know who runs it?" → "who runs the town it is from?". English grammar only.
"""

from __future__ import annotations

import re

from assistant.text.english import is_plural, negated, sentences
from assistant.text.kinds import is_kind_word
from assistant.understanding.preamble import (
    PREPOSITION,
    WH,
    set_apart,
    unwrapped,
    with_claim,
    without_reason,
    without_tail,
)

#: Greetings and small words before a question.
OPENERS = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|well|um+|uh+|er+|erm|hm+|right|now|and|but|also|then|oh|ah|cool|nice|great|thanks|"
    r"thank you|wow|please|just|(?:(?:just )?(?:a|one|another|one more|my) )?(?:(?:quick|short|small|little|last|next|"
    r"simple) )?(?:question|thing)(?= ?[:,;–—-])|quick question|question|good to know|alright|all right|sir|madam|"
    r"good (?:morning|day|evening|afternoon)|(?:may|can|could) i (?:just )?ask(?: you)?(?: something| a question)?|"
    r"pardon(?: me)?|sorry (?:to (?:bother|disturb|trouble|interrupt)|for (?:bothering|disturbing))(?: you)?|excuse me|"
    r"sorry|vitrine|assistant|by the way|btw|"
    r"out of (?:curiosity|interest)|(?:i['’]?m |i was |was )?(?:just )?(?:wondering|curious|asking)|tell me|i mean|"
    r"say|listen|look)\b[\s,.:;!–-]*)+",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:(?:do|can|could|would|will) you (?:know|tell me|give me|say|name|show me)(?: about)?|i "
    r"(?:want|need|['’]d like) to "
    r"know|give me|name)\s+(?=(?:the|its|their|his|her)\b)",
    re.IGNORECASE,
)
#: "can you list the rest of them for me?"
_LISTS = re.compile(
    r"^(?:can|could|would|will) you (?:please |just |quickly )?"
    r"(?:(?:list|enumerate|count off)(?: me)?|(?:name|read out)(?: me)?(?= all\b| the (?:rest|others?|members)\b))"
    r"(?P<all> all)? (?P<what>(?:the|its|their|of|other) [^?]*?)"
    r"(?:,? for (?:me|us))?(?:,? please)?[ ?.!]*$",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"^(?:am i right (?:that|in thinking(?: that)?|to think(?: that)?)|is it (?:true|right|correct|fair to "
    r"say)(?: to say)? that|(?:have|did|do) i (?:got |get |have )?(?:it|this|that) right"
    r"(?:[,:;]| that|(?= (?:this|that|the|it|these|those|its|their)\b))|is it (?:really )?the case that|"
    r"(?:would you say|do you think)(?: that(?! (?!(?:it|they|this|that|he|she|these|those|one)\b)[a-z]+ "
    r"(?:is|are|was|were|has|have|does|can|will|would|weighs?|costs?)\b))?|can i say(?: that)?|so is it that)\s+",
    re.IGNORECASE,
)
#: "where does it come from, I mean where is it made": what is meant is said last.
_I_MEAN = re.compile(
    r"[,;:.–—-]\s*(?:or |well,? |that is,? |by (?:that|which) )?i mean,?\s+"
    rf"(?=(?:(?:in|by|from|for|to|of|at|on)\s+)?{WH}\b.*[a-z]|(?:is|are|was|were|does|do|did|has|have|can) )",
    re.IGNORECASE,
)
#: "compared to X, is it heavier" → "is it heavier compared to X".
_COMPARED = re.compile(
    r"^(?:compared (?:to|with)|next to|measured against|unlike|against) (?:(?P<other>[^,]+), (?P<rest>.+)|"
    r"(?P<other2>[^,]+?) (?P<rest2>(?:is|are|was|were|does|do|has|have|will|would|can) (?!from\b|in\b|of\b)[^,]+))$",
    re.IGNORECASE,
)
#: "what's it called, I've forgotten the name": what is said after the question asks nothing.
_SAID_AFTER = re.compile(
    rf"^(?P<q>(?:(?:in|by|from|for|to|of|at|on) )?{WH}\b[^,;]* [^,;]+)[,;] (?:i|we|my [a-z]+|because|cause|"
    rf"since(?! \d))"
    r"(?:['’](?:ve|m|d|re|ll))?\b(?! mean\b| wonder\b| ask\b)[^?]*$",
    re.IGNORECASE,
)
#: "if I moor it for 3 nights what's the bill": the question begins without its comma.
_AFTER_CONDITION = re.compile(
    r"^(?P<condition>(?:if|once|suppose|supposing|assuming|say|when) (?:i|we|you|he|she|it|they|one|someone|"
    r"somebody|this|that|the|"
    r"my|our|there)\b[^,;:?]{6,}?) (?P<q>(?:(?:what|how|when|where|which|who)(?:['’]s| (?:is|are|was|were|do|"
    r"does|did|will|would|"
    r"can|could|should|have|has))|(?:how (?:many|much)|what|which) (?:[a-z]+ ){1,3}(?:is|are|was|were|do|does|"
    r"did|will|would|can|"
    r"could|should|have|has)|how (?:long|far|old|often|big|heavy|tall|much) (?:is|are|was|were|do|does|did|will|"
    r"would|can|could|"
    r"should|have|has)|(?:what|which) (?:date|day))\b[^,;:]*)$",
    re.IGNORECASE,
)
TAG = re.compile(
    r"(?:,\s*|(?<!\bthe)(?<!\bmy)(?<!\bor)(?<!\bits)\s+)(?:right|correct|true|yes or no|yes|no|(?:is|are|was|"
    r"were|does|do|"
    r"did|has|have|can|could|would|"
    r"will)(?:n?['’]t)? (?:it|they|he|she|that|this|there))\s*\?\s*$",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(
    rf"^(?:.{{0,60}}\b(?:know|tell me|tell us|tell|wonder|wondering|idea|say|remember|remind me|find out|"
    rf"figure out|check|work out|see|explain|show me|look up|curious|sure|understand|inform me)\b"
    rf"(?:\s+(?:me|us|about|of|as to|exactly|,))*\s+)(?P<q>{PREPOSITION}?{WH}\b.*|"
    rf"(?:if|whether)\b.*)$",
    re.IGNORECASE,
)
YESNO = re.compile(
    r"^(?:(?:if|whether)\b|(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|might|"
    r"must)(?:n['’]t)?\b)",
    re.IGNORECASE,
)


def asking_clause(text: str) -> str:
    """The asking clause, without greetings, politeness and "do you know …" around it."""
    return _asking(text)[0]


def whole_of(text: str) -> str:
    """The asking clause with the condition before it: "if I put it on a scale, what would it show?"."""
    return _asking(text)[1]


#: A last sentence that asks, whatever it ends with: its verb stands before what it is about ("What does it cost").
_ASKS_ON = re.compile(
    rf"(?:and |so |but |i mean,? )?(?:(?:in|by|from|for|to|of|at|on) )?{WH}"
    r"(?: (?!(?:i|we|you|he|she|it|they|the|this|that|these|those|my|your|our|an?|if|not)\b)\w+){0,2}?"
    r"(?:['’]s| (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should))\b[^?!]*$",
    re.IGNORECASE,
)


def asking_sentence(text: str) -> str:
    """The sentence that asks, without greetings before it."""
    text = without_tail(text)
    parts = with_claim(list(sentences(text)) or [text])
    asking = [p for p in parts if p.rstrip().endswith("?")]
    if asking and _ASKS_ON.match(parts[-1]):  # "Is it dear? How much is it"
        return parts[-1].strip()
    asking = asking or [p for p in parts if re.search(rf"\b{WH}\b", p, re.IGNORECASE)]
    sentence = (asking or parts)[-1].strip()
    return OPENERS.sub("", sentence) or sentence


def _asking(text: str) -> tuple[str, str]:
    story, core = set_apart(without_reason(asking_sentence(text)))
    core = OPENERS.sub("", core) or core
    if m := _COMPARED.match(core):
        core = f"{(m['rest'] or m['rest2']).rstrip(' ?.!')} compared to {m['other'] or m['other2']}?"
    if (m := _AFTER_CONDITION.match(core)) and YESNO.match(m["q"]) is None:
        core = f"{m['condition']}, {m['q']}"
    if m := _I_MEAN.search(core):
        core = core[m.end() :]
    if m := _SAID_AFTER.match(core):
        core = f"{m['q']}?"
    core = _LISTS.sub(lambda m: f"list{m['all'] or ''} {m['what']}", core)
    core = unwrapped(_REQUEST.sub("", _CLAIM.sub("if ", core)))
    if not _TOPIC.match(_PIECES.split(core)[0]) and (m := _EMBEDDED.match(core)):
        core = m.group("q")
    core = _FILLERS.sub("", core)
    core = _OPINION.sub(r"\1", core)
    pieces = _PIECES.split(core)
    if len(pieces) > 1 and _NO_VERB.match(pieces[-1]):  # "current home of the designer, which town?"
        return core.strip(), core.strip()
    whole = ""
    for i, piece in enumerate(pieces):  # "this kettle, how heavy is it?"
        if i and _asks(piece, pieces[:i]) and not TAG.fullmatch(f", {piece}"):
            whole = core if _CONDITION.match(core) else ""
            topic = ", ".join(pieces[:i])
            core = _with_topic(topic, unwrapped(", ".join(pieces[i:])))
            if (now := _NOW.search(topic)) and not _NOW.search(core):
                core = f"{core.rstrip(' ?.!')} {now[0]}?"
            break
    core = re.sub(
        r"(?:[\s,]+(?:please|then|again|exactly|though|by the way|btw|do you know|any idea|can you tell "
        r"me|i mean|so to (?:say|speak)|if possible))+\s*([?.!]*)$",
        r"\1",
        core,
        flags=re.IGNORECASE,
    ).strip()
    if story and not _POINTS.search(core):
        core = _with_topic(story, core) if _WHOEVER.search(story) or _ROLE_CLAUSE.search(story) else core
    return core, whole or core


def _asks(piece: str, before: list[str]) -> bool:
    """Whether a clause asks, behind others that do not: "…, when it became warm" only tells when."""
    asked = any(_ASKS_FIRST.match(b) for b in before)
    named = re.match(r"(?:the|its) ", before[0], re.IGNORECASE) is not None
    if re.match(rf"{PREPOSITION}?{WH}\b", unwrapped(piece), re.IGNORECASE):
        return not ((asked or named) and _TELLS_WHEN.match(piece))
    return (
        YESNO.match(piece) is not None
        and not (asked or YESNO.match(before[0]))
        and not re.match(r"if\b", piece, re.IGNORECASE)
    )


_ASKS_FIRST = re.compile(rf"{PREPOSITION}?{WH}\b|(?!if\b){YESNO.pattern[1:]}", re.IGNORECASE)
_TELLS_WHEN = re.compile(
    r"(?:when|where|while|as) "
    r"(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)\b)\w",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:this|these|those|that (?!was\b|is\b)[a-z]+)\b", re.IGNORECASE)
#: Clauses; a colon ends one where a question follows: "this against the other: is it lower?".
_PIECES = re.compile(
    r"\s*[,;–—]\s+|\s+-\s+"
    r"|\s*:\s+(?=(?:which|what|who|how|when|where|is|are|was|were|does|do|did|has|have|can|would|will)\b)"
)
#: "which would you say is roomier" → "which is roomier".
_OPINION = re.compile(
    rf"\b({WH}(?: one| of (?:them|these|those|the two))?) (?:would|do|should|could) (?:you|we|i) "
    r"(?:say|think|reckon|guess|suppose|believe)"
    r"(?= (?!(?:its?|they|this|that|these|those|the|an?|their|he|she|we|i|you)\b)[a-z])",
    re.IGNORECASE,
)
#: What opens with none of these names a thing or a time that is asked about, and is left out.
_CONDITION = re.compile(
    r"(?!(?:the|this|that|these|those|its?|their|his|her|my|our|an?|he|she|they|there|here|one|whoever|name)\b)[a-z]"
    r"|(?:If|When|Once|With|Without|Suppose|Assuming|Given|From|Between|In|At|For|On|Before|After)\b"
)
#: "how full is it at the moment, how many people": what is asked is asked of this moment.
_NOW = re.compile(r"\b(?:at the moment|right now|just now|at present|currently)\b", re.IGNORECASE)
#: Words that change nothing that is asked: "is this actually longer than that".
_FILLERS = re.compile(r"(?<=[a-z] )(?:actually|really|by any chance|in fact|perchance) (?=[a-z])", re.IGNORECASE)
_NO_VERB = re.compile(
    r"^(?:(?:in|by|from|for|at|on|to|of) )?(?:what|which)(?: (?!(?:is|was|are|were|do|does|did|has|have|"
    r"can|will|would|one|am|i|you|we|they|he|she|it)\b)[a-z]+){1,4}\W*$",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^(?:whoever\b.+|(?:the|its|that|their)\s+[\w-]+(?:\s+[\w-]+)?\s+(?:that|which|who|where|it|this|these|behind|of|"
    r"from|for|in)\b.*)$",
    re.IGNORECASE,
)
_PLACES = r"town|city|village|place|region|county|country|borough"
_FIRMS = r"firm|company|business|outfit|enterprise|brand|nursery|shipyard|yard|brewery|studio|workshop|club|house"
_FINITE = r"is|are|was|were|do|does|did|has|have|had|can|could|will|would|lives?|runs?|made|makes?|works?|came|comes?"
#: "the town this belongs to", "the firm with its name on it": something that the thing leads to, told by a clause.
_ROLE_CLAUSE = re.compile(
    rf"\bthe (?P<role>{_PLACES}|{_FIRMS}|person|man|woman|artist|[a-z]+(?:er|or|ist)) "
    r"(?:(?:that|which|who|whom|whose|where|behind|from|with|named|called|mentioned|given|in charge|responsible|"
    r"it|this|these|the (?!left|right))\b.+|"
    r"(?:printed |written |given )?(?:on|in|at the bottom of) (?:this|it|that)\b.*)$",
    re.IGNORECASE,
)
#: "the address with the @, what is it": something written, told by how it looks or where it stands.
_WRITTEN = re.compile(
    r"^the (?:(?!other\b)[a-z]+ )?(?:address|number|code|e-?mail|date|price|title|heading|headline|word|text|print|"
    r"letter|lettering|figure|line)s? "
    r"(?:with|on|at|in|under|above|below|next to|beside|after|before)\b",
    re.IGNORECASE,
)
#: Somebody, a firm or a place that is spoken of before the question: "that firm, how many work there".
_ROLE = re.compile(
    r"^(?:the|its|that|their|this) (?:[a-z]+['’]s )?"
    r"(?P<role>(?:firm|company|business|outfit|enterprise|brand|nursery|shipyard|yard|brewery|studio|workshop|club|"
    r"person|man|woman|lady|guy|artist|architect|athlete|cook|town|city|village|place|region)|[a-z]+(?:er|or|"
    r"ist|ian))$",
    re.IGNORECASE,
)
#: "is the maker a big firm": what is asked next may be of the maker.
_ASKED_FIRST = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would) "
    r"(?P<topic>(?:the|its|their|this|that) [\w-]+)\b",
    re.IGNORECASE,
)


#: "I love the pattern, who drew it".
_LIKED = re.compile(
    r"^(?:i|we) (?:really |just |do |quite )?(?:love|like|adore|admire|enjoy|hate) (?P<topic>(?:the|its|that) [\w-]+)$",
    re.IGNORECASE,
)
#: "I need strings for this lute, how long?": of what is needed, nothing else being named.
_BARE_MEASURE = re.compile(
    r"how (?P<how>long|short|wide|tall|high|thick|thin|big|large|heavy|strong|deep)[ ?.!]*$", re.IGNORECASE
)
_NEEDED = re.compile(
    r"\b(?:need|want|wanted|needed|buy|bought|get|choose|order|look for|replace(?: the| its)?) "
    r"(?:(?:some|new|spare|other|more) )?(?P<part>[a-z]{3,}[^s\W]s) "
    r"(?:for|of|on|to fit) (?P<whole>(?:it|this|that|the)\b[^,]*)$",
    re.IGNORECASE,
)
_WHOEVER = re.compile(
    r"\bwhoever\b.+|\bthe (?:one|person|man|woman|people|firm|company) (?:who|that|which)\b.+", re.IGNORECASE
)
#: "what's the name", said of the topic before it.
_PROPERTY_ONLY = re.compile(
    r"^(?:what|which)(?:['’]s| is| was| are) (?:the |their |his |her )?\w+(?: \w+)?$", re.IGNORECASE
)


#: "is there a number to call, which one?", "does it have a nickname, what is it?"
_WHICH_ONE = re.compile(
    r"(?P<wh>which|what|where|when|who)(?: one)?"
    r"(?:(?: is|['’]s) (?:it|that|this)| are (?:they|these|those))?[ ?.!]*$",
    re.IGNORECASE,
)
#: "the tallest in this series, which one's that?"
_BEST = (
    r"the (?:(?:most|least|fewest) [a-z]+|(?!(?:rest|west|guest|forest|interest|request|nest|chest|crest|harvest)\b)"
    r"[a-z]{2,}est|(?:one|[a-z]+) with the (?:most|least|[a-z]{2,}est))\b"
)
_BEST_OF = re.compile(rf"{_BEST}.*$", re.IGNORECASE)
_AMONG = r"(?:of|in|from|among) (?:this|these|that|its|their|the|all)\b"
#: "I want the cheapest of this series", "if we wanted the oldest in this set".
_BEST_WANTED = re.compile(
    r"\b(?:want|wanted|need|needed|after|looking for|like|liked|take|have|had|get|got|buy|prefer|pick|choose) "
    rf"(?P<best>{_BEST}[^,;:]{{0,60}}?\b{_AMONG}[^,;:]{{0,80}})$",
    re.IGNORECASE,
)
_THERE_IS = re.compile(
    r"(?:(?:is|was|are|were) there|(?:does|did|has|have|do) (?P<of>it|this|that|they|(?:this|that|the) \w+)"
    r"(?: have| got)?) (?:an?|any|some) (?P<what>[^,]+)$",
    re.IGNORECASE,
)
#: "everything in the group together: what does it cost?", "I take the whole lot of this series: how heavy is that?"
_ALL_OF = re.compile(
    r"^(?:(?:i|we)(?:['’](?:d|ll)| would| will)? (?:take|buy|want|need|get|have|order|like) )?"
    r"(?P<all>(?:everything|all|the (?:whole|entire|complete|full) (?:lot|set|collection)) "
    r"(?:of|in|from) (?:this|these|that|its|their|the)\b.*)$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\b(?:costs?|price|pay|weighs?|weight|heavy|long|much|many|worth)\b", re.IGNORECASE)
#: "how heavy is that?", "what does that cost?"
_OF_THAT = re.compile(
    r"(?<=is |as )that(?=\W*$)|(?<=does |will )that(?= [a-z]+\W*$)|(?<=would )that(?= [a-z]+\W*$)", re.I
)
#: "are there any pedals on it, how many?", "count up the pedals of it, how many is that?"
_HOW_MANY_ONLY = re.compile(
    r"(?:how many(?: of (?:them|these|those|it))?(?: (?:is|are|were) (?:there|left|they|it|that))?"
    r"|what(?:['’]s| is) the (?:number|count))[ ?.!]*",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:(?:are|were) there (?:still )?any(?: more)?|count(?: up)?(?: all)?(?: the)?) (?P<what>[^,]+)$", re.IGNORECASE
)
#: "the lid came off on 21 October, until what date may I use it": what happened is no topic.
_HAPPENED = re.compile(r"\bon (?:the )?\d{1,2}(?:st|nd|rd|th)?\b|\bon [A-Z][a-z]+ \d{1,2}\b")


def _with_topic(topic: str, question: str) -> str:
    """ "the town it is from, who runs it?" → "who runs the town it is from?"; other openings are left out."""
    role = False
    if _HAPPENED.search(topic):
        return question
    if _HOW_MANY_ONLY.fullmatch(question) and (counted := _COUNTED.match(topic.strip())):
        return f"how many {counted['what']} are there?"
    if (asked := _WHICH_ONE.match(question)) and (there := _THERE_IS.match(topic.strip())):
        verb = "are" if is_plural(there["what"]) else "is"
        return f"{asked['wh']} {verb} the {there['what']}{' of ' + there['of'] if there['of'] else ''}?"
    if (best := _BEST_OF.match(topic.strip())) and _WHICH_ONE.match(question):
        return f"which is {best[0]}?"
    if _WHICH_ONE.match(question) and (wanted := _BEST_WANTED.search(topic.strip())) and not negated(topic):
        return f"which is {wanted['best']}?"
    if (measure := _BARE_MEASURE.match(question)) and (needed := _NEEDED.search(topic)):
        return f"how {measure['how']} are the {needed['part']} of {needed['whole']}?"
    # "is it made in my size, which ones are there?"
    if ones := re.match(r"(?:what|which) ones\b", question, re.IGNORECASE):
        noun = topic.split()[-1].lower()
        said = re.sub(r"\bones\b", noun if noun.endswith("s") else f"{noun}s", ones[0], flags=re.IGNORECASE)
        return said + re.sub(r" (?=are there\b)", " of it ", question[ones.end() :], count=1)
    asked_of_it = re.search(
        r"\b(?:it|there|they|them|he|she|him|(?:would|will|might|could) that be)\b", question, re.IGNORECASE
    )
    # "I'd love to thank whoever made it, who is it?"; "is the air thin in the town it belongs to, how high is it?"
    if found := _WHOEVER.search(topic) or (asked_of_it and _ROLE_CLAUSE.search(topic)):
        topic = found[0]
    elif (
        (asked_of_it or _OF_THAT.search(question))
        and _AMOUNT.search(question)
        and (every := _ALL_OF.match(topic.strip()))
    ):
        topic = f"{every['all']} {'' if 'together' in every['all'] else 'together'}".strip()
        question = _OF_THAT.sub("it", question)
    elif asked_of_it and (liked := _LIKED.match(topic.strip())):
        topic = liked["topic"]
    elif first := _ASKED_FIRST.match(topic.strip()):
        topic = first["topic"]
    elif not any(p.match(topic.strip()) for p in (_TOPIC, _ROLE_CLAUSE, _WRITTEN)):
        role = _names_a_role(topic)
        if not role:
            return question
    topic = topic.replace("\\", r"\\")
    for pronoun, put in (
        (r"\bthere\b", f"in {topic}"),
        (r"\b(?:would|will|might|could) that be\b", f"is {topic}"),
        (r"\b(?:it|they|them|he|she|him)\b", topic),
        (r"\b(is|was|are|were) that\b(?= |\W*$)", rf"\g<1> {topic}"),
        (r"\b(?:his|her|their|its) ((?:\w+ )?\w+)(?=\W*$)", rf"the \g<1> of {topic}"),
        (r"\bher\b", topic),
    ):
        said, n = re.subn(pronoun, put, question, count=1, flags=re.IGNORECASE)
        if n:
            return said
    bare = question.rstrip(" ?.!")
    clause = _ROLE_CLAUSE.match(topic.strip())
    if clause and not re.search(r"\b(?:this|that|these|those|one|its|his|her|their)\b", bare, re.IGNORECASE):
        if not re.search(rf"\b(?:{_FINITE})\b|['’]s\b", bare, re.IGNORECASE):  # "how high above the sea?"
            return f"{bare} is {topic}?"
        return f"{bare} {'in' if re.fullmatch(_PLACES, clause['role'], re.IGNORECASE) else 'of'} {topic}?"
    if _PROPERTY_ONLY.match(bare) or (role and not re.search(r"\b(?:this|that|these|those)\b", bare, re.IGNORECASE)):
        return f"{bare} of {topic}?"
    return question


def _names_a_role(topic: str) -> bool:
    found = _ROLE.match(topic.strip())
    return found is not None and not is_kind_word(found["role"].lower())
