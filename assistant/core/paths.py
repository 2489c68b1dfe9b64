"""Where the project's own files lie. The environment and the user's folders are the matter of `assistant.settings`."""

from __future__ import annotations

from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parents[2]
ASSETS_DIR = PROJECT_DIR / "assets"
#: Weights of the reader and of the offline judge; `MANIFEST.json` there names each with its hash and recipe.
WEIGHTS_DIR = ASSETS_DIR / "weights"

#: What to do where a file of the project's own is missing or does not fit.
RESTORE = "get the project's files again (assets/docs/training.md says how this one was made)"
