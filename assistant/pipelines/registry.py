"""The pipelines by name: `--pipeline NAME`, the settings and the page know them by these."""

from __future__ import annotations

from assistant.core.errors import BadInput
from assistant.core.types import PipelineName
from assistant.pipelines.base import Pipeline

#: One line each, for lists of choices.
SAYS: dict[PipelineName, str] = {
    "reader": "the embedded reader: extracts, compares and calculates; no model",
    "mm-llm": "a model with the picture and the question alone",
    "task1": "the benchmark's baseline of its first task: pictures like the frame, no web, each question by itself",
    "task2": "the benchmark's baseline of its second task: a rewritten query to the web beside that",
    "task3": "the benchmark's baseline of its third task: as task2, with what was said before",
    "kdd-2025": "the first of the challenge's second task in 2025: crops, many queries, a re-ranking model; needs "
    "log-probabilities",
    "separate": "an answer with pictures of the pages that were found: text first, each picture then where it fits",
    "single-stage": "an answer with pictures in one go: the model writes the text and places the pictures in it",
    "multi-stage": "an answer with pictures in three steps: the model writes, places each picture, and writes the text "
    "around it again",
    "vitrine": "a model with the picture and everything that was read, recognised and looked up",
}
#: Which of the benchmark's tasks a pipeline's sources are those of; one that is not named takes those it is given, and
#: None stands for no source at all.
TASK_OF: dict[str, int | None] = {"mm-llm": None, "task1": 1, "task2": 2, "task3": 3, "kdd-2025": 3}


def pipeline_of(name: str) -> Pipeline:
    """The pipeline of that name.

    Raises:
        BadInput: there is none.
    """
    from assistant.pipelines import kdd_2025, mm_llm, reader, task1, task2, task3, vitrine
    from assistant.pipelines.pictured import multi_stage, separate, single_stage

    known: dict[str, Pipeline] = {
        "reader": reader.answer,
        "mm-llm": mm_llm.answer,
        "task1": task1.answer,
        "task2": task2.answer,
        "task3": task3.answer,
        "kdd-2025": kdd_2025.answer,
        "separate": separate.answer,
        "single-stage": single_stage.answer,
        "multi-stage": multi_stage.answer,
        "vitrine": vitrine.answer,
    }
    if name not in known:
        raise BadInput(f"there is no pipeline {name!r}: choose one of {', '.join(known)}")
    return known[name]
