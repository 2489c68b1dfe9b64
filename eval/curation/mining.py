"""Distractors for a question: passages and pictures that an index finds for it and that are not gold.

As VLM-DeflectionBench mines them (arXiv 2604.12033, section 3, stage II): the pictures nearest to the question's, the
pages about what they show, their passages ranked anew by the question; and the nearest pictures themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.whole_text import load_json
from assistant.text.markup import clean_text
from eval.data.chunks import passages
from eval.data.deflection_rows import piece_row, read_piece
from eval.data.pictures import FilePicture
from eval.data.pieces import Piece
from eval.data.samples import Sample

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge
    from assistant.index.raw_search import SearchPipeline

#: Pictures that are looked at, pages asked for about each thing on them, distractors kept of each kind.
PICTURES, PAGES_EACH, MOST_EACH = 10, 3, 10
#: Two passages that share so much of their words say the same.
SAME_WORDS = 0.8

#: (question, passages) → how well each fits, higher is better.
Rank = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True)
class Miner:
    """Finds distractors in one index.

    search: the index's own search. knowledge: the same index by page. rank: orders passages by a question.
    """

    search: SearchPipeline
    knowledge: Knowledge
    rank: Rank
    most: int = MOST_EACH

    def mine(self, sample: Sample, gold: Sequence[Piece], own: Sequence[str]) -> list[Piece]:
        """Distractors of text, then of pictures.

        Args:
            sample: with one turn.
            gold: its gold evidence.
            own: names of the things its answer is about; pictures of them are gold.

        Raises:
            BadImage: the sample's picture cannot be read.
        """
        frame, turn = sample.frame(), sample.turns[0]
        alike = self.search(frame, k=PICTURES) if frame is not None else []
        texts = self._passages(turn.query, alike, gold)
        return [*texts, *self._pictures(alike, gold, own)]

    def _passages(self, query: str, alike: Iterable[Mapping[str, Any]], gold: Sequence[Piece]) -> list[Piece]:
        names = dict.fromkeys(e["entity_name"] for result in alike for e in result["entities"])
        urls = {piece.source for piece in gold if piece.kind == "passage"}
        told = [_words(piece.text) for piece in gold if piece.kind != "picture"]
        found: dict[str, Piece] = {}
        for name in [*names, ""]:
            for hit in self.knowledge.search(f"{name}: {query}" if name else query, k=PAGES_EACH):
                if hit.url in urls:
                    continue
                for chunk in self.knowledge.page(hit.url):
                    for text in passages(clean_text(chunk.text)):
                        if not any(_alike(_words(text), other) for other in told):
                            found.setdefault(text, Piece("", "distractor", "passage", hit.url, text, hit.title))
        texts = list(found)
        ranked = sorted(zip(self.rank(query, texts), texts, strict=True), key=lambda pair: (-pair[0], pair[1]))
        kept: list[Piece] = []
        for _, text in ranked:
            if len(kept) < self.most and not any(_alike(_words(text), _words(piece.text)) for piece in kept):
                kept.append(found[text])
        return kept

    def _pictures(self, alike: Iterable[Mapping[str, Any]], gold: Sequence[Piece], own: Sequence[str]) -> list[Piece]:
        taken, kept = {*(piece.source for piece in gold if piece.kind == "picture")}, list[Piece]()
        for result in alike:
            names = [e["entity_name"] for e in result["entities"]]
            path = self.knowledge.picture(result["index"])
            if path is None or result["url"] in taken or set(names) & set(own) or len(kept) == self.most:
                continue
            taken.add(result["url"])
            kept.append(
                Piece("", "distractor", "picture", result["url"], "", ", ".join(names), picture=FilePicture(path))
            )
        return kept


class KeptMiner:
    """A miner whose finds are written down as they are made: a curation that goes on does not search again.

    Args:
        miner: finds what is not written down.
        file: JSON lines; a line that broke off, or that another search wrote, is left alone.
        search: what finds rest on beside the sample and its gold, such as which index and which ranking model.
    """

    def __init__(self, miner: Miner, file: Path, search: Mapping[str, Any]) -> None:
        self._miner, self._file = miner, file
        self._search = json.dumps(search, sort_keys=True)
        self._kept: dict[str, list[Mapping[str, Any]]] = {}
        data = file.read_bytes() if file.is_file() else b""
        for line in data.split(b"\n"):
            try:
                row = load_json(line.decode("utf-8"))
                self._kept[row["key"]] = row["found"]
            except (ValueError, TypeError, KeyError):
                continue
        if data and not data.endswith(b"\n"):  # killed within a line: the next one begins its own
            with file.open("ab") as out:
                out.write(b"\n")

    def mine(self, sample: Sample, gold: Sequence[Piece], own: Sequence[str]) -> list[Piece]:
        """As `Miner.mine`.

        Raises:
            BadImage: the sample's picture cannot be read.
        """
        turn, told = sample.turns[0], [(piece.kind, piece.source, piece.text) for piece in gold]
        asked = json.dumps([self._search, turn.interaction_id, turn.query, told, sorted(own)])
        key = hashlib.sha256(asked.encode()).hexdigest()[:24]
        if key in self._kept:
            place = f"{str(self._file)!r}, {key}"
            return [read_piece(row, "distractor", "", place, self._file.parent) for row in self._kept[key]]
        found = self._miner.mine(sample, gold, own)
        rows = [piece_row(piece, _path(piece)) for piece in found]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": key, "found": rows}, ensure_ascii=False) + "\n")
        return found


def _path(piece: Piece) -> str | None:
    return str(piece.picture.path.resolve()) if isinstance(piece.picture, FilePicture) else None


def gold_in_index(query: str, truths: Sequence[str], knowledge: Knowledge) -> list[Piece]:
    """Gold evidence for a question whose data name none: passages that hold the whole answer, word for word.

    Only of pages that the question itself finds; the third stage drops samples to which it does not lead.
    """
    wanted = [_whole(words) for truth in truths if (words := " ".join(truth.casefold().split()).rstrip("."))]
    found: dict[str, Piece] = {}
    for hit in knowledge.search(query, k=PICTURES):
        for chunk in knowledge.page(hit.url):
            for text in passages(clean_text(chunk.text)):
                plain = " ".join(text.casefold().split())
                if any(words.search(plain) for words in wanted):
                    found.setdefault(text, Piece("", "gold", "passage", hit.url, text, hit.title))
    return list(found.values())[:2]


def _whole(words: str) -> re.Pattern[str]:
    """Finds the words where they are no part of longer ones: 7 stands neither in 1975 nor in 7.5."""
    return re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(words)}(?!\w|[.,]\d)")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME_WORDS * max(1, min(len(one), len(other)))


def rank_with(folder: Path) -> Rank:
    """Ranks by the model in `folder`: a sentence encoder by cosine, or a cross-encoder, as its files say.

    Raises:
        BadInput: there is no model that can be loaded.
    """
    from assistant.core.errors import BadInput

    try:
        if (folder / "modules.json").is_file():
            from sentence_transformers import SentenceTransformer

            encoder = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

            def by_cosine(query: str, texts: Sequence[str]) -> Sequence[float]:
                if not texts:
                    return []
                vectors = encoder.encode([query, *texts], normalize_embeddings=True, show_progress_bar=False)
                return [float(score) for score in vectors[1:] @ vectors[0]]

            return by_cosine
        from sentence_transformers import CrossEncoder

        crossing = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    except Exception as problem:  # whatever a foreign model's files lead the library into
        raise BadInput(f"{str(folder)!r} holds no model that can rank passages ({type(problem).__name__})") from problem

    def by_crossing(query: str, texts: Sequence[str]) -> Sequence[float]:
        if not texts:
            return []
        scores = crossing.predict([(query, text) for text in texts], show_progress_bar=False)
        return [float(score) for score in scores]

    return by_crossing
