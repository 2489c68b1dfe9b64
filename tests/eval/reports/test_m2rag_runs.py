"""Runs over M2RAG, where nobody wrote a ground truth: figures by hand, compared, reported, listed."""

from __future__ import annotations

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.m2rag import M2RAG
from eval.commands.ablate import WHOLE, ablation
from eval.commands.compare import table
from eval.reports.board import board
from eval.reports.compare import compare
from eval.reports.headline import all_figures, headline
from eval.reports.loaded_run import load_run
from eval.reports.report import html_report
from eval.reports.summary import run_summary
from eval.scoring import judge_and_score, score_by
from eval.ui.html.compare import render_comparison
from eval.ui.html.overview import render_board
from tests.eval.benchmarks.test_m2rag import FIRST, LAST, run_over
from tests.eval.data.m2rag.made import row, write_rows

JUDGE = {"judge": "m2rag", "judge_version": 1, "judge_model": "m", "judge_prompt": "p"}
#: Two of the pictures handed over are scored 8 or more: FIRST and LAST.
ANSWERS = {"1": f"Fold it. ![a]({FIRST})", "2": "Fold it.", "3": f"Fold. ![a]({FIRST}) Throw. ![b]({LAST})"}
#: Fluency, relevance, context precision, faithfulness; then coherence, helpfulness, reference of each picture.
SCORED = {
    "1": ((0.8, 0.9, 1.0, 0.5), [(0.7, 0.6, 0.5)]),
    "2": ((0.6, 0.7, 0.5, 1.0), []),
    "3": ((0.4, 0.5, 0.0, None), [(0.9, 0.8, 1.0), (0.2, 0.4, 0.3)]),
}
TEXTS = ("fluency", "relevance", "context_precision", "faithfulness")
PICTURES = ("image_coherence", "image_helpfulness", "image_reference")


def made(tmp_path, name, changed=None, answers=ANSWERS, scored=SCORED):
    """A run with the scores of a judge; `changed` is the fluency of the second answer."""
    data = tmp_path / "data"
    if not data.is_dir():
        data.mkdir()
        write_rows(data, row(1, topic="Crafts"), row(2, topic="Crafts"), row(3, topic="Air"))
    with run_over(data / "dev_set.jsonl", answers, tmp_path / name) as folder:
        for key, (texts, pictures) in scored.items():
            scores = dict(zip(TEXTS, texts, strict=True))
            if changed is not None and key == "2":
                scores["fluency"] = changed
            scores["pictures"] = [dict(zip(PICTURES, one, strict=True)) for one in pictures]
            folder.add_judgement({"interaction_id": key, **JUDGE, "verdict": None, "scores": scores})
        folder.write_info(state="finished", judge="m2rag")
        scores = score_by(folder, JUDGE)
    return tmp_path / name, scores


def test_every_figure_by_hand_in_both_readings(tmp_path):
    _, scores = made(tmp_path, "run")
    own = scores["m2rag"]
    wanted = {
        "fluency": (0.8 + 0.6 + 0.4) / 3, "relevance": (0.9 + 0.7 + 0.5) / 3, "context_precision": (1 + 0.5 + 0) / 3,
        "faithfulness": (0.5 + 1) / 2, "image_coherence": (0.7 + 0.9 + 0.2) / 3,
        "image_helpfulness": (0.6 + 0.8 + 0.4) / 3, "image_reference": (0.5 + 1 + 0.3) / 3,
        "image_recall": (1 / 2 + 0 + 2 / 2) / 3,
        "overall": (0.6 + 0.7 + 0.5 + 0.75 + 0.6 + 0.6 + 0.6 + 0.5) / 8,
        "without_recall": (0.6 + 0.7 + 0.5 + 0.75 + 0.6 + 0.6 + 0.6) / 7,
    }  # fmt: skip
    assert {name: own[name] for name in wanted} == pytest.approx(wanted)
    assert own["overall"] == pytest.approx(0.60625)
    # by answer: 0.7, 0 and (0.9 + 0.2) / 2; 0.6, 0, 0.6; 0.5, 0, 0.65
    assert own["script"]["image_coherence"] == pytest.approx(1.25 / 3)
    assert own["script"]["image_helpfulness"] == pytest.approx(1.2 / 3)
    assert own["script"]["image_reference"] == pytest.approx(1.15 / 3)
    assert own["script"]["overall"] == pytest.approx(0.53125)
    assert own["by_topic"]["Crafts"]["overall"] == pytest.approx((0.7 + 0.8 + 0.75 + 0.75 + 0.7 + 0.6 + 0.5 + 0.25) / 8)
    assert run_summary(scores, 0, tmp_path, {"benchmark": "m2rag"}).startswith("Overall: 0.606 [")


