"""How people point at what they see, said plainly: of "all right, next: the bridge I'm looking at, what's it built of,
do you know?" is left "this bridge, what's it built of?".

MiniLM, fitted for this, tells of each word whether it points at a thing (and how: in view,
spoken of before, on the left), opens a question, wraps it or ends it politely. Words that point are put as plainly as
English can ("this bridge", "that bridge", "the other one", "the one on the left"), so that patterns and models behind
need to know these alone; what opens, wraps and ends says nothing of what is asked, and is left out. Where the model is
not sure, words stay as they are.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.colour_words import WORDS as COLOURS
from assistant.text.encoder import VERSION, text_encoder
from assistant.text.minilm import narrow_changes

if TYPE_CHECKING:
    from assistant.text.minilm import MiniLM

FILE_NAME = "pointing.npz"
#: Longer questions are read in their beginning only.
MAX_TOKENS = 96
#: How a thing is pointed at, each with how that is said plainly, of "{noun}" and where no noun is known.
PLAINLY: dict[str, tuple[str, str]] = {
    "place": ("this {noun}", "this one"),
    "same": ("that {noun}", "it"),
    "first": ("the {noun} itself", "the first one"),
    "second": ("the other {noun}", "the other one"),
    "third": ("the {noun} over there", "the third one"),
    "left": ("the {noun} on the left", "the one on the left"),
    "right": ("the {noun} on the right", "the one on the right"),
    "middle": ("the {noun} in the middle", "the one in the middle"),
    "bigger": ("the bigger {noun}", "the bigger one"),
    "colour": ("the {colour} {noun}", "the {colour} one"),
    "left_of_it": ("the {noun} on the left", "the one on the left"),
    "right_of_it": ("the {noun} on the right", "the one on the right"),
    "beside_it": ("the other {noun}", "the other one"),
}
#: Siblings are told by their own words, which stay.
OTHERS = ("variant", "volume")
#: What stands around a question.
AROUND = ("open", "tail", "wrap")
LABELS = ("none", "noun", *AROUND, *PLAINLY, *OTHERS)
#: Words are put otherwise when all of a span is so surely one; and left out when they are so surely around it.
_SURE, _SURE_AROUND = 0.7, 0.8
_GOES_ON = 0.4
#: Words that may tell something that counts, whatever they stand around.
_TELLS = re.compile(
    r"\d|\b(?:not|never|no longer|without|unless|except|besides|apart from|other than|instead|than|half|third|quarter|"
    r"both|twice|thrice|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred)\b",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"(?:the|this|that|these|those|an?|my|our|your|its|their|his|her|every|each)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
#: A name, which stays: "I'm" and "T-shirt" are none.
_NAMED = re.compile(r"(?!I(?:['’]|$)|T-)[A-Z]")
_OPENS = re.compile(r"the|this|that|these|those|my|our|your", re.IGNORECASE)
_ONE = re.compile(r"\b(?:ones?|things?|object|item)\b", re.IGNORECASE)
#: "the kettle where my hand is": the verb belongs to what points.
_WHERE = re.compile(r"\bwhere (?:my|our|your|the|this|that)(?: [\w-]+){1,3} (?:is|are|was|were)$", re.IGNORECASE)
#: How what points without a noun begins; "every member of the group" and "in the middle of its range" point at nothing.
_NO_NOUN = re.compile(
    r"(?:the|this|that|these|those|it|what|whatever|whichever|its|t['’]other|another|our|my|your|one)\b"
    r"(?=.*\b(?:ones?|things?|thing[a-z]+|objects?|items?|articles?|stuff|what|whatever|whichever|it|other|first|second|"
    r"third|last|next|neighbou?r|two|pair|lot|left|right)\b)"
    r"(?!.*\b(?:members?|groups?|towns?|range|series|set|family|firm|company|fleet|whole|entire)\b)",
    re.IGNORECASE,
)
#: "…, yeah?", "…, isn't it?": what makes a statement a question.
_TAG = re.compile(
    r"\W*(?:yeah|yes|no|right|correct|true|or not|innit|eh|huh|(?:is|are|was|were|does|do|did|has|have|can|could|would|"
    r"will)(?:n?['’]t)? (?:it|they|he|she|that|this|there))\b",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\bin (?:that|this|the same) (?:size|colou?r)\b", re.IGNORECASE)
#: "the bottom of it" is a part of it, "the left of it" is beside it.
_PART = re.compile(r"the (?!left|right|neighbou?r)[\w-]+ of (?:it|this|that)", re.IGNORECASE)
#: "the course with that slide" has it, and is no other one beside it.
_HAS_IT = re.compile(r"the [a-z]+ with (?:this|that|these|those) (?!ones?\b)[a-z]+", re.IGNORECASE)
#: "the one beside this jar" is another one, of whatever kind.
_ONE_BESIDE = re.compile(
    r"(?:the|that) (?:other )?(?:one|thing|object|item)\b.*"
    r"\b(?:beside|next to|alongside|near|left of|right of)\s*",
    re.IGNORECASE,
)
#: "all the fountains of this group", "the complete model range": no one thing.
_MANY = re.compile(
    r"\b(?:members?|groups?|range|series|family|fleet|collection|line-?up|whole|entire|complete|all(?! the way)|every|"
    r"each)\b",
    re.IGNORECASE,
)
#: What judges a thing is no word for it.
_JUDGES = re.compile(r" (?:more|less|most|least|(?:comes?|came) out)$", re.IGNORECASE)
#: "2 of the bag here" are as many of it.
_COUNTS = re.compile(r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|dozen) of $", re.IGNORECASE)
#: "the green and white plant" is one.
_TWO_COLOURS = re.compile(rf"^(?:\w+ )?(?:{'|'.join(COLOURS)}) and (?:\w+ )?(?:{'|'.join(COLOURS)})\b", re.IGNORECASE)
_AND = re.compile(rf"\b(?:{'|'.join(COLOURS)}) and $", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:first|second|third|fourth|fifth|last|next|\d(?:st|nd|rd|th))\b", re.IGNORECASE)
_ASIDE = ("second", "beside_it", "left_of_it", "right_of_it")
_PLACED = ("left", "right", "middle", "bigger", "colour", "left_of_it", "right_of_it")
#: What asks by itself, without what is wrapped around it or a tag behind it.
_ASKS = re.compile(
    r"^(?:and |so |but |or )?(?:(?:in|by|from|for|until|since|to|of|at|on|up to|after|within|about|with|under) )?"
    r"(?:(?:what|which|who|whom|whose|where|when|why|how)\b|(?:if|whether)\b|(?:is|are|was|were|does|do|did|has|have|"
    r"had|can|could|will|would|should|may|might|must)(?:n['’]t)? \w)"
    r"|[,;:–—.!?] (?:(?:in|by|from|for|to|of|at|on) )?(?:what|which|who|whose|where|when|why|how)\b",
    re.IGNORECASE,
)
#: "back to what we started with: how heavy is it?" opens the question, and tells what it is about.
_BACK = re.compile(
    r"\b(?:back|return(?:ing)?|again) to (?:the|that|what|where|my|our)\b.*\b(?:first|began|begin|beginning|"
    r"start(?:ed|ing)?|kicked|opened|original(?:ly)?|initial(?:ly)?)\b"
    r"(?: (?:off|out|up|with|from|on|by|at|in|thing|one))*",
    re.IGNORECASE,
)
#: "hey, if two of us share it": a case that is put begins the question.
_CASE = re.compile(r"if|when|once|suppose|supposing|assuming|given|should|had|were|say", re.IGNORECASE)
_SHORT = re.compile(
    r"(?:its?|they|them|this|that|these|those|there|here|one"
    r"|(?:this|that|these|those|the|my|our|both) (?:[\w-]+|other one|two|coats? of arms))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Model:
    reader: MiniLM
    weights: np.ndarray  # (labels, 384)
    bias: np.ndarray
    around: frozenset[str]  # words that stand around questions


@functools.cache
def _model() -> _Model:
    path = WEIGHTS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["text_encoder"]) != VERSION or tuple(map(str, stored["labels"])) != LABELS:
                raise ValueError("made for another text encoder or other labels")
            changes = narrow_changes(stored)
            weights, bias = stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)
            around = frozenset(map(str, stored["around"]))
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be used ({problem}): {RESTORE}") from problem
    return _Model(text_encoder().adapted(changes, MAX_TOKENS), weights, bias, around)


def words_in(text: str) -> list[tuple[int, int]]:
    """Where the words and signs of a text begin and end."""
    return [m.span() for m in _WORD.finditer(text)]


def word_chances(shares: np.ndarray, offsets: list[tuple[int, int]], words: list[tuple[int, int]]) -> np.ndarray:
    """(words, labels): the mean of each word's pieces; words beyond what was read are "none"."""
    out = np.zeros((len(words), shares.shape[1]), np.float32)
    out[:, 0] = 1.0
    starts = np.array([o[0] for o in offsets])
    for n, (start, end) in enumerate(words):
        inside = (starts >= start) & (starts < end)
        if inside.any():
            out[n] = shares[inside].mean(axis=0)
    return out


