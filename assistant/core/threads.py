"""Sharing the cores: several pieces of work side by side, each on one thread of the numeric libraries.

The other way round, one piece after the other on all cores, leaves them idle in everything that is not a large
product; both at once has the libraries' threads wait for each other.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import lru_cache
from typing import Any

#: More workers than this would mostly hold more pictures and models in memory.
_MOST_WORKERS = 4
#: How threads are named that have a core to themselves for pieces of one piece of work.
PIECES = "pieces"


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


class _Together:
    """Blocks that may overlap, in one thread or in several: the first sets things, the last puts them back."""

    def __init__(self, set_things: Callable[[ExitStack], None]):
        self._set = set_things
        self._lock = threading.Lock()
        self._inside = 0
        self._undo = ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._set(self._undo)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._undo.close()


def one_blas_thread() -> AbstractContextManager[None]:
    """Numpy keeps to the calling thread inside the block, in this whole process; to enter costs microseconds.

    For products of the size that sentences make: shared out they take no less time on idle cores, and where others are
    at work each thread that spins until the last is done costs five times the processor time.
    """
    return _BLAS


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """torch keeps to the calling thread inside the block; its other threads go on as they were.

    For small networks that see one picture: what two threads save is lost where anything else is at work.
    """
    import torch

    torch.get_num_threads()  # a thread's first call sets its number, and would undo the limit
    with _openmp().limit(limits=1):
        yield


@contextmanager
def one_thread_each() -> Iterator[int]:
    """Numpy and OpenCV keep to the calling thread inside the block, in this whole process; yields `workers()`."""
    with _BLAS, _PICTURES:
        yield workers()


@lru_cache(maxsize=1)
def pool() -> ThreadPoolExecutor:
    """Threads for the pieces of one piece of work, one a core, shared by all that is going on."""
    return ThreadPoolExecutor(workers(), thread_name_prefix=PIECES)


def in_pool() -> bool:
    """Whether this is such a thread: what it does is shared out already."""
    return threading.current_thread().name.startswith(PIECES)


@lru_cache(maxsize=1)
def _blas() -> Any:
    import numpy  # noqa: F401  # its library must be loaded to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@lru_cache(maxsize=1)
def _openmp() -> Any:
    import torch  # noqa: F401  # its library must be loaded to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")


def _limit_blas(undo: ExitStack) -> None:
    undo.enter_context(_blas().limit(limits=1))


def _limit_pictures(undo: ExitStack) -> None:
    import cv2

    if _set_malloc(_KEPT):
        undo.callback(_set_malloc, _USUAL)
    undo.callback(cv2.setNumThreads, cv2.getNumThreads())
    cv2.setNumThreads(1)


def _set_malloc(options: dict[int, int]) -> bool:
    """Sets options of the C library's allocator; False where it is not glibc's. Memory that is free goes back first."""
    import ctypes

    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.malloc_trim(0)
        return all(libc.mallopt(name, value) for name, value in options.items())
    except (OSError, AttributeError):
        return False


_BLAS = _Together(_limit_blas)
_PICTURES = _Together(_limit_pictures)
