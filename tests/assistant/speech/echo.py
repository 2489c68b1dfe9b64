"""A process to test with: answers, prints, hangs and dies as it is told."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from assistant.core.errors import BadInput
from assistant.speech.process import Message, Progress, serve


def answer(request: dict[str, Any], body: bytes, progress: Progress) -> Message:
    match request["do"]:
        case "exit":
            os._exit(7)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(60)
        case "print":
            print("a library says something", flush=True)
        case "refuse":
            raise BadInput("no such thing")
        case "crash":
            raise ZeroDivisionError("integer division or modulo by zero")
    progress(0.5, "half way")
    return request, body


if __name__ == "__main__":
    serve(answer)
