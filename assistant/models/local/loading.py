"""Brings a checkpoint from a folder into memory: which device, which number format, what is wrong with it.

Files of this machine alone are read (`local_files_only`, per call). Weights are taken from safetensors or GGUF, never
from pickles, and no code that comes with a checkpoint is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.models.local.machine import cpu_has_bf16, main_memory
from assistant.models.protocol import Loading
from assistant.models.thinking import part

log = logging.getLogger(__name__)

#: Read whole for a model's identity.
_TEXTS = ("config.json", "generation_config.json", "tokenizer_config.json", "chat_template.jinja", "chat_template.json",
          "processor_config.json", "preprocessor_config.json")  # fmt: skip
#: Of every weight file, so much of its beginning and of its end.
_PROBE_BYTES = 1 << 20
_BYTES_OF = {"float32": 4, "float16": 2, "bfloat16": 2, "float64": 8}
_LIST = "`python -m assistant model list` shows others"


@dataclass(frozen=True)
class Loaded:
    """A model in memory.

    Attributes:
        model, tokenizer: of transformers.
        processor: what prepares pictures and text together; None for a model that only reads.
        name: as people call it, for messages.
        context: how many tokens prompt and reply may have together; None where the checkpoint does not say.
        opens_thinking: the prompt's own last words open thinking, so that the reply begins inside it.
    """

    model: Any
    tokenizer: Any
    processor: Any | None
    name: str
    context: int | None
    opens_thinking: bool

    @property
    def speaker(self) -> Any:
        """Whose `apply_chat_template` makes prompts."""
        return self.processor or self.tokenizer


def is_gguf(path: Path) -> bool:
    return path.suffix.lower() == ".gguf"


def read_config(path: Path) -> Mapping[str, Any]:
    """The checkpoint's config.json; empty for GGUF, which carries its own.

    Raises:
        NotReady: it is not there or no JSON object.
    """
    if is_gguf(path):
        if not path.is_file():
            raise NotReady(f"there is no file {str(path)!r}: {_LIST}")
        return {}
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except OSError:
        raise NotReady(f"{str(path)!r} holds no model (no config.json): {_LIST}") from None
    except ValueError:
        config = None
    if not isinstance(config, dict) or not isinstance(config.get("model_type"), str):
        raise NotReady(f"the config.json in {str(path)!r} describes no model: fetch it anew")
    return config


def takes_pictures(path: Path) -> bool:
    """Whether transformers knows the checkpoint as a model of pictures and text; the weights are not read."""
    if is_gguf(path):
        return False
    from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES

    return read_config(path)["model_type"] in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES


def identity(path: Path) -> str:
    """SHA-256 of what makes the checkpoint this one: its settings, and name, size, head and tail of its weights."""
    found = hashlib.sha256()
    files = [path] if is_gguf(path) else [path / name for name in _TEXTS] + sorted(path.glob("*.safetensors"))
    for file in files:
        try:
            with file.open("rb") as opened:
                found.update(f"{file.name}:{file.stat().st_size}\n".encode())
                found.update(opened.read(_PROBE_BYTES))
                if file.stat().st_size > 2 * _PROBE_BYTES:
                    opened.seek(-_PROBE_BYTES, 2)
                found.update(opened.read(_PROBE_BYTES))
        except OSError:
            continue
    return found.hexdigest()


def choose_device(wanted: str | None) -> str:
    """The device by name, or the best there is: cuda, mps, cpu.

    Raises:
        BadInput: torch does not know the name, or this machine has no such device.
    """
    import torch

    if wanted is None:
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(wanted)
        if device.type not in ("cpu", "cuda", "mps"):
            raise RuntimeError
    except RuntimeError:
        raise BadInput(f"there is no device {wanted!r}: choose cpu, cuda, cuda:1 or mps") from None
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}[device.type]
    if not there or (device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count()):
        raise BadInput(f"this machine has no device {wanted!r}: leave --device and VITRINE_LOCAL_DEVICE out")
    return wanted


def choose_dtype(device: str) -> str:
    """bfloat16 where the hardware computes in it; else float16 on a GPU, float32 on a processor."""
    import torch

    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    if device.startswith("mps"):
        return "bfloat16"
    return "bfloat16" if cpu_has_bf16() else "float32"


def load(
    path: Path,
    name: str,
    *,
    device: str | None = None,
    picture_px: int | None = None,
    progress: Loading | None = None,
) -> Loaded:
    """Read a checkpoint; takes seconds, and tells `progress` how much of the weights is there.

    Raises:
        NotReady: it is not whole, cannot be read, or does not fit into memory.
        BadInput: no such device.
    """
    from transformers.utils import logging as their_logging

    their_logging.disable_progress_bar()
    their_logging.set_verbosity_error()
    config = read_config(path)
    where = choose_device(device)
    dtype = choose_dtype(where)
    _check_room(path, config, name, where, dtype)
    try:
        processor, tokenizer = _words_and_pictures(path)
        with _telling(progress):
            model = _weights(path, name, where, dtype)
    except VitrineError:
        raise
    except Exception as problem:  # a broken checkpoint leads the libraries into errors of any kind
        if is_out_of_memory(problem):
            raise NotReady(f"the model {name!r} does not fit into the memory of {where!r}: {_LIST}") from None
        log.info("the model %s cannot be loaded", name, exc_info=True)
        raise NotReady(f"the model {name!r} cannot be loaded ({_why(problem)}): fetch it anew, {_LIST}") from None
    _settle(tokenizer, processor, picture_px)
    return Loaded(model, tokenizer, processor, name, _context(model), _opens_thinking(processor or tokenizer, name))


def is_out_of_memory(problem: BaseException) -> bool:
    import torch

    words = str(problem)
    return isinstance(problem, torch.OutOfMemoryError | MemoryError) or (
        isinstance(problem, RuntimeError) and ("can't allocate memory" in words or "out of memory" in words)
    )


def _words_and_pictures(path: Path) -> tuple[Any | None, Any]:
    from transformers import AutoProcessor, AutoTokenizer

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if takes_pictures(path):
        processor = AutoProcessor.from_pretrained(path, **how)
        return processor, processor.tokenizer
    if is_gguf(path):
        return None, AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name, **how)
    return None, AutoTokenizer.from_pretrained(path, **how)


def _weights(path: Path, name: str, device: str, dtype: str) -> Any:
    from transformers import AutoModelForCausalLM, AutoModelForImageTextToText

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False, "dtype": dtype}
    if is_gguf(path):
        model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, **how)
        return model.to(device).eval()
    kind = AutoModelForImageTextToText if takes_pictures(path) else AutoModelForCausalLM
    model, told = kind.from_pretrained(path, use_safetensors=True, output_loading_info=True, **how)
    # Weights that are missing would be made up at random, and the model would talk nonsense.
    if missing := sorted(told["missing_keys"]):
        raise NotReady(
            f"the model {name!r} lacks {len(missing)} of its weights ({missing[0]!r} is one): fetch it anew with "
            "`python -m assistant model get`"
        )
    return model.to(device).eval()


#: Whom the thread that loads tells how far it is.
_TELLING = threading.local()


@contextlib.contextmanager
def _telling(progress: Loading | None) -> Iterator[None]:
    """transformers counts the weights for a bar on the terminal; here the count goes to `progress`."""
    from transformers.utils import logging as their_logging

    _TELLING.progress = progress
    their_logging.set_tqdm_hook(_counted)
    try:
        yield
    finally:
        _TELLING.progress = None


def _counted(bar: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    progress = getattr(_TELLING, "progress", None)
    if progress is not None and given and hasattr(given[0], "__len__"):
        given = (_Counting(given[0], progress), *given[1:])
    return bar(*given, **named)


class _Counting:
    """What is gone through, telling the share that is done."""

    def __init__(self, things: Any, progress: Loading) -> None:
        self._things, self._progress = things, progress

    def __len__(self) -> int:
        return len(self._things)

    def __iter__(self) -> Iterator[Any]:
        for number, thing in enumerate(self._things):
            self._progress(number / len(self._things))
            yield thing


def weights_of(path: Path, config: Mapping[str, Any]) -> int:
    """How many numbers the checkpoint has, about: from the bytes of its files and the format they are kept in."""
    stored = [path] if is_gguf(path) else list(path.glob("*.safetensors"))
    on_disk = sum(file.stat().st_size for file in stored if file.is_file())
    if is_gguf(path):
        return on_disk
    text = config.get("text_config") if isinstance(config.get("text_config"), dict) else {}
    kept_as = str(config.get("dtype") or config.get("torch_dtype") or (text or {}).get("dtype") or "bfloat16")
    return on_disk // _BYTES_OF.get(kept_as, 2)


def _check_room(path: Path, config: Mapping[str, Any], name: str, device: str, dtype: str) -> None:
    """Refuse what cannot fit before the system ends the whole process for it."""
    weights = weights_of(path, config)
    if not weights and not is_gguf(path):
        raise NotReady(f"the model {name!r} has no weights (*.safetensors) in {str(path)!r}: fetch it anew")
    need = weights * _BYTES_OF[dtype]
    if device.startswith("cuda"):
        import torch

        torch.cuda.empty_cache()  # of a model that was let go
        free: int | None = torch.cuda.mem_get_info(device)[0]
    else:
        free = main_memory()[1]
    if free is not None and need > free:
        raise NotReady(
            f"the model {name!r} takes about {need / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free: close "
            f"other programs or choose a smaller one, {_LIST}"
        )


def _settle(tokenizer: Any, processor: Any | None, picture_px: int | None) -> None:
    """Ready for batches, and for text in which a user has written control tokens."""
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.chat_control_tokens = control_tokens(tokenizer)
    images = getattr(processor, "image_processor", None)
    size = getattr(images, "size", None)
    # Idefics and SmolVLM blow every picture up to this, into 17 tiles of 64 tokens by default.
    if picture_px and images is not None and set(dict(size or {})) == {"longest_edge"}:
        images.size = {"longest_edge": picture_px}


def control_tokens(tokenizer: Any) -> list[str]:
    """Every token that means something else than the text it is written as; in a user's text they are plain text."""
    added = (token.content for token in tokenizer.added_tokens_decoder.values())
    return sorted((text for text in added if text.strip()), key=len, reverse=True)


