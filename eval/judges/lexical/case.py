"""One question, its ground truth and an answer, as the rules of the lexical judge look at them: read once, kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from eval.judges.lexical import dates as when
from eval.judges.lexical import numbers
from eval.judges.lexical.figures import figures
from eval.judges.lexical.focus import Focus, focus
from eval.judges.lexical.kinds import Kind, question_kind
from eval.judges.lexical.names import shortens
from eval.judges.lexical.tables import LOOKS
from eval.judges.lexical.words import Word, content_words, find, main_part, plain, read, set_aside
from eval.judges.units import is_unit


@dataclass(frozen=True)
class Case:
    """The three texts as given; number words are figures in `question`, `truth` and `answer`, words carry their stems
    in `asked`, `told` and `said`, and denied amounts and moments are left out of what is said."""

    question_text: str
    truth_text: str
    answer_text: str

    @cached_property
    def question(self) -> str:
        return figures(re.sub(r"\bone\b", "it", self.question_text, flags=re.I))

    @cached_property
    def truth(self) -> str:
        return figures(self.truth_text)

    @cached_property
    def answer(self) -> str:
        return figures(self.answer_text)

    @cached_property
    def kind(self) -> Kind:
        found = question_kind(self.question_text, self.truth_text)
        if found == "text" and all(self.is_figure(w) for w in content_words(self.told)):
            return "number" if self.gold_amounts else "when" if self.gold_moments else found
        return found

    def is_figure(self, word: Word) -> bool:
        """Whether a word of the truth is told as a number, or as the unit of one."""
        if word.text[0].isdigit():
            return bool(self.gold_amounts or self.gold_moments)
        if word.text.lower() == "second" and not re.search(r"\d (?:second|sec)\b", self.truth, re.I):
            return False
        return word.text.lower() in self._units or (bool(self.gold_amounts) and is_unit(word.text.lower()))

    @cached_property
    def _units(self) -> frozenset[str]:
        spans = [self.truth[a.said.start : a.said.end].lower() for a in self.gold_amounts]
        return frozenset(word for span in spans for word in re.findall(r"[^\W\d_]+", span))

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
    def stated(self) -> list[Word]:
        """What the answer stands for: its words without what it only mentions, and the truth mentions otherwise."""
        looks = {w.at - 1 for w in self.said if w.text.lower() in LOOKS and not find(w, [*self.asked, *self.told])}
        said = [w for w in self.said if w.at not in looks]
        return [w for w in said if not w.aside or any(t.aside for t in find(w, self.told))]

    @cached_property
    def mainly(self) -> list[Word]:
        """The words of the answer outside of relative clauses and brackets; all where nothing else is left."""
        return content_words(read(main_part(self.answer))) or content_words(self.said)

    @cached_property
    def fresh(self) -> list[Word]:
        """The meaning-bearing words it stands for that the question does not say."""
        return [w for w in content_words(self.stated) if not find(w, self.asked)]

    @cached_property
    def novel(self) -> list[Word]:
        """Those that the truth does not say either, abbreviations of its words apart."""
        return [w for w in self.fresh if not find(w, self.told) and not shortens(w.text, self.truth_text)]

    @cached_property
    def focus(self) -> Focus:
        return focus(self.question, self.truth, self.kind)

    def elsewhere(self, word: Word) -> bool:
        """Whether the truth says a word only of something else than what answers."""
        return bool(find(word, self._rest)) and not find(word, self._answering)

    @cached_property
    def _rest(self) -> list[Word]:
        return read(self.focus.rest)

    @cached_property
    def _answering(self) -> list[Word]:
        return read(self.truth[: len(self.truth) - len(self.focus.rest)]) if self.focus.rest else self.told

    @cached_property
    def gold_amounts(self) -> list[numbers.Amount]:
        return numbers.amounts(self.truth)

    @cached_property
    def said_amounts(self) -> list[numbers.Amount]:
        like_years = any(a.said.unit is None and 1000 <= a.said.value < 2200 for a in self.gold_amounts)
        years = like_years and not any(m.year for m in self.gold_moments)
        return [a for a in numbers.amounts(self.answer, years=years) if not a.denied]

    @cached_property
    def stated_amounts(self) -> list[numbers.Amount]:
        return [a for a in self.said_amounts if not self._aside(a.said.start)]

    @cached_property
    def gold_moments(self) -> list[when.Moment]:
        return when.moments(self.truth)

    @cached_property
    def said_moments(self) -> list[when.Moment]:
        clocks = any(m.kind == "clock" for m in self.gold_moments)
        excepted = [
            m.end() for m in re.finditer(r"\b(?:except(?: for)?|but|apart from|other than|save)(?: on)? ", self.answer)
        ]
        found = [m for m in when.moments(self.answer, clocks=clocks) if not m.denied]
        return [m for m in found if not (m.kind == "weekday" and m.start in excepted)]

    @cached_property
    def stated_moments(self) -> list[when.Moment]:
        return [m for m in self.said_moments if not self._aside(m.start)]

    def _aside(self, place: int) -> bool:
        return any(start <= place < end for start, end in self._mentioned)

    @cached_property
    def _mentioned(self) -> list[tuple[int, int]]:
        """The spans of the answer that are only mentioned; none where `plain` moves what stands in the text."""
        return set_aside(self.answer) if len(plain(self.answer)) == len(self.answer) else []

    @cached_property
    def wanted_amounts(self) -> list[numbers.Amount]:
        known = numbers.amounts(self.question)
        fresh = [g for g in self.gold_amounts if not any(numbers.agree(g, q) for q in known)]
        place = self.truth.find(self.focus.text) if self.focus.text else -1
        inside = [g for g in fresh if place <= g.said.start < place + len(self.focus.text)] if place >= 0 else []
        fresh = inside or fresh
        words = frozenset(w.stem for w in content_words(self.asked))
        return numbers.asked_for(self.question, self.truth, fresh, words) if fresh else []

    @cached_property
    def wanted_moments(self) -> list[when.Moment]:
        known = when.moments(self.question)
        fresh = [g for g in self.gold_moments if not any(when.agree(g, q) for q in known)]
        inside = [g for g in fresh if g.start < len(self.truth) - len(self.focus.rest)] if self.focus.rest else fresh
        rest = inside or fresh
        words = frozenset(w.stem for w in content_words(self.asked))
        if any(g.kind == "clock" for g in rest) and not re.search(r"\bdays?\b|\bhours\b", self.question, re.I):
            rest = [g for g in rest if g.kind != "weekday"]
        near = [len(numbers.around(self.truth, g.start, g.end) & words) for g in rest]
        return [g for g, n in zip(rest, near, strict=True) if n == max(near)] if rest else []

    @cached_property
    def of_truth(self) -> Case:
        """The case of an answer that is the truth itself."""
        return Case(self.question_text, self.truth_text, self.truth_text)
