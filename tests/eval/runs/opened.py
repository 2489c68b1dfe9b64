"""Notes which files under a folder this process opens, whoever opens them (file rights mean nothing to root)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any


class Watch:
    """Set `folder` to watch it, None to stop; `opened` grows. An audit hook stays for the life of the process."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.opened: list[str] = []
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.folder is not None and event in ("open", "os.listdir", "os.scandir"):
            path = os.fspath(arguments[0]) if isinstance(arguments[0], str | os.PathLike) else ""
            if str(path).startswith(str(self.folder)):
                self.opened.append(str(path))
