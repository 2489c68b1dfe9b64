"""Parts of signs by their role, and what questions want read off."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.types import Frame, Look, Quality, Recognition, TextLine
from assistant.understanding.classifiers.sign_role import NO_ROLE, role_asked_of_sign, roles_asked
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

NOTHING = MemoryKnowledge([], [])


def _look(*rows: tuple[str, ...] | str) -> Look:
    """Lines of text below each other; cells of a row side by side. A row that begins with "#" is set twice as large."""
    lines: list[TextLine] = []
    top = 0.0
    for row in rows:
        cells = (row,) if isinstance(row, str) else row
        high = 60.0 if cells[0].startswith("#") else 30.0
        for n, cell in enumerate(cells):
            text = cell.removeprefix("#")
            left, right = 400.0 * n, 400.0 * n + high * 0.5 * len(text)
            lines.append(TextLine(text, 0.99, ((left, top), (right, top), (right, top + high), (left, top + high))))
        top += high * 1.6
    return Look(Quality(0.5, 0.2, 200.0), Frame(np.zeros((8, 8, 3), np.uint8)), (), tuple(lines))


CONCERT = _look("#Brass Band", "#of Ludham", "4 May 2031, 19:30", "Fish Hall", "Admission 8 €", "Tel. 0661 234 567")
CARD = _look(
    "#Mona Etteridge", "Clock repairer", "0661 998 877", "mona.etteridge@clocks.invalid", "Fen Lane 12, Ludham"
)
CAFE = _look(
    "#Kettle Corner", ("Lentil pie", "€ 7.20"), ("Oat cake", "€ 3.40"), ("Mint tea", "€ 2.90"), ("Cocoa", "€ 4.10")
)
CAT = _look("#LOST", "grey cat", "last seen 3 March 2031", "Mill Row, Ludham", "Reward: 75 €", "Call 0661 112 233")
HOURS = _look("#Reed & Daughter", ("Monday", "9:00-17:00"), ("Tuesday", "closed"), ("Wednesday", "9:00-17:00"))
CLOSED = _look("#ROAD CLOSED", "from 2 June 2031", "until 9 June 2031", "Reason: burst pipe")
FINE = _look("#NO MOORING", "Fine 120 €", "Ludham Harbour Office", "1934")
LABEL = _look("THIS WEEK", "#Barley Flakes", "500 g", "2.50 €", "40118")


@pytest.mark.parametrize(
    ("look", "question", "said"),
    [
        (CONCERT, "What happening is this poster advertising?", "Brass Band of Ludham"),
        (CONCERT, "what time do I have to be there for the beginning?", "19:30"),
        (CONCERT, "what do they charge at the door?", "8 €"),
        (CARD, "whose name is printed on this card?", "Mona Etteridge"),
        (CARD, "which town is this person based in, going by the card?", "Ludham"),
        (CAFE, "how many things can I choose from on this menu?", "4"),
        (CAFE, "I'm nearly broke, what costs the least on this menu?", "Mint tea"),
        (CAFE, "which thing on the menu would cost me the most?", "Lentil pie"),
        (CAFE, "what's the cheapest cake on it?", "Oat cake"),
        (CAT, "where was it last seen?", "Mill Row"),
        (CAFE, "what would I pay for the oat cake plus the cocoa?", "7.5"),
        (CAT, "if I find it, what do they give me?", "75 €"),
        (CAT, "which street should I keep my eyes open in, going by the poster?", "Mill Row"),
        (HOURS, "which day would I find the door locked, by this sign?", "Closed on Tuesday."),
        (CLOSED, "how many days in all is it shut?", "8 days"),
        (CLOSED, "what's the cause of the closure?", "burst pipe"),
        (FINE, "who had this sign put up?", "Ludham Harbour Office"),
        (FINE, "what will it cost me if I ignore it?", "120 €"),
        (LABEL, "what's this label for, which product?", "Barley Flakes"),
        (LABEL, "how much is in one pack, by this label?", "500 g"),
        (LABEL, "what does that make per kilo?", "5 "),
    ],
)
def test_a_part_is_read_whatever_words_it_is_asked_for_in(look: Look, question: str, said: str) -> None:
    text, reason, _, _ = answer(NOTHING, question, look=look, recognition=Recognition())
    assert said in text, (text, reason)


@pytest.mark.parametrize(
    ("look", "question"),
    [
        (CONCERT, "what's the reward for finding it?"),
        (CONCERT, "what is this called?"),
        (CARD, "how much does it cost to get in?"),
        (CAFE, "what's the fine if I park here?"),
        (CAFE, "what does it cost?"),
        (CAT, "who is its designer?"),
        (FINE, "what time does it begin?"),
        (FINE, "what is the name of the boat?"),
        (FINE, "who pays the fine?"),
        (CAFE, "which dish has the most protein?"),
        (CAFE, "which is sweeter, the oat cake or the mint tea?"),
        (CAFE, "how many desserts are there?"),
        (CAFE, "how many dishes are vegan?"),
        (CAFE, "what is the second cheapest thing on the menu?"),
        (CAFE, "which soup is the cheapest?"),
        (LABEL, "what's the reward?"),
        (LABEL, "how much protein is in the pack?"),
        (CONCERT, "what do 3 children pay to get in, if dogs are free?"),
        (CLOSED, "when will it reopen?"),
    ],
)
def test_what_does_not_stand_there_is_not_read(look: Look, question: str) -> None:
    text, _, _, _ = answer(NOTHING, question, look=look, recognition=Recognition())
    assert text == ""


def test_a_property_of_a_thing_is_no_role() -> None:
    for question in (
        "who built this tower?",
        "how heavy is it?",
        "when does this tulip flower?",
        "who wrote this book?",
    ):
        assert role_asked_of_sign(question) == "", question
    assert sum(roles_asked("who wrote this book?").values()) == pytest.approx(1.0)
    assert set(NO_ROLE) <= set(roles_asked("who wrote this book?"))
