"""Sharing the cores: within reason, and as it was afterwards."""

import cv2

from assistant.core.threads import one_thread_each, workers


def test_one_thread_each_inside_and_as_before_afterwards():
    before = cv2.getNumThreads()
    with one_thread_each() as count:
        assert 1 <= count == workers() <= 4
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == before


def test_blocks_that_overlap_are_undone_by_the_last():
    before = cv2.getNumThreads()
    first, second = one_thread_each(), one_thread_each()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert cv2.getNumThreads() == 1
    second.__exit__(None, None, None)
    assert cv2.getNumThreads() == before
