"""What the shares of classes really are, seen through a judge that mixes them up.

A judge that says `j` of an answer of class `i` with probability M[j, i] sees shares q = M p of classes whose true
shares are p. For two classes p is Rogan and Gladen's estimate (American Journal of Epidemiology 107, 1978), also known
as the adjusted count (Forman, Data Mining and Knowledge Discovery 17, 2008); for more it is the inverse of the
confusion matrix, taken within the simplex as the nearest shares that are shares: the least squares solution with all of
them at least 0 and a sum of 1 (Hopkins and King, American Journal of Political Science 54, 2010). For judging models:
arXiv 2511.21140.

What it rests on: that M is the same where it was measured and where it is used. It may differ with other questions,
other systems that answer, or a guideline that changed.

Uncertainty is carried by draws, clustered by conversation: the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981)
gives every conversation an exponential weight, so that no class ever vanishes from a draw, and Jeffreys' prior, half an
answer in each cell, keeps a judge that was never seen to err from counting as one that cannot.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

#: Jeffreys' prior of a multinomial, in answers a cell.
PRIOR = 0.5
#: Below this smallest singular value of M, noise is multiplied by more than its inverse, and there is no estimate.
LEAST_SINGULAR = 0.1
#: Draws are made in blocks of about so many numbers, to bound memory.
_BLOCK = 4_000_000


def nearest_shares(matrix: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Shares (b, k) of k classes that best explain what was seen, each at least 0 and together 1.

    The face of the simplex that holds the solution is found by trying all of them: seven for three classes.

    Args:
        matrix: P(said j | class i), (b, m, k) with m at least k; columns of sum 1.
        seen: shares of what was said, (b, m).
    """
    b, _, k = matrix.shape
    best, least = np.full((b, k), 1 / k), np.full(b, np.inf)
    for size in range(k, 0, -1):
        for face in combinations(range(k), size):
            found = np.zeros((b, k))
            found[:, list(face)] = _on_face(matrix[:, :, list(face)], seen)
            missed = (((matrix @ found[:, :, None])[:, :, 0] - seen) ** 2).sum(axis=1)
            better = (found >= -1e-9).all(axis=1) & (missed < least - 1e-15)
            best[better], least[better] = found[better], missed[better]
    best = np.clip(best, 0, None)
    return best / best.sum(axis=1, keepdims=True)


def plain_inverse(matrix: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The shares (b, k) without the bounds of 0 and 1: the least squares solution whose sum is 1."""
    return _on_face(matrix, seen)


def _on_face(matrix: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Least squares with a sum of 1: of the differences from the last class, which takes what is left."""
    last = matrix[:, :, -1:]
    if matrix.shape[2] == 1:
        return np.ones((len(matrix), 1))
    rest = np.linalg.pinv(matrix[:, :, :-1] - last) @ (seen[:, :, None] - last)
    return np.concatenate([rest[:, :, 0], 1 - rest.sum(axis=1)], axis=1)


def least_singular(matrix: np.ndarray) -> float:
    """How far a matrix (m, k) is from one that tells fewer classes apart than there are: 1 for a perfect judge, 0."""
    return float(np.linalg.svd(matrix, compute_uv=False)[-1])


def drawn_sums(sums: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Sums over conversations (conversations, w) under exponential weights, (draws, w)."""
    block = max(1, _BLOCK // max(len(sums), 1))
    parts = []
    for start in range(0, draws, block):
        weights = rng.standard_exponential((min(block, draws - start), len(sums)))
        parts.append(weights @ sums)
    return np.concatenate(parts)


def drawn_matrices(sums: np.ndarray, classes: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draws of the confusion matrix, (draws, said, classes), from counts (conversations, classes × said)."""
    cells = drawn_sums(sums, draws, rng).reshape(draws, classes, -1)
    cells += rng.standard_gamma(PRIOR, cells.shape)
    return np.swapaxes(cells / cells.sum(axis=2, keepdims=True), 1, 2)
