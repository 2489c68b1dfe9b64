"""Folders of rows as others write them: `save_to_disk`, a data set's repository, the caches of `datasets`.

What a folder holds is told by its files: `dataset_dict.json` (several splits saved by `save_to_disk`), `state.json`
(one), else shards of Parquet, Arrow or JSON whose splits are told by the data card beside them, by their names
(`validation-00000-of-00002.parquet`) or by the folder they lie in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from eval.data.label_names import names_in_features

TABLES = (".parquet", ".arrow")
TEXTS = (".jsonl", ".json", ".ndjson")
_SHARD = re.compile(r"^(?P<name>.+?)-(?P<part>\d{5})-of-(?P<parts>\d{5})(-[0-9a-f]+)?$")
_ABOUT = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json")


@dataclass(frozen=True)
class Shards:
    """The files of each split, in order, and the names of labels that a data card gives beside them."""

    splits: Mapping[str, Sequence[Path]]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, split: str, name: str) -> dict[str, Sequence[Path]]:
        """The files of one split, or of "all".

        Raises:
            BadInput: there is no such split, or files of it are missing.
        """
        picked = pick_split(self.splits, split, name)
        for part, files in picked.items():
            _check_whole(part, files)
        return picked

    def is_whole(self) -> bool:
        """Whether no split lacks files."""
        return all(len(files) >= _parts(files) for files in self.splits.values())


def pick_split(splits: Mapping[str, Any], split: str, name: str) -> dict[str, Any]:
    """One split of several, or "all" of them.

    Raises:
        BadInput: there is no such split; the message lists those that there are.
    """
    if split == "all":
        return dict(splits)
    if split in splits:
        return {split: splits[split]}
    raise BadInput(f"{name!r} has no split {split!r}: choose one of {', '.join([*splits, 'all'])}")


def find_shards(folder: Path) -> Shards | None:
    """What a folder holds; None when nothing in it looks like rows.

    Raises:
        BadInput: a saved data set that is not whole; the message names the file.
    """
    if (folder / "dataset_dict.json").is_file():
        splits = _about(folder / "dataset_dict.json").get("splits")
        if not isinstance(splits, list) or not splits:
            raise BadInput(f"{str(folder / 'dataset_dict.json')!r} names no splits: save the data set again")
        return Shards({str(split): _saved(folder / str(split)) for split in splits})
    if (folder / "state.json").is_file():
        split = _about(folder / "state.json").get("_split")
        return Shards({str(split or folder.name): _saved(folder)})
    return _loose(folder)


def _saved(folder: Path) -> list[Path]:
    """The Arrow files that `save_to_disk` wrote into a folder, as its state lists them."""
    listed = _about(folder / "state.json").get("_data_files")
    if not isinstance(listed, list):
        raise BadInput(f"{str(folder / 'state.json')!r} lists no files: save the data set again")
    files = [folder / str(entry.get("filename")) for entry in listed if isinstance(entry, dict)]
    for file in files:
        if not file.is_file():
            raise BadInput(f"{str(folder)!r} is not whole: {file.name!r} is missing, save the data set again")
    return files


def _about(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read ({problem}): save the data set again") from None
    if not isinstance(content, dict):
        raise BadInput(f"{str(path)!r} is not what `save_to_disk` writes: save the data set again")
    return content


def _loose(folder: Path) -> Shards | None:
    card = read_card(folder)
    names = names_in_features(card.get("dataset_info"))
    splits = _by_card(folder, card)
    if not splits:
        for suffixes in (TABLES, TEXTS):
            files = [f for f in sorted(folder.rglob("*")) if f.suffix in suffixes and f.name not in _ABOUT]
            files = [f for f in files if not any(part.startswith(".") for part in f.relative_to(folder).parts)]
            if files:
                splits = _by_name(folder, files)
                break
    return Shards(splits, names) if splits else None


def _by_card(folder: Path, card: Mapping[str, Any]) -> dict[str, list[Path]]:
    """Splits as the data card's first configuration lays them out; {} when it does not, or its files are not here."""
    configs = card.get("configs")
    if not isinstance(configs, list) or not configs or not isinstance(configs[0], dict):
        return {}
    entries = configs[0].get("data_files")
    found: dict[str, list[Path]] = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("split"), str):
            patterns = entry.get("path")
            for pattern in [patterns] if isinstance(patterns, str) else patterns or []:
                if ".." not in str(pattern) and not str(pattern).startswith("/"):
                    found.setdefault(entry["split"], []).extend(sorted(folder.glob(str(pattern))))
    return {split: files for split, files in found.items() if files}


def _by_name(folder: Path, files: Sequence[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for file in files:
        shard = _SHARD.match(file.stem)
        name = shard["name"] if shard else file.stem
        if (
            not shard and file.stem.isdigit() and file.parent != folder
        ):  # `validation/0000.parquet`, as the hub converts
            name = file.parent.name
        found.setdefault(name, []).append(file)
    return found


def _parts(files: Sequence[Path]) -> int:
    """How many files a split has by their names."""
    return max((int(shard["parts"]) for file in files if (shard := _SHARD.match(file.stem))), default=0)


def _check_whole(split: str, files: Sequence[Path]) -> None:
    """That all of the shards that their names count are there."""
    if len(files) < _parts(files):
        raise BadInput(
            f"the split {split!r} is not whole: {len(files)} of its {_parts(files)} files are in "
            f"{str(files[0].parent)!r}, so download it again"
        )


def read_card(folder: Path) -> dict[str, Any]:
    """The header of a data set's README.md; {} when there is none that could be read."""
    try:
        text = (folder / "README.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    header = re.match(r"---\r?\n(.*?)\r?\n---\s*(\r?\n|$)", text, re.DOTALL)
    if header is None:
        return {}
    import yaml

    try:
        content = yaml.safe_load(header[1])
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, dict) else {}
