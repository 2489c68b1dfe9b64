"""Rows of a file of answers laid on the turns of a benchmark: what fits, what fits nowhere, which turns got nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.core.errors import BadInput
from eval.data.samples import Data, Sample, SampleTurn
from eval.imported.answers import AnswerFile, Given
from eval.imported.scales import Scale, UnknownValue, parse_scale, recognise

#: How rows found their turns, in words.
_BY = {"interaction_id": "by interaction_id", "turn": "by session_id and turn_idx", "query": "by the question"}


@dataclass(frozen=True)
class Answer:
    """An answer at its turn."""

    sample: Sample
    turn: SampleTurn
    given: Given
    text: str


@dataclass(frozen=True)
class Unmatched:
    """A row that has no place among the data's turns, and why."""

    line: int
    names: str
    why: str


@dataclass(frozen=True)
class Understood:
    """What a file of answers comes to, before anything is made of it.

    `answers` stand in the order of the data. `not_answered` are turns of the data without an answer. `scale` is None
    where the file brings no verdicts. `other_questions` answers carry another question than the data at their turn.
    """

    file: AnswerFile
    data: Data
    scale: Scale | None
    answers: tuple[Answer, ...]
    unmatched: tuple[Unmatched, ...]
    not_answered: tuple[SampleTurn, ...]
    found_by: Mapping[str, int]
    other_questions: int

    @property
    def n_verdicts(self) -> int:
        return sum(answer.given.verdict is not None for answer in self.answers)

    @property
    def sentences(self) -> list[str]:
        """What was understood, for whoever has to say yes to it."""
        file, n = self.file, len(self.answers)
        by = ", ".join(f"{many:,} {_BY[how]}" for how, many in self.found_by.items())
        turns = n + len(self.not_answered)
        to = f"{_so_many(n, 'answer')} to {_so_many(turns, 'turn')} of {self.data.name!r}"
        told = [f"{to} (column {file.answer_column!r}; found {by})"]
        if self.scale is None:
            told.append("no verdicts come with them: judge the run afterwards")
        else:
            told.append(
                f"{_so_many(self.n_verdicts, 'verdict')} from column {file.verdict_column!r}: {self.scale.words}"
            )
            if self.n_verdicts < n:
                told.append(
                    f"{_so_many(n - self.n_verdicts, 'answer')} without a verdict: judge the run to give them one"
                )
        if file.latency_column:
            told.append(f"times from column {file.latency_column!r}")
        if self.unmatched:
            names = "; ".join(f"{file.unit} {one.line}: {one.names}, {one.why}" for one in self.unmatched[:3])
            more = f"; and {len(self.unmatched) - 3:,} more" if len(self.unmatched) > 3 else ""
            told.append(f"{_so_many(len(self.unmatched), 'row')} without a place in the data, left out: {names}{more}")
        if self.not_answered:
            names = ", ".join(turn.interaction_id for turn in self.not_answered[:3])
            more = f" and {len(self.not_answered) - 3:,} more" if len(self.not_answered) > 3 else ""
            told.append(f"{_so_many(len(self.not_answered), 'turn')} not answered, counted in no rate: {names}{more}")
        if self.other_questions:
            told.append(
                f"{_so_many(self.other_questions, 'answer')} with another question than the data have at that turn"
            )
        return told


def understand(file: AnswerFile, data: Data, scale: str | None = None) -> Understood:
    """Lay the rows on the turns, and read their verdicts.

    Args:
        file: the answers.
        data: the benchmark that they answer.
        scale: what the verdicts mean, see `eval.imported.scales.parse_scale`; None to go by its rules.

    Raises:
        BadInput: verdicts that are on no scale, two answers to one turn, or not one answer that fits.
    """
    found_scale = _scale(file, scale)
    places = _Places(data)
    found: dict[str, Answer] = {}
    unmatched, by, other = [], dict.fromkeys(_BY, 0), 0
    for row in file.rows:
        how, names, fitting = places.of(row)
        if len(fitting) != 1:
            why = "which the data do not have" if not fitting else f"which stands {len(fitting)} times in the data"
            unmatched.append(Unmatched(row.line, names, why))
            continue
        (sample, turn), key = fitting[0], fitting[0][1].interaction_id
        if key in found:
            raise BadInput(
                f"{file.place(row.line)} answers the turn {key!r} again, which {file.unit} {found[key].given.line} did"
            )
        if row.answer is None:
            continue  # the turn is named, and has no answer: it is not answered
        found[key] = Answer(sample, turn, row, row.answer)
        by[how] += 1
        other += row.query is not None and _same(row.query) != _same(turn.query)
    turns = [turn for sample in data.samples for turn in sample.turns]
    if not found:
        first = f" ({file.unit} {unmatched[0].line}: {unmatched[0].names}, {unmatched[0].why})" if unmatched else ""
        raise BadInput(f"none of the {len(file.rows):,} rows of {file.name!r} answers a turn of {data.name!r}{first}")
    return Understood(
        file,
        data,
        found_scale,
        tuple(found[turn.interaction_id] for turn in turns if turn.interaction_id in found),
        tuple(unmatched),
        tuple(turn for turn in turns if turn.interaction_id not in found),
        {how: n for how, n in by.items() if n},
        other,
    )


def _scale(file: AnswerFile, told: str | None) -> Scale | None:
    if told and not file.verdict_column:
        raise BadInput(f"{file.name!r} has no column of verdicts that a scale could be for: name it")
    lines: dict[str, int] = {}
    for row in file.rows:
        if row.verdict is not None:
            lines.setdefault(row.verdict, row.line)
    if not lines:
        return None
    if told:
        scale = parse_scale(told)
        for value, line in lines.items():
            if value not in scale.meanings:
                where = file.place(line, file.verdict_column)
                raise BadInput(f"{where} has {value!r}, and the scale {told!r} does not say what that means")
        return scale
    try:
        return recognise(lines)
    except UnknownValue as problem:
        where = file.place(lines[problem.value], file.verdict_column)
        raise BadInput(
            f"{where} has {problem.value!r}, {problem}: give a scale such as 1=correct,0=missing,-0.5=wrong, "
            "another column, or none"
        ) from None


class _Places:
    """The turns of the data by everything that a row may name."""

    def __init__(self, data: Data):
        self._by_id: dict[str, list[tuple[Sample, SampleTurn]]] = {}
        self._by_turn: dict[tuple[str, int], list[tuple[Sample, SampleTurn]]] = {}
        self._by_query: dict[str, list[tuple[Sample, SampleTurn]]] = {}
        for sample in data.samples:
            for turn in sample.turns:
                place = (sample, turn)
                self._by_id.setdefault(turn.interaction_id, []).append(place)
                self._by_turn.setdefault((sample.session_id, turn.turn_idx), []).append(place)
                self._by_query.setdefault(_same(turn.query), []).append(place)

    def of(self, row: Given) -> tuple[str, str, list[tuple[Sample, SampleTurn]]]:
        """How a row names its turn, the name in words, and the turns that bear it."""
        if row.interaction_id is not None:
            return "interaction_id", f"interaction_id {row.interaction_id!r}", self._by_id.get(row.interaction_id, [])
        if row.session_id is not None and row.turn_idx is not None:
            names = f"turn {row.turn_idx} of session {row.session_id!r}"
            return "turn", names, self._by_turn.get((row.session_id, row.turn_idx), [])
        query = row.query or ""
        return "query", f"the question {query[:60]!r}", self._by_query.get(_same(query), [])


def _so_many(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _same(query: str) -> str:
    return " ".join(query.split()).casefold()
