"""Example frames for the gallery: rows of the bundled world's validation sets, with questions as people ask them.

Which rows, and what is asked of them, stands in the world's `examples.json`; another world shows the first rows of its
sets with their own questions. Reads what any benchmark loader may read (the rows), never the answers. Works without a
world: then there are none.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage
from assistant.core.types import Frame
from assistant.core.whole_text import load_json
from assistant.ui.html.page import Example
from assistant.ui.state.pictures import data_uri

log = logging.getLogger(__name__)

EXAMPLE_SIDE_PX = 200
CHOSEN_FILE = "examples.json"
#: How many frames come from each set where none are chosen: single questions, then whole conversations.
SHOWN = (("single_turn", 4), ("multi_turn", 2))


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
                rows = self._chosen() or [row for name, count in SHOWN for row in self._spread(name, count)]
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

    def _chosen(self) -> list[_Row]:
        """The rows that the world's own list names, each with the questions written there."""
        path = self._world / CHOSEN_FILE
        rows = []
        for told in load_json(path.read_text(encoding="utf-8")) if path.is_file() else []:
            found = self._read(told["set"], (told["row"],))
            if found and found[0].get("session_id") == told["session_id"]:
                rows.append(self._as_row(found[0] | {"turns": {"query": told["questions"]}}))
        return [row for row in rows if row is not None]

    def _spread(self, set_name: str, count: int) -> list[_Row]:
        """So many rows of a set, from its first on."""
        total = len(self._read(set_name, None, ("image_url",)))
        picked = self._read(set_name, range(0, total, max(1, total // count))[:count])
        return [row for row in map(self._as_row, picked) if row is not None]

    def _read(
        self,
        set_name: str,
        rows: Sequence[int] | None,
        columns: Sequence[str] = ("image", "image_url", "turns", "session_id"),
    ) -> list[dict[str, Any]]:
        """Rows of a set's validation split by their numbers, or all of them; [] where there are none."""
        import pyarrow.parquet as parquet

        path = self._world / set_name / "validation.parquet"
        if not path.is_file():
            return []
        table = parquet.read_table(path, columns=[n for n in parquet.read_schema(path).names if n in columns])
        wanted = range(table.num_rows) if rows is None else [r for r in rows if 0 <= r < table.num_rows]
        return [table.slice(r, 1).to_pylist()[0] for r in wanted]

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
