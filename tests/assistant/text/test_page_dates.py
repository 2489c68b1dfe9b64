"""When a page was written, and that the newer of two pages stands."""

from __future__ import annotations

import datetime

import pytest

from assistant.core.types import Conversation
from assistant.reading.retrieve import retrieve
from assistant.text.page_dates import page_date
from assistant.understanding.plan import make_plan
from tests.assistant.reading.memory import MemoryKnowledge, seen

TODAY = datetime.date(2026, 6, 1)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Delft, 4 March 2021. The mill turns again.", "2021-03-04"),
        ("4 March 2021: the mill turns again.", "2021-03-04"),
        ("The mill turns again. Last updated: March 4, 2021", "2021-03-04"),
        ("The mill turns again. (posted on 4 March 2021, edited once)", "2021-03-04"),
        ("Published 2021-03-04. Revised 2022-01-09. The mill turns.", "2022-01-09"),
        ("The mill turns again. That was my note of 4 March 2021. Bye.", None),
        ("The mill turns again. Greetings from the road, 4 March 2021.", "2021-03-04"),
        ("The mill turns again. Greetings from the road, 4 March 2031.", None),
        ("Her novel was published on 4 March 2021 by a small press. I liked it very much, and so did my mother.", None),
        ("It opened on 4 March 2021.", None),
        ("It burned in June 2023 and stands again. Greetings, 4 March 2021.", None),
        ("The mill was built in 1821.", None),
        ("", None),
    ],
)
def test_a_page_says_when_it_was_written(text: str, date: str | None) -> None:
    assert page_date(text, TODAY) == date


def test_when_a_sentence_was_posted_is_no_part_of_what_it_says() -> None:
    url, name = "https://a.invalid", "Orlex Jug"
    told = "The Orlex Jug came out in May 2004. It pours well. (posted on 4 March 2023, edited once)"
    knowledge = MemoryKnowledge([{"name": name, "attributes": {}}], [{"url": url, "title": name, "text": told}])
    plan = make_plan("when did it come out?", Conversation("c"), seen(knowledge, name), None, knowledge)  # type: ignore[arg-type]
    found = retrieve(plan, None, seen(knowledge, name), knowledge)  # type: ignore[arg-type]
    said = {e.text: e.written for e in found if e.kind == "passage"}
    assert said["It pours well."] == "2023-03-04"
    assert any("May 2004" in text for text in said)
