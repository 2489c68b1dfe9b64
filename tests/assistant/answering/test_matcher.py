"""The matcher: numpy equals the trained module, the practice material is sound, and it helps on another hand's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.answering.matcher import FILE_NAME, FORMAT_VERSION, Matcher, changes_in, matcher, stored_change
from assistant.answering.practice import DATA_DIR, facts_of, practices, read_things, varied
from assistant.answering.weigh import LinkSigns, Signs, linked, weighed
from assistant.errors import NotReady
from assistant.search.text_encoder import VERSION, text_encoder
from assistant.settings import ASSETS_DIR

from .held_out import FILE, PLAIN_FILE, figures

PAIRS = [
    ("how heavy is it?", "net weight: 420 g"),
    ("how heavy is it?", "The label was drawn by a schoolteacher, who was paid in soup for it and never complained."),
    ("where was the woman who drew it born", "artist: Ilse Marrow > Ilse Marrow grew up on a barge in Tarn."),
]


def test_numpy_reads_pairs_as_the_trained_module_does(tmp_path) -> None:
    import torch

    from assistant.answering.match_training import CrossEncoder

    torch.manual_seed(3)
    model = CrossEncoder().eval()
    for weight in model.matrices.values():
        weight.data += torch.randn_like(weight) * 0.02
    arrays = model.arrays()
    np.savez(tmp_path / FILE_NAME, format_version=FORMAT_VERSION, text_encoder=VERSION, **arrays)
    ours = Matcher.load(tmp_path)
    cosines = []
    for question, fact in PAIRS:
        v = text_encoder().encode([question, fact])
        cosines.append(float(v[0] @ v[1]))
        own = ours.scores(question, [fact], text_encoder().encode)[0]
        with torch.no_grad():
            theirs = model([(question, fact)], torch.tensor([cosines[-1]]))[0].numpy()
        assert np.allclose(own, theirs, atol=3e-2), (question, fact)  # the file keeps eight bits
    changed = np.abs(ours._model.encode_pairs(PAIRS) - text_encoder().adapted({}, 80).encode_pairs(PAIRS))
    assert changed.max() > 0.01


def test_scores_depend_on_the_pair_alone() -> None:
    facts = [f for _, f in PAIRS]
    together = matcher().scores("how heavy is it?", facts, text_encoder().encode)
    alone = Matcher.load().scores("how heavy is it?", facts[:1], text_encoder().encode)
    assert np.allclose(together[0], alone[0], atol=1e-3)
    assert together[0, 0] > together[1, 0]
    assert matcher().scores("how heavy is it?", [], text_encoder().encode).shape == (0, 2)


def test_a_missing_or_foreign_file_is_said(tmp_path) -> None:
    with pytest.raises(NotReady, match="match_training"):
        Matcher.load(tmp_path)
    np.savez(tmp_path / FILE_NAME, format_version=99, text_encoder="other")
    with pytest.raises(NotReady, match="99"):
        Matcher.load(tmp_path)
    assert (ASSETS_DIR / "reader" / FILE_NAME).stat().st_size < 11_000_000


def test_every_reference_of_the_readings_exists() -> None:
    files = sorted(DATA_DIR.glob("*.jsonl"))
    assert len(files) >= 5
    names: list[str] = []
    for path in [*files, FILE, PLAIN_FILE]:
        things = read_things([path])
        names += [t["name"] for t in things]
        for thing in things:
            known = set(facts_of(thing))
            known |= {f"o{n}:{ref}" for n, other in enumerate(thing["others"]) for ref in facts_of(other)}
            for q in thing["questions"]:
                assert set(q["answers"]) | set(q.get("link", [])) <= known, (thing["name"], q["q"])
                assert bool(q["answers"]) == (q["type"] != "none"), q["q"]
    held = {t["name"].lower() for t in read_things([FILE, PLAIN_FILE])}
    assert len({n.lower() for n in names}) > 0.98 * len(names)
    assert not held & {t["name"].lower() for t in read_things(files)}


def test_a_fact_behind_the_wrong_relation_is_no_answer() -> None:
    thing = {
        "kind": "chair",
        "name": "Ostler Seat",
        "attributes": {"designer": "Ann Quill", "owner": "Bo Quill"},
        "page": ["It is old."],
        "others": [{"name": "Ann Quill", "attributes": {}, "page": ["Ann Quill was born in Tarn."]}],
        "questions": [{"q": "where was whoever designed it born", "type": "hop", "answers": ["o0:p:0"],
                       "link": ["a:designer"]}],
    }  # fmt: skip
    (practice,) = practices(thing)
    by_ref = {c.ref: (a, li) for c, a, li in zip(practice.candidates, practice.answers, practice.links, strict=True)}
    assert by_ref["a:designer"] == (0, 1)
    assert by_ref["o0:p:0|a:designer"] == (1, 0)
    assert by_ref["o0:p:0|a:owner"] == (-1, 0)  # another Quill: neither right nor wrong
    assert next(c for c in practice.candidates if c.onward).text == "designer: Ann Quill > Ann Quill was born in Tarn."


def test_questions_are_varied_without_losing_them() -> None:
    import random

    made = {varied("how heavy is it?", "tin of soup", random.Random(n)) for n in range(60)}
    assert len(made) > 10
    assert all("heavy" in q for q in made)


def test_weighing_falls_with_what_speaks_against_a_fact() -> None:
    good, bad = Signs(1.0, 0.5, 1.0, affinity=0.6), Signs(-1.0, -0.5, -1.0, affinity=0.1)
    for kind in ("direct", "chain"):
        assert weighed(good, kind) > 0.5 > weighed(bad, kind)
    stored = json.loads((ASSETS_DIR / "reader" / "weigh.json").read_text())
    assert all(len(stored[kind]["weights"]) == len(good.vector()) for kind in ("direct", "chain"))
    sure, unsure = LinkSigns(0.5, 1.0, affinity=0.6), LinkSigns(-0.5, -1.0, affinity=0.1)
    assert linked(sure) > 0.5 > linked(unsure)


def test_it_helps_on_questions_by_another_hand() -> None:
    found = figures(limit=8)
    ours, plain = found["reader"], found["plain"]
    assert ours["all"]["right"] >= 0.3
    assert ours["all"]["wrong"] <= 0.14
    assert ours["all"]["right"] - ours["all"]["wrong"] > plain["all"]["right"] - plain["all"]["wrong"] + 0.05


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


def test_the_mean_of_two_fits_lies_halfway() -> None:
    from assistant.answering.match_training import mean_of

    chance = np.random.default_rng(4)

    def fitted(scale: float) -> dict[str, np.ndarray]:
        arrays = stored_change("layer.query", (scale * chance.normal(size=(6, 4))).astype(np.float32))
        return arrays | {n: np.full(2, scale, np.float32) for n in ("heads", "offset", "cosine_weight")}

    one, other = fitted(1.0), fitted(3.0)
    mean = mean_of(one, other)
    half = (changes_in(one)["layer.query"] + changes_in(other)["layer.query"]) / 2
    np.testing.assert_allclose(changes_in(mean)["layer.query"], half, atol=0.03)
    np.testing.assert_allclose(mean["offset"], 2.0)
