"""`eval run` with an agent by rote: order and history, failures, resuming, locks, what is opened when."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from assistant import factory as services
from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.runs.store import RunFolder, read_turn_lines
from tests.eval.agents.scripted_agent import ScriptedAssistant, count
from tests.eval.runs.opened import Watch
from tests.eval.tiny_world import picture, row, write_parquet, write_world


@pytest.fixture
def world(tmp_path):
    return write_world(tmp_path / "world")


@pytest.fixture
def agent(monkeypatch):
    """Replace the assistant: `agent(rote)` returns it. No index is built."""

    def install(rote=count, **options):
        scripted = ScriptedAssistant(rote, **options)
        monkeypatch.setattr(services, "open_assistant", lambda settings, progress=None, **more: scripted)
        monkeypatch.setattr(index_cache, "world_index", lambda world, settings: world / "index")
        return scripted

    return install


def run(*arguments):
    return main("python -m eval", COMMANDS, ["run", *map(str, arguments)])


ANSWERS = {
    "How heavy is this?": "The Amber Lamp weighs 0.34 kg.",
    "And this?": "I don't know: nothing was found.",
    "Who made this?": "It is made by Nordlicht.",
    "How many parts has it?": "It has 14 parts.",
    "Is it waterproof?": "No, it is not.",
}


def test_a_run_is_judged_and_scored(world, agent, tmp_path, capsys):
    agent(lambda conversation, question: ANSWERS[question])
    assert run("--data", world, "--out", tmp_path / "r", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores == json.loads((tmp_path / "r" / "scores.json").read_text())
    assert (scores["n"], scores["n_failed"], scores["judge"]) == (5, 0, "typed")
    # s1 right, s2 missing, m1: right, wrong, right
    assert scores["paper"]["truthfulness"] == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert scores["public"]["all"]["correct"] == 3.0
    assert scores["public"]["ego"]["total"] == 4.0
    slices = scores["slices"]
    assert slices["popularity"]["tail"]["missing"] == 1.0
    assert slices["indexed"]["yes"]["n"] == 3
    assert slices["needs_history"]["yes"]["hallucination_rate"] == 1.0
    assert set(slices["domain"]) == {"shopping", "food", "book"}  # the conversation's domain is its first turn's
    info = json.loads((tmp_path / "r" / "run.json").read_text())
    assert info["state"] == "finished"
    assert info["format_version"] == 1
    assert [row["session_id"] for row in info["unusable"]] == ["s3"]
    lines = (tmp_path / "r" / "turns.jsonl").read_text().splitlines()
    assert all(len(line) < 1024 for line in lines)
    kept = [json.loads(line) for line in (tmp_path / "r" / "judgements.jsonl").read_text().splitlines()]
    assert {j["verdict"] for j in kept} == {"correct", "missing", "wrong"}
    assert all(j["judge"] == "typed" and j["why"] for j in kept)


def test_own_earlier_answers_are_the_history(world, agent, tmp_path):
    scripted = agent()
    run("--data", world, "--out", tmp_path / "r", "--set", "multi")
    answers = [line["agent_response"] for line in read_turn_lines(tmp_path / "r")]
    assert answers == ["after 0: nothing", "after 1: after 0: nothing", "after 2: after 1: after 0: no"]
    assert [frame.pixels.shape for _, _, frame, _ in scripted.calls] == [(1280, 960, 3)] * 3
    histories = [line["interaction_id_history"] for line in read_turn_lines(tmp_path / "r")]
    assert histories == [[], ["m1-0"], ["m1-0", "m1-1"]]


def test_a_turn_that_raises_is_an_error_and_the_run_goes_on(world, agent, tmp_path, capsys):
    def rote(conversation, question):
        if question == "How many parts has it?":
            raise RuntimeError("secret details")
        return ANSWERS[question]

    agent(rote)
    assert run("--data", world, "--out", tmp_path / "r", "--json") == 0
    out = capsys.readouterr().out
    scores = json.loads(out)
    assert (scores["n"], scores["n_failed"]) == (5, 1)
    lines = {line["interaction_id"]: line for line in read_turn_lines(tmp_path / "r")}
    assert lines["m1-1"]["status"] == "error"
    assert lines["m1-1"]["agent_response"] == ""
    assert lines["m1-2"]["status"] == "answered"
    assert "secret" not in lines["m1-1"]["reason"]
    assert "secret details" in (tmp_path / "r" / "traces.jsonl").read_text()
    judged = (tmp_path / "r" / "judgements.jsonl").read_text()
    assert "m1-1" not in judged
    assert scores["paper"]["missing"] == pytest.approx(2 / 5)  # ours: missing
    assert scores["public"]["all"]["hallucination"] == 1.0  # the public reading: an empty answer


def test_an_empty_url_is_egocentric_but_not_to_the_public_evaluator(agent, tmp_path, capsys):
    agent()
    turn = {"query": "q", "answer": "t"}
    write_parquet(tmp_path / "r.parquet", [row("a", [turn], picture(), ""), row("b", [turn], picture(), None)])
    assert run("--data", tmp_path / "r.parquet", "--out", tmp_path / "r", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["slices"]["ego"]["yes"]["n"] == 2
    assert scores["public"]["ego"]["total"] == 1.0


def test_long_answers_are_cut_for_scores_and_history_and_kept_whole(world, agent, tmp_path):
    long = "very " * 500 + "long"
    scripted = agent(lambda conversation, question: long)
    run("--data", world, "--out", tmp_path / "r")
    cut = ("very " * 75).strip()
    lines = read_turn_lines(tmp_path / "r")
    assert {line["agent_response"] for line in lines} == {cut}
    assert {line["agent_response_uncut"] for line in lines} == {long}
    assert max(map(len, (tmp_path / "r" / "turns.jsonl").read_text().splitlines())) < 1024
    assert [t.answer.text for t in scripted.calls[-1][0].turns] == [cut, cut]
    info = json.loads((tmp_path / "r" / "run.json").read_text())
    assert info["tokenizer"] == "sentence-transformers/all-MiniLM-L6-v2"


def test_a_picture_that_cannot_be_read_is_left_out_and_listed(agent, tmp_path, capsys):
    agent()
    (tmp_path / "good.png").write_bytes(picture())
    (tmp_path / "bad.png").write_bytes(picture()[:60])
    rows = [{"image": f"{name}.png", "query": "q", "ground_truth": "t"} for name in ("bad", "good")]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run("--data", tmp_path / "d.jsonl", "--out", tmp_path / "r", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert (scores["n"], scores["judge"]) == (1, "exact")
    assert len(json.loads((tmp_path / "r" / "run.json").read_text())["unusable"]) == 1


def test_an_existing_run_is_only_resumed_on_request_and_with_the_same_options(world, agent, tmp_path, capsys):
    scripted = agent()
    out = tmp_path / "r"
    assert run("--data", world, "--out", out) == 0
    assert run("--data", world, "--out", out) == 2
    assert "--resume" in capsys.readouterr().err
    assert run("--data", world, "--out", out, "--resume", "--limit", 1) == 2
    assert "limit" in capsys.readouterr().err
    calls = len(scripted.calls)
    before = (out / "turns.jsonl").read_bytes(), (out / "judgements.jsonl").read_bytes()
    assert run("--data", world, "--out", out, "--resume") == 0
    assert len(scripted.calls) == calls
    assert ((out / "turns.jsonl").read_bytes(), (out / "judgements.jsonl").read_bytes()) == before


def test_a_run_can_be_judged_again_by_another_judge(world, agent, tmp_path, capsys):
    scripted = agent(lambda conversation, question: ANSWERS[question])
    run("--data", world, "--out", tmp_path / "r")
    calls = len(scripted.calls)
    capsys.readouterr()
    assert run("--data", world, "--out", tmp_path / "r", "--resume", "--judge", "exact", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert len(scripted.calls) == calls
    assert (scores["judge"], scores["public"]["all"]["correct"]) == ("exact", 1.0)
    kept = [json.loads(line)["judge"] for line in (tmp_path / "r" / "judgements.jsonl").read_text().splitlines()]
    assert kept == ["typed"] * 5 + ["exact"] * 5


def test_failed_turns_can_be_made_again_with_what_followed_them(world, agent, tmp_path, capsys):
    broken = [True]

    def rote(conversation, question):
        if broken[0] and question in ("And this?", "How many parts has it?"):
            raise RuntimeError("out of order")
        return count(conversation, question)

    scripted = agent(rote)
    out = tmp_path / "r"
    run("--data", world, "--out", out)
    assert run("--data", world, "--out", out, "--resume") == 0
    assert len(scripted.calls) == 5  # a failed turn is finished, unless it is asked for again
    broken[0] = False
    capsys.readouterr()
    assert run("--data", world, "--out", out, "--resume", "--retry-failed", "--json") == 0
    shown = capsys.readouterr()
    assert "3 turns are made again" in shown.err
    assert [question for _, question, *_ in scripted.calls[5:]] == [
        "And this?",
        "How many parts has it?",
        "Is it waterproof?",
    ]
    lines = {line["interaction_id"]: line for line in read_turn_lines(out)}
    assert len(lines) == len((out / "turns.jsonl").read_text().splitlines()) == 5
    assert lines["m1-2"]["agent_response"] == "after 2: after 1: after 0: no"
    assert json.loads(shown.out)["n_failed"] == 0
    judged = [json.loads(line)["interaction_id"] for line in (out / "judgements.jsonl").read_text().splitlines()]
    assert sorted(judged) == sorted(lines)


def test_a_half_line_at_the_end_is_made_anew(world, agent, tmp_path):
    scripted = agent()
    out = tmp_path / "r"
    run("--data", world, "--out", out)
    whole = (out / "turns.jsonl").read_bytes()
    (out / "turns.jsonl").write_bytes(whole[:-40])
    before = len(scripted.calls)
    assert run("--data", world, "--out", out, "--resume") == 0
    assert len(scripted.calls) == before + 1
    assert [line["interaction_id"] for line in read_turn_lines(out)] == ["s1-0", "s2-0", "m1-0", "m1-1", "m1-2"]
    assert read_turn_lines(out)[-1]["agent_response"] == "after 2: after 1: after 0: no"  # the history came back


@pytest.mark.parametrize("spoilt", ["{spoilt", "[]", "null", "{}", "7", '{"interaction_id": 3}', "[" * 100_000])
def test_a_spoilt_line_in_the_middle_is_named_and_its_turn_made_anew(world, agent, tmp_path, capsys, spoilt):
    scripted = agent()
    out = tmp_path / "r"
    run("--data", world, "--out", out)
    whole = sorted(line["interaction_id"] for line in read_turn_lines(out))
    lines = (out / "turns.jsonl").read_text().splitlines(keepends=True)
    (out / "turns.jsonl").write_text("".join([lines[0], spoilt + "\n", *lines[2:]]))
    before = len(scripted.calls)
    capsys.readouterr()
    assert run("--data", world, "--out", out, "--resume") == 0
    assert f"1 line of {str(out / 'turns.jsonl')!r} left out: line 2 " in capsys.readouterr().err
    assert len(scripted.calls) == before + 1
    assert sorted(line["interaction_id"] for line in read_turn_lines(out)) == whole


@pytest.mark.parametrize("traces", [None, "", "[]\n", '{"interaction_id": "m1-0"}\n' * 20])
def test_a_conversation_whose_traces_are_gone_is_not_gone_on_with(world, agent, tmp_path, capsys, traces):
    agent()
    out = tmp_path / "r"
    run("--data", world, "--out", out)
    lines = (out / "turns.jsonl").read_text().splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["interaction_id"] not in ("m1-2", "s2-0")]
    (out / "turns.jsonl").write_text("".join(kept))
    if traces is None:
        (out / "traces.jsonl").unlink()
    else:
        (out / "traces.jsonl").write_text(traces)
    capsys.readouterr()
    assert run("--data", world, "--out", out, "--resume") == 0
    assert {line["interaction_id"] for line in read_turn_lines(out)} == {"s1-0", "s2-0", "m1-0", "m1-1"}
    left_out = {row["session_id"]: row["why"] for row in json.loads((out / "run.json").read_text())["unusable"]}
    assert "its trace is not in traces.jsonl" in left_out["m1"] or "is no trace" in left_out["m1"]


def test_failed_turns_are_made_again_beside_lines_of_another_shape(world, agent, tmp_path, capsys):
    def fails(conversation, question):
        raise RuntimeError("no")

    out = tmp_path / "r"
    agent(fails)
    run("--data", world, "--out", out)
    agent()
    for name in ("turns.jsonl", "judgements.jsonl"):
        with (out / name).open("a") as file:
            file.write("[]\n{half\n3\n")
    assert run("--data", world, "--out", out, "--resume", "--retry-failed") == 0
    assert all(line["status"] == "answered" for line in read_turn_lines(out))
    assert (out / "turns.jsonl").read_text().startswith("[]\n{half\n3\n")


def test_ids_of_any_length_stay_in_their_lines(agent, tmp_path):
    agent()
    rows = [row("s" * 400, [{"query": "q" * 400, "answer": "a"}], picture())]
    write_parquet(tmp_path / "d.parquet", rows)
    assert run("--data", tmp_path / "d.parquet", "--out", tmp_path / "r") == 0
    (line,) = read_turn_lines(tmp_path / "r")
    assert (line["session_id"], line["query"]) == ("s" * 400, "q" * 400)
    assert run("--data", tmp_path / "d.parquet", "--out", tmp_path / "r", "--resume") == 0
    assert len(read_turn_lines(tmp_path / "r")) == 1


def test_one_process_at_a_time(tmp_path):
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=False):
        code = (
            "import sys; from pathlib import Path; from eval.runs.store import RunFolder\n"
            "from assistant.core.errors import BadInput\n"
            "try: RunFolder.open(Path(sys.argv[1]), {'options': {}}, resume=True)\n"
            "except BadInput as e: print(e); sys.exit(2)\n"
        )
        other = subprocess.run([sys.executable, "-c", code, str(tmp_path / "r")], capture_output=True, text=True)
        assert other.returncode == 2
        assert "another process" in other.stdout
    RunFolder.open(tmp_path / "r", {"options": {}}, resume=True).close()


def test_a_run_that_cannot_begin_leaves_nothing(world, agent, tmp_path, monkeypatch, capsys):
    agent()

    def refuse(settings, progress=None, **more):
        raise BadInput("there is no index here")

    monkeypatch.setattr(services, "open_assistant", refuse)
    assert run("--data", world, "--out", tmp_path / "r", "--index", tmp_path / "nothing") == 2
    assert capsys.readouterr().err.endswith("there is no index here\n")
    assert not (tmp_path / "r").exists()


def test_folders_that_are_no_runs_are_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(BadInput, match="holds no run"):
        RunFolder.open(tmp_path / "mine", {"options": {}}, resume=True)
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is a file"):
        RunFolder.open(tmp_path / "file", {"options": {}}, resume=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "chat"], "no chat endpoint is configured"),
        (["--agent", "local", "--model", "no/such"], "model get no/such"),
        (["--model", "x"], "--agent chat"),
        (["--agent-option", "x=1"], "module:Class"),
        (["--agent", "json:Decoder"], "has no class 'Decoder'"),
        (["--agent", "json:JSONDecoder"], "no method 'get_batch_size'"),
        (["--full-queries", "nowhere.jsonl"], "cannot be read as --full-queries"),
        (["--tries", "0"], "--tries"),
        (["--retry-failed"], "add --resume"),
        (["--agent", "my.module:Agent"], "there is no module 'my.module'"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--pipeline", "task1"], "goes with --agent chat"),
        (["--pipeline", "vitrine"], "goes with --agent chat"),
        (["--pipeline", "x"], "there is no pipeline 'x'"),
        (["--strictness", "soft"], "goes with --agent chat"),
        (["--prompts", "."], "goes with --agent chat"),
        (["--budget", "10"], "goes with --agent chat"),
        (["--task", "1", "--agent", "json:Decoder"], "limits the sources of agents of ours"),
        (["--judge", "llm"], "no chat endpoint is configured"),
        (["--concurrency", "0"], "--concurrency"),
        (["--split", "test"], "--split"),
        (["--data", "one/two"], "not on this machine"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(world, agent, tmp_path, capsys, arguments, said):
    agent()
    assert run("--data", world, "--out", tmp_path / "r", *arguments) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_typed_and_give_need_a_world(agent, tmp_path, capsys):
    agent()
    (tmp_path / "d.jsonl").write_text('{"query": "q", "ground_truth": "t"}')
    for option in (["--judge", "typed"], ["--give", "entity"]):
        assert run("--data", tmp_path / "d.jsonl", "--out", tmp_path / "r", *option) == 2
        assert "generated world" in capsys.readouterr().err


def test_rows_without_any_picture_are_no_run(agent, tmp_path, capsys):
    (tmp_path / "d.jsonl").write_text('{"image": "lost.png", "query": "q", "ground_truth": "t"}')
    assert run("--data", tmp_path / "d.jsonl", "--out", tmp_path / "r") == 2
    assert "none of the 1 rows" in capsys.readouterr().err


def test_give_hands_in_gold_and_only_what_was_asked_for(world, agent, tmp_path):
    scripted = agent()
    run("--data", world, "--out", tmp_path / "r", "--give", "entity")
    assert [g for *_, g in scripted.calls] == [{"entity": "Amber Lamp"}, None, *[{"entity": "Amber Lamp"}] * 2,
                                               {"entity": "Unknown Jar"}]  # fmt: skip
    scripted.calls.clear()
    run("--data", world, "--out", tmp_path / "q", "--give", "query", "--set", "single")
    assert [g for *_, g in scripted.calls] == [{"query": "w?"}, None]


@pytest.fixture(scope="module")
def watch():
    return Watch()


def test_gold_is_opened_by_the_judge_only_after_the_answers(world, agent, tmp_path, watch):
    seen = []

    def rote(conversation, question):
        seen.append(list(watch.opened))
        return "I don't know."

    agent(rote)
    watch.folder, watch.opened = world / "gold", []
    try:
        assert run("--data", world, "--out", tmp_path / "r") == 0
    finally:
        watch.folder = None
    assert seen == [[]] * 5
    assert watch.opened  # the judge did read it, so the watch works


def test_gold_stays_closed_under_the_exact_judge(world, agent, tmp_path, watch, capsys):
    agent(lambda conversation, question: ANSWERS[question])
    watch.folder, watch.opened = world / "gold", []
    try:
        assert run("--data", world, "--out", tmp_path / "r", "--judge", "exact", "--json") == 0
    finally:
        watch.folder = None
    assert watch.opened == []
    assert "indexed" not in json.loads(capsys.readouterr().out)["slices"]


def test_a_world_without_gold_is_judged_by_the_exact_rule(world, agent, tmp_path, capsys):
    agent()
    (world / "gold" / "turns.jsonl").unlink()
    assert run("--data", world, "--out", tmp_path / "r", "--json") == 0
    assert json.loads(capsys.readouterr().out)["judge"] == "exact"
    assert run("--data", world, "--out", tmp_path / "q", "--judge", "typed") == 2


def test_gold_is_opened_by_recognise_only_after_the_predictions(world, agent, watch, monkeypatch, capsys):
    scripted = agent()
    seen = []
    plain = scripted.recognise

    def recognise(question, frame):
        seen.append(list(watch.opened))
        return plain(question, frame)

    monkeypatch.setattr(scripted, "recognise", recognise)
    watch.folder, watch.opened = world / "gold", []
    try:
        assert main("python -m eval", COMMANDS, ["recognise", "--data", str(world), "--json"]) == 0
    finally:
        watch.folder = None
    assert seen == [[]] * 3
    assert watch.opened
    counts = json.loads(capsys.readouterr().out)
    assert counts["indexed"] == {"n": 2, "right": 2, "wrong": 0, "none": 0}


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed_loses_nothing_and_does_nothing_twice(tmp_path):
    (tmp_path / "a.png").write_bytes(picture(size=(24, 24)))
    rows = [
        {"image": "a.png", "turns": [{"query": f"{i}/{j}", "ground_truth": "x"} for j in range(1 + i % 4)]}
        for i in range(24)
    ]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = [sys.executable, "-m", "tests.eval.agents.scripted_agent", str(tmp_path / "log"), "0.02"]
    options = ["--data", str(tmp_path / "d.jsonl"), "--out", str(tmp_path / "r"), "--resume", "--concurrency", "3"]
    kills = 0
    finished: set[str] = set()
    for wait_s in (0.9, 1.0, 1.1, 1.2):
        process = subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait_s)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = (
            {line["interaction_id"] for line in read_turn_lines(tmp_path / "r")} if (tmp_path / "r").exists() else set()
        )
        assert finished <= now
        finished = now
    last = subprocess.run([*command, *options, "--json"], capture_output=True, text=True, timeout=60)
    assert last.returncode == 0, last.stderr
    lines = read_turn_lines(tmp_path / "r")
    assert len(lines) == len({line["interaction_id"] for line in lines}) == sum(1 + i % 4 for i in range(24))
    for line in lines:  # every answer knows exactly the turns before it
        assert line["agent_response"].startswith(f"after {line['turn_idx']}:")
    calls = (tmp_path / "log").read_text().splitlines()
    assert len(calls) - len(set(calls)) <= 3 * kills  # only turns that were open at a kill were asked again


@pytest.mark.slow
def test_ctrl_c_leaves_a_readable_run(tmp_path):
    rows = [{"query": f"q{i}", "ground_truth": "x"} for i in range(200)]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = [sys.executable, "-m", "tests.eval.agents.scripted_agent", str(tmp_path / "log"), "0.05"]
    options = ["--data", str(tmp_path / "d.jsonl"), "--out", str(tmp_path / "r")]
    process = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests started in the background ignore it
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (tmp_path / "log").exists():
        time.sleep(0.05)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=20)
    assert process.returncode == 130, shown
    assert "go on with --resume" in shown
    scores = json.loads((tmp_path / "r" / "scores.json").read_text())
    assert 0 < scores["n"] < 200
    assert json.loads((tmp_path / "r" / "run.json").read_text())["state"] == "cancelled"
