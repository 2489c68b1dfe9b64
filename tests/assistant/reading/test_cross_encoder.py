"""The matcher: scores of question and fact pairs, weighed with what speaks against a fact."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.paths import WEIGHTS_DIR
from assistant.reading.scoring.cross_encoder import FILE_NAME, Matcher, changes_in, matcher, stored_change
from assistant.reading.scoring.fact_ranker import LinkSigns, RankingFeatures, answer_probability, linked
from assistant.text.encoder import text_encoder

PAIRS = [
    ("how heavy is it?", "net weight: 420 g"),
    ("how heavy is it?", "The label was drawn by a schoolteacher, who was paid in soup for it and never complained."),
    ("where was the woman who drew it born", "artist: Ilse Marrow > Ilse Marrow grew up on a barge in Tarn."),
]


def test_scores_depend_on_the_pair_alone() -> None:
    facts = [f for _, f in PAIRS]
    together = matcher().scores("how heavy is it?", facts, text_encoder().encode)
    alone = Matcher.load().scores("how heavy is it?", facts[:1], text_encoder().encode)
    assert np.allclose(together[0], alone[0], atol=1e-3)
    assert together[0, 0] > together[1, 0]
    assert matcher().scores("how heavy is it?", [], text_encoder().encode).shape == (0, 2)


def test_a_missing_or_foreign_file_is_said(tmp_path) -> None:
    with pytest.raises(NotReady, match="again"):
        Matcher.load(tmp_path)
    np.savez(tmp_path / FILE_NAME, format_version=99, text_encoder="other")
    with pytest.raises(NotReady, match="99"):
        Matcher.load(tmp_path)
    assert (WEIGHTS_DIR / "reader" / FILE_NAME).stat().st_size < 11_000_000


def test_weighing_falls_with_what_speaks_against_a_fact() -> None:
    good, bad = RankingFeatures(1.0, 0.5, 1.0, affinity=0.6), RankingFeatures(-1.0, -0.5, -1.0, affinity=0.1)
    for kind in ("direct", "chain"):
        assert answer_probability(good, kind) > 0.5 > answer_probability(bad, kind)
    stored = json.loads((WEIGHTS_DIR / "reader" / "weigh.json").read_text())
    assert all(len(stored[kind]["weights"]) == len(good.vector()) for kind in ("direct", "chain"))
    sure, unsure = LinkSigns(0.5, 1.0, affinity=0.6), LinkSigns(-0.5, -1.0, affinity=0.1)
    assert linked(sure) > 0.5 > linked(unsure)


def test_recent_pairs_are_not_read_again(monkeypatch) -> None:
    fresh = Matcher.load()
    encode = text_encoder().encode
    first = fresh.scores("price?", ["price: 3 EUR", "height: 3 m"], encode)
    monkeypatch.setattr(fresh._model, "encode_pairs", lambda pairs: pytest.fail(f"read again: {pairs}"))
    assert np.array_equal(first, fresh.scores("price?", ["price: 3 EUR", "height: 3 m"], encode))


def test_a_change_is_stored_in_eight_bits_and_found_again() -> None:
    change = np.random.default_rng(0).normal(size=(12, 5)).astype(np.float32) * np.array([1, 1e-3, 0, 5, 1e-6])
    stored = stored_change("layer.query", change)
    found = changes_in(stored | {"heads": np.ones(2)})
    assert list(found) == ["layer.query"]
    assert stored["layer.query.change"].dtype == np.int8
    assert (np.abs(found["layer.query"] - change) <= np.abs(change).max(axis=0) / 250).all()
