"""Turns of a generated world through a pipeline whose model errs as stated (`erring_model`), and what they are worth.

The eyes may be scripted as well: what is on a frame is recognised as often as stated, and the image search that the
presets ask finds it exactly where the recogniser does, so that neither side sees more than the other. Planning, pages,
prompts, checks and risk are the real ones. Scores are the project's: right +1, missing 0, wrong -1, by the judge that
knows the world.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assistant.agent import Assistant
from assistant.core.events import Finished
from assistant.core.types import Candidate, Conversation, Frame, PipelineName, Strictness, Turn
from assistant.factory import RUN_DEADLINE_S
from assistant.index.build import build_index
from assistant.index.knowledge import Knowledge
from assistant.index.raw_search import SearchPipeline
from assistant.pipelines.base import Tools
from assistant.pipelines.registry import pipeline_of
from eval.data.gold import read_facts
from eval.data.samples import SampleTurn
from eval.judges.exact import trivial_verdict
from eval.metrics.public import WORTH, Verdict
from eval.metrics.risk_coverage import risk_coverage
from tests.assistant.pipelines.erring_model import STATED, ErringModel, Rates
from tests.assistant.pipelines.erring_world import Asked, Known, line_of
from tests.eval.world.texts_alone import NoiseStudio, write_texts
from tests.scripted_chat.replies import share_of

PRESETS: tuple[PipelineName, ...] = ("mm-llm", "task1", "task2", "task3", "kdd-2025")
#: "How old is it?" must not depend on the day of the test.
TODAY = datetime.date(2026, 11, 1)
#: As the documentation has it (`--risk 0.2`).
RISK = 0.2
#: How often a thing on a frame is recognised, and how often taken for a sibling; else nothing is.
RECOGNISES, MISTAKES = 0.75, 0.06
#: The image search's score of what is recognised, and of what is only a little like it: on both sides of every
#: threshold that a preset has.
SCORE, UNLIKE = 0.85, 0.62


@dataclass(frozen=True)
class Setting:
    """One way to be asked: a pipeline under a strictness and, where it has one, a limit of risk."""

    pipeline: PipelineName
    strictness: Strictness = "moderate"
    risk: float | None = None
    without: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        parts = [self.strictness, *([f"risk {self.risk:g}"] if self.risk is not None else [])]
        return ", ".join((*parts, *(f"without {part}" for part in sorted(self.without))))


@dataclass
class Figures:
    """What the turns of one setting are worth."""

    verdicts: list[Verdict] = field(default_factory=list)
    calls: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    risks: list[tuple[float, bool]] = field(default_factory=list)
    turns: list[tuple[Known, Turn, Verdict]] = field(default_factory=list)

    shown: int = 0

    def add(self, known: Known, turn: Turn, verdict: Verdict, shown: bool) -> None:
        self.shown += shown
        self.verdicts.append(verdict)
        self.turns.append((known, turn, verdict))
        answer = turn.answer
        self.calls += answer.usage.calls if answer.usage is not None else 0
        self.failed += answer.status not in ("answered", "abstained", "retake")
        if verdict == "wrong":
            self.wrong[answer.sentences[0].ground if answer.sentences else "none"] += 1
        if answer.status == "answered" and answer.risk is not None:
            self.risks.append((answer.risk, verdict == "wrong"))

    @property
    def n(self) -> int:
        return len(self.verdicts)

    def count(self, verdict: Verdict) -> int:
        return self.verdicts.count(verdict)

    @property
    def truthfulness(self) -> float:
        return sum(WORTH[verdict] for verdict in self.verdicts) / max(1, self.n)

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "right": self.count("correct"),
            "missing": self.count("missing"),
            "wrong": self.count("wrong"),
            "failed": self.failed,
            "truthfulness": round(self.truthfulness, 4),
            "evidence_shown": self.shown,
            "calls_per_turn": round(self.calls / max(1, self.n), 2),
            "wrong_by_ground": dict(self.wrong),
            "risk_coverage": risk_coverage(self.risks, self.n),
        }


@dataclass(frozen=True)
class Seen:
    """Scripted eyes for one sample: a recogniser, a reader of no text, and the image search of the presets."""

    candidates: tuple[Candidate, ...]
    images: tuple[Mapping[str, Any], ...]
    pages: SearchPipeline

    def propose(self, _: Frame) -> str:
        return ""

    def decide(self, *_: object) -> tuple[Candidate, ...]:
        return self.candidates

    def read(self, _: Frame) -> tuple:
        return ()

    def __call__(self, _: Frame, k: int) -> list[Mapping[str, Any]]:
        return list(self.images[:k])

    def web(self, query: str, k: int) -> list[dict[str, Any]]:
        return self.pages.web(query, k)


class Stage:
    """An index, its world, and who is asked about it.

    `assistant` has the real eyes; without one they are scripted.
    """

    def __init__(self, world: Path, index: Path, rates: Rates = STATED, assistant: Assistant | None = None) -> None:
        self._facts = read_facts(world)
        self._rates, self._assistant = rates, assistant
        self._knowledge = Knowledge.open(index)
        self._pages = SearchPipeline.open(index)
        rows = map(json.loads, (world / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines())
        self._on_frame = {row["interaction_id"]: row for row in rows}

    def play(self, asked: Sequence[Asked], setting: Setting, seeds: Iterable[int] = (0,)) -> Figures:
        """Every turn of every sample once a seed, in its conversation with the answers that were given before."""
        figures = Figures()
        for seed in seeds:
            for one in asked:
                house = self._assistant or self._house(one, seed)
                conversation = Conversation(f"{one.sample.session_id}-{seed}-{setting.pipeline}-{setting.name}")
                frame = self._frame(one)
                for turn, known in one.turns:
                    made, shown = self._ask(house, known, turn, seed, setting, conversation, frame)
                    conversation, frame = conversation.with_turn(made), None
                    figures.add(known, made, _verdict(one, turn, known, made), shown)
        return figures

    def _ask(
        self,
        house: Assistant,
        known: Known,
        turn: SampleTurn,
        seed: int,
        setting: Setting,
        conversation: Conversation,
        frame: Frame | None,
    ) -> tuple[Turn, bool]:
        """The turn, and whether the model was shown what the answer takes."""
        model = ErringModel(known, seed, self._rates)

        def change(tools: Tools) -> Tools:
            return replace(
                tools,
                model=model,
                strictness=setting.strictness,
                risk_limit=setting.risk,
                without=setting.without,
                for_run=True,
                today=lambda: TODAY,
            )

        asked = house.under("chat", pipeline_of(setting.pipeline), change, RUN_DEADLINE_S)
        last = list(asked.answer(conversation, turn.query, frame))[-1]
        assert isinstance(last, Finished)
        return last.turn, any(model.answered_from)

    def _frame(self, one: Asked) -> Frame | None:
        if self._assistant is not None:
            return one.sample.frame()
        # Nobody looks at it; its size and that it is neither black nor blank matter.
        shape = (1280, 960) if one.sample.is_ego else (480, 640)
        pixels = np.zeros((*shape, 3), np.uint8)
        pixels[: shape[0] // 2] = 60
        pixels[shape[0] // 2 :] = [120 + int(share_of(one.sample.session_id, n) * 120) for n in range(3)]
        return Frame(pixels)

    def _house(self, one: Asked, seed: int) -> Assistant:
        eyes = self._eyes(one, seed)
        return Assistant(
            tools=Tools(self._knowledge, eyes),  # type: ignore[arg-type]
            recogniser=eyes,  # type: ignore[arg-type]
            text_reader=eyes,  # type: ignore[arg-type]
            profile="chat",
        )

    def _eyes(self, one: Asked, seed: int) -> Seen:
        """What is recognised of the things on the sample's frame, and what the image search finds for it."""
        rows = [self._on_frame[known.id] for _, known in one.turns]
        first = next((row["entity"] for row in rows if row["entity"]), None)
        names = dict.fromkeys(filter(None, (first, *rows[0]["on_frame"])))
        siblings = [name for row in rows for name in row["siblings"] if name in self._facts]
        seen: list[str] = []
        for name in names:
            draw = share_of("eyes", seed, one.sample.session_id, name)
            if name in self._facts and draw < RECOGNISES:
                seen.append(name)
            elif draw > 1 - MISTAKES and siblings:
                seen.append(siblings[0])
        alike = [name for name in (*siblings, *self._facts) if name not in seen][:3]
        images = [self._image(n, name, SCORE) for n, name in enumerate(seen)]
        images += [self._image(len(seen) + n, name, UNLIKE - n / 100) for n, name in enumerate(alike)]
        candidates = []
        for n, name in enumerate(dict.fromkeys(seen)):
            left, right = 40.0 + 200 * n, 200.0 + 200 * n
            box = ((left, 40.0), (right, 40.0), (right, 300.0), (left, 300.0))
            url = f"https://x.invalid/{n}.jpg"
            candidates.append(Candidate(name, 0.97 - n / 100, box, self._facts[name], n, url))
        return Seen(tuple(candidates), tuple(images), self._pages)

    def _image(self, index: int, name: str, score: float) -> dict[str, Any]:
        entities = [{"entity_name": name, "entity_attributes": self._facts[name]}]
        return {"index": index, "score": score, "url": f"https://x.invalid/{index}.jpg", "entities": entities}


