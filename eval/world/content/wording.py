"""How a question points at things and how it is spoken: references, openers, loose spelling. No facts here."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from eval.world.drawing.draw import colour_word
from eval.world.model import Placed, Thing

#: How often a question names the entity outright.
NAMED_SHARE = 0.05


class Rounds:
    """Deals the wordings of each list in rounds, so that none is used much more often than another."""

    def __init__(self) -> None:
        self._left: dict[str, list[int]] = {}

    def next(
        self, key: str, templates: Sequence[str], r: random.Random, among: Sequence[str] | None = None
    ) -> tuple[str, str]:
        """The next of `templates` (that is `among` some), and what to call it: `key#number`."""
        for fresh in (False, True):
            if fresh or not self._left.get(key):
                order = list(range(len(templates)))
                r.shuffle(order)
                self._left[key] = self._left.get(key, []) + order
            for i in self._left[key]:
                if among is None or templates[i] in among:
                    self._left[key].remove(i)
                    return templates[i], f"{key}#{i}"
        raise ValueError(f"no wording of {key!r} can be used here")


def reference(thing: Thing, placed: Sequence[Placed], phrasings: dict[str, Any], r: random.Random) -> str:
    """What a person who looks at the frame says for `thing`: "this jar", "the book on the left"."""
    places = phrasings["places"]
    others = [p for p in placed if p.thing.id != thing.id]
    if not others:
        forms = places.get(thing.kind) or places.get(thing.noun) or places["any"]
        return str(r.choice(forms).format(noun=thing.noun))
    me = next(p for p in placed if p.thing.id == thing.id)
    two = places["one_of_two"]
    on_left, on_right = (all(sign * (me.centre_x - o.centre_x) < 0 for o in others) for sign in (1, -1))
    same_noun = any(o.thing.noun == thing.noun for o in others)
    forms = list(two["left" if on_left else "right" if on_right else "middle"])
    if not same_noun:
        forms += two["kind"] * 2
    elif colour_word(thing) and all(colour_word(o.thing) != colour_word(thing) for o in others):
        forms += two["colour"]
    if same_noun and all(me.area > 1.5 * o.area for o in others):
        forms += two["bigger"]
    return str(r.choice(forms).format(noun=thing.noun, colour=colour_word(thing)))


def points_back(said: str, phrasings: dict[str, Any]) -> bool:
    """Whether this is how a thing is spoken of that was asked about before."""
    return any(re.fullmatch(re.escape(t).replace(r"\{noun\}", ".+"), said) for t in phrasings["places"]["follow"])


def other_reference(
    other: Thing, thing: Thing, placed: Sequence[Placed], phrasings: dict[str, Any], r: random.Random
) -> tuple[str, bool]:
    """What is said for the thing compared with, and whether that names it."""
    here = {p.thing.id: p for p in placed}
    if other.id in here and thing.id in here:
        side = "left" if here[other.id].centre_x < here[thing.id].centre_x else "right"
        return str(r.choice(phrasings["places"]["other_here"][r.choice([side, "plain"])])), False
    wording = phrasings["others"]
    if other.family == thing.family and other.family_name:
        if other.kind == "book" and r.random() < 0.6:
            return str(r.choice(wording["volume"]).format(n=other.content["number"])), False
        if other.kind != "book" and r.random() < 0.7:
            text = r.choice(wording["variant"]).format(variant=other.variant, group=group_noun(other))
            return str(text), False
    return str(r.choice(wording["named"]).format(other_name=other.name)), True


def clear(templates: Sequence[str], placed: Sequence[Placed]) -> list[str]:
    """The templates that leave no doubt which family is meant: beside others, those that point at the thing."""
    if len({p.thing.family for p in placed}) < 2:
        return list(templates)
    return [t for t in templates if "{this}" in t]


def group_noun(thing: Thing) -> str:
    """What its family is called: series, range, line, herd."""
    return str(thing.content["group"])


def spoken(text: str, openers: Sequence[str], r: random.Random) -> str:
    """Add an opener now and then, loosen case and punctuation as people do."""
    opener = r.choice(list(openers))
    text = text.strip()
    if opener:
        text = opener + (text if text.startswith(("I ", "I'")) else text[:1].lower() + text[1:])
        if r.random() < 0.5:
            text = text[:1].upper() + text[1:]
    if r.random() < 0.12 and text.endswith("?"):
        text = text[:-1]
    if r.random() < 0.08:
        text = text[:1].lower() + text[1:] if not text.startswith(("I ", "I'")) else text
    return text


def article(noun: str) -> str:
    """With "a" or "an"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def sentence(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def fill(template: str, **fields: object) -> str:
    """Fill a template; {Name} and {This} are the capitalised forms."""
    for key in ("name", "this"):
        if key in fields:
            fields[key.capitalize()] = sentence(str(fields[key]))
    return sentence(template.format(**fields)) if template[:1] != template[:1].lower() else template.format(**fields)
