"""What both command lines share: progress that a file can hold, and one sentence for bad input."""

from __future__ import annotations

import pytest

from assistant.commands.command_line import ShownProgress, main


def test_progress_in_a_file_is_a_line_for_every_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ShownProgress("building")
    for n in range(1001):
        shown(n / 1000, f"picture {n}")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[0] == "building:   0% picture 0"
    assert lines[-1] == "building: 100% picture 1000"
    assert not any("\r" in line for line in lines)


def test_a_command_that_does_not_exist_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("vitrine", {"ask": ("assistant.commands.ask", "ask")}, ["sing"]) == 2
    assert capsys.readouterr().err == "there is no command 'sing': choose one of ask\n"
