"""Questions that bring figures of their own, groups of things, and tables on the frame."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.types import Frame, Look, Quality, Recognition, TextLine
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {
        "name": f"Larch Road {n}",
        "attributes": {"pages": pages, "series": "Tales of Larch Road", "price": price, "guarantee": "24 months"},
    }
    for n, pages, price in (("One", "240", "$10.00"), ("Two", "300", "$12.50"), ("Three", "180", "$9.00"))
]
KNOWLEDGE = MemoryKnowledge(ENTITIES, [])


def _cells(*cells: tuple[str, float, float]) -> Look:
    lines = []
    for text, x, y in cells:
        w = 10.0 * len(text)
        lines.append(TextLine(text, 0.95, ((x, y), (x + w, y), (x + w, y + 20), (x, y + 20))))
    return Look(Quality(0.5, 0.2, 100.0), Frame(np.zeros((4, 4, 3), np.uint8)), texts=tuple(lines))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many books are in this series?", "3"),
        ("tell me, the size of this series?", "3 in"),
        ("so how large is this series?", "3 in"),
        ("how many pages do all the books of this series have together?", "720"),
        ("which is the cheapest in this series?", "Larch Road Three"),
        ("How many books does the series have?", "3"),
        ("how many books belong to this series in all?", "3"),
        ("how many pages does this whole series have?", "720"),
        ("how big is the series that the book I'm looking at is part of?", "3"),
        ("I want the cheapest of this series: which is it?", "Larch Road Three"),
        ("could you list the rest of the series for me?", "Larch Road Two"),
        ("everything in this series together: what does it cost?", "31.5"),
        ("give me the one that is cheaper, this or Larch Road Three.", "Larch Road Three"),
        ("I bought it on 4 October 2026, until when is it covered by the guarantee?", "4 October 2028"),
        ("what would 3 of these cost?", "$30"),
    ],
)
def test_figures_of_the_question_and_the_index(question: str, wanted: str) -> None:
    text, _, _, _ = answer(KNOWLEDGE, question, "Larch Road One")
    assert wanted in text


TRAMS = _cells(
    ("Harbour", 10, 10),
    ("Airport", 210, 10),
    ("09:00", 15, 60),
    ("09:20", 215, 60),
    ("12:10", 15, 100),
    ("11:45", 215, 100),
    ("18:30", 15, 140),
)
HOURS = _cells(
    ("Monday", 10, 10),
    ("08:30-18:00", 200, 10),
    ("Tuesday", 10, 50),
    ("09:00-17:00", 200, 50),
    ("Sunday", 10, 90),
    ("closed", 200, 90),
)
MENU = _cells(("Onion soup", 10, 10), ("€ 7.50", 300, 10), ("Plum tart", 10, 50), ("€ 4.30", 300, 50))


@pytest.mark.parametrize(
    ("look", "question", "wanted"),
    [
        (TRAMS, "it is 10:00, when can I get away to the airport?", "11:45"),
        (TRAMS, "how many go to the harbour?", "3"),
        (TRAMS, "when is the first one to the airport?", "09:20"),
        (HOURS, "is it open on Monday at 17:30?", "Yes"),
        (HOURS, "are they open on Sunday at 11:00?", "No"),
        (HOURS, "when do they close on Tuesday?", "17:00"),
        (MENU, "if I pay the plum tart with 10 euros, how much do I get back?", "5.70"),
        (MENU, "how much is the onion soup?", "7.50"),
    ],
)
def test_tables_on_the_frame(look: Look, question: str, wanted: str) -> None:
    nothing = Recognition(reason="I do not recognise what is in the picture")
    text, _, _, _ = answer(MemoryKnowledge([], []), question, look=look, recognition=nothing)
    assert wanted in text
