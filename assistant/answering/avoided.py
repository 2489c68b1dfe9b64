"""What somebody must not have: "I'm allergic to nuts and milk", "my wife has a soy allergy", "peanuts make me ill".

Plain statements ("allergic to …") are taken at their word. Where the thing stands before the word that tells it ("a soy
allergy", "soy-free"), many another word may stand there too: it counts when it is a food, or when it is declared.
"""

from __future__ import annotations

import re

from assistant.answering.foods import found_in, is_food, of_a_plant
from assistant.answering.language import content_stems, word_set

#: What is named goes on over commas, "and" and "or", up to a verb or another clause.
_THINGS = (
    r"(?P<what>[a-z](?:(?! (?:so|can|could|may|might|is|are|am|do|does|did|if|in|on|at|that|which|who|but|because|will|"
    r"would|should|then|here|safe|alright|please|my|i|we|it|this|these|when|since|though|for|have|has|eat|without)\b)"
    r"[^;:?.!])*)"
)
_PLAINLY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:allergic|intolerant|sensitive|reacts?(?: badly)?|reacting|allerg(?:y|ies)|intolerances?) "
        rf"(?:to|against|of) {_THINGS}",
        rf"\b(?:can['’]?t|cannot|can not|mustn['’]?t|must not|may not|shouldn['’]?t|doesn['’]?t|don['’]?t|do not|"
        rf"does not|not allowed to|unable to) (?:have|eat|drink|tolerate|take|stand|touch|digest) (?:any )?{_THINGS}",
        rf"\bfree (?:from|of) (?:any |all )?{_THINGS}",
        rf"\b(?:avoids?|avoiding|(?:keep|stay|steer)s? (?:away|clear|off) (?:from|of)|"
        rf"(?:has|have|had) (?:a )?(?:problems?|trouble) with) (?:all )?{_THINGS}",
        r"\b(?:gets?|got|breaks? out in|comes? out in|develops?) (?:(?:an?|the|some|very|really|terribly) )*"
        r"(?:rash(?:es)?|hives|ill|sick|spots|swellings?|itch(?:y|es)?|cramps|bloated|red|asthma|headaches?|bellyache|"
        r"stomach ?aches?|(?:allergic )?reactions?|attacks?)(?: \w+)? "
        rf"(?:from|of|with|by|after|to) (?:eating )?{_THINGS}",
    )
)
_BEFORE = r"(?P<what>(?:[a-z-]+(?:,| and| or|, and|, or)? ){0,4}?[a-z-]+)"
_LOOSELY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEFORE} (?:(?:always|often|really|sometimes|usually) )?"
        r"(?:makes?|gives?|brings? (?:on|out)|brings?|causes?) (?:me|us|him|her|them|my \w+)(?: \w+){0,3}? ?"
        r"(?:ill|sick|itch|sneeze|swell|rash(?:es)?|hives|cramps|spots|headaches?|reactions?|allerg(?:y|ies)|asthma|"
        r"attacks?|swellings?|trouble|problems?|(?:stomach|tummy|belly) ?aches?)\b",
        rf"{_BEFORE} (?:allergy|allergies|intolerances?)\b",
        rf"{_BEFORE}[- ](?:allergic|intolerant)\b",
        rf"{_BEFORE}[- ]free\b",
    )
)
_APART = re.compile(r"\s*(?:,|/|\b(?:and|or|nor|even|also|plus)\b)\s*", re.IGNORECASE)
#: What stands around the name of a food and names none.
_NO_NAMES = word_set(
    "it this that these those them any some much anything everything the an a food foods to have has had got with "
    "my her "
    "his their our severe bad serious strong several various many odd all both most kinds kind of sort sorts types "
    "tree "
    "products product proteins protein eating drinking whites white yolk yolks flour things thing stuff like raw "
    "cooked "
    "traces from in is are am was be as so very really me us him i"
)


def avoided(question: str, known: str = "") -> tuple[str, ...]:
    """What somebody must not have, in the question's own words; nothing when the question is not about that.

    Args:
        known: what is declared of the thing, in which words are looked up that are no foods.
    """
    for pattern in _PLAINLY:
        if (m := pattern.search(question)) and (found := _named(m["what"])):
            return found
    for pattern in _LOOSELY:
        for m in pattern.finditer(question):
            foods = tuple(w for w in _named(m["what"]) if is_food(w) or (known and found_in(w, known)))
            if foods:
                return foods
    return ()


def _named(text: str) -> tuple[str, ...]:
    """The things of a list, without what stands around their names; no more than a few words name one."""
    things = []
    for part in _APART.split(text.lower()):
        words = [w for w in re.findall(r"[a-z][a-z'’-]*", part) if w not in _NO_NAMES]
        if words and len(words) <= 4:
            things.append(" ".join(words[-2:] if len(words) > 2 else words))
    return tuple(dict.fromkeys(things))


def named_there(what: str, text: str) -> str:
    """The word of the text for what must not be there; "" without one. Any word of its name is enough ("soy protein"),
    unless the whole is of another kind ("coconut milk").
    """
    whole = found_in(what, text)
    if whole or of_a_plant(what):
        return whole
    return next((hit for word in sorted(content_stems(what)) if (hit := found_in(word, text))), "")
