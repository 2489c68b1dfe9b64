"""Local features of a picture (SIFT), and what is made of them: projections that vote, and one unit vector.

RootSIFT (Arandjelović and Zisserman 2012) → VLAD with intra-normalisation (Jégou et al. 2010; Arandjelović and
Zisserman 2013) → PCA-whitening (Jégou and Chum 2012). Keypoints vote for the short list
(`assistant.recognition.votes`) and are what verification rests on (`assistant.recognition.verify`). The vector is what
pictures were found by before there was a pretrained one (`assistant.vision.encoders`); `python -m tests.bench
retrieval` compares the two. Made for things with patterns of their own, seen from about the side that the index shows.
The codebook and the projections ship in `assets/encoder`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from assistant.core.errors import NotReady, UnknownFormat
from assistant.core.paths import ASSETS_DIR, RESTORE
from assistant.core.types import Frame
from assistant.vision.local_features import THUMBNAIL_SIDE_PX, LocalFeatures
from assistant.vision.salience import model_bytes

FORMAT_VERSION = 1
#: Larger pictures are reduced to this longest side before descriptors are taken, those below the least enlarged to it
#: (at most twofold). Enlarging those between as well gave no other keypoints and took two thirds more time.
WORKING_SIDE_PX = 1024
LEAST_SIDE_PX = 768
MAX_KEYPOINTS = 2000
#: With fewer keypoints than this on the thing itself the whole picture makes the vector.
LEAST_OF_THING = 12


class ImageEncoder:
    """Turns frames into local features and local features into vectors. Stateless after loading; thread-safe."""

    def __init__(self, folder: Path) -> None:
        path = folder / "encoder.npz"
        try:
            with np.load(path, allow_pickle=False) as data:
                meta = json.loads(str(data["meta"]))
                if meta.get("format_version") != FORMAT_VERSION:
                    raise UnknownFormat(
                        f"the image encoder in {folder.name!r} has format {meta.get('format_version')!r}, this Vitrine "
                        f"reads {FORMAT_VERSION}: {RESTORE}"
                    )
                self._local_mean = data["local_mean"].astype(np.float32)
                self._local_axes = data["local_axes"].astype(np.float32)
                self._codebook = data["codebook"].astype(np.float32)
                self._mean = data["mean"].astype(np.float32)
                self._projection = data["projection"].astype(np.float32)
        except (OSError, ValueError, KeyError) as problem:
            raise NotReady(f"the image encoder is missing from {folder.name!r}: {RESTORE}") from problem
        self.folder = folder
        self.name = "sift-vlad"
        # An indexed picture's vector is that of its thing alone, so it depends on what cuts the thing out too.
        self.version = hashlib.sha256(path.read_bytes() + model_bytes()).hexdigest()[:16]
        self.dim = int(self._projection.shape[1])

    @classmethod
    def load(cls, folder: Path = ASSETS_DIR / "encoder") -> ImageEncoder:
        """Load the shipped encoder.

        Raises:
            NotReady: files are missing or damaged.
            UnknownFormat: files of another format version.
        """
        return cls(folder)

    def features(self, frame: Frame) -> LocalFeatures:
        """Local features of a frame of any size, in the frame's pixels."""
        return extract(frame)

    def vector(self, features: LocalFeatures) -> np.ndarray:
        """(dim,) float32, unit length; a picture without structure gives a fixed vector."""
        return np.asarray(self.vectors(features, [np.arange(len(features))])[0])

    def picture_vector(self, features: LocalFeatures) -> np.ndarray:
        """(dim,) the vector an indexed picture is found by: of the thing on it, without the ground it stands on."""
        thing = features.within_extent()
        return self.vector(thing if len(thing) >= LEAST_OF_THING else features)

    def local(self, rootsift: np.ndarray) -> np.ndarray:
        """(n, d) float32 projections of (n, 128) RootSIFT descriptors, the most telling dimension first."""
        return np.asarray((rootsift - self._local_mean) @ self._local_axes)

    def vectors(self, features: LocalFeatures, parts: Sequence[np.ndarray]) -> np.ndarray:
        """(len(parts), dim) float32 unit vectors of parts of a picture, each given as indices of its keypoints.

        Few large products instead of many small ones: beside text reading on two cores the threads of the linear
        algebra library spend more time waiting for each other than computing.
        """
        local = self.local(features.rootsift)
        nearest = nearest_words(local, self._codebook)
        residuals = local - self._codebook[nearest]
        words = len(self._codebook)
        aggregated = np.stack([vlad(residuals[part], nearest[part], words) for part in parts])
        projected = (aggregated - self._mean) @ self._projection
        norms = np.linalg.norm(projected, axis=1, keepdims=True)
        projected = np.where(norms < 1e-9, np.eye(1, self.dim, dtype=np.float32), projected / np.maximum(norms, 1e-9))
        return np.asarray(projected, np.float32)

    def encode(self, frame: Frame) -> np.ndarray:
        """`vector(features(frame))`."""
        return self.vector(self.features(frame))


