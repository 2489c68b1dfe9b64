"""Where a sample's picture lies, read only when asked for: a file, or a row of a Parquet file or an Arrow table.

Rows of JSON may carry their picture as text, which is at hand anyway.

Gives bytes; decoding is `assistant.vision.frame`. Nothing here reaches for the network (`eval.data.url_pictures` does).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assistant.core.errors import BadImage
from eval.data.picture_text import carried, find_file, is_file, shown

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
        return is_file(self.path)

    def read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as problem:
            raise BadImage(f"{shown(self.path.name)} cannot be opened ({problem.strerror})") from problem
        except ValueError as problem:
            raise BadImage(f"{shown(self.path.name)} cannot be opened ({problem})") from problem


@dataclass(frozen=True)
class CarriedPicture:
    """A picture that its row carries as text."""

    data: bytes = field(repr=False)

    def exists(self) -> bool:
        return True

    def read(self) -> bytes:
        return self.data


def picture_in(value: Any, folder: Path | None) -> Picture | None:
    """The picture that `image` of a row means: a path seen from `folder`, the picture as text, or `{"bytes", "path"}`.

    None for a row without one (null or no text). Without a folder paths are of another machine and mean nothing.

    Raises:
        BadImage: there is none where the row says, or it is broken.
        TypeError: the value is of no such kind.
    """
    if isinstance(value, dict):
        inner = value.get("bytes")
        return picture_in(value.get("path") if inner is None or inner in ("", b"") else inner, folder)
    if value is None or value in ("", b""):
        return None
    if isinstance(value, bytes):
        return CarriedPicture(value)
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is neither a path nor a picture")
    if folder is not None and (file := find_file(folder, value)) is not None:
        return FilePicture(file)
    try:
        data = carried(value)
    except ValueError as problem:
        raise BadImage(str(problem)) from None
    if not data:
        raise BadImage(f"there is no picture {shown(value)}")
    return CarriedPicture(data)


class PictureColumn(Protocol):
    """The `image` column of a table."""

    def value(self, number: int) -> Any:
        """What one row has there: bytes, `{"bytes", "path"}`, a path, or None."""
        ...


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

    def value(self, number: int) -> Any:
        import pyarrow as pa

        group, row = self.places[number]
        with self._lock:
            if group not in self._kept:
                try:
                    column = self._file.read_row_group(group, columns=["image"]).column("image")
                except (OSError, pa.ArrowException) as problem:
                    raise BadImage(f"the pictures of {self._name!r} cannot be read ({problem})") from problem
                self._kept[group] = list(column)
                while len(self._kept) > _KEPT_ROW_GROUPS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(group)
            scalar = self._kept[group][row]
        return scalar.as_py()


@dataclass(frozen=True)
class ArrowColumn:
    """The `image` column of an Arrow table, usually mapped from a file: only what is asked for comes to memory."""

    column: Any

    def value(self, number: int) -> Any:
        return self.column[number].as_py()


@dataclass(frozen=True)
class TablePicture:
    """One row's picture. Whether the row has one is known without reading its bytes.

    `folder` is where a row lies that names a file instead of carrying bytes.
    """

    column: PictureColumn
    number: int
    present: bool
    folder: Path | None = None

    def exists(self) -> bool:
        return self.present

    def read(self) -> bytes:
        try:
            found = picture_in(self.column.value(self.number), self.folder)
        except TypeError:
            found = None
        if found is None:
            raise BadImage("the row has no picture")
        return found.read()


def parquet_pictures(path: Path) -> list[TablePicture]:
    """One lazy picture for every row of a Parquet file with an `image` column (a struct with `bytes`, binary, text)."""
    column = ParquetColumn(path)
    present = _present(path)
    return [TablePicture(column, number, present[number], path.parent) for number in range(len(column.places))]


def arrow_pictures(column: Any, folder: Path | None) -> list[TablePicture]:
    """One lazy picture for every row of the `image` column of an Arrow table."""
    lazy = ArrowColumn(column)
    return [TablePicture(lazy, number, there, folder) for number, there in enumerate(_there(column))]


def _present(path: Path) -> list[bool]:
    """Which rows have a picture; read off the file's statistics where they tell, else in small batches."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    found: list[bool] = []
    for group in range(file.metadata.num_row_groups):
        about = file.metadata.row_group(group)
        if _all_there(about):
            found += [True] * about.num_rows
            continue
        for batch in file.iter_batches(batch_size=64, row_groups=[group], columns=["image"]):
            found += _there(batch.column(0))
    return found


def _there(column: Any) -> list[bool]:
    """Which rows of a column have bytes, or at least the name of a file; empty ones have not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def filled(part: Any) -> Any:
        kind = part.type
        if (
            pa.types.is_binary(kind)
            or pa.types.is_large_binary(kind)
            or pa.types.is_string(kind)
            or (pa.types.is_large_string(kind))
        ):
            return pc.fill_null(pc.greater(pc.binary_length(part), 0), False)
        return part.is_valid()

    parts: Sequence[Any] = [column]
    if pa.types.is_struct(column.type):
        names = {field.name for field in column.type}
        parts = [pc.struct_field(column, name) for name in ("bytes", "path") if name in names]
    masks = [filled(part).to_pylist() for part in parts]
    return [any(row) for row in zip(*masks, strict=True)]


def _all_there(row_group: Any) -> bool:
    """Whether the file's statistics say that every row of a group has bytes; False when they do not say."""
    for i in range(row_group.num_columns):
        column = row_group.column(i)
        if column.path_in_schema in ("image", "image.bytes"):
            statistics = column.statistics
            return bool(statistics is not None and statistics.has_null_count and statistics.null_count == 0)
    return False
