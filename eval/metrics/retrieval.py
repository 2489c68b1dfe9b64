"""How good retrieval is where gold knows what is to be found.

Two views. **In a run** (`in_run`): entity accuracy and how often the gold grounds were among the evidence, from its
traces. **Of the search alone** (`image_recall`, `web_recall`; `python -m eval retrieval`): the raw vector search of the
index, whole frame and plain query, nothing verified, as the paper's Figures 3 and 6 measure the benchmark's (arXiv
2510.26160): recall at 1 and 30 for egocentric and normal pictures, web recall at 50. The raw search is measured apart
because a run's trace keeps what was accepted, not thirty candidates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assistant.core.errors import BadImage
from eval.data.gold import GoldTurn
from eval.data.samples import Sample, session_in_data
from eval.metrics.attribution import Steps
from eval.metrics.intervals import share_of_sums

IMAGE_KS = (1, 2, 5, 10, 20, 30)
WEB_KS = (1, 5, 10, 20, 50)

#: A picture or a text, and k → the documented result dictionaries. `SearchPipeline` is one.
Search = Callable[[Any, int], list[dict[str, Any]]]
Progress = Callable[[int, int], None]


def in_run(lines: Sequence[Mapping[str, Any]], steps: Mapping[str, Steps]) -> dict[str, Any]:
    """Entity accuracy and grounds found in a run, for all, egocentric and normal turns.

    `entity_accuracy` counts turns whose gold names an entity; `grounds_found` those whose gold names pages or
    attributes: the share with at least one of them among the evidence.
    """
    found: dict[str, Any] = {}
    groups = {"all": lines, "ego": [t for t in lines if t["is_ego"]], "normal": [t for t in lines if not t["is_ego"]]}
    for name, group in groups.items():
        known = [(line, steps[line["interaction_id"]]) for line in group if line["interaction_id"] in steps]
        entity = [(session_in_data(line), step.recognised) for line, step in known if step.recognised is not None]
        grounds = [(session_in_data(line), step.retrieved) for line, step in known if step.retrieved is not None]
        found[name] = {"entity_accuracy": _share(entity), "grounds_found": _share(grounds)}
    return found


def image_recall(
    samples: Sequence[Sample],
    gold: Mapping[str, GoldTurn],
    search: Search,
    progress: Progress = lambda done, total: None,
) -> dict[str, Any]:
    """Recall of the gold entity among the `k` nearest pictures, each distinct frame once, with its row's first turn.

    Returns:
        `{"all"|"ego"|"normal": {"n", "n_indexed", "n_unreadable", "recall": {k: share of n}, "recall_indexed"}}`.
    """
    rows: list[tuple[bool, bool, int | None]] = []
    seen: set[str] = set()
    unreadable = 0
    for number, sample in enumerate(samples, 1):
        progress(number, len(samples))
        turn = gold.get(sample.turns[0].interaction_id)
        if turn is None or turn.entity is None or sample.picture is None:
            continue
        try:
            digest = hashlib.sha256(sample.picture.read()).hexdigest()
            if digest in seen:
                continue
            seen.add(digest)
            results = search(sample.frame(), IMAGE_KS[-1])
        except BadImage:
            unreadable += 1
            continue
        names = [[e["entity_name"].casefold() for e in r["entities"]] for r in results]
        rows.append((sample.is_ego, bool(turn.labels.get("indexed")), _rank(turn.entity.casefold(), names)))
    groups = {"all": rows, "ego": [r for r in rows if r[0]], "normal": [r for r in rows if not r[0]]}
    found: dict[str, Any] = {"n_unreadable": unreadable}
    for name, group in groups.items():
        indexed = [rank for _, known, rank in group if known]
        found[name] = {
            "n": len(group),
            "n_indexed": len(indexed),
            "recall": _recall([rank for *_, rank in group], IMAGE_KS),
            "recall_indexed": _recall(indexed, IMAGE_KS),
        }
    return found


def web_recall(
    samples: Sequence[Sample],
    gold: Mapping[str, GoldTurn],
    search: Search,
    progress: Progress = lambda done, total: None,
) -> dict[str, Any]:
    """Recall of the gold pages among the `k` nearest, for turns that have one: with the question as asked, and with the
    gold's standalone query, which names the entity.

    Returns:
        `{"as_asked"|"standalone": {"n", "recall": {k: share with at least one gold page}}}`.
    """
    turns = [(t, gold[t.interaction_id]) for s in samples for t in s.turns if t.interaction_id in gold]
    turns = [(turn, known) for turn, known in turns if known.passages]
    ranks: dict[str, list[int | None]] = {"as_asked": [], "standalone": []}
    for number, (turn, known) in enumerate(turns, 1):
        progress(number, len(turns))
        for name, query in (("as_asked", turn.query), ("standalone", known.standalone_query)):
            if query:
                urls = [result["page_url"] for result in search(query, WEB_KS[-1])]
                ranks[name].append(next((i for i, url in enumerate(urls, 1) if url in known.passages), None))
    return {name: {"n": len(found), "recall": _recall(found, WEB_KS)} for name, found in ranks.items()}


def _rank(name: str, results: Sequence[Sequence[str]]) -> int | None:
    return next((i for i, names in enumerate(results, 1) if name in names), None)


def _recall(ranks: Sequence[int | None], ks: Iterable[int]) -> dict[str, float | None]:
    n = len(ranks)
    return {str(k): sum(r is not None and r <= k for r in ranks) / n if n else None for k in ks}


def _share(hits: Sequence[tuple[str, bool | None]]) -> dict[str, Any]:
    """A share of turns with its interval, clustered by conversation."""
    if not hits:
        return {"n": 0, "share": None, "interval": None}
    sessions, of_row = np.unique([session for session, _ in hits], return_inverse=True)
    right = np.bincount(of_row, [bool(hit) for _, hit in hits], len(sessions))
    turns = np.bincount(of_row, minlength=len(sessions)).astype(float)
    share, interval = share_of_sums(right, turns)
    return {"n": len(hits), "share": share, "interval": interval.json()}
