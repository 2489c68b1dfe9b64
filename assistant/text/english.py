"""General English: cleaning, sentences, closed word classes, crude stems, comparison of adjectives.

Only grammar that any reference book lists; no vocabulary of a domain. Not a parser: callers get words and stems.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set; for closed classes written out in the code."""
    return frozenset(text.split())


FUNCTION_WORDS = word_set(
    """a an the this that these those it its it's he she they them him her his their there here we us our you your i me
    my
    mine yours of to in on at by for from with without into onto over under between about around within through during
    before after since until as than per and or nor but so if then else not no yes is are was were be been being am
    do does did done doing have has had having will would can could may might must shall should which who whom whose
    what when where why how one ones other another same such both either each every all any some only just also even
    very too more most less least much many few little lot lots please thing things stuff something anything exactly
    actually really got get gets tell give say know like kind sort type name called up out off down s t re ll ve d m
    ok okay hey hi hello um uh er well now again still looking look see show let's"""
)
_PRONOUN_START = re.compile(
    r"^(?P<intro>(?:[A-Z][^,.]{2,40},\s+)?)(?P<p>It|He|She|They|This|Its|His|Her|Their|The (?:book|product|"
    r"item|model|one))\b(?P<rest>.*)$",
    re.DOTALL,
)
_ABBREVIATIONS = (
    "vol",
    "no",
    "mr",
    "mrs",
    "ms",
    "dr",
    "st",
    "approx",
    "ca",
    "e.g",
    "i.e",
    "etc",
    "ft",
    "in",
    "lb",
    "oz",
    "inc",
    "ltd",
    "co",
    "jr",
    "sr",
    "prof",
    "est",
    "mt",
    "vs",
    "ed",
    "fig",
    "max",
    "min",
    "temp",
    "tel",
    "ave",
)
_MONTH_NEXT = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")
_NO_SURNAME = re.compile(r"(?:It|Its|They|Their|The|This|These|That|There|We|You|He|She|His|Her|My|Our|In|And|But)\b")
_BEFORE_NUMBERS = ("no", "vol", "fig", "ed", "in", "max", "min", "est", "c", "ca", "ft", "oz", "lb")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|n't|\w+n['’]t|free of|non)\b|\w+-free\b", re.IGNORECASE
)
#: gradable adjective → (noun of its scale, dimensions a value may have, +1 when more of it is a greater value)
ADJECTIVES: dict[str, tuple[str, frozenset[str], int]] = {
    adjective: (noun, frozenset(dims.split()), sign)
    for noun, dims, more, less in (
        ("weight", "mass", "heavy", "light"),
        ("height", "length", "tall high", "low"),
        ("length", "length time", "long lengthy", "short brief"),
        ("width", "length", "wide broad", "narrow"),
        ("depth", "length", "deep", "shallow"),
        ("thickness", "length", "thick", "thin slim"),
        ("size", "length area volume mass count", "big large great huge vast", "small little tiny compact"),
        ("date", "date", "new young recent late modern", "old early ancient"),
        ("price", "money", "expensive costly dear pricey pricy", "cheap affordable inexpensive"),
        ("speed", "speed", "fast quick", "slow"),
        ("temperature", "temperature", "hot warm", "cold cool"),
        ("distance", "length", "far distant", "near close"),
        ("power", "power", "powerful", "weak"),
        ("noise", "loudness", "loud noisy", "quiet silent"),
        ("brightness", "light", "bright", "dim dark"),
        ("rating", "count percent", "popular good", "bad"),
        ("frequency", "time", "infrequent seldom", "frequent"),  # told as the time from one to the next
        ("hardness", "count", "hard", "soft"),
        ("population", "count", "populous crowded", ""),
        ("capacity", "volume area", "roomy spacious capacious", ""),
    )
    for words, sign in ((more, 1), (less, -1))
    for adjective in words.split()
}
#: The nouns of the scales.
SCALES = frozenset(noun for noun, _, _ in ADJECTIVES.values()) | frozenset(("diameter", "wingspan", "circumference"))
_IRREGULAR = {
    "better": "good",
    "best": "good",
    "worse": "bad",
    "worst": "bad",
    "farther": "far",
    "further": "far",
    "farthest": "far",
    "elder": "old",
    "eldest": "old",
    "latest": "late",
    "last": "late",
}


