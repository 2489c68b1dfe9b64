"""How the offline judge agrees with labels: `python -m tests.bench judge [--real FILE]`.

Without options the answers labelled by hand in tests/data/judged that may be read (rules and model have seen them)
and those on which both are weighed; `--set-aside` adds the figures of
those that may not, which are for the beginning and the end of a change (its README counts how often they were shown).
`--real` adds real answers with one model's verdicts and raw replies (`question`, `ground_truth`, `prediction`,
`judge_reply`, `verdict`), which belong to no one's repository: only counts are kept. There a second table says how many
of the raw replies `eval.judge_replies` reads as the file's own verdict.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.judge_replies import read_verdict
from eval.judge_summary import kappa
from eval.labelled_answers import DATA_DIR, LABELS, Row, read_answers, read_hand
from eval.lexical_judge import judge_answer
from eval.metrics import Verdict

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
Judge = Callable[[str, str, str], tuple[Verdict, str]]


def run(arguments: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench judge")
    parser.add_argument("--real", type=Path, help="JSONL of real answers with a model's verdicts")
    parser.add_argument("--set-aside", action="store_true", help="also the lots that are for the final figure only")
    parser.add_argument("--hand", action="append", default=[], help="also a hand of eval/data/answers, such as 52")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    for name in [*OPEN, *(SET_ASIDE if options.set_aside else ())]:
        found[name] = figures(rows(DATA / f"{name}.jsonl"))
        show(name, found[name])
    for hand in options.hand:
        found[f"hand {hand}"] = figures(_one_a_row(read_hand(DATA_DIR / f"{hand}.jsonl")))
        show(f"hand {hand}", found[f"hand {hand}"])
    found["held_out"] = figures(held_out())
    show("answers on which rules and model are weighed", found["held_out"])
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


def held_out() -> list[dict[str, Any]]:
    """The answers on which the rules and the small model were weighed, one a row; neither had seen them before."""
    return _one_a_row(read_answers()[1])


def _one_a_row(groups: Sequence[Sequence[Row]]) -> list[dict[str, Any]]:
    return [
        {"question": question, "ground_truth": truth, "answer": answer, "label": LABELS[label]}
        for group in groups
        for question, truth, answer, label in group
    ]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def figures(labelled: Sequence[Mapping[str, Any]], judge: Judge = judge_answer) -> dict[str, Any]:
    """Kappa over the three verdicts, agreement, and which share of the wrong answers is accepted."""
    started = time.perf_counter()
    pairs = [(row["label"], judge(row["question"], row["ground_truth"], row["answer"])[0]) for row in labelled]
    seconds = time.perf_counter() - started
    wrong = [said for label, said in pairs if label == "wrong"]
    right = [said for label, said in pairs if label == "correct"]
    return {
        "n": len(pairs),
        "kappa": round(kappa(pairs) or 0.0, 4),
        "agree": round(sum(a == b for a, b in pairs) / len(pairs), 4),
        "wrong_accepted": round(wrong.count("correct") / len(wrong), 4),
        "right_refused": round(right.count("wrong") / len(right), 4),
        "label_and_verdict": {f"{a} {b}": n for (a, b), n in sorted(Counter(pairs).items())},
        "ms_a_row": round(1000 * seconds / len(pairs), 2),
    }


def replies(real: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many raw replies are read as the file's verdict; half a point ("partly") is not correct, hence wrong."""
    read = [
        (row["verdict"].replace("partly", "wrong"), read_verdict(row["judge_reply"], "graded").verdict) for row in real
    ]
    right = sum(a == b for a, b in read)
    return {"n": len(read), "read_right": right, "unreadable": sum(b is None for _, b in read)}


def show(name: str, table: Mapping[str, Any]) -> None:
    print(
        f"{name}: n {table['n']}, kappa {table['kappa']:.3f}, agree {table['agree']:.3f}, "
        f"wrong accepted {table['wrong_accepted']:.1%}, right refused {table['right_refused']:.1%}, "
        f"{table['ms_a_row']} ms a row"
    )
