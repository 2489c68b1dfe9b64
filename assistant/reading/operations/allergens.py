"""What somebody must not have ("I'm allergic to nuts and milk", "peanuts make me ill"), and what a yes would mean.

Only "allergic to …" is taken at its word. In other statements ("I can't have …", "a soy allergy", "soy-free") many
another word may stand there too: it counts when it is a food, or when it is declared of the thing.
"""

from __future__ import annotations

import re
from typing import Literal

from assistant.text.english import word_set
from assistant.text.foods import comes_of_a_plant, found_in, is_food

Meaning = Literal["in", "out", ""]
#: What is named goes on over commas, "and" and "or", up to a verb or another clause.
_THINGS = (
    r"(?P<what>[a-z](?:(?! (?:so|can|could|may|might|is|are|am|do|does|did|if|in|on|at|that|which|who|but|because|will|"
    r"would|should|then|here|safe|alright|please|my|i|we|it|this|these|when|since|though|for|have|has|eat|without|sets?|"
    r"by|as)\b)(?!, (?:i|my|can|is|may|so)\b)[^;:?.!])*)"
)
_ALLERGIC = re.compile(
    rf"\b(?:allergic|intolerant|allerg(?:y|ies)|intolerances?) (?:to|against|of) {_THINGS}", re.IGNORECASE
)
_BEFORE = r"(?P<what>(?:[a-z-]+(?:,| and| or|, and|, or)? ){0,4}?[a-z-]+)"
_LOOSELY = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:sensitive|reacts?(?: badly)?|reacting) to {_THINGS}",
        rf"\b(?:can['’]?t|cannot|can not|mustn['’]?t|must not|may not|shouldn['’]?t|doesn['’]?t|don['’]?t|do not|"
        r"does not|not allowed to|unable to) (?:have|eat|drink|tolerate|take|stand|touch|digest|bear) "
        rf"(?:any )?{_THINGS}",
        rf"\b(?:free (?:from|of)|without) (?:any |all )?{_THINGS}",
        rf"(?:^|[,;:.] )no {_THINGS}",
        rf"\b(?:avoids?|avoiding|(?:keep|stay|steer)s? (?:away|clear|off) (?:from|of)|"
        rf"(?:has|have|had) (?:a )?(?:problems?|trouble) with) (?:all )?{_THINGS}",
        r"\b(?:gets?|got|breaks? out in|comes? out in|develops?) (?:(?:an?|the|some|very|really|terribly) )*"
        r"(?:rash(?:es)?|hives|ill|sick|spots|swellings?|itch(?:y|es)?|cramps|bloated|red|asthma|headaches?|bellyache|"
        r"stomach ?aches?|(?:allergic )?reactions?|attacks?)(?: \w+)? "
        rf"(?:from|of|with|by|after|to) (?:eating )?{_THINGS}",
        rf"{_BEFORE} (?:(?:always|often|really|sometimes|usually) )?"
        r"(?:makes?|gives?|brings? (?:on|out)|brings?|causes?) (?:me|us|him|her|them|my \w+)(?: \w+){0,3}? ?"
        r"(?:ill|sick|itch|sneeze|swell|rash(?:es)?|hives|cramps|spots|headaches?|reactions?|allerg(?:y|ies)|asthma|"
        r"attacks?|swellings?|trouble|problems?|(?:stomach|tummy|belly) ?aches?)\b",
        rf"{_BEFORE} (?:(?:is|are) bad for|sets? off) (?:me|us|him|her|them|my \w+)\b",
        rf"{_BEFORE} that sets off (?:my|his|her|their) allerg(?:y|ies)\b",
        rf"{_BEFORE} (?:allergy|allergies|intolerances?)\b",
        rf"{_BEFORE}[- ](?:allergic|intolerant)\b",
        rf"{_BEFORE}[- ]free\b",
        r"\b(?P<what>coeliac|celiac)\b",
    )
)
_APART = re.compile(r"\s*(?:,|/|&|\b(?:and|or|nor|even|also|plus|as well as|from|with)\b)\s*", re.IGNORECASE)
#: What stands around the name of a food and names none.
_NO_NAMES = word_set(
    "it this that these those them any some much anything everything the an a food foods to have has had got my her "
    "his their our severe bad serious strong several various many odd all both most kinds kind of sort sorts types "
    "tree products product proteins protein eating drinking whites white yolk yolks flour things thing stuff like raw "
    "cooked traces in is are am was be as so very really me us him i no if "
    "gives give makes make brings bring causes cause"
)
_COELIAC = word_set("coeliac celiac")
#: Somebody may not have something, in whatever words.
SPEAKS_OF_ALLERGY = re.compile(r"\ballerg(?:y|ies|ic)\b|\bintoleran(?:t|ces?)\b", re.IGNORECASE)