def template_options(speaker: Any) -> dict[str, Any]:
    """Thinking is off, for the templates that know it; others would hand the word on to the processor."""
    return {"enable_thinking": False} if "enable_thinking" in str(speaker.chat_template) else {}


def _context(model: Any) -> int | None:
    config = model.config.get_text_config()
    value = getattr(config, "max_position_embeddings", None)
    return int(value) if value else None


def _opens_thinking(speaker: Any, name: str) -> bool:
    """What stands between the user's last word and the reply's first, read as the beginning of a reply.

    Raises:
        NotReady: the checkpoint has no chat template, so it was not made to answer.
    """
    if not getattr(speaker, "chat_template", None):
        raise NotReady(f"the model {name!r} has no chat template, so it cannot be asked: choose one made for chat")
    asked = [{"role": "user", "content": [{"type": "text", "text": "x"}] if hasattr(speaker, "tokenizer") else "x"}]
    how = template_options(speaker) | {"tokenize": False}
    without = speaker.apply_chat_template(asked, add_generation_prompt=False, **how)
    prompt = speaker.apply_chat_template(asked, add_generation_prompt=True, **how)
    return part(prompt[len(without) :] + "x").thoughts.endswith("x")


def _why(problem: Exception) -> str:
    """The first sentence of a library's message, one line."""
    words = " ".join(str(problem).split()) or type(problem).__name__
    return words if len(words) <= 160 else words[:160].rsplit(" ", 1)[0] + " …"
