"""Contradictions are settled among statements of one property; support from another source makes surer."""

from __future__ import annotations

import dataclasses
import datetime

import pytest

from assistant.core.types import Evidence
from assistant.reading.passage_sentence import passage_sentence
from assistant.reading.scoring.conflict_resolution import rival_of, settle
from assistant.reading.scoring.evidence_scoring import ScoredEvidence
from assistant.reading.scoring.fact_ranker import decided, led_to
from assistant.reading.scoring.rank import agreement
from assistant.text.encoder import text_encoder
from assistant.understanding.expected_answer import expected_of
from assistant.understanding.intent import parse_clause

TODAY = datetime.date(2026, 11, 21)


def _page(n: int, text: str, probability: float, title: str = "The Gull") -> ScoredEvidence:
    return ScoredEvidence(
        Evidence(f"p{n}", "passage", f"https://p{n}.invalid", text, 0.0, subject="Gull", title=title), probability
    )


def _stated(key: str, value: str, probability: float) -> ScoredEvidence:
    e = Evidence(f"a:{key}", "attribute", "index", f"{key}: {value}", 0.0, subject="Gull", key=key, value=value)
    return ScoredEvidence(e, probability)


def _settled(question: str, *judged: ScoredEvidence):
    ordered = sorted(judged, key=lambda j: -j.probability)
    found = settle(ordered, parse_clause(question), TODAY, text_encoder().encode)
    assert found is not None
    return found


def test_a_figure_of_another_property_is_no_rival() -> None:
    visitors = _page(0, "Some 88,400 people climb the Gull in a year.", 0.9)
    found = _settled("how many people come in a year?", visitors, _stated("window_count", "36", 0.3))
    assert found.evidence.id == "p0"
    assert not found.note


def test_a_rival_says_something_else_of_another_property() -> None:
    encode, asked = text_encoder().encode, parse_clause("how heavy is it?")
    lead = _page(0, "On the scales it is 4.2 kg.", 0.8)
    again, other = _stated("weight", "4.2 kg", 0.6), _page(1, "It carries 30 kg of ballast.", 0.5)
    late = _page(2, "Now it weighs 4.4 kg.", 0.4)
    assert rival_of(lead.evidence, [lead, again], asked, encode) == 0.0
    assert rival_of(lead.evidence, [lead, again, other, late], asked, encode) == 0.5


def test_what_its_writer_doubts_is_no_answer_by_itself() -> None:
    doubted = _page(0, "Not sure, but somebody told me it weighs 4.2 kg.", 0.8)
    again, plain = _page(1, "It weighs 4.2 kg.", 0.7), _page(2, "A friend told me all about it: it weighs 4.2 kg.", 0.8)
    assert _settled("how heavy is it?", doubted).probability < 0.5
    assert _settled("how heavy is it?", doubted, again).probability > 0.8
    assert _settled("how heavy is it?", plain).probability == pytest.approx(0.8)


def test_a_close_rival_makes_less_sure() -> None:
    assert decided(0.8, 0.0) > decided(0.8, 0.5) > decided(0.4, 0.5)


def test_the_index_stands_against_a_page_on_the_same_property() -> None:
    page = _page(0, "I read that the Gull weighs 4.2 kg.", 0.8)
    found = _settled("how heavy is it?", page, _stated("weight", "3.9 kg", 0.4))
    assert found.evidence.id == "a:weight"
    assert found.note


def test_hearsay_puts_no_page_out_of_date() -> None:
    said = ScoredEvidence(
        dataclasses.replace(_page(0, "The Gull has 14 rooms.", 0.6).evidence, written="2023-03-01"), 0.6
    )
    heard = _page(1, "From memory, so correct me: the Gull has 19 rooms.", 0.8)
    heard = ScoredEvidence(dataclasses.replace(heard.evidence, written="2026-02-01"), 0.8)
    plain = ScoredEvidence(dataclasses.replace(heard.evidence, text="The Gull has 19 rooms."), 0.8)
    assert _settled("how many rooms does it have?", said, heard).evidence.id == "p0"
    assert _settled("how many rooms does it have?", said, plain).evidence.id == "p1"


def test_a_value_that_a_new_page_gives_too_is_not_out_of_date() -> None:
    def on(judged: ScoredEvidence, day: str) -> ScoredEvidence:
        return ScoredEvidence(dataclasses.replace(judged.evidence, written=day), judged.probability)

    old = on(_page(0, "The Gull has 82 rooms.", 0.9), "2022-01-05")
    other = on(_page(1, "There are 95 rooms in the Gull.", 0.6), "2026-02-01")
    again = on(_page(2, "Up to 82 rooms can be let.", 0.3), "2026-03-01")
    assert _settled("how many rooms does it have?", old, other).evidence.id == "p1"
    assert _settled("how many rooms does it have?", old, other, again).evidence.id == "p0"


