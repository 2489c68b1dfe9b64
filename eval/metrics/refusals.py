"""What is a refusal to answer, in our own reading: the public phrase rule and the many wordings that it does not know.

The public evaluator knows "I don't know" and "I do not know" only (`eval.metrics.public.is_refusal`), so that "I'm
unable to tell" counts as a hallucination there. Here a refusal is an answer whose first sentence declines and that
gives nothing after it. A sentence about the thing itself that merely denies ("You can't park here") is no refusal.
"""

from __future__ import annotations

import re

from eval.metrics.public import is_refusal

_I = r"(?:i|we)(?:\s*(?:'m|'re|am|are|was))?"
_KNOWING = (
    r"(?:know|tell|say|see|determine|identify|find|answer|help|assist|verify|confirm|provide|make out|recogni[sz]e|"
    r"read|figure out|access|ascertain|name|offer|give|be (?:sure|certain)|comment|decipher|discern|locate|establish|"
    r"work out|judge|specify|estimate|calculate|view|guess|comply|describe|share|pin down|advise|discuss|talk|compare)"
)
_WHAT = r"(?:enough|sufficient|any|adequate|the necessary|the required|the|specific|much|clear|access|details?|further)"
_STUFF = r"(?:information|details?|context|data|evidence|knowledge|idea|clue|way|access|record|ability|answer|text)"
_DECLINES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bi(?:'m afraid i)? (?:\w+ly |just |still )?(?:can|could) not (?!help but|stress|fault|recommend|wait"
        r"|complain"
        r"|imagine|believe|emphasi[sz]e|say no)",
        r"\b(?:no|not a|not any) (?:real |reliable |good |sure )?way (?:to|of|for me to|that i can)"
        r" (?:tell\w*|know\w*|say\w*|see\w*|be sure|determin\w*|check\w*|find\w*)\b(?! \w+ apart)",
        r"\bi(?: would|'d| will|'ll) (?:rather|prefer) (?:not|to not)\b|\bi (?:will|would|do) not (?:want to "
        r"|like to )?"
        r"(?:guess|speculate|hazard|risk)\b",
        r"\bi(?: do|'ve| have)(?: not (?:have|got)| got)? (?:no|any|not any) (?:\w+ ){0,2}(?:information|details?|data"
        r"|records?|knowledge|access|means|notes?|figures?|sources?|way|facts?)\b",
        r"\bi do not have (?:\w+ ){0,4}(?:information|details?|data|records?|knowledge|access|means|figures?|sources?"
        r"|facts?|prices?|schedules?)\b",
        r"(?:\bit(?: is|'s) )?\b(?:hard|difficult|tricky|impossible|not possible|not easy|too (?:hard|difficult"
        r"|early)) (?:for me )?to"
        r" (?:say|tell|know|judge|make out|read|see|determine|identify|be sure|work out|guess"
        r"|pin down)\b(?! (?:no|yes)\b)",
        r"\b(?:anyone|anybody)'s guess\b|\bdrawing a blank\b|\b(?:does|do|did) not ring (?:a|any) bell"
        r"|\byou(?:'ve| have) (?:got|stumped) me\b|\bno luck\b|\bstumped\b",
        r"\b(?:it|that|this|which) (?:is|'s|was) (?:not )?(?:beyond|outside|past) (?:me|my)\b",
        r"\bmy (?:information|knowledge|data|sources?|records?|notes?) (?:does|do|did) not\b",
        r"\bi (?:am|'m) (?:just )?(?:not (?:the right|in a position|sure|certain|allowed|permitted|familiar|good at"
        r"|convinced|confident)|unfamiliar|guessing)\b",
        r"\b(?:too|so) (?:blurry|blurred|dark|small|far|faint|dim|grainy|unclear|tiny|fuzzy|distant|low)\b[^.;]{0,30}"
        r"\b(?:for me|to (?:read|see|make out|tell|identify|recogni[sz]e|say|count|know|be sure))\b",
        r"\b(?:is|are|was|were) not (?:\w+ly )?(?:visible|legible|readable|in (?:the )?(?:view|frame|picture|photo|shot"
        r"|image))\b",
        r"\b(?:is|are) (?:out of|outside) (?:the )?(?:frame|view|picture|sight|shot)\b",
        r"\bi(?: would|'d| will|'ll) (?:need|have to (?:see|know|look))\b",
        r"\b(?:is|'s|are) not enough\b[^.;]{0,30}\b(?:to|in the)\b|\b(?:not (?:give|tell) me|too little) enough\b",
        r"\bnothing (?:\w+ ){0,4}(?:tells?|says?|shows?|gives?|indicates?|suggests?)\b(?! that)",
        r"\bi(?:'m| am) (?:\w+ )?not (?:\w+ )?(?:sure|certain)\b",
        r"\bnot (?:got |have )?(?:an?|the (?:faintest|slightest|foggiest)|any) (?:clue|idea)\b",
        r"^\W*i can (?:see|tell|make out|read)\b.*\bbut not (?:which|what|who|how|when|where|whether|the|its?)\b",
        r"\b(?:label|number|price|date|text|sign|sticker|name|print|logo|inscription|tag|plate"
        r"|part)\b[^.,;]{0,40}\b(?:is|are)"
        r" (?:hidden|covered|obscured|cut off|turned|blocked|smudged|worn|rubbed|faded|facing away)\b",
        r"\banswer is not (?:in|among|part)\b|\bi have nothing on\b|\bescapes me\b|\bsomething i do not do\b"
        r"|\bi (?:can )?only see\b",
        rf"^\W*(?:(?:sorry|hmm+|well|no),? )?(?:can|could) not (?:really )?{_KNOWING}\b",
        r"\b(?:would|'d) (?:only |just )?be (?:a (?:wild |pure )?guess|guessing|guesswork)\b",
        rf"\b{_I}\s+(?:really\s+|honestly\s+|currently\s+|simply\s+)?(?:can|could|do|did|would|will|am|are"
        rf"|was)\s*(?:not|n't)"
        rf"\s+(?:\w+ly\s+)?(?:able to\s+|be able to\s+|currently\s+|really\s+)?{_KNOWING}\b",
        rf"\b(?:{_I}\s+)?(?:not able|unable)\s+to\s+(?:\w+ly\s+)?{_KNOWING}\b",
        rf"\b{_I}\s+(?:do|did|does)\s*(?:not"
        rf"|n't)\s+(?:currently\s+)?have\s+(?:an?\s+)?(?:{_WHAT}\s+)*(?:\w+\s+)?{_STUFF}\b",
        rf"\b{_I}\s+have\s+(?:no|insufficient|too little|not enough)\s+(?:\w+\s+)?{_STUFF}\b",
        rf"\b{_I}\s+lack\s+(?:the\s+|enough\s+|sufficient\s+)?(?:\w+\s+)?{_STUFF}\b",
        rf"\b{_I}\s+(?:not|am not)\s+(?:entirely\s+|completely\s+|quite\s+|really\s+)?(?:sure|certain|aware"
        rf"|familiar)\b",
        r"^(?:\w+,? )?not (?:really |quite |entirely |too |so )?(?:sure|certain)\b",
        r"\b(?:i'm|i am)\s+(?:not\s+(?:entirely\s+|completely\s+|quite\s+|really\s+)?(?:sure|certain|aware)|unsure"
        r"|uncertain|"
        r"at a loss|clueless)\b",
        r"\bno (?:idea|clue)\b",
        r"\b(?:not|nothing) (?:something )?(?:that )?i(?: can| could| am able to|'m able to)\b",
        r"\bbeats me\b|\byour guess is as good as mine\b",
        r"\b(?:beyond|outside|out of)\s+(?:what i can|my (?:knowledge|abilit|capabilit|scope|reach))",
        rf"\b(?:it|that|this)\s*(?:is|'s|was)\s+(?:not\s+(?:possible|clear|specified|known|stated|mentioned|visible"
        rf"|feasible)|"
        r"impossible|unclear|unknown|uncertain|difficult|hard|indeterminable|undetermined|too \w+)"
        rf"(?:\s+for me)?(?:\s+from (?:this|the) \w+)?\s*(?:to\s+{_KNOWING}|what|which|who|how|whether|where|when"
        rf"|if|from)\b",
        rf"\b(?:there is|there's|there are)(?:\s+not|n't)\s+(?:{_WHAT}\s+)*(?:\w+\s+)?{_STUFF}\b",
        rf"\b(?:there is|there's|there are)\s+(?:no|insufficient|not enough|too"
        rf" little)\s+(?:\w+\s+){{0,2}}{_STUFF}\b",
        rf"\b(?:not enough|insufficient)\s+(?:\w+\s+)?{_STUFF}\b",
        r"\b(?:the\s+|this\s+|provided\s+|given\s+|available\s+|current\s+)*(?:information|context|image|picture"
        r"|photo|"
        r"text|source|document|passage|evidence|search result|data)s?\s+(?:provided\s+|given\s+|available\s+"
        r"|shown\s+)?"
        r"(?:does|do|did|is|are|has|was|were)\s*(?:not|n't)\s+(?:\w+ly\s+)?(?:\w+\s+)?(?:provide|contain|mention"
        r"|include|"
        r"specify|say|state|show|give|indicate|list|have|clear|enough|sufficient|offer|reveal|support|cover"
        r"|available|"
        r"directly|visible)",
        r"\b(?:is|are|was)\s*(?:not|n't)\s+(?:known|available|specified|provided|mentioned|stated|given|disclosed)\s*"
        r"(?:to me|in (?:the|this|my) (?:image|picture|photo|text|context|information|data|source|document"
        r"|frame|description)"
        r"|here|from|by the|$|\.)",
        r"\b(?:cannot|can not|can't|could not|couldn't)\s+be\s+(?:\w+ly\s+)?(?:determined|answered|identified"
        r"|verified|"
        r"made out|established|seen|read|told|ascertained|confirmed|inferred)",
        r"\bno\s+(?:\w+\s+){1,4}can be (?:made out|determined|seen|read|found|identified)\b",
        r"\b(?:text|image|picture|photo|frame|label|view|sign|lettering)\s+is\s+too\s+(?:blurry|dark|small|far"
        r"|unclear|"
        r"low|blurred|faint|dim)",
        r"\b(?:could you|can you|please|would you)\s+(?:please\s+)?(?:provide|share|give|clarify|specify|take"
        r"|upload|try|"
        r"send|show)\b",
        r"\bi(?: can|'m| am)(?: not|n't|'t)? (?:see|make out) (?:any|what)\b",
        r"\b(?:is|are|was|were) not\s+(?:\w+ly\s+)?(?:legible|readable|discernible|recogni[sz]able|clear enough)\b",
        r"^[^,;]{0,90}\bnot\s+(?:\w+ly\s+)?(?:visible|mentioned|specified|shown|stated|provided|given|listed"
        r"|included)\s+(?:in|on|from|by)\s+"
        r"(?:the|this|your|any)\s+(?:\w+ )?(?:image|picture|photo|context|text|frame|information|document|source)",
        r"\bi(?:'d| would)?\s+(?:wish i could|need)\s+(?:to see|to know|help|more|additional|further"
        r"|a clearer|a better)",
        r"\b(?:i must|i have to|i'd rather|i'll have to)\s+(?:decline|pass|refuse|not answer)",
        r"\bi(?: do not|don't)\s+(?:recogni[sz]e|understand|see|recall|remember|think i can)\b(?! why)",
        r"\b(?:no|any) (?:\w+ ){0,2}(?:information|details|data|answer) (?:\w+ ){0,3}(?:available|found|provided)\b",
        r"\b(?:couldn't|could not|didn't|did not|can't|cannot) find\b",
    )
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|;\s+|\n+")
_TURN = re.compile(r"\b(?:but|however|though|still|that said|nevertheless|my best guess)\b,?\s*", re.IGNORECASE)
_GUESS = re.compile(
    r"\b(?:probably|possibly|perhaps|maybe|likely|my (?:best )?(?:guess|bet)|i(?:'d| would)? (?:guess|say|think"
    r"|believe|suspect)"
    r"|(?:it|that) (?:could|might|may) be|must be)\b"
)
_CLAIM = re.compile(
    r"\b(?:is|are|was|were|has|have|costs?|weighs?|made by|looks? like|appears? to be|seems?)\b|\b(?:it|that|he"
    r"|she)'s\b"
)


