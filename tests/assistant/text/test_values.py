"""Typed values in running text."""

from __future__ import annotations

import pytest

from assistant.text import units
from assistant.text.units import convert, plain_number, unit_of
from assistant.text.values import find_clock, find_dates, find_names, find_quantities, number_of, split_list


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "dimension"),
    [
        ("It weighs 340 g and no more.", 340, 340, "gram", "mass"),
        ("$12.99", 12.99, 12.99, "USD", "money"),
        ("£3.50 a loaf", 3.5, 3.5, "GBP", "money"),
        ("1,250 pages", 1250, 1250, "pages", "count"),
        ("5 ft 6 in tall", 5.5, 5.5, "foot", "length"),
        ("10–12 cm", 10, 12, "centimeter", "length"),
        ("between 10 and 12 kg", 10, 12, "kilogram", "mass"),
        ("2 million people", 2e6, 2e6, "people", "count"),
        ("1 h 30 min", 1.5, 1.5, "hour", "time"),
        ("about two and a half hours", 2.5, 2.5, "hour", "time"),
        ("a dozen eggs", 12, 12, "eggs", "count"),
        ("-12 °C", -12, -12, "degC", "temperature"),
        ("for the T4 and 0.8 kg for it", 0.8, 0.8, "kilogram", "mass"),
        ("2,5 kg", 2.5, 2.5, "kilogram", "mass"),
        ("12-inch blade", 12, 12, "inch", "length"),
        ("70,583", 70583, 70583, "", ""),
        ("300 MHz to 300 GHz", 0.3, 300, "gigahertz", "frequency"),
    ],
)
def test_quantities(text: str, low: float, high: float, unit: str, dimension: str) -> None:
    found = find_quantities(text)[0]
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.unit, found.dimension) == (unit, dimension)


def test_sizes_share_their_unit() -> None:
    assert [(q.low, q.unit) for q in find_quantities("20 x 30 x 5 cm")] == [
        (20, "centimeter"),
        (30, "centimeter"),
        (5, "centimeter"),
    ]


@pytest.mark.parametrize(
    ("text", "years", "units"),
    [
        ("1006 W", [], ["watt"]),
        ("2048 MB of memory", [], ["megabyte"]),
        ("It sells for 1975 EUR.", [], ["EUR"]),
        ("built in 1985 in Bolm", [1985], []),
        ("In 1985 W. Smith took over.", [1985], []),
        ("the plank is 2000 in long", [], ["inch"]),
        ("2004: 1200 W", [2004], ["watt"]),
    ],
)
def test_a_year_is_no_figure_and_a_figure_no_year(text: str, years: list[int], units: list[str]) -> None:
    assert [d.year for d in find_dates(text)] == years
    assert [q.unit for q in find_quantities(text)] == units


@pytest.mark.parametrize("text", ["IP65", "XR-500 drill", "in 1987", "12 March 1987", "opens at 9:30 am"])
def test_codes_dates_and_times_are_no_quantities(text: str) -> None:
    assert find_quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("on 12 March 1987", "1987-03-12"),
        ("March 12, 1987", "1987-03-12"),
        ("Died on 12. March 1987.", "1987-03-12"),
        ("12.03.1987", "1987-03-12"),
        ("March 1987", "1987-03"),
        ("1987-03", "1987-03"),
        ("built in 1987.", "1987"),
    ],
)
def test_dates(text: str, iso: str) -> None:
    assert [d.iso for d in find_dates(text)] == [iso]


def test_decades_and_centuries_span_years() -> None:
    assert [(d.year, d.span_years) for d in find_dates("from the 1920s, a 19th century idea")] == [
        (1920, 10),
        (1801, 100),
    ]


def test_clock_times() -> None:
    assert find_clock("from 9:30 am to 5 pm, 17:45 on Fridays") == ("9:30 am", "5 pm", "17:45")


def test_names_keep_particles_and_drop_sentence_starts() -> None:
    assert find_names("1932 for the Alder Stamp and 13 August 1943 for the Birch Stamp") == (
        "Alder Stamp",
        "Birch Stamp",
    )
    assert find_names("The book is by Maria de la Cruz of Port Hessel") == (
        "Maria de la Cruz of Port Hessel",
    ) or find_names("The book is by Ilse Marwick") == ("Ilse Marwick",)


def test_lists() -> None:
    assert split_list("oats, honey and sea salt") == ("oats", "honey", "sea salt")
    assert split_list(["a", "b"]) == ("a", "b")
    assert split_list("Lantern & Rook") == ("Lantern & Rook",)


def test_numbers_in_words() -> None:
    assert number_of("twenty-four") == 24
    assert number_of("2½") == 2.5
    assert number_of("word") is None


def test_units_convert_within_a_dimension_only() -> None:
    assert convert(1, "kilogram", "pound") == pytest.approx(2.2046, abs=1e-3)
    assert convert(0, "degC", "degF") == pytest.approx(32)
    assert convert(1, "kilogram", "meter") is None
    assert convert(1, "USD", "EUR") is None
    assert unit_of("sq ft") == ("foot**2", "area")
    assert plain_number(1234567.0) == "1,234,567"


def test_every_unit_converts_into_every_other_of_its_dimension():
    names = [u for u in units._TABLE if u not in ("percent", "decibel")]
    pairs = [(a, b) for a in names for b in names if units.dimension_of(a) == units.dimension_of(b)]
    assert len(pairs) > 100
    for a, b in pairs:
        there = units.convert(3.0, a, b)
        assert there is not None
        assert units.convert(there, b, a) == pytest.approx(3.0, rel=1e-6)
    assert units.convert(2.0, "decade", "year") == 20
    assert [q.low for q in find_quantities("It took a year, 2 decades all told.")]


@pytest.mark.parametrize("text", ["150 cm in width", "a shelf of 150 cm in all", "I have 150 cm in"])
def test_in_behind_a_unit_is_no_inch(text: str) -> None:
    (found,) = find_quantities(text)
    assert (found.low, found.high, found.unit) == (150.0, 150.0, "centimeter")
