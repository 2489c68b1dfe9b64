"""Values are written in one way, wherever they come from."""

from __future__ import annotations

import pytest

from assistant.text.written_values import alike


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("EUR 13,500 together, 57 euros and 457.50 €", "€13,500 together, €57 and €457.50"),
        ("5 cost 1260 EUR.", "5 cost €1,260."),
        ("12 CHF and 3 pounds", "12 CHF and 3 pounds"),
        ("2040 g, 31550.5 kg, 1950 m", "2,040 g, 31,550.5 kg, 1,950 m"),
        ("1978 in Bolm, the 1990s, from 1443 to 1479", "1978 in Bolm, the 1990s, from 1443 to 1479"),
        ("It says “EUR 5 and 2040 g”.", "It says “EUR 5 and 2040 g”."),
        ("Call 0555 311 7673 m", "Call 0555 311 7673 m"),
        ("10–20 €, 3000–5000 kg, Saab 9000 T", "10–20 €, 3000–5000 kg, Saab 9000 T"),
        ("", ""),
    ],
)
def test_money_and_large_measures_are_written_alike(written: str, shown: str):
    assert alike(written) == shown
    assert alike(shown) == shown
