"""The HTML page, the exports and the oracle ladder of runs written by hand."""

from __future__ import annotations

import csv
import json
import re

import pytest

from assistant import factory as services
from assistant.pipelines.base import Tools
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.data import datasets
from eval.data.gold import GoldTurn, read_gold
from eval.data.gold_pieces import WorldPieces
from eval.judges.registry import VERSIONS
from eval.metrics.attribution import Steps
from eval.metrics.retrieval import image_recall, in_run, web_recall
from eval.reports import public_format
from eval.reports.ladder import chart, climb, handed_in
from eval.reports.loaded_run import load_run
from tests.eval.agents.scripted_agent import ScriptedAssistant
from tests.eval.reports.written_run import line, write_run
from tests.eval.tiny_world import write_world

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'</td>{{ 7*7 }}&lt;"


def command(*arguments):
    return main("python -m eval", COMMANDS, list(map(str, arguments)))


def page(tmp_path, turns, **more):
    run = write_run(tmp_path / "r", turns, **more)
    assert command("report", run, "--html", tmp_path / "r.html") == 0
    return (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_page_holds_the_figures_and_every_sample(tmp_path):
    turns = [(line(f"s{i}", answer=f"answer {i}"), ("correct", "wrong", "missing")[i % 3]) for i in range(33)]
    html = page(tmp_path, turns)
    assert "+0.0" in html  # 11 right, 11 wrong
    assert html.count("<tr data-kind=") == 33
    assert html.index("answer 1<") < html.index("answer 0<")  # wrong ones first
    assert "bootstrap over conversations (seed" in html


def test_nothing_is_fetched(tmp_path):
    html = page(tmp_path, [(line("s"), "correct")])
    assert not re.search(r"""(?:src|href)\s*=\s*["']?[^#"'\s]|@import|url\(""", html)
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_hostile_text_is_inert(tmp_path):
    hostile = line("s", answer=HOSTILE, query=HOSTILE, ground_truth=HOSTILE, domain=HOSTILE, reason=HOSTILE)
    html = page(tmp_path, [(hostile, "wrong"), (line("t"), "correct")], state=HOSTILE)
    body = html.split("</style>", 1)[1]
    assert "<script>alert" not in body
    assert "<img" not in body
    assert body.count("<script>") == 1
    assert "{{ 7*7 }}" in body
    assert "&lt;script&gt;alert(1)" in body


def test_long_runs_are_cut_and_say_so(tmp_path):
    run = write_run(tmp_path / "r", [(line(f"s{i}"), "correct") for i in range(40)])
    assert command("report", run, "--html", tmp_path / "r.html", "--samples", "5") == 0
    html = (tmp_path / "r.html").read_text()
    assert html.count("<tr data-kind=") == 5
    assert "first 5 of 40 turns" in html


def test_unfinished_failed_and_unjudged_turns_are_said(tmp_path):
    turns = [
        (line("s"), None),
        (line("t", answer="", status="timeout"), None),
        (line("u", answer="No clue."), "missing"),
    ]
    html = page(tmp_path, turns, state="cancelled")
    assert "not finished (cancelled)" in html
    assert "1 turns failed" in html
    assert "1 turns have no verdict" in html
    assert "1 refusals in words" in html


def test_turns_of_which_the_judge_is_not_sure_count_as_it_leans_and_are_said(tmp_path):
    html = page(tmp_path, [(line("s"), "~correct"), (line("t"), "correct"), (line("u"), None)])
    assert "The judge is not sure of 1 of 3 turns: they count as it leans." in html
    assert "1 turns have no verdict" in html
    assert "+66.7" in html  # two right of three; the one without a verdict counts as missing
    assert command("export", tmp_path / "r", "--out", tmp_path / "out") == 0
    assert json.loads((tmp_path / "out" / "verdicts.json").read_text()) == {"s-0": True, "t-0": True, "u-0": None}


def test_reports_of_what_is_no_run(tmp_path, capsys):
    write_run(tmp_path / "r", [(line("s"), "correct")])
    for options in (["x", "--html", tmp_path / "o"], [tmp_path / "r", "--html", tmp_path / "r" / "run.json" / "o"]):
        assert command("report", *options) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_export_and_back_gives_the_same_scores(tmp_path, capsys):
    turns = [
        (line("b", answer="seven"), "correct"), (line("a", answer="I don't know"), "missing"),
        (line("c", answer="=1+1", is_ego_public=False), "wrong"), (line("d", answer="", status="error"), None),
        (line("e", answer="line\nend, \"quoted\""), "correct"),
    ]  # fmt: skip
    run = write_run(tmp_path / "r", turns)
    assert command("export", run, "--out", tmp_path / "o") == 0
    scores = json.loads((tmp_path / "o" / "scores_dictionary.json").read_text())
    assert (scores["all"]["correct"], scores["all"]["miss"], scores["all"]["hallucination"]) == (2.0, 1.0, 2.0)
    assert scores["ego"]["total"] == 4.0
    results = tmp_path / "o" / "turn_evaluation_results_all.csv"
    jsonl = ("--turns", tmp_path / "o" / "turns.jsonl", "--verdicts", tmp_path / "o" / "verdicts.json")
    for source in (("--turns", results), jsonl):
        assert command("score", *source, "--out", tmp_path / "again", "--json", "--readings") == 0
        assert json.loads(capsys.readouterr().out) == scores
        assert (tmp_path / "again" / results.name).read_bytes() == results.read_bytes()
    readings = json.loads((tmp_path / "again" / "readings.json").read_text())
    assert readings["paper"]["truthfulness"] == pytest.approx((2 - 1) / 5)
    with (tmp_path / "o" / "turns.csv").open(newline="") as file:
        rows = {row["session_id"]: row for row in csv.DictReader(file)}
    assert rows["c"]["agent_response"] == "'=1+1"  # no formula for a spreadsheet
    assert rows["e"]["agent_response"] == 'line\nend, "quoted"'
    assert rows["d"]["verdict"] == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.replace("is_miss", "missed"), "no column 'is_miss'"),
        (lambda t: t.replace("False,False,False,False", "False,maybe,False,False"), "'maybe'"),
        (lambda t: t.replace("\ns,", "\ns,more,"), "cells"),
        (lambda t: t + t.split("\n")[1] + "\n", "repeats the interaction id"),
        (lambda t: t.split("\n")[0] + "\n", "holds no turns"),
    ],
)
def test_result_files_that_cannot_be_read(tmp_path, change, said):
    run = write_run(tmp_path / "r", [(line("s", answer="x"), "wrong")])
    command("export", run, "--out", tmp_path / "o")
    path = tmp_path / "o" / "turn_evaluation_results_all.csv"
    path.write_text(change(path.read_text()))
    with pytest.raises(public_format.BadInput, match=said):
        public_format.read_results(path)