def _smooth(text: str) -> str:
    low = " ".join(text.lower().replace("’", "'").replace("*", "").split())
    return (
        low.replace("can't", "can not").replace("cannot", "can not").replace("won't", "will not").replace("n't", " not")
    )


#: Wordings that only look like declining: "I don't see why not", "hard to say no to", "no way to tell them apart".
_NO_DECLINING = re.compile(r"\bsee why (?:it )?(?:not|should)\b|\bsay no\b|\btell \w+ apart\b")


def declines(sentence: str) -> bool:
    """Whether one sentence says that the speaker cannot or will not answer."""
    low = _smooth(sentence)
    if is_refusal(sentence):
        return True
    if _NO_DECLINING.search(low):
        return False
    return any((match := pattern.search(low)) and not _says_something(low[: match.start()]) for pattern in _DECLINES)


def _says_something(before: str) -> bool:
    """Whether what stands before a refusal is an answer itself ("Gothic or Baroque, it is difficult to say")."""
    if _SETTING.match(before) or _ADVICE.match(before):
        return False
    words = re.findall(r"[a-z]{3,}", before)
    return before.rstrip().endswith((",", ":")) and sum(word not in _EXCUSES for word in words) >= 2


_SETTING = re.compile(r"\W*(?:without|as|since|because|given|from|unless|until|with|while|although|though)\b")
_EXCUSES_TEXT = """
sorry unfortunately apologies apologize regret afraid while although though based from the this that picture
image photo frame information context provided given available view here there with for and but what have can
see are you your question about without more your looking at after honestly really well hmm however asked answer
some appears text unclear blurry visible not very too dark small because only show shows just
"""
_EXCUSES = frozenset(_EXCUSES_TEXT.split())


