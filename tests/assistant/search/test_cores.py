"""Sharing the cores: within reason, and as it was afterwards."""

import cv2

from assistant.search.cores import one_thread_each, workers


def test_one_thread_each_inside_and_as_before_afterwards():
    before = cv2.getNumThreads()
    with one_thread_each() as count:
        assert 1 <= count == workers() <= 4
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == before
