"""What a file of answers comes to, and what is known of a run that was made of one, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.imported.matching import Understood

#: So many rows that fit nowhere, and turns without an answer, are named.
_NAMED = 20


def render_understood(found: Understood) -> str:
    """What would be imported, before it is: so many answers, what their verdicts mean, what fits nowhere."""
    file, turns = found.file, len(found.answers) + len(found.not_answered)
    cells = {
        "answers": f"{len(found.answers):,} of {turns:,} turns",
        "verdicts": f"{found.n_verdicts:,}" if found.scale else "none",
        "not answered": f"{len(found.not_answered):,}",
        "rows left out": f"{len(found.unmatched):,}",
    }
    grid = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in cells.items())
    scale = "<p>No verdicts come with the answers: judge the run afterwards.</p>"
    if found.scale is not None:
        meanings = {value: one.grade or one.verdict for value, one in found.scale.meanings.items()}
        scale = _scale(meanings, file.verdict_column, found.scale.words)
    rows = [f"{file.unit} {one.line}: {one.names}, {one.why}" for one in found.unmatched]
    # The first sentences say what the cells do.
    said = found.sentences[-1] if found.other_questions else ""
    return (
        f'<section class="b-plan" aria-label="What was understood"><h3>{isolated(file.name, 120)}</h3>'
        f'<dl class="b-cells">{grid}</dl>{scale}'
        f'<p class="v-quiet">Answers from column {isolated(file.answer_column, 60)}{_times(file.latency_column)}.</p>'
        f"{_listed('Rows without a place in the data', rows)}"
        f"{_listed('Turns without an answer', [turn.interaction_id for turn in found.not_answered])}"
        f"{f'<p>{isolated(said, 300)}</p>' if said else ''}</section>"
    )


def render_imported(info: Mapping[str, Any]) -> str:
    """Of a run that was imported: which file, what its verdicts mean, what has no answer; "" for others."""
    about = info.get("imported")
    if not isinstance(about, Mapping):
        return ""
    lacking, scale = int(about.get("n_not_answered") or 0), about.get("scale")
    names = [str(name) for name in about.get("not_answered") or ()]
    told = f"Answers made elsewhere, from {isolated(about.get('file'), 120)}"
    told += f", SHA-256 <code>{text(str(about.get('sha256'))[:12])}…</code>. "
    if about.get("n_unmatched"):
        n = about["n_unmatched"]
        told += f"{n:,} row{'s' * (n != 1)} of it had no place in the data. "
    if lacking:
        turns = f"{lacking:,} turn{'s' * (lacking != 1)}"
        told += f"<b>Not answered: {turns}</b>, no part of this run and counted in no rate. "
    drawn = _scale(scale, "", str(about.get("scale_words") or "")) if isinstance(scale, Mapping) else ""
    return f'<div class="b-imported"><p>{told}</p>{drawn}{_listed("Turns without an answer", names, lacking)}</div>'


def _times(column: str) -> str:
    return f", times from {isolated(column, 60)}" if column else ""


def _scale(meanings: Mapping[str, Any], column: str, words: str) -> str:
    items = "".join(
        f'<li><code>{isolated(value, 40)}</code><span class="b-mark b-mark--{_colour(str(means))}">{text(means)}</span>'
        "</li>"
        for value, means in meanings.items()
    )
    where = f" of column {isolated(column, 60)}" if column else ""
    rest = words.partition("; ")[2]
    more = f'<p class="v-quiet">{isolated(rest[:1].upper() + rest[1:], 200)}.</p>' if rest else ""
    return f'<p class="v-quiet">The verdicts{where} mean:</p><ul class="b-scale">{items}</ul>{more}'


def _colour(meaning: str) -> str:
    return {"perfect": "correct", "acceptable": "correct", "incorrect": "wrong"}.get(meaning, text(meaning))


def _listed(title: str, names: Sequence[str], n: int | None = None) -> str:
    n = len(names) if n is None else n
    if not n:
        return ""
    more = f"<li>and {n - _NAMED:,} more</li>" if n > _NAMED else ""
    return (
        f'<details data-key="{text(title)}"><summary>{title} ({n:,})</summary><ul class="b-names">'
        f"{_items(names[:_NAMED])}{more}</ul></details>"
    )


def _items(names: Iterable[str]) -> str:
    return "".join(f"<li>{isolated(name, 200)}</li>" for name in names)
