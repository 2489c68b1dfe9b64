"""The reader shares nothing with what measures it: no import, no data file."""

from __future__ import annotations

import ast
from pathlib import Path

from assistant.core.paths import PROJECT_DIR

ROOMS = [PROJECT_DIR / "assistant" / room for room in ("text", "understanding", "reading")]


def test_nothing_is_imported_from_eval() -> None:
    for path in sorted(p for room in ROOMS for p in room.rglob("*.py")):
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
    for path in sorted(p for room in ROOMS for p in room.rglob("*") if p.is_file() and p.suffix != ".pyc"):
        assert path.stat().st_size <= 64 or path.read_bytes() not in theirs, path.name
    for path in sorted(p for room in ROOMS for p in room.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert "eval/" not in text, path.name
        assert "assets/world" not in text, path.name
