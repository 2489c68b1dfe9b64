"""Pictures in a text, as Markdown writes them: `![caption](url)`, and nothing else of Markdown.

A model writes them with a pseudo URL, an answer's text holds them with the picture's own address.
"""

from __future__ import annotations

import re
from urllib.parse import quote

#: `caption` may hold brackets of one level, `url` parentheses of one; a title behind the URL is passed over.
PLACEHOLDER = re.compile(
    r"!\[(?P<caption>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
    r"\(\s*<?(?P<url>(?:[^()\s<>]|\([^()\s<>]*\))+)>?(?:\s+\"[^\"\n]*\")?\s*\)"
)
#: What may still become one, at the end of a text that is being written.
BEGUN = re.compile(
    r"!\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){0,400}(?:\[[^\[\]\n]*)?"
    r"(?:\](?:\((?:[^()\n]|\([^()\n]*\)){0,600}(?:\([^()\n]*)?)?)?$"
)
#: Kept of a URL as it is; brackets, spaces and quotes would end the placeholder.
_URL_SAFE = "%/:?#@!$&*+,;=~-._"


def placeholder(caption: str, url: str) -> str:
    """The placeholder of one picture; characters that would end it early are replaced."""
    words = " ".join(caption.translate({ord("["): "(", ord("]"): ")"}).split())
    return f"![{words}]({quote(url, safe=_URL_SAFE) or 'picture'})"
