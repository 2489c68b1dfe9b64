"""Rows in the shape of VLM-DeflectionBench (arXiv 2604.12033), whose data are not public: JSON lines with a question, a
picture, an answer, and evidence that holds the answer (`gold`) or only looks as if it did (`negatives`).

    {"id": …, "image": path or base64, "query": …, "answer": … or [several that are right], "answer_aliases": […],
     "gold": [piece, …], "negatives": [piece, …], "domain": …, "query_category": …}

A piece is text (`{"text", "url", "title"}`), an attribute (`{"subject", "key", "value"}`) or a picture (`{"image",
"caption", "url", "title"}`). `eval curate` writes the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage, BadInput
from eval.data.crag_rows import Source
from eval.data.json_rows import read_rows
from eval.data.pictures import Picture, picture_in
from eval.data.pieces import Piece, Role, attribute
from eval.data.row_format import RowFormat
from eval.data.samples import LABELS, Sample, SampleTurn, Unusable, id_text

_ROLES: tuple[tuple[str, Role], ...] = (("gold", "gold"), ("negatives", "distractor"))


def _recognises(row: Mapping[str, Any]) -> bool:
    there = [key in row for key in ("gold", "negatives")]
    return "query" in row and (all(there) or (any(there) and "answer" in row))


def read_deflection(path: Path, source: Source) -> Iterator[Sample | Unusable]:
    """The samples of a file.

    Raises:
        BadInput: a row that is not of this shape; the message names line and key.
    """
    unit, rows = read_rows(path)
    source = replace(source, unit=unit)
    for number, row in rows:
        yield _sample(path, number, row, source)


def _sample(path: Path, number: int, row: Any, source: Source) -> Sample | Unusable:
    place = source.place(number)
    if not isinstance(row, dict):
        raise BadInput(f"{place} is {type(row).__name__}, not an object")
    name = id_text(row.get("id")) or f"{path.stem}-{number}"
    query, truths = row.get("query"), _truths(row, place)
    if not isinstance(query, str) or not query.strip():
        raise BadInput(f"{place} has {query!r} as 'query': a text is wanted")
    picture: Picture | None = None
    if source.pictures:
        try:
            picture = picture_in(row.get("image"), path.parent)
        except BadImage as problem:
            return Unusable(source.name, number, name, str(problem))
        except TypeError:
            raise BadInput(f"{place} has {row['image']!r} as 'image': a path is wanted") from None
    try:
        pieces = [p for key, role in _ROLES for p in _pieces(row.get(key), role, f"{place}, {key!r}", path.parent)]
    except BadImage as problem:
        return Unusable(source.name, number, name, str(problem))
    labels: dict[str, Any] = {key: source.labels.read(key, row.get(key), place) for key in LABELS}
    turn = SampleTurn(name, 0, query, truths[0], **labels, truths=truths[1:], pieces=lambda: pieces)
    return Sample(name, (turn,), source.set, source.split, False, picture=picture, source=source.name, row=number)


def _truths(row: Mapping[str, Any], place: str) -> tuple[str, ...]:
    found = row.get("answer")
    found = [found] if isinstance(found, str) else found
    more = row.get("answer_aliases") or []
    for key, value in (("answer", found), ("answer_aliases", more)):
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise BadInput(f"{place} has {row.get(key)!r} as {key!r}: a text or a list of texts is wanted")
    right = [text for text in found or () if text.strip()]
    if not right:
        raise BadInput(f"{place} has no 'answer'")
    return tuple(dict.fromkeys([*right, *(text for text in more if text.strip())]))


def _pieces(value: Any, role: Role, place: str, folder: Path) -> Iterator[Piece]:
    if not isinstance(value, list):
        raise BadInput(f"{place} is {type(value).__name__}: a list of pieces of evidence is wanted")
    for n, piece in enumerate(value):
        if not isinstance(piece, dict):
            raise BadInput(f"{place}, piece {n} is {type(piece).__name__}, not an object")
        try:
            yield read_piece(piece, role, f"{role}-{n}", f"{place}, piece {n}", folder)
        except BadImage as problem:
            raise BadImage(f"piece {n} of its {role} evidence: {problem}") from None


def read_piece(piece: Mapping[str, Any], role: Role, id_: str, place: str, folder: Path) -> Piece:
    """One piece of evidence as rows hold them.

    Raises:
        BadInput: it is none of the three kinds; the message begins with `place`.
        BadImage: its picture is not there, or broken where it is carried along.
    """
    for key in ("text", "caption", "url", "title", "subject", "key", "written"):
        if piece.get(key) is not None and not isinstance(piece[key], str):
            raise BadInput(f"{place} has {piece[key]!r} as {key!r}: a text is wanted")
    url, title = piece.get("url") or "", piece.get("title") or ""
    if piece.get("image") is not None:
        try:
            picture = picture_in(piece["image"], folder)
        except TypeError:
            raise BadInput(f"{place} has {piece['image']!r} as 'image': a path is wanted") from None
        return Piece(id_, role, "picture", url, piece.get("caption") or "", title, picture=picture)
    if piece.get("key") and piece.get("value") not in (None, ""):
        return attribute(id_, role, piece.get("subject") or "", piece["key"], piece["value"])
    if not (piece.get("text") or "").strip():
        raise BadInput(f"{place} has neither 'text' nor 'image' nor 'key' and 'value'")
    return Piece(id_, role, "passage", url, piece["text"], title, written=piece.get("written"))


def piece_row(piece: Piece, image: str | None = None) -> dict[str, Any]:
    """A piece as rows hold it; `image` is the path of its picture."""
    if piece.kind == "picture":
        return _some(image=image, caption=piece.text, url=piece.source, title=piece.title)
    if piece.kind == "attribute":
        return _some(subject=piece.subject, key=piece.key, value=piece.value)
    return _some(text=piece.text, url=piece.source, title=piece.title, written=piece.written)


def _some(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "")}


DEFLECTION_ROWS = RowFormat("deflection", _recognises, read_deflection)
