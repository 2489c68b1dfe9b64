"""Whether all of a JPEG was there to be decoded, whatever stands at its end.

A decoder that meets the end mark early fills the rest with grey and says nothing. So what was decoded is measured: the
picture is decoded a second time with filler put behind the data of each scan. Behind a whole scan the filler is
skipped; a scan that is cut off takes it for its own, and the two pictures differ. A progressive picture must also have
been given all of its scans. Not covered: the data of arithmetic-coded scans, whose ends may be left out rightly.
"""

from __future__ import annotations

import io
import random
import re
import struct
from dataclasses import dataclass, field

from PIL import Image, ImageChops, JpegImagePlugin

_EOI, _SOS, _DRI, _COMMENT = 0xD9, 0xDA, 0xDD, 0xFE
#: Application segments that say nothing about pixels (EXIF and the like); APP0 and APP14 tell the colours.
_ABOUT = (*range(0xE1, 0xEE), 0xEF)
#: Start of frame: Huffman-coded (sequential, progressive) and arithmetic-coded.
_HUFFMAN, _ARITHMETIC = (0xC0, 0xC1, 0xC2), (0xC9, 0xCA)
_ALONE = (0x01, *range(0xD0, 0xD9))
_MARKER = re.compile(rb"\xff+([\x01-\xfe])")
#: What ends the data of a scan: any marker but a restart.
_SCAN_END = re.compile(rb"\xff+[\x01-\xcf\xd8-\xfe]")
_FILLER = bytes(random.Random(0).choices(range(255), k=512))  # never 0xFF: no marker in it


@dataclass
class _Jpeg:
    """What a walk over the markers finds, up to the first end mark."""

    huffman: bool = False
    components: set[int] = field(default_factory=set)
    #: (component, coefficient) → how many of its low bits are still to come.
    bits_left: dict[tuple[int, int], int] = field(default_factory=dict)
    #: Where the data of each scan end, and the number of the last restart in them (-1: none); None without restarts.
    ends: list[tuple[int, int | None]] = field(default_factory=list)
    #: Where the codes of `_ABOUT` stand.
    about: list[int] = field(default_factory=list)

    @property
    def all_scans(self) -> bool:
        return all(self.bits_left.get((one, k)) == 0 for one in self.components for k in range(64))


def is_whole(data: bytes, decoded: Image.Image) -> bool:
    """Whether every pixel of `decoded`, as it came from the decoder, is made of what stands in `data`."""
    found = _walk(data)
    if not found.ends or not found.components:
        return True  # nothing that is known here: the decoder's word counts
    if not found.all_scans:
        return False
    if not found.huffman:
        return True
    with JpegImagePlugin.JpegImageFile(io.BytesIO(_filled(data, found))) as other:
        other.load()
        return ImageChops.difference(decoded, other).getbbox() is None


def _walk(data: bytes) -> _Jpeg:
    found, restarts, at = _Jpeg(), 0, 2
    while (marker := _MARKER.search(data, at)) is not None:
        code, at = marker[1][0], marker.end()
        if code == _EOI:
            break
        if code in _ALONE:
            continue
        if code in _ABOUT:
            found.about.append(at - 1)
        length = int.from_bytes(data[at : at + 2], "big")
        body, at = data[at + 2 : at + length], at + length
        if code in _HUFFMAN + _ARITHMETIC and len(body) > 5:
            found.huffman = code in _HUFFMAN
            found.components = set(body[6 : 6 + 3 * body[5] : 3])
        elif code == _DRI and len(body) >= 2:
            (restarts,) = struct.unpack(">H", body[:2])
        elif code == _SOS and body and len(body) >= 4 + 2 * body[0]:
            _note_scan(found, body)
            end = _SCAN_END.search(data, at)
            start, at = at, end.start() if end else len(data)
            last = _last_restart(data, start, at)
            found.ends.append((at, last if restarts else None))
    return found


def _last_restart(data: bytes, start: int, end: int) -> int:
    """The number of the last restart mark between two places; -1 without one."""
    places = {data.rfind(bytes((0xFF, 0xD0 + number)), start, end): number for number in range(8)}
    return places[max(places)] if max(places) >= 0 else -1


def _note_scan(found: _Jpeg, body: bytes) -> None:
    first, last, low = body[-3], body[-2], body[-1] & 15
    for one in body[1 : 1 + 2 * body[0] : 2]:
        for k in range(first, min(last, 63) + 1):
            found.bits_left[one, k] = low


def _filled(data: bytes, found: _Jpeg) -> bytes:
    """The picture with filler behind each scan; where it has restarts, the next ones too, so that none is waited for.

    What is said about it becomes a comment: broken EXIF was told of once.
    """
    edited, start = bytearray(data), 0
    parts: list[bytes | bytearray] = []
    for at in found.about:
        edited[at] = _COMMENT
    for end, last in found.ends:
        parts += [edited[start:end], _FILLER]
        if last is not None:
            for step in (1, 2):
                parts += [bytes((0xFF, 0xD0 + (last + step) % 8)), _FILLER]
        start = end
    return b"".join([*parts, edited[start:], b"\xff\xd9"])
