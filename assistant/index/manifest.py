"""`manifest.json`: what an index folder holds and what it was made with, and where its parts lie.

An index is read only by the format version and the encoders that wrote it: vectors of another encoder would give
neighbours that look right and are not. Every mismatch is one sentence that says to build again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import NotReady, UnknownFormat
from assistant.core.folders import is_there
from assistant.index.digests import DATABASE, OPENING_BYTES, differing, digests_of

if TYPE_CHECKING:
    from assistant.vision.picture_encoder import PictureEncoder

FORMAT_VERSION = 2
FILE_NAME = "manifest.json"
CHROMA_DIR = "chroma"
FEATURES_DIR = "features"
BM25_DIR = "bm25"
PICTURES_DIR = "pictures"
PAGE_PICTURES_DIR = "page_pictures"
CATALOGUE_FILE = "catalogue.sqlite"
#: Folders of small pictures, which nothing is searched in.
SHOWN_DIRS = (PICTURES_DIR, PAGE_PICTURES_DIR)


@dataclass(frozen=True)
class EncoderInfo:
    """An encoder as it was when the index was built; `version` is a hash of its files."""

    name: str
    version: str
    dim: int


@dataclass(frozen=True)
class Manifest:
    """What an index folder holds.

    `counts`: images, entities, pages, chunks, skipped; page_pictures where pages have any. `skipped`: one sentence a
    row left out (the first 100). `files`: path in the folder → bytes, for the parts that never change once written.
    `digests`: path → checksum of these, of Chroma's database and of the folders of small pictures
    (`assistant.index.digests`); empty in an index of before there were any, which opens as it always
    did.
    """

    image_encoder: EncoderInfo
    text_encoder: EncoderInfo
    counts: Mapping[str, int]
    world: Mapping[str, Any] = field(default_factory=dict)
    without_gold: bool = False
    skipped: tuple[str, ...] = ()
    files: Mapping[str, int] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    built_in_s: float = 0.0
    format_version: int = FORMAT_VERSION

    def describe(self) -> str:
        """What the index holds, in a few words."""
        n = self.counts
        said = f"{n['entities']} entities, {n['images']} pictures, {n['pages']} pages ({n['chunks']} chunks)"
        if n.get("page_pictures"):
            said += f", {n['page_pictures']} pictures of pages"
        if n.get("skipped"):
            said += f", {n['skipped']} rows left out"
        return said + (", without gold" if self.without_gold else "")

    def write(self, folder: Path) -> None:
        (folder / FILE_NAME).write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an index folder.

    Raises:
        NotReady: no such folder, or no index in it.
        UnknownFormat: another format version, or a file that is no manifest.
    """
    build = f"build it with `python -m assistant index build WORLD --out {folder}`"
    if not is_there(folder):
        raise NotReady(f"there is no index at {str(folder)!r}: {build}")
    path = folder / FILE_NAME
    if not path.is_file():
        raise NotReady(f"the folder {str(folder)!r} is no index (it has no {FILE_NAME}): {build}")
    try:
        data = json.loads(path.read_text("utf-8"))
        version = data["format_version"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UnknownFormat(f"{str(path)!r} is no index manifest ({problem!r}): build the index again") from problem
    if version != FORMAT_VERSION:
        raise UnknownFormat(
            f"the index {str(folder)!r} has format {version!r} and this Vitrine reads {FORMAT_VERSION}: build it again"
        )
    try:
        return Manifest(
            image_encoder=EncoderInfo(**data["image_encoder"]),
            text_encoder=EncoderInfo(**data["text_encoder"]),
            counts={str(k): int(v) for k, v in data["counts"].items()},
            world=dict(data.get("world") or {}),
            without_gold=bool(data.get("without_gold")),
            skipped=tuple(data.get("skipped") or ()),
            files={str(k): int(v) for k, v in (data.get("files") or {}).items()},
            digests={str(k): str(v) for k, v in (data.get("digests") or {}).items()},
            built_in_s=float(data.get("built_in_s", 0.0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UnknownFormat(f"{str(path)!r} is not complete ({problem!r}): build the index again") from problem


def lasting_files(folder: Path) -> dict[str, int]:
    """Path → bytes of what stays as it was written: all but Chroma's database, the pictures and the manifest itself.

    A collection below Chroma's sync threshold (1,000 rows) lives in the database alone; the segment files that stand
    beside it hold nothing and are written again at every opening.
    """
    segments = [path.parent for path in (folder / CHROMA_DIR).glob("*/index_metadata.pickle")]
    parts = [*segments, folder / FEATURES_DIR, folder / BM25_DIR]
    files = [file for part in parts for file in sorted(part.rglob("*")) if file.is_file()]
    files.append(folder / CATALOGUE_FILE)
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in files}


def content_digests(folder: Path) -> dict[str, str]:
    """Path → checksum of all that an index is read from, each folder of small pictures as one."""
    shown = [name for name in SHOWN_DIRS if (folder / name).is_dir()]
    return digests_of(folder, (*lasting_files(folder), f"{CHROMA_DIR}/{DATABASE}", *shown))


def check_files(folder: Path, manifest: Manifest) -> None:
    """Raise NotReady for a part that is missing, cut off or not what was written, since a search library may read such
    a file without a word; in a very large index for the smaller files only."""
    # The small pictures are only shown, and too many to be looked at here.
    looked_at = {name: digest for name, digest in manifest.digests.items() if name not in SHOWN_DIRS}
    for name in (*manifest.files, *looked_at):
        if not (folder / name).is_file():
            raise NotReady(f"the index {str(folder)!r} has lost {name}: {build_again(folder)}")
    for name, size in manifest.files.items():
        if (found := (folder / name).stat().st_size) != size:
            raise NotReady(damage(folder, f"{name} has {found} of {size} bytes"))
    for name in differing(folder, looked_at, OPENING_BYTES):
        raise NotReady(damage(folder, f"{name} does not hold what was written to it"))


def damage(folder: Path, what: str) -> str:
    """The sentence about an index that is damaged."""
    return f"the index {str(folder)!r} is damaged ({what}): {build_again(folder)}"


def build_again(folder: Path) -> str:
    """What to do about an index that cannot be used."""
    return f"build it again with `python -m assistant index build WORLD --out {folder}`"


def check_encoder(kind: str, built_with: EncoderInfo, present: Any, folder: Path) -> None:
    """Raise NotReady when the encoder `present` (name, version, dim) is not the one the index was built with."""
    now = EncoderInfo(str(present.name), str(present.version), int(present.dim))
    if now != built_with:
        raise NotReady(
            f"the index {str(folder)!r} was built with the {kind} encoder {built_with.name} {built_with.version[:12]} "
            f"({built_with.dim} numbers) and this Vitrine has {now.name} {now.version[:12]} ({now.dim} numbers): "
            "build it again"
        )


def check_manifest(folder: Path, encoder: PictureEncoder | None = None) -> Manifest:
    """The manifest of an index that this Vitrine can use, as it stands, without opening the collections.

    `encoder` is what pictures are seen by, the packaged one by default.

    Raises:
        NotReady: no index there, a damaged one, or one built with other encoders than the ones that are installed.
        UnknownFormat: a format version that this Vitrine does not know.
    """
    from assistant.text.encoder import text_encoder
    from assistant.vision.encoders import picture_encoder

    manifest = read_manifest(folder)
    check_encoder("text", manifest.text_encoder, text_encoder(), folder)
    check_encoder("image", manifest.image_encoder, encoder or picture_encoder(), folder)
    check_files(folder, manifest)
    return manifest
