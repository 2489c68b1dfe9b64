"""Pickles of others: plain values come out, nothing runs, what is odd is refused in one sentence."""

from __future__ import annotations

import collections
import datetime
import math
import os
import pickle
import pickletools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.crag_kg.frames import read_frame
from eval.benchmarks.crag_kg.pickle_memo import largest_number
from eval.benchmarks.crag_kg.plain_pickles import Passive, Plain, load_passive
from tests.eval.benchmarks.crag_kg.released import Called, Named, dtype, frame, index, pickled, range_index

REAL = Path(__file__).parent / "data" / "table_pandas_2_0_3.pkl"


def plain(data: bytes, most: int = 1000) -> Any:
    return Plain("it", most)(load_passive(data, "it"))


@pytest.mark.parametrize("protocol", [0, 2, 3, 4, 5])
def test_plain_values(protocol: int):
    value = {
        "numbers": [1, 2.5, True, None, 10**40],
        "none": [math.nan, math.inf, -math.inf],
        "text": "naïve \U0001f600",
        "tuple": (1, (2,)),
        "set": {3},
        "numpy": [np.float64(1.5), np.int32(-3), np.bool_(True), np.str_("x")],
        "date": datetime.date(2024, 2, 28),
        "time": datetime.time(12, 30),
        "moment": datetime.datetime(2024, 2, 28, 10, 4),
        "ordered": collections.OrderedDict(b=1, a=2),
        "default": collections.defaultdict(list, {"x": [1]}),
        5: "five",
        None: "none",
    }
    assert plain(pickle.dumps(value, protocol)) == {
        "numbers": [1, 2.5, True, None, 10**40],
        "none": [None, None, None],
        "text": "naïve \U0001f600",
        "tuple": [1, [2]],
        "set": [3],
        "numpy": [1.5, -3, True, "x"],
        "date": "2024-02-28",
        "time": "12:30:00",
        "moment": "2024-02-28 10:04:00",
        "ordered": {"b": 1, "a": 2},
        "default": {"x": [1]},
        "5": "five",
        "null": "none",
    }


class Harm:
    """Makes a file when a plain loader reads its pickle."""

    def __init__(self, call: Any, *arguments: Any) -> None:
        self.call, self.arguments = call, arguments

    def __reduce__(self) -> Any:
        return self.call, self.arguments


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize("hide", [lambda harm: harm, lambda harm: {"x": [harm]}], ids=["bare", "inside"])
def test_nothing_runs(tmp_path: Path, protocol: int, hide: Any):
    mark = tmp_path / "mark"
    harmful = pickle.dumps(hide(Harm(os.system, f"touch {mark}")), protocol)
    with pytest.raises(BadInput, match=r"it is refused: it asks for '(posix|nt)\.system'.*nothing of it was run"):
        plain(harmful)
    assert not mark.exists()
    pickle.loads(harmful)
    assert mark.exists()  # the pickle would have done it


@pytest.mark.parametrize(
    ("call", "arguments"),
    [(eval, ("1",)), (getattr, ("x", "y")), (open, ("/etc/passwd",)), (__import__, ("os",)), (type, ("x",))],
)
def test_other_callables_are_refused(call: Any, arguments: tuple[Any, ...]):
    with pytest.raises(BadInput, match="which data have no need of"):
        plain(pickle.dumps(Harm(call, *arguments)))


def test_a_pickle_cannot_change_what_reads_it():
    """BUILD aimed at a class itself, with attributes to set."""
    state = (None, {"__setstate__": 1, "named": "builtins.set"})
    program = b"cnumpy\ndtype\n" + pickle.dumps(state, 2)[2:-1] + b"b."
    with pytest.raises(BadInput, match="no complete pickle"):
        plain(program)
    assert callable(Passive.__setstate__)
    assert plain(pickle.dumps(np.float64(1.5))) == 1.5


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04",
        b"hello",
        b"<html>404</html>",
        pickle.dumps({"a": [1, 2]})[:-3],
        b"\x80\x05\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x80\x02\x82\x01.",
    ],
)
def test_what_is_no_pickle(data: bytes):
    with pytest.raises(BadInput, match="it is no"):
        plain(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02Nr\x00\x00\x00\x04.",  # LONG_BINPUT 67,108,864: a gigabyte
        b"Np4000000000\n.",  # PUT
        b"cdatetime\ndate\n0(X\x03\x00\x00\x00abcNr\xff\xff\xff\xff.",  # behind a name and a text
    ],
)
def test_room_for_values_that_are_not_there(tmp_path: Path, data: bytes):
    path = tmp_path / "x.pickle"
    path.write_bytes(data)
    for source in (data, path):
        with pytest.raises(BadInput, match=r"it wants room for \d+ values in \d+ bytes"):
            load_passive(source, "it")


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_what_pickles_keep_is_counted_as_pickletools_reads_it(protocol: int):
    value = {"long": ["é\n" * 300, b"p9\nr" * 100, 10**300, -(2**40)], "many": [[n, str(n), (n,)] for n in range(400)]}
    data = pickle.dumps(value, protocol)
    kept = [arg for code, arg, _ in pickletools.genops(data) if code.name in ("PUT", "LONG_BINPUT")]
    assert largest_number(data) == max(kept, default=0)
    assert bool(kept) == (protocol < 4)
    for end in range(0, len(data), 97):  # one that breaks off is read to its end
        assert largest_number(data[:end]) <= max(kept, default=0)


