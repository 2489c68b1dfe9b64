"""Checks of a finished world folder: does it keep the rules that make its figures honest?

A modest audit: leaks in names and URLs, label features, splits, siblings, shares of names and attribute keys in the
questions, two blind baselines. It reads the folder alone, never the generator's memory.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq
from PIL import Image

from eval.world.casting import SPLITS
from eval.world.rows import LABELS, label_names

MAX_NAMED, MAX_KEYS, MAX_BLIND = 0.10, 0.30, 0.05


@dataclass(frozen=True)
class Finding:
    """One check with its outcome in words."""

    check: str
    failed: bool
    detail: str

    def as_dict(self) -> dict[str, Any]:
        return {"check": self.check, "ok": not self.failed, "detail": self.detail}


@dataclass
class _World:
    root: Path
    rows: list[tuple[str, str, dict[str, Any]]]
    gold: dict[str, dict[str, Any]]
    kg: list[dict[str, Any]]
    pages: list[dict[str, Any]]

    @classmethod
    def read(cls, root: Path) -> _World:
        rows = []
        for name in LABELS:
            for split in SPLITS:
                rows += [(name, split, row) for row in pq.read_table(root / name / f"{split}.parquet").to_pylist()]
        gold = {g["interaction_id"]: g for g in _lines(root / "gold" / "turns.jsonl")}
        return cls(root, rows, gold, _lines(root / "kg" / "entities.jsonl"), _lines(root / "web" / "pages.jsonl"))

    def queries(self) -> list[tuple[str, dict[str, Any]]]:
        """(query, gold line) of every turn."""
        return [
            (q, self.gold[i])
            for _, _, row in self.rows
            for i, q in zip(row["turns"]["interaction_id"], row["turns"]["query"], strict=True)
        ]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def audit(root: Path) -> list[Finding]:
    """All checks, in a fixed order."""
    world = _World.read(root)
    checks = (_ids, _exif, _rasters, _labels, _splits, _siblings, _unindexed, _names, _keys, _blind, _rules, _cache)
    return [check(world) for check in checks]


def _ids(w: _World) -> Finding:
    """No word of a name or an answer in file names, ids, URLs."""
    words = {x for e in w.kg for x in re.findall(r"[a-z]{5,}", e["name"].lower())}
    words |= {x for g in w.gold.values() for x in re.findall(r"[a-z]{5,}", str(g["answer"]["value"]).lower())}
    seen = [image["file"] + " " + image["url"] for e in w.kg for image in e["images"]]
    for _, _, row in w.rows:
        seen += [row["session_id"], row["image_url"] or "", (row["image"] or {}).get("path") or ""]
    ids = " ".join(s.replace("kg/images/", "").replace(".invalid", "").replace("https", "") for s in seen).lower()
    leaks = [x for x in words if x in ids]
    hosts = {urlsplit(u).hostname or "" for s in seen for u in re.findall(r"https?://\S+", s)}
    hosts |= {urlsplit(p["url"]).hostname or "" for p in w.pages}
    wrong = [h for h in hosts if not h.endswith(".invalid")]
    return Finding(
        "ids, file names and URLs are opaque", bool(leaks or wrong), f"{len(leaks) + len(wrong)} leaks {leaks[:3]}"
    )


def _exif(w: _World) -> Finding:
    bad = 0
    for data in _all_pictures(w).values():
        with Image.open(io.BytesIO(data)) as picture:
            bad += bool(picture.getexif()) or bool(picture.info.get("comment"))
    return Finding("pictures carry no metadata", bad > 0, f"{bad} do")


def _all_pictures(w: _World) -> dict[str, bytes]:
    found = {p.name: p.read_bytes() for p in sorted((w.root / "kg" / "images").iterdir())}
    for _, _, row in w.rows:
        if row["image"]:
            found[row["image"]["path"]] = row["image"]["bytes"]
        else:
            name = hashlib.sha256(row["image_url"].encode()).hexdigest()
            found[name] = (w.root / "urlcache" / name).read_bytes()
    return found


def _rasters(w: _World) -> Finding:
    """No indexed picture is used as a frame, whatever its name."""
    index = {hashlib.sha256(p.read_bytes()).digest() for p in (w.root / "kg" / "images").iterdir()}
    frames = {
        hashlib.sha256(b).digest() for n, b in _all_pictures(w).items() if not (w.root / "kg/images" / n).exists()
    }
    return Finding(
        "no indexed picture is a frame", bool(index & frames), f"{len(index & frames)} shared of {len(frames)}"
    )


def _labels(w: _World) -> Finding:
    single, multi = (label_names(w.root / s / "validation.parquet") for s in ("single_turn", "multi_turn"))
    same_sets = all(sorted(single[c]) == sorted(multi[c]) for c in single)
    differ = all(single[c] != multi[c] for c in single)
    return Finding(
        "both sets have the same labels in another order", not (same_sets and differ), f"{len(single)} columns"
    )


def _splits(w: _World) -> Finding:
    seen: dict[str, set[str]] = {}
    for _, split, row in w.rows:
        key = row["image_url"] or hashlib.sha256(row["image"]["bytes"]).hexdigest()
        seen.setdefault(key, set()).add(split)
    both = sum(len(v) > 1 for v in seen.values())
    return Finding("no frame is in both splits", both > 0, f"{both} of {len(seen)} frames")


def _siblings(w: _World) -> Finding:
    """Indexed entities that belong to a family of at least two."""
    groups: Counter[str] = Counter()
    for e in w.kg:
        for key in ("series", "part_of", "collection"):
            if e["attributes"].get(key):
                groups[str(e["attributes"][key]).strip("[]")] += 1
    n = sum(c for c in groups.values() if c > 1)
    return Finding("siblings exist", n < 0.3 * len(w.kg), f"{n} of {len(w.kg)} indexed entities have some")


def _unindexed(w: _World) -> Finding:
    """Entities asked about that are not indexed exist, and stand nowhere else."""
    names = {g["entity"] for g in w.gold.values() if not g["indexed"]}
    known = {e["name"] for e in w.kg}
    text = json.dumps(w.kg, ensure_ascii=False) + json.dumps(w.pages, ensure_ascii=False)
    leaks = [n for n in names if n in known or n in text]
    return Finding(
        "unindexed entities stand in gold alone",
        bool(leaks) or not names,
        f"{len(names)} asked about, {len(leaks)} leak",
    )


def _names(w: _World) -> Finding:
    queries = w.queries()
    n = sum(any(e.lower() in q.lower() for e in g["entities"]) for q, g in queries)
    share = n / max(1, len(queries))
    return Finding("few questions name an entity", share > MAX_NAMED, f"{share:.1%} of {len(queries)}")


def _keys(w: _World) -> Finding:
    queries = w.queries()
    n = 0
    for q, g in queries:
        keys = {a["key"].replace("_", " ") for a in g["attributes"] if a["key"] != "name"}
        n += any(re.search(rf"\b{re.escape(k)}\b", q.lower()) for k in keys)
    share = n / max(1, len(queries))
    return Finding("few questions use the attribute's key", share > MAX_KEYS, f"{share:.1%} of {len(queries)}")


def _blind(w: _World) -> Finding:
    """A guesser that gives the commonest answer of the question's type and of its first three words."""
    answers = [(q, g["question_type"], json.dumps(g["answer"]["value"])) for q, g in w.queries()]
    by_type: dict[str, Counter[str]] = {}
    for _, kind, a in answers:
        by_type.setdefault(kind, Counter())[a] += 1
    n = len(answers)
    right = sum(c.most_common(1)[0][1] for k, c in by_type.items() if c)
    yesno = sum(a in ("true", "false") for _, _, a in answers)
    share = max(0, right - yesno // 2) / max(1, n)
    return Finding("the commonest answer is seldom right", share > MAX_BLIND and n > 400, f"{share:.1%} beside yes-no")


def _rules(w: _World) -> Finding:
    """Every contradicting page is older than some right one, or says that it is hearsay."""
    pages = {p["url"]: p for p in w.pages}
    unsettled = 0
    for g in w.gold.values():
        years = [_year(pages[u]["text"]) for u in g["passages"]]
        for url in g["contradicting"]:
            year = _year(pages[url]["text"])
            hearsay = re.search(r"read somewhere|from memory|told me|not sure", pages[url]["text"], re.I)
            unsettled += not (hearsay or (years and year < max(years)))
    return Finding("every contradiction has a rule", unsettled > 0, f"{unsettled} unsettled")


def _year(text: str) -> int:
    """The year a page is dated: the last one of its closing or opening date."""
    dates = re.findall(r"\b\d{1,2} [A-Z][a-z]+ (20[012]\d)\b", text)
    return max((int(d) for d in (dates[:1] + dates[-1:])), default=0)


def _cache(w: _World) -> Finding:
    missing = [
        row["image_url"]
        for _, _, row in w.rows
        if row["image_url"]
        and not (w.root / "urlcache" / hashlib.sha256(row["image_url"].encode()).hexdigest()).is_file()
    ]
    return Finding("bytes stand behind every image URL", bool(missing), f"{len(missing)} missing")
