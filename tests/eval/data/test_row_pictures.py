"""Pictures as rows name or carry them: read, or the row is left out with a sentence; the other rows stay."""

from __future__ import annotations

import base64
import io
import json
import unicodedata
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from assistant.core.errors import BadImage, BadInput
from eval.data.datasets import load
from eval.data.pictures import parquet_pictures
from tests.eval.data.crag_sets import MULTI, crag_row


def picture(kind: str = "JPEG") -> bytes:
    target = io.BytesIO()
    noise = np.random.default_rng(3).integers(0, 256, (48, 64, 3), np.uint8)
    Image.fromarray(noise).save(target, kind)
    return target.getvalue()


TEXT = base64.b64encode(picture()).decode()
URL_SAFE = TEXT.replace("+", "-").replace("/", "_")
IN_LINES = "\r\n".join(TEXT[i : i + 76] for i in range(0, len(TEXT), 76))
CARRIED = {
    "data URL": f"data:image/jpeg;base64,{TEXT}",
    "data URL with more in its head": f"DATA:image/jpeg;name=a.jpg;charset=utf-8;base64,{TEXT}",
    "data URL without its scheme": f"image/jpeg;base64,{TEXT}",
    "data URL with percents": f"data:image/jpeg;base64,{quote(TEXT, safe='')}",
    "data URL with percents only": f"data:image/jpeg,{quote(picture(), safe='')}",
    "data URL in the other alphabet": f"data:image/jpeg;base64,{URL_SAFE}",
    "bare": TEXT,
    "bare, in the other alphabet": URL_SAFE,
    "bare, in lines": IN_LINES + "\n",
    "bare, without padding": TEXT.rstrip("="),
    "bare PNG": base64.b64encode(picture("PNG")).decode(),
    "bare WebP": base64.b64encode(picture("WEBP")).decode(),
}
BROKEN = {
    "data URL without data": "data:image/jpeg;base64,",
    "data URL without a comma": "data:image/jpeg;base64" + "A" * 5000,
    "data URL of something else": "data:image/jpeg;base64,*" + TEXT,
    "data URL with a letter too few": f"data:image/jpeg;base64,{TEXT[:401]}",
    "bare with a hole": TEXT[:500] + "*" + TEXT[500:],
    "bare with a letter too few": TEXT[:401],
    "a path too long": "a" * 5000 + ".jpg",
    "an absolute path too long": "/" + "a" * 5000,
    "many folders": "/a" * 4000,
    "a NUL": "a\0.jpg",
    "half of a surrogate": "a\ud800.jpg",
    "not there": "lost.jpg",
}


def rows_file(folder: Path, images: list, crag: bool) -> str:
    (folder / "ok.jpg").write_bytes(picture())
    rows = []
    for i, image in enumerate([*images, "ok.jpg"]):
        row = {"query": "q", "ground_truth": "t"}
        if crag:
            row = crag_row(f"s{i}", MULTI, old=True)
        rows.append({**row, "image": image})
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(folder / "rows.jsonl")


@pytest.mark.parametrize("crag", [False, True])
@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
def test_a_picture_that_a_row_carries_is_read(tmp_path: Path, text: str, crag: bool):
    data = load(rows_file(tmp_path, [text, {"bytes": text, "path": None}, {"path": text}], crag))
    assert not data.unusable
    frames = [sample.frame() for sample in data.samples]
    assert len(frames) == 4
    assert all(frame is not None for frame in frames)
    assert crag or frames[0].pixels.shape == (48, 64, 3)


@pytest.mark.parametrize("crag", [False, True])
@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_row_whose_picture_is_broken_is_left_out(tmp_path: Path, text: str, crag: bool):
    data = load(rows_file(tmp_path, [text, {"path": text}], crag))
    assert len(data.samples) == 1
    assert len(data.unusable) == 2
    for row in data.unusable:
        assert len(row.why) < 300
        assert "\n" not in row.why
        assert "picture" in row.why or "data URL" in row.why


