"""Vision-language models small enough to make in a test: real config classes and chat templates, random weights."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}IMAGE{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
#: As Qwen's: thinking is on unless it is switched off.
QWEN_TAIL = (
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and enable_thinking is false %}"
    "<think>\n\n</think>\n\n{% else %}<think>\n{% endif %}{% endif %}"
)
QWEN = CHATML.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>").replace(
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}", QWEN_TAIL
)
SMOLVLM = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}"
    "{% if message['content'][0]['type'] == 'image' %}:{% else %}: {% endif %}{% for line in message['content'] %}"
    "{% if line['type'] == 'text' %}{{ line['text'] }}{% elif line['type'] == 'image' %}<image>{% endif %}{% endfor %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)
CONTEXT = 4096
WORDS = [
    "The tin stands on the table and holds oat biscuits for two pounds fifty.",
    "system user assistant You are a helpful assistant that answers questions about a picture.",
    "What is on the sign? How much does the second one cost? Say it in one sentence, please.",
]


def picture(width: int = 96, height: int = 64, colour: tuple[int, int, int] = (200, 40, 60)) -> bytes:
    """A PNG of one colour with a bar in another."""
    from PIL import Image, ImageDraw

    drawn = Image.new("RGB", (width, height), colour)
    ImageDraw.Draw(drawn).rectangle((width // 4, height // 4, width // 2, height // 2), fill=(10, 200, 90))
    held = io.BytesIO()
    drawn.save(held, "PNG")
    return held.getvalue()


def tokenizer_of(special: list[str], template: str, end: str, plain: list[str] | None = None, **names: str) -> Any:
    """A byte-level BPE tokenizer, trained on a few sentences."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(WORDS, trainer)
    made.add_tokens([AddedToken(word, special=False, normalized=False) for word in plain or []])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=end, pad_token="<|pad|>", extra_special_tokens=names
    )
    tokenizer.chat_template = template
    return tokenizer


def make_smolvlm(folder: Path) -> Path:
    from transformers import (
        SmolVLMConfig,
        SmolVLMForConditionalGeneration,
        SmolVLMImageProcessor,
        SmolVLMProcessor,
        SmolVLMVideoProcessor,
    )

    grid = [f"<row_{row}_col_{col}>" for row in (1, 2, 3) for col in (1, 2, 3)]
    special = [
        "<|pad|>",
        "<|im_start|>",
        "<end_of_utterance>",
        "<image>",
        "<fake_token_around_image>",
        "<global-img>",
        *grid,
    ]
    tokenizer = tokenizer_of(special, SMOLVLM, "<end_of_utterance>", image_token="<image>")
    images = SmolVLMImageProcessor(size={"longest_edge": 128}, max_image_size={"longest_edge": 32})
    videos = SmolVLMVideoProcessor(
        size={"longest_edge": 32}, max_image_size={"longest_edge": 32}, video_sampling={"fps": 1, "max_frames": 4},
    )  # fmt: skip
    processor = SmolVLMProcessor(images, tokenizer, videos, image_seq_len=4, chat_template=SMOLVLM)
    config = SmolVLMConfig(
        text_config=_llama(tokenizer),
        vision_config=_vision(image_size=32, patch_size=8),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        tie_word_embeddings=False,
    )
    return _saved(folder, SmolVLMForConditionalGeneration, config, processor, tokenizer)


