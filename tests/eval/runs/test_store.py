"""The run folder when things go wrong, and the small readers around a run: cuts, full queries, versions."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from assistant.core.errors import BadInput
from assistant.core.events import Finished
from assistant.core.types import Answer, Turn
from eval.data import datasets
from eval.data.full_queries import read_full_queries
from eval.runs.answer_cut import MAX_TOKENS, answer_cut, llama_cut
from eval.runs.reading import read_turn_heads
from eval.runs.runner import generate
from eval.runs.store import RunFolder, RunNotWritten, read_turn_lines
from eval.runs.versions import versions


def samples(tmp_path, turns=12):
    path = tmp_path / "d.jsonl"
    path.write_text("\n".join(json.dumps({"query": f"q{i}", "ground_truth": "x"}) for i in range(turns)))
    return datasets.load(str(path)).samples


def answer(conversation, question, frame, *, given=None):
    yield Finished(Turn(question, Answer(f"to {question}", "answered")))


class Full:
    """A file on a disk that holds `room` more bytes."""

    def __init__(self, file, room):
        self._file, self.room = file, room

    def write(self, data):
        if self.room <= 0:
            raise OSError(28, os.strerror(28))
        written = self._file.write(bytes(data[: self.room]))
        self.room -= written
        return written

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("name", ["turns.jsonl", "traces.jsonl"])
def test_a_full_disk_is_one_sentence_and_what_was_finished_is_safe(tmp_path, name):
    wanted = samples(tmp_path)
    folder = RunFolder.open(tmp_path / "r", {"options": {}}, resume=False)
    with folder:
        folder._files[name] = Full(folder._files[name], 1500)
        with pytest.raises(RunNotWritten, match=r"No space left on device.*--resume"):
            generate(wanted, answer, folder, concurrency=3)
    before = {line["interaction_id"] for line in read_turn_lines(tmp_path / "r")}
    assert 0 < len(before) < len(wanted)
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=True) as folder:
        made = generate(wanted, answer, folder, concurrency=3)
    assert (made.kept, made.made) == (len(before), len(wanted) - len(before))
    lines = read_turn_lines(tmp_path / "r")
    assert sorted(line["interaction_id"] for line in lines) == sorted(s.turns[0].interaction_id for s in wanted)


def test_no_rights_is_one_sentence(tmp_path):
    """In a process without root's rights, for which file modes mean nothing."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0o500)
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from eval.runs.store import RunFolder, RunNotWritten\n"
        "if os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "try: RunFolder.open(Path(sys.argv[1]), {'options': {}}, resume=False)\n"
        "except RunNotWritten as problem: print(problem); sys.exit(1)\n"
    )
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid() and parent.name.startswith("pytest"):
            parent.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "closed" / "r")], capture_output=True, text=True)
    if "Permission denied: '" in done.stderr and "eval" in done.stderr:
        pytest.skip("the project itself cannot be read without root's rights here")
    assert done.returncode == 1, done.stderr
    assert "cannot be used as --out (Permission denied)" in done.stdout
    assert done.stdout.count("\n") == 1


def test_half_lines_in_any_log_are_cut_off_when_the_run_is_taken_up(tmp_path):
    wanted = samples(tmp_path, 4)
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=False) as folder:
        generate(wanted[:3], answer, folder)
        folder.add_judgement({"interaction_id": "a", "judge": "exact", "verdict": None})
    for name in ("turns.jsonl", "traces.jsonl", "judgements.jsonl"):
        with (tmp_path / "r" / name).open("ab") as file:
            file.write(b'{"interaction_id": "half')
    assert len(read_turn_lines(tmp_path / "r")) == 3
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=True) as folder:
        generate(wanted, answer, folder)
        assert [found["interaction_id"] for found in folder.judgements()] == ["a"]
        for line in folder.turns():
            assert folder.trace(line)["interaction_id"] == line["interaction_id"]
    assert len(read_turn_lines(tmp_path / "r")) == 4


def test_a_trace_without_its_turn_is_no_turn(tmp_path):
    """Killed between the two lines: the turn is made again, and finds its own trace."""
    wanted = samples(tmp_path, 2)
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=False) as folder:
        generate(wanted[:1], answer, folder)
        folder._append("traces.jsonl", {"interaction_id": wanted[1].turns[0].interaction_id, "turn": "lost"})
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=True) as folder:
        assert generate(wanted, answer, folder).made == 1
        assert folder.trace(folder.turns()[1])["turn"]["question"] == "q1"


