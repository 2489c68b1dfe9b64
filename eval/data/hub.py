"""CRAG-MM, and other data sets of its shape, by hub id and revision.

Without the user's leave only the caches on this machine are looked into, and nothing is asked of the network, not even
whether there is one. With it, the hub is first tried for a moment, so that being offline is said at once and not after
a minute of retries; then `datasets.load_dataset` fetches and prepares the data set as the public evaluator does.

`datasets` itself, when it cannot reach the hub, silently takes whatever version it has: here a revision is looked up
in the cache's own references and nothing else is ever taken for it.
"""

from __future__ import annotations

import re
import socket
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assistant.core.errors import BadInput, VitrineError
from eval.data.folders import Shards, find_shards, pick_split
from eval.data.tables import Table, from_arrow, read_table

#: The benchmark's two sets; `--data crag-mm` stands for them, `--set` chooses.
CRAG_MM = {
    "single": "crag-mm-2025/crag-mm-single-turn-public",
    "multi": "crag-mm-2025/crag-mm-multi-turn-public",
}
#: The revision that the public evaluator takes when none is given (its `local_evaluation.py`).
CRAG_MM_REVISION = "v0.1.2"
HUB_WAIT_S = 0.8

_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_REVISION = re.compile(r"[\w.-]+(/[\w.-]+)*")
_COMMIT = re.compile(r"[0-9a-f]{40}")


class HubUnreachable(VitrineError):
    """The data set cannot be had now; the message says what to do."""

    exit_code = 2


@dataclass(frozen=True)
class HubSet:
    """One data set of the hub as it lies on this machine: its tables by split, and which commit they are of."""

    repo: str
    revision: str
    commit: str | None
    tables: Mapping[str, list[tuple[str, Table]]]


def is_hub_id(data: str) -> bool:
    return _ID.fullmatch(data) is not None


def default_revision(repo: str) -> str:
    return CRAG_MM_REVISION if repo in CRAG_MM.values() else "main"


def open_hub(repo: str, revision: str | None, split: str, *, network: bool, wait_s: float = HUB_WAIT_S) -> HubSet:
    """A data set of the hub.

    Args:
        repo: "owner/name".
        revision: tag, branch or commit; None for the default.
        split: one split, or "all".
        network: whether the hub may be asked; else only the caches of this machine are read.
        wait_s: how long the hub has to give its first sign.

    Raises:
        HubUnreachable: not on this machine and not to be fetched; the message says what to do.
        BadInput: no such data set, revision or split; not CRAG-MM's columns.
    """
    revision = revision or default_revision(repo)
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise BadInput(f"{revision!r} is no revision: give a tag, a branch or a commit")
    if network:
        return _fetched(repo, revision, split, wait_s)
    found = _cached(repo, revision, split)
    if found is None:
        raise HubUnreachable(_not_here(repo, revision))
    commit, shards = found
    tables = {
        name: [(file.name, _with_card(read_table(file), shards)) for file in files]
        for name, files in shards.of(split, f"{repo}@{revision}").items()
    }
    return HubSet(repo, revision, commit, tables)


def _with_card(table: Table, shards: Shards) -> Table:
    """The names of the labels from the data card, where the file itself has none."""
    return Table(table.rows, table.pictures, {**shards.names, **table.names})


def _not_here(repo: str, revision: str) -> str:
    held = ", ".join(repr(name) for name in _revisions(repo))
    other = f" (of it, {held} is here)" if held else ""
    return (
        f"{repo!r} at revision {revision!r} is not on this machine{other}: add --allow-network to fetch it, "
        "or give a folder or a file"
    )


def _caches() -> tuple[Path, Path]:
    """The hub's cache and the one of prepared Arrow files, where the libraries keep them."""
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE), Path(constants.HF_HOME) / "datasets"


def _repo_folder(repo: str) -> Path:
    return _caches()[0] / f"datasets--{repo.replace('/', '--')}"


def _revisions(repo: str) -> list[str]:
    refs = _repo_folder(repo) / "refs"
    return sorted(str(path.relative_to(refs)) for path in refs.rglob("*") if path.is_file()) if refs.is_dir() else []


def commit_of(repo: str, revision: str) -> str | None:
    """The commit that a revision stood for when it was fetched; None when it never was."""
    if _COMMIT.fullmatch(revision):
        return revision
    try:
        return (_repo_folder(repo) / "refs" / revision).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _cached(repo: str, revision: str, split: str) -> tuple[str, Shards] | None:
    """Commit and files of a revision that was fetched before; None when it was not, or not the rows themselves.

    The files as they were fetched are taken where they hold the split, else the Arrow files made of them.
    """
    commit = commit_of(repo, revision)
    if commit is None:
        return None
    snapshot = _repo_folder(repo) / "snapshots" / commit
    shards = find_shards(snapshot) if snapshot.is_dir() else None
    if shards is not None and shards.is_whole() and split in (*shards.splits, "all"):
        return commit, shards
    for prepared in _prepared(repo, commit):
        found = find_shards(prepared)
        if found is not None:  # its files are named `<name>-<split>…`
            return commit, Shards({name.rpartition("-")[2]: files for name, files in found.splits.items()})
    return (commit, shards) if shards is not None else None


