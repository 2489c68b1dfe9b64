"""What the picture itself answers, before the embedded reader looks into the index and after it has found nothing."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cached_property

from assistant.core.events import Event, EvidenceFound, SentenceReady, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import Evidence
from assistant.pipelines.base import Seen, Tools
from assistant.scene.answer import Said, from_picture, quoted, seen_in_words, the_thing_itself
from assistant.scene.target import Target, target_of
from assistant.scene.view import View
from assistant.understanding.plan import Plan


class FromPicture:
    """One question over one frame; does nothing where there is no frame, or where evidence or entity are given."""

    def __init__(self, request: Request, plan: Plan, seen: Seen, turn: OpenTurn, tools: Tools) -> None:
        self._plan, self._turn, self._tools = plan, turn, tools
        self._view: View | None = None
        given = request.given or request.conditions.evidence is not None or not request.conditions.recognised
        if seen.frame is not None and seen.look is not None and not given:
            lines = [e for e in turn.evidence if e.kind == "text"]
            found, region = seen.recognition.candidates, request.conditions.region_px
            self._view = View(seen.frame, seen.look, lines, turn.entity, found, region, tools.namer)

    def answers_first(self) -> Generator[Event, None, bool]:
        """Answers what asks for the picture itself and not for what is known of a thing; whether it did."""
        view, plan = self._view, self._plan
        if view is None or (plan.subjects and not the_thing_itself(plan, view, self._tools.knowledge)):
            return False
        with Timing(self._tools.clock) as ms, one_blas_thread():
            said = from_picture(plan, view)
        if said is None:
            return False
        yield StageStarted("answer")
        yield StageFinished("answer", ms(), "from the picture")
        return (yield from self._tell(said))

    def quotes(self) -> Generator[Event, None, bool]:
        """Quotes the words on the picture that speak of what is asked; whether there are any."""
        if self._view is None or self._plan.subjects:
            return False
        return (yield from self._tell(quoted(self._plan, self._view, self._target)))

    def aimed(self, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        """The evidence without blocks of text on the picture that the question is not about."""
        if self._view is None or self._plan.subjects:
            return evidence
        others = {id_ for block in self._view.blocks for id_ in block.ids}.difference(self._target.ids)
        return [e for e in evidence if e.id not in others]

    @cached_property
    def _target(self) -> Target:
        return target_of(self._plan, self._view.blocks if self._view is not None else [])

    def with_what_is_seen(self, reason: str) -> str:
        """The reason why nothing is answered, after what can be seen nevertheless; nobody would read it in a run."""
        if self._view is None or self._plan.subjects or self._tools.for_run:
            return reason
        seen = seen_in_words(self._view)
        return f"{seen}; {reason}" if seen else reason

    def _tell(self, said: Said | None) -> Generator[Event, None, bool]:
        if said is None:
            return False
        if not said.sentences:
            raise Stop("abstained", said.reason)
        turn = self._turn
        turn.evidence = (*turn.evidence, *said.evidence)
        yield EvidenceFound(turn.evidence)
        for sentence in said.sentences:
            turn.sentences.append(sentence)
            yield SentenceReady(sentence)
        return True
