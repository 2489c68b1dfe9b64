"""Data sets as `datasets` writes them: saved to disk, Parquet, Arrow, both layouts, both orders of labels."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from assistant.core.errors import BadInput
from eval.data.datasets import Reading, load
from eval.data.label_names import names_in_features
from tests.eval.data.crag_sets import (
    MULTI,
    SINGLE,
    columns,
    crag_row,
    data_set,
    multi_turn_rows,
    photo,
    single_turn_rows,
)


@pytest.mark.slow
def test_a_saved_data_set_has_its_splits_labels_and_pictures(tmp_path):
    import datasets

    both = {"validation": data_set(single_turn_rows(), SINGLE), "public_test": data_set(single_turn_rows("t"), SINGLE)}
    datasets.DatasetDict(both).save_to_disk(tmp_path / "single-turn")
    data = load(str(tmp_path / "single-turn"))
    assert [(s.session_id, s.set, s.split, s.is_ego, s.image_url) for s in data.samples] == [
        ("s1", "single", "validation", True, None),
        ("s2", "single", "validation", False, "https://a.invalid/2.jpg"),
        ("s3", "single", "validation", True, ""),
    ]
    assert [(row.session_id, row.row) for row in data.unusable] == [("s4", 3)]
    assert [s.turns[0].domain for s in data.samples] == ["book", "vehicle", "food"]
    assert [s.turns[0].query_category for s in data.samples] == ["simple-knowledge", "simple-knowledge", "multi-hop"]
    assert data.samples[1].turns[0].image_quality == "blurred"
    own = both["validation"][1]["image"]  # as the library decodes it
    assert np.array_equal(data.samples[1].frame().pixels, np.asarray(own.convert("RGB")))
    resized = Image.open(io.BytesIO(photo(sum(b"s1")))).resize((960, 1280))
    assert np.array_equal(data.samples[0].frame().pixels, np.asarray(resized))
    assert [s.session_id for s in load(str(tmp_path / "single-turn"), "all").samples] == [
        "s1", "s2", "s3", "t1", "t2", "t3",
    ]  # fmt: skip
    with pytest.raises(BadInput, match="no split 'train': choose one of validation, public_test, all"):
        load(str(tmp_path / "single-turn"), "train")
    next((tmp_path / "single-turn" / "validation").glob("*.arrow")).unlink()
    with pytest.raises(BadInput, match="not whole"):
        load(str(tmp_path / "single-turn"))


def test_one_saved_split_alone(tmp_path):
    data_set(multi_turn_rows(), MULTI).save_to_disk(tmp_path / "mine")
    samples = load(str(tmp_path / "mine")).samples
    assert [[turn.domain for turn in sample.turns] for sample in samples] == [
        ["book", "food", "food"],
        ["animal", "food"],
    ]
    assert samples[0].turns[1].query_category == "comparison"
    assert samples[1].turns[1].dynamism == "real-time"


@pytest.mark.parametrize("kind", ["parquet", "arrow stream", "arrow file"])
@pytest.mark.parametrize("old", [False, True])
def test_files_of_both_layouts(tmp_path, kind, old):
    turns = [{"domain": "book"}, {"domain": "vehicle", "answer": ""}]
    rows = [crag_row(f"c{i}", names, turns, old=old) for i, names in enumerate([MULTI, MULTI])]
    made = data_set(rows, MULTI, old=old)
    path = tmp_path / ("rows.parquet" if kind == "parquet" else "rows.arrow")
    if kind == "parquet":
        made.to_parquet(path)
    else:
        table = made.data.table
        new = pa.ipc.new_stream if kind == "arrow stream" else pa.ipc.new_file
        with pa.OSFile(str(path), "wb") as sink, new(sink, table.schema) as writer:
            writer.write_table(table)
    data = load(str(path))
    assert [[t.domain for t in sample.turns] for sample in data.samples] == [["book", "vehicle"]] * 2
    assert [t.ground_truth for t in data.samples[0].turns] == ["it is 0", ""]
    assert data.samples[1].frame().pixels.shape == (1280, 960, 3)
    assert data.samples[1].row == 1


def test_a_downloaded_repository(tmp_path):
    """Shards under data/, splits told by the card or by the files' names."""
    folder = tmp_path / "crag-mm-multi-turn-public"
    (folder / "data").mkdir(parents=True)
    rows = multi_turn_rows()
    for i, row in enumerate(rows):
        data_set([row], MULTI).to_parquet(folder / "data" / f"validation-0000{i}-of-00002.parquet")
    data_set([crag_row("p", MULTI)], MULTI).to_parquet(folder / "data" / "public_test-00000-of-00001.parquet")
    assert [s.session_id for s in load(str(folder)).samples] == ["m1", "m2"]
    card = "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: dev\n    path: data/validation-*\n---\n"
    (folder / "README.md").write_text(card)
    data = load(str(folder), "dev")
    assert [(s.session_id, s.set, s.split) for s in data.samples] == [("m1", "multi", "dev"), ("m2", "multi", "dev")]
    (folder / "data" / "validation-00001-of-00002.parquet").unlink()
    with pytest.raises(BadInput, match="'dev' is not whole: 1 of its 2 files"):
        load(str(folder), "dev")


