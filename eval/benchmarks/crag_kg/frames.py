"""Tables that pandas 2.0 pickled, as plain columns; pandas itself takes no part.

Known are the parts that the released files are made of: blocks of numbers, booleans, dates and Python's own values,
pandas' arrays with a mask, of text and of categories, and indexes of one or several levels. Dates with a time zone,
intervals, periods and sparse columns are not known and are refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.plain_pickles import Passive, array_of, date_of, dtype_of, load_passive

#: A range is written in a few bytes; the released tables have a few thousand rows.
_MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class Frame:
    """A table: columns by name, each with a value a row; the label of each row, one value a level; the levels' names.

    Values are plain, or a date or time of Python's; what is missing is None, but NaN stays NaN in columns of Python's
    own values and in labels.
    """

    columns: dict[str, list[Any]]
    labels: list[tuple[Any, ...]]
    levels: tuple[Any, ...]


def read_frame(path: Path) -> Frame:
    """The table in a pickle file.

    Raises:
        BadInput: it cannot be read, is refused (see `plain_pickles`), or holds no table of known parts.
    """
    try:
        return _frame(load_passive(path, repr(str(path))))
    except (AssertionError, AttributeError, KeyError, ValueError, TypeError, IndexError, OverflowError) as problem:
        why = f" ({problem})" if str(problem) else ""
        raise BadInput(
            f"{str(path)!r} holds no table as pandas 2.0 writes it{why}: take the file as released"
        ) from None


def _frame(record: Any) -> Frame:
    if not _is(record, "DataFrame"):
        raise ValueError("it is no DataFrame")
    manager = record.state["_mgr"]
    assert _is(manager, "BlockManager")
    blocks, (columns, index) = manager.arguments
    names = [str(label[0]) for label in _labels(columns)]
    labels = _labels(index)
    values: list[list[Any] | None] = [None] * len(names)
    for block in blocks:
        assert _is(block, "_unpickle_block")
        rows, placement, _ = block.arguments
        for place, column in zip(_places(placement, len(names)), _columns(rows), strict=True):
            values[place] = column
    if any(column is None or len(column) != len(labels) for column in values):
        raise ValueError("columns and rows do not fit together")
    return Frame(
        {name: column for name, column in zip(names, values, strict=True) if column is not None},
        labels,
        _level_names(index),
    )


def _is(record: Any, *names: str) -> bool:
    return isinstance(record, Passive) and record.named.rpartition(".")[2] in names


def _array(record: Any) -> np.ndarray[Any, Any]:
    if _is(record, "_frombuffer"):
        data, dtype, shape, order = record.arguments
        return array_of(data, dtype, shape, order)
    if _is(record, "_reconstruct"):
        _, shape, dtype, fortran, data = record.state
        return array_of(data, dtype, shape, "F" if fortran else "C")
    raise ValueError("it holds an array of another kind")


def _places(placement: Any, most: int) -> list[int]:
    """Which columns a block holds."""
    if _is(placement, "slice"):
        return list(range(most))[slice(*placement.arguments)]
    return [int(n) for n in _array(placement)]


def _columns(record: Any) -> list[list[Any]]:
    """The columns of a block, each as plain values."""
    if _is(record, "IntegerArray", "FloatingArray", "BooleanArray"):
        data, mask = (_array(record.state[key]).tolist() for key in ("_data", "_mask"))
        return [[None if hidden else value for value, hidden in zip(data, mask, strict=True)]]
    if _is(record, "__pyx_unpickle_NDArrayBacked"):
        state = record.state if record.state is not None else record.arguments[2]
        dtype, array = (state[1], state[0]) if not _is(state[1], "_frombuffer", "_reconstruct") else state[:2]
        if _is(dtype, "CategoricalDtype"):
            kinds = [label[0] for label in _labels(dtype.state["categories"])]
            return [[kinds[code] if code >= 0 else None for code in _array(array).tolist()]]
        if not _is(dtype, "StringDtype"):
            dtype_of(dtype)  # with a time zone it is none of numpy's
        return _plain_columns(_array(array))
    return _plain_columns(_array(record))


def _plain_columns(array: np.ndarray[Any, Any]) -> list[list[Any]]:
    rows = array.reshape(1, -1) if array.ndim == 1 else array
    return [_values(row) for row in rows]


def _values(row: np.ndarray[Any, Any]) -> list[Any]:
    if row.dtype.kind == "M":
        return [None if np.isnat(value) else value.astype("M8[us]").item() for value in row]
    if row.dtype.kind == "f":
        return [None if math.isnan(value) else value for value in row.tolist()]
    return [_value(value) for value in row.tolist()]


def _value(value: Any) -> Any:
    """One of Python's own values in a column."""
    if isinstance(value, type) and issubclass(value, Passive) and value.named == "pandas._libs.missing.NA":
        return None
    if _is(value, "scalar"):
        return array_of(value.arguments[1], value.arguments[0], (1,))[0].item()
    if _is(value, "datetime", "date", "time"):
        return date_of(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"a cell holds a {getattr(value, 'named', type(value).__name__)}")


def _labels(record: Any) -> list[tuple[Any, ...]]:
    """The labels of an index, one value a level."""
    assert _is(record, "_new_Index")
    kind, parts = record.arguments
    match kind.named.rpartition(".")[2]:
        case "RangeIndex":
            numbers = range(parts["start"], parts["stop"], parts["step"])
            if len(numbers) > _MOST_ROWS:
                raise ValueError(f"{len(numbers)} rows")
            return [(n,) for n in numbers]
        case "Index":
            return [(value,) for value in _values(_array(parts["data"]))]
        case "MultiIndex":
            return _several_levels(parts)
    raise ValueError(f"an index of kind {kind.named!r}")


def _several_levels(parts: dict[str, Any]) -> list[tuple[Any, ...]]:
    levels = [[label[0] for label in _labels(level)] for level in parts["levels"]]
    codes = [_array(code).tolist() for code in parts["codes"]]
    return [
        tuple(level[code] if code >= 0 else math.nan for level, code in zip(levels, row, strict=True))
        for row in zip(*codes, strict=True)
    ]


def _level_names(record: Any) -> tuple[Any, ...]:
    kind, parts = record.arguments
    return tuple(parts["names"]) if kind.named.endswith(".MultiIndex") else (parts.get("name"),)
