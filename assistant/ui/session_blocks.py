"""Keeps a visitor's session in gradio from growing with every event, and events from making all outputs anew.

Where a handler changes a component's properties (and each output it does not mention counts as such), gradio 6.31 makes
a new component for the session, stores it under the id of the old one, but leaves it an id of its own
(`Blocks.postprocess_data`). The next value is then kept under that id, beside all before it: every event adds
components and copies of their values, pictures included, for as long as the session lives [measured: 2 MB a turn]. Here
what is stored takes the id it is stored under.
"""

from __future__ import annotations

from copy import copy
from typing import Any


def keep_ids() -> None:
    """Have gradio's sessions keep one component for each id; once is enough, more does no harm."""
    from gradio.blocks import Block
    from gradio.state_holder import SessionState

    store = SessionState.__setitem__
    if store.__module__ == __name__:
        return

    def store_under_its_id(self: SessionState, key: int, value: Any) -> None:
        if isinstance(value, Block):
            value._id = key
        store(self, key, value)

    SessionState.__setitem__ = store_under_its_id  # type: ignore[method-assign]


def pass_over_the_rest() -> None:
    """Have gradio make only those outputs anew that a handler mentions; once is enough, more does no harm.

    Of a handler that returns some of its outputs gradio 6.31 makes all others anew as well, and tells all properties of
    each twice, though nothing of them changes: half of what a page costs the server while it answers.
    """
    from gradio.blocks import BlockFunction, Blocks
    from gradio.state_holder import SessionState

    process = Blocks.postprocess_data
    if process.__module__ == __name__:
        return

    async def only_what_is_mentioned(
        self: Blocks, block_fn: BlockFunction, predictions: Any, state: SessionState | None
    ) -> list[Any]:
        mentioned = _mentioned(block_fn, predictions)
        if mentioned is None:
            return await process(self, block_fn, predictions, state)
        part = copy(block_fn)
        part.outputs = [block for block in block_fn.outputs if block._id in mentioned]
        made = await process(self, part, predictions, state) if part.outputs else []
        by_id = dict(zip((block._id for block in part.outputs), made, strict=True))
        nothing = {"__type__": "update"}
        return [by_id.get(block._id, None if block.stateful else dict(nothing)) for block in block_fn.outputs]

    only_what_is_mentioned.__wrapped__ = process  # type: ignore[attr-defined]  # for `inspect.unwrap`
    Blocks.postprocess_data = only_what_is_mentioned  # type: ignore[method-assign]


def _mentioned(block_fn: Any, predictions: Any) -> set[int] | None:
    """The ids of the outputs that a handler returned values of; None where gradio has to see for itself."""
    from gradio.blocks import Block, skip

    if not isinstance(predictions, dict) or not predictions or len(block_fn.outputs) < 2 or block_fn.batch:
        return None
    if predictions == skip():
        return set()
    if not all(isinstance(key, Block) for key in predictions):
        return None
    ids = {key._id for key in predictions}
    return ids if ids <= {block._id for block in block_fn.outputs} else None
