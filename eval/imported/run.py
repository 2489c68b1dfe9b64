"""A run folder out of answers that were made elsewhere, as if they had been made here: judged, compared, exported.

Its agent is called `imported`, and so is the judge of verdicts that came with the answers. Turns without an answer are
no turns of the run: `import.json` beside it lists them, with the rows that fit nowhere. Answers stay as they came, not
cut to the benchmark's length. Where a benchmark's figures ask what a turn was handed (M2RAG), that is what the
benchmark hands to any system: nobody knows what these answers were really made of.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.events import Trace
from assistant.core.storage import write_json
from assistant.core.types import Answer as Said
from assistant.core.types import Turn
from eval.benchmarks.registry import BENCHMARKS
from eval.data.options import DataChoice, data_record
from eval.data.samples import Data
from eval.imported.answers import read_answers
from eval.imported.matching import Answer, Understood, understand
from eval.imported.scales import is_silent
from eval.runs.about import About, write_about
from eval.runs.runner import listed
from eval.runs.store import RunFolder
from eval.runs.turn_record import trace_line, turn_line
from eval.runs.versions import versions

AGENT = "imported"
JUDGE = {"judge": "imported", "judge_version": 1}
#: Complete lists of what did not fit.
LISTS = "import.json"
_FORMAT = 1
#: Where a run lies while it is made: nothing that lists runs looks there.
_WORKSHOP = ".importing"
#: So many names `run.json` keeps itself.
_NAMED = 20


def read(
    path: Path, choice: DataChoice, *, name: str = "", verdict_column: str | None = None, scale: str | None = None
) -> Understood:
    """What a file comes to on data, before anything is made.

    The data are read without their pictures: the answers are there already, also to rows whose picture is gone. Only
    where figures ask which pictures a turn was handed, they are read with them.

    Raises:
        BadInput: the file, the data or the scale cannot be used; one sentence with the place.
    """
    file = read_answers(path, name, verdict_column)
    return understand(file, load_unseen(choice), scale)


def load_unseen(choice: DataChoice) -> Data:
    """The chosen data without their pictures (see `read`), and without anything done to them."""
    data = replace(choice, pictures=False, degrade=()).load()
    return replace(choice, degrade=()).load() if BENCHMARKS[data.benchmark].reads_handed else data


def make_run(
    found: Understood,
    choice: DataChoice,
    out: Path,
    said: About,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> dict[str, Any]:
    """Write the run whole, then put it in its place; its scores, {} where no verdicts came with the answers.

    Raises:
        BadInput: something is there already, or the place cannot be written to.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{str(out)!r} is there already: choose another folder")
    workshop = out.absolute().parent / _WORKSHOP
    made = workshop / f"{out.name}-{os.getpid()}"
    try:
        workshop.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(made, ignore_errors=True)
        scores = _write(found, choice, made, said, now().isoformat(timespec="seconds"))
        if out.exists():
            out.rmdir()
        made.rename(out)
        return scores
    except OSError as problem:
        raise BadInput(f"{str(out)!r} cannot be written ({problem.strerror or problem})") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if workshop.is_dir() and not any(workshop.iterdir()):
            workshop.rmdir()


def _write(found: Understood, choice: DataChoice, place: Path, said: About, at: str) -> dict[str, Any]:
    benchmark = BENCHMARKS[found.data.benchmark]
    hands = benchmark.evidence if benchmark.reads_handed else None
    with RunFolder.open(place, _info(found, choice, at), resume=False) as folder:
        for answer in found.answers:
            turn = _turn(answer)
            line = turn_line(answer.sample, answer.turn, turn, answer.given.ms or 0.0)
            line["ms"] = None if answer.given.ms is None else line["ms"]
            handed = None if hands is None else hands(answer.turn, None)
            folder.add_turn(line, trace_line(answer.turn.interaction_id, turn, Trace(), handed=handed))
        for answer in found.answers:
            if (judgement := _judgement(found, answer, at)) is not None:
                folder.add_judgement(judgement)
        scores: dict[str, Any] = {}
        if found.n_verdicts:
            from eval.scoring import score_by  # the figures' libraries are not for a look at a file

            scores = score_by(folder, JUDGE)
    lists = {
        "unmatched": [vars(row) for row in found.unmatched],
        "not_answered": [turn.interaction_id for turn in found.not_answered],
    }
    write_json(place / LISTS, {"format_version": _FORMAT, **lists})
    if said != About():
        write_about(place, said)
    return scores


def _info(found: Understood, choice: DataChoice, at: str) -> dict[str, Any]:
    file, scale = found.file, found.scale
    verdicts = None if scale is None else {value: one.grade or one.verdict for value, one in scale.meanings.items()}
    return {
        "state": "finished",
        "started": at,
        "ended": at,
        "data": data_record(choice, found.data),
        "benchmark": found.data.benchmark,
        "options": {
            "data": found.data.digest,
            **choice.options(),
            "agent": AGENT,
            "answers": {"file": file.name, "sha256": file.digest},
        },
        **({"judge": JUDGE["judge"]} if found.n_verdicts else {}),
        "n_samples": len({answer.sample.session_id for answer in found.answers}),
        "n_turns": len(found.answers) + len(found.not_answered),
        "unusable": listed(found.data.unusable),
        "versions": versions(),
        "imported": {
            "file": file.name,
            "sha256": file.digest,
            "columns": {"answer": file.answer_column, "verdict": file.verdict_column, "latency": file.latency_column},
            "found_by": dict(found.found_by),
            "scale": verdicts,
            "scale_words": scale.words if scale else "",
            "n_rows": len(file.rows),
            "n_answers": len(found.answers),
            "n_verdicts": found.n_verdicts,
            "n_unmatched": len(found.unmatched),
            "n_not_answered": len(found.not_answered),
            "not_answered": [turn.interaction_id for turn in found.not_answered[:_NAMED]],
        },
    }


def _turn(answer: Answer) -> Turn:
    silent = bool(answer.text.strip()) and is_silent(answer.text)
    return Turn(answer.turn.query, Said(answer.text, "abstained" if silent else "answered", ""), None)


def _judgement(found: Understood, answer: Answer, at: str) -> Mapping[str, Any] | None:
    value = answer.given.verdict
    if value is None or found.scale is None:
        return None
    meaning = found.scale.meaning(value, answer.text)
    turned = "" if meaning == found.scale.meanings[value] else ", and the answer is a refusal or empty"
    return {
        "interaction_id": answer.turn.interaction_id,
        **JUDGE,
        "verdict": meaning.verdict,
        **({"grade": meaning.grade} if meaning.grade else {}),
        "why": f"came with the answer: {value}{turned}",
        "at": at,
    }
