"""One turn as one file: the picture as it was looked at, what was done to it, the question, the evidence, the times and
the versions. It opens again on any machine: the presenter's safety net, and the bug report.

The file is a zip archive named `*.vitrine.zip` that holds `capsule.json` (with `format_version`), `frame.png`, where
something was recognised, `indexed.jpg`, and the pictures that stand in the answer, `shown-0.jpg` onwards. `pack` and
`unpack` know bytes only: nothing is written to or taken out to a folder, so names inside an archive never become paths.
What comes from outside is bounded before it is read: the archive, its number of members, each member as it unpacks, the
JSON's depth, size and numbers.

Not in it: keys, paths of this machine (`withhold` takes them out of every string), the picture before it was degraded,
pictures of earlier turns, pictures among the evidence that are not in the answer. Earlier questions and answers are in
it, because the question may refer to them.
"""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assistant.core.errors import BadImage, BadInput, UnknownFormat
from assistant.core.events import Stage
from assistant.core.options import USUAL, Conditions
from assistant.core.types import (
    Answer,
    Code,
    Evidence,
    Frame,
    Quality,
    Recognition,
    TextLine,
    Turn,
)
from assistant.vision.degrade import Degradation

FORMAT_VERSION = 1
SUFFIX = ".vitrine.zip"

#: The largest file that is opened; what the page takes as an upload.
MAX_BYTES = 25_000_000
#: What its members may unpack to, in bytes; a zip bomb ends here.
#: Pictures of an answer that are kept, and their longest side; further ones keep their captions alone.
MOST_SHOWN, _SHOWN_PX = 16, 800
_JSON_BYTES, _FRAME_BYTES, _CARD_BYTES = 4_000_000, 22_000_000, 1_000_000
_LIMITS = {
    "capsule.json": _JSON_BYTES,
    "frame.png": _FRAME_BYTES,
    "frame.jpg": _FRAME_BYTES,
    "indexed.jpg": _CARD_BYTES,
    **{f"shown-{n}.jpg": _CARD_BYTES for n in range(MOST_SHOWN)},
}
#: A picture whose PNG is larger than this is kept as JPEG, and the capsule says so.
_LARGEST_PNG = 18_000_000
_MOST_NODES, _MOST_DEPTH, _MOST_CHARS = 100_000, 20, 200_000
_ENTRY = b"PK\x01\x02"  # begins each entry of an archive's table of contents

_KEY = re.compile(r"\b(?:sk|pk|rk|hf|gh[opsu]|xox[abp]|AIza|AKIA)[-_]?[A-Za-z0-9_\-]{16,}")
_NO_CAPSULE = "that file is no saved turn of Vitrine, or it is damaged: choose one that was saved here"


@dataclass(frozen=True)
class StageTime:
    """When a stage ran, in ms since the question, and its own work in `ms`."""

    stage: Stage
    ms: float
    note: str = ""
    start_ms: float = 0.0
    end_ms: float = 0.0


@dataclass(frozen=True)
class Sighting:
    """What `look` told, without pixels."""

    quality: Quality
    corrections: tuple[str, ...] = ()
    texts: tuple[TextLine, ...] = ()
    codes: tuple[Code, ...] = ()


@dataclass(frozen=True)
class Record:
    """A turn as it was shown, everything but pictures.

    Attributes:
        turn: question and answer; its `frame_digest` is that of the picture in the file.
        before: the turns before it, questions and answers only, oldest first.
        conditions: under which it was answered.
        degradations: what had been done to the picture, in order.
        contexts: evidence id to what the page says before and after the passage.
        changes: what the visitor had changed about it, in words.
        exact: whether the picture is kept bit by bit.
        profile: which part wrote the answer.
        versions: of Vitrine, its packages and the index, as far as they are known.
        saved: when the file was written, ISO 8601.
        moments: how soon its parts were there, in ms (`assistant.ui.state.turn_view.TurnView`).
        shown: ids of the evidence whose pictures are in the file, in their order.
    """

    turn: Turn
    before: tuple[Turn, ...] = ()
    conditions: Conditions = USUAL
    degradations: tuple[Degradation, ...] = ()
    stages: tuple[StageTime, ...] = ()
    sighting: Sighting | None = None
    recognition: Recognition = field(default_factory=Recognition)
    queries: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    wall_ms: float = 0.0
    contexts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    exact: bool = True
    profile: str = ""
    versions: Mapping[str, Any] = field(default_factory=dict)
    saved: str = ""
    moments: Mapping[str, float] = field(default_factory=dict)
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Capsule:
    """A record with its pictures: the frame that was looked at, and the indexed picture of what was recognised."""

    record: Record
    frame: Frame | None = None
    indexed: Frame | None = None


