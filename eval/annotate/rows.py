"""Test rows that are written by hand: checked while they are typed, saved, and exported so that a run takes them.

A saved row is `DATA/annotations/rows/<session id>.json`, its frame `rows/<sha256>.png|jpg` beside it; a frame is
written only when its row is saved. PNG and JPEG are kept as they are, unless they carry EXIF, XMP or other text, which
may say where and when somebody was: then the picture is written anew without it, turned the right way. Other kinds
become PNG.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assistant.core.errors import BadImage, BadInput
from assistant.core.storage import write_bytes, write_json, write_text
from assistant.core.whole_text import load_json, whole_text
from eval.data.samples import LABELS

log = logging.getLogger(__name__)

FOLDER = "rows"
#: All saved rows, as a run takes them.
ALL = "test_rows.jsonl"
MOST_TURNS, MOST_TEXT, MOST_LABEL = 20, 4_000, 60
_JPEG_QUALITY = 95


@dataclass(frozen=True)
class RowTurn:
    """One question with its answer and labels ("" for none)."""

    query: str = ""
    answer: str = ""
    domain: str = ""
    query_category: str = ""
    dynamism: str = ""
    image_quality: str = ""


@dataclass(frozen=True)
class Draft:
    """A row that is being written. `frame` is the path of a picture or its bytes. image_url: where the picture comes
    from, "" for an egocentric one, as the benchmark has it. session_id: "" until it is saved. left_at: the place of the
    turn at which a real user would have left, -1 for none."""

    turns: tuple[RowTurn, ...] = (RowTurn(),)
    frame: Path | bytes | None = None
    image_url: str = ""
    session_id: str = ""
    left_at: int = -1


@dataclass(frozen=True)
class Row:
    """A saved row. `frame` is the name of its picture in the folder of rows; `left_at` as in `Draft`."""

    session_id: str
    turns: tuple[RowTurn, ...]
    frame: str
    image_url: str = ""
    format_version: int = 1
    left_at: int = -1


_ROW = TypeAdapter(Row)


def check(draft: Draft, *, picture: bool = True) -> dict[str, str]:
    """What is wrong, one sentence a field: `frame`, `image_url`, `turns`, `turns.0.query`, …; {} when it can be saved.

    Args:
        draft: the row as it stands.
        picture: also look into the picture, which takes longer than a key press.
    """
    wrong: dict[str, str] = {}
    if not 1 <= len(draft.turns) <= MOST_TURNS:
        wrong["turns"] = f"the row has {len(draft.turns)} questions: give 1 to {MOST_TURNS}"
    for number, turn in enumerate(draft.turns):
        for name, what in (("query", "the question"), ("answer", "the answer")):
            text = getattr(turn, name)
            if not text.strip():
                wrong[f"turns.{number}.{name}"] = f"{what} is empty: write it"
            elif len(text) > MOST_TEXT:
                wrong[f"turns.{number}.{name}"] = f"{what} has {len(text)} characters: at most {MOST_TEXT} are taken"
        for name in LABELS:
            value = getattr(turn, name)
            if len(value) > MOST_LABEL or not value.isprintable():
                wrong[f"turns.{number}.{name}"] = f"{value[:MOST_LABEL]!r} is no label: give one short line"
    if draft.image_url and not draft.image_url.startswith(("http://", "https://")):
        wrong["image_url"] = f"{draft.image_url[:80]!r} is no address of a picture: it begins with http:// or https://"
    if draft.frame is None:
        wrong["frame"] = "there is no picture: take or choose one"
    elif picture:
        try:
            _encoded(draft.frame)
        except BadImage as problem:
            wrong["frame"] = str(problem)
    return wrong


def save(folder: Path, draft: Draft) -> Row:
    """Check a row and write it with its frame; a draft with a session id takes that row's place.

    Args:
        folder: that of the annotations.

    Raises:
        BadInput: something is wrong with it (the first sentence of `check`), or it cannot be written.
    """
    if wrong := check(draft, picture=False):
        field, sentence = next(iter(wrong.items()))
        raise BadInput(f"{field}: {sentence}")
    assert draft.frame is not None
    data, ending = _encoded(draft.frame)
    name = f"{hashlib.sha256(data).hexdigest()}.{ending}"
    session = draft.session_id or uuid.uuid4().hex
    if not session.replace("-", "").replace("_", "").isalnum() or len(session) > 80:
        raise BadInput(f"{session[:80]!r} is no id for a row: letters, digits, - and _ are taken")
    turns = tuple(RowTurn(*(whole_text(text).strip() for text in dataclasses.astuple(turn))) for turn in draft.turns)
    row = Row(session, turns, name, draft.image_url.strip(), left_at=draft.left_at)
    place = folder / FOLDER
    try:
        if not (place / name).is_file():
            write_bytes(place / name, data)
    except OSError as problem:
        raise BadInput(f"the row cannot be written to {str(place)!r} ({problem.strerror or problem})") from None
    write_json(place / f"{session}.json", dataclasses.asdict(row))
    _bring_up_to_date(folder)
    return row


def saved(folder: Path) -> list[Row]:
    """All saved rows whose frames are there, by the time at which they were saved last; files that are no row, or whose
    frame is gone, are passed over and named in the log."""
    paths = sorted((folder / FOLDER).glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    rows = []
    for path in paths:
        try:
            row = _ROW.validate_python(load_json(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, ValidationError):
            log.warning("%s is no row", path)
            continue
        if (folder / FOLDER / row.frame).is_file():
            rows.append(row)
        else:
            log.warning("the frame of %s is gone", path)
    return rows


def delete(folder: Path, session_id: str) -> None:
    """Delete a row, and its frame where no other row has it."""
    rows = saved(folder)
    gone = [row for row in rows if row.session_id == session_id]
    if not gone:
        raise BadInput(f"there is no row {session_id!r}")
    (folder / FOLDER / f"{session_id}.json").unlink(missing_ok=True)
    _bring_up_to_date(folder)


def _bring_up_to_date(folder: Path) -> None:
    """Take frames away that no row has, and write all saved rows to `ALL`, or take it away where there is none."""
    rows = saved(folder)
    named = {row.frame for row in rows}
    try:
        for frame in (folder / FOLDER).iterdir():
            if frame.suffix in (".png", ".jpg") and frame.name not in named and not frame.name.startswith("."):
                frame.unlink(missing_ok=True)
        if rows:
            export(folder, rows, folder / ALL)
        else:
            (folder / ALL).unlink(missing_ok=True)
    except (OSError, BadInput) as problem:  # the row itself is safe
        log.warning("the file of all test rows is not up to date: %s", problem)


def _encoded(frame: Path | bytes) -> tuple[bytes, str]:
    """The bytes to keep and their ending.

    Raises:
        BadImage: it is no picture that can be read.
    """
    from PIL import Image

    from assistant.vision.frame import read_frame

    pixels = read_frame(frame).pixels  # refuses what is no picture, broken or far too large
    data = frame.read_bytes() if isinstance(frame, Path) else frame
    with Image.open(io.BytesIO(data)) as picture:
        told = {"exif", "comment", "xmp", "XML:com.adobe.xmp", "photoshop"} & picture.info.keys()
        has_more = bool(told or picture.getexif() or getattr(picture, "text", None))
        kind = picture.format
    if kind in ("PNG", "JPEG") and not has_more:
        return data, "png" if kind == "PNG" else "jpg"
    out = io.BytesIO()
    if kind == "JPEG":
        Image.fromarray(pixels).save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=0)
        return out.getvalue(), "jpg"
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue(), "png"


def export(folder: Path, rows: Sequence[Row], out: Path) -> None:
    """Write rows in CRAG-MM's shape (v0.1.2): as Parquet with the frames inside, or as JSONL with them inside as text.

    Args:
        folder: that of the annotations.
        rows: at least one.
        out: FILE.parquet or FILE.jsonl.

    Raises:
        BadInput: another ending, no rows, a frame that is gone, or the file cannot be written.
    """
    frames = []
    for row in rows:
        try:
            frames.append((folder / FOLDER / row.frame).read_bytes())
        except OSError:
            raise BadInput(f"the frame {row.frame!r} of the row {row.session_id!r} is gone") from None
    write_rows(out, [(crag_row(row), frame) for row, frame in zip(rows, frames, strict=True)])


def crag_row(row: Row) -> dict[str, Any]:
    """A row in CRAG-MM's shape without its picture; labels by name, None for none."""
    ids = [f"{row.session_id}-{number}" for number in range(len(row.turns))]
    return {
        "session_id": row.session_id,
        "image_url": row.image_url or None,
        "turns": {
            "interaction_id": ids,
            **{name: [getattr(turn, name) or None for turn in row.turns] for name in LABELS},
            "query": [turn.query for turn in row.turns],
        },
        "answers": {"interaction_id": ids, "ans_full": [turn.answer for turn in row.turns]},
    }


