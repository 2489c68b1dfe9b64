"""What a button of ours told with its click, and what a handler returns.

Nothing a browser sends is trusted to be there, or of a kind.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

#: What a handler returns: component → what it shows from now on.
Changes = dict[Any, Any]


def detail(event: gr.EventData, name: str, default: object) -> object:
    """The value sent under `name`, whatever it is."""
    data = event._data if isinstance(event._data, dict) else {}
    return data.get(name, default)


def number_of(event: gr.EventData, name: str) -> int:
    """The whole number sent under `name`; -1 for anything else."""
    number = detail(event, name, -1)
    whole = isinstance(number, int) and not isinstance(number, bool) and abs(number) < 2**53
    return number if whole else -1  # type: ignore[return-value]  # an int, as was just looked at
