"""Sharing the cores: several pieces of work side by side, each on one thread of the numeric libraries.

The other way round, one piece after the other on all cores, leaves them idle in everything that is not a large
product; both at once has the libraries' threads wait for each other.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

#: More workers than this would mostly hold more pictures and models in memory.
_MOST_WORKERS = 4


def workers() -> int:
    """How many pieces of work may go on side by side: the cores that this process may use, within reason."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, _MOST_WORKERS))


#: glibc's M_MMAP_THRESHOLD, M_TRIM_THRESHOLD and M_TOP_PAD in bytes. Every picture takes and gives back the same large
#: blocks; left to itself, the allocator gives them back to the system each time, and the page faults of taking them
#: again were a sixth of the time of a build (26 s of 167 s on the bundled world, 2 s with these values).
_KEPT = {-3: 32 << 20, -1: 1 << 30, -2: 64 << 20}
#: What glibc comes to by itself when blocks of that size are given back.
_USUAL = {-3: 32 << 20, -1: 64 << 20, -2: 0}

_lock = threading.Lock()
_inside = 0
_undo = ExitStack()


@contextmanager
def one_thread_each() -> Iterator[int]:
    """Numpy and OpenCV keep to the calling thread inside the block, in this whole process; yields `workers()`.

    Blocks may overlap, in one thread or in several: the last to end puts things back.
    """
    global _inside
    with _lock:
        if not _inside:
            _limit(_undo)
        _inside += 1
    try:
        yield workers()
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _undo.close()


def _limit(undo: ExitStack) -> None:
    import cv2
    from threadpoolctl import threadpool_limits

    if _set_malloc(_KEPT):
        undo.callback(_set_malloc, _USUAL)

    undo.callback(cv2.setNumThreads, cv2.getNumThreads())
    cv2.setNumThreads(1)
    undo.enter_context(threadpool_limits(1, user_api="blas"))


def _set_malloc(options: dict[int, int]) -> bool:
    """Sets options of the C library's allocator; False where it is not glibc's. Memory that is free goes back first."""
    import ctypes

    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.malloc_trim(0)
        return all(libc.mallopt(name, value) for name, value in options.items())
    except (OSError, AttributeError):
        return False