def _prepared(repo: str, commit: str) -> Iterator[Path]:
    """Folders of Arrow files that `datasets` prepared from a commit: `<owner>___<name>/<config>/<version>/<commit>`."""
    yield from _prepared_under(_caches()[1], repo, commit)
    if _repo_folder(repo).is_dir():  # known here, so the library's own word is worth the second that it takes to import
        import datasets

        yield from _prepared_under(Path(datasets.config.HF_DATASETS_CACHE), repo, commit)


def _prepared_under(root: Path, repo: str, commit: str) -> Iterator[Path]:
    owner, _, name = repo.partition("/")
    for folder in sorted(root.glob(f"{owner}___*/*/*/{commit}")):
        if _snake(folder.parts[-4].partition("___")[2]) == _snake(name) and (folder / "dataset_info.json").is_file():
            yield folder


def _snake(name: str) -> str:
    """A name as `datasets` writes it in folders, near enough to compare two."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _fetched(repo: str, revision: str, split: str, wait_s: float) -> HubSet:
    _knock(repo, revision, wait_s)
    import datasets

    try:
        loaded = datasets.load_dataset(repo, revision=revision)
    except datasets.exceptions.DatasetNotFoundError as problem:
        raise BadInput(
            f"the hub gives no data set {repo!r} at revision {revision!r} ({_first(problem)}): check both, "
            "and log in with `hf auth login` where the owner asks for it"
        ) from None
    # Whatever the library and its many parts raise, network and disk among it: one sentence, the caches stay.
    except Exception as problem:
        raise HubUnreachable(
            f"{repo!r} at revision {revision!r} could not be fetched ({type(problem).__name__}: {_first(problem)}): "
            "what was fetched is kept, try again"
        ) from problem
    splits = dict(loaded) if isinstance(loaded, dict) else {str(loaded.split or "data"): loaded}
    commit = commit_of(repo, revision)
    tables: dict[str, list[tuple[str, Table]]] = {}
    for name, part in pick_split(splits, split, f"{repo}@{revision}").items():
        _check_commit(part, repo, revision, commit)
        table = from_arrow(part.data.table, f"{repo}/{name}", None, _feature_names(part))
        tables[name] = [(f"{name}.arrow", table)]
    return HubSet(repo, revision, commit, tables)


def _feature_names(part: Any) -> dict[str, tuple[str, ...]]:
    from eval.data.label_names import names_in_features

    return names_in_features(part.features.to_dict())


def _check_commit(part: Any, repo: str, revision: str, commit: str | None) -> None:
    """That `datasets` gave the revision that was asked for and not, the hub having failed, the last one it knew."""
    files = [str(entry["filename"]) for entry in part.cache_files]
    if commit is not None and files and not any(commit in Path(file).parts for file in files):
        raise HubUnreachable(
            f"the hub did not give {repo!r} at revision {revision!r}, and what is on this machine is of another one: "
            "try again"
        )


def _first(problem: BaseException) -> str:
    text = str(problem).strip().splitlines()
    return text[0][:200] if text else "no reason given"


def _knock(repo: str, revision: str, wait_s: float) -> None:
    """That somebody listens where the hub is, or at the proxy on the way to it, within `wait_s` altogether.

    Raises:
        HubUnreachable: nobody does, or the environment forbids the hub.
    """
    from huggingface_hub import constants

    said = f"the hub cannot be reached for {repo!r} at revision {revision!r}"
    here = " (it is on this machine: leave --allow-network out)" if commit_of(repo, revision) else ""
    todo = f"connect, or give a folder or a file that was fetched elsewhere{here}"
    if constants.HF_HUB_OFFLINE:
        raise HubUnreachable(f"{said}: HF_HUB_OFFLINE is set, so unset it{here}")
    endpoint = urlsplit(constants.ENDPOINT)
    proxy = urllib.request.getproxies().get(endpoint.scheme)
    if proxy and not urllib.request.proxy_bypass(str(endpoint.hostname)):
        endpoint = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    host, port = str(endpoint.hostname), endpoint.port or (80 if endpoint.scheme == "http" else 443)
    result: list[str | None] = []

    def connect() -> None:
        try:
            socket.create_connection((host, port), timeout=wait_s).close()
            result.append(None)
        except OSError as problem:
            result.append(problem.strerror or str(problem))

    # Name look-ups know no time-out: the thread is left to itself when it takes too long.
    thread = threading.Thread(target=connect, daemon=True, name="hub-knock")
    thread.start()
    thread.join(wait_s)
    if not result:
        raise HubUnreachable(f"{said}: {host} gave no sign within {wait_s:g} s, so {todo}, or wait with --hub-wait")
    if result[0] is not None:
        raise HubUnreachable(f"{said} ({result[0]}): {todo}")
