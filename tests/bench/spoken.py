"""Questions asked aloud: how many words are misheard, whether they are answered as when typed, how soon they are words.

    python -m tests.bench spoken --data WORLD --index DIR [--questions 40] [--voices en-us,en-gb,…] [--sounds DIR]

Each question of the world is typed and then said by each voice over the same frame, in a conversation of its own. A
voice is one of Piper that is installed, or one of espeak-ng. With `--sounds` each folder of DIR is a voice besides, and
its file 000.wav the first of the questions, which `--write FILE` lists, and so on. Answered as typed: the same
sentences, or none both times. The word error rate is the edit distance of lower-case words without punctuation over the
words that were said. Times want an idle machine; the first sound is that of the first sentence, by the default voice,
counted from the end of the recording, with the picture looked at from scratch.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.events import Finished, SentenceReady
from assistant.core.types import Conversation, Frame
from assistant.factory import open_index
from assistant.settings import Settings
from assistant.speech.hearing import Hearing
from assistant.speech.speaking import Speaker
from assistant.speech.wording import pieces
from eval.data.datasets import load

VOICES = "en-us,en-gb,en-gb-scotland,en-us+f3,en-gb+m7"


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench spoken")
    parser.add_argument("--data", required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--voices", default=VOICES)
    parser.add_argument("--sounds", type=Path, help="folders of recordings, a voice each")
    parser.add_argument("--write", type=Path, help="write the questions to this file as JSON, and end")
    args = parser.parse_args(argv)
    samples = load(args.data, split="all", set_="single").samples
    asked = [(s.turns[0].query, s.frame()) for s in samples[:: max(1, len(samples) // args.questions)]][
        : args.questions
    ]
    if args.write:
        args.write.write_text(json.dumps([question for question, _ in asked]), encoding="utf-8")
        return {"questions": len(asked)}
    assistant = open_index(args.index, Settings(args.index.parent), for_run=True)
    ears = Hearing.of(None, Path(tempfile.mkdtemp(prefix="vitrine-ears-")))
    ears._try_warm()

    speaker = Speaker()
    first: list[float] = []  # when the first sentence of the last answer was sound

    def answer(question: str, frame: Frame | None, *, aloud: bool = False) -> str:
        if frame is not None:
            assistant.forget(frame.digest)
        first.clear()
        for event in assistant.answer(Conversation("bench"), question, frame):
            if aloud and not first and isinstance(event, SentenceReady) and (said := pieces(event.sentence.text)):
                speaker.speak(said[0])
                first.append(time.perf_counter())
            if isinstance(event, Finished):
                if aloud and not first and (said := pieces(event.turn.answer.text)):
                    speaker.speak(said[0])
                    first.append(time.perf_counter())
                return event.turn.answer.text
        raise AssertionError("an answer never ended")

    known = list(assistant.knowledge.names)  # as the page hands them in
    typed = [answer(question, frame) for question, frame in asked]
    figures: dict[str, Any] = {}
    recorded = sorted(folder.name for folder in args.sounds.iterdir()) if args.sounds else []
    piper = {voice.name for voice in speaker.natural}

    def sound(voice: str, number: int, question: str) -> bytes:
        if voice in recorded:
            return (args.sounds / voice / f"{number:03d}.wav").read_bytes()
        if voice in piper:
            return speaker.speak(question, voice=voice)
        command = ["espeak-ng", "-v", voice, "--stdout", question]
        return subprocess.run(command, capture_output=True, check=True).stdout

    for voice in [*recorded, *filter(None, args.voices.split(","))]:
        edits = words = same = refused = otherwise = 0
        took: list[float] = []
        sounds: list[float] = []
        for number, ((question, frame), right) in enumerate(zip(asked, typed, strict=True)):
            recording = sound(voice, number, question)
            began = time.perf_counter()
            try:
                heard = ears.transcribe(recording, known=known).text
            except BadInput:
                heard = ""
            took.append(time.perf_counter() - began)
            said, got = plain(question), plain(heard)
            edits, words = edits + distance(said, got), words + len(said)
            spoken = answer(heard, frame, aloud=True) if heard else ""
            if first and spoken:
                sounds.append(first[0] - began)
            same += spoken == right
            refused += spoken != right and (not spoken or spoken.startswith("I don't know"))
            if spoken != right:
                print(f"{voice}: {question!r} heard as {heard!r}", flush=True)
            otherwise += spoken != right and bool(spoken) and not spoken.startswith("I don't know")
        figures[voice] = {
            "word_error_rate": round(edits / words, 3),
            "as_typed": round(same / len(asked), 3),
            "not_answered": refused,
            "answered_otherwise": otherwise,
            "transcript_s": {"median": round(statistics.median(took), 2), "most": round(max(took), 2)},
            "first_sound_s": {"median": round(statistics.median(sounds), 2), "most": round(max(sounds), 2)},
        }
        print(voice, figures[voice], flush=True)
    ears.end()
    speaker.end()
    return {"questions": len(asked), "voices": figures}


def plain(text: str) -> list[str]:
    return re.sub(r"[^\w\s']", " ", text.lower()).split()


def distance(said: list[str], got: list[str]) -> int:
    """The fewest words that are put in, left out or exchanged (Levenshtein 1966)."""
    row = list(range(len(got) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(got, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]
