"""A short list of vision-language models that answer on an ordinary machine, and which of them this one can hold.

Sizes are approximate. The speeds were measured with random weights in the published shapes, on one core of a server
processor with AVX512-BF16 (transformers 5.24, torch 2.14, 80 tokens of text and one picture); they are a yardstick for
estimates, and `python -m assistant model test NAME` measures here.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.models.local.machine import Machine

#: Beside the weights: the picture's activations, the cache of a few thousand tokens, the libraries.
BESIDE_WEIGHTS_BYTES = 800_000_000
#: What an answer on the page takes: two sentences.
ANSWER_TOKENS = 60
#: In float32 a prompt took so many times the time of bfloat16 (2.3 to 2.9), and a token moves twice the bytes.
FLOAT32_PROMPT, FLOAT32_TOKEN = 2.6, 2.0
#: A model whose answer takes longer is not chosen unless it is named.
PATIENCE_S = 60.0
#: Whoever chooses a model whose answers take longer is told that it is slow.
SLOW_S = 20.0
#: Of a model that is not listed only the number of weights is known. Of those listed, the first token took a second and
#: so much for each weight, and each later one as long as reading the weights at so many bytes a second.
FIRST_TOKEN_S, FIRST_TOKEN_S_PER_WEIGHT, BYTES_PER_S = 1.0, 1.1e-9, 13e9


@dataclass(frozen=True)
class Curated:
    """One model of the list.

    Attributes:
        name: what `--model` takes.
        hub_id: where it is fetched from.
        fetch_bytes: about how much is fetched.
        weights: how many numbers it has; memory follows from it.
        licence: of the weights.
        good_for: when to choose it.
        picture_px: longest side of the pictures that it is shown.
        first_token_s, tokens_per_s: see the module.
    """

    name: str
    hub_id: str
    fetch_bytes: int
    weights: int
    licence: str
    good_for: str
    picture_px: int
    first_token_s: float
    tokens_per_s: float

    def memory_bytes(self, bytes_per_weight: int) -> int:
        """What it takes to run, about."""
        return self.weights * bytes_per_weight + BESIDE_WEIGHTS_BYTES


@dataclass(frozen=True)
class Fit:
    """Whether a machine can hold a model; `answer_s` is an estimate, None with a GPU, for which none was measured."""

    fits: bool
    answer_s: float | None
    words: str

    @property
    def slow(self) -> bool:
        return self.answer_s is not None and self.answer_s > SLOW_S


#: The most capable first.
CURATED: tuple[Curated, ...] = (
    Curated(
        "qwen3.5-2b", "Qwen/Qwen3.5-2B", 4_600_000_000, 2_270_000_000, "Apache-2.0",
        "the best answers of the list; a recent laptop or any GPU with 8 GB", 448, 3.5, 3.6,
    ),
    Curated(
        "qwen3-vl-2b", "Qwen/Qwen3-VL-2B-Instruct", 4_300_000_000, 2_130_000_000, "Apache-2.0",
        "as large as qwen3.5-2b, a generation older, never thinks aloud", 448, 3.5, 3.6,
    ),
    Curated(
        "qwen3.5-0.8b", "Qwen/Qwen3.5-0.8B", 1_800_000_000, 870_000_000, "Apache-2.0",
        "a laptop on which qwen3.5-2b is too slow", 448, 1.65, 6.4,
    ),
    Curated(
        "lfm2.5-vl-450m", "LiquidAI/LFM2.5-VL-450M", 900_000_000, 450_000_000, "LFM Open License 1.0 (not Apache)",
        "reads text on pictures at little cost", 512, 1.7, 17.0,
    ),
    Curated(
        "smolvlm2-500m", "HuggingFaceTB/SmolVLM2-500M-Video-Instruct", 2_030_000_000, 507_000_000, "Apache-2.0",
        "quick answers without a GPU", 512, 1.5, 14.0,
    ),
    Curated(
        "smolvlm2-256m", "HuggingFaceTB/SmolVLM2-256M-Video-Instruct", 1_030_000_000, 256_000_000, "Apache-2.0",
        "the smallest: any machine, simple answers", 512, 1.2, 26.0,
    ),
)  # fmt: skip


def known_as(name: str) -> Curated | None:
    """The model of the list with that name or hub id, in any case."""
    wanted = name.strip().lower()
    return next((one for one in CURATED if wanted in (one.name, one.hub_id.lower())), None)


def fits(one: Curated, machine: Machine) -> Fit:
    """Whether `machine` can hold a model, and about how long an answer of two sentences would take there."""
    return _fit(one.memory_bytes(machine.bytes_per_weight), estimated_answer_s(one, bf16=machine.cpu_bf16), machine)


def fits_unlisted(weights: int, machine: Machine) -> Fit:
    """As `fits`, for a model of which only the number of its weights is known."""
    need = weights * machine.bytes_per_weight + BESIDE_WEIGHTS_BYTES
    first, each = FIRST_TOKEN_S + FIRST_TOKEN_S_PER_WEIGHT * weights, 2 * weights / BYTES_PER_S
    return _fit(need, _answer_s(first, each, bf16=machine.cpu_bf16), machine)


def _fit(need: int, answer_s: float, machine: Machine) -> Fit:
    room = machine.room
    where = "GPU memory" if machine.gpu == "cuda" else "memory"
    if room is not None and need > room:
        return Fit(False, None, f"needs about {need / 1e9:.1f} GB of {where}, {room / 1e9:.1f} GB are there")
    takes = f"about {need / 1e9:.1f} GB of {where}"
    if machine.gpu:
        return Fit(True, None, f"fits: {takes}; it runs on the GPU")
    return Fit(True, answer_s, f"fits: {takes}; an answer takes very roughly {answer_s:.0f} s without a GPU")


def estimated_answer_s(one: Curated, *, bf16: bool) -> float:
    """Seconds to a whole answer on one core; more cores are quicker, by less than their number."""
    return _answer_s(one.first_token_s, 1 / one.tokens_per_s, bf16=bf16)


def _answer_s(first: float, each: float, *, bf16: bool) -> float:
    if not bf16:
        first, each = first * FLOAT32_PROMPT, each * FLOAT32_TOKEN
    return first + ANSWER_TOKENS * each


def best_of(here: list[Curated], machine: Machine) -> Curated | None:
    """The most capable that fits and answers within `PATIENCE_S`; else the quickest that fits."""
    fitting = [(one, fit) for one in sorted(here, key=CURATED.index) if (fit := fits(one, machine)).fits]
    patient = [one for one, fit in fitting if fit.answer_s is None or fit.answer_s <= PATIENCE_S]
    if patient:
        return patient[0]
    return min(fitting, key=lambda pair: pair[1].answer_s or 0.0)[0] if fitting else None
