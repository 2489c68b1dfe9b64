"""Amounts and moments in an answer against those of the ground truth, for the lexical judge.

Every function returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from eval.judges.lexical import dates as when
from eval.judges.lexical import numbers
from eval.judges.lexical.case import Case
from eval.judges.lexical.words import Word, content_words, find


def age_said(case: Case) -> bool:
    """ "How old": the years or the date, whichever the answer chose."""
    amounts = [g for g in case.gold_amounts if any(numbers.agree(s, g) for s in case.stated_amounts)]
    found = [g for g in case.gold_moments if any(when.agree(s, g) for s in case.stated_moments)]
    return bool(amounts) or bool(found and not case.stated_amounts)


def amounts_said(case: Case) -> str:
    missing = [g for g in case.wanted_amounts if not any(numbers.agree(s, g) for s in case.stated_amounts)]
    if missing:
        if _reckoned(case, missing) or _otherwise_measured(case) or _about_the_middle(case):
            return ""
        said = ", ".join(a.written for a in case.stated_amounts)
        return f"says {said}, not {missing[0].written}" if said else f"does not say {missing[0].written}"
    gold = case.wanted_amounts[0]
    said_right = next(s for s in case.stated_amounts if numbers.agree(s, gold))
    if said_right.bound == 1 and gold.bound == -1:
        return f"says at least {gold.written}, not at most"
    return ""


def _otherwise_measured(case: Case) -> bool:
    """ "10 minutes on foot" where the truth tells the way in minutes and in metres."""
    if any(numbers.comparable(s, g) for s in case.stated_amounts for g in case.wanted_amounts):
        return False
    first = case.wanted_amounts[0]
    other = [
        g
        for g in case.gold_amounts
        if g.said.unit and g.sentence == first.sentence and not numbers.comparable(g, first)
    ]
    return first.said.unit is not None and any(
        numbers.agree(s, g) for s in case.stated_amounts if s.said.unit for g in other
    )


def _about_the_middle(case: Case) -> bool:
    """ "About 10 minutes" for "9 to 11 minutes"."""
    if len(case.wanted_amounts) != 2 or not case.stated_amounts:
        return False
    (low, high), said = case.wanted_amounts, case.stated_amounts[0]
    ends = [numbers.convert(gold.said.value, gold.said.unit, said.said.unit) for gold in (low, high)]
    between = case.truth[low.said.end : high.said.start]
    if ends[0] is None or ends[1] is None or not re.fullmatch(r"\s*(?:-|–|—|to|and)\s*", between):
        return False
    about = re.search(
        r"(?:~|≈|\b(?:about|around|roughly|approximately|some))\s*$", case.answer[: said.said.start], re.I
    )
    return about is not None and ends[0] <= said.said.value <= ends[1]


def _reckoned(case: Case, missing: Sequence[numbers.Amount]) -> bool:
    """ "Two halves of 30 minutes" says 60 minutes."""
    if len(missing) != 1 or len(case.stated_amounts) != 2 or len(case.wanted_amounts) != 1:
        return False
    one, two = (a.said for a in case.stated_amounts)
    return (one.unit is None) != (two.unit is None) and one.value * two.value == missing[0].said.value


def wrong_owner(case: Case) -> str:
    """Another amount of the answer stands where the truth has the one asked for."""
    gold = case.wanted_amounts[0]
    around = gold.near | ({gold.noun} if gold.noun else set()) or {w.stem for w in content_words(case.asked)}
    right = [s for s in case.stated_amounts if numbers.agree(s, gold)]
    others = [s for s in case.said_amounts if s not in right and numbers.comparable(s, gold)]
    if len(case.wanted_amounts) > 1 or not others or not right:
        return _crossed(case)
    best = max(len(s.near & around) for s in right)
    rival = max(others, key=lambda s: len(s.near & around))
    if len(rival.near & around) > best and not any(
        numbers.agree(rival, g) and g.near & rival.near for g in case.gold_amounts
    ):
        return f"says {rival.written} of what is {gold.written}"
    return _crossed(case)


def _crossed(case: Case) -> str:
    """Two amounts of the truth have changed places in the answer."""
    said = [next((s for s in case.said_amounts if numbers.agree(s, gold)), None) for gold in case.gold_amounts]
    for i, (one, a) in enumerate(zip(case.gold_amounts, said, strict=True)):
        for two, b in zip(case.gold_amounts[i + 1 :], said[i + 1 :], strict=True):
            if a is None or b is None or a is b or numbers.agree(one, two):
                continue
            if not numbers.comparable(one, two) and not one.said.unit == two.said.unit is None:
                continue
            straight = len(a.near & one.near - two.near) + len(b.near & two.near - one.near)
            crossing = (len(a.near & two.near - one.near), len(b.near & one.near - two.near))
            cross = sum(crossing)
            if cross > straight and all(crossing):
                return f"{a.written} and {b.written} have changed places"
            wanted = one in case.wanted_amounts and two in case.wanted_amounts
            late = a.said.start > b.said.start and one.said.unit == two.said.unit
            contrast = all(
                re.search(r"\b(?:while|whereas|other)\b", text[min(x, y) : max(x, y)])
                for text, x, y in (
                    (case.truth, one.said.start, two.said.start),
                    (case.answer, a.said.start, b.said.start),
                )
            )
            wanted = wanted or contrast
            if (
                cross == straight == 0
                and late
                and wanted
                and (contrast or (one.noun == two.noun and case.kind == "number"))
            ):
                return f"{a.written} and {b.written} have changed places"
    return ""


def moments_said(case: Case) -> str:
    missing = [g for g in case.wanted_moments if not any(when.agree(s, g) for s in case.stated_moments)]
    if missing:
        return "says another date or time" if case.stated_moments else "does not say when"
    return ""


def figures_said(case: Case, keys: Sequence[Word], fresh: Sequence[Word]) -> bool:
    """Whether an amount or a date makes up the answering part but for a few plain words, and is said."""
    lacking = [k for k in keys if not find(k, fresh)]
    if len(keys) > 3 or any(k.capital for k in lacking) or case.kind in ("who", "choice"):
        return False
    place = case.truth.find(case.focus.text)
    span = range(place, place + len(case.focus.text)) if place >= 0 and case.focus.text else range(0)
    amounts = [g for g in case.gold_amounts if g.said.start in span]
    stretch = [g for g in case.gold_moments if g.start in span]
    if not amounts and not stretch:
        return False
    return all(any(numbers.agree(s, g) for s in case.stated_amounts) for g in amounts) and all(
        any(when.agree(s, g) for s in case.stated_moments) for g in stretch
    )


def other_amount(case: Case) -> str:
    if not case.gold_amounts or not case.said_amounts or _about_the_middle(case):
        return ""
    known = numbers.amounts(case.question)
    for said, gold in itertools.product(case.said_amounts, case.gold_amounts):
        if said.bound * gold.bound == -1 and numbers.agree(said, gold):
            return f"says {'at least' if said.bound == 1 else 'at most'} {said.written}"
    right = [s for s in case.said_amounts if any(numbers.agree(s, g) for g in [*case.gold_amounts, *known])]
    for said in case.said_amounts:
        if said in right or numbers.follows(said, [*case.gold_amounts, *known]):
            continue
        against = [g for g in case.gold_amounts if numbers.comparable(said, g)]
        if not against:
            continue
        if not right or any(_restates(case, said, s) for s in right):
            return f"says {said.written} against {against[0].written}"
        for gold in against:
            alike = gold.said.unit == said.said.unit and (gold.said.unit is not None or gold.near & said.near)
            if (
                alike
                and not any(numbers.close(said, g) for g in case.gold_amounts)
                and not any(numbers.agree(s, gold) for s in case.said_amounts)
            ):
                return f"says {said.written} against {gold.written}"
    return _crossed(case) or _either_amount(case)


def _either_amount(case: Case) -> str:
    """ "7 or 9" where the truth knows only one of the two."""
    if re.search(r"\bor\b", case.truth):
        return ""
    for one, two in itertools.pairwise(case.said_amounts):
        between = case.answer[one.said.end : two.said.start]
        told = [any(numbers.agree(a, g) for g in case.gold_amounts) for a in (one, two)]
        if re.fullmatch(r"\s*,?\s*or\s*(?:about|maybe|perhaps|possibly)?\s*", between) and told.count(True) == 1:
            return f"offers {one.written} or {two.written}"
    return ""


def _restates(case: Case, said: numbers.Amount, right: numbers.Amount) -> bool:
    """Whether an amount is said of the same thing as a right one: one unit, one noun, nothing else beside it."""
    if said.said.unit != right.said.unit:
        return False
    if said.said.unit is None:
        return said.noun is not None and said.noun == right.noun
    return not (said.near - right.near - {w.stem for w in [*case.told, *case.asked]})


def other_moment(case: Case) -> str:
    if not case.gold_moments or not case.said_moments:
        return ""
    known = [*case.gold_moments, *when.moments(case.question)]
    for said in case.said_moments:
        if any(when.agree(said, g) or when.agree(g, said) for g in known):
            continue
        against = [g for g in case.gold_moments if when.comparable(said, g)]
        agreed = all(any(when.agree(s, g) for s in case.said_moments) for g in against)
        age = any(numbers.agree(s, g) for s in case.stated_amounts for g in case.gold_amounts)
        elsewhere = agreed or age or case.kind != "when"
        if against and (not elsewhere or _same_event(case, said, against)):
            return "says another date or time"
    return ""


def _same_event(case: Case, said: when.Moment, against: Sequence[when.Moment]) -> bool:
    """Whether a moment is said of what the truth's are said of: nothing else beside it, or words that they share."""
    near = numbers.around(case.answer, said.start, said.end)
    known = frozenset(w.stem for w in [*case.asked, *(case.told if case.kind == "when" else [])])
    theirs = known.union(*(numbers.around(case.truth, g.start, g.end) for g in against))
    return not near or bool(near & theirs)


