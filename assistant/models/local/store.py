"""Models on this machine: found by name, fetched when the user asks, removed.

Models lie in the hub's ordinary cache, where other programs find them too. Nothing here asks the network but `fetch`.
What has come is kept when a fetch is broken off, and the next one goes on from there.
"""

from __future__ import annotations

import contextlib
import json
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, Cancelled, NotReady, VitrineError
from assistant.core.paths import PROJECT_DIR
from assistant.models.local.curated import CURATED, Curated, best_of, known_as
from assistant.models.local.fetch import ASK_TIMEOUT_S, PART, hub_of, repository, unreachable
from assistant.models.local.loading import read_config
from assistant.models.local.machine import Machine, this_machine

#: Called with bytes that are there and bytes in all.
Progress = Callable[[int, int], None]
_POLL_S = 0.1
#: A processor that is busy with other things may take so long to begin.
_START_S = 60.0


@dataclass(frozen=True)
class Located:
    """A model that can be loaded: `path` is a folder or a GGUF file, `known` its entry in the curated list."""

    name: str
    path: Path
    known: Curated | None = None


@dataclass(frozen=True)
class Cached:
    """A model in the cache; `lacks` says why it cannot be loaded, empty for one that can.

    `on_disk` are the bytes that are there, of a fetch that was broken off as well.
    """

    hub_id: str
    path: Path
    on_disk: int
    lacks: str


def usual_cache() -> Path:
    """Where the hub's own programs keep models."""
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def find(name: str | None, cache: Path | None = None, machine: Callable[[], Machine] = this_machine) -> Located:
    """The model that is meant.

    Args:
        name: one of the list, a hub id that was fetched, a folder or a GGUF file; None for the best of the list that
            was fetched and fits.
        cache: the hub's cache; None for the usual one.
        machine: what this machine has; asked where there is a choice alone.

    Raises:
        NotReady: it is not on this machine; the message says how to get it.
        BadInput: a name that cannot be one.
    """
    cache = cache if cache is not None else usual_cache()
    if not name:
        return _best(cache, machine)
    if is_path(name):
        path = Path(name).expanduser().resolve()
        read_config(path)
        return Located(path.name, path)
    known, hub_id = known_as(name), hub_id_of(name)
    folder = cached_folder(hub_id, cache)
    short = known.name if known is not None else hub_id
    if folder is None:
        raise NotReady(f"the model {short!r} is not on this machine: fetch it with {_get(short)}")
    if lacks := missing_of(folder):
        raise NotReady(f"the model {short!r} is not whole ({lacks}): {_get(short)} goes on with it")
    return Located(short, folder, known)


def is_path(name: str) -> bool:
    """Whether a folder or a GGUF file is meant, not a model of the hub."""
    return name.startswith(("/", "~", ".")) or "\\" in name or name.lower().endswith(".gguf")


def hub_id_of(name: str) -> str:
    """The hub id behind a name of the list, or the id itself.

    Raises:
        BadInput: neither.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    if (known := known_as(name)) is not None:
        return known.hub_id
    try:
        validate_repo_id(name)
        valid = name.count("/") == 1
    except HFValidationError:
        valid = False
    if not valid:
        names = ", ".join(one.name for one in CURATED)
        raise BadInput(f"there is no model {name!r}: choose one of {names}, a hub id ORG/NAME or a folder's path")
    return name


def cached_folder(hub_id: str, cache: Path) -> Path | None:
    """The folder of a model's newest fetched version, None where nothing of it is there."""
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(hub_id, "config.json", cache_dir=cache)
    return Path(found).parent if isinstance(found, str) else None


def bytes_here(hub_id: str, cache: Path) -> int:
    """How much of a model is in the cache, what a fetch that was broken off has left included."""
    return _size_of(repository(hub_id, cache) / "blobs")


def missing_of(folder: Path) -> str:
    """What a folder lacks to be loaded; empty when it has all."""
    if any((folder.parent.parent / "blobs").glob(f"*{PART}")):
        return "its fetch was broken off"
    weights = {path.name for path in folder.glob("*.safetensors")}
    with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
        index = json.loads((folder / "model.safetensors.index.json").read_text(encoding="utf-8"))
        if absent := sorted(set(index["weight_map"].values()) - weights):
            return f"{len(absent)} of its weight files are missing"
    if not weights:
        return "its weights are missing"
    words = ("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt")
    return "" if any((folder / name).is_file() for name in words) else "its tokenizer is missing"


def cached_models(cache: Path | None = None) -> list[Cached]:
    """Every model in the cache that transformers could load, by hub id."""
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    cache = cache if cache is not None else usual_cache()
    try:
        repositories = scan_cache_dir(cache).repos
    except (CacheNotFound, ValueError):
        return []
    found = []
    for one in repositories:
        folder = cached_folder(one.repo_id, cache) if one.repo_type == "model" else None
        with contextlib.suppress(VitrineError):
            if folder is not None and read_config(folder):
                found.append(Cached(one.repo_id, folder, bytes_here(one.repo_id, cache), missing_of(folder)))
    return sorted(found, key=lambda model: model.hub_id.lower())


