"""MiniLM with narrow changes to be fitted: a product of two thin matrices beside each linear map of its upper layers.

Source: Hu et al., "LoRA: low-rank adaptation of large language models", 2021. For training only: needs torch and
transformers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from assistant.search.text_encoder import TextEncoder

RANK, SCALE = 8, 2.0
#: Steps until the full rate, what is left of it at the end, the rate of the head, and the decay of weights.
WARM_UP, LAST, HEAD_RATE, DECAY = 60, 0.02, 3e-3, 0.01


class Changed(nn.Module):
    """A linear map with a narrow detour beside it."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.plain = plain
        self.down = nn.Parameter(torch.randn(plain.in_features, RANK) / plain.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(RANK, plain.out_features))
        self.drop = nn.Dropout(0.05)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.plain(x) + SCALE * (self.drop(x) @ self.down @ self.up)  # type: ignore[no-any-return]


def changed_bert(first_layer: int) -> tuple[Any, dict[str, Changed]]:
    """MiniLM's encoder with changes from `first_layer` on, all that is fitted in it; and the changes by their names."""
    from transformers import BertModel

    bert: Any = BertModel.from_pretrained(
        TextEncoder().folder(), add_pooling_layer=False, local_files_only=True, attn_implementation="eager"
    )
    bert.requires_grad_(False)
    changed: dict[str, Changed] = {}
    for name, module in list(bert.named_modules()):
        layer = next((int(p) for p in name.split(".") if p.isdigit()), -1)
        for child, linear in list(module.named_children()):
            if isinstance(linear, nn.Linear) and layer >= first_layer:
                changed[f"{name}.{child}"] = Changed(linear)
                setattr(module, child, changed[f"{name}.{child}"])
    return bert, changed


def tokenizer(max_tokens: int) -> Any:
    """MiniLM's tokenizer, cutting and padding."""
    from tokenizers import Tokenizer

    out = Tokenizer.from_file(str(TextEncoder().folder() / "tokenizer.json"))
    out.enable_truncation(max_tokens)
    out.enable_padding()
    return out


class Steps:
    """AdamW over what is fitted of the encoder and over the head behind it; rates rise, then fall in a line."""

    def __init__(self, bert: nn.Module, head: nn.Module, steps: int, rate: float) -> None:
        self.thin = [p for p in bert.parameters() if p.requires_grad]
        groups = [{"params": self.thin, "lr": rate}, {"params": list(head.parameters()), "lr": HEAD_RATE}]
        self._optimiser = torch.optim.AdamW(groups, weight_decay=DECAY)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda n: min(1.0, (n + 1) / WARM_UP) * max(LAST, 1 - n / steps)
        )

    def step(self, loss: torch.Tensor) -> None:
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.thin, 1.0)
        self._optimiser.step()
        self._schedule.step()


def stored(changed: Mapping[str, Changed]) -> dict[str, np.ndarray]:
    """The changes as `MiniLM.adapted` takes them once both halves are multiplied."""
    out = {}
    for name, change in changed.items():
        out[f"{name}.down"] = change.down.detach().numpy().astype(np.float16)
        out[f"{name}.up"] = (SCALE * change.up.detach()).numpy().astype(np.float16)
    return out
