"""`python -m eval world`: bad input is one sentence and exit code 2, nothing of the user's is overwritten."""

import json

import pytest

from eval.__main__ import COMMANDS, main
from eval.world.drawing.kit.canvas import FONTS_DIR
from eval.world.vocabulary import bundled
from tests.eval.world.world_texts import Blank


def run(*arguments: str) -> int:
    return main("python -m eval", {"world": COMMANDS["world"]}, ["world", *arguments])


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--seed", "1"], "--entities"),
        (["--seed", "1", "--entities", "3", "--out", "x"], "too few"),
        (["--seed", "-1", "--entities", "9", "--out", "x"], "negative"),
        (["--seed", "1", "--entities", "9", "--unindexed", "2", "--out", "x"], "share"),
        (["--seed", "1", "--entities", "9", "--questions", "-2", "--out", "x"], "negative"),
        (["--seed", "1", "--entities", "9", "--fonts", "nowhere", "--out", "x"], "fonts"),
        (["--seed", "1", "--entities", "9", "--backgrounds", "nowhere", "--out", "x"], "backgrounds"),
        (["--seed", "1", "--entities", "9", "--phrasings", "nowhere.json", "--out", "x"], "nowhere.json"),
        (["audit", "nowhere"], "not a world"),
        (["dance", "nowhere"], "audit DIR"),
    ],
)
def test_bad_input_is_one_sentence(arguments, word, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    err = capsys.readouterr().err.strip()
    assert word in err
    assert "Traceback" not in err
    assert "\n" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_world_is_left_alone(tmp_path, capsys) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("hello")
    assert run("--seed", "1", "--entities", "9", "--out", str(tmp_path / "letters")) == 2
    assert "not a world" in capsys.readouterr().err
    assert [p.name for p in (tmp_path / "letters").iterdir()] == ["dear.txt"]


def test_a_world_that_cannot_be_written_is_one_sentence(tmp_path, capsys, monkeypatch) -> None:
    from eval.world import generate

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(generate, "generate", full)
    assert run("--seed", "1", "--entities", "9", "--out", str(tmp_path / "w")) == 2
    said = capsys.readouterr().err
    assert "cannot be written to" in said
    assert "No space left on device" in said
    assert said.count("\n") == 1


def test_phrasings_of_another_shape_are_refused(tmp_path, capsys) -> None:
    data = bundled("phrasings")
    del data["relations"]["price"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    assert run("--seed", "1", "--entities", "9", "--phrasings", str(path), "--out", str(tmp_path / "w")) == 2
    assert "relations.price" in capsys.readouterr().err


@pytest.mark.slow
def test_a_world_with_own_words_fonts_and_backgrounds(tmp_path, capsys, monkeypatch) -> None:
    import numpy as np
    from PIL import Image

    data = bundled("phrasings")
    for relation in data["relations"].values():
        relation["ask"] = ["Zounds, what of {this}?"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    (tmp_path / "grounds").mkdir()
    Image.fromarray(np.full((40, 60, 3), 120, np.uint8)).save(tmp_path / "grounds" / "a.png")
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "one.ttf").write_bytes((FONTS_DIR / "lora-400.ttf").read_bytes())
    out = tmp_path / "w"
    given = ["--phrasings", str(tmp_path / "mine.json"), "--backgrounds", str(tmp_path / "grounds")]
    given += ["--fonts", str(tmp_path / "fonts"), "--questions", "2", "--conversations", "1"]
    assert run("--seed", "5", "--entities", "9", "--out", str(out), "--json", *given) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["questions"] == 2
    told = captured.err.splitlines()  # in a file a line for every tenth, and none rewritten
    assert told[-1] == "100% done"
    assert len(told) <= 11
    assert "\r" not in captured.err
    assert "Zounds" in (out / "gold" / "turns.jsonl").read_text(encoding="utf-8")
    assert run("sheet", str(out), "--out", str(tmp_path / "sheet.jpg")) == 0
    assert (tmp_path / "sheet.jpg").stat().st_size > 10_000
    monkeypatch.setattr("eval.world.generate.Studio", Blank)
    assert run("--seed", "6", "--entities", "9", "--out", str(out), "--questions", "2", "--conversations", "0") == 0
    assert json.loads((out / "world.json").read_text())["seed"] == 6


def test_two_bundled_files_may_not_contradict_each_other(tmp_path, monkeypatch) -> None:
    from eval.world import vocabulary

    (tmp_path / "voices").mkdir()
    (tmp_path / "voices" / "a.json").write_text('{"tell": {"x": ["one"]}, "n": 1}')
    (tmp_path / "voices" / "b.json").write_text('{"tell": {"x": ["one", "two"], "y": []}, "n": 1}')
    monkeypatch.setattr(vocabulary, "DATA_DIR", tmp_path)
    assert vocabulary.bundled("voices") == {"tell": {"x": ["one", "two"], "y": []}, "n": 1}
    (tmp_path / "voices" / "c.json").write_text('{"n": 2}')
    with pytest.raises(ValueError, match=r"voices\.n"):
        vocabulary.bundled("voices")
