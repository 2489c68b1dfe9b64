"""What an answer must say in words, for the lexical judge: the answering words, all items of a list, the right name.

Every function that judges returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.lexical_case import Case
from eval.lexical_focus import news
from eval.lexical_names import abbreviates, other_person
from eval.lexical_numbers import agree
from eval.lexical_numeric import amounts_said, figures_said, moments_said
from eval.lexical_tables import GENERIC
from eval.lexical_words import Word, content, find, read, share

#: How much of the answering words must be said: of a few all but one in four, of many a little over half.
_ENOUGH_FEW, _ENOUGH_MANY, _MANY = 0.7, 0.55, 5
_ALIAS = re.compile(
    r"\b(?:also (?:known|called|referred to) as|also called|aka|a\.k\.a\.|or simply|known as)\s+([^.,;()]+)", re.I
)
_ORDERED = re.compile(r"\b(?:steps?|order|sequence|first \w+ then|instructions)\b", re.I)


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
        if share(content(read(alias)), fresh) == 1.0:
            return ""
    if not news(keys, case.asked):
        return _in_the_same_order(case, keys)
    items = case.focus.items
    if items and case.kind in ("text", "who", "number"):
        return _items(case, items, fresh)
    stems = {k.stem for k in keys}
    covered = share(keys, [w for w in case.stated if not find(w, case.asked)])
    enough = _ENOUGH_FEW if len(stems) < _MANY else _ENOUGH_MANY
    novel = [w for w in case.novel if not case.is_figure(w)]
    if case.kind == "who" and _person(case, keys, fresh):
        return _rival_person(case, keys)
    if covered >= enough:
        return _hedged(case, keys, fresh)
    if covered > 0 and not novel and (covered >= 0.25 or len(fresh) >= 1) and not case.focus.items:
        return ""
    if figures_said(case, keys, fresh):
        return ""
    if covered >= 0.5 and _head_said(case, keys):
        return _hedged(case, keys, fresh)
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
    """Whether the last of a few words is said, with no other word before it ("the skull" for "human skull")."""
    found = find(keys[-1], case.said)
    lacking = [k for k in keys if not find(k, case.said)]
    if not found or len(keys) > 3 or any(k.capital for k in lacking) or keys[-1].capital:
        return False
    between = read(case.focus.text)[keys[0].at : keys[-1].at]
    if any(w.text.lower() in ("the", "a", "an") for w in between[1:]):
        return False  # another thing begins in between
    before = [case.said[f.at - 1] for f in found if f.at]
    return all(not b.content or (find(b, case.told) and not case.elsewhere(b)) for b in before)


def _items(case: Case, items: Sequence[Sequence[Word]], fresh: Sequence[Word]) -> str:
    lacking = []
    for item in items:
        words = [w for w in item if not case.is_figure(w)]
        if not words:
            if not _figures_of(case, item):
                lacking.append(item)
            continue
        if not _item_said(case, words, fresh):
            lacking.append(item)
    joint = re.search(r"\bor\b", case.focus.text) and not re.search(r"\band\b", case.focus.text)
    joint = joint and "," not in case.focus.text and not re.search(r"\b(?:only|just)\b", case.answer, re.I)
    if lacking and joint and len(items) == 2 and len(lacking) == 1:
        lacking = []
    if lacking:
        return f"leaves out {' '.join(w.text for w in lacking[0])!r}"
    return _added(case, items) or _out_of_order(case, items)


def _figures_of(case: Case, item: Sequence[Word]) -> bool:
    """Whether the amounts that make up an item of a list are said."""
    values = {w.text for w in item}
    wanted = [a for a in case.gold_amounts if f"{a.said.value:g}" in values]
    return all(any(agree(said, gold) for said in case.stated_amounts) for gold in wanted)


def _item_said(case: Case, words: Sequence[Word], fresh: Sequence[Word]) -> bool:
    """Whether an item is said: whole, most of it, or its last word with nothing strange before it."""
    told = share(words, fresh)
    if told == 1.0 or (told > 0.6 and find(words[-1], fresh)) or told >= 0.75:
        return True
    if told < 0.5:
        return False
    if not find(words[-1], fresh):
        return len(words) > 1 and _shared_head(case, words)
    before = [case.said[f.at - 1] for f in find(words[-1], case.said) if f.at > 0]
    return not any(b.content and not find(b, case.told) and not find(b, case.asked) for b in before)


def _shared_head(case: Case, words: Sequence[Word]) -> bool:
    """ "White or light blue" for "a light blue or white shirt": the last item's head goes without saying."""
    return words[-1] is case.focus.items[-1][-1] and len(words) == 2


def _added(case: Case, items: Sequence[Sequence[Word]]) -> str:
    """An item that stands in the answer's list and not in the truth."""
    pieces = re.split(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&)\s+", re.split(r"(?<=[a-z)])[.;]\s", case.answer)[0])
    flat = [w for item in items for w in item]
    if len(pieces) < 2:
        return ""
    for piece in pieces:
        words = content(read(piece))
        if not words or len(words) > 3 or re.search(r"\b(?:is|are|was|were|has|have|it|its|which|that|all)\b", piece):
            continue
        known = find(words[-1], case.told) and not case.elsewhere(words[-1])
        strange = not (find(words[-1], flat) or known or find(words[-1], case.asked))
        if strange and not any(share(item, words) > 0.5 for item in items):
            return f"adds {' '.join(w.text for w in words)!r}"
    return ""


def _out_of_order(case: Case, items: Sequence[Sequence[Word]]) -> str:
    if not _ORDERED.search(case.question_text):
        return ""
    places = []
    for item in items:
        spots = [f.at for w in item for f in find(w, case.said)]
        if spots:
            places.append(min(spots))
    return "" if places == sorted(places) else "says the steps in another order"


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
    if not re.search(r"\bor\b", first):
        return ""
    pieces = [content(read(p)) for p in re.split(r",|\bor\b|\beither\b", first)]
    known = [p for p in pieces if any(find(w, keys) for w in p)]
    best = max((share(keys, p) for p in known), default=0.0)
    strange = [
        p
        for p in pieces
        if p and len(p) <= 4 and share(keys, p) < best and any(not find(w, keys) and not find(w, case.asked) for w in p)
    ]
    return f"offers {' '.join(w.text for w in strange[0])!r} as well" if known and strange else ""
