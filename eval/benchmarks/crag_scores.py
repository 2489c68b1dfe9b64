"""CRAG's scores (arXiv 2406.04744, section 4): accurate less incorrect, by domain, by traffic, by people's grades.

The paper judges with two models and reports the mean of the two; so do the figures here where two judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.benchmarks.base import JudgedLine, verdict_of
from eval.data.samples import session_in_data
from eval.data.truths import with_truth
from eval.metrics import public as metrics
from eval.metrics.figures import Between, Figures, Recipe, differences, numbered
from eval.metrics.traffic import EQUAL, Scored, Weights, macro, mean_of, recipes, unnamed, weighted

#: Figures from -1 to 1.
_SIGNED = ("truthfulness", "score")
Judgements = Mapping[str, Mapping[str, Any]]


def crag_own_scores(
    lines: Sequence[Mapping[str, Any]],
    judgements: Judgements,
    weights: Weights = EQUAL,
    also: Judgements | None = None,
) -> dict[str, Any]:
    """Accuracy, incorrect, missing and truthfulness (accuracy less incorrect) three ways: `all` answers alike, `macro`
    (domains weigh the same) and `weighted` (within a domain question types by `weights`, see `eval.metrics.traffic`).

    A turn that failed and one without a verdict count as missing; one that the judge is not sure of counts as what it
    leans to. Answers that people graded (perfect 1, acceptable 0.5, missing 0, incorrect -1) have their shares at the
    top and, both other ways, under `graded`: those are of graded answers alone. Intervals are those of questions drawn
    anew.

    Args:
        also: what a second model judged; every answer then has the mean of what both say of it.
    """
    told = _told(lines, [judgements] if also is None else [judgements, also])
    domains: dict[str, list[Scored]] = {}
    for one in told.answers:
        domains.setdefault(one.domain, []).append(one)
    found: dict[str, Any] = {
        "n_judges": 1 if also is None else 2,
        **(metrics.crag_scores(told.grades) if told.grades else {}),
        "all": {"n": len(told.answers), "n_unjudged": told.unjudged, **mean_of(told.answers)},
        "macro": {"n_domains": len(domains), **macro(told.answers)},
        "weighted": weighted(told.answers, weights),
        "domains": {name: {"n": len(part), **mean_of(part)} for name, part in sorted(domains.items())},
        "weights": {**weights.json(), "left_out": unnamed(told.answers, weights)},
        **(
            {"graded": {"macro": macro(told.graded), "weighted": weighted(told.graded, weights)}} if told.graded else {}
        ),
    }
    figures = Figures(told.n)
    for key, recipe in _recipes(told, weights).items():
        figures.add(key, recipe)
    for key, figure in figures.made().items():
        parent, _, name = key.rpartition(".")
        group = found["graded"][parent.removeprefix("graded.")] if key.startswith("graded.") else found[parent]
        if figure.interval is not None:
            group.setdefault("intervals", {})[name] = figure.interval.json()
    return found


def crag_differences(
    a: Sequence[JudgedLine], b: Sequence[JudgedLine], weights: Weights | None = EQUAL
) -> dict[str, Between]:
    """The figures that two runs have over the same questions; those by traffic only where both have the same weights
    (None where they do not)."""
    sides = [
        _told([line for line, _ in run], [{line["interaction_id"]: judged for line, judged in run}]) for run in (a, b)
    ]
    one, other = (_recipes(told, weights or EQUAL) for told in sides)
    found = differences(one, other, sides[0].n)
    return {key: between for key, between in found.items() if weights is not None or "weighted." not in key}


@dataclass(frozen=True)
class _Told:
    """Answers with their worth, those that people graded among them, which of the n conversations each belongs to, the
    grades, and of how many answers a judge gave no verdict."""

    answers: list[Scored]
    conversation: np.ndarray
    graded: list[Scored]
    graded_of: np.ndarray
    n: int
    grades: list[str]
    unjudged: int


def _told(lines: Sequence[Mapping[str, Any]], judges: Sequence[Judgements]) -> _Told:
    lines = with_truth(lines)
    conversation, n = numbered([session_in_data(line) for line in lines])
    verdicts = [[verdict_of(line, judgements) for judgements in judges] for line in lines]
    worths = [_mean([_worth(verdict or "missing") for verdict in said]) for said in verdicts]
    grades = [judges[0].get(line["interaction_id"], {}).get("grade") for line in lines]
    graded = [(line, code, grade) for line, code, grade in zip(lines, conversation, grades, strict=True) if grade]
    return _Told(
        answers=[_scored(line, worth) for line, worth in zip(lines, worths, strict=True)],
        conversation=conversation,
        graded=[_scored(line, _grade(grade)) for line, _, grade in graded],
        graded_of=np.array([code for _, code, _ in graded], np.int64),
        n=n,
        grades=[grade for _, _, grade in graded],
        unjudged=sum(None in said for said in verdicts),
    )


def _recipes(told: _Told, weights: Weights) -> dict[str, Recipe]:
    by_people = recipes(told.graded, told.graded_of, told.n, weights, _SIGNED)
    return {
        **recipes(told.answers, told.conversation, told.n, weights, _SIGNED),
        **{f"graded.{key}": recipe for key, recipe in by_people.items() if not key.startswith("all.")},
    }


def _scored(line: Mapping[str, Any], values: Mapping[str, float]) -> Scored:
    domain, type_ = (line.get(name) for name in ("domain", "query_category"))
    return Scored("none" if domain is None else str(domain), "none" if type_ is None else str(type_), values)


def _worth(verdict: str) -> dict[str, float]:
    right, wrong = float(verdict == "correct"), float(verdict == "wrong")
    return {"accuracy": right, "incorrect": wrong, "missing": 1 - right - wrong, "truthfulness": right - wrong}


def _mean(worths: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(worth[name] for worth in worths) / len(worths) for name in worths[0]}


def _grade(grade: str) -> dict[str, float]:
    return {"score": metrics.GRADES[grade], **{name: float(name == grade) for name in metrics.GRADES}}
