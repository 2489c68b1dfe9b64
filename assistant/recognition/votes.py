"""A short list by votes of single keypoints: which indexed pictures each keypoint of a frame is nearest to.

The vector of a frame says what the frame is like as a whole; a thing that fills a tenth of it is lost in what surrounds
it. Single keypoints are not: each votes for the few pictures that have one like it, by how much nearer they are than
the next ones. Of the things that alignment confirms once they are tried, the vectors of 26 parts of the frame leave out
one in nine, votes almost none.

Local naive Bayes nearest neighbour: S. McCann and D. G. Lowe, "Local Naive Bayes Nearest Neighbor for Image
Classification", CVPR 2012, with pictures as classes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Dimensions of the encoder's local projection that are compared: half of them find as much.
DIMENSIONS = 32
#: Keypoints of a picture that are compared; fewer where the index is so large that all would be more than
#: `KEYPOINTS_IN_ALL`.
KEYPOINTS = 128
KEYPOINTS_IN_ALL = 60_000
_LEAST_KEYPOINTS = 24
#: The strongest keypoints of a frame vote; each for the nearest pictures.
VOTERS = 512
NEAREST = 5
#: So many products at a time: 1 MB stays in a core's cache.
_AT_ONCE = 1 << 18
_FAR = 1e6


class Votes:
    """The keypoints of a set of pictures, to be voted for. Never changes; safe to share between threads."""

    def __init__(self, pictures: Sequence[np.ndarray]) -> None:
        """`pictures` are local descriptors, one (n, d) float32 array for each picture (`ImageEncoder.local`)."""
        n = len(pictures)
        most = keypoints_each(n)
        # The last number of each row is half its square, so that one product gives what the distances are made of.
        self._bank = np.zeros((n, most, DIMENSIONS + 1), np.float32)
        self._bank[:, :, DIMENSIONS] = _FAR
        kept = np.ones(n, np.float32)
        for i, local in enumerate(pictures):
            chosen = local[sample(len(local), most), :DIMENSIONS]
            self._bank[i, : len(chosen), :DIMENSIONS] = chosen
            self._bank[i, : len(chosen), DIMENSIONS] = 0.5 * (chosen**2).sum(axis=1)
            kept[i] = max(len(chosen), 1)
        self._roots = np.sqrt(kept)  # a picture with few keypoints can get few votes

    def __len__(self) -> int:
        return len(self._bank)

    def scores(self, local: np.ndarray) -> np.ndarray:
        """(pictures,) float32 votes, never negative, for each picture by the local descriptors of a frame.

        Args:
            local: (n, d) float32, strongest keypoint first.
        """
        voters = np.ascontiguousarray(local[:VOTERS, :DIMENSIONS], np.float32)
        total = np.zeros(len(self), np.float32)
        if not len(voters) or not len(self):
            return total
        squares = (voters**2).sum(axis=1)[:, None]
        asking = np.concatenate([voters, np.full((len(voters), 1), -1.0, np.float32)], axis=1)
        nearest = np.empty((len(voters), len(self)), np.float32)
        step = max(1, _AT_ONCE // (len(voters) * self._bank.shape[1]))
        for start in range(0, len(self), step):
            part = self._bank[start : start + step]
            products = asking @ part.reshape(-1, DIMENSIONS + 1).T
            nearest[:, start : start + step] = products.reshape(len(voters), len(part), -1).max(axis=2)
        distances = np.sqrt(np.maximum(squares - 2 * nearest, 0.0))
        beyond = min(NEAREST, len(self) - 1)  # the first that gets no vote; among one or two pictures the last
        limit = np.partition(distances, beyond, axis=1)[:, beyond, None]
        return np.asarray(np.maximum(limit - distances, 0.0).sum(axis=0) / self._roots)


def keypoints_each(pictures: int) -> int:
    """How many keypoints of each of so many pictures are kept: a bounded number in all."""
    return min(KEYPOINTS, max(_LEAST_KEYPOINTS, KEYPOINTS_IN_ALL // max(pictures, 1)))


def sample(count: int, most: int) -> np.ndarray:
    """Positions of at most `most` of `count`, evenly spaced: strong keypoints and weak ones."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(int)
