"""Cells say where on a thing a picture and a frame agree, and the networks over them are read as they were written."""

import json
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.paths import ASSETS_DIR
from assistant.recognition.grid_agreement import CELL_MEASURES, cell_measures
from assistant.recognition.verify import NAMES, CellNetwork, Verifier
from tests.assistant.pictures import cover

STRUCTURE, CHROMA, LIGHTNESS = (CELL_MEASURES.index(name) for name in ("structure", "chroma", "lightness"))


def measured(patch: np.ndarray, reference: np.ndarray, thing: np.ndarray | None = None) -> np.ndarray:
    whole = np.ones(reference.shape[:2], bool)
    return cell_measures(reference, patch, whole, whole if thing is None else thing)


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return np.ascontiguousarray(cover(11)[:240, :180])


def test_the_same_picture_agrees_in_every_cell(picture: np.ndarray):
    cells = measured(picture, picture)
    assert 48 <= len(cells) <= 80
    assert cells.shape[1] == len(CELL_MEASURES)
    structured = cells[:, CELL_MEASURES.index("contrast")] > 1.5
    assert structured.any()
    assert cells[structured, STRUCTURE].min() > 0.98
    assert cells[:, CHROMA].max() < 0.01


def test_other_light_is_taken_out(picture: np.ndarray):
    warmer = np.clip(picture * np.array([0.7, 0.6, 0.5]), 0, 255).astype(np.uint8)
    cells = measured(warmer, picture)
    assert np.median(cells[:, CHROMA]) < 0.15
    assert np.median(cells[:, LIGHTNESS]) < 0.15


def test_what_differs_in_one_place_differs_in_its_cells_only(picture: np.ndarray):
    changed = picture.copy()
    changed[:60, :60] = picture[100:160, 100:160][::-1, ::-1]
    changed[:60, :60, 0] = 255 - changed[:60, :60, 0]
    before, after = measured(picture, picture), measured(changed, picture)
    moved = np.abs(after - before)[:, [STRUCTURE, CHROMA]].max(axis=1) > 0.2
    assert 2 <= moved.sum() <= 12


def test_cells_of_the_ground_are_left_out(picture: np.ndarray):
    """Of a round thing the corners of its box are ground: no cell lies there, and cells within agree whatever it is."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    thing = ((x - width / 2) / 60) ** 2 + ((y - height / 2) / 90) ** 2 < 1
    elsewhere = picture.copy()
    elsewhere[~thing] = 0
    cells = measured(elsewhere, picture, thing)
    inside = cells[:, CELL_MEASURES.index("thing")] > 0.999
    assert len(cells) < len(measured(picture, picture)) * 0.95
    assert inside.sum() > 20
    assert cells[inside, CHROMA].max() < 0.01 < cells[~inside, CHROMA].max()


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (16, 400), (400, 16), (17, 23)])
def test_any_size_gives_numbers(size: tuple[int, int]):
    pixels = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    flat = np.zeros_like(pixels)
    for patch, reference in ((pixels, pixels), (flat, pixels), (pixels, flat), (flat, flat)):
        assert np.isfinite(measured(patch, reference)).all()


def test_nothing_to_see_has_no_cells(picture: np.ndarray):
    nothing = np.zeros(picture.shape[:2], bool)
    assert cell_measures(picture, picture, ~nothing, nothing).shape == (0, len(CELL_MEASURES))
    assert cell_measures(picture, picture, nothing, ~nothing).shape == (0, len(CELL_MEASURES))


def network(weight: float) -> dict:
    """Adds about `weight` for cells whose structure agrees, takes it where it does not."""
    hidden = np.zeros((len(CELL_MEASURES), 1))
    hidden[STRUCTURE] = 5.0
    return {
        "hidden": hidden.tolist(),
        "hidden_bias": [0.0],
        "each": [[0.0, 3.0]],
        "each_bias": [0.0, 0.0],
        "pooled": [weight],
        "measures": [0.0] * len(NAMES),
        "bias": 0.0,
    }


def test_networks_add_what_the_cells_say():
    one = CellNetwork.of(network(2.0))
    nothing = np.zeros(len(NAMES))
    good, bad = np.zeros((30, len(CELL_MEASURES))), np.zeros((30, len(CELL_MEASURES)))
    good[:, STRUCTURE], bad[:, STRUCTURE] = 1, -1
    assert one.correction(good, nothing) == pytest.approx(-one.correction(bad, nothing))
    assert 1.8 < one.correction(good, nothing) < 2
    assert one.correction(good[:0], nothing) == 0


def test_a_network_for_other_measures_is_refused(tmp_path: Path):
    shipped = json.loads((ASSETS_DIR / "encoder" / "verification.json").read_text(encoding="utf-8"))
    shipped["networks"][0]["hidden"].pop()
    (tmp_path / "verification.json").write_text(json.dumps(shipped), encoding="utf-8")
    with pytest.raises(NotReady, match="does not fit"):
        Verifier.load(tmp_path)
