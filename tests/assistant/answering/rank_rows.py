"""Rows for fitting the ranking from the hand-written questions.

`python -m tests.assistant.answering.rank_rows OUT.npz` writes them; `python -m assistant.answering.rank_training --also
OUT.npz` takes them along: real page sentences keep the fit honest about what stands on pages beside the answer. The
questions are therefore no test of the weights, only of the reader.
"""

from __future__ import annotations

import json
import re
import sys

import numpy as np

from assistant.answering.plan import make_plan
from assistant.answering.rank import Features, attribute_features, sentence_features
from assistant.answering.retrieve import retrieve
from assistant.conversation import Evidence

from .asking import TODAY
from .memory import DATA, EMPTY, load, seen

#: Types of question whose expected answer does not stand in one fact.
_COMPUTED = ("skip", "yesno", "text", "compare", "agg", "convert", "conflict", "list")


def _answers(expected: str | None, evidence: Evidence, f: Features) -> int:
    if expected is None:
        return 0
    text = str(evidence.value or evidence.text).lower()
    found = re.search(r"(?<![\d.])" + re.escape(expected.lower()) + r"(?!\d)", text)
    return int(bool(found) and not (len(expected) < 3 and f.agreement <= 0 and f.noun < 0))


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(features, labels, 1 for attributes and 0 for sentences)."""
    x, y, kinds = [], [], []
    for path in sorted(DATA.glob("*.json")):
        knowledge = load(path.stem)
        for item in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            names, kind, expected = item["seen"], item["type"], item["expected"]
            if kind in _COMPUTED or not names:
                continue
            answer = expected[0] if isinstance(expected, list) and expected else expected
            answer = None if not answer or kind in ("none", "abstain") else str(answer)
            recognition = seen(knowledge, *names)
            plan = make_plan(item["question"], EMPTY, recognition, None, knowledge, now=TODAY)
            if plan.intent in ("read", "identify", "unclear"):
                continue
            found = [e for e in retrieve(plan, None, recognition, knowledge) if e.kind in ("attribute", "passage")]
            own = [e for e in found if e.subject == names[0]]
            right = None if kind == "hop" else answer  # what stands one relation further is weighed elsewhere
            stated, said = [e for e in own if e.key], [e for e in own if not e.key]
            pairs = [(str(e.key), str(e.value)) for e in stated]
            for group, made, is_key in (
                (stated, attribute_features(plan.asked, pairs, knowledge.encode, names[:1]), 1),
                (said, sentence_features(plan.asked, [e.text for e in said], names[:1], knowledge.encode), 0),
            ):
                for e, f in zip(group, made, strict=True):
                    x.append(f.vector())
                    y.append(_answers(right, e, f))
                    kinds.append(is_key)
    return np.array(x), np.array(y), np.array(kinds)


if __name__ == "__main__":
    features, labels, are_keys = rows()
    np.savez_compressed(sys.argv[1], x=features, y=labels, key=are_keys)
    print(f"{len(labels)} facts, {labels.sum()} right")
