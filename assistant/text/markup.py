"""Dirty text made readable: wiki markup, HTML, references, file names, control and bidirectional characters.

Retrieved values are data. Nothing here interprets, evaluates or fetches anything: every rule deletes or rewrites
characters. What cannot be rendered faithfully (an unknown template) is left out rather than guessed. The stores keep
the raw text; callers clean what they are about to read or show. It is no HTML sanitizer: the page still escapes.
"""

from __future__ import annotations

import html
import math
import re
import unicodedata
from typing import Any

from assistant.text.wiki_templates import render_templates

_MAX_CHARS = 200_000
#: What stands for "no value" when a table was written out as text. "none" in lower case is a value ("allergens: none").
_EMPTY_WORDS = frozenset({"None", "nan", "NaN", "NAN", "null", "NULL", "N/A", "n/a", "undefined", "TBA", "TBD"})
_FILE_NAME = re.compile(
    r"(?:(?:file|image)\s*:\s*)?[^\n/|]{1,200}\.(?:jpe?g|png|svg|gif|webp|tiff?|bmp|og[agv]|mp[34]|wav|webm|pdf|djvu)",
    re.IGNORECASE,
)
_FILE_LINK = re.compile(r"\s*:?\s*(?:file|image|category|media|datei|fichier)\s*:", re.IGNORECASE)
_QUOTED_LIST = re.compile(r"""\s*\[\s*(?:'[^'\n]*'|"[^"\n]*")(?:\s*,\s*(?:'[^'\n]*'|"[^"\n]*"))*\s*\]\s*""")
_QUOTED_ITEM = re.compile(r"""'([^'\n]*)'|"([^"\n]*)\"""")
_WIKI_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_WEB_LINK = re.compile(r"\[(?:https?:)?//[^\s\]\[]+(?:\s+([^\]\[]*))?\]")
_HEADING = re.compile(r"^[ \t]*(={2,6})[ \t]*([^=\n]+?)[ \t]*\1[ \t]*$", re.MULTILINE)
_BREAK_TAG = re.compile(r"<\s*(?:br|/?(?:li|ul|ol|p|div|tr|table|h[1-6]|section|article))\b[^<>]*>", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"<sup\b[^<>]*>([^<>]{0,40})</sup\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<![A-Za-z\[][^<>]*>|<\?[^<>]*>")
_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")


def clean_value(value: Any) -> str | None:
    """One attribute value as one readable line, or None when nothing readable is left.

    Lists become "a, b"; numbers keep their digits; True and False become "yes" and "no".
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, dict):
        pairs = ((clean_value(k), clean_value(v)) for k, v in value.items())
        return ", ".join(f"{k}: {v}" for k, v in pairs if k and v) or None
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return ", ".join(filter(None, (clean_value(item) for item in items))) or None
    text = str(value)[:_MAX_CHARS].strip()
    if _QUOTED_LIST.fullmatch(text):
        return clean_value([single or double for single, double in _QUOTED_ITEM.findall(text)])
    text = _without_markup(text, line_break=", ")
    text = _HEADING.sub(r"\2:", text)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+([,;:.!?)])", r"\1", _without_empty_parentheses(text))
    text = re.sub(r"(?:,\s*){2,}", ", ", text)
    text = re.sub(r"\s{2,}", " ", text).strip(" ,;|*\t")
    if text in _EMPTY_WORDS or not any(c.isalnum() for c in text) or _FILE_NAME.fullmatch(text):
        return None
    return text


def clean_text(page_text: str) -> str:
    """Running text without markup: paragraphs and line breaks stay, headings lose their signs, tags are dropped."""
    text = _without_markup(str(page_text), line_break="\n")
    text = _HEADING.sub(r"\2", text)
    text = re.sub(r"^[ \t]*[*#;]+[ \t]+", "", text, flags=re.MULTILINE)
    text = re.sub(r"[^\S\n]+", " ", text)
    text = re.sub(r" ?\n ?", "\n", text)
    text = _without_empty_parentheses(text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def strip_invisible(text: str) -> str:
    """Without control, bidirectional and zero-width characters (line breaks and tabs stay)."""
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return "".join(kept)


def _without_markup(text: str, line_break: str) -> str:
    text = strip_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))
    for _ in range(2):  # twice: what was escaped ("&lt;b&gt;") is markup too once unescaped
        if "<" in text:
            text = _without_tags(text, line_break)
        if "&" in text:
            text = strip_invisible(html.unescape(text))
    if "{" in text:
        text = render_templates(text)
    if "[" in text:
        for _ in range(3):  # captions of pictures hold links of their own
            text, changed = _WIKI_LINK.subn(_link_label, text)
            if not changed:
                break
        text = _WEB_LINK.sub(lambda m: m.group(1) or "", text)
        text = text.replace("[[", "").replace("]]", "")
    return re.sub(r"'{2,5}", "", text).replace("\u00a0", " ")


def _without_empty_parentheses(text: str) -> str:
    """What is left where a pronunciation or a reference was taken out: " ( )" goes, "( , say" becomes "(say"."""
    return re.sub(r"\([ ]?[,;][ ]?", "(", re.sub(r"[ ]\([ ,;]{0,4}\)", "", text))


def _without_tags(text: str, line_break: str) -> str:
    text = _drop_between(text, re.compile(r"<!--"), "-->")
    for tag in ("ref", "script", "style", "gallery", "math"):
        text = re.sub(rf"<{tag}\b[^<>]*/>", "", text, flags=re.IGNORECASE)
        text = _drop_between(text, re.compile(rf"<{tag}\b[^<>]*>", re.IGNORECASE), f"</{tag}>")
    text = _BREAK_TAG.sub(line_break, text)
    text = _SUPERSCRIPT.sub(_raise, text)
    return _TAG.sub("", text)


def _drop_between(text: str, opening: re.Pattern[str], closing: str) -> str:
    """Without everything from `opening` to `closing`; linear in the text's length, unclosed openings stay."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters grow when lowered ("İ"): positions would not fit
        lowered = text
    parts, position = [], 0
    while match := opening.search(text, position):
        end = lowered.find(closing, match.end())
        if end < 0:
            break
        parts.append(text[position : match.start()])
        position = end + len(closing)
    parts.append(text[position:])
    return "".join(parts)


def _link_label(match: re.Match[str]) -> str:
    target, _, label = match.group(1).partition("|")
    if _FILE_LINK.match(target):
        return ""
    return (label.rpartition("|")[2] if label else target).strip()


def _raise(match: re.Match[str]) -> str:
    inner = match.group(1).strip()
    if all(c in "0123456789+-−n" for c in inner):
        return inner.translate(_RAISED)
    return "" if inner.startswith("[") else inner
