"""How likely a piece of evidence answers what is asked: meaning, words in common and kind of value, as one probability.

The meaning is the cosine of MiniLM sentence vectors between wordings of the question and wordings of the fact ("what is
its <key>?"), plain and adapted by `concepts`. The weights of the logistic model are fitted; no word of
any collection is in here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.core.logistic import logistic
from assistant.reading.scoring.concepts import AGREEMENT_WEIGHT, FactKind, QuestionFactModel, question_fact_model
from assistant.reading.scoring.fact_ranker import stored_model
from assistant.text.attribute_keys import key_unit, spoken_key, typed_key
from assistant.text.english import (
    ADJECTIVES,
    FUNCTION_WORDS,
    SCALES,
    content_stems,
    mask,
    related,
    shared,
    stem,
    without_kind,
    word_set,
    words_of,
)
from assistant.text.values import find_clock, find_dates, find_names, find_quantities, split_list
from assistant.understanding.intent import Expected, ParsedQuestion

WEIGHTS_FILE = "rank.json"
Encode = Callable[[Sequence[str]], np.ndarray]
COLOURS = word_set(
    "black white grey gray silver red orange yellow gold green blue navy turquoise teal cyan purple violet "
    "pink magenta brown beige cream ivory maroon crimson scarlet olive khaki tan bronze copper lilac "
    "lavender indigo amber rust charcoal"
)
_FREQUENCY = re.compile(
    r"\b(?:every|once|twice|daily|weekly|monthly|yearly|annually|hourly|(?:times|days|hours) (?:a|per)|per|"
    r"each|rarely|seldom|always|never)\b",
    re.IGNORECASE,
)
_LOCATED = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Ff]rom|[Oo]utside|[Tt]o|[Oo]n|[Aa]round|[Ii]nside|[Uu]nder|[Bb]eside|"
    r"[Oo]ver)\s+(?:[a-z]+\s+){0,4}[A-Z]|: [A-Z]"
    r"|\b(?:[Nn]ative|[Cc]itizen|[Cc]hild|[Ss]on|[Dd]aughter|[Tt]own|[Cc]ity|[Vv]illage) of [A-Z]"
    r"|\b(?:[Pp]lace|[Tt]own|[Cc]ity|[Vv]illage|[Hh]ome|[Bb]irthplace|[Ss]eat)(?: of [a-z]+)? (?:is|was) [A-Z]"
)
#: "their place is in Wexham" names nobody.
_SOMEWHERE = re.compile(r"\b(?:in|near|outside|around|over|across|throughout) [A-Z][\w-]+(?: [A-Z][\w-]+)*\b(?!['’])")
_SEASONS = re.compile(
    r"\b(?:spring|summer|autumn|winter|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|"
    r"february|march|april|june|july|august|september|october|november|december|weekday|weekend|night|dawn|"
    r"dusk|morning|evening|daily)s?\b",
    re.IGNORECASE,
)


SCALE_STEMS = content_stems(
    "cost costs price weigh weighs weight size length time amount number many much total exactly current "
    "kind type measure"
) | frozenset(stem(a) for a in ADJECTIVES)


def agreement(expected: Expected, value: str, key: str = "") -> float:
    """How well the kind of the value fits the kind asked for: 1 fits, 0 says nothing, -1 contradicts."""
    kind = expected.kind
    if kind in ("any", "yesno", "reason", "name"):
        return 0.0
    dates, quantities = find_dates(value), find_quantities(value)
    if expected.noun == "times" and _FREQUENCY.search(value):
        return 1.0
    if kind == "date":
        if dates:
            return 1.0
        return 0.6 if _SEASONS.search(value) or find_clock(value) else -1.0
    if kind == "age":
        return 1.0 if dates or any(q.dimension == "time" for q in quantities) else -1.0
    if kind == "clock":
        return 1.0 if find_clock(value) else (0.0 if _SEASONS.search(value) else -1.0)
    if kind == "person":
        names = find_names(value if key else _SOMEWHERE.sub(" ", value))
        if not key:
            return 0.5 if names else -0.8
        return (0.7 if not re.search(r"\d", value) else -0.3) if names else -0.6
    if kind == "place":
        if not key:
            return 0.5 if _LOCATED.search(value) else -0.5
        for d in dates:  # "July 26, 1936" names no place
            value = value.replace(d.text, " ")
        value = value.strip(" ,;()")
        return 0.4 if find_names(value) and not re.fullmatch(r"[\W\d]+.*", value) else (-0.4 if value else -1.0)
    if kind == "colour":
        return 1.0 if any(w.lower() in COLOURS for w in words_of(value)) else -0.3
    return _quantity_agreement(expected, value, key)


def _quantity_agreement(expected: Expected, value: str, key: str) -> float:
    quantities, dates = find_quantities(value), find_dates(value)
    dims = {q.dimension for q in quantities}
    named = key_unit(key) if key and dims <= {"", "count"} else None  # "dim_h: 8 cm" is no time
    dims |= {named[2]} if named else set()
    if expected.dimensions == {"date"}:
        return 1.0 if dates else -1.0
    if not quantities and not dates:
        if expected.kind == "count" and len(split_list(value)) > 1:
            return 0.3
        return -1.0
    if expected.kind == "count":
        nouns = [stem(w) for w in words_of(expected.noun) if w not in FUNCTION_WORDS]
        if nouns:
            for q in quantities:
                if q.dimension in ("count", "energy") and any(
                    related(stem(w), nouns[-1]) or related(stem(w), nouns[0]) for w in words_of(q.text)
                ):
                    return 1.0
        if quantities and dims <= {"count", ""}:
            return 0.5
        return 0.3 if dates and not quantities and key else -0.5
    if not expected.dimensions:
        return 0.5 if quantities else -0.7
    if dims & expected.dimensions:
        return 1.0
    if "money" in expected.dimensions and dims & {"count", ""}:
        return 0.2
    return 0.0 if "" in dims else (-0.4 if "count" in dims else -1.0)


@dataclass(frozen=True)
class Features:
    """What the probability is computed from; every value lies in about -1 to 1.

    noun_similarity: of the counted noun and the key. uncovered: share of the question's words that nothing explains.
    margin: lead over the best rival fact (negative: its lag).

    asked_*: the question as asked against the fact; reworded_*: the best of its rewordings (the question itself when
    there is none). key: against "what is its <key>?"; statement: against the fact said as a sentence. meaning_* and
    known_*: the two parts of `concepts.QuestionFactModel`, the best over the wordings.
    """

    asked_key: float
    reworded_key: float
    asked_statement: float
    reworded_statement: float
    overlap: float
    agreement: float
    conflict: float
    noun: float
    noun_similarity: float
    uncovered: float
    meaning_key: float = 0.0
    known_key: float = 0.0
    meaning_statement: float = 0.0
    known_statement: float = 0.0
    margin: float = 0.0

    def vector(self) -> np.ndarray:
        return np.array(
            [
                self.asked_key,
                self.reworded_key,
                self.asked_statement,
                self.reworded_statement,
                self.overlap,
                max(self.agreement, 0.0),
                min(self.agreement, 0.0),
                self.conflict,
                self.noun,
                self.noun_similarity,
                self.uncovered,
                self.meaning_key,
                self.known_key,
                self.meaning_statement,
                self.known_statement,
                self.margin,
            ]
        )


def probability(features: Features, *, sentence: bool = False) -> float:
    """Logistic model over the features; one set of weights for attributes, one for sentences of pages."""
    weights, bias = stored_model(WEIGHTS_FILE, "sentence" if sentence else "attribute")
    return logistic(float(features.vector() @ weights) + bias)


def _conflict(asked: ParsedQuestion, key: str) -> float:
    """1 when the question names one scale (height) and the key another (width)."""
    own = {n for q in asked.about for n in SCALES if re.search(rf"\b{n}\b", q)}
    theirs = {n for n in SCALES if re.search(rf"\b{n}\b", key)}
    if "width" in own and "diameter" in theirs:  # what is round is as wide as that
        return 0.0
    return 1.0 if own and theirs and not own & theirs else 0.0


def _noun_match(asked: ParsedQuestion, text: str) -> float:
    """1 when what is counted is named by the fact, -1 when the question counts something the fact does not name."""
    if not asked.expected.noun:
        return 0.0
    nouns = content_stems(asked.expected.noun)
    if not nouns:
        return 0.0
    return 1.0 if shared(nouns, content_stems(text)) else -1.0


def _with_margins(features: list[Features]) -> list[Features]:
    """Adds each fact's lead over the best of the others whose value is of a fitting kind."""

    def strength(f: Features) -> float:
        plain = (f.asked_key + f.reworded_key + f.asked_statement + f.reworded_statement) / 2
        adapted = f.meaning_key + f.meaning_statement + AGREEMENT_WEIGHT * (f.known_key + f.known_statement)
        return (plain + adapted) / 2 + 0.3 * f.agreement

    strengths = [strength(f) for f in features]
    out = []
    for i, f in enumerate(features):
        rivals = [s for j, s in enumerate(strengths) if j != i]
        lead = strengths[i] - max(rivals) if rivals else 0.3
        out.append(replace(f, margin=max(-0.5, min(0.5, lead))))
    return out


