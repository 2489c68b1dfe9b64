"""A judge on trial: how far its verdicts are those of the people who graded the same answers.

People's perfect and acceptable are correct, missing is missing, incorrect is wrong; the table by all four grades stands
beside the one by three. What the judge leans to where it is not sure counts as it does in scores; without a leaning the
answer is unreadable, which agrees with nobody. Precision, recall and F1 are those of Table 7 of the CRAG-MM paper
(arXiv 2510.26160): accurate, incorrect, missing. Figures by scikit-learn and statsmodels, intervals over conversations
(`eval.metrics.figures`). What the judge's errors do to the scores of a run is `eval.annotate.correction`.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np

from assistant.core.errors import BadInput
from eval.annotate.labelled import Grade, Labelled, LabelledSet
from eval.metrics.figures import METHODS, Figure, Figures, Recipe, label_columns, numbered, per_conversation, share_of
from eval.metrics.intervals import SEED
from eval.metrics.kappa import kappa
from eval.metrics.public import Verdict
from eval.metrics.slices import LEAST_TURNS, label_text

Bucket = Literal["accurate", "incorrect", "missing"]
Said = Literal["accurate", "incorrect", "missing", "unreadable"]

#: Verdict → its name in the paper's table, in that table's order.
BUCKETS: dict[Verdict, Bucket] = {"correct": "accurate", "wrong": "incorrect", "missing": "missing"}
SAID: tuple[Said, ...] = get_args(Said)
#: What tells one judge from another in its judgements.
IDENTITY = ("judge", "judge_version", "judge_model", "judge_prompt")
_CODES: dict[Verdict, int] = {verdict: code for code, verdict in enumerate(BUCKETS)}
_UNREADABLE = len(BUCKETS)
_SPENT = ("prompt_tokens", "completion_tokens", "cost", "ms")


@dataclass(frozen=True)
class BucketFigures:
    """One row of the table: answers that people (`n_people`) and the judge (`n_judge`) put there."""

    n_people: int
    n_judge: int
    precision: Figure
    recall: Figure
    f1: Figure


@dataclass(frozen=True)
class TrialSlice:
    """The answers with one value of a label; `few` marks those with fewer than 30."""

    n: int
    few: bool
    accuracy: Figure
    kappa: Figure


@dataclass(frozen=True)
class Disagreement:
    """An answer that the judge and the people see otherwise. `people` is the grade, or the bucket where none is known;
    `leaning` says that the judge gave no verdict and only leaned to what stands under `judge`."""

    id: str
    session_id: str
    turn_idx: int
    query: str
    ground_truth: str
    answer: str
    people: str
    judge: Said
    leaning: bool
    why: str
    labels: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One judge against one labelled set.

    `identity` is what the judge's lines begin with (name, version, model, prompt); `digest` is of the labelled set.
    `n` answers were judged, `n_not_judged` were not reached. `confusion` is bucket of the people → what the judge said
    → how many, `grades` the same by the four grades, of the `n_graded` answers that have one. `accuracy` is the share
    of all answers that the judge puts where people do, `sure` that share where it gave a verdict itself. `kappa` is
    Cohen's, with unreadable as a fourth thing to say. `bias` is what the judge gives minus what people give, of the
    shares under `judge` and `people`; there unreadable answers count as missing, as in scores.

    `spent` are tokens, US dollars, milliseconds and calls, as far as the judgements kept them. `seen` has for every
    answer its conversation, the people's bucket and what the judge said, as numbers in the order of `SAID`.
    """

    identity: Mapping[str, Any]
    labels: str
    digest: str
    at: str
    n: int
    n_conversations: int
    n_graded: int
    n_unreadable: int
    n_leaning: int
    n_not_judged: int
    left_out: Mapping[str, int]
    confusion: Mapping[Bucket, Mapping[Said, int]]
    grades: Mapping[Grade, Mapping[Said, int]]
    accuracy: Figure
    sure: Figure
    kappa: Figure
    buckets: Mapping[Bucket, BucketFigures]
    people: Mapping[str, float]
    judge: Mapping[str, float]
    bias: Mapping[str, Figure]
    slices: Mapping[str, Mapping[str, TrialSlice]]
    disagreements: tuple[Disagreement, ...]
    spent: Mapping[str, float]
    seen: tuple[tuple[int, int, int], ...]

    @property
    def judge_text(self) -> str:
        """The judge in words: `llm (version 2, model m, prompt p)`."""
        rest = ", ".join(f"{key.removeprefix('judge_')} {v}" for key, v in self.identity.items() if key != "judge")
        return f"{self.identity['judge']} ({rest})" if rest else str(self.identity["judge"])

    @property
    def sentence(self) -> str:
        """What stands beside a score of this judge."""
        beyond = "undefined" if self.kappa.value is None else f"{self.kappa.value:.2f}"
        return f"this judge agreed with people in {self.accuracy.value or 0:.0%} of {self.n:,} answers (kappa {beyond})"

    def json(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "methods": METHODS}


