"""The process that fetches a model from the hub: `python -m assistant.models.local.fetch` with a request on its input.

A process of its own can be ended at any moment, whatever the hub's library is doing. It writes a line of JSON for each
thing it knows (`asking`, `total`, `come`, `done`, `problem`) and ends when its input is closed. Started by
`store.fetch`. Weights are fetched here, since the hub's own functions begin a file anew that was broken off; they find
it in the cache, whole and checked, when it has come.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The hub has so long to say what a model consists of.
ASK_TIMEOUT_S = 4.0
#: A file of the hub that has come in part, by its SHA-256 and this ending; nobody else goes on with it.
PART = ".vitrine.incomplete"
_KEPT_ENDINGS = (".json", ".jinja", ".txt", ".model", ".safetensors")
#: A connection that breaks is made again so many times in a row without anything coming.
_TRIES = 5
_LOCK_WAIT_S = 3.0
#: How often it is said how much has come.
_TELL_S = 0.2


def wanted(files: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Of (name, bytes) of all files those that loading takes: settings, words and safetensors, no second copies."""
    return [
        (name, size)
        for name, size in files
        if "/" not in name and name.endswith(_KEPT_ENDINGS) and not name.startswith(("consolidated", "training_args"))
    ]


def main() -> None:
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    _tell(asking=True)
    try:
        _tell(done=_fetch(**request))
    except Exception as problem:  # the edge of the process
        _tell(problem=_sentence(problem, request))


def _fetch(hub_id: str, cache: str, endpoint: str | None) -> str:
    from huggingface_hub import HfApi, hf_hub_download, try_to_load_from_cache

    info = HfApi(endpoint=endpoint).model_info(hub_id, files_metadata=True, timeout=ASK_TIMEOUT_S)
    digests = {file.rfilename: file.lfs.sha256 for file in info.siblings or () if file.lfs is not None}
    files = wanted((file.rfilename, file.size or 0) for file in info.siblings or ())
    if not any(name.endswith(".safetensors") for name, _ in files):
        raise _Unusable(f"{hub_id!r} has no weights as safetensors: choose another model")
    files.sort(key=lambda file: file[1])
    here = [name for name, _ in files if isinstance(try_to_load_from_cache(hub_id, name, cache_dir=cache), str)]
    parts = [
        _Part(hub_id, name, size, digests[name], repository(hub_id, Path(cache)), endpoint)
        for name, size in files
        if name in digests and name not in here
    ]
    counting = _Come(sum(size for name, size in files if name in here), parts)
    _tell(total=sum(size for _, size in files), come=counting.bytes)
    counting.start()
    folder, left = "", {part.name: part for part in parts}
    for name, size in files:
        if name in left:
            left[name].fetch()
        folder = os.path.dirname(
            hf_hub_download(hub_id, name, cache_dir=cache, endpoint=endpoint, etag_timeout=ASK_TIMEOUT_S)
        )
        if name not in here and name not in left:
            counting.whole += size
    for old in (repository(hub_id, Path(cache)) / "blobs").glob(f"*{PART}"):  # of a version that is no more
        old.unlink(missing_ok=True)
    return folder


def repository(hub_id: str, cache: Path) -> Path:
    """The model's folder in the hub's cache."""
    return cache / f"models--{hub_id.replace('/', '--')}"