def remove(name: str, cache: Path | None = None) -> int:
    """Delete a model from the cache, all of its versions; returns the bytes that were freed.

    Raises:
        BadInput: a folder of the user's own, or a name that cannot be one.
        NotReady: it is not in the cache.
    """
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    if is_path(name):
        raise BadInput(f"{name!r} is a path of your own, only models in the hub's cache are removed here")
    hub_id, cache = hub_id_of(name), cache if cache is not None else usual_cache()
    folder, freed = repository(hub_id, cache), bytes_here(hub_id, cache)
    if not folder.is_dir():
        raise NotReady(f"the model {name!r} is not in the cache, so there is nothing to remove")
    with contextlib.suppress(CacheNotFound, ValueError):
        scanned = scan_cache_dir(cache)
        for one in scanned.repos:
            if one.repo_id == hub_id and one.repo_type == "model":
                scanned.delete_revisions(*(version.commit_hash for version in one.revisions)).execute()
    shutil.rmtree(folder, ignore_errors=True)  # broken off before its first file was whole
    if folder.exists():
        raise NotReady(f"the model {name!r} cannot be removed from {str(folder)!r}: look who may write there")
    return freed


def fetch(
    name: str,
    progress: Progress | None = None,
    *,
    cancelled: threading.Event | None = None,
    endpoint: str | None = None,
    cache: Path | None = None,
) -> Located:
    """Fetch a model into the cache; files that are there already are not fetched again.

    Args:
        name: one of the list, or a hub id.
        progress: told how many bytes have come.
        cancelled: once set, the fetch ends within a moment; what has come stays.
        endpoint: another hub than the usual one.

    Raises:
        BadInput: a name that cannot be one.
        NotReady: the hub cannot be reached or has no such model, or there is no room.
        Cancelled: `cancelled` was set.
    """
    hub_id, cache = hub_id_of(name), cache if cache is not None else usual_cache()
    request = {"hub_id": hub_id, "cache": str(cache), "endpoint": endpoint}
    blobs = repository(hub_id, cache) / "blobs"
    begun_with = set(blobs.glob("*.incomplete"))
    child = subprocess.Popen(
        [sys.executable, "-m", "assistant.models.local.fetch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=PROJECT_DIR,
    )
    try:
        assert child.stdin is not None
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        _follow(child, blobs, progress, cancelled, endpoint)
    finally:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):  # what a dead process was still to be told
                stream.close()  # type: ignore[union-attr]
        for half in set(blobs.glob("*.incomplete")) - begun_with:
            if not half.name.endswith(PART):  # nobody can go on with it
                half.unlink(missing_ok=True)
    return find(name, cache)


def _follow(
    child: subprocess.Popen[str],
    blobs: Path,
    progress: Progress | None,
    cancelled: threading.Event | None,
    endpoint: str | None,
) -> None:
    """Until the fetch is done; raises what went wrong with it."""
    said: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()

    def listen() -> None:
        for line in child.stdout or ():
            with contextlib.suppress(ValueError):
                said.put(json.loads(line))
        said.put({"problem": "the fetch ended by itself: try again"})

    threading.Thread(target=listen, name="fetch", daemon=True).start()
    total, come, patient_until = 0, 0, time.monotonic() + _START_S
    while True:
        if cancelled is not None and cancelled.is_set():
            raise Cancelled("the fetch was stopped: what has come is kept, the next one goes on from there")
        if not total and time.monotonic() > patient_until:
            raise NotReady(unreachable(hub_of(endpoint)))
        try:
            word = said.get(timeout=_POLL_S)
        except queue.Empty:
            word = {}
        if "problem" in word:
            raise NotReady(word["problem"])
        if "asking" in word:
            patient_until = time.monotonic() + ASK_TIMEOUT_S + 0.5
        come = int(word.get("come", come))
        if "total" in word:
            total = max(1, int(word["total"]))
            _check_disk(blobs, total - come)
        if total and progress is not None:
            progress(total if "done" in word else min(total, come), total)
        if "done" in word:
            return


def _size_of(blobs: Path) -> int:
    size = 0
    with contextlib.suppress(OSError):  # a file that was renamed meanwhile
        size = sum(path.stat().st_size for path in blobs.iterdir() if not path.is_symlink())
    return size


def _check_disk(blobs: Path, left: int) -> None:
    there = next(parent for parent in blobs.parents if parent.exists())
    free = shutil.disk_usage(there).free
    if left > free:
        raise NotReady(f"{left / 1e9:.1f} GB are to be fetched and {free / 1e9:.1f} GB are free in {str(there)!r}")


def _best(cache: Path, machine: Callable[[], Machine]) -> Located:
    here = {one: folder for one in CURATED if (folder := cached_folder(one.hub_id, cache)) and not missing_of(folder)}
    if not here:
        small = CURATED[-2].name
        raise NotReady(
            f"no local model was fetched yet: {_get(small)} fetches a small one, `python -m assistant model list` "
            "shows others"
        )
    best = best_of(list(here), machine())
    if best is None:
        raise NotReady("none of the models that were fetched fits into this machine: `python -m assistant model list`")
    return Located(best.name, here[best], best)


def _get(name: str) -> str:
    return f"`python -m assistant model get {name}`"