def plain(text: str, limit: int = 4000) -> str:
    """One line of plain text: no control, bidi or zero-width characters, no markup tags, white space collapsed."""
    text = text[: limit * 2]
    if text.isascii() and text.isprintable() and "<" not in text:  # nothing to take away, as nearly always
        return " ".join(text.split())[:limit]
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"(?is)<(script|style)\b.*?(?:</\1\s*>|$)", " ", text)
    text = re.sub(r"</?[A-Za-z!][^<>]{0,200}>", " ", text)
    text = "".join(" " if c in "\n\r\t\u2028\u2029" or unicodedata.category(c) == "Zs" else c for c in text)
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    return " ".join(text.split())[:limit]


def sentence_of(words: str) -> str:
    """A message as a sentence of its own: with a capital, and a full stop where it has no end."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) or not words else ".")


def spaced(text: str) -> str:
    """The text with a space between words and numbers that stand together, as they do on labels: "SINCE1937"."""
    return re.sub(r"(?<=[^\W\d_]{3})(?=\d)|(?<=\d{3})(?=[^\W\d_]{3})", " ", text)


def with_article(noun: str) -> str:
    """The noun with "a" or "an"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def words_of(text: str) -> list[str]:
    return re.findall(r"[A-Za-zÀ-ÿ0-9]+(?:['’-][A-Za-zÀ-ÿ0-9]+)*", text)


@functools.lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A crude stem: equal for inflections of most regular words ("published", "publication" share "publi…" at
    least).
    """
    w = word.lower().replace("’", "'").removesuffix("'s").rstrip("'")
    if len(w) <= 3:
        return w
    for suffix in (
        "ations",
        "ation",
        "ings",
        "ing",
        "ments",
        "ment",
        "ers",
        "ors",
        "er",
        "or",
        "ies",
        "ied",
        "ed",
        "es",
        "s",
        "ly",
        "y",
        "e",
    ):
        if w.endswith(suffix) and len(w) - len(suffix) >= 3:
            w = w[: -len(suffix)]
            break
    if w.endswith(("s", "e", "i", "y")) and len(w) > 3 and not w.endswith("ss"):
        w = w[:-1]
    if len(w) > 3 and w[-1] == w[-2] and w[-1] not in "lsz":
        w = w[:-1]
    return w


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning (function words and lone letters left out)."""
    return frozenset(
        stem(w) for w in words_of(text) if w.lower().replace("’", "'") not in FUNCTION_WORDS and len(w) > 1
    )


def related(a: str, b: str) -> bool:
    """Whether two stems are one word family: equal, or one long common beginning."""
    if a == b:
        return True
    n = min(len(a), len(b))
    return n >= 4 and a[: max(4, n - 1)] == b[: max(4, n - 1)]


def shared(left: frozenset[str], right: frozenset[str]) -> int:
    """How many stems of `left` have a relative in `right`."""
    return sum(any(related(a, b) for b in right) for a in left)