def _uncovered(asked: ParsedQuestion, text: str, names: Sequence[str]) -> float:
    """Share of the question's content words that neither the fact, nor the subject's name, nor its scale explains."""
    stems = content_stems(without_kind(asked.core))
    if not stems:
        return 0.0
    known = content_stems(" ".join((text, *names, *asked.about))) | SCALE_STEMS
    return 1.0 - shared(stems, known) / len(stems)


def attribute_features(
    asked: ParsedQuestion,
    facts: Sequence[tuple[str, str]],
    encode: Encode,
    names: Sequence[str] = (),
    concepts: QuestionFactModel | None = None,
) -> list[Features]:
    """Features of (key, value) pairs against the question; everything is encoded in one batch.

    `concepts` replaces the shipped model, for fitting.
    """
    if not facts:
        return []
    questions = asked.wordings
    keys = [spoken_key(k) for k, _ in facts]
    typed = [typed_key(k, v) for k, v in facts]
    texts = [
        *questions,
        *(f"what is its {k}?" for k in keys),
        *(f"what is its {k}?" for k in typed),
        *(fact_sentence(k, v) for k, v in facts),
    ]
    noun = asked.expected.noun
    if noun:
        texts += [noun, *typed]
    vectors = encode(texts)
    nq, nf = len(questions), len(facts)
    left = vectors[:nq]
    key_sim = np.maximum(left @ vectors[nq : nq + nf].T, left @ vectors[nq + nf : nq + 2 * nf].T)
    said_sim = left @ vectors[nq + 2 * nf : nq + 3 * nf].T
    by_key = _adapted(left, vectors[nq : nq + 2 * nf], "key", concepts).reshape(2, 2, nf).max(axis=1)
    by_statement = _adapted(left, vectors[nq + 2 * nf : nq + 3 * nf], "statement", concepts)
    noun_sim = vectors[nq + 3 * nf + 1 :] @ vectors[nq + 3 * nf] if noun else np.zeros(nf)
    stems = content_stems(without_kind(" ; ".join(questions)))
    out = []
    for i, (key, value) in enumerate(facts):
        own = content_stems(typed[i])
        overlap = shared(own, stems) / len(own) if own else 0.0
        rest = slice(1, None) if nq > 1 else slice(0, None)
        out.append(
            Features(
                float(key_sim[0, i]),
                float(key_sim[rest, i].max()),
                float(said_sim[0, i]),
                float(said_sim[rest, i].max()),
                overlap,
                agreement(asked.expected, value, key),
                _conflict(asked, keys[i]),
                _noun_match(asked, f"{typed[i]} {value}"),
                float(noun_sim[i]) if noun else 0.5,
                _uncovered(asked, f"{typed[i]} {value}", names),
                float(by_key[0, i]),
                float(by_key[1, i]),
                float(by_statement[0, i]),
                float(by_statement[1, i]),
            )
        )
    return _with_margins(out)


