"""The camera on the page, as HTML; assets/style/camera.js brings it to life."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.ui.html.escape import isolated, text

#: What is shown of what was read.
_LINES, _CHARS = 3, 60


def render_camera() -> str:
    """The running picture, what is wrong with it, and its buttons."""
    return (
        '<section class="v-camera" data-state="off" data-held="no" aria-label="Camera">'
        '<div class="v-camera-view"><video playsinline muted aria-label="What the camera sees"></video>'
        '<span class="v-camera-live"><span class="v-camera-dot" aria-hidden="true"></span>Live</span></div>'
        '<p class="v-camera-note" role="status"></p>'
        '<div class="v-camera-bar">'
        '<button type="button" data-camera="start">Start the camera</button>'
        '<button type="button" data-camera="hold" aria-pressed="false" aria-label="Hold this picture">Hold'
        '<span class="v-long"> this picture</span></button>'
        '<button type="button" data-camera="caption" aria-pressed="false" title="Say below the camera what is '
        'recognised and read, as fast as this machine can">Caption</button>'
        '<button type="button" data-camera="turn" hidden>Other camera</button>'
        '<button type="button" data-camera="stop" aria-label="Stop the camera">Stop<span class="v-long"> the camera'
        "</span></button></div></section>"
    )


def render_caption(token: str, name: str | None, confidence: float, lines: Sequence[str]) -> str:
    """What is recognised and read on the camera's picture now; `token` is the page's name for that picture."""
    parts = []
    if name is not None:
        parts.append(f"<b>{isolated(name, _CHARS)}</b> {min(99, round(100 * confidence))} % sure")
    if lines:
        more = " …" if len(lines) > _LINES else ""
        parts.append("reads " + " · ".join(isolated(line, _CHARS) for line in lines[:_LINES]) + more)
    words = "; ".join(parts) or "Nothing recognised, nothing read"
    return f'<p class="v-caption" data-caption="{text(token)}">{words}</p>'
