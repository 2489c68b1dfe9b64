"""The reader shares nothing with what measures it: no import, no data file."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import assistant.answering

ROOM = Path(assistant.answering.__file__).parent


def test_nothing_is_imported_from_eval() -> None:
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [n for n in names if n.split(".")[0] in ("eval", "tests")], path.name


def test_no_data_file_is_shared_with_eval() -> None:
    import eval as measuring

    theirs = {
        p.read_bytes()
        for p in Path(measuring.__file__).parent.rglob("*")
        if p.is_file() and p.stat().st_size > 64 and p.suffix != ".pyc"
    }
    for path in sorted(p for p in ROOM.rglob("*") if p.is_file() and p.suffix != ".pyc"):
        assert path.stat().st_size <= 64 or path.read_bytes() not in theirs, path.name
    for path in sorted(ROOM.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert "eval/" not in text, path.name
        assert "assets/world" not in text, path.name


def test_practice_repeats_no_turn_of_phrase_of_the_generator() -> None:
    """Plain statements ("It was designed by …") coincide; whole chatty sentences do only when one was copied."""
    import eval.world

    told = [
        re.compile(r"\W+".join(r".+" if "{" in w else re.escape(w) for w in words) + r"\W*", re.IGNORECASE)
        for path in (Path(eval.world.__file__).parent / "data" / "voices").glob("*.json")
        for sentence in _chatty(json.loads(path.read_text(encoding="utf-8")))
        if len(words := re.findall(r"\{\w+\}|\w+", sentence)) - sentence.count("{") >= 5
    ]
    assert len(told) > 200
    practice = [
        text
        for path in (ROOM / "data").rglob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
        for text in _texts(json.loads(line))
    ]
    assert len(practice) > 20_000
    assert [t for t in practice if any(p.fullmatch(t) for p in told)] == []


def _chatty(node: object, inside: bool = False) -> list[str]:
    if isinstance(node, dict):
        return [s for key, value in node.items() for s in _chatty(value, inside or key == "chatty")]
    if isinstance(node, list):
        return [s for value in node for s in _chatty(value, inside)]
    return [node] if inside and isinstance(node, str) else []


def _texts(node: object) -> list[str]:
    if isinstance(node, dict):
        return [s for value in node.values() for s in _texts(value)]
    if isinstance(node, list):
        return [s for value in node for s in _texts(value)]
    return [node] if isinstance(node, str) else []
