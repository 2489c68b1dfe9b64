"""Risk against coverage: how many answers are wrong among those that would be spoken at each threshold of risk.

Selective prediction as in El-Yaniv and Wiener (2010, JMLR 11) and Geifman and El-Yaniv (2017): answers are taken in the
order of their estimated risk, surest first; coverage is the share of all turns that is answered so far, selective risk
the share of wrong ones among them. AURC, the area under that curve, is smaller for a better order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: Points of the curve that are kept.
MOST_POINTS = 40


def risk_coverage(answers: Iterable[tuple[float, bool]], n_turns: int) -> dict[str, Any] | None:
    """The curve of a run.

    Args:
        answers: of each answer that was spoken and judged, its estimated risk and whether it was wrong.
        n_turns: all turns, those without an answer included.

    Returns:
        `n` answers, `aurc`, `expected_wrong` and `wrong` (shares of the answers: how well the estimates are calibrated
        on the whole) and `points`: threshold, coverage (of all turns), risk (of the answers up to there), n. Equal
        estimates are one point. None without answers.
    """
    ordered = sorted(answers)
    if not ordered or n_turns <= 0:
        return None
    points: list[dict[str, float]] = []
    n_wrong, area = 0, 0.0
    for n, (risk, wrong) in enumerate(ordered, 1):
        n_wrong += wrong
        area += n_wrong / n
        if n == len(ordered) or ordered[n][0] > risk:
            points.append({"threshold": risk, "coverage": n / n_turns, "risk": n_wrong / n, "n": n})
    step = max(1, -(-len(points) // MOST_POINTS))
    kept = [*points[step - 1 :: step]]
    if kept[-1] is not points[-1]:
        kept.append(points[-1])
    return {
        "n": len(ordered),
        "aurc": area / len(ordered),
        "expected_wrong": sum(risk for risk, _ in ordered) / len(ordered),
        "wrong": n_wrong / len(ordered),
        "points": kept,
    }
