"""An answer with pictures in one go: the model writes sentences and, between them, placeholders of the pictures among
the evidence.

After the "single-stage" approach of M2RAG (Ma et al., "Multi-modal Retrieval Augmented Multi-modal Generation",
github.com/maziao/M2RAG): pictures go along with the evidence, or their captions where the model only reads, and the
model names those that it places by a pseudo address. Ours are the prompt, the marks that say what a sentence rests on,
the check of each sentence and caption, and that a picture is shown once. `vitrine` places pictures in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.pictured.stages import gather, task_for
from assistant.pipelines.writing import write_answer


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.look()
    plan = yield from gather(request, seen, turn, tools)
    yield from write_answer(task_for(plan, turn.evidence, request, seen, tools, places=True), turn, tools)