def _verdict(one: Asked, turn: SampleTurn, known: Known, made: Turn) -> Verdict:
    line = line_of(one.sample, turn, made.answer.text, made.answer.status)
    if made.answer.status not in ("answered", "abstained", "retake"):
        return "missing"  # failed turns are never judged
    early = trivial_verdict(line)
    if early is not None and early.verdict is not None:
        return early.verdict
    return "correct" if known.is_right(made.answer.text) else "wrong"


def write_stage(folder: Path, seed: int, entities: int) -> tuple[Path, Path]:
    """The texts of a generated world and its index, without pictures: nobody looks at any. Returns both paths."""
    world, index = folder / f"world-{seed}-{entities}", folder / f"index-{seed}-{entities}"
    if not index.exists():
        write_texts(world, NoiseStudio(seed), seed=seed, entities=entities)
        known = world / "kg" / "entities.jsonl"
        rows = [json.loads(line) | {"images": []} for line in known.read_text(encoding="utf-8").splitlines()]
        known.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        build_index(world, index, read_pictures=False)
    return world, index


def table(figures: Mapping[Setting, Figures]) -> str:
    """Pipeline by setting, as text; `shown`: turns whose evidence was before the model."""
    heads = ("shown", "right", "missing", "wrong", "truthfulness", "calls a turn")
    lines = [f"{'pipeline':<10}{'asked':<34}" + "".join(f"{head:>14}" for head in heads)]
    for setting, found in figures.items():
        counts = (found.shown, *(found.count(verdict) for verdict in ("correct", "missing", "wrong")))
        ends = f"{found.truthfulness:>14.3f}{found.calls / max(1, found.n):>14.2f}"
        lines.append(f"{setting.pipeline:<10}{setting.name:<34}" + "".join(f"{n:>14}" for n in counts) + ends)
    return "\n".join(lines)
