"""The turns of a run as a table that is quick to page, filter and search, also while the run goes on.

One pass over `turns.jsonl` keeps where each line begins and a few columns; texts stay on disk and are read for the rows
that are shown. What was appended since is read on top. Verdicts are those of the judge that the scores were made by, or
of another that judged the run; turns without a ground truth count as `no_truth` and failed ones as `failed`, whatever
stands in the judgements.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from assistant.core.errors import BadInput
from eval.data.samples import FAILED
from eval.data.truths import has_truth
from eval.metrics.slices import label_text
from eval.runs.reading import whole_line
from eval.runs.shapes import SkippedLines, odd_judgement, odd_turn

#: What a turn counts as, in the order in which a reader wants to see it.
KINDS = ("wrong", "correct", "missing", "unsure", "unjudged", "failed", "no_truth")
#: Columns to filter by beside the verdict: name → key of a turn's line.
LABELS = {"status": "status", "domain": "domain", "type": "query_category", "ego": "is_ego", "set": "set"}
_JUDGE = ("judge", "judge_version", "judge_model", "judge_prompt")
#: So many characters of why a verdict was given are kept at hand, for the list and for searching.
_WHY = 300
_TEXTS = ("query", "ground_truth", "agent_response", "reason", "entity")


@dataclass(frozen=True)
class Filters:
    """What is to be shown: a kind of `KINDS`, label → value, words that must all be in a turn's texts."""

    kind: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Row:
    """One turn in the list. `position` counts within what is shown, from 0; `number` within the run."""

    position: int
    number: int
    line: Mapping[str, Any]
    kind: str
    why: str


@dataclass
class _Verdicts:
    """The judgements of one judge: interaction id → verdict (or "unsure"), the beginning of why, offset of the line."""

    found: dict[str, tuple[str | None, str, int]] = field(default_factory=dict)