def make_qwen3_5(folder: Path) -> Path:
    from transformers import (
        Qwen2VLImageProcessor,
        Qwen3_5Config,
        Qwen3_5ForConditionalGeneration,
        Qwen3VLProcessor,
        Qwen3VLVideoProcessor,
    )

    special = [
        "<|pad|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|vision_start|>",
        "<|vision_end|>",
        "<|image_pad|>",
        "<|video_pad|>",
    ]
    tokenizer = tokenizer_of(
        special, QWEN, "<|im_end|>", ["<think>", "</think>"], image_token="<|image_pad|>", video_token="<|video_pad|>",
        vision_start_token="<|vision_start|>", vision_end_token="<|vision_end|>",
    )  # fmt: skip
    how = {
        "patch_size": 8,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "size": {"shortest_edge": 256, "longest_edge": 65536},
    }
    processor = Qwen3VLProcessor(
        Qwen2VLImageProcessor(**how), tokenizer, Qwen3VLVideoProcessor(**how), chat_template=QWEN
    )
    ids = tokenizer.convert_tokens_to_ids
    config = Qwen3_5Config(
        text_config={
            "vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "linear_key_head_dim": 16,
            "linear_value_head_dim": 16, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
            "layer_types": ["linear_attention", "full_attention"], "max_position_embeddings": CONTEXT,
            "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [1, 1, 0],
                                "mrope_interleaved": True, "partial_rotary_factor": 0.25},
        },
        vision_config={
            "depth": 1, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "patch_size": 8,
            "spatial_merge_size": 2, "temporal_patch_size": 2, "out_hidden_size": 64, "num_position_embeddings": 64,
        },
        image_token_id=ids("<|image_pad|>"), video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"), vision_end_token_id=ids("<|vision_end|>"),
    )  # fmt: skip
    return _saved(folder, Qwen3_5ForConditionalGeneration, config, processor, tokenizer)


def make_lfm2_vl(folder: Path) -> Path:
    from transformers import Lfm2VlConfig, Lfm2VlForConditionalGeneration, Lfm2VlImageProcessor, Lfm2VlProcessor

    special = [
        "<|pad|>",
        "<|im_start|>",
        "<|im_end|>",
        "<image>",
        "<|image_start|>",
        "<|image_end|>",
        "<|img_thumbnail|>",
    ]
    tokenizer = tokenizer_of(special, CHATML.replace("IMAGE", "<image>"), "<|im_end|>", image_token="<image>")
    images = Lfm2VlImageProcessor(
        tile_size=64, max_image_tokens=16, min_image_tokens=1, encoder_patch_size=8, max_num_patches=64,
        do_image_splitting=False, downsample_factor=2,
    )  # fmt: skip
    processor = Lfm2VlProcessor(images, tokenizer, chat_template=CHATML.replace("IMAGE", "<image>"))
    config = Lfm2VlConfig(
        text_config={
            "model_type": "lfm2", "vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 96,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "block_multiple_of": 16,
            "layer_types": ["conv", "full_attention"], "max_position_embeddings": CONTEXT,
            "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None,
        },
        vision_config={
            "model_type": "siglip2_vision_model", "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1,
            "num_attention_heads": 2, "patch_size": 8, "num_patches": 64, "vision_use_head": False,
        },
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"), projector_hidden_size=64, downsample_factor=2,
    )  # fmt: skip
    return _saved(folder, Lfm2VlForConditionalGeneration, config, processor, tokenizer)


def make_reader(folder: Path) -> Path:
    """A model that only reads."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = tokenizer_of(["<|pad|>", "<|im_start|>", "<|im_end|>"], CHATML, "<|im_end|>")
    return _saved(folder, LlamaForCausalLM, LlamaConfig(**_llama(tokenizer)), None, tokenizer)


MAKERS: dict[str, Callable[[Path], Path]] = {
    "smolvlm": make_smolvlm,
    "qwen3_5": make_qwen3_5,
    "lfm2_vl": make_lfm2_vl,
    "reader": make_reader,
}


def _llama(tokenizer: Any) -> dict[str, Any]:
    return {
        "model_type": "llama", "vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": CONTEXT,
        "bos_token_id": None, "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id,
    }  # fmt: skip


def _vision(**sizes: int) -> dict[str, Any]:
    return {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 2, **sizes}


def _saved(folder: Path, kind: Any, config: Any, processor: Any | None, tokenizer: Any) -> Path:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        model = kind(config)
        for weights in model.parameters():  # far enough apart for the likeliest token to be clear
            if weights.dim() > 1:
                torch.nn.init.normal_(weights, std=0.2)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    (processor or tokenizer).save_pretrained(folder)
    return folder
