"""Conversations of the live page that were recorded because somebody asked for it: a folder each, a saved turn a file.

`DATA/annotations/recordings/NAME/0001.vitrine.zip`, … in the form of `assistant.capsule`. Nothing is written unless the
switch is on, and what is deleted here is gone.
"""

from __future__ import annotations

import functools
import logging
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.capsule import SUFFIX, Capsule, pack, unpack
from assistant.core.errors import BadInput, VitrineError
from assistant.core.storage import write_bytes
from assistant.ui.panels.capsule import capsule_of
from assistant.ui.state.session import Session

log = logging.getLogger(__name__)

FOLDER = "recordings"
_NAME = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")


@dataclass(frozen=True)
class Recorded:
    """A recording: its name, when it was begun, how many turns it has, and its first question."""

    name: str
    begun: datetime
    turns: int
    first: str

    @property
    def label(self) -> str:
        turns = "1 turn" if self.turns == 1 else f"{self.turns} turns"
        return f"{self.begun:%d %B %Y, %H:%M}, {turns}: {self.first[:60]}"


class Recordings:
    """Those of one data folder. `withhold` names keys and paths that go into no file, `profile` who answers now."""

    def __init__(
        self,
        folder: Path,
        versions: Callable[[], Mapping[str, Any]],
        withhold: Callable[[], Sequence[str]],
        profile: Callable[[], str],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        self._folder = folder / FOLDER
        self._versions, self._withhold, self._profile, self._now = versions, withhold, profile, now

    def begin(self, session: Session) -> None:
        """From the next turn on this session is recorded."""
        session.recorded_after = session.turns_shown + (session.run is not None)
        session.recording = f"{self._now():%Y%m%d-%H%M%S}-{session.id[-6:].encode().hex()[:6]}"

    def keep(self, session: Session, number: int) -> None:
        """Write a turn that has just finished, where its session is recorded; what fails is logged, and never an
        answer."""
        if not session.recording or number <= session.recorded_after:
            return
        try:
            capsule = capsule_of(session, number, self._profile(), dict(self._versions()), self._now())
            write_bytes(self._folder / session.recording / f"{number:04d}{SUFFIX}", pack(capsule, self._withhold()))
        except (OSError, VitrineError) as problem:
            log.warning("turn %d was not recorded: %s", number, problem)

    def all(self) -> list[Recorded]:
        """The newest first."""
        found = []
        for place in sorted(self._folder.glob("*"), reverse=True):
            files = sorted(place.glob(f"*{SUFFIX}"))
            if _NAME.fullmatch(place.name) and files:
                begun = datetime.strptime(place.name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC).astimezone()
                found.append(Recorded(place.name, begun, len(files), _question(files[0])))
        return found

    def turns(self, name: str) -> list[Capsule]:
        """The turns of a recording, in order.

        Raises:
            BadInput: there is none of that name, or a file is damaged.
        """
        return [unpack(path.read_bytes()) for path in self._files(name)]

    def delete(self, name: str) -> None:
        """Raises:
        BadInput: there is none of that name.
        """
        self._files(name)
        shutil.rmtree(self._folder / name)

    def _files(self, name: str) -> list[Path]:
        files = sorted((self._folder / name).glob(f"*{SUFFIX}")) if _NAME.fullmatch(name or "") else []
        if not files:
            raise BadInput("that recording is not here any more: choose another")
        return files


@functools.lru_cache(maxsize=500)
def _question(path: Path) -> str:
    """The question of a saved turn, which is written once and never changed."""
    try:
        return unpack(path.read_bytes()).record.turn.question
    except (OSError, VitrineError):
        return "(damaged)"
