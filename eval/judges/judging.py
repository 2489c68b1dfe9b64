"""The judging stage: verdicts on the finished turns of a run, appended with where they come from.

A judge is told apart by its name, version and, where it asks one, by model and prompt. What it has judged already it
does not judge again, so the stage can be stopped or killed at any moment and resumed. Nothing is generated here, and a
turn whose judge was not to be had keeps no line: the next time it is asked about again. Scores are another stage
(`eval.scoring`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from assistant.core.errors import BadInput, Cancelled, EndpointBusy
from assistant.models.chat.client import ChatClient, ChatOptions, ReplyStore
from eval.data.gold import GoldTurn
from eval.data.samples import FAILED
from eval.data.truths import has_truth
from eval.judges.prompts import PromptLabels
from eval.judges.protocol import Handed, Judge, Judgement, NothingHanded
from eval.judges.registry import MODEL_JUDGES, REGISTRY, check_judge
from eval.metrics.public import Verdict
from eval.metrics.traffic import Weights

#: done, of how many, errors → nothing. Called after every judgement.
Progress = Callable[[int, int, int], None]


class KeepsJudgements(Protocol):
    """Where verdicts are kept: a run's folder, or memory for verdicts that a run is not to keep."""

    def judgements(self, turns: Container[str] | None = None) -> list[dict[str, Any]]: ...

    def add_judgement(self, judgement: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True)
class JudgeChoice:
    """Which judge, and whom it asks, if anyone: one entry of `endpoints` a model (two are averaged, as in CRAG).

    `weights` is what question types weigh in the scores that weigh them; None for what the run keeps, or all the same.
    """

    name: str
    endpoints: tuple[ChatOptions, ...] = ()
    labels: PromptLabels = "crag"
    concurrency: int = 8
    replies: ReplyStore | None = None
    weights: Weights | None = None

    def check(self, world: Path | None) -> None:
        """Refuse what cannot be used before anything is run.

        Raises:
            BadInput: a judge that does not exist or does not fit the data; models for a judge that asks none, or none.
        """
        check_judge(self.name, world)
        if self.name in MODEL_JUDGES and not self.endpoints:
            raise BadInput(
                f"the judge {self.name!r} needs a model to ask: give --judge-model, and OPENAI_BASE_URL or a key"
            )
        if self.name not in MODEL_JUDGES and self.endpoints:
            raise BadInput(
                f"the judge {self.name!r} asks no model: leave --judge-model out or use one of "
                + ", ".join(MODEL_JUDGES)
            )
        models = [options.model for options in self.endpoints]
        if len(models) > 2 or len(set(models)) != len(models):
            raise BadInput(f"one judging model or two different ones can be used, not {', '.join(models)}")
        if self.concurrency < 1:
            raise BadInput(f"--judge-concurrency is {self.concurrency!r}: give a number above 0")


@dataclass
class Judged:
    """What one judge said: verdicts by interaction id, and what this call did and spent.

    `identity` is what its lines in `judgements.jsonl` begin with. `scored` turns have scores instead of a verdict,
    `unreadable` ones a line with neither, `failed` ones no line: the endpoint was not to be had for them. `problem` is
    the last reason for that. `leanings` are what the judge leans to where it gave no verdict because it was not sure;
    `alone` are the turns on which `lexical+llm` needed no model.
    """

    identity: dict[str, Any]
    verdicts: dict[str, Verdict | None]
    leanings: dict[str, Verdict] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)
    scored: set[str] = field(default_factory=set)
    made: int = 0
    kept: int = 0
    unreadable: int = 0
    failed: int = 0
    problem: str = ""
    cancelled: bool = False
    spent: dict[str, float] = field(default_factory=dict)


