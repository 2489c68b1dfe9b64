"""The benchmarks by name. A new one is a module beside this one and an entry here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eval.benchmarks.base import Benchmark
from eval.benchmarks.crag import CRAG
from eval.benchmarks.cragmm import CRAGMM
from eval.benchmarks.deflection import DEFLECTION
from eval.benchmarks.m2rag import M2RAG
from eval.data.samples import BenchmarkName

BENCHMARKS: dict[BenchmarkName, Benchmark] = {one.name: one for one in (CRAGMM, CRAG, DEFLECTION, M2RAG)}


def benchmark_of(info: Mapping[str, Any]) -> Benchmark:
    """The benchmark of a run by its `run.json`; CRAG-MM where it names none that is known."""
    name = info.get("benchmark")
    return next((one for key, one in BENCHMARKS.items() if key == name), CRAGMM)
