"""One generation on this machine: prompt to tensors, tokens to pieces of text, ended at the next token when unwanted.

Runs in the calling thread, which holds the model for itself meanwhile.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.core.errors import BadInput, ModelFailed, PromptTooLong, VitrineError
from assistant.models.local.loading import Loaded, is_out_of_memory
from assistant.models.local.rendering import tensors_of
from assistant.models.protocol import ModelReply, Prompt

#: Where a prompt gives no limit: a page of text.
MOST_TOKENS = 512
#: A prompt that leaves the reply less room than this is too long: what would be cut off there helps nobody.
LEAST_REPLY_TOKENS = 48
#: How many of the likeliest first tokens are given.
FIRST_TOKENS = 10


@dataclass
class Timing:
    """Seconds from the beginning of the generation; None until there was such a token."""

    begun: float = field(default_factory=time.monotonic)
    first_token_s: float | None = None
    last_token_s: float | None = None
    tokens: int = 0

    def token(self) -> None:
        self.last_token_s = time.monotonic() - self.begun
        self.first_token_s = self.last_token_s if self.first_token_s is None else self.first_token_s
        self.tokens += 1


class Pieces:
    """What `generate` calls with each token (a streamer): passes on what of the text is certain.

    Text is certain once no later token can change it: a character may take several tokens, and shows as U+FFFD
    until its last one.
    """

    def __init__(self, tokenizer: Any, give: Callable[[str], None], timing: Timing) -> None:
        self._tokenizer, self._give, self._timing = tokenizer, give, timing
        self._ids: list[int] = []
        self._saw_prompt = False
        self.text = ""

    def put(self, tokens: Any) -> None:
        if not self._saw_prompt:  # the first call hands over the prompt
            self._saw_prompt = True
            return
        self._ids += tokens.reshape(-1).tolist()
        self._timing.token()
        self._pass_on(decoded(self._tokenizer, self._ids).rstrip("\ufffd"))

    def end(self) -> None:
        self._pass_on(decoded(self._tokenizer, self._ids))

    def _pass_on(self, text: str) -> None:
        if len(text) > len(self.text) and text.startswith(self.text):
            piece, self.text = text[len(self.text) :], text
            self._give(piece)


class Unwanted:
    """A stopping criterion: every sequence ends as soon as the event is set."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        return torch.full((input_ids.shape[0],), self._stop.is_set(), device=input_ids.device, dtype=torch.bool)


