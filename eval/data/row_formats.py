"""Which benchmark's rows a file or folder holds, beside CRAG-MM's and small ones of one's own (`eval.data.json_rows`).

A format is told by the keys of the first row, or by what a folder holds. A new one is a module of its own and an entry
of `FORMATS`.
"""

from __future__ import annotations

from pathlib import Path

from eval.data.crag_text.rows import CRAG_TEXT_ROWS
from eval.data.deflection_rows import DEFLECTION_ROWS
from eval.data.m2rag.rows import M2RAG_ROWS
from eval.data.row_format import RowFormat, first_row

FORMATS: tuple[RowFormat, ...] = (DEFLECTION_ROWS, CRAG_TEXT_ROWS, M2RAG_ROWS)


def format_of(path: Path) -> RowFormat | None:
    """The format of a file or folder, None for CRAG-MM's rows, small rows and what cannot be read."""
    if path.is_dir():
        return next((known for known in FORMATS if known.folder(path)), None)
    row = first_row(path)
    return next((known for known in FORMATS if known.recognises(row)), None) if row is not None else None
