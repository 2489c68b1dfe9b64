"""What somebody only says is no fact: neither in a question, nor on a page whose writer does not vouch for it."""

from __future__ import annotations

import pytest

from assistant.understanding.preamble import without_claimed_figures
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

NAME = "Halden Tin Lantern"
LANTERN = MemoryKnowledge(
    [{"name": NAME, "attributes": {"since": "1974", "price": "3.40 €", "net_weight": "260 g"}}], []
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("I'm told it is from 1990, how old is it?", "52 years"),
        ("how old was it in 1990?", "16 years"),
        ("I heard it has 12 panes; how much is one?", "€3.40"),
        ("my friend says it costs 9 euros. what do three cost?", "€10.20"),
        ("my friend says it weighs 260 g, is she right?", "Yes"),
    ],
)
def test_figures_that_a_question_only_reports_are_not_reckoned_with(question: str, said: str) -> None:
    text = answer(LANTERN, question, NAME)[0]
    assert said in text
    assert "for 12" not in text


@pytest.mark.parametrize(
    "question",
    [
        "I am told it weighs 300 g, is that right?",
        "they say it weighs 500 g, does it?",
        "the label says 300 g, so what do 4 weigh?",
        "I have 20 euros, how many can I buy?",
        "my shelf is 40 cm high, so does it fit?",
    ],
)
def test_claims_that_are_asked_about_and_what_the_asker_knows_stay(question: str) -> None:
    assert without_claimed_figures(question) == question


def test_a_page_that_was_only_told_so_gives_way() -> None:
    pages = [{"url": "https://x.invalid/1", "title": NAME, "text": "Lit it burns for 17 hours, I am told."}]
    pages.append({"url": "https://x.invalid/2", "title": NAME, "text": "It burns for 12 hours."})
    knowledge = MemoryKnowledge([{"name": NAME, "attributes": {"price": "3.40 €"}}], pages)
    assert "12 hours" in answer(knowledge, "how long does it burn?", NAME)[0]
