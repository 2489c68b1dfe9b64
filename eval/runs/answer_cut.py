"""Answers cut at 75 tokens, as the public evaluator cuts them: before they are scored and before they become history.

The evaluator encodes every reply with Llama's tokenizer (meta-llama/Llama-3.2-1B-Instruct, truncation at 75 with the
begin-of-text token counted) and decodes what is left. That tokenizer is gated, so it is used only when it lies in
the Hugging Face cache on this disk; nothing is ever asked for over the network. Without it MiniLM's word pieces
stand in: 75 of them, cut in the answer's own text, as decoding would lower-case it. They are shorter than Llama's
tokens, so that this cut comes a little earlier. `name` says which one was used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 75

#: Llama 3's tokenizer is the same in all of these; the public evaluator names the first.
LLAMA_REPOS = (
    "meta-llama/Llama-3.2-1B-Instruct",
    "meta-llama/Llama-3.2-3B-Instruct",
    "meta-llama/Llama-3.2-11B-Vision-Instruct",
    "meta-llama/Llama-3.1-8B-Instruct",
)
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True)
class AnswerCut:
    """`cut(text)` is the text or its beginning; `name` is the tokenizer's."""

    name: str
    cut: Callable[[str], str]


def answer_cut(cache: Path | None = None) -> AnswerCut:
    """The cut with the best tokenizer on this disk.

    Args:
        cache: the Hugging Face cache to look into; None for the usual place.

    Raises:
        NotReady: not even MiniLM's tokenizer is installed.
    """
    from tokenizers import Tokenizer

    for repo in LLAMA_REPOS:
        if (path := _cached(repo, cache)) is not None:
            return AnswerCut(repo, llama_cut(Tokenizer.from_file(str(path))))
    from assistant.text.encoder import text_encoder

    return AnswerCut(MINILM, minilm_cut(Tokenizer.from_file(str(text_encoder().folder() / "tokenizer.json"))))


def llama_cut(tokenizer: Tokenizer) -> Callable[[str], str]:
    """Exactly the public evaluator's cut: special tokens count, decoding drops them."""
    tokenizer.enable_truncation(max_length=MAX_TOKENS)

    def cut(text: str) -> str:
        encoding = tokenizer.encode(text)
        return tokenizer.decode(encoding.ids) if encoding.overflowing else text

    return cut


def minilm_cut(tokenizer: Tokenizer) -> Callable[[str], str]:
    """The text up to the end of its 75th word piece."""
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def cut(text: str) -> str:
        offsets = tokenizer.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= MAX_TOKENS else text[: offsets[MAX_TOKENS - 1][1]]

    return cut


def _cached(repo: str, cache: Path | None) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(repo, "tokenizer.json", cache_dir=cache)
    return Path(found) if isinstance(found, str) else None
