"""Comparing runs, the leaderboard, planning: paired figures by hand, ties said, unlike runs refused."""

from __future__ import annotations

import json

import pytest

from eval.__main__ import COMMANDS, main
from eval.metrics.power import Assumptions, Prices, detectable, estimate
from eval.reports.compare import compare
from eval.reports.leaderboard import leaderboard, measured_rows, published_rows
from eval.reports.loaded_run import load_run
from tests.eval.reports.written_run import line, write_run

R, W, M = "correct", "wrong", "missing"


def command(*arguments):
    return main("python -m eval", COMMANDS, list(map(str, arguments)))


def runs(tmp_path, a, b, **more):
    """Two runs of single turns with these verdicts; the answers say which run they are of."""
    folders = []
    for name, verdicts in (("a", a), ("b", b)):
        turns = [(line(f"s{i:03}", answer=f"{name} says {v}"), v) for i, v in enumerate(verdicts)]
        folders.append(load_run(write_run(tmp_path / name, turns, **more)))
    return folders


def test_differences_and_mcnemar_by_hand(tmp_path):
    a, b = runs(tmp_path, [R] * 2 + [W] * 8 + [M] * 4, [R] * 8 + [W] * 2 + [M] * 3 + [R])
    found = compare(a, b)
    truth = found["figures"]["paper"]["truthfulness"]
    assert (truth["a"], truth["b"]) == pytest.approx((-6 / 14, 7 / 14))
    assert truth["difference"] == pytest.approx(13 / 14)
    assert truth["interval"]["low"] > 0
    assert found["tied"] is False
    assert found["summary"].startswith("B is ahead")
    # won 7, lost none: 2 * (1/2)^7
    assert found["mcnemar"] == {"both": 2, "neither": 5, "only_a_correct": 0, "only_b_correct": 7,
                                "p": pytest.approx(2 / 2**7)}  # fmt: skip
    assert len(found["flipped"]) == 7
    first = found["flipped"][0]
    assert first["change"] == 2  # wrong to right moves more than missing to right
    assert (first["a"]["answer"], first["b"]["counts_as"]) == ("a says wrong", R)


def test_swapping_the_runs_turns_every_sign(tmp_path):
    a, b = runs(tmp_path, [R, W, M, R, R, W, M, W] * 4, [W, W, R, R, M, R, M, W] * 4)
    one, other = compare(a, b), compare(b, a)
    for reading, figures in one["figures"].items():
        for name, row in figures.items():
            turned = other["figures"][reading][name]
            assert row["difference"] == pytest.approx(-turned["difference"])
            assert row["interval"]["low"] <= row["difference"] <= row["interval"]["high"]
    assert one["mcnemar"]["p"] == other["mcnemar"]["p"]


def test_a_run_is_tied_with_itself(tmp_path):
    a, b = runs(tmp_path, [R, W, M] * 10, [R, W, M] * 10)
    found = compare(a, b)
    assert found["tied"] is True
    assert found["summary"].startswith("tied")
    assert found["mcnemar"]["p"] == 1.0
    assert found["flipped"] == []


def test_turns_of_which_the_judge_is_not_sure_count_as_it_leans(tmp_path):
    a = write_run(tmp_path / "a", [(line("s"), "~correct"), (line("t"), "correct")])
    b = write_run(tmp_path / "b", [(line("s"), "~wrong"), (line("t"), None)])
    found = compare(load_run(a), load_run(b))
    assert found["figures"]["paper"]["accuracy"]["a"] == 1.0
    assert found["figures"]["paper"]["hallucination_rate"]["b"] == 0.5
    assert found["notes"] == [
        "the judge is not sure of 1 turns of a: they count as it leans",
        "the judge is not sure of 1 turns of b: they count as it leans",
        "1 turns of b have no verdict and count as missing",
    ]


def test_only_common_turns_count_and_the_rest_is_said(tmp_path):
    turns = [(line(f"s{i}"), R) for i in range(6)]
    a, b = load_run(write_run(tmp_path / "a", turns[:4])), load_run(write_run(tmp_path / "b", turns[1:]))
    found = compare(a, b)
    assert (found["n_common"], found["only_a"], found["only_b"]) == (3, 1, 2)
    assert any("left out" in note for note in found["notes"])


