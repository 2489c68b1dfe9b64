"""From a pool of questions to rows of VLM-DeflectionBench's shape (arXiv 2604.12033, section 3).

Stage I drops what any gating model answers rightly without evidence. Stage II pairs each question with gold evidence
and mines distractors. Stage III drops what no gate answers with the gold evidence, single distractors with which any
gate is right or on which one fails, and questions with fewer distractors than are needed. Each stage's answers are
kept under what was asked, and so is what was mined, so that a curation that was stopped goes on where it was, and no
answer stands for another piece of evidence than the one it was given for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage
from assistant.core.storage import write_bytes, write_json, write_text
from eval.curation.gates import Asked, Gate, Question
from eval.data.deflection_rows import piece_row
from eval.data.gold import GoldTurn
from eval.data.pieces import Piece, Role
from eval.data.samples import LABELS, Sample
from eval.judges.judging import JudgeChoice
from eval.runs.progress import Progress

FORMAT_VERSION = 1
ROWS, ABOUT, PICTURES, WORK = "rows.jsonl", "curation.json", "images", "work"
#: Of `WORK`: the distractors that were found (`eval.curation.mining.KeptMiner`).
MINED = "2-mined.jsonl"
#: Of text and pictures together, for each sample.
LEAST_NEGATIVES = 5

#: sample → its gold evidence and distractors, before the third stage.
Pair = Callable[[Sample], tuple[Sequence[Piece], Sequence[Piece]]]
#: Told of each stage and how far it is.
Tell = Callable[[str], Progress | None]


@dataclass
class Stage:
    """What one stage was given, kept and dropped, by reason."""

    name: str
    given: int
    kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def drop(self, why: str, n: int = 1) -> None:
        self.dropped[why] = self.dropped.get(why, 0) + n


@dataclass(frozen=True)
class Curated:
    """The rows that were kept and how it came to them. `version` changes with any row."""

    rows: tuple[Mapping[str, Any], ...]
    stages: tuple[Stage, ...]
    version: str


@dataclass(frozen=True)
class Curation:
    """One curation.

    gates: at least one. judge: tells right from wrong; an answer that it only leans to counts as that. gold: of a
    generated world, for its judge. options: what the answers of a stage rest on, beside the gate. least: distractors
    that a sample must keep.
    """

    gates: Sequence[Gate]
    judge: JudgeChoice
    pair: Pair
    out: Path
    options: Mapping[str, Any]
    gold: Mapping[str, GoldTurn] = field(default_factory=dict)
    least: int = LEAST_NEGATIVES
    tell: Tell = lambda stage: None

    def run(self, pool: Sequence[Sample], about: Mapping[str, Any]) -> Curated:
        """All stages, and the output written at the end.

        Args:
            pool: samples of one turn.
            about: what `curation.json` says of where they come from.

        Raises:
            BadInput: the folder holds a curation that was made otherwise.
            KeyboardInterrupt: it was stopped; the same call goes on.
        """
        first, gated = self._gate(pool)
        second, paired = self._pair(gated)
        third, kept = self._quality(paired)
        rows = [self._row(sample, gold, negatives) for sample, gold, negatives in kept]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        version = hashlib.sha256(text.encode()).hexdigest()[:12]
        stages = (first, second, third)
        write_text(self.out / ROWS, text)
        write_json(
            self.out / ABOUT,
            {
                "format_version": FORMAT_VERSION,
                "version": version,
                **about,
                "gates": [gate.identity for gate in self.gates],
                "judge": self.judge.name,
                "least_negatives": self.least,
                "stages": [vars(stage) for stage in stages],
                "n": len(rows),
                "gold": _mean(rows, "gold"),
                "negatives": _mean(rows, "negatives"),
            },
        )
        return Curated(tuple(rows), stages, version)

    def _gate(self, pool: Sequence[Sample]) -> tuple[Stage, list[Sample]]:
        stage, kept = Stage("I, gating", len(pool)), list(pool)
        for gate in self.gates:
            questions = [Question(sample, "", ()) for sample in kept]
            asked = self._ask(gate, "1-no-evidence", questions)
            lost = {row.session_id for row in asked.unusable}
            for question in questions:
                if question.sample.session_id in lost:
                    stage.drop("its picture cannot be read")
                elif question.id in asked.failed:
                    stage.drop(f"{gate.name} gave no answer")
                elif question.id in asked.right:
                    stage.drop(f"{gate.name} answers it without evidence")
            gone = asked.right | asked.failed
            kept = [q.sample for q in questions if q.id not in gone and q.sample.session_id not in lost]
        stage.kept = len(kept)
        return stage, kept

    def _pair(self, pool: Sequence[Sample]) -> tuple[Stage, list[_Paired]]:
        stage, paired = Stage("II, evidence", len(pool)), list[_Paired]()
        shown = self.tell("pairing with evidence")
        for n, sample in enumerate(pool, 1):
            try:
                found = self.pair(sample)
            except BadImage:
                stage.drop("its picture cannot be read")
                continue
            finally:
                if shown is not None:
                    shown.show(n, len(pool), n, 0)
            gold, negatives = map(_usable, found)
            if broken := sum(map(len, found)) - len(gold) - len(negatives):
                stage.drop("pieces of evidence whose picture cannot be read", broken)
            taken = set[str]()
            gold, negatives = _named(gold, "gold", taken), _named(negatives, "distractor", taken)
            if not gold:
                stage.drop("no gold evidence")
            elif len(negatives) < self.least:
                stage.drop(f"fewer than {self.least} distractors found")
            else:
                paired.append((sample, gold, negatives))
        if shown is not None:
            shown.end()
        stage.kept = len(paired)
        return stage, paired

    def _quality(self, paired: Sequence[_Paired]) -> tuple[Stage, list[_Paired]]:
        stage = Stage("III, quality", len(paired))
        told = self._answered_with_gold(paired, stage)
        leaking, failed = set[str](), set[str]()
        for gate in self.gates:
            alone = [Question(s, _ending_of([piece]), (piece,)) for s, _, negatives in told for piece in negatives]
            asked = self._ask(gate, "3-distractors", [q for q in alone if q.id not in leaking | failed])
            leaking |= asked.right
            failed |= asked.failed
        kept = list[_Paired]()
        for sample, gold, negatives in told:
            key = sample.turns[0].interaction_id
            clean = [piece for piece in negatives if f"{key}{_ending_of([piece])}" not in leaking | failed]
            if len(clean) < self.least:
                stage.drop(f"fewer than {self.least} distractors left")
            else:
                kept.append((sample, gold, clean))
        if leaking:
            stage.drop("single distractors that make a gate right", len(leaking))
        if failed:
            stage.drop("single distractors on which a gate gave no answer", len(failed))
        stage.kept = len(kept)
        return stage, kept

    def _answered_with_gold(self, paired: Sequence[_Paired], stage: Stage) -> list[_Paired]:
        """Those that some gate answers rightly with the gold evidence."""
        questions = [Question(sample, _ending_of(gold), tuple(gold)) for sample, gold, _ in paired]
        asked = [self._ask(gate, "3-gold", questions) for gate in self.gates]
        right = frozenset[str]().union(*(found.right for found in asked))
        for question in questions:
            if question.id in right:
                continue
            lost = all(question.id in found.failed for found in asked)
            stage.drop("no gate gave an answer with the gold evidence" if lost else _NO_GATE)
        return [found for found, question in zip(paired, questions, strict=True) if question.id in right]

    def _ask(self, gate: Gate, stage: str, questions: Sequence[Question]) -> Asked:
        place = hashlib.sha256(json.dumps(gate.identity, sort_keys=True).encode()).hexdigest()[:8]
        folder = self.out / WORK / f"{stage}-{place}"
        folder.parent.mkdir(parents=True, exist_ok=True)
        told = self.tell(f"{stage}, {gate.name}")
        return gate.right(questions, folder, self.options, self.judge, self.gold, told)

    def _row(self, sample: Sample, gold: Sequence[Piece], negatives: Sequence[Piece]) -> dict[str, Any]:
        turn = sample.turns[0]
        row: dict[str, Any] = {"id": turn.interaction_id}
        if sample.picture is not None:
            row["image"] = self._kept(sample.picture.read())
        row |= {"query": turn.query, "answer": turn.ground_truth}
        if turn.truths:
            row["answer_aliases"] = list(turn.truths)
        row |= {label: value for label in LABELS if (value := getattr(turn, label)) is not None}
        for key, pieces in (("gold", gold), ("negatives", negatives)):
            row[key] = [
                piece_row(piece, self._kept(piece.picture.read()) if piece.picture is not None else None)
                for piece in pieces
            ]
        return row

    def _kept(self, data: bytes) -> str:
        """The picture beside the rows, named by what it holds; its path as the rows have it."""
        name = f"{PICTURES}/{hashlib.sha256(data).hexdigest()[:24]}{_ending(data)}"
        path = self.out / name
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, data)
        return name


_Paired = tuple[Sample, Sequence[Piece], Sequence[Piece]]
_NO_GATE = "no gate answers it with the gold evidence"


def _usable(pieces: Sequence[Piece]) -> list[Piece]:
    """Those whose pictures can be decoded: a row with another one could be asked of nobody who sees."""
    return [piece for piece in pieces if _is_whole(piece)]


def _is_whole(piece: Piece) -> bool:
    from assistant.vision.frame import read_frame

    try:
        if piece.picture is not None:
            read_frame(piece.picture.read())
    except BadImage:
        return False
    return True


def _named(pieces: Sequence[Piece], role: Role, taken: set[str]) -> list[Piece]:
    """The pieces under ids made of what they tell, without those that tell what one of `taken` does already."""
    kept = []
    for piece in pieces:
        if (told := _content(piece)) not in taken:
            taken.add(told)
            kept.append(replace(piece, id=told[:16], role=role))
    return kept


def _content(piece: Piece) -> str:
    """A digest of everything that an agent is told of the piece."""
    told = piece.evidence()
    picture = hashlib.sha256(told.picture).hexdigest() if told.picture is not None else None
    parts = [told.kind, told.source, told.text, told.title, told.subject, told.key, told.written, picture]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _ending_of(pieces: Sequence[Piece]) -> str:
    """What the id of a question ends in that is asked with these pieces."""
    return f"#{hashlib.sha256(''.join(piece.id for piece in pieces).encode()).hexdigest()[:12]}"


def _ending(data: bytes) -> str:
    for start, ending in ((b"\xff\xd8", ".jpg"), (b"\x89PNG", ".png"), (b"GIF8", ".gif")):
        if data.startswith(start):
            return ending
    return ".webp" if data[8:12] == b"WEBP" else ".bin"


def _mean(rows: Sequence[Mapping[str, Any]], key: str) -> float | None:
    return round(sum(len(row[key]) for row in rows) / len(rows), 2) if rows else None
