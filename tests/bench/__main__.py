"""`python -m tests.bench NAME`: run one benchmark, print its table, keep its figures in tests/bench/results/NAME.json.

Budgets are for an idle machine; the result file names the machine's size and the versions that were measured.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
BENCHES = {
    "judge": "the offline judge against labels by hand, and with --real FILE against a model's",
    "questions": "the reader on questions by hand over invented collections, without seeing: right and wrong",
    "ablation": "each rule of the embedded reader off in turn: right minus wrong on worlds asked in other words",
    "answer": "warm answers on 960x1280 frames, stage by stage",
    "chat_check": "a chat model's sentences: right ones held back, wrong ones let through",
    "beside_model": "what a turn takes beside its model, and how soon the model's first words are on the screen",
    "rates": "every pipeline at every strictness with a scripted model of stated error rates: right, missing, wrong",
    "photos": "natural questions about real photographs, asked without a model: right, honest, wrong",
    "kinds": "what kind of thing a photograph shows: how often it is said and how often rightly",
    "page": "the page in Chromium: weight, first paint, click to first event, event to cards",
    "startup": "from process start to the first paint and to the first answer",
    "eval_tab": "100,000 turns in the page of benchmarks: listed, filtered, searched, one opened",
    "lights": "sliders that degrade a 960x1280 frame: the small copy, the whole one; a capsule saved and opened",
    "scores": "100,000 turns: all readings, intervals and slices; comparing, the page, the public format",
    "teach": "one taught view: known again, false claims, what it costs, and whether the meter is right",
    "teach_photos": "ten real things taught from a photograph each: known on spoilt other views, nothing else claimed",
    "deflection": "a generated world curated and asked under all four scenarios, and over the number of distractors",
    "retrieval": "the old and the new vector of pictures: recall and margin on photographs and worlds, and cost",
    "signs": "signs, menus, labels and timetables, asked about in words of sets of phrasings; nothing indexed",
    "runs": "runs at 1 s an answer: share of the possible throughput, own time, the public schedule beside it",
    "seeing": "a run of the chat agent on few cores: all turns see at once, or as many as there are cores",
    "kills": "SIGKILLs at random moments of runs against a failing server: every resumed run must end the same",
    "drawing": "one 960x1280 picture of a generated world, kind by kind",
    "spoken": "questions said by several voices: words misheard, answered as when typed, time to the words",
    "soak": "the real page for an hour, cameras on: memory, turns that never end, processes left behind",
    "voice": "from a sentence to its sound, alone and for eight visitors; hearing where a model is on this machine",
}


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in BENCHES:
        for name, text in BENCHES.items():
            print(f"  {name:<12} {text}")
        return 2 if argv else 0
    module = importlib.import_module(f"tests.bench.{argv[0]}")
    figures: dict[str, Any] = module.run(argv[1:])
    figures["machine"] = {
        "cores": os.cpu_count(),
        "load_at_end": round(os.getloadavg()[0], 2),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch"),
        "opencv": importlib.metadata.version("opencv-python-headless"),
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{argv[0]}.json"
    path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"kept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