_SCORE = re.compile(r"(?<![\d/.,:-])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\d/:-]|\s?(?:[ap]\.?m|[a-zA-Z%°]))")


def other_score(case: Case) -> str:
    """ "3-2" where the truth says "1-0"; told the other way round it is the same."""
    told, said = ([{m[1], m[2]} for m in _SCORE.finditer(text)] for text in (case.truth, case.answer))
    if (
        len(told) == len(said) == 1
        and told != said
        and re.search(r"\b(?:won|win|beat|lost|lose|score|final|match|game)", case.question + case.truth)
    ):
        return "says another score"
    return ""


_SOLUTION = re.compile(r"(?<![\w.])([a-z]) ?= ?([-−]?\d+(?:\.\d+)?)(?![\d.]*[a-z])", re.I)


def other_solution(case: Case) -> str:
    """ "x = 2" at the end where the truth says "x = 4"."""
    told, said = (dict(_SOLUTION.findall(text.replace("−", "-"))) for text in (case.truth, case.answer))
    other = [letter for letter in told.keys() & said.keys() if float(told[letter]) != float(said[letter])]
    return f"says {other[0]} = {said[other[0]]}, not {told[other[0]]}" if other else ""


def price_of_free(case: Case) -> str:
    free = any(w.stem == "free" and not w.denied for w in case.told)
    dear = [a for a in case.said_amounts if (a.said.unit or "").startswith("money:") and a.said.value > 0]
    return f"says {dear[0].written} for what is free" if free and dear and not case.gold_amounts else ""
