"""The camera of the live tab: a frame comes with the question that it belongs to, and stays in no file.

The browser keeps the last second (assets/style/camera.js); a question, however it is asked, brings the sharpest frame
of the second before it ended. Held, a frame is the picture in view like any other.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.ui.html.camera import render_camera
from assistant.ui.tab.picture_input import MAX_DATA_URL_CHARS

if TYPE_CHECKING:
    from assistant.core.types import Frame

#: Run before a question goes to the server: the inputs are question, session and moment, the outputs follow them.
BRING_MOMENT = "async (question, session, moment) => [question, session, await (window.vitrine?.moment?.() ?? '')]"
#: A frame is never older than this when its question ends; what says otherwise comes from no camera of ours.
_OLDEST_MS = 60_000


@dataclass(frozen=True)
class Moment:
    """A frame of the camera, `age_s` before the question ended."""

    frame: Frame
    age_s: float


def camera_part() -> gr.HTML:
    """The component; create it where it stands."""
    script = (ASSETS_DIR / "style" / "camera.js").read_text(encoding="utf-8")
    return gr.HTML(render_camera(), elem_id="camera", js_on_load=script, apply_default_css=False)


def read_moment(told: object) -> Moment | None:
    """The frame that came with a question, "AGE in ms;DATA URL"; None where none did.

    Raises:
        BadInput: it is no picture, or larger than pictures may be.
    """
    from assistant.vision.frame import read_frame

    if not isinstance(told, str) or not told:
        return None
    age, _, address = told.partition(";")
    head, comma, data = address.partition(",")
    if not age.isdecimal() or not age.isascii() or not comma or not head.startswith("data:image/"):
        raise BadInput("what came from the camera is no picture: start the camera again")
    if len(data) > MAX_DATA_URL_CHARS:
        raise BadInput("that picture is too large: 25 MB are the most")
    try:
        frame = read_frame(base64.b64decode(data, validate=True))
    except binascii.Error as problem:
        raise BadInput("what came from the camera is no picture: start the camera again") from problem
    return Moment(frame, min(int(age[:9]), _OLDEST_MS) / 1000)
