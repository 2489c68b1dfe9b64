"""Evidence handed from outside: which pieces each scenario hands over, in which order, under which labels."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.annotate.sources import FrameSource, picture_ref
from eval.benchmarks.handing import handing, prepared
from eval.benchmarks.registry import BENCHMARKS
from eval.benchmarks.scenarios import Handing, evidence_of, prepare, shortages
from eval.data import datasets
from eval.reports.headline import all_figures
from eval.runs.store import read_info, read_turn_lines
from tests.eval.tiny_world import picture, write_world

AGENT = """
class Agent:
    def __init__(self, **_):
        pass

    def get_batch_size(self):
        return 4

    def batch_generate_response(self, queries, images, message_histories, evidence_list):
        told = [" ".join(p["text"] for p in pieces if p["kind"] != "picture") for pieces in evidence_list]
        seen = [sum("image" in p for p in pieces) for pieces in evidence_list]
        return ["It weighs 340 g." if "340" in t else f"I don't know, of {n} pictures." for t, n in zip(told, seen)]
"""


def write_rows(folder: Path, n: int = 1) -> Path:
    """Questions with two gold passages, three distractors of text and one that is a picture."""
    (folder / "lamp.png").write_bytes(picture())
    (folder / "other.png").write_bytes(picture((1, 2, 3)))
    row = {
        "image": "lamp.png",
        "query": "How heavy is this?",
        "answer": ["It weighs 340 g.", "340 grams"],
        "gold": [
            {"text": "The lamp weighs 340 g.", "url": "https://a.invalid/1", "title": "Lamp"},
            {"subject": "Lamp", "key": "weight", "value": "340 g"},
        ],
        "negatives": [
            *({"text": f"Another lamp, number {i}.", "url": f"https://b.invalid/{i}"} for i in range(3)),
            {"image": "other.png", "url": "https://b.invalid/p", "title": "Other"},
        ],
    }
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": f"q{i}", **row}) + "\n" for i in range(n)))
    return path


def handed(tmp_path: Path, **chosen) -> dict[str, list[str]]:
    data = datasets.load(str(write_rows(tmp_path)))
    asked, pieces = prepare(data, Handing(**chosen))
    assert [turn.interaction_id for sample in asked.samples for turn in sample.turns] == list(pieces)
    return {key: [piece.id for piece in found] for key, found in pieces.items()}


def test_each_scenario_hands_over_its_pieces(tmp_path):
    found = handed(tmp_path, scenarios=("parametric", "oracle", "realistic", "adversarial"))
    assert sorted(found["q0@oracle"]) == ["gold-0", "gold-1"]
    assert found["q0@parametric"] == []
    assert len(found["q0@adversarial-2"]) == 2
    assert all(name.startswith("distractor") for name in found["q0@adversarial-2"])
    mixed = found["q0@realistic-2"]
    assert sorted(name.partition("-")[0] for name in mixed) == ["distractor", "distractor", "gold", "gold"]
    # the distractors beside gold are those without it: what differs is the gold alone
    assert {name for name in mixed if name.startswith("d")} == set(found["q0@adversarial-2"])


def test_a_larger_number_of_distractors_holds_the_smaller(tmp_path):
    found = handed(tmp_path, scenarios=("adversarial",), distractors=(0, 1, 3))
    sizes = {key: set(ids) for key, ids in found.items()}
    assert [len(ids) for ids in sizes.values()] == [0, 1, 3]
    assert sizes["q0@adversarial-1"] < sizes["q0@adversarial-3"]


def test_the_order_is_drawn_by_the_seed(tmp_path):
    orders = {tuple(handed(tmp_path, scenarios=("realistic",), seed=seed)["q0@realistic-2"]) for seed in range(8)}
    again = handed(tmp_path, scenarios=("realistic",), seed=3)
    assert again == handed(tmp_path, scenarios=("realistic",), seed=3)
    assert len({order.index("gold-0") for order in orders}) > 1  # no place tells what is gold


def test_one_modality_alone(tmp_path):
    text = handed(tmp_path, scenarios=("adversarial",), distractors=(10,), negatives="text")
    assert sorted(text["q0@adversarial-10"]) == ["distractor-0", "distractor-1", "distractor-2"]
    pictures = handed(tmp_path, scenarios=("adversarial",), distractors=(10,), negatives="picture")
    assert pictures["q0@adversarial-10"] == ["distractor-3"]


def test_ids_of_pieces_tell_nothing_and_pictures_come_as_bytes(tmp_path):
    data = datasets.load(str(write_rows(tmp_path)))
    _, pieces = prepare(data, Handing(("adversarial",), (10,)))
    found = evidence_of(pieces["q0@adversarial-10"])
    assert [piece.id for piece in found] == [f"given:{n}" for n in range(4)]
    assert [piece.picture for piece in found if piece.kind == "picture"] == [picture((1, 2, 3))]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"scenarios": ("none",)}, "'none'"),
        ({"scenarios": ("oracle", "oracle")}, "twice"),
        ({"scenarios": ("adversarial",), "distractors": (11,)}, "11"),
        ({"scenarios": ("oracle",), "positives": "picture"}, "gold evidence with pictures"),
    ],
)
def test_what_cannot_be_handed_over_is_refused(tmp_path, chosen, words):
    with pytest.raises(BadInput, match=words):
        handed(tmp_path, **chosen)


def test_what_the_data_lack_is_told_and_left_out_where_another_thing_would_be_measured(tmp_path):
    rows = write_rows(tmp_path, 3)
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    lines[0]["gold"] = []
    lines[1]["negatives"] = lines[1]["negatives"][:2]  # no picture
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines))
    data = datasets.load(str(rows))
    chosen = Handing(("oracle", "adversarial"), (0, 3), negatives="picture")
    asked, pieces = prepare(data, chosen)
    assert set(pieces) == {
        *(f"q{n}@oracle" for n in range(3)), *(f"q{n}@adversarial-0" for n in range(3)),
        "q0@adversarial-3", "q2@adversarial-3",
    }  # fmt: skip
    assert len(asked.samples) == len(pieces)
    assert shortages(data, chosen) == [
        "oracle: 1 of 3 turns have no gold evidence and are handed none",
        "adversarial with 3 distractors: 1 of 3 samples lack the modality and are left out",
        "adversarial with 3 distractors: 2 of 2 turns have fewer distractors and are handed all of them",
    ]
    assert shortages(data, Handing(("parametric", "adversarial"))) == []


@pytest.mark.parametrize("text", ["", "two", "1-", "0,1,x"])
def test_numbers_of_distractors_are_read(text):
    assert handing(["all"], "0, 2-4", "both", "both", 0).distractors == (0, 2, 3, 4)
    with pytest.raises(BadInput, match="distractors"):
        handing(["all"], text, "both", "both", 0)


def test_a_world_hands_over_the_gold_it_names(tmp_path):
    data = datasets.load(str(write_world(tmp_path / "w")))
    asked, given = prepared(data, BENCHMARKS["cragmm"], Handing(("oracle",)), queries={"s1-0": "How heavy is it?"})
    assert len(asked.samples) == len(data.samples)
    found = given("s1-0@oracle")
    assert found["query"] == "How heavy is it?"
    assert [(piece.kind, piece.text) for piece in found["evidence"]] == [("attribute", "weight: 340 g")]
    assert given("s2-0@oracle") == {"evidence": ()}
    with pytest.raises(BadInput, match="eval curate"):
        prepared(data, None, Handing(("adversarial",)))


def test_a_world_asked_by_scenario_is_judged_by_its_typed_answers(tmp_path, monkeypatch, capsys):
    """Every turn stands once under each scenario, and each is judged by the gold of the turn that it is."""
    world = write_world(tmp_path / "w")
    (tmp_path / "world_agent.py").write_text(
        AGENT.replace('" ".join(p["text"]', '" ".join("340" * (p["text"] == "weight: 340 g")')
    )
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "run"
    command = ["run", "--data", str(world), "--scenario", "parametric,oracle", "--agent", "world_agent:Agent"]
    assert main("x", COMMANDS, [*command, "--out", str(out), "--data-dir", str(tmp_path / "d")]) == 0
    scores = json.loads((out / "scores.json").read_text())
    assert scores["judge"] == "typed"
    assert scores["n_unjudged"] == 0
    found = {key: judged["verdict"] for key, judged in verdicts(out).items()}
    assert (found["s1-0@parametric"], found["s1-0@oracle"]) == ("missing", "correct")
    # a world's run has the figures of its scenarios, too
    assert scores["deflection"]["oracle"]["accuracy"] > scores["deflection"]["parametric"]["accuracy"] == 0
    assert re.search(r"^Accuracy, oracle +0\.\d", capsys.readouterr().out, re.MULTILINE)
    info = json.loads((out / "run.json").read_text())
    assert "deflection.oracle.accuracy" in [figure.key for figure in all_figures(scores, info)]


def verdicts(run: Path) -> dict[str, dict]:
    lines = map(json.loads, (run / "judgements.jsonl").read_text().splitlines())
    return {line["interaction_id"]: line for line in lines}


def test_any_agent_that_takes_evidence_is_measured_by_scenario(tmp_path, monkeypatch, capsys):
    rows = write_rows(tmp_path, 3)
    (tmp_path / "handed_agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "run"
    command = ["run", "--data", str(rows), "--benchmark", "deflection", "--scenario", "all", "--out", str(out)]
    options = ["--agent", "handed_agent:Agent", "--data-dir", str(tmp_path / "d"), "--judge", "exact"]
    assert main("x", COMMANDS, [*command, *options]) == 0
    lines = {line["interaction_id"]: line for line in read_turn_lines(out)}
    assert len(lines) == 12
    assert lines["q0@oracle"]["agent_response"] == "It weighs 340 g."
    assert lines["q0@adversarial-2"]["labels"]["scenario"] == "adversarial"
    ref = picture_ref(read_info(out), lines["q0@adversarial-2"])
    assert ref.session_id == "q0"
    assert FrameSource(tmp_path / "d").frame(ref).width_px == 96
    scores = json.loads((out / "scores.json").read_text())["deflection"]
    shares = {name: scores[name]["accuracy"] for name in ("parametric", "oracle", "realistic", "adversarial")}
    assert shares == {"parametric": 0.0, "oracle": 1.0, "realistic": 1.0, "adversarial": 0.0}
    assert scores["adversarial"]["deflection"] == scores["parametric"]["deflection"] == 1.0
    capsys.readouterr()
    assert main("x", COMMANDS, [*command, *options, "--resume", "--scenario-seed", "5"]) == 2
    assert "handing" in capsys.readouterr().err
    wrong = ["run", "--data", str(rows), "--benchmark", "cragmm", *options, "--out", str(tmp_path / "no")]
    assert main("x", COMMANDS, wrong) == 2
    assert "whose rows are those of deflection" in capsys.readouterr().err


def test_a_picture_that_breaks_when_it_is_shown_fails_its_own_turn_alone(tmp_path, monkeypatch):
    rows = write_rows(tmp_path, 3)
    (tmp_path / "cut.png").write_bytes(picture()[:60])
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    lines[1]["gold"].append({"image": "cut.png"})
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "batched_agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    command = ["run", "--data", str(rows), "--scenario", "oracle", "--agent", "batched_agent:Agent"]
    out = tmp_path / "run"
    assert (
        main("x", COMMANDS, [*command, "--out", str(out), "--data-dir", str(tmp_path / "d"), "--judge", "exact"]) == 0
    )
    told = {line["interaction_id"]: (line["status"], line["reason"]) for line in read_turn_lines(out)}
    assert told["q0@oracle"] == told["q2@oracle"] == ("answered", "")
    assert told["q1@oracle"][0] == "error"
    assert "a picture among its evidence" in told["q1@oracle"][1]
