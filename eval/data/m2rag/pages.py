"""A folder of Markdown pages with pictures, and questions about them, as samples of M2RAG.

    FOLDER/questions.jsonl     {"query": …, "pages": ["a.md", …], "topic": …, "id": …} a line; only "query" is needed,
                               without "pages" a question is asked of all of them
    FOLDER/**/*.md             pages; pictures lie beside them, or behind URLs (fetched with --allow-network alone)

Pages are read by `eval.data.m2rag.markdown` and cut into passages. A picture that is broken, animated, smaller than
10,000 or larger than 4 million pixels (the bounds of M2RAG's own configuration) is told and left out; of those that
look alike (`assistant.vision.picture_hash`) a question is handed the first. Its caption is its alternative text, its
title or the text before it. How well pieces fit a question is for whoever picks them: nothing here says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from assistant.core.errors import BadImage, BadInput
from eval.data.chunks import MOST_CHARS
from eval.data.crag_rows import Source
from eval.data.json_rows import read_rows
from eval.data.m2rag.markdown import Shown, read_page
from eval.data.m2rag.pieces import Addresses, cut
from eval.data.pictures import FilePicture, Picture
from eval.data.pieces import Piece
from eval.data.samples import Sample, SampleTurn, Unusable, id_text
from eval.data.url_pictures import UrlPicture

QUESTIONS = ("questions.jsonl", "questions.json")
FEWEST_PIXELS, MOST_PIXELS = 10_000, 4_000_000
_MOST_PAGE_BYTES = 8 << 20
#: Several pictures one after the other. Photos of phones (MPO) hold a second picture that is none of a film.
_MOVING = ("GIF", "PNG", "WEBP", "TIFF", "AVIF")
_MOST_CAPTION_CHARS = 300
_FILE_NAME = re.compile(r"[\w .%()-]*\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|avif)|image\s*\d*|img|photo|picture", re.I)


@dataclass(frozen=True)
class _Seen:
    """One picture of a page that can be used; `alike` is its perceptual hash, None while it was not fetched."""

    shown: Shown
    address: str
    picture: Picture | None
    alike: int | None


@dataclass
class _Read:
    """One page: passages and pictures in their order, and what was left out of it."""

    name: str
    title: str
    items: list[str | _Seen] = field(default_factory=list)
    left_out: list[Unusable] = field(default_factory=list)


def topic_of(row: Mapping[str, Any]) -> Any:
    """The topic that a row names; None for an empty one."""
    topic = row.get("topic")
    return (topic.strip() or None) if isinstance(topic, str) else topic


def is_pages_folder(path: Path) -> bool:
    """Whether a folder holds questions and Markdown pages."""
    return _questions(path) is not None and next(path.rglob("*.md"), None) is not None


def _questions(path: Path) -> Path | None:
    return next((path / name for name in QUESTIONS if (path / name).is_file()), None)


def read_pages(path: Path, source: Source) -> Iterator[Sample | Unusable]:
    """The samples of a folder; pictures that were left out come as what cannot be used, with page and line.

    Raises:
        BadInput: a question that is not of this shape, or a page that is not there or cannot be read.
    """
    file = _questions(path)
    assert file is not None, "is_pages_folder said so"
    source = replace(source, urls=replace(source.urls, folders=(path / "urlcache", *source.urls.folders)))
    reader = _Reader(path, source)
    whole = path.resolve()
    found = (page for page in path.rglob("*.md") if page.resolve().is_relative_to(whole))
    everything = sorted(page.relative_to(path).as_posix() for page in found)
    unit, rows = read_rows(file)
    seen: set[str] = set()
    for number, row in rows:
        place = f"{unit} {number} of {file.name!r}"
        sample, names = _sample(row, number, place, everything, source, file.stem)
        pages = [reader.page(name, place) for name in dict.fromkeys(names)]
        turn = replace(sample.turns[0], pieces=partial(_pieces, pages))
        yield replace(sample, turns=(turn,))
        for page in pages:
            if page.name not in seen:
                seen.add(page.name)
                yield from page.left_out


def _sample(
    row: Any, number: int, place: str, everything: Sequence[str], source: Source, stem: str
) -> tuple[Sample, Sequence[str]]:
    """A question without its pieces, and the names of its pages."""
    if not isinstance(row, dict):
        raise BadInput(f"{place} is {type(row).__name__}, not an object")
    query, names = row.get("query"), row.get("pages", everything)
    if not isinstance(query, str) or not query.strip():
        raise BadInput(f"{place} has {query!r} as 'query': a text is wanted")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"{place} has {names!r} as 'pages': a list of names of pages is wanted")
    for name in names:
        if name not in everything:
            raise BadInput(f"{place} names the page {name!r} under 'pages', and there is no such file in the folder")
    name = id_text(row.get("id")) or f"{stem}-{number}"
    domain = source.labels.read("domain", topic_of(row), place)
    turn = SampleTurn(name, 0, query, "", domain=domain)
    return Sample(name, (turn,), source.set, source.split, False, source=source.name, row=number), names


class _Reader:
    """Reads pages, each once."""

    def __init__(self, folder: Path, source: Source):
        self._folder, self._source = folder, source
        self._known: dict[str, _Read] = {}

    def page(self, name: str, place: str) -> _Read:
        if name not in self._known:
            self._known[name] = self._read(name, place)
        return self._known[name]

    def _read(self, name: str, place: str) -> _Read:
        path = self._folder / name
        try:
            if path.stat().st_size > _MOST_PAGE_BYTES:
                raise BadInput(f"{place} names {name!r}, which is larger than {_MOST_PAGE_BYTES >> 20} MB")
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
            raise BadInput(f"{place} names the page {name!r}, which cannot be read ({why})") from None
        page = read_page(text)
        read = _Read(name, page.title or path.stem)
        taken = ""
        for item in page.items:
            if isinstance(item, str):
                if taken and len(taken) + 1 + len(item) > MOST_CHARS:
                    read.items += cut(taken)
                    taken = ""
                taken = f"{taken}\n{item}" if taken else item
                continue
            if taken:
                read.items += cut(taken)
                taken = ""
            try:
                if (seen := self._seen(item, path.parent)) is not None:
                    read.items.append(seen)
            except BadImage as problem:
                where = f"{self._source.name}/{name}"
                read.left_out.append(Unusable(where, item.line, None, f"{problem}: the picture is left out"))
        read.items += cut(taken) if taken else ()
        return read

    def _seen(self, shown: Shown, folder: Path) -> _Seen | None:
        """A picture as it can be handed over; None where pictures are not asked for.

        Raises:
            BadImage: it is not there, broken, animated, too small or too large.
        """
        if not self._source.pictures:
            return None
        address = shown.address
        if re.match(r"(?:https?:|data:|//)", address, re.IGNORECASE):
            url = f"https:{address}" if address.startswith("//") else address
            picture = self._source.urls.picture(url)
            if picture is None:
                raise BadImage(self._source.urls.why_not(url))
        else:
            path = self._inside(folder, address)
            url, picture = quote(path.relative_to(self._folder).as_posix()), FilePicture(path)
        unknown = isinstance(picture, UrlPicture) and not picture.kept.is_file()
        return _Seen(shown, url, picture, None if unknown else _looked_at(picture, address))

    def _inside(self, folder: Path, address: str) -> Path:
        """The file that a page means, below the folder of pages."""
        name = unquote(address.partition("?")[0].partition("#")[0])
        base = self._folder if name.startswith("/") else folder
        try:
            path = (base / name.lstrip("/")).resolve()
            there = path.is_relative_to(self._folder.resolve()) and path.is_file()
        except (OSError, ValueError):
            there = False
        if not name or not there:
            raise BadImage(f"there is no picture {address[:80]!r} in the folder")
        return self._folder / path.relative_to(self._folder.resolve())


def _looked_at(picture: Picture, address: str) -> int:
    """The perceptual hash of a picture that can be used.

    Raises:
        BadImage: it cannot.
    """
    from assistant.vision.frame import read_frame
    from assistant.vision.picture_hash import perceptual_hash

    data = picture.read()
    try:
        frame = read_frame(data)
    except BadImage:
        raise BadImage(f"the picture {address[:80]!r} cannot be read") from None
    if _frames(data) > 1:
        raise BadImage(f"the picture {address[:80]!r} is animated")
    pixels = frame.width_px * frame.height_px
    if not FEWEST_PIXELS <= pixels <= MOST_PIXELS:
        size = "small" if pixels < FEWEST_PIXELS else "large"
        raise BadImage(f"the picture {address[:80]!r} is too {size} ({frame.width_px}x{frame.height_px} pixels)")
    return perceptual_hash(frame)


def _frames(data: bytes) -> int:
    import io

    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        return int(getattr(opened, "n_frames", 1)) if opened.format in _MOVING else 1


def _pieces(pages: Sequence[_Read]) -> list[Piece]:
    return list(_in_order(pages))


def _in_order(pages: Sequence[_Read]) -> Iterator[Piece]:
    """What a question about these pages is handed to pick from, pictures that look alike once."""
    from assistant.vision.picture_hash import look_alike

    addresses, hashes = Addresses(), list[int]()
    for number, page in enumerate(pages):
        part = -1
        for place, item in enumerate(page.items):
            if isinstance(item, str):
                part += 1
                yield Piece(f"w{number}/s{part}/t0", "page", "passage", page.name, item, page.title)
                continue
            if item.alike is not None:
                if any(look_alike(item.alike, other) for other in hashes):
                    continue
                hashes.append(item.alike)
            id_ = f"w{number}/s{max(part, 0)}/i{place}"
            yield Piece(
                id_,
                "page",
                "picture",
                addresses.of(id_, item.address),
                caption_of(item.shown),
                page.title,
                picture=item.picture,
            )


def caption_of(shown: Shown) -> str:
    """What a page says that a picture shows: its alternative text, its title, or the text before it."""
    said = (text for text in (shown.alt, shown.title) if text and not _FILE_NAME.fullmatch(text.strip()))
    return next(said, shown.near)[:_MOST_CAPTION_CHARS].strip()
