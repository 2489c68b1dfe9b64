"""Questions and facts in the space that was fitted for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.reading.scoring import bi_encoder as module
from assistant.reading.scoring.bi_encoder import affinity
from assistant.text.encoder import text_encoder


def test_cosines_of_the_nearest_wording() -> None:
    encode = text_encoder().encode
    facts = ["net weight: 420 g", "It opened in 1931.", "Painted by Ib Dun."]
    both = affinity().between(["how heavy is it?", "when was it opened?"], facts, encode)
    one = affinity().between(["how heavy is it?"], facts, encode)
    assert both.shape == (3,)
    assert (np.abs(both) <= 1 + 1e-5).all()
    assert both[0] == pytest.approx(one[0], abs=1e-5)
    assert both[1] > one[1]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("could my grandmother lift it?", "On the kitchen scales it came to 14 kilos.", "It is 14 cm wide."),
        ("out of what did they put it up?", "Slate and larch were used for it.", "It was put up for sale in May."),
        ("whose idea was it?", "The drawing came from Ib Dun.", "It is an ideal gift for children."),
        ("when do they let you in?", "The doors are unlocked at nine.", "It was founded in 1931."),
    ],
)
def test_unusual_words_come_near_to_what_answers(question: str, right: str, wrong: str) -> None:
    near = affinity().between([question], [right, wrong], text_encoder().encode)
    assert near[0] > near[1]


def test_what_is_made_for_another_encoder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reader").mkdir()
    np.savez(tmp_path / "reader" / module.FILE_NAME, encoder=np.array("another"))
    monkeypatch.setattr(module, "WEIGHTS_DIR", tmp_path)
    affinity.cache_clear()
    try:
        with pytest.raises(NotReady, match="again"):
            affinity()
    finally:
        affinity.cache_clear()
