"""Judges: what an answer is worth. `exact` is the public rule; `typed` compares with a generated world's gold answer;
`lexical` compares the texts offline; `llm` asks a model; `lexical+llm` asks it only where `lexical` is not sure.

A judge gives a verdict and its reason. Failed turns never come here. Judging is a stage of its own
(`eval.judges.judging`): it runs after all answers are made, and only then may `typed` open the world's gold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.gold import GoldTurn, has_gold, read_facts
from eval.metrics.public import Verdict, is_exact_match, is_refusal

JUDGES = ("typed", "exact", "lexical", "llm", "lexical+llm")
#: Those that ask a model.
ASKING = ("llm", "lexical+llm")


@dataclass(frozen=True)
class Judgement:
    """A verdict and why, in a few words; a verdict of None means that the judge could not tell.

    `leaning` is what a judge that is not sure would say if it had to: figures count it, within bounds. `more` is what
    else the judgement's line keeps: a model's raw reply, tokens, cost.
    """

    verdict: Verdict | None
    why: str
    more: Mapping[str, Any] = field(default_factory=dict)
    leaning: Verdict | None = None


#: A turn's line (see `eval.runs.turn_record`) → judgement.
Judge = Callable[[Mapping[str, Any]], Judgement]

#: Raised with every change that can change a verdict: stored verdicts of another version are given again.
VERSIONS: dict[str, int | str] = {"exact": 1, "typed": 3, "lexical": 5, "llm": 2}
VERSIONS["lexical+llm"] = f"{VERSIONS['lexical']}+{VERSIONS['llm']}"


def check_judge(name: str, world: Path | None) -> None:
    """Refuse a judge that cannot be used on this data, before anything is run.

    Raises:
        BadInput: a judge that does not exist, or `typed` without a generated world.
    """
    if name not in JUDGES:
        raise BadInput(f"there is no judge {name!r}: choose one of {', '.join(JUDGES)}")
    if name == "typed" and not has_gold(world):
        raise BadInput(
            "the judge 'typed' needs a generated world with its gold/ folder: use --judge lexical for this data"
        )


def make_judge(name: str, world: Path | None, gold: Mapping[str, GoldTurn]) -> Judge:
    """An offline judge by its name; `gold` is the world's, read after the answers were made."""
    check_judge(name, world)
    if name == "lexical":
        return judge_lexical
    if name == "exact" or world is None:
        return judge_exact
    from eval.judges.typed import TypedJudge

    typed = TypedJudge(read_facts(world))

    def judge(line: Mapping[str, Any]) -> Judgement:
        if (early := unless_plain(line)) is not None:
            return early
        turn = gold.get(line["interaction_id"])
        if turn is None:
            return Judgement(None, "the world's gold does not know this turn")
        return typed.judge(turn, line["query"], line["agent_response"])

    return judge


def judge_exact(line: Mapping[str, Any]) -> Judgement:
    """Right only when it is the ground truth, letter by letter; a refusal by the public phrase rule is missing."""
    return unless_plain(line) or Judgement("wrong", "not the ground truth")


def judge_lexical(line: Mapping[str, Any]) -> Judgement:
    """By what the answer and the ground truth say (`eval.judges.lexical.judge`); refusals in any words are missing.

    No verdict where it is not sure enough.
    """
    from eval.judges.lexical.judge import judge_answer

    if (early := unless_plain(line)) is not None:
        return early
    found = judge_answer(line["query"], line["ground_truth"], line["agent_response"])
    if found.sure:
        return Judgement(found.verdict, found.why)
    return Judgement(None, f"not sure, leans to {found.verdict}: {found.why}", leaning=found.verdict)


def unless_plain(line: Mapping[str, Any]) -> Judgement | None:
    """What needs no judge: exact matches, refusals, silence. None for everything else."""
    answer = line["agent_response"]
    if is_exact_match(answer, line["ground_truth"]) and answer.strip():
        return Judgement("correct", "equal to the ground truth")
    if line["status"] in ("abstained", "retake") or is_refusal(answer):
        return Judgement("missing", "a refusal")
    return Judgement("missing", "an empty answer") if not answer.strip() else None
