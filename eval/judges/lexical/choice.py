"""Which of two things an answer chooses, for the lexical judge: "which is heavier", "is it A or B"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.judges.lexical.numbers import Amount, agree, amounts, comparable
from eval.judges.lexical.tables import OPPOSITE
from eval.judges.lexical.words import Word, content_words, find, read

_THAN = frozenset(("than", "more", "less", "before", "after", "first"))
_LESS = frozenset(("weaker", "less", "lower", "fewer", "smaller", "inferior", "worse"))
_NEITHER = re.compile(
    r"\b(?:both (?:are|have|is|were|can|work|of|\w+ and)|equally|neither|either (?:one|of)|about the same)\b", re.I
)
_COMPARATIVE = re.compile(r"\b(?:\w{3,}(?:er|est)|more|most|less|least|fewer|fewest|before|after|than)\b", re.I)


def chosen_problem(question: str, truth: str, answer: str) -> str | None:
    """What is wrong with an answer to "which of two"; "" when it chooses as the truth does, None when unclear."""
    sides = _sides(question, truth) or _options(question, truth)
    if sides is None:
        return None
    winner, loser, word = sides
    if _NEITHER.search(answer) and not _NEITHER.search(truth):
        return "chooses neither"
    sentences = re.split(r"(?<=[a-z0-9)])[.!?]\s+", answer)
    told = [sentences[0], *(s for s in sentences[1:] if re.match(r"(?:so|therefore|thus|hence)\b", s, re.I))]
    clauses = [clause for sentence in told for clause in _clauses(sentence)]
    comparing = [c for c in clauses if any(w in OPPOSITE or w in _THAN for w in re.findall(r"[a-z]+", c.lower()))]
    outright = [c for c in comparing if degrees(c) or any(w in _THAN for w in re.findall(r"[a-z]+", c.lower()))]
    found = [_pick(clause, winner, loser, word, question) for clause in outright or comparing or clauses[:1]]
    picks = {pick for pick in found if pick is not None}
    if not picks and comparing:
        picks = {pick for pick in [_pick(clauses[0], winner, loser, word, question)] if pick is not None}
    if not picks:
        return None
    if len(picks) == 2:
        return "chooses the one and then the other"
    return "" if picks.pop() else f"chooses the other one, not {' '.join(w.text for w in winner)}"


def option_problem(question: str, truth: str, answer: str) -> str | None:
    """As `chosen_problem`, for "is it A or B" where the truth names only one of the two; None when unclear."""
    cut = re.search(r"\bor\b", question)
    if cut is None:
        return None
    left, right = content_words(read(question[: cut.start()]))[-3:], content_words(read(question[cut.end() :]))[:3]
    one = [w for w in left if not find(w, right)]
    two = [w for w in right if not find(w, left)]

    def named(text: str) -> set[bool]:
        words = read(text)
        ones, twos = ([f for w in side for f in find(w, words)] for side in (one[-1:], two[:1]))
        first = any(not f.denied for f in ones) or (not ones and bool(twos) and all(f.denied for f in twos))
        second = any(not f.denied for f in twos) or (not twos and bool(ones) and all(f.denied for f in ones))
        return {side for side, there in ((True, first), (False, second)) if there}

    wanted, said = named(truth), named(answer)
    if len(wanted) != 1:
        wanted = named(re.split(r",?\s*\b(?:so|therefore|hence)\b", truth)[-1])
    if len(wanted) != 1:
        return None
    if len(said) != 1:
        return "names both" if said else None
    return "" if said == wanted else "names the other one"


def _options(question: str, truth: str) -> tuple[list[Word], list[Word], str] | None:
    """As `_sides`, for a truth that is one of the two that "which is first, A or B" names."""
    cut = re.search(r"(\w+ \w+|\w+),? or (?:the |a |an |this |that )?(\w+ \w+|\w+)\W*$", question, re.I)
    said = re.search(rf"{_COMPARATIVE.pattern}|\b(?:first|last)\b", question, re.I)
    if cut is None or said is None or len(content_words(read(truth))) > 4:
        return None
    one, two = (content_words(read(side)) for side in cut.groups())
    told = read(truth)
    named = [(own, other) for own, other in ((one, two), (two, one)) if own and all(find(w, told) for w in own)]
    if len(named) != 1 or any(find(w, named[0][0]) for w in named[0][1]):
        return None
    return named[0][0], named[0][1], said[0].lower()


def amount_of_other(question: str, truth: str, answer: str) -> str:
    """The winner is given an amount that is the other one's; "" otherwise."""
    sides = _sides(question, truth) if re.search(r"\b(?:which|who|what)\b", question, re.I) else None
    own, said = ([a for a in amounts(text) if a.said.unit is not None] for text in (truth, answer))
    if sides is None or len(own) < 2:
        return ""
    first, given = (_next_to(sides[0], text, found) for text, found in ((truth, own), (answer, said)))
    if first is None or given is None or agree(given, first):
        return ""
    if any(agree(given, other) and comparable(other, first) for other in own if other is not first):
        return f"says {given.written} of what is {first.written}"
    return ""


