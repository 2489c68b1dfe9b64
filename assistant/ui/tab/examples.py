"""Example frames for the gallery: rows of the bundled world's validation sets, with the questions written for them.

Reads what any benchmark loader may read (the rows), never the answers. Works without a world: then there are none.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage
from assistant.core.types import Frame
from assistant.ui.html.page import Example
from assistant.ui.state.pictures import data_uri

log = logging.getLogger(__name__)

EXAMPLE_SIDE_PX = 200
#: How many frames come from each set: single questions, then whole conversations.
SHOWN = (("single_turn", 7), ("multi_turn", 5))


@dataclass(frozen=True)
class _Row:
    data: bytes
    questions: tuple[str, ...]


class ExampleFrames:
    """The gallery's frames, read on first use and shared by all visitors."""

    def __init__(self, world: Path):
        self._world = world
        self._lock = threading.Lock()
        self._rows: tuple[_Row, ...] | None = None
        self._shown: tuple[Example, ...] = ()

    def shown(self) -> tuple[Example, ...]:
        """Small pictures and questions; empty when there is no bundled world."""
        self._load()
        return self._shown

    def frame(self, number: int) -> Frame | None:
        """The full frame of example `number`, or None when there is no such example."""
        from assistant.vision.frame import read_frame

        rows = self._load()
        return read_frame(rows[number].data) if 0 <= number < len(rows) else None

    def digest(self, number: int | None) -> str:
        """SHA-256 of the file of example `number`, in hex; "" when there is no such example."""
        rows = self._load()
        return hashlib.sha256(rows[number].data).hexdigest() if number is not None and 0 <= number < len(rows) else ""

    def questions(self, number: int | None) -> tuple[str, ...]:
        rows = self._load()
        return rows[number].questions if number is not None and 0 <= number < len(rows) else ()

    def _load(self) -> tuple[_Row, ...]:
        from assistant.vision.frame import read_frame

        with self._lock:
            if self._rows is None:
                rows = [row for name, count in SHOWN for row in self._read(name, count)]
                kept, shown = [], []
                for row in rows:
                    try:
                        small = data_uri(read_frame(row.data), EXAMPLE_SIDE_PX, quality=78)
                    except BadImage as problem:
                        log.warning("an example frame cannot be shown: %s", problem)
                        continue
                    kept.append(row)
                    shown.append(Example(small, row.questions))
                self._rows, self._shown = tuple(kept), tuple(shown)
            return self._rows

    def _read(self, set_name: str, count: int) -> list[_Row]:
        import pyarrow.parquet as parquet

        path = self._world / set_name / "validation.parquet"
        if not path.is_file():
            return []
        table = parquet.read_table(path, columns=["image", "image_url", "turns"])
        step = max(1, table.num_rows // count)
        picked = table.take(list(range(0, table.num_rows, step))[:count]).to_pylist()
        return [row for row in map(self._as_row, picked) if row is not None]

    def _as_row(self, row: dict[str, Any]) -> _Row | None:
        """A row of the benchmark's format; None when its picture is not at hand."""
        image, url, turns = row.get("image"), row.get("image_url"), row.get("turns") or {}
        data = image.get("bytes") if isinstance(image, dict) else image
        if data is None and url:  # a row without a picture of its own: the bytes behind its address, as in the world
            path = self._world / "urlcache" / hashlib.sha256(str(url).encode()).hexdigest()
            data = path.read_bytes() if path.is_file() else None
        queries = turns.get("query") if isinstance(turns, dict) else [t.get("query") for t in turns]
        if not isinstance(data, bytes) or not queries:
            return None
        return _Row(data, tuple(str(q) for q in queries if q))
