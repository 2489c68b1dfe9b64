"""Lists in an answer and a ground truth, for the lexical judge: every item said, none too many, steps in their order.

Every function that judges returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from eval.judges.lexical.case import Case
from eval.judges.lexical.focus import VERB
from eval.judges.lexical.numbers import agree
from eval.judges.lexical.parts import nothing_beside
from eval.judges.lexical.words import Word, content_words, find, main_part, read, share

_ORDERED = re.compile(r"\b(?:steps?|order|sequence|first \w+ then|instructions)\b", re.I)


def items_said(case: Case, items: Sequence[Sequence[Word]], fresh: Sequence[Word]) -> str:
    lacking = []
    for item in items:
        words = [w for w in item if not case.is_figure(w)]
        if not words:
            if not _figures_of(case, item):
                lacking.append(item)
            continue
        figured = len(words) < len(item) and _figures_of(case, item)
        only = [w for w in words if not any(find(w, other) for other in items if other is not item)]
        if not figured and not _item_said(case, words, fresh, only):
            lacking.append(item)
    joint = re.search(r"\bor\b", case.focus.text) and not re.search(r"\band\b", case.focus.text)
    joint = joint and "," not in case.focus.text and not re.search(r"\b(?:only|just)\b", case.answer, re.I)
    if lacking and joint and len(items) == 2 and len(lacking) == 1:
        lacking = []
    if lacking:
        return f"leaves out {' '.join(w.text for w in lacking[0])!r}"
    return added(case, items) or _out_of_order(case, items)


def _figures_of(case: Case, item: Sequence[Word]) -> bool:
    """Whether the amounts that make up an item of a list are said."""
    values = {w.text for w in item}
    wanted = [a for a in case.gold_amounts if f"{a.said.value:g}" in values]
    return all(any(agree(said, gold) for said in case.stated_amounts) for gold in wanted)


def _item_said(case: Case, words: Sequence[Word], fresh: Sequence[Word], only: Sequence[Word]) -> bool:
    """Whether an item is said: whole, most of it, or a word that no other item has with nothing strange beside it."""
    told = share(words, fresh)
    if told == 1.0 or (told > 0.6 and find(words[-1], fresh)) or told >= 0.75:
        return True
    return told > 0 and any(nothing_beside(case, w) for w in only if find(w, fresh))


_JOINS = re.compile(r"\s*(?:,\s*(?:and\b|or\b|plus\b)?|\band\b|\bor\b|\bplus\b|&|:)\s+")


_CONTRAST = re.compile(r";|\b(?:but|while|whereas|not)\b")
_NO_ITEM = re.compile(
    r"\s*(?:both|after|before|in|on|at|with|from|by|of|for|to|near|more|which|who|that|as|like|including|especially"
    r"|mainly|not|but|so|while|when|where|namely|such|known|called|also|although|though|if)\b",
    re.I,
)


def added(case: Case, items: Sequence[Sequence[Word]]) -> str:
    """An item that stands in the answer's list and not in the truth's.

    The list is the run of pieces around those that the truth has, joined by commas and at least one "and" or "or"; what
    explains, places or says something of them ends it.
    """
    first = main_part(re.split(r"(?<=[a-z)])[.;]\s", case.answer)[0])
    cuts = [0, *(m.end() for m in _JOINS.finditer(first)), len(first)]
    pieces = [first[a:b] for a, b in itertools.pairwise(cuts)]
    pieces[0] = re.split(r"\b(?:in|of|with|from|for|is|are|has|have|contains?|eats?|gets?)\s", pieces[0])[-1]
    words = [[w for w in content_words(read(_JOINS.sub(" ", piece))) if not w.text.endswith("ly")] for piece in pieces]
    flat = [w for item in items for w in item]
    known = [i for i, own in enumerate(words) if any(find(w, flat) for w in own)]
    if not known:
        return ""
    for step, start in ((1, known[-1]), (-1, known[0])):
        run, i = [], start + step
        while 0 <= i < len(pieces) and _is_item(pieces[i], words[i], single=len(items) == 1, opens=i == 0):
            run.append(i)
            i += step
        whole = [*range(known[0], known[-1] + 1), *run, i]
        joint = any(_AND.search(pieces[j]) for j in whole if 0 <= j < len(pieces) - 1)
        for j in run if joint else ():
            if _strange(case, words[j], flat, items):
                return f"adds {' '.join(w.text for w in words[j])!r}"
    between = [own for own in words[known[0] : known[-1]] if 1 <= len(own) <= 3 and len(items) > 1]
    strange = next((own for own in between if _strange(case, own, flat, items)), None)
    return f"adds {' '.join(w.text for w in strange)!r}" if strange else ""


_AND = re.compile(r"\b(?:and|or|plus)\s*$|&\s*$")


def _is_item(piece: str, words: Sequence[Word], *, single: bool, opens: bool) -> bool:
    """Whether a piece between two joints can be an item: a few words, no verb, nothing that explains."""
    if not words or len(words) > 3 or any(VERB.fullmatch(w.text) for w in words) or words[0].text.endswith("ed"):
        return False
    if not opens and (_NO_ITEM.match(piece) or (single and re.match(r"\s*(?:an?|one|the)\b", piece))):
        return False
    return re.search(r"\b(?:is|are|was|were|has|have|it|its|which|that|all|can|i|you)\b", piece, re.I) is None


def _strange(case: Case, words: Sequence[Word], flat: Sequence[Word], items: Sequence[Sequence[Word]]) -> bool:
    """Whether the truth knows nothing of a piece, or knows it only as what it sets against the answer."""
    if not words or any(find(w, flat) for w in words) or find(words[-1], case.asked):
        return False
    told = any(find(w, case.told) for w in words)
    if told and not (case.elsewhere(words[-1]) and _CONTRAST.search(case.truth)):
        return False
    return not any(share(item, words) > 0.5 for item in items)


def _out_of_order(case: Case, items: Sequence[Sequence[Word]]) -> str:
    if not _ORDERED.search(case.question_text):
        return ""
    places = []
    for item in items:
        spots = [f.at for w in item for f in find(w, case.said)]
        if spots:
            places.append(min(spots))
    return "" if places == sorted(places) else "says the steps in another order"