@dataclass(frozen=True)
class _Part:
    """One large file on its way into the cache."""

    hub_id: str
    name: str
    size: int
    digest: str
    repository: Path
    endpoint: str | None

    @property
    def blob(self) -> Path:
        return self.repository / "blobs" / self.digest

    @property
    def path(self) -> Path:
        return self.blob.with_name(self.digest + PART)

    @property
    def come(self) -> int:
        for path in (self.blob, self.path):
            try:
                return path.stat().st_size
            except OSError:
                continue
        return 0

    def fetch(self) -> None:
        """Until it is whole, from where an earlier fetch was broken off; what does not match its digest is dropped."""
        from huggingface_hub.utils import WeakFileLock

        self.blob.parent.mkdir(parents=True, exist_ok=True)
        lock = self.repository.parent / ".locks" / self.repository.name / f"{self.digest}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        try:
            with WeakFileLock(lock, timeout=_LOCK_WAIT_S):
                if self.blob.exists():
                    return
                self._complete()
                if _sha256(self.path) != self.digest:
                    self.path.unlink()
                    raise _Unusable(f"{self.name!r} of {self.hub_id!r} came damaged and was dropped: fetch it again")
                self.path.replace(self.blob)
        except TimeoutError:
            raise _Unusable(f"another program is fetching {self.hub_id!r} now: let it finish, or stop it") from None

    def _complete(self) -> None:
        from huggingface_hub.errors import HfHubHTTPError

        tries, broken = 0, Exception("the connection ended early")
        while (there := self.come) < self.size:
            try:
                self._go_on(there)
            except HfHubHTTPError:
                raise
            except Exception as problem:  # whatever a broken connection raises
                if isinstance(problem, OSError) and problem.errno is not None:
                    raise
                broken = problem
            tries = 0 if self.come > there else tries + 1
            if tries >= _TRIES:
                raise broken
            if tries:
                time.sleep(tries)

    def _go_on(self, there: int) -> None:
        """One connection: bytes from `there` on, appended to what is there."""
        from huggingface_hub import constants, hf_hub_url
        from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

        headers = {**build_hf_headers(), "Accept-Encoding": "identity", "Range": f"bytes={there}-"}
        url = hf_hub_url(self.hub_id, self.name, endpoint=self.endpoint)
        patience = constants.HF_HUB_DOWNLOAD_TIMEOUT
        with get_session().stream("GET", url, headers=headers, timeout=patience, follow_redirects=True) as reply:
            hf_raise_for_status(reply)
            begun_anew = reply.status_code == 200  # the server knows no ranges
            with self.path.open("wb" if begun_anew else "ab", buffering=0) as file:
                for chunk in reply.iter_raw():  # as it comes, so that little is lost
                    file.write(chunk)


class _Come(threading.Thread):
    """Says again and again how many bytes have come."""

    def __init__(self, whole: int, parts: list[_Part]) -> None:
        super().__init__(name="come", daemon=True)
        self.whole, self._parts = whole, parts

    @property
    def bytes(self) -> int:
        return self.whole + sum(part.come for part in self._parts)

    def run(self) -> None:
        while True:
            time.sleep(_TELL_S)
            _tell(come=self.bytes)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Unusable(Exception):
    """The message is the sentence."""


def _sentence(problem: Exception, request: dict[str, Any]) -> str:
    from huggingface_hub import errors

    hub_id, where = request["hub_id"], hub_of(request["endpoint"])
    if isinstance(problem, _Unusable):
        return str(problem)
    if isinstance(problem, errors.GatedRepoError):
        return f"{hub_id!r} is fetched after its licence is accepted at {where}/{hub_id}, then `hf auth login`"
    if isinstance(problem, errors.RepositoryNotFoundError):
        return f"the hub {where} has no model {hub_id!r}, or keeps it private: check the name"
    if isinstance(problem, errors.OfflineModeIsEnabled):
        return "nothing is fetched while HF_HUB_OFFLINE is set: unset it and try again"
    if isinstance(problem, errors.HfHubHTTPError):
        return f"the hub {where} refused {hub_id!r} ({problem.response.status_code}): try again later"
    if isinstance(problem, OSError) and problem.errno is not None:
        return f"{hub_id!r} cannot be kept in {request['cache']!r} ({problem.strerror}): make room there"
    return unreachable(where)


def hub_of(endpoint: str | None) -> str:
    """The hub's address: the one that was named, else the one that the hub's own programs ask."""
    from huggingface_hub import constants

    return endpoint or str(constants.ENDPOINT)


def unreachable(where: str) -> str:
    return (
        f"the hub {where} cannot be reached: check the network, or copy the model's folder here and name it by its path"
    )


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


_TELLING = threading.Lock()


def _tell(**said: Any) -> None:
    with _TELLING:
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
