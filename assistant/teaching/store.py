"""The folder of taught objects: `<data-dir>/taught`, shared by all visitors and by every process that uses the folder.

    taught/ taught.json    what is known (`assistant.teaching.taught_file`); written last, at once
            views/ID.npz   local features and vector of a picture, ID.jpg the picture; ID is random
            .lock          held while writing

A writer holds the lock, writes new views under names nobody knows yet, then puts a new `taught.json` in the old one's
place: killed at any moment, it leaves the old state or the new one. Views that no object names are removed by the next
writer. Readers look at the time stamp of `taught.json` and read what is new in it; they never wait.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.index.catalogue import EntityRecord, TaughtRecord, name_key
from assistant.recognition.taught_images import SCHEME, TaughtRow, TaughtRows
from assistant.teaching.enrol import View
from assistant.teaching.taught_file import TaughtState, read_state, remove_unfinished, stamp_of, write_state
from assistant.teaching.taught_object import MAX_PICTURES, Notes, TaughtObject, TaughtPicture, clean_name
from assistant.teaching.views import StoredView, read_view, write_view
from assistant.vision.picture_encoder import PictureEncoder

MAX_OBJECTS = 500
#: A writer waits this long for another one; saving takes a few hundredths of a second.
PATIENCE_S = 10.0
_VIEWS = "views"


@dataclass(frozen=True, eq=False)
class Forgotten:
    """An object that was forgotten, with its views, as long as somebody holds this value: it can be taken back."""

    object: TaughtObject
    views: tuple[StoredView, ...]


class TaughtStore:
    """Safe to share between threads, and between processes on one folder."""

    def __init__(
        self,
        folder: Path,
        encoder: PictureEncoder | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        """Nothing is read or made yet; `encoder` is the one whose vectors are kept; whoever only lists needs none."""
        self.folder = folder
        self._encoder = encoder
        self._now = now
        self._new_id = new_id
        self._lock = threading.RLock()
        self._stamp: tuple[int, ...] | None = None
        self._state = TaughtState()
        self._rows = TaughtRows()
        self._views: dict[str, StoredView] = {}

    @property
    def _version(self) -> str:
        return self._encoder.version if self._encoder is not None else ""

    # reading

    @property
    def version(self) -> int:
        """Another number after every change; 0 when nothing was ever taught."""
        return self._readable().version

    def objects(self) -> tuple[TaughtObject, ...]:
        """Everything that is known, oldest first.

        Raises:
            UnknownFormat: the folder was written in a format that this version does not know, or is damaged.
        """
        return self._current().objects

    def find(self, name: str) -> TaughtObject | None:
        """The object of that name, case and white space aside."""
        return self._current().by_key.get(name_key(name))

    def names(self) -> tuple[str, ...]:
        """The names of everything that is known; of a folder that cannot be read none."""
        return tuple(thing.name for thing in self._readable().objects)

    def record(self, name: str, indexed: EntityRecord | None) -> EntityRecord | None:
        """What is known of that name: the index's record with what was taught besides; either may be missing."""
        thing = self._readable().by_key.get(name_key(name))
        if thing is None:
            return indexed
        urls = tuple(SCHEME + picture.id for picture in thing.pictures)
        base = indexed or EntityRecord(thing.name, {}, (), ())
        return TaughtRecord(
            name=base.name,
            attributes={**base.attributes, **thing.facts},
            indexes=base.indexes,
            image_urls=base.image_urls or urls,
            facts=thing.facts,
            sentences=thing.sentences,
            source=urls[0] if urls else SCHEME,
        )

    def get(self, object_id: str) -> TaughtObject:
        """The object of that id.

        Raises:
            BadInput: it was forgotten meanwhile.
        """
        found = next((o for o in self.objects() if o.id == object_id), None)
        if found is None:
            raise BadInput("that object is not known any more: somebody has forgotten it meanwhile")
        return found

    def rows(self) -> TaughtRows:
        """What recognition searches; a folder that cannot be read is no reason to recognise nothing else."""
        self._readable()
        return self._rows

    def jpeg(self, picture_id: str) -> bytes | None:
        """The kept picture of that id; None for an id that no object has."""
        self._current()
        view = self._views.get(picture_id)
        return view.jpeg if view is not None else None

    def _readable(self) -> TaughtState:
        """The state as it is on the disk, or as it was when it could last be read."""
        with suppress(VitrineError):
            return self._current()
        return self._state

    def _current(self) -> TaughtState:
        stamp = stamp_of(self.folder)
        if stamp == self._stamp:
            return self._state
        with self._lock:
            if stamp != self._stamp:
                self._take(read_state(self.folder) if stamp is not None else TaughtState())
                self._stamp = stamp
        return self._state

    def _take(self, state: TaughtState) -> None:
        """Make `state` the current one; only views that were not there before are read."""
        views: dict[str, StoredView] = {}
        rows: list[TaughtRow] = []
        for thing in state.objects:
            for picture in thing.pictures:
                view = self._views.get(picture.id) or read_view(self.folder / _VIEWS, picture.id, self._encoder)
                if view is None:
                    continue  # forgotten by another process between the two reads, or damaged: known by its other views
                views[picture.id] = view
                rows.append(TaughtRow(thing.name, picture.id, dict(thing.facts), view.features, view.vector))
        self._views = views
        self._rows = TaughtRows(rows, state.version)
        self._state = state

    # writing

    def add(self, name: str, notes: Notes, views: Sequence[View]) -> TaughtObject:
        """Keep a new object.

        Raises:
            BadInput: no name, no view, the name is taken, or there is no room.
            NotReady: the folder cannot be written, or somebody else is writing for long.
        """
        name = clean_name(name)
        if not views:
            raise BadInput(f"{name!r} has no picture: draw round it on the frame first")
        with self._writing() as state:
            if any(name_key(o.name) == name_key(name) for o in state.objects):
                raise BadInput(
                    f"something called {name!r} is taught already: choose another name, or add this view to it"
                )
            if len(state.objects) >= MAX_OBJECTS:
                raise BadInput(f"{MAX_OBJECTS} objects are taught, the most that are kept: forget one first")
            moment = self._moment()
            pictures = self._written([StoredView.of(view, self._version) for view in views[:MAX_PICTURES]])
            made = TaughtObject(self._new_id(), name, notes.facts, notes.sentences, pictures, moment, moment)
            self._put(state, (*state.objects, made))
        return made

    def change(
        self, object_id: str, *, name: str | None = None, notes: Notes | None = None, views: Sequence[View] = ()
    ) -> TaughtObject:
        """Give an object another name, other facts, or more views; what is None stays."""
        with self._writing() as state:
            old = next((o for o in state.objects if o.id == object_id), None)
            if old is None:
                raise BadInput("that object is not known any more: somebody has forgotten it meanwhile")
            named = clean_name(name) if name is not None else old.name
            if any(name_key(o.name) == name_key(named) for o in state.objects if o is not old):
                raise BadInput(f"something else is called {named!r} already: choose another name")
            if len(old.pictures) + len(views) > MAX_PICTURES:
                raise BadInput(
                    f"{old.name!r} has {len(old.pictures)} pictures: {MAX_PICTURES} are the most that are kept"
                )
            pictures = self._written([StoredView.of(view, self._version) for view in views])
            changed = replace(
                old,
                name=named,
                facts=notes.facts if notes is not None else old.facts,
                sentences=notes.sentences if notes is not None else old.sentences,
                pictures=(*old.pictures, *pictures),
                changed=self._moment(),
            )
            self._put(state, tuple(changed if o is old else o for o in state.objects))
        return changed

    def forget(self, object_id: str) -> Forgotten:
        """Drop an object and its pictures from the disk; what is returned can be given to `restore`."""
        with self._writing() as state:
            gone = next((o for o in state.objects if o.id == object_id), None)
            if gone is None:
                raise BadInput("that object is not known any more: somebody has forgotten it already")
            views = tuple(self._views[p.id] for p in gone.pictures if p.id in self._views)
            self._put(state, tuple(o for o in state.objects if o is not gone))
        return Forgotten(gone, views)

    def restore(self, forgotten: Forgotten) -> TaughtObject:
        """Take a forgotten object back, with its id, its pictures and its time."""
        back = forgotten.object
        with self._writing() as state:
            if any(o.id == back.id for o in state.objects):
                return back
            if any(name_key(o.name) == name_key(back.name) for o in state.objects):
                raise BadInput(
                    f"something else is called {back.name!r} by now: it cannot be taken back under that name"
                )
            back = replace(back, pictures=self._written(forgotten.views))
            self._put(state, (*state.objects, back))
        return back

    def _moment(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="seconds")

    def _written(self, views: Sequence[StoredView]) -> tuple[TaughtPicture, ...]:
        """Write views under new ids; nobody sees them until an object names them."""
        folder = self.folder / _VIEWS
        folder.mkdir(exist_ok=True)
        pictures = []
        for view in views:
            picture_id = self._new_id()
            write_view(folder, picture_id, view)
            pictures.append(TaughtPicture(picture_id, view.outline_px, *view.size_px))
        return tuple(pictures)

    def _put(self, state: TaughtState, objects: tuple[TaughtObject, ...]) -> None:
        write_state(self.folder, TaughtState(state.version + 1, objects))
        self._current()
        self._sweep({picture.id for thing in objects for picture in thing.pictures})

    def _sweep(self, named: set[str]) -> None:
        """Remove views that no object names: forgotten ones, and those of a writer that was killed."""
        remove_unfinished(self.folder)
        for path in (self.folder / _VIEWS).glob("*"):
            if path.name.split(".")[0] not in named:
                with suppress(OSError):
                    path.unlink()

    @contextmanager
    def _writing(self) -> Iterator[TaughtState]:
        """Hold the right to write, and the state as it is on the disk."""
        import fcntl

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._lock, (self.folder / ".lock").open("w") as file:
                _wait_for(lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB), self.folder)
                yield self._current()
        except OSError as problem:
            with suppress(OSError):  # what was half written goes, or a full disk stays full
                self._sweep({picture.id for thing in self._state.objects for picture in thing.pictures})
            raise NotReady(
                f"the taught objects cannot be written to {str(self.folder)!r} ({problem.strerror or problem}): "
                "nothing was changed; make room there or give another --data-dir"
            ) from problem


def _wait_for(take: Callable[[], None], folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return take()
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise NotReady(f"another process is writing to {str(folder)!r}: try again in a moment") from None
            time.sleep(0.02)
