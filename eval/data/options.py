"""Every option about data in one place: as flags, as a value that a page can make, and as what `run.json` keeps."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import read_settings
from eval.data import datasets, hub
from eval.data.datasets import Reading
from eval.data.filters import Selection, parse_degradation, parse_where, select, spoil
from eval.data.label_names import read_label_file
from eval.data.samples import Data


@dataclass(frozen=True)
class DataChoice:
    """What a user chose, as text where a flag takes text; `load` reads it all.

    data: a path, a hub id or "crag-mm". where and degrade: as `--where` and `--degrade` take them. ego: None for both
    kinds. pictures: False asks the questions alone. labels: a file of names for bare numbers. data_dir: where fetched
    pictures are kept (None: the default).
    """

    data: str
    split: str = "validation"
    set: str = "both"
    revision: str | None = None
    public: bool = False
    where: tuple[str, ...] = ()
    ego: bool | None = None
    ids: tuple[str, ...] = ()
    sample: int | None = None
    sample_seed: int = 0
    limit: int | None = None
    degrade: tuple[str, ...] = ()
    pictures: bool = True
    labels: Path | None = None
    allow_network: bool = False
    hub_wait_s: float = hub.HUB_WAIT_S
    data_dir: Path | None = None

    def load(self) -> Data:
        """Read the data, take what is chosen, and note what is to be done to the frames.

        Raises:
            BadInput: an option or the data cannot be used; the message is one sentence and names the place.
            HubUnreachable: the data lie on the hub and cannot be had.
        """
        degradations = tuple(parse_degradation(text) for text in self.degrade)
        selection = Selection(parse_where(self.where), self.ego, self.ids, self.sample, self.sample_seed, self.limit)
        settings = read_settings(profile="embedded", data_dir=self.data_dir)
        reading = Reading(
            revision=self.revision,
            public=self.public,
            network=self.allow_network,
            picture_cache=settings.data_dir / "urlcache",
            labels=read_label_file(self.labels) if self.labels else {},
            hub_wait_s=self.hub_wait_s,
            pictures=self.pictures,
        )
        data = datasets.load(self.data, self.split, self.set, reading=reading)
        return replace(data, samples=spoil(select(data.samples, selection), degradations))

    def options(self) -> dict[str, Any]:
        """What must be equal for a run to be resumed; what was not chosen is None.

        Whether the network may be asked is not part of it: it changes which pictures are at hand, not what is asked.
        """
        return {
            "split": self.split,
            "set": self.set,
            "revision": self.revision,
            "public": self.public or None,
            "where": sorted(f"{label}={value}" for label, value in parse_where(self.where)) or None,
            "ego": self.ego,
            "ids": _short(sorted(set(self.ids))) if self.ids else None,
            "sample": self.sample,
            "sample_seed": self.sample_seed if self.sample is not None else None,
            "limit": self.limit,
            "degrade": [_degradation_text(text) for text in self.degrade] or None,
            "pictures": None if self.pictures else False,
            "labels": _file_hash(self.labels) if self.labels else None,
        }


def _degradation_text(text: str) -> str:
    degradation = parse_degradation(text)
    return f"{degradation.kind}:{degradation.severity:g}:{degradation.seed}"


def _short(ids: Sequence[str]) -> str:
    return f"{len(ids)} ids, {hashlib.sha256(json.dumps(ids).encode()).hexdigest()[:16]}"


def _file_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as problem:
        raise BadInput(f"the labels file {str(path)!r} cannot be read ({problem.strerror})") from None


def add_data_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """All flags about data. `--data-dir` belongs to the command, as indexes need it too.

    Args:
        parser: what they are added to, as a group of their own.
        required: whether the command cannot do without `--data`.
    """
    group = parser.add_argument_group("data")
    add = group.add_argument
    add("--data", required=required, help="a world, a hub id, crag-mm, a saved data set, or a file of rows")
    add("--split", default="validation", help="validation (the default), public_test, another name, or all")
    add(
        "--set",
        default="both",
        choices=datasets.SETS,
        help="single-turn samples, multi-turn samples or both (the default)",
    )
    add("--revision", help="of a hub id: tag, branch or commit (default: v0.1.2 for CRAG-MM, else main)")
    add("--allow-network", action="store_true", help="the hub and the hosts of pictures may be asked (default: never)")
    add("--hub-wait", type=float, default=hub.HUB_WAIT_S, help="seconds for the hub's first sign (default: 0.8)")
    add("--public", action="store_true", help="skip two sessions and replace one URL, as the public evaluator does")
    add("--labels", type=Path, help="JSON file that names labels which are bare numbers")
    add("--where", action="append", default=[], help="only label=value[,label=value]; repeat a label for alternatives")
    add("--ego", choices=("yes", "no"), help="only egocentric pictures, or only others")
    add("--ids", help="only these sessions or turns: a file with an id a line, or ids with commas between them")
    add("--sample", type=int, help="so many at random, conversations whole")
    add("--sample-seed", type=int, default=0, help="seed of --sample (default: 0)")
    add("--limit", type=int, help="only the first so many rows, after all other filters")
    add("--degrade", action="append", default=[], help="spoil every frame: KIND:SEVERITY[:SEED], as blurred:0.5")
    add("--no-pictures", action="store_true", help="the questions alone, also of rows whose picture is gone")


def data_choice(args: argparse.Namespace) -> DataChoice:
    """The flags as a value.

    Raises:
        BadInput: `--ids` names a file that cannot be read.
    """
    return DataChoice(
        data=args.data,
        split=args.split,
        set=args.set,
        revision=args.revision,
        public=args.public,
        where=tuple(args.where),
        ego=None if args.ego is None else args.ego == "yes",
        ids=read_ids(args.ids) if args.ids else (),
        sample=args.sample,
        sample_seed=args.sample_seed,
        limit=args.limit,
        degrade=tuple(args.degrade),
        pictures=not args.no_pictures,
        labels=args.labels,
        allow_network=args.allow_network,
        hub_wait_s=args.hub_wait,
        data_dir=getattr(args, "data_dir", None),
    )


def read_ids(text: str) -> tuple[str, ...]:
    """Ids out of a file (a JSON list, or one a line) or out of the text itself.

    Raises:
        BadInput: the file cannot be read, or there is no id.
    """
    path = Path(text).expanduser()
    try:
        # More ids than a file's name can hold are no error: `os.path.isfile` says so, `Path.is_file` raises.
        content = path.read_text(encoding="utf-8-sig") if os.path.isfile(path) else text.replace(",", "\n")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"the file of ids {text!r} cannot be read ({problem})") from None
    try:
        listed = json.loads(content)
    except ValueError:
        listed = None
    names = [str(name) for name in listed] if isinstance(listed, list) else content.splitlines()
    found = tuple(name.strip() for name in names if name.strip())
    if not found:
        raise BadInput(f"--ids {text!r} holds no id")
    return found


def load_data(args: argparse.Namespace) -> Data:
    """The data that the flags choose."""
    return data_choice(args).load()


def data_options(args: argparse.Namespace) -> dict[str, Any]:
    """The part of `run.json`'s options that is about data."""
    return data_choice(args).options()


def data_record(choice: DataChoice, data: Data) -> dict[str, Any]:
    """What `run.json` says of the data: what they are called, where they lay, what was changed and left out."""
    return {
        "name": data.name,
        "path": choice.data,
        "world": str(data.world) if data.world else None,
        "found": data.found,
        "taken": len(data.samples),
        "adjusted": list(data.adjusted),
        "origin": dict(data.origin) or None,
    }
