"""What an answer must say in words, for the lexical judge: the answering words, all items of a list, the right name.

Every function that judges returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.judges.lexical.case import Case
from eval.judges.lexical.focus import news
from eval.judges.lexical.kinds import compares, explains
from eval.judges.lexical.lists import added, items_said
from eval.judges.lexical.names import abbreviates, other_person
from eval.judges.lexical.numeric import amounts_said, figures_said, moments_said
from eval.judges.lexical.parts import nothing_beside, slot_taken
from eval.judges.lexical.tables import GENERIC
from eval.judges.lexical.words import Word, content_words, find, opposed, read, share

#: How much of the answering words must be said: of a few all but one in four, of many a little over half.
_ENOUGH_FEW, _ENOUGH_MANY, _MANY = 0.7, 0.55, 5
#: Of a reason, a meaning or a story told in four words and more, which everybody tells in words of their own.
_ENOUGH_OF_REASON, _EXPLAINED = 0.35, 4
_ALIAS = re.compile(
    r"\b(?:also (?:known|called|referred to) as|also called|aka|a\.k\.a\.|or simply|known as)\s+([^.,;()]+)", re.I
)


def coverage(case: Case) -> str:
    keys = [k for k in case.focus.keys if not case.is_figure(k)]
    figures_only = not keys
    if figures_only:
        if case.wanted_amounts:
            return amounts_said(case)
        if case.gold_moments:
            return moments_said(case)
        keys = list(case.focus.keys)
    keys = [k for k in keys if k.text.lower() not in GENERIC] if any(_proper(k) for k in keys) else keys
    fresh = case.fresh
    if not re.search(r"\bstands? for\b|abbreviat|acronym", case.question, re.I) and abbreviates(
        case.answer_text, case.truth_text, case.focus.text
    ):
        return ""
    for alias in _ALIAS.findall(case.truth):
        if share(content_words(read(alias)), fresh) >= 0.5:
            return ""
    if not news(keys, case.asked):
        return _in_the_same_order(case, keys)
    items = () if explains(case.question) else case.focus.items
    apposed = re.match(r",\s(?:an?|the)\s([^,.;]+)", case.focus.rest)
    if apposed and case.kind == "text" and share(content_words(read(apposed[1])), fresh) == 1.0:
        return ""
    if items and case.kind in ("text", "who", "number"):
        return items_said(case, items, fresh)
    stems = {k.stem for k in keys}
    covered = share(keys, [w for w in case.stated if not find(w, case.asked)])
    enough = _ENOUGH_FEW if len(stems) < _MANY else _ENOUGH_MANY
    if explains(case.question) and len(stems) >= _EXPLAINED:
        enough = _ENOUGH_OF_REASON
    elif case.kind == "yesno":
        enough = 0.5
    elif covered >= 0.6 and not any(slot_taken(case, k) for k in keys if not find(k, fresh)):
        enough = 0.6 if all(nothing_beside(case, k) for k in keys if find(k, fresh)) else enough
    novel = [w for w in case.novel if not case.is_figure(w)]
    if case.kind == "who" and _person(case, keys, fresh):
        return _rival_person(case, keys)
    if covered >= enough or _first_of_name(case, keys):
        return _also_said(case, keys, fresh)
    if covered > 0 and not novel and (covered >= 0.25 or len(fresh) >= 1) and not case.focus.items:
        return ""
    if figures_said(case, keys, fresh) and not any(slot_taken(case, k) for k in keys if not find(k, fresh)):
        return ""
    core = _core(case, keys)
    if core and share(core, fresh) == 1.0 and all(nothing_beside(case, k) for k in core):
        return _also_said(case, core, fresh)
    if covered >= 0.5 and _head_said(case, keys):
        return _hedged(case, keys, fresh) or added(case, [keys])
    lacking = next(k.text for k in keys if not find(k, fresh)) if covered < 1 else ""
    return f"does not say {lacking!r}" if covered else f"says nothing of {' '.join(k.text for k in keys[:4])!r}"


def _proper(word: Word) -> bool:
    return word.capital and word.text.lower() not in GENERIC


def _in_the_same_order(case: Case, keys: Sequence[Word]) -> str:
    """Where the truth has only words of the question: most of them must come, in its order."""
    if share(keys, case.said) < 0.5:
        return f"does not say {' '.join(k.text for k in keys[:4])!r}"
    places = [min(f.at for f in find(k, case.said)) for k in keys if find(k, case.said)]
    return "" if places == sorted(places) else "says it in another order"


def _head_said(case: Case, keys: Sequence[Word]) -> bool:
    """Whether one of a few words is said, with nothing strange beside it ("the skull" for "human skull")."""
    said = [k for k in keys if find(k, case.fresh)]
    lacking = [k for k in keys if not find(k, case.said)]
    if not said or len(keys) > 3 or any(k.capital for k in lacking):
        return False
    between = read(case.focus.text)[keys[0].at : keys[-1].at]
    if any(w.text.lower() in ("the", "a", "an") for w in between[1:]):
        return False  # another thing begins in between
    return any(nothing_beside(case, k) for k in said) and not any(slot_taken(case, k) for k in lacking)


_NAMED = re.compile(r"\b(?:what|which|who)\b(?!.*\b(?:mean|difference|happen|do|does this do|used|about|say)\b)", re.I)
_ADJUNCT = re.compile(
    r",|\s(?:during|in|on|at|after|before|when|while|for|with|from|by|instead of|rather than|along|near|except"
    r"|as|to|that"
    r"|because|since|against|over)\s",
    re.I,
)


def _core(case: Case, keys: Sequence[Word]) -> list[Word]:
    """Of the answering words those of the first name or thing, where a question asks for one; what is added to it
    ("oxygen during photosynthesis") need not be said."""
    text = case.focus.text.strip()
    cut = _ADJUNCT.search(text)
    if not _NAMED.search(case.question) or case.focus.items or cut is None:
        return []
    head = read(f"is {text[: cut.start()]}")
    return [k for k in keys if find(k, head)]


def _also_said(case: Case, keys: Sequence[Word], fresh: Sequence[Word]) -> str:
    """What is wrong beside the right words: another one offered, an item too many, a place that is not theirs."""
    if found := _hedged(case, keys, fresh) or _ranked_behind(case, keys) or _behind_than(case, keys):
        return found
    told = explains(case.question) or re.match(r"\W*how\b", case.question, re.I)
    return added(case, [keys]) if case.kind in ("text", "who") and not told else ""


def _behind_than(case: Case, keys: Sequence[Word]) -> str:
    """ "Cheddar has more than parmesan" where parmesan has the most."""
    cut = re.search(r"\bthan\b", case.answer)
    if cut is None or not compares(case.question) or " than " in case.truth:
        return ""
    ahead, behind = read(case.answer[: cut.start()]), read(re.split(r"[,.;]\s", case.answer[cut.end() :])[0])
    turned = any(opposed(a, q) for a in ahead for q in case.asked) or any(a.denied for a in ahead)
    late = share(keys, behind) > share(keys, ahead)
    return f"says something else is more so than {keys[0].text!r}" if late and not turned else ""


def _first_of_name(case: Case, keys: Sequence[Word]) -> bool:
    """ "Penguin" for "Penguin Books": the first word of a name, with no other name beside it."""
    named = all(k.capital for k in keys) and keys[-1].at - keys[0].at == len(keys) - 1 <= 2
    return named and bool(find(keys[0], case.fresh)) and nothing_beside(case, keys[0])


def _ranked_behind(case: Case, keys: Sequence[Word]) -> str:
    """Something else of the truth is named first, and what was asked for only after a "then"."""
    behind = re.search(r"\b(?:then|followed by|second comes|after that|ahead of)\b", case.answer)
    if behind is None or re.search(r"\b(?:then|first)\b", case.truth + case.question):
        return ""
    first, later = read(case.answer[: behind.start()]), read(case.answer[behind.end() :])
    other = [w for w in content_words(first) if case.elsewhere(w) and not find(w, case.asked)]
    late = any(find(k, later) for k in keys) and not any(find(k, first) for k in keys)
    return f"puts {other[0].text!r} first" if late and other else ""


def _person(case: Case, keys: Sequence[Word], fresh: Sequence[Word]) -> bool:
    """Whether the last name is said of a name of two to four words."""
    names = [k for k in keys if k.text[0].isalpha()]
    return 1 <= len(names) <= 4 and bool(find(names[-1], fresh))


def _rival_person(case: Case, keys: Sequence[Word]) -> str:
    if found := other_person(case.answer_text, case.truth_text, case.question_text, [k.text for k in keys]):
        return f"names {found!r}"
    return _hedged(case, keys, case.said)


def _hedged(case: Case, keys: Sequence[Word], fresh: Sequence[Word]) -> str:
    """Whether the right thing is only one of several that are offered."""
    if re.search(r"\bor\b", case.truth) or re.search(r"\bor\b", case.question):
        return ""
    first = re.split(r"(?<=[a-z)])[.;]\s", case.answer)[0]
    if len(re.findall(r"\b(?:some|others) (?:say|claim|think|believe)\b", first, re.I)) > 1:
        return "offers several"
    if not re.search(r"\bor\b(?! (?:not|so|more|less|rather)\b)", first):
        return ""
    also = re.match(r"^[^,]*, or (?!maybe|perhaps|possibly)(.*)$", first)
    unsure = re.search(r"\b(?:either|maybe|perhaps|could|might|may|possibly)\b", first)
    if also and not unsure and share(keys, read(also[1])) >= _ENOUGH_FEW:
        return ""  # "a maidenhair tree, or Ginkgo biloba": another name for it
    pieces = [content_words(read(p)) for p in re.split(r",|\bor\b|\beither\b", first)]
    known = [p for p in pieces if any(find(w, keys) for w in p)]
    best = max((share(keys, p) for p in known), default=0.0)
    strange = [
        p
        for p in pieces
        if p and len(p) <= 4 and share(keys, p) < best and any(not find(w, keys) and not find(w, case.asked) for w in p)
    ]
    return f"offers {' '.join(w.text for w in strange[0])!r} as well" if known and strange else ""
