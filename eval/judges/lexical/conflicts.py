"""What an answer must not say, for the lexical judge: opposites, denials, exceptions, things that have changed places.

Every function returns what is wrong, in a few words, or "" when nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from eval.judges.lexical.case import Case
from eval.judges.lexical.choice import amount_of_other
from eval.judges.lexical.claims import alike, beaten, before_and_after, doer_and_done, other_degree, swapped
from eval.judges.lexical.focus import news
from eval.judges.lexical.names import other_neighbour
from eval.judges.lexical.numeric import other_amount, other_moment, other_score, other_solution, price_of_free
from eval.judges.lexical.parts import asked_denied, but_another, moved, of_another, replaced
from eval.judges.lexical.words import Word, content_words, find, opposed, read

_ORDINAL = re.compile(r"^(?:first|second|third|\d+(?:st|nd|rd|th))$", re.I)
_MEASURES = frozenset(("deep", "apart", "wide", "tall", "high", "long", "thick"))
_VERBS = frozenset(("is", "are", "was", "were", "does", "do", "did", "can", "has", "have", "could", "will"))
_NO_NAMES = re.compile(
    r"^(?:f|c|fahrenheit|celsius|mp|am|pm|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|\w+day)$",
    re.I,
)


def contradiction(case: Case, *, polar: bool, turned: bool = False) -> str:
    """What an answer says against the truth.

    A rule that would find the truth itself at fault has misread it, and is not heard.

    Args:
        case: the three texts.
        polar: the question wants yes or no, which was looked at already.
        turned: the question compares two things, which was looked at already; the answer may compare the other way.
    """
    rules: list[Callable[[Case], str]] = [
        other_amount,  price_of_free, other_moment, _other_ordinal, _other_measure, _other_doer,
        lambda c: _opposite(c, polar=polar, turned=turned),
        lambda c: other_degree(c.truth, c.answer, c.focus.keys),
        lambda c: alike(c.truth, c.answer),
        other_score,
        other_solution,
        lambda c: beaten(c.truth, c.answer, c.focus.keys if c.kind == "who" else ()),
        replaced,
        lambda c: amount_of_other(c.question, c.truth, c.answer),
        lambda c: other_neighbour(c.told, c.said, c.asked),
        lambda c: _denied(c, polar=polar),
        lambda c: _other_name(c, polar=polar),
        _wrong_place,
    ]  # fmt: skip
    if not turned:
        rules.append(lambda c: before_and_after(c.truth, c.answer))
    if not turned and not polar:
        rules += [
            moved,
            of_another,
            but_another,
            asked_denied,
            _swap,
            lambda c: doer_and_done(c.truth, c.answer, c.asked),
        ]
    for rule in rules:
        if (found := rule(case)) and not rule(case.of_truth):
            return found
    return ""


def _other_measure(case: Case) -> str:
    """ "18 inches deep" for "18 inches apart"."""
    said = [w.stem for w in case.said if w.text.lower() in _MEASURES]
    told = [w.stem for w in [*case.told, *case.asked] if w.text.lower() in _MEASURES]
    return f"says {said[0]!r}, not {told[0]!r}" if said and told and not set(said) & set(told) else ""


def _other_doer(case: Case) -> str:
    """Somebody else of the truth does in the answer what the question asks about ("Márquez translated it")."""
    if case.kind != "who":
        return ""
    for word in content_words(case.said):
        if not find(word, case.asked) or word.at == 0:
            continue
        before = [w for w in case.said[: word.at] if w.clause == word.clause]
        if before and before[-1].text.lower() in _VERBS:
            continue
        others = [w for w in before if w.capital or w.at == 0]
        others = [w for w in others if w.content and find(w, case.told) and not find(w, case.asked)]
        if others and not any(find(w, case.focus.keys) for w in before):
            return f"says that {others[0].text!r} did"
    return ""


def _other_ordinal(case: Case) -> str:
    """ "the first part" where the truth says the second."""
    told, said = ([w for w in words if _ORDINAL.match(w.text)] for words in (case.told, case.said))
    strange = [w for w in said if not find(w, told) and not find(w, case.asked)]
    lacking = [w for w in told if not find(w, said)]
    return f"says {strange[0].text!r}, not {lacking[0].text!r}" if strange and lacking else ""


def _wrong_place(case: Case) -> str:
    """The right words are said of something else, and other words of what was asked."""
    if case.kind not in ("text", "who") or not case.focus.keys:
        return ""
    clauses = [
        content_words(read(c))
        for c in re.split(r"(?<!\b[A-Z])[.;,](?:\s|$)|\b(?:and|but|while|whereas)\b", case.answer)
    ]
    clauses = [c for c in clauses if c]
    if len(clauses) < 2:
        return ""
    asked = content_words(case.asked)

    def fits(clause: Sequence[Word]) -> int:
        return sum(bool(find(q, clause)) for q in asked) - sum(opposed(w, q) for w in clause for q in asked)

    right = [c for c in clauses if any(find(k, c) for k in case.focus.keys)]
    other = [c for c in clauses if c not in right]
    if not right or not other:
        return ""
    best = max(other, key=fits)
    ahead = fits(best) - max(map(fits, right))
    strange = [w for w in best if not find(w, case.focus.keys) and not find(w, case.asked) and not w.text[0].isdigit()]
    if clauses[0] in right:
        return ""
    if strange and fits(best) >= 1 and ahead >= (1 if len(content_words(case.said)) <= 10 else 2):
        return f"says {strange[0].text!r} of what was asked"
    return ""


_DEGREE = re.compile(r"(?:er|est)\b|\b(?:more|less|most|least|fewer|expensive|cheap)\b")


def _opposite(case: Case, *, polar: bool, turned: bool) -> str:
    if turned or (" than " in case.answer and " than " not in case.truth and not polar):
        return ""
    told = [w for w in content_words(case.told) if not case.elsewhere(w)]
    for word in case.mainly:
        if word.denied or find(word, case.told) or find(word, case.asked):
            continue
        for other in told:
            if opposed(word, other) and not other.denied and not find(other, case.said):
                if find(other, case.asked) and (polar or not _DEGREE.search(f"{word.text} {other.text}")):
                    continue
                return f"says {word.text!r} where the truth says {other.text!r}"
        if found := _bound_to_opposite(case, word):
            return found
    return ""


def _bound_to_opposite(case: Case, word: Word) -> str:
    """ "Active at night and asleep by day" for "active by day": both are said, the opposite beside the truth's word."""
    told, said = content_words(case.told), content_words(case.said)
    for other in told:
        own = find(other, said)
        if not opposed(word, other) or other.denied or not own:
            continue
        for beside in told:
            if (
                beside.clause != other.clause
                or beside is other
                or find(beside, case.asked)
                or len(find(beside, said)) != 1
            ):
                continue
            spot = find(beside, said)[0]
            place = spot.at
            if (
                spot.clause == word.clause
                and abs(place - word.at) < min(abs(place - f.at) for f in own)
                and abs(beside.at - other.at) <= 4
            ):
                return f"says {word.text!r} of {beside.text!r}, not {other.text!r}"
    return ""


