"""The lexical judge: compares an answer with a ground truth by what both say, offline and without a model.

Right means: what the question asks for is said as the ground truth has it (amounts with units and tolerance, moments,
names, all items of a list, yes or no, the right one of two), and nothing is said against it. Saying less is right as
long as it answers; adding is right as long as nothing contradicts. It is a bag of careful rules, no understanding: a
paraphrase in words that its tables lack is refused, a contradiction in such words is not seen. Its figures on answers
labelled by hand: `python -m tests.bench judge`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eval import lexical_dates as when
from eval import lexical_numbers as numbers
from eval.lexical_claims import (
    before_and_after,
    chosen_problem,
    lead,
    option_problem,
    other_degree,
    swapped,
    yesno_problem,
)
from eval.lexical_focus import Focus, focus, news, question_kind
from eval.lexical_names import abbreviates, other_person
from eval.lexical_words import Word, content, find, opposed, read, share
from eval.metrics import Verdict, is_exact_match
from eval.refusals import is_refusal_ours

#: How much of the answering words must be said: of a few all but one in four, of many a little over half.
_ENOUGH_FEW, _ENOUGH_MANY, _MANY = 0.7, 0.55, 5
_HEDGE = re.compile(r"\b(?:either|possibly|perhaps|maybe|might be|could be|may be|not sure|it is difficult)\b", re.I)
_COMPOUND = re.compile(r"\band (?:by whom|who|where|how|what|why|which)\b", re.I)
_ORDINAL = re.compile(r"^(?:first|second|third|\d+(?:st|nd|rd|th))$", re.I)
_AGE = re.compile(r"\bhow (?:old|long ago)\b", re.I)
_NO_NAMES = re.compile(
    r"^(?:f|c|fahrenheit|celsius|mp|am|pm|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|\w+day)$",
    re.I,
)
_ALIAS = re.compile(
    r"\b(?:also (?:known|called|referred to) as|also called|aka|a\.k\.a\.|or simply|known as)\s+([^.,;()]+)", re.I
)
_ORDERED = re.compile(r"\b(?:steps?|order|sequence|first \w+ then|instructions)\b", re.I)


def judge_texts(question: str, truth: str, answer: str) -> tuple[Verdict, str]:
    """The verdict on an answer and why, in a few words."""
    if not answer.strip():
        return "missing", "an empty answer"
    if is_exact_match(answer, truth):
        return "correct", "equal to the ground truth"
    if is_refusal_ours(answer):
        return "missing", "a refusal"
    if not truth.strip():
        return "wrong", "there is no ground truth to agree with"
    problem = _Case(question, truth, answer).problem()
    return ("wrong", problem) if problem else ("correct", "says what the ground truth says")


@dataclass(frozen=True)
class _Case:
    """One question, its ground truth and an answer, as the rules look at them."""

    question_text: str
    truth_text: str
    answer_text: str

    @cached_property
    def question(self) -> str:
        return numbers.figures(re.sub(r"\bone\b", "it", self.question_text, flags=re.I))

    @cached_property
    def truth(self) -> str:
        return numbers.figures(self.truth_text)

    @cached_property
    def answer(self) -> str:
        return numbers.figures(self.answer_text)

    @cached_property
    def kind(self) -> str:
        return question_kind(self.question_text, self.truth_text)

    @cached_property
    def asked(self) -> list[Word]:
        return read(self.question)

    @cached_property
    def said(self) -> list[Word]:
        return read(self.answer)

    @cached_property
    def told(self) -> list[Word]:
        return read(self.truth)

    @cached_property
    def focus(self) -> Focus:
        return focus(self.question, self.truth, self.kind)  # type: ignore[arg-type]

    @cached_property
    def gold_amounts(self) -> list[numbers.Amount]:
        return numbers.amounts(self.truth)

    @cached_property
    def said_amounts(self) -> list[numbers.Amount]:
        return [a for a in numbers.amounts(self.answer) if not a.denied]

    @cached_property
    def gold_moments(self) -> list[when.Moment]:
        return when.moments(self.truth)

    @cached_property
    def said_moments(self) -> list[when.Moment]:
        return [m for m in when.moments(self.answer) if not m.denied]

    def problem(self) -> str:
        """ "" when the answer is right, else what is wrong with it."""
        checks = {"yesno": self._yesno, "choice": self._choice}
        return checks.get(self.kind, self._open)()

    # Kinds of question.

    def _yesno(self) -> str:
        found = yesno_problem(self.question, self.truth, self.answer)
        if found is None:
            if found := self._coverage():
                return found
        elif found and not self._explained():
            return found
        if re.search(r"\bthan\b", self.truth) and (turned := chosen_problem(self.question, self.truth, self.answer)):
            return turned
        return self._contradiction(polar=True)

    def _explained(self) -> bool:
        """Whether an answer without a yes or no gives the truth's own explanation."""
        own = news(content(self.told), self.asked)
        return lead(self.answer) is None and share(own, self.said) >= 0.6

    def _choice(self) -> str:
        found = chosen_problem(self.question, self.truth, self.answer)
        if found is None:
            found = option_problem(self.question, self.truth, self.answer)
        if found is None:
            found = self._coverage()
        return found or self._contradiction(polar=False, turned=True)

    def _open(self) -> str:
        required = ""
        if _AGE.search(self.question) and self._age_said():
            required = ""
        elif self.kind == "number" and self._wanted_amounts:
            required = self._amounts_said()
            if not required and self._wrong_owner():
                required = self._wrong_owner()
        elif self.kind == "when" and self._wanted_moments:
            required = self._moments_said()
            if not required and _COMPOUND.search(self.question):
                required = self._coverage()
        elif self.kind == "when" and self.gold_amounts:
            required = self._amounts_said()
        else:
            required = self._coverage()
        return required or self._contradiction(polar=False)

    # What must be said.

    def _age_said(self) -> bool:
        """ "How old": the years or the date, whichever the answer chose."""
        amounts = [g for g in self.gold_amounts if any(numbers.agree(s, g) for s in self.said_amounts)]
        found = [g for g in self.gold_moments if any(when.agree(s, g) for s in self.said_moments)]
        return bool(amounts) or bool(found and not self.said_amounts)

    @cached_property
    def _wanted_amounts(self) -> list[numbers.Amount]:
        known = numbers.amounts(self.question)
        fresh = [g for g in self.gold_amounts if not any(numbers.agree(g, q) for q in known)]
        place = self.truth.find(self.focus.text) if self.focus.text else -1
        inside = [g for g in fresh if place <= g.said.start < place + len(self.focus.text)] if place >= 0 else []
        fresh = inside or fresh
        words = frozenset(w.stem for w in content(self.asked))
        return numbers.asked_for(self.question, fresh, words) if fresh else []

    def _amounts_said(self) -> str:
        missing = [g for g in self._wanted_amounts if not any(numbers.agree(s, g) for s in self.said_amounts)]
        if missing:
            if self._reckoned(missing):
                return ""
            said = ", ".join(a.written for a in self.said_amounts)
            return f"says {said}, not {missing[0].written}" if said else f"does not say {missing[0].written}"
        gold = self._wanted_amounts[0]
        said_right = next(s for s in self.said_amounts if numbers.agree(s, gold))
        if said_right.bound == 1 and gold.bound == -1:
            return f"says at least {gold.written}, not at most"
        return ""

    def _reckoned(self, missing: Sequence[numbers.Amount]) -> bool:
        """ "Two halves of 30 minutes" says 60 minutes."""
        if len(missing) != 1 or len(self.said_amounts) != 2 or len(self._wanted_amounts) != 1:
            return False
        one, two = (a.said for a in self.said_amounts)
        return (one.unit is None) != (two.unit is None) and one.value * two.value == missing[0].said.value

    def _wrong_owner(self) -> str:
        """Another amount of the answer stands where the truth has the one asked for."""
        gold = self._wanted_amounts[0]
        around = gold.near | ({gold.noun} if gold.noun else set())
        right = [s for s in self.said_amounts if numbers.agree(s, gold)]
        others = [s for s in self.said_amounts if s not in right and numbers.comparable(s, gold)]
        if len(self._wanted_amounts) > 1 or not others or not right:
            return self._crossed()
        best = max(len(s.near & around) for s in right)
        rival = max(others, key=lambda s: len(s.near & around))
        if len(rival.near & around) > best and not any(
            numbers.agree(rival, g) and g.near & rival.near for g in self.gold_amounts
        ):
            return f"says {rival.written} of what is {gold.written}"
        return self._crossed()

    def _crossed(self) -> str:
        """Two amounts of the truth have changed places in the answer."""
        for i, one in enumerate(self.gold_amounts):
            for two in self.gold_amounts[i + 1 :]:
                ones = [s for s in self.said_amounts if numbers.agree(s, one)]
                twos = [s for s in self.said_amounts if numbers.agree(s, two)]
                if not ones or not twos or ones[0] is twos[0] or numbers.agree(one, two):
                    continue
                if not numbers.comparable(one, two) or (one.said.unit is None and one.noun != two.noun):
                    continue
                a, b = ones[0], twos[0]
                straight = len(a.near & one.near - two.near) + len(b.near & two.near - one.near)
                cross = len(a.near & two.near - one.near) + len(b.near & one.near - two.near)
                if cross > straight:
                    return f"{a.written} and {b.written} have changed places"
                wanted = one in self._wanted_amounts and two in self._wanted_amounts
                late = a.said.start > b.said.start and one.said.unit == two.said.unit
                if cross == straight == 0 and late and wanted and self.kind == "number":
                    return f"{a.written} and {b.written} have changed places"
        return ""

    @cached_property
    def _wanted_moments(self) -> list[when.Moment]:
        known = when.moments(self.question)
        fresh = [g for g in self.gold_moments if not any(when.agree(g, q) for q in known)]
        inside = [g for g in fresh if g.start < len(self.truth) - len(self.focus.rest)] if self.focus.rest else fresh
        return inside or fresh

    def _moments_said(self) -> str:
        missing = [g for g in self._wanted_moments if not any(when.agree(s, g) for s in self.said_moments)]
        if missing:
            return "says another date or time" if self.said_moments else "does not say when"
        return ""

    def _coverage(self) -> str:
        keys = [k for k in self.focus.keys if not self._is_figure(k)]
        figures_only = not keys
        if figures_only:
            if self._wanted_amounts:
                return self._amounts_said()
            if self.gold_moments:
                return self._moments_said()
            keys = list(self.focus.keys)
        said = [w for w in content(self.said)]
        fresh = [w for w in said if not find(w, self.asked)]
        if not re.search(r"\bstands? for\b|abbreviat|acronym", self.question, re.I) and abbreviates(
            self.answer_text, self.truth_text, self.focus.text
        ):
            return ""
        for alias in _ALIAS.findall(self.truth):
            if share(content(read(alias)), fresh) == 1.0:
                return ""
        if not news(keys, self.asked):
            return self._in_the_same_order(keys)
        items = self.focus.items
        if items and self.kind in ("text", "who", "number"):
            return self._items(items, fresh)
        stems = {k.stem for k in keys}
        covered = share(keys, fresh)
        enough = _ENOUGH_FEW if len(stems) < _MANY else _ENOUGH_MANY
        novel = [w for w in fresh if not find(w, self.told) and not self._is_figure(w)]
        if self.kind == "who" and self._person(keys, fresh):
            return self._rival_person(keys)
        if covered >= enough:
            return self._hedged(keys, fresh)
        if covered > 0 and not novel and (covered >= 0.25 or len(fresh) >= 1) and not self.focus.items:
            return ""
        if covered >= 0.5 and self._head_said(keys):
            return self._hedged(keys, fresh)
        lacking = next(k.text for k in keys if not find(k, fresh)) if covered < 1 else ""
        return f"does not say {lacking!r}" if covered else f"says nothing of {' '.join(k.text for k in keys[:4])!r}"

    def _in_the_same_order(self, keys: Sequence[Word]) -> str:
        """Where the truth has only words of the question: most of them must come, in its order."""
        if share(keys, self.said) < 0.5:
            return f"does not say {' '.join(k.text for k in keys[:4])!r}"
        places = [min(f.at for f in find(k, self.said)) for k in keys if find(k, self.said)]
        return "" if places == sorted(places) else "says it in another order"

    def _head_said(self, keys: Sequence[Word]) -> bool:
        """Whether the last of a few words is said, with no other word before it ("the skull" for "human skull")."""
        found = find(keys[-1], self.said)
        lacking = [k for k in keys if not find(k, self.said)]
        if not found or len(keys) > 3 or any(k.capital for k in lacking) or keys[-1].capital:
            return False
        return all(f.at == 0 or not self.said[f.at - 1].content or find(self.said[f.at - 1], self.told) for f in found)

    def _is_figure(self, word: Word) -> bool:
        if word.text[0].isdigit():
            return bool(self.gold_amounts or self.gold_moments)
        from eval.units import is_unit

        return bool(self.gold_amounts) and is_unit(word.text.lower())

    def _items(self, items: Sequence[Sequence[Word]], fresh: Sequence[Word]) -> str:
        lacking = []
        for item in items:
            words = [w for w in item if not self._is_figure(w)] or list(item)
            if not self._item_said(words, fresh):
                lacking.append(item)
        joint = re.search(r"\bor\b", self.focus.text) and not re.search(r"\band\b", self.focus.text)
        joint = joint and "," not in self.focus.text and not re.search(r"\b(?:only|just)\b", self.answer, re.I)
        if lacking and joint and len(items) == 2 and len(lacking) == 1:
            lacking = []
        if lacking and len(lacking) > (0 if len(items) < 5 else len(items) // 5):
            return f"leaves out {' '.join(w.text for w in lacking[0])!r}"
        return self._added(items) or self._out_of_order(items)

    def _item_said(self, words: Sequence[Word], fresh: Sequence[Word]) -> bool:
        """Whether an item is said: whole, most of it, or its last word with nothing strange before it."""
        told = share(words, fresh)
        if told == 1.0 or (told > 0.6 and find(words[-1], fresh)) or told >= 0.75:
            return True
        if told < 0.5:
            return False
        if not find(words[-1], fresh):
            return len(words) > 1 and self._shared_head(words)
        before = [self.said[f.at - 1] for f in find(words[-1], self.said) if f.at > 0]
        return not any(b.content and not find(b, self.told) and not find(b, self.asked) for b in before)

    def _shared_head(self, words: Sequence[Word]) -> bool:
        """ "White or light blue" for "a light blue or white shirt": the last item's head goes without saying."""
        return words[-1] is self.focus.items[-1][-1] and len(words) == 2

    def _added(self, items: Sequence[Sequence[Word]]) -> str:
        """An item that stands in the answer's list and not in the truth."""
        pieces = re.split(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&)\s+", re.split(r"(?<=[a-z)])[.;]\s", self.answer)[0])
        flat = [w for item in items for w in item]
        if len(pieces) < 2:
            return ""
        for piece in pieces:
            words = content(read(piece))
            if (
                not words
                or len(words) > 3
                or re.search(r"\b(?:is|are|was|were|has|have|it|its|which|that|all)\b", piece)
            ):
                continue
            strange = not (find(words[-1], flat) or find(words[-1], self.told) or find(words[-1], self.asked))
            if strange and not any(share(item, words) > 0.5 for item in items):
                return f"adds {' '.join(w.text for w in words)!r}"
        return ""

    def _out_of_order(self, items: Sequence[Sequence[Word]]) -> str:
        if not _ORDERED.search(self.question_text):
            return ""
        places = []
        for item in items:
            spots = [f.at for w in item for f in find(w, self.said)]
            if spots:
                places.append(min(spots))
        return "" if places == sorted(places) else "says the steps in another order"

    def _person(self, keys: Sequence[Word], fresh: Sequence[Word]) -> bool:
        """Whether the last name is said of a name of two to four words."""
        names = [k for k in keys if k.text[0].isalpha()]
        return 1 <= len(names) <= 4 and bool(find(names[-1], fresh))

    def _rival_person(self, keys: Sequence[Word]) -> str:
        if found := other_person(self.answer_text, self.truth_text, self.question_text, [k.text for k in keys]):
            return f"names {found!r}"
        return self._hedged(keys, self.said)

    def _hedged(self, keys: Sequence[Word], fresh: Sequence[Word]) -> str:
        """Whether the right thing is only one of several that are offered."""
        if re.search(r"\bor\b", self.truth) or re.search(r"\bor\b", self.question):
            return ""
        first = re.split(r"(?<=[a-z)])[.;]\s", self.answer)[0]
        if not re.search(r"\bor\b", first):
            return ""
        pieces = re.split(r",|\bor\b|\beither\b", first)
        known = [p for p in pieces if any(find(w, keys) for w in content(read(p)))]
        strange = [
            p
            for p in pieces
            if p not in known
            and (words := content(read(p)))
            and not any(find(w, self.told) or find(w, self.asked) for w in words)
            and len(words) <= 4
        ]
        return f"offers {strange[0].strip(' .')!r} as well" if known and strange else ""

    # What must not be said.

    def _contradiction(self, *, polar: bool, turned: bool = False) -> str:
        return (
            self._other_amount()
            or self._price_of_free()
            or self._wrong_place()
            or self._other_moment()
            or self._opposite(polar=polar, turned=turned)
            or ("" if turned else before_and_after(self.truth, self.answer))
            or other_degree(self.truth, self.answer)
            or self._other_ordinal()
            or self._denied(polar=polar)
            or ("" if turned else self._swap())
            or self._other_name(polar=polar)
        )

    def _other_amount(self) -> str:
        if not self.gold_amounts or not self.said_amounts:
            return ""
        known = numbers.amounts(self.question)
        right = [s for s in self.said_amounts if any(numbers.agree(s, g) for g in [*self.gold_amounts, *known])]
        for said in self.said_amounts:
            if said in right or numbers.follows(said, [*self.gold_amounts, *known]):
                continue
            against = [g for g in self.gold_amounts if numbers.comparable(said, g)]
            if not against:
                continue
            if not right or any(self._restates(said, s) for s in right):
                return f"says {said.written} against {against[0].written}"
        return self._crossed() or self._either_amount()

    def _either_amount(self) -> str:
        """ "7 or 9" where the truth knows only one of the two."""
        if re.search(r"\bor\b", self.truth):
            return ""
        for one, two in itertools.pairwise(self.said_amounts):
            between = self.answer[one.said.end : two.said.start]
            told = [any(numbers.agree(a, g) for g in self.gold_amounts) for a in (one, two)]
            if re.fullmatch(r"\s*,?\s*or\s*(?:about|maybe|perhaps|possibly)?\s*", between) and told.count(True) == 1:
                return f"offers {one.written} or {two.written}"
        return ""

    def _other_ordinal(self) -> str:
        """ "the first part" where the truth says the second."""
        told, said = ([w for w in words if _ORDINAL.match(w.text)] for words in (self.told, self.said))
        strange = [w for w in said if not find(w, told) and not find(w, self.asked)]
        lacking = [w for w in told if not find(w, said) and not find(w, self.asked)]
        return f"says {strange[0].text!r}, not {lacking[0].text!r}" if strange and lacking else ""

    def _price_of_free(self) -> str:
        free = any(w.stem == "free" and not w.denied for w in self.told)
        dear = [a for a in self.said_amounts if (a.said.unit or "").startswith("money:") and a.said.value > 0]
        return f"says {dear[0].written} for what is free" if free and dear and not self.gold_amounts else ""

    def _wrong_place(self) -> str:
        """The right words are said of something else, and other words of what was asked."""
        if self.kind not in ("text", "who") or not self.focus.keys:
            return ""
        clauses = [content(read(c)) for c in re.split(r"[.;,](?:\s|$)|\b(?:and|but|while|whereas)\b", self.answer)]
        clauses = [c for c in clauses if c]
        if len(clauses) != 2:
            return ""
        asked = content(self.asked)

        def fits(clause: Sequence[Word]) -> int:
            return sum(bool(find(q, clause)) for q in asked) - sum(opposed(w, q) for w in clause for q in asked)

        right = [c for c in clauses if any(find(k, c) for k in self.focus.keys)]
        other = [c for c in clauses if c not in right]
        if len(right) != 1 or len(other) != 1:
            return ""
        strange = [w for w in other[0] if not find(w, self.told) and not find(w, self.asked)]
        if strange and fits(other[0]) > max(fits(right[0]), 0) and fits(other[0]) >= 1:
            return f"says {strange[0].text!r} of what was asked"
        return ""

    def _restates(self, said: numbers.Amount, right: numbers.Amount) -> bool:
        """Whether an amount is said of the same thing as a right one: one unit, one noun, nothing else beside it."""
        if said.said.unit != right.said.unit:
            return False
        if said.said.unit is None:
            return said.noun is not None and said.noun == right.noun
        return not (said.near - right.near - {w.stem for w in [*self.told, *self.asked]})

    def _other_moment(self) -> str:
        if not self.gold_moments or not self.said_moments:
            return ""
        known = [*self.gold_moments, *when.moments(self.question)]
        for said in self.said_moments:
            if any(when.agree(said, g) for g in known):
                continue
            against = [g for g in self.gold_moments if when.comparable(said, g)]
            agreed = any(when.agree(s, g) for s in self.said_moments for g in against)
            if against and (not agreed or self.kind == "when"):
                return "says another date or time"
        return ""

    def _opposite(self, *, polar: bool, turned: bool) -> str:
        if turned or (" than " in self.answer and " than " not in self.truth and not polar):
            return ""
        told = content(self.told)
        for word in content(self.said):
            if word.denied or find(word, self.told) or (find(word, self.asked) and not polar):
                continue
            for other in told:
                if opposed(word, other) and not other.denied and not find(other, self.said):
                    if polar and find(other, self.asked):
                        continue
                    return f"says {word.text!r} where the truth says {other.text!r}"
        return ""

    def _denied(self, *, polar: bool) -> str:
        """A word that the one denies or excepts and the other does not."""
        keys = content(self.told)
        for key in keys:
            if polar and find(key, self.asked):
                continue
            found = find(key, self.said)
            if not found or key.text[0].isdigit():
                continue
            own = [k for k in keys if k.stem == key.stem]
            truth_says = {k.denied for k in own}
            answer_says = {f.denied for f in found}
            if (
                len(truth_says) == 1
                and len(answer_says) == 1
                and truth_says != answer_says
                and not self._undone(key, found)
            ):
                return f"{'denies' if found[0].denied else 'affirms'} {key.text!r}"
            if all(f.excepted for f in found) and not any(k.excepted for k in own):
                return f"excepts {key.text!r}"
            if all(f.excepted for f in found) and any(k.excepted for k in own) and self._other_rule():
                return f"excepts {key.text!r} from something else"
        return ""

    def _undone(self, key: Word, found: Sequence[Word]) -> bool:
        """Whether the denial falls on an opposite, too ("not cold" for "warm")."""
        return self.kind != "number" and bool(find(key, self.asked))

    def _other_rule(self) -> bool:
        """Whether what holds but for the exception is another thing in the answer than in the truth."""
        ruled = [w for w in content(self.told) if not w.excepted and not find(w, self.asked)]
        return not any(find(w, self.said) for w in ruled)

    def _swap(self) -> str:
        found = swapped(self.truth, self.answer)
        return f"things have changed places: {found!r}" if found else ""

    def _other_name(self, *, polar: bool) -> str:
        """Another name where the truth's own is not said, in answers that rest on yes, no, an amount or a date."""
        if not polar and (self.kind not in ("when", "number") or self.truth.islower()):
            return ""
        unquoted = re.sub(r"[\"“].*?[\"”]", " ", self.answer)
        first = re.split(r"(?<=[a-z)])[.;]\s", unquoted)[0]
        named = [w for w in content(read(first)) if w.capital and not find(w, self.told) and not find(w, self.asked)]
        named = [w for w in named if not _NO_NAMES.match(w.text) and len(w.text) > 2]
        own = [w for w in news(content(self.told), self.asked) if w.capital or self.truth.islower()]
        own = [w for w in own if not _NO_NAMES.match(w.text)]
        if named and own and not any(find(w, self.said) for w in own):
            return f"names {named[0].text!r}"
        return ""
