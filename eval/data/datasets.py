"""Benchmarks as samples: generated worlds, CRAG-MM by hub id, saved data sets, files of rows, small files of one's own.

Labels (domain, question type and so on) carry the names that the data set's own features give them and stay bare
numbers where it gives none. Pictures are read when they are asked for, never all at once. Rows that cannot be used are
kept aside with the reason. Which samples are then taken is `eval.data.filters`; the flags are `eval.data.options`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, UnknownFormat
from eval.data import hub
from eval.data.crag_rows import Source, crag_sample
from eval.data.digest import digest_of
from eval.data.folders import TABLES, Shards, find_shards
from eval.data.json_rows import json_samples, read_rows
from eval.data.label_names import LabelReader
from eval.data.public_quirks import PublicReading
from eval.data.row_format import RowFormat
from eval.data.row_formats import format_of
from eval.data.samples import Data, Sample, Unusable
from eval.data.tables import SUFFIXES, Table, read_table
from eval.data.url_pictures import UrlPictures

WORLD_FORMAT_VERSIONS = (1,)
SPLITS = ("validation", "public_test")
SETS = ("single", "multi", "both")
_FOLDERS = {"single": "single_turn", "multi": "multi_turn"}


@dataclass(frozen=True)
class Reading:
    """How data are to be read.

    revision: of a hub id; None for its default. public: apply what the public evaluator changes. network: whether the
    hub and the hosts of pictures may be asked. picture_cache: where fetched pictures are kept; None for nowhere.
    labels: names for bare numbers, set → label → names (`label_names.read_label_file`). hub_wait_s: how long the hub
    has to give a first sign. pictures: False leaves all pictures out, and takes rows whose picture is gone.
    """

    revision: str | None = None
    public: bool = False
    network: bool = False
    picture_cache: Path | None = None
    labels: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    hub_wait_s: float = hub.HUB_WAIT_S
    pictures: bool = True


def load(
    data: str,
    split: str = "validation",
    set_: str = "both",
    limit: int | None = None,
    reading: Reading | None = None,
) -> Data:
    """Load a benchmark.

    Args:
        data: a world folder; a hub id, or "crag-mm" for the benchmark's own two; a folder that `save_to_disk` wrote or
            that holds Parquet, Arrow or JSON files; a file of CRAG-MM rows (Parquet, Arrow, JSON, JSONL) or of small
            rows (JSON, JSONL).
        split: "validation", "public_test", another name that the data use, or "all". A single file is one split.
        set_: "single", "multi" or "both" (single-turn rows come first). Of data that do not say which set they are,
            "multi" are the samples of several turns.
        limit: keep the first so many samples.
        reading: how to read; None for the defaults.

    Raises:
        BadInput: nothing there that could be read as a benchmark; the message names file and line or column.
        UnknownFormat: a world written in a format version that is not known here.
        HubUnreachable: a hub id that is not on this machine, or a hub that does not answer.
    """
    if limit is not None and limit < 1:
        raise BadInput(f"--limit is {limit!r}: give a number above 0")
    loaded = _Loading(reading or Reading()).load(data, split, set_)
    if not loaded.samples and not loaded.unusable:
        raise BadInput(f"{data!r} holds no rows" + (" that the public evaluator keeps" if loaded.adjusted else ""))
    _check_ids(loaded)
    samples = tuple(sample for sample in loaded.samples if _is_of(sample, set_))
    if loaded.samples and not samples:
        raise BadInput(f"{data!r} has no rows for --set {set_}")
    return replace(loaded, samples=samples[:limit], found=len(samples))


def _is_of(sample: Sample, set_: str) -> bool:
    own = sample.set if sample.set in _FOLDERS else "multi" if len(sample.turns) > 1 else "single"
    return own in _sets(set_)


def _check_ids(data: Data) -> None:
    """That no id stands twice: turns are stored and scored by them."""
    turns: dict[str, Sample] = {}
    sessions: dict[tuple[str, str], Sample] = {}
    for sample in data.samples:
        for turn in sample.turns:
            _check_id("interaction", turn.interaction_id, turns.setdefault(turn.interaction_id, sample), sample)
            if sum(other.interaction_id == turn.interaction_id for other in sample.turns) > 1:
                raise BadInput(
                    f"the interaction id {turn.interaction_id!r} stands twice in row {sample.row} of {sample.source!r}"
                )
        first = sessions.setdefault((sample.set, sample.session_id), sample)
        _check_id("session", sample.session_id, first, sample)


def _check_id(kind: str, name: str, first: Sample, second: Sample) -> None:
    if first is second:
        return
    places = f"row {first.row} and row {second.row} of {second.source!r}"
    if first.source != second.source:
        places = f"row {first.row} of {first.source!r} and row {second.row} of {second.source!r}"
    raise BadInput(f"the {kind} id {name!r} stands twice: in {places}")


class _Loading:
    """One `load`: what its parts share."""

    def __init__(self, reading: Reading):
        self._reading = reading
        self._public = PublicReading(on=reading.public)
        self._samples: list[Sample] = []
        self._unusable: list[Unusable] = []

    def load(self, data: str, split: str, set_: str) -> Data:
        path = Path(data).expanduser()
        try:
            is_folder, is_file = path.is_dir(), path.is_file()
            near = path.parent.exists() and str(path.parent) != "."
        except (OSError, ValueError) as problem:
            raise BadInput(f"{data!r} cannot be opened ({problem}): check the path and its rights") from None
        if is_folder and ((path / "world.json").exists() or (path / "gold").is_dir()):
            return self._world(path, split, set_)
        if (is_folder or (is_file and path.suffix not in SUFFIXES)) and (known := format_of(path)) is not None:
            return self._other(path, known, split)
        if is_folder:
            return self._folder(path, split)
        if is_file:
            return self._file(path)
        if data == "crag-mm":
            return self._hub([(name, hub.CRAG_MM[name]) for name in _sets(set_)], split, data)
        if hub.is_hub_id(data) and not near:
            return self._hub([(_set_in(data, "file"), data)], split, data)
        raise BadInput(f"there is no file or folder {data!r}: give a world folder, a file of rows or a hub id")

    def _data(self, name: str, digest: str, world: Path | None = None, origin: Mapping[str, Any] | None = None) -> Data:
        return Data(
            name, digest, tuple(self._samples), tuple(self._unusable), world, self._public.said, dict(origin or {})
        )

    def _source(
        self, name: str, set_: str, split: str, labels: LabelReader, urls: UrlPictures, unit: str = "row"
    ) -> Source:
        return Source(name, set_, split, labels, urls, self._public, unit, self._reading.pictures)

    def _labels(self, set_: str, names: Mapping[str, Sequence[str]]) -> LabelReader:
        given = self._reading.labels
        if given and "" not in given and set_ not in _FOLDERS:
            raise BadInput(
                "the labels file names the labels of the single and multi sets, and nothing tells of which set "
                "these rows are: give a file with one list of names for each label"
            )
        return LabelReader(names, given.get(set_, given.get("", {})))

    def _urls(self, folder: Path | None) -> UrlPictures:
        """Pictures by URL for rows that lie in `folder`; it may carry them along, as worlds do."""
        cache = self._reading.picture_cache
        folders = tuple(f for f in (folder / "urlcache" if folder else None, cache) if f is not None)
        return UrlPictures(folders, network=self._reading.network and cache is not None)

    def _add(self, found: Iterable[Sample | Unusable]) -> None:
        for sample in found:
            if isinstance(sample, Sample):
                self._samples.append(sample)
            else:
                self._unusable.append(sample)

    def _table(self, table: Table, source: Source) -> Iterator[Sample | Unusable]:
        for number, row, picture in table:
            if not self._public.skips(row.get("session_id")):
                yield crag_sample(row, number, picture, source)

    def _world(self, folder: Path, split: str, set_: str) -> Data:
        text, description = _about_world(folder)
        digest = hashlib.sha256(text)
        found = False
        for name in _sets(set_):
            for part in SPLITS if split == "all" else (split,):
                path = folder / _FOLDERS[name] / f"{part}.parquet"
                if not path.is_file():
                    continue
                found = True
                digest.update(f"{name}/{part}:{path.stat().st_size}".encode())
                table = read_table(path)
                urls = UrlPictures((folder / "urlcache",))  # a world brings its pictures; its hosts exist nowhere
                source = f"{path.parent.name}/{path.name}"
                self._add(self._table(table, self._source(source, name, part, self._labels(name, table.names), urls)))
        if not found:
            raise BadInput(f"{str(folder)!r} has no rows for --set {set_} --split {split}")
        return self._data(f"world, seed {description.get('seed')}", digest.hexdigest(), folder.resolve())

    def _file(self, path: Path) -> Data:
        set_, split, urls = _set_in("/".join(path.parts[-3:]), "file"), path.stem, self._urls(path.parent)
        if path.suffix in SUFFIXES:
            table = read_table(path)
            name = f"{path.parent.name}/{path.name}"
            self._add(self._table(table, self._source(name, set_, split, self._labels(set_, table.names), urls)))
        else:
            unit, rows = read_rows(path)
            source = self._source(path.name, set_, split, self._labels(set_, {}), urls, unit)
            self._add(json_samples(path, rows, source))
        return self._data(path.name, digest_of([path]))

    def _other(self, path: Path, known: RowFormat, split: str) -> Data:
        """The rows of another benchmark."""
        cache = self._reading.picture_cache
        source = self._source(
            path.name, "single", path.stem, self._labels("single", {}), self._urls(path.parent), "line"
        )
        source = replace(source, cache=cache.parent if cache is not None else None, wanted=split)
        self._add(known.read(path, source))
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        return replace(self._data(path.name, digest_of(files)), benchmark=known.benchmark)

    def _folder(self, folder: Path, split: str) -> Data:
        shards = find_shards(folder)
        if shards is None:
            raise BadInput(
                f"{str(folder)!r} holds no world.json, no saved data set and no Parquet, Arrow or JSON files: "
                "it is no benchmark"
            )
        picked = _only_split(shards, split) or shards.of(split, str(folder))
        set_ = _set_in(folder.name, "file")
        files = [(part, file) for part, paths in picked.items() for file in paths]
        readers: dict[str, LabelReader] = {}
        for part, file in files:
            name = str(file.relative_to(folder)) if file.is_relative_to(folder) else file.name
            if file.suffix in TABLES:
                table = read_table(file)
                reader = readers.setdefault(part, self._labels(set_, {**shards.names, **table.names}))
                self._add(self._table(table, self._source(name, set_, part, reader, self._urls(folder))))
            else:
                unit, rows = read_rows(file)
                reader = readers.setdefault(part, self._labels(set_, shards.names))
                source = self._source(name, set_, part, reader, self._urls(folder), unit)
                self._add(json_samples(file, rows, source))
        return self._data(folder.resolve().name, digest_of([file for _, file in files]))

    def _hub(self, repos: Sequence[tuple[str, str]], split: str, data: str) -> Data:
        digest, revisions = hashlib.sha256(), []
        for set_, repo in repos:
            reading = self._reading
            found = hub.open_hub(repo, reading.revision, split, network=reading.network, wait_s=reading.hub_wait_s)
            for part, tables in found.tables.items():
                # The same whether it was fetched now or lay here: a run begun online can be resumed offline.
                digest.update(f"{repo}@{found.commit}/{part}:{sum(len(t.rows) for _, t in tables)}".encode())
                for name, table in tables:
                    source = f"{repo}/{name}"
                    reader = self._labels(set_, table.names)
                    self._add(self._table(table, self._source(source, set_, part, reader, self._urls(None))))
            revisions.append({"repo": repo, "revision": found.revision, "commit": found.commit})
        name = f"{data}@{revisions[0]['revision']}"
        return self._data(name, digest.hexdigest(), origin={"hub": revisions})


def _sets(set_: str) -> tuple[str, ...]:
    if set_ not in SETS:
        raise BadInput(f"there is no set {set_!r}: choose one of {', '.join(SETS)}")
    return ("single", "multi") if set_ == "both" else (set_,)


def _set_in(name: str, otherwise: str) -> str:
    """The set that a name tells ("crag-mm-single-turn-public")."""
    found = re.findall(r"(single|multi)[-_ ]?turn", name.lower())
    return found[-1] if found else otherwise


def _only_split(shards: Shards, split: str) -> dict[str, Sequence[Path]] | None:
    """A folder of one split, when the user asked for none by name: that one."""
    if split == SPLITS[0] and len(shards.splits) == 1 and not set(shards.splits) & {*SPLITS, "train", "test"}:
        return shards.of("all", "")
    return None


def _about_world(folder: Path) -> tuple[bytes, dict[str, Any]]:
    about = folder / "world.json"
    try:
        text = about.read_bytes()
        description = json.loads(text)
        version = description["format_version"]
    except FileNotFoundError:
        raise BadInput(f"{str(folder)!r} holds no world.json: it is not a world folder") from None
    except (OSError, ValueError, TypeError, KeyError):
        raise BadInput(f"{str(about)!r} cannot be read: it is not the description of a world") from None
    if version not in WORLD_FORMAT_VERSIONS:
        raise UnknownFormat(f"{str(folder)!r} has format_version {version!r}, which this Vitrine does not know")
    return text, description
