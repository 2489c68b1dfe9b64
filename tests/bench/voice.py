"""How soon an answer is heard and a question is read: the real speech engine in its real process.

A spoken question is transcribed by the model that is found (`assistant.speech.whisper_models`), and the time is told.
"""

from __future__ import annotations

import io
import os
import signal
import statistics
import threading
import time
import wave
from typing import Any

FIRST_BUDGET_MS = 300.0
NEXT_BUDGET_MS = 100.0
SENTENCES = (
    "Halden Oat Biscuits cost 3.40 euros.",
    "They are baked by Halden Mills, which was founded in 1921 in a harbour town in the north.",
    "I don't know: the tin is recognised, but nothing was found about its price.",
    "Yes.",
)
ROUNDS = 25
VISITORS = 8


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.speech.speaking import Speaker

    speaker = Speaker()
    if speaker.missing:
        print(speaker.missing)
        return {"missing": speaker.missing}
    first = _took(lambda: speaker.speak(SENTENCES[0]))
    one = [_took(lambda s=s: speaker.speak(s)) for _ in range(ROUNDS) for s in SENTENCES]
    pid = speaker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    again = _took(lambda: speaker.speak(SENTENCES[0]))
    together = _together(speaker)
    speaker.end()
    figures = {
        "first_sentence_ms": round(first, 1),
        "sentence_ms": {"median": round(statistics.median(one), 1), "p95": round(_p95(one), 1), "n": len(one)},
        "after_a_dead_process_ms": round(again, 1),
        "eight_visitors_sentence_ms": {
            "median": round(statistics.median(together), 1),
            "p95": round(_p95(together), 1),
        },
        "hearing": _hearing(speaker),
        "budgets_ms": {"first_sentence": FIRST_BUDGET_MS, "sentence_p95": NEXT_BUDGET_MS},
    }
    print(f"first sentence, process started: {first:.0f} ms (budget {FIRST_BUDGET_MS:.0f})")
    print(f"a sentence: median {statistics.median(one):.0f} ms, p95 {_p95(one):.0f} ms (budget {NEXT_BUDGET_MS:.0f})")
    print(f"after a dead process: {again:.0f} ms")
    print(f"eight visitors at once: median {statistics.median(together):.0f} ms, p95 {_p95(together):.0f} ms")
    print(f"hearing: {figures['hearing']}")
    return figures


def _took(do: Any) -> float:
    began = time.perf_counter()
    do()
    return (time.perf_counter() - began) * 1000


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _together(speaker: Any) -> list[float]:
    """Each visitor has an answer of three sentences read, all beginning at the same moment."""
    took: list[float] = []

    def listen(owner: str) -> None:
        for sentence in SENTENCES[:3]:
            took.append(_took(lambda s=sentence: speaker.speak(s, owner=owner)))

    threads = [threading.Thread(target=listen, args=(str(n),)) for n in range(VISITORS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _hearing(speaker: Any) -> dict[str, Any]:
    from assistant.settings import read_settings
    from assistant.speech.hearing import Hearing

    settings = read_settings()
    ears = Hearing.of(settings.whisper_model, settings.data_dir)
    if ears.missing:
        return {"missing": ears.missing}
    question = speaker.speak("What is the price of this tin of biscuits?")
    with wave.open(io.BytesIO(question)) as said:
        seconds = said.getnframes() / said.getframerate()
    loading = _took(ears._try_warm)
    took = [_took(lambda: ears.transcribe(question)) for _ in range(5)]
    text = ears.transcribe(question).text
    ears.end()
    return {
        "model": ears.model.name,
        "loading_ms": round(loading),
        "question_s": round(seconds, 2),
        "transcribed_ms": round(statistics.median(took)),
        "text": text,
    }
