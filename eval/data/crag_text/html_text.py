"""The text of a web page: what stands in it to be read, line by line, without scripts, styles and menus.

Parsed by Lexbor (`selectolax`), the way browsers repair broken pages. No content is told from advertising: what is
wanted of a page is chosen by whoever reads it. Nothing in a page is run, fetched or believed.
"""

from __future__ import annotations

import re

from assistant.core.whole_text import whole_text

#: Of a longer page the rest is not read; the longest of the released example pages has 1.6 million characters.
MOST_HTML_CHARS = 8_000_000
#: As much text of one page is kept.
MOST_TEXT_CHARS = 400_000
#: Elements that stand open at once. Parsing takes time with the square of it (20,000: half a second); the released
#: example pages have less than a thousand. Ends that close nothing hide how many are open, so that all elements are
#: counted as well; of the example pages the largest has 16,000.
MOST_OPEN, MOST_ELEMENTS = 10_000, 60_000
#: Bold, italic and the like, opened and never closed, are opened anew in every later block, as browsers do: a page of
#: 75,000 characters can become 16 million elements. Where their number times that of all elements is above this, they
#: are left out beforehand, which changes nothing about the text.
MOST_FORMATTED = 1_000_000
_DROPPED = (
    "head,script,style,noscript,template,svg,math,nav,footer,iframe,object,canvas,audio,video,button,select,textarea,"
    "[hidden]"
)
_BLOCKS = (
    "p,div,br,hr,h1,h2,h3,h4,h5,h6,ul,ol,li,dl,dt,dd,table,caption,tr,section,article,main,header,aside,figure,"
    "figcaption,blockquote,pre,form,fieldset,details,summary,address,option"
)
_CELLS = "td,th"
_TAG = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_FORMATTING = re.compile(r"</?(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])[^<>]*>", re.IGNORECASE)
_PARTS = 64


def html_text(html: str) -> str:
    """The text of a page, one line for each block of it; "" where nothing is to be read. Any text is a page."""
    html = whole_text(html[:MOST_HTML_CHARS])
    if "<" not in html and "&" not in html:
        return _lines(html)
    elements = html.count("<") - html.count("</")
    if elements > MOST_ELEMENTS or _most_open(html) > MOST_OPEN:
        return _lines(_TAG.sub("\n", html))
    if sum(1 for _ in _FORMATTING.finditer(html)) * elements > MOST_FORMATTED:
        html = _FORMATTING.sub("", html)
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(html).body
    if body is None:
        return ""
    for node in body.css(_DROPPED):
        node.decompose()
    for node in body.css(_BLOCKS):
        node.insert_before("\n")
        node.insert_after("\n")
    for node in body.css(_CELLS):
        node.insert_after(" ")
    return _lines(whole_text(body.text(separator="")))


def one_line(html: str) -> str:
    """As `html_text`, on one line: for snippets and titles."""
    return " ".join(html_text(html).split())


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.replace("\0", " ").split("\n"))
    return "\n".join(line for line in lines if line)[:MOST_TEXT_CHARS].rstrip()


def _most_open(html: str) -> int:
    """About how many elements are open at once, at most: beginnings less ends, up to several places of the page."""
    step = len(html) // _PARTS + 1
    still_open = most = 0
    for start in range(0, len(html), step):
        ends = html.count("</", start, start + step)
        still_open += html.count("<", start, start + step) - 2 * ends
        most = max(most, still_open)
    return most
