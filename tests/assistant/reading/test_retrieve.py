"""Which pages are read about a thing."""

from __future__ import annotations

from assistant.core.types import Conversation
from assistant.reading.retrieve import PAGES_PER_QUERY, retrieve
from assistant.understanding.plan import make_plan
from tests.assistant.reading.asking import TODAY
from tests.assistant.reading.memory import MemoryKnowledge, seen


def test_all_pages_about_a_thing_are_read() -> None:
    entities = [{"name": f"Orlex Toaster X{n}", "attributes": {}} for n in (9, 10)]
    own = [
        {
            "url": f"https://own.invalid/{n}",
            "title": f"Orlex Toaster X9, part {n}",
            "text": f"Its slot number {n} is red.",
        }
        for n in range(2 * PAGES_PER_QUERY + 2)
    ]
    other = [{"url": "https://other.invalid", "title": "Orlex Toaster X10", "text": "Its slot is blue."}]
    knowledge = MemoryKnowledge(entities, own + other)
    view = seen(knowledge, "Orlex Toaster X9")
    plan = make_plan("what colour is it?", Conversation("c"), view, None, knowledge, now=TODAY)  # type: ignore[arg-type]
    read = {e.source for e in retrieve(plan, None, view, knowledge)}  # type: ignore[arg-type]
    assert {p["url"] for p in own} <= read
    assert "https://other.invalid" not in read
