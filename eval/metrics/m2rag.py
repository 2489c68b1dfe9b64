"""The eight metrics of M2RAG (arXiv 2411.16365, section 4), over a run's answers.

Of the text: fluency, relevance, context precision and faithfulness; of each picture in it: coherence with the words
around it, helpfulness, and reference (do the words speak of it); image recall, which needs no judge: of the pictures
handed over that their data score 8 of 10 or more, the share that is used, 1 where there are none. Scores are 0 to 1.
`overall` is the mean of the eight, `without_recall` that of the seven others: nobody scored the pictures of a folder of
pages of one's own, so there is no recall and no `overall`.

The repository reads the three metrics of pictures in two ways, and both are told. `statistics` (its
`score_statistics.py` and `evaluate.py`, and so the published table): the mean over all pictures of all answers, answers
without pictures are passed over. `script` (the scores its evaluator keeps of every answer): the mean of an answer's
pictures, 0 for an answer without, then the mean over answers. The other five are the same in both.

Context precision and faithfulness are those of ragas: the average precision of the contexts that were of use to the
answer, in their order, and the share of the answer's statements that the contexts support. An answer without statements
has no faithfulness.

Means are over the answers that were judged; failed turns have no answer, `n_failed` says how many. What a judge's reply
left unread is passed over, `n_unread` says how many scores. Intervals: bootstrap over questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from eval.data.samples import FAILED
from eval.metrics.figures import Between, Figure, Figures, Recipe, differences, share_of
from eval.metrics.m2rag_answers import answer_of, take_apart

TEXT_METRICS = ("fluency", "relevance", "context_precision", "faithfulness")
PICTURE_METRICS = ("image_coherence", "image_helpfulness", "image_reference")
RECALL = "image_recall"
METRICS = (*TEXT_METRICS, *PICTURE_METRICS, RECALL)
FIGURES = (*METRICS, "overall", "without_recall")
#: A picture that should be used: its data's score, 0 to 1.
GOOD_PICTURE = 0.8
TOP_SCORE = 10
_INTEGER = re.compile(r"\d+")


# what a judge's replies come to


def score_in(reply: str) -> float | None:
    """The last integer of a reply, held within 0 and 10, as a share of 10; None for a reply without one.

    As in the repository, which takes a reply without one for 0.
    """
    found = _INTEGER.findall(reply)
    return min(TOP_SCORE, int(found[-1][:9])) / TOP_SCORE if found else None


def context_precision(useful: Sequence[bool]) -> float:
    """Average precision of contexts in their order, of which some were of use (ragas, `LLMContextPrecision`)."""
    hits = [sum(useful[: n + 1]) / (n + 1) for n, one in enumerate(useful) if one]
    return sum(hits) / len(hits) if hits else 0.0


def faithfulness(supported: Sequence[bool]) -> float | None:
    """Share of statements that the contexts support (ragas, `Faithfulness`); None without statements."""
    return sum(supported) / len(supported) if supported else None


# of one answer


@dataclass(frozen=True)
class Answered:
    """One answer in figures.

    Attributes:
        topic: its question's; "" for none.
        text: metrics of the text, None where there is none.
        pictures: of each picture in it the three metrics; [] for a text alone.
        recall: None where the data score no pictures.
        handed, placed, repeated, unknown: pictures handed over, used, placed again, and named though never handed over.
        judged: whether there are scores at all.
    """

    topic: str
    text: Mapping[str, float | None]
    pictures: Sequence[Mapping[str, float | None]]
    recall: float | None
    handed: int
    placed: int
    repeated: int
    unknown: int
    judged: bool


def answered(line: Mapping[str, Any], judgement: Mapping[str, Any], scored: bool | None = None) -> Answered:
    """One turn's line, with the evidence that it was handed under `handed` (None where that is not known any more), and
    what a judge scored of it. `scored`: whether the data score their pictures; None to go by this turn's evidence.
    """
    handed = [piece for piece in line.get("handed") or () if isinstance(piece, Mapping)]
    pictures = [piece for piece in handed if piece.get("kind") == "picture"]
    parts = take_apart(answer_of(line), [str(piece.get("source")) for piece in pictures])
    scores = judgement.get("scores")
    scores = scores if isinstance(scores, Mapping) else {}
    shown = scores.get("pictures")
    return Answered(
        str(line.get("domain") or ""),
        {name: _share(scores.get(name)) for name in TEXT_METRICS},
        [
            {name: _share(one.get(name)) for name in PICTURE_METRICS}
            for one in (shown if isinstance(shown, list) else ())
            if isinstance(one, Mapping)
        ],
        _recall(pictures, {placed.picture for placed in parts.placed})
        if line.get("handed") is not None and (has_scores(line) if scored is None else scored)
        else None,
        len(pictures),
        len(parts.placed),
        parts.repeated,
        parts.unknown,
        bool(scores),
    )


def has_scores(line: Mapping[str, Any]) -> bool:
    """Whether a turn's data score what it was handed: then a piece of it has a score above 0."""
    handed = (piece for piece in line.get("handed") or () if isinstance(piece, Mapping))
    return any((_number(piece.get("score")) or 0.0) > 0 for piece in handed)


