"""Natural questions about real photographs, asked without any model: right, honestly abstained, wrong.

    python -m tests.bench photos --photos DIR --index DIR [--only NAME] [--questions FILE]

The questions (`photo_questions.json`) are about public photographs that the project does not carry; whoever has them
names their folder. Each is asked in a conversation of its own. An answer that begins with "I don't know" is honest, one
that a pattern of its question matches is right, any other is wrong: read the wrong ones, a pattern is no judge.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from assistant.core.events import Finished
from assistant.core.types import REFUSAL, Conversation
from assistant.factory import open_index
from assistant.settings import Settings
from assistant.vision.frame import read_frame

QUESTIONS = Path(__file__).with_name("photo_questions.json")


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench photos")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--only", default="", help="photographs whose name contains this")
    args = parser.parse_args(argv)
    assistant = open_index(args.index, Settings(args.index.parent))
    counts: Counter[str] = Counter()
    answers = []
    for item in json.loads(args.questions.read_text(encoding="utf-8"))["questions"]:
        if args.only not in item["photo"]:
            continue
        frame = read_frame((args.photos / item["photo"]).read_bytes())
        ended = [e for e in assistant.answer(Conversation("bench"), item["question"], frame) if isinstance(e, Finished)]
        text = ended[-1].turn.answer.text
        verdict = verdict_of(text, item)
        counts[verdict] += 1
        answers.append({"photo": item["photo"], "question": item["question"], "verdict": verdict, "answer": text})
        print(f"{verdict:<7} {item['photo'][:28]:<28} {item['question']} → {text}")
    print(dict(counts))
    return {"counts": dict(counts), "answers": answers}


def verdict_of(text: str, item: dict[str, Any]) -> str:
    """ "right", "honest" or "wrong"."""
    if text.startswith(REFUSAL):
        return "honest"
    right = any(re.search(pattern, text, re.IGNORECASE) for pattern in item.get("right", ()))
    return "right" if right else "wrong"