class FirstToken:
    """A logits processor that changes nothing and keeps the probabilities of the first token of each reply."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.found: list[dict[str, float]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        if not self.found:
            likely = scores.float().softmax(-1).topk(min(FIRST_TOKENS, scores.shape[-1]), dim=-1)
            self.found = [self._row(*row) for row in zip(likely.values.tolist(), likely.indices.tolist(), strict=True)]
        return scores

    def _row(self, chances: list[float], tokens: list[int]) -> dict[str, float]:
        found: dict[str, float] = {}
        for chance, token in zip(chances, tokens, strict=True):
            if math.isfinite(chance):  # different tokens may be the same text
                word = self._tokenizer.decode([token])
                found[word] = min(1.0, found.get(word, 0.0) + chance)
        return found


def generate(
    loaded: Loaded,
    prompts: Sequence[Prompt],
    picture_px: int,
    stop: threading.Event,
    *,
    give: Callable[[str], None] | None = None,
    timing: Timing | None = None,
    at_least: int = 0,
) -> list[ModelReply]:
    """The replies to prompts with the same sampling, all in one batch.

    Args:
        loaded: the model, which nobody else uses meanwhile.
        prompts: equal in all but messages and pictures.
        picture_px: longest side of a picture.
        stop: once set, the generation ends at its next token.
        give: told the pieces of the text, for one prompt alone.
        timing: told of each token, for one prompt alone.
        at_least: so many tokens whatever the model says, for measuring.

    Raises:
        BadInput, BadImage: prompts that the model cannot be asked.
        PromptTooLong: one of them leaves no room for a reply.
        ModelFailed: out of memory, or a fault of the model's own.
    """
    try:
        inputs = tensors_of(loaded, prompts, picture_px)
        return _generated(loaded, prompts, inputs, stop, give, timing, at_least)
    except VitrineError:
        raise
    except Exception as problem:  # whatever a model's own code raises, of which every family has its own
        raise explained(problem, loaded) from None


def explained(problem: Exception, loaded: Loaded) -> ModelFailed:
    """One sentence for a generation that failed."""
    import torch

    where = str(loaded.model.device)
    if is_out_of_memory(problem):
        if where.startswith("cuda"):
            torch.cuda.empty_cache()
        return ModelFailed(
            f"the model {loaded.name!r} ran out of memory on {where}: show a smaller picture, ask with less before it, "
            "or choose a smaller model (`python -m assistant model list`)"
        )
    words = " ".join(str(problem).split())[:160]
    return ModelFailed(f"the model {loaded.name!r} failed while it answered ({type(problem).__name__}: {words})")


def _generated(
    loaded: Loaded,
    prompts: Sequence[Prompt],
    inputs: dict[str, Any],
    stop: threading.Event,
    give: Callable[[str], None] | None,
    timing: Timing | None,
    at_least: int,
) -> list[ModelReply]:
    import torch
    from transformers import LogitsProcessorList, StoppingCriteriaList

    tokenizer, prompt = loaded.tokenizer, prompts[0]
    asked = inputs["attention_mask"].sum(-1).tolist()
    width = inputs["input_ids"].shape[1]
    ends = end_tokens(loaded)
    pieces = Pieces(tokenizer, give, timing or Timing()) if give is not None else None
    first = FirstToken(tokenizer) if prompt.first_token else None
    how = _sampling(loaded, prompt) | {
        "max_new_tokens": _room(loaded, prompt, max(asked)),
        "eos_token_id": ends or None,
        "pad_token_id": tokenizer.pad_token_id,
        "stopping_criteria": StoppingCriteriaList([Unwanted(stop)]),  # type: ignore[list-item]
        "logits_processor": LogitsProcessorList([first] if first is not None else []),  # type: ignore[list-item]
        "streamer": pieces,
    }
    if at_least:
        how |= {"min_new_tokens": at_least}
    with _seeded(prompt, loaded.model.device), torch.inference_mode():
        rows = loaded.model.generate(**inputs, **how)[:, width:].tolist()
    replies = []
    for place, (row, prompt_tokens) in enumerate(zip(rows, asked, strict=True)):
        end = next((at for at, token in enumerate(row) if token in ends), None)
        said = row if end is None else row[: end + 1]
        text = pieces.text if pieces is not None else decoded(tokenizer, said)
        reason = "length" if end is None else "stop"
        found = first.found[place] if first is not None and first.found else {}
        replies.append(ModelReply(text, loaded.name, prompt_tokens, len(said), reason, first_token=found))
    return replies


def decoded(tokenizer: Any, ids: Sequence[int]) -> str:
    return str(tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False))


def end_tokens(loaded: Loaded) -> list[int]:
    """What ends a reply, by the checkpoint's settings or by its tokenizer's."""
    named = loaded.model.generation_config.eos_token_id
    found = set(named if isinstance(named, list | tuple) else [named]) | {loaded.tokenizer.eos_token_id}
    return sorted(token for token in found if token is not None)


def _room(loaded: Loaded, prompt: Prompt, asked: int) -> int:
    """How many tokens the reply may have."""
    most = MOST_TOKENS if prompt.max_tokens is None else prompt.max_tokens
    if most < 1:
        raise BadInput(f"a reply of {most!r} tokens is none: ask for at least 1")
    if loaded.context is None:
        return most
    left = loaded.context - asked
    if (needed := min(most, LEAST_REPLY_TOKENS)) > left:
        raise PromptTooLong(
            f"question, evidence and picture take {asked} tokens, too many for the {loaded.context} that the model "
            f"{loaded.name!r} can hold together with its answer: ask with less before the question or with a smaller "
            "picture",
            needed - left,
        )
    return min(most, left)


def _sampling(loaded: Loaded, prompt: Prompt) -> dict[str, Any]:
    """Temperature 0 takes the likeliest token; None leaves it to the checkpoint's own settings."""
    if prompt.temperature is None:
        return {}
    if prompt.temperature < 0:
        raise BadInput(f"a temperature is 0 or above, not {prompt.temperature!r}")
    if prompt.temperature == 0:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {"do_sample": True, "temperature": float(prompt.temperature)}


def _seeded(prompt: Prompt, device: Any) -> Any:
    """Inside the block chance begins with the prompt's seed; outside everything is as it was."""
    import contextlib

    import torch

    if prompt.seed is None:
        return contextlib.nullcontext()
    stack = contextlib.ExitStack()
    stack.enter_context(torch.random.fork_rng(devices=[device] if device.type == "cuda" else []))
    torch.manual_seed(prompt.seed)
    return stack