def chances(text: str) -> tuple[list[tuple[int, int]], np.ndarray]:
    """The words of a text, and how probably each is what: (words, labels)."""
    model, words = _model(), words_in(text)
    if not words:
        return [], np.zeros((0, len(LABELS)), np.float32)
    hidden, offsets = model.reader.tokens(text)
    logits = hidden @ model.weights.T + model.bias
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return words, word_chances(shares / shares.sum(axis=1, keepdims=True), offsets, words)


@functools.lru_cache(maxsize=256)
def normalise_pointing(question: str) -> str:
    """The question with what it points at said plainly and nothing around it; as it is where that is not sure.

    Raises:
        NotReady: the model is missing.
    """
    words, shares = chances(question)
    if not words:
        return question
    return said_plainly(question, words, shares)


def said_plainly(question: str, words: list[tuple[int, int]], shares: np.ndarray) -> str:
    """`question` put otherwise by what its words are: see `chances`."""
    column = {label: n for n, label in enumerate(LABELS)}
    points = shares[:, [column[k] for k in (*PLAINLY, *OTHERS, "noun")]].sum(axis=1)
    each = shares[:, [column[k] for k in AROUND]]
    around = each.sum(axis=1)
    sides = [
        "" if w[0].isdigit() else "points" if p >= 0.5 else AROUND[int(e.argmax())] if a >= 0.5 else ""
        for w, p, a, e in zip((question[a:b] for a, b in words), points, around, each, strict=True)
    ]
    for n in range(1, len(sides)):  # what points goes on while that is nearly as likely as that it does not
        if sides[n - 1] == "points" and not sides[n] and points[n] >= _GOES_ON and not question[words[n][0]].isdigit():
            sides[n] = "points"
    pieces: list[tuple[str, str]] = []  # what stands there, and "tail" or "wrap" for what may be left out
    at, n = 0, 0
    while n < len(words):
        first, kind = n, sides[n]
        while n < len(words) and sides[n] == kind:
            n += 1
        if kind in AROUND and _CASE.fullmatch(question[slice(*words[n - 1])]):
            if n == first + 1:
                kind = ""
            elif kind == "open":
                n, sides[n - 1] = n - 1, ""
        if kind == "points":
            n = _without_verb(question, words, first, n)
        start, end = words[first][0], words[n - 1][1]
        said, role = question[start:end], ""
        before = question[slice(*words[first - 1])] if first else ""
        if kind == "points" and points[first:n].mean() >= _SURE and not _SHORT.fullmatch(said):
            kept = _TWO_COLOURS.search(question[start:]) or any(p.search(question[:start]) for p in (_COUNTS, _AND))
            if not _DETERMINER.fullmatch(before) and not question[end:].startswith(" and back") and not kept:
                said = _put_plainly(question, words[first:n], shares[first:n], column) or said
        elif (
            kind in AROUND
            and around[first:n].mean() >= _SURE_AROUND
            and not (_TELLS.search(said) or before.isdigit())  # "2 of us"
            and _said_often(said)
        ):
            back = _BACK.search(said)
            said = f"{said[: back.start()]}back to the first one{said[back.end() :]}" if back else said
            role = "" if back else kind
        pieces += [(question[at:start], ""), (said, role)]
        at = end
    pieces.append((question[at:], ""))
    tagged = any(role == "tail" and _TAG.match(said) for said, role in pieces)
    for roles in (AROUND, ("open", "tail")):
        left_out = set(roles) - ({"tail"} if tagged else set())
        text = _tidy("".join(said for said, role in pieces if role not in left_out))
        if re.search(r"[^\W\d_]{2}", text) and ("wrap" not in {r for _, r in pieces} or _ASKS.search(text)):
            return f"{text}?" if question.rstrip().endswith("?") and text[-1:] not in "?!" else text
    unwrapped = _tidy("".join(said for said, role in pieces if role not in left_out))
    return unwrapped if re.search(r"[^\W\d_]{2}", unwrapped) else question


