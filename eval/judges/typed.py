"""The typed judge: compares an answer's text with a generated world's gold answer, by the gold's kind.

Right means: the gold value is said, as precisely as the gold has it, and nothing of the same kind is said against it.
What may stand beside it: what the question itself says, the facts that the gold names as its ground, and values that
yield the gold value when they are added, subtracted or averaged. Refusals and failed turns never come here.

Not covered: list items that no fact of the world knows (they cannot be told from other words), and irony.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eval.data.gold import GoldAnswer, GoldTurn
from eval.judges.claims import chosen_name, polarity, reads
from eval.judges.phrases import Mention, bare, members, mentions, normalise, plain_attribute
from eval.judges.protocol import Judgement
from eval.judges.units import canonical_unit, convert
from eval.judges.values import Quantity, dates, quantities, same_date, same_quantity

_WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_HEDGE_AFTER = re.compile(r"\s(?:,\s)?or\s")
_HEDGE_BEFORE = re.compile(r"\bor\s(?:the\s|a\s|an\s)?$")
_YEAR_WORDS = re.compile(r"\b(?:in|since|from|until|by|of|year|around|before|after)\s$", re.IGNORECASE)


class TypedJudge:
    """Judges against the facts of one world."""

    def __init__(self, facts: Mapping[str, Mapping[str, Any]]):
        """Args: facts: attributes of the indexed entities by name, as the knowledge graph has them (dirty)."""
        self._facts = {name: {key: plain_attribute(v) for key, v in a.items()} for name, a in facts.items()}
        self._by_key: dict[str, set[str]] = {}
        for attributes in self._facts.values():
            for key, text in attributes.items():
                self._by_key.setdefault(key, set()).add(text)

    def judge(self, turn: GoldTurn, query: str, answer: str) -> Judgement:
        """Judge one answer that is not a refusal."""
        gold = turn.answer
        if gold is None:
            return Judgement("wrong", "nothing can be known here, and something was said")
        kinds = {
            "number": self._number,
            "date": self._date,
            "name": self._name,
            "list": self._list,
            "yesno": self._yesno,
            "choice": self._choice,
            "text": self._text,
        }
        if gold.kind not in kinds:
            return Judgement(None, f"the gold answer is of an unknown kind, {gold.kind!r}")
        problem = kinds[gold.kind](turn, gold, query, answer)
        return Judgement("correct", f"says the {gold.kind}") if not problem else Judgement("wrong", problem)

    # One method a kind: "" when right, else what is wrong.

    def _number(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        unit = canonical_unit(gold.unit)
        value = float(gold.value)
        asked = quantities(query)
        text = self._without_names(turn, answer)
        said = [q for q in quantities(text) if not q.denied and _comparable(q, unit, value, text)]
        measured = [q for q in said if q.unit is not None] if unit is not None else said
        if measured:
            said = measured
        right = [q for q in said if _agrees(q, value, unit)]
        if not right:
            return f"says {_written(said)}, not {value:g} {gold.unit or ''}".rstrip() if said else "says no such number"
        allowed = [q for text in self._ground(turn) for q in quantities(text)]
        others = [
            q
            for q in said
            if q not in right
            and not any(_equal(q, a) for a in asked)
            and not any(_equal(q, a) or (a.unit is None and a.value == q.value) for a in allowed)
        ]
        others = [q for q in others if not _in_passing(q, value, text)]
        if unit is None and (listed := _listed(text, value)):  # "7 sizes: 36, 37 …": what was counted
            others = [q for q in others if not re.search(rf"(?<![\w.]){q.value:g}(?![\w.]*\d)", listed)]
        if others and not _yields(others, asked, value, unit) and not _in_proportion(others, text, value):
            return f"also says {_written(others)}"
        return ""

    def _date(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        wanted = str(gold.value)
        said = [d for d in dates(self._without_names(turn, answer)) if not d.denied]
        right = [d for d in said if same_date(d, wanted)]
        if not right:
            return "says another date" if said else "says no date"
        known = [*dates(query), *(d for text in self._ground(turn) for d in dates(text))]
        coarse = wanted.split("-")
        for other in said:
            parts = (other.year, other.month, other.day)
            told_again = list(parts[:1]) == [int(coarse[0])] and other.month is None
            if other not in right and not told_again and not any((k.year, k.month, k.day) == parts for k in known):
                return "also says another date"
        return ""

    def _name(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        wanted = {bare(name) for name in (str(gold.value), *gold.aliases)}
        rivals = self._rivals(turn, wanted, query)
        found = self._mentions(turn, answer, wanted | rivals)
        right = [m for m in found if m.phrase in wanted and not m.denied]
        if not right:
            return f"does not name {gold.value!r}"
        normal = normalise(answer)
        if any(_HEDGE_AFTER.match(normal[m.end :]) or _HEDGE_BEFORE.search(normal[: m.start]) for m in right):
            return "names one thing or another"
        other = next((m for m in found if m.phrase in rivals and not m.denied), None)
        return f"also names {other.phrase!r}" if other else ""

    def _list(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        wanted = {bare(str(item)): str(item) for item in gold.value}
        rivals = self._rivals(turn, set(wanted), query, split=True)
        found = self._mentions(turn, answer, {*wanted, *rivals})
        said = {m.phrase for m in found if not m.denied}
        denied = {m.phrase for m in found} - said
        near = _plurals(answer)
        missing = [
            item
            for phrase, item in wanted.items()
            if phrase not in said and (phrase in denied or f" {_plural(phrase)} " not in near)
        ]
        if missing:
            return f"leaves out {missing[0]!r}"
        extra = sorted(said & rivals)
        return f"also lists {extra[0]!r}" if extra else ""

    def _yesno(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        said = polarity(self._without(turn, answer), self._without(turn, f"{query} {turn.standalone_query}"))
        if said is None:
            return "says neither yes nor no"
        return "" if said == bool(gold.value) else f"says {'yes' if said else 'no'}"

    def _choice(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        winner = [str(gold.value), *gold.aliases]
        losers = [name for name in turn.entities if bare(name) not in {bare(w) for w in winner}]
        chosen = chosen_name(answer, f"{query} {turn.standalone_query}", winner, losers)
        if chosen is None:
            return f"does not choose {gold.value!r}"
        return "" if chosen in {bare(w) for w in winner} else f"chooses {chosen!r}"

    def _text(self, turn: GoldTurn, gold: GoldAnswer, query: str, answer: str) -> str:
        return "" if any(reads(answer, str(text)) for text in (gold.value, *gold.aliases)) else "reads something else"

    # What the verdicts lean on.

    def _ground(self, turn: GoldTurn) -> list[str]:
        """The facts that the gold answer rests on, as text."""
        return [self._facts[name][key] for name, key in turn.attributes if key in self._facts.get(name, {})]

    def _mentions(self, turn: GoldTurn, answer: str, phrases: set[str]) -> list[Mention]:
        """Mentions of `phrases` that do not merely stand inside an entity's name ("amber" in "the Amber Lamp")."""
        names = {bare(name) for name in (*turn.entities, turn.entity or "", *self._facts)}
        return [m for m in mentions(answer, phrases | names) if m.phrase in phrases]

    def _without(self, turn: GoldTurn, text: str) -> str:
        """The text without the names of the entities it is about."""
        for name in sorted({*turn.entities, turn.entity or ""} - {""}, key=len, reverse=True):
            text = re.sub(re.escape(name), "it", text, flags=re.IGNORECASE)
        return text

    def _without_names(self, turn: GoldTurn, text: str) -> str:
        """The text without the names it may carry, so that a digit in a name is no number said."""
        for name in sorted({*turn.entities, turn.entity or "", *self._facts} - {""}, key=len, reverse=True):
            if any(c.isdigit() for c in name) or re.search(rf"(?i)\b(?:{'|'.join(_NUMBER_WORDS)})\b", name):
                text = re.sub(re.escape(name), lambda m: "¤" * len(m[0]), text, flags=re.IGNORECASE)
        return text

    def _rivals(self, turn: GoldTurn, wanted: set[str], query: str, *, split: bool = False) -> set[str]:
        """What of the same kind might be said instead: other values of the gold's attribute, or other entities."""
        names = {bare(name) for name in self._facts}
        pool: set[str] = set(_WEEKDAYS) if wanted & _WEEKDAYS else set()
        if wanted & names:
            pool = names
        for name, key in reversed(turn.attributes):
            text = self._facts.get(name, {}).get(key)
            if text is not None and any(phrase in bare(text) for phrase in wanted):
                pool |= {bare(v) for value in self._by_key[key] for v in (members(value) if split else (value,))}
                break
        known = {bare(name) for name in (*turn.entities, turn.entity or "")}
        asked = {m.phrase for m in mentions(f"{query} {turn.standalone_query}", pool)} if pool else set()
        return {phrase for phrase in pool - wanted - known - asked if len(phrase) > 2}


