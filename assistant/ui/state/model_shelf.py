"""The models that lie on this machine, for all visitors: which there are, the one fetch and the one test that go on.

There is one shelf for the whole page, as there is one disk and one memory. What was asked for goes on when its tab is
closed, and whoever looks later sees how far it is. Nothing asks the network but `fetch`, nothing is loaded but by
`test`; which model answers is `model_switch`'s business.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assistant.core.errors import BadInput, Cancelled, VitrineError
from assistant.models.local import store
from assistant.models.local.curated import CURATED, SLOW_S, Curated, Fit, fits, fits_unlisted, known_as
from assistant.settings import Settings
from assistant.text.english import sentence_of
from assistant.ui.state.model_switch import ModelSwitch, named

if TYPE_CHECKING:
    from assistant.models.local.machine import Machine
    from assistant.models.local.model import Speed

log = logging.getLogger(__name__)

#: The speed of a fetch is that of the last seconds.
RATE_S = 15.0
#: Loads a model, shows it something and takes the time; told the share that is in memory.
Measure = Callable[[Settings, Callable[[float], None], threading.Event], "Speed"]


@dataclass(frozen=True)
class Shelved:
    """One model of the list, or one that lies in the hub's cache.

    Attributes:
        name: what it is used by: a name of the list or a hub id.
        hub_id: where it comes from.
        known: its entry in the list, if it has one.
        state: whether it can be used ("here"), was fetched in part, or not at all.
        bytes_here: what of it is on the disk.
        lacks: what one that was fetched in part lacks.
        fit: whether it fits this machine; None where too little of it is known.
        measured_s: what an answer took when it was tested.
    """

    name: str
    hub_id: str
    known: Curated | None
    state: Literal["here", "partly", "absent"]
    bytes_here: int = 0
    lacks: str = ""
    fit: Fit | None = None
    measured_s: float | None = None

    @property
    def slow(self) -> bool:
        """Whether whoever chooses it should be told that its answers take long here."""
        if self.measured_s is not None:
            return self.measured_s > SLOW_S
        return self.fit is not None and self.fit.slow


@dataclass(eq=False)
class Job:
    """A fetch or a test. `words` is what came of it, one sentence, once it is no longer under way.

    `done` and `total` are bytes of a fetch, 0 before the hub has said how many there are; `share` is how much of a
    tested model is in memory, None before that is known.
    """

    name: str
    state: Literal["under way", "done", "stopped", "failed"] = "under way"
    done: int = 0
    total: int = 0
    share: float | None = None
    words: str = ""
    stop: threading.Event = field(default_factory=threading.Event, repr=False)
    _seen: deque[tuple[float, int]] = field(default_factory=deque, repr=False)

    @property
    def going_on(self) -> bool:
        return self.state == "under way"

    def count(self, done: int, total: int, now_s: float) -> None:
        self.done, self.total = done, total
        self._seen.append((now_s, done))
        while self._seen[0][0] < now_s - RATE_S:
            self._seen.popleft()

    @property
    def bytes_per_s(self) -> float | None:
        """How fast it came lately; None where that is not known yet."""
        if len(self._seen) < 2:
            return None
        (since, before), (now, after) = self._seen[0], self._seen[-1]
        return (after - before) / (now - since) if now - since >= 1 and after > before else None


class ModelShelf:
    """Safe to share between visitors."""

    def __init__(
        self,
        switch: ModelSwitch,
        *,
        may_name_paths: bool = True,
        machine: Callable[[], Machine] | None = None,
        measure: Measure | None = None,
    ):
        """
        Args:
            switch: which model is in use, and whether visitors may change anything.
            may_name_paths: whether visitors may name folders of this machine.
            machine: what this machine has; measured at the first look.
            measure: how a test is made.
        """
        self._switch = switch
        self.may_name_paths = may_name_paths
        self._machine, self._measure = machine or _this_machine, measure or _measured
        self._known_machine: Machine | None = None
        self._rows: tuple[Shelved, ...] | None = None
        self._speeds: dict[str, Speed] = {}
        self._lock = threading.Lock()
        self.version = 0  # grows with every change of the rows
        self.fetching: Job | None = None
        self.testing: Job | None = None

    @property
    def busy(self) -> bool:
        return any(job is not None and job.going_on for job in (self.fetching, self.testing))

    @property
    def looked(self) -> bool:
        """Whether anybody has looked at the rows yet; the first look takes a second or two."""
        return self._rows is not None

    def rows(self) -> tuple[Shelved, ...]:
        """The list, then what else lies in the hub's cache; as it was at the last `look`."""
        return self.look() if self._rows is None else self._rows

    def look(self) -> tuple[Shelved, ...]:
        """Look anew: other programs fetch and remove models, too."""
        cache, machine = store.usual_cache(), self._this_machine()
        here = {model.hub_id: model for model in store.cached_models(cache)}
        rows = []
        for one in CURATED:
            row = Shelved(one.name, one.hub_id, one, "absent", fit=fits(one, machine))
            rows.append(self._with_state(row, here.pop(one.hub_id, None), cache))
        for model in here.values():
            row = Shelved(model.hub_id, model.hub_id, None, "absent")
            if not model.lacks:
                row = replace(row, fit=self._fit_of(model.path))
            rows.append(self._with_state(row, model, cache))
        with self._lock:
            if tuple(rows) != self._rows:
                self._rows = tuple(rows)
                self.version += 1
            return self._rows

    def about(self, name: object) -> str:
        """What is known of a model that is given by hand, in one sentence; nobody is asked.

        Raises:
            BadInput: a name that cannot be one, or a path where none may be named.
        """
        wanted = self.allowed(name)
        if (row := self._row(wanted)) is not None and row.state != "here":
            there = f"{row.bytes_here / 1e9:.2f} GB of it are" if row.state == "partly" else "It is not"
            return f"{there} on this machine. Fetch asks the hub for it."
        if row is None and not store.is_path(wanted):
            store.hub_id_of(wanted)
            return "It is not on this machine. Fetch asks the hub for it, and says how much there is to fetch."
        fit = row.fit if row is not None else self._fit_of(store.find(wanted).path)
        return "" if fit is None else f"It {fit.words}." if fit.fits else f"It does not fit: it {fit.words}."

    def slowness(self, name: str) -> str:
        """One sentence about a model that will be slow here, "" for others; to be said before it is used."""
        row = self._row(name)
        if row is None and store.is_path(name):
            row = Shelved(name, "", None, "here", fit=self._fit_of(store.find(name).path))
        if row is None or not row.slow:
            return ""
        answer_s = row.measured_s or (row.fit.answer_s if row.fit is not None else None)
        return f"It is slow here. {slow_words(answer_s, measured=row.measured_s is not None)}"

    def fetch(self, name: object) -> str:
        """Begin to fetch a model into the hub's cache, or go on where a fetch was stopped; what is so now, in words.

        Raises:
            BadInput: it cannot be fetched, nothing may be changed here, or another one is being fetched.
        """
        wanted = self.allowed(name)
        if store.is_path(wanted):
            raise BadInput("a folder or a file is on this machine already: there is nothing to fetch, press Use")
        job = Job(_short(wanted))
        with self._lock:
            if self.fetching is not None and self.fetching.going_on:
                raise BadInput(f"{self.fetching.name} is being fetched: one at a time, wait for it or stop it")
            self.fetching = job
            self.version += 1
        threading.Thread(target=self._fetch, args=(job,), name="fetch-model", daemon=True).start()
        return f"{job.name} is being fetched; it goes on when this page is closed."

    def put_away(self) -> None:
        """What has ended was told; something else is begun now."""
        with self._lock:
            self.fetching, self.testing = (
                job if job is not None and job.going_on else None for job in (self.fetching, self.testing)
            )

    def stop_fetch(self) -> None:
        """End the fetch that goes on; what has come is kept."""
        if self.fetching is not None:
            self.fetching.stop.set()

    def remove(self, name: object) -> str:
        """Delete a model from the hub's cache; what was freed, in words.

        Raises:
            BadInput: it is a folder of somebody's own, it is needed, or nothing may be changed here.
            NotReady: there is nothing to remove.
        """
        wanted = _short(self.allowed(name))
        if self._switch.uses_local(wanted):
            raise BadInput(f"{wanted} is in use: let another model or the embedded reader answer first")
        for job, what in ((self.fetching, "fetched"), (self.testing, "tested")):
            if job is not None and job.going_on and job.name == wanted:
                raise BadInput(f"{wanted} is being {what}: stop that first")
        freed = store.remove(wanted)
        self.look()
        return f"{wanted} is removed; {size_of(freed)} were freed."

    def test(self, name: object) -> str:
        """Begin to load a model and to measure how fast it answers here; what is so now, in words.

        Raises:
            BadInput: nothing may be changed here, or another one is being tested.
            NotReady: it is not on this machine.
        """
        found = store.find(self.allowed(name))
        job = Job(found.name)
        with self._lock:
            if self.testing is not None and self.testing.going_on:
                raise BadInput(f"{self.testing.name} is being tested: wait for it or stop it")
            self.testing = job
        settings = replace(self._switch.settings, profile="local", local_model=named(found))
        threading.Thread(target=self._test, args=(job, settings), name="test-model", daemon=True).start()
        return f"{job.name} is being loaded and asked twice."

    def stop_test(self) -> None:
        """Take no notice of the test that goes on any more; what it reads into memory is let go when it is there."""
        if (job := self.testing) is not None and job.going_on:
            job.stop.set()
            job.state, job.words = "stopped", f"The test of {job.name} was stopped."

    # in the background

    def _fetch(self, job: Job) -> None:
        try:
            store.fetch(job.name, lambda done, total: job.count(done, total, time.monotonic()), cancelled=job.stop)
            _end(job, "done", f"{job.name} is on this machine now, {size_of(job.total)}. Use lets it answer.")
        except Cancelled:
            there = f" at {size_of(job.done)} of {size_of(job.total)}" if job.total else ""
            _end(job, "stopped", f"The fetch of {job.name} was stopped{there}; Fetch goes on from there.")
        except VitrineError as problem:
            _end(job, "failed", sentence_of(str(problem)))
        except Exception:
            log.exception("a model could not be fetched")
            _end(job, "failed", f"{job.name} could not be fetched; the log of the server has the details.")
        self.look()
        with self._lock:
            self.version += 1

    def _test(self, job: Job, settings: Settings) -> None:
        def tell(share: float) -> None:
            job.share = share

        try:
            with self._switch.one_loads:
                if job.stop.is_set():
                    return
                speed = self._measure(settings, tell, job.stop)
            self._speeds[job.name] = speed
            _end(job, "done", _said(job.name, speed))
        except Cancelled:
            _end(job, "stopped", f"The test of {job.name} was stopped.")
        except VitrineError as problem:
            _end(job, "failed", sentence_of(str(problem)))
        except Exception:
            log.exception("a model could not be tested")
            _end(job, "failed", f"{job.name} could not be tested; the log of the server has the details.")
        self.look()

    # what rows are made of

    def allowed(self, name: object) -> str:
        wanted = str(name or "").strip()
        if not self._switch.may_change:
            raise BadInput("models cannot be changed on this page")
        if not wanted or len(wanted) > 2000:
            raise BadInput("no model is named: choose one of the list, or type a hub id or a folder")
        if store.is_path(wanted) and not self.may_name_paths:
            raise BadInput("folders can be named only on a page that is served to this machine alone: type a hub id")
        return wanted

    def _this_machine(self) -> Machine:
        if self._known_machine is None:
            self._known_machine = self._machine()
        return self._known_machine

    def _row(self, name: str) -> Shelved | None:
        wanted = name.strip().lower()
        return next((row for row in self.rows() if wanted in (row.name.lower(), row.hub_id.lower())), None)

    def _with_state(self, row: Shelved, cached: store.Cached | None, cache: Path) -> Shelved:
        speed = self._speeds.get(row.name)
        row = replace(row, measured_s=speed.answer_s if speed is not None else None)
        if cached is not None and not cached.lacks:
            return replace(row, state="here", bytes_here=cached.on_disk)
        there = store.bytes_here(row.hub_id, cache)
        return replace(row, state="partly", bytes_here=there, lacks=cached.lacks if cached else "") if there else row

    def _fit_of(self, path: Path) -> Fit | None:
        from assistant.models.local.loading import read_config, weights_of

        try:
            weights = weights_of(path, read_config(path))
        except (VitrineError, OSError):
            return None
        return fits_unlisted(weights, self._this_machine()) if weights else None


