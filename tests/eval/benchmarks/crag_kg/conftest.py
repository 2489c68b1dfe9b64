"""One small mock KG for all tests: its released folder, and its store."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.benchmarks.crag_kg.build import build
from eval.benchmarks.crag_kg.kg import CragKg
from tests.eval.benchmarks.crag_kg.released import write_released


@pytest.fixture(scope="package")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_released(tmp_path_factory.mktemp("crag") / "cragkg")


@pytest.fixture(scope="package")
def store_file(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("store") / "kg.sqlite"
    build(released, out)
    return out


@pytest.fixture(scope="package")
def kg(store_file: Path) -> CragKg:
    return CragKg.open(store_file)