def trial(
    labels: LabelledSet,
    judgements: Iterable[Mapping[str, Any]],
    *,
    at: datetime,
    identity: Mapping[str, Any] | None = None,
    seed: int = SEED,
    resamples: int | None = None,
) -> Trial:
    """Put a judge on trial.

    Args:
        labels: what people say.
        judgements: the judge's lines as `judgements.jsonl` has them (`interaction_id`, `verdict`, perhaps `leaning`,
            `why`, tokens and cost); of several on one answer the last counts, those on other answers do not.
        at: when it was held.
        identity: whose lines count; by default they must all be of one judge, whose identity is taken from them.

    Raises:
        BadInput: no line is about an answer of the set, or several judges speak.
    """
    known = {item.id for item in labels.items}
    lines = [line for line in judgements if line["interaction_id"] in known]
    who = dict(identity) if identity is not None else _one_identity(lines)
    last = {line["interaction_id"]: line for line in lines if all(line.get(k) == v for k, v in who.items())}
    judged = [item for item in labels.items if item.id in last]
    if not judged:
        raise BadInput(f"the judge {who.get('judge')!r} judged no answer of {labels.name!r}: judge them first")
    told = [last[item.id] for item in judged]
    table = _Table.of(judged, told)
    figures = Figures(table.conversations)
    _add_whole(figures, table)
    kept = _add_slices(figures, table, [item.labels for item in judged])
    made = figures.made(seed=seed, resamples=resamples)
    confusion, graded = _confusion(table), [i for i, item in enumerate(judged) if item.grade is not None]
    return Trial(
        identity=who,
        labels=labels.name,
        digest=labels.digest,
        at=at.isoformat(timespec="seconds"),
        n=len(judged),
        n_conversations=table.conversations,
        n_graded=len(graded),
        n_unreadable=int((table.said == _UNREADABLE).sum()),
        n_leaning=int(table.leaning.sum()),
        n_not_judged=len(labels.items) - len(judged),
        left_out=dict(labels.left_out),
        confusion={name: dict(zip(SAID, confusion[i], strict=True)) for i, name in enumerate(BUCKETS.values())},
        grades=_by_grade([(judged[i].grade, table.said[i]) for i in graded]),
        accuracy=made["accuracy"],
        sure=made["sure"],
        kappa=made["kappa"],
        buckets=_buckets(confusion, made),
        people=rates(np.bincount(table.people, minlength=4)),
        judge=rates(np.bincount(table.said, minlength=4)),
        bias={name: made["bias", name] for name in _BIASES},
        slices={
            label: {
                text: TrialSlice(n, n < LEAST_TURNS, *(made["slice", label, text, part] for part in _SLICED))
                for text, n in values.items()
            }
            for label, values in kept.items()
        },
        disagreements=tuple(
            _disagreement(item, line, SAID[code], bool(leaning))
            for item, line, people, code, leaning in zip(
                judged, told, table.people, table.said, table.leaning, strict=True
            )
            if people != code
        ),
        spent=_spent(told),
        seen=tuple(
            (int(c), int(p), int(s)) for c, p, s in zip(table.conversation, table.people, table.said, strict=True)
        ),
    )