def size_of(size: float) -> str:
    """Bytes as people read them: "2.03 GB", "310 MB", "12 kB"."""
    for unit, name, places in ((1e9, "GB", 2), (1e6, "MB", 0), (1e3, "kB", 0)):
        if size >= unit:
            return f"{size / unit:.{places}f} {name}"
    return f"{size:.0f} bytes"


def slow_words(answer_s: float | None, *, measured: bool) -> str:
    """What an answer takes, in a sentence; "" where that is not known."""
    if answer_s is None:
        return ""
    from assistant.factory import LOCAL_TURN_S

    about = "about" if measured else "very roughly"
    late = f", and one that takes longer than {LOCAL_TURN_S:.0f} s is given up" if answer_s > 0.7 * LOCAL_TURN_S else ""
    return f"An answer takes {about} {max(answer_s, 1):.0f} s on this machine{late}."


def _short(name: str) -> str:
    known = known_as(name)
    return known.name if known is not None else name if store.is_path(name) else store.hub_id_of(name)


def _end(job: Job, state: Literal["done", "stopped", "failed"], words: str) -> None:
    if job.going_on:
        job.words, job.state = words, state


def _said(name: str, speed: Speed) -> str:
    return (
        f"{name} answers here: its first token came after {speed.first_token_s:.1f} s, then {speed.tokens_per_s:.1f} a "
        f"second. An answer of two sentences takes about {max(speed.answer_s, 1):.0f} s, more with much evidence."
    )


def _this_machine() -> Machine:
    from assistant.models.local.machine import this_machine

    return this_machine()


def _measured(settings: Settings, tell: Callable[[float], None], stop: threading.Event) -> Speed:
    from assistant.factory import open_model
    from assistant.models.local.model import LocalModel

    model = open_model(settings)
    assert isinstance(model, LocalModel)
    return model.measure_speed(tell, cancelled=stop)
