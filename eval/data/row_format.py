"""What a format of rows is, and the first row by which it is told."""

from __future__ import annotations

import bz2
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.whole_text import load_json
from eval.data.crag_rows import Source
from eval.data.samples import BenchmarkName, Sample, Unusable

#: A first row longer than this is no row.
_LONGEST_ROW = 64 << 20
#: Nor is a longer list looked at for its first row: lists are for rows that people write.
_LONGEST_LIST = 256 << 20
#: What a file that is compressed with bzip2 begins with.
_PACKED = b"BZh"


@dataclass(frozen=True)
class RowFormat:
    """How the rows of one benchmark are known and read.

    recognises: whether a first row is one of these. folder: whether a folder holds them. read: samples of a file or
    folder; `Source.cache` is where what is made of large files may be kept. Raises BadInput with line and column.
    """

    benchmark: BenchmarkName
    recognises: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Path, Source], Iterable[Sample | Unusable]]
    folder: Callable[[Path], bool] = lambda path: False


def is_packed(path: Path) -> bool:
    """Whether a file is compressed with bzip2, whatever it is called; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_PACKED)) == _PACKED
    except OSError:
        return False


def first_row(path: Path) -> Mapping[str, Any] | None:
    """The first row of a file: the first of JSON lines, also of compressed ones (bzip2), or of a JSON list. None where
    that is no JSON object.
    """
    try:
        with bz2.open(path, "rt", encoding="utf-8-sig") if is_packed(path) else path.open(encoding="utf-8-sig") as file:
            while (line := file.readline(_LONGEST_ROW)) and not line.strip():
                pass
            if (start := line.lstrip()[:1]) == "[":
                line += file.read(_LONGEST_LIST)
        row = load_json(line) if start in ("{", "[") else None
    except (OSError, ValueError, EOFError):
        return None
    if isinstance(row, list):
        row = row[0] if row else None
    return row if isinstance(row, dict) else None