class TurnIndex:
    """The turns of one run folder. Safe between threads; `refresh` reads what came since."""

    def __init__(self, run: Path):
        self._run = run
        self._lock = threading.RLock()
        self._read = {"turns.jsonl": 0, "judgements.jsonl": 0}
        self._lines = {"turns.jsonl": 0, "judgements.jsonl": 0}
        self._left_out = SkippedLines()
        self._known: set[str] = set()
        self._offsets: list[int] = []
        self._ids: list[str] = []
        self._told: list[bool] = []
        self._columns: dict[str, list[str]] = {name: [] for name in LABELS}
        self._judges: dict[str, _Verdicts] = {}
        self._shown: OrderedDict[tuple[Any, ...], list[int]] = OrderedDict()

    def refresh(self) -> TurnIndex:
        """Read what was appended since the last time; a folder that was begun anew is read anew.

        Lines that are no turns and no verdicts are left out and told of by `left_out`.
        """
        with self._lock:
            if self._size("turns.jsonl") < self._read["turns.jsonl"]:
                self.__init__(self._run)  # type: ignore[misc]
            for offset, line in self._new_lines("turns.jsonl", self._odd_turn):
                self._known.add(line["interaction_id"])
                self._offsets.append(offset)
                self._ids.append(line["interaction_id"])
                self._told.append(has_truth(line))
                for name, key in LABELS.items():
                    value = line.get(key)
                    self._columns[name].append("" if value is None else label_text(value))
            for offset, line in self._new_lines("judgements.jsonl", odd_judgement):
                name = judge_name(line)
                judged = self._judges.setdefault(name, _Verdicts())
                kind = line["verdict"] or ("unsure" if line.get("leaning") else None)
                judged.found[line["interaction_id"]] = (kind, str(line.get("why") or "")[:_WHY], offset)
            return self

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What could not be read of the run, a sentence for each file."""
        return self._left_out.sentences

    def _odd_turn(self, line: Any) -> str:
        again = "is of a turn that was there before"
        return odd_turn(line) or (again if line["interaction_id"] in self._known else "")

    @property
    def judges(self) -> list[str]:
        """All judges that judged the run, latest last."""
        return list(self._judges)

    def judge_of(self, scores: Mapping[str, Any]) -> str:
        """The judge that the scores were made by, else the latest, else ""."""
        name = judge_name(scores) if scores.get("judge") else ""
        return name if name in self._judges else next(reversed(self._judges), "")

    def kind(self, number: int, judge: str) -> str:
        """What a turn counts as under a judge."""
        if not self._told[number]:
            return "no_truth"
        if self._columns["status"][number] in FAILED:
            return "failed"
        found = self._judges.get(judge)
        verdict = found.found.get(self._ids[number], (None,))[0] if found else None
        return verdict or "unjudged"

    def counts(self, judge: str) -> dict[str, int]:
        """How many turns count as what."""
        with self._lock:
            counted = Counter(self.kind(number, judge) for number in range(len(self)))
        return {kind: counted[kind] for kind in KINDS if counted[kind]}

    def values(self, label: str) -> list[str]:
        """The values of a label, the most frequent first."""
        with self._lock:
            return [value for value, _ in Counter(self._columns[label]).most_common() if value]

    def find(self, filters: Filters, judge: str) -> list[int]:
        """The numbers of the turns that fit, in the order of the run; kept for the next page."""
        with self._lock:
            judged = len(self._judges[judge].found) if judge in self._judges else 0
            key = (filters, judge, len(self), judged)
            if key not in self._shown:
                self._shown[key] = self._select(filters, judge)
                while len(self._shown) > 8:
                    self._shown.popitem(last=False)
            return self._shown[key]

    def rows(self, numbers: Sequence[int], judge: str, first: int = 0) -> list[Row]:
        """The rows of some turns, read from disk. `first` is the position of the first."""
        if not numbers:
            return []
        found = self._judges.get(judge)
        rows = []
        with self._lock, (self._run / "turns.jsonl").open("rb") as turns:
            for place, number in enumerate(numbers):
                turns.seek(self._offsets[number])
                line = orjson.loads(turns.readline())
                why = self._why(found, self._ids[number])
                rows.append(Row(first + place, number, line, self.kind(number, judge), why))
        return rows

    def judgements(self, number: int) -> list[dict[str, Any]]:
        """What every judge said of a turn."""
        with self._lock:
            offsets = [j.found[self._ids[number]][2] for j in self._judges.values() if self._ids[number] in j.found]
        found = []
        if offsets:
            with (self._run / "judgements.jsonl").open("rb") as file:
                for offset in offsets:
                    file.seek(offset)
                    found.append(orjson.loads(file.readline()))
        return found

    def number_of(self, interaction_id: str) -> int | None:
        """Which turn has this id."""
        with self._lock:
            return self._ids.index(interaction_id) if interaction_id in self._ids else None

    def lines(self, start: int = 0) -> Iterator[dict[str, Any]]:
        """The lines of all turns from the one with number `start` on."""
        with self._lock:
            offsets = self._offsets[start:]
        if not offsets:
            return
        with (self._run / "turns.jsonl").open("rb") as turns:
            for offset in offsets:
                turns.seek(offset)
                yield orjson.loads(turns.readline())

    def _select(self, filters: Filters, judge: str) -> list[int]:
        numbers: Sequence[int] = range(len(self))
        for name, value in filters.labels:
            column = self._columns[name]
            numbers = [n for n in numbers if column[n] == value]
        if filters.kind:
            numbers = [n for n in numbers if self.kind(n, judge) == filters.kind]
        if words := filters.words.casefold().split():
            numbers = list(self._holding(numbers, words, judge))
        return list(numbers)

    def _holding(self, numbers: Sequence[int], words: Sequence[str], judge: str) -> Iterator[int]:
        """The turns in whose texts, ids or reasons of the verdict all words stand. Reads from disk, in its order."""
        if not numbers:
            return
        found = self._judges.get(judge)
        with (self._run / "turns.jsonl").open("rb") as turns:
            for number in numbers:
                turns.seek(self._offsets[number])
                line = orjson.loads(turns.readline())
                with contextlib.suppress(BadInput):  # its long texts are gone: the others are searched
                    line = whole_line(self._run, line)
                text = "\n".join(str(line.get(key) or "") for key in (*_TEXTS, "interaction_id", "session_id"))
                text = f"{text}\n{self._why(found, self._ids[number])}".casefold()
                if all(word in text for word in words):
                    yield number

    def _why(self, found: _Verdicts | None, interaction_id: str) -> str:
        return found.found[interaction_id][1] if found and interaction_id in found.found else ""

    def _size(self, name: str) -> int:
        try:
            return (self._run / name).stat().st_size
        except OSError:
            return 0

    def _new_lines(self, name: str, odd: Callable[[Any], str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Finished lines behind what was read, with where they begin, but for odd ones."""
        if self._size(name) <= self._read[name]:
            return
        with (self._run / name).open("rb") as file:
            offset = file.seek(self._read[name])
            for line in file:
                if not line.endswith(b"\n"):
                    return  # being written
                try:
                    found = orjson.loads(line)
                    why = odd(found)
                except ValueError:
                    why = "is not JSON"
                self._lines[name] += 1
                if why:
                    self._left_out.add(self._run / name, self._lines[name], why)
                else:
                    yield offset, found
                offset += len(line)
                self._read[name] = offset


def judge_name(line: Mapping[str, Any]) -> str:
    """A judge in words, out of a judgement's line or of scores: "typed, version 1"."""
    parts = [str(line.get("judge")), *(f"{key.removeprefix('judge_')} {line[key]}" for key in _JUDGE[1:]
             if line.get(key) is not None)]  # fmt: skip
    return ", ".join(parts)


class TurnIndexes:
    """The indexes of the runs that were looked at last."""

    def __init__(self, most: int = 6):
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[Path, TurnIndex] = OrderedDict()

    def of(self, run: Path) -> TurnIndex:
        """The index of a run, up to date."""
        with self._lock:
            index = self._known.pop(run, None) or TurnIndex(run)
            self._known[run] = index
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return index.refresh()
