"""Makes text from users, pages, pictures and the index inert before it stands in HTML.

Everything that is not written in this package passes through `text()`: it can then neither open a tag, leave an
attribute, start a template of the page's framework, nor turn the reading direction of what follows. Whether a
statement is true is not decided here.
"""

from __future__ import annotations

import html
import re
import unicodedata

#: Marks that change the reading direction of what surrounds them; letters of right-to-left scripts stay.
_DIRECTION_MARKS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])

#: Characters that start a template or a Markdown link somewhere; as entities they are only themselves.
_TEMPLATE_MARKS = {ord("{"): "&#123;", ord("}"): "&#125;", ord("$"): "&#36;", ord("`"): "&#96;"}

_SPACES = re.compile(r"[^\S\n]+")


def plain(value: object, limit: int | None = None) -> str:
    """The characters of `value` without control characters and direction marks, cut to `limit` characters.

    What is cut is said: "… (98,304 more characters)".
    """
    text = str(value).translate(_DIRECTION_MARKS)
    rest = 0
    if limit is not None and len(text) > limit:
        rest = len(text) - limit
        text = text[:limit]
    text = "".join(c for c in text if c == "\n" or c == "\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    text = _SPACES.sub(" ", text).strip()
    return f"{text}… ({rest:,} more characters)" if rest else text


def text(value: object, limit: int | None = None) -> str:
    """`value` as HTML text or as the value of a double-quoted attribute."""
    return html.escape(plain(value, limit), quote=True).translate(_TEMPLATE_MARKS)


def inert(drawn: str) -> str:
    """HTML that a library or a template drew, with the characters that mean something to the page's framework as
    entities; the tags in it are trusted."""
    return drawn.translate(_TEMPLATE_MARKS)


def isolated(value: object, limit: int | None = None) -> str:
    """`value` as HTML text in an element of its own reading direction."""
    return f"<bdi>{text(value, limit)}</bdi>"
