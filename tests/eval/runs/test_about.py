"""A run's name, tags and note."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.runs.about import FILE, About, about, read_about, write_about
from eval.ui.html.runs import render_list, render_run_head
from eval.ui.state.rights import ALL_RIGHTS
from eval.ui.state.run_state import RunList
from tests.eval.reports.written_run import line, write_run


def test_what_is_said_is_kept_tidy(tmp_path: Path):
    said = about("  Reader,  no check ", "baseline, , night run,baseline", " first try\n")
    assert said == About("Reader, no check", ("baseline", "night run"), "first try")
    write_about(tmp_path, said)
    assert read_about(tmp_path) == said
    assert about(None, None, None) == About()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": 5, "tags": 3}', '{"tags": [null]}'])
def test_what_cannot_be_read_says_nothing(tmp_path: Path, content: str):
    (tmp_path / FILE).write_text(content)
    assert read_about(tmp_path).note == ""
    assert read_about(tmp_path / "nowhere") == About()


@pytest.mark.parametrize(
    "said", [("x" * 200, "", ""), ("", ",".join("abcdefghijklmnopqrstuvwxyz"), ""), ("", "", "x" * 5000)]
)
def test_far_too_long_is_one_sentence(said: tuple[str, str, str]):
    with pytest.raises(BadInput, match="at most"):
        about(*said)


def test_it_stands_in_the_list_and_at_the_head(tmp_path: Path):
    write_run(tmp_path / "r1", [(line("s"), "correct")])
    write_about(tmp_path / "r1", About("<b>Reader</b>", ("baseline",), "{{x}}"))
    (run,) = RunList(tmp_path).all()
    for drawn in (render_list([run], ALL_RIGHTS), render_run_head(run, ALL_RIGHTS)):
        assert "&lt;b&gt;Reader&lt;/b&gt;" in drawn
        assert "baseline" in drawn
        assert "<b>Reader" not in drawn
        assert "{{" not in drawn
