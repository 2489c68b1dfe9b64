"""The pipelines by name: `--pipeline NAME`, the settings and the page know them by these."""

from __future__ import annotations

from assistant.core.errors import BadInput
from assistant.core.types import PipelineName
from assistant.pipelines.base import Pipeline

#: One line each, for lists of choices.
SAYS: dict[PipelineName, str] = {
    "reader": "the embedded reader: extracts, compares and calculates; no model",
    "mm-llm": "a model with the picture and the question alone",
    "vitrine": "a model with the picture and everything that was read, recognised and looked up",
}


def pipeline_of(name: str) -> Pipeline:
    """The pipeline of that name.

    Raises:
        BadInput: there is none.
    """
    from assistant.pipelines import mm_llm, reader, vitrine

    known: dict[str, Pipeline] = {"reader": reader.answer, "mm-llm": mm_llm.answer, "vitrine": vitrine.answer}
    if name not in known:
        raise BadInput(f"there is no pipeline {name!r}: choose one of {', '.join(known)}")
    return known[name]