def extract(frame: Frame) -> LocalFeatures:
    """SIFT keypoints and descriptors of a frame, strongest first, and its thumbnail."""
    pixels = frame.pixels
    height, width = pixels.shape[:2]
    longest = max(height, width)
    scale = min(2.0, WORKING_SIDE_PX / longest, max(1.0, LEAST_SIDE_PX / longest))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=way), cv2.COLOR_RGB2GRAY)
    points, descriptors = sift(grey)
    points[:, 0] = (points[:, 0] + 0.5) * (width / size[0]) - 0.5
    points[:, 1] = (points[:, 1] + 0.5) * (height / size[1]) - 0.5
    points[:, 2] *= width / size[0]
    return LocalFeatures(width, height, points, descriptors, thumbnail_of(pixels))


def sift(grey: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keypoints (n, 4) float32 and descriptors (n, 128) uint8 of a grey picture, strongest first."""
    if min(grey.shape) < 16:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.uint8)
    engine = cv2.SIFT.create(MAX_KEYPOINTS, 3, 0.025, 12.0, 1.6)
    found, descriptors = engine.detectAndCompute(grey, None)
    if descriptors is None or not len(found):
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.uint8)
    order = sorted(range(len(found)), key=lambda i: (-found[i].response, found[i].pt, found[i].angle))[:MAX_KEYPOINTS]
    points = np.array([(*found[i].pt, found[i].size, found[i].angle) for i in order], np.float32)
    return points, descriptors[order].astype(np.uint8)  # SIFT's values are whole numbers, 0..255


def thumbnail_of(pixels: np.ndarray) -> np.ndarray:
    """The whole picture, at most `THUMBNAIL_SIDE_PX` long."""
    height, width = pixels.shape[:2]
    scale = min(1.0, THUMBNAIL_SIDE_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


def nearest_words(local: np.ndarray, codebook: np.ndarray) -> np.ndarray:
    """(n,) the word of (k, d) `codebook` nearest to each of (n, d) local descriptors."""
    return np.asarray(np.argmax(local @ codebook.T - 0.5 * (codebook**2).sum(axis=1), axis=1))


def vlad(residuals: np.ndarray, nearest: np.ndarray, words: int) -> np.ndarray:
    """Sum of the residuals to each word, square-rooted, normalised per word and as a whole: (words * d,) float32.

    Args:
        residuals: (n, d) float32, local descriptors minus their nearest word.
        nearest: (n,) that word's number.
        words: how many words there are.
    """
    sums = np.zeros((words, residuals.shape[1]), np.float32)
    np.add.at(sums, nearest, residuals)
    sums = np.sign(sums) * np.sqrt(np.abs(sums))
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    flat = sums.ravel()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-9), np.float32)
