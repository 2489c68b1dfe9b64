"""Batches of a model on this machine: who asks at the same time is answered together, and as if alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadImage, Cancelled, EndpointBusy
from assistant.models.local.batching import BatchedModel
from assistant.models.local.model import LocalModel
from assistant.models.protocol import Prompt
from tests.assistant.models.tiny_models import make_smolvlm, picture

TEXTS = ["What is it?", "How much?", "Who made it, and where does it come from?", "Read it.", "Is it red?", "Which?"]


class Counting(LocalModel):
    """Keeps the sizes of its batches; waits at `gate` before each."""

    def __init__(self, path: Path):
        super().__init__(path, device="cpu", picture_px=64)
        self.sizes: list[int] = []
        self.gate = threading.Event()
        self.gate.set()

    def ask_many(self, prompts: Any, **how: Any) -> Any:
        self.gate.wait(20)
        self.sizes.append(len(prompts))
        return super().ask_many(prompts, **how)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_smolvlm(tmp_path_factory.mktemp("batching") / "tiny")


def asked(text: str, **how: Any) -> Prompt:
    return Prompt([{"role": "user", "content": text}], max_tokens=8, **how)


def said(model: Any, prompt: Prompt, **how: Any) -> Any:
    stream = model.ask(prompt, **how)
    assert "".join(stream) == stream.reply.text
    return stream.reply


def together(batched: BatchedModel, prompts: list[Prompt]) -> list[Any]:
    batched.model.gate.clear()  # all of them wait
    with ThreadPoolExecutor(len(prompts)) as pool:
        replies = [pool.submit(said, batched, prompt) for prompt in prompts]
        threading.Timer(0.5, batched.model.gate.set).start()
        return [reply.result() for reply in replies]


def test_what_waits_together_is_answered_together_and_as_alone(path: Path):
    model = Counting(path)
    prompts = [asked(text, first_token=True) for text in TEXTS]
    alone = [said(model, prompt) for prompt in prompts]
    found = together(BatchedModel(model), prompts)
    assert [reply.text for reply in found] == [reply.text for reply in alone]
    assert sum(model.sizes) == len(prompts)
    assert max(model.sizes) >= 4
    for one, other in zip(found, alone, strict=True):  # each its own probabilities
        likeliest = max(other.first_token, key=other.first_token.get)
        assert one.first_token[likeliest] == pytest.approx(other.first_token[likeliest], abs=0.02)


def test_only_what_is_alike_shares_a_batch_and_none_is_too_large(path: Path):
    model = Counting(path)
    pictured = [asked(text, images=[picture()]) for text in TEXTS[:2]]
    found = together(BatchedModel(model, at_once=2), [*pictured, *(asked(text) for text in TEXTS)])
    assert all(reply.text for reply in found)
    assert max(model.sizes) == 2


def test_a_prompt_that_cannot_be_asked_spoils_only_itself(path: Path):
    batched = BatchedModel(Counting(path))
    prompts = [asked(text, images=[picture()]) for text in TEXTS[:3]]
    prompts[1] = asked("?", images=[b"no picture"])
    batched.model.gate.clear()
    with ThreadPoolExecutor(3) as pool:
        replies = [pool.submit(said, batched, prompt) for prompt in prompts]
        threading.Timer(0.5, batched.model.gate.set).start()
        assert isinstance(replies[1].exception(), BadImage)
        assert replies[0].result().text
        assert replies[2].result().text


def test_who_stops_waiting_is_let_go_and_the_others_are_answered(path: Path):
    batched, stop = BatchedModel(Counting(path)), threading.Event()
    batched.model.gate.clear()
    with ThreadPoolExecutor(3) as pool:
        gone = pool.submit(said, batched, asked(TEXTS[0]), cancelled=stop)
        late = pool.submit(said, batched, asked(TEXTS[1]), within_s=0.3)
        stays = pool.submit(said, batched, asked(TEXTS[2]))
        stop.set()
        assert isinstance(gone.exception(), Cancelled)
        assert isinstance(busy := late.exception(), EndpointBusy)
        assert busy.timed_out
        batched.model.gate.set()
        assert stays.result().text


def test_replies_are_kept_and_found_again(path: Path, tmp_path: Path):
    from assistant.models.reply_cache import AnswerCache

    kept = AnswerCache(tmp_path / "replies")
    model = Counting(path)
    batched = BatchedModel(model)
    batched.model._replies = kept
    first, again = said(batched, asked(TEXTS[0])), said(batched, asked(TEXTS[0]))
    assert (first.cached, again.cached, again.text) == (False, True, first.text)
    assert model.sizes == [1]
