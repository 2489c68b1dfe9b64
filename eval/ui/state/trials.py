"""Judges on trial behind the page: one at a time, in a thread, with its progress; what is kept; whom to put on trial.

A trial goes on when the page is closed. What is judged is kept at once (`eval.annotate.trial_store`), so that one that
was cancelled goes on where it was.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from assistant.core.errors import BadInput, VitrineError
from assistant.settings import Settings
from eval.annotate.correction import Corrected, corrected
from eval.annotate.labelled import LabelledSet
from eval.annotate.trial import Trial, trial
from eval.annotate.trial_store import TrialStore, identity_in, judge_name
from eval.annotate.values import Item
from eval.data.gold import has_gold
from eval.judges.judging import JudgeChoice
from eval.judges.options import llm_choice
from eval.judges.registry import MODEL_JUDGES
from eval.reports.loaded_run import load_run
from eval.ui.state.judge_form import ChosenJudge
from eval.ui.state.rights import Rights
from eval.ui.state.run_form import Place, places
from eval.ui.state.run_state import RunList

log = logging.getLogger(__name__)

State = Literal["working", "done", "cancelled", "failed"]


@dataclass(frozen=True)
class Job:
    """A trial that is held or was held last. `kept` are the keys of what came of it; `problem` is one sentence."""

    judge: str
    labels: str
    state: State = "working"
    done: int = 0
    total: int = 0
    errors: int = 0
    problem: str = ""
    kept: tuple[str, ...] = ()


@dataclass
class Trials:
    """The trials of a data folder, one of them at work at most. Safe between threads."""

    store: TrialStore
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _job: Job | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def job(self) -> Job | None:
        with self._lock:
            return self._job

    def start(self, labels: LabelledSet, choice: JudgeChoice, world: Path | None) -> Job:
        """Put a judge on trial.

        Raises:
            BadInput: another is on trial, or this one cannot be used here.
        """
        choice.check(world)
        with self._lock:
            if self._job is not None and self._job.state == "working":
                raise BadInput(f"the judge {self._job.judge!r} is on trial: wait for it, or cancel it first")
            job = self._job = Job(choice.name, labels.name, total=len(labels.items))
            self._stop = stop = threading.Event()
            held = (labels, choice, world, stop)
            self._thread = threading.Thread(target=self._hold, args=held, name="trial", daemon=True)
            self._thread.start()
        return job

    def cancel(self) -> None:
        """Open calls end, what is judged stays judged."""
        with self._lock:
            self._stop.set()

    def wait(self, timeout_s: float) -> Job | None:
        """The job once it has ended, or as it is after so long."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(timeout_s)
        return self.job

    def _hold(self, labels: LabelledSet, choice: JudgeChoice, world: Path | None, stop: threading.Event) -> None:
        try:
            judged = self.store.judge(labels, choice, world, progress=self._progress, cancelled=stop)
            unreached = sum(found.failed for found, _ in judged)
            why = next((found.problem for found, _ in judged if found.problem), "")
            problem = f"{unreached:,} answers were not reached ({why}): put it on trial again" if unreached else ""
            if any(found.cancelled for found, _ in judged):
                self._end(state="cancelled", problem="what is judged is kept: the same trial goes on from there")
                return
            kept = []
            for found, lines in judged:
                if lines:
                    held = trial(labels, lines, at=datetime.now(UTC), identity=found.identity)
                    self.store.add(held)
                    kept.append(trial_key(held))
            self._end(state="done" if kept else "failed", problem=problem, kept=tuple(kept))
        except VitrineError as problem:
            self._end(state="failed", problem=str(problem))
        except Exception:
            log.exception("a trial failed")
            self._end(state="failed", problem="that did not work; the log of the server has the details")

    def _progress(self, done: int, total: int, errors: int) -> None:
        with self._lock:
            if self._job is not None:
                self._job = replace(self._job, done=done, total=total, errors=errors)

    def _end(self, **changes: Any) -> None:
        with self._lock:
            if self._job is not None:
                self._job = replace(self._job, **changes)

    def all(self) -> list[Trial]:
        return self.store.all()

    def one(self, key: str) -> Trial:
        """A kept trial.

        Raises:
            BadInput: it is not there any more.
        """
        found = next((one for one in self.store.all() if trial_key(one) == key), None)
        if found is None:
            raise BadInput("this trial is not there any more: choose one from the list")
        return found


def trial_key(one: Trial) -> str:
    """What tells a kept trial from others: its judge and its labels."""
    return f"{judge_name(one.identity)}-{one.digest[:16]}"


def judge_choice(chosen: ChosenJudge, settings: Settings) -> JudgeChoice:
    """The judge that a form names, with whom it asks.

    Raises:
        BadInput: models that cannot be used.
        NotReady: no endpoint is configured.
    """
    if chosen.name not in MODEL_JUDGES:
        return JudgeChoice(chosen.name)
    return llm_choice(settings, chosen.models, labels=chosen.labels or "crag", fresh=chosen.fresh, name=chosen.name)


def worlds(settings: Settings, rights: Rights, items: Sequence[Item]) -> list[Place]:
    """The generated worlds that `typed` may look at, the one that the items come from first."""
    found = [place for place in places(settings) if has_gold(Path(place.value))]
    own = next((item.picture.data for item in items if item.picture is not None), "")
    listed = [place for place in found if place.value == own]
    if not listed and own and rights.paths and has_gold(Path(own)):
        listed = [Place(own, f"World {Path(own).name}")]
    return [*listed, *(place for place in found if place.value != own)]


def world_of(value: str | None, listed: Sequence[Place]) -> Path | None:
    """The world that was chosen.

    Raises:
        BadInput: none is chosen, or one that is not listed.
    """
    if not value or value not in {place.value for place in listed}:
        raise BadInput("the judge typed reads a world's answer key: choose the world that the answers are about")
    return Path(value)


def runs_judged(folder: Path, identity: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Runs to correct, those that were scored by this very judge first: how each is shown, and its name."""
    found: list[tuple[bool, str, str]] = []
    for run in RunList(folder).all():
        if run.has_scores and not run.at_work:
            same = identity_in(run.summary.scores) == dict(identity)
            judge = "" if same else f" · scored by {run.summary.scores.get('judge')}"
            found.append((not same, f"{run.name}{judge}", run.name))
    return [(shown, name) for _, shown, name in sorted(found, key=lambda one: one[0])]


def corrected_run(one: Trial, run: Path) -> Corrected:
    """A run's scores without the errors of the judge that was on trial.

    Raises:
        BadInput: this judge has not judged the run, or in another version, with another model or prompt.
    """
    judged = load_run(run, str(one.identity["judge"]))
    if dict(judged.judge) != dict(one.identity):
        raise BadInput(f"the run {run.name!r} was judged by {judged.judge_text}, and on trial was {one.judge_text}")
    return corrected(one, judged.judged_turns)
