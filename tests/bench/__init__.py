"""Benchmarks: `python -m tests.bench NAME`. Full figures; results are kept in `tests/bench/results/`."""