def test_names_from_a_data_card():
    label = {"names": {"0": "animal", "1": "other"}}
    card = [{"name": "turns", "sequence": [{"name": "domain", "dtype": {"class_label": label}}]}]
    assert names_in_features({"features": card}) == {"domain": ("animal", "other")}


def test_names_of_the_card_are_taken_where_a_file_has_none(tmp_path):
    import yaml

    made = data_set([crag_row("a", MULTI, [{"domain": "vehicle"}])], MULTI)
    table = made.data.table.replace_schema_metadata(None)
    pa.parquet.write_table(table, tmp_path / "validation.parquet")
    assert load(str(tmp_path)).samples[0].turns[0].domain == MULTI["domain"].index("vehicle")
    label = {"class_label": {"names": dict(enumerate(MULTI["domain"]))}}
    card = {"dataset_info": {"features": [{"name": "turns", "sequence": [{"name": "domain", "dtype": label}]}]}}
    (tmp_path / "README.md").write_text(f"---\n{yaml.safe_dump(card)}---\nA benchmark.\n")
    assert load(str(tmp_path)).samples[0].turns[0].domain == "vehicle"


def test_a_label_that_is_not_known_is_none(tmp_path):
    row = crag_row("a", MULTI)
    row["turns"]["dynamism"] = [-1]
    data_set([row], MULTI).to_parquet(tmp_path / "a.parquet")
    assert load(str(tmp_path / "a.parquet")).samples[0].turns[0].dynamism is None


def test_a_labels_file_names_what_the_data_leave_as_numbers(tmp_path):
    row = crag_row("a", MULTI, [{"domain": "book"}])
    made = data_set([row], MULTI)
    pa.parquet.write_table(made.data.table.replace_schema_metadata(None), tmp_path / "bare.parquet")
    made.to_parquet(tmp_path / "named.parquet")
    given = {"": {"domain": ("a", "b", "c", "d")}, "single": {}}
    assert load(str(tmp_path / "bare.parquet"), reading=Reading(labels=given)).samples[0].turns[0].domain == "d"
    assert load(str(tmp_path / "named.parquet"), reading=Reading(labels=given)).samples[0].turns[0].domain == "book"


def test_equal_data_have_equal_digests_and_others_do_not(tmp_path):
    for name, rows in (("a", multi_turn_rows()), ("b", multi_turn_rows()), ("c", multi_turn_rows()[:1])):
        data_set(rows, MULTI).save_to_disk(tmp_path / name)
    digests = [load(str(tmp_path / name)).digest for name in "abc"]
    assert digests[0] == digests[1] != digests[2]


def test_columns_helper_is_the_published_shape():
    assert columns([{"a": 1, "b": 2}, {"a": 3, "b": 4}]) == {"a": [1, 3], "b": [2, 4]}


def test_without_pictures_rows_are_taken_whose_picture_is_gone(tmp_path):
    data_set(single_turn_rows(), SINGLE).to_parquet(tmp_path / "a.parquet")
    data = load(str(tmp_path / "a.parquet"), reading=Reading(pictures=False))
    assert [s.session_id for s in data.samples] == ["s1", "s2", "s3", "s4"]
    assert all(sample.frame() is None for sample in data.samples)
    assert data.unusable == ()
