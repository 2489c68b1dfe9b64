"""The parts of the page that belong to no turn, as HTML: head, profile badge, empty state, notices, example frames.

Pure functions, like `assistant.ui.render`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.ui.inert import isolated, text

PROFILE_WORDS = {
    "embedded": "No key, no GPU, no download. Pictures and questions stay on this machine; nothing is sent anywhere.",
    "chat": "A chat model writes the answers. Each question goes to its server with the picture, the last turns and the "
    "evidence that was found; seeing and searching stay on this machine.",
}


@dataclass(frozen=True)
class Example:
    """A bundled frame that can be tried: a small picture as data URI and questions that were written for it."""

    picture: str
    questions: tuple[str, ...]


def render_head(profile: str) -> str:
    what = PROFILE_WORDS.get(profile, "")
    return (
        '<header class="v-head"><div><h1>Vitrine</h1>'
        '<p>Ask about what you see. <span class="v-wide">Look at what the answer rests on.</span></p></div>'
        f'<details class="v-badge"><summary><span class="v-badge-dot" aria-hidden="true"></span>'
        f'<span class="v-sr">Profile: </span>{text(profile, 40)}</summary><div class="v-badge-more"><p>{text(what)}</p>'
        "<p>What each part is, and how to get a better one: <code>python -m assistant doctor</code></p>"
        "</div></details></header>"
    )


def render_empty(has_picture: bool) -> str:
    """What stands where the conversation will be."""
    first = "Now ask about it." if has_picture else "Give it a picture, then ask."
    return (
        f'<div class="v-empty"><p class="v-empty-lead">{first}</p>'
        "<p>The answer comes with its evidence: what was recognised and how surely, which facts and pages were used, "
        "what was read, how long each step took. When nothing carries an answer, it says so.</p></div>"
    )


def render_notice(message: str, kind: Literal["error", "progress", "info"] = "info", share: float | None = None) -> str:
    """One sentence for the visitor; `share` (0..1) draws a bar under it. "" takes the notice away."""
    if not message:
        return ""
    role = "alert" if kind == "error" else "status"
    bar = ""
    if share is not None:
        percent = round(100 * min(max(share, 0.0), 1.0))
        bar = (
            f'<div class="v-bar-track" role="progressbar" aria-valuemin="0" aria-valuemax="100" '
            f'aria-valuenow="{percent}" aria-label="Getting ready"><span style="width:{percent}%"></span></div>'
        )
    return f'<div class="v-notice v-notice--{kind}" role="{role}"><p>{isolated(message, 500)}</p>{bar}</div>'


def render_examples(examples: Sequence[Example], selected: int | None = None) -> str:
    """The gallery; each frame is a button."""
    if not examples:
        return (
            '<p class="v-quiet v-no-examples">No example frames here: the bundled world is missing from assets/world. '
            "Your own pictures work all the same.</p>"
        )
    buttons = "".join(
        f'<li><button type="button" data-example="{n}" aria-pressed="{"true" if n == selected else "false"}" '
        f'aria-label="Example frame {n + 1}"><img src="{text(e.picture)}" alt="" loading="lazy"></button></li>'
        for n, e in enumerate(examples)
    )
    title = "<h3>Or try one of these</h3>"
    return f'<section class="v-examples" aria-label="Example frames">{title}<ul>{buttons}</ul></section>'


def render_example_questions(questions: Sequence[str]) -> str:
    """Questions the bundled world holds for a frame, as buttons."""
    if not questions:
        return ""
    chips = "".join(
        f'<button type="button" class="v-chip" data-ask="{text(q, 300)}">{isolated(q, 300)}</button>' for q in questions
    )
    return f'<div class="v-followups" role="group" aria-label="Questions for this frame">{chips}</div>'


def render_announcement(words: str) -> str:
    """Spoken by screen readers, seen by nobody."""
    return f'<div class="v-sr" role="status" aria-live="polite">{isolated(words, 600)}</div>'


def render_sound(wav_data_uri: str) -> str:
    """Plays at once in the browser that asked."""
    return f'<audio class="v-audio" src="{text(wav_data_uri)}" autoplay controls></audio>' if wav_data_uri else ""
