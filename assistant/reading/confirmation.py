"""Whether one statement says yes or no to a question: an attribute by its key and value, a sentence by its words."""

from __future__ import annotations

import re

from assistant.reading.attribute_templates import spoken_attribute
from assistant.reading.compose import sentence_case
from assistant.reading.fact_finder import ANSWER_THRESHOLD
from assistant.reading.negation import denies, elsewhere, undecided
from assistant.reading.operations.counting import FULL_LIST, listed
from assistant.reading.passage_sentence import passage_sentence
from assistant.reading.scoring.cases import falls_short
from assistant.reading.scoring.rank import COLOURS
from assistant.text.attribute_keys import key_words
from assistant.text.english import FUNCTION_WORDS, content_stems, negated, shared, stem, words_of
from assistant.text.foods import found_in
from assistant.text.values import find_dates, find_quantities, number_of, split_list
from assistant.understanding.intent import ParsedQuestion

#: A fact this probable settles the question though it shares no word with it …
_SURE = 0.5
#: … unless the question may be turned round: "would rain spoil it?" is answered with no by "it is waterproof".
HARM = re.compile(
    r"\b(?:spoil|harm|hurt|damage|ruin|break|kill|die(?!t)|poison|sick|ill|problem|risk|danger|trouble|mind|"
    r"forbid|forbidden|"
    r"stop|avoid|prevent|worry|afraid|wrong|bad|careful|without|only|just|still|lack|miss|hard|difficult)\w*\b",
    re.IGNORECASE,
)
#: "is there a watermark?", "does it have pockets?": it has what is told, and none where none is counted.
_EXISTS = re.compile(
    r"^(?:is|are) there (?:an? |any |some )?[a-z -]+$|^(?:does|do|has|have) (?:it|this|that|they|these) (?:have |got )?"
    r"(?:an? |any |some )?[a-z -]+$",
    re.IGNORECASE,
)
#: A number by itself, and none of a name ("RX-20").
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)?(?![\w-])")
_HARMFUL = re.compile(r"\b(?:toxic|poisonous|venomous|harmful|hazardous|dangerous|poison|toxicity)\b", re.IGNORECASE)
_SAFE = re.compile(r"\b(?:safe(?:ly)?|harmless|all right|alright|ok(?:ay)?|fine|trust)\b", re.IGNORECASE)
#: What sort of thing it is, is asked as "is it a …"; an "opening" sign does not say that the shop is open.
_OF_KIND = re.compile(r"^(?:type|kind|class|category|sort|name|title|label)$")
_ASKS_KIND = re.compile(r"\b(?:an?|kind|type|sort|class|category)\b", re.IGNORECASE)


def by_attribute(
    subject: str, key: str, value: str, stems: frozenset[str], asked: ParsedQuestion, probability: float
) -> tuple[float, str] | None:
    said = spoken_attribute(subject, key, value)
    in_value, in_key = content_stems(value), content_stems(key_words(key))
    left = frozenset(s for s in stems if not shared(frozenset({s}), in_key))
    negative = negated(asked.core)
    low = value.lower().strip(" .")
    if _OF_KIND.search(key_words(key)) and not _ASKS_KIND.search(asked.core):
        return None
    if re.match(r"^(?:yes|true)\b", low) or re.match(r"^(?:no|false|none)\b", low):
        if left and shared(stems, in_key) == 0 and (probability < _SURE or HARM.search(asked.core)):
            return None
        if _NUMBER.search(asked.core) and not re.search(r"\d", key):
            return None  # "can I wash it at 60?": that it may be washed says nothing of sixty
        has = bool(re.match(r"^(?:yes|true)\b", low))
        if has and falls_short(asked.core, key_words(key)):
            return None
        yes = has != negative
        if _HARMFUL.search(key_words(key)) and _SAFE.search(asked.core) and not _HARMFUL.search(asked.core):
            yes = not yes  # what is not toxic is safe
        return probability, f"{'Yes' if yes else 'No'}: {said}"
    if not left and content_stems(key_words(key)) == stems and _EXISTS.match(asked.core.strip(" ?.!")):
        yes = number_of(value) != 0 and not re.match(r"^(?:not|without|nothing)\b", low)
        return max(probability, 0.55), f"{'Yes' if yes != negative else 'No'}: {said}"
    if probability >= ANSWER_THRESHOLD and _ends_in_item(asked.core, value):
        return probability + 0.1, f"{'No' if negative else 'Yes'}: {said}"
    hit = sum(bool(found_in(s, value)) or shared(frozenset({s}), in_value) for s in left)
    if hit and _NAMES_ONLY.search(key_words(key)) and not _in_full(asked.core, value):
        return None
    if left and hit == len(left):
        yes = negated(value) == negative
        return max(probability, 0.55 if hit else 0.0) + 0.1 * hit, f"{'Yes' if yes else 'No'}: {said}"
    if hit == 0 and left and probability >= ANSWER_THRESHOLD and rules_out(left, value) and shared(stems, in_key):
        return probability - 0.05, f"{'Yes' if negative else 'No'}: {said}"
    return None


