"""Judges: what an answer is worth. `exact` is the public rule; `typed` compares with a generated world's gold answer;
`lexical` compares the texts offline; `llm` asks a model; `lexical+llm` asks it only where `lexical` is not sure.

A judge gives a verdict and its reason. Failed turns never come here. Judging is a stage of its own
(`eval.judges.judging`): it runs after all answers are made, and only then may `typed` open the world's gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.gold import GoldTurn, has_gold, read_facts
from eval.judges.exact import judge_exact, unless_plain
from eval.judges.protocol import Judge, Judgement

JUDGES = ("typed", "exact", "lexical", "llm", "lexical+llm")
#: Those that ask a model.
ASKING = ("llm", "lexical+llm")


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
