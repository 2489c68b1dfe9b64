"""One question through plan, retrieval, reader and check, as the agent does it; for the tests of this folder."""

from __future__ import annotations

import datetime

from assistant.core.types import Answer, Conversation, Look, Recognition, Turn
from assistant.reading.grounding import grounding_problem
from assistant.reading.reader import Reader
from assistant.reading.retrieve import retrieve
from assistant.understanding.plan import Plan, make_plan
from tests.assistant.reading.memory import EMPTY, MemoryKnowledge, seen

TODAY = datetime.date(2026, 11, 1)


def answer(
    knowledge: MemoryKnowledge,
    question: str,
    *names: str,
    conversation: Conversation = EMPTY,
    look: Look | None = None,
    recognition: Recognition | None = None,
) -> tuple[str, str, Turn, Plan]:
    """(answer or "", reason, the turn, the plan) of one question about the named things in view."""
    recognition = recognition or seen(knowledge, *names)
    plan = make_plan(question, conversation, recognition, look, knowledge, now=TODAY)  # type: ignore[arg-type]
    evidence = retrieve(plan, look, recognition, knowledge)  # type: ignore[arg-type]
    draft = Reader(knowledge).answer(plan, evidence)  # type: ignore[arg-type]
    sentences, reason = [], draft.reason
    for sentence in draft.sentences:
        problem = grounding_problem(sentence, evidence, plan)
        if problem:
            reason = problem
            break
        sentences.append(sentence)
    text = " ".join(s.text for s in sentences)
    said = text or f"I don't know: {reason}."
    done = Answer(said, "answered" if text else "abstained", reason, tuple(sentences), recognition.entity, evidence)
    return text, reason, Turn(question, done, "frame", plan.subjects), plan


def talk(knowledge: MemoryKnowledge, *turns: tuple[str, tuple[str, ...]]) -> list[str]:
    """The answers of a conversation; each turn is a question and the names of what is in view."""
    conversation, said = EMPTY, []
    for question, names in turns:
        text, _, turn, _ = answer(knowledge, question, *names, conversation=conversation)
        conversation = conversation.with_turn(turn)
        said.append(text)
    return said
