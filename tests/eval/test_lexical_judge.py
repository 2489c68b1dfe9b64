"""Rules and small model together: what each may decide alone, and how well both agree with labels new to them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from assistant.errors import NotReady
from assistant.settings import ASSETS_DIR
from eval import equivalence
from eval.equivalence import Equivalence
from eval.equivalence_training import Fit
from eval.labelled_answers import DATA_DIR, HELD_OUT, SET_ASIDE, read_answers, read_hand
from eval.lexical import judge_texts
from eval.lexical_judge import Told, judge_answer
from eval.lexical_kinds import Kind
from eval.lexical_weighing import (
    FILE_NAME,
    RIGHT_REFUSED,
    WRONG_ACCEPTED,
    Weighing,
    bounds,
    chances,
    signs,
    store,
    stored,
)
from tests.bench.judge import figures, held_out

QUESTION, TRUTH = "how long does this beetle live?", "The stag beetle lives for about three to seven years."


def test_it_agrees_with_labels_that_the_model_has_not_seen():
    """Every twelfth of the answers that rules and model are weighed on; all by `python -m tests.bench judge`."""
    rows = held_out()[::12]
    both, rules = figures(rows), figures(rows, lambda *texts: Told(*judge_texts(*texts)))
    assert both["n"] > 350
    assert both["leaning"]["kappa"] >= 0.62
    assert both["leaning"]["kappa"] >= rules["kappa"] + 0.1
    assert both["judged"] >= 0.5
    assert both["kappa"] >= 0.85
    assert both["wrong_accepted"] <= 0.03


def test_the_bounds_lie_as_near_as_the_shares_of_errors_allow():
    chance = np.concatenate([np.linspace(0, 1, 1001), np.linspace(0, 1, 1001)])
    labels = np.repeat([0, 1], 1001)
    right_from, wrong_to = bounds(chance, labels)
    wrong_accepted = float((chance[labels == 1] >= right_from).mean())
    right_refused = float((chance[labels == 0] <= wrong_to).mean())
    assert WRONG_ACCEPTED - 0.003 < wrong_accepted <= WRONG_ACCEPTED
    assert RIGHT_REFUSED - 0.003 < right_refused <= RIGHT_REFUSED
    apart = np.where(labels == 0, 0.9, 0.1)
    assert bounds(apart, labels) == (0.5, 0.5)


def test_other_words_for_the_same_and_for_something_else():
    question, truth = (
        "what is this tool for?",
        "It is a bradawl, used to make small holes in wood before driving screws.",
    )
    same = "You prick a starter hole in the timber with it so the screw goes in easily."
    other = "It is a bradawl, used to fill small holes in wood after removing screws."
    assert judge_answer(question, truth, same).verdict == "correct"
    assert judge_answer(question, truth, other).verdict == "wrong"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (TRUTH, "correct"),
        ("", "missing"),
        ("I'm sorry, I cannot tell how long it lives.", "missing"),
        ("About three to seven years.", "correct"),
        ("About 30 to 70 years.", "wrong"),
        ("It lives in oak forests.", "wrong"),
    ],
)
def test_plain_cases(answer: str, verdict: str):
    assert judge_answer(QUESTION, TRUTH, answer).verdict == verdict


@pytest.mark.parametrize("page", ["12 m ", "John Smith, ", "12:30 ", "It is 12 m, or 3 kg; 5 March 1998. "])
def test_pages_of_figures_are_judged_by_how_they_begin(page: str):
    told = judge_answer("how tall is it?", page * 2000, f"13 feet {page * 2000}")
    assert told.verdict in ("correct", "wrong")
    assert told == judge_answer("how tall is it?", (page * 2000)[:1000], f"13 feet {page * 2000}"[:1000])


def test_what_the_rules_decide_alone_needs_no_model(monkeypatch):
    def none() -> Equivalence:
        raise AssertionError("the model was asked")

    monkeypatch.setattr("eval.lexical_judge.equivalence", none)
    assert judge_answer(QUESTION, TRUTH, TRUTH) == Told("correct", "equal to the ground truth")
    assert judge_answer(QUESTION, TRUTH, "I don't know.").verdict == "missing"
    assert judge_answer(QUESTION, TRUTH, " ").verdict == "missing"
    assert judge_answer(QUESTION, "", "Seven years.").verdict == "wrong"


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("truth", ["Seven years", TRUTH])
def test_a_surer_reading_and_a_pass_by_the_rules_both_speak_for_an_answer(kind: Kind, truth: str):
    def right(read: list[float], passes: bool) -> float:
        return float(chances(signs(kind, passes, np.log(read), truth, "It lives for seven years or so."))[0])

    likely, unlikely = [0.9, 0.08, 0.02], [0.1, 0.88, 0.02]
    assert right(likely, True) > right(likely, False) > right(unlikely, False)
    assert right(likely, True) > right(unlikely, True)
    assert chances(signs(kind, False, np.log([0.1, 0.1, 0.8]), truth, "No idea.")).sum() == pytest.approx(1.0)


def test_missing_or_foreign_weights_are_one_sentence(tmp_path: Path):
    with pytest.raises(NotReady, match="equivalence_training"):
        stored(tmp_path)
    store(Weighing(np.zeros((3, 4)), np.zeros(3), 0.9, 0.2), tmp_path)
    assert stored(tmp_path).weights.shape == (3, 4)
    (tmp_path / FILE_NAME).write_text('{"format_version": 99}')
    stored.cache_clear()
    with pytest.raises(NotReady, match="99"):
        stored(tmp_path)


def test_logits_are_log_probabilities_and_the_order_of_rows_changes_nothing():
    rows = [(QUESTION, TRUTH, a) for a in ("Three to seven years.", "I don't know.", "x" * 20_000, "", "🙂")]
    out = equivalence.equivalence().logits(rows)
    assert out.shape == (5, 3)
    assert np.allclose(np.exp(out).sum(axis=1), 1.0, atol=1e-4)
    assert np.allclose(out[::-1], equivalence.equivalence().logits(rows[::-1]), atol=1e-3)
    assert equivalence.equivalence().logits([]).shape == (0, 3)


def test_a_missing_or_foreign_file_is_one_sentence(tmp_path: Path):
    with pytest.raises(NotReady, match="equivalence_training"):
        Equivalence.load(tmp_path)
    with np.load(ASSETS_DIR / "judge" / equivalence.FILE_NAME) as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / equivalence.FILE_NAME, **{**arrays, "text_encoder": "another"})
    with pytest.raises(NotReady, match="another"):
        Equivalence.load(tmp_path)


def test_the_labelled_answers_are_what_they_claim_to_be():
    files = sorted(DATA_DIR.glob("*.jsonl"))
    assert {f.stem for f in files} >= set(HELD_OUT)
    questions: Counter[str] = Counter()
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert set(row) == {"domain", "question", "ground_truth", "correct", "wrong", "missing"}
            assert row["correct"]
            assert row["wrong"]
            questions[row["question"]] += 1
        assert {label for group in read_hand(file) for *_, label in group} == {0, 1, 2}
    practised, weighed = read_answers()
    assert questions.most_common(1)[0][1] < 10  # several hands may ask the same
    assert set(weighed) == set(HELD_OUT)
    assert not set(practised) & {*weighed, *SET_ASIDE}
    assert len(practised) > 8 * len(weighed)


def test_a_right_answer_may_take_the_place_of_the_ground_truth():
    group = [("q", "t", "right", 0), ("q", "t", "also right", 0), ("q", "t", "wrong", 1), ("q", "t", "no idea", 2)]
    fit = SimpleNamespace(chance=random.Random(0))
    seen = [Fit._as_practised(fit, group) for _ in range(60)]  # type: ignore[arg-type]
    turned = [rows for rows in seen if rows != group]
    assert 0 < len(turned) < len(seen)
    for rows in turned:
        (truth,) = {row[1] for row in rows}
        assert truth in ("right", "also right")
        assert sorted((a, label) for _, _, a, label in rows) == sorted(
            [("t", 0), *((a, label) for _, _, a, label in group if a != truth)]
        )
    assert Fit._as_practised(fit, group[2:]) == group[2:]  # type: ignore[arg-type]


def test_the_fit_runs_on_a_few_answers_and_what_it_writes_is_read(tmp_path: Path):
    """The command itself, a step long, beside other assets: it must not touch the shipped model."""
    script = (
        "import sys, pathlib; import eval.equivalence_training as t; t._MEAN_FROM = 1; "
        "practised, weighed = t.read_answers(); "
        "few = {hand: groups[:5] for hand, groups in weighed.items()}; "
        "t.read_answers = lambda rows: ({'01': practised['01'][:6]}, few); "
        f"t.ASSETS_DIR = pathlib.Path({str(tmp_path)!r}); sys.argv = ['x', '--epochs', '0.5']; t.main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert Equivalence.load(tmp_path / "judge").logits([(QUESTION, TRUTH, "Five years.")]).shape == (1, 3)
    assert stored(tmp_path / "judge").bias.shape == (3,)