def _without_verb(question: str, words: list[tuple[int, int]], first: int, end: int) -> int:
    """Where what points ends: "the chair we started with come out" heavier, "the first one more" expensive."""
    while end - first > 1:
        last = _JUDGES.search(question[words[first][0] : words[end - 1][1]])
        if last is None:
            break
        end -= len(words_in(last.group()))
    return end


def _said_often(said: str) -> bool:
    """Whether few words around a question are such as people put there: "Glazes: how many are listed?" says what of."""
    known, content = _model().around, [w for w in re.findall(r"[a-z]+", said.lower()) if len(w) > 3]
    return len(content) > 2 or all(w in known for w in content)


def _tidy(text: str) -> str:
    text = re.sub(r"^[\s,;:.!–—-]+", "", " ".join(text.split()))
    return re.sub(r"[\s,;:–—-]+$", "", re.sub(r"\s+([,;:.?!])", r"\1", text))


def _put_plainly(question: str, words: list[tuple[int, int]], shares: np.ndarray, column: dict[str, int]) -> str | None:
    """One span of words that point, said plainly; None where it is to stay as it is."""
    kinds = [*PLAINLY, *OTHERS]
    nouned = [n for n, s in enumerate(shares) if s[column["noun"]] >= 0.5]
    if nouned and nouned[0] > 1 and _OPENS.fullmatch(question[slice(*words[nouned[0] - 1])]):
        kept = nouned[0] - 1  # "is that something this hen eats": this hen
        kind = kinds[int(shares[:, [column[k] for k in kinds]].sum(axis=0).argmax())]
        if kind in _ASIDE and _ONE_BESIDE.fullmatch(question[words[0][0] : words[kept][0]]):
            return PLAINLY[kind][1]
        plain = _put_plainly(question, words[kept:], shares[kept:], column) or question[words[kept][0] : words[-1][1]]
        return question[words[0][0] : words[kept][0]] + plain
    if nouned and nouned[-1] - nouned[0] >= len(nouned):  # "the exam on that slide here": on this slide
        run = next(n for n in nouned if nouned[-1] - n == len(nouned) - 1 - nouned.index(n))
        opens = [n for n in range(run) if _OPENS.fullmatch(question[slice(*words[n])])]
        if not opens or opens[-1] <= nouned[0]:
            return None
        before, kept = question[words[0][0] : words[opens[-1]][0]], opens[-1]
        said = _put_plainly(question, words[kept:], shares[kept:], column)
        return f"{before}{said}" if said else None
    nouns = [question[a:b] for (a, b), s in zip(words, shares, strict=True) if s[column["noun"]] >= 0.5]
    told = shares[:, [column[k] for k in kinds]].sum(axis=0)
    kind = kinds[int(told.argmax())]
    named = any(
        _NAMED.match(question[a:b]) for a, b in words if a and question[a - 2 : a].strip() not in (".", "?", "!")
    )
    if kind in OTHERS or named or told.max() < 0.6 * max(told.sum(), 1e-6):
        return None
    span = question[words[0][0] : words[-1][1]]
    if any(m.group().lower() not in map(str.lower, nouns) for m in _MANY.finditer(span)) or _MANY.match(
        question, words[-1][1] + 1
    ):
        return None
    if kind in ("second", "beside_it") and _HAS_IT.fullmatch(span):
        return None
    last = question[slice(*words[-1])].lower()
    if (_DETERMINER.fullmatch(last) and len(words) > 1) or _SIZE.search(span) or _PART.fullmatch(span):
        return None  # "the one to the right of the" red one, "this tunic in that size"
    of_clause = re.match(r"wh", span, re.IGNORECASE) or _WHERE.search(span)
    if last in ("is", "are", "was", "were") and not of_clause and len(words) > 1:
        shorter = _put_plainly(question, words[:-1], shares[:-1], column)  # "which piece that jug is"
        return f"{shorter or question[words[0][0] : words[-2][1]]} {last}"
    colour = next((w.lower() for w in re.findall(r"[a-z]+", span, re.IGNORECASE) if w.lower() in COLOURS), None)
    if (kind == "colour") != (colour is not None) or (kind in _PLACED and _COUNTED.search(span)):
        return None
    if not nouns and not (_NO_NOUN.match(span) and (kind not in _PLACED or _ONE.search(span))):  # "the man on the left"
        return None
    if kind == "colour" and re.match(r"(?:this|that)\b", span, re.IGNORECASE):
        return f"{span[:4].lower()} {colour} {' '.join(nouns) or 'one'}"
    with_noun, without = PLAINLY[kind]
    said = with_noun.format(noun=" ".join(nouns), colour=colour) if nouns else without.format(colour=colour)
    return f"{said}’s" if re.search(r"['’]s$", span) and not nouns else said
