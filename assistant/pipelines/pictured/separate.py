"""An answer with pictures in two steps that know nothing of each other: the model writes the text from text alone, then
each picture goes behind the sentence that its caption is most like.

After the "separate" approach of M2RAG (Ma et al., "Multi-modal Retrieval Augmented Multi-modal Generation",
github.com/maziao/M2RAG), which places pictures by the likeness of embeddings as MuRAR does. Ours compares captions with
sentences (MiniLM), leaves out what is like none (`placing.LEAST_LIKENESS`), and does not have the model write the text
again around the pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event, SentenceReady
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.pictured.stages import gather, pictures_of, place_by_likeness, task_for
from assistant.pipelines.writing import write_answer


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.look()
    plan = yield from gather(request, seen, turn, tools)
    text = [piece for piece in turn.evidence if piece.kind != "picture"]
    yield from write_answer(task_for(plan, text, request, seen, tools, held=True), turn, tools)
    yield from place_by_likeness(pictures_of(turn.evidence), turn, tools)
    yield from map(SentenceReady, turn.sentences)