def test_conversations_are_paired_whole(tmp_path):
    def turns(verdicts):
        return [(line("s", i, set="multi"), v) for i, v in enumerate(verdicts)]

    a = load_run(write_run(tmp_path / "a", turns([R, W, W, R])))
    b = load_run(write_run(tmp_path / "b", turns([R, W, R, R])))
    figures = compare(a, b)["figures"]["paper"]
    assert (figures["truthfulness"]["a"], figures["truthfulness"]["b"]) == (-1 / 4, 2 / 4)
    assert figures["early_stop"]["difference"] == -1.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judge": {"judge": "typed", "judge_version": 1}}, "judged by"),
        ({"judge": {"judge": "exact", "judge_version": 2}}, "judged by"),
    ],
)
def test_other_judges_are_refused(tmp_path, capsys, change, said):
    write_run(tmp_path / "a", [(line("s"), R)])
    write_run(tmp_path / "b", [(line("s"), R)], **change)
    assert command("compare", tmp_path / "a", tmp_path / "b") == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_what_cannot_be_compared_is_one_sentence(tmp_path, capsys):
    write_run(tmp_path / "a", [(line("s"), R)])
    write_run(tmp_path / "b", [(line("t"), R)])
    write_run(tmp_path / "c", [(line("s", query="another?"), R)])
    write_run(tmp_path / "d", [])
    for other, said in (("b", "no turn in common"), ("c", "another question"), ("d", "no finished"), ("e", "run.json")):
        assert command("compare", tmp_path / "a", tmp_path / other) == 2
        shown = capsys.readouterr()
        assert said in shown.err
        assert shown.err.count("\n") == 1
    assert command("compare", tmp_path / "a", tmp_path / "a", "--judge", "typed") == 2
    assert "has not been judged by 'typed'" in capsys.readouterr().err


def test_the_command_says_tied_and_shows_flips(tmp_path, capsys):
    runs(tmp_path, [R, W, M, W], [R, W, R, M])
    assert command("compare", tmp_path / "a", tmp_path / "b", "--flips", "1") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("tied")
    assert "2 verdicts changed, 1 shown" in shown
    assert command("compare", tmp_path / "a", tmp_path / "b", "--json") == 0
    assert json.loads(capsys.readouterr().out)["n_common"] == 4


def test_published_rows_are_marked_and_whole():
    rows = published_rows()
    assert len(rows) == 55
    assert {row.source for row in rows} == {"published"}
    best = next(r for r in rows if (r.set, r.setting, r.system) == ("multi-turn", "Task 3", "GPT-5 Mini"))
    assert (best.accuracy, best.truthfulness, best.early_stop) == pytest.approx((0.61, 0.425, 0.435))
    assert {row.split for row in rows if row.setting == "winning team"} == {"private test"}
    for row in rows:
        assert sum((row.accuracy, row.missing, row.hallucination)) == pytest.approx(1, abs=0.01)  # rounded as published


def test_own_rows_stand_apart_under_the_same_readings(tmp_path):
    turns = [(line("s"), R), *((line("m", i, set="multi"), v) for i, v in enumerate([W, W, R]))]
    run = load_run(write_run(tmp_path / "r", turns))
    single, multi = measured_rows(run)
    assert (single.set, single.truthfulness, single.early_stop) == ("single-turn", 1.0, None)
    assert (multi.accuracy, multi.truthfulness, multi.early_stop) == pytest.approx((1 / 3, -2 / 3, 1.0))
    assert multi.judge == "exact (version 1)"
    rows = leaderboard([run], published_rows())["multi-turn"]["rows"]
    assert [row["source"] for row in rows[:2]] == ["measured here", "published"]
    assert rows[1]["truthfulness"] == max(row["truthfulness"] for row in rows[1:])


def test_the_leaderboard_lists_folders_and_names_what_it_leaves_out(tmp_path, capsys):
    write_run(tmp_path / "runs" / "good", [(line("s"), R)])
    write_run(tmp_path / "runs" / "empty", [])
    assert command("leaderboard", tmp_path / "runs", "--own", "--json") == 0
    shown = capsys.readouterr()
    assert [row["where"] for row in json.loads(shown.out)["single-turn"]["rows"]] == ["good"]
    assert "left out" in shown.err
    assert command("leaderboard", tmp_path / "nowhere") == 2


