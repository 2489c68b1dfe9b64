"""Rows out of JSON and JSONL files: CRAG-MM's shape (either layout), or the small one of one's own.

The small shape is `{"image": path, "query": …, "ground_truth": …}` or `{"image": path, "turns": [{"query",
"ground_truth"}, …]}`; what may stand for the path is told in `eval.data.picture_text`. A file is a list of objects or
one object a line. A file that breaks off, or a row that is of no shape, is refused with its line: half a benchmark
would give scores of something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage, BadInput
from assistant.core.whole_text import load_json
from eval.data.crag_rows import COLUMNS, Source, crag_sample
from eval.data.pictures import Picture, picture_in
from eval.data.row_format import is_packed
from eval.data.samples import LABELS, Sample, SampleTurn, Unusable


def read_rows(path: Path) -> tuple[str, list[tuple[int, Any]]]:
    """The rows of a file with their numbers, and what is counted: "row" (from 0, of a list) or "line" (from 1).

    Raises:
        BadInput: not to be read, no rows, or a line that is not JSON.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        if is_packed(path):
            raise BadInput(
                f"{str(path)!r} is compressed (bzip2), and no row of CRAG's can be read at its beginning: fetch it "
                "again, or unpack it where it holds other rows"
            ) from None
        raise BadInput(f"{str(path)!r} cannot be read as text ({why})") from None
    unit, rows = "line", None
    if text.lstrip()[:1] == "[":
        try:
            unit, rows = "row", list(enumerate(load_json(text)))
        except ValueError as problem:
            raise BadInput(f"{str(path)!r} is no complete JSON list ({problem})") from None
    if rows is None:
        rows = _one_object(text) or list(_lines(path, text))
    if not rows:
        raise BadInput(f"{str(path)!r} holds no rows")
    return unit, rows


def _one_object(text: str) -> list[tuple[int, Any]] | None:
    """The rows of a text that is one JSON object: itself, over however many lines."""
    if text.count("\n") < 2 or text.lstrip()[:1] != "{":
        return None
    try:
        return [(1, load_json(text))]
    except ValueError:
        return None


def _lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, load_json(line)
            except ValueError:
                raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None


def json_samples(path: Path, rows: Iterable[tuple[int, Any]], source: Source) -> Iterator[Sample | Unusable]:
    """Samples of the rows; a row that the public reading skips is left out.

    Raises:
        BadInput: a row that has neither shape; the message names it.
    """
    for number, row in rows:
        if not isinstance(row, dict):
            raise BadInput(f"{source.place(number)} is {type(row).__name__}, not an object")
        if any(key in row for key in ("answers", "session_id")):
            for key in COLUMNS:
                if key not in row:
                    raise BadInput(f"{source.place(number)} has no {key!r}, which CRAG-MM rows have")
            if not source.public.skips(row["session_id"]):
                picture, lost = _own_picture(path, row, number, source)
                yield crag_sample(row, number, picture, source, lost)
        else:
            yield _small_row(path, row, number, source)


def _own_picture(path: Path, row: dict[str, Any], number: int, source: Source) -> tuple[Picture | None, str]:
    """The picture that a row names or carries, and why there is none though it does."""
    if not source.pictures:
        return None, ""
    try:
        return picture_in(row.get("image"), path.parent), ""
    except BadImage as problem:
        return None, str(problem)
    except TypeError:
        raise BadInput(f"{source.place(number)} has {row['image']!r} as 'image': a path is wanted") from None


def _small_row(path: Path, row: dict[str, Any], number: int, source: Source) -> Sample | Unusable:
    place = source.place(number)
    turns = row.get("turns", [row])
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns) or not turns:
        raise BadInput(f"{place} has no list of turns")
    session = f"{path.stem}-{number}"
    made = []
    for i, turn in enumerate(turns):
        for key in ("query", "ground_truth"):
            if key not in turn:
                raise BadInput(f"{place} has no {key!r} (its columns: {', '.join(map(str, turn))})")
            if not isinstance(turn.get(key), str):
                raise BadInput(f"{place} has {turn.get(key)!r} as {key!r}: a text is wanted")
        labels: dict[str, Any] = {key: source.labels.read(key, turn.get(key, row.get(key)), place) for key in LABELS}
        made.append(SampleTurn(f"{session}-{i}", i, turn["query"], turn["ground_truth"], **labels))
    # Not a CRAG-MM row: that it has no image_url does not make it egocentric, and its shape is kept.
    ego = row.get("is_ego")
    if ego not in (None, True, False):
        raise BadInput(f"{place} has {ego!r} as 'is_ego': true or false is wanted")
    picture, lost = _own_picture(path, row, number, source)
    if lost:
        return Unusable(source.name, number, session, lost)
    ego = bool(ego) and picture is not None
    return Sample(session, tuple(made), source.set, source.split, ego, picture=picture, source=source.name, row=number)
