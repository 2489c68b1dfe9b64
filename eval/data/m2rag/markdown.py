"""What a Markdown page says and shows, in its order: passages of text and pictures, without navigation and HTML.

Markdown is read by markdown-it. Links leave their words, HTML leaves its pictures alone, code stays as it is. A list, a
table or a paragraph that is nearly all links is navigation and goes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.core.whole_text import whole_text

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Navigation: so many links, with so much of the block's letters in them.
_NAVIGATION_LINKS, _NAVIGATION_SHARE = 3, 0.8
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HIDDEN = re.compile(r"<(script|style|noscript|template|svg|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S)
_OPENED = re.compile(r"<(script|style|noscript|template|svg|head)\b", re.IGNORECASE)
_IMAGE_TAG = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(src|alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_BLANK = str.maketrans(dict.fromkeys("\xa0\u2007\u202f\t", " "))


@dataclass(frozen=True)
class Shown:
    """One picture of a page. `line` counts from 1; `near` is what stands nearest to it in words."""

    address: str
    alt: str
    title: str
    line: int
    near: str = ""


@dataclass
class _Block:
    """One block of text while it is read, with its pictures where they stand."""

    line: int
    heading: bool = False
    parts: list[str | Shown] = field(default_factory=list)
    links: int = 0
    linked: int = 0

    @property
    def text(self) -> str:
        return _one_line("".join(part for part in self.parts if isinstance(part, str)))

    @property
    def is_navigation(self) -> bool:
        letters = len(re.sub(r"\W", "", self.text))
        return self.links >= _NAVIGATION_LINKS and self.linked >= _NAVIGATION_SHARE * letters


@dataclass(frozen=True)
class Page:
    """A page: its title ("" where none is told), and texts and pictures in their order."""

    title: str
    items: tuple[str | Shown, ...]


def read_page(text: str) -> Page:
    """Read a Markdown page; a text is a paragraph, a heading, an entry of a list or a row of a table."""
    from markdown_it import MarkdownIt

    text = whole_text(text).replace("\0", "")
    front = _FRONT_MATTER.match(text)
    skipped = text[: front.end()].count("\n") if front else 0
    body = text[front.end() :] if front else text
    parser = MarkdownIt("commonmark").enable("table")
    # A picture at an address that no page should name is told like any other that is not there, and no passage.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    blocks: list[_Block] = []
    for block in _blocks(parser.parse(body), skipped):
        if not block.is_navigation:
            blocks.append(block)
        elif blocks and blocks[-1].heading and len(blocks) > 1:
            blocks.pop()  # that of the navigation
    title = next((block.text for block in blocks if block.heading and block.text), "")
    items: list[str | Shown] = []
    for block in blocks:
        stretch = ""
        for part in block.parts:
            if isinstance(part, str):
                stretch += part
                continue
            if said := _one_line(stretch):
                items.append(said)
            items.append(part)
            stretch = ""
        if said := _one_line(stretch):
            items.append(said)
    return Page(title, tuple(_with_near(items)))


def _blocks(tokens: Sequence[Token], skipped: int) -> Iterator[_Block]:
    """Blocks in their order; lists and tables that are navigation as a whole come as one block that is."""
    depth, held, line, heading = 0, list[_Block](), skipped + 1, False
    row: _Block | None = None
    for token in tokens:
        line = token.map[0] + 1 + skipped if token.map else line
        kind = token.type
        if kind in ("heading_open", "heading_close"):
            heading = token.nesting == 1
        elif kind.startswith(("bullet_list_", "ordered_list_", "table_")):
            depth += token.nesting
            if not depth:
                yield from _as_one_if_navigation(held)
                held = []
        elif kind == "tr_open":
            row = _Block(line)
        elif (block := _block(token, line, row)) is not None:
            block.heading, row = heading, None
            if depth:
                held.append(block)
            else:
                yield block
    yield from held


def _block(token: Token, line: int, row: _Block | None) -> _Block | None:
    """The block that ends with a token; cells of a table come together in `row`."""
    if token.type == "tr_close":
        return row
    if token.type in ("fence", "code_block"):
        return _Block(line, parts=[token.content])
    if token.type == "html_block":
        return _Block(line, parts=list(_pictures(token.content, line)))
    if token.type != "inline":
        return None
    block = row or _Block(line)
    if row is not None and row.parts:
        row.parts.append(" | ")
    _read_inline(block, token.children or (), line)
    return None if row is not None else block


def _as_one_if_navigation(blocks: Sequence[_Block]) -> Sequence[_Block]:
    parts = [part for block in blocks for part in (*block.parts, " ")]
    links, linked = sum(block.links for block in blocks), sum(block.linked for block in blocks)
    whole = _Block(blocks[0].line if blocks else 1, False, parts, links, linked)
    return [whole] if whole.is_navigation else blocks


def _read_inline(block: _Block, children: Sequence[Token], line: int) -> None:
    inside, hidden = 0, ""
    for child in children:
        if child.type == "html_inline":
            opened = _OPENED.match(child.content)
            if not hidden:
                hidden = opened[1].lower() if opened else ""
                block.parts += _pictures(child.content, line)
            elif child.content.lower().startswith(f"</{hidden}"):
                hidden = ""
        elif hidden:
            continue
        elif child.type in ("link_open", "link_close"):
            inside += child.nesting
            block.links += child.type == "link_open"
        elif child.type == "image":
            title = str(child.attrs.get("title") or "")
            block.parts.append(Shown(str(child.attrs.get("src") or ""), _one_line(child.content), title, line))
        elif child.type in ("softbreak", "hardbreak"):
            block.parts.append(" ")
            line += 1
        elif child.type in ("text", "code_inline"):
            block.parts.append(child.content)
            block.linked += len(re.sub(r"\W", "", child.content)) if inside else 0


def _pictures(markup: str, line: int) -> Iterator[Shown]:
    for tag in _IMAGE_TAG.finditer(_HIDDEN.sub("", markup)):
        found = {m[1].lower(): html.unescape(m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(tag[0])}
        if found.get("src"):
            at = line + markup.count("\n", 0, tag.start())
            yield Shown(found["src"].strip(), _one_line(found.get("alt", "")), found.get("title", ""), at)


def _with_near(items: Sequence[str | Shown]) -> Iterator[str | Shown]:
    """Every picture with the text right before it, or the one after where none precedes."""
    for n, item in enumerate(items):
        if isinstance(item, str):
            yield item
            continue
        after = next((other for other in items[n + 1 :] if isinstance(other, str)), "")
        before = next((other for other in reversed(items[:n]) if isinstance(other, str)), "")
        yield replace(item, near=before or after)


def _one_line(text: str) -> str:
    return " ".join(text.translate(_BLANK).split())
