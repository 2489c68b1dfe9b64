"""Rules and small model together: what each may decide alone, and how well both agree with labels new to them."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.paths import WEIGHTS_DIR
from eval.judges.lexical import equivalence
from eval.judges.lexical.equivalence import Equivalence
from eval.judges.lexical.judge import LexicalVerdict, judge_answer
from eval.judges.lexical.kinds import Kind
from eval.judges.lexical.rules import judge_texts
from eval.judges.lexical.weighing import (
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
from tests.bench.judge import DATA, SET_ASIDE, figures, rows

QUESTION, TRUTH = "how long does this beetle live?", "The stag beetle lives for about three to seven years."


@pytest.mark.slow
def test_it_agrees_with_labels_that_the_model_has_not_seen():
    """Every sixteenth answer of the lots set aside; all by `python -m tests.bench judge --set-aside`."""
    labelled = [row for lot in SET_ASIDE for row in rows(DATA / f"{lot}.jsonl")][::16]
    both, rules = figures(labelled), figures(labelled, lambda *texts: LexicalVerdict(*judge_texts(*texts)))
    assert both["n"] > 150
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


@pytest.mark.slow
@pytest.mark.parametrize("page", ["12 m ", "John Smith, ", "12:30 ", "It is 12 m, or 3 kg; 5 March 1998. "])
def test_pages_of_figures_are_judged_by_how_they_begin(page: str):
    told = judge_answer("how tall is it?", page * 2000, f"13 feet {page * 2000}")
    assert told.verdict in ("correct", "wrong")
    assert told == judge_answer("how tall is it?", (page * 2000)[:1000], f"13 feet {page * 2000}"[:1000])


def test_what_the_rules_decide_alone_needs_no_model(monkeypatch):
    def none() -> Equivalence:
        raise AssertionError("the model was asked")

    monkeypatch.setattr("eval.judges.lexical.judge.equivalence", none)
    assert judge_answer(QUESTION, TRUTH, TRUTH) == LexicalVerdict("correct", "equal to the ground truth")
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
    with pytest.raises(NotReady, match="again"):
        stored(tmp_path)
    store(Weighing(np.zeros((3, 4)), np.zeros(3), 0.9, 0.2), tmp_path)
    assert stored(tmp_path).weights.shape == (3, 4)
    (tmp_path / FILE_NAME).write_text('{"format_version": 99}')
    stored.cache_clear()
    with pytest.raises(NotReady, match="99"):
        stored(tmp_path)


@pytest.mark.slow
def test_logits_are_log_probabilities_and_the_order_of_rows_changes_nothing():
    rows = [(QUESTION, TRUTH, a) for a in ("Three to seven years.", "I don't know.", "x" * 20_000, "", "🙂")]
    out = equivalence.equivalence().logits(rows)
    assert out.shape == (5, 3)
    assert np.allclose(np.exp(out).sum(axis=1), 1.0, atol=1e-4)
    assert np.allclose(out[::-1], equivalence.equivalence().logits(rows[::-1]), atol=1e-3)
    assert equivalence.equivalence().logits([]).shape == (0, 3)


def test_a_missing_or_foreign_file_is_one_sentence(tmp_path: Path):
    with pytest.raises(NotReady, match="again"):
        Equivalence.load(tmp_path)
    with np.load(WEIGHTS_DIR / "judge" / equivalence.FILE_NAME) as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / equivalence.FILE_NAME, **{**arrays, "text_encoder": "another"})
    with pytest.raises(NotReady, match="another"):
        Equivalence.load(tmp_path)
