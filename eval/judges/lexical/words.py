"""A sentence as words that can be compared: stems, clauses, what is denied and what is excepted.

For the lexical judge. English only; a light stemmer, no parser: a negator reaches to the end of its clause.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from eval.judges.lexical.stems import stem
from eval.judges.lexical.tables import NO_DOERS, OPPOSITE, PHRASES, SAME, STOP

_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d[\d.,:/]*\d|\d+|[^\W\d_]+(?:'[^\W\d_]+)?\d*|[.!?;:,()]|—|–| - ")
_CONTRACTED = (
    (re.compile(r"\bcan't\b|\bcannot\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"n't\b", re.I), " not"),
    (re.compile(r"'(?:re|ve|ll|d|m)\b", re.I), " "),
    (re.compile(r"'s\b|(?<=s)'(?=\s)", re.I), ""),
)
_AUXILIARIES = frozenset(("is", "are", "was", "were", "does", "do", "did", "can", "has", "have", "will"))
_ENDS = frozenset(".!?;")
_BREAKS = frozenset(("but", "while", "whereas", "although", "though", "because", "since", "so", "and", "then"))
_NEGATORS = frozenset(
    ("not", "no", "never", "neither", "nor", "without", "none", "cannot", "avoid", "unlike", "hardly")
)
_NEGATORS |= {"isnt", "nothing", "ceased", "cease", "ceases", "lacks", "lack", "stopped", "fails", "failed"}
_PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(PHRASES, key=len, reverse=True))})\b", re.I)
_EXCEPTIVES = re.compile(
    r"\b(?:except(?: for)?|excluding|apart from|other than|aside from|(?:any|every)(?:thing|one|body)? but|"
    r"every \w+ but|all but|instead of|rather than)\b",
    re.I,
)


#: What an answer mentions without standing for it: what is conceded, what only seems so, what holds of others.
_ASIDE = re.compile(
    r"\b(?:(?:even )?though|although|despite|in spite of|as opposed to|in contrast to|not to be \w+ (?:with|for))\b|"
    r"(?:^|[.;,]|\b(?:and|but|while|whereas))\s*(?:the |some |many |most )?others?\b"
    r"(?=(?: \w+){0,2} (?:is|are|was|were|has|have|comes?|costs?|does?|can|may|will)\b)",
    re.I,
)
_SEEMS = re.compile(
    r"\b(?:looks?|seems?|appears?|resembles?|(?:could|might|may) (?:look|seem|appear)|pass(?:es)? for)\b[^.;]{0,60}?"
    r"\bbut\b(?=\s(?:it|this|that|they|is|are|was|were|actually|really|in fact)\b)",
    re.I,
)
_BUT_THIS = re.compile(r"[^.;]{0,80}?\bbut (?:this|it|that)(?: one)? is (?:actually |really )?(?=(?:the|a|an) )", re.I)
_CITED = re.compile(
    r"\b(?:according to|based on|as (?:is )?(?:indicated|stated|mentioned|seen|shown|evidenced|noted|described|written)"
    r"(?: (?:in|by|on))?)\b[^,.;:]*",
    re.I,
)
_RELATIVE = re.compile(r",\s(?:which|who|whose|where|whom)\b[^.;]*", re.I)
_NEW_VERB = re.compile(r"\s+(?:is|are|was|were|has|have|can|will|does|do|did|should|it|they|he|she|you|we)\b", re.I)
_LEADING = re.compile(r"\s*(?:[,.;:!—–-]|$|(?:it|this|that|the|these|those|they|you|i|he|she|there|we|an?)\b)", re.I)


@dataclass(frozen=True)
class Word:
    """One word: as written, its stem, its place; clauses are counted within the text, sentences too.

    `aside`: mentioned without being claimed ("although it looks like oak").
    """

    text: str
    stem: str
    at: int
    sentence: int
    clause: int
    denied: bool
    excepted: bool
    capital: bool
    aside: bool = False

    @property
    def content(self) -> bool:
        """Whether the word carries meaning of its own."""
        if len(self.text) == 1 and self.text.isalpha():
            return self.capital and self.text != "I"
        if self.capital and (len(self.text) > 3 or (self.text.isupper() and len(self.text) > 1)):
            return True  # "Best Picture", "WHO": a plain word in a name
        return self.text.lower() not in STOP and self.stem not in STOP


def plain(text: str) -> str:
    """The text with plain letters, digits and apostrophes, contractions written out."""
    text = unicodedata.normalize("NFKD", text.replace("’", "'").replace("ø", "o").replace("Ø", "O").replace("ß", "ss"))
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(r"\*+|`+|#+ ", " ", text)
    text = re.sub(r"(?<=[A-Za-z])&(?=[A-Za-z])", "", text).replace("&", " and ")
    text = re.sub(r"\b([ap])\.\s?m\b\.?", r"\1m", text, flags=re.I)
    for pattern, written in _CONTRACTED:
        text = pattern.sub(written, text)
    return text


def read(text: str) -> list[Word]:
    """The words of a text in order."""
    return list(_read(text))


@functools.lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Word, ...]:
    smooth = _PHRASE.sub(lambda m: PHRASES[m[0].lower()], plain(text))
    shouted = smooth.isupper() and " " in smooth.strip()
    excepted = [(m.end(), _clause_end(smooth, m.end())) for m in _EXCEPTIVES.finditer(smooth)]
    aside = set_aside(smooth)
    words: list[Word] = []
    sentence = clause = 0
    negated = False
    for match in _TOKEN.finditer(smooth):
        token = match[0].strip()
        if token in _ENDS or token in (",", ":", "(", ")", "—", "–", "-"):
            follows_number = token == "." and match.start() and smooth[match.start() - 1].isdigit()
            initial = token == "." and re.search(r"\b[A-Za-z]$", smooth[: match.start()])
            if token == "." and (initial or (follows_number and smooth[match.end() : match.end() + 1].isdigit())):
                continue
            sentence += token in ".!?;"
            clause += 1
            negated = False
            continue
        low = token.lower().replace("'", "")
        goes_on = negated and low in ("and", "then") and not _NEW_VERB.match(smooth, match.end())
        if low in _BREAKS and not goes_on:
            clause += 1
            negated = False
        inside, beside = (any(a <= match.start() < b for a, b in spans) for spans in (excepted, aside))
        starts = not words or words[-1].sentence != sentence
        words.append(
            Word(
                token,
                stem(low),
                len(words),
                sentence,
                clause,
                negated,
                inside,
                token[:1].isupper()
                and (not starts or (len(token) == 1 and token not in "AI") or (token[1:].isupper() and not shouted)),
                beside,
            )
        )
        if (
            low in _NEGATORS
            and not (low == "no" and starts and _LEADING.match(smooth, match.end()))
            and not _mild(smooth, match.end())
            and not (
                low == "stopped" and len(words) > 1 and words[-2].text.lower() in ("be", "is", "are", "been", "was")
            )
        ):
            negated = True
    return tuple(_without(_left_open(words)))


def _left_open(words: Sequence[Word]) -> Iterator[Word]:
    """ "Accidents are not." denies the accidents, of what stood before."""
    last = {w.clause: w for w in words}
    for word in words:
        end = last[word.clause]
        bare = end.text.lower() == "not" and end.at > 0 and words[end.at - 1].text.lower() in _AUXILIARIES
        yield replace(word, denied=True) if bare and word.content else word


#: "uncovered", "unsafe": a denied word. Not "under", "uncle", "union".
_UN = re.compile(r"^un(?=[a-z]{4})(?!der|ti|cle|i[tqvof]|til)")
_LESS = re.compile(r"^(?!un|regard|never|none|stain|wire|price|doubt|brush|end|time|less)[a-z]{3,}less$")


def _without(words: Iterable[Word]) -> Iterator[Word]:
    """ "flightless" denies flight, "gluten free" denies gluten, "uncovered" and "non-toxic" deny what stands behind."""
    words = list(words)
    for i, word in enumerate(words):
        low = word.text.lower()
        prefix = _UN.match(low)
        before = words[i - 1].text.lower() if i else ""
        after = words[i + 1].text.lower() if i + 1 < len(words) else ""
        if _LESS.match(low) and low not in SAME and low not in OPPOSITE and not word.text[0].isupper():
            yield replace(word, stem=stem(low[:-4]), denied=not word.denied)
        elif prefix and low not in SAME and low not in OPPOSITE and stem(low) not in SAME:
            yield replace(word, stem=stem(low[prefix.end() :]), denied=not word.denied)
        elif before == "non" or (after == "free" and word.content and words[i + 1].clause == word.clause):
            yield replace(word, denied=not word.denied)
        else:
            yield word


def set_aside(text: str) -> list[tuple[int, int]]:
    """The stretches of a text that it mentions without standing for them."""
    spans = [(m.start(), m.end()) for pattern in (_SEEMS, _BUT_THIS, _CITED) for m in pattern.finditer(text)]
    for match in _ASIDE.finditer(text):
        comma = text.find(",", match.end())
        opens = re.search(r"(?:^|[.!?;,]\s*)$", text[: match.start()]) is not None and match[0][:1].isupper()
        spans.append((match.end(), comma if opens and comma > 0 else _clause_end(text, match.end())))
    return spans


def main_part(text: str) -> str:
    """The text without its relative clauses and what stands in brackets."""
    return re.sub(r"\([^)]*\)", " ", _RELATIVE.sub(" ", text))


def _mild(text: str, end: int) -> bool:
    """ "not only", "no longer than", "no matter": words that deny nothing that follows."""
    return (
        re.match(
            r"\s+(?:only|just|more than|less than|(?:for )?longer than|matter|doubt|problem|later than|necessarily)\b",
            text[end:],
        )
        is not None
    )


def _clause_end(text: str, start: int) -> int:
    match = re.compile(r"[.;:!?]|, (?:and|but|so)\b|\bit (?:is|takes|has)\b").search(text, start)
    return match.start() if match else len(text)


def content_words(words: Iterable[Word]) -> list[Word]:
    """The words that carry meaning."""
    return [word for word in words if word.content]


def same(one: Word, two: Word) -> bool:
    """Whether two words say the same: one stem, one compound, or a slip of the pen in a long word."""
    a, b = one.stem, two.stem
    if a == b:
        return True
    if not (a.isalpha() and b.isalpha()):
        return False
    if _doing(one) == b or _doing(two) == a:
        return True
    short, long = sorted((a, b), key=len)
    if len(short) >= 5 and long.startswith(short) and len(long) - len(short) <= 3:
        return True
    if len(short) >= 6 and len(short) == len(long) and sorted(a) == sorted(b) and _one_slip(a, b):
        return True
    return len(short) >= 7 and len(long) - len(short) <= 1 and _one_slip(a, b)


def _doing(word: Word) -> str:
    """The stem of what someone or something called by an agent noun does ("keeper"); "" for other words."""
    low = word.text.lower()
    return stem(low[:-2]) if len(low) >= 6 and low.endswith("er") and low not in NO_DOERS else ""


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter more, less, other or two letters turned round tell `a` and `b` apart."""
    i = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if i == 0:
        return False
    return a[i + 1 :] == b[i + 1 :] or a[i + 1 :] == b[i:] or a[i:] == b[i + 1 :] or a[i + 2 :] == b[i + 2 :]


