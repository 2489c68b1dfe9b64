"""The eight metrics of M2RAG, every figure computed by hand."""

from __future__ import annotations

import pytest

from eval.metrics.m2rag import METRICS, context_precision, faithfulness, m2rag_scores, score_in
from eval.metrics.m2rag_answers import Placed, context, take_apart


def words(text):
    """Tokens of one word."""
    found, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        found.append((start, at))
    return found


# answers


def test_pictures_are_paired_with_what_was_handed_and_text_stays():
    answer = "Fold it.\n![the sheet](u/a.png)\nTurn it.\n![](u/b%20c.png) Done.\n![again](u/a.png) ![odd](else.png)"
    parts = take_apart(answer, ["u/z.png", "u/a.png", "u/b c.png"])
    assert [(placed.picture, placed.caption) for placed in parts.placed] == [(1, "the sheet"), (2, "")]
    assert (parts.repeated, parts.unknown) == (1, 1)
    assert parts.text == "Fold it.\n\nTurn it.\n Done.\n "
    assert (parts.placed[0].before, parts.placed[0].after) == ("Fold it.\n", "\nTurn it.\n Done.\n ")
    assert parts.placed[1].before == "Fold it.\n\nTurn it.\n"


def test_an_answer_without_pictures_is_its_text():
    parts = take_apart("No [link](u/a.png) is a picture!", ["u/a.png"])
    assert (parts.text, parts.placed) == ("No [link](u/a.png) is a picture!", ())
    assert take_apart("", []).text == ""


def test_words_around_a_picture_are_cut_on_the_far_side():
    placed = Placed(0, "", "a b c d ", " e f g h")
    assert context(placed, words, 2) == ("c d ", " e f")
    assert context(placed, words, 4) == ("a b c d ", " e f g h")
    assert context(placed, words, 256) == ("a b c d ", " e f g h")


# scores of one reply and of verdicts


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("Fine, with 2 slips.\n7", 0.7),
        ("10", 1.0),
        ("Score: 42", 1.0),  # clamped
        ("8/10", 1.0),  # the last integer, whatever was meant
        ("Score: 7.5", 0.5),  # the same
        ("-3", 0.3),
        ("0", 0.0),
        ("9" * 6000, 1.0),
        ("very good", None),
        ("", None),
    ],
)
def test_a_score_is_the_last_integer_of_a_reply(reply, score):
    assert score_in(reply) == score


def test_context_precision_is_the_average_precision_of_the_contexts():
    assert context_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert context_precision([False, True]) == 0.5
    assert context_precision([True, True]) == 1
    assert context_precision([False, False]) == context_precision([]) == 0


def test_faithfulness_is_the_share_of_supported_statements():
    assert faithfulness([True, True, False, True]) == 0.75
    assert faithfulness([False]) == 0
    assert faithfulness([]) is None


def test_recall_of_a_turn_that_was_handed_nothing_is_whole_where_data_score_their_pictures():
    """As in the repository, where a question without any picture to use has a recall of 1."""
    handed, bare = line("a", "One.", [TEXT, piece(0, 0.9)]), line("b", "Two.", [])
    assert m2rag_scores([handed, bare], {})["image_recall"] == pytest.approx((0 + 1) / 2)
    assert m2rag_scores([bare], {})["image_recall"] is None  # data that score nothing say nothing of recall
    assert m2rag_scores([handed, line("b", "Two.", None)], {})["image_recall"] == 0  # its trace is gone


# a run


def piece(n, score):
    return {"id": f"p{n}", "kind": "picture", "source": f"u{n}", "score": score}


def line(key, answer, handed, **changes):
    return {
        "interaction_id": key, "status": "answered", "agent_response": answer, "handed": handed, "domain": "Sports",
        **changes,
    }  # fmt: skip


def scored(fluency, relevance, precision, faith, *pictures):
    shown = [
        {"image_coherence": c, "image_helpfulness": h, "image_reference": r, "source": "u"} for c, h, r in pictures
    ]
    texts = {"fluency": fluency, "relevance": relevance, "context_precision": precision, "faithfulness": faith}
    return {"scores": {**texts, "pictures": shown}}


TEXT = {"id": "t", "kind": "passage", "source": "page", "score": 0.6}
LINES = [
    line("a", "One ![x](u0) two ![y](u1).", [TEXT, piece(0, 0.9), piece(1, 0.4), piece(2, 0.8)]),
    line("b", "No picture.", [TEXT, piece(0, 0.5)], domain="Health"),
    line("c", "![x](u0) ![z](u9)", [TEXT, piece(0, 0.9)]),
    line("d", "", [TEXT, piece(0, 0.9)], status="timeout"),
]
JUDGED = {
    "a": scored(0.8, 0.6, 5 / 6, 0.75, (0.7, 0.5, 0.3), (0.9, 0.7, 0.5)),
    "b": scored(0.6, 0.8, 0.5, None),
    "c": scored(1.0, 1.0, 1.0, 1.0, (0.4, 0.2, 0.6)),
}


