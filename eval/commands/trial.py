"""Put a judge on trial: its verdicts against the grades that people gave the same answers.

Labels are a project's, by its name, or JSONL: a line with `interaction_id` (or `session_id` and `turn_idx`), `query`,
`ground_truth`, `answer` (or `agent_response`) and `grade` (perfect, acceptable, missing, incorrect) or `verdict`
(correct, missing, wrong); with `annotator`, several people may have graded one answer, and the majority counts. What
the judge has judged before it does not judge again. Trials are kept in the data folder. With --run the scores of a run
that this judge judged are corrected for its errors.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

from assistant.core.errors import BadInput
from assistant.settings import read_settings
from eval.annotate.correction import Corrected, corrected
from eval.annotate.labelled import LabelledSet, read_labelled
from eval.annotate.project_labels import labelled_of, project_named
from eval.annotate.trial import SAID, Trial, trial
from eval.annotate.trial_store import TrialStore
from eval.commands.told import tell
from eval.judges.options import JudgeProgress, add_judge_arguments, judge_choice
from eval.judges.registry import JUDGES
from eval.reports.loaded_run import JudgedRun, load_run
from eval.runs.control import ends_cleanly


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--labels", required=True, metavar="FILE|PROJECT", help="JSONL of graded answers, or a project's name")
    add("--judge", choices=JUDGES, required=True, help="who is on trial")
    add_judge_arguments(parser)
    add("--data", type=Path, metavar="WORLD", help="the generated world of the answers, for the judge typed")
    add("--run", type=Path, help="a run judged by this judge, whose scores are corrected")
    add("--disagreements", type=int, default=10, metavar="N", help="show so many of them (default: 10)")
    add("--data-dir", type=Path, help="where trials and replies of judging models are kept")
    add("--json", action="store_true", help="print everything as JSON, all disagreements included")


def run(args: argparse.Namespace) -> int:
    data_dir = read_settings(profile="embedded", data_dir=args.data_dir).data_dir
    labels = labels_of(args.labels, data_dir)
    tell(labels.sentences)
    choice = judge_choice(args, args.judge)
    store = TrialStore(data_dir)
    judged_run = load_run(args.run, args.judge) if args.run is not None else None
    stop = threading.Event()
    with ends_cleanly():
        try:
            judged = store.judge(labels, choice, args.data, progress=JudgeProgress(), cancelled=stop)
        except KeyboardInterrupt:
            print("stopped; the same command goes on with what is not judged yet", file=sys.stderr)
            return 130
    held, unreached = [], 0
    for found, lines in judged:
        if found.failed:
            unreached += found.failed
            print(f"{found.failed} answers were not judged ({found.problem}): run it again", file=sys.stderr)
        if lines:
            held.append(trial(labels, lines, at=datetime.now(UTC), identity=found.identity))
            store.add(held[-1])
    fixed = [_corrected(one, judged_run) for one in held] if judged_run is not None else []
    if args.json:
        content = {"trials": [one.json() for one in held], "corrected": [one.json() for one in fixed if one]}
        print(json.dumps(content, indent=1, ensure_ascii=False))
    else:
        parts = [table(one, args.disagreements) for one in held] + [corrected_table(one) for one in fixed if one]
        print("\n\n".join(parts))
    if judged_run is not None and not any(fixed):
        raise BadInput(f"the run {str(args.run)!r} was judged by {judged_run.judge_text}, which is not on trial here")
    return 1 if unreached else 0


def labels_of(name: str, data_dir: Path) -> LabelledSet:
    """The labelled set that the command line names: a file, else a project.

    Raises:
        BadInput: there is neither, or it holds no grades.
    """
    path = Path(name)
    if path.is_file():
        return read_labelled(path)
    with project_named(data_dir, name) as (store, project):
        return labelled_of(store, project)


def _corrected(one: Trial, judged: JudgedRun) -> Corrected | None:
    """The run's scores without this judge's errors; None where another judge judged it, or this one in other words."""
    if dict(judged.judge) != dict(one.identity):
        return None
    return corrected(one, judged.judged_turns)


def table(found: Trial, shown: int) -> str:
    """A trial as text: figures, tables, slices and the first `shown` disagreements."""
    lines = [
        f"{found.judge_text}: {found.sentence}",
        _row("agrees with people", found.accuracy.text),
        _row("agrees where it is sure", f"{found.sure.text} ({found.sure.n} answers)"),
        _row("Cohen's kappa", found.kappa.text),
        _row("unreadable", f"{found.n_unreadable} of {found.n} ({found.n_unreadable / found.n:.1%})"),
        *([_row("only leaning", f"{found.n_leaning} of {found.n}")] if found.n_leaning else []),
        *([_row("took", ", ".join(f"{v:,.10g} {name}" for name, v in found.spent.items()))] if found.spent else []),
        f"\n{'':<14}{'answers':>8}{'precision':>28}{'recall':>28}{'F1':>28}",
    ]
    for name, bucket in found.buckets.items():
        figures = "".join(f"{figure.text if figure.value is not None else '—':>28}" for figure in (
            bucket.precision, bucket.recall, bucket.f1))  # fmt: skip
        lines.append(f"{name:<14}{bucket.n_people:>8}{figures}")
    lines.append(f"\n{'people, judge:':<14}" + "".join(f"{said:>12}" for said in SAID))
    rows = found.grades.items() if found.n_graded == found.n else found.confusion.items()
    lines += [f"{name:<14}" + "".join(f"{n:>12}" for n in row.values()) for name, row in rows]
    lines.append("\nthe judge gives, people give, difference")
    for rate, bias in found.bias.items():
        lines.append(_row(f"  {rate}", f"{found.judge[rate]:.3f}  {found.people[rate]:.3f}  {bias.text}"))
    for label, values in found.slices.items():
        lines.append(f"\n{label}: answers, agrees, kappa")
        for text, part in values.items():
            few = " (few)" if part.few else ""
            lines.append(_row(f"  {text}{few}", f"{part.n:>6}  {part.accuracy.text}  {part.kappa.text}"))
    lines.append(f"\n{len(found.disagreements)} disagreements" + (f", {shown} shown:" if shown > 0 else ""))
    for one in found.disagreements[: max(0, shown)]:
        leans = "leans to " if one.leaning else ""
        lines.append(f"\n  {one.query}\n    truth   {one.ground_truth}\n    answer  {one.answer or '(nothing)'}")
        lines.append(f"    people  {one.people}\n    judge   {leans}{one.judge}: {one.why}")
    return "\n".join(lines)


def corrected_table(found: Corrected) -> str:
    """A run's scores as judged and as people would give them."""
    lines = [
        f"{found.n} turns of the run, corrected by {found.n_labelled} labelled answers (all turns, no early stop)",
        f"{'':<18}{'as judged':>12}   corrected",
    ]
    for name, figure in found.figures.items():
        judged = found.as_judged[name]
        lines.append(f"{name:<18}{'' if judged is None else f'{judged:.3f}':>12}   {figure.text}")
    return "\n".join(lines)


def _row(name: str, text: str) -> str:
    return f"{name:<34}{text}"
