"""Names and other phrases in a sentence, for judging: whole words, longest first, and whether they are denied."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from eval.judges.values import is_denied

_ARTICLE = re.compile(r"^(?:the|a|an) ")


@dataclass(frozen=True)
class Mention:
    """A phrase where it stands in the normalised text; `denied` as in "not the Amber Lamp"."""

    phrase: str
    start: int
    end: int
    denied: bool


def normalise(text: str) -> str:
    """Lower case, no accents, no punctuation but the ends of sentences and commas, single spaces."""
    text = unicodedata.normalize("NFKD", text.replace("&", " and ").replace("’", "'"))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    text = re.sub(r"'s\b", "", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"[^\w\s.,;:!?']|_", " ", text)
    text = re.sub(r"[.,:](?=\w)|'", lambda m: " " if m[0] != "'" else "", text)
    return " ".join(re.sub(r"\s*([.,;:!?])", r" \1 ", text).split())


def bare(phrase: str) -> str:
    """A phrase as it is looked for: normalised, without sentence marks and leading article."""
    return _ARTICLE.sub("", " ".join(re.sub(r"[.,;:!?]", " ", normalise(phrase)).split()))


def mentions(text: str, phrases: Iterable[str]) -> list[Mention]:
    """Where `phrases` stand in `text` as whole words. Where two overlap the longer one counts: a sibling's longer name
    is not a mention of the shorter one."""
    normal = normalise(text)
    found: list[Mention] = []
    for phrase in sorted({bare(p) for p in phrases} - {""}, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){_loose(phrase)}(?!\w)", normal):
            if not any(match.start() < m.end and m.start < match.end() for m in found):
                found.append(Mention(phrase, match.start(), match.end(), is_denied(normal, match.start())))
    return sorted(found, key=lambda m: m.start)


def _loose(phrase: str) -> str:
    """The words of a phrase with at most a sentence mark between them ("J. R. Holm" and "J R Holm")."""
    return r"\s(?:[.,:]\s)?".join(re.escape(word) for word in phrase.split())


def plain_attribute(value: object) -> str:
    """A knowledge-graph attribute as text: wiki templates, links and HTML taken off, list items between commas."""
    if isinstance(value, list | tuple):
        return ", ".join(plain_attribute(item) for item in value)
    text = html.unescape(str(value))
    text = re.sub(r"<br\s*/?>", ", ", text, flags=re.IGNORECASE)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]", r"\1", text)
    text = re.sub(r"\{\{([^{}]*)\}\}", _template, text)
    return " ".join(re.sub(r"\s*\n\s*\*?\s*", ", ", text.strip()).strip(", ").split())


def _template(match: re.Match[str]) -> str:
    name, *arguments = (part.strip() for part in match[1].split("|"))
    if not arguments:
        name, _, rest = name.partition(":")
        return rest or name
    if re.match(r"start date|birth date|dts", name, re.IGNORECASE):
        return "-".join(a.zfill(2) for a in arguments if a.isdigit())
    unit = next((a[2:] for a in arguments if a.startswith("u=")), "")
    values = [a for a in arguments if "=" not in a]
    if name.lower() in ("eur", "usd", "gbp"):
        return f"{name} {values[0]}"
    if re.fullmatch(r"[\d.,-]+", values[0] if values else ""):
        return f"{values[0]} {unit or ' '.join(values[1:2])}"
    return ", ".join(re.sub(r"^\*\s*", "", value) for value in values)


def members(text: str) -> list[str]:
    """The items of a list written with commas, semicolons or "and"."""
    return [item for part in re.split(r"[,;]|\band\b", text) if (item := part.strip())]