def test_what_can_be_detected_shrinks_with_n_and_grows_with_correlation():
    small, large = detectable(200, 200), detectable(800, 800)
    for name in ("paired_accuracy", "paired_truthfulness", "unpaired_accuracy", "unpaired_truthfulness"):
        assert large[name] < small[name]
    assert detectable(800, 800)["paired_accuracy"] < detectable(800, 160)["paired_accuracy"]
    # unpaired by hand: (1.96 + 0.8416) * sqrt(2 * 0.4 * 0.6 / 800)
    assert large["unpaired_accuracy"] == pytest.approx(2.80158 * (0.48 / 800) ** 0.5, abs=1e-4)


@pytest.mark.slow
def test_the_paired_difference_is_found_four_times_in_five():
    import numpy as np
    from scipy.stats import binomtest

    n, d = 600, 0.2
    delta = detectable(n, n, Assumptions(changed=d))["paired_accuracy"]
    rng = np.random.default_rng(1)
    won = rng.multinomial(n, [(d + delta) / 2, (d - delta) / 2, 1 - d], size=400)[:, :2]
    found = sum(binomtest(int(b), int(b + c), 0.5).pvalue < 0.05 for b, c in won)
    assert 0.72 <= found / 400 <= 0.86


def test_few_turns_can_show_nothing_and_costs_add_up():
    assert detectable(10, 10)["paired_accuracy"] is None
    prices = Prices(per_million_input=2.0, per_million_output=8.0, judge_calls_per_turn=1, judged=0.5,
                    judge_per_million_input=1.0, seconds_per_turn=3.6)  # fmt: skip
    found = estimate(1000, 500, prices=prices, concurrency=2)
    assert (found["calls"], found["judge_calls"], found["hours"]) == (1000, 500, pytest.approx(0.5))
    assert found["cost"] == pytest.approx((1000 * (1500 * 2 + 75 * 8) + 500 * 1800) / 1e6)


def test_plan_says_what_is_wrong_with_its_options(capsys):
    for options in ([], ["--turns", "5", "--conversations", "9"], ["--turns", "5", "--changed", "2"]):
        assert command("plan", *options) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert command("plan", "--turns", "8") == 0
    assert "too few turns" in capsys.readouterr().out


def test_broken_runs_runs_with_gold_and_generated_worlds_are_not_ranked_among_the_others(tmp_path):
    many = [(line(f"s{n}"), R) for n in range(19)]
    broken = write_run(tmp_path / "broken", [*many, *((line(f"f{n}", status="error"), None) for n in range(2))])
    sound = write_run(tmp_path / "sound", [*many, (line("f", status="error"), None)])  # five of a hundred are borne
    given = {"options": {"agent": "embedded", "pipeline": "reader", "give": "entity"}}
    gold = write_run(tmp_path / "gold", many, **given)
    world = write_run(tmp_path / "world", many, data={"name": "world", "path": None, "world": "/somewhere"})
    found = leaderboard([load_run(path) for path in (broken, sound, gold, world)], published_rows())
    own = [row["where"] for row in found["single-turn"]["rows"] if row["source"] == "measured here"]
    assert own == ["sound"]
    assert [row["where"] for row in found["single-turn, generated worlds"]["rows"]] == ["world"]
    assert found["off"] == [
        ["broken", "2 of 21 turns failed, more than 5 %"], ["gold", "it was handed the answer key: entity"],
    ]  # fmt: skip


def test_what_differs_is_said_first_and_a_broken_run_has_no_headline(tmp_path):
    many = [(line(f"s{n}"), R) for n in range(19)]
    other = {"agent": "embedded", "pipeline": "task1", "split": "validation", "set": "both", "chat": {"model": "m"}}
    one = write_run(tmp_path / "one", [*many, (line("f0"), W)])
    two = write_run(tmp_path / "two", [*many, (line("f0"), R)], options=other)
    found = compare(load_run(one), load_run(two))
    assert found["differs"] == [["pipeline", "vitrine", "task1"], ["chat model", "–", "m"]]
    assert found["broken"] == []
    failed = [(line(f"s{n}", status="error"), None) for n in range(2)]
    three = write_run(tmp_path / "three", [*failed, *many[2:], (line("f0"), R)])
    found = compare(load_run(one), load_run(three))
    assert found["summary"] == "no headline: 2 of 20 turns of three failed"
    assert found["differs"] == []
