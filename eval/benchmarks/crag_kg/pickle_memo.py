"""Where a pickle keeps what it comes back to: a numbered table that is as long as its largest number.

Ten bytes can name the number four billion, and Python's reader then makes room for as many (64 GB). A pickler counts
from 0 upwards, so that no number is above the length of its pickle in bytes.
"""

from __future__ import annotations

import io
import mmap
import os
import pickletools
import re
import struct
from typing import BinaryIO

from assistant.core.errors import BadInput

_NO_ROOM = {"PUT", "LONG_BINPUT", "STOP"}
_SIZES = {
    pickletools.TAKEN_FROM_ARGUMENT1: ("<B", 1),
    pickletools.TAKEN_FROM_ARGUMENT4: ("<i", 4),
    pickletools.TAKEN_FROM_ARGUMENT4U: ("<I", 4),
    pickletools.TAKEN_FROM_ARGUMENT8U: ("<Q", 8),
}
#: What is read past at once: opcodes of one length each, but for those that are looked at.
_FIXED: dict[int, list[str]] = {}
#: Opcode → how the length of what follows is written, or how many lines follow.
_MEASURED: dict[int, tuple[str, int]] = {}
_LINES: dict[int, int] = {}
for _code in pickletools.opcodes:
    _length = _code.arg.n if _code.arg is not None else 0
    if _code.name in _NO_ROOM:
        continue
    if _length >= 0:
        _FIXED.setdefault(_length, []).append(_code.code)
    elif _length in _SIZES:
        _MEASURED[ord(_code.code)] = _SIZES[_length]
    else:
        _LINES[ord(_code.code)] = 2 if _code.name in ("GLOBAL", "INST") else 1
_RUN = re.compile(
    "|".join(
        f"[{''.join(map(re.escape, codes))}]" + (f".{{{length}}}" if length else "++")
        for length, codes in sorted(_FIXED.items())
    )
    .join(("(?:", ")*+"))
    .encode("latin-1"),
    re.DOTALL,
)
_PUT, _LONG_PUT, _STOP = ord("p"), ord("r"), ord(".")


def check_numbers(file: BinaryIO) -> None:
    """Look at a pickle before it is loaded; the file stands where it stood.

    Raises:
        BadInput: it keeps something under a number that no pickle of its length has.
    """
    if isinstance(file, io.BytesIO):
        _check(file.getvalue())
    elif os.fstat(file.fileno()).st_size:  # an empty file cannot be mapped
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            _check(data)


def _check(data: bytes | mmap.mmap) -> None:
    largest = largest_number(data)
    if largest > len(data):
        raise BadInput(f"it wants room for {largest} values in {len(data)} bytes")


def largest_number(data: bytes | mmap.mmap) -> int:
    """The largest number that a pickle keeps something under by naming it; 0 for none.

    Reading ends where the pickle does, or where it is none: what is wrong with it is told when it is loaded.
    """
    at, size, largest = 0, len(data), 0
    try:
        while True:
            found = _RUN.match(data, at)
            at = found.end() if found else at
            code = data[at]
            if code == _STOP:
                return largest
            if code == _LONG_PUT:
                largest = max(largest, struct.unpack_from("<I", data, at + 1)[0])
                at += 5
            elif code in _MEASURED:
                form, length = _MEASURED[code]
                at += 1 + length + max(0, struct.unpack_from(form, data, at + 1)[0])
            elif code in _LINES or code == _PUT:
                end = at
                for _ in range(_LINES.get(code, 1)):
                    end = data.find(b"\n", end + 1)
                    if end < 0:
                        return largest
                if code == _PUT:
                    largest = max(largest, int(data[at + 1 : end]))
                at = end + 1
            else:
                return largest
            if at >= size:
                return largest
    except (IndexError, ValueError, struct.error):
        return largest
