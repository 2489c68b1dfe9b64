"""The reader: one grounded answer from a plan and its evidence, or an abstention with the reason.

Picks the evidence that most probably answers (rank, follow), settles contradictions (settle), does the arithmetic
that the question wants (operations) and says it in a sentence (compose). It makes nothing up: every sentence names
the evidence it rests on, and `check` looks at it again without knowing how it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.types import Evidence, Sentence
from assistant.reading.attribute_templates import spoken_dates
from assistant.reading.fact_finder import FactFinder
from assistant.reading.names_in_view import fact_through_frame, named_kind
from assistant.reading.operations.registry import perform
from assistant.reading.results import state_fact
from assistant.reading.signs.frame_text import whole_text
from assistant.reading.signs.frame_values import find_on_frame
from assistant.reading.signs.sign_roles import OF_ROWS, Part, read_part
from assistant.reading.signs.tables import look_up
from assistant.text.written_values import alike
from assistant.understanding.plan import Plan, wants_part
from assistant.understanding.reading_requests import asks_for_all, scans_a_code

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge


@dataclass(frozen=True)
class Draft:
    """Sentences to be checked; none when the reader abstains, and then `reason` says why."""

    sentences: tuple[Sentence, ...] = ()
    reason: str = ""


class Reader:
    """Answers from evidence alone; holds nothing but the sentence encoder of the index."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._encode = knowledge.encode

    def answer(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft:
        """One sentence with the ids of its evidence, or no sentence and the reason."""
        if plan.intent == "unclear":
            return Draft(reason=plan.reason)
        if plan.intent == "read":
            read = self._read(plan, evidence)
            written = any(e.kind in ("text", "code") for e in evidence) and not wants_part(plan.question, plan.asked)
            if read.sentences or written or not plan.subjects or asks_for_all(plan.asked.core):
                return read
            said = self._from_facts(plan, evidence)  # "what is on its menu": nothing that is written there
            return said if said.sentences else read
        if plan.intent == "identify":
            table = look_up(plan.question, plan.asked, evidence) if not plan.subjects else None
            return Draft((Sentence(table.text, table.ids),)) if table else self._identify(plan, evidence)
        if not plan.subjects:
            through = self._through_frame(plan, evidence)
            if through is not None:
                return through
            return self._from_frame(plan, evidence) or Draft(reason=plan.reason or "I do not know what this is about")
        return self._from_facts(plan, evidence)

    def _from_facts(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft:
        """What is known of the subjects; else a name on the frame that leads on, or what stands there."""
        finder = FactFinder(plan, evidence, self._encode)
        result = perform(plan, finder)
        if result.text:
            named = any(_written(name) != name for name in (*plan.subjects, *plan.answer_names))
            text = result.text if named else _written(result.text)
            return Draft((Sentence(text, tuple(dict.fromkeys(result.ids))),), result.reason)
        if not plan.mentioned and (through := self._through_frame(plan, evidence)) is not None:
            return through
        on_frame = self._from_frame(plan, evidence) if not plan.mentioned else None
        return on_frame or Draft(reason=result.reason)

    def _read(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft:
        lines = [e for e in evidence if e.kind in ("text", "code")]
        if not lines:
            return Draft(reason="I can read no text in the picture")
        codes = [e for e in lines if e.kind == "code"]
        if codes and scans_a_code(plan.question):
            return Draft((Sentence(f"The code says “{codes[0].text}”.", (codes[0].id,)),))
        if not asks_for_all(plan.asked.core):
            part, of_rows = _part(plan, lines, surely=True), wants_part(plan.question, plan.asked) in OF_ROWS
            table = (part if of_rows else None) or look_up(plan.question, plan.asked, evidence) or part
            if table is not None:
                return Draft((Sentence(table.text, table.ids),))
            found = find_on_frame(plan.asked, evidence, self._encode)
            if found:
                return Draft((Sentence(f"It says “{found[0]}”.", found[1]),))
            if (part := _part(plan, lines)) is not None:
                return Draft((Sentence(part.text, part.ids),))
            through = self._through_frame(plan, evidence)
            if through is not None:
                return through
            return Draft(reason="I read the text in the picture, but none of it answers this")
        text, ids = whole_text([e for e in lines if e.kind == "text"] or lines)
        return Draft((Sentence(f"It says: “{text}”.", ids),))

    def _identify(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft:
        entity = next((e for e in evidence if e.kind == "entity" and e.subject in plan.subjects[:1]), None)
        if entity is not None:
            return Draft((Sentence(f"This is {entity.text}.", (entity.id,)),))
        if plan.clue and plan.subjects:
            lines = [e for e in evidence if e.kind == "text"]
            _, ids = whole_text(lines)
            if ids:
                return Draft((Sentence(f"The text on it names {plan.subjects[0]}.", ids),), "known by its text only")
        return Draft(reason=plan.reason or "I do not recognise what is in the picture")

    def _through_frame(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft | None:
        """A name on the frame may be what the question is about, or lead there."""
        fact = fact_through_frame(plan, evidence, self._encode)
        if fact is not None:
            return Draft((Sentence(state_fact(fact, plan), fact.ids),), fact.note)
        named = named_kind(plan, evidence)
        return Draft((Sentence(*named),)) if named else None

    def _from_frame(self, plan: Plan, evidence: Sequence[Evidence]) -> Draft | None:
        """What stands on the frame may answer where no index does."""
        if not any(e.kind in ("text", "code") for e in evidence):
            return None
        table = look_up(plan.question, plan.asked, evidence)
        if table is not None:
            return Draft((Sentence(table.text, table.ids),))
        if plan.asked.operation not in ("lookup", "list", "yesno", "convert"):
            return None  # a line that is read is no sum
        found = find_on_frame(plan.asked, evidence, self._encode)
        return Draft((Sentence(f"It says “{found[0]}”.", found[1]),)) if found else None


def _written(text: str) -> str:
    """Dates, money and large numbers in one way, wherever they come from."""
    return alike(spoken_dates(text))


def _part(plan: Plan, lines: Sequence[Evidence], *, surely: bool = False) -> Part | None:
    """The part of the text that the question asks for by its role."""
    role = wants_part(plan.question, plan.asked, surely=surely)
    return read_part(role, plan.question, plan.asked, [e for e in lines if e.kind == "text"]) if role else None
