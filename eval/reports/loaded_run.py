"""A run with the verdicts of one judge, as comparing, reporting and the leaderboard read it. Writes nothing."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.samples import FAILED
from eval.data.truths import with_truth
from eval.metrics.public import JudgedTurn, Verdict
from eval.runs.reading import read_info, read_judgements, read_scores, read_turn_lines
from eval.runs.shapes import SkippedLines


@dataclass(frozen=True)
class JudgedRun:
    """A run folder's turns and the verdicts of one judge.

    `judge` says which: everything in a judgement's line that tells judges apart (name, version, model). `why` and
    `grades` are by interaction id, and so are `leanings`: what a judge leans to that gave no verdict. `scores` is
    `scores.json`, {} where there is none. `judgements` are the lines of the judge, by interaction id. `left_out`
    are sentences about lines that could not be used.
    """

    path: Path
    name: str
    info: Mapping[str, Any]
    scores: Mapping[str, Any]
    lines: Sequence[Mapping[str, Any]]
    judge: Mapping[str, Any]
    verdicts: Mapping[str, Verdict | None]
    why: Mapping[str, str]
    grades: Mapping[str, str]
    leanings: Mapping[str, Verdict] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    judgements: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @functools.cached_property
    def counted(self) -> dict[str, Verdict | None]:
        """What each turn counts as: the verdict, else what the judge leans to."""
        return {key: verdict or self.leanings.get(key) for key, verdict in self.verdicts.items()}

    @property
    def judged_turns(self) -> list[JudgedTurn]:
        """The turns with what they count as, as readings take them."""
        return [
            JudgedTurn(
                line["session_id"],
                line["turn_idx"],
                self.counted.get(line["interaction_id"]),
                line["status"] in FAILED,
            )
            for line in self.lines
        ]

    @property
    def judge_text(self) -> str:
        """The judge in words: `typed (version 1)`."""
        rest = ", ".join(f"{key.removeprefix('judge_')} {value}" for key, value in self.judge.items() if key != "judge")
        return f"{self.judge['judge']} ({rest})" if rest else str(self.judge["judge"])


#: What tells one judge from another in a line of `judgements.jsonl`.
_IDENTITY = ("judge", "judge_version", "judge_model", "judge_prompt")


def load_run(path: Path, judge: str | None = None) -> JudgedRun:
    """A run and its verdicts: those of `judge`, else of the judge that `scores.json` was made by.

    Where that judge judged in several versions or with several models, those of `scores.json` count, else the last.

    Raises:
        BadInput: no run folder, no turns, or nothing judged by that judge.
        UnknownFormat: written by another version.
    """
    info, scores, left_out = read_info(path), read_scores(path), SkippedLines()
    lines = read_turn_lines(path, left_out)
    if not lines:
        why = f" that can be used: {left_out.sentences[0]}" if left_out.sentences else " yet"
        raise BadInput(f"the run in {str(path)!r} has no finished turns{why}")
    wanted = judge or scores.get("judge") or info.get("judge")
    turns = {line["interaction_id"] for line in lines}
    found = [line for line in read_judgements(path, left_out, turns) if line["judge"] == wanted]
    if not found and not (scores.get("judge") == wanted and not with_truth(lines)):  # else there was nothing to judge
        told = [said for said in left_out.sentences if "judgements.jsonl" in said]
        raise BadInput(
            f"the run in {str(path)!r} has not been judged by {wanted!r}: "
            f"run python -m eval judge {path} --judge {wanted or 'exact'}{''.join(f' ({said})' for said in told)}"
        )
    scored = scores if scores.get("judge") == wanted else found[-1]
    identity = {key: scored[key] for key in _IDENTITY if scored.get(key) is not None}
    found = [line for line in found if all(line.get(key) == value for key, value in identity.items())]
    return JudgedRun(
        path=path,
        name=path.resolve().name,
        info=info,
        scores=scores,
        lines=lines,
        judge=identity,
        verdicts={line["interaction_id"]: line["verdict"] for line in found},
        why={line["interaction_id"]: str(line.get("why") or "") for line in found},
        grades={line["interaction_id"]: line["grade"] for line in found if line.get("grade")},
        leanings={line["interaction_id"]: line["leaning"] for line in found if line.get("leaning")},
        left_out=left_out.sentences,
        judgements={line["interaction_id"]: line for line in found},
    )
