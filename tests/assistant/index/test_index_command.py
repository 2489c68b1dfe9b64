"""`search` and `index` on the command line: JSON on standard output, one sentence and exit code 2 for bad input."""

import json

import pytest

from assistant.__main__ import COMMANDS
from assistant.commands.command_line import main


def call(capsys, *argv: object) -> tuple[int, str, str]:
    code = main("python -m assistant", COMMANDS, [str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_search_by_text(capsys, tiny_index):
    code, out, err = call(capsys, "search", "--text", "basil sauce", "--k", 2, "--index", tiny_index, "--json")
    assert (code, err) == (0, "")
    results = json.loads(out)
    assert len(results) == 2
    assert results[0]["page_url"] == "https://food.invalid/pesto"


def test_search_by_image(capsys, tiny_index, tiny_world):
    picture = tiny_world / "kg" / "images" / "p3.jpg"
    code, out, _ = call(capsys, "search", "--image", picture, "--k", 1, "--index", tiny_index, "--json")
    assert code == 0
    assert json.loads(out)[0]["entities"][0]["entity_name"] == "It"
    code, out, _ = call(capsys, "search", "--image", picture, "--k", 1, "--index", tiny_index)
    assert out.split()[1:] == ["3", "It"]


@pytest.mark.slow
def test_index_build_and_check(capsys, tiny_world, tmp_path):
    code, out, err = call(capsys, "index", "build", tiny_world, "--out", tmp_path / "i", "--without", "gold", "--json")
    assert code == 0, err
    assert json.loads(out)["without_gold"] is True
    code, out, _ = call(capsys, "index", "check", tmp_path / "i")
    assert code == 0
    assert out == "5 entities, 5 pictures, 4 pages (" + out.split("(")[1]
    (tmp_path / "i" / "pictures" / "0.jpg").unlink()
    code, out, err = call(capsys, "index", "check", tmp_path / "i")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "argv",
    [
        ["search", "--text", "x", "--index", "/nonexistent/index"],
        ["search", "--text", " ", "--index", "INDEX"],
        ["search", "--image", "/nonexistent.jpg", "--index", "INDEX"],
        ["search", "--text", "x", "--k", "0", "--index", "INDEX"],
        ["search", "--text", "x", "--k", "many", "--index", "INDEX"],
        ["search", "--text", "x", "--image", "y"],
        ["search"],
        ["index"],
        ["index", "build", "/nonexistent", "--out", "/nonexistent/out"],
        ["index", "build", "WORLD"],
        ["index", "build", "WORLD", "--out", "x", "--without", "salt"],
        ["index", "check", "/nonexistent"],
        ["index", "import", "somewhere", "--out", "x"],
        ["index", "dance"],
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, argv, tiny_index, tiny_world):
    places = {"INDEX": tiny_index, "WORLD": tiny_world}
    code, out, err = call(capsys, *(places.get(a, a) for a in argv))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err
