"""What a turn took, as HTML: a strip with each stage where it ran, the sum, and tokens and cost of a paid model.

Pure functions, like `assistant.ui.html.turns`.
"""

from __future__ import annotations

from assistant.core.types import Usage
from assistant.ui.html.escape import isolated, text
from assistant.ui.state.latency import MOMENTS, moments_of
from assistant.ui.state.turn_view import StageView, TurnView


def render_times(view: TurnView) -> str:
    """A strip with each stage on one scale of time, its own time, their sum, and the time the visitor waited.

    Stages that ran side by side stand above each other, so the sum can be more than the wait.
    """
    if view.turn is None:
        return ""
    done = [s for s in view.stages if s.state == "done"]
    if not done:
        return ""
    end = max(max(s.end_ms for s in done), 1e-6)
    lanes = _lanes(done)
    bars = "".join(f'<div class="v-lane">{"".join(_segment(s, end) for s in lane)}</div>' for lane in lanes)
    rows = "".join(f"<li>{_time(s)}</li>" for s in done)
    wall = f" · you waited {ms_words(view.wall_ms)}" if view.wall_ms else ""
    total = ms_words(sum(s.ms for s in done))
    told = moments_of(view)
    soon = " · ".join(f"{MOMENTS[name]} {ms_words(ms)}" for name, ms in told.items())
    since = "the end of speech" if "heard" in told else "asking"
    moments = f'<p class="v-moments">From {since}: {soon}</p>' if soon else ""
    usage = view.turn.answer.usage
    paid = f'<p class="v-usage">{_usage(usage)}</p>' if usage is not None else ""
    return (
        f'<footer class="v-times" aria-label="Times"><details data-key="times-{view.number}"><summary>Times'
        f"{f', {ms_words(view.wall_ms)}' if view.wall_ms else ''}</summary>"
        f'<div class="v-lanes" aria-hidden="true">{bars}</div>'
        f'<ul>{rows}<li class="v-sum">sum {total}{wall}</li></ul>{moments}{paid}</details></footer>'
    )


def _lanes(stages: list[StageView]) -> list[list[StageView]]:
    """Stages in as few rows as keep those that overlap apart."""
    lanes: list[list[StageView]] = []
    for stage in sorted(stages, key=lambda s: (s.start_ms, -s.end_ms)):
        free = next((lane for lane in lanes if lane[-1].end_ms <= stage.start_ms + 0.5), None)
        if free is None:
            lanes.append([stage])
        else:
            free.append(stage)
    return lanes


def _segment(stage: StageView, end_ms: float) -> str:
    left, width = 100 * stage.start_ms / end_ms, 100 * max(stage.end_ms - stage.start_ms, 0.0) / end_ms
    return f'<span class="v-seg v-seg--{stage.stage}" style="left:{left:.2f}%;width:{width:.2f}%"></span>'


def _time(stage: StageView) -> str:
    note = f' title="{text(stage.note, 200)}"' if stage.note else ""
    dot = f'<span class="v-dot v-seg--{stage.stage}" aria-hidden="true"></span>'
    return f"{dot}<span{note}>{stage.stage}</span> {ms_words(stage.ms)}"


def _usage(usage: Usage) -> str:
    parts = [isolated(usage.model, 80)]
    if usage.prompt_tokens is not None:
        parts.append(f"{usage.prompt_tokens:,} tokens read")
    if usage.completion_tokens is not None:
        parts.append(f"{usage.completion_tokens:,} written")
    if usage.cost is not None:
        parts.append(f"${usage.cost:.4f}" if usage.cost < 0.1 else f"${usage.cost:.2f}")
    if usage.cached:
        parts.append("known already, nothing was asked")
    elif usage.tries > 1:
        parts.append(f"{usage.tries} tries")
    return " · ".join(parts)


def ms_words(ms: float) -> str:
    """A time as it is read: whole milliseconds below a second, hundredths of a second above."""
    if ms < 0.5:
        return "0 ms"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s"
