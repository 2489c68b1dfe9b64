"""The page's endpoint for teaching by programs: `/teach`, one picture of one object with its name and facts.

    from gradio_client import Client, handle_file
    Client(url).predict(handle_file("cup.jpg"), "My cup", "Maker: my aunt", "", False, api_name="/teach")

What is taught is known to every visitor of the page at once.
"""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from assistant.commands.teach import as_json
from assistant.core.errors import BadImage, BadInput, NotReady, VitrineError
from assistant.teaching.enrol import whole_of
from assistant.teaching.taught_object import clean_name, parse_notes
from assistant.teaching.teacher import Teacher
from assistant.ui.api.described import PICTURE, described
from assistant.ui.state.engine import Engine
from assistant.ui.tab.picture_input import PictureInput

#: How long a caller waits for an index that is still being built.
PATIENCE_S = 180.0
_MAX_OUTLINE_CHARS = 40_000


def add_teach_endpoint(engine: Engine) -> None:
    """Add `/teach` to the current `gr.Blocks`."""

    def teach(image: bytes | None, name: str, facts: str = "", outline: str = "", add: bool = False) -> dict[str, Any]:
        """Teach an object from a picture; from then on it is recognised and questions about it are answered.

        Args:
            image: a picture file that shows the object.
            name: what it is called.
            facts: a line each, "key: value" or a sentence.
            outline: where it is on the picture, a JSON polygon [[x, y], ...] in its pixels; empty for the whole.
            add: add this view and these facts to an object of that name, instead of refusing a name that is taken.

        Returns:
            id, name, facts, sentences, pictures (how many), created, changed, views (distinctive 0..1, level, says,
            advice), second_view_wanted, warnings.
        """
        try:
            return _teach(engine, image, name or "", facts or "", outline or "", bool(add))
        except VitrineError as problem:
            raise gr.Error(str(problem), print_exception=False) from problem

    with gr.Column(visible=False):
        image = PictureInput(label="Picture", sources=["upload"])
        name = gr.Textbox(label="Name")
        facts = gr.Textbox(label="Facts", value="")
        outline = gr.Textbox(label="Outline", value="")
        add = gr.Checkbox(label="Add to what is known", value=False)
        result = gr.JSON(label="Taught")
        button = gr.Button("Teach")
    button.click(
        teach,
        [image, name, facts, outline, add],
        result,
        api_name="teach",
        api_description=described(
            teach, [image, name, facts, outline, add], (PICTURE, "My cup", "Maker: my aunt", "", False)
        ),
        concurrency_limit=2,
        show_progress="hidden",
    )


def _teach(engine: Engine, image: bytes | None, name: str, facts: str, outline: str, add: bool) -> dict[str, Any]:
    from assistant.vision.frame import read_frame

    clean_name(name), parse_notes(facts)
    if image is None:
        raise BadImage("there is no picture: send one that shows the object")
    frame = read_frame(image)
    polygon = _polygon(outline) if outline.strip() else whole_of(frame)
    teacher = getattr(engine.wait(PATIENCE_S), "teacher", None)
    if not isinstance(teacher, Teacher):
        raise NotReady("teaching is not ready on this server: try again in a minute")
    drafts = [teacher.look(frame, polygon)]
    saved = teacher.save(name, facts, drafts, add=add)
    return as_json(saved.object, drafts, saved.warnings)


def _polygon(outline: str) -> Any:
    if len(outline) > _MAX_OUTLINE_CHARS:
        raise BadInput(f"the outline has {len(outline):,} characters: {_MAX_OUTLINE_CHARS:,} are the most")
    try:
        return json.loads(outline)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"the outline {outline[:60]!r} is not JSON: give [[x, y], [x, y], [x, y]]") from problem
