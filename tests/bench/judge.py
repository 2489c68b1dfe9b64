"""How the offline judge agrees with labels: `python -m tests.bench judge [--real FILE]`.

Two lines a lot: the verdicts that it gives (none where it is not sure), and all of them, with what it leans to.

Without options the answers labelled by hand in tests/data/judged that may be read (rules and model have seen them);
`--set-aside` adds the figures of those that may not, which are for the beginning and the end of a change (its README
counts how often they were shown).
`--real` adds real answers with one model's verdicts and raw replies (`question`, `ground_truth`, `prediction`,
`judge_reply`, `verdict`), which belong to no one's repository: only counts are kept. There a second table says how many
of the raw replies `eval.judges.replies` reads as the file's own verdict.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.judges.lexical.judge import LexicalVerdict, judge_answer
from eval.judges.replies import read_verdict
from eval.judges.summary import kappa
from eval.metrics.public import Verdict

DATA = Path(__file__).parents[1] / "data" / "judged"
OPEN = (
    "developed_on",
    "set_aside",
    "second_open",
    "third_open",
    "fourth_open",
    "fifth_open",
    "seventh_open",
    "eighth_open",
)
SET_ASIDE = ("second_set_aside", "sixth_set_aside", "ninth_set_aside", "tenth_set_aside")

#: Question, ground truth and answer to verdict and why.
Judge = Callable[[str, str, str], LexicalVerdict]


def run(arguments: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench judge")
    parser.add_argument("--real", type=Path, help="JSONL of real answers with a model's verdicts")
    parser.add_argument("--set-aside", action="store_true", help="also the lots that are for the final figure only")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    for name in [*OPEN, *(SET_ASIDE if options.set_aside else ())]:
        found[name] = figures(rows(DATA / f"{name}.jsonl"))
        show(name, found[name])
    if options.real:
        real = rows(options.real)
        plain = [
            {**row, "answer": row["prediction"], "label": row["verdict"]} for row in real if row["verdict"] != "partly"
        ]
        found["real"] = figures(plain)
        show("real answers (one model's verdicts, not people's)", found["real"])
        found["real_replies"] = replies(real)
        print(f"real replies: {found['real_replies']}")
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def figures(labelled: Sequence[Mapping[str, Any]], judge: Judge = judge_answer) -> dict[str, Any]:
    """Kappa over the three verdicts, agreement, and which share of all wrong answers is accepted, of all right refused.

    The figures of the verdicts that are given, over `judged` (a share of all answers); and under `leaning` those of all
    answers, where what is not sure counts as the judge leans.
    """
    started = time.perf_counter()
    told = [judge(row["question"], row["ground_truth"], row["answer"]) for row in labelled]
    seconds = time.perf_counter() - started
    pairs = [(row["label"], found.verdict) for row, found in zip(labelled, told, strict=True)]
    given = [pair for pair, found in zip(pairs, told, strict=True) if found.sure]
    labels = Counter(label for label, _ in pairs)
    return {
        "n": len(pairs),
        "judged": round(len(given) / len(pairs), 4),
        **_agreement(given, labels),
        "leaning": _agreement(pairs, labels),
        "ms_a_row": round(1000 * seconds / len(pairs), 2),
    }


def _agreement(pairs: Sequence[tuple[str, Verdict]], labels: Counter[str]) -> dict[str, Any]:
    counts = Counter(pairs)
    return {
        "kappa": round(kappa(pairs) or 0.0, 4),
        "agree": round(sum(a == b for a, b in pairs) / max(1, len(pairs)), 4),
        "wrong_accepted": round(counts["wrong", "correct"] / max(1, labels["wrong"]), 4),
        "right_refused": round(counts["correct", "wrong"] / max(1, labels["correct"]), 4),
        "label_and_verdict": {f"{a} {b}": n for (a, b), n in sorted(counts.items())},
    }


def replies(real: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many raw replies are read as the file's verdict; half a point ("partly") is not correct, hence wrong."""
    read = [
        (row["verdict"].replace("partly", "wrong"), read_verdict(row["judge_reply"], "graded").verdict) for row in real
    ]
    right = sum(a == b for a, b in read)
    return {"n": len(read), "read_right": right, "unreadable": sum(b is None for _, b in read)}


def show(name: str, table: Mapping[str, Any]) -> None:
    print(f"{name}: n {table['n']}, sure of {table['judged']:.1%}: {_words(table)}, {table['ms_a_row']} ms a row")
    print(f"{'':8}all, as it leans: {_words(table['leaning'])}")


def _words(found: Mapping[str, Any]) -> str:
    return (
        f"kappa {found['kappa']:.3f}, agree {found['agree']:.3f}, of all wrong accepted {found['wrong_accepted']:.1%}, "
        f"of all right refused {found['right_refused']:.1%}"
    )
