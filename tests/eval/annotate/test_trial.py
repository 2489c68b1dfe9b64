"""Judges on trial: hand-made tables, corrected scores by hand and by simulation, files of labels, the commands."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics import cohen_kappa_score

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.annotate.correction import corrected
from eval.annotate.labelled import LabelledSet, labelled_set, rated, read_labelled
from eval.annotate.trial import Trial, trial
from eval.annotate.trial_store import TrialStore, judge_name
from eval.judges.judging import JudgeChoice
from eval.metrics.misclassification import nearest_shares, plain_inverse
from eval.metrics.public import JudgedTurn
from tests import scripted_chat

FEW = 200
AT = datetime(2026, 11, 30, tzinfo=UTC)
JUDGE = {"judge": "llm", "judge_version": 2, "judge_model": "maker/model", "judge_prompt": "ab12"}
#: People's grade, what the judge says (None: unreadable), how often.
TABLE = [
    ("perfect", "correct", 5), ("acceptable", "correct", 2), ("acceptable", "wrong", 3), ("incorrect", "wrong", 4),
    ("incorrect", "correct", 1), ("incorrect", None, 1), ("missing", "missing", 3), ("missing", "wrong", 1),
]  # fmt: skip


def tried(table=TABLE, *, per_talk: int = 1, **options) -> Trial:
    pairs = [(grade, verdict) for grade, verdict, n in table for _ in range(n)]
    return trial(*graded(pairs, per_talk), at=AT, resamples=FEW, **options)


def graded(pairs, per_talk: int = 1) -> tuple[LabelledSet, list[dict]]:
    rows = [
        {
            "interaction_id": f"t{i}", "session_id": f"s{i // per_talk}", "turn_idx": i % per_talk, "query": f"q{i}",
            "ground_truth": "seven", "answer": f"a{i}", "grade": grade, "domain": "food" if i % 2 else "book",
        }
        for i, (grade, _) in enumerate(pairs)
    ]  # fmt: skip
    lines = [{"interaction_id": f"t{i}", **JUDGE, "verdict": v, "why": "because"} for i, (_, v) in enumerate(pairs)]
    return labelled_set("set", enumerate(rows)), lines


# the trial


def test_the_table_by_hand():
    found = tried()
    assert found.n == found.n_graded == 20
    assert found.confusion["accurate"] == {"accurate": 7, "incorrect": 3, "missing": 0, "unreadable": 0}
    assert found.confusion["incorrect"] == {"accurate": 1, "incorrect": 4, "missing": 0, "unreadable": 1}
    assert found.confusion["missing"] == {"accurate": 0, "incorrect": 1, "missing": 3, "unreadable": 0}
    assert found.grades["acceptable"] == {"accurate": 2, "incorrect": 3, "missing": 0, "unreadable": 0}
    assert found.accuracy.value == pytest.approx(14 / 20)
    assert found.sure.value == pytest.approx(14 / 19)
    assert found.n_unreadable == 1
    by_hand = {
        "accurate": (7 / 8, 7 / 10, 14 / 18), "incorrect": (4 / 8, 4 / 6, 8 / 14), "missing": (1.0, 3 / 4, 6 / 7)
    }  # fmt: skip
    for name, (precision, recall, f1) in by_hand.items():
        bucket = found.buckets[name]
        assert (bucket.precision.value, bucket.recall.value, bucket.f1.value) == pytest.approx((precision, recall, f1))
        assert all(f.interval.low <= f.value <= f.interval.high for f in (bucket.precision, bucket.recall, bucket.f1))
    people = ["c"] * 10 + ["w"] * 6 + ["m"] * 4
    judge = ["c"] * 7 + ["w"] * 3 + ["w"] * 4 + ["c", "u"] + ["m"] * 3 + ["w"]
    assert found.kappa.value == pytest.approx(cohen_kappa_score(people, judge))
    assert found.kappa.asymptotic is not None
    assert found.people == pytest.approx({"accuracy": 0.5, "hallucination": 0.3, "missing": 0.2, "truthfulness": 0.2})
    assert found.judge == pytest.approx({"accuracy": 0.4, "hallucination": 0.4, "missing": 0.2, "truthfulness": 0.0})
    assert found.bias["truthfulness"].value == pytest.approx(-0.2)
    assert found.sentence == f"this judge agreed with people in 70% of 20 answers (kappa {found.kappa.value:.2f})"


def test_disagreements_one_by_one_and_slices():
    found = tried()
    assert len(found.disagreements) == 6
    first = found.disagreements[0]
    assert (first.people, first.judge, first.query, first.why) == ("acceptable", "incorrect", "q7", "because")
    assert "unreadable" in {one.judge for one in found.disagreements}
    assert found.slices["domain"]["food"].n + found.slices["domain"]["book"].n == 20
    assert found.slices["domain"]["food"].few
    shares = [part.accuracy.value for part in found.slices["domain"].values()]
    assert np.mean(shares) == pytest.approx(14 / 20)


def test_what_a_judge_leans_to_counts_and_is_told():
    labels, lines = graded([("perfect", None), ("perfect", "correct"), ("incorrect", None)])
    lines[0]["leaning"], lines[2]["leaning"] = "correct", "correct"
    found = trial(labels, lines, at=AT, resamples=FEW)
    assert found.accuracy.value == pytest.approx(2 / 3)
    assert (found.sure.value, found.sure.n) == (1.0, 1)
    assert (found.n_leaning, found.n_unreadable) == (2, 0)
    assert found.disagreements[0].leaning


def test_cost_and_tokens_as_far_as_they_were_kept():
    labels, lines = graded([("perfect", "correct")] * 3)
    lines[0] |= {"reply": "CORRECT", "prompt_tokens": 100, "completion_tokens": 5, "cost": 0.002}
    lines[1] |= {"reply": "CORRECT", "prompt_tokens": 100, "completion_tokens": 5, "cached": True}
    assert trial(labels, lines, at=AT).spent == {
        "calls": 1, "prompt_tokens": 200, "completion_tokens": 10, "cost": 0.002
    }  # fmt: skip


def test_the_last_judgement_of_one_judge_counts():
    labels, lines = graded([("perfect", "wrong"), ("missing", "missing")])
    again = {**lines[0], "verdict": "correct"}
    other = {**lines[0], "judge": "exact", "verdict": "wrong"}
    stray = {**lines[0], "interaction_id": "elsewhere"}
    found = trial(labels, [*lines, again, other, stray], at=AT, identity=JUDGE, resamples=FEW)
    assert found.accuracy.value == 1.0
    with pytest.raises(BadInput, match="2 judges"):
        trial(labels, [*lines, other], at=AT)
    with pytest.raises(BadInput, match="judged no answer"):
        trial(labels, [stray], at=AT)


def test_answers_not_reached_do_not_count():
    labels, lines = graded([("perfect", "correct"), ("missing", "missing"), ("incorrect", "correct")])
    found = trial(labels, lines[:2], at=AT, resamples=FEW)
    assert (found.n, found.n_not_judged) == (2, 1)


def test_what_is_not_defined_says_why():
    found = tried([("perfect", "correct", 4)])
    assert found.accuracy.value == 1.0
    assert found.accuracy.interval.method == "no_variation"
    assert found.kappa.value is None
    assert "'accurate'" in found.kappa.why
    assert found.buckets["missing"].precision.why == "the judge calls no answer missing"
    assert found.buckets["missing"].recall.why == "people call no answer missing"
    assert found.buckets["missing"].f1.value is None
    unread = tried([("perfect", None, 4)])
    assert unread.sure.why == "the judge is never sure"
    assert (unread.accuracy.value, unread.n_unreadable) == (0.0, 4)


def test_turns_of_one_conversation_widen_the_interval():
    table = [("perfect", "correct", 60), ("incorrect", "correct", 20), ("missing", "missing", 20)]
    alone, together = tried(table), tried(table, per_talk=10)
    assert together.n_conversations == 10
    width = [found.accuracy.interval.high - found.accuracy.interval.low for found in (alone, together)]
    assert width[1] > 1.5 * width[0]
    assert together.kappa.asymptotic is None


# corrected scores


def turns(right: int, wrong: int, missing: int, *, failed: int = 0, unread: int = 0) -> list[JudgedTurn]:
    verdicts = ["correct"] * right + ["wrong"] * wrong + ["missing"] * missing + [None] * unread
    made = [JudgedTurn(f"r{i}", 0, verdict) for i, verdict in enumerate(verdicts)]
    return made + [JudgedTurn(f"f{i}", 0, None, failed=True) for i in range(failed)]


#: Of right answers it calls 9 in 10 right, of wrong ones 2 in 10 right, missing ones it always knows.
HARSH = [
    ("perfect", "correct", 90), ("perfect", "wrong", 10), ("incorrect", "correct", 20), ("incorrect", "wrong", 80),
    ("missing", "missing", 50),
]  # fmt: skip


def test_rogan_and_gladen_by_hand():
    """Without missing answers in the run: (seen − false positives) / (sensitivity − false positives)."""
    found = corrected(tried(HARSH), turns(62, 38, 0))
    share = (0.62 - 0.2) / (0.9 - 0.2)
    assert found.figures["accuracy"].value == pytest.approx(share)
    assert found.figures["hallucination"].value == pytest.approx(1 - share)
    assert found.figures["truthfulness"].value == pytest.approx(2 * share - 1)
    assert found.as_judged["truthfulness"] == pytest.approx(0.24)
    assert found.plain["accuracy"] == pytest.approx(share)


def test_three_classes_by_hand():
    """0.69 = 0.9 × 0.7 + 0.2 × 0.3 of the 80 that are not missing."""
    found = corrected(tried(HARSH), turns(552, 248, 200))
    assert found.figures["accuracy"].value == pytest.approx(0.56)
    assert found.figures["hallucination"].value == pytest.approx(0.24)
    assert found.figures["missing"].value == pytest.approx(0.2)
    for name, figure in found.figures.items():
        assert figure.interval.low < figure.value < figure.interval.high, name
        assert figure.interval.method == "posterior"


def test_failed_turns_are_missing_and_no_error_of_the_judge():
    found = corrected(tried(HARSH), turns(62, 38, 0, failed=100))
    assert found.figures["accuracy"].value == pytest.approx(0.3)
    assert found.figures["missing"].value == pytest.approx(0.5)
    assert found.as_judged["missing"] == pytest.approx(0.5)
    assert found.n_failed == 100
    lost = corrected(tried(HARSH), turns(0, 0, 0, failed=5))
    assert lost.figures["missing"].value == 1.0
    assert lost.figures["accuracy"].value == 0.0


def test_beyond_the_simplex_the_nearest_shares_count():
    """It calls more answers right than it would if all were: all of them are, and the plain inverse says 108 %."""
    found = corrected(tried(HARSH), turns(96, 4, 0))
    assert found.figures["accuracy"].value == pytest.approx(1.0)
    assert found.plain["accuracy"] == pytest.approx((0.96 - 0.2) / 0.7)
    assert found.figures["accuracy"].interval.high <= 1.0
    assert found.figures["hallucination"].interval.low >= 0.0


def test_unreadable_answers_are_a_fourth_thing_to_say():
    """Unreadable are 3 in 10 of the wrong answers and none of the others: 30 of them are 100 wrong ones."""
    table = [
        ("perfect", "correct", 90), ("perfect", "wrong", 10), ("incorrect", "wrong", 70), ("incorrect", None, 30),
        ("missing", "missing", 50),
    ]  # fmt: skip
    found = corrected(tried(table), turns(90, 80, 0, unread=30))
    assert found.n_unreadable == 30
    assert found.figures["hallucination"].value == pytest.approx(0.5)
    assert found.as_judged["missing"] == pytest.approx(0.15)
    assert corrected(tried(HARSH), turns(62, 38, 0, unread=3)).figures["accuracy"].value is not None


def test_no_estimate_without_the_means_for_one():
    none_missing = corrected(tried(HARSH[:4]), turns(5, 5, 5))
    blind = corrected(tried([(grade, "correct", 20) for grade in ("perfect", "incorrect", "missing")]), turns(5, 5, 5))
    empty = corrected(tried(HARSH), [])
    for found, word in ((none_missing, "missing"), (blind, "hardly tells"), (empty, "no turns")):
        assert word in found.why
        assert all(figure.value is None and figure.why == found.why for figure in found.figures.values())
        assert json.loads(json.dumps(found.json()))["plain"] is None


@pytest.mark.slow
@pytest.mark.parametrize("labelled", [150, 500])
def test_a_known_rate_is_found_again(labelled):
    """People would call 50, 30 and 20 % of the run right, wrong and missing, and 30, 50 and 20 % of what is labelled.

    Forty times over: the judge's own shares are off, the corrected ones are not, and their intervals hold the truth.
    """
    rng = np.random.default_rng(20)
    errors = {"perfect": [0.85, 0.13, 0.02], "incorrect": [0.25, 0.70, 0.05], "missing": [0.03, 0.02, 0.95]}
    words, verdicts = list(errors), ("correct", "wrong", "missing")

    def seen(n: int, shares: list[float]) -> list[tuple]:
        grades = [words[code] for code in rng.choice(3, n, p=shares)]
        return [(grade, verdicts[rng.choice(3, p=errors[grade])]) for grade in grades]

    truth = {"accuracy": 0.5, "hallucination": 0.3, "missing": 0.2, "truthfulness": 0.2}
    off, naive, held = [], [], dict.fromkeys(truth, 0)
    for _ in range(40):
        judged = trial(*graded(seen(labelled, [0.3, 0.5, 0.2]), 3), at=AT, resamples=20)
        run = [JudgedTurn(f"r{i // 4}", i % 4, verdict) for i, (_, verdict) in enumerate(seen(800, [0.5, 0.3, 0.2]))]
        found = corrected(judged, run, draws=400)
        off.append([found.figures[name].value - share for name, share in truth.items()])
        naive.append(found.as_judged["hallucination"] - 0.3)
        for name, share in truth.items():
            held[name] += found.figures[name].interval.low <= share <= found.figures[name].interval.high
    assert abs(np.mean(naive)) > 5 * np.std(naive) / 40**0.5
    assert (np.abs(np.mean(off, axis=0)) < 3 * np.std(off, axis=0) / 40**0.5).all()
    assert min(held.values()) >= 35


def test_more_labels_and_more_turns_narrow_the_interval():
    def width(times: int, run: int) -> float:
        held = tried([(grade, verdict, n * times) for grade, verdict, n in HARSH])
        interval = corrected(held, turns(55 * run, 25 * run, 20 * run)).figures["truthfulness"].interval
        return interval.high - interval.low

    assert width(4, 1) < width(1, 1)
    assert width(1, 10) < width(1, 1)
    assert width(1, 100) > 0.5 * width(1, 10), "what is not known of the judge stays"


def test_nearest_shares_as_a_general_solver_finds_them():
    rng = np.random.default_rng(8)
    matrices = np.swapaxes(rng.dirichlet([0.7] * 4, (25, 3)), 1, 2)
    seen = rng.dirichlet([0.7] * 4, 25)
    found = nearest_shares(matrices, seen)
    assert found.sum(axis=1) == pytest.approx(1)
    assert (found >= 0).all()
    for matrix, said, shares in zip(matrices, seen, found, strict=True):
        best = minimize(
            lambda p, m=matrix, q=said: ((m @ p - q) ** 2).sum(), np.full(3, 1 / 3), method="SLSQP",
            bounds=[(0, 1)] * 3, constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, options={"ftol": 1e-14},
        )  # fmt: skip
        assert ((matrix @ shares - said) ** 2).sum() <= best.fun + 1e-9
        assert shares == pytest.approx(best.x, abs=1e-4)
    square = np.swapaxes(rng.dirichlet([0.5] * 3, (5, 3)), 1, 2)
    shares = rng.dirichlet([1.0] * 3, 5)
    told = (square @ shares[:, :, None])[:, :, 0]
    assert plain_inverse(square, told) == pytest.approx(shares, abs=1e-8)
    assert nearest_shares(square, told) == pytest.approx(shares, abs=1e-8)


# the store


def test_trials_are_kept_and_found_by_their_judge(tmp_path):
    store, found = TrialStore(tmp_path), tried()
    path = store.add(found)
    assert path.parent == tmp_path / "annotations" / "trials"
    assert path.name.startswith("llm-2-maker_model-ab12-")
    assert path.name.endswith(f"-{found.digest[:16]}.json")
    later = replace(found, at="2026-12-24T00:00:00+00:00", digest="f" * 64)
    store.add(later)
    store.add(replace(found, identity={"judge": "exact", "judge_version": 1}))
    assert [one.digest for one in store.trials_for(JUDGE)] == [later.digest, found.digest]
    assert store.trials_for({**JUDGE, "interaction_id": "t", "verdict": "wrong"})[1] == found
    assert store.trials_for({**JUDGE, "judge_version": 3}) == []
    assert corrected(store.trials_for(JUDGE)[1], turns(6, 3, 1)) == corrected(found, turns(6, 3, 1))
    assert len(store.all()) == 3


def test_files_of_another_shape_are_passed_over(tmp_path):
    store = TrialStore(tmp_path)
    assert store.all() == []
    path = store.add(tried())
    (path.parent / "a.json").write_text("{")
    (path.parent / "b.json").write_text('{"format_version": 2}')
    (path.parent / "c.json").write_text('{"format_version": 1, "identity": 4}')
    assert len(store.all()) == 1


def test_judges_have_names_that_files_can_have():
    assert judge_name({"judge": "lexical", "judge_version": 5}) == "lexical-5"
    one, two = (judge_name({"judge": "llm", "judge_version": 2, "judge_model": m}) for m in ("a/b", "a:b"))
    assert one != two
    assert "/" not in one + two
    assert len(judge_name({"judge": "llm", "judge_model": "m" * 300})) < 120


def test_a_judge_judges_the_labelled_answers_once(tmp_path):
    labels, _ = graded([("perfect", None), ("incorrect", None)])
    store = TrialStore(tmp_path)
    (first, lines), = store.judge(labels, JudgeChoice("exact"))  # fmt: skip
    assert (first.made, first.kept) == (2, 0)
    (again, kept), = store.judge(labels, JudgeChoice("exact"))  # fmt: skip
    assert (again.made, again.kept) == (0, 2)
    assert kept == lines
    regraded, _ = graded([("missing", None), ("incorrect", None)])
    (changed, _), = store.judge(regraded, JudgeChoice("exact"))  # fmt: skip
    assert regraded.digest != labels.digest
    assert (changed.made, changed.kept) == (0, 2)
    assert trial(labels, lines, at=AT, resamples=FEW).judge_text == "exact (version 1)"


# files of labels


def row(**more) -> dict:
    return {"interaction_id": "i", "query": "q", "ground_truth": "t", "answer": "a", "grade": "perfect", **more}


def read(*rows) -> LabelledSet:
    return labelled_set("set", enumerate(rows))


def test_words_and_their_grades():
    found = read(*[row(interaction_id=w, grade=w.upper()) for w in ("perfect", "acceptable", "missing", "incorrect")])
    assert [item.verdict for item in found.items] == ["correct", "correct", "missing", "wrong"]
    one, two = read(row(grade=None, verdict="correct"), row(interaction_id="j", grade=None, verdict="wrong")).items
    assert (one.verdict, one.grade) == ("correct", None)
    assert (two.verdict, two.grade) == ("wrong", "incorrect")


def test_the_majority_of_several_people():
    def held(*grades):
        rows = [row(annotator=f"p{i}", grade=grade) for i, grade in enumerate(grades)]
        return read(*rows, row(interaction_id="other"))

    first = held("perfect", "perfect", "incorrect").items[0]
    assert (first.verdict, first.grade, first.people) == ("correct", "perfect", 3)
    assert held("perfect", "acceptable").items[0].grade is None
    assert held("perfect", "acceptable").items[0].verdict == "correct"
    tie = held("perfect", "incorrect")
    assert len(tie.items) == 1
    assert tie.left_out == {"no majority among the people who labelled the answer": 1}


def test_a_persons_later_label_counts():
    found = read(row(annotator="p", grade="incorrect"), row(annotator="p", grade="perfect"))
    assert found.items[0].grade == "perfect"
    assert found.items[0].people == 1


def test_answers_of_several_systems_to_one_turn_are_apart():
    found = read(row(answer="one"), row(answer="two", grade="missing"), row(interaction_id="j"))
    assert len({item.id for item in found.items}) == 3
    assert found.items[2].id == "j"


def test_lines_without_a_grade_are_told():
    found = read(row(), row(interaction_id="j", grade=None), row(interaction_id="k", grade="partly"))
    assert found.left_out == {"no grade": 1, "'partly' is no grade": 1}
    assert found.sentences == ["1 left out: no grade", "1 left out: 'partly' is no grade"]


def test_the_digest_is_of_what_was_graded_in_any_order():
    one, two = row(), row(interaction_id="j", grade="missing")
    assert read(one, two).digest == read(two, one).digest
    assert read(one, two).digest != read(one, {**two, "grade": "incorrect"}).digest


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no rows"),
        ('{"grade": "perfect", "query": "q"', "line 1"),
        ('{"grade": "perfect", "query": "q", "ground_truth": "t"}', "no 'answer'"),
        ('{"grade": 7, "query": "q"}', "grade is 7"),
        ("[4]", "row 0"),
        ('{"grade": "fine", "query": "q"}', "'fine' is no grade"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, text, word):
    path = tmp_path / "labels.jsonl"
    path.write_text(text)
    with pytest.raises(BadInput, match=word):
        read_labelled(path)


def test_labels_for_agreement_need_no_texts():
    rows = [
        {"item": "i", "annotator": "p", "grade": "Perfect", "conversation": "c", "labels": {"domain": "food"}},
        {"item": "i", "annotator": 2, "grade": "missing", "conversation": "c"},
        {"item": 0, "annotator": "p", "grade": "odd"},
        {"item": "k", "annotator": "p", "grade": None},
    ]
    found = rated(enumerate(rows))
    assert found.ratings == {"i": {"p": "perfect", "2": "missing"}, "0": {"p": "odd"}}
    assert found.conversations == {"i": "c"}
    assert found.left_out == {"no grade": 1}
    with pytest.raises(BadInput, match="row 0 names no 'item'"):
        rated(enumerate([{"annotator": "p", "grade": "perfect"}]))


# the commands


def write(path: Path, rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def labels(tmp_path) -> Path:
    rows = [
        row(interaction_id=f"i{n}", session_id=f"s{n}", answer=answer, grade=grade, domain="food")
        for n, (answer, grade) in enumerate(
            [("t", "perfect"), ("about t", "acceptable"), ("I don't know", "missing"), ("u", "incorrect")] * 3
        )
    ]
    return write(tmp_path / "labels.jsonl", rows)


def command(*arguments) -> int:
    return main("python -m eval", COMMANDS, [str(argument) for argument in arguments])


def test_the_command_trial(labels, tmp_path, capsys):
    asked = ("trial", "--labels", labels, "--judge", "exact", "--data-dir", tmp_path / "data")
    assert command(*asked, "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)["trials"]
    assert found["accuracy"]["value"] == pytest.approx(0.75)
    assert found["grades"]["acceptable"]["incorrect"] == 3
    (kept,) = TrialStore(tmp_path / "data").trials_for({"judge": "exact", "judge_version": 1})
    assert kept.accuracy.value == pytest.approx(0.75)
    assert command(*asked) == 0
    shown = capsys.readouterr().out
    assert "this judge agreed with people in 75% of 12 answers" in shown
    assert "3 disagreements" in shown


@pytest.mark.slow
def test_the_command_trial_of_two_models(labels, tmp_path, capsys, monkeypatch):
    replies = [{"match": "about t", "reply": "Nearly.\nResult: CORRECT"}, {"match": "", "reply": "Hm."}]
    with scripted_chat.start(script=replies) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        models = ("--judge-model", "one", "--judge-model", "two", "--judge-prices", "1,2", "--json")
        asked = ("trial", "--labels", labels, "--judge", "llm", "--data-dir", tmp_path / "data", *models)
        assert command(*asked) == 0
        found = json.loads(capsys.readouterr().out)["trials"]
        assert command(*asked) == 0
    assert [one["identity"]["judge_model"] for one in found] == ["one", "two"]
    assert found[0]["confusion"]["incorrect"]["unreadable"] == 3
    assert found[0]["confusion"]["accurate"]["accurate"] == 6
    assert found[0]["spent"]["cost"] > 0
    again = json.loads(capsys.readouterr().out)["trials"]
    assert [one["spent"] for one in again] == [one["spent"] for one in found]


def test_the_command_trial_refuses_in_a_sentence(labels, tmp_path, capsys):
    asked = ("--data-dir", tmp_path / "data")
    assert command("trial", "--labels", tmp_path / "none.jsonl", "--judge", "exact", *asked) == 2
    assert "there is no file" in capsys.readouterr().err
    assert command("trial", "--labels", labels, "--judge", "typed", *asked) == 2
    assert "needs a generated world" in capsys.readouterr().err


def test_the_command_trial_corrects_a_run(labels, tmp_path, capsys):
    run = tmp_path / "run"
    run.mkdir()
    write(run / "turns.jsonl", [
        {"interaction_id": f"r{n}", "session_id": f"r{n}", "turn_idx": 0, "is_ego": False, "query": "q",
         "ground_truth": "t", "agent_response": "t", "status": "answered", "trace": 0}
        for n in range(8)
    ])  # fmt: skip
    who = {"judge": "exact", "judge_version": 1}
    (run / "run.json").write_text(json.dumps({"format_version": 1, "options": {}, "judge": "exact"}))
    write(run / "judgements.jsonl", [
        {"interaction_id": f"r{n}", **who, "verdict": "correct" if n < 2 else "wrong"} for n in range(8)
    ])  # fmt: skip
    asked = ("trial", "--labels", labels, "--judge", "exact", "--data-dir", tmp_path / "data", "--run", run)
    assert command(*asked, "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)["corrected"]
    assert found["as_judged"]["accuracy"] == 0.25
    assert found["figures"]["accuracy"]["value"] == pytest.approx(0.5)
    assert command(*asked) == 0
    assert "8 turns of the run, corrected by 12 labelled answers" in capsys.readouterr().out
    who["judge_version"] = 0
    write(run / "judgements.jsonl", [{"interaction_id": f"r{n}", **who, "verdict": "wrong"} for n in range(8)])
    assert command(*asked) == 2
    assert "exact (version 0), which is not on trial here" in capsys.readouterr().err


def test_the_command_agreement(tmp_path, capsys):
    rows = [
        {"item": f"i{n}", "annotator": name, "grade": grade, "domain": "food"}
        for n in range(12)
        for name, grade in (("ann", "perfect" if n % 2 else "missing"), ("bob", "perfect" if n % 3 else "missing"))
    ]
    path = write(tmp_path / "labels.jsonl", rows)
    assert command("agreement", "--labels", path, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["n_items"] == 12
    assert found["raw"]["value"] == pytest.approx(0.5)
    assert command("agreement", "--labels", path) == 0
    shown = capsys.readouterr().out
    assert "24 labels of 2 people on 12 items" in shown
    assert "Krippendorff's alpha, ordinal" in shown