def _adapted(
    questions: np.ndarray, facts: np.ndarray, kind: FactKind, concepts: QuestionFactModel | None
) -> np.ndarray:
    """(2, n): meaning and agreement of each fact with the wording of the question that is nearest to it."""
    meaning, alike = (concepts or question_fact_model()).parts(questions, facts, kind)
    nearest = (meaning + AGREEMENT_WEIGHT * alike).argmax(axis=0)
    columns = np.arange(len(facts))
    return np.stack([meaning[nearest, columns], alike[nearest, columns]])


def fact_sentence(key: str, value: str) -> str:
    """The fact as a sentence about "it", for comparing meanings."""
    from assistant.reading.compose import attribute_sentence

    return attribute_sentence("it", key, value[:90])


def _clauses(text: str) -> list[str]:
    from assistant.reading.compose import clauses_of

    parts = clauses_of(text)
    return [p for p in parts if len(p) > 12] if len(parts) > 1 else []


def sentence_features(
    asked: ParsedQuestion,
    texts: Sequence[str],
    names: Sequence[str],
    encode: Encode,
    concepts: QuestionFactModel | None = None,
) -> list[Features]:
    """Features of page sentences; the subject's names are masked so that they do not feign similarity."""
    if not texts:
        return []
    masked = [mask(t, names) for t in texts]
    questions = asked.wordings
    parts = [(i, c) for i, t in enumerate(masked) for c in (_clauses(t) if len(t) > 40 else [])]
    vectors = encode([*questions, *masked, *(c for _, c in parts)])
    nq = len(questions)
    similarity = vectors[:nq] @ vectors[nq : nq + len(masked)].T
    by_clause = vectors[:nq] @ vectors[nq + len(masked) :].T
    adapted = _adapted(vectors[:nq], vectors[nq : nq + len(masked)], "statement", concepts)
    adapted_clauses = _adapted(vectors[:nq], vectors[nq + len(masked) :], "statement", concepts) if parts else adapted
    for k, (i, clause) in enumerate(parts):  # a long sentence is as near as the clause that answers
        if agreement(asked.expected, clause) >= agreement(asked.expected, masked[i]):
            similarity[:, i] = np.maximum(similarity[:, i], by_clause[:, k])
            if adapted_clauses[0, k] + adapted_clauses[1, k] > adapted[0, i] + adapted[1, i]:
                adapted[:, i] = adapted_clauses[:, k]
    stems = content_stems(without_kind(asked.core)) or content_stems(" ".join(questions))
    out = []
    for i, text in enumerate(masked):
        overlap = shared(stems, content_stems(text)) / len(stems) if stems else 0.0
        column = similarity[:, i]
        rest = column[1:] if len(questions) > 1 else column
        out.append(
            Features(
                0.0,
                0.0,
                float(column[0]),
                float(rest.max()),
                overlap,
                agreement(asked.expected, text),
                0.0,
                _noun_match(asked, text),
                0.5,
                _uncovered(asked, text, names),
                meaning_statement=float(adapted[0, i]),
                known_statement=float(adapted[1, i]),
            )
        )
    return _with_margins(out)