def pack(capsule: Capsule, withhold: Sequence[str] = ()) -> bytes:
    """The file of a capsule.

    Args:
        capsule: what is kept.
        withhold: keys and paths of this machine; wherever one stands in a string, "(withheld)" takes its place.
    """
    record, name, picture = capsule.record, "", b""
    if capsule.frame is not None:
        name, picture = _encoded(capsule.frame)
        record = replace(record, exact=name == "frame.png")
    shown = _shown_pictures(record)
    record = replace(record, shown=tuple(shown))
    said = _without({"format_version": FORMAT_VERSION, **asdict(_slim(record))}, _words_to_withhold(withhold))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("capsule.json", json.dumps(said, ensure_ascii=False, indent=1, default=str))
        if picture:
            archive.writestr(name, picture, zipfile.ZIP_STORED)
        if capsule.indexed is not None:
            archive.writestr("indexed.jpg", _jpeg(capsule.indexed, 85), zipfile.ZIP_STORED)
        for n, jpeg in enumerate(shown.values()):
            archive.writestr(f"shown-{n}.jpg", jpeg, zipfile.ZIP_STORED)
    return buffer.getvalue()


def unpack(data: bytes) -> Capsule:
    """Open the file of a capsule.

    Raises:
        BadInput: it is none, damaged, or larger than any capsule; one sentence.
        UnknownFormat: another version of Vitrine wrote it.
        BadImage: its picture cannot be read.
    """
    from assistant.vision.frame import read_frame

    members = _members(data)
    if "capsule.json" not in members:
        raise BadInput(_NO_CAPSULE)
    record = _record(members["capsule.json"])
    picture = members.get("frame.png") or members.get("frame.jpg")
    frame = read_frame(picture) if picture else None
    if frame is None and record.turn.frame_digest is not None:
        raise BadInput("the saved turn speaks of a picture that is not in it: save the turn again")
    indexed = read_frame(members["indexed.jpg"]) if "indexed.jpg" in members else None
    turn = replace(record.turn, frame_digest=frame.digest if frame is not None else None)
    return Capsule(_with_pictures(replace(record, turn=turn), members), frame, indexed)


# reading


def _members(data: bytes) -> dict[str, bytes]:
    """The members of an archive by name; nothing is unpacked beyond its limit."""
    if len(data) > MAX_BYTES:
        raise BadInput(f"that file has {len(data) / 1e6:.0f} MB; a saved turn has at most {MAX_BYTES / 1e6:.0f} MB")
    if data.count(_ENTRY) > 2 * len(_LIMITS):  # before the table of contents is read: it may list a million names
        raise BadInput(_NO_CAPSULE)
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if entry.filename not in _LIMITS or entry.filename in found:
                    raise BadInput(
                        f"{_shown(entry.filename)} has no place in a saved turn: choose one that was saved here"
                    )
                found[entry.filename] = _bounded(archive, entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, LookupError) as problem:
        raise BadInput(_NO_CAPSULE) from problem
    return found


