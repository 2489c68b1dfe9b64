"""Fits the weights of `concepts.QuestionFactModel`: `python -m assistant.answering.concept_training` (about a minute).

Closed form, nothing random beyond a seeded exchange of the values in statements (so that no name or number stands for
a property). Reads `data/properties` only; measures nothing (tests/assistant/answering/concept_validation.py does).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.answering.concepts import FILE_NAME, FORMAT_VERSION, QuestionFactModel, unit
from assistant.search.text_encoder import VERSION, text_encoder
from assistant.settings import ASSETS_DIR

DATA_DIR = Path(__file__).parent / "data" / "properties"
WORDINGS_DIR = DATA_DIR.with_name("wordings")
#: The lots that these vectors and the weights of `rank` are fitted on; later lots are practised by the matcher alone.
FITTED_LOTS = "abcdfgklpqrst"
ASK, KEY, STATEMENT = 0, 1, 2
#: Share of the mean variance that damps the whitening; half the inverse square root was best of 0.1, 0.3, 1 and none.
_DAMPING = 1.0
_SLICE = 128
_OTHER_VALUES = {
    "person": "Maren Castile|Jonas Petrak|Aoife Lindgren|Tomas Okafor|Beata Wren|Rafael Quist|Yuki Ostrander",
    "place": "Umbria|the Black Forest|Kerala|Quebec|northern Japan|Lisbon|Patagonia|Gdansk|Hobart|Galway|Samarkand",
    "colour": "ruby red|navy blue|mustard yellow|charcoal|off-white|turquoise|copper brown|lilac",
}


@dataclass(frozen=True)
class Wordings:
    """All texts of the data with their property (row of the data) and kind (ASK, KEY, STATEMENT), with vectors."""

    texts: tuple[str, ...]
    concept: np.ndarray
    kind: np.ndarray
    vectors: np.ndarray


def read_concepts(folder: Path = DATA_DIR, lots: str = "") -> list[dict[str, Any]]:
    """The properties, of some lots (files) or all, by id: how each is asked for (`asks`), named (`keys`), stated
    (`values`, `facts`) and what looks like a statement of it and is none (`near`).
    """
    lines = [line for p in _files(folder, lots) for line in p.read_text(encoding="utf-8").splitlines()]
    return sorted((json.loads(line) for line in lines if line.strip()), key=lambda c: c["id"])


def read_all_wordings() -> list[dict[str, Any]]:
    """The properties with what later hands wrote of them too (`data/wordings`, by the property's id)."""
    concepts = {c["id"]: c for c in read_concepts()}
    for path in _files(WORDINGS_DIR, ""):
        for line in path.read_text(encoding="utf-8").splitlines():
            more = json.loads(line)
            concept = concepts[more.pop("id")]
            for kind, texts in more.items():
                concept[kind] = [*concept.get(kind, []), *texts]
    return list(concepts.values())


def _files(folder: Path, lots: str) -> list[Path]:
    return [p for p in sorted(folder.glob("*.jsonl")) if not lots or p.stem in lots]


def data_hash(folder: Path = DATA_DIR) -> str:
    """SHA-256 of the data fitted on, as parsed, so that line ends and layout do not matter."""
    lots = FITTED_LOTS if folder == DATA_DIR else ""
    canonical = json.dumps(read_concepts(folder, lots), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def other_value(concept: dict[str, Any], statement: str, seed: str) -> str:
    """The statement with another value of the same kind; as it is where the value cannot be exchanged."""
    chance = random.Random(f"{seed} {concept['id']} {statement}")
    pool = _OTHER_VALUES.get(concept["answer"])
    if pool:
        return statement.replace(concept["value"], chance.choice(pool.split("|")))
    if concept["answer"] in ("quantity", "count", "date"):
        return re.sub(r"\d", lambda _: str(chance.randint(1, 9)), statement)
    return statement


def wordings(
    concepts: Sequence[dict[str, Any]],
    encode: Callable[[Sequence[str]], np.ndarray] | None = None,
    seed: str = "training",
) -> Wordings:
    """Every wording once, statements a second time with another value."""
    encode = encode or text_encoder().encode
    rows: list[tuple[str, int, int]] = []
    for i, concept in enumerate(concepts):
        rows += [(a, i, ASK) for a in concept["asks"]]
        rows += [(f"what is its {k}?", i, KEY) for k in concept["keys"]]
        stated = [*concept["facts"], *(other_value(concept, f, seed) for f in concept["facts"])]
        rows += [(s, i, STATEMENT) for s in stated]
    texts = tuple(text for text, _, _ in rows)
    order = sorted(range(len(texts)), key=lambda n: (len(texts[n]), n))  # equal lengths: little padding
    vectors = np.empty((len(texts), 384), np.float32)
    for start in range(0, len(order), _SLICE):
        part = order[start : start + _SLICE]
        vectors[part] = encode([texts[n] for n in part])
    return Wordings(texts, np.array([i for _, i, _ in rows]), np.array([k for _, _, k in rows]), vectors)


def fit(data: Wordings, chosen: np.ndarray | None = None) -> QuestionFactModel:
    """The model of the chosen texts (a mask, for cross-validation; all by default)."""
    use = np.ones(len(data.texts), bool) if chosen is None else chosen
    means = np.stack([data.vectors[use & (data.kind == k)].mean(axis=0) for k in (ASK, KEY, STATEMENT)])
    centred = data.vectors - means[data.kind]
    spread, count = np.zeros((centred.shape[1], centred.shape[1])), 0
    groups = []
    for i in np.unique(data.concept[use]):
        members = [np.flatnonzero(use & (data.concept == i) & (data.kind == k)) for k in (ASK, KEY, STATEMENT)]
        members = [m for m in members if len(m)]
        middle = np.mean([centred[m].mean(axis=0) for m in members], axis=0)  # each kind counts the same
        away = centred[np.concatenate(members)] - middle
        spread += away.T @ away
        count += len(away)
        if len(members) == 3:
            groups.append(members)
    variances, axes = np.linalg.eigh(spread / count)
    whitening = (axes / np.sqrt(variances / variances.mean() + _DAMPING)) @ axes.T
    placed = unit(centred @ whitening)
    asks, keys, statements = (np.stack([placed[g[k]].mean(axis=0) for g in groups]) for k in (ASK, KEY, STATEMENT))
    half = np.float32(0.5)
    asked, stated = unit(asks + half * keys + half * statements), unit(keys + statements)
    means, whitening, asked, stated = (a.astype(np.float32) for a in (means, whitening, asked, stated))
    return QuestionFactModel(means, whitening, asked, stated)


def save(model: QuestionFactModel, folder: Path, source: Path = DATA_DIR) -> Path:
    """Writes the weights (float16, about 1 MB) with the hash of their data and of the text encoder."""
    folder.mkdir(parents=True, exist_ok=True)
    path, unfinished = folder / FILE_NAME, folder / f".{FILE_NAME}.part.npz"
    np.savez_compressed(
        unfinished,
        format_version=np.array(FORMAT_VERSION),
        text_encoder=np.array(VERSION),
        data_hash=np.array(data_hash(source)),
        **{n: getattr(model, n).astype(np.float16) for n in ("means", "whitening", "asked", "stated")},
    )
    unfinished.replace(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the reader's knowledge of how properties are asked for.")
    parser.add_argument("--out", type=Path, default=ASSETS_DIR / "reader")
    out = parser.parse_args().out
    data = wordings(read_concepts(lots=FITTED_LOTS))
    path = save(fit(data), out)
    print(f"{path}: {len(data.texts)} wordings of {data.concept.max() + 1} properties")


if __name__ == "__main__":
    main()
