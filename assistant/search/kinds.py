"""What kind of thing a name and its attributes speak of, against the kind a question names.

"How long does this box keep?" is not about the book that happens to be recognised beside the box. Kinds are told from
ordinary words in names, attribute keys and values; where nothing tells, nothing is concluded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from assistant.search.agreement import split_words

Kind = Literal["book", "food", "device", "sign"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words a person uses for a thing → the kinds it can be.
_CONTAINERS: dict[str, tuple[Kind, ...]] = {
    **dict.fromkeys(("book", "novel", "paperback", "hardback", "volume", "storybook"), ("book",)),
    **dict.fromkeys(("jar", "tin", "can", "snack", "food", "soup", "jam", "sweets", "cereal", "spread"), ("food",)),
    **dict.fromkeys(("box", "pack", "package", "carton", "packet"), ("food", "device")),
    **dict.fromkeys(("bag", "sachet", "pouch"), ("food",)),
    **dict.fromkeys(
        ("sign", "notice", "poster", "menu", "leaflet", "timetable", "placard", "flyer", "blackboard"), ("sign",)
    ),
    **dict.fromkeys(("device", "gadget", "appliance", "machine"), ("device",)),
}
#: Things whose name usually says what they are.
_DEVICES = _words(
    "radio clock watch lamp torch lantern kettle toaster phone camera speaker headphones headset drill "
    "heater mixer blender dryer hairdryer razor shaver monitor keyboard mouse router printer projector "
    "vacuum alarm charger thermometer flashlight"
)
_EVIDENCE: dict[Kind, re.Pattern[str]] = {
    "book": re.compile(
        r"\b(?:author|writer|written|publisher|published|isbn|pages?|chapters?|novel|translator|illustrator|"
        r"paperback|genre|edition)\b"
    ),
    "food": re.compile(
        r"\b(?:ingredients?|allergens?|kcal|calories|energy|sugars?|servings?|portions?|nutrition|flavou?r|recipe|"
        r"organic|best before|shelf life|net (?:wt|mass|weight))\b"
    ),
    "device": re.compile(
        r"\b(?:warranty|guarantee|battery|power|wattage|voltage|runtime|noise|waterproof|model|assembled|display)\b"
    ),
    "sign": re.compile(r"\b(?:sign|notice|poster|menu|timetable|opening hours|business card|leaflet)\b"),
}


def kind_of(name: str, attributes: Mapping[str, Any]) -> Kind | None:
    """The kind that most of the keys, short values and the name speak of; None when they do not say."""
    keys = " ; ".join(str(key).replace("_", " ").casefold() for key, value in attributes.items() if value)
    kinds = " ; ".join(
        str(v).casefold() for k, v in attributes.items() if str(k).casefold() in ("type", "kind", "category")
    )
    counts = {kind: len(set(pattern.findall(keys))) for kind, pattern in _EVIDENCE.items()}
    counts["sign"] = 3 * len(_EVIDENCE["sign"].findall(f"{kinds} ; {name.casefold()}"))
    best = max(counts, key=lambda kind: counts[kind])
    rest = max(count for kind, count in counts.items() if kind != best)
    if counts[best] > rest:
        return best
    return "device" if counts[best] == 0 and set(split_words(name)) & _DEVICES else None


#: Every word for a kind, as alternatives of a regular expression, plurals included.
KIND_WORDS = "|".join(sorted({f"{word}(?:e?s)?" for word in (*_CONTAINERS, *_DEVICES)}, key=len, reverse=True))


def is_kind_word(word: str) -> bool:
    """Whether a word only says what kind of thing it is: it tells no two of a kind apart."""
    return any(
        form in _CONTAINERS or form in _DEVICES for form in (word, word.removesuffix("es"), word.removesuffix("s"))
    )


def asked_kind(question: str) -> str | None:
    """The word for the thing looked at ("this box", "the radio here"), singular, or None."""
    words = split_words(question)
    for i, pointer in enumerate(words):
        if pointer not in _POINTERS:
            continue
        for word in words[i + 1 : i + 5]:
            if word in _STOP or word in _POINTERS:
                break
            for form in (word, word.removesuffix("es"), word.removesuffix("s")):
                if form in _CONTAINERS or form in _DEVICES:
                    return form
    return None


_POINTERS = _words("the this that these those what which")
_STOP = _words(
    "of in on at to for from by with is are was were do does did has have had can could will would should "
    "and or that who which what when where how why as than if about onto into here there exactly"
)


def fits(word: str, name: str, kind: Kind | None) -> int:
    """1 when a thing of this name and kind can be called by the word, -1 when it cannot, 0 when nothing says."""
    named = {form for w in split_words(name) for form in (w, w.removesuffix("es"), w.removesuffix("s"))}
    if word in named:
        return 1
    if word in _DEVICES:
        other_device = bool(named & _DEVICES)
        return -1 if other_device or kind in ("book", "food", "sign") else 0
    if kind is None or word not in _CONTAINERS:
        return 0
    if (
        kind == "device"
        and word in ("box", "pack", "package", "carton", "packet")
        and named & {"radio", "clock", "watch"}
    ):
        return 0  # it may stand there unpacked or in its box
    return 1 if kind in _CONTAINERS[word] else -1
