"""From a run folder to its scores: judge what is not judged yet, then compute every reading.

The only place where a run meets the world's gold, and only when the judge is `typed`: called after the answers are
made. Under other judges gold stays closed, and the slices by its labels are left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval import metrics
from eval.gold import GoldTurn, read_gold
from eval.judges import VERSIONS, make_judge
from eval.store import FORMAT_VERSION, RunFolder
from eval.turn_record import FAILED


def judge_and_score(folder: RunFolder, judge: str, world: Path | None) -> dict[str, Any]:
    """Judge every turn of the run that this judge has not judged yet, write `scores.json` and return it."""
    gold = read_gold(world) if judge == "typed" and world is not None else {}
    lines = folder.turns()
    verdicts = _judge(folder, lines, judge, world, gold)
    scores = run_scores(lines, verdicts, gold)
    result = {"format_version": FORMAT_VERSION, "judge": judge, "judge_version": VERSIONS[judge], **scores}
    folder.write_scores(result)
    return result


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


def run_scores(
    lines: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, metrics.Verdict | None],
    gold: Mapping[str, GoldTurn],
) -> dict[str, Any]:
    """All readings of a run: `public`, `paper`, `readme`, `slices`, and how many turns they rest on.

    Under `public` a failed turn is an empty answer and scored as the public evaluator does; in the other readings it is
    missing. A row with an empty `image_url` is egocentric, only not under `public`, whose evaluator asks for None.
    Slices count single turns (no conversation rule); a conversation's domain is its first turn's.
    """
    public = [_public(line, verdicts) for line in lines]
    ego = [turn for turn, line in zip(public, lines, strict=True) if line.get("is_ego_public", line["is_ego"])]
    judged = [_judged(line, verdicts) for line in lines]
    domains = {line["session_id"]: line["domain"] for line in lines if line["turn_idx"] == 0}
    labelled = [
        (turn.value, _labels(line, domains, gold.get(line["interaction_id"])))
        for turn, line in zip(judged, lines, strict=True)
    ]
    times = sorted(line["ms"] for line in lines)
    return {
        "public": {"all": _finite(metrics.public_scores(public)), "ego": _finite(metrics.public_scores(ego))},
        "paper": metrics.reading(judged, "paper"),
        "readme": metrics.reading(judged, "readme"),
        "slices": metrics.slices(labelled),
        "n": len(lines),
        "n_failed": sum(turn.failed for turn in judged),
        "n_unjudged": sum(turn.verdict is None and not turn.failed for turn in judged),
        "statuses": dict(Counter(line["status"] for line in lines).most_common()),
        "median_ms": times[len(times) // 2] if times else None,
    }


def _public(line: Mapping[str, Any], verdicts: Mapping[str, metrics.Verdict | None]) -> metrics.PublicTurn:
    verdict = verdicts.get(line["interaction_id"])
    flags = metrics.public_flags(
        line["agent_response"], line["ground_truth"], None if verdict is None else verdict == "correct"
    )
    return metrics.PublicTurn(line["session_id"], line["turn_idx"], flags)


def _judged(line: Mapping[str, Any], verdicts: Mapping[str, metrics.Verdict | None]) -> metrics.JudgedTurn:
    failed = line["status"] in FAILED
    verdict = None if failed else verdicts.get(line["interaction_id"])
    return metrics.JudgedTurn(line["session_id"], line["turn_idx"], verdict, failed)


def _labels(line: Mapping[str, Any], domains: Mapping[str, Any], gold: GoldTurn | None) -> dict[str, Any]:
    return {
        "domain": domains.get(line["session_id"], line["domain"]),
        "type": line["query_category"],
        "dynamism": line["dynamism"],
        "image_quality": line["image_quality"],
        "ego": line["is_ego"],
        "set": line["set"],
        "turn": line["turn_idx"],
        **(gold.labels if gold is not None else {}),
        "answer_kind": gold.answer.kind if gold is not None and gold.answer is not None else None,
    }


def _finite(scores: Mapping[str, float]) -> dict[str, float | None]:
    """NaN (no turns) as null: `scores.json` is strict JSON."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}