def write_rows(out: Path, rows: Sequence[tuple[Mapping[str, Any], bytes | None]]) -> None:
    """Write CRAG-MM rows with their pictures; the ending says in which form.

    Raises:
        BadInput: another ending, no rows, or the file cannot be written.
    """
    if not rows:
        raise BadInput("there are no rows to write")
    if out.suffix == ".parquet":
        _write_parquet(out, rows)
    elif out.suffix == ".jsonl":
        write_text(out, "".join(_json_line(row, frame) for row, frame in rows))
    else:
        raise BadInput(f"rows are written as .parquet or .jsonl, not as {out.name!r}")


def _json_line(row: Mapping[str, Any], frame: bytes | None) -> str:
    from base64 import b64encode

    kind = "png" if frame and frame.startswith(b"\x89PNG") else "jpeg"
    image = None if frame is None else f"data:image/{kind};base64,{b64encode(frame).decode()}"
    return json.dumps({**row, "image": image}, ensure_ascii=False) + "\n"


def _write_parquet(out: Path, rows: Sequence[tuple[Mapping[str, Any], bytes | None]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = {label: _names(row["turns"][label] for row, _ in rows) for label in LABELS}
    text, texts, numbers = pa.string(), pa.list_(pa.string()), pa.list_(pa.int64())
    turns = [("interaction_id", texts), *((label, numbers) for label in LABELS), ("query", texts)]
    columns: dict[str, Any] = {
        "session_id": pa.array([row["session_id"] for row, _ in rows], text),
        "image": pa.array(
            [None if frame is None else {"bytes": frame, "path": None} for _, frame in rows],
            pa.struct([("bytes", pa.binary()), ("path", text)]),
        ),
        "image_url": pa.array([row["image_url"] for row, _ in rows], text),
        "turns": pa.array([_numbered(row["turns"], names) for row, _ in rows], pa.struct(turns)),
        "answers": pa.array(
            [row["answers"] for row, _ in rows], pa.struct([("interaction_id", texts), ("ans_full", texts)])
        ),
    }
    metadata = {"huggingface": json.dumps({"info": {"features": _features(names)}})}
    temporary = out.with_name(f".{out.name}.tmp")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns).replace_schema_metadata(metadata), temporary, row_group_size=16)
        temporary.replace(out)
    except (OSError, pa.ArrowException) as problem:
        raise BadInput(f"{str(out)!r} cannot be written ({problem})") from problem
    finally:
        temporary.unlink(missing_ok=True)


