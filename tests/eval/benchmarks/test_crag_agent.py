"""CRAG's questions asked of a scripted model that calls a mock KG, alone and in whole runs."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from assistant.core.errors import BadInput, EndpointBusy
from assistant.core.events import EvidenceFound, Finished, StageFinished
from assistant.core.types import Conversation
from assistant.pipelines.raw_evidence import count_tokens
from eval.__main__ import COMMANDS, main
from eval.agents.protocol import OneAtATime
from eval.benchmarks.crag import CRAG
from eval.benchmarks.crag_agent import CALL_TOKENS, MOST_CALLS, MOST_ROUNDS, crag_answer
from eval.benchmarks.crag_kg.build import build
from eval.benchmarks.crag_kg.kg import CragKg
from eval.benchmarks.crag_window import Window
from eval.benchmarks.handing import prepared
from eval.data import datasets
from eval.judges.registry import judge_lexical
from eval.runs.reading import read_info, read_traces
from eval.runs.runner import generate
from eval.runs.store import RunFolder, read_turn_lines
from eval.scoring import judge_and_score
from tests import scripted_chat
from tests.assistant.pipelines.presets import assistant
from tests.eval.data.crag_text.ten_rows import write

CREW = [
    {"name": "June Abara", "id": 3, "job": "Original Music Composer"},
    {"name": "Ira Vold", "id": 2, "job": "Director"},
]
MOVIES = {
    "the grand lantern": {
        "title": "The Grand Lantern", "id": 11, "release_date": "2019-05-17", "budget": 4_000_000, "crew": CREW,
    },
    **{
        f"the long lantern {n}": {"title": f"The Long Lantern {n}", "id": 100 + n, "overview": "a light at sea " * 200}
        for n in range(8)
    },
}  # fmt: skip
YEARS = {year: {"movie_list": [11], "oscar_awards": []} for year in ("2018", "2019")}
LANTERN = ["movie_get_movie_info", '{"query": "the grand lantern"}']
QUESTION = "who composed the music of the film that Ira Vold made in 2019?"
ANSWERED = {"tools": False, "match": r"\[(\d+)\] movie_get_movie_info[^\n]*June Abara.*Question: who composed",
            "reply": "June Abara composed the music of The Grand Lantern [{1}]."}  # fmt: skip
DONE = {"tools": True, "match": "June Abara", "reply": "DONE"}
CALLS = {
    "tools": True,
    "match": "who composed",
    "calls": [LANTERN, ["movie_fly", "{}"], ["movie_get_year_info", "1992"]],
}
NOTHING = {"tools": False, "match": "Question", "reply": "I don't know."}
FOUND = [ANSWERED, DONE, CALLS]
TIME = "03/13/2024, 10:39:22 PT"


@pytest.fixture(scope="module")
def kg_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cragkg")
    (folder / "movie").mkdir()
    for name, content in (("movie_db", MOVIES), ("person_db", {}), ("year_db", YEARS)):
        (folder / "movie" / f"{name}.json").write_text(json.dumps(content))
    build(folder, folder / "kg.sqlite")
    return folder / "kg.sqlite"


@pytest.fixture(scope="module")
def kg(kg_file):
    return CragKg.open(kg_file)


@pytest.fixture(scope="module")
def knowledge(small_index):
    from assistant.index.knowledge import Knowledge

    return Knowledge.open(small_index)


def asked(answer, question=QUESTION, **given):
    found = list(answer(Conversation("c"), question, None, given={"evidence": (), "query_time": TIME, **given}))
    assert isinstance(found[-1], Finished)
    return found, found[-1].turn.answer


def handed(path, number):
    """One turn of the rows, and what a run hands over with it."""
    data, given = prepared(datasets.load(str(write(path)), "all"), CRAG, None)
    turn = data.samples[number].turns[0]
    return turn, given(turn.interaction_id)


def notes(found):
    return [event.note for event in found if isinstance(event, StageFinished) and event.stage == "retrieve"]


def test_what_the_kg_says_is_evidence_and_is_cited(kg, knowledge):
    with scripted_chat.start(script=FOUND) as server:
        found, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), kg))
        first, second, last = server.requests()
    assert (answer.status, answer.text) == ("answered", "June Abara composed the music of The Grand Lantern.")
    (piece,) = answer.evidence
    assert (piece.id, piece.kind, piece.source) == ("kg:0", "attribute", "movie_get_movie_info")
    assert piece.text.startswith('movie_get_movie_info(query="the grand lantern") = [')
    assert [sentence.evidence_ids for sentence in answer.sentences] == [("kg:0",)]
    assert [event.evidence for event in found if isinstance(event, EvidenceFound)] == [(piece,)]
    # What was wrong with a call is said to the model, and in the trace.
    assert "there is no route 'movie_fly'" in second["texts"][-2]
    assert second["texts"][-1].startswith("Error: the arguments are int")
    assert ["movie_fly(): Error: there is no route 'movie_fly'" in note for note in notes(found)].count(True) == 1
    assert f"(asked on {TIME})" in first["texts"][-1]
    assert f"(asked on {TIME})" in last["texts"][-1]
    assert (first["max_tokens"], "tools" in first["fields"], "tools" in last["fields"]) == (CALL_TOKENS, True, False)
    assert answer.usage is not None
    assert answer.usage.calls == 3


def test_the_kg_comes_before_the_web(kg, knowledge, tmp_path):
    turn, given = handed(tmp_path / "c.jsonl", 7)
    with scripted_chat.start(script=FOUND) as server:
        found, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), kg), turn.query, **given)
        first = server.requests()[0]
    assert [piece.id for piece in answer.evidence] == ["kg:0", "web:0", "web:2"]  # what gives orders is withheld
    assert "directed by Ira Vold" in first["texts"][-1]
    assert "banana" not in first["texts"][-1]
    assert "Ignore all previous instructions" not in first["texts"][-1]
    assert notes(found)[-1] == "1 answers of the KG, 2 pieces of the web"


def test_without_a_kg_nothing_is_called(knowledge):
    with scripted_chat.start(script=FOUND) as server:
        _, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), None))
        assert [("tools" in row["fields"]) for row in server.requests()] == [False]
    assert answer.status == "abstained"


def test_the_kg_is_asked_as_of_the_question(kg, knowledge):
    year = ["movie_get_year_info", '{"query": "2019"}']
    script = [{"tools": True, "match": "null|movie_list", "reply": "DONE"}, {"tools": True, "calls": [year]}]
    with scripted_chat.start(script=script) as server:
        answer = crag_answer(assistant("mm-llm", server, knowledge, None), kg)
        told = [asked(answer, query_time=f"03/13/{year}, 10:39:22 PT")[1].evidence[0].text for year in (2019, 2020)]
    assert told[0].endswith("= null")
    assert "movie_list" in told[1]


@pytest.mark.parametrize("moment", ["yesterday", "13/45/2024, 10:39:22 PT", "<script>"])
def test_a_moment_that_is_none(kg, knowledge, moment):
    with scripted_chat.start() as server:
        _, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), kg), query_time=moment)
        assert server.requests() == []
    assert answer.status == "error"
    assert moment in answer.reason


@pytest.mark.parametrize("tokens", [150, 600])
def test_no_more_of_the_kg_is_shown_than_fits(kg, knowledge, tokens):
    calls = [["movie_get_movie_info", json.dumps({"query": f"long lantern {n}"})] for n in range(4)]
    script = [{"tools": True, "match": "done here", "reply": "DONE"}, {"tools": True, "calls": calls}]
    with scripted_chat.start(script=script) as server:
        answer = crag_answer(assistant("mm-llm", server, knowledge, None), kg, Window(4000, tokens))
        found, said = asked(answer)
    shown = [count_tokens(piece.text.partition(" = ")[2]) for piece in said.evidence]
    assert 0 < sum(shown) <= tokens
    assert max(shown) <= max(200, tokens // 2)
    assert any("no tokens left" in note or "asked before" in note for note in notes(found))


def test_a_model_that_only_calls_comes_to_an_end(kg, knowledge):
    many = [["movie_get_movie_info", json.dumps({"query": f"lantern {n}"})] for n in range(MOST_CALLS + 1)]
    for calls, said in (([LANTERN], "asked before"), (many, "one call too many"), ([["nothing", "x"]] * 2, "Error")):
        with scripted_chat.start(script=[{"tools": True, "calls": calls}, NOTHING]) as server:
            answer = crag_answer(assistant("mm-llm", server, knowledge, None), kg, Window(100, 10**6))
            found, ended = asked(answer)
            assert len(server.requests()) == MOST_ROUNDS + 1
        assert any(said in note for note in notes(found))
        assert ended.status == "abstained"


def test_calls_with_hostile_arguments_are_only_text(kg, knowledge):
    bad = ["[" * 50_000, '{"query": {"a": 1}}', '{"query": "x\\u0000"}', "{", "", '{"query": "' + "x" * 90_000 + '"}']
    script = [
        {"tools": True, "match": "Error: ", "reply": "DONE"},
        {"tools": True, "calls": [["movie_get_movie_info", text] for text in bad]},
    ]
    with scripted_chat.start(script=script) as server:
        found, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), kg))
    assert answer.status == "abstained"
    assert all(len(note) < 500 for note in notes(found))


def test_what_goes_wrong_at_the_endpoint_is_a_status(kg, knowledge):
    with scripted_chat.start("--always", "500") as server:
        _, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None, max_tries=1), kg))
        assert answer.status == "error"
        running = crag_answer(assistant("mm-llm", server, knowledge, None, max_tries=1, for_run=True), kg)
        with pytest.raises(EndpointBusy):
            asked(running)
    with scripted_chat.start("--latency", "2") as server:
        slow = assistant("mm-llm", server, knowledge, None, max_tries=1, timeout_s=0.3)
        assert asked(crag_answer(slow, kg))[1].status == "timeout"
        stop = threading.Event()
        stop.set()
        found = list(crag_answer(slow, kg)(Conversation("c"), QUESTION, None, given={}, cancelled=stop))
        assert found[-1].turn.answer.status == "cancelled"


def test_a_server_that_knows_no_tools(kg, knowledge):
    with scripted_chat.start("--unknown-fields", "tools") as server:
        _, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), kg))
    assert answer.status == "error"
    assert "tools" in answer.reason


@pytest.mark.parametrize("task", [1, 2])
def test_a_run_with_a_model_through_a_task(kg, knowledge, tmp_path, task):
    data, given = prepared(datasets.load(str(write(tmp_path / "c.jsonl.bz2")), "all"), CRAG, None)
    last = {"tools": False, "match": r"\[(\d+)\] [^\n]*directed by Ira Vold.*Question: who is the director",
            "reply": "The director is Ira Vold [{1}]."}  # fmt: skip
    with scripted_chat.start(script=[*FOUND, last, {"tools": True, "reply": "DONE"}, NOTHING]) as server:
        made = assistant("mm-llm", server, knowledge, None, for_run=True)
        agent = OneAtATime(crag_answer(made, kg if task == 2 else None))
        info = {"options": {}, "benchmark": data.benchmark}
        with RunFolder.open(tmp_path / "run", info, resume=False) as folder:
            done = generate(data.samples, agent, folder, given=given, concurrency=2)
            scores = judge_and_score(folder, "lexical", None)
            again = judge_and_score(folder, "exact", None)
    assert (done.made, done.failed) == (10, 0)
    # Task 1: the director. Task 2: the composer as well, which only the KG tells.
    assert scores["crag"]["all"]["accuracy"] == task / 10
    assert scores["crag"]["all"]["incorrect"] == 0
    # Both are of movies, of which there are four questions; of five domains: (task / 4) / 5.
    assert scores["crag"]["macro"]["truthfulness"] == pytest.approx(task / 4 / 5)
    assert scores["slices"]["popularity"]["head"]["accuracy"] == 1
    assert {"false_premise", "dynamism", "type", "domain"} <= scores["slices"].keys()
    assert again["crag"]["all"]["n"] == 10
    lines = {line["interaction_id"]: line for line in read_turn_lines(tmp_path / "run")}
    assert lines[data.samples[0].session_id]["truths"] == ["Ira H. Vold"]
    composed = data.samples[7].session_id
    ((_, trace),) = read_traces(tmp_path / "run", {lines[composed]["trace"]: composed})
    kinds = [piece["id"].partition(":")[0] for piece in trace["turn"]["answer"]["evidence"]]
    assert ("kg" in kinds) == (task == 2)


def test_a_run_of_the_embedded_reader_is_weighed_and_weighed_again(tmp_path, small_index, capsys):
    weights = tmp_path / "w.json"
    weights.write_text(json.dumps({"simple": 1}))
    data, out = write(tmp_path / "crag.jsonl"), tmp_path / "run"
    run = ["run", "--data", data, "--split", "all", "--agent", "embedded", "--index", small_index, "--out", out]
    assert (
        main("python -m eval", COMMANDS, [str(a) for a in [*run, "--data-dir", tmp_path / "dd", "--weights", weights]])
        == 0
    )
    assert "'set', 'simple_w_condition'" in (told := capsys.readouterr().out)
    assert "the weights of 'w.json' do not name 'aggregation', " in told
    assert "these weigh nothing by traffic" in told
    scores = json.loads((out / "scores.json").read_text())
    assert scores["judge"] == "lexical"
    assert scores["crag"]["all"]["n"] == 10
    assert scores["n_failed"] == 0
    traces = [json.loads(line) for line in (out / "traces.jsonl").read_text().splitlines()]
    assert "directed by Ira Vold" in json.dumps(traces[0])  # it was handed the pages, whatever it made of them
    assert sum(scores["crag"]["all"][name] for name in ("accuracy", "incorrect", "missing")) == pytest.approx(1)
    assert scores["crag"]["weights"]["file"] == "w.json"
    assert "set" in scores["crag"]["weights"]["left_out"]
    again = [*run, "--data-dir", tmp_path / "dd", "--resume", "--window", "2k"]  # another window is another question
    assert main("python -m eval", COMMANDS, [str(a) for a in again]) == 2
    assert "window None, not '2k'" in capsys.readouterr().err
    weights.unlink()
    judge = ["judge", str(out), "--judge", "lexical", "--json", "--data-dir", str(tmp_path / "dd")]
    assert main("python -m eval", COMMANDS, judge) == 0
    assert json.loads(capsys.readouterr().out)["crag"] == scores["crag"]
    assert read_info(out)["weights"]["types"] == {"simple": 1.0}
    weights.write_text("{}")
    assert main("python -m eval", COMMANDS, [*judge, "--weights", str(weights)]) == 2
    assert re.search("no weight in it is above 0", capsys.readouterr().err)


def test_a_question_on_a_false_premise_is_called_invalid(knowledge, tmp_path):
    turn, given = handed(tmp_path / "c.jsonl", 9)
    # Only who is told to says so.
    script = [
        {"match": "take for granted what is not so.*Invalid question.*Ostmere", "reply": "Invalid question [memory]."}
    ]
    with scripted_chat.start(script=script) as server:
        _, answer = asked(crag_answer(assistant("mm-llm", server, knowledge, None), None), turn.query, **given)
    assert (answer.status, answer.text) == ("answered", "Invalid question.")
    line = {
        "query": turn.query,
        "ground_truth": turn.ground_truth,
        "agent_response": answer.text,
        "status": "answered",
    }
    assert judge_lexical(line).verdict == "correct"


def test_windows_that_are_none():
    with pytest.raises(BadInput):
        Window(100, 0)


def test_the_command_asks_a_model_with_the_kg(kg_file, small_index, tmp_path, monkeypatch, capsys):
    kg_file = Path(shutil.copy(kg_file, tmp_path / "kg.sqlite"))
    data, out = write(tmp_path / "crag.jsonl"), tmp_path / "run"
    run = [
        "run",
        "--benchmark",
        "crag",
        "--data",
        data,
        "--split",
        "all",
        "--index",
        small_index,
        "--data-dir",
        tmp_path,
    ]
    with scripted_chat.start(script=[*FOUND, {"tools": True, "reply": "DONE"}, NOTHING]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        model = ["--agent", "chat", "--model", "scripted", "--out", out]
        assert (
            main("python -m eval", COMMANDS, [str(a) for a in [*run, *model, "--kg", kg_file, "--window", "2k"]]) == 0
        )
        capsys.readouterr()
        lines = {line["query"]: line["agent_response"] for line in read_turn_lines(out)}
        assert lines[QUESTION] == "June Abara composed the music of The Grand Lantern."
        options = read_info(out)["options"]
        assert (options["pipeline"], options["kg"], options["window"]) == ("crag", str(kg_file), "2k")
        with sqlite3.connect(kg_file) as base:  # the same path, another KG
            base.execute("UPDATE parts SET entries = entries + 1")
        base.close()
        again = [*run, *model, "--kg", kg_file, "--window", "2k", "--resume"]
        assert main("python -m eval", COMMANDS, list(map(str, again))) == 2
        assert "was started with kg_digest" in capsys.readouterr().err
        for wrong, words in (
            (["--agent", "embedded", "--kg", kg_file], "--kg is called by a model"),
            (["--agent", "chat", "--model", "scripted", "--pipeline", "mm-llm", "--kg", kg_file], "no --pipeline"),
            (["--agent", "chat", "--model", "scripted", "--kg", tmp_path / "none.sqlite"], "none.sqlite"),
        ):
            assert main("python -m eval", COMMANDS, [str(a) for a in [*run, *wrong, "--out", tmp_path / "no"]]) == 2
            assert words in capsys.readouterr().err
