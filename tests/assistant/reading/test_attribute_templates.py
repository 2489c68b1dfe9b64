"""How attributes are said: keys that are verbs, prepositions and clauses get sentences of their own."""

from __future__ import annotations

import pytest

from assistant.reading.attribute_templates import spoken_attribute, spoken_dates
from assistant.reading.passage_sentence import passage_sentence
from assistant.understanding.intent import parse_clause


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("reaches", "3.5 m", "Oakby Lamp reaches 3.5 m."),
        ("ripens_in", "August", "Oakby Lamp ripens in August."),
        ("stands", "4", "Oakby Lamp has 4 stands."),  # a noun, where it is counted
        ("part_of", "the Harbour set", "Oakby Lamp is part of the Harbour set."),
        ("compatible_with", "E14 bulbs", "Oakby Lamp is compatible with E14 bulbs."),
        ("on_the_lid", "a brass knob, a hinge", "On the lid of Oakby Lamp: a brass knob and a hinge."),
        ("music_by", "Ada Finch", "The music of Oakby Lamp is by Ada Finch."),
        ("illustrations", "Ada Finch", "The illustrations of Oakby Lamp are by Ada Finch."),
        ("illustrations", "12", "Oakby Lamp has 12 illustrations."),
        ("owned_by", "Finch & Co", "Oakby Lamp is owned by Finch & Co."),
        ("painted_by", "Ada Finch", "Oakby Lamp was painted by Ada Finch."),
        ("joined_fleet", "2004-03", "Oakby Lamp joined fleet in March 2004."),
        ("renewed", "1998-06-07", "Oakby Lamp was renewed on 7 June 1998."),
        ("struck_by", "the royal mint", "Oakby Lamp was struck by the royal mint."),
        ("on_view_since", "2019", "Oakby Lamp has been on view since 2019."),
        ("num_drawers", "6", "Oakby Lamp has 6 drawers."),
        ("can_be_dimmed", "no", "Oakby Lamp cannot be dimmed."),
        ("still_sold", "no", "Oakby Lamp is no longer sold."),
        ("contains_lead", "no", "Oakby Lamp does not contain lead."),
        ("frost_resistant", "yes", "Oakby Lamp is frost resistant."),
        ("gift_wrap", "no", "Oakby Lamp: no gift wrap."),
        ("store_below", "8 °C", "Store Oakby Lamp below 8 °C."),
        ("oil_every", "6 weeks", "Oil Oakby Lamp every 6 weeks."),
        ("drying_time", "1 hours", "The drying time of Oakby Lamp is 1 hour."),
        ("drying_time", "11 hours", "The drying time of Oakby Lamp is 11 hours."),
        ("load_max", "4 kg", "The maximum load of Oakby Lamp is 4 kg."),
        ("price_per_l", "4 €", "The price per litre of Oakby Lamp is 4 €."),
        ("made_of", "oak, brass, glass", "Oakby Lamp is made of oak, brass and glass."),
        ("walk_min", "40 min", "The walk of Oakby Lamp is 40 min."),
        ("in_stock_now", "7", "7 of Oakby Lamp are in stock now."),
        ("weight", "2 kg", "Oakby Lamp weighs 2 kg."),
    ],
)
def test_keys_are_said_by_their_grammar(key: str, value: str, said: str) -> None:
    assert spoken_attribute("Oakby Lamp", key, value) == said


def test_dates_are_said_in_words_and_other_figures_left() -> None:
    assert spoken_dates("9 years: from 2001-05 to 2010-06-30.") == "9 years: from May 2001 to 30 June 2010."
    assert spoken_dates("Lamp 4001-05 costs 2010-90 €.") == "Lamp 4001-05 costs 2010-90 €."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("They carve it from one trunk.", "Oakby Lamp: They carve it from one trunk."),
        ("It is carved from one trunk.", "Oakby Lamp is carved from one trunk."),
        ("Its plate says: Made by hand.", "Oakby Lamp’s plate says: Made by hand."),
        ("Be careful: 2 loose steps.", "Oakby Lamp: Be careful: 2 loose steps."),
        ("Grown in: Wexham.", "Oakby Lamp is grown in Wexham."),
    ],
)
def test_sentences_of_pages_keep_their_grammar(text: str, said: str) -> None:
    assert passage_sentence("Oakby Lamp", text, parse_clause("how is it made?")) == said
