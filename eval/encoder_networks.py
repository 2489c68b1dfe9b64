"""Fit the small networks that correct verification by what the cells of a thing show.

They learn what the logistic model leaves over: its score is given, and a network adds to it or takes from it. Several
of different beginnings are averaged; cells are left out and blurred at random while fitting, as a few worlds hold only
some hundred right pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.search.cells import CELL_MEASURES
from assistant.search.verify import FEW_CELLS

if TYPE_CHECKING:
    from torch import Tensor

NETWORKS = 3
#: Passes over the rows, and steps at least.
_EPOCHS, _LEAST_STEPS = 60, 1000
_BATCH, _RATE = 128, 5e-3
_HIDDEN, _POOLED = 16, 4
#: Share of cells that are kept in one step, and what is added to their measures (deviation).
_KEPT, _NOISE = 0.7, 0.1
#: Penalty on the squares of the weights: on the measures', whose model is fitted already, and on the others'.
_ON_MEASURES, _ON_CELLS = 1e-2, 1e-3


def fit_networks(
    cells: Sequence[np.ndarray], measures: np.ndarray, scores: np.ndarray, right: np.ndarray, *, count: int = NETWORKS
) -> list[dict[str, Any]]:
    """Weights for `assistant.search.verify.CellNetwork`.

    Args:
        cells: (n_i, 10) of each aligned picture, standardised and clipped.
        measures: (rows, measures), standardised and clipped.
        scores: (rows,) of the logistic model.
        right: (rows,) bool.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the steps are too small to share
    try:
        return [_fit(cells, measures, scores, right, seed) for seed in range(count)]
    finally:
        torch.set_num_threads(threads)


def _fit(
    cells: Sequence[np.ndarray], measures: np.ndarray, scores: np.ndarray, right: np.ndarray, seed: int
) -> dict[str, Any]:
    import torch
    from torch import nn

    random = torch.Generator().manual_seed(seed)
    padded, present = _padded(cells)
    x = torch.tensor(measures, dtype=torch.float32)
    given = torch.tensor(scores, dtype=torch.float32)
    target = torch.tensor(right, dtype=torch.float32)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        hidden, each = nn.Linear(len(CELL_MEASURES), _HIDDEN), nn.Linear(_HIDDEN, 2 * _POOLED)
        pooled, linear = nn.Linear(_POOLED, 1), nn.Linear(measures.shape[1], 1, bias=False)
    for layer in (pooled, linear):
        nn.init.zeros_(layer.weight)
    parts = [*hidden.parameters(), *each.parameters(), *pooled.parameters(), *linear.parameters()]
    optimiser = torch.optim.Adam(parts, lr=_RATE)
    epochs = max(_EPOCHS, -(-_LEAST_STEPS * _BATCH // max(len(target), 1)))
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    for _ in range(epochs):
        for batch in torch.randperm(len(target), generator=random).split(_BATCH):
            kept = present[batch] * (torch.rand(present[batch].shape, generator=random) < _KEPT)
            noisy = padded[batch] + _NOISE * torch.randn(padded[batch].shape, generator=random)
            y = each(torch.tanh(hidden(noisy)))
            weights = nn.functional.softplus(y[..., :_POOLED]) * kept[..., None]
            average = (weights * torch.tanh(y[..., _POOLED:])).sum(1) / (weights.sum(1) + FEW_CELLS)
            score = given[batch] + 3 * pooled(average)[:, 0] + linear(x[batch])[:, 0]
            loss = nn.functional.binary_cross_entropy_with_logits(score, target[batch])
            loss = loss + _ON_MEASURES * linear.weight.square().sum()
            loss = loss + _ON_CELLS * sum(p.square().sum() for p in (*hidden.parameters(), *each.parameters()))
            loss = loss + _ON_CELLS * pooled.weight.square().sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        plan.step()
    return {
        "hidden": _list(hidden.weight.T),
        "hidden_bias": _list(hidden.bias),
        "each": _list(each.weight.T),
        "each_bias": _list(each.bias),
        "pooled": _list(3 * pooled.weight[0]),
        "measures": _list(linear.weight[0]),
        "bias": round(float(3 * pooled.bias.detach()[0]), 5),
    }


def _padded(cells: Sequence[np.ndarray]) -> tuple[Tensor, Tensor]:
    """(rows, most cells, 10) and which of them are there, (rows, most cells)."""
    import torch

    most = max((len(one) for one in cells), default=1)
    padded = np.zeros((len(cells), max(most, 1), len(CELL_MEASURES)), np.float32)
    present = np.zeros(padded.shape[:2], np.float32)
    for row, one in enumerate(cells):
        padded[row, : len(one)], present[row, : len(one)] = one, 1
    return torch.tensor(padded), torch.tensor(present)


def _list(tensor: Tensor) -> Any:
    return np.round(tensor.detach().numpy().astype(float), 5).tolist()
