"""Prompts as text files: ours, and a folder that stands in for some of them."""

from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from assistant.pipelines.prompts import FOLDER, Prompts


def test_ours_are_whole_and_every_field_is_known():
    ours = Prompts.load()
    assert {"system", "strictness-none", "strictness-soft", "strictness-moderate", "strictness-severe"} <= set(
        ours.texts
    )
    told = {
        ours.fill("system", strictness=ours.fill(f"strictness-{s}")) for s in ("none", "soft", "moderate", "severe")
    }
    assert len(told) == 4
    assert not any("$" in text for text in told)


def test_a_folder_stands_in_for_what_it_holds_and_is_another_set(tmp_path: Path):
    (tmp_path / "strictness-severe.txt").write_text("Say nothing but the truth, for $$5.\n", encoding="utf-8")
    theirs = Prompts.load(tmp_path)
    assert theirs.fill("strictness-severe") == "Say nothing but the truth, for $5."
    assert theirs.texts["system"] == Prompts.load().texts["system"]
    assert theirs.digest != Prompts.load().digest
    assert Prompts.load().digest == Prompts.load().digest


def test_what_is_filled_in_is_no_template():
    assert "costs $strictness ${now}" in Prompts.load().fill("system", strictness="costs $strictness ${now}")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("sistem.txt", b"Be kind.", "no prompt is called 'sistem'"),
        ("system.txt", b"\xff\xfe\xff", "cannot be read as text"),
        ("system.txt", b"$strictness and $secret", "\\$secret"),
        ("system.txt", b"It costs $ 5", "without a name"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_one_sentence(tmp_path: Path, name: str, content: bytes, words: str):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=words) as problem:
        Prompts.load(tmp_path)
    assert "\n" not in str(problem.value)


def test_a_folder_that_is_missing_is_one_sentence(tmp_path: Path):
    with pytest.raises(BadInput, match="no folder of prompts"):
        Prompts.load(tmp_path / "none")


def test_every_file_ends_with_one_line_end():
    for path in FOLDER.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n"), path.name
        assert not text.endswith("\n\n"), path.name
