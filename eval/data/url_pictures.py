"""Pictures that a row gives by URL: kept on disk, fetched only when the user allowed the network.

The bytes behind a URL are kept under the SHA-256 of the URL, as worlds keep theirs. What is fetched is kept only when
it is a picture, so that an error page of today is no broken picture of tomorrow. Fetching itself, with its time-out,
size limit and the refusal of private hosts, is `assistant.index.fetch`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from assistant.core.errors import BadImage, BadInput
from assistant.index.fetch import MAX_BYTES, TIMEOUT_S, fetch, is_public
from eval.data.picture_text import carried, is_data_url, shown
from eval.data.pictures import CarriedPicture, FilePicture, Picture

#: Waits before another try when a host says that it is busy (429) or broken (5xx): image hosts limit their guests.
_WAITS_S = (1.0, 4.0)
_BUSY = re.compile(r"it answered (429|5\d\d)")


@dataclass(frozen=True)
class UrlPictures:
    """Where pictures by URL are looked for, in order; what is fetched goes to the last folder.

    Without `network` nothing is ever fetched. `timeout_s` and `max_bytes` are of one request; `allowed` says which
    IP addresses may be asked.
    """

    folders: tuple[Path, ...]
    network: bool = False
    timeout_s: float = TIMEOUT_S
    max_bytes: int = MAX_BYTES
    allowed: Callable[[str], bool] = is_public

    def picture(self, url: str) -> Picture | None:
        """The picture behind a URL; None when it is not at hand and must not or cannot be fetched."""
        if is_data_url(url):
            try:
                return CarriedPicture(data) if (data := carried(url)) else None
            except ValueError:
                return None
        name = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
        for folder in self.folders:
            if (folder / name).is_file():
                return FilePicture(folder / name)
        if not self.network or not self.folders or not _fetchable(url):
            return None
        return UrlPicture(url, self.folders[-1] / name, self)

    def why_not(self, url: str) -> str:
        """Why `picture` gave nothing, and what to do."""
        if is_data_url(url):
            return f"the image_url {shown(url)} is no whole data URL"
        if not _fetchable(url):
            return f"the picture behind {shown(url)} is not at hand"
        return f"the picture behind {shown(url)} is not at hand: --allow-network lets it be fetched"


@dataclass(frozen=True)
class UrlPicture:
    """One picture that is fetched when it is first read."""

    url: str
    kept: Path
    source: UrlPictures

    def exists(self) -> bool:
        """Whether there may be a picture: it is not known before it was asked for."""
        return True

    def read(self) -> bytes:
        if self.kept.is_file():
            return FilePicture(self.kept).read()
        data = self._fetch()
        from assistant.vision.frame import read_frame

        try:
            read_frame(data)
        except BadImage as problem:
            raise BadImage(f"what {self.url!r} gives is no picture ({problem})") from problem
        self._keep(data)
        return data

    def _fetch(self) -> bytes:
        for wait_s in (*_WAITS_S, None):
            try:
                return fetch(
                    self.url,
                    max_bytes=self.source.max_bytes,
                    timeout_s=self.source.timeout_s,
                    allowed=self.source.allowed,
                )
            except BadInput as problem:
                if wait_s is None or not _BUSY.search(str(problem)):
                    raise BadImage(str(problem)) from problem
                time.sleep(wait_s)
        raise AssertionError("the last try returns or raises")

    def _keep(self, data: bytes) -> None:
        """Keep the bytes; a disk that does not take them costs another fetch next time, not this picture."""
        temporary = self.kept.with_name(f".{self.kept.name}.{os.getpid()}.{id(data)}.tmp")
        try:
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(data)
            temporary.replace(self.kept)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()


def _fetchable(url: str) -> bool:
    """Whether a URL can be asked for at all; hosts under .invalid exist nowhere (RFC 2606)."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and not str(host).endswith(".invalid")
