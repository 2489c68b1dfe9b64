"""Trials that were held, kept so that a page can say beside a score how far its judge is to be trusted.

One file a judge and labelled set, `DATA/annotations/trials/<judge>-<labelled set>.json`; the same trial held again
takes its place. Beside them, under `judged/`, what the judges said of the labelled answers: a folder a set of answers,
whatever their grades, with a run's `judgements.jsonl`, so that a trial that was stopped goes on and one after grades
changed asks no model again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from assistant.core.whole_text import load_json
from eval.annotate.labelled import LabelledSet
from eval.annotate.trial import IDENTITY, Trial
from eval.data.gold import read_gold
from eval.judges.judging import JudgeChoice, Judged, Progress, judge_turns
from eval.judges.registry import check_verdicts
from eval.runs.store import RunFolder

log = logging.getLogger(__name__)

FORMAT_VERSION = 1


class TrialStore:
    """The trials of a data folder. Reading never fails on a file of another shape: it is passed over and logged."""

    def __init__(self, data_dir: Path):
        self.folder = data_dir / "annotations" / "trials"

    def add(self, trial: Trial) -> Path:
        """Keep a trial; returns its file.

        Raises:
            BadInput: the folder cannot be written to.
        """
        path = self.folder / f"{judge_name(trial.identity)}-{trial.digest[:16]}.json"
        write_json(path, {"format_version": FORMAT_VERSION, **trial.json()})
        return path

    def all(self) -> list[Trial]:
        """Every trial, the latest first."""
        found = [_read(path) for path in sorted(self.folder.glob("*.json"))]
        return sorted((trial for trial in found if trial is not None), key=lambda trial: trial.at, reverse=True)

    def trials_for(self, identity: Mapping[str, Any]) -> list[Trial]:
        """The trials of one judge (name, version, model, prompt: what its judgements begin with), the latest first."""
        return [trial for trial in self.all() if trial.identity == identity_in(identity)]

    def judge(
        self,
        labels: LabelledSet,
        choice: JudgeChoice,
        world: Path | None = None,
        *,
        progress: Progress = lambda done, total, errors: None,
        cancelled: threading.Event | None = None,
    ) -> list[tuple[Judged, list[dict[str, Any]]]]:
        """Have the labelled answers judged, as a run's are; what this judge has judged before is kept.

        Returns:
            For every judging model what happened, and its lines.

        Raises:
            BadInput: as `eval.judges.judging.judge_turns`.
            EndpointRefused: as there.
        """
        choice.check(world)
        check_verdicts(choice.name)
        gold = read_gold(world) if choice.name == "typed" and world is not None else {}
        lines = [item.line() for item in labels.items]
        digest = _answers(lines, world)
        info = {"options": {"answers": digest}, "labels": labels.name}
        with RunFolder.open(self.folder / "judged" / digest[:16], info, resume=True) as folder:
            judged = judge_turns(folder, lines, choice, world, gold, progress=progress, cancelled=cancelled)
            stored = folder.judgements({line["interaction_id"] for line in lines})
        return [
            (found, [line for line in stored if all(line.get(k) == v for k, v in found.identity.items())])
            for found in judged
        ]


def judge_sentence(data_dir: Path, scores: Mapping[str, Any]) -> str:
    """What stands beside a run's scores: how far their judge agreed with people in its latest trial.

    Args:
        data_dir: whose trials count.
        scores: a run's `scores.json`; the judge must be the same in version, model and prompt.

    Returns:
        One sentence; "" where no such trial was held.
    """
    if not scores.get("judge"):
        return ""
    found = TrialStore(data_dir).trials_for(scores)
    if not found:
        return ""
    words = found[0].sentence.replace("%", " %")
    return f"{words[:1].upper()}{words[1:]}."


def identity_in(line: Mapping[str, Any]) -> dict[str, Any]:
    """The judge that a judgement's line, or a run's scores, are of."""
    return {key: line[key] for key in IDENTITY if line.get(key) is not None}


def judge_name(identity: Mapping[str, Any]) -> str:
    """The judge as part of a file's name; one that says too much, or what no name can hold, ends in its digest."""
    plain = "-".join(str(value) for value in identity_in(identity).values())
    safe = re.sub(r"[^\w.+-]+", "_", plain, flags=re.ASCII)[:80]
    if safe == plain:
        return safe
    return f"{safe}-{hashlib.sha256(json.dumps(identity_in(identity)).encode()).hexdigest()[:8]}"


def _answers(lines: Sequence[Mapping[str, Any]], world: Path | None) -> str:
    """A hash of what is judged, and by which world."""
    texts = sorted(json.dumps(line) for line in lines)
    whole = "\n".join([str(world.resolve()) if world is not None else "", *texts])
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> Trial | None:
    try:
        found = load_json(path.read_bytes())
        if found["format_version"] != FORMAT_VERSION:
            raise BadInput(f"format_version {found['format_version']!r}")
        return TypeAdapter(Trial).validate_python(found)
    except (OSError, ValueError, KeyError, TypeError, BadInput) as problem:
        log.warning("%s holds no trial that can be read: %s", path, problem)
        return None
