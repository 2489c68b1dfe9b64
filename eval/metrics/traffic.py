"""Scores in which question types weigh as much as they are asked in real traffic, and domains weigh the same.

CRAG (arXiv 2406.04744, section 4) weighs its question types by traffic that it does not publish, and takes the mean
over domains. Weights therefore come from a file; without one every type weighs the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.metrics.figures import Recipe

#: What a file of weights with columns calls them.
_TYPE, _WEIGHT, _DOMAIN = "question_type", "weight", "domain"
#: Shares, counts and log lines of traffic are below this, and sums of them stay numbers.
_MOST = 10**12


@dataclass(frozen=True)
class Weights:
    """What question types weigh: `types` in every domain, `domains` (domain → type → weight) in place of that in some.

    file: the name of the file that they come from, "" where every type weighs the same.
    """

    types: Mapping[str, float] = field(default_factory=dict)
    domains: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    file: str = ""

    def of(self, type_: str, domain: str) -> float:
        """A type's weight in a domain; 0 where a file does not name it."""
        if not self.file:
            return 1.0
        own = self.domains.get(domain, {})
        return own[type_] if type_ in own else self.types.get(type_, 0.0)

    def json(self) -> dict[str, Any]:
        """As runs and scores keep them."""
        domains = {name: dict(own) for name, own in self.domains.items()}
        return {"file": self.file, "types": dict(self.types), **({"domains": domains} if domains else {})}

    @classmethod
    def from_json(cls, kept: Any) -> Weights:
        """What `json` wrote.

        Raises:
            BadInput: it is something else.
        """
        if kept is None:
            return cls()
        try:
            return _checked({**kept["types"], **(kept.get("domains") or {})}, str(kept["file"]))
        except (KeyError, TypeError, ValueError) as problem:
            raise BadInput(f"the weights that the run keeps cannot be used ({problem}): give --weights FILE") from None


EQUAL = Weights()


