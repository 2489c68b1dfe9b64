"""Data that are not as they should be: one sentence that names the line, the row or the column."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assistant.core.errors import BadInput
from eval.data.datasets import Reading, load
from eval.data.label_names import read_label_file
from tests.eval.data.crag_sets import MULTI, crag_row, data_set

GOOD = {"query": "q", "ground_truth": "t"}


def lines(path: Path, rows: list) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def plain(session: str, **changes) -> dict:
    row = crag_row(session, MULTI, old=True)
    row.pop("image")
    return {**row, **changes}


def test_half_a_line_at_the_end_is_named(tmp_path):
    (tmp_path / "d.jsonl").write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD)[:-9])
    with pytest.raises(BadInput, match=r"line 2 of .*d\.jsonl' is not JSON"):
        load(str(tmp_path / "d.jsonl"))
    (tmp_path / "d.json").write_text(json.dumps([GOOD, GOOD])[:-4])
    with pytest.raises(BadInput, match=r"no complete JSON list .*line 1 column"):
        load(str(tmp_path / "d.json"))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"session_id": ["a"], "turns": [{"query": ["q"]}]}, "has no column 'answers'"),
        ({"question": ["q"]}, "has no column 'session_id'.*its columns: question"),
        ({"session_id": ["a"], "turns": ["q"], "answers": ["a"]}, "the column 'turns' .* is string"),
        (
            {"session_id": ["a"], "turns": [{"query": ["q"]}], "answers": [{"interaction_id": ["1"]}]},
            "the column 'turns' .* has no 'interaction_id'",
        ),
        (
            {
                "session_id": ["a"],
                "turns": [[{"query": "q", "interaction_id": "1"}]],
                "answers": [[{"interaction_id": "1", "answer": "a"}]],
            },
            "the column 'answers' .* has no 'ans_full': .*it has interaction_id, answer",
        ),
    ],
)
def test_wrong_columns_are_named(tmp_path, table, said):
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    with pytest.raises(BadInput, match=said):
        load(str(tmp_path / "t.parquet"))


def test_other_keys_in_a_small_file_are_named_with_their_line(tmp_path):
    (tmp_path / "d.jsonl").write_text('{"query": "q", "ground_truth": "a"}\n{"question": "q", "answer": "a"}\n')
    with pytest.raises(BadInput, match=r"line 2 of 'd\.jsonl' has no 'query' \(its columns: question, answer\)"):
        load(str(tmp_path / "d.jsonl"))


def test_labels_of_two_types_are_named_with_both_rows(tmp_path):
    rows = [{**GOOD, "domain": 3}, {**GOOD}, {**GOOD, "domain": "food"}]
    with pytest.raises(BadInput, match=r"line 3 of 'd\.jsonl' has 'food' as 'domain', a text, where line 1 .*--labels"):
        load(lines(tmp_path / "d.jsonl", rows))
    rows[2]["domain"] = [1, 2]
    with pytest.raises(BadInput, match=r"line 3 .* has \[1, 2\] as 'domain'"):
        load(lines(tmp_path / "d.jsonl", rows))
    rows[2]["domain"] = 4.0  # what a column with gaps becomes on its way through other tools
    rows[1]["domain"] = float("nan")
    labels = [s.turns[0].domain for s in load(lines(tmp_path / "d.jsonl", rows)).samples]
    assert labels == [3, None, 4]
    assert all(isinstance(label, int | None) for label in labels)


def test_labels_of_two_types_in_the_benchmarks_rows(tmp_path):
    rows = [plain("a", image_url="x"), plain("b", image_url="x")]
    rows[1]["turns"][0]["dynamism"] = "static"
    (tmp_path / "r.json").write_text(json.dumps(rows))
    with pytest.raises(BadInput, match=r"turn 0 in row 1 of 'r\.json' has 'static' as 'dynamism', a text"):
        load(str(tmp_path / "r.json"))


def test_ids_that_stand_twice_are_named_with_their_rows(tmp_path):
    data_set([crag_row("a", MULTI), crag_row("b", MULTI), crag_row("a", MULTI)], MULTI).to_parquet(
        tmp_path / "d.parquet"
    )
    with pytest.raises(BadInput, match=r"interaction id 'a-0' stands twice: in row 0 and row 2 of .*d\.parquet'"):
        load(str(tmp_path / "d.parquet"))
    row = crag_row("a", MULTI, [{}, {}])
    row["turns"]["interaction_id"] = row["answers"]["interaction_id"] = ["x", "x"]
    data_set([row], MULTI).to_parquet(tmp_path / "d.parquet")
    with pytest.raises(BadInput, match="'x' stands twice in row 0"):
        load(str(tmp_path / "d.parquet"))
    rows = [crag_row("a", MULTI), crag_row("b", MULTI)]
    rows[1]["session_id"] = "a"
    data_set(rows, MULTI).to_parquet(tmp_path / "d.parquet")
    with pytest.raises(BadInput, match="session id 'a' stands twice: in row 0 and row 1"):
        load(str(tmp_path / "d.parquet"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"session_id": None}, "no session_id"),
        (
            {"turns": {"interaction_id": ["a-0", "a-1"], "query": ["q"]}},
            "different lengths (interaction_id 2, query 1)",
        ),
        ({"turns": "q"}, "neither columns nor a list"),
        ({"turns": []}, "no turns"),
        ({"turns": {"interaction_id": ["a-0"], "query": "q"}}, "no list under 'query'"),
        ({"turns": [{"interaction_id": "a-0"}]}, "no interaction_id or no query"),
        ({"answers": [{"interaction_id": "other", "ans_full": "x"}]}, "turn 0 has no answer"),
        ({"answers": [{"interaction_id": "a-0"}]}, "no 'ans_full'"),
        ({"answers": [{"interaction_id": "a-0", "ans_full": 3}]}, "has 3 as its answer"),
        ({"image_url": 3}, "3 as image_url"),
        ({}, "no picture and no image_url"),
        ({"image_url": "https://a.invalid/x.png"}, "is not at hand"),
    ],
)
def test_a_row_that_cannot_be_used_is_listed_with_the_reason(tmp_path, changes, why):
    rows = [plain("ok", image="ok.jpg"), plain("a", **changes)]
    (tmp_path / "ok.jpg").write_bytes(crag_row("ok", MULTI)["image"]["bytes"])
    (tmp_path / "r.json").write_text(json.dumps(rows))
    data = load(str(tmp_path / "r.json"))
    assert [s.session_id for s in data.samples] == ["ok"]
    assert len(data.unusable) == 1
    assert data.unusable[0].row == 1
    assert why in data.unusable[0].why


@pytest.mark.parametrize("name", ["d.jsonl", "d.parquet", "d.arrow"])
def test_a_file_that_must_not_be_read_is_one_sentence(tmp_path, monkeypatch, name):
    path = tmp_path / name
    if name == "d.jsonl":
        lines(path, [GOOD])
    elif name == "d.parquet":
        data_set([crag_row("a", MULTI)], MULTI).to_parquet(path)
    else:
        path.write_bytes(b"no arrow")
    path.chmod(0)
    if os.geteuid() == 0:  # rights mean nothing to root: another open stands in for the system's

        def refused(*arguments, **named):
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "read_text", refused)
        monkeypatch.setattr(pq, "read_schema", refused)
        monkeypatch.setattr(pa, "memory_map", refused)
    with pytest.raises(BadInput, match=rf"{name}' cannot be read .*Permission denied"):
        load(str(path))


def test_an_arrow_file_that_breaks_off(tmp_path):
    made = data_set([crag_row("a", MULTI)], MULTI)
    made.save_to_disk(tmp_path / "saved")
    file = next((tmp_path / "saved").glob("*.arrow"))
    (tmp_path / "half.arrow").write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(BadInput, match=r"half\.arrow' cannot be read as Arrow"):
        load(str(tmp_path / "half.arrow"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "not an object"),
        ('{"subject": ["a"]}', "'subject', which is none of domain"),
        ('{"domain": {"0": "a", "2": "c"}}', "no list of names from 0 on under 'domain'"),
        ('{"domain": [1]}', "no list of names"),
    ],
)
def test_a_labels_file_that_is_none(tmp_path, content, said):
    (tmp_path / "l.json").write_text(content)
    with pytest.raises(BadInput, match=said):
        read_label_file(tmp_path / "l.json")


def test_a_labels_file_for_both_sets_needs_rows_that_say_which_they_are(tmp_path):
    reading = Reading(labels={"single": {"domain": ("a",)}})
    with pytest.raises(BadInput, match="nothing tells of which set these rows are"):
        load(lines(tmp_path / "d.jsonl", [{**GOOD, "domain": 0}]), reading=reading)
    (tmp_path / "single-turn").mkdir()
    data = load(lines(tmp_path / "single-turn" / "d.jsonl", [{**GOOD, "domain": 0}]), reading=reading)
    assert data.samples[0].turns[0].domain == "a"


def test_the_set_of_rows_that_do_not_say_is_told_by_their_turns(tmp_path):
    path = lines(tmp_path / "d.jsonl", [GOOD, {"turns": [GOOD, GOOD]}])
    assert [len(s.turns) for s in load(path, set_="single").samples] == [1]
    assert [len(s.turns) for s in load(path, set_="multi").samples] == [2]
    lines(tmp_path / "d.jsonl", [GOOD])
    with pytest.raises(BadInput, match="has no rows for --set multi"):
        load(path, set_="multi")


def test_a_labels_file_for_both_sets(tmp_path):
    content = {"single": {"domain": ["a"]}, "multi": {"domain": {"0": "b"}, "dynamism": ["x", "y"]}}
    (tmp_path / "l.json").write_text(json.dumps(content))
    assert read_label_file(tmp_path / "l.json") == {
        "single": {"domain": ("a",)},
        "multi": {"domain": ("b",), "dynamism": ("x", "y")},
    }
