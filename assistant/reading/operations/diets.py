"""Whether somebody may eat or use a thing: allergies ("I can't have nuts") and ways of eating ("is it vegan?").

Answers only from what the evidence declares: a list of allergens, a key or sentence that names the diet, an ingredient
that is the very thing to be avoided. "Yes, you may" needs more than "no": a list that would have to name the thing and
does not, and nothing else that names it. That a list of ingredients does not name it is no promise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.reading.attribute_templates import spoken_attribute
from assistant.reading.compose import join_list
from assistant.reading.fact_finder import FactFinder
from assistant.reading.negation import denies
from assistant.reading.operations.allergens import SPEAKS_OF_ALLERGY, avoided, meaning_of_yes
from assistant.reading.results import Result
from assistant.text.attribute_keys import key_words, labelled_value
from assistant.text.english import content_stems, negated, stem, word_set, words_of
from assistant.text.foods import against_diet, covers, found_in, is_food, must_be_declared, named_there
from assistant.text.values import split_list
from assistant.understanding.plan import Plan

#: "are there nuts in it?", "does this contain dairy?"
_CONTAINS = re.compile(
    r"^(?:is|are) there (?:any |some )?(?P<what>[a-z]+) in (?:it|this|that|these|them|here)\W*$|"
    r"^(?:does|do) (?:it|this|that|they|these) contain (?:any |some )?(?P<other>[a-z]+)\W*$",
    re.IGNORECASE,
)
#: "which allergens are in it?" wants no yes or no.
_OPEN = re.compile(
    r"(?:^|[,;:] ?)(?:(?:so|and|but|tell me)\b[ ,]*)*(?:what|which|who|how|when|where|why)\b", re.IGNORECASE
)
_DIET = re.compile(r"\b(?P<diet>vegans?|vegetarians?|halal|kosher|pescatarians?|coeliacs?|celiacs?)\b", re.IGNORECASE)
_EATEN = re.compile(r"\b(?:eat|eating|drink|have|try|taste|serve|give)\b", re.IGNORECASE)
_DECLARES = re.compile(r"\ballerg|\bcontains?\b.*\b(?:traces|allerg)|\bdeclar", re.IGNORECASE)
_INGREDIENTS = re.compile(
    r"\b(?:ingredients?|made (?:of|from|with)|contains?|consists? of|recipe|what is in it|content|composition|filling|"
    r"traces?|warnings?|handles|factory|label lists|lists?)\b",
    re.IGNORECASE,
)
#: Keys of lists of allergens, which name all that has to be declared.
_LIST_KEY = word_set(
    "allergens allergen allergy allergies declared contains contain advice info information list known"
)
_NONE = re.compile(
    r"^(?:none|no(?: known| declared)?(?: allergens?)?|nothing|free of (?:known )?allergens)\W*$", re.IGNORECASE
)
#: It is not for somebody: "not suitable for people with nut allergies".
_NOT_FOR = re.compile(
    r"(?:\b(?:not|never|un)[ -]?|n['’]t )(?:\w+ ){0,3}?(?:suitable|safe|recommended|eat|give|serve|for)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|hardly)\b|n['’]t\b", re.IGNORECASE)
_SUITS = re.compile(r"\b(?:suitable|suited|safe|recommended|ask|see|printed|information)\b", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?P<of>[a-z]+)[- ]free\b"
    r"|\b(?:free (?:of|from)|contains? no|without|no) (?:any |all )?(?P<from>[a-z]+)",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\bhypo-?allergenic\b|\b(?:people|those|anybody|anyone) with allerg|\ballergy sufferers\b", re.IGNORECASE
)
_YES, _NO = ("yes", "true", "certified"), ("no", "false", "none")
_DIET_KEYS = word_set("diet diets dietary suitable suited suits for label labels certified")
_PARTLY = re.compile(r"\b(?:partly|partially|only|some|on request|ask|optional|alternative|except)\b", re.IGNORECASE)


def suits(plan: Plan, finder: FactFinder) -> Result | None:
    """Yes or no with what is declared; None when the question is about something else."""
    core = plan.asked.core
    if plan.asked.operation != "yesno" and (plan.asked.operation != "lookup" or _OPEN.search(core)):
        return None
    own = [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()]
    declared = [t for e in own if _DECLARES.search(t := _whole(e)) or _INGREDIENTS.search(t)]
    meant = meaning_of_yes(core)
    things = _things(plan, meant, " ".join(declared))
    if things and (meant or (_EATEN.search(core) and plan.asked.operation == "yesno")):
        diet = _DIET.search(plan.question)
        found = _about(things, own)
        if diet and meant == "out" and found is not None and not found[0]:
            suited = _for_diet(stem(diet["diet"]), own)  # both have to suit
            return suited or Result(
                reason=f"I know {plan.subjects[0]}, but found nothing declared about {diet['diet']}"
            )
        return _said_as(found, meant) or Result(
            reason=f"I know {plan.subjects[0]}, but found nothing declared about {join_list(things)}"
        )
    if plan.asked.operation != "yesno":
        return None
    if SPEAKS_OF_ALLERGY.search(plan.question) and meant:
        mild = next((e for e in own if _MILD.search(e.text)), None)
        if mild is not None and mild.key is None:
            return Result(f"{'No' if negated(mild.text) == (meant == 'out') else 'Yes'}: {mild.text}", (mild.id,))
        return Result(reason="I do not see what must not be in it") if declared else None
    named = _CONTAINS.search(plan.question)
    if named and (told := _with(named["what"] or named["other"], own)) is not None:
        return told
    diet = _DIET.search(plan.question)
    return _for_diet(stem(diet["diet"]), own) if diet else None


def agrees(plan: Plan, said_yes: bool, cited: Evidence, known: str) -> bool | None:
    """Whether yes or no is what the cited sentence tells of what must not be in it; None for other questions."""
    meant = meaning_of_yes(plan.asked.core)
    things = _things(plan, meant, known) if meant else ()
    if not things:
        return None
    found = _about(things, [cited], alone=True)
    return found is not None and said_yes == (found[0] == (meant == "in"))


def _things(plan: Plan, meant: str, known: str) -> tuple[str, ...]:
    """What the question is about: "does it contain eggs? I'm allergic to those" names them itself."""
    what = avoided(plan.question, known)
    named = _foods_in(plan.asked.core) if meant == "in" else ()
    return (named or what) if what or SPEAKS_OF_ALLERGY.search(plan.question) else ()


def _foods_in(core: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w for w in words_of(core.lower()) if is_food(w)))


def _said_as(found: tuple[bool, Evidence] | None, meant: str) -> Result | None:
    if found is None:
        return None
    there, e = found
    if not meant:  # "must I not eat it?": what is declared, without a yes or no that could be misread
        return Result(_said(e), (e.id,)) if there else None
    return Result(f"{'Yes' if there == (meant == 'in') else 'No'}: {_said(e)}", (e.id,))


def _about(things: Sequence[str], own: Sequence[Evidence], *, alone: bool = False) -> tuple[bool, Evidence] | None:
    """(True, what tells it) when one of the things is in it, (False, …) when none of them is; None when that is open.

    `alone`: nothing but what is given is looked at, and may leave a thing open that is told of elsewhere.
    """
    told = [_tells(thing, own) for thing in things]
    there = next((t for t in told if t is not None and t[0]), None)
    if there is not None or alone:
        return there or next((t for t in told if t is not None), None)
    return told[0] if told and all(told) else None


def _tells(what: str, own: Sequence[Evidence]) -> tuple[bool, Evidence] | None:
    """Whether a thing is in it, by all that is told."""
    out: list[Evidence] = []
    only_named = False
    for e in own:
        state = _state(what, e)
        if state is True:
            return True, e
        if state is False:
            out.append(e)
        elif named_there(what, _whole(e)):
            only_named = True  # "flavour: hazelnut"
    if only_named:
        return None
    return (False, out[0]) if out else None


def _state(what: str, e: Evidence) -> bool | None:
    """Whether one statement says that a thing is in it (True), that it is not (False), or neither."""
    pair, text = _pair(e), _whole(e)
    for m in _FREE.finditer(pair[0] if pair and _FREE.search(pair[0]) else text):
        if covers(m["of"] or m["from"], what):
            value = pair[1].strip().lower().rstrip(".") if pair and _FREE.search(pair[0]) else ""
            if value:
                return False if value in _YES else True if value in _NO else None
            if _NOT.search(text[: m.start()]):
                return True
            rest = f"{text[: m.start()]} {text[m.end() :]}"
            return None if named_there(what, rest) else False  # "no nuts on top, but hazelnuts inside"
    alone = pair is not None and not set(pair[0].split()) <= _LIST_KEY
    if pair and alone and pair[1].strip().lower().rstrip(".") in (*_YES, *_NO):  # "allergen egg: yes"
        says = pair[1].strip().lower().rstrip(".") in _YES
        return says if named_there(what, pair[0]) else None
    hit = named_there(what, pair[1] if pair else e.text)
    if hit and (_DECLARES.search(text) or _INGREDIENTS.search(text) or _NOT_FOR.search(text)):
        return None if denies(text, hit) and not _NOT_FOR.search(text) else True
    return False if not hit and must_be_declared(what) and _lists_all(e, pair) else None


def _lists_all(e: Evidence, pair: tuple[str, str] | None) -> bool:
    """Whether it is a list of all that has to be declared: of allergens, or that there are none."""
    if pair is not None:
        if not set(pair[0].split()) <= _LIST_KEY:
            return False
        items = split_list(pair[1])
        return _NONE.match(pair[1].strip()) is not None or (bool(items) and all(must_be_declared(i) for i in items))
    return _DECLARES.search(e.text) is not None and not _SUITS.search(e.text) and bool(_foods_in(e.text))


def _whole(e: Evidence) -> str:
    pair = _pair(e)
    return f"{pair[0]}: {pair[1]}" if pair else e.text


def _with(what: str, own: list[Evidence]) -> Result | None:
    """Yes with the list that names it; a list that does not may leave it out."""
    for e in own:
        pair, text = _pair(e), _whole(e)
        word = found_in(what, pair[1] if pair else e.text)
        if word and (_DECLARES.search(text) or _INGREDIENTS.search(text)) and not denies(e.text, word):
            return Result(f"Yes: {_said(e)}", (e.id,))
    return None


def _pair(e: Evidence) -> tuple[str, str] | None:
    if e.key is not None:
        return key_words(e.key), str(e.value)
    pair = labelled_value(e.text)
    return (pair[0].lower(), pair[1]) if pair else None


def _said(e: Evidence) -> str:
    return spoken_attribute(e.subject or "it", *pair) if e.key is not None and (pair := _pair(e)) else e.text


def _for_diet(diet: str, own: list[Evidence]) -> Result | None:
    for e in own:
        pair = _pair(e)
        if pair is None:
            continue
        value = pair[1].strip().lower().rstrip(".")
        if diet in content_stems(pair[0]) and value in (*_YES, *_NO):
            return Result(f"{'Yes' if value in _YES else 'No'}: {_said(e)}", (e.id,))
        if diet in content_stems(pair[1]) and set(pair[0].split()) & _DIET_KEYS and not _PARTLY.search(pair[1]):
            return Result(f"{'No' if negated(pair[1]) else 'Yes'}: {_said(e)}", (e.id,))
    for e in own:
        if e.key is None and _pair(e) is None and diet in content_stems(e.text) and not _PARTLY.search(e.text):
            return Result(f"{'No' if negated(e.text) else 'Yes'}: {e.text}", (e.id,))
    for e in own:  # what is in it may rule the diet out; it never promises it
        pair, text = _pair(e), _whole(e)
        word = against_diet(diet, pair[1] if pair else e.text)
        if word and (_INGREDIENTS.search(text) or _DECLARES.search(text)) and not denies(text, word):
            return Result(f"No: {_said(e)}", (e.id,))
    return None
