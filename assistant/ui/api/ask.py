"""The page's endpoint for programs: `/ask`, one question about one picture, as JSON.

    from gradio_client import Client, handle_file
    Client(url).predict(handle_file("tin.jpg"), "What does this cost?", "", api_name="/ask")

It shares the sessions and the assistant of the page. Everything else on the page is wired privately.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

from assistant.commands.ask import as_json
from assistant.core.errors import BadInput, VitrineError
from assistant.core.types import Turn
from assistant.ui.api.described import PICTURE, described
from assistant.ui.state.engine import Engine
from assistant.ui.state.sessions import MAX_QUESTION_CHARS, SessionStore
from assistant.ui.tab.picture_input import PictureInput

#: How long a caller waits for an index that is still being built.
PATIENCE_S = 180.0


def add_endpoint(engine: Engine, sessions: SessionStore) -> None:
    """Add `/ask` to the current `gr.Blocks`."""

    def ask(image: bytes | None, question: str, conversation: str = "") -> dict[str, Any]:
        """Answer one question about one picture, with the evidence the answer rests on.

        Args:
            image: a picture file; null to stay with the conversation's last picture.
            question: one question.
            conversation: the id that an earlier answer came with, to go on from it; empty begins a new one.

        Returns:
            answer, status, reason, entity (name, confidence, outline_px) or null, evidence (kind, source, text, score,
            used), timings_ms, profile, and conversation, the id to go on with.
        """
        try:
            turn, session_id, profile = _answer(engine, sessions, image, (question or "").strip(), conversation)
        except VitrineError as problem:
            raise gr.Error(str(problem), print_exception=False) from problem
        return {**as_json(turn, profile), "conversation": session_id}

    with gr.Column(visible=False):
        image = PictureInput(label="Picture", sources=["upload"])
        question = gr.Textbox(label="Question")
        conversation = gr.Textbox(label="Conversation", value="")
        result = gr.JSON(label="Answer")
        button = gr.Button("Ask")
    button.click(
        ask,
        [image, question, conversation],
        result,
        api_name="ask",
        api_description=described(ask, [image, question, conversation], (PICTURE, "What does this cost?", "")),
        concurrency_limit=4,
        show_progress="hidden",
    )


def _answer(
    engine: Engine, sessions: SessionStore, image: bytes | None, question: str, conversation: str
) -> tuple[Turn, str, str]:
    from assistant.vision.frame import read_frame

    if not question or len(question) > MAX_QUESTION_CHARS:
        raise BadInput(f"a question has between 1 and {MAX_QUESTION_CHARS:,} characters, not {len(question):,}")
    frame = read_frame(image) if image is not None else None
    session = sessions.get(conversation) if conversation else sessions.new()
    if session is None:
        raise BadInput("that conversation has ended or never was: leave its id out to begin a new one")
    assistant = engine.wait(PATIENCE_S)
    if assistant is None:
        raise VitrineError("the assistant is not ready yet: try again in a minute")
    if frame is not None:
        session.take_frame(frame)
    *_, last = sessions.ask(session, question).follow()
    assert last.turn is not None  # a run's last view is finished
    return last.turn, session.id, last.answered_by or assistant.profile
