"""Every oracle to the letter; readings, intervals, bounds, grades and attribution against cases worked out by hand."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from eval.data.gold import GoldTurn
from eval.metrics.attribution import Steps, attribution, failure_of, steps_of
from eval.metrics.bounds import points_bounds, reading_bounds
from eval.metrics.intervals import (
    Ratio,
    bootstrap,
    clustered_interval,
    no_variation,
    ratio_intervals,
    ratio_variance,
    wilson,
)
from eval.metrics.public import Conversations, crag_scores, reading_figures, stopped
from eval.metrics.run_scores import run_scores
from eval.reports import public_format
from eval.scoring import grades_of, score_turns

ORACLES = Path(__file__).parents[2] / "data" / "oracle"


@pytest.mark.parametrize("name", sorted(p.name for p in ORACLES.iterdir() if p.is_dir()))
def test_every_oracle_in_every_figure_and_every_flag(name, tmp_path):
    folder = ORACLES / name
    turns = public_format.read_turns(folder / "turns.jsonl")
    rows = public_format.evaluate(turns, public_format.read_verdicts(folder / "verdicts.json", turns))
    found, expected = public_format.write_results(tmp_path, rows), json.loads((folder / "scores.json").read_text())
    assert list(found["all"]) == list(expected["all"])
    for part, key in itertools.product(("all", "ego"), expected["all"]):
        one, other = found[part][key], expected[part][key]
        assert one == other or (math.isnan(one) and math.isnan(other)), (part, key)
    written = (tmp_path / "turn_evaluation_results_all.csv").read_bytes()
    assert written == (folder / "turn_results.csv").read_bytes()
    if (folder / "turn_results_ego.csv").exists():
        ego = (tmp_path / "turn_evaluation_results_ego.csv").read_bytes()
        assert ego == (folder / "turn_results_ego.csv").read_bytes()


def turn(key, index, answer="x", status="answered", session=None, **more):
    session = session or key
    return {
        "session_id": session, "interaction_id": f"{key}-{index}", "turn_idx": index, "is_ego": True, "domain": "book",
        "query_category": None, "dynamism": None, "image_quality": None, "query": "q", "ground_truth": "seven",
        "agent_response": answer, "set": "multi", "status": status, "ms": 10.0, **more,
    }  # fmt: skip


def test_a_question_asked_under_several_scenarios_is_one_conversation():
    """Thirty questions under one scenario, and the same under four with the same verdicts: as sure, not surer."""

    def scores(names):
        lines = [
            turn(f"{n}@{name}", index, session=f"{n}@{name}", labels={"scenario": name})
            for name in names
            for n in range(30)
            for index in range(2)
        ]
        said = {}
        for line in lines:
            n = int(line["session_id"].partition("@")[0])
            said[line["interaction_id"]] = ("correct", "wrong", "missing")[(n + line["turn_idx"] * (n % 2)) % 3]
        return run_scores(lines, said, {}, own=("scenario",))

    one, four = scores(["oracle"]), scores(["oracle", "realistic", "parametric", "adversarial"])
    assert four["n"] == 4 * one["n"]
    for reading in ("paper", "readme"):
        for figure, ends in one["intervals"][reading].items():
            if figure != "early_stop":  # is Wilson's of conversations where each is its own
                assert four["intervals"][reading][figure] == pytest.approx(ends), (reading, figure)
    assert four["intervals"]["public"]["all"] == {
        name: pytest.approx(ends) for name, ends in one["intervals"]["public"]["all"].items()
    }
    domain = four["slices"]["domain"]["book"]
    assert domain["intervals"] == {
        name: pytest.approx(ends) for name, ends in one["slices"]["domain"]["book"]["intervals"].items()
    }
    early = [found["intervals"]["paper"]["early_stop"] for found in (one, four)]
    assert early[1]["high"] - early[1]["low"] == pytest.approx(early[0]["high"] - early[0]["low"], abs=0.02)


def test_a_run_by_hand():
    lines = [
        turn("a", 0, "wrong one"), turn("a", 1, "", "timeout"), turn("a", 2, "seven"),  # stops after two
        turn("b", 0, "seven"), turn("b", 1, "No idea, sorry.", "abstained"),
        turn("c", 0, "hm", is_ego=False),
    ]  # fmt: skip
    verdicts = {"a-0": "wrong", "a-2": "correct", "b-0": "correct", "b-1": "missing", "c-0": None}
    scores = run_scores(lines, verdicts, {}, grades={"b-0": "perfect", "a-0": "incorrect", "a-2": "acceptable"})
    assert (scores["n"], scores["n_conversations"], scores["n_failed"], scores["n_unjudged"]) == (6, 3, 1, 1)
    # paper: a = (-1 + 0)/3, b = 1/2, c = 0; README: the time-out does not stop a: (-1 + 0 + 1)/3
    assert scores["paper"]["truthfulness"] == pytest.approx((-1 / 3 + 1 / 2 + 0) / 3)
    assert scores["readme"]["truthfulness"] == pytest.approx((0 + 1 / 2 + 0) / 3)
    # public: the failed turn is an empty answer, "No idea" no refusal by its rule, no verdict is not correct
    assert scores["public"]["all"]["hallucination"] == 4.0
    assert scores["public_counts_as_hallucination"] == {"refusals": 1, "empty": 1}
    assert scores["public"]["ego"]["total"] == 5.0
    # c may be anything: -1 to 1 of a third
    low, high = scores["bounds"]["paper"]["truthfulness"]
    assert (low, high) == pytest.approx(((-1 / 3 + 1 / 2 - 1) / 3, (-1 / 3 + 1 / 2 + 1) / 3))
    assert scores["bounds"]["paper"]["accuracy"] == pytest.approx([2 / 6, 3 / 6])
    assert scores["crag"]["score"] == pytest.approx((1 + 0.5 - 1) / 3)
    assert scores["statuses"] == {"answered": 4, "timeout": 1, "abstained": 1}
    json.dumps(scores, allow_nan=False)


def test_a_judge_that_is_not_sure_is_counted_as_it_leans_within_bounds():
    lines = [turn("a", 0), turn("b", 0), turn("c", 0)]
    keys = [line["interaction_id"] for line in lines]
    verdicts = {keys[0]: "correct", keys[1]: None, keys[2]: None}
    scores = run_scores(lines, verdicts, {}, leanings={keys[1]: "wrong"})
    assert scores["paper"]["truthfulness"] == pytest.approx(0.0)
    assert scores["public"]["all"]["hallucination"] == 2.0  # what leans to wrong, and what nobody could read
    assert (scores["n_unjudged"], scores["n_leaning"]) == (2, 1)
    assert scores["bounds"]["paper"]["truthfulness"] == pytest.approx([-1 / 3, 1.0])


def test_a_conversation_belongs_to_its_first_turns_domain():
    lines = [turn("a", 3, domain="food"), turn("a", 1, domain="book"), turn("b", 0, domain="food"), turn("b", 1)]
    found = run_scores(lines, {}, {})["slices"]["domain"]
    assert {name: part["n"] for name, part in found.items()} == {"book": 2, "food": 2}


def test_a_run_without_turns_says_nothing():
    scores = run_scores([], {}, {})
    assert scores["paper"]["truthfulness"] is None
    assert scores["intervals"] == {}
    assert scores["slices"] == {}


def test_a_run_cancelled_before_its_first_turn_is_scored_with_gold_too(tmp_path):
    scores = score_turns(tmp_path, [], {}, {"j": GOLD})
    assert scores["attribution"]["n"] == scores["n"] == 0
    assert {part["points"] for part in scores["attribution"]["stages"].values()} == {0.0}


def test_crag_grades():
    assert crag_scores(["perfect", "acceptable", "missing", "incorrect"])["score"] == pytest.approx(0.5 / 4)
    assert crag_scores([])["score"] is None
    with pytest.raises(KeyError):
        crag_scores(["good"])


def test_a_stop_does_not_reach_over_conversations():
    conversations = Conversations.of(["b", "a", "a", "b"], [0, 0, 1, 1])
    values = np.array([-1, 1, -1, 1], np.int8)  # sorted: a right, a wrong | b wrong, b right
    figures = reading_figures(stopped(conversations, values, "paper"))
    assert figures["early_stop"] == 0.0
    assert figures["truthfulness"] == 0.0


def by_trying(turns, rule):
    """The bounds by trying every verdict on every open turn."""
    found = []
    for values in itertools.product(*[[v] if v is not None else [-1, 0, 1] for v in turns]):
        part = Conversations.of(["a"] * len(values), list(range(len(values))))
        found.append(int(stopped(part, np.array(values, np.int8), rule).points[0]))
    return min(found), max(found)


@pytest.mark.parametrize("rule", ["paper", "readme"])
def test_bounds_are_those_of_all_verdicts(rule):
    for turns in itertools.product([-1, 0, 1, None], repeat=4):
        assert points_bounds(turns, rule) == by_trying(turns, rule), turns


def test_a_right_answer_can_cost_points_and_the_bounds_know():
    # wrong, ?, wrong, wrong: "missing" stops it at -1; "correct" goes on to -1 + 1 - 1 - 1 = -2
    assert points_bounds([-1, None, -1, -1], "paper") == (-2, -1)
    assert reading_bounds(Conversations.of(["a"], [0]), np.array([1], np.int8), np.array([False]), "paper") == {}


def test_wilson_by_hand():
    found = wilson(0.5, 10)  # z = 1.96: centre 0.5, half 1.4021 * sqrt(...)
    z2 = 1.959964**2
    half = math.sqrt(z2 * 0.025 + z2**2 / 400) / (1 + z2 / 10)
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)
    assert wilson(0.0, 10).low == 0.0
    assert wilson(0.0, 10).high == pytest.approx(z2 / (10 + z2), abs=1e-6)


def test_clustered_variance_by_hand():
    # two conversations: 2 of 2 right, 0 of 2 right; ratio 1/2, residuals 1 and -1: (1 + 1) * 2/1 / 16
    ratio, variance, counts = ratio_variance(np.array([2.0, 0.0]), np.array([2.0, 2.0]), np.array([0, 0]), 1)
    assert (ratio[0], variance[0], counts[0]) == (0.5, 0.25, 2)
    found = clustered_interval(0.5, 0.0025, 21, -1, 1)  # t with 20 degrees: 2.086
    assert (found.low, found.high) == pytest.approx((0.5 - 2.086 * 0.05, 0.5 + 2.086 * 0.05), abs=1e-4)
    assert found.method == "clustered"


def test_turns_of_one_conversation_count_as_one_where_they_agree():
    alone = run_scores([turn(f"s{i}", 0, "y") for i in range(40)], {f"s{i}-0": RIGHT[i % 2] for i in range(40)}, {})
    lines = [turn(f"s{i}", j, "y") for i in range(10) for j in range(4)]
    together = run_scores(lines, {line["interaction_id"]: RIGHT[int(line["session_id"][1:]) % 2] for line in lines}, {})
    widths = [
        s["intervals"]["paper"]["accuracy"]["high"] - s["intervals"]["paper"]["accuracy"]["low"]
        for s in (alone, together)
    ]
    assert widths[1] > 1.7 * widths[0]


RIGHT = ("correct", "wrong")


def test_where_nothing_varies_the_interval_is_not_a_point():
    found = no_variation(1.0, 10, -1.0, 1.0)
    assert found.high == 1.0
    assert found.low == pytest.approx(1 - (1 - 0.025**0.1) * 2)
    scores = run_scores([turn(f"s{i}", 0, "seven") for i in range(10)], {f"s{i}-0": "correct" for i in range(10)}, {})
    assert scores["intervals"]["paper"]["truthfulness"]["method"] == "no_variation"
    assert scores["intervals"]["paper"]["truthfulness"]["low"] < 0.5


def test_the_bootstrap_is_seeded_and_covers():
    rng = np.random.default_rng(5)
    hits = 0
    for trial in range(200):
        means = rng.normal(0.1, 0.5, 30).clip(-1, 1)
        found = ratio_intervals({"x": Ratio(means, np.ones(30), -1, 1)}, seed=trial)["x"]
        hits += found.low <= 0.1 <= found.high
    assert 180 <= hits <= 199
    twice = [bootstrap(lambda w: w @ np.arange(5.0), 5, resamples=20) for _ in range(2)]
    assert (twice[0] == twice[1]).all()


@pytest.mark.slow
def test_ten_thousand_turns_take_a_small_part_of_the_budget(tmp_path):
    from tests.bench.scores import BUDGET_S, gold_of, timed, write

    run = write(tmp_path / "r", 10_000, 1, traces=False)
    scores, (_, seconds) = timed(lambda: score_turns(run.path, run.lines, run.verdicts, gold_of(run)))
    assert seconds <= BUDGET_S / 4  # of processor time: a tenth of the turns in a quarter of the budget
    assert scores["n"] == 10_000
    assert {"domain", "type", "popularity", "retrieved"} <= set(scores["slices"])
    assert scores["n_unjudged"] > 100
    assert scores["attribution"]["stages"]["failed"]["n"] > 50


GOLD = GoldTurn("i", "Amber Lamp", (), None, True, "w?", ("https://p.invalid/1",), (("Amber Lamp", "weight"),))


def trace(subjects=(), entity=None, evidence=(), events=("Planned",)):
    return {
        "events": [{"event": name} for name in events],
        "turn": {
            "subjects": list(subjects),
            "answer": {
                "entity": {"name": entity} if entity else None,
                "evidence": [{"source": s, "subject": u, "key": k} for s, u, k in evidence],
            },
        },
    }


PAGE = ("https://p.invalid/1", "Amber Lamp", None)


@pytest.mark.parametrize(
    ("shown", "steps"),
    [
        (trace(), Steps(False, 0.0)),
        (trace(subjects=["amber lamp"]), Steps(True, 0.0)),
        (trace(entity="Amber Lamp", evidence=[PAGE]), Steps(True, 0.5)),
        (trace(entity="Amber Jar", evidence=[PAGE, ("Amber Lamp", "Amber Lamp", "weight")]), Steps(False, 1.0)),
        (trace(events=()), Steps(False, 0.0, seen=False)),
    ],
)
def test_steps_are_read_from_the_trace(shown, steps):
    assert steps_of(shown, GOLD) == steps


def test_an_entity_that_is_not_indexed_cannot_be_recognised():
    gold = GoldTurn("i", "Unknown Jar", (), None, True, labels={"indexed": False})
    assert steps_of(trace(), gold) == Steps(None, None)


def test_failures_by_step():
    nothing = GoldTurn("j", "Amber Lamp", (), None, False)
    turns = [
        ("correct", False, Steps(False, 0.0), GOLD),
        ("wrong", False, Steps(False, 0.0), GOLD),
        ("missing", False, Steps(True, 0.0), GOLD),
        ("wrong", False, Steps(True, 0.5), GOLD),
        ("missing", False, Steps(None, None), GOLD),
        ("wrong", False, Steps(True, None), nothing),
        ("missing", False, Steps(True, None), nothing),
        (None, True, None, GOLD),
        (None, False, Steps(True, 1.0), GOLD),
        ("wrong", False, Steps(False, 0.0, seen=False), GOLD),
    ]
    named = [failure_of(*t) for t in turns]
    assert named == [
        None, "not_recognised", "not_retrieved", "not_used", "not_used",
        "not_abstained", None, "failed", None, "unseen",
    ]  # fmt: skip
    found = attribution(turns)
    assert (found["n"], found["n_failures"], found["rightly_abstained"]) == (10, 7, 1)
    stages = found["stages"]
    assert stages["not_used"] == {"n": 2, "wrong": 1, "missing": 1, "points": pytest.approx(3 / 10)}
    assert stages["not_abstained"]["points"] == pytest.approx(1 / 10)


def test_grades_of_a_judge_that_gives_them():
    identity = {"judge": "llm", "judge_version": 1}
    lines = [
        {**identity, "interaction_id": "a", "grade": "acceptable"},
        {**identity, "interaction_id": "b", "grade": "splendid"},
        {**identity, "interaction_id": "c"},
        {**identity, "judge_version": 2, "interaction_id": "d", "grade": "perfect"},
    ]
    assert grades_of(lines, identity) == {"a": "acceptable"}
