"""A run folder written by hand, for tests of comparing, reporting and exporting: no agent, no judge."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LINE: dict[str, Any] = {
    "turn_idx": 0, "is_ego": True, "image_quality": "normal", "query_category": "comparison", "domain": "book",
    "dynamism": "static", "ground_truth": "seven", "total_turn_count": 1, "interaction_id_history": [], "set": "single",
    "split": "validation", "status": "answered", "reason": "", "entity": None, "ms": 10.0,
}  # fmt: skip


def line(session: str, index: int = 0, answer: str = "x", **changes: Any) -> dict[str, Any]:
    key = f"{session}-{index}"
    named = {"session_id": session, "interaction_id": key, "turn_idx": index, "query": f"question {key}?"}
    return {**LINE, **named, "agent_response": answer, **changes}


def write_run(
    path: Path,
    turns: Sequence[tuple[Mapping[str, Any], str | None]],
    *,
    judge: Mapping[str, Any] | None = None,
    **info: Any,
) -> Path:
    """Turns and their verdicts as a run folder; `judge` is what each judgement says of its judge.

    "~correct" is no verdict: the judge is not sure and leans to it.
    """
    path.mkdir(parents=True)
    judge = judge or {"judge": "exact", "judge_version": 1}
    options = {"agent": "embedded", "pipeline": "vitrine", "split": "validation", "set": "both"}
    data = {"name": "by hand", "path": None, "world": None}
    start = {"format_version": 1, "state": "finished", "started": "2026-11-01T00:00:00+00:00"}
    (path / "run.json").write_text(
        json.dumps({**start, "options": options, "data": data, "judge": judge["judge"], **info})
    )
    with (path / "turns.jsonl").open("w") as lines, (path / "traces.jsonl").open("w") as traces:
        for turn, _ in turns:
            lines.write(json.dumps({**turn, "trace": traces.tell()}) + "\n")
            traces.write(json.dumps(_trace(turn)) + "\n")
    with (path / "judgements.jsonl").open("w") as file:
        for turn, verdict in turns:
            leaning = {"leaning": verdict[1:]} if verdict and verdict.startswith("~") else {}
            given = {"interaction_id": turn["interaction_id"], **judge, "verdict": None if leaning else verdict}
            given |= {**leaning, "why": "by hand"}
            file.write(json.dumps(given) + "\n")
    return path


def _trace(turn: Mapping[str, Any]) -> dict[str, Any]:
    answer = {
        "text": turn["agent_response"], "status": turn["status"], "reason": "", "sentences": [], "entity": None,
        "evidence": [],
    }  # fmt: skip
    events = [{"at_ms": 0, "event": "Planned"}]
    if "signs" in turn:
        events.append({"at_ms": 1, "event": "RiskEstimated", "risk": turn["risk"], "signs": turn["signs"]})
    told = {"question": turn["query"], "answer": answer, "frame_digest": None, "subjects": [], "timings_ms": {}}
    return {"interaction_id": turn["interaction_id"], "events": events, "turn": told}
