"""Runs against a server that takes 1 s an answer: how near the possible throughput, and how much time is our own.

200 conversations, half of them of one turn, the others of 2 to 8, each with a 960x1280 JPEG; the scripted chat server
answers after exactly the latency. Clients are warm: one call each was made before (it loads what `openai` loads late).
Three runs of the same rows:

- `ours`: `eval.runs.runner.generate`, at most `--limit` calls at once. Possible is the larger of (turns / limit) and
  the longest conversation, times the latency: no schedule can be faster.
- `public`: the schedule of the public evaluator and its agents for closed models: one turn each of up to 16
  conversations, four workers, and the next batch only when the slowest has answered.
- `own`: the runner alone, its agent a sleep of the same length: processor time a turn (picture decoded, answer cut,
  turn and trace stored), without HTTP and without retrieval, and how long a slot is empty between two calls.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import statistics
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from assistant.core.events import Event, Finished
from assistant.core.types import Answer, Conversation, Frame, Turn
from assistant.models.chat.request import ChatOptions
from eval.agents.protocol import Asked, Made, OneAtATime
from eval.data import datasets
from eval.data.samples import Sample
from eval.runs.answer_cut import answer_cut
from eval.runs.runner import Progress, generate
from eval.runs.store import RunFolder, read_turn_lines
from tests import scripted_chat
from tests.eval.agents.chat_agent import PlainChat

MIN_SHARE = 0.95
MAX_OWN_MS = 5.0


def write_rows(folder: Path, conversations: int, seed: int) -> Path:
    """Mixed conversations with pictures, as one JSONL file."""
    import numpy as np
    from PIL import Image

    chance = random.Random(seed)
    noise = np.random.default_rng(seed)
    rows = []
    for i in range(conversations):
        pixels = np.kron(noise.integers(0, 255, (32, 24, 3), np.uint8), np.ones((40, 40, 1), np.uint8))
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=85)
        (folder / f"{i}.jpg").write_bytes(file.getvalue())
        turns = 1 if chance.random() < 0.5 else chance.randint(2, 8)
        asked = [{"query": f"{i}/{j}: what is this part for?", "ground_truth": "nothing"} for j in range(turns)]
        rows.append({"image": f"{i}.jpg", "turns": asked})
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


class Quiet(Progress):
    """Says nothing."""

    def show(self, done: int, total: int, made: int, failed: int) -> None:
        return


def _warm(base_url: str) -> PlainChat:
    agent = PlainChat(ChatOptions(base_url=base_url, api_key=None, model="hash"))
    for _ in agent.answer(Conversation("warm"), "is anybody there?", None):
        pass
    return agent


def ours(samples: Sequence[Sample], base_url: str, out: Path, limit: int) -> float:
    """Seconds of a whole run of ours."""
    agent = _warm(base_url)
    with RunFolder.open(out, {"options": {}}, resume=False) as folder:
        begun = time.perf_counter()
        made = generate(samples, agent.answer, folder, concurrency=limit, cut=answer_cut().cut, progress=Quiet())
        seconds = time.perf_counter() - begun
    if made.failed or made.made != sum(len(sample.turns) for sample in samples):
        raise AssertionError(f"{made.failed} turns failed, {made.made} were made")
    return seconds


def public(samples: Sequence[Sample], base_url: str, batch: int = 16, workers: int = 4) -> float:
    """Seconds of the public schedule over the same rows, with the same client."""
    agent = OneAtATime(_warm(base_url).answer)
    stop = threading.Event()
    frames: dict[int, Frame | None] = {}
    said = {number: Conversation(sample.session_id) for number, sample in enumerate(samples)}
    queue = deque(range(len(samples)))
    begun = time.perf_counter()
    while queue:
        asked = []
        for number in [queue.popleft() for _ in range(min(batch, len(queue)))]:
            sample = samples[number]
            if number not in frames:
                frames[number] = sample.frame()
            asked.append((number, Asked(sample, sample.turns[len(said[number].turns)], said[number], frames[number])))
        with ThreadPoolExecutor(workers) as pool:
            outcomes = list(pool.map(lambda one: agent.answer([one[1]], stop)[0], asked))
        for (number, _), outcome in zip(asked, outcomes, strict=True):
            assert isinstance(outcome, Made)
            said[number] = said[number].with_turn(outcome.turn)
            if len(said[number].turns) < len(samples[number].turns):
                queue.appendleft(number)
            else:
                del frames[number]
    return time.perf_counter() - begun


class Sleeper:
    """An agent that only waits; notes when each thread's calls began and ended."""

    def __init__(self, latency_s: float):
        self._latency_s = latency_s
        self._last = threading.local()
        self.gaps_ms: list[float] = []

    def answer(
        self, conversation: Conversation, question: str, frame: Frame | None, *, given: Any = None
    ) -> Iterator[Event]:
        if (ended := getattr(self._last, "ended", None)) is not None:
            self.gaps_ms.append((time.perf_counter() - ended) * 1000)
        time.sleep(self._latency_s)
        text = f"answer {len(conversation.turns)} to {question} in a sentence of the usual length, as agents give them"
        turn = Turn(question, Answer(text, "answered"), frame.digest if frame else None)
        self._last.ended = time.perf_counter()
        yield Finished(turn)


