"""The endpoint `/search` for programs: raw vector search over the index, in the benchmark's own dictionaries.

    from gradio_client import Client, handle_file
    Client(url).predict(None, "oat biscuits", 5, api_name="/search")
    Client(url).predict(handle_file("tin.jpg"), "", 5, api_name="/search")

Verification and confidence are `/ask`'s. A text is never taken for a path or an address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.errors import BadInput, VitrineError
from assistant.ui.api.ask import PATIENCE_S
from assistant.ui.api.described import described
from assistant.ui.state.engine import Engine
from assistant.ui.tab.picture_input import PictureInput, Plain

if TYPE_CHECKING:
    from assistant.index.raw_search import SearchPipeline

MAX_TEXT_CHARS = 2000


class CountInput(gr.Number, metaclass=Plain):
    """A `gr.Number` whose handlers receive a whole number, or None; anything else is told what to give."""

    def get_block_name(self) -> str:
        """The part of the frontend that draws it."""
        return "number"

    def preprocess(self, payload: Any) -> int | None:
        is_number = isinstance(payload, int | float) and not isinstance(payload, bool)
        if payload is not None and not (is_number and float(payload).is_integer()):
            raise gr.Error(f"k is {str(payload)[:20]!r}: give a whole number, 1 to 1000", print_exception=False)
        return int(payload) if payload is not None else None


class _Once:
    """Opens the search pipeline at its first use."""

    def __init__(self, open_pipeline: Callable[[], SearchPipeline]):
        self._open = open_pipeline
        self._lock = threading.Lock()
        self._pipeline: SearchPipeline | None = None

    def __call__(self) -> SearchPipeline:
        with self._lock:
            if self._pipeline is None:
                self._pipeline = self._open()
            return self._pipeline


def add_search_endpoint(engine: Engine, open_pipeline: Callable[[], SearchPipeline]) -> None:
    """Add `/search` to the current `gr.Blocks`; the index is opened with the first call."""
    pipeline = _Once(open_pipeline)

    def search(image: bytes | None, text: str, k: int | None = 10) -> list[dict[str, Any]]:
        """The nearest pictures of the index for a picture, or the nearest pages for a text, best first.

        Args:
            image: a picture file, or null to search by text.
            text: what to look for; must be empty when a picture is given.
            k: how many results, 1 to 1000.

        Returns:
            for a picture: index, score, url, entities (entity_name, entity_attributes); for a text: index, score,
            page_name, page_snippet, page_url. Score is 1 minus the cosine distance.
        """
        try:
            return _search(engine, pipeline, image, (text or "").strip(), k)
        except VitrineError as problem:
            raise gr.Error(str(problem), print_exception=False) from problem

    with gr.Column(visible=False):
        image = PictureInput(label="Picture", sources=["upload"])
        text = gr.Textbox(label="Text")
        k = CountInput(label="Results", value=10, precision=0)
        result = gr.JSON(label="Results")
        button = gr.Button("Search")
    button.click(
        search,
        [image, text, k],
        result,
        api_name="search",
        api_description=described(search, [image, text, k], (None, "oat biscuits", 5)),
        concurrency_limit=4,
        show_progress="hidden",
    )


def _search(
    engine: Engine, pipeline: Callable[[], SearchPipeline], image: bytes | None, text: str, k: int | None
) -> list[dict[str, Any]]:
    from assistant.vision.frame import read_frame

    if (image is None) == (not text):
        raise BadInput("give a picture or a text to search by, one of the two")
    if len(text) > MAX_TEXT_CHARS:
        raise BadInput(f"a text has at most {MAX_TEXT_CHARS:,} characters, not {len(text):,}")
    frame = read_frame(image) if image is not None else None
    if engine.wait(PATIENCE_S) is None:
        raise VitrineError("the index is not ready yet: try again in a minute")
    return pipeline()(frame if frame is not None else text, k if k is not None else 10)
