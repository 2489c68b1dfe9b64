"""CRAG as a benchmark: what a turn is handed within a window, its scores by hand, its published rows."""

from __future__ import annotations

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.base import interval_at
from eval.benchmarks.crag import CRAG
from eval.benchmarks.crag_scores import crag_differences, crag_own_scores
from eval.benchmarks.crag_window import WINDOWS, Window, evidence_for, window_of
from eval.data.pieces import Piece
from eval.data.samples import SampleTurn
from eval.metrics.traffic import Weights


def words(text):
    return len(text.split())


def turn(*pieces):
    return SampleTurn("t", 0, "q", "a", pieces=lambda: pieces)


def piece(id_, text, source="u", title=""):
    return Piece(id_, "page", "passage", source, text, title)


PIECES = (
    piece("snippet-0", "one two three", title="First"),  # four words with its title
    piece("page-0.0", "page of the first"),
    piece("snippet-1", "four five six seven"),
    piece("snippet-2", "one two three", title="First"),  # the first one again
    piece("page-1.0", "page of the second"),
)


@pytest.mark.parametrize(
    ("window", "texts"),
    [
        (Window(100, 1), ["one two three", "four five six seven"]),
        (Window(8, 1), ["one two three", "four five six seven"]),
        (Window(7, 1), ["one two three", "four five six"]),
        (Window(4, 1), ["one two three"]),
        (Window(2, 1), ["one"]),
        (Window(1, 1), []),
        (Window(0, 1), []),
        (Window(14, 1, pages=True), ["one two three", "four five six seven", "page of the first", "page of"]),
    ],
)
def test_a_window_is_filled_in_order(window, texts):
    found = evidence_for(turn(*PIECES), window, words)
    assert [one.text for one in found] == texts
    assert [one.id for one in found] == [f"web:{n}" for n in range(len(texts))]


def test_tokens_are_counted_as_elsewhere():
    long = [piece(f"snippet-{n}", f"{n} " + "the quick brown fox jumps over the lazy dog. " * 60) for n in range(20)]
    shown = {name: sum(words(one.text) for one in evidence_for(turn(*long), WINDOWS[name])) for name in ("2k", "4k")}
    # Ten tokens a sentence of nine words, its full stop among them, and one for each number.
    assert 1750 < shown["2k"] <= 1802
    assert 3500 < shown["4k"] <= 3604


def test_a_turn_without_pages_is_handed_nothing():
    assert evidence_for(SampleTurn("t", 0, "q", "a")) == ()
    assert CRAG.evidence is not None
    assert [one.text for one in CRAG.evidence(turn(*PIECES), None)] == ["one two three", "four five six seven"]


def test_windows_by_name():
    assert (window_of("2k"), window_of("4k")) == (Window(2000, 1000), Window(4000, 2000))
    with pytest.raises(BadInput, match="no window '8k': choose one of 2k, 4k"):
        window_of("8k")
    with pytest.raises(BadInput, match="is none"):
        Window(-1, 5)


def line(n, domain, type_, status="answered", truth="x"):
    return {
        "interaction_id": f"t{n}", "session_id": f"t{n}", "turn_idx": 0, "domain": domain, "query_category": type_,
        "ground_truth": truth, "status": status, "agent_response": "x",
    }  # fmt: skip


LINES = [
    line(0, "finance", "simple"), line(1, "finance", "simple"), line(2, "finance", "set"),
    line(3, "finance", "set", "error"), line(4, "movie", "simple"), line(5, None, None, truth=""),
]  # fmt: skip
JUDGED = {
    "t0": {"verdict": "correct", "grade": "perfect"},
    "t1": {"verdict": "wrong", "grade": "incorrect"},
    "t2": {"verdict": "correct", "grade": "acceptable"},
    "t3": {"verdict": "correct"},  # of a turn that failed: not looked at
    "t4": {"verdict": None, "leaning": "correct"},
}


def plain(figures):
    return {name: value for name, value in figures.items() if name != "intervals"}


def test_scores_by_hand():
    found = crag_own_scores(LINES, JUDGED)
    # Right, wrong, right, failed (missing), right as the judge leans; the turn without a truth counts nowhere.
    assert plain(found["all"]) == {
        "n": 5, "n_unjudged": 0, "accuracy": 3 / 5, "incorrect": 1 / 5, "missing": 1 / 5, "truthfulness": 2 / 5,
    }  # fmt: skip
    # finance: 2 of 4 right, 1 wrong, 1 missing: 1/4; movie: 1. Their mean: 5/8.
    assert plain(found["macro"]) == {
        "n_domains": 2, "accuracy": (1 / 2 + 1) / 2, "incorrect": 1 / 8, "missing": 1 / 8, "truthfulness": 5 / 8,
    }  # fmt: skip
    # finance: simple (1 - 1) / 2 = 0, set (1 + 0) / 2 = 1/2, alike: 1/4; movie: 1.
    assert found["weighted"]["truthfulness"] == pytest.approx(5 / 8)
    assert found["domains"]["finance"]["n"] == 4
    assert found["weights"] == {"file": "", "types": {}, "left_out": []}
    assert not [figure.key for figure in CRAG.figures if figure.of({"crag": found}) is None]


