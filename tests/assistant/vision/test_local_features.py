"""The feature store: what is written comes back, small, memory-mapped, versioned."""

import json
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import NotReady, UnknownFormat
from assistant.core.types import Frame, TextLine
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import (
    INDEXED_KEYPOINTS,
    MAX_PICTURE_BYTES,
    FeatureStore,
    best_spread,
    write_features,
)
from tests.assistant.pictures import cover

LINE = TextLine("Amber River", 0.97, ((20.0, 20.0), (200.0, 20.0), (200.0, 60.0), (20.0, 60.0)))


@pytest.fixture(scope="module")
def items():
    noisy = np.random.default_rng(0).integers(0, 255, (900, 700, 3), np.uint8)
    return [
        extract(Frame(cover(1))).with_texts([LINE]),
        extract(Frame(noisy)),
        extract(Frame(np.full((40, 30, 3), 200, np.uint8))),  # nothing to describe
    ]


@pytest.fixture(scope="module")
def folder(items, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("features")
    write_features(path, items)
    return path


def test_everything_comes_back(items, folder: Path):
    store = FeatureStore(folder)
    assert len(store) == 3
    for i, item in enumerate(items):
        back, kept = store.get(i), best_spread(item.within_extent(), INDEXED_KEYPOINTS)
        assert np.array_equal(back.descriptors, kept.descriptors)
        assert np.array_equal(back.keypoints, kept.keypoints)
        assert (back.width_px, back.height_px) == (item.width_px, item.height_px)
        assert back.thumbnail.shape == item.thumbnail.shape
        assert back.descriptors.dtype == np.uint8
    assert store.get(0).texts == store.texts(0) == (LINE,)
    assert np.abs(store.get(0).thumbnail.astype(int) - items[0].thumbnail).mean() < 6


def test_a_picture_takes_at_most_its_share(folder: Path):
    total = sum(path.stat().st_size for path in folder.iterdir())
    assert total <= 3 * MAX_PICTURE_BYTES


def test_long_texts_do_not_break_the_share(tmp_path: Path):
    item = extract(Frame(cover(2)))
    long = [TextLine("word " * 60 + str(i), 0.9, LINE.outline_px) for i in range(200)]
    write_features(tmp_path, [item.with_texts(long)])
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= MAX_PICTURE_BYTES + 1000
    assert FeatureStore(tmp_path).texts(0)


def test_an_empty_store(tmp_path: Path):
    write_features(tmp_path, [])
    assert len(FeatureStore(tmp_path)) == 0


def test_unknown_formats_missing_and_damaged_files_are_refused(items, tmp_path: Path):
    with pytest.raises(NotReady):
        FeatureStore(tmp_path / "nowhere")
    write_features(tmp_path, items[:1])
    (tmp_path / "descriptors.npy").write_bytes(b"not an array")
    with pytest.raises(NotReady):
        FeatureStore(tmp_path)
    write_features(tmp_path, items[:1])
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "format_version": 99}))
    with pytest.raises(UnknownFormat) as problem:
        FeatureStore(tmp_path)
    assert "99" in str(problem.value)


def test_the_kept_keypoints_are_spread_over_the_picture(items):
    kept = best_spread(items[1], 128)
    cells = (kept.keypoints[:, :2] / (kept.width_px, kept.height_px) * 4).astype(int)
    assert len({tuple(c) for c in cells}) == 16
