"""The list of a run's turns and one turn in full, as HTML. Whatever an agent or the data say is inert text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, plain, text
from eval.metrics.slices import label_text
from eval.ui.state.sample_view import FramePicture, Shown
from eval.ui.state.turn_index import KINDS, Row

PAGE = 50
KIND_WORDS = {**{kind: kind for kind in KINDS}, "unsure": "not sure", "no_truth": "no truth"}
#: A trace longer than this is cut on the page; the run folder has all of it.
_TRACE_CHARS = 60_000
_LABELS = ("domain", "query_category", "dynamism", "image_quality")


def render_kinds(counts: Mapping[str, int], chosen: str) -> str:
    """Buttons that filter by what a turn counts as, each with how many there are."""
    parts = [("", "all", sum(counts.values())), *((kind, KIND_WORDS[kind], counts.get(kind, 0)) for kind in KINDS)]
    buttons = "".join(
        f'<button type="button" class="b-kind b-kind--{kind or "all"}" data-act="kind" data-value="{kind}" '
        f'data-key="kind-{kind}" aria-pressed="{"true" if kind == chosen else "false"}">{name} <b>{n:,}</b></button>'
        for kind, name, n in parts
        if n or not kind
    )
    return f'<div class="b-kinds" role="group" aria-label="Show only">{buttons}</div>'


def render_rows(rows: Sequence[Row], total: int, first: int, selected: int | None) -> str:
    """One page of the list. `total` turns fit the filters, `first` is the position of the first shown."""
    if not total:
        return '<p class="b-none v-quiet">No turn fits. Take a filter away, or search for fewer words.</p>'
    items = "".join(_row(row, selected) for row in rows)
    last = first + len(rows)
    pages = ""
    if total > PAGE:
        earlier = f'data-act="page" data-value="{max(0, first - PAGE)}" data-key="earlier"'
        later = f'data-act="page" data-value="{first + PAGE}" data-key="later"'
        pages = (
            f'<button type="button" class="b-act" {earlier}{" disabled" if first == 0 else ""}>Earlier</button>'
            f'<button type="button" class="b-act" {later}{" disabled" if last >= total else ""}>Later</button>'
        )
    return (
        f'<div class="b-pages"><span class="v-quiet" role="status">{first + 1:,} to {last:,} of {total:,} turns</span>'
        f'{pages}</div><ul class="b-rows" role="listbox" aria-label="Turns" data-first="{first}" data-total="{total}">'
        f"{items}</ul>"
    )


def _row(row: Row, selected: int | None) -> str:
    chosen = "true" if row.position == selected else "false"
    said = row.line.get("agent_response") or f"({row.line.get('status')})"
    where = f" · turn {row.line['turn_idx'] + 1}" if row.line.get("total_turn_count", 1) > 1 else ""
    labels = " · ".join(str(row.line[key]) for key in ("domain", "query_category") if row.line.get(key) is not None)
    return (
        f'<li role="option" aria-selected="{chosen}" data-row="{row.position}" tabindex="-1">'
        f'<span class="b-mark b-mark--{row.kind}">{KIND_WORDS[row.kind]}</span>'
        f'<span class="b-q">{isolated(row.line.get("query") or "…", 240)}</span>'
        f'<span class="b-a">{isolated(said, 240)}</span>'
        f'<span class="b-l">{isolated(labels, 80)}{where}</span></li>'
    )


def render_sample(shown: Shown, picture: FramePicture | None, position: int, total: int) -> str:
    """One turn in full; `picture` None while the frame is being read."""
    line = shown.line
    name = f"Turn {shown.number + 1}: {plain(line.get('query') or '', 80)}"
    return (
        f'<article class="b-sample" data-position="{position}"{" data-whole=1" if picture else ""} '
        f'aria-label="{text(name)}"><div class="b-sample-head">'
        f'<button type="button" class="v-act b-to-list" data-act="list" data-key="to-list">← Turns</button>'
        f'<span class="b-mark b-mark--{shown.kind}">{KIND_WORDS[shown.kind]}</span>'
        f'<span class="v-quiet">{position + 1:,} of {total:,}</span><span class="b-steps">'
        f'<button type="button" class="b-act" data-step="-1" aria-label="Earlier turn">↑ <kbd>K</kbd></button>'
        '<button type="button" class="b-act" data-step="1" aria-label="Later turn">↓ <kbd>J</kbd></button></span></div>'
        f"{_before(shown.before)}<h3>{isolated(line.get('query') or '')}</h3>"
        f'<div class="b-two"><div>{_frame(picture, shown)}</div><div class="b-said">{_said(shown)}</div></div>'
        f"{_evidence(shown.trace)}{_facts(line)}{_times(shown.trace)}{_trace(shown.trace)}</article>"
    )


def _before(before: Sequence[Mapping[str, Any]]) -> str:
    if not before:
        return ""
    items = "".join(
        f'<li><span class="b-mark b-mark--{line["kind"]}">{KIND_WORDS[line["kind"]]}</span>'
        f'<span class="b-q">{isolated(line.get("query") or "", 300)}</span>'
        f'<span class="b-a">{isolated(line.get("agent_response") or "…", 400)}</span></li>'
        for line in before
    )
    return f'<ol class="b-before" aria-label="Earlier turns of this conversation">{items}</ol>'


def _said(shown: Shown) -> str:
    line = shown.line
    answer = line.get("agent_response") or ""
    parts = [f'<dt>Truth</dt><dd class="b-truth">{isolated(line.get("ground_truth") or "(none)")}</dd>']
    if answer:
        parts.append(f'<dt>Answer</dt><dd class="b-answer">{isolated(answer)}</dd>')
    else:
        parts.append(f'<dt>Answer</dt><dd class="v-quiet">none: {isolated(line.get("status"))}</dd>')
    if line.get("reason"):
        parts.append(f"<dt>Why this answer</dt><dd>{isolated(line['reason'], 600)}</dd>")
    whole = (shown.trace.get("turn") or {}).get("answer", {}).get("text") or ""
    if answer and whole and len(whole) > len(answer):
        parts.append(
            f"<dt>Before it was cut</dt><dd><details><summary>{len(whole):,} characters</summary>"
            f"{isolated(whole, 8000)}</details></dd>"
        )
    for found in shown.judgements:
        who = ", ".join(str(found[key]) for key in ("judge", "judge_model") if found.get(key))
        verdict = found.get("verdict") or "no verdict"
        reply = ""
        if found.get("reply"):
            reply = f"<details><summary>Its reply</summary><pre>{text(found['reply'], 6000)}</pre></details>"
        parts.append(
            f"<dt>Verdict <span>{isolated(who, 80)}</span></dt><dd><b>{isolated(verdict)}</b>: "
            f"{isolated(found.get('why') or '', 600)}{reply}</dd>"
        )
    return f"<dl>{''.join(parts)}</dl>"


def _frame(picture: FramePicture | None, shown: Shown) -> str:
    if picture is None:
        return '<div class="b-frame b-frame--wait v-quiet">Reading the frame …</div>'
    if not picture.uri:
        return f'<div class="b-frame b-frame--none v-quiet"><p>No frame: {isolated(picture.problem, 300)}.</p></div>'
    entity = ((shown.trace.get("turn") or {}).get("answer") or {}).get("entity") or {}
    name = str(entity.get("name") or "")
    outline = _points(entity.get("outline_px"))
    drawn = ""
    if outline:
        drawn = f'<polygon class="v-halo" points="{outline}"/><polygon class="v-outline" points="{outline}"/>'
    alt = f"The frame, {plain(name, 120)} outlined" if outline else "The frame of this turn"
    confidence = entity.get("confidence")
    sure = f", {100 * confidence:.0f} % sure" if isinstance(confidence, int | float) else ""
    legend = f"<figcaption>{isolated(name, 120)}{sure}</figcaption>" if name else ""
    return (
        f'<figure class="b-frame"><div class="v-glass" style="--ratio:{picture.width_px / picture.height_px:.5f}">'
        f'<img src="{text(picture.uri)}" alt="{text(alt)}" width="{picture.width_px}" height="{picture.height_px}">'
        f'<svg viewBox="0 0 {picture.width_px} {picture.height_px}" aria-hidden="true">{drawn}</svg></div>{legend}'
        "</figure>"
    )


def _points(outline: Any) -> str:
    """A polygon for an SVG; "" for anything that is none."""
    try:
        return " ".join(f"{float(x):.1f},{float(y):.1f}" for x, y in outline or ())
    except (TypeError, ValueError):
        return ""


def _evidence(trace: Mapping[str, Any]) -> str:
    answer = (trace.get("turn") or {}).get("answer") or {}
    found = answer.get("evidence") or []
    if not found:
        return ""
    used = {key for sentence in answer.get("sentences") or () for key in sentence.get("evidence_ids") or ()}
    ranked = sorted(found, key=lambda e: (e.get("id") not in used, -(e.get("score") or 0)))
    items = "".join(
        f'<li class="{"b-used" if e.get("id") in used else ""}"><span class="b-l">{isolated(e.get("kind"), 20)} · '
        f"{isolated(e.get('source'), 160)}{' · used' if e.get('id') in used else ''}</span>"
        f"<p>{isolated(e.get('text'), 900)}</p></li>"
        for e in ranked[:40]
    )
    opened = " open" if used else ""
    return (
        f'<details class="b-evidence" data-key="evidence"{opened}><summary>Evidence: {len(found)} found, '
        f"{len(used)} used</summary><ul>{items}</ul></details>"
    )


def _facts(line: Mapping[str, Any]) -> str:
    facts = {key.replace("_", " "): line.get(key) for key in _LABELS}
    facts |= {"egocentric": line.get("is_ego"), "set": line.get("set"), "status": line.get("status")}
    facts |= {"time": f"{line['ms'] / 1000:.2f} s" if line.get("ms") is not None else None}
    facts |= {"id": line.get("interaction_id"), "session": line.get("session_id")}
    told = "".join(
        f"<li>{name} <b>{isolated(label_text(value), 100)}</b></li>"
        for name, value in facts.items()
        if value is not None
    )
    return f'<ul class="b-facts">{told}</ul>'


def _times(trace: Mapping[str, Any]) -> str:
    times = (trace.get("turn") or {}).get("timings_ms") or {}
    told = " · ".join(
        f"{isolated(name, 30)} {ms / 1000:.2f} s" for name, ms in times.items() if isinstance(ms, int | float)
    )
    return f'<p class="v-quiet b-times">{told}</p>' if told else ""


def _trace(trace: Mapping[str, Any]) -> str:
    if not trace:
        return ""
    fault = ""
    if trace.get("error"):
        fault = f"<details open><summary>What went wrong</summary><pre>{text(trace['error'], 6000)}</pre></details>"
    written = json.dumps(trace, indent=1, ensure_ascii=False)
    return (
        f'{fault}<details class="b-trace" data-key="trace"><summary>Trace</summary>'
        f'<pre tabindex="0">{text(written, _TRACE_CHARS)}</pre></details>'
    )


def render_no_sample() -> str:
    """What stands where a turn will be shown."""
    return (
        '<div class="b-none"><p>Choose a turn to see its frame, answer, verdict and evidence.</p><p class="v-quiet">'
        "<kbd>J</kbd> and <kbd>K</kbd> or the arrow keys go through the list, <kbd>/</kbd> searches.</p></div>"
    )
