"""How a reply ended, in one vocabulary: servers have many words for it, and some have none."""

from __future__ import annotations

import re
from typing import Any, Literal

#: "stop": the reply is whole. "length": it was cut off. "content_filter": it was withheld. "broken": the server failed
#: midway. "calls": it goes on once functions have been called. "other": for a reason that nobody here knows, so that
#: nothing may be concluded from what has come.
Ending = Literal["stop", "length", "content_filter", "broken", "calls", "other"]

_KINDS: tuple[tuple[Ending, str], ...] = (
    ("length", r"length|max|limit|trunc|incomplete|unfinished|window|budget|exceed"),
    ("content_filter", r"filter|safety|refus|block|prohibit|recitation|guardrail|sensitive"),
    ("broken", r"error|abort|cancel|interrupt|insufficient|time_?out|fail"),
    ("calls", r"tool|function"),
    ("stop", r"stop|eos|^end|complete|done|finish"),
)
_NONE = ("", "none", "null", "finish_reason_unspecified")


def ending(reason: Any) -> Ending | None:
    """What a server's finish reason means; None where it gave none, an empty one included."""
    word = str("" if reason is None else reason).strip().lower()
    if word in _NONE:
        return None
    return next((kind for kind, pattern in _KINDS if re.search(pattern, word)), "other")


def looks_whole(text: str) -> bool:
    """Whether a text comes to its end with a sentence: a stop, then at most quotes, brackets and citations."""
    return re.search(r"[.!?…。！？][\W\d]*$", text.rstrip()) is not None
