"""Where a sample's picture lies, read only when asked for: a file, bytes, or a row of a Parquet file.

Gives bytes; decoding is `assistant.vision.frame`. Nothing here reaches for the network.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assistant.errors import BadImage

#: Row groups of pictures kept at once; conversations run roughly in order, so the next picture is usually in one.
_KEPT_ROW_GROUPS = 2


class Picture(Protocol):
    """Bytes of a picture that may not be there."""

    def exists(self) -> bool: ...

    def read(self) -> bytes:
        """Raises BadImage when the bytes cannot be had."""
        ...


@dataclass(frozen=True)
class FilePicture:
    path: Path

    def exists(self) -> bool:
        return self.path.is_file()

    def read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as problem:
            raise BadImage(f"{self.path.name!r} cannot be opened ({problem.strerror})") from problem


class ParquetColumn:
    """The `image` column of one Parquet file, a row group at a time; safe between threads."""

    def __init__(self, path: Path):
        import pyarrow.parquet as pq

        self._file = pq.ParquetFile(path)
        self._name = path.name
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, list[Any]] = OrderedDict()
        counts = [self._file.metadata.row_group(i).num_rows for i in range(self._file.metadata.num_row_groups)]
        self.places = [(group, row) for group, count in enumerate(counts) for row in range(count)]

    def value(self, number: int) -> bytes | None:
        """The bytes of one row's picture; None when the row has none."""
        group, row = self.places[number]
        with self._lock:
            if group not in self._kept:
                try:
                    column = self._file.read_row_group(group, columns=["image"]).column("image")
                except OSError as problem:  # pyarrow's own errors derive from OSError or ValueError
                    raise BadImage(f"the pictures of {self._name!r} cannot be read ({problem})") from problem
                self._kept[group] = list(column)
                while len(self._kept) > _KEPT_ROW_GROUPS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(group)
            scalar = self._kept[group][row]
        value = scalar.as_py()
        return value.get("bytes") if isinstance(value, dict) else value


@dataclass(frozen=True)
class ParquetPicture:
    """One row's picture. Whether the row has one is known without reading its bytes."""

    column: ParquetColumn
    number: int
    present: bool

    def exists(self) -> bool:
        return self.present

    def read(self) -> bytes:
        value = self.column.value(self.number)
        if not value:
            raise BadImage("the row has no picture")
        return value


def parquet_pictures(path: Path) -> list[ParquetPicture]:
    """One lazy picture for every row of a Parquet file with an `image` column (a struct with `bytes`, or binary)."""
    column = ParquetColumn(path)
    present = _present(path)
    return [ParquetPicture(column, number, present[number]) for number in range(len(column.places))]


def _present(path: Path) -> list[bool]:
    """Which rows have picture bytes; read off the file's statistics where they tell, else in small batches."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    found: list[bool] = []
    for group in range(file.metadata.num_row_groups):
        about = file.metadata.row_group(group)
        nulls = _null_count(about)
        if nulls in (0, about.num_rows):
            found += [nulls == 0] * about.num_rows
            continue
        for batch in file.iter_batches(batch_size=64, row_groups=[group], columns=["image"]):
            column = batch.column(0)
            if pa.types.is_struct(column.type):
                column = pc.struct_field(column, "bytes")
            found += column.is_valid().to_pylist()
    return found


def _null_count(row_group: Any) -> int | None:
    """How many rows of a group have no picture bytes; None when the file does not say."""
    for i in range(row_group.num_columns):
        column = row_group.column(i)
        if column.path_in_schema in ("image", "image.bytes"):
            statistics = column.statistics
            return statistics.null_count if statistics is not None and statistics.has_null_count else None
    return None
