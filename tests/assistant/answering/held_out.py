"""Held-out readings, by hands that wrote none of the practice material: 40 things with 560 questions that are mostly
asked in roundabout ways, and 42 with 588 that are mostly asked plainly.

`figures` asks the reader's own weighing for the best fact of each question, among the thing's facts and those one
relation further. `plain` does the same with sentence vectors and words in common alone, which is what a reader without
the matcher has.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from assistant.answering.facts import DECISION_THRESHOLD
from assistant.answering.follow import plainly_judged
from assistant.answering.intents import asked_in
from assistant.answering.practice import practices, read_things
from assistant.answering.weigh import decided
from assistant.answering.weigh_training import best_and_rival, evidence_of
from assistant.search.text_encoder import text_encoder

FILE = Path(__file__).parent / "data" / "held_out_readings.jsonl"
PLAIN_FILE = FILE.with_name("held_out_plain.jsonl")
Best = tuple[float, bool, str]


def best_facts(things: list[dict[str, Any]]) -> tuple[list[Best], list[Best]]:
    """(probability, whether it is right, type of question) of the best fact, by the reader and by plain vectors."""
    ours: list[Best] = []
    plain: list[Best] = []
    encode = text_encoder().encode
    for thing in things:
        for practice in practices(thing):
            right, kind = set(practice.question["answers"]), practice.question["type"]
            found = best_and_rival(practice)
            assert found is not None
            best, rival = found
            ours.append((decided(best.probability, rival), best.evidence.id in right, kind))
            asked = asked_in(practice.text)
            p, ref = max((j.probability, j.evidence.id) for j, _ in plainly_judged(asked, evidence_of(thing), encode))
            plain.append((p, ref in right, kind))
    return ours, plain


def summary(rows: list[Best], threshold: float = DECISION_THRESHOLD) -> dict[str, Any]:
    """Shares of all questions at a threshold, by type, and the right ones where at most 6 % are wrong."""
    out: dict[str, Any] = {}
    for kind in ("all", "one", "yesno", "hop", "none"):
        chosen = [r for r in rows if kind in ("all", r[2])]
        verdicts = Counter("missing" if p < threshold else "right" if ok else "wrong" for p, ok, _ in chosen)
        out[kind] = {"n": len(chosen)} | {v: round(verdicts[v] / len(chosen), 3) for v in ("right", "wrong", "missing")}
    right = wrong = 0
    out["right_at_6_percent_wrong"] = 0.0
    for _, ok, _ in sorted(rows, reverse=True):
        right, wrong = right + ok, wrong + (not ok)
        if wrong <= 0.06 * len(rows):
            out["right_at_6_percent_wrong"] = round(right / len(rows), 3)
    return out


def figures(limit: int | None = None, file: Path = FILE) -> dict[str, Any]:
    """Both summaries over the first `limit` things of a file."""
    ours, plain = best_facts(read_things([file])[:limit])
    return {"reader": summary(ours), "plain": summary(plain)}
