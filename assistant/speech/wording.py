"""What is written, as it can be said: plain words in pieces of a sentence each, and the voice that can read them.

Pure functions. Nothing here is an instruction to the engine: marks of SSML, Markdown or phoneme codes are taken out,
their words are read. The sound is made by `assistant.speech.speaking`.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter

from assistant.text.units import UNIT_PATTERN, unit_of, unit_words

#: An answer is at most 75 tokens; of what is longer than this, the rest is left to the page.
MAX_CHARS = 1500
#: The longest piece that is spoken at once: about 20 s.
PIECE_CHARS = 300
REST = "The rest is on the page."

_NUMBER = r"\d+(?:[.,]\d+)*"
_MONEY = r"[€$£¥₹]|\b(?:EUR|USD|GBP|JPY|CHF|INR|SEK|PLN)\b"
_LARGE = r"(?:\s?(?:thousand|million|billion|trillion|bn|[kKmM])\b)?"
_PRICE = re.compile(rf"(?<![A-Za-z])({_MONEY})\s?({_NUMBER}{_LARGE})(?![\w])|({_NUMBER}{_LARGE})\s?({_MONEY})")
_LARGE_WORDS = {"k": "thousand", "m": "million", "bn": "billion"}
#: Symbols that stand for a unit after a number. "in" is a word first, and an "s" without a space is a decade's.
_MEASURED = re.compile(rf"(?<![\w.,])({_NUMBER})(\s?)({UNIT_PATTERN})", re.IGNORECASE)
_NO_SYMBOLS = frozenset({"in", "mi", "w", "v"})
_ISO_DATE = re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])")
_FROM_TO = re.compile(r"(?<=\d)\s?–\s?(?=\d)")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)([^\s/?#]+)\S*", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*\)")
_TAG = re.compile(r"</?[a-zA-Z!?][^<>]{0,200}>")
_MARKS = re.compile(r"[<>\[\]{}|\\^~*_#`=]+")
_PIECE_END = re.compile(r"(?<=[.!?…。！？।؟])[\"'”’)]*\s+|(?<=[。！？])")
_SOFT_END = re.compile(r"(?<=[,;:–—])\s+")
#: Symbols espeak-ng says a word for; other pictographs are silent.
_SAID_SYMBOLS = frozenset("°%‰+±×÷&@§¢€$£¥µ²³½¼¾")

#: Scripts an English voice would only name letter by letter, and espeak-ng's voice for each.
_VOICES = {
    "CJK": "cmn",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "GUJARATI": "gu",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
}


def spoken(text: str) -> str:
    """`text` as words on one line: no control characters, no markup, addresses by their host; prices, units, dates and
    spans as one says them.

    "" when nothing in it can be said.
    """
    text = text[: 20 * MAX_CHARS]  # a book is not searched for markup
    text = _TAG.sub(" ", _LINK.sub(r"\1", text))
    text = _ADDRESS.sub(r"\1", text)
    text = _PRICE.sub(_price, text)
    text = _ISO_DATE.sub(_date, text)
    text = _MEASURED.sub(_measure, _FROM_TO.sub(" to ", text))
    text = "".join(c if _is_said(c) else " " for c in unicodedata.normalize("NFC", text))
    words = " ".join(_MARKS.sub(" ", text).split())
    return words if any(c.isalnum() for c in words) else ""


def pieces(text: str) -> list[str]:
    """What is to be said of `text`, in pieces of a sentence each and in order; the first can be said at once.

    Together at most about `MAX_CHARS` characters; a last piece then says that there is more.
    """
    found: list[str] = []
    for sentence in _PIECE_END.split(spoken_lines(text)):
        found += _cut(sentence.strip())
    kept: list[str] = []
    said = 0
    for piece in found:
        if kept and said + len(piece) > MAX_CHARS:
            return [*kept, REST]
        said += len(piece)
        kept.append(piece)
    return kept


def spoken_lines(text: str) -> str:
    """`spoken`, with line ends as ends of sentences."""
    lines = (spoken(line) for line in text[: 20 * MAX_CHARS].splitlines())
    return " ".join(line if line[-1] in ".!?…。！？,;:" else f"{line}." for line in lines if line)


def voice_for(text: str) -> str | None:
    """espeak-ng's name of the voice for the script most letters are in; None for the default, which reads Latin."""
    names = (unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha())
    scripts = Counter(name.split("-")[0] for name in names)
    if scripts["HIRAGANA"] or scripts["KATAKANA"]:
        return "ja"
    script = max(scripts, key=lambda s: scripts[s], default="LATIN")
    return _VOICES.get(script)


def _price(match: re.Match[str]) -> str:
    sign, amount = (match[1], match[2]) if match[1] else (match[4], match[3])
    found = unit_of(sign)
    if found is None:
        return match[0]
    large = re.search(r"[A-Za-z]+$", amount)
    if large:
        amount = f"{amount[: large.start()].strip()} {_LARGE_WORDS.get(large[0].lower(), large[0])}"
    return f"{amount} {unit_words(found[0], one=amount == '1')}"


def _measure(match: re.Match[str]) -> str:
    """A symbol of a unit becomes its word; what is a word already stays as it is written."""
    amount, space, form = match.groups()
    is_symbol = len(form) <= 3 or form.lower() in ("km/h", "fl oz", "kcal") or not form.replace(" ", "").isalpha()
    found = unit_of(form)
    if not found or not is_symbol or (form.lower() in _NO_SYMBOLS and form.islower()) or (form == "s" and not space):
        return match[0]
    return f"{amount} {unit_words(found[0], one=amount == '1')}"


def _date(match: re.Match[str]) -> str:
    try:
        day = datetime.date(*(int(part) for part in match.groups()))
    except ValueError:
        return match[0]
    return f"{day.day} {day:%B} {day.year}"


def _is_said(c: str) -> bool:
    category = unicodedata.category(c)
    return category[0] in "LMNPZ" or category == "Sm" or c in _SAID_SYMBOLS


def _cut(sentence: str) -> list[str]:
    """A sentence that is too long, cut where one would breathe, else between words, else anywhere."""
    found = []
    while len(sentence) > PIECE_CHARS:
        ends = [m.start() for m in _SOFT_END.finditer(sentence, 40, PIECE_CHARS)]
        at = ends[-1] if ends else sentence.rfind(" ", 40, PIECE_CHARS)
        at = at if at > 0 else PIECE_CHARS
        found.append(sentence[:at].strip())
        sentence = sentence[at:].strip()
    return [*found, sentence] if any(c.isalnum() for c in sentence) else found
