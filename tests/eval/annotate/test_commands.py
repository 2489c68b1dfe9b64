"""The commands `annotate` and `backup`."""

from __future__ import annotations

import json

import pytest

from eval.__main__ import COMMANDS, main
from eval.annotate.rows import Draft, RowTurn, save
from eval.annotate.store import open_store
from eval.annotate.values import Label
from tests.eval.annotate.annotator import uid
from tests.eval.annotate.test_sources import run, world  # noqa: F401
from tests.eval.tiny_world import picture


@pytest.fixture
def eval_(tmp_path, capsys):
    """Run a command; its result (or the exit code and the sentence)."""

    def call(*arguments):
        command = [*map(str, arguments), "--data-dir", str(tmp_path / "data"), "--json"]
        code = main("python -m eval", COMMANDS, command)
        told = capsys.readouterr()
        return json.loads(told.out) if code == 0 else (code, told.err)

    return call


def test_a_project_from_its_making_to_its_copy(eval_, run, world, tmp_path):  # noqa: F811
    (tmp_path / "how.md").write_text("# Be fair")
    (made,) = eval_("annotate", "projects", "--create", "Lamps", "--overlap", 2, "--guideline", tmp_path / "how.md")
    assert (made["name"], made["settings"]["overlap"]) == ("Lamps", 2)
    verdicts = "--judge", "typed", "--verdict", "wrong", "--verdict", "correct"
    assert eval_("annotate", "items", "Lamps", "--run", run, *verdicts) == {"new": 4, "known": 0}
    assert eval_("annotate", "items", "Lamps", "--run", run) == {"new": 1, "known": 4}
    with open_store(tmp_path / "data") as store:
        item = store.next_item(1, "Ida")
        assert store.guideline(1).markdown == "# Be fair"
        store.label(1, "Ida", item.id, Label("incorrect", ("bad ground truth",), "something else"), uid())
    out = tmp_path / "labels.jsonl"
    assert eval_("annotate", "export", "Lamps", "--out", out)["labels"] == 1
    assert eval_("annotate", "export", "Lamps", "--out", tmp_path / "i.jsonl", "--format", "items")["items"] == 5
    assert eval_("annotate", "export", "Lamps", "--out", tmp_path / "r.parquet", "--format", "rows")["rows"] == 3
    eval_("annotate", "projects", "--create", "Again")
    assert eval_("annotate", "items", "Again", "--file", tmp_path / "i.jsonl")["new"] == 5
    assert eval_("annotate", "import", "Again", out) == {"labels": 1, "known": 0, "items": 0}
    found = eval_("annotate", "overlay", "Lamps", "--name", "lamps", "--by", "Bo")
    assert found["corrections"] == 1
    assert eval_("annotate", "delete-person", "ida")["events"] == 2
    assert eval_("backup", tmp_path / "copy")["files"] == ["annotations.sqlite", "overlays/lamps.v1.jsonl"]
    assert eval_("annotate", "items", "Again", "--data", world)["new"] == 5
    assert [p["archived"] for p in eval_("annotate", "projects", "--archive", "Again")] == [False, True]


def test_saved_rows_are_written(eval_, tmp_path):
    save(tmp_path / "data" / "annotations", Draft((RowTurn("What?", "This"),), picture()))
    assert eval_("annotate", "rows", "--out", tmp_path / "x.parquet")["rows"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("items", "None"), "no project 'None' (there are: none yet)"),
        (("delete-person", "Nobody"), "nobody is called 'Nobody'"),
        (("projects", "--create", "x", "--overlap", "0"), "overlap is 0"),
        (("rows", "--out", "x.parquet"), "no rows"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(eval_, arguments, said):
    code, told = eval_("annotate", *arguments)
    assert code == 2
    assert said in told
    assert len(told.splitlines()) == 1
