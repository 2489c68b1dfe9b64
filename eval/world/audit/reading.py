"""What an audit reads: rows without their pictures, gold, attributes, pages; pictures one at a time."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from eval.world.frame_sampling import SPLITS
from eval.world.rows import LABELS


@dataclass(frozen=True)
class Finding:
    """One check with its outcome in words."""

    check: str
    failed: bool
    detail: str

    def as_dict(self) -> dict[str, Any]:
        return {"check": self.check, "ok": not self.failed, "detail": self.detail}


@dataclass(frozen=True)
class Turn:
    """One question with its labels' names and its gold line. `frame` names the picture, which rows may share."""

    set_name: str
    split: str
    session: str
    frame: str
    url: str
    query: str
    answer_text: str
    labels: dict[str, str]
    gold: dict[str, Any]


@dataclass
class Folder:
    """A world, as its files tell it."""

    root: Path
    about: dict[str, Any]
    turns: list[Turn]
    kg: list[dict[str, Any]]
    pages: list[dict[str, Any]]

    @classmethod
    def read(cls, root: Path) -> Folder:
        gold = {g["interaction_id"]: g for g in _lines(root / "gold" / "turns.jsonl")}
        turns: list[Turn] = []
        for set_name, order in LABELS.items():
            for split in SPLITS:
                columns = ["session_id", "image.path", "image_url", "turns", "answers"]
                file = pq.ParquetFile(root / set_name / f"{split}.parquet")  # reads a part of a struct
                for row in file.read(columns=columns).to_pylist():
                    turns += _turns(set_name, split, row, order, gold)
        about = json.loads((root / "world.json").read_text(encoding="utf-8"))
        return cls(root, about, turns, _lines(root / "kg" / "entities.jsonl"), _lines(root / "web" / "pages.jsonl"))

    def frames(self) -> Iterator[tuple[str, str, str, bytes]]:
        """(split, URL or "", name, bytes) of every row's picture, a few rows in memory at a time."""
        for set_name in LABELS:
            for split in SPLITS:
                file = pq.ParquetFile(self.root / set_name / f"{split}.parquet")
                for batch in file.iter_batches(batch_size=16, columns=["image", "image_url"]):
                    for row in batch.to_pylist():
                        url = row["image_url"] or ""
                        if url:
                            path = self.cached(url)
                            yield split, url, url, path.read_bytes() if path.is_file() else b""
                        else:
                            yield split, url, row["image"]["path"], row["image"]["bytes"]

    def cached(self, url: str) -> Path:
        """Where the bytes behind an image URL lie."""
        return self.root / "urlcache" / hashlib.sha256(url.encode()).hexdigest()

    def of(self, set_name: str) -> list[Turn]:
        """The turns of one set."""
        return [t for t in self.turns if t.set_name == set_name]


def _turns(
    set_name: str, split: str, row: dict[str, Any], order: dict[str, list[str]], gold: dict[str, dict[str, Any]]
) -> list[Turn]:
    found = []
    for i, interaction in enumerate(row["turns"]["interaction_id"]):
        labels = {column: names[row["turns"][column][i]] for column, names in order.items()}
        answer, query = row["answers"]["ans_full"][i], row["turns"]["query"][i]
        url = row["image_url"] or ""
        frame = url or row["image"]["path"]
        found.append(Turn(set_name, split, row["session_id"], frame, url, query, answer, labels, gold[interaction]))
    return found


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def slack(share: float, n: int, least: float = 0.02) -> float:
    """How far a measured share may lie from the promised one: `least`, or three standard errors of so few draws."""
    return max(least, 3 * math.sqrt(share * (1 - share) / max(1, n)))


def near(check: str, found: float, promised: float, n: int, least: float = 0.02) -> Finding:
    """Whether a share of `n` is what was promised."""
    allowed = slack(promised, n, least)
    return Finding(
        check, abs(found - promised) > allowed, f"{found:.1%} of {n}, promised {promised:.0%} ± {allowed:.1%}"
    )


def at_most(check: str, count: int, n: int, most: float) -> Finding:
    """Whether a share stays below its limit."""
    share = count / max(1, n)
    return Finding(check, share > most, f"{share:.1%} of {n}, at most {most:.0%}")
