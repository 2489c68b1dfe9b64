"""Test rows that are written by hand: checked, saved, exported, and run."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from assistant import factory as services
from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.annotate.rows import Draft, RowTurn, check, delete, draft_of, export, save, saved
from eval.data import datasets
from tests.eval.agents.scripted_agent import ScriptedAssistant
from tests.eval.tiny_world import picture

TURNS = (
    RowTurn("What is this?", "A lamp", "shopping", "simple-knowledge", "static", "normal"),
    RowTurn("And its colour?", "red", "shopping", "", "", "normal"),
)


def test_what_is_wrong_is_said_for_each_field():
    wrong = check(Draft((RowTurn(query="x" * 4001), RowTurn("q", "a", domain="two\nlines")), b"no", "ftp://x"))
    assert set(wrong) == {"turns.0.query", "turns.0.answer", "turns.1.domain", "image_url", "frame"}
    assert "4001 characters" in wrong["turns.0.query"]
    assert check(Draft(TURNS, b"no"), picture=False) == {}
    assert check(Draft(TURNS)) == {"frame": "there is no picture: take or choose one"}
    assert set(check(Draft((), picture()))) == {"turns"}
    assert check(Draft(TURNS, picture())) == {}


def test_nothing_is_written_before_a_row_is_saved(tmp_path):
    check(Draft(TURNS, picture()))
    with pytest.raises(BadInput, match=r"turns\.0\.query"):
        save(tmp_path, Draft((RowTurn(),), picture()))
    assert list(tmp_path.iterdir()) == []


def test_a_row_is_saved_changed_and_deleted(tmp_path):
    row = save(tmp_path, Draft(TURNS, picture()))
    assert (tmp_path / "rows" / row.frame).read_bytes() == picture()
    other = save(tmp_path, Draft(TURNS[:1], picture()))
    assert [r.session_id for r in saved(tmp_path)] == [row.session_id, other.session_id]
    draft = draft_of(tmp_path, row)
    save(tmp_path, Draft(draft.turns[:1], draft.frame, session_id=draft.session_id))
    assert {len(r.turns) for r in saved(tmp_path)} == {1}
    delete(tmp_path, row.session_id)
    assert (tmp_path / "rows" / row.frame).is_file()
    delete(tmp_path, other.session_id)
    assert list((tmp_path / "rows").iterdir()) == []


def test_where_a_photograph_was_taken_does_not_come_along(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6  # turned
    exif.get_ifd(0x8825)[1] = "N"
    file = io.BytesIO()
    Image.new("RGB", (40, 20), (200, 0, 0)).save(file, "JPEG", exif=exif)
    row = save(tmp_path, Draft(TURNS, file.getvalue()))
    with Image.open(tmp_path / "rows" / row.frame) as kept:
        assert (kept.format, kept.size, dict(kept.getexif())) == ("JPEG", (20, 40), {})


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_an_exported_row_is_run(tmp_path, monkeypatch, ending):
    rows = [save(tmp_path, Draft(TURNS, picture())), save(tmp_path, Draft(TURNS[:1], picture((0, 0, 99))))]
    out = tmp_path / f"rows.{ending}"
    export(tmp_path, rows, out)
    data = datasets.load(str(out))
    assert (len(data.samples), data.unusable) == (2, ())
    first = data.samples[0]
    assert (first.session_id, first.is_ego) == (rows[0].session_id, True)
    assert [(t.query, t.ground_truth, t.domain, t.query_category) for t in first.turns] == [
        ("What is this?", "A lamp", "shopping", "simple-knowledge"),
        ("And its colour?", "red", "shopping", None),
    ]
    scripted = ScriptedAssistant(lambda conversation, question: "red")
    monkeypatch.setattr(services, "open_assistant", lambda settings, progress=None, **more: scripted)
    arguments = ["--data", out, "--judge", "exact", "--index", tmp_path, "--out", tmp_path / "run"]
    assert main("python -m eval", COMMANDS, ["run", *map(str, arguments)]) == 0
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert (scores["n"], scores["public"]["all"]["correct"]) == (3, 1.0)
    assert scripted.calls[0][2] is not None


def test_what_cannot_be_exported(tmp_path):
    with pytest.raises(BadInput, match="no rows"):
        export(tmp_path, [], tmp_path / "x.parquet")
    row = save(tmp_path, Draft(TURNS, picture()))
    with pytest.raises(BadInput, match=r"not as 'x\.csv'"):
        export(tmp_path, [row], tmp_path / "x.csv")
    (tmp_path / "rows" / row.frame).unlink()
    with pytest.raises(BadInput, match="is gone"):
        export(tmp_path, [row], tmp_path / "x.parquet")


def _png(shade: int = 30) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (shade, 120, 60)).save(out, "PNG")
    return out.getvalue()


def test_a_row_without_its_frame_or_a_broken_one_holds_up_nothing_else(tmp_path):
    frame = _png()
    good = save(tmp_path, Draft((RowTurn("What is it?", "A jug"),), frame, left_at=0))
    (tmp_path / "rows" / "broken.json").write_text("{")
    assert [row.session_id for row in saved(tmp_path)] == [good.session_id]
    again = save(tmp_path, Draft((RowTurn("What is it?", "A mug"),), frame, session_id=good.session_id, left_at=0))
    assert (again.left_at, len(saved(tmp_path))) == (0, 1)
    (tmp_path / "rows" / good.frame).unlink()
    other = save(tmp_path, Draft((RowTurn("And this?", "A cup"),), _png(90)))
    assert [row.session_id for row in saved(tmp_path)] == [other.session_id]


def test_a_picture_that_was_replaced_goes_and_so_does_what_it_says_of_its_maker(tmp_path):
    first = save(tmp_path, Draft((RowTurn("What is it?", "A jug"),), _png()))
    told = PngInfo()
    told.add_text("Location", "52.1, 13.4")
    out = io.BytesIO()
    Image.open(io.BytesIO(_png(90))).save(out, "PNG", pnginfo=told)
    second = save(tmp_path, Draft(first.turns, out.getvalue(), session_id=first.session_id))
    assert [path.name for path in (tmp_path / "rows").glob("*.png")] == [second.frame]
    assert b"52.1" not in (tmp_path / "rows" / second.frame).read_bytes()