def test_what_lies_beside_a_run_that_never_began_is_no_obstacle(tmp_path):
    run = tmp_path / "r"
    run.mkdir()
    for name in ("lock", ".run.json.tmp", "control.json", "progress.json", "worker.log"):
        (run / name).write_text("{")
    RunFolder.open(run, {"options": {}}, resume=False).close()
    assert json.loads((run / "run.json").read_text())["options"] == {}


def test_reading_heads_costs_little_more_than_parsing_the_lines(tmp_path):
    """A page lists runs of a hundred thousand turns; a ratio in one process, as seconds depend on the machine."""
    import time

    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=False) as folder:
        generate(samples(tmp_path, 1), answer, folder)
    line = (tmp_path / "r" / "turns.jsonl").read_bytes()
    (tmp_path / "r" / "turns.jsonl").write_bytes(line * 20_000)
    begun = time.process_time()
    parsed = [json.loads(line) for _ in range(20_000)]
    to_parse_s = time.process_time() - begun
    begun = time.process_time()
    assert sum(1 for _ in read_turn_heads(tmp_path / "r")) == len(parsed)
    assert time.process_time() - begun < 4 * to_parse_s


def test_the_cut_is_the_public_evaluators_where_its_tokenizer_is(tmp_path):
    """A stand-in for Llama's file: words as tokens, a begin-of-text token that counts and is dropped."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from tokenizers import decoders as made_of

    words = ["<|begin|>", *(f"▁w{i}" for i in range(200)), "<unk>"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = made_of.Metaspace()
    tokenizer.add_special_tokens(["<|begin|>"])
    tokenizer.post_processor = processors.TemplateProcessing("<|begin|> $A", None, [("<|begin|>", 0)])
    repo = tmp_path / "models--meta-llama--Llama-3.2-1B-Instruct"
    (repo / "snapshots" / "abc").mkdir(parents=True)
    (repo / "refs").mkdir()
    (repo / "refs" / "main").write_text("abc")
    tokenizer.save(str(repo / "snapshots" / "abc" / "tokenizer.json"))
    found = answer_cut(tmp_path)
    assert found.name == "meta-llama/Llama-3.2-1B-Instruct"
    text = " ".join(f"w{i}" for i in range(120))
    assert found.cut(text) == " ".join(f"w{i}" for i in range(MAX_TOKENS - 1))
    short = " ".join(f"w{i}" for i in range(MAX_TOKENS - 1))
    assert found.cut(short) == short
    assert llama_cut(tokenizer)("") == ""


def test_without_it_minilm_cuts_the_answers_own_text(tmp_path):
    found = answer_cut(tmp_path)
    assert found.name == "sentence-transformers/all-MiniLM-L6-v2"
    assert found.cut("Weiß & GRÜN, " * 3) == "Weiß & GRÜN, " * 3
    text = "One Two, " * 60
    assert found.cut(text) == text[: len("One Two, " * 25) - 1]  # three word pieces a round
    assert found.cut("x" * 100_000)


def test_full_queries_are_read_as_the_kit_reads_them(tmp_path):
    path = tmp_path / "full.jsonl"
    rows = [
        {"interaction_id": "a", "query": "q", "agent_response": json.dumps({"updated_question": "the lamp's weight"})},
        {"interaction_id": "b", "query": "as it was", "agent_response": "prose"},
        {"interaction_id": "c", "query": "as it was", "agent_response": json.dumps({"other": 1})},
        {"interaction_id": "d", "query": "q"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    assert read_full_queries(path) == {"a": "the lamp's weight", "b": "as it was", "c": "as it was"}
    for text, said in (("{}\n{half", "line 2"), ("[1]", "line 1"), ("{}", "holds no question")):
        path.write_text(text)
        with pytest.raises(BadInput, match=said):
            read_full_queries(path)


def test_versions_name_what_can_change_an_answer():
    found = versions()
    assert found["vitrine"]
    assert {"numpy", "opencv-python-headless", "chromadb"} <= set(found["packages"])