def read_weights(path: Path) -> Weights:
    """A file of weights: JSON, `{"simple": 3, "set": 1, "finance": {"simple": 5}}` (a type's name with a number, a
    domain's with such an object), or CSV with the columns question_type, weight and, for single domains, domain.

    Raises:
        BadInput: it cannot be read, or a weight is no number of 0 or more; the message names it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(f"the weights {str(path)!r} cannot be read ({why})") from None
    try:
        named = load_json(text) if text.lstrip()[:1] in ("{", "[") else _table(text)
        if not isinstance(named, Mapping):
            raise ValueError(f"it is {type(named).__name__}, not an object")
        return _checked(named, path.name)
    except (ValueError, RecursionError, csv.Error) as problem:
        raise BadInput(
            f"the weights {str(path)!r} cannot be used ({problem}): give JSON such as "
            '{"simple": 3, "set": 1}, or CSV with the columns question_type and weight'
        ) from None


def _table(text: str) -> dict[str, Any]:
    rows = csv.DictReader(io.StringIO(text))
    if not {_TYPE, _WEIGHT} <= {*(rows.fieldnames or ())}:
        raise ValueError(f"its columns are {', '.join(rows.fieldnames or ()) or 'none'}")
    found: dict[str, Any] = {}
    for row in rows:
        try:
            weight = float(row[_WEIGHT])
        except (TypeError, ValueError):
            raise ValueError(f"line {rows.line_num} has {row[_WEIGHT]!r} as weight") from None
        if not (name := (row[_TYPE] or "").strip()):
            raise ValueError(f"line {rows.line_num} names no type")
        where = found.setdefault(domain, {}) if (domain := (row.get(_DOMAIN) or "").strip()) else found
        if not isinstance(where, dict) or name in where:
            raise ValueError(f"line {rows.line_num} names a type or domain a second time")
        where[name] = weight
    return found


def _checked(named: Mapping[str, Any], file: str) -> Weights:
    types: dict[str, float] = {}
    domains: dict[str, dict[str, float]] = {}
    for name, value in named.items():
        if isinstance(value, Mapping):
            domains[name] = {type_: _weight(one, f"{name}, {type_}") for type_, one in value.items()}
        else:
            types[name] = _weight(value, name)
    every = [*types.values(), *(weight for own in domains.values() for weight in own.values())]
    if file and not any(every):
        raise ValueError("no weight in it is above 0")
    return Weights(types, domains, file)


def _weight(value: Any, name: str) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if not plain or not 0 <= value <= _MOST:
        raise ValueError(f"{name!r} has the weight {repr(value)[:60]}: a number from 0 to {_MOST:,} is wanted")
    return float(value)


@dataclass(frozen=True)
class Scored:
    """One answer: its domain, its question type and its worth under each figure, such as 1 for a right one under
    "accuracy"."""

    domain: str
    type: str
    values: Mapping[str, float]


def mean_of(answers: Sequence[Scored]) -> dict[str, float]:
    """The mean of every figure, all answers alike; {} for none."""
    if not answers:
        return {}
    return {name: sum(one.values[name] for one in answers) / len(answers) for name in answers[0].values}


def macro(answers: Iterable[Scored]) -> dict[str, float]:
    """The mean over domains of the mean over their answers: a domain weighs the same however many questions it has."""
    return _over([mean_of(part) for part in _by(answers, "domain").values()])


def weighted(answers: Iterable[Scored], weights: Weights = EQUAL) -> dict[str, float]:
    """The mean over domains of the weighted mean over the types that they have, each type by the mean of its answers.

    A weight is thus the share of traffic that a type has, however many of its questions were drawn. A domain none of
    whose types weighs anything is left out; {} where none is left.
    """
    found = []
    for domain, part in _by(answers, "domain").items():
        means = {type_: (mean_of(own), weights.of(type_, domain)) for type_, own in _by(part, "type").items()}
        whole = sum(weight for _, weight in means.values())
        if whole > 0:
            names = next(iter(means.values()))[0]
            found.append({name: sum(mean[name] * w for mean, w in means.values()) / whole for name in names})
    return _over(found)


def recipes(
    answers: Sequence[Scored],
    conversation: np.ndarray,
    conversations: int,
    weights: Weights = EQUAL,
    signed: Collection[str] = (),
) -> dict[str, Recipe]:
    """The figures of `mean_of`, `macro` and `weighted`, named `all.NAME`, `macro.NAME` and `weighted.NAME`, with what
    their intervals need.

    In a draw that lacks a domain, or a type within one, the mean is over those that it has.

    Args:
        conversation: which conversation each answer belongs to (n,), of so many `conversations`.
        signed: the figures that go from -1 to 1 instead of 0 to 1.
    """
    if not answers:
        return {}
    cells = list(dict.fromkeys((one.domain, one.type) for one in answers))
    domains = list(dict.fromkeys(domain for domain, _ in cells))
    names = list(answers[0].values)
    rows = np.array([[1.0, *(one.values[name] for name in names)] for one in answers])
    sums = np.zeros((conversations, len(cells), rows.shape[1]))
    np.add.at(sums, (conversation, np.array([cells.index((one.domain, one.type)) for one in answers])), rows)
    member = np.array([[domain == own for own in domains] for domain, _ in cells], float)
    flat = sums.reshape(conversations, -1)
    worth = np.array([weights.of(type_, domain) for domain, type_ in cells])
    ways: dict[str, tuple[Mapping[str, float], _Way]] = {
        "all": (mean_of(answers), _plain),
        "macro": (macro(answers), lambda drawn, k: _over_domains(drawn[:, :, k] @ member, drawn[:, :, 0] @ member)),
        "weighted": (weighted(answers, weights), lambda drawn, k: _by_weight(drawn, k, worth, member)),
    }
    return {
        f"{way}.{name}": Recipe(
            values[name],
            len(answers),
            flat,
            partial(_scored_draws, cells=len(cells), formula=formula, k=k),
            -1.0 if name in signed else 0.0,
        )
        for way, (values, formula) in ways.items()
        for k, name in enumerate(names, 1)
        if name in values
    }


#: Sums of draws (b, cells, 1 + figures), the number of answers first, and which figure → its values (b,).
_Way = Callable[[np.ndarray, int], np.ndarray]


def _scored_draws(sums: np.ndarray, *, cells: int, formula: _Way, k: int) -> np.ndarray:
    return formula(sums.reshape(len(sums), cells, -1), k)


def _plain(drawn: np.ndarray, k: int) -> np.ndarray:
    return drawn[:, :, k].sum(axis=1) / drawn[:, :, 0].sum(axis=1)


def _by_weight(drawn: np.ndarray, k: int, worth: np.ndarray, member: np.ndarray) -> np.ndarray:
    there = drawn[:, :, 0] > 0
    means = np.divide(drawn[:, :, k], drawn[:, :, 0], out=np.zeros(there.shape), where=there)
    weighing = worth * there
    return _over_domains((means * weighing) @ member, weighing @ member)


def _over_domains(tops: np.ndarray, bottoms: np.ndarray) -> np.ndarray:
    """The mean over the domains (b, d) that have anything; NaN where none has."""
    there = bottoms > 0
    return np.divide(tops, bottoms, out=np.zeros(there.shape), where=there).sum(axis=1) / there.sum(axis=1)


def unnamed(answers: Iterable[Scored], weights: Weights) -> list[str]:
    """The question types that a file of weights does not name, so that they weigh nothing."""
    if not weights.file:
        return []
    return sorted(
        {
            one.type
            for one in answers
            if one.type not in weights.types and one.type not in weights.domains.get(one.domain, {})
        }
    )


def _by(answers: Iterable[Scored], name: str) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for one in answers:
        found.setdefault(getattr(one, name), []).append(one)
    return found


def _over(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(part[name] for part in parts) / len(parts) for name in parts[0]} if parts else {}
