"""Which indexed pictures are worth aligning with a frame: the nearest vectors, and the most voted for.

Vectors of the whole frame and of parts of it (`assistant.vision.picture_encoder`) are compared with the image
collection's, as in the benchmark's search; votes of single keypoints (`assistant.recognition.votes`) find what is
small, half covered or before a busy ground.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.recognition.taught_images import TaughtRows
from assistant.recognition.votes import Votes, keypoints_each, sample
from assistant.vision.image_encoder import ImageEncoder
from assistant.vision.local_features import FeatureStore, LocalFeatures, rootsift
from assistant.vision.picture_encoder import WINDOWS
from assistant.vision.pretrained import Window

if TYPE_CHECKING:
    from assistant.index.raw_search import SearchPipeline

#: Results asked for each view, pictures taken by their vectors, and pictures taken by votes.
RESULTS_PER_VIEW = 8
BY_VECTOR = 3
BY_VOTES = 11
#: Of one entity no more: more pictures of it would leave others no place.
PICTURES_OF_ONE = 2
#: A view needs this many keypoints to say anything.
LEAST_KEYPOINTS = 30


class ShortList:
    """Makes the short list of a frame or of a part of it. Safe to share between threads."""

    def __init__(self, local: ImageEncoder, pipeline: SearchPipeline, features: FeatureStore) -> None:
        self._local = local
        self._pipeline = pipeline
        self._features = features
        self._lock = threading.Lock()
        self._kept_votes: Votes | None = None

    def of_frame(
        self, seen: LocalFeatures, vectors: np.ndarray, taught: TaughtRows
    ) -> tuple[list[int], dict[int, dict[str, Any]]]:
        """Rows worth aligning with a whole frame, and the search results of all rows that were looked at.

        Rows of the collection are numbers from 0, rows of what was taught are negative ones.

        Args:
            seen: local features of the frame.
            vectors: (windows, dim) vectors of `WINDOWS` of it.
            taught: what visitors taught.
        """
        telling = enough_inside(seen, WINDOWS) if len(self._features) or len(taught) else []
        return self._of(seen, vectors[telling], taught)

    def of_part(
        self, seen: LocalFeatures, vector: np.ndarray, taught: TaughtRows
    ) -> tuple[list[int], dict[int, dict[str, Any]]]:
        """The same for the features and the (1, dim) vector of one small thing."""
        return self._of(seen, vector, taught)

    def _of(
        self, seen: LocalFeatures, vectors: np.ndarray, taught: TaughtRows
    ) -> tuple[list[int], dict[int, dict[str, Any]]]:
        if not len(vectors):
            return [], {}
        best, results = self._nearest(list(vectors))
        voted = self._votes().scores(self._local.local(seen.rootsift))
        # More than are taken, as several may show one entity.
        likely = [int(row) for row in np.argsort(-voted, kind="stable")[: 3 * BY_VOTES] if voted[row] > 0]
        unknown = [row for row in likely if row not in results]
        results |= {int(result["index"]): result for result in self._pipeline.pictures(unknown)}
        chosen = few_of_each(best, results, BY_VECTOR)
        votes = {row: float(voted[row]) for row in likely if row in results and row not in chosen}
        chosen += few_of_each(votes, results, BY_VOTES, taken=chosen)
        return [*chosen, *taught.short_list(vectors)], results

    def nearest(self, vectors: np.ndarray) -> np.ndarray:
        """(n,) the greatest similarity of any indexed picture to each of (n, dim) vectors; -1 where there is none."""
        if not len(self._features):
            return np.full(len(vectors), -1.0)
        return np.array([found[0]["score"] for found in self._pipeline.images_each(list(vectors), 1)])

    def _nearest(self, vectors: Sequence[np.ndarray]) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """The best score and the search result of every row that is among the first of any vector."""
        results: dict[int, dict[str, Any]] = {}
        best: dict[int, float] = {}
        for nearest in self._pipeline.images_each(vectors, RESULTS_PER_VIEW) if len(self._features) else ():
            for result in nearest:
                index = int(result["index"])
                results.setdefault(index, result)
                best[index] = max(best.get(index, -1.0), float(result["score"]))
        return best, results

    def _votes(self) -> Votes:
        """The keypoints of the whole index, read once: a tenth of a second for four hundred pictures."""
        with self._lock:
            if self._kept_votes is None:
                most = keypoints_each(len(self._features))
                pictures = (self._features.descriptors(row) for row in range(len(self._features)))
                kept = [rootsift(every[sample(len(every), most)]) for every in pictures]
                self._kept_votes = Votes([self._local.local(some) for some in kept])
            return self._kept_votes


def few_of_each(
    scores: Mapping[int, float], results: Mapping[int, dict[str, Any]], most: int, taken: Iterable[int] = ()
) -> list[int]:
    """Rows with the best scores, at most `PICTURES_OF_ONE` of an entity, those already `taken` counted in."""
    chosen: list[int] = []
    pictures = Counter(_entity(row, results) for row in taken)
    for row in sorted(scores, key=lambda row: (-scores[row], row)):
        name = _entity(row, results)
        if pictures[name] < PICTURES_OF_ONE:
            pictures[name] += 1
            chosen.append(row)
    return chosen[:most]


def _entity(row: int, results: Mapping[int, dict[str, Any]]) -> str:
    entities = results[row]["entities"]
    return str(entities[0]["entity_name"]) if entities else f"row {row}"


def enough_inside(seen: LocalFeatures, windows: Sequence[Window]) -> list[int]:
    """Positions of the windows with keypoints enough for something to be found there."""
    x, y = seen.keypoints[:, 0] / seen.width_px, seen.keypoints[:, 1] / seen.height_px
    counts = [((x >= w[0]) & (x < w[2]) & (y >= w[1]) & (y < w[3])).sum() for w in windows]
    return [i for i, count in enumerate(counts) if count >= LEAST_KEYPOINTS]