def _buckets(confusion: Sequence[Sequence[int]], made: Mapping[Any, Figure]) -> dict[Bucket, BucketFigures]:
    return {
        name: BucketFigures(
            sum(confusion[i]),
            sum(row[i] for row in confusion),
            *(made[name, part] for part in ("precision", "recall", "f1")),
        )
        for i, name in enumerate(BUCKETS.values())
    }


def rates(counts: Sequence[int] | np.ndarray) -> dict[str, float]:
    """Shares out of counts of accurate, incorrect, missing and unreadable; the last count as missing, as in scores."""
    total = sum(counts)
    right, wrong, missing, unreadable = (float(n) / total for n in counts)
    return {
        "accuracy": right,
        "hallucination": wrong,
        "missing": missing + unreadable,
        "truthfulness": right - wrong,
    }


@dataclass(frozen=True, eq=False)
class _Table:
    """The answers as columns (n,): conversation, the people's bucket, what the judge said, whether it only leaned."""

    conversation: np.ndarray
    conversations: int
    people: np.ndarray
    said: np.ndarray
    leaning: np.ndarray

    @classmethod
    def of(cls, items: Sequence[Labelled], told: Sequence[Mapping[str, Any]]) -> _Table:
        conversation, conversations = numbered([item.session_id for item in items])
        counted = [line.get("verdict") or line.get("leaning") for line in told]
        return cls(
            conversation,
            conversations,
            np.array([_CODES[item.verdict] for item in items], np.int64),
            np.array([_UNREADABLE if verdict is None else _CODES[verdict] for verdict in counted], np.int64),
            np.array([bool(line.get("leaning")) and not line.get("verdict") for line in told], bool),
        )

    def sums(self, values: np.ndarray, keep: np.ndarray | None = None) -> np.ndarray:
        """`values` (n, w) added up per conversation, those of `keep` alone where it is given."""
        rows = np.arange(len(self.people)) if keep is None else np.flatnonzero(keep)
        return per_conversation(values[rows], self.conversation[rows], self.conversations)

    @property
    def cells(self) -> np.ndarray:
        """Each answer's cell in the square table of four (n, 16)."""
        return np.eye(16)[self.people * 4 + self.said]

    @property
    def agreed(self) -> np.ndarray:
        return self.people == self.said


_BIASES = {"accuracy": (1, 0, 0, 0), "hallucination": (0, 1, 0, 0), "truthfulness": (1, -1, 0, 0)}
_SLICED = ("accuracy", "kappa")


def _add_whole(figures: Figures, table: _Table) -> None:
    figures.add("accuracy", _accuracy(table, None, "nothing was judged"))
    figures.add("sure", _accuracy(table, ~table.leaning & (table.said != _UNREADABLE), "the judge is never sure"))
    cells = table.sums(table.cells)
    figures.add("kappa", _kappa(cells, table))
    for key, found in _bucket_figures(table, cells):
        figures.add(key, found)
    for name, worth in _BIASES.items():
        each = np.array(worth, float)
        values = np.stack([each[table.said] - each[table.people], np.ones(len(table.said))], axis=1)
        sums, scale = table.sums(values), float(np.ptp(each))
        figures.add(("bias", name), Recipe(float(values[:, 0].mean()), len(values), sums, _mean, -scale, scale))


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def _accuracy(table: _Table, keep: np.ndarray | None, why: str) -> Figure | Recipe:
    sums = table.sums(np.column_stack([table.agreed, np.ones(len(table.said))]), keep)
    return share_of(sums[:, 0], sums[:, 1], why)


