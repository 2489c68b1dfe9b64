"""Whether somebody may eat or use a thing: allergies ("I can't have nuts") and ways of eating ("is it vegan?").

Answers only from what the evidence declares: a list of allergens (or "none"), a key or sentence that names the diet, an
ingredient that is the very thing to be avoided. That a list of ingredients does not name it is no promise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.answering.avoided import avoided, named_there
from assistant.answering.compose import joined
from assistant.answering.denials import denies
from assistant.answering.facts import FactFinder
from assistant.answering.foods import against_diet, found_in
from assistant.answering.keys import key_words, labelled_value
from assistant.answering.language import content_stems, negated, stem
from assistant.answering.plan import Plan
from assistant.answering.results import Result
from assistant.answering.spoken import spoken_attribute
from assistant.answering.values import split_list
from assistant.conversation import Evidence

#: "are there nuts in it?", "does this contain dairy?"
_CONTAINS = re.compile(
    r"^(?:is|are) there (?:any |some )?(?P<what>[a-z]+) in (?:it|this|that|these|them|here)\W*$|"
    r"^(?:does|do) (?:it|this|that|they|these) contain (?:any |some )?(?P<other>[a-z]+)\W*$",
    re.IGNORECASE,
)
_DIET = re.compile(r"\b(?P<diet>vegans?|vegetarians?|halal|kosher|pescatarians?|coeliacs?|celiacs?)\b", re.IGNORECASE)
#: "would it be a bad idea for somebody with an allergy to nuts": yes is no.
_AS_HARM = re.compile(
    r"\b(?:bad (?:idea|choice|for)|problem|harm\w*|hurt|dangerous|unsafe|risk\w*|trouble|kill\w*|react|worr\w*|careful|"
    r"watch out|(?:stay|keep|steer) (?:away|clear|off)|trigger|cause|set (?:it |me |him |her )?off|act up|"
    r"give (?:me|him|her|us|them)|"
    r"make (?:me|him|her|them|us) (?:ill|sick)|(?:should|must|have to|need to|better) (?:\w+ )?(?:avoid|leave|"
    r"skip|refuse) "
    r"(?:it|this|that|the)\b)(?<!no problem)",
    re.IGNORECASE,
)
#: A thing that people with allergies may be near.
_MILD = re.compile(
    r"\bhypo-?allergenic\b|\b(?:people|those|anybody|anyone) with allerg|\ballergy sufferers\b", re.IGNORECASE
)
#: Somebody may not have something that was not understood: no sentence about allergies is a yes to that.
_ALLERGY = re.compile(r"\ballerg(?:y|ies|ic)\b|\bintoleran(?:t|ce)\b", re.IGNORECASE)
_SAFE = re.compile(
    r"\b(?:safe|ok|okay|alright|all right|fine|suitable|suit|eat|drink|have|try|taste|serve|give|harm\w*|dangerous|"
    r"good|"
    r"hurt|problem|unsafe|risk\w*|avoid|react|friendly|for (?:me|him|her|us|them|somebody|someone|people)|trigger|"
    r"cause|"
    r"set off|kill|worry|careful)\b",
    re.IGNORECASE,
)
_TURNED = {"Yes": "No:", "No:": "Yes:"}
_DECLARES = re.compile(r"\ballerg|\bcontains?\b.*\b(?:traces|allerg)|\bdeclar", re.IGNORECASE)
_INGREDIENTS = re.compile(
    r"\b(?:ingredients?|made (?:of|from|with)|contains?|consists? of|recipe|what is in it|content|"
    r"label lists|lists?)\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"^(?:none|no|nothing|no known|free of|-|–)\b", re.IGNORECASE)
_YES, _NO = ("yes", "true"), ("no", "false", "none")


def asks_for_harm(core: str) -> bool:
    """Whether yes means that it does harm."""
    return _AS_HARM.search(core) is not None


def suits(plan: Plan, finder: FactFinder) -> Result | None:
    """Yes or no with what is declared; None when the question is about something else."""
    if plan.asked.operation != "yesno":
        return None
    own = [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()]
    said = [f"{_pair(e) or ''} {e.text}" for e in own]
    what = avoided(plan.question, " ".join(t for t in said if _DECLARES.search(t) or _INGREDIENTS.search(t)))
    if what:
        told = _without_any(what, own)
        if told is not None and asks_for_harm(plan.asked.core):
            told = replace(told, text=_TURNED[told.text[:3]] + told.text.partition(":")[2])
        return told or Result(reason=f"I know {plan.subjects[0]}, but found nothing declared about {joined(what)}")
    if _ALLERGY.search(plan.question) and _SAFE.search(plan.asked.core) and not any(_MILD.search(t) for t in said):
        return Result(reason="I do not see what must not be in it")
    named = _CONTAINS.search(plan.question)
    if named and (told := _with(named["what"] or named["other"], own)) is not None:
        return told
    diet = _DIET.search(plan.question)
    return _for_diet(stem(diet["diet"]), own) if diet else None


def _with(what: str, own: list[Evidence]) -> Result | None:
    """Yes with the list that names it; a list that does not may leave it out."""
    for e in own:
        pair = _pair(e)
        text = f"{pair[0]}: {pair[1]}" if pair else e.text
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


def _without_any(what: Sequence[str], own: list[Evidence]) -> Result | None:
    """No with the first of the things that is in it, yes when all of them are surely not; None when that is open."""
    told = [_without(w, own) for w in what]
    hit = next((t for t in told if t is not None and t.text.startswith("No")), None)
    return hit or (told[0] if all(told) else None)


def _without(what: str, own: list[Evidence]) -> Result | None:
    declared: list[Evidence] = []
    for e in own:
        pair = _pair(e)
        text = f"{pair[0]}: {pair[1]}" if pair else e.text
        hit = named_there(what, pair[1] if pair else e.text)
        word = re.escape(what.split()[0])
        free = re.search(rf"\b{word}\w*[- ]free\b|\b(?:free (?:of|from)|no|without) {word}", text, re.IGNORECASE)
        if free:
            affirmed = pair is None or pair[1].strip().lower() not in _NO
            return Result(f"{'Yes' if affirmed else 'No'}: {_said(e)}", (e.id,))
        if hit and (_DECLARES.search(text) or _INGREDIENTS.search(text)) and not denies(text, hit):
            return Result(f"No: {_said(e)}", (e.id,))
        if _DECLARES.search(pair[0] if pair else e.text):
            declared.append(e)
    for e in declared:  # a list of what to watch for that does not name it
        pair = _pair(e)
        if pair and (_NONE.match(pair[1].strip()) or split_list(pair[1])):
            return Result(f"Yes: {_said(e)}", (e.id,))
        if pair is None and re.search(r"\ballerg", e.text, re.IGNORECASE):
            return Result(f"Yes: {_said(e)}", (e.id,))
    return None


def _for_diet(diet: str, own: list[Evidence]) -> Result | None:
    for e in own:
        pair = _pair(e)
        if pair is None:
            continue
        value = pair[1].strip().lower().rstrip(".")
        if diet in content_stems(pair[0]) and value in (*_YES, *_NO):
            return Result(f"{'Yes' if value in _YES else 'No'}: {_said(e)}", (e.id,))
        if diet in content_stems(pair[1]):
            return Result(f"{'No' if negated(pair[1]) else 'Yes'}: {_said(e)}", (e.id,))
    for e in own:
        if e.key is None and diet in content_stems(e.text):
            return Result(f"{'No' if negated(e.text) else 'Yes'}: {e.text}", (e.id,))
    for e in own:  # what is in it may rule the diet out; it never promises it
        pair = _pair(e)
        text = f"{pair[0]}: {pair[1]}" if pair else e.text
        word = against_diet(diet, pair[1] if pair else e.text)
        if word and (_INGREDIENTS.search(text) or _DECLARES.search(text)) and not denies(text, word):
            return Result(f"No: {_said(e)}", (e.id,))
    return None