def world_run(tmp_path, answers):
    """A run over the tiny world, judged by hand: interaction id → (answer, verdict)."""
    world = write_world(tmp_path / "world")
    turns = []
    for key, (answer, verdict) in answers.items():
        session, _, index = key.rpartition("-")
        turns.append((line(session, int(index), answer, set="single" if session[0] == "s" else "multi"), verdict))
    data = {"name": "tiny", "path": str(world), "world": str(world)}
    judge = {"judge": "typed", "judge_version": VERSIONS["typed"]}
    return world, load_run(write_run(tmp_path / "r", turns, data=data, judge=judge))


ANSWERS = {
    "s1-0": ("It weighs 9 g.", "wrong"), "s2-0": ("7", "correct"), "m1-0": ("Nordlicht", "correct"),
    "m1-1": ("I don't know.", "missing"), "m1-2": ("Yes.", "wrong"),
}  # fmt: skip


def test_the_ladder_hands_in_what_each_rung_adds(tmp_path):
    world, run = world_run(tmp_path, ANSWERS)
    samples = datasets.load(str(world), "all", "both").samples
    agent = ScriptedAssistant(
        lambda conversation, question: "It weighs 340 g." if len(conversation.turns) == 0 else "?"
    )

    def judge(folder):
        return {t["interaction_id"]: "correct" if "340" in t["agent_response"] else "wrong" for t in folder.turns()}

    found = climb(run, samples, read_gold(world), WorldPieces(world), agent.answer, judge)
    given = [g for *_, g in agent.calls]
    # s1 is right with its entity; of m1-1 and m1-2 gold knows the entity and nothing more: asked on the first rung only
    assert given == [{"entity": "Amber Lamp"}, {"entity": "Amber Lamp"}, {"entity": "Unknown Jar"}]
    assert [len(c.turns) for c, *_ in agent.calls] == [0, 1, 2]  # after the run's own earlier answers
    assert [c.turns[0].answer.text for c, *_ in agent.calls if c.turns] == ["Nordlicht", "Nordlicht"]
    assert [rung["asked"] for rung in found["rungs"]] == [0, 3, 0, 0]
    # before: 2 right, 2 wrong, 1 missing; after: 3 right, 2 wrong
    assert [rung["truthfulness"] for rung in found["rungs"]] == pytest.approx([0, 1 / 5, 1 / 5, 1 / 5])
    assert found["rungs"][1]["won"] == pytest.approx(1 / 5)
    again = climb(run, samples, read_gold(world), WorldPieces(world), agent.answer, judge)
    assert len(agent.calls) == 3  # what is there is not asked again
    assert again == found
    assert {p.name for p in run.path.iterdir()} >= {"ladder", "turns.jsonl"}


def test_rungs_add_up(tmp_path):
    (tmp_path / "web").mkdir()
    page = {"url": "https://p.invalid/1", "name": "Amber Lamp", "snippet": "", "text": "The Amber Lamp weighs 340 g."}
    (tmp_path / "web" / "pages.jsonl").write_text(json.dumps(page) + "\n")
    gold = GoldTurn("i", "Amber Lamp", (), None, True, "How heavy is the Amber Lamp?", ("https://p.invalid/1",))
    world = WorldPieces(tmp_path)
    assert handed_in(gold, "entity", world) == {"entity": "Amber Lamp"}
    given = handed_in(gold, "passage", world)
    assert set(given) == {"entity", "query", "evidence", "vouched"}
    assert [(piece.source, piece.text) for piece in given["evidence"]] == [(page["url"], page["text"])]
    rungs = chart([line("s"), line("t")], [("nothing", {"s-0": "wrong", "t-0": "missing"}, 0),
                                           ("entity", {"s-0": "correct", "t-0": "missing"}, 2)])  # fmt: skip
    assert [r["truthfulness"] for r in rungs["rungs"]] == [-0.5, 0.5]
    assert rungs["left"] == 0.5