def test_hearsay_gives_way_to_a_less_likely_wording_that_is_vouched_for() -> None:
    told = _page(0, "Somebody at the market told me: Shops ask 80 euros for it.", 0.6)
    paid = _page(1, "I paid 55 euros, which is fair enough.", 0.16)
    assert _settled("what does it cost?", told, paid).evidence.id == "p1"
    sure = _page(0, "Shops ask 80 euros for it.", 0.6)
    assert _settled("what does it cost?", sure, paid).evidence.id == "p0"


def test_a_unit_in_a_key_gives_way_to_the_one_of_the_value() -> None:
    time, length = expected_of("for how long is it covered?"), expected_of("how wide is it?")
    assert agreement(time, "8 cm", "dim_h") < 0 < agreement(length, "8 cm", "dim_h")
    assert agreement(time, "12", "charge_h") > 0


def test_a_second_source_makes_surer_and_the_same_source_does_not() -> None:
    first, again = _page(0, "On sale since 2011.", 0.35), _stated("launched", "2011", 0.3)
    alone = _settled("since when has it been on sale?", first)
    both = _settled("since when has it been on sale?", first, again)
    assert both.probability > alone.probability == pytest.approx(0.35)
    twin = ScoredEvidence(
        Evidence("p9", "passage", "https://p0.invalid", "It has been sold since 2011.", 0.0, subject="Gull"), 0.3
    )
    assert _settled("since when has it been on sale?", first, twin).probability == pytest.approx(0.35)


def test_when_a_page_was_written_is_no_part_of_the_answer() -> None:
    said = passage_sentence(
        "Gull", "Around for ages, since 1987. (posted on 3 May 2024, edited once)", parse_clause("since when?")
    )
    assert "1987" in said
    assert "2024" not in said


def test_a_question_that_the_page_asks_itself_is_not_said() -> None:
    said = passage_sentence(
        "Gull", "What does it eat? Worms, flies and fallen fruit.", parse_clause("what does it eat?")
    )
    assert said == "Gull: Worms, flies and fallen fruit."


def _dated(id: str, text: str, probability: float, **about: str) -> ScoredEvidence:
    kind = "attribute" if "key" in about else "passage"
    return ScoredEvidence(Evidence(id, kind, f"https://{id}.invalid", text, 0.0, subject="Gull", **about), probability)


def test_a_year_that_is_stated_makes_no_statement_newer() -> None:
    hearsay = _dated("p1", "Not sure, but I believe: it has been on the market since January 2003.", 0.75)
    index = _dated("a1", "launch: September 2017", 0.7, key="launch", value="September 2017")
    page = _dated("p2", "It was introduced in September 2017.", 0.6, written="2026-03-01")
    settled = _settled("when was it first sold?", hearsay, index, page)
    assert "2017" in settled.evidence.text


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("does it glow red or like what?", "any"),
        ("is it made in the north or where?", "place"),
        ("how far back does it go?", "date"),
        ("which shades can I buy it in?", "colour"),
        ("does it glow red or green?", "yesno"),
        ("when is it sold?", "date"),
        ("when does it melt?", "quantity"),
        ("what time goes by until it is ripe?", "quantity"),
        ("at what time does it ring?", "clock"),
        ("what time must a bell founder spend on one?", "quantity"),
        ("what time does the show start?", "clock"),
        ("in which village do they live who cast it?", "place"),
        ("who cast it in that village?", "person"),
        ("do I buy a cover for it, or what's in the parcel already?", "any"),
        ("is it dear or what does it cost?", "quantity"),
        ("which person thought it up?", "person"),
        ("what's the name of the one who thought it up?", "person"),
        ("the village where it was woven", "place"),
        ("the woman who wove it is how old?", "age"),
    ],
)
def test_kinds_of_answer(question: str, kind: str) -> None:
    assert expected_of(question).kind == kind


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("what's the number of those who have that medal?", ""),
        ("how many pieces of this shirt are still there?", ""),
        ("how many pieces does the puzzle have?", "pieces"),
        ("how many grams of this go into it, at most?", ""),
        ("how many rooms does it have?", "rooms"),
    ],
)
def test_what_is_counted(question: str, noun: str) -> None:
    asked = parse_clause(question)
    assert (asked.expected.noun, asked.scale) == (noun, None)


def test_who_is_in_charge_is_no_matter_of_money() -> None:
    assert expected_of("what's the headcount of the firm in charge of it?").dimensions != {"money"}


def test_degrees_may_be_of_heat_and_kilometres_an_hour_are_a_speed() -> None:
    assert "temperature" in expected_of("at most how many degrees may it have?").dimensions
    assert expected_of("how many kilometres an hour does it do?").dimensions == {"speed"}


