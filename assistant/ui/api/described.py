"""The page of endpoints says of each argument what its docstring says; gradio alone shows the first lines only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import gradio as gr
from gradio.utils import get_function_description

#: A picture in a snippet, where it becomes handle_file("picture.jpg").
PICTURE: Final = {"path": "picture.jpg", "url": "picture.jpg", "meta": {"_type": "gradio.FileData"}}


def described(
    handler: Callable[..., Any], inputs: Sequence[gr.components.Component], examples: Sequence[object]
) -> str:
    """The endpoint's description, what it returns included.

    `inputs` learn what is said of each argument and what stands for it in the snippets; gradio's own would hand a
    picture's address over, which is never fetched here.
    """
    description, arguments, returns = get_function_description(handler)
    for component, words, example in zip(inputs, _whole(handler, arguments), examples, strict=True):
        component.example_inputs = partial(lambda one: one, example)  # type: ignore[method-assign]
        info = {**component.api_info_as_input(), "additional_description": words}
        info.pop("description", None)  # gradio's own, which promises that addresses are fetched
        component.api_info_as_input = partial(dict, info)  # type: ignore[method-assign]
    return f"{description} Returns {' '.join(' '.join(returns).split())}" if returns else description


def _whole(handler: Callable[..., Any], arguments: dict[str, str]) -> list[str]:
    """What is said of each argument, with the lines that gradio's reading leaves out."""
    lines = [line.strip() for line in (handler.__doc__ or "").splitlines()]
    said: dict[str, str] = {}
    name = ""
    for line in lines[lines.index("Args:") + 1 if "Args:" in lines else len(lines) :]:
        if line == "Returns:":
            break
        head, colon, rest = line.partition(": ")
        if colon and head in arguments:
            name, line = head, rest
        said[name] = f"{said.get(name, '')} {line}".strip()
    return [said.get(name, "") for name in arguments]