def test_a_picture_that_is_cut_off_in_its_row_is_told_when_it_is_read(tmp_path: Path):
    data = load(rows_file(tmp_path, [TEXT[: len(TEXT) // 8 * 4]], crag=False))
    with pytest.raises(BadImage, match="cut off"):
        data.samples[0].frame()


def test_an_image_url_may_carry_the_picture(tmp_path: Path):
    rows = [crag_row(f"s{i}", MULTI, old=True) for i in range(3)]
    for row, url in zip(
        rows, (CARRIED["data URL"], BROKEN["bare with a hole"], "data:image/png;base64,%"), strict=True
    ):
        row.update(image=None, image_url=url)
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    data = load(str(tmp_path / "rows.json"))
    assert [sample.frame().width_px for sample in data.samples] == [64]
    assert not data.samples[0].is_ego
    assert len(data.unusable) == 2
    assert all(len(row.why) < 300 for row in data.unusable)


def test_a_lost_file_is_named_though_the_row_could_have_had_a_url(tmp_path: Path):
    (row,) = load(rows_file(tmp_path, ["lost.jpg"], crag=True)).unusable
    assert row.why == "there is no picture 'lost.jpg'"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_paths_are_found_however_they_are_written(tmp_path: Path, form: str):
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    for folder in ("pics", unicodedata.normalize(form, "crêpes")):
        (tmp_path / folder / "in").mkdir(parents=True)
    (tmp_path / "pics" / "in" / "f0.jpg").write_bytes(picture())
    (tmp_path / "pics" / "in" / unicodedata.normalize(form, "café.jpg")).write_bytes(picture())
    mixed = tmp_path / unicodedata.normalize(form, "crêpes") / "in" / unicodedata.normalize(other, "ガス.jpg")
    mixed.write_bytes(picture())
    paths = ["pics\\in\\f0.jpg", ".\\pics/in\\f0.jpg", str(tmp_path / "pics" / "in" / "f0.jpg")]
    paths += [unicodedata.normalize(f, p) for f in ("NFC", "NFD") for p in ("pics/in/café.jpg", "crêpes\\in\\ガス.jpg")]
    data = load(rows_file(tmp_path, [*paths, unicodedata.normalize(other, "pics/in/thé.jpg")], crag=False))
    assert len(data.samples) == len(paths) + 1
    assert all(sample.frame() is not None for sample in data.samples)
    assert len(data.unusable) == 1


def test_a_file_named_with_a_backslash_is_taken_as_it_is_named(tmp_path: Path):
    (tmp_path / "a\\b.jpg").write_bytes(picture("PNG"))
    assert not load(rows_file(tmp_path, ["a\\b.jpg"], crag=False)).unusable


def test_tables_name_and_carry_pictures_in_the_same_ways(tmp_path: Path):
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "f0.jpg").write_bytes(picture())
    images = [CARRIED["data URL"], TEXT, "pics\\f0.jpg", "", None, BROKEN["a path too long"]]
    pq.write_table(pa.table({"image": pa.array(images)}), tmp_path / "text.parquet")
    structs = [{"bytes": b"", "path": "pics\\f0.jpg"}, {"bytes": picture(), "path": "x"}, {"bytes": None, "path": ""}]
    pq.write_table(pa.table({"image": pa.array(structs)}), tmp_path / "struct.parquet")
    text, struct = parquet_pictures(tmp_path / "text.parquet"), parquet_pictures(tmp_path / "struct.parquet")
    assert [p.read() for p in (*text[:3], *struct[:2])] == [picture()] * 5
    assert not struct[2].exists()
    for lost in text[3:]:
        with pytest.raises(BadImage):
            lost.read()


@pytest.mark.parametrize("ids", [(0, 1), (0.0, 1.0), ("0", "1"), (1, 0)])
@pytest.mark.parametrize("session", [0, 0.0, "0"])
def test_zero_is_an_id_like_any_other(tmp_path: Path, ids: tuple, session):
    (tmp_path / "ok.jpg").write_bytes(picture())
    columns = {"interaction_id": list(ids)}
    row = {"session_id": session, "image": "ok.jpg", "turns": {**columns, "query": ["q", "r"]}}
    row["answers"] = {"interaction_id": [str(int(float(i))) for i in ids], "ans_full": ["a", ""]}
    (tmp_path / "rows.json").write_text(json.dumps([row]))
    (sample,) = load(str(tmp_path / "rows.json")).samples
    assert sample.session_id == "0"
    assert [turn.interaction_id for turn in sample.turns] == [str(int(float(i))) for i in ids]
    assert [turn.ground_truth for turn in sample.turns] == ["a", ""]


@pytest.mark.parametrize(
    ("session", "interaction", "why"),
    [
        ("", "a", "the row has no session_id"),
        (False, "a", "the row has False as session_id, which is no id"),
        ([1], "a", "the row has [1] as session_id, which is no id"),
        ("s", "", "turn 0 has no interaction_id or no query"),
        ("s", False, "turn 0 has False as interaction_id, which is no id"),
        ("s", [1], "turn 0 has [1] as interaction_id, which is no id"),
        ("s", {}, "turn 0 has {} as interaction_id, which is no id"),
    ],
)
def test_what_is_no_id_is_told(tmp_path: Path, session, interaction, why: str):
    (tmp_path / "ok.jpg").write_bytes(picture())
    row = {"session_id": session, "image": "ok.jpg", "turns": [{"interaction_id": interaction, "query": "q"}]}
    row["answers"] = [{"interaction_id": interaction, "ans_full": "a"}]
    (tmp_path / "rows.json").write_text(json.dumps([row]))
    (left_out,) = load(str(tmp_path / "rows.json")).unusable
    assert left_out.why == why


def test_is_ego_is_true_or_false(tmp_path: Path):
    (tmp_path / "ok.jpg").write_bytes(picture())
    row = {"image": "ok.jpg", "query": "q", "ground_truth": "t"}
    for value, ego in ((True, True), (1, True), (0, False), (False, False), (None, False)):
        (tmp_path / "r.json").write_text(json.dumps([{**row, "is_ego": value}]))
        assert load(str(tmp_path / "r.json")).samples[0].is_ego is ego
    (tmp_path / "r.json").write_text(json.dumps([{**row, "is_ego": "false"}]))
    with pytest.raises(BadInput, match=r"row 0 .* has 'false' as 'is_ego'"):
        load(str(tmp_path / "r.json"))


def test_rows_whose_picture_is_gone_name_the_way_to_ask_them_all_the_same(tmp_path, capsys):
    from eval.__main__ import COMMANDS, main

    path = tmp_path / "rows.jsonl"
    path.write_text('{"image": "gone.jpg", "query": "How tall is it?", "ground_truth": "42 m"}\n', encoding="utf-8")
    assert main("python -m eval", COMMANDS, ["data", "--data", str(path)]) == 0
    assert "1 of them can with --no-pictures" in capsys.readouterr().out
    assert main("python -m eval", COMMANDS, ["data", "--data", str(path), "--no-pictures"]) == 0
    assert "0 rows cannot be used" in capsys.readouterr().out