def _written(n: int, text: str, probability: float, written: str | None) -> ScoredEvidence:
    found = _page(n, text, probability)
    return ScoredEvidence(dataclasses.replace(found.evidence, written=written), probability)


def test_the_page_written_later_stands() -> None:
    old = _written(0, "It is sold at €410.", 0.8, "2014-02-05")
    new = _written(1, "Shops ask 560 euros for it.", 0.7, "2025-05-13")
    found = _settled("what does it cost?", old, new)
    assert found.evidence.id == "p1"
    assert "2025" in found.note
    assert _settled("what does it cost?", old, new).evidence == _settled("what does it cost?", new, old).evidence


def test_the_index_stands_against_an_old_page_and_hearsay_gives_way_to_a_page_of_like_age() -> None:
    old = _written(0, "It weighs 4.2 kg.", 0.8, "2014-02")
    assert _settled("how heavy is it?", old, _stated("weight", "3.9 kg", 0.4)).evidence.id == "a:weight"
    heard = _written(1, "I think I heard that it weighs 4.4 kg.", 0.8, "2026-03-01")
    plain = _written(2, "It weighs 3.9 kg.", 0.6, "2025-08-01")
    assert _settled("how heavy is it?", heard, plain).evidence.id == "p2"


def test_an_entry_under_another_key_is_no_rival_of_a_figure_that_the_index_has() -> None:
    page = _page(0, "Face value: 4.60 €.", 0.5)
    entries = (_stated("face_value", "4.60 EUR", 0.04), _stated("catalogue_value", "457.50 EUR", 0.1))
    assert _settled("what is printed on it, in euros?", page, *entries).evidence.id == "p0"


def test_a_hardly_probable_statement_does_not_overrule_a_sure_one() -> None:
    found = _settled(
        "how long does it keep once it is open?",
        _page(1, "Keeps after opening: 21 days.", 0.97),
        _stated("shelf_life", "22 months", 0.06),
    )
    assert "21 days" in found.evidence.text


def test_a_figure_that_the_index_has_under_another_key_is_no_rival() -> None:
    found = _settled(
        "at what temperature does it melt?",
        _page(1, "It melts at 38 °C, we tried it.", 0.9),
        _page(2, "It boils at 378 °C, keep the window open (as of 2026).", 0.7),
        _stated("mp", "38 °C", 0.5),
        _stated("bp", "378 °C", 0.1),
    )
    assert "38 °C" in found.evidence.text
    assert "378" not in found.evidence.text


def test_who_says_that_he_does_not_know_gives_way_to_who_does_not_say_so_on_the_same_forum() -> None:
    unsure = _page(0, "From memory, so correct me: There are 1,250 left.", 0.9, "Gull? - Harbour Forum")
    plain = _page(1, "6,650 of them are left, they counted.", 0.88, "Gull? - Harbour Forum")
    assert _settled("how many are there left?", unsure, plain).evidence.id == "p1"


def test_a_figure_that_hardly_speaks_of_the_same_needs_to_be_nearly_as_probable() -> None:
    """Both are lengths of a ball; that the index has one of them says nothing against the other."""
    around = _page(0, "Around the middle it is 73.5 cm.", 0.96)
    assert _settled("how many cm around its belly?", around, _stated("rebound", "151 cm", 0.47)).evidence.id == "p0"


def test_the_same_figure_from_elsewhere_supports_however_it_is_worded() -> None:
    alone = _settled("how many are there left?", _page(0, "The last count found 40,900 of them.", 0.7))
    both = _settled(
        "how many are there left?",
        _page(0, "The last count found 40,900 of them.", 0.7),
        _stated("population_estimate", "40900", 0.3),
    )
    assert both.probability > alone.probability


def test_a_fact_behind_a_relation_is_as_sure_as_the_relation() -> None:
    assert led_to(0.9, 0.95) == pytest.approx(0.9, abs=0.06)
    assert led_to(0.8, 0.2) < 0.5 < led_to(0.8, 0.7)
    assert led_to(0.9, 1.0) <= 0.9
    assert led_to(0.999, 0.05) == 0.0  # what a surer relation rules out


def test_hearsay_gives_way_to_another_sentence_that_answers_as_surely() -> None:
    heard = _page(1, "Not sure, but I believe: Shops ask EUR 222.00 for it.", 0.71)
    paid = _page(2, "I paid 658 euros, which is fair enough.", 0.53)
    assert _settled("what does it cost?", heard, paid).evidence is paid.evidence


def test_two_attributes_that_answer_are_two_properties() -> None:
    new, used = _stated("price", "658 EUR", 0.8), _stated("resale_value", "222 EUR", 0.6)
    settled = _settled("what does it cost?", new, used)
    assert settled.evidence is new.evidence
    assert not settled.note
