"""The rules of the house that a machine can check: one direction of imports, one reader of the environment."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(p for folder in ("assistant", "eval") for p in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at the top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module)
    return names


def is_under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def test_there_are_sources():
    assert len(SOURCES) > 20


def test_only_the_page_imports_gradio():
    guilty = [
        str(p.relative_to(ROOT))
        for p in SOURCES
        if "ui" not in p.relative_to(ROOT).parts and any(is_under(m, "gradio") for m in imported(p))
    ]
    assert not guilty


def test_the_assistant_never_imports_eval():
    guilty = [
        str(p.relative_to(ROOT))
        for p in SOURCES
        if p.is_relative_to(ROOT / "assistant") and any(is_under(m, "eval") for m in imported(p))
    ]
    assert not guilty


def test_the_rooms_do_not_import_the_page():
    guilty = [
        str(p.relative_to(ROOT))
        for p in SOURCES
        if "ui" not in p.relative_to(ROOT).parts
        and any(is_under(m, "assistant.ui") or is_under(m, "eval.ui") or is_under(m, "app") for m in imported(p))
    ]
    assert not guilty


def test_only_settings_reads_the_environment():
    guilty = []
    for p in SOURCES:
        if p == ROOT / "assistant" / "settings.py":
            continue
        for node in ast.walk(ast.parse(p.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
                guilty.append(f"{p.relative_to(ROOT)}:{node.lineno}")
    assert not guilty


def test_no_agent_code_names_the_gold_folder():
    """Only `index build --without gold` may open gold/: everything else under assistant/ never names it."""
    allowed = {ROOT / "assistant" / p for p in ("index/build.py", "index/world_files.py", "commands/index.py")}
    guilty = [
        str(p.relative_to(ROOT))
        for p in SOURCES
        if p.is_relative_to(ROOT / "assistant") and p not in allowed and "gold/" in p.read_text(encoding="utf-8")
    ]
    assert not guilty


@pytest.mark.parametrize("module", ["assistant.agent", "assistant.factory", "assistant.core.events", "eval.__main__"])
def test_importing_is_cheap(module: str):
    """Heavy libraries are imported where they are used, so that the page paints before they load."""
    heavy = ["torch", "transformers", "sentence_transformers", "chromadb", "rapidocr", "gradio", "open_clip", "cv2"]
    code = f"import sys, {module}; print(*[m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == ""
