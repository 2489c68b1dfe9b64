"""The reader shares nothing with what measures it: no import, no data file."""

from __future__ import annotations

import ast
from pathlib import Path

import assistant.answering

ROOM = Path(assistant.answering.__file__).parent


def test_nothing_is_imported_from_eval() -> None:
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [n for n in names if n.split(".")[0] in ("eval", "tests")], path.name


def test_no_data_file_is_read() -> None:
    assert [p.name for p in ROOM.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")] == []
    for path in sorted(ROOM.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert "open(" not in text.replace("Knowledge.open(", ""), path.name
        assert "eval/" not in text, path.name