def _denied(case: Case, *, polar: bool) -> str:
    """A word that the one denies or excepts and the other does not."""
    keys = [k for k in content_words(case.told) if not case.elsewhere(k)]
    figured = {w.clause for w in case.said if w.text[0].isdigit()}
    for key in keys:
        if polar and find(key, case.asked):
            continue
        found = [f for f in find(key, case.said) if not polar or f.sentence == 0]
        if case.kind in ("number", "when"):
            found = [f for f in found if f.clause in figured]
        if not found or key.text[0].isdigit():
            continue
        own = [k for k in keys if k.stem == key.stem]
        truth_says, answer_says = {k.denied for k in own}, {f.denied for f in found}
        if truth_says != answer_says and any(
            _forbidden(w, words) for w, words in ((key, case.told), (found[0], case.said))
        ):
            continue
        if (
            len(truth_says) == 1
            and len(answer_says) == 1
            and truth_says != answer_says
            and (polar or not any(w.denied for w in case.asked))
            and not _undone(case, key, found)
        ):
            return f"{'denies' if found[0].denied else 'affirms'} {key.text!r}"
        only = re.search(r"\bonly\b", case.answer, re.I) and not re.search(r"\bonly\b", case.truth, re.I)
        if only and any(k.excepted for k in own) and not _other_rule(case):
            return f"says it only of {key.text!r}, which the truth excepts"
        only_so = polar and re.search(r"\bonly\b", case.truth, re.I)
        if all(f.excepted for f in found) and not any(k.excepted for k in own) and not only_so:
            return f"excepts {key.text!r}"
        if case.kind == "number" and all(k.excepted for k in own) and not any(f.excepted or f.denied for f in found):
            return f"says it of {key.text!r}, which the truth excepts"
        if not polar and all(f.excepted for f in found) and any(k.excepted for k in own) and _other_rule(case):
            return f"excepts {key.text!r} from something else"
    return ""


_FORBIDS = re.compile(r"(?:prohibited|forbidden|banned|ban|disallowed|refused|illegal|unlawful)$", re.I)


def _forbidden(word: Word, among: Sequence[Word]) -> bool:
    """Whether a word is what its clause forbids: as good as denied."""
    return any(w.clause == word.clause and w is not word and _FORBIDS.match(w.text) and not w.denied for w in among)


def _undone(case: Case, key: Word, found: Sequence[Word]) -> bool:
    """Whether the denial falls on an opposite, too ("not cold" for "warm")."""
    return key.denied and bool(find(key, case.asked))


def _other_rule(case: Case) -> bool:
    """Whether what holds but for the exception is another thing in the answer than in the truth."""
    ruled = [w for w in content_words(case.told) if not w.excepted and not find(w, case.asked)]
    return not any(find(w, case.said) for w in ruled)


def _swap(case: Case) -> str:
    found = swapped(case.truth, case.answer) if case.kind != "number" else ""
    return f"things have changed places: {found!r}" if found else ""


_PLACED = re.compile(r"\b(?:in|at|near|from|on|to|by)\s((?:(?:the\s)?[A-Z][\w'-]+\s?)+)")


def _other_name(case: Case, *, polar: bool) -> str:
    """Another name where the truth's own is not said, in answers that rest on yes, no, an amount or a date."""
    if not polar and (case.kind not in ("when", "number") or case.truth.islower()):
        return ""
    unquoted = re.sub(r"[\"“].*?[\"”]", " ", case.answer)
    first = re.split(r"(?<=[a-z)])[.;]\s", unquoted)[0]
    if polar and not any(w.capital for w in news(content_words(case.told), case.asked)):
        first = re.split(r"\b(?:is|are|was|were|has|have|does|do|can|will)\b", first)[0]
    named = [w for w in content_words(read(first)) if w.capital and not find(w, case.told) and not find(w, case.asked)]
    places = {w.text for m in _PLACED.finditer(first) for w in read(m[1])}
    named = [w for w in named if not _NO_NAMES.match(w.text) and len(w.text) > 2 and w.text not in places]
    own = [w for w in news(content_words(case.told), case.asked) if w.capital or case.truth.islower()]
    own = [w for w in own if not _NO_NAMES.match(w.text)]
    if named and own and not any(find(w, case.said) for w in own):
        return f"names {named[0].text!r}"
    return ""
