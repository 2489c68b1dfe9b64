"""How often is right who does not look at the picture and does not know whose it is?

Guessers are trained on one split and tried on the other. A search baseline takes the sentence of all pages that BM25
ranks first for the question's own words.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from eval.world.audit.reading import Finding, Folder, Turn, at_most
from eval.world.frame_sampling import SPLITS
from eval.world.model import Value
from eval.world.verbalise import say

MAX_BLIND, MAX_BM25 = 0.05, 0.15


def majority(w: Folder) -> Finding:
    """The commonest answer to questions of the same type."""
    return _guess(
        w, "the commonest answer to a type of question is seldom right", _by(lambda t: t.gold["question_type"])
    )


def opening(w: Folder) -> Finding:
    """The commonest answer to questions that begin with the same three words."""
    first = _by(lambda t: " ".join(t.query.lower().split()[:3]))
    return _guess(w, "the commonest answer to the same opening words is seldom right", first)


def nearest(w: Folder) -> Finding:
    """The answer to the most similar question, by BM25 over the questions alone."""
    return _guess(w, "the answer to the most similar question is seldom right", _nearest)


_Guesser = Callable[[Sequence[Turn], Sequence[Turn]], list[str]]


def _guess(w: Folder, check: str, guesser: _Guesser) -> Finding:
    right = n = 0
    for name in SPLITS:
        test = [t for t in w.turns if t.split == name]
        train = [t for t in w.turns if t.split != name]
        if test and train:
            right += sum(_answer(t) == g for t, g in zip(test, guesser(train, test), strict=True))
            n += len(test)
    # So few questions say nothing about a share.
    return at_most(check, right if n >= 200 else 0, n, MAX_BLIND)


def _answer(turn: Turn) -> str:
    value = turn.gold["answer"]
    return json.dumps([value["value"], value["unit"]])


def _by(key: Callable[[Turn], str]) -> _Guesser:
    def guess(train: Sequence[Turn], test: Sequence[Turn]) -> list[str]:
        counts: dict[str, Counter[str]] = {}
        for t in train:
            counts.setdefault(key(t), Counter())[_answer(t)] += 1
        whole = Counter(_answer(t) for t in train)
        return [(counts.get(key(t)) or whole).most_common(1)[0][0] for t in test]

    return guess


def _nearest(train: Sequence[Turn], test: Sequence[Turn]) -> list[str]:
    rows = _best([t.query for t in train], [t.query for t in test])
    return [_answer(train[i]) for i in rows]


def _best(texts: Sequence[str], queries: Sequence[str]) -> list[int]:
    """For each query the row of the text that BM25 ranks first."""
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts), stopwords=None, show_progress=False), show_progress=False)
    tokens = bm25s.tokenize(list(queries), stopwords=None, show_progress=False)
    rows, _ = index.retrieve(tokens, k=1, show_progress=False)
    return [int(row[0]) for row in rows]


def best_sentence(w: Folder) -> Finding:
    """The sentence that BM25 finds for the question alone holds the answer."""
    sentences = [s for p in w.pages for s in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", p["text"]) if len(s) > 8]
    asked = [t for t in w.turns if t.gold["answer"]["kind"] != "yesno"]
    if not sentences or not asked:
        return Finding("BM25's best sentence seldom holds the answer", True, "no pages or no questions")
    rows = _best(sentences, [t.query for t in asked])
    right = sum(holds(sentences[i], t.gold["answer"]) for t, i in zip(asked, rows, strict=True))
    return at_most("BM25's best sentence seldom holds the answer", right, len(w.turns), MAX_BM25)


def holds(sentence: str, answer: dict[str, Any]) -> bool:
    """Whether a sentence contains the answer in its plain form (numbers without their unit)."""
    text = _plain(sentence)
    kind, value = answer["kind"], answer["value"]
    if kind == "list":
        return all(_plain(str(v)) in text for v in value)
    if kind == "number":
        found = {_number(x) for x in re.findall(r"\d[\d,]*\.?\d*", sentence)}
        return float(value) in found
    forms = [say(Value(kind, value))] if kind == "date" else [str(value), *answer["aliases"]]
    return any(re.search(rf"\b{re.escape(_plain(f))}\b", text) for f in forms)


def _number(text: str) -> float:
    return float(text.replace(",", "").rstrip(".") or "nan")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower()).strip()


CHECKS: tuple[Callable[[Folder], Finding], ...] = (majority, opening, nearest, best_sentence)
