"""Seeing once more: a frame whose raised contrast shows nothing is looked at as it was taken."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from assistant.core.events import StageFinished
from assistant.core.types import Candidate, Frame, TextLine
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


class Gate:
    """A text reader that waits to be let go on."""

    def __init__(self) -> None:
        self.begun, self.go_on, self.read_frames = threading.Event(), threading.Event(), []

    def read(self, shown: Frame) -> tuple:
        self.read_frames.append(shown.digest)
        self.begun.set()
        assert self.go_on.wait(10.0)
        return ()


def run_to_its_end(events):
    notes = []
    while True:
        try:
            if isinstance(event := next(events), StageFinished):
                notes.append(event.note)
        except StopIteration as stop:
            return stop.value, notes


def test_a_question_waits_for_what_was_begun_when_the_picture_came():
    reader, shown = Gate(), frame(140)
    recogniser = ByPixels({shown.digest})
    stage = LookStage(recogniser, reader, time.perf_counter)  # type: ignore[arg-type]
    stage.look_ahead(shown)
    assert reader.begun.wait(5.0)
    threading.Timer(0.2, reader.go_on.set).start()
    seen, notes = run_to_its_end(stage.see(shown))
    assert [candidate.name for candidate in seen.candidates] == ["lamp"]
    assert notes == ["begun before"] * 2
    assert len(reader.read_frames) == len(recogniser.proposed) == 1
    assert run_to_its_end(stage.see(shown))[1] == ["seen before"] * 2


def test_of_pictures_that_wait_only_the_newest_is_looked_at():
    reader, frames = Gate(), [frame(brightness) for brightness in (120, 130, 140, 150)]
    stage = LookStage(None, reader, time.perf_counter)  # type: ignore[arg-type]
    stage.look_ahead(frames[0])
    assert reader.begun.wait(5.0)
    for later in frames[1:]:
        stage.look_ahead(later)
    reader.go_on.set()
    run_to_its_end(stage.see(frames[3]))
    stage._ahead.shutdown()
    assert reader.read_frames == [frames[0].digest, frames[3].digest]


def test_what_is_forgotten_while_it_is_looked_at_is_not_kept():
    reader, shown, waiting = Gate(), frame(140), frame(120)
    stage = LookStage(None, reader, time.perf_counter)  # type: ignore[arg-type]
    stage.look_ahead(shown)
    assert reader.begun.wait(5.0)
    stage.look_ahead(waiting)
    stage.forget(shown.digest)
    stage.forget(waiting.digest)
    reader.go_on.set()
    stage._ahead.shutdown()
    assert not stage._seen
    assert not stage._running
    assert reader.read_frames == [shown.digest]


def test_a_look_ahead_that_fails_is_met_again_by_the_question():
    class Broken:
        def read(self, _: Frame) -> tuple:
            raise RuntimeError("no models")

    stage, shown = LookStage(None, Broken(), time.perf_counter), frame(140)  # type: ignore[arg-type]
    stage.look_ahead(shown)
    with pytest.raises(RuntimeError):
        run_to_its_end(stage.see(shown))
    stage._ahead.shutdown()
    assert not stage._running


class Failing(Gate):
    """Reads nothing the first time, and all is well from then on."""

    def read(self, shown: Frame) -> tuple:
        super().read(shown)
        if len(self.read_frames) == 1:
            raise RuntimeError("no memory")
        return (TextLine("ROAD CLOSED", 0.99, OUTLINE),)


@pytest.mark.parametrize(("reader", "read"), [(Failing(), ["ROAD CLOSED"]), (Gate(), [])])
def test_a_glance_takes_the_text_of_what_was_begun_and_reads_it_where_that_failed(reader: Gate, read: list[str]):
    shown = frame(140)
    stage = LookStage(None, reader, time.perf_counter)  # type: ignore[arg-type]
    stage.look_ahead(shown)
    assert reader.begun.wait(5.0)
    lines, _ = run_to_its_end(stage.glance(shown))
    reader.go_on.set()
    assert lines() == lines() == read
    assert len(reader.read_frames) == (2 if read else 1)


def test_a_part_is_forgotten_with_its_frame_while_it_is_looked_at():
    reader, whole, part = Gate(), frame(140), frame(120)
    stage = LookStage(None, reader, time.perf_counter)  # type: ignore[arg-type]
    looking = threading.Thread(target=run_to_its_end, args=(stage.see(part, part_of=whole.digest),))
    looking.start()
    assert reader.begun.wait(5.0)
    stage.forget(whole.digest)
    reader.go_on.set()
    looking.join(5.0)
    assert not stage._seen
