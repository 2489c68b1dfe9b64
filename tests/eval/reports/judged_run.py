"""A finished run to judge, written without an agent."""

from __future__ import annotations

from pathlib import Path

from eval.runs.store import RunFolder

ANSWERS = (
    ("how tall is this tower?", "The tower is 187 metres tall.", "It is 187 m tall."),
    ("who wrote this?", "It was written by Ada Brück.", "Otto Lind wrote it."),
    ("what is this?", "It is a moka pot.", "I don't know."),
    ("is it dishwasher safe?", "No, wash it by hand.", "I'm unable to tell from the picture."),
    ("what colour is it?", "It is red.", "it is red."),
    ("what does it cost?", "It costs $20.", "It costs 20 dollars."),
)


def write_run(path: Path, repeat: int = 1) -> Path:
    """Six turns `repeat` times: right, wrong, two refusals (one in words the public rule does not know), an exact
    match, right; and one that failed."""
    info = {"state": "finished", "options": {}, "data": {"name": "d", "path": "d", "world": None}, "judge": "exact"}
    with RunFolder.open(path, info, resume=False) as folder:
        for n in range(repeat):
            for i, (query, truth, answer) in enumerate(ANSWERS):
                extra = f" (number {n})" if n else ""
                folder.add_turn(_line(f"s{n}-{i}", query + extra, truth, answer, "answered"), {})
        folder.add_turn(_line("s-failed", "what is it?", "It is a lamp.", "", "timeout"), {})
    return path


def _line(session: str, query: str, truth: str, answer: str, status: str) -> dict:
    return {
        "session_id": session, "interaction_id": f"i-{session}", "turn_idx": 0, "is_ego": True,
        "image_quality": "normal",
        "query_category": "reasoning", "domain": "other", "dynamism": "static", "query": query, "ground_truth": truth,
        "agent_response": answer, "total_turn_count": 1, "interaction_id_history": [], "set": "single_turn",
        "split": "validation", "status": status, "reason": "", "entity": None, "ms": 10.0,
    }  # fmt: skip