def own(samples: Sequence[Sample], out: Path, limit: int, latency_s: float) -> dict[str, float]:
    """The runner's own time a turn at `limit` calls at once."""
    agent = Sleeper(latency_s)
    cut = answer_cut().cut
    with RunFolder.open(out, {"options": {}}, resume=False) as folder:
        begun = time.process_time()
        made = generate(samples, agent.answer, folder, concurrency=limit, cut=cut, progress=Quiet())
        spent_s = time.process_time() - begun
    return {
        "cpu_ms_per_turn": round(spent_s / made.made * 1000, 2),
        "gap_median_ms": round(statistics.median(agent.gaps_ms), 2),
    }


def measure(conversations: int, limit: int, latency_s: float, seed: int, *, with_public: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="runs-") as temporary:
        base = Path(temporary)
        samples = datasets.load(str(write_rows(base, conversations, seed))).samples
        turns = sum(len(sample.turns) for sample in samples)
        longest = max(len(sample.turns) for sample in samples)
        possible_s = max(turns / limit, longest) * latency_s
        with scripted_chat.start("--latency", str(latency_s)) as server:
            ours_s = ours(samples, server.base_url, base / "ours", limit)
            public_s = public(samples, server.base_url) if with_public else None
        stored = len(read_turn_lines(base / "ours"))
        figures = {
            "conversations": conversations,
            "turns": turns,
            "longest": longest,
            "stored": stored,
            "limit": limit,
            "latency_s": latency_s,
            "possible_s": round(possible_s, 2),
            "ours_s": round(ours_s, 2),
            "share_of_possible": round(possible_s / ours_s, 4),
            "own": own(samples, base / "own", limit, latency_s / 4),
        }
        if public_s is not None:
            figures |= {
                "public_s": round(public_s, 2),
                "public_share_of_possible": round(possible_s / public_s, 4),
                "times_faster_than_public": round(public_s / ours_s, 2),
            }
    return figures


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench runs")
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--limit", type=int, default=16)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-public", action="store_true", help="leave out the public schedule, which takes minutes")
    args = parser.parse_args(argv)
    found = measure(args.conversations, args.limit, args.latency, args.seed, with_public=not args.no_public)
    print(
        f"{found['conversations']} conversations of {found['turns']} turns, {args.limit} at once, {args.latency} s each"
    )
    print(f"{'possible':<10}{found['possible_s']:>9.1f} s")
    print(f"{'ours':<10}{found['ours_s']:>9.1f} s   {found['share_of_possible']:.1%} of the possible throughput")
    if "public_s" in found:
        print(f"{'public':<10}{found['public_s']:>9.1f} s   {found['public_share_of_possible']:.1%}")
        print(f"ours is {found['times_faster_than_public']} times as fast as the public schedule")
    own_time = found["own"]
    print(f"own time a turn: {own_time['cpu_ms_per_turn']} ms of processor, a slot is empty for a median of", end=" ")
    print(f"{own_time['gap_median_ms']} ms between two calls")
    print(f"budget: {MIN_SHARE:.0%} of the possible throughput, {MAX_OWN_MS} ms of own time, on two idle cores")
    return found