def _kappa(cells: np.ndarray, table: _Table) -> Figure | Recipe:
    return kappa(cells, 4, "none", alone=table.conversations == len(table.said), names=SAID)


def _bucket_figures(table: _Table, cells: np.ndarray) -> Iterable[tuple[tuple[str, str], Figure | Recipe]]:
    """Precision, recall and F1 of each bucket."""
    from sklearn.metrics import precision_recall_fscore_support

    found = precision_recall_fscore_support(table.people, table.said, labels=range(3), zero_division=np.nan)
    for i, name in enumerate(BUCKETS.values()):
        people, judge = int((table.people == i).sum()), int((table.said == i).sum())
        for part, values, n, why in (
            ("precision", found[0], judge, f"the judge calls no answer {name}"),
            ("recall", found[1], people, f"people call no answer {name}"),
            ("f1", found[2], people + judge, f"nobody calls an answer {name}"),
        ):
            made = Recipe(float(values[i]), n, cells, _bucket_formula(i, part), low=0.0) if n else Figure(None, why=why)
            yield (name, part), made


def _bucket_formula(i: int, part: str) -> Any:
    def formula(drawn: np.ndarray) -> np.ndarray:
        tables = drawn.reshape(-1, 4, 4)
        people, judge = tables[:, i].sum(axis=1), tables[:, :, i].sum(axis=1)
        below = {"precision": judge, "recall": people, "f1": (people + judge) / 2}[part]
        return tables[:, i, i] / below

    return formula


def _add_slices(figures: Figures, table: _Table, labels: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The figures of every slice; label → value → how many answers, the most frequent value first."""
    found: dict[str, dict[str, int]] = {}
    for label, column in label_columns(labels).items():
        texts = np.array(["" if value is None else label_text(value) for value in column], object)
        known = np.array([value is not None for value in column], bool)
        for text, n in Counter(texts[known].tolist()).most_common():
            keep = known & (texts == text)
            found.setdefault(label, {})[text] = n
            figures.add(("slice", label, text, "accuracy"), _accuracy(table, keep, ""))
            figures.add(("slice", label, text, "kappa"), _kappa(table.sums(table.cells, keep), table))
    return found


def _confusion(table: _Table) -> list[list[int]]:
    """Buckets of the people (3) by what the judge said (4)."""
    from sklearn.metrics import confusion_matrix

    return confusion_matrix(table.people, table.said, labels=range(4))[:3].tolist()


def _by_grade(pairs: Sequence[tuple[Grade | None, int]]) -> dict[Grade, dict[Said, int]]:
    counts = Counter((grade, SAID[code]) for grade, code in pairs)
    return {grade: {said: counts[grade, said] for said in SAID} for grade in get_args(Grade)}


def _disagreement(item: Labelled, line: Mapping[str, Any], said: Said, leaning: bool) -> Disagreement:
    return Disagreement(
        item.id, item.session_id, item.turn_idx, item.query, item.ground_truth, item.answer,
        item.grade or BUCKETS[item.verdict], said, leaning, str(line.get("why") or ""), dict(item.labels),
    )  # fmt: skip


def _spent(lines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Calls of a model, and the sums of what the lines kept; nothing that no line has."""
    calls = sum("reply" in line and not line.get("cached") for line in lines)
    sums = {name: sum(line[name] for line in lines if line.get(name) is not None) for name in _SPENT}
    kept = {name for name in _SPENT if any(line.get(name) is not None for line in lines)}
    return {**({"calls": calls} if calls else {}), **{name: sums[name] for name in _SPENT if name in kept}}


def _one_identity(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found = {tuple(line.get(key) for key in IDENTITY) for line in lines}
    if len(found) > 1:
        raise BadInput(f"{len(found)} judges judged these answers: say whose judgements count")
    return {key: value for key, value in zip(IDENTITY, next(iter(found), ()), strict=False) if value is not None}