def test_weights_by_hand():
    found = crag_own_scores(LINES, JUDGED, Weights({"simple": 3}, file="w.json"))
    # finance: simple alone, 0; movie: 1.
    assert found["weighted"]["truthfulness"] == pytest.approx(1 / 2)
    assert found["macro"]["truthfulness"] == 5 / 8
    assert found["weights"] == {"file": "w.json", "types": {"simple": 3.0}, "left_out": ["set"]}


def test_what_people_graded():
    found = crag_own_scores(LINES, {**JUDGED, "t4": {"verdict": "missing", "grade": "missing"}})
    # perfect 1, incorrect -1, acceptable 1/2, missing 0: 1/2 over four.
    assert (found["n"], found["score"], found["perfect"], found["acceptable"]) == (4, 1 / 8, 1 / 4, 1 / 4)
    # finance (1 - 1 + 1/2) / 3 = 1/6, movie 0: 1/12.
    assert found["graded"]["macro"]["score"] == pytest.approx(1 / 12)
    # finance: simple 0, set 1/2: 1/4; movie 0: 1/8.
    assert found["graded"]["weighted"]["score"] == pytest.approx(1 / 8)
    ungraded = crag_own_scores(LINES, {key: {"verdict": one["verdict"]} for key, one in JUDGED.items()})
    assert not {"score", "graded"} & ungraded.keys()
    assert ungraded["all"]["n_unjudged"] == 1


def test_every_figure_has_its_interval():
    lines = [line(n, "finance" if n % 3 else "movie", "simple") for n in range(60)]
    said = {f"t{n}": {"verdict": ("correct", "wrong", "missing")[n % 5 % 3], "grade": "perfect"} for n in range(60)}
    found = crag_own_scores(lines, said)
    for figure in CRAG.figures:
        value, ends = figure.of({"crag": found}), interval_at({"crag": found}, figure.key)
        if figure.key.split(".")[1] in ("macro", "weighted", "graded"):
            assert ends["low"] <= value <= ends["high"], figure.key
    # 24 of 60 right: 0.4 ± 1.96 sqrt(0.4 * 0.6 / 60) = 0.28 to 0.52
    ends = found["all"]["intervals"]["accuracy"]
    assert (ends["low"], ends["high"]) == pytest.approx((0.28, 0.52), abs=0.03)


def test_two_runs_are_compared_by_domain():
    other = {**JUDGED, "t4": {"verdict": "wrong"}}  # movie's only answer: macro truthfulness 5/8 -> (1/4 - 1) / 2
    sides = [[(one, judged.get(one["interaction_id"]) or {}) for one in LINES] for judged in (JUDGED, other)]
    found = crag_differences(*sides)
    assert (found["macro.truthfulness"].a, found["macro.truthfulness"].b) == pytest.approx((5 / 8, -3 / 8))
    assert found["macro.truthfulness"].interval.low < -0.9  # where movie is drawn
    assert found["macro.truthfulness"].interval.high == pytest.approx(0.0)  # where it is not, nothing differs
    assert "weighted.accuracy" in found
    assert not [key for key in crag_differences(*sides, None) if "weighted" in key]


def test_no_turns():
    found = crag_own_scores([], {})
    assert (found["all"]["n"], found["macro"], found["weighted"]) == (0, {"n_domains": 0}, {})


def test_published_rows():
    rows = CRAG.published()
    assert len(rows) == 42
    first = rows[0]
    assert (first.system, first.part, first.judge) == ("Llama 2 7B Chat", "LLM only", "two models averaged")
    assert first.figures["crag.macro.truthfulness"] == pytest.approx(-0.636)
    keys = {figure.key for figure in CRAG.figures}
    assert {key for row in rows for key in row.figures} <= keys
    industry = {(row.part, row.system): row.figures for row in rows if row.where.endswith("Table 6")}
    copilot = industry["industry, traffic weights", "Copilot Pro"]
    assert copilot["crag.graded.weighted.score"] == pytest.approx(0.605)
    assert copilot["crag.graded.weighted.perfect"] == pytest.approx(0.7)
    assert industry["industry, equal weights", "Copilot Pro"]["crag.graded.macro.score"] == pytest.approx(0.506)
