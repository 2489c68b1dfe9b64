"""The pictures of web pages that an index keeps: small JPEGs, to be shown beside what the page says.

They are not searched in: a page's pictures are found with its passages, and told apart by their captions.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import BadImage
from assistant.core.threads import one_thread_each
from assistant.index.build_pictures import small_jpeg
from assistant.index.catalogue import PagePictureRow
from assistant.index.manifest import PAGE_PICTURES_DIR
from assistant.index.world_files import PageImage, PageRow

#: Of one page; what a gallery has beyond it is told and left out.
MOST_A_PAGE = 12
CAPTION_CHARS = 1000


@dataclass(frozen=True)
class PagePicture:
    """A picture of a page. `caption` is raw, as the page has it."""

    url: str
    caption: str
    file: Path

    def read(self) -> bytes | None:
        """The small JPEG; None where it has been lost."""
        try:
            return self.file.read_bytes()
        except OSError:
            return None


def write_page_pictures(pages: Iterable[PageRow], folder: Path) -> tuple[list[PagePictureRow], list[str]]:
    """Writes the pictures of the pages below `folder`, one on several pages once; rows for the catalogue, and one
    sentence for each that was left out.
    """
    wanted: list[tuple[PageRow, PageImage]] = []
    left_out: list[str] = []
    known: set[str] = set()
    for page in pages:
        if page.url in known:
            continue
        known.add(page.url)
        if len(page.images) > MOST_A_PAGE:
            left_out.append(
                f"{len(page.images) - MOST_A_PAGE} pictures of the page {page.url!r} are beyond {MOST_A_PAGE}"
            )
        wanted += ((page, image) for image in page.images[:MOST_A_PAGE])
    if not wanted:
        return [], left_out
    (folder / PAGE_PICTURES_DIR).mkdir()
    files: dict[Path, int | str] = {}
    count = 0
    with one_thread_each() as threads, ThreadPoolExecutor(threads, thread_name_prefix="page-pictures") as pool:
        paths = list(dict.fromkeys(image.path for _, image in wanted))
        for path, made in zip(paths, pool.map(_small, paths), strict=True):
            if isinstance(made, str):
                files[path] = made
                continue
            (folder / PAGE_PICTURES_DIR / f"{count}.jpg").write_bytes(made)
            files[path] = count
            count += 1
    rows: list[PagePictureRow] = []
    for page, image in wanted:
        kept = files[image.path]
        if isinstance(kept, str):
            left_out.append(f"the picture {image.url!r} of the page {page.url!r} {kept}")
        else:
            rows.append(PagePictureRow(page.url, image.url, image.caption[:CAPTION_CHARS], kept))
    return rows, left_out


def _small(path: Path) -> bytes | str:
    """The small JPEG of one file, or why there is none."""
    from assistant.vision.frame import read_frame

    if not path.is_file():
        return f"is missing (its bytes would be in {path.parent.name}/{path.name})"
    try:
        return small_jpeg(read_frame(path))
    except BadImage as problem:
        return f"cannot be used: {problem}"
