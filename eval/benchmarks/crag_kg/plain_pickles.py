"""Reading pickles that others wrote without running anything of theirs.

A pickle is a program: it names callables and calls them. Here only the names of `_ADMITTED` are known, and none of them
is the real thing: each becomes a passive record of its arguments and its state, which `plain` and `eval.benchmarks.
crag_kg.frames` read afterwards. Any other name, and any odd file, is refused with one sentence.
"""

from __future__ import annotations

import datetime
import io
import math
import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from assistant.core.errors import BadInput
from assistant.core.whole_text import whole_text
from eval.benchmarks.crag_kg.pickle_memo import check_numbers


class _Sealed(type):
    """A class that a pickle cannot change: the opcode BUILD may be aimed at a class as well as at an object."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise TypeError(f"{name!r} cannot be set")


class Passive(metaclass=_Sealed):
    """What a pickle would have called: the arguments of the call and the state it was given afterwards."""

    __slots__ = ("arguments", "state")
    arguments: tuple[Any, ...]
    state: Any
    #: The full name in the pickle, as pandas 2.0 and numpy 1 have it.
    named = ""

    def __new__(cls, *arguments: Any) -> Passive:
        """A record of the call."""
        record = object.__new__(cls)
        record.arguments, record.state = arguments, None
        return record

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Mapping(dict[Any, Any], metaclass=_Sealed):
    """Dictionaries that remember an order or have a default: as plain ones."""

    def __init__(self, *_: Any) -> None:
        super().__init__()


_NAMES = """
numpy.dtype numpy.ndarray numpy.core.multiarray._reconstruct numpy.core.multiarray.scalar
numpy.core.numeric._frombuffer
pandas.core.frame.DataFrame pandas.core.internals.managers.BlockManager pandas._libs.internals._unpickle_block
pandas._libs.arrays.__pyx_unpickle_NDArrayBacked pandas._libs.missing.NA
pandas.core.indexes.base._new_Index pandas.core.indexes.base.Index pandas.core.indexes.range.RangeIndex
pandas.core.indexes.multi.MultiIndex
pandas.core.arrays.datetimes.DatetimeArray pandas.core.arrays.string_.StringArray
pandas.core.arrays.integer.IntegerArray pandas.core.arrays.floating.FloatingArray
pandas.core.arrays.boolean.BooleanArray pandas.core.arrays.categorical.Categorical
pandas.core.arrays.string_.StringDtype pandas.core.arrays.boolean.BooleanDtype
pandas.core.arrays.integer.Int64Dtype pandas.core.arrays.integer.Int32Dtype pandas.core.arrays.floating.Float64Dtype
pandas.core.dtypes.dtypes.CategoricalDtype
datetime.datetime datetime.date datetime.time
builtins.set builtins.frozenset builtins.slice
builtins.dict builtins.list builtins.int builtins.str
_codecs.encode
"""
_ADMITTED: dict[str, type] = {
    **{name: _Sealed(name, (Passive,), {"__slots__": (), "named": name}) for name in _NAMES.split()},
    "collections.OrderedDict": _Mapping,
    "collections.defaultdict": _Mapping,
}
#: Python 2 and numpy 2 call some of them otherwise.
_RENAMED = (("__builtin__.", "builtins."), ("numpy._core.", "numpy.core."))


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        full = f"{module}.{name}"
        for other, ours in _RENAMED:
            full = ours + full.removeprefix(other) if full.startswith(other) else full
        if full not in _ADMITTED:
            raise BadInput(f"it asks for {full!r}, which data have no need of: nothing of it was run")
        return _ADMITTED[full]

    def persistent_load(self, pid: Any) -> NoReturn:
        raise BadInput(f"it points to {pid!r} outside itself")


def load_passive(source: bytes | Path, where: str) -> Any:
    """The content of a pickle, with a `Passive` for everything that is not of a plain type.

    Args:
        source: the bytes, or the file that holds them.
        where: what messages call it.

    Raises:
        BadInput: it cannot be read, breaks off, is no pickle, or names something that is not admitted.
    """
    try:
        with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
            check_numbers(file)
            return _Reader(file).load()
    except BadInput as problem:
        raise BadInput(f"{where} is refused: {problem}") from None
    except OSError as problem:
        raise BadInput(f"{where} cannot be read ({problem.strerror or problem})") from None
    except (RecursionError, MemoryError):
        raise BadInput(f"{where} is no pickle that fits into memory") from None
    except Exception as problem:  # an odd pickle may fail with any error there is
        raise BadInput(f"{where} is no complete pickle ({problem}): fetch it again") from None


class Plain:
    """Turns what `load_passive` gave into what JSON can hold; one for a file, as it counts what it has seen.

    NaN and infinities become None, tuples and sets lists, dates their ISO text, keys text. A pickle may name one list
    a thousand times inside another, and that one in turn: `most` is how many values there may be in all.
    """

    def __init__(self, where: str, most: int) -> None:
        self._where = where
        self._left = most

    def __call__(self, value: Any) -> Any:
        """The plain value.

        Raises:
            BadInput: something that is no plain value, or more values than fit into a file of its size.
        """
        try:
            return self._plain(value)
        except RecursionError:
            raise BadInput(f"{self._where} is refused: its values are nested too deeply") from None

    def _plain(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise BadInput(f"{self._where} is refused: it unfolds to far more values than a file of its size holds")
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, str):
            return whole_text(value)
        if isinstance(value, dict):
            return {self._key(key): self._plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._plain(item) for item in value]
        if isinstance(value, Passive) or (isinstance(value, type) and issubclass(value, Passive)):
            return self._plain(self._resolved(value))
        raise BadInput(f"{self._where} is refused: it holds a {type(value).__name__}, which is no plain value")

    def _key(self, key: Any) -> str:
        plain = self._plain(key)
        if isinstance(plain, bool) or plain is None:
            return {True: "true", False: "false", None: "null"}[plain]
        if not isinstance(plain, str | int | float):
            raise BadInput(f"{self._where} is refused: a key in it is a {type(key).__name__}, not a text")
        return str(plain)

    def _resolved(self, value: Passive | type[Passive]) -> Any:
        if value.named == "pandas._libs.missing.NA":
            return None
        try:
            assert isinstance(value, Passive)
            return _resolve(value)
        except (AssertionError, ValueError, TypeError, IndexError, OverflowError):
            raise BadInput(f"{self._where} is refused: it holds a {value.named}, which is no plain value") from None


def _resolve(record: Passive) -> Any:
    """The value of a record that stands for a plain one."""
    arguments = record.arguments
    match record.named.rpartition(".")[2]:
        case "scalar":
            return array_of(arguments[1], arguments[0], (1,))[0].item()
        case "datetime" | "date" | "time":
            made = date_of(record)
            return made.isoformat(" ") if isinstance(made, datetime.datetime) else made.isoformat()
        case "set" | "frozenset":
            return list(arguments[0])
    raise ValueError


def resolved_bytes(value: Any) -> Any:
    """Bytes that an older protocol wrote as text with its encoding; anything else as it is."""
    if isinstance(value, Passive) and value.named == "_codecs.encode":
        return str(value.arguments[0]).encode("latin-1")
    return value


def date_of(record: Passive) -> datetime.date | datetime.time:
    """The date or time that a record stands for (in Python, a datetime is a date).

    Raises:
        TypeError, ValueError: its parts make none.
    """
    kinds = {"datetime.datetime": datetime.datetime, "datetime.date": datetime.date, "datetime.time": datetime.time}
    made: datetime.date | datetime.time = kinds[record.named](*(resolved_bytes(a) for a in record.arguments))
    return made


#: Kinds of numpy's types that hold their values themselves, and the units of its dates.
_CODES = frozenset(["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "b1"])
_UNITS = frozenset({"D", "s", "ms", "us", "ns"})


def dtype_of(record: Any) -> np.dtype[Any]:
    """The numpy type that a record names: numbers, booleans, text and dates; "O" for Python's own values.

    Raises:
        ValueError: another type.
    """
    if not isinstance(record, Passive) or record.named != "numpy.dtype":
        raise ValueError("no dtype")
    code, state = record.arguments[0], record.state
    order = state[1] if isinstance(state, tuple) else "="
    if order not in ("<", ">", "|", "="):
        raise ValueError(f"byte order {order!r}")
    if code in ("O", "O8"):
        return np.dtype(object)
    if code == "M8":
        unit, count = state[8][1][0], state[8][1][1]
        unit = unit.decode("ascii") if isinstance(unit, bytes) else resolved_bytes(unit)
        unit = unit.decode("ascii") if isinstance(unit, bytes) else unit
        if unit not in _UNITS or count != 1:
            raise ValueError(f"unit {unit!r}")
        return np.dtype(f"{order}M8[{unit}]")
    if code in _CODES or (code[:1] in "US" and code[1:].isdigit()):
        return np.dtype(f"{order}{code}")
    raise ValueError(f"dtype {code!r}")


def array_of(data: Any, dtype: Any, shape: Iterable[int], order: str = "C") -> np.ndarray[Any, Any]:
    """A numpy array out of its parts in a pickle: bytes, or for Python's own values a list.

    Raises:
        ValueError: parts that do not fit together, or a type that `dtype_of` does not know.
    """
    kind, sizes = dtype_of(dtype), tuple(shape)
    if not all(isinstance(n, int) and n >= 0 for n in sizes) or order not in ("C", "F"):
        raise ValueError(f"shape {sizes!r}")
    if kind.hasobject:
        if not isinstance(data, list) or len(data) != math.prod(sizes):
            raise ValueError(f"{sizes!r} values were announced")
        flat = np.empty(len(data), dtype=object)
        for place, value in enumerate(data):  # not at once: numpy would look into lists among them
            flat[place] = value
    else:
        raw = resolved_bytes(data)
        if not isinstance(raw, bytes | bytearray):
            raise ValueError("no bytes")
        flat = np.frombuffer(raw, kind)
    return flat.reshape(sizes, order=order)  # type: ignore[call-overload,no-any-return]