def _recall(pictures: Sequence[Mapping[str, Any]], used: set[int]) -> float:
    good = [n for n, piece in enumerate(pictures) if (_number(piece.get("score")) or 0.0) >= GOOD_PICTURE - 1e-9]
    return sum(n in used for n in good) / len(good) if good else 1.0


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _share(value: Any) -> float | None:
    found = _number(value)
    return found if found is not None and 0 <= found <= 1 else None


# of a run


def m2rag_scores(lines: Sequence[Mapping[str, Any]], judgements: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """All figures of a run: the statistics' reading at the top, the script's under `script`, each topic's under
    `by_topic`; counts of pictures under `pictures`.

    Args:
        lines: the turns, each with what it was handed under `handed`, None where that is not known any more.
        judgements: by interaction id, from the judge `m2rag`; those of others score nothing.
    """
    lost = sum(line["status"] in FAILED for line in lines)
    scored = any(map(has_scores, lines))
    told = [
        answered(line, judgements.get(line["interaction_id"]) or {}, scored)
        for line in lines
        if line["status"] not in FAILED
    ]
    topics = sorted({one.topic for one in told if one.topic})
    return {
        **_figures(told),
        "n": len(lines),
        "n_failed": lost,
        "n_scored": sum(one.judged for one in told),
        "pictures": {
            "handed": sum(one.handed for one in told),
            "placed": sum(one.placed for one in told),
            "per_answer": sum(one.placed for one in told) / len(told) if told else None,
            "answers_without": sum(not one.placed for one in told),
            "repeated": sum(one.repeated for one in told),
            "unknown": sum(one.unknown for one in told),
        },
        "by_topic": {name: _figures([one for one in told if one.topic == name]) for name in topics},
    }


def m2rag_differences(
    a: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], b: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> dict[str, Between]:
    """Every figure that two runs have over the same questions, by its name; the script's overall as `script.overall`.

    Intervals are paired: the same questions are drawn for both runs. A question that failed in a run counts there in
    no figure, as in `m2rag_scores`.

    Args:
        a, b: the turns of both runs in the same order, each as (line with `handed`, judgement or {}).
    """
    scored = any(has_scores(line) for run in (a, b) for line, _ in run)
    told = [
        [None if line["status"] in FAILED else answered(line, judged, scored) for line, judged in run] for run in (a, b)
    ]
    found: dict[str, Between] = {}
    for reading, names, of_pictures in (("", FIGURES, _pooled), ("script.", ("overall",), _by_answer)):
        one, other = (_recipes(_table(run, of_pictures)) for run in told)
        between = differences(one, other, len(a))
        found |= {f"{reading}{name}": between[name] for name in names if name in between}
    return found


def _table(told: Sequence[Answered | None], of_pictures: PictureSums) -> np.ndarray:
    """(questions, 8, 2) sums of scores and their numbers."""
    nothing = [(0.0, 0.0)] * len(METRICS)
    sums = [nothing if one is None else _sums(one, of_pictures) for one in told]
    return np.array(sums, float).reshape(len(told), len(METRICS), 2)


def _recipes(sums: np.ndarray) -> dict[str, Figure | Recipe]:
    """The eight metrics and their means from (questions, 8, 2) sums of scores and their numbers."""
    found: dict[str, Figure | Recipe] = {
        name: share_of(sums[:, n, 0], sums[:, n, 1], "no answer has it") for n, name in enumerate(METRICS)
    }
    flat = sums.reshape(len(sums), 2 * len(METRICS))
    for n in range(len(METRICS), len(FIGURES)):
        value = float(_ratios(sums.sum(axis=0)[None])[0, n])
        recipe = Recipe(value, len(sums), flat, partial(_drawn, n=n), 0.0)
        found[FIGURES[n]] = Figure(None, why="a metric is missing") if np.isnan(value) else recipe
    return found


def _drawn(flat: np.ndarray, *, n: int) -> np.ndarray:
    """The n-th of `FIGURES` from sums of draws (b, 16) → (b,)."""
    return _ratios(flat.reshape(len(flat), len(METRICS), 2))[:, n]


def _figures(told: Sequence[Answered]) -> dict[str, Any]:
    statistics, script = _reading(told, _pooled), _reading(told, _by_answer)
    judged = [one for one in told if one.judged]
    unread = sum(value is None for one in judged for name, value in one.text.items() if name != "faithfulness")
    unread += sum(value is None for one in judged for picture in one.pictures for value in picture.values())
    return {
        **statistics,
        "script": {name: script[name] for name in ("overall", "without_recall", *PICTURE_METRICS, "intervals")},
        "n_answers": len(told),
        "n_unread": unread,
        "n_without_statements": sum(one.text["faithfulness"] is None for one in judged),
    }


#: (sum of scores, number of scores) of one answer's metric of pictures.
PictureSums = Callable[[Answered, str], tuple[float, float]]


def _pooled(one: Answered, name: str) -> tuple[float, float]:
    known = [value for picture in one.pictures if (value := picture[name]) is not None]
    return sum(known), len(known)


def _by_answer(one: Answered, name: str) -> tuple[float, float]:
    if not one.judged:
        return 0.0, 0
    total, n = _pooled(one, name)
    if not one.pictures:
        return 0.0, 1
    return (total / n, 1) if n else (0.0, 0)


def _reading(told: Sequence[Answered], of_pictures: PictureSums) -> dict[str, Any]:
    """The eight figures and their means, with intervals, in one reading."""
    figures = Figures(len(told))
    for name, recipe in _recipes(_table(told, of_pictures)).items():
        figures.add(name, recipe)
    made = figures.made()
    return {
        **{name: made[name].value for name in FIGURES},
        "intervals": {name: ends.json() for name in FIGURES if (ends := made[name].interval) is not None},
    }


def _sums(one: Answered, of_pictures: PictureSums) -> list[tuple[float, float]]:
    texts = [(0.0, 0.0) if (value := one.text[name]) is None else (value, 1.0) for name in TEXT_METRICS]
    pictures = [of_pictures(one, name) for name in PICTURE_METRICS]
    return [*texts, *pictures, (0.0, 0.0) if one.recall is None else (one.recall, 1.0)]


def _ratios(sums: np.ndarray) -> np.ndarray:
    """(b, 8, 2) sums → (b, 10), as `FIGURES`: the metrics and their means, NaN where one is not defined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        metrics = sums[:, :, 0] / sums[:, :, 1]
    return np.column_stack([metrics, metrics.mean(axis=1), metrics[:, : METRICS.index(RECALL)].mean(axis=1)])
