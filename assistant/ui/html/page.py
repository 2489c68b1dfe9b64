"""The parts of the page that belong to no turn, as HTML: head, empty state, notices, example frames, keys, parts.

Pure functions, like `assistant.ui.html.turns`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.ui.html.escape import isolated, text

if TYPE_CHECKING:
    from assistant.doctor import Part
    from assistant.ui.state.target import Target

PROFILE_WORDS = {
    "embedded": "No key, no GPU, no download. Pictures and questions stay on this machine; nothing is sent anywhere.",
    "chat": "A chat model writes the answers; seeing and searching stay on this machine.",
    "local": "A model on this machine writes the answers. No key; nothing is sent anywhere.",
}

#: What the keyboard does, in the order in which it is needed.
KEYS: tuple[tuple[str, str], ...] = (
    ("Enter", "ask"),
    ("Shift + Enter", "new line in the question"),
    ("Esc", "leave the question box, stop the voice or the answer, leave the stage view"),
    ("/", "back to the question"),
    ("Ctrl + V", "a picture from the clipboard; pictures can also be dropped anywhere"),
    ("C", "start or stop the camera"),
    ("H", "hold the camera's picture, so that questions stay with it; H again lets it go"),
    ("M", "mark a part of the picture; arrow keys move the box, Shift + arrows size it"),
    ("Space", "hold it and speak: the question is asked when you let go, and the answer read aloud"),
    ("R", "record a question; R again stops and shows the words, Esc drops it"),
    ("L", "listen to the last answer; L again stops"),
    ("F", "stage view: picture and answer only, readable from the last row"),
    ("[ and ]", "less light on the picture, more light"),
    ("?", "this list"),
)


@dataclass(frozen=True)
class Example:
    """A bundled frame that can be tried: a small picture as data URI and questions that were written for it."""

    picture: str
    questions: tuple[str, ...]


def render_head(target: Target, parts: Sequence[Part] = (), coming: str = "") -> str:
    """Title, stage view, and a badge with the profile and whom questions go to, and what is `coming` in their place;
    `parts` fill its panel once opened."""
    what = PROFILE_WORDS.get(target.profile, "")
    who = f"<p>{isolated(target.model, 120)}. {isolated(target.words, 300)}</p>" if target.model else ""
    soon = f'<span class="v-badge-coming">{isolated(coming, 80)}</span>' if coming else ""
    listed = render_parts(parts) if parts else '<p class="v-quiet">Looking at what is installed …</p>'
    return (
        '<header class="v-head"><button type="button" class="v-skip" data-skip>Skip to the question</button>'
        '<div><h1>Vitrine</h1><p>Ask about what you see. <span class="v-wide">Look at what the answer rests on.</span>'
        '</p></div><div class="v-head-acts"><button type="button" class="v-pill v-stage-button" data-stage '
        'aria-pressed="false">Stage view <kbd>F</kbd></button>'
        '<details class="v-badge" data-key="profile"><summary data-profile class="v-pill">'
        '<span class="v-badge-dot" aria-hidden="true"></span>'
        f'<span class="v-sr">Profile: </span><span>{text(target.profile, 40)}</span>'
        f'<span class="v-badge-target">{isolated(target.badge, 80)}</span>{soon}</summary>'
        f'<div class="v-badge-more"><p>{text(what)}</p>{who}'
        f"{listed}<p>The same on the command line: <code>python -m assistant doctor</code></p>"
        "</div></details></div></header>"
    )


def render_target(target: Target, coming: str = "") -> str:
    """Beside the Ask button: what asking does, and what is `coming` in its place."""
    kind = "v-target v-target--away" if target.host else "v-target"
    soon = f' <span class="v-target-coming">{isolated(coming, 200)}</span>' if coming else ""
    return f'<p class="{kind}"><span>{isolated(target.words, 300)}{soon}</span></p>'


def render_parts(parts: Sequence[Part]) -> str:
    """What each part is, whether it works, and the one thing to do for a better one."""
    rows = []
    for part in parts:
        state = "ready" if part.ready else "off"
        better = f'<dd class="v-better">{isolated(part.better, 300)}</dd>' if part.better else ""
        rows.append(
            f'<div class="v-part v-part--{state}"><dt>{isolated(part.part, 60)}'
            f'<span class="v-sr"> ({state})</span></dt><dd>{isolated(part.is_now, 300)}</dd>{better}</div>'
        )
    return f'<dl class="v-parts">{"".join(rows)}</dl>'


def render_keys() -> str:
    """The line of hints under the question, and the whole list behind it."""
    rows = "".join(f"<div><dt><kbd>{text(key)}</kbd></dt><dd>{text(does)}</dd></div>" for key, does in KEYS)
    return (
        '<p class="v-hints"><span><kbd>Enter</kbd> asks</span><span><kbd>Esc</kbd> then <kbd>F</kbd> stage view</span>'
        '<span><kbd>M</kbd> mark a part</span><button type="button" class="v-act" data-keys>All keys '
        '<kbd>?</kbd></button></p><div hidden><div class="v-keys-list" aria-label="Keys"><h2>Keys</h2>'
        f'<dl class="v-keys">{rows}</dl><button type="button" class="v-act" data-close>Close</button></div></div>'
    )


def render_empty(has_picture: bool, examples: Sequence[Example] = ()) -> str:
    """What stands where the conversation will be; without a picture, with a few of the examples to be asked at once."""
    first = "Now ask about it." if has_picture else "Give it a picture, then ask."
    return (
        f'<div class="v-empty"><p class="v-empty-lead">{first}</p>'
        "<p>The answer comes with its evidence: what was recognised and how surely, which facts and pages were used, "
        f"what was read, how long each step took. When nothing carries an answer, it says so.</p>"
        f"{'' if has_picture else _samples(examples)}</div>"
    )


#: A question in a sentence, more than a word long.
_ASKS = re.compile(
    r"\b(?:what|who|whose|which|when|where|why|how|is|are|was|does|do|can|could|will|would)\b.{6,}\?$", re.IGNORECASE
)


def _samples(examples: Sequence[Example], most: int = 3) -> str:
    """The first examples of the gallery, each asked with one press; scraps ("phone number?") come last."""
    asked = [(_ASKS.search(e.questions[0]) is None, n, e) for n, e in enumerate(examples) if e.questions]
    buttons = "".join(
        f'<li><button type="button" class="v-sample" data-event="sample" data-card="{n}" data-key="sample-{n}">'
        f'<img src="{text(e.picture)}" alt=""><span dir="auto">{isolated(_as_asked(e.questions[0]), 120)}</span>'
        "</button></li>"
        for _, n, e in sorted(asked, key=lambda one: one[:2])[:most]
    )
    return f'<ul class="v-samples" aria-label="Ask one of the examples">{buttons}</ul>' if buttons else ""


def _as_asked(question: str) -> str:
    return question[:1].upper() + question[1:]


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
        f'<li><button type="button" data-example="{n}" data-key="example-{n}" '
        f'aria-pressed="{"true" if n == selected else "false"}" '
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
    """Spoken by screen readers, seen by nobody: the page's script moves the words to its one live region."""
    return f'<div class="v-sr v-announced" aria-hidden="true">{isolated(words, 600)}</div>'
