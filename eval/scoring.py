"""From a run folder to its scores: judge what is not judged yet, then compute every reading.

The only place where a run meets the world's gold, and only when the judge is `typed`: called after the answers are
made. Under other judges gold stays closed, and the slices by its labels are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval import metrics
from eval.attribution import Steps, attribution, read_traces, steps_of
from eval.gold import GoldTurn, read_gold
from eval.judges import VERSIONS, make_judge
from eval.retrieval_scores import in_run
from eval.run_scores import run_scores
from eval.store import FORMAT_VERSION, RunFolder
from eval.turn_record import FAILED


def judge_and_score(folder: RunFolder, judge: str, world: Path | None) -> dict[str, Any]:
    """Judge every turn of the run that this judge has not judged yet, write `scores.json` and return it."""
    gold = read_gold(world) if judge == "typed" and world is not None else {}
    lines = folder.turns()
    verdicts = _judge(folder, lines, judge, world, gold)
    scores = score_turns(folder.path, lines, verdicts, gold)
    result = {"format_version": FORMAT_VERSION, "judge": judge, "judge_version": VERSIONS[judge], **scores}
    folder.write_scores(result)
    return result


def score_turns(
    run: Path,
    lines: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, metrics.Verdict | None],
    gold: Mapping[str, GoldTurn],
    grades: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Every figure of a run: readings, intervals, bounds, slices, and with gold retrieval and attribution too.

    Args:
        run: the run folder, for its traces; they are read only where gold says what was to be found.
    """
    steps = _steps(run, lines, gold)
    retrieved = {key: {"retrieved": found.retrieved} for key, found in steps.items()}
    scores = run_scores(lines, verdicts, gold, grades=grades, labels=retrieved)
    if gold:
        known = [line for line in lines if line["interaction_id"] in gold]
        keys = [line["interaction_id"] for line in known]
        failed = [line["status"] in FAILED for line in known]
        scores["attribution"] = attribution(
            (verdicts.get(key), lost, steps.get(key), gold[key]) for key, lost in zip(keys, failed, strict=True)
        )
        scores["retrieval"] = in_run(known, steps)
    return scores


def _steps(run: Path, lines: Sequence[Mapping[str, Any]], gold: Mapping[str, GoldTurn]) -> dict[str, Steps]:
    if not gold:
        return {}
    wanted = {line["trace"]: line["interaction_id"] for line in lines if line["interaction_id"] in gold}
    return {wanted[offset]: steps_of(trace, gold[wanted[offset]]) for offset, trace in read_traces(run, wanted)}


def _judge(
    folder: RunFolder,
    lines: Iterable[Mapping[str, Any]],
    name: str,
    world: Path | None,
    gold: Mapping[str, GoldTurn],
) -> dict[str, metrics.Verdict | None]:
    known = {
        found["interaction_id"]: found["verdict"]
        for found in folder.judgements()
        if found["judge"] == name and found["judge_version"] == VERSIONS[name]
    }
    judge = make_judge(name, world, gold)
    for line in lines:
        interaction = line["interaction_id"]
        if line["status"] in FAILED or interaction in known:
            continue
        found = judge(line)
        folder.add_judgement(
            {
                "interaction_id": interaction,
                "judge": name,
                "judge_version": VERSIONS[name],
                "verdict": found.verdict,
                "why": found.why,
            }
        )
        known[interaction] = found.verdict
    return known
