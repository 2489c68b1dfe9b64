"""The tally of a duel, and what its board shows."""

from __future__ import annotations

import pytest

from assistant.core.types import Answer, Candidate
from assistant.ui.html.comparison import RIVALS, render_board, render_desk, render_picture
from assistant.ui.state.tally import Round, Score, Side, Sum, Tally
from assistant.ui.state.turn_view import TurnView
from tests.e2e.scripted import HOSTILE

SAID, SILENT = Answer("It is red.", "answered"), Answer("I don't know.", "abstained", "too dark")


def a_round(level: int, first: Score | None, second: Score | None, question: str = "What?") -> Round:
    return Round("p", question, level, (Side(SAID, first, "gold"), Side(SAID, second, "gold")))


def a_tally(*rounds: Round) -> Tally:
    tally = Tally()
    for one in rounds:
        tally = tally.with_round(one)
    return tally


def test_sums_are_right_minus_wrong_over_all():
    tally = a_tally(a_round(0, 1, 1), a_round(50, 1, -1), a_round(100, 0, -1))
    assert tally.sums() == (Sum(2, 1, 0), Sum(1, 0, 2))
    first, second = tally.sums()
    assert (first.total, second.total) == (2, -1)
    assert first.truthfulness == pytest.approx(2 / 3)
    assert second.truthfulness == pytest.approx(-1 / 3)
    assert Sum().truthfulness is None


def test_the_same_question_at_the_same_light_counts_once():
    tally = a_tally(a_round(50, 1, 1), a_round(50, -1, 0, question=" what? "), a_round(60, 1, 1))
    assert len(tally.rounds) == 2
    assert tally.by_level() == {50: (Sum(0, 0, 1), Sum(0, 1, 0)), 60: (Sum(1, 0, 0), Sum(1, 0, 0))}


def test_only_questions_that_both_have_a_score_for_are_compared():
    tally = a_tally(a_round(0, 1, None), a_round(10, None, None), a_round(20, 1, -1))
    assert (tally.sums(), tally.open) == ((Sum(1, 0, 0), Sum(0, 0, 1)), 2)
    assert list(tally.by_level()) == [20]


def test_a_presenters_score_takes_the_place_of_none():
    one = Round("p", "?", 0, (Side(SAID), Side(SILENT, 0, "rule"))).scored(0, -1)
    assert (one.sides[0].score, one.sides[0].by, one.sides[1].score) == (-1, "presenter", 0)
    assert one.scored(1, 1).sides[1].score == 1


def test_the_board_shows_scores_buttons_tally_and_chart():
    open_round = Round("p", "?", 0, (Side(SAID), Side(SILENT, 0, "rule")))
    html = render_board("check", None, open_round, a_tally(open_round))
    assert html.count("data-score=") == 3  # silence needs no click
    assert "1 of 1 wait for a score" in html
    assert "<svg" not in html
    done = open_round.scored(0, 1)
    html = render_board("check", None, done, a_tally(done, a_round(50, 1, -1)))
    assert "<svg" in html
    assert "+100 %" in html
    assert "−50 %" in html
    assert html.count("<polyline") == 2
    by_gold = render_board("check", None, a_round(0, 1, -1), Tally())
    assert "data-score=" not in by_gold
    assert "by the world’s gold" in by_gold


@pytest.mark.parametrize("rivals", RIVALS)
def test_each_pair_of_settings_differs_in_one_thing_and_is_drawn(rivals: str):
    first, second = RIVALS[rivals].conditions
    assert first != second
    assert RIVALS[rivals].names[1] in render_board(rivals, None, None, Tally())
    assert f'<option value="{rivals}" selected' in render_desk(rivals=rivals)


def test_hostile_text_is_inert():
    answer = Answer(HOSTILE, "answered", "", (), Candidate(HOSTILE, 0.5, (), {}, 0, ""))
    done = Round("p", HOSTILE, 0, (Side(answer), Side(Answer("", "error", HOSTILE))))
    live = (TurnView(0, HOSTILE, waiting=HOSTILE), TurnView(0, HOSTILE))
    html = render_board("check", None, done, a_tally(done)) + render_board("check", live, None, Tally())
    html += render_desk((HOSTILE,), HOSTILE) + render_picture("", 0)
    for bad in ("<script", "<img", "onerror=", "{{"):
        assert bad not in html.replace("onerror=&quot;", "")