def find(word: Word, among: Sequence[Word]) -> list[Word]:
    """The words of `among` that say the same as `word`; a compound counts when two neighbours make it up."""
    found = [other for other in among if same(word, other)]
    if not found and len(word.stem) > 6:
        found = [
            two
            for one, two in itertools.pairwise(among)
            if one.text.lower() + two.text.lower() in (word.text.lower(), word.text.lower() + "s")
        ]
    return found


def opposed(one: Word, two: Word) -> bool:
    """Whether two words say the opposite of each other."""
    forms = (two.text.lower(), two.stem)
    if any(form in OPPOSITE.get(word, ()) for word in (one.text.lower(), one.stem) for form in forms):
        return True
    return one.stem != two.stem and two.stem in _opposite_stems().get(one.stem, ())


@functools.cache
def _opposite_stems() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word, others in OPPOSITE.items():
        found.setdefault(stem(word), set()).update(stem(other) for other in others)
    return {word: frozenset(others) for word, others in found.items()}


def share(wanted: Sequence[Word], said: Sequence[Word]) -> float:
    """Which share of `wanted` (by distinct stems) is among `said`; 0.0 for nothing wanted."""
    stems = {word.stem: word for word in wanted}
    return sum(bool(find(word, said)) for word in stems.values()) / len(stems) if stems else 0.0