def is_refusal_ours(text: str) -> bool:
    """Whether an answer is a refusal, however it is worded.

    What the public rule finds is one. Beyond it, the first sentence declines and no other answer is offered behind a
    "but"; what only says why, asks for a better picture or describes the frame changes nothing.
    """
    if is_refusal(text):
        return True
    sentences = [s for s in _SENTENCE.split(text.strip()) if s.strip()]
    if sentences and re.fullmatch(
        r"\W*(?:i'?m |i am |my )?(?:so |very |really )?(?:sorry|apologies|unfortunately|hmm+)[^a-z]*",
        _smooth(sentences[0]),
    ):
        sentences = sentences[1:]
    sentences = _behind_what_says_nothing(sentences)
    if not sentences or not declines(sentences[0]):
        return False
    low = _smooth(sentences[0])
    parts = _TURN.split(low)
    if len(parts) > 1 and parts[0].strip() and _GUESS.search(parts[0]) and not declines(parts[0]):
        return False
    offered = [part for part in parts[1:] if part and _offers(part)]
    if offered and not low.startswith(("sorry, but", "i'm sorry, but", "my apologies, but", "i am sorry, but")):
        return False
    if offered and declines(parts[-1]) is False and not any(declines(p) for p in parts[1:]):
        return False
    return not any((_TURN.match(low) or _GUESS.search(low)) and _offers(low) for low in map(_smooth, sentences[1:]))


