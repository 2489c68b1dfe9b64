"""What both command lines share: one module per command, imported only when asked for; one sentence for bad input.

A command module has a docstring (its help), `add_arguments(parser)` and `run(args) -> int`. JSON goes to standard
output, everything else to standard error; exit code 2 stands for input that cannot be used.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from assistant.core.errors import BadInput, VitrineError


class Parser(argparse.ArgumentParser):
    """An argument parser that answers a mistake with one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog}: {message} (--help shows the options)")


class ShownProgress:
    """Progress on standard error: one line, rewritten in a terminal; in a file a line for every tenth."""

    def __init__(self, title: str = "") -> None:
        self._title = f"{title}: " if title else ""
        self._shown = -1

    def __call__(self, share: float, what: str) -> None:
        if sys.stderr.isatty():
            end = "\n" if share >= 1 else ""
            print(f"\r{self._title}{share:4.0%} {what:<60.60}", end=end, file=sys.stderr, flush=True)
        elif int(share * 10) != self._shown:
            self._shown = int(share * 10)
            print(f"{self._title}{share:4.0%} {what}", file=sys.stderr, flush=True)


def main(program: str, commands: Mapping[str, tuple[str, str]], argv: Sequence[str] | None = None) -> int:
    """Run one of `commands` (name → module path, one-line help) and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help"):
        print(f"usage: {program} COMMAND ...\n")
        for command, (_, text) in commands.items():
            print(f"  {command:<10} {text}")
        return 0
    if name not in commands:
        print(f"there is no command {name!r}: choose one of {', '.join(commands)}", file=sys.stderr)
        return 2
    try:
        module = importlib.import_module(commands[name][0])
        parser = Parser(prog=f"{program} {name}", description=module.__doc__)
        module.add_arguments(parser)
        return int(module.run(parser.parse_args(arguments[1:])))
    except VitrineError as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0
