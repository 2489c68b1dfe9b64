"""Sharing the cores: within reason, and as it was afterwards."""

import time

import cv2
import numpy as np

from assistant.core import threads
from assistant.core.threads import PIECES, in_pool, one_blas_thread, one_thread_each, pool, workers


def blas() -> set[int]:
    return {library["num_threads"] for library in threads._blas().info()}


def test_one_thread_each_inside_and_as_before_afterwards():
    before = cv2.getNumThreads(), blas()
    with one_thread_each() as count:
        assert 1 <= count == workers() <= 4
        assert (cv2.getNumThreads(), blas()) == (1, {1})
    assert (cv2.getNumThreads(), blas()) == before


def test_blocks_that_overlap_are_undone_by_the_last():
    before = cv2.getNumThreads(), blas()
    first, second = one_thread_each(), one_thread_each()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert cv2.getNumThreads() == 1
    with one_blas_thread():
        second.__exit__(None, None, None)
        assert (cv2.getNumThreads(), blas()) == (before[0], {1})
    assert (cv2.getNumThreads(), blas()) == before


def test_to_keep_to_one_thread_costs_next_to_nothing():
    with one_blas_thread():
        pass  # the libraries are looked for once
    begun = time.process_time()
    for _ in range(1000):
        with one_blas_thread():
            pass
    assert time.process_time() - begun < 1.0


def test_threads_of_the_pool_know_that_they_are():
    assert not in_pool()
    assert list(pool().map(lambda _: in_pool(), range(3))) == [True] * 3
    assert pool()._thread_name_prefix == PIECES


def test_a_large_product_inside_takes_no_other_core():
    """Processor time beyond wall time is other threads' time."""
    matrix = np.ones((1500, 1500), np.float32)
    with one_blas_thread():
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(5):
            matrix @ matrix
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    assert cpu < 1.2 * wall + 0.05
