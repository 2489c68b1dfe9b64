"""What kind of thing a name and its facts speak of: names of works and ships are called like other things."""

from __future__ import annotations

import pytest

from assistant.text.kinds import fits, kind_of, likely_kinds


@pytest.mark.parametrize(
    ("name", "attributes", "kind"),
    [
        ("The Lighthouse at Wexham", {"cost": "9"}, None),
        ("Owls over Wexham", {"cost": "9"}, None),
        ("Wexham: The Lantern", {"cost": "9"}, None),
        ("Merry Sandpiper", {"cost": "9"}, None),
        ("Owls over Wexham", {"pageCount": "90", "writtenBy": "Ida Brand"}, "book"),
        ("Owls over Wexham", {"page count": "90", "author": "Ida Brand"}, "book"),
        ("The Copper Clocks of Wexham", {"author": "Ida Brand", "display": "shelf 4"}, None),
        ("Bolm Kettle", {"cost": "9"}, "device"),
        ("Bolm Bicycle Pump", {"cost": "9"}, "device"),
        ("Wexham Abbey Bridge", {"spanTotal": "90 m", "town": "Wexham"}, "building"),
        ("Wexham Owl", {"wingspan": "90 cm"}, "animal"),
    ],
)
def test_a_name_speaks_where_it_is_no_title(name: str, attributes: dict[str, str], kind: str | None) -> None:
    assert kind_of(name, attributes) == kind


def test_a_word_of_two_kinds_leaves_both() -> None:
    assert set(likely_kinds("Bolm Kite Maverick", {"wingspan": "1 m"})) >= {"sport"}


def test_a_game_may_be_called_like_another_thing() -> None:
    facts = {"players": "2", "playing_time": "40 min"}
    assert kind_of("Drowned Kites of Wexham", facts) == "sport"
    assert fits("game", "Drowned Kites of Wexham", "sport", facts) >= 0
    assert fits("kite", "Bolm Stunt Kite", "sport", facts) == 1
