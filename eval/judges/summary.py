"""What judging came to: verdicts, what could not be read, tokens and cost; two judging models side by side.

CRAG (arXiv 2406.04744, section 4) judges with two models and reports the mean of their scores; so do we, with every
model's own scores and the agreement of the two beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from eval.judges.judging import Judged


def summary(judged: Judged) -> dict[str, Any]:
    """One judge's counts and spending, as `scores.json` keeps them; spending is that of this call alone."""
    counts = Counter(
        verdict or ("scored" if key in judged.scored else "unread") for key, verdict in judged.verdicts.items()
    )
    offline = {"by_lexical": len(judged.alone)} if judged.identity["judge"] == "lexical+llm" else {}
    return {
        **judged.identity,
        "verdicts": dict(counts.most_common()),
        **offline,
        "made": judged.made,
        "kept": judged.kept,
        "unreadable": judged.unreadable,
        "not_reached": judged.failed,
        **({"problem": judged.problem} if judged.problem else {}),
        **({"spent": judged.spent} if judged.spent else {}),
    }


def averaged(judged: Sequence[Judged], scores: Sequence[Mapping[str, Any]], own_name: str = "") -> dict[str, Any]:
    """`judges` (model → its readings), `averaged` (the mean of every figure) and `agreement` of two judges.

    `own_name` is where the figures of the run's benchmark stand in the scores, if it has any.
    """
    names = [name for name in ("public", "paper", "readme", own_name) if all(name in found for found in scores)]
    own = [{name: found[name] for name in names} for found in scores]
    one, two = (found.verdicts for found in judged)
    apart = {key for found in judged for key in (found.alone | found.scored)}
    asked = one.keys() & two.keys() - apart
    pairs = [(one[key], two[key]) for key in asked]
    return {
        "judges": {found.identity["judge_model"]: readings for found, readings in zip(judged, own, strict=True)},
        "averaged": _mean(own),
        "agreement": {
            "n": len(pairs),
            "share": sum(a == b for a, b in pairs) / len(pairs) if pairs else None,
            "kappa": kappa(pairs),
        },
    }


def judging_rows(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each judging model said and took, and the mean of two, as a report shows it; [] where no model judged.

    Returns:
        Rows of `name`, `paper` and `public` truthfulness, `verdicts` and `took` in words, `problem`.
    """
    parts = scores.get("judging") or ()
    own = scores.get("judges") or {}
    rows = []
    for part in parts:
        readings = own.get(part["judge_model"], scores)
        rows.append({
            "name": part["judge_model"], **_truths(readings), "took": _took(part), "verdicts": verdict_words(part),
            "problem": f"{part['not_reached']} not reached: {part.get('problem', '')}" if part["not_reached"] else "",
        })  # fmt: skip
    if "averaged" in scores:
        rows.append({"name": "mean of the two", **_truths(scores["averaged"]), "took": "", "verdicts": "",
                     "problem": ""})  # fmt: skip
    return rows


def verdict_words(part: Mapping[str, Any]) -> str:
    """How many turns got which verdict, and how many of them without asking the model."""
    words = ", ".join(f"{n} {name}" for name, n in part["verdicts"].items())
    return f"{words}; {part['by_lexical']} of them by lexical alone" if "by_lexical" in part else words


def _truths(readings: Mapping[str, Any]) -> dict[str, Any]:
    public = readings["public"]["all"].get("truthfulness_score")
    return {"paper": readings["paper"].get("truthfulness"), "public": public}


def _took(part: Mapping[str, Any]) -> str:
    spent = part.get("spent") or {}
    said = [f"{spent.get('calls', 0):,.0f} calls"] if spent else []
    if "prompt_tokens" in spent:
        said.append(f"{spent['prompt_tokens']:,.0f} tokens read, {spent.get('completion_tokens', 0):,.0f} written")
    if "cost" in spent:
        said.append(f"{spent['cost']:.4f} $")
    nothing = "no call was needed" if part["made"] else "no call this time: all was judged before"
    return ", ".join(said) or nothing


def _mean(values: Sequence[Any]) -> Any:
    """The mean of numbers, entry by entry where they are objects; None where one of them has none."""
    if all(isinstance(value, Mapping) for value in values):
        return {key: _mean([value[key] for value in values]) for key in values[0] if all(key in v for v in values)}
    if all(isinstance(value, int | float) for value in values):
        return sum(values) / len(values)
    return None


def kappa(pairs: Sequence[tuple[Any, Any]]) -> float | None:
    """Cohen's kappa (Educational and Psychological Measurement 20, 1960) of pairs of labels; None where undefined."""
    from statsmodels.stats.inter_rater import cohens_kappa

    labels = sorted({label for pair in pairs for label in pair}, key=repr)
    if len(labels) < 2:
        return None
    counts = Counter(pairs)
    return float(cohens_kappa([[counts[a, b] for b in labels] for a in labels], return_results=False))
