"""What a question asks for and which words of the ground truth answer it, for the lexical judge.

No parser: the ground truth is cut into its first statement and what is added to it, and the statement at its verb. A
question for the subject ("who won", "which of these") is answered before the verb, any other behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval.judges.lexical.kinds import LEAD, OPENING, Kind
from eval.judges.lexical.words import Word, content_words, find, read

_ADDED = re.compile(
    r";|(?<![\s.][a-z])(?<!\bDr)(?<!\bMr)(?<!\bSt)(?<!\bMt)(?<!\bMrs)[.!?]\s+(?=\S)|,?\s(?:because|although|though"
    r"|whereas|while|since|so that|such as)\b|"
    r",?\sand\s(?:[A-Z][\w.-]+\s){1,3}(?:is|was|are|were|has)\b|,?\sand\s(?:an?|the)\s\w+(?:\s\w+)?\s(?:is|are|was"
    r"|were)\b|"
    r"\sand (?:became|later|then|was|is)\b|,\s(?:after|before|following)\s|\sand (?:takes?|was|is|were|are|has|have"
    r"|releases?|can)\b|"
    r",\s(?:\w{3,}(?:ed|ing)|known|born|made|built)\s|"
    r",\s(?:which|who|whose|where|but|so|and (?:it|they|he|she|this|the \w+ (?:is|was|are|were))|also|split|as|"
    r"compared|making|meaning|with|depending|including)\b|\s\(|\s(?:but|which|compared to|depending on)\s|\s—\s"
    r"|\s–\s",
    re.I,
)
_APPOSED = re.compile(r",\s(?:an?|the|one of)\s[^,]*[.!]?$", re.I)
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|does|do|did|stands?|comes?|came"
    r"|costs?|"
    r"weighs?|holds?|means?|contains?|consists?|lives?|eats?|grows?|lasts?|seats?|uses?|used|lists?|says?|won|made|"
    r"makes|wrote|lays?|blooms?|prefers?|needs?|requires?|takes?|took|goes|measures?|crosses|shows?|leaves?|equals?|"
    r"sells?|plays?|depicts|features?|includes?|gets?|offers?|runs?|reach(?:es)?|boils?|feeds?|belongs?|refers?|"
    r"lies?|draws?|amounts?|hosts?|owns?|sponsors?|organi[sz]es?|flows?|represents?|depicted|feeds?|chiefly"
    r"|surpass(?:es)?|supports?|works?|translates?|reads?|follows?|carries|causes?|becomes?|"
    r"allows?|happens?|occurs?|pairs|fits?|serves?|forms?|gives?|keeps?|looks?|pays?|pulls?|receives?|remains?"
    r"|ranges?|"
    r"beats?|defeat(?:s|ed)|corresponds?|tells?|became|begins?|starts?|began|started|opened|sits|produces?|produced|provides?|helps?)\b",
    re.I,
)
_SUBJECT_ASKED = re.compile(
    r"^(?:and |so )?(?:who|which|what)(?: of (?:these|those|the|them)(?: \w+){0,3}?)?\s+"
    r"(?!(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|kind|type|sort|'s)\b)"
    r"(?:(?!(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|to|of|in|for)\b)\w+\s+){0,3}?"
    r"(?:(?!(?:is|was|does|has|this|its|as)\b)\w{3,}s\b"
    r"(?!\s+(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|of|in|for|on|at|to)\b)|"
    r"\w{2,}ed\b|won|made|wrote|sang|built|came|plays?|"
    r"(?:has|have|is|are|was|were)\b(?!\s+(?:this|that|it|these|those|they|the|he|she|i|you|we|on|in|its|their|his|her|my"
    r"|your|our|there)\b))",
    re.I,
)


@dataclass(frozen=True)
class Focus:
    """The part of the ground truth that answers: its text, its words that the question does not say, and list items."""

    text: str
    keys: tuple[Word, ...]
    items: tuple[tuple[Word, ...], ...]
    rest: str


def focus(question: str, truth: str, kind: Kind) -> Focus:
    """Find the answering part of a ground truth."""
    asked = read(question)
    truth = _leading_off(truth, asked)
    body = re.sub(r",\s(?:which|who|whose|where)\s[^,.;]*,\s", " ", LEAD.sub("", truth.strip()))
    statement, rest = _statement(body, asked)
    if clause := _asked_clause(question, body, asked):
        part, rest = clause, body[body.find(clause) + len(clause) :]
    else:
        part = _without_apposition(_side(question, statement, kind, asked), asked)
    place = _PLACE.match(part) if re.search(r"\bwhere\b", question, re.I) else None
    part = part[place.end() :] if place and news(content_words(read(part[place.end() :])), asked) else part
    inside = read(f"is {part}")[1:] if not body.startswith(part) else read(part)
    keys = [w for w in news(content_words(inside), asked) if not w.text.lower().endswith("ly") or w.capital]
    said = [w for w in keys if not w.denied]
    keys = said if 2 * len(said) >= len(keys) else keys
    parts_of = [w for w in keys if w.text.lower() in _PARTITIVE and re.search(rf"\b{w.text} of\b", part)]
    keys = [w for w in keys if w not in parts_of] or keys
    if not keys and not re.search(r"\d", part):
        part, rest = body, ""
        keys = news(content_words(read(part)), asked) or content_words(read(part))
    return Focus(part, tuple(keys), tuple(_items(part, asked)), rest)


_SETTING = re.compile(
    r"^\s*(?:with|given|in|on|at|for|after|before|when|if|by|according to|as|once|since|of"
    r"|from)\b[^,]{3,70},\s+(?=\S)",
    re.I,
)


def _leading_off(truth: str, asked: Sequence[Word]) -> str:
    """The truth without the setting it begins with ("With a base of 8 cm, …")."""
    setting = _SETTING.match(truth)
    if setting is None or not news(content_words(read(truth[setting.end() :])), asked):
        return truth
    return truth[setting.end() :] if VERB.search(truth[setting.end() :]) else truth


_PARTITIVE = frozenset(
    ("glass", "cup", "bottle", "piece", "slice", "pair", "group", "set", "bit", "plate", "bowl", "can", "jar", "series")
) | {"family", "species", "breed", "member", "form", "style", "variety", "story", "bar", "bag", "box", "pack", "sheet"}


#: What stands before the place in an answer to "where" ("set in a small town").
_PLACE = re.compile(r"\s*(?:[a-z]+ ){0,2}?(?=(?:in|at|on|from|to|near)\s)")


def news(words: Sequence[Word], asked: Sequence[Word]) -> list[Word]:
    """The words that the question does not say."""
    return [word for word in words if not find(word, asked)]


def _statement(body: str, asked: Sequence[Word]) -> tuple[str, str]:
    """The first statement that says something new, and what is added to it."""
    start = 0
    for match in [*_ADDED.finditer(body), None]:
        end = match.start() if match else len(body)
        piece = body[start:end]
        told = news(content_words(read(piece)), asked)
        if told and (match is None or VERB.search(piece) or re.match(r";|[.!?]|\s\(", match[0])):
            apposed = _APPOSED.search(piece)
            if apposed and " and " not in apposed[0] and "," not in piece[: apposed.start()]:
                before = news(content_words(read(piece[: apposed.start()])), asked)
                if before:
                    return piece[: apposed.start()], body[start + apposed.start() :]
            return piece, body[end:]
        if match is None:
            break
    return body, ""


def _without_apposition(part: str, asked: Sequence[Word]) -> str:
    """ "Brogues, leather shoes with a pattern" of shoes asked for: the name without what only explains it."""
    name, comma, more = part.partition(", ")
    head = content_words(read(f"is {more}"))[:3] if comma else []
    explains = any(find(w, asked) for w in head) and not re.search(r"\b(?:and|or)\b", part)
    return name if explains and news(content_words(read(f"is {name}")), asked) else part


_HAPPENS = re.compile(r"\bwhat\b.*\b(?:happen\w*|going on|take place|took place|occur\w*)\b", re.I)


_PURPOSE = re.compile(
    r"\bfor\W*$|\bused? (?:for|to)\b|\bpurpose\b|\bwhat (?:does|do|can) (?:this|it|these|they|that"
    r"|the)\b[^?]*\b(?:do|used)\W*$",
    re.I,
)
_SERVES = re.compile(
    r"\b(?:used|designed|meant|made|intended|built|serves?|helps?|needed)\s+(?:mainly |mostly |primarily |chiefly )?"
    r"(?:to|for|as)\b|\bis for\b",
    re.I,
)
_BECAUSE = re.compile(r"\b(?:because(?: of)?|due to|thanks to|so that|caused by|as a result of|in order to)\b", re.I)


def _asked_clause(question: str, body: str, asked: Sequence[Word]) -> str:
    """What a thing is for, or why something is so, where the question asks that; "" where it does not."""
    pattern = (_PURPOSE.search(question) and _SERVES) or (
        re.search(r"\bwhy\b|\breason\b|\bcause", question, re.I) and _BECAUSE
    )
    cut = pattern.search(body) if pattern else None
    if cut is None:
        return ""
    clause = re.split(r"(?<=[a-z0-9)])[.;]\s|,\s(?:which|so|but|while|and it)\b", body[cut.end() :], maxsplit=1)[0]
    return clause if news(content_words(read(clause)), asked) else ""


def _side(question: str, statement: str, kind: Kind, asked: Sequence[Word]) -> str:
    """The side of the verb that answers; the whole statement where the question asks what happens."""
    if _HAPPENS.search(question):
        return statement
    subject = _SUBJECT_ASKED.match(OPENING.sub("", question.strip(), count=1)) is not None
    by = re.search(r"(?<!not )\b(?:by|from)\s(?=\w)", statement) if kind == "who" or subject else None
    if by and re.search(r"\bby\b", by[0]) and news(content_words(read(statement[by.end() :])), asked):
        return _first_name(statement[by.end() :]) if kind == "who" else statement[by.end() :]
    own = content_words(read(question))
    joined = re.compile(r"\b(?:and|but|or)\s$")
    verbs = (m for m in VERB.finditer(statement) if m.start() > 0 and not joined.search(statement[: m.start()]))
    spot = next(verbs, None)
    if spot is None:
        for word in content_words(read(statement)):
            if find(word, own) and word.text.lower().endswith(("s", "ed", "ing")):
                place = statement.lower().find(word.text.lower())
                if place > 0:
                    spot = re.compile(re.escape(word.text), re.I).search(statement)
                    break
    if spot is None:
        return statement
    before, after = statement[: spot.start()], statement[spot.end() :]
    own_words = news(content_words(read(before)), asked)
    if subject and own_words and not re.match(r"belongs?$", spot[0], re.I):
        return before
    if (
        kind == "who"
        and _IS_THE.match(spot[0] + after)
        and re.fullmatch(r"(?:[A-Z][\w.'’-]*\s?|\s|of |de |van |von )+", before)
    ):
        return before
    role = re.match(r"\s(?:the|an?)\s", after) and re.match(r"(?:is|was|are|were)$", spot[0], re.I)
    if (
        role
        and re.search(r"\bwho\b|\bname of\b", question, re.I)
        and own_words
        and content_words(read(after))
        and not _shares(before, asked)
        and _shares(after, asked)
    ):
        return before
    done = re.search(r"\bwho (?:is|was|are|were) (\w{3,}(?:ed|en))\b", question, re.I)
    if done and own_words and re.search(rf"\b{done[1]}\b", after, re.I):
        return before
    pointing = re.sub(r"\b(?:this|that|these|those) \w+", " ", after)
    return after if news(content_words(read(pointing)), asked) or not own_words else before


_IS_THE = re.compile(r"(?:is|was|are|were) (?:the|an?) ")


def _first_name(text: str) -> str:
    """The names that a text begins with ("Gregory Rabassa from the Spanish original by …")."""
    return re.split(
        r"(?<=\w)\s(?:from|in|by|at|with|for|on|after|during|when|who|as)\s|(?<=\w),", text.strip(), maxsplit=1
    )[0]


def _shares(text: str, asked: Sequence[Word]) -> bool:
    return any(find(word, asked) for word in content_words(read(text)))


_SPLIT = re.compile(r"\s*(?:,\s*(?:and|or|&)?|\band then\b|\bthen\b|\band\b|\bor\b|&)\s+", re.I)


def _items(part: str, asked: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The items of a list, each as its own new words; nothing when there is only one."""
    if not re.search(r"\b(?:and|or)\b|&", part):
        return []
    part = re.sub(r"\b(between|from) ([^;]*?\d[^;]*?) and (?=[^;]*\d)", r"\1 \2 – ", part)
    pieces = [p for p in _SPLIT.split(re.sub(r"\b(?:both|either|neither|between)\b", " ", part)) if p.strip()]
    items = []
    for piece in pieces:
        words = content_words(read(piece))
        told = [w for w in news(words, asked) if not w.denied]
        if told and len(words) <= 7:
            items.append(tuple(told))
    return items if len(items) >= 2 and len(items) >= len(pieces) - 1 else []
