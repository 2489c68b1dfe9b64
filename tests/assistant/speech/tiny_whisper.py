"""A Whisper model of a few kilobytes that says one sentence whatever it hears: real classes, made weights.

Quick to load and the same whatever is said: a `WhisperForConditionalGeneration` with one layer whose weights are set so
that each token leads to the next of the sentence, converted with CTranslate2 like any other: loading, features,
the decoder and the tokenizer run as they would with a real model. It says nothing about how well a real one hears.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

SENTENCE = "What is the price?"
_SPECIAL = [
    "<|endoftext|>",
    "<|startoftranscript|>",
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
]


def make_tiny_whisper(folder: Path, scratch: Path, sentence: str = SENTENCE) -> Path:
    """Write a model that faster-whisper loads from `folder`; `scratch` is for what comes between."""
    import torch
    import transformers
    from ctranslate2.converters import TransformersConverter
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    words = [f"▁{word}" for word in sentence.split()]
    tokens = ["<unk>", "▁", *dict.fromkeys(words), *_SPECIAL, *(f"<|{n * 0.02:.2f}|>" for n in range(1501))]
    ids = {token: n for n, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens([t for t in tokens if t.startswith("<|")])

    config = transformers.WhisperConfig(
        vocab_size=len(tokens),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        num_mel_bins=80,
        tie_word_embeddings=False,
        bos_token_id=ids["<|endoftext|>"],
        eos_token_id=ids["<|endoftext|>"],
        pad_token_id=ids["<|endoftext|>"],
        decoder_start_token_id=ids["<|startoftranscript|>"],
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )
    torch.manual_seed(0)
    model = transformers.WhisperForConditionalGeneration(config)
    chain = ["<|notimestamps|>", *words, "<|endoftext|>"]
    with torch.no_grad():
        decoder = model.model.decoder
        decoder.embed_positions.weight.zero_()
        for layer in decoder.layers:  # they pass on what they are given
            for linear in (layer.self_attn.out_proj, layer.encoder_attn.out_proj, layer.fc2):
                linear.weight.zero_()
                linear.bias.zero_()
        decoder.embed_tokens.weight.zero_()
        model.proj_out.weight.zero_()
        for place, (token, following) in enumerate(pairwise(chain)):
            decoder.embed_tokens.weight[ids[token], place] = 8.0
            model.proj_out.weight[ids[following], place] = 8.0
    source = scratch / "source"
    model.save_pretrained(source)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(source)
    TransformersConverter(str(source)).convert(str(folder), force=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "preprocessor_config.json").write_text(json.dumps({"feature_size": 80, "sampling_rate": 16000}))
    return folder
