"""`python -m eval COMMAND`: make benchmarks, run agents on them, score the runs."""

import sys

from assistant.command_line import main

COMMANDS = {
    "world": ("eval.commands.world", "generate a benchmark world"),
    "recognise": ("eval.commands.recognise", "how often the right entity is found"),
    "run": ("eval.commands.run", "run an agent over a benchmark and score it"),
    "score": ("eval.commands.score", "score turns and verdicts in the public format"),
    "encoder": ("eval.commands.encoder", "make the shipped image encoder again"),
}

if __name__ == "__main__":
    sys.exit(main("python -m eval", COMMANDS))
