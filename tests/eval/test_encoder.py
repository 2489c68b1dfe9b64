"""Training and calibration of the image encoder: fitted parts on small data, and seeds that are not for it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.conversation import Frame
from assistant.errors import BadInput
from assistant.search.cells import CELL_MEASURES
from assistant.search.image_encoder import ImageEncoder, extract
from assistant.search.verify import NAMES, Verifier
from assistant.vision.reading import TextReader
from eval import encoder_networks
from eval.commands.encoder import CALIBRATION_SEEDS, TRAINING_SEEDS, _photographs, _seeds
from eval.encoder_calibration import FrameLabel, Row, collect, confidences, fit, neutral, outcomes, pick_threshold, save
from eval.encoder_training import parts, train
from eval.encoder_training import save as save_encoder
from tests.assistant.search.pictures import cover


def rows_of(seed: int, frames: int = 40) -> tuple[list[Row], list[FrameLabel]]:
    """Frames with one right and one wrong picture whose measures differ by about two deviations."""
    rng = np.random.default_rng(seed)
    rows, labels = [], []
    for i in range(frames):
        name, indexed = f"{seed}-{i}", i % 2 == 0
        cells = rng.normal(0.5, 0.2, (6, len(CELL_MEASURES))).astype(np.float32)
        if indexed:
            rows.append(Row(name, "it", True, tuple(rng.normal(1.0, 0.5, len(NAMES))), cells))
        rows.append(Row(name, "sibling", False, tuple(rng.normal(-1.0, 0.8, len(NAMES))), cells - 0.2))
        labels.append(FrameLabel(name, "it", indexed, True, indexed))
    return rows, labels


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks that have hardly begun to learn: where only what is around them is tested."""
    monkeypatch.setattr(encoder_networks, "_EPOCHS", 1)
    monkeypatch.setattr(encoder_networks, "_LEAST_STEPS", 20)


def test_the_model_separates_what_can_be_separated():
    rows, labels = rows_of(1)
    model = fit(rows)
    sure = confidences(model, rows)
    assert min(c for c, r in zip(sure, rows, strict=True) if r.right) > max(
        c for c, r in zip(sure, rows, strict=True) if not r.right
    )
    assert outcomes(confidences(model, rows), 0.5, rows, labels) == {
        "right": 20,
        "wrong": 0,
        "none": 0,
        "claimed": 0,
        "left": 20,
    }


@pytest.mark.usefixtures("few_steps")
def test_rows_gold_says_nothing_about_do_not_count():
    rows, labels = rows_of(2)
    unknown = [replace(row, right=None, measures=tuple(np.full(len(NAMES), 50.0))) for row in rows[:5]]
    a, b = fit(rows), fit(rows + unknown)
    assert np.allclose(a["weights"], b["weights"])
    more = outcomes(confidences(a, rows + unknown), 0.5, rows + unknown, labels)
    assert more == outcomes(confidences(a, rows), 0.5, rows, labels)


def test_outcomes_count_by_hand():
    model = neutral() | {"weights": np.eye(len(NAMES))[0] * 5}

    def row(frame: str, name: str, right: bool, first: float) -> Row:
        return Row(frame, name, right, (first, *[0.0] * (len(NAMES) - 1)))

    rows = [row("a", "x", True, 1), row("b", "y", False, 1), row("b", "x", True, 0.5), row("c", "y", False, 1)]
    labels = [FrameLabel(f, "x", f != "c", True, True) for f in "abc"] + [FrameLabel("d", "x", True, True, False)]
    assert outcomes(confidences(model, rows), 0.9, rows, labels) == {
        "right": 1,
        "wrong": 1,
        "none": 1,
        "claimed": 1,
        "left": 0,
    }


def test_rows_come_from_the_recogniser_itself(small_world: Path):
    rows, labels = collect(small_world, ImageEncoder.load(), TextReader(), limit=3)
    assert len(labels) == 3
    assert {row.frame for row in rows} <= {label.frame for label in labels}
    asked = {label.frame: label.entity for label in labels if label.indexed}
    assert any(row.right and row.name == asked.get(row.frame) for row in rows)