_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")


def _comparable(said: Quantity, unit: str | None, gold: float, text: str) -> bool:
    """Whether a number is of the gold's kind: the same dimension, or bare where it is no year."""
    if said.unit is not None:
        return convert(said.value, said.unit, unit) is not None
    year = 1000 <= said.value <= 2150 and said.decimals == 0 and _YEAR_WORDS.search(text[: said.start]) is not None
    return not year or said.value == gold


def _agrees(said: Quantity, value: float, unit: str | None) -> bool:
    """A bare number stands for the gold's own unit."""
    if said.unit is None and unit is not None:
        return same_quantity(Quantity(said.value, said.decimals, unit, said.start, said.end), value, unit)
    return same_quantity(said, value, unit)


def _equal(one: Quantity, two: Quantity) -> bool:
    return two.value == one.value if one.unit == two.unit else same_quantity(one, two.value, two.unit)


#: What follows and precedes a "one" that is no number: "one a night", "one of them", "the blue one", "no one".
_PRONOUN_ONE = re.compile(
    r"\s*(?:$|[.,;:!?)]|(?:an?|per|of|at|by|to|for|with|in|on|is|was|has|can|could|should|would|may|might|must|will|needs?|"
    r"who|that|which|day|night|evening|morning)\b)",
    re.IGNORECASE,
)
_BEFORE_ONE = re.compile(
    r"\b(?:no|any|every|each|some|this|that|the|which|another|first|last|only)\s+(?:\w+\s+)?$", re.IGNORECASE
)


