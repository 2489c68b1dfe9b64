"""Keeps a visitor's session in gradio from growing with every event.

Where a handler changes a component's properties (and each output it does not mention counts as such), gradio 6.31 makes
a new component for the session, stores it under the id of the old one, but leaves it an id of its own
(`Blocks.postprocess_data`). The next value is then kept under that id, beside all before it: every event adds
components and copies of their values, pictures included, for as long as the session lives [measured: 2 MB a turn]. Here
what is stored takes the id it is stored under.
"""

from __future__ import annotations

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