@pytest.mark.usefixtures("few_steps")
def test_the_threshold_is_judged_on_other_worlds():
    threshold, counts = pick_threshold([rows_of(seed) for seed in (1, 2, 3)])
    assert 0.5 <= threshold < 0.95
    assert counts["claimed"] == 0
    assert counts["right"] >= 57


@pytest.mark.usefixtures("few_steps")
def test_a_saved_model_says_the_same(tmp_path):
    rows, _ = rows_of(4)
    model = fit(rows)
    save(model, 0.6, tmp_path, fitted_on="a test")
    verifier = Verifier.load(tmp_path)
    assert verifier.threshold == 0.6
    assert len(verifier.networks) == 3
    from assistant.search.verify import Measures

    for row, expected in zip(rows, confidences(model, rows), strict=True):
        assert verifier.confidence(Measures.of(row.measures, row.cells)) == pytest.approx(expected, abs=1e-4)


def test_training_is_repeatable_and_loads(tmp_path):
    features = [part for seed in range(12) for part in parts(extract(Frame(cover(seed))))]
    first, second = train(features), train(features)
    assert all(np.array_equal(first[key], second[key]) for key in first)
    save_encoder(first, tmp_path, trained_on="a test")
    encoder = ImageEncoder.load(tmp_path)
    vectors = np.stack([encoder.encode(Frame(cover(seed))) for seed in range(4)])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors @ vectors.T - np.eye(4)).max() < 0.9


def test_seeds_for_reporting_are_refused():
    assert _seeds("0-2,5", TRAINING_SEEDS, "--training-seeds") == [0, 1, 2, 5]
    assert _seeds("100", CALIBRATION_SEEDS, "--calibration-seeds") == [100]
    for text in ("42", "0-10", "150", "x", "", "1-2-3", "-1"):
        with pytest.raises(BadInput):
            _seeds(text, TRAINING_SEEDS, "--training-seeds")
    with pytest.raises(BadInput):
        _seeds("150-151", CALIBRATION_SEEDS, "--calibration-seeds")


def test_networks_learn_what_one_figure_cannot_tell():
    """Equal measures: the wrong pictures differ in a few cells, the right ones a little in all."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(240):
        right = i % 2 == 0
        cells = np.full((40, len(CELL_MEASURES)), 0.5) + rng.normal(0, 0.05, (40, len(CELL_MEASURES)))
        structure = CELL_MEASURES.index("structure")
        cells[:, structure] = 0.7 if right else 0.9
        cells[: 0 if right else 8, structure] = -0.1
        measures = tuple(rng.normal(0.0, 1.0, len(NAMES)))
        rows.append(Row(str(i), "it", right, measures, cells.astype(np.float32)))
    model = fit(rows[:160])
    sure, before = confidences(model, rows[160:]), confidences(model | {"networks": []}, rows[160:])
    right = np.array([bool(row.right) for row in rows[160:]])
    assert ((sure > 0.5) == right).mean() > 0.95 > 0.7 > ((before > 0.5) == right).mean()


@pytest.mark.usefixtures("few_steps")
def test_the_logistic_part_can_be_kept():
    rows, _ = rows_of(6)
    stands = fit(rows_of(5)[0])
    logistic = {name: stands[name] for name in ("mean", "scale", "weights", "bias")}
    again = fit(rows, logistic=logistic)
    assert all(np.array_equal(again[name], logistic[name]) for name in logistic)
    assert not np.array_equal(fit(rows)["weights"], logistic["weights"])


def test_too_few_photographs_are_refused(tmp_path: Path):
    for name in ("a.jpg", "b.PNG", "c.txt", "d.webp"):
        (tmp_path / name).touch()
    with pytest.raises(BadInput, match="holds 3 pictures"):
        _photographs(tmp_path)
    (tmp_path / "e.jpeg").touch()
    assert [p.name for p in _photographs(tmp_path)] == ["a.jpg", "b.PNG", "d.webp", "e.jpeg"]
