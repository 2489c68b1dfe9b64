"""`python -m tests.e2e.eval_server DATA_DIR PORT`: the page around a scripted assistant, in a process to be killed."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from app import build_page, launch
from assistant.settings import read_settings
from tests.e2e.scripted import ScriptedAssistant


def main(data_dir: str, port: str) -> None:
    settings = read_settings(data_dir=Path(data_dir))
    page, _ = build_page(settings, lambda progress: ScriptedAssistant())
    print(launch(page, "127.0.0.1", int(port), [], settings), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
