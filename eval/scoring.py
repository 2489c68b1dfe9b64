"""From a run folder to its scores: judge what is not judged yet, then compute every reading.

The only place where a run meets the world's gold, and only when the judge is `typed`: called after the answers are
made. Under other judges gold stays closed, and the slices by its labels are left out.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.annotate.overlay import judge_overlaid
from eval.annotate.overlay_files import Correction
from eval.benchmarks.registry import BENCHMARKS, benchmark_of
from eval.benchmarks.scenarios import CELL
from eval.data.gold import GoldTurn, of_lines, read_gold
from eval.data.samples import FAILED
from eval.data.truths import with_truth
from eval.judges.judging import JudgeChoice, Progress, judge_turns
from eval.judges.registry import MODEL_JUDGES, REGISTRY
from eval.judges.summary import averaged, summary
from eval.metrics import public as metrics
from eval.metrics.attribution import Steps, attribution, known_steps
from eval.metrics.retrieval import in_run
from eval.metrics.risk_coverage import risk_coverage
from eval.metrics.run_scores import run_scores
from eval.metrics.traffic import Weights
from eval.runs.handed import HandedAgain, handed_to
from eval.runs.reading import read_traces
from eval.runs.store import FORMAT_VERSION, RunFolder

#: What stands side by side without and with corrected ground truths.
_READINGS = ("public", "paper", "readme", "intervals", "crag", "n", "n_failed", "n_unjudged", "n_without_truth")


def judge_and_score(
    folder: RunFolder,
    judge: str | JudgeChoice,
    world: Path | None,
    *,
    progress: Progress = lambda done, total, errors: None,
    cancelled: threading.Event | None = None,
) -> dict[str, Any]:
    """Judge every turn of the run that this judge has not judged yet, write `scores.json` and return it.

    Two judging models: the figures are the first one's, beside them stand every model's own (`judges`), their mean as
    CRAG reports it (`averaged`) and how far the two agree. A benchmark that reports the mean has it as its own figures.
    """
    choice = JudgeChoice(judge) if isinstance(judge, str) else judge
    lines = folder.turns()
    gold = of_lines(read_gold(world), lines) if choice.name == "typed" and world is not None else {}
    if not lines and folder.left_out.sentences:
        raise BadInput(f"no turn of the run can be used: {folder.left_out.sentences[0]}")
    if choice.weights is not None:
        folder.write_info(weights=choice.weights.json())
    _check_fit(folder, choice)
    handed = HandedAgain(folder.path, folder.info)
    judged = judge_turns(folder, lines, choice, world, gold, handed=handed, progress=progress, cancelled=cancelled)
    judgements = folder.judgements({line["interaction_id"] for line in lines})
    benchmark, identities = benchmark_of(folder.info), [found.identity for found in judged]
    grades = [grades_of(judgements, identity) for identity in identities]
    scored = [
        {
            **score_turns(folder.path, lines, found.verdicts, gold, given, found.leanings, folder.info),
            **_own_scores(folder, lines, judgements, found.identity),
        }
        for found, given in zip(judged, grades, strict=True)
    ]
    result = {
        "format_version": FORMAT_VERSION,
        **judged[0].identity,
        **scored[0],
        **({"n_scored": len(judged[0].scored)} if judged[0].scored else {}),
        **({"judging": [summary(found) for found in judged]} if choice.name in MODEL_JUDGES else {}),
        **(averaged(judged, scored, benchmark.name) if len(judged) > 1 else {}),
    }
    if len(judged) > 1 and benchmark.averages:
        mean = _own_scores(folder, lines, judgements, *identities)[benchmark.name]
        result[benchmark.name] = result["averaged"][benchmark.name] = mean
    folder.write_scores(result)
    return result


def _check_fit(folder: RunFolder, choice: JudgeChoice) -> None:
    """Refuse a judge that only gives another benchmark's scores."""
    benchmark = benchmark_of(folder.info)
    if not REGISTRY[choice.name].gives_verdicts and choice.name not in benchmark.judges:
        raise BadInput(
            f"the judge {choice.name!r} scores answers of its own benchmark, and this run is over {benchmark.title}: "
            f"use --judge {benchmark.judges[0]}"
        )