_SHARE_OF = re.compile(r"\b(?:per|in|of|out of|for|every|each)\s+(?:every\s+|each\s+)?$", re.IGNORECASE)


def _listed(text: str, count: float) -> str:
    """What stands behind a colon as a list of so many; "" where there is none."""
    found = re.search(r":\s(?P<list>[^:;]+)$", text.strip(" ."))
    items = re.split(r"\s*,\s(?:and\s)?|\sand\s", found["list"]) if found else []
    return found["list"] if found and len(items) == count > 1 else ""


def _in_passing(said: Quantity, value: float, text: str) -> bool:
    """A small bare number in words beside a large one in figures ("1,194 people, two of them my neighbours"), "one"
    where it counts nothing ("47 chapters, so one a night"), and what a share is of ("13.5 g of sugar in 100 g").
    """
    written = text[said.start : said.end].strip().lower()
    if said.value in (100, 1000) and value != said.value and _SHARE_OF.search(text[: said.start]):
        return True
    if said.unit is not None:
        return False
    if written == "one" and (_PRONOUN_ONE.match(text[said.end :]) or _BEFORE_ONE.search(text[: said.start])):
        return True
    return value >= 100 and any(written.startswith(w) for w in _NUMBER_WORDS)


def _yields(others: Sequence[Quantity], asked: Sequence[Quantity], value: float, unit: str | None) -> bool:
    """Whether the other values said are steps of an explanation: the gold value is their sum, mean, difference or
    ratio, or each gives it with a number of the question (213 euros apiece, for six).
    """
    found = [convert(q.value, q.unit, unit) if q.unit is not None else q.value for q in others]
    numbers = [n for n in found if n is not None]
    if len(numbers) != len(found):
        return False

    def close(result: float) -> bool:
        return abs(result - value) <= 0.005 * abs(value) + 1e-9

    times = [q.value for q in asked if q.value]
    if all(any(close(n * t) or close(n / t) for t in times) for n in numbers):
        return True
    if len(numbers) < 2:
        return False
    results = [sum(numbers), sum(numbers) / len(numbers)]
    results += [abs(a - b) for a, b in itertools.combinations(numbers, 2)] if len(numbers) == 2 else []
    results += [a / b for a, b in itertools.permutations(numbers, 2) if b] if len(numbers) == 2 else []
    return any(close(result) for result in results)


#: What prices and other shares are given for: a kilogram, a litre, a hundred grams or millilitres.
_GIVEN_FOR = ((1.0, "kilogram"), (1.0, "liter"), (0.1, "kilogram"), (0.1, "liter"))


def _in_proportion(others: Sequence[Quantity], text: str, value: float) -> bool:
    """Whether each other value is the same share of another amount that is said ("26.50 € a kilo: 5.30 for 200 g")."""
    said = [q for q in quantities(text) if q.unit is not None and q.value > 0]

    def amounts(q: Quantity) -> Iterable[tuple[float, float]]:
        for told in (a for a in said if convert(a.value, a.unit, q.unit) is None):  # of what the share is, in its kind
            for wanted, unit in (*((a.value, a.unit) for a in said if a is not told), *_GIVEN_FOR):
                held = convert(told.value, told.unit, unit)
                if held:
                    yield wanted, held

    return all(any(abs(q.value * w / h - value) <= 0.002 * abs(value) for w, h in amounts(q)) for q in others)


def _written(said: Iterable[Quantity]) -> str:
    return ", ".join(f"{q.value:g} {q.unit or ''}".strip() for q in said)


def _plural(phrase: str) -> str:
    return " ".join(re.sub(r"(?:es|s)$", "", word) if len(word) > 3 else word for word in phrase.split())


def _plurals(text: str) -> str:
    return f" {_plural(bare(text))} "
