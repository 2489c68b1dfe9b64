"""Text that UTF-8 can hold, whatever came in: the one place where lone surrogates are taken out.

JSON may write half of a pair (`"\\ud83d"`), a program may cut an emoji in two, an argument of the command line may hold
bytes that are no UTF-8: Python keeps all of them as surrogates, and every file, socket and hash breaks on them later.
So each door through which text of others comes in calls `whole_text` or `load_json`; behind the doors no text is looked
at again.
"""

from __future__ import annotations

import json
import re
from typing import Any

#: JSON that is UTF-8 itself can hold surrogates only as escapes.
_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")


def whole_text(text: str) -> str:
    """The text without lone surrogates; two halves that stand side by side become the character that they are."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return text


def load_json(text: str | bytes) -> Any:
    """As `json.loads`, and every text in it is whole.

    Raises:
        ValueError: it is no JSON, or no UTF-8.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    value = json.loads(text)
    return _whole(value) if _ESCAPED.search(text) else value


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {whole_text(key): _whole(item) for key, item in value.items()}
    return value


class HalfKept:
    """Joins pieces of one text: half a character at the end of a piece waits for the next."""

    def __init__(self) -> None:
        self._half = ""

    def __call__(self, piece: str) -> str:
        piece, self._half = self._half + piece, ""
        if piece and "\ud800" <= piece[-1] <= "\udbff":
            piece, self._half = piece[:-1], piece[-1]
        return whole_text(piece)
