"""Questions and facts in the space that was fitted for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from assistant.answering import affinity as module
from assistant.answering.affinity import Tower, affinity
from assistant.answering.affinity_training import Material, Towers, fit
from assistant.errors import NotReady
from assistant.search.text_encoder import text_encoder


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


def test_the_networks_in_numpy_are_those_in_torch(tmp_path: Path) -> None:
    torch.manual_seed(1)
    model = Towers()
    with torch.no_grad():
        model.towers["asked"]["outer"].weight.normal_(std=0.05)
    model.eval()
    stored = model.arrays()
    tower = Tower(*(stored[f"asked_{part}"].astype(np.float32) for part in Tower.__dataclass_fields__))
    vectors = np.random.default_rng(0).normal(size=(5, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with torch.no_grad():
        expected = model(torch.from_numpy(vectors), "asked").numpy()
    assert tower(vectors) == pytest.approx(expected, abs=2e-3)


def test_a_fit_brings_questions_to_their_answers() -> None:
    """Six made-up properties whose statements lie elsewhere than their questions."""
    chance = np.random.default_rng(3)
    base, turned = chance.normal(size=(6, 384)), chance.normal(size=(6, 384))
    near = lambda centre: [centre + 0.4 * chance.normal(size=384) for _ in range(3)]  # noqa: E731
    rows = [v for n in range(6) for v in (*near(base[n]), *near(turned[n]))]
    vectors = np.array(rows, np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    properties = [([6 * n, 6 * n + 1, 6 * n + 2], [6 * n + 3, 6 * n + 4, 6 * n + 5], []) for n in range(6)]
    facts = [6 * n + 3 for n in range(6)]
    questions = [(6 * n, facts, [int(f == 6 * n + 3) for f in facts]) for n in range(6)] * 8
    found = fit(Material(torch.from_numpy(vectors), properties, questions), steps=60, progress=lambda line: None)
    with torch.no_grad():
        asked = found(torch.from_numpy(vectors[[6 * n + 1 for n in range(6)]]), "asked")
        told = found(torch.from_numpy(vectors[[6 * n + 4 for n in range(6)]]), "told")
    assert (asked @ told.T).argmax(1).tolist() == list(range(6))


def test_what_is_made_for_another_encoder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reader").mkdir()
    np.savez(tmp_path / "reader" / module.FILE_NAME, encoder=np.array("another"))
    monkeypatch.setattr(module, "ASSETS_DIR", tmp_path)
    affinity.cache_clear()
    try:
        with pytest.raises(NotReady, match="affinity_training"):
            affinity()
    finally:
        affinity.cache_clear()
