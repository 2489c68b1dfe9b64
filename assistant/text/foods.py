"""Everyday knowledge of food: which words stand for what somebody must or will not eat ("nuts" for "hazelnuts").

Only what any list of allergens or any cook book says. It finds what is there; that nothing is found promises nothing.
"""

from __future__ import annotations

import re

from assistant.text.english import content_stems, stem, words_of

_MILK = "milk butter cream cheese yoghurt yogurt whey buttermilk curd lactose casein ghee dairy"
_MEAT = (
    "meat beef pork ham bacon lamb mutton veal chicken turkey duck goose venison rabbit sausage salami lard gelatine"
)
_FISH = "fish anchovy anchovies salmon tuna cod herring sardine mackerel trout"
_SEA = "shellfish crustacean mollusc prawn shrimp crab lobster mussel oyster squid clam scallop"
_NUTS = "almond hazelnut walnut pecan cashew pistachio macadamia peanut groundnut chestnut marzipan praline nougat"
_SOY = "soya soy tofu soybean edamame"
_GLUTEN = "gluten wheat barley rye spelt malt semolina bulgur couscous oat"
#: What lists of allergens have to name (Annex II of Regulation (EU) 1169/2011), each group with what belongs to it.
_ALLERGENS = {
    "nut": _NUTS,
    "milk": _MILK,
    "dairy": _MILK,
    "lactose": _MILK,
    "gluten": _GLUTEN,
    "cereal": _GLUTEN,
    "fish": _FISH,
    "seafood": f"{_FISH} {_SEA}",
    "shellfish": _SEA,
    "crustacean": "prawn shrimp crab lobster shellfish",
    "mollusc": "mussel oyster squid clam scallop shellfish",
    "soy": _SOY,
    "soya": _SOY,
    "egg": "egg mayonnaise albumen meringue",
    "sesame": "sesame tahini",
    "celery": "celery celeriac",
    "mustard": "mustard",
    "lupin": "lupin lupine",
    "sulphite": "sulphite sulfite sulphur sulfur",
    "sulfite": "sulphite sulfite sulphur sulfur",
    "peanut": "peanut groundnut",
    "groundnut": "peanut groundnut",
}
_GROUPS = {**_ALLERGENS, "meat": _MEAT}
#: Ways of eating, and what each leaves out.
_DIETS = {
    "vegan": f"{_MILK} {_MEAT} {_FISH} {_SEA} egg mayonnaise honey",
    "vegetarian": f"{_MEAT} {_FISH} {_SEA}",
    "coeliac": _GLUTEN,
    "celiac": _GLUTEN,
}
_MEMBERS = {stem(group): frozenset(stem(w) for w in words.split()) for group, words in _GROUPS.items()}
_LEFT_OUT = {stem(diet): frozenset(stem(w) for w in words.split()) for diet, words in _DIETS.items()}
_DECLARED = frozenset({stem(g) for g in _ALLERGENS} | {stem(w) for words in _ALLERGENS.values() for w in words.split()})
#: "cocoa butter", "oat milk", "butter beans": of no cow.
_PLANTS = re.compile(
    r"\b(?:cocoa|peanut|nut|almond|shea) butter\b|\b(?:coconut|oat|almond|soya?|rice|hazelnut) (?:milk|cream)\b|"
    r"\bbutter ?beans?\b|\b(?:vegan|plant[- ]based) [a-z]+\b|\bcream of tartar\b|"
    r"\b(?:milk|lamb['’]s) ?(?:thistle|lettuce)\b",
    re.IGNORECASE,
)
_OF_MILK = frozenset(stem(g) for g in ("milk", "dairy", "lactose", "butter", "cream"))
_SHORTEST = 3


def found_in(what: str, text: str) -> str:
    """The word of the text for what is meant, "" without one: itself, one of its group, or a compound ("hazelnuts")."""
    wanted = content_stems(what)
    text = _PLANTS.sub(" ", text) if wanted & _OF_MILK else text
    found = [_named(w, text) for w in sorted(wanted)]
    return found[0] if found and all(found) else ""


def named_there(what: str, text: str) -> str:
    """The word of the text that tells of what must not be there; "" without one.

    Stricter than `found_in`: any word of its name is enough ("soy protein"), and so is the name of a group that it
    belongs to: of "nuts" somebody who must not have hazelnuts is warned.
    """
    if comes_of_a_plant(what):
        what = what.split()[0]
    for word in sorted(content_stems(what)):
        bare = _PLANTS.sub(" ", text) if word in _OF_MILK else text
        found = _named(word, bare) or next((w for w in words_of(bare.lower()) if word in _MEMBERS.get(stem(w), ())), "")
        if found:
            return found
    return ""


def covers(group: str, what: str) -> bool:
    """Whether "free of `group`" is free of `what`: "nut-free" has no hazelnuts."""
    wanted = content_stems(what)
    own = stem(group)
    return bool(wanted) and all(w == own or w in _MEMBERS.get(own, ()) for w in wanted)


def must_be_declared(what: str) -> bool:
    """Whether lists of allergens have to name it, so that a list without it says that it is not there."""
    wanted = content_stems(what)
    return bool(wanted) and all(w in _DECLARED for w in wanted)


def is_food(what: str) -> bool:
    """Whether any word of it is known as a food that people avoid."""
    return any(w in _MEMBERS or any(w in members for members in _MEMBERS.values()) for w in content_stems(what))


def comes_of_a_plant(what: str) -> bool:
    """Whether it is called like what comes of an animal, and does not: "coconut milk"."""
    return _PLANTS.search(what) is not None


def against_diet(diet: str, text: str) -> str:
    """The first thing in the text that a way of eating leaves out: with butter it is not vegan."""
    out = _LEFT_OUT.get(stem(diet), frozenset())
    return next((w for w in words_of(_PLANTS.sub(" ", text)) if stem(w) in out), "")


def _named(wanted: str, text: str) -> str:
    group = _MEMBERS.get(wanted, frozenset()) | {wanted}
    for word in words_of(text.lower()):
        own = stem(word)
        compound = len(wanted) >= _SHORTEST and own.endswith(wanted) and len(own) >= len(wanted) + _SHORTEST
        if own in group or compound:
            return word
    return ""
