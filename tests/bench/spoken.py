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
from collections.abc import Iterator
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
    desk = Desk(args.index)
    typed = [desk.answer(question, frame)[0] for question, frame in asked]
    figures: dict[str, Any] = {}
    recorded = sorted(folder.name for folder in args.sounds.iterdir()) if args.sounds else []
    for voice in [*recorded, *filter(None, args.voices.split(","))]:
        folder = args.sounds / voice if voice in recorded else None
        sounds = (desk.sound(voice, question, folder, number) for number, (question, _) in enumerate(asked))
        figures[voice] = measure(desk, voice, asked, typed, sounds)
        print(voice, figures[voice], flush=True)
    desk.end()
    return {"questions": len(asked), "voices": figures}


class Desk:
    """The assistant with its ears and its voice, as the page has them."""

    def __init__(self, index: Path):
        self._assistant = open_index(index, Settings(index.parent), for_run=True)
        self._known = list(self._assistant.knowledge.names)  # as the page hands them in
        self._ears = Hearing.of(None, Path(tempfile.mkdtemp(prefix="vitrine-ears-")))
        self._ears._try_warm()
        self._speaker = Speaker()
        self._piper = {voice.name for voice in self._speaker.natural}

    def answer(self, question: str, frame: Frame | None, *, aloud: bool = False) -> tuple[str, float | None]:
        """The answer, and with `aloud` when its first sentence was sound (`time.perf_counter`)."""
        if frame is not None:
            self._assistant.forget(frame.digest)
        first = None
        for event in self._assistant.answer(Conversation("bench"), question, frame):
            text = ""
            if isinstance(event, SentenceReady):
                text = event.sentence.text
            elif isinstance(event, Finished):
                text = event.turn.answer.text
            if aloud and first is None and (said := pieces(text)):
                self._speaker.speak(said[0])
                first = time.perf_counter()
            if isinstance(event, Finished):
                return text, first
        raise AssertionError("an answer never ended")

    def sound(self, voice: str, question: str, folder: Path | None, number: int) -> bytes:
        """The question said by a voice, or read from the folder of its recordings."""
        if folder is not None:
            return (folder / f"{number:03d}.wav").read_bytes()
        if voice in self._piper:
            return self._speaker.speak(question, voice=voice)
        command = ["espeak-ng", "-v", voice, "--stdout", question]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def hear(self, recording: bytes) -> str:
        """The words heard, empty where there were none."""
        try:
            return self._ears.transcribe(recording, known=self._known).text
        except BadInput:
            return ""

    def end(self) -> None:
        self._ears.end()
        self._speaker.end()


def measure(
    desk: Desk, voice: str, asked: list[tuple[str, Frame | None]], typed: list[str], recordings: Iterator[bytes]
) -> dict[str, Any]:
    """The figures of one voice, over questions asked, what they were answered when typed, and their recordings."""
    edits = words = same = refused = 0
    took: list[float] = []
    sounds: list[float] = []
    for (question, frame), right, recording in zip(asked, typed, recordings, strict=True):
        began = time.perf_counter()
        heard = desk.hear(recording)
        took.append(time.perf_counter() - began)
        said, got = plain(question), plain(heard)
        edits, words = edits + distance(said, got), words + len(said)
        spoken, first = desk.answer(heard, frame, aloud=True) if heard else ("", None)
        if first is not None:
            sounds.append(first - began)
        if spoken == right:
            same += 1
            continue
        refused += not spoken or spoken.startswith("I don't know")
        print(f"{voice}: {question!r} heard as {heard!r}", flush=True)
    return {
        "word_error_rate": round(edits / words, 3),
        "as_typed": round(same / len(asked), 3),
        "not_answered": refused,
        "answered_otherwise": len(asked) - same - refused,
        "transcript_s": {"median": round(statistics.median(took), 2), "most": round(max(took), 2)},
        "first_sound_s": {"median": round(statistics.median(sounds), 2), "most": round(max(sounds), 2)},
    }


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
