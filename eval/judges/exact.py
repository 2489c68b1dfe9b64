"""The judge `exact`: the ground truth letter by letter, and what needs no judge at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eval.data.truths import truths_of
from eval.judges.protocol import Judgement
from eval.metrics.public import is_exact_match, is_refusal


def judge_exact(line: Mapping[str, Any]) -> Judgement:
    """Right only when it is a right answer letter by letter; a refusal by the public phrase rule is missing."""
    return trivial_verdict(line) or Judgement("wrong", "not the ground truth")


def trivial_verdict(line: Mapping[str, Any]) -> Judgement | None:
    """What needs no judge: exact matches, refusals, silence. None for everything else."""
    answer = line["agent_response"]
    if answer.strip():
        for n, truth in enumerate(truths_of(line)):
            if is_exact_match(answer, truth):
                return Judgement("correct", f"equal to {'another right answer' if n else 'the ground truth'}")
    if line["status"] in ("abstained", "retake") or is_refusal(answer):
        return Judgement("missing", "a refusal")
    return Judgement("missing", "an empty answer") if not answer.strip() else None