def judge_turns(
    folder: KeepsJudgements,
    lines: Sequence[Mapping[str, Any]],
    choice: JudgeChoice,
    world: Path | None,
    gold: Mapping[str, GoldTurn],
    *,
    handed: Handed | None = None,
    progress: Progress = lambda done, total, errors: None,
    cancelled: threading.Event | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> list[Judged]:
    """Judge what is not judged yet; one `Judged` a model, in the order of `choice.endpoints`.

    Args:
        lines: the run's turns; failed ones and those without a ground truth are passed over.
        gold: the world's, for `typed` only.
        handed: what the turns were handed, for judges that look at it; None for turns that stand alone.
        cancelled: once set, open calls end and what is judged stays judged.

    Raises:
        BadInput: see `JudgeChoice.check`.
        EndpointRefused: the endpoint will not answer (a wrong key or model); what was judged before stays.
        KeyboardInterrupt: passed on once open calls have ended.
    """
    choice.check(world)
    stop = cancelled or threading.Event()
    stored = folder.judgements({line["interaction_id"] for line in lines})
    if REGISTRY[choice.name].reads_truth:
        lines = [line for line in lines if has_truth(line)]
        told = {line["interaction_id"] for line in lines}
        stored = [line for line in stored if line["interaction_id"] in told]
    found = []
    for identity, judge in _judges(choice, world, gold, handed or NothingHanded(), stop):
        stage = _Stage(folder, identity, judge, progress, stop, now)
        found.append(stage.run(lines, stored, choice.concurrency if choice.name in MODEL_JUDGES else 1))
        if stage.judged.cancelled:
            break
    return found


def _judges(
    choice: JudgeChoice, world: Path | None, gold: Mapping[str, GoldTurn], handed: Handed, stop: threading.Event
) -> list[tuple[dict[str, Any], Judge]]:
    entry = REGISTRY[choice.name]
    identity = {"judge": choice.name, "judge_version": entry.version}
    offline = entry.offline(world, gold) if entry.offline is not None else None
    if offline is not None and not entry.asks_model:
        return [(identity, offline)]
    judges: list[tuple[dict[str, Any], Judge]] = []
    told: dict[str, Judgement] = {}
    for options in choice.endpoints:
        model = entry.model(ChatClient(options, replies=choice.replies), choice.labels, handed)
        who = {**identity, "judge_model": model.model, "judge_prompt": model.prompt}
        judge = _bound(model.judge, stop)
        judges.append((who, judge if offline is None else _unless_sure(offline, judge, told)))
    return judges


def _bound(judge: Callable[..., Judgement], stop: threading.Event) -> Judge:
    return lambda line: judge(line, stop)


def _unless_sure(offline: Judge, asked: Judge, told: dict[str, Judgement]) -> Judge:
    """`offline`, and `asked` where that is not sure; `told` keeps what it says for a second model."""
    lock = threading.Lock()  # it is one core's work, and loads its model once

    def judge(line: Mapping[str, Any]) -> Judgement:
        key = line["interaction_id"]
        with lock:
            if key not in told:
                told[key] = offline(line)
        if told[key].verdict is not None:
            return told[key]
        found = asked(line)
        return found if found.verdict is not None else replace(found, leaning=told[key].leaning)

    return judge


class _Stage:
    """One judge over one run."""

    def __init__(
        self,
        folder: KeepsJudgements,
        identity: dict[str, Any],
        judge: Judge,
        progress: Progress,
        stop: threading.Event,
        now: Callable[[], datetime],
    ):
        self._folder = folder
        self._judge = judge
        self._progress = progress
        self._stop = stop
        self._now = now
        self._lock = threading.Lock()
        self._done = self._total = 0
        self.judged = Judged(identity, {})

    def run(self, lines: Sequence[Mapping[str, Any]], stored: Sequence[Mapping[str, Any]], concurrency: int) -> Judged:
        judged, identity = self.judged, self.judged.identity
        for line in stored:
            if all(line.get(key) == value for key, value in identity.items()):
                self._note(line["interaction_id"], line["verdict"], line.get("leaning"), line)
        wanted = [line for line in lines if line["status"] not in FAILED]
        judged.kept = sum(line["interaction_id"] in judged.verdicts for line in wanted)
        open_ = [line for line in wanted if line["interaction_id"] not in judged.verdicts]
        self._total, self._done = len(wanted), judged.kept
        if concurrency == 1:
            for line in open_:
                if self._stop.is_set():
                    break
                self._one(line)
        else:
            self._side_by_side(open_, concurrency)
        judged.cancelled = self._stop.is_set() and judged.kept + judged.made < self._total
        return judged

    def _side_by_side(self, lines: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="judge")
        futures: list[Future[None]] = []
        try:
            futures = [pool.submit(self._one, line) for line in lines]
            wait(futures, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:
            self._stop.set()
            raise
        finally:
            broken = next((f.exception() for f in futures if f.done() and not f.cancelled() and f.exception()), None)
            if broken is not None:
                self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
        if broken is not None:
            raise broken

    def _one(self, line: Mapping[str, Any]) -> None:
        if self._stop.is_set():
            return
        start = time.perf_counter()
        try:
            found = self._judge(line)
        except Cancelled:
            return
        except EndpointBusy as problem:
            with self._lock:
                self.judged.failed += 1
                self.judged.problem = str(problem)
                self._progress(self._done, self._total, self.judged.failed)
            return
        self._folder.add_judgement(
            {
                "interaction_id": line["interaction_id"],
                **self.judged.identity,
                "verdict": found.verdict,
                **({"leaning": found.leaning} if found.leaning else {}),
                "why": found.why,
                **found.more,
                **self._provenance(found, start),
            }
        )
        with self._lock:
            self._count(line["interaction_id"], found)
            self._progress(self._done, self._total, self.judged.failed)

    def _provenance(self, found: Judgement, start: float) -> dict[str, Any]:
        at = {"at": self._now().isoformat(timespec="seconds")}
        return {**at, "ms": round((time.perf_counter() - start) * 1000, 1)} if found.more else at

    def _note(
        self, interaction: str, verdict: Verdict | None, leaning: Verdict | None, more: Mapping[str, Any]
    ) -> None:
        self.judged.verdicts[interaction] = verdict
        if "scores" in more:
            self.judged.scored.add(interaction)
        else:
            self.judged.unreadable += verdict is None
        if leaning is not None:
            self.judged.leanings[interaction] = leaning
        if "reply" not in more and self.judged.identity["judge"] == "lexical+llm":
            self.judged.alone.add(interaction)

    def _count(self, interaction: str, found: Judgement) -> None:
        self._note(interaction, found.verdict, found.leaning, found.more)
        self.judged.made += 1
        self._done += 1
        if "reply" in found.more or "calls" in found.more:
            spent = self.judged.spent
            spent["calls"] = spent.get("calls", 0) + found.more.get("calls", not found.more.get("cached", False))
            for name in ("prompt_tokens", "completion_tokens", "cost"):
                if name in found.more:
                    spent[name] = spent.get(name, 0) + found.more[name]
