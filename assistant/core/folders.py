"""Writing a whole folder at once: built under a temporary name beside its place, then renamed.

A process killed half-way leaves no half folder under the real name; what it leaves under a temporary name is removed
by the next builder, and the folder that was to be replaced is put back by whoever comes next. One builder at a time,
by a lock that the operating system lets go of when a process dies.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assistant.core.errors import BadInput, NotReady, VitrineError

_NO_ROOM_NO_RIGHTS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS)
_NO_ROOM_BYTES = 1 << 20
#: Two renames take no time; who holds the lock longer than this is at something else.
_REPLACING_S = 1.0


@contextmanager
def staged(out: Path, marker: str) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `out` when the block ends without an error.

    The caller holds `builder_lock(out)`, so temporary folders that exist already are nobody's.

    Args:
        out: the folder to write. It may exist when it is empty or holds `marker`, that is, when it is one of ours.
        marker: the file by which our folders are known.

    Raises:
        BadInput: `out` is a file, or a folder with other things in it; or there is no room, or no right to write.
    """
    out = out.absolute()
    if out.exists() and not (out.is_dir() and ((out / marker).is_file() or not any(out.iterdir()))):
        raise BadInput(f"{str(out)!r} holds something else: give a new folder or one that an index was built in")
    for stale in (*out.parent.glob(f".{out.name}.*-tmp"), _aside(out)):
        shutil.rmtree(stale, ignore_errors=True)
    temporary = out.parent / f".{out.name}.{os.getpid()}-tmp"
    temporary.mkdir()
    try:
        yield temporary
        _take_place(temporary, out)
    except Exception as problem:
        if (why := _full_or_closed(problem, temporary)) is not None:
            where = f"{str(out)!r} cannot be written ({why})"
            raise BadInput(f"{where}: make room there, or choose another folder") from problem
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _full_or_closed(problem: Exception, temporary: Path) -> str | None:
    """Why the folder cannot be written to, when that is the matter. Chroma has many words for a full disk, so that the
    room that is left is asked for too."""
    if isinstance(problem, OSError) and problem.errno in _NO_ROOM_NO_RIGHTS:
        return problem.strerror
    if isinstance(problem, VitrineError):
        return None
    with suppress(OSError):
        if shutil.disk_usage(temporary).free < _NO_ROOM_BYTES:
            return os.strerror(errno.ENOSPC)
    return None


def _take_place(temporary: Path, out: Path) -> None:
    aside = _aside(out)
    if out.exists():
        out.rename(aside)
    try:
        temporary.rename(out)
    finally:
        _put_back(out)
    if aside.exists():  # from here on it is rubbish, which nobody may put back
        rubbish = out.parent / f".{out.name}.old-tmp"
        aside.rename(rubbish)
        shutil.rmtree(rubbish, ignore_errors=True)


def _aside(out: Path) -> Path:
    """Where the folder that stood at `out` is between the two renames that replace it."""
    return out.parent / f".{out.name}.aside"


def _put_back(out: Path) -> None:
    if _aside(out).is_dir() and not out.exists():
        _aside(out).rename(out)


def is_there(out: Path) -> bool:
    """Whether there is a folder at `out`; one that a builder had moved aside when it was killed is put back first."""
    out = out.absolute()
    if not out.exists() and _aside(out).is_dir():
        with suppress(VitrineError), builder_lock(out, _REPLACING_S):
            pass
    return out.is_dir()


@contextmanager
def builder_lock(out: Path, wait_s: float = 0.0, pause: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Hold the right to build `out`, waiting up to `wait_s` for another builder (of this process or another).

    What a killed builder had moved aside stands in its place again inside the block.

    Raises:
        BadInput: the folder around `out` cannot be written.
        NotReady: somebody else is still building it.
    """
    import fcntl

    out = out.absolute()
    deadline = time.monotonic() + wait_s
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        file = (out.parent / f".{out.name}.lock").open("w")
    except OSError as problem:
        raise BadInput(f"cannot write to {str(out.parent)!r} ({problem.strerror}): give another folder") from problem
    with file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as problem:
                if time.monotonic() >= deadline:
                    raise NotReady(
                        f"{str(out)!r} is being built by another process: wait until it is done"
                    ) from problem
                pause(0.2)
        _put_back(out)
        yield
