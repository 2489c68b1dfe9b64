"""The parts of a world folder that may be indexed: `kg/entities.jsonl`, `kg/images/`, `web/pages.jsonl` and the
pictures that it names.

Reading stops at the first mistake of form with one sentence that names file and line. `gold/` is opened by
`read_gold` alone, which only an index "without gold" asks for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, UnknownFormat
from assistant.core.whole_text import load_json

WORLD_FORMAT_VERSION = 1


@dataclass(frozen=True)
class EntityRow:
    """One line of kg/entities.jsonl; `images` are (file inside the world, URL)."""

    name: str
    attributes: Mapping[str, Any]
    images: tuple[tuple[Path, str], ...]


@dataclass(frozen=True)
class PageImage:
    """A picture of a page: its address, what the page says under it, and the file inside the world with its bytes."""

    url: str
    caption: str
    path: Path


@dataclass(frozen=True)
class PageRow:
    """One line of web/pages.jsonl."""

    url: str
    name: str
    snippet: str
    text: str
    images: tuple[PageImage, ...] = ()


@dataclass(frozen=True)
class Gold:
    """What gold/turns.jsonl names: URLs of pages, and (entity, key) of attributes."""

    pages: frozenset[str]
    attributes: frozenset[tuple[str, str]]


def read_world(world: Path) -> dict[str, Any]:
    """What world.json says of itself, checked; a folder without it is used as it is (the file is optional)."""
    if not world.is_dir():
        raise BadInput(f"there is no world folder {str(world)!r}: generate one with `python -m eval world --out DIR`")
    if not (world / "kg" / "entities.jsonl").is_file():
        raise BadInput(f"{str(world)!r} is no world folder: kg/entities.jsonl is missing")
    path = world / "world.json"
    if not path.is_file():
        return {}
    try:
        about = json.loads(path.read_text("utf-8"))
    except ValueError as problem:
        raise BadInput(f"{str(path)!r} is not JSON ({problem}): generate the world again") from problem
    if not isinstance(about, dict) or about.get("format_version") != WORLD_FORMAT_VERSION:
        found = about.get("format_version") if isinstance(about, dict) else about
        raise UnknownFormat(
            f"the world {str(world)!r} has format {found!r} and this Vitrine reads {WORLD_FORMAT_VERSION}: "
            "generate it again"
        )
    return about


def read_entities(world: Path) -> Iterator[EntityRow]:
    """The entities in the order of the file."""
    for where, row in _lines(world / "kg" / "entities.jsonl"):
        name, attributes, images = row.get("name"), row.get("attributes"), row.get("images")
        if not isinstance(name, str) or not name.strip():
            raise BadInput(f"{where}: an entity needs a name, not {name!r}")
        if not isinstance(attributes if attributes is not None else {}, dict):
            raise BadInput(f"{where}: the attributes of {name!r} are no object")
        if not isinstance(images, list) or not all(
            isinstance(i, dict) and isinstance(i.get("file"), str) for i in images
        ):
            raise BadInput(f"{where}: the images of {name!r} are no list of objects with a file")
        yield EntityRow(
            name=name,
            attributes=attributes or {},
            images=tuple((_inside(world, i["file"], where), str(i.get("url") or "")) for i in images),
        )


def read_pages(world: Path) -> Iterator[PageRow]:
    """The web pages in the order of the file; a world without web/pages.jsonl has none."""
    path = world / "web" / "pages.jsonl"
    if not path.is_file():
        return
    for where, row in _lines(path):
        url = row.get("url")
        if not isinstance(url, str) or not url:
            raise BadInput(f"{where}: a page needs a url, not {url!r}")
        name, snippet, text = (row.get(key) or "" for key in ("name", "snippet", "text"))
        if not all(isinstance(value, str) for value in (name, snippet, text)):
            raise BadInput(f"{where}: name, snippet and text of the page {url!r} are to be strings")
        images = tuple(_page_images(world, row.get("images"), f"{where}: the images of the page {url!r}"))
        yield PageRow(url=url, name=name, snippet=snippet, text=text, images=images)


def _page_images(world: Path, images: Any, where: str) -> Iterator[PageImage]:
    """What a page's `images` name; a picture without `file` lies in urlcache/ under the SHA-256 of its URL."""
    if not isinstance(images if images is not None else [], list):
        raise BadInput(f"{where} are no list but {type(images).__name__}")
    for n, image in enumerate(images or ()):
        if not isinstance(image, dict):
            raise BadInput(f"{where}: number {n} is no object with a url and a caption but {str(image)[:60]!r}")
        url, caption, file = image.get("url"), image.get("caption") or "", image.get("file") or ""
        if not isinstance(url, str) or not url:
            raise BadInput(f"{where}: number {n} needs a url, not {url!r}")
        if not isinstance(caption, str) or not isinstance(file, str):
            raise BadInput(f"{where}: caption and file of number {n} are to be strings")
        cached = f"urlcache/{hashlib.sha256(url.encode()).hexdigest()}"
        yield PageImage(url, caption, _inside(world, file or cached, where))


def world_digest(world: Path) -> str:
    """A short hash of `world.json`, the entities and the pages: another world, another digest."""
    digest = hashlib.sha256((world / "world.json").read_bytes())
    for name in ("kg/entities.jsonl", "web/pages.jsonl"):
        path = world / name
        digest.update(path.read_bytes() if path.is_file() else b"-")
    return digest.hexdigest()[:16]


def read_gold(world: Path) -> Gold:
    """What an index without gold leaves out."""
    path = world / "gold" / "turns.jsonl"
    if not path.is_file():
        raise BadInput(
            f"{str(world)!r} has no gold/turns.jsonl: only worlds with gold turns can be indexed without gold"
        )
    pages: set[str] = set()
    attributes: set[tuple[str, str]] = set()
    for where, row in _lines(path):
        try:
            for urls in (row.get("passages"), row.get("contradicting")):  # the latter state outdated or hearsay values
                pages.update(map(str, urls or []))
            attributes.update((str(a["entity"]), str(a["key"])) for a in row.get("attributes") or [])
        except (TypeError, KeyError) as problem:
            raise BadInput(f"{where}: passages and attributes are not as they should be ({problem!r})") from problem
    return Gold(frozenset(pages), frozenset(attributes))


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place for messages, object) of each line that is not empty."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path.parent.name}/{path.name} line {number}"
            if not line.strip():
                continue
            try:
                row = load_json(line.decode("utf-8"))
            except ValueError as problem:
                raise BadInput(f"{where} is not JSON: {problem}") from problem
            if not isinstance(row, dict):
                raise BadInput(f"{where} is no JSON object: {str(row)[:60]!r}")
            yield where, row


def _inside(world: Path, name: str, where: str) -> Path:
    """The path of a file named in the world; names that lead out of the world are refused."""
    path = (world / name).resolve()
    if not path.is_relative_to(world.resolve()):
        raise BadInput(f"{where}: the file {name!r} lies outside the world folder")
    return path
