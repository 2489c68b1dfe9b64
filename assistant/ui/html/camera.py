"""The camera on the page, as HTML; assets/style/camera.js brings it to life."""

from __future__ import annotations


def render_camera() -> str:
    """The running picture, what is wrong with it, and its buttons."""
    return (
        '<section class="v-camera" data-state="off" data-held="no" aria-label="Camera">'
        '<div class="v-camera-view"><video playsinline muted aria-label="What the camera sees"></video>'
        '<span class="v-camera-live"><span class="v-camera-dot" aria-hidden="true"></span>Live</span></div>'
        '<p class="v-camera-note" role="status"></p>'
        '<div class="v-camera-bar">'
        '<button type="button" data-camera="start">Start the camera</button>'
        '<button type="button" data-camera="hold" aria-pressed="false">Hold this picture</button>'
        '<button type="button" data-camera="turn" hidden>Other camera</button>'
        '<button type="button" data-camera="stop">Stop the camera</button></div></section>'
    )
