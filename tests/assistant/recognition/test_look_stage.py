"""Seeing once more: a frame whose raised contrast shows nothing is looked at as it was taken."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

from assistant.core.types import Candidate, Frame
from assistant.recognition.look_stage import LookStage

OUTLINE = ((1.0, 1.0), (50.0, 1.0), (50.0, 50.0), (1.0, 50.0))


def frame(brightness: int) -> Frame:
    rng = np.random.default_rng(brightness)
    pixels = rng.normal(brightness, brightness / 5, (120, 90, 3))
    return Frame(np.clip(pixels, 0, 255).astype(np.uint8))


class ByPixels:
    """Stands for a recogniser: it knows the frames whose digests it was given, and keeps what it was shown."""

    def __init__(self, known: set[str]) -> None:
        self.known, self.proposed, self.knows = known, [], 0

    def propose(self, shown: Frame) -> str:
        self.proposed.append(shown.digest)
        return shown.digest

    def decide(self, shown: Frame, proposal: str, texts, codes) -> tuple[Candidate, ...]:
        assert proposal == shown.digest
        return (Candidate("lamp", 0.9, OUTLINE, {}, 0, ""),) if proposal in self.known else ()

    def guess(self, shown: Frame, proposal: str, texts) -> tuple[Candidate, ...]:
        return (Candidate("guess", 0.1, OUTLINE, {}, 1, ""),)


def seen_by(recogniser: ByPixels, shown: Frame, **how):
    reader = SimpleNamespace(read=lambda _: ())
    events = LookStage(recogniser, reader, time.perf_counter).see(shown, **how)  # type: ignore[arg-type]
    while True:
        try:
            next(events)
        except StopIteration as stop:
            return stop.value


def test_a_dark_frame_whose_raised_contrast_gives_nothing_is_seen_as_taken():
    dark = frame(30)
    recogniser = ByPixels({dark.digest})
    seen = seen_by(recogniser, dark)
    assert seen.look.corrections
    assert [candidate.name for candidate in seen.candidates] == ["lamp"]
    assert recogniser.proposed == [seen.look.corrected.digest, dark.digest]


@pytest.mark.parametrize("brightness", [30, 140])
def test_what_is_found_at_once_is_not_looked_for_again(brightness: int):
    shown = frame(brightness)
    corrected = seen_by(ByPixels(set()), shown).look.corrected
    recogniser = ByPixels({corrected.digest})
    assert seen_by(recogniser, shown).candidates
    assert len(recogniser.proposed) == 1


def test_a_frame_that_needed_no_correction_is_seen_once_and_nobody_guesses_unasked():
    recogniser = ByPixels(set())
    assert seen_by(recogniser, frame(140)).candidates == ()
    assert len(recogniser.proposed) == 1
    assert seen_by(recogniser, frame(140), guess=True).candidates[0].name == "guess"