def _offers(part: str) -> bool:
    """Whether a part of an answer offers one, if only as a guess."""
    said = _CLAIM.search(part) or _GUESS.search(part)
    return said is not None and not declines(part) and not _ADVICE.search(part)


_ADVICE = re.compile(
    r"^\W*(?:(?:could|can|would|will) you\b|you(?:'d| would|'ll| will)? (?:better|have|need|want|may|might"
    r"|could|should|can)\b|please\b|perhaps you|try\b|maybe"
    r" (?:try|ask|check)|ask\b|check\b|have a look|better to ask|that (?:would|'d) need)"
)
_SCENE = re.compile(
    r"^\W*(?:i can (?:see|make out|read)|i (?:can )?see\b|(?:the|this|that|your) (?:\w+ ){0,2}?(?:picture|photo"
    r"|image|frame"
    r"|shot|view|label|screen)\b|(?:it|this|that|the \w+(?: \w+){0,4}?) (?:looks?|seems?|appears?)\b"
    r"|(?:good|great|interesting|nice|lovely|fair) )"
)


def _behind_what_says_nothing(sentences: list[str]) -> list[str]:
    """The sentences from the first that declines on, where those before only exclaim, advise or describe the view."""
    for i, sentence in enumerate(sentences):
        if declines(sentence):
            return sentences[i:]
        low = _smooth(sentence)
        verbless = len(low.split()) <= 5 and not _CLAIM.search(low) and not re.search(r"\d", low)
        if not (_ADVICE.search(low) or _SCENE.search(low) or (verbless and sentence.rstrip().endswith("!"))):
            break
    return sentences


def declines_in_part(text: str) -> bool:
    """Whether some sentence of an answer declines, and none of them guesses all the same."""
    low = _smooth(text)
    return not _GUESS.search(low) and any(declines(s) for s in _SENTENCE.split(text.strip()) if s.strip())
