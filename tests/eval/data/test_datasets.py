"""Loading: labels by the data's own names, pictures only when asked for, rows that cannot be used kept aside."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from assistant.core.errors import BadImage, BadInput, UnknownFormat
from eval.data.datasets import load
from tests.eval.tiny_world import NAMES, picture, row, write_parquet, write_world


@pytest.fixture
def world(tmp_path):
    return write_world(tmp_path / "world")


def test_a_world_has_its_rows_and_lists_the_unusable(world):
    data = load(str(world))
    assert [sample.session_id for sample in data.samples] == ["s1", "s2", "m1"]
    assert [(u.session_id, u.row) for u in data.unusable] == [("s3", 2)]
    assert "no picture" in data.unusable[0].why
    assert data.world == world.resolve()
    assert data.samples[2].turns[1].query == "How many parts has it?"
    assert data.samples[2].turns[1].ground_truth == "12 parts"


def test_names_come_from_each_files_own_features(world):
    single, _, multi = load(str(world)).samples
    assert single.turns[0].domain == "shopping"  # 2 in one order
    assert multi.turns[0].domain == "book"  # 2 in the other
    assert multi.turns[2].query_category == "comparison"


def test_labels_without_names_stay_numbers(tmp_path):
    rows = [row("s", [{"query": "q", "answer": "a", "domain": 12}], picture())]
    write_parquet(tmp_path / "rows.parquet", rows, names=None)
    assert load(str(tmp_path / "rows.parquet")).samples[0].turns[0].domain == 12


def test_a_label_beyond_the_names_stays_a_number(tmp_path):
    write_parquet(tmp_path / "rows.parquet", [row("s", [{"query": "q", "answer": "a", "domain": 12}], picture())])
    assert load(str(tmp_path / "rows.parquet")).samples[0].turns[0].domain == 12


def test_the_older_layout_reads_the_same(tmp_path):
    rows = [row(f"s{i}", [{"query": "q", "answer": "a", "domain": 1}] * 2, picture()) for i in range(3)]
    write_parquet(tmp_path / "new.parquet", rows, NAMES)
    write_parquet(tmp_path / "old.parquet", rows, NAMES, old=True)
    new, old = load(str(tmp_path / "new.parquet")), load(str(tmp_path / "old.parquet"))
    assert [s.turns for s in new.samples] == [s.turns for s in old.samples]
    assert new.samples[0].turns[0].domain == "food"


def test_egocentric_frames_come_at_the_benchmarks_size_and_others_as_they_are(world):
    ego, by_url, _ = load(str(world)).samples
    assert (ego.is_ego, by_url.is_ego) == (True, False)
    assert ego.frame().pixels.shape == (1280, 960, 3)
    assert by_url.frame().pixels.shape == (30, 40, 3)
    assert tuple(by_url.frame().pixels[0, 0]) == (0, 200, 0)


def test_resizing_is_the_benchmarks_own(tmp_path):
    noise = np.random.default_rng(1).integers(0, 255, (64, 48, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "n.png")
    write_parquet(
        tmp_path / "r.parquet", [row("s", [{"query": "q", "answer": "a"}], (tmp_path / "n.png").read_bytes(), "")]
    )
    sample = load(str(tmp_path / "r.parquet")).samples[0]
    assert sample.is_ego  # an empty URL is none
    expected = np.asarray(Image.fromarray(noise).resize((960, 1280)))
    assert np.array_equal(sample.frame().pixels, expected)


def test_nothing_is_decoded_while_loading(tmp_path):
    write_parquet(tmp_path / "r.parquet", [row("s", [{"query": "q", "answer": "a"}], b"no picture at all")])
    sample = load(str(tmp_path / "r.parquet")).samples[0]
    with pytest.raises(BadImage):
        sample.frame()


def test_pictures_of_many_row_groups_go_to_their_rows(tmp_path):
    rows = [row(f"s{i}", [{"query": "q", "answer": "a"}], picture((i * 20, 0, 0), (8, 8)), "x") for i in range(7)]
    rows.insert(3, row("none", [{"query": "q", "answer": "a"}], None, ""))
    write_parquet(tmp_path / "r.parquet", rows)
    data = load(str(tmp_path / "r.parquet"))
    assert [u.session_id for u in data.unusable] == ["none"]
    found = {s.session_id: int(s.frame().pixels[0, 0, 0]) for s in reversed(data.samples)}
    assert found == {f"s{i}": i * 20 for i in range(7)}


def test_sets_splits_and_limit(world):
    assert len(load(str(world), set_="multi").samples) == 1
    assert len(load(str(world), limit=2).samples) == 2
    assert load(str(world), split="all").digest == load(str(world), split="validation").digest
    with pytest.raises(BadInput, match="public_test"):
        load(str(world), split="public_test")
    with pytest.raises(BadInput, match="--limit"):
        load(str(world), limit=0)


def test_small_jsonl(tmp_path):
    (tmp_path / "a.png").write_bytes(picture(size=(50, 40)))
    rows = [
        {"image": "a.png", "query": "q1", "ground_truth": "t1"},
        {"image": "a.png", "turns": [{"query": "q2", "ground_truth": "t2"}, {"query": "q3", "ground_truth": "t3"}]},
        {"query": "no picture?", "ground_truth": "none"},
        {"image": "lost.png", "query": "q", "ground_truth": "t"},
    ]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    data = load(str(tmp_path / "d.jsonl"))
    assert [len(s.turns) for s in data.samples] == [1, 2, 1]
    assert data.samples[1].turns[1].ground_truth == "t3"
    assert data.samples[2].frame() is None
    assert [(u.row, u.why) for u in data.unusable] == [(4, "there is no picture 'lost.png'")]
    assert data.samples[0].frame().pixels.shape == (40, 50, 3)  # a picture of one's own keeps its shape
    assert data.world is None


def test_half_characters_in_rows_are_left_out(tmp_path):
    row = json.dumps({"query": "who \ud83d made it 🎉?", "ground_truth": "\ude00Mavbella"})
    for name, content in (("a.jsonl", row + "\n"), ("a.json", f"[{row}]")):
        (tmp_path / name).write_text(content)
        (turn,) = load(str(tmp_path / name)).samples[0].turns
        assert (turn.query, turn.ground_truth) == ("who  made it 🎉?", "Mavbella")


def test_a_list_of_benchmark_rows(tmp_path):
    (tmp_path / "a.png").write_bytes(picture())
    rows = [row(f"s{i}", [{"query": "q", "answer": "a", "domain": 5}], None) for i in range(3)]
    for r in rows:
        del r["image"]
    rows[1]["image"] = "a.png"
    rows[2]["answers"]["ans_full"] = [None]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    data = load(str(tmp_path / "rows.json"))
    assert [s.session_id for s in data.samples] == ["s1"]
    assert data.samples[0].turns[0].domain == 5
    assert len(data.unusable) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", '{"query": "q", "ground_truth": "t"}\n{"query": ', "line 2"),
        ("a.jsonl", '{"query": "q"}', "'ground_truth'"),
        ("a.jsonl", '{"image": 3, "query": "q", "ground_truth": "t"}', "'image'"),
        ("a.jsonl", '{"turns": []}', "list of turns"),
        ("a.jsonl", "3", "not an object"),
        ("a.jsonl", "", "no rows"),
        ("a.json", "[]", "no rows"),
        ("a.parquet", "PAR1 not really", "cannot be read as Parquet"),
    ],
)
def test_files_that_are_no_data(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=said):
        load(str(tmp_path / name))


def test_what_is_not_there(tmp_path):
    with pytest.raises(BadInput, match="there is no file"):
        load(str(tmp_path / "nothing"))
    with pytest.raises(BadInput, match=r"no world\.json"):
        load(str(tmp_path))


def test_a_world_of_another_format_is_refused(world):
    (world / "world.json").write_text('{"format_version": 99}')
    with pytest.raises(UnknownFormat, match="99"):
        load(str(world))


def test_an_id_that_comes_twice_is_refused(tmp_path):
    rows = [row("s", [{"query": "q", "answer": "a"}], picture())] * 2
    write_parquet(tmp_path / "r.parquet", rows)
    with pytest.raises(BadInput, match="'s-0' stands twice"):
        load(str(tmp_path / "r.parquet"))
