"""The judges by name: what an answer is worth. A new judge is one entry of `REGISTRY` (and one module beside this one).

`exact` is the public rule; `typed` compares with a generated world's gold answer; `lexical` compares the texts offline;
`llm` asks a model; `lexical+llm` asks it only where `lexical` is not sure; `m2rag` has a model score answers.

A judge gives a verdict and its reason. Failed turns never come here. Judging is a stage of its own
(`eval.judges.judging`): it runs after all answers are made, and only then may `typed` open the world's gold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput
from eval.data.gold import GoldTurn, has_gold, read_facts
from eval.data.truths import calls_invalid, truths_of
from eval.judges.exact import judge_exact, trivial_verdict
from eval.judges.prompts import PromptLabels
from eval.judges.protocol import Handed, Judge, Judgement, ModelJudge

if TYPE_CHECKING:
    from assistant.models.chat.client import ChatClient


def make_exact(world: Path | None, gold: Mapping[str, GoldTurn]) -> Judge:
    """The public rule; it looks at nothing but the line."""
    return judge_exact


def make_typed(world: Path | None, gold: Mapping[str, GoldTurn]) -> Judge:
    """Compares with the gold answers of a generated world (`eval.judges.typed`)."""
    from eval.judges.typed import TypedJudge

    assert world is not None, "check_judge refuses it without a world"
    typed = TypedJudge(read_facts(world))

    def judge(line: Mapping[str, Any]) -> Judgement:
        if (early := trivial_verdict(line)) is not None:
            return early
        turn = gold.get(line["interaction_id"])
        if turn is None:
            return Judgement(None, "the world's gold does not know this turn")
        return typed.judge(turn, line["query"], line["agent_response"])

    return judge


def make_lexical(world: Path | None, gold: Mapping[str, GoldTurn]) -> Judge:
    """Compares the texts (`eval.judges.lexical`)."""
    return judge_lexical


def judge_lexical(line: Mapping[str, Any]) -> Judgement:
    """By what the answer and the ground truth say (`eval.judges.lexical.judge`); refusals in any words are missing.

    No verdict where it is not sure enough. Of several right answers the one counts that the answer fits best. That a
    question is invalid can be said in words that no list holds, so that here it is never sure of a wrong answer.
    """
    from eval.judges.lexical.judge import best_of, judge_answer

    if (early := trivial_verdict(line)) is not None:
        return early
    query, answer = line["query"], line["agent_response"]
    found = best_of([judge_answer(query, truth, answer) for truth in truths_of(line)])
    unheard = found.verdict == "wrong" and any(map(calls_invalid, truths_of(line)))
    if found.sure and not unheard:
        return Judgement(found.verdict, found.why)
    return Judgement(None, f"not sure, leans to {found.verdict}: {found.why}", leaning=found.verdict)


def make_llm(client: ChatClient, labels: PromptLabels, handed: Handed) -> ModelJudge:
    """Asks whether an answer is right (`eval.judges.llm`)."""
    from eval.judges.llm import LlmJudge

    return LlmJudge(client, labels)


def make_m2rag(client: ChatClient, labels: PromptLabels, handed: Handed) -> ModelJudge:
    """Has answers scored by M2RAG's metrics (`eval.judges.m2rag`)."""
    from eval.judges.m2rag import M2ragJudge

    return M2ragJudge(client, handed)


@dataclass(frozen=True)
class JudgeEntry:
    """How one judge is made.

    `version` is raised with every change that can change a verdict: stored verdicts of another version are given again.
    `offline` makes the judge from the world (None: not a generated one) and its gold. With `asks_model` a model is
    asked, by `model`: always, or where `offline` gives no verdict. `reads_truth`: turns without a ground truth are not
    shown to it. `gives_verdicts`: False for one that only scores, for the figures of its own benchmark.
    """

    version: int | str
    offline: Callable[[Path | None, Mapping[str, GoldTurn]], Judge] | None = None
    asks_model: bool = False
    needs_world: bool = False
    reads_truth: bool = True
    gives_verdicts: bool = True
    model: Callable[[ChatClient, PromptLabels, Handed], ModelJudge] = make_llm


_LEXICAL_VERSION, _MODEL_VERSION = 6, 3
REGISTRY: dict[str, JudgeEntry] = {
    "typed": JudgeEntry(3, make_typed, needs_world=True),
    "exact": JudgeEntry(1, make_exact),
    "lexical": JudgeEntry(_LEXICAL_VERSION, make_lexical),
    "llm": JudgeEntry(_MODEL_VERSION, asks_model=True),
    "lexical+llm": JudgeEntry(f"{_LEXICAL_VERSION}+{_MODEL_VERSION}", make_lexical, asks_model=True),
    "m2rag": JudgeEntry(1, asks_model=True, reads_truth=False, gives_verdicts=False, model=make_m2rag),
}
JUDGES = tuple(REGISTRY)
MODEL_JUDGES = tuple(name for name, entry in REGISTRY.items() if entry.asks_model)
VERSIONS = {name: entry.version for name, entry in REGISTRY.items()}


def check_judge(name: str, world: Path | None) -> None:
    """Refuse a judge that cannot be used on this data, before anything is run.

    Raises:
        BadInput: a judge that does not exist, or one that needs a generated world without one.
    """
    if name not in REGISTRY:
        raise BadInput(f"there is no judge {name!r}: choose one of {', '.join(JUDGES)}")
    if REGISTRY[name].needs_world and not has_gold(world):
        raise BadInput(
            f"the judge {name!r} needs a generated world with its gold/ folder: use --judge lexical for this data"
        )


def check_verdicts(name: str) -> None:
    """Refuse a judge that gives scores where verdicts are wanted.

    Raises:
        BadInput: it gives none.
    """
    if name in REGISTRY and not REGISTRY[name].gives_verdicts:
        able = ", ".join(other for other, entry in REGISTRY.items() if entry.gives_verdicts)
        raise BadInput(f"the judge {name!r} gives scores, and verdicts are wanted here: choose one of {able}")


def make_judge(name: str, world: Path | None, gold: Mapping[str, GoldTurn]) -> Judge:
    """The offline part of a judge by its name; `gold` is the world's, read after the answers were made.

    Raises:
        BadInput: see `check_judge`; a judge that only asks a model.
    """
    check_judge(name, world)
    offline = REGISTRY[name].offline
    if offline is None:
        raise BadInput(f"the judge {name!r} has no offline part")
    return offline(world, gold)