def test_two_runs_are_compared_by_their_own_figures(tmp_path):
    a, _ = made(tmp_path, "a")
    b, _ = made(tmp_path, "b", changed=0.9)
    found = compare(load_run(a), load_run(b))
    own = found["figures"]["m2rag"]
    assert own["fluency"]["difference"] == pytest.approx(0.1)
    assert (own["overall"]["a"], own["overall"]["b"]) == pytest.approx((0.60625, 0.61875))
    # the second question is drawn 0 to 3 times of three: the fluency gains 0 to 0.3; of three times
    # there is no overall, for want of a picture, so it gains at most 0.2 / 8
    ends = own["fluency"]["interval"]
    assert (ends["low"], ends["high"]) == pytest.approx((0.0, 0.3))
    assert own["overall"]["interval"]["high"] == pytest.approx(0.2 / 8)
    assert own["script.overall"]["difference"] == pytest.approx(0.0125)
    assert own["image_recall"]["difference"] == 0
    assert found["headline"] == {
        "name": "Overall", "reading": "m2rag", "figure": "overall",
        "explanation": "The mean of the eight metrics; those of pictures over all pictures.",
    }  # fmt: skip
    assert found["tied"] is True
    assert found["mcnemar"] is None
    assert "Fluency" in table(found)
    assert "McNemar" not in table(found)
    page = render_comparison(found)
    assert "Tied: the difference in Overall" in page
    assert "Context precision" in page
    assert "<caption>The figures of M2RAG.</caption>" in page
    assert "verdict changed" not in page


def test_an_ablation_over_them_is_refused(tmp_path):
    for name in (WHOLE, "check"):
        made(tmp_path, name)
    with pytest.raises(BadInput, match="no turn of these runs has a ground truth"):
        ablation(tmp_path, ["check"])


def test_runs_without_a_figure_in_common_are_refused(tmp_path):
    a, b = (made(tmp_path, name, scored={}, answers=dict.fromkeys("123", "x"))[0] for name in ("a", "b"))
    loaded = [load_run(path) for path in (a, b)]
    assert compare(*loaded)["headline"]["figure"] == "image_recall"  # needs no judge
    for path in (a, b):
        (path / "traces.jsonl").write_text("")
    with pytest.raises(BadInput, match="no figure of M2RAG is known of both"):
        compare(*loaded)


def test_a_report_tells_its_own_figures_and_no_truthfulness(tmp_path):
    path, scores = made(tmp_path, "run")
    page = html_report(load_run(path))
    for words in ("Overall", "Image reference", "By topic", "Crafts", "Overall, by answer"):
        assert words in page
    assert "public evaluator)" not in page
    assert "<th>Reading</th>" not in page
    assert "bootstrap over conversations" in page
    assert "Wilson" not in page  # of no figure on this page
    names = [figure.name for figure in all_figures(scores, {"benchmark": "m2rag"})]
    assert not [name for name in names if "truthfulness" in name or "public" in name]
    # over CRAG-MM's own rows the evaluator's reading stays: it knows no empty ground truths
    assert "truthfulness (public evaluator)" in [figure.name for figure in all_figures(scores, {})]


def test_a_run_that_no_judge_had_to_look_at_is_reported_and_listed(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    with run_over(write_rows(data, row(1)), {"1": ANSWERS["1"]}, tmp_path / "run") as folder:
        judge_and_score(folder, "exact", None)
        folder.write_info(state="finished", judge="exact")
    loaded = load_run(tmp_path / "run")
    assert "Image recall" in html_report(loaded)
    assert "By topic" not in html_report(loaded)  # its only row names none
    own, *_ = board(M2RAG, [(loaded.name, loaded.info, loaded.scores)]).rows
    assert (own.where, own.n) == ("run", 1)
    # the interval of another figure is none of this one
    assert M2RAG.headline.key not in own.figures
    assert M2RAG.headline.key not in own.intervals


def test_an_imported_run_is_told_from_one_that_was_measured_here():
    info = {"benchmark": "m2rag", "options": {"agent": "imported"}, "imported": {"file": "theirs.csv"}}
    found = board(M2RAG, [("run", info, {"n": 3, "m2rag": {"overall": 0.5}})])
    assert (found.rows[0].system, found.rows[0].imported) == ("theirs.csv", True)
    drawn = render_board(M2RAG, found)
    assert '<span class="b-pub">imported</span><bdi' in drawn
    assert drawn.count("measured here") == 1  # in the key above the table alone


def test_what_stands_in_for_the_headline_is_chosen_and_not_the_first_that_is_there():
    info = {"benchmark": "m2rag"}

    def first(**figures):
        return headline({"m2rag": {"fluency": 0.9, **figures}}, info).key

    assert first(overall=0.5, without_recall=0.4) == "m2rag.overall"
    assert first(overall=None, without_recall=0.4) == "m2rag.without_recall"  # pages of one's own
    assert first(script={"overall": 0.3}, image_recall=0.0) == "m2rag.script.overall"  # no picture in any answer
    assert first(image_recall=0.25) == "m2rag.image_recall"
    found = headline({"m2rag": {"fluency": 0.9}}, info)
    assert (found.key, found.value) == ("m2rag.overall", None)
    two = {"m2rag": {"overall": 0.5}, "averaged": {"m2rag": {"overall": 0.4}}}
    assert {"mean of two judges": 0.4}.items() <= {one.name: one.value for one in all_figures(two, info)}.items()


def test_verdicts_on_another_benchmark_s_questions_still_have_a_headline():
    scores = {"paper": {"truthfulness": 0.25}, "deflection": {"realistic": {"accuracy": None}}}
    assert headline(scores, {"benchmark": "deflection"}).key == "paper.truthfulness"
    assert headline({"deflection": {}}, {"benchmark": "deflection"}).key == "deflection.realistic.accuracy"