def _names(columns: Iterable[Sequence[Any]]) -> list[str]:
    """The names of a label in the order in which they come."""
    return list(dict.fromkeys(str(value) for column in columns for value in column if value is not None))


def _numbered(turns: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Labels as numbers, −1 where there is none, as `datasets` has it."""
    numbers = {
        label: [-1 if value is None else listed.index(str(value)) for value in turns[label]]
        for label, listed in names.items()
    }
    return {**turns, **numbers}


def _features(names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The features as the `datasets` library keeps them, names of the labels included."""
    text = {"dtype": "string", "_type": "Value"}
    labels = {label: {"names": list(listed), "_type": "ClassLabel"} for label, listed in names.items()}
    return {
        "session_id": text,
        "image": {"_type": "Image"},
        "image_url": text,
        "turns": {"feature": {"interaction_id": text, **labels, "query": text}, "_type": "Sequence"},
        "answers": {"feature": {"interaction_id": text, "ans_full": text}, "_type": "Sequence"},
    }


def draft_of(folder: Path, row: Row) -> Draft:
    """A saved row to be changed."""
    return replace(Draft(), turns=row.turns, frame=folder / FOLDER / row.frame, image_url=row.image_url,
                   session_id=row.session_id, left_at=row.left_at)  # fmt: skip
