"""Rows out of Parquet files and Arrow tables: labels' names, everything but the pictures, and pictures by number.

Arrow files are read as streams (as `datasets` writes them) or as files (as Feather and IPC writers do), mapped, so
that pictures stay on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.crag_rows import COLUMNS, PARTS
from eval.data.label_names import names_in_metadata
from eval.data.pictures import Picture, arrow_pictures, parquet_pictures

SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")


@dataclass(frozen=True)
class Table:
    """Rows without their pictures, the pictures beside them, and what the features call the labels."""

    rows: list[dict[str, Any]]
    pictures: Sequence[Picture | None]
    names: dict[str, tuple[str, ...]]

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any], Picture | None]]:
        return ((number, row, self.pictures[number]) for number, row in enumerate(self.rows))


def read_table(path: Path) -> Table:
    """Read a Parquet or Arrow file of CRAG-MM rows.

    Raises:
        BadInput: no such file, or it lacks a column; the message names it.
    """
    return _read_parquet(path) if path.suffix == ".parquet" else _read_arrow(path)


def _read_parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
        check_columns(schema, str(path))
        rows = pq.read_table(path, columns=[name for name in schema.names if name != "image"]).to_pylist()
        pictures = parquet_pictures(path) if "image" in schema.names else [None] * len(rows)
    except (pa.ArrowException, OSError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as Parquet ({problem})") from None
    return Table(rows, pictures, names_in_metadata(schema.metadata))


def _read_arrow(path: Path) -> Table:
    import pyarrow as pa

    try:
        mapped = pa.memory_map(str(path))
        try:
            table = pa.ipc.open_stream(mapped).read_all()
        except pa.ArrowInvalid:
            mapped.seek(0)
            table = pa.ipc.open_file(mapped).read_all()
    except (pa.ArrowException, OSError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as Arrow ({problem})") from None
    return from_arrow(table, str(path), path.parent)


def from_arrow(table: Any, name: str, folder: Path | None, names: dict[str, tuple[str, ...]] | None = None) -> Table:
    """An Arrow table that is there already; `names` are the labels' when its own metadata are not to be asked."""
    check_columns(table.schema, name)
    rows = table.drop_columns(["image"]).to_pylist() if "image" in table.column_names else table.to_pylist()
    pictures: Sequence[Picture | None] = [None] * len(rows)
    if "image" in table.column_names:
        pictures = arrow_pictures(table.column("image"), folder)
    return Table(rows, pictures, names_in_metadata(table.schema.metadata) if names is None else names)


def check_columns(schema: Any, name: str) -> None:
    """That a schema has what CRAG-MM rows have, in either layout.

    Raises:
        BadInput: the first column that is missing or of another kind.
    """
    for column in COLUMNS:
        if column not in schema.names:
            has = ", ".join(schema.names)
            raise BadInput(f"{name!r} has no column {column!r}: it holds no CRAG-MM rows (its columns: {has})")
    for column, wanted in PARTS.items():
        fields = _fields(schema.field(column).type)
        if fields is None:
            kind = schema.field(column).type
            raise BadInput(f"the column {column!r} of {name!r} is {kind}, where CRAG-MM rows have a structure")
        for part in wanted:
            if part not in fields:
                raise BadInput(
                    f"the column {column!r} of {name!r} has no {part!r}: it holds no CRAG-MM rows "
                    f"(it has {', '.join(fields)})"
                )


def _fields(kind: Any) -> list[str] | None:
    """The names within a column: a struct of lists, or a list of structs; None when it is neither."""
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    return [field.name for field in kind] if pa.types.is_struct(kind) else None