def score_by(folder: RunFolder, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Score a run by verdicts that stand in its folder, those of the judge `identity`; write and return the scores.

    Nothing is judged, and a world's gold stays closed.
    """
    lines = folder.turns()
    stored = folder.judgements({line["interaction_id"] for line in lines})
    judgements = [line for line in stored if _is_by(line, identity)]
    verdicts = {line["interaction_id"]: line["verdict"] for line in judgements}
    leanings = {line["interaction_id"]: line["leaning"] for line in judgements if line.get("leaning")}
    scores = score_turns(folder.path, lines, verdicts, {}, grades_of(judgements, identity), leanings, folder.info)
    own = _own_scores(folder, lines, judgements, identity)
    result = {"format_version": FORMAT_VERSION, **identity, **scores, **own}
    folder.write_scores(result)
    return result


def score_overlay(
    folder: RunFolder,
    choice: JudgeChoice,
    world: Path | None,
    scores: Mapping[str, Any],
    corrections: Sequence[Correction],
    file: str,
) -> dict[str, Any]:
    """Add to a judged run's scores what they are with corrected ground truths, under "overlay", and write them.

    `without` and `with` hold the readings side by side; `changed` says of each corrected turn what was judged before
    and is now. Of two judging models the first counts.
    """
    found = judge_overlaid(folder, choice, world, corrections)
    grades = grades_of(folder.judgements(set(found.without.verdicts)), found.without.identity)
    now = {**grades, **grades_of(found.judgements, found.with_.identity)}
    plain = score_turns(folder.path, folder.turns(), found.without.verdicts, {}, grades, found.without.leanings)
    put_on = score_turns(folder.path, found.overlaid.lines, found.with_.verdicts, {}, now, found.with_.leanings)
    changed = [
        {"interaction_id": key, "before": found.without.verdicts.get(key), "after": found.with_.verdicts.get(key)}
        for key in found.overlaid.changed
    ]
    overlay = {
        "file": file,
        "version": max(one.version for one in corrections),
        "n_changed": len(changed),
        "n_flipped": sum(one["before"] != one["after"] for one in changed),
        "n_stale": len(found.overlaid.stale),
        "n_elsewhere": found.overlaid.elsewhere,
        "changed": changed,
        "without": {key: plain[key] for key in _READINGS if key in plain},
        "with": {key: put_on[key] for key in _READINGS if key in put_on},
    }
    result = {**scores, "overlay": overlay}
    folder.write_scores(result)
    return result


def grades_of(judgements: Iterable[Mapping[str, Any]], identity: Mapping[str, Any]) -> dict[str, str]:
    """CRAG's grades (`grade` in a judgement's line) by interaction id, from judges that give them."""
    return {
        found["interaction_id"]: found["grade"]
        for found in judgements
        if found.get("grade") in metrics.GRADES and _is_by(found, identity)
    }


def _is_by(judgement: Mapping[str, Any], identity: Mapping[str, Any]) -> bool:
    return all(judgement.get(key) == value for key, value in identity.items())


def _own_scores(
    folder: RunFolder,
    lines: Sequence[Mapping[str, Any]],
    judgements: Sequence[Mapping[str, Any]],
    identity: Mapping[str, Any],
    second: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The figures that only the run's benchmark has, under its name; those of each scenario wherever a run has any."""
    benchmark, found = benchmark_of(folder.info), dict[str, Any]()
    own, also = (
        {line["interaction_id"]: line for line in judgements if by is not None and _is_by(line, by)}
        for by in (identity, second)
    )
    if benchmark.own_scores is not None:
        told = lines
        if benchmark.reads_handed:
            handed = handed_to(folder.path, lines)
            told = [{**line, "handed": handed.get(line["interaction_id"])} for line in lines]
        more: dict[str, Any] = {"also": also} if second is not None else {}
        if benchmark.takes_weights:
            more["weights"] = Weights.from_json(folder.info.get("weights"))
        found[benchmark.name] = benchmark.own_scores(told, own, **more)
    by_scenario = BENCHMARKS["deflection"]
    if by_scenario.name not in found and any((line.get("labels") or {}).get("scenario") for line in lines):
        assert by_scenario.own_scores is not None
        found[by_scenario.name] = by_scenario.own_scores(lines, own)
    return found


def score_turns(
    run: Path,
    lines: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, metrics.Verdict | None],
    gold: Mapping[str, GoldTurn],
    grades: Mapping[str, str] | None = None,
    leanings: Mapping[str, metrics.Verdict] | None = None,
    info: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Every figure of a run: readings, intervals, bounds, slices, and with gold retrieval and attribution too.

    Args:
        run: the run folder, for its traces; they are read only where gold says what was to be found.
        info: its `run.json`, for the labels that its benchmark is sliced by.
    """
    own = (*benchmark_of(info or {}).slices, *CELL)
    steps = _steps(run, lines, gold)
    retrieved = {key: {"retrieved": found.retrieved} for key, found in steps.items()}
    scores = run_scores(lines, verdicts, gold, grades=grades, labels=retrieved, own=own, leanings=leanings)
    lines = with_truth(lines)  # what follows tells of right and wrong
    estimated = [line for line in lines if line["status"] == "answered" and line.get("risk") is not None]
    judged = [(line["risk"], verdicts.get(line["interaction_id"])) for line in estimated]
    if curve := risk_coverage(((risk, verdict == "wrong") for risk, verdict in judged if verdict), len(lines)):
        scores["risk_coverage"] = curve
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
    return known_steps(read_traces(run, wanted), wanted, gold)