@functools.lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Splits at sentence ends, sparing decimal points, initials and common abbreviations; line breaks end sentences."""
    out: list[str] = []
    for line in re.split(r"\s*\n+\s*", text):
        start = 0
        for m in re.finditer(r"[.!?][\"”')\]]*\s+(?=[\"“'(\[]?[A-Z0-9€$£¥])", line):
            before = line[start : m.start()].rsplit(None, 1)
            last = before[-1].lstrip("(\"'") if before else ""
            initial = len(last) == 1 and last.isupper() and not before[0][-1:].isdigit()  # "964 W. It feels …"
            initial = initial and not _NO_SURNAME.match(line, m.end())  # "in M, L and S. It is washed at 40 degrees."
            last = last.lower()
            if line[m.start()] == "." and re.fullmatch(r"\d{1,2}", last) and _MONTH_NEXT.match(line[m.end() :]):
                continue
            follows = line[m.end() : m.end() + 1]
            if last in _BEFORE_NUMBERS and not follows.isdigit():
                last = ""
            if line[m.start()] == "." and (last in _ABBREVIATIONS or initial):
                continue
            out.append(line[start : m.end()].strip())
            start = m.end()
        if line[start:].strip():
            out.append(line[start:].strip())
    return tuple(out)


def negated(text: str) -> bool:
    """Whether the clause says no (an even number of negations says yes)."""
    return len(_NEGATION.findall(text)) % 2 == 1


def is_plural(noun_phrase: str) -> bool:
    """Whether the head of a noun phrase looks plural ("ingredients", "side effects of heat")."""
    head = re.split(r"\s+(?:of|in|for|per|by|at|from|to|with|on)\b", noun_phrase.strip().lower())[0].split()
    if not head:
        return False
    word = head[-1]
    return (word.endswith("s") and not word.endswith(("ss", "us", "is", "ics", "series", "species"))) or word in (
        "people",
        "children",
        "teeth",
        "feet",
        "men",
        "women",
    )


def named_subject(sentence: str, name: str) -> str:
    """The sentence with a leading pronoun replaced by the name: "It weighs 2 kg." → "<name> weighs 2 kg."."""
    m = _PRONOUN_START.match(sentence)
    if not m:
        return sentence
    possessive = m.group("p") in ("Its", "His", "Her", "Their")
    if m.group("p") == "This" and not re.match(
        r"\s+(?:is|was|has|can|will|does|weighs|costs|comes)\b", m.group("rest")
    ):
        return sentence
    return f"{m.group('intro')}{name}{'’s' if possessive else ''}{m.group('rest')}"


def base_adjective(word: str) -> tuple[str, str] | None:
    """("heavy", "er") for "heavier", ("cheap", "est") for "cheapest"; None when the word is no such form we
    can undo.
    """
    w = word.lower()
    if w in _IRREGULAR:
        return _IRREGULAR[w], "est" if w.endswith("st") else "er"
    for suffix in ("est", "er"):
        if not w.endswith(suffix) or len(w) - len(suffix) < 2:
            continue
        root = w[: -len(suffix)]
        for candidate in (root, root + "e", root[:-1] + "y" if root.endswith("i") else root, root[:-1]):
            if candidate in ADJECTIVES:
                return candidate, suffix
    return None


_VERBISH = r"(?!is\b|was\b|are\b|has\b|does\b|can\b|will\b|weighs?\b|costs?\b|belongs?\b|comes?\b)"
_KIND = re.compile(
    rf"\b(?:this|that|these|those)(?:(?:\s+{_VERBISH}[a-zà-ÿ][\w-]*){{1,2}}?(?:\s+here\b|\s+in front of me\b)"
    rf"|(?:\s+{_VERBISH}[a-zà-ÿ][\w-]*){{1,2}}?(?=\s*[?.!,]|\s*$|\s+(?:is|was|are|were|has|have|had|does|do|"
    rf"did|can|will|"
    r"would|in|on|of|from|for|to|by|with|at|and|or|that|which|who|made|built|weigh|cost|come|belong)\b))"
    r"|\bthe\s+[a-z]+\s+(?:here|in front of me|in my hands?|i am holding|i['’]m holding)\b",
    re.IGNORECASE,
)


_ANY_KIND = word_set("one ones thing item product object article model stuff")


def without_kind(text: str, kinds: frozenset[str] | None = None) -> str:
    """ "this book" → "it": the kind of the subject says nothing about what is asked.

    With `kinds` (stems of words for the subject) only those are replaced: "that town" may be another thing.
    """

    def replaced(m: re.Match[str]) -> str:
        before = text[: m.start()].lower().split()[-2:]
        relative = m.group().lower().startswith("that") and len(before) == 2 and before[0] in ("the", "a", "an", "its")
        if relative:
            return m.group()
        nouns = content_stems(re.sub(r"\b(?:here|in front of me|in my hands?|i am holding)\b", "", m.group().lower()))
        if kinds is not None and nouns and not (nouns & _ANY_KIND or shared(nouns, kinds)):
            return m.group() if not re.search(r"\b(?:here|in front|in my|holding)\b", m.group()) else "it"
        return "it"

    return _KIND.sub(replaced, text)


def mask(text: str, names: Sequence[str]) -> str:
    """The text with every given name replaced by "it"."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(r"(?:\b[Tt]he\s+)?" + re.escape(name), "it", text, flags=re.IGNORECASE)
    return text
