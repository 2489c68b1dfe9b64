"""What the files of a run folder must hold to be used, and what is told of those parts that do not.

Folders are copied, cut off by full disks and written by other tools. A line that is no turn or no verdict is left out,
counted and told with its file and number; what the sound lines say stays worth reading. Only what reading code rests on
is looked at: more in a line is no fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VERDICTS = ("correct", "wrong", "missing")
#: Larger ones fit neither arrays nor files.
_MOST = 2**62


@dataclass(frozen=True)
class _Kind:
    name: str
    holds: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST < value < _MOST


_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_NUMBER = _Kind("a number", _is_number)
_COUNT = _Kind("a whole number", lambda value: _is_number(value) and isinstance(value, int) and value >= 0)
_LABEL = _Kind("a text or a whole number", lambda value: isinstance(value, str) or (
    _is_number(value) and isinstance(value, int)))  # fmt: skip
_OBJECT = _Kind("an object", lambda value: isinstance(value, dict))
_LIST = _Kind("a list", lambda value: isinstance(value, list))
_TEXTS = _Kind("a list of texts", lambda value: isinstance(value, list) and all(isinstance(v, str) for v in value))
_LABELS = _Kind("an object of texts and whole numbers", lambda value: isinstance(value, dict) and all(
    v is None or _LABEL.holds(v) for v in value.values()))  # fmt: skip
_OBJECTS = _Kind("a list of objects", lambda value: isinstance(value, list) and all(isinstance(v, dict) for v in value))
_VERDICT = _Kind(f"one of {', '.join(VERDICTS)}", lambda value: isinstance(value, str) and value in VERDICTS)
_NUMBERS = _Kind("an object of numbers", lambda value: isinstance(value, dict) and all(
    v is None or isinstance(v, bool) or _is_number(v) for v in value.values()))  # fmt: skip

_TURN = {
    "session_id": _TEXT, "interaction_id": _TEXT, "turn_idx": _COUNT, "is_ego": _FLAG, "query": _TEXT,
    "ground_truth": _TEXT, "agent_response": _TEXT, "status": _TEXT, "trace": _COUNT,
}  # fmt: skip
_TURN_MORE = {
    **dict.fromkeys(("image_quality", "query_category", "domain", "dynamism"), _LABEL),
    **dict.fromkeys(("reason", "entity", "set", "split"), _TEXT),
    **dict.fromkeys(("ms", "prompt_tokens", "completion_tokens", "cost"), _NUMBER), "truths": _TEXTS, "labels": _LABELS,
    "total_turn_count": _COUNT, "interaction_id_history": _TEXTS, "is_ego_public": _FLAG,
}  # fmt: skip
_JUDGEMENT_MORE = {
    "verdict": _VERDICT, "leaning": _VERDICT, "judge_version": _LABEL, "judge_model": _TEXT, "judge_prompt": _LABEL,
    "grade": _TEXT,
}  # fmt: skip
_INFO = {
    **dict.fromkeys(("options", "data", "judging", "imported"), _OBJECT), "spent": _NUMBERS,
    **dict.fromkeys(("unusable", "resumed"), _LIST),
    **dict.fromkeys(("n_turns", "retries"), _COUNT),
    **dict.fromkeys(("state", "started", "ended", "problem", "judge", "profile"), _TEXT),
}  # fmt: skip
_OPTIONS = {
    **dict.fromkeys(("data", "agent", "pipeline", "split", "set", "give", "index", "revision"), _TEXT),
    **dict.fromkeys(("strictness", "prompts"), _TEXT), **dict.fromkeys(("budget", "risk"), _NUMBER), "task": _COUNT,
    **dict.fromkeys(("degrade", "without"), _TEXTS), "chat": _OBJECT,
}  # fmt: skip
_DATA = dict.fromkeys(("name", "path", "world"), _TEXT)
_SCORES = {
    **dict.fromkeys(("paper", "readme"), _NUMBERS),
    **dict.fromkeys(("public", "intervals", "methods", "slices", "judges", "averaged"), _OBJECT),
    **dict.fromkeys(("n", "n_failed", "n_unjudged", "n_leaning", "n_conversations", "n_without_truth"), _COUNT),
    "judge": _TEXT, "judge_version": _LABEL, "judge_model": _TEXT, "judge_prompt": _LABEL, "median_ms": _NUMBER,
    "judging": _OBJECTS,
}  # fmt: skip
_PROGRESS = {
    **dict.fromkeys(("updated", "rate_per_s", "eta_s"), _NUMBER),
    **dict.fromkeys(("pid", "done", "total", "failed", "retries", "judged", "to_judge", "judge_errors"), _COUNT),
}
_RUNG = {
    "given": _TEXT,
    "asked": _COUNT,
    **dict.fromkeys(
        ("accuracy", "hallucination_rate", "truthfulness", "paper_truthfulness", "won", "paper_won"), _NUMBER
    ),
}


def odd_ladder(ladder: Mapping[str, Any]) -> str:
    """What in `ladder.json` is of another kind than is read; "" for nothing."""
    odd = _odd(ladder, {"rungs": _OBJECTS, "n_failed_turns": _COUNT, "n_asked_again": _COUNT, "left": _NUMBER}, {})
    return odd or next((why for rung in ladder["rungs"] if (why := _odd(rung, _RUNG, {}))), "")


def odd_progress(progress: Mapping[str, Any]) -> str:
    """What in `progress.json` is of another kind than is read; "" for nothing."""
    return _odd(progress, {"state": _TEXT}, _PROGRESS)


def odd_turn(line: Any) -> str:
    """Why a line of `turns.jsonl` is no turn, to stand behind "line 3"; "" for one that is."""
    if not isinstance(line, dict):
        return _not_an_object(line)
    long = line.get("long")
    if long is not None and not _TEXTS.holds(long):
        return _wrong(line, "long", _TEXTS)
    elsewhere = [key for key in long or () if line.get(key) is None]
    return _odd(line, {key: kind for key, kind in _TURN.items() if key not in elsewhere}, _TURN_MORE)


def odd_judgement(line: Any) -> str:
    """Why a line of `judgements.jsonl` is no verdict; "" for one that is."""
    if not isinstance(line, dict):
        return _not_an_object(line)
    if "verdict" not in line:
        return "has no 'verdict'"
    return _odd(line, {"interaction_id": _TEXT, "judge": _TEXT}, _JUDGEMENT_MORE)


def sound_trace(trace: Mapping[str, Any]) -> dict[str, Any]:
    """A trace as it is shown: the parts that are of another kind than is read are left away."""
    found = dict(trace)
    turn = found.get("turn")
    if turn is not None:
        found["turn"] = turn = dict(turn) if isinstance(turn, dict) else {}
        _only(turn, {"answer": _OBJECT, "timings_ms": _OBJECT})
        if "answer" in turn:
            turn["answer"] = answer = dict(turn["answer"])
            _only(answer, {"text": _TEXT, "entity": _OBJECT, "evidence": _OBJECTS, "sentences": _OBJECTS})
            for one in answer.get("evidence") or ():
                _only(one, {"id": _TEXT, "score": _NUMBER})
            for one in answer.get("sentences") or ():
                _only(one, {"evidence_ids": _TEXTS})
    return found


def _only(holder: dict[str, Any], kinds: Mapping[str, _Kind]) -> None:
    for key, kind in kinds.items():
        if key in holder and not kind.holds(holder[key]):
            del holder[key]


def odd_info(info: Mapping[str, Any]) -> str:
    """What in `run.json` is of another kind than is read; "" for nothing."""
    return (
        _odd(info, {}, _INFO)
        or _odd(info.get("options") or {}, {}, _OPTIONS)
        or _odd(info.get("data") or {}, {}, _DATA)
    )


def odd_scores(scores: Mapping[str, Any]) -> str:
    """What in `scores.json` is of another kind than is read; "" for nothing."""
    public = scores.get("public") or {}
    return _odd(scores, {}, _SCORES) or _odd(public if isinstance(public, dict) else {}, {}, {
        "all": _NUMBERS, "ego": _NUMBERS})  # fmt: skip


def _odd(line: Mapping[str, Any], needed: Mapping[str, _Kind], known: Mapping[str, _Kind]) -> str:
    for key, kind in needed.items():
        if line.get(key) is None:
            return f"has no {key!r}"
        if not kind.holds(line[key]):
            return _wrong(line, key, kind)
    for key, kind in known.items():
        if line.get(key) is not None and not kind.holds(line[key]):
            return _wrong(line, key, kind)
    return ""


def _wrong(line: Mapping[str, Any], key: str, kind: _Kind) -> str:
    said = repr(line[key])
    return f"has {said if len(said) <= 40 else said[:40] + '…'} as {key!r}, where {kind.name} is wanted"


def _not_an_object(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return f"is {names.get(type(value), 'a number')}, not an object"


@dataclass(eq=False)
class SkippedLines:
    """The lines that were left out, by file; a line that is met again counts once."""

    found: dict[Path, dict[int, str]] = field(default_factory=dict)

    def add(self, path: Path, number: int, why: str) -> None:
        """`number` counts lines from 1; `why` stands behind it."""
        self.found.setdefault(path, {})[number] = why

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each file."""
        told = []
        for path, lines in self.found.items():
            first = min(lines)
            many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
            told.append(f"{many} of {str(path)!r} left out: line {first} {lines[first]}")
        return tuple(told)