def _next_to(words: Sequence[Word], text: str, found: Sequence[Amount]) -> Amount | None:
    """The first amount behind the first of some words, with no word like "than" or "while" between."""
    spot = re.search("|".join(rf"\b{re.escape(w.text)}\b" for w in words), text, re.I)
    after = [a for a in found if spot and a.said.start >= spot.end()]
    if (
        not spot
        or not after
        or re.search(r"\b(?:than|while|whereas|against|but)\b|[.;]\s", text[spot.end() : after[0].said.start])
    ):
        return None
    return after[0]


def _clauses(text: str) -> list[str]:
    return [c for c in re.split(r"[.;](?:\s|$)|,\s*(?:so|and|but|while|whereas)\b", text) if c.strip()]


def _sides(question: str, truth: str) -> tuple[list[Word], list[Word], str] | None:
    """(words of the winner only, words of the loser only, the comparing word) of a ground truth."""
    cut = re.search(
        r"\bthan\b|\bcompared (?:to|with)\b|\bsurpass\w*|\bexceed\w*|\bversus\b|\bagainst\b|;|\bwhile\b|\bbefore\b"
        r"|\bwhereas\b",
        truth,
        re.I,
    )
    if cut is None:
        return None
    head, tail = truth[: cut.start()], truth[cut.end() :]
    comparing = [
        m[0].lower() for m in _COMPARATIVE.finditer(head) if m[0].lower() in OPPOSITE or m[0].lower() == "more"
    ]
    verb = re.search(r"\b(?:is|are|was|were|has|have|had|costs?|weighs?|contains?|sells?|can|goes)\b", head)
    winner_text = (head[: verb.start()] if verb else head).split(" that ")[-1]
    winner = [w for w in content_words(read(winner_text)) if not w.text[0].isdigit()]
    loser = [w for w in content_words(read(re.split(r",|\bwith\b|\bat\b", tail)[0])) if not w.text[0].isdigit()]
    only_w = [w for w in winner if not find(w, loser)]
    only_l = [w for w in loser if not find(w, winner)]
    if not only_w:
        return None
    return only_w, only_l, comparing[-1] if comparing else ("first" if cut[0].lower() == "before" else "")


def _pick(clause: str, winner: Sequence[Word], loser: Sequence[Word], word: str, question: str) -> bool | None:
    """Whether a clause chooses the winner (True) or the loser; None when it chooses neither."""
    words = read(clause)
    marks = [(w.at, True, w) for w in words if find(w, winner)] + [(w.at, False, w) for w in words if find(w, loser)]
    marks.sort(key=lambda mark: mark[0])
    if not marks:
        return None
    comparing = [
        w for w in words if w.text.lower() in OPPOSITE or w.text.lower() in ("than", "more", "less", "before", "after")
    ]
    turned = any(_other_way(w.text.lower(), word, question) for w in comparing)
    turned ^= any(w.denied for w in comparing if w.text.lower() != "than")
    than = next((w.at for w in words if w.text.lower() in ("than", "before", "after")), None)
    against = next((w.at for w in words if w.text.lower() in ("compared", "against", "to")), None)
    stop = than if than is not None else against
    subject = next((m for m in marks if stop is None or m[0] < stop), None)
    if subject is None:
        later = marks[0]
        return later[1] if turned else not later[1]
    chosen = subject[1] != subject[2].denied
    return chosen if not turned else not chosen


def _other_way(said: str, truth: str, question: str) -> bool:
    if truth in ("", "more") and said in _LESS and not any(w in _LESS for w in question.lower().split()):
        return True
    if said in ("before", "after"):
        first = truth == "first" or "first" in question or "older" in question
        return said == "after" if first else False
    if said == "less" and truth in ("", "more"):
        return True
    return (
        truth in OPPOSITE.get(said, ()) if truth else any(w in OPPOSITE.get(said, ()) for w in question.lower().split())
    )


def degrees(text: str) -> list[str]:
    """The words that compare, in order."""
    return [m[0].lower() for m in _COMPARATIVE.finditer(text) if m[0].lower() in OPPOSITE or m[0].lower() in _LESS]
