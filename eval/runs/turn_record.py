"""Turns as the lines of a run folder: what is written of a turn, and how a conversation is resumed from it.

A turn's line carries the public evaluator's columns and what slicing needs; its trace carries everything: the events
with their times, the evidence, the whole `Turn`. Pixels are never written.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assistant.core.events import Event, EvidenceFound, Finished, Looked, Recognised, Trace
from assistant.core.types import Answer, Candidate, Evidence, Frame, Sentence, Turn, Usage
from eval.data.samples import FAILED, LABELS, Sample, SampleTurn

#: Texts longer than this stand in the trace, whole, and the turn's line says so: lines stay short to list quickly.
LONG_TEXT = 300


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: dataclasses as objects, frames and pictures as their digest, NaN as null."""
    if isinstance(value, bytes):
        return {"digest": hashlib.sha256(value).hexdigest(), "bytes": len(value)}
    if isinstance(value, Frame):
        return {"digest": value.digest, "width_px": value.width_px, "height_px": value.height_px}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def turn_line(sample: Sample, turn: SampleTurn, answered: Turn, ms: float) -> dict[str, Any]:
    """One line of `turns.jsonl`: the public columns first. A failed turn is an empty answer there.

    `truths` are further right answers, `labels` those that only some benchmarks have; both only where there are any.
    """
    answer = answered.answer
    return {
        "session_id": sample.session_id,
        "interaction_id": turn.interaction_id,
        "turn_idx": turn.turn_idx,
        "is_ego": sample.is_ego,
        **{label: getattr(turn, label) for label in sorted(LABELS, key=_PUBLIC_ORDER.index)},
        "query": turn.query,
        "ground_truth": turn.ground_truth,
        **({"truths": list(turn.truths)} if turn.truths else {}),
        "agent_response": "" if answer.status in FAILED else answer.text,
        "total_turn_count": len(sample.turns),
        "interaction_id_history": [t.interaction_id for t in sample.turns[: turn.turn_idx]],
        "set": sample.set,
        "split": sample.split,
        "status": answer.status,
        "reason": answer.reason,
        "entity": answer.entity.name if answer.entity else None,
        "ms": round(ms, 1),
        **({"labels": dict(turn.more)} if turn.more else {}),
        **_usage(answer.usage),
        **({"risk": round(answer.risk, 4)} if answer.risk is not None else {}),
        **({"is_ego_public": False} if sample.is_ego and sample.image_url is not None else {}),
    }


def _usage(usage: Usage | None) -> dict[str, Any]:
    """What a model took, as far as its server told; nothing for a turn that no model wrote."""
    if usage is None:
        return {}
    known = {name: getattr(usage, name) for name in ("prompt_tokens", "completion_tokens", "cost")}
    return {k: v for k, v in known.items() if v is not None} | ({"cached": True} if usage.cached else {})


_PUBLIC_ORDER = ("image_quality", "query_category", "domain", "dynamism")


def trace_line(
    interaction_id: str, answered: Turn, trace: Trace, error: str = "", handed: Sequence[Evidence] | None = None
) -> dict[str, Any]:
    """One line of `traces.jsonl`; `error` is the traceback of a turn that raised, `handed` the evidence that the run
    gave the agent, in full where the answer does not hold it anyway (`handed_in`).
    """
    shown = {piece.id for piece in answered.answer.evidence}
    return {
        "interaction_id": interaction_id,
        "events": [{"at_ms": round(at, 1), **_event(event)} for at, event in trace.events],
        "turn": plain(answered),
        **({"handed": [p.id if p.id in shown else plain(p) for p in handed]} if handed is not None else {}),
        **({"error": error} if error else {}),
    }


def _event(event: Event) -> dict[str, Any]:
    """An event without what the turn beside it says again (evidence and attributes) and without pixels."""
    name = type(event).__name__
    if isinstance(event, Finished):
        return {"event": name}
    if isinstance(event, EvidenceFound):
        return {"event": name, "evidence": [e.id for e in event.evidence]}
    if isinstance(event, Recognised):
        found = [{"name": c.name, "confidence": plain(c.confidence)} for c in event.recognition.candidates]
        entity = event.recognition.entity
        chosen = {"entity": entity.name if entity else None, "reason": event.recognition.reason}
        return {"event": name, "candidates": found, **chosen}
    if isinstance(event, Looked):
        look = plain(event.look)
        look.pop("corrected")
        return {"event": name, **look}
    return {"event": name, **plain(event)}


def turn_from_trace(trace: Mapping[str, Any]) -> Turn:
    """The `Turn` that a trace line holds, to go on with its conversation."""
    turn = trace["turn"]
    answer = turn["answer"]
    entity = answer["entity"]
    return Turn(
        question=turn["question"],
        answer=Answer(
            text=answer["text"],
            status=answer["status"],
            reason=answer["reason"],
            sentences=tuple(
                Sentence(s["text"], tuple(s["evidence_ids"]), s.get("ground", "evidence"), s.get("picture"))
                for s in answer["sentences"]
            ),
            entity=Candidate(**{**entity, "outline_px": _polygon(entity["outline_px"])}) if entity else None,
            evidence=tuple(
                Evidence(**{**e, "outline_px": _polygon(e["outline_px"]), "picture": None}) for e in answer["evidence"]
            ),
        ),
        frame_digest=turn["frame_digest"],
        subjects=tuple(turn["subjects"]),
        timings_ms=turn["timings_ms"],
    )


def handed_in(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The evidence that a turn was handed, as its trace holds it, pictures as their digest; what the answerer was shown
    where the trace does not say.
    """
    shown = trace["turn"]["answer"]["evidence"]
    by_id = {piece["id"]: piece for piece in shown}
    found = [by_id.get(piece) if isinstance(piece, str) else piece for piece in trace.get("handed", shown)]
    return [piece for piece in found if isinstance(piece, dict)]


def _polygon(points: Any) -> Any:
    return None if points is None else tuple((x, y) for x, y in points)