def test_every_figure_is_as_computed_by_hand():
    found = m2rag_scores(LINES, JUDGED)
    expected = {
        "fluency": 0.8,  # (0.8 + 0.6 + 1) / 3
        "relevance": 0.8,
        "context_precision": (5 / 6 + 0.5 + 1) / 3,
        "faithfulness": 0.875,  # of two: the second answer states nothing
        "image_coherence": 2 / 3,  # (0.7 + 0.9 + 0.4) / 3 pictures
        "image_helpfulness": 1.4 / 3,
        "image_reference": 1.4 / 3,
        "image_recall": 2.5 / 3,  # u0 of u0 and u2; none to be used; u0 of u0
    }
    assert {name: found[name] for name in METRICS} == pytest.approx(expected)
    assert found["overall"] == pytest.approx(0.7107638889)
    # the script: an answer's pictures first, 0 for the answer without
    assert found["script"]["image_coherence"] == pytest.approx((0.8 + 0 + 0.4) / 3)
    assert found["script"]["image_helpfulness"] == pytest.approx((0.6 + 0 + 0.2) / 3)
    assert found["script"]["image_reference"] == pytest.approx((0.4 + 0 + 0.6) / 3)
    assert found["script"]["overall"] == pytest.approx(0.6357638889)
    assert (found["n"], found["n_failed"], found["n_scored"]) == (4, 1, 3)
    assert (found["n_unread"], found["n_without_statements"]) == (0, 1)
    assert found["pictures"] == {
        "handed": 5, "placed": 3, "per_answer": 1.0, "answers_without": 1, "repeated": 0, "unknown": 1,
    }  # fmt: skip


def test_topics_stand_apart():
    topics = m2rag_scores(LINES, JUDGED)["by_topic"]
    assert topics["Sports"]["fluency"] == pytest.approx(0.9)
    assert topics["Sports"]["n_answers"] == 2
    assert topics["Health"]["image_coherence"] is topics["Health"]["overall"] is None
    assert topics["Health"]["script"]["image_coherence"] == 0
    # 0.6, 0.8 and 0.5, no faithfulness
    assert topics["Health"]["script"]["overall"] is None


def test_what_needs_no_judge_is_there_without_one():
    found = m2rag_scores(LINES, {"a": {"verdict": "wrong"}})
    assert found["image_recall"] == pytest.approx(2.5 / 3)
    assert found["pictures"]["placed"] == 3
    assert found["fluency"] is found["overall"] is found["image_coherence"] is None
    assert found["script"]["image_coherence"] is None  # nobody judged: not 0
    assert found["n_scored"] == 0


def test_recall_is_not_known_of_data_that_score_nothing():
    unscored = [line("a", "![x](u0)", [{**TEXT, "score": 0.0}, piece(0, 0.0)])]
    assert m2rag_scores(unscored, {})["image_recall"] is None
    assert m2rag_scores([line("a", "x", [])], {})["image_recall"] is None
    assert m2rag_scores([line("a", "x", [TEXT])], {})["image_recall"] == 1.0


def test_a_long_answer_counts_as_it_was_written():
    cut = line("a", "One", [TEXT, piece(0, 0.9)], agent_response_uncut="One ![x](u0)")
    assert m2rag_scores([cut], {})["pictures"]["placed"] == 1


def test_intervals_hold_their_figures_and_name_their_method():
    found = m2rag_scores(LINES, JUDGED)
    for reading in (found, found["script"]):
        for name, ends in reading["intervals"].items():
            assert 0 <= ends["low"] <= reading.get(name, found.get(name)) <= ends["high"] <= 1
    assert found["intervals"]["fluency"]["method"] == "bootstrap"
    same = m2rag_scores([line(k, "x", [TEXT]) for k in "ab"], dict.fromkeys("ab", scored(0.5, 0.5, 0.5, 0.5)))
    assert same["intervals"]["fluency"]["method"] == "no_variation"
    # two questions: 1 - 0.025 ** (1 / 2) = 0.8419 of them may differ
    assert same["intervals"]["fluency"]["low"] == pytest.approx(0.5 - 0.8418861 * 0.5)


def test_nothing_and_odd_judgements_break_nothing():
    assert m2rag_scores([], {})["overall"] is None
    odd = {"scores": {"fluency": "good", "relevance": 3, "pictures": [{}, "x", {"image_coherence": True}]}}
    found = m2rag_scores([line("a", "x", "odd")], {"a": odd})
    assert found["fluency"] is found["relevance"] is found["image_coherence"] is None
    assert m2rag_scores([line("a", "x", [])], {"a": {"scores": 3}})["n_scored"] == 0
