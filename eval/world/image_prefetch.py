"""Takes pictures ahead of need, in one or more processes, and keeps each on disk until the world is finished.

A picture that is there already is not taken again: this is how an interrupted world goes on where it stopped. Only
pictures are made elsewhere; whatever is text is made in the order of the world by the process that writes it.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2

from eval.world.drawing.kit.canvas import FontBox
from eval.world.frame_sampling import Cast
from eval.world.frames import Photographer, Shot, Spot
from eval.world.model import Thing

#: Pictures under way for each process: enough to keep it busy, few enough to waste little at the end.
AHEAD = 4


@dataclass(frozen=True)
class Equipment:
    """What a photographer needs, in a form that can be sent to another process."""

    seed: int
    fonts: Path | None
    backgrounds: Path | None

    def photographer(self) -> Photographer:
        """A photographer with this equipment."""
        return Photographer(self.seed, FontBox.open(self.fonts), self.backgrounds)


class Studio:
    """Takes the pictures of one world into `folder`. Use as a context: it ends its processes."""

    def __init__(self, equipment: Equipment, folder: Path, processes: int) -> None:
        self._folder = folder
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._own: Photographer | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if processes > 1:
            context = multiprocessing.get_context("spawn")  # forking is unsafe beside OpenCV's threads
            self._pool = ProcessPoolExecutor(processes, context, initializer=_start, initargs=(equipment,))
        else:
            self._own = equipment.photographer()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def index_pictures(self, jobs: Iterable[tuple[Thing, int, Path]]) -> Iterator[None]:
        """Take (thing, number) into each path; yields once for each, in order."""
        for _ in self._ahead(_take_index_picture, jobs, lambda job: job[2].is_file()):
            yield

    def frames(self, casts: Iterable[Cast]) -> Iterator[tuple[Cast, Shot]]:
        """Take frames, in order. A few more than are used may be taken when the caller stops."""
        jobs = ((cast, self._folder) for cast in casts)
        for cast, _ in self._ahead(_take_frame, jobs, lambda job: _record(job[1], job[0]).is_file()):
            yield cast, read_shot(_record(self._folder, cast))

    def jpeg(self, shot: Shot) -> bytes:
        """The picture itself."""
        return (self._folder / f"{shot.id}.jpg").read_bytes()

    def _ahead(
        self, take: Callable[[Photographer, Any], None], jobs: Iterable[Any], there: Callable[[Any], bool]
    ) -> Iterator[Any]:
        """Do `take` for each job that is not `there` yet; yield the jobs in order as they are done."""
        if self._pool is None:
            assert self._own is not None
            for job in jobs:
                if not there(job):
                    take(self._own, job)
                yield job
            return
        waiting: deque[tuple[Any, Future[None] | None]] = deque()
        source = iter(jobs)
        for job in itertools.islice(source, AHEAD * self._processes):
            waiting.append((job, None if there(job) else self._pool.submit(_work, take, job)))
        while waiting:
            job, done = waiting.popleft()
            if done is not None:
                done.result()
            yield job
            for following in itertools.islice(source, 1):
                new = None if there(following) else self._pool.submit(_work, take, following)
                waiting.append((following, new))


def read_shot(path: Path) -> Shot:
    """A shot's record, as `Studio` keeps it."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Shot(data["id"], tuple(Spot(**s) for s in data["spots"]), data["outline_px"], data["url"])


def _record(folder: Path, cast: Cast) -> Path:
    return folder / f"{cast.key.replace('/', '-')}.json"


def _take_frame(photographer: Photographer, job: tuple[Cast, Path]) -> None:
    cast, folder = job
    shot, jpeg = photographer.frame(cast)
    _put(folder / f"{shot.id}.jpg", jpeg)
    # The record last: when it is there, so is the picture.
    _put(_record(folder, cast), json.dumps(asdict(shot)).encode())


def _take_index_picture(photographer: Photographer, job: tuple[Thing, int, Path]) -> None:
    thing, number, path = job
    _put(path, photographer.index_picture(thing, number))


def _put(path: Path, data: bytes) -> None:
    """Write under another name first, so that a file is whole or not there."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_bytes(data)
    partial.replace(path)


_photographer: Photographer | None = None


def _start(equipment: Equipment) -> None:
    """Make this process a photographer's. It must not outlive the one that started it, however that one ends."""
    global _photographer  # each process has its own
    cv2.setNumThreads(1)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _photographer = equipment.photographer()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(take: Callable[[Photographer, Any], None], job: Any) -> None:
    assert _photographer is not None
    take(_photographer, job)