def test_a_ladder_needs_gold(tmp_path, capsys):
    write_run(tmp_path / "r", [(line("s"), "wrong")])
    assert command("ladder", tmp_path / "r") == 2
    assert "nothing to hand in" in capsys.readouterr().err


@pytest.mark.slow
def test_the_ladder_asks_as_the_run_did(tmp_path, monkeypatch, capsys):
    """The same degradation, the same endpoint and model; what cannot be handed gold, or had it already, is refused."""
    opened = []

    class Chatting(ScriptedAssistant):
        def under(self, profile, pipeline, change, deadline_s):
            tools = change(Tools(None))
            opened.append((profile, tools.model.options.model, tools.strictness, deadline_s))
            return self

    agent = Chatting(lambda conversation, question: "It weighs 340 g.")
    monkeypatch.setattr(services, "open_assistant", lambda settings, **more: agent)
    monkeypatch.setattr(index_cache, "world_index", lambda world, settings: world / "index")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    _, run = world_run(tmp_path, {"s1-0": ("It weighs 9 g.", "wrong")})
    plain, info = run.info["options"], run.path / "run.json"

    def climb_with(**options):
        info.write_text(json.dumps({**run.info, "options": {**plain, **options}}))
        return command("ladder", run.path, "--data-dir", tmp_path / "d")

    endpoint = {"endpoint": "http://localhost:1/v1", "model": "m"}
    assert climb_with(agent="chat", chat=endpoint, degrade=["low-light:0.9:0"], strictness="soft") == 0
    assert opened == [("chat", "m", "soft", services.RUN_DEADLINE_S)]
    (sample, *_) = datasets.load(str(run.info["data"]["world"]), "all", "both").samples
    assert agent.calls[0][2].pixels.mean() < 0.5 * sample.frame().pixels.mean()
    for options, words in (
        ({"agent": "chat", "chat": {**endpoint, "endpoint": "http://localhost:2/v1"}}, "set OPENAI_BASE_URL"),
        ({"agent": "my.module:Agent"}, "cannot be handed gold"),
        ({"give": "entity"}, "was given the gold entity already"),
        ({"full_queries": "abc"}, "was given full queries"),
        ({"agent": "chat", "chat": endpoint, "pipeline": "task2"}, "had its sources limited"),
        ({"task": 1}, "had its sources limited"),
        ({"agent": "chat", "chat": endpoint, "prompts": "another"}, "had other prompts"),
    ):
        capsys.readouterr()
        assert climb_with(**options) == 2
        assert words in capsys.readouterr().err


def test_recall_by_hand(tmp_path):
    world = write_world(tmp_path / "world")
    samples, gold = datasets.load(str(world), "all", "both").samples, read_gold(world)

    def images(frame, k):
        names = [["Other"], ["amber lamp"]] if frame.pixels[0, 0, 0] == 200 else [["Other"]]
        return [{"entities": [{"entity_name": n} for n in found]} for found in names][:k]

    found = image_recall(samples, gold, images)
    # s1 (red): second; m1 (blue): not among the results; s2 has no entity
    assert (found["all"]["n"], found["all"]["n_indexed"]) == (2, 2)
    assert (found["all"]["recall"]["1"], found["all"]["recall"]["2"], found["all"]["recall"]["30"]) == (0.0, 0.5, 0.5)
    assert found["normal"]["n"] == 0
    assert found["normal"]["recall"]["1"] is None
    known = {"s1-0": GoldTurn("s1-0", "Amber Lamp", (), None, True, "named?", ("https://p.invalid/1",))}
    pages = {"named?": ["https://p.invalid/1"], "How heavy is this?": ["https://p.invalid/0", "https://p.invalid/1"]}
    web = web_recall(samples, known, lambda query, k: [{"page_url": url} for url in pages[query]][:k])
    assert (web["as_asked"]["recall"]["1"], web["as_asked"]["recall"]["5"]) == (0.0, 1.0)
    assert web["standalone"]["recall"]["1"] == 1.0


def test_entity_accuracy_by_hand():
    lines = [line("a"), line("b", is_ego=False), line("c")]
    found = in_run(lines, {"a-0": Steps(True, 0.5), "b-0": Steps(False, 0.0), "c-0": Steps(None, None)})
    assert (found["all"]["entity_accuracy"]["n"], found["all"]["entity_accuracy"]["share"]) == (2, 0.5)
    assert found["ego"]["grounds_found"]["share"] == 1.0
    assert found["normal"]["grounds_found"]["share"] == 0.0
