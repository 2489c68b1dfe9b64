"""What the text under `image` of a row means: the path of a file, or the picture itself as a data URL or in base64.

Rows are written on other machines: a path may have the separators of Windows, or its letters with accents in the other
of Unicode's two forms (NFC, NFD); the file that is there is found.
"""

from __future__ import annotations

import base64
import functools
import os
import re
import unicodedata
from pathlib import Path
from urllib.parse import unquote_to_bytes

#: How files of pictures begin.
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"RIFF", b"BM", b"II*\0", b"MM\0*", b"\0\0\0\x0cjP  ")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_DATA_URL = re.compile(r"data:|image/[\w.+-]+;base64,", re.IGNORECASE)
_FEW = 80


def is_data_url(text: str) -> bool:
    """Whether a text is a data URL; the scheme may have been left out before a media type."""
    return _DATA_URL.match(text) is not None


def carried(text: str) -> bytes | None:
    """The picture that a text carries; None for a text that does not look as if it carried one.

    Base64 is taken in either alphabet, with or without its padding, in one line or many.

    Raises:
        ValueError: it looks so, but is broken; the message says "… is no picture in base64".
    """
    if is_data_url(text):
        head, comma, body = text.partition(",")
        if not comma:
            raise ValueError(f"{shown(text)} is a data URL without data")
        raw = unquote_to_bytes(body)
        if ";base64" not in head.lower():
            return raw
        found = _from_base64(raw)
        if not found:
            raise ValueError(f"{shown(text)} is no whole data URL: what follows the comma is not base64")
        return found
    raw = text.encode("utf-8", "replace")
    start = _from_base64(b"".join(raw[:64].split())[:32])
    if start is None or not _begins_like_a_picture(start):
        return None
    found = _from_base64(raw)
    if found is None:
        raise ValueError(f"{shown(text)} begins like a picture in base64, but not all of it is base64")
    return found


def _begins_like_a_picture(data: bytes) -> bool:
    return data.startswith(_PICTURES) or data[4:8] == b"ftyp"


def _from_base64(raw: bytes) -> bytes | None:
    """What base64 stands for; None when it is none."""
    raw = b"".join(raw.split()).replace(b"-", b"+").replace(b"_", b"/")
    bare = raw.rstrip(b"=")
    if not _BASE64.fullmatch(raw) or len(bare) % 4 == 1:
        return None
    return base64.b64decode(bare + b"=" * (-len(bare) % 4))


def find_file(folder: Path, text: str) -> Path | None:
    """The file that a path in a row means, seen from `folder`; None when there is none, however the path is written."""
    ways = dict.fromkeys((text, text.replace("\\", "/")))
    for way in ways:
        if is_file(folder / way):
            return folder / way
    for way in ways:
        if not way.isascii() and (found := _in_other_form(folder, way)) is not None:
            return found
    return None


def is_file(path: Path) -> bool:
    """Whether there is a file; a path that no file can have (too long, with a NUL) has none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _in_other_form(folder: Path, way: str) -> Path | None:
    at = folder
    try:
        for part in Path(way).parts:
            if not (at / part).exists():
                names = _names(at, at.stat().st_mtime_ns)
                part = names.get(unicodedata.normalize("NFC", part), part)
            at = at / part
    except (OSError, ValueError):
        return None
    return at if is_file(at) else None


@functools.lru_cache(maxsize=32)
def _names(folder: Path, changed: int) -> dict[str, str]:
    """The names in a folder by their NFC form, as long as nothing in it changes."""
    return {unicodedata.normalize("NFC", name): name for name in os.listdir(folder)}


def shown(text: str) -> str:
    """A text for a sentence: quoted, and only its beginning when it is long."""
    return repr(text) if len(text) <= _FEW else f"{text[:_FEW]!r}… ({len(text)} characters)"
