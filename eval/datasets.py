"""Benchmarks as samples: generated worlds, files of CRAG-MM rows, small JSONL files of one's own.

Labels (domain, question type and so on) carry the names that the data set's own features give them and stay bare
numbers where it gives none. Pictures are read when they are asked for, never all at once. Rows that cannot be used are
kept aside with the reason.

Not covered: data sets by hub id, Arrow files, pictures by URL over the network.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from assistant.errors import BadInput, UnknownFormat
from eval.crag_rows import crag_sample, label_names
from eval.pictures import FilePicture, ParquetPicture, parquet_pictures
from eval.samples import LABELS, Data, Sample, SampleTurn, Unusable

WORLD_FORMAT_VERSIONS = (1,)
SPLITS = ("validation", "public_test")
SETS = ("single", "multi", "both")
_FOLDERS = {"single": "single_turn", "multi": "multi_turn"}
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def load(data: str, split: str = "validation", set_: str = "both", limit: int | None = None) -> Data:
    """Load a benchmark.

    Args:
        data: a world folder, a JSONL file of small rows, or a JSON or Parquet file of CRAG-MM rows.
        split: of a world: "validation", "public_test" or "all". Files are one split.
        set_: of a world: "single", "multi" or "both" (single-turn rows come first). Files have both.
        limit: keep the first so many samples.

    Raises:
        BadInput: nothing there that could be read as a benchmark; the message names file and line.
        UnknownFormat: a world written in a format version that is not known here.
    """
    if limit is not None and limit < 1:
        raise BadInput(f"--limit is {limit!r}: give a number above 0")
    path = Path(data).expanduser()
    if path.is_dir():
        loaded = _load_world(path, split, set_, limit)
    elif path.is_file():
        loaded = _load_file(path, limit)
    elif _HUB_ID.fullmatch(data) and not path.parent.exists():
        raise BadInput(f"{data!r} is no file or folder here, and data sets by hub id are not built yet: give a file")
    else:
        raise BadInput(f"there is no file or folder {data!r}: give a world folder or a file of rows")
    _check_ids(loaded)
    return loaded


def _check_ids(data: Data) -> None:
    seen: set[str] = set()
    for sample in data.samples:
        for turn in sample.turns:
            if turn.interaction_id in seen:
                raise BadInput(f"the interaction id {turn.interaction_id!r} stands twice in {data.name!r}")
            seen.add(turn.interaction_id)


def _load_world(folder: Path, split: str, set_: str, limit: int | None) -> Data:
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
    digest = hashlib.sha256(text)
    samples: list[Sample] = []
    unusable: list[Unusable] = []
    found = False
    for name in ("single", "multi") if set_ == "both" else (set_,):
        for part in SPLITS if split == "all" else (split,):
            path = folder / _FOLDERS[name] / f"{part}.parquet"
            if not path.is_file():
                continue
            found = True
            digest.update(f"{name}/{part}:{path.stat().st_size}".encode())
            rest = None if limit is None else limit - len(samples)
            if rest is None or rest > 0:
                good, bad = _parquet_samples(path, name, part, folder / "urlcache", rest)
                samples += good
                unusable += bad
    if not found:
        raise BadInput(f"{str(folder)!r} has no rows for --set {set_} --split {split}")
    seed = description.get("seed")
    return Data(f"world, seed {seed}", digest.hexdigest(), tuple(samples), tuple(unusable), folder.resolve())


def _load_file(path: Path, limit: int | None) -> Data:
    urlcache = path.parent / "urlcache"
    if path.suffix == ".parquet":
        good, bad = _parquet_samples(path, "file", path.stem, urlcache, limit)
        return Data(path.name, _file_digest(path), tuple(good), tuple(bad))
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as text ({problem})") from None
    rows: Iterable[tuple[int, Any]]
    try:
        whole = json.loads(text)
    except ValueError:
        whole = None
    rows = enumerate(whole) if isinstance(whole, list) else _json_lines(path, text)
    good, bad = [], []
    for number, row in rows:
        if limit is not None and len(good) >= limit:
            break
        sample = _file_row(path, number, row, urlcache)
        (good if isinstance(sample, Sample) else bad).append(sample)  # type: ignore[arg-type]
    if not good and not bad:
        raise BadInput(f"{str(path)!r} holds no rows")
    return Data(path.name, _file_digest(path), tuple(good), tuple(bad))


def _json_lines(path: Path, text: str) -> Iterable[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError:
                raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file_row(path: Path, number: int, row: Any, urlcache: Path) -> Sample | Unusable:
    """One row of a JSON or JSONL file: CRAG-MM's shape when it has `answers`, else the small one."""
    if not isinstance(row, dict):
        raise BadInput(f"row {number} of {str(path)!r} is {type(row).__name__}, not an object")
    if "answers" in row or "session_id" in row:
        image = row.get("image")
        picture = FilePicture(path.parent / image) if isinstance(image, str) and image else None
        return crag_sample(row, path.name, number, "file", path.stem, {}, picture, urlcache)
    turns = row.get("turns", [row])
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns) or not turns:
        raise BadInput(f"row {number} of {str(path)!r} has no list of turns")
    session = f"{path.stem}-{number}"
    made = []
    for i, turn in enumerate(turns):
        for key in ("query", "ground_truth"):
            if not isinstance(turn.get(key), str):
                raise BadInput(f"row {number} of {str(path)!r} has {turn.get(key)!r} as {key!r}: a text is wanted")
        labels = {key: turn.get(key, row.get(key)) for key in LABELS}
        made.append(SampleTurn(f"{session}-{i}", i, turn["query"], turn["ground_truth"], **labels))
    image = row.get("image")
    if image is None or image == "":
        return Sample(session, tuple(made), "file", path.stem, is_ego=False)
    if not isinstance(image, str):
        raise BadInput(f"row {number} of {str(path)!r} has {image!r} as 'image': a path is wanted")
    file = path.parent / image
    if not file.is_file():
        return Unusable(path.name, number, session, f"there is no picture {image!r}")
    # Not a CRAG-MM row: that it has no image_url does not make it egocentric, and its shape is kept.
    return Sample(session, tuple(made), "file", path.stem, is_ego=bool(row.get("is_ego")), picture=FilePicture(file))


def _parquet_samples(
    path: Path, set_: str, split: str, urlcache: Path, limit: int | None
) -> tuple[list[Sample], list[Unusable]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
        columns = [name for name in schema.names if name != "image"]
        missing = {"session_id", "turns", "answers"} - set(columns)
        if missing:
            raise BadInput(f"{str(path)!r} has no column {sorted(missing)[0]!r}: it holds no CRAG-MM rows")
        rows = pq.read_table(path, columns=columns).to_pylist()
    except (pa.ArrowException, OSError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as Parquet ({problem})") from None
    names = label_names(schema.metadata or {})
    pictures: Sequence[ParquetPicture | None] = (
        parquet_pictures(path) if "image" in schema.names else [None] * len(rows)
    )
    good: list[Sample] = []
    bad: list[Unusable] = []
    source = f"{path.parent.name}/{path.name}"
    for number, row in enumerate(rows):
        if limit is not None and len(good) >= limit:
            break
        sample = crag_sample(row, source, number, set_, split, names, pictures[number], urlcache)
        if isinstance(sample, Sample):
            good.append(sample)
        else:
            bad.append(sample)
    return good, bad
