"""Signs, menus, labels and timetables read by what is asked: `python -m tests.bench signs` (three minutes).

The notices of a generated region are drawn, read once by the text reader, and asked about in all wordings of sets of
phrasings; nothing is recognised and nothing is indexed, so that only what stands on the picture can answer. Judged by
the typed judge.
"""

from __future__ import annotations

import argparse
import collections
import io
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from PIL import Image

from assistant.core.types import Frame, Look, Recognition
from assistant.vision.codes import read_codes
from assistant.vision.ocr import TextReader
from assistant.vision.quality import measure
from eval.data.gold import GoldAnswer, GoldTurn
from eval.judges.typed import TypedJudge
from eval.world.content.notice_questions import NoticeAsker
from eval.world.content.region import make_region
from eval.world.content.wording import Rounds, fill
from eval.world.frames import Photographer
from eval.world.image_prefetch import Equipment
from eval.world.model import Thing
from eval.world.vocabulary import load_vocabulary
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge
from tests.eval.world.other_words import SETS, compose

_ENTITIES = 260
_NO_FRAME = Frame(np.zeros((8, 8, 3), np.uint8))


def run(arguments: list[str]) -> dict[str, Any]:
    """How many questions are answered rightly, wrongly and not at all, by what they ask for."""
    parser = argparse.ArgumentParser(prog="tests.bench signs")
    parser.add_argument("--seed", type=int, default=32, help="of the region (31 was read)")
    parser.add_argument("--set", choices=SETS, nargs="+", dest="names", default=["eleventh", "twelfth"])
    parser.add_argument("--failures", action="store_true", help="print what was not answered rightly")
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    knowledge, judge = MemoryKnowledge([], []), TypedJudge({})
    for kind, question, value, look in questions(given.seed, given.names):
        text, reason, _, _ = answer(knowledge, question, look=look, recognition=Recognition())
        gold = GoldTurn("x", None, (), GoldAnswer(value.kind, value.value, value.unit, ()), True)
        verdict = str(judge.judge(gold, question, text).verdict) if text else "missing"
        table[kind][verdict] += 1
        if given.failures and verdict != "correct":
            print(f"{kind}: {question} [{value.value} {value.unit or ''}] {text or reason}")
    total: collections.Counter[str] = sum(table.values(), collections.Counter())
    for kind, row in [*sorted(table.items()), ("all", total)]:
        print(f"{kind:<16} right {row['correct']:>4}  wrong {row['wrong']:>4}  missing {row['missing']:>4}")
    seconds = round(time.perf_counter() - started, 1)
    return {"seed": given.seed, "sets": given.names, "all": dict(total), "kinds": table, "seconds": seconds}


def questions(seed: int, names: Sequence[str]) -> Iterator[tuple[str, str, Any, Look]]:
    """(what is asked for, the question, the typed answer, the sign as it was read)."""
    region = make_region(seed, _ENTITIES, None, load_vocabulary())
    photographer, reader = Equipment(seed, None, None).photographer(), TextReader()
    signs = [(t, _read(t, photographer, reader)) for t in region.entities if t.kind == "notice"]
    phrasings = compose(*names)
    asker, r = NoticeAsker(region, phrasings, Rounds()), random.Random(seed)
    showing: dict[str, list[tuple[Thing, Look]]] = collections.defaultdict(list)
    for thing, look in signs:
        for relation in asker._relations(thing):
            showing[relation].append((thing, look))
    for relation, shown in sorted(showing.items()):
        for wording in phrasings["notice"][relation]["ask"]:
            thing, look = r.choice(shown)
            made = asker._solve(relation, thing, r)
            if made is not None:
                yield relation, fill(wording, this=f"this {thing.noun}", **made[1]), made[0], look


def _read(thing: Thing, photographer: Photographer, reader: TextReader) -> Look:
    picture = Image.open(io.BytesIO(photographer.index_picture(thing, 0))).convert("RGB")
    frame = Frame(np.asarray(picture))
    return Look(measure(frame), _NO_FRAME, (), reader.read(frame), read_codes(frame))
