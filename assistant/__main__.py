"""`python -m assistant COMMAND`: the assistant without its page."""

import sys

from assistant.commands.command_line import main

COMMANDS = {
    "ask": ("assistant.commands.ask", "answer one question about one picture"),
    "search": ("assistant.commands.search", "raw vector search by picture or by text"),
    "teach": ("assistant.commands.teach", "teach an object from a picture; list and forget what was taught"),
    "model": ("assistant.commands.model", "models that answer on this machine: list, fetch, remove, try"),
    "index": ("assistant.commands.index", "build or check an index"),
    "doctor": ("assistant.commands.doctor", "what is ready, and the one thing to do for a better one"),
}

if __name__ == "__main__":
    sys.exit(main("python -m assistant", COMMANDS))