#: What a thing is called or what sort of thing it is.
_NAMES_ONLY = re.compile(r"^(?:type|kind|sort|category|class|name|label|title|website|url)$", re.IGNORECASE)


def _in_full(core: str, value: str) -> bool:
    """Whether a word of the value stands in the question as it is: "opening hours" do not say that it is open."""
    asked, said = ({w.lower() for w in words_of(t)} - FUNCTION_WORDS for t in (core, value))
    return any(w in said or f"{w}s" in said or w.removesuffix("s") in said for w in asked)


def _ends_in_item(core: str, value: str) -> bool:
    """ "does it stop at the cattle market?" of a list that names it."""
    items = [re.sub(r"^(?:an?|the) ", "", i.lower()) for i in split_list(value)]
    spoken = core.lower().strip(" ?.!")
    return len(items) > 1 and any(i and re.search(rf"\b{re.escape(i)}$", spoken) for i in items)


#: Words for whole classes of things, which a list names one by one.
_CLASSES = content_stems(
    "fruit, vegetables, veg, greens, herbs, spices, grain, cereal, fat, sweetener, starch, additives, preservatives, "
    "colouring, flavouring, animal, plant, insect, metal, stone, wood, plastic, fabric, electronics, tools, "
    "accessories, extras, anything, something, chemicals, protein"
)


def rules_out(left: frozenset[str], value: str) -> bool:
    """Whether a value that does not name what was asked says no to it: a full list, or another colour."""
    if left & _CLASSES:
        return False  # "is there fruit in it?": a list that says tomatoes does not say fruit
    if len(split_list(value)) >= FULL_LIST:
        return True
    colours = {stem(c) for c in COLOURS}
    return bool(left & colours) and bool(content_stems(value) & colours)


#: "A cousin of mine washes everything cold": what somebody does says nothing of a thing that is not named.
_SOMEBODYS_WAY = re.compile(
    r"^(?!.*\b(?:it|its|this|that|these|those|they|them|one|ones|mine(?! )|ours)\b)"
    r"(?:an?|my|our|some|one) (?:\w+ )?(?:cousin|neighbou?r|friend|aunt|uncle|mother|father|sister|brother|colleague|"
    r"wife|husband|grandmother|grandfather|flatmate|daughter|son|boss)s?\b",
    re.IGNORECASE,
)


def by_sentence(
    subject: str, text: str, stems: frozenset[str], asked: ParsedQuestion, probability: float
) -> tuple[float, str] | None:
    if _SOMEBODYS_WAY.search(text):
        return None
    own = content_stems(text)
    covered = shared(stems, own) / len(stems) if stems else 0.0
    if undecided(text) or elsewhere(text, asked.core):
        return None
    loosely = probability >= _SURE and not HARM.search(asked.core) and not find_quantities(asked.core)
    if covered < 0.99 and asked.scale is not None and find_quantities(text):
        return None  # "is it heavy?": what it weighs tells nobody whether that is much
    if covered < 0.99:
        nearly = covered >= 0.5 and probability >= 0.6 and not find_quantities(asked.core)
        if not (nearly or loosely):
            return None
        if len(listed(text)) >= FULL_LIST:
            return None  # a list says yes to what it names (`membership`)
        covered = covered if nearly else 0.9
    denied = denies(text, asked.core)
    if not denied and falls_short(asked.core, text):
        return None
    yes = denied == negated(asked.core)
    if find_dates(asked.core) and not find_dates(text):
        return None
    said = passage_sentence(subject, text, asked)
    return max(probability, 0.5) * covered, sentence_case(f"{'Yes' if yes else 'No'}: {said}")