def test_lists_inside_lists_inside_lists():
    many: list[Any] = ["x"] * 10
    for _ in range(9):
        many = [many] * 10
    data = pickle.dumps(many)
    assert len(data) < 500
    with pytest.raises(BadInput, match="far more values"):
        plain(data, 100_000)


def test_a_list_that_holds_itself():
    many: list[Any] = []
    many.append(many)
    with pytest.raises(BadInput, match=r"nested too deeply|far more values"):
        plain(pickle.dumps(many), 10**9)


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(3),
        slice(1, 2),
        b"bytes",
        {(1, 2): 3},
        Called("numpy.core.multiarray.scalar", (dtype("f8"), b"short")),
        Called("numpy.core.multiarray.scalar", (dtype("V8"), b"12345678")),
        Named("pandas.core.frame.DataFrame"),
        Called("datetime.date", (b"odd",)),
    ],
)
def test_what_is_no_plain_value(value: Any):
    with pytest.raises(BadInput, match="it is refused: "):
        plain(pickled(value))


def test_a_table_that_pandas_2_0_3_wrote():
    table = read_frame(REAL)
    assert table.levels == ("league", "season", "team", "game")
    assert table.labels[:2] == [("E", "2324", "Ev", "g1"), ("E", "2324", "Ev", "g2")]
    assert math.isnan(table.labels[2][0])
    assert table.labels[2][1:] == ("2324", "X", "g3")
    gap = table.columns["GF"].pop()
    assert math.isnan(gap)
    assert table.columns == {
        "date": [datetime.datetime(2024, 3, day) for day in (9, 10, 11)],
        "time": ["12:30:00", None, "a"],
        "t2": [datetime.time(12, 30), None, None],
        "xG": [1.6, None, 2.123456789012],
        "Poss": [49, None, 50],  # Int64
        "n": [1, 2, 3],
        "GF": ["0", "1"],
        "s": ["a", None, "b"],  # string
        "b": [True, False, True],
        "bn": [True, None, False],  # boolean
        "fl": [1.5, None, 2.0],  # Float64
        "cat": ["x", "y", "x"],  # categories
    }


def written(folder: Path, value: Any) -> Path:
    path = folder / "table.pkl"
    path.write_bytes(pickled(value))
    return path


def test_a_table_by_hand(tmp_path: Path):
    table = read_frame(written(tmp_path, frame({"a": [1, 2], "b": ["x", None], "c": [0.5, math.nan]}, range_index(2))))
    assert table.columns == {"a": [1, 2], "b": ["x", None], "c": [0.5, None]}
    assert table.labels == [(0,), (1,)]
    assert table.levels == (None,)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1, 2], "holds no table"),
        (frame({"a": [1, 2]}, range_index(3)), "do not fit together"),
        (frame({"a": [1, 2]}, range_index(10**12)), "rows"),
        (frame({"a": [[1], [2]]}, range_index(2)), "a cell holds a list"),
        (frame({"a": [Called("_codecs.encode", ("x", "latin1"))]}, range_index(1)), "a cell holds a _codecs.encode"),
        (Called("pandas.core.frame.DataFrame", (), {"_mgr": 5}), "holds no table"),
        (Called("pandas.core.frame.DataFrame", (), {"other": 5}), "holds no table"),
        (index(["a"]), "holds no table"),
        (Called("pandas.core.internals.concat.harm", ()), "it asks for 'pandas.core.internals.concat.harm'"),
    ],
)
def test_what_is_no_table(tmp_path: Path, value: Any, said: str):
    with pytest.raises(BadInput, match=said) as problem:
        read_frame(written(tmp_path, value))
    assert "table.pkl" in str(problem.value)


def test_a_table_that_breaks_off(tmp_path: Path):
    path = tmp_path / "table.pkl"
    path.write_bytes(REAL.read_bytes()[:-200])
    with pytest.raises(BadInput, match=r"table.pkl' is no complete pickle"):
        read_frame(path)
