"""Rows of M2RAG (arXiv 2411.16365) as its authors released them: JSON lines with a question, web pages in parts, their
pictures, and pictures found by themselves.

    {"query_id": …, "content": question, "level": 1, "webpages": [{"title", "url", "cleaned_webpage_splits":
     [{"split_id", "text", "score"}], "images": [{"image_id", "split_id", "image_url", "cached_image_url",
     "detailed_image_caption", "final_score", "valid"}]}], "aux_images": [an image without "split_id", …]}

Parts and pictures are scored 0 to 10 against the question. The benchmark asks the questions of level 1, as its own
configuration and its statistics do (what levels 2 and 3 are is told nowhere); a file without any is read whole. There
is no reference answer. A "topic" is the turn's domain where rows have one, which the released ones do not. The bytes
behind a picture are looked for near the file, under the path of its cached address, then behind its own address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.data.crag_rows import Source
from eval.data.json_rows import read_rows
from eval.data.m2rag.pages import is_pages_folder, read_pages, topic_of
from eval.data.m2rag.pieces import AUXILIARY, Addresses, cut
from eval.data.pictures import FilePicture, Picture
from eval.data.pieces import Piece
from eval.data.row_format import RowFormat
from eval.data.samples import Sample, SampleTurn, Unusable, id_text

LEVEL = 1
#: Scores of parts and pictures are 0 to this.
TOP_SCORE = 10
_PLACEHOLDER = re.compile(r"<IMAGE_PLACEHOLDER>(?:\[(\d+)\])?")


def _recognises(row: Mapping[str, Any]) -> bool:
    return "query_id" in row and "content" in row and "webpages" in row


def read_m2rag(path: Path, source: Source) -> Iterator[Sample | Unusable]:
    """The samples of a file of released rows, or of a folder of Markdown pages (`eval.data.m2rag.pages`).

    Raises:
        BadInput: a row that is not of this shape; the message names line and key.
    """
    if path.is_dir():
        yield from read_pages(path, source)
        return
    found = list(_samples(path, source))
    asked = [sample for sample in found if sample.turns[0].more["level"] in (LEVEL, None)]
    yield from asked or found


def _samples(path: Path, source: Source) -> Iterator[Sample]:
    for number, row, again in _rows(path):
        place = source.place(number)
        if not isinstance(row, dict):
            raise BadInput(f"{place} is {type(row).__name__}, not an object")
        name, query, level = id_text(row.get("query_id")), row.get("content"), row.get("level")
        if name is None:
            raise BadInput(f"{place} has {row.get('query_id')!r} as 'query_id': a text or a number is wanted")
        if not isinstance(query, str) or not query.strip():
            raise BadInput(f"{place} has {query!r} as 'content': the question as a text is wanted")
        if level is not None and (not isinstance(level, int) or isinstance(level, bool)):
            raise BadInput(f"{place} has {level!r} as 'level': a whole number is wanted")
        for _ in _Row(row, place, path, source).pieces():
            pass  # a row that is not of this shape is told now, not in the middle of a run
        turn = SampleTurn(
            name,
            0,
            query,
            "",
            domain=source.labels.read("domain", topic_of(row), place),
            more={"level": level},
            pieces=_again(again, place, path, source),
        )
        yield Sample(name, (turn,), source.set, source.split, False, source=source.name, row=number)


def _again(again: Any, place: str, path: Path, source: Source) -> Any:
    return lambda: list(_Row(again(), place, path, source).pieces())


def _rows(path: Path) -> Iterator[tuple[int, Any, Any]]:
    """Number, row, and what reads the row again: pages of a hundred questions are not all kept in memory."""
    with path.open("rb") as file:
        if file.read(64).lstrip()[:1] == b"[":
            for number, row in read_rows(path)[1]:
                yield number, row, lambda row=row: row
            return
        file.seek(0)
        number, start = 0, 0
        while line := file.readline():
            number, offset, start = number + 1, start, start + len(line)
            if line.strip():
                yield number, _parsed(line, number, path), lambda offset=offset, n=number: _line_at(path, offset, n)


def _parsed(line: bytes, number: int, path: Path) -> Any:
    try:
        return load_json(line)
    except (ValueError, RecursionError):
        raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None


def _line_at(path: Path, offset: int, number: int) -> Any:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return _parsed(file.readline(), number, path)
    except OSError as problem:
        raise BadInput(f"{str(path)!r} cannot be read any more ({problem.strerror})") from None


class _Row:
    """The evidence of one row."""

    def __init__(self, row: Mapping[str, Any], place: str, path: Path, source: Source):
        self._row, self._place, self._source = row, place, source
        self._near = (path.parent, path.parent / "images", path.parent.parent / "images")
        self._addresses = Addresses()

    def pieces(self) -> Iterator[Piece]:
        """Pages in their order, then the pictures that belong to none.

        Raises:
            BadInput: one of them is of another shape.
        """
        for number, page in enumerate(self._objects(self._row, "webpages", self._place)):
            yield from self._page(page, f"w{number}", f"{self._place}, 'webpages' {number}")
        place = f"{self._place}, 'aux_images'"
        for n, image in enumerate(self._objects(self._row, "aux_images", self._place)):
            yield from self._picture(image, AUXILIARY, "", f"{place} {n}")

    def _page(self, page: Mapping[str, Any], name: str, place: str) -> Iterator[Piece]:
        url, title = self._text(page, "url", place), self._text(page, "title", place)
        standing: dict[Any, dict[int, tuple[Mapping[str, Any], str]]] = {}
        for n, image in enumerate(self._objects(page, "images", place)):
            where = f"{place}, 'images' {n}"
            split, number = image.get("split_id"), self._number(image, "image_id", where)
            if split is not None and number is not None:
                standing.setdefault(split, {})[int(number)] = (image, where)
        for n, part in enumerate(self._objects(page, "cleaned_webpage_splits", place)):
            where = f"{place}, 'cleaned_webpage_splits' {n}"
            text, score = self._text(part, "text", where), self._score(part, "score", where)
            here = standing.get(part.get("split_id", n), {})
            id_, texts = f"{name}/s{n}", 0
            for stretch, number in _stretches(text):
                for shorter in cut(stretch.strip()):
                    yield Piece(f"{id_}/t{texts}", "page", "passage", url, shorter, title, score=score)
                    texts += 1
                if number in here:
                    yield from self._picture(here.pop(number)[0], id_, title, here_place(where, number))
            for image, found in here.values():
                yield from self._picture(image, id_, title, found)

    def _picture(self, image: Mapping[str, Any], part: str, title: str, place: str) -> Iterator[Piece]:
        """The picture, unless its rows say that it is of no use: no caption, no score, marked as not valid."""
        caption = self._text(image, "detailed_image_caption", place)
        score = self._score(image, "final_score", place)
        address, cached = self._text(image, "image_url", place), self._text(image, "cached_image_url", place)
        number = self._number(image, "image_id", place)
        if not caption or score is None or number is None or image.get("valid") is False:
            return
        id_ = f"{part}/i{number}"
        title = title or self._text(image, "webpage_title", place)
        source = self._addresses.of(id_, address, cached)
        picture = self._bytes(address, cached) if self._source.pictures else None
        yield Piece(id_, "page", "picture", source, caption, title, picture=picture, score=score)

    def _bytes(self, address: str, cached: str) -> Picture | None:
        if cached and (path := _near(cached, self._near)) is not None:
            return FilePicture(path)
        return self._source.urls.picture(address) if address else None

    # what rows hold

    def _objects(self, holder: Mapping[str, Any], key: str, place: str) -> Sequence[Mapping[str, Any]]:
        value = holder.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise BadInput(f"{place} has {_short(value)} as {key!r}: a list is wanted")
        for n, item in enumerate(value):
            if not isinstance(item, dict):
                raise BadInput(f"{place}, {key!r} {n} is {type(item).__name__}, not an object")
        return value

    def _text(self, holder: Mapping[str, Any], key: str, place: str) -> str:
        value = holder.get(key)
        if value is not None and not isinstance(value, str):
            raise BadInput(f"{place} has {_short(value)} as {key!r}: a text is wanted")
        return value or ""

    def _number(self, holder: Mapping[str, Any], key: str, place: str) -> int | None:
        value = holder.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise BadInput(f"{place} has {_short(value)} as {key!r}: a whole number is wanted")
        return value

    def _score(self, holder: Mapping[str, Any], key: str, place: str) -> float | None:
        """0 to 1."""
        value = holder.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= TOP_SCORE:
            raise BadInput(f"{place} has {_short(value)} as {key!r}: a number from 0 to {TOP_SCORE} is wanted")
        return value / TOP_SCORE


def here_place(part: str, number: int) -> str:
    return f"{part}, picture {number}"


def _stretches(text: str) -> Iterator[tuple[str, int | None]]:
    """What stands between pictures, each with the number of the picture behind it."""
    pieces = _PLACEHOLDER.split(text)
    for stretch, number in zip(pieces[::2], [*pieces[1::2], None], strict=True):
        yield stretch, int(number) if number else None


def _near(url: str, folders: Sequence[Path]) -> Path | None:
    """The file that holds what was behind a cached address: its path below one of the folders, wholly or its end."""
    try:
        parts = [part for part in unquote(urlsplit(url).path).split("/") if part not in ("", ".")]
    except ValueError:
        return None
    if ".." in parts:
        return None
    for folder in folders:
        for start in range(max(1, len(parts) - 1)):
            path = folder.joinpath(*parts[start:])
            try:
                if path.is_file():
                    return path
            except (OSError, ValueError):
                return None
    return None


def _short(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:60] + "…"


M2RAG_ROWS = RowFormat("m2rag", _recognises, read_m2rag, is_pages_folder)
