"""`python -m eval COMMAND`: make benchmarks, run agents on them, score the runs."""

import contextlib
import os
import sys
import threading

from assistant.commands.command_line import main
from eval.runs.control import ends_cleanly

COMMANDS = {
    "world": ("eval.commands.world", "generate a benchmark world"),
    "recognise": ("eval.commands.recognise", "how often the right entity is found"),
    "data": ("eval.commands.data", "look at a benchmark before a run, fetch its pictures"),
    "run": ("eval.commands.run", "run an agent over a benchmark and score it"),
    "import": ("eval.commands.import_answers", "a run of answers made elsewhere, with their verdicts"),
    "judge": ("eval.commands.judge", "judge a finished run again and score it"),
    "trial": ("eval.commands.trial", "a judge against the grades that people gave"),
    "agreement": ("eval.commands.agreement", "how far people agree who labelled the same answers"),
    "annotate": ("eval.commands.annotate", "people's labels: projects, items, export, import, overlays"),
    "backup": ("eval.commands.backup", "copy all annotations to a folder"),
    "score": ("eval.commands.score", "score turns and verdicts in the public format"),
    "ablate": ("eval.commands.ablate", "what each part of the pipeline vitrine brings"),
    "calibrate": ("eval.commands.calibrate", "fit the estimate of risk to a judged run"),
    "plan": ("eval.commands.plan", "what a run of this size can show and costs"),
    "compare": ("eval.commands.compare", "compare two runs on their common turns"),
    "report": ("eval.commands.report", "one self-contained HTML page of a run"),
    "export": ("eval.commands.export", "a run in the public evaluator's files, and as CSV"),
    "curate": ("eval.commands.curate", "make rows of VLM-DeflectionBench's shape from a pool of questions"),
    "leaderboard": ("eval.commands.leaderboard", "own runs beside a benchmark's published systems"),
    "ladder": ("eval.commands.ladder", "answer failed turns again with gold handed in"),
    "crag-kg": ("eval.commands.crag_kg", "CRAG's mock knowledge graph: build it, serve it"),
    "retrieval": ("eval.commands.retrieval", "recall of the raw search on a world"),
}

if __name__ == "__main__":
    with ends_cleanly():  # SIGTERM keeps what is finished, in every command
        code = main("python -m eval", COMMANDS)
    if any(thread.name.startswith("turn-") for thread in threading.enumerate()):
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)  # a turn that was left to itself may hold threads that a normal end would wait for
    sys.exit(code)