def _bounded(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    limit = _LIMITS[entry.filename]
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadInput(_NO_CAPSULE)
    with archive.open(entry) as member:
        data = member.read(limit + 1)  # what the entry says of its size may be a lie
    if len(data) > limit:
        raise BadInput(
            f"{entry.filename!r} in that file unpacks to more than {limit / 1e6:.0f} MB: it is no saved turn"
        )
    return data


def _shown(name: str) -> str:
    return repr(name if len(name) <= 40 else f"{name[:40]}…")


def _with_pictures(record: Record, members: Mapping[str, bytes]) -> Record:
    """The record whose evidence has its pictures again; one that cannot be read is as one that was not kept."""
    from assistant.vision.frame import read_frame

    found: dict[str, bytes] = {}
    for n, id_ in enumerate(record.shown[:MOST_SHOWN]):
        try:
            read_frame(members[f"shown-{n}.jpg"])
            found[id_] = members[f"shown-{n}.jpg"]
        except (KeyError, BadImage):
            continue

    def again(pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
        return tuple(replace(piece, picture=found.get(piece.id)) for piece in pieces)

    chosen, answer = record.conditions.evidence, record.turn.answer
    turn = replace(record.turn, answer=replace(answer, evidence=again(answer.evidence)))
    conditions = replace(record.conditions, evidence=again(chosen) if chosen is not None else None)
    return replace(record, turn=turn, conditions=conditions, evidence=again(record.evidence))


def _record(data: bytes) -> Record:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise BadInput(_NO_CAPSULE) from problem
    if not isinstance(said, dict) or "format_version" not in said:
        raise BadInput(_NO_CAPSULE)
    if (version := said.pop("format_version")) != FORMAT_VERSION or isinstance(version, bool):
        raise UnknownFormat(
            f"that saved turn has format_version {_shown(str(version))}, this Vitrine reads {FORMAT_VERSION}: "
            "open it with the version that saved it"
        )
    if not _is_bounded(said):
        raise BadInput(_NO_CAPSULE)
    try:
        return _adapter().validate_python(said)
    except (ValidationError, ValueError, RecursionError) as problem:
        raise BadInput(_NO_CAPSULE) from problem


def _is_bounded(said: object) -> bool:
    """Whether a JSON value is of a size that a turn can have, all numbers finite."""
    nodes, todo = 0, [(said, 0)]
    while todo:
        value, depth = todo.pop()
        nodes += 1
        if nodes > _MOST_NODES or depth > _MOST_DEPTH:
            return False
        if isinstance(value, float) and not abs(value) < 1e18:  # also what is not a number
            return False
        if isinstance(value, int) and abs(value) > 2**53:
            return False
        if isinstance(value, str) and len(value) > _MOST_CHARS:
            return False
        if isinstance(value, dict):
            todo += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list):
            todo += [(part, depth + 1) for part in value]
    return True


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


# writing


def _slim(record: Record) -> Record:
    """Of earlier turns only what a later one may refer to."""
    before = tuple(
        Turn(t.question, Answer(t.answer.text, t.answer.status, t.answer.reason), None, t.subjects)
        for t in record.before
    )
    return replace(record, before=before)


def _words_to_withhold(withhold: Sequence[str]) -> re.Pattern[str] | None:
    """One pattern for all of them, the longest first; what is shorter than four characters says nothing."""
    words = sorted({word for word in withhold if len(word) >= 4}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words))) if words else None


def _without(value: Any, words: re.Pattern[str] | None) -> Any:
    """`value` with keys and `words` taken out of every string, names of fields included."""
    if isinstance(value, str):
        kept = words.sub("(withheld)", value) if words is not None else value
        return _KEY.sub("(withheld)", kept)
    if isinstance(value, Mapping):
        return {_without(str(key), words): _without(part, words) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_without(part, words) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return 0.0
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes):  # pictures among the evidence: those that are kept are members of the archive
        return None
    return _without(str(value), words)


def _shown_pictures(record: Record) -> dict[str, bytes]:
    """Ids of the evidence whose pictures stand in the answer, and these as JPEG."""
    from assistant.vision.frame import read_frame

    placed = dict.fromkeys(s.picture for s in record.turn.answer.sentences if s.picture is not None)
    pictures = {e.id: e.picture for e in (*record.evidence, *record.turn.answer.evidence) if e.picture}
    found: dict[str, bytes] = {}
    for id_ in placed:
        if id_ in pictures and len(found) < MOST_SHOWN:
            try:
                found[id_] = _jpeg(read_frame(pictures[id_]), 85, _SHOWN_PX)
            except BadImage:  # it could not be shown either
                continue
    return found


def _encoded(frame: Frame) -> tuple[str, bytes]:
    """The picture bit by bit, or as the best JPEG that is small enough."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(frame.pixels).save(buffer, "PNG", compress_level=4)
    if buffer.tell() <= _LARGEST_PNG:
        return "frame.png", buffer.getvalue()
    jpegs = (_jpeg(frame, quality) for quality in (95, 88, 75, 50))
    return "frame.jpg", next((jpeg for jpeg in jpegs if len(jpeg) <= _LARGEST_PNG), _jpeg(frame, 25))


def _jpeg(frame: Frame, quality: int, longest_px: int | None = None) -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    picture = Image.fromarray(frame.pixels)
    if longest_px is not None:
        picture.thumbnail((longest_px, longest_px))
    picture.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
