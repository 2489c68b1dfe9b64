"""Keys of attributes as English, and which extent a sentence gives."""

from __future__ import annotations

import pytest

from assistant.text.attribute_keys import spoken_key, stated_value


@pytest.mark.parametrize(
    ("key", "spoken"),
    [
        ("dim_w", "width"),
        ("size_h", "height"),
        ("frame_dim_d", "frame depth"),
        ("dims_l", "length"),
        ("format_w", "width"),
        ("power_w", "power"),
        ("netWeight_g", "net weight"),
        ("size", "size"),
        ("loa_m", "overall length"),
    ],
)
def test_keys_are_said_in_words(key: str, spoken: str) -> None:
    assert spoken_key(key) == spoken


def test_a_side_is_no_unit() -> None:
    assert stated_value("dim_h", "12") == "12"
    assert stated_value("power_w", "12") == "12 w"