def avoided(question: str, known: str = "") -> tuple[str, ...]:
    """What somebody must not have, in the question's own words; nothing when the question is not about that.

    Args:
        known: what is declared of the thing, in which words are looked up that are no foods.
    """
    found = [w for m in _ALLERGIC.finditer(question) for w in _named(m["what"])]
    for pattern in _LOOSELY:
        for m in pattern.finditer(question):
            found += [_bare(w) for w in _named(m["what"]) if is_food(w) or (known and found_in(w, known))]
    return tuple(dict.fromkeys(found))


def _bare(said: str) -> str:
    """ "wife milk" → "milk", and "coconut milk" as it is."""
    words = said.split()
    if len(words) > 1 and is_food(words[-1]) and not is_food(words[0]) and not comes_of_a_plant(said):
        return words[-1]
    return said


def _named(text: str) -> tuple[str, ...]:
    """The things of a list, without what stands around their names; no more than a few words name one."""
    things = []
    for part in _APART.split(text.lower()):
        words = [w for w in re.findall(r"[a-z][a-z'’-]*", part) if w not in _NO_NAMES]
        if words and len(words) <= 4:
            said = " ".join(words[-2:] if len(words) > 2 else words)
            things.append("gluten" if said in _COELIAC else said)
    return tuple(dict.fromkeys(things))


_EATS = (
    r"(?:eat|drink|have|try|taste|give|serve|offer|feed|enjoy|touch|use|take|safe(?:ly)?|ok|okay|alright|all right|"
    r"fine|"
    r"suit(?:able|s|ed)?|good|friendly|allowed|harmless|edible|possible)"
)
#: "free of nuts", "nut-free": yes says that it is not there.
_FREE = re.compile(
    r"\b(?:free (?:of|from)|(?!risk|trouble|worry)[a-z]+[- ]free"
    r"|without (?!(?:any )?(?:\w+ )?(?:risk|problem|fear|worr|trouble|danger|harm)))\b",
    re.IGNORECASE,
)
#: "are there nuts in it?", "does it contain any?": yes says that it is there.
_PRESENCE = re.compile(
    r"\b(?:contains?|includes?|(?:is|are|was|were) there|(?:any|some)(?: [a-z]+)? (?:in|inside) (?:it|this|that|"
    r"there|here)|"
    r"in (?:it|there)\W*$|traces?|made (?:with|from|of)|declared|(?:put|used?|have|has) (?:[a-z]+ ){1,2}in)\b",
    re.IGNORECASE,
)
_UNHARMED = re.compile(
    r"\bwithout (?:any |having (?:any )?|having to )?(?:\w+ )?(?:risks?|problems?|worr\w+|trouble|fear|danger|"
    r"harm\w*)\b"
    r"|\b(?:no|free of|zero) (?:risk|problem|danger|harm)s?\b|\bharmless\b|\b(?:risk|trouble|worry)[- ]free\b",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:bad (?:idea|choice|news|for)|problem|harm(?:s|ful|ed)?|hurts?|dangerous|danger|unsafe|risk\w*|trouble|"
    r"kill\w*|"
    r"poison\w*|react|reaction|worry|worried|careful|watch out|(?:stay|keep|steer) (?:away|clear|off)|avoid|"
    r"trigger|cause|"
    r"set (?:it |me |him |her )?off|act up|sick|ill|rash|hives|itch|swell|sneeze|hospital|regret|off limits|forbidden|"
    r"leave it|skip it|refuse)\b",
    re.IGNORECASE,
)
_MAY = re.compile(
    rf"(?:^|, ?)(?:(?:so|and|then|now|but)\b[ ,]*)*(?:if|whether|can|may|could|should|might|shall|would|will|am|is|"
    rf"are|do|"
    rf"does)\b"
    rf"(?!.*\b(?:not|n['’]t|never) (?:be )?{_EATS}\b).*\b{_EATS}\b",
    re.IGNORECASE,
)
#: "allergic to nuts, this one ok?"
_FINE = re.compile(
    r"(?<!not )\b(?:safe|ok|okay|alright|all right|fine)(?: for (?:me|him|her|us|them))?\W*$", re.IGNORECASE
)
_MAY_EAT = re.compile(
    r"^(?:(?:so|and|then|now|but)\b[ ,]*)*(?:can|may|could|should|shall|might) (?:i|we|you|he|she|they|one|"
    r"somebody|someone|"
    r"anybody|anyone|people|(?:my|the|a|our) \w+)(?: (?:who|that|with) [^,?]*?)?(?: \w+)?? (?:eat|drink|have|try|"
    r"taste|give|serve|offer|feed|"
    r"enjoy|touch)\b",
    re.IGNORECASE,
)


def meaning_of_yes(core: str) -> Meaning:
    """What "yes" says: that it is in there and does harm ("in"), that it is not ("out"); "" where it says neither."""
    bare, n = _UNHARMED.subn(" ", core)
    if _FREE.search(core) or _MAY_EAT.match(bare):
        return "out"
    if _PRESENCE.search(bare) or _HARM.search(bare):
        return "in"
    return "out" if n or _MAY.search(bare) or _FINE.search(bare) else ""
