"""The vector that pictures are found by: the pretrained network's beside that of local features (SIFT, VLAD) and both.

    python -m tests.bench retrieval --photos DIR --worlds W1 W2

Recall at 1, and the area under the curve of the right picture's score against the best wrong one's, for photographs
that the project does not carry (each spoilt in the five ways, among each other and all pictures of the worlds' indexes)
and for frames of generated worlds that nothing was fitted on (clean, and each spoilt in one way, among the pictures of
their own index). A frame's score for a picture is that of the most alike of its windows; `both` is the mean of the two.
`claimed`: how many photographs and frames of things that are in no index the whole recogniser takes for one that is.
`propose_ms`: processor time of the short list and its alignments, now and as it was with the vectors of local features
(24 pictures aligned; without the search in the collection, which took a few milliseconds more).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.threads import one_thread_each
from assistant.core.types import Frame
from assistant.index.build import build_index
from assistant.index.raw_search import SearchPipeline
from assistant.recognition.recogniser import Recogniser
from assistant.recognition.shortlist import LEAST_KEYPOINTS, ShortList, few_of_each
from assistant.recognition.taught_images import NONE
from assistant.vision.degrade import KINDS, Degradation, degrade
from assistant.vision.encoders import picture_encoder
from assistant.vision.frame import read_frame
from assistant.vision.image_encoder import ImageEncoder, extract
from assistant.vision.local_features import FeatureStore, LocalFeatures
from assistant.vision.ocr import TextReader
from assistant.vision.picture_encoder import WINDOWS, thing_vector
from tests.bench.teach import frames

SEVERITY = 0.45
#: How many pictures were aligned for their vectors and for their votes.
BY_VECTOR_BEFORE, BY_VOTES_BEFORE = 8, 16
#: Frames that processor time is taken on.
TIMED = 30


@dataclass(frozen=True, eq=False)
class Vectors:
    """`old` and `new` vectors of a set of pictures, (n, dim) each; `of` names the thing that each shows."""

    old: np.ndarray
    new: np.ndarray
    of: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Asked:
    """A frame, the thing it shows, and whether it is spoilt."""

    frame: Frame
    thing: str
    spoilt: bool


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench retrieval")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--worlds", type=Path, nargs="+", required=True, help="generated worlds (seeds from 150 on)")
    args = parser.parse_args(argv)
    local, figures = ImageEncoder.load(), dict[str, Any]()
    photos = [(path.stem, read_frame(path)) for path in sorted(args.photos.glob("*.jpg"))]
    claims: Counter[str] = Counter()
    spent: dict[str, list[float]] = defaultdict(list)
    with one_thread_each(), tempfile.TemporaryDirectory() as folder:
        galleries = {world: vectors_of(indexed(world), local) for world in args.worlds}
        among = joined([vectors_of(photos, local), *galleries.values()])
        asked = [Asked(frame, name, False) for name, frame in photos] + [s for p in photos for s in spoilt(*p, KINDS)]
        figures["photographs"] = figures_of(asked, among, local)
        for world, gallery in galleries.items():
            shown = list(frames_of(world))
            known = [one for one in shown if one.thing in gallery.of]
            turn = [s for i, one in enumerate(known) for s in spoilt(one.thing, one.frame, [KINDS[i % len(KINDS)]])]
            figures[world.name] = figures_of([*known, *turn], gallery, local)
            index = Path(folder) / world.name
            build_index(world, index)
            pipeline = SearchPipeline.open(index)
            recogniser = Recogniser(picture_encoder(), pipeline, FeatureStore(index / "features"))
            unknown = [one for one in shown if one.thing not in gallery.of]
            count_claims(recogniser, [*asked, *unknown], claims)
            time_proposals(recogniser, proposed_before(local, pipeline, index, gallery), known[:TIMED], spent)
            pipeline.close()
    figures["claimed"] = f"{claims['claimed']} of {claims['asked']}"
    figures["propose_ms"] = {name: round(1000 * float(np.mean(times)), 1) for name, times in spent.items()}
    print(json.dumps(figures, indent=1))
    return figures


def indexed(world: Path) -> list[tuple[str, Frame]]:
    """The pictures of a world's index, with the names of their things."""
    from assistant.index.world_files import read_entities

    return [(e.name, read_frame(path)) for e in read_entities(world) for path, _ in e.images if path.is_file()]


def frames_of(world: Path) -> Iterator[Asked]:
    """Frames of normal quality about one thing; what is in no index included."""
    lines = (world / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {turn["interaction_id"]: turn for turn in map(json.loads, lines)}
    for interaction, frame in frames(world):
        turn = gold[interaction]
        if turn.get("entity") and turn["quality"] == "normal":
            yield Asked(frame, turn["entity"], False)


def spoilt(thing: str, frame: Frame, kinds: Sequence[Any]) -> list[Asked]:
    return [Asked(Frame(degrade(frame.pixels, Degradation(kind, SEVERITY, 7))), thing, True) for kind in kinds]


def vectors_of(pictures: Sequence[tuple[str, Frame]], local: ImageEncoder) -> Vectors:
    encoder, old, new = picture_encoder(), [], []
    for _, frame in pictures:
        features = extract(frame)
        old.append(local.picture_vector(features))
        new.append(thing_vector(encoder, frame, features))
    return Vectors(np.stack(old), np.stack(new), tuple(name for name, _ in pictures))


def joined(parts: Sequence[Vectors]) -> Vectors:
    old, new = (np.concatenate([getattr(part, name) for part in parts]) for name in ("old", "new"))
    return Vectors(old, new, tuple(name for part in parts for name in part.of))


def parts_of(seen: LocalFeatures) -> list[np.ndarray]:
    """The keypoints of each window that shows enough, of the whole frame in any case."""
    x, y = seen.keypoints[:, 0] / seen.width_px, seen.keypoints[:, 1] / seen.height_px
    inside = [np.flatnonzero((x >= w[0]) & (x < w[2]) & (y >= w[1]) & (y < w[3])) for w in WINDOWS]
    return [inside[0], *(part for part in inside[1:] if len(part) >= LEAST_KEYPOINTS)]


def figures_of(asked: Sequence[Asked], gallery: Vectors, local: ImageEncoder) -> dict[str, Any]:
    """Recall at 1 and area under the curve of each vector, clean and spoilt."""
    scores: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    encoder, names = picture_encoder(), np.array(gallery.of)
    for one in asked:
        seen = extract(one.frame)
        old = (local.vectors(seen, parts_of(seen)) @ gallery.old.T).max(axis=0)
        new = (encoder.see(one.frame).vectors(WINDOWS) @ gallery.new.T).max(axis=0)
        right = names == one.thing
        for name, each in (("old", old), ("new", new), ("both", (old + new) / 2)):
            scores["spoilt" if one.spoilt else "clean", name].append((each[right].max(), each[~right].max()))
    found: dict[str, Any] = {}
    for (how, name), pairs in scores.items():
        right, wrong = np.array(pairs).T
        area = float((right[:, None] > wrong[None]).mean())
        found.setdefault(how, {"n": len(pairs)})[name] = {
            "recall_at_1": round(float((right > wrong).mean()), 3),
            "area_under_curve": round(area, 3),
        }
    return found


def count_claims(recogniser: Recogniser, asked: Sequence[Asked], claims: Counter[str]) -> None:
    reader = TextReader(threads=1)
    for one in asked:
        claims["asked"] += 1
        claims["claimed"] += bool(recogniser.decide(one.frame, recogniser.propose(one.frame), reader.read(one.frame)))


def proposed_before(
    local: ImageEncoder, pipeline: SearchPipeline, index: Path, gallery: Vectors
) -> Callable[[Recogniser, Frame], None]:
    """What `Recogniser.propose` did with the vectors of local features."""
    results = {int(result["index"]): result for result in pipeline.pictures(range(len(gallery.of)))}
    votes = ShortList(local, pipeline, FeatureStore(index / "features"))._votes()

    def propose(recogniser: Recogniser, frame: Frame) -> None:
        seen = extract(frame)
        best = (local.vectors(seen, parts_of(seen)) @ gallery.old.T).max(axis=0)
        chosen = few_of_each(dict(enumerate(best.tolist())), results, BY_VECTOR_BEFORE)
        voted = votes.scores(local.local(seen.rootsift))
        left = {row: float(v) for row, v in enumerate(voted) if v > 0 and row not in chosen}
        chosen += few_of_each(left, results, BY_VOTES_BEFORE, taken=chosen)
        list(recogniser._align(frame, seen, chosen, NONE))

    return propose


def time_proposals(
    recogniser: Recogniser,
    before: Callable[[Recogniser, Frame], None],
    asked: Sequence[Asked],
    spent: dict[str, list[float]],
) -> None:
    """In turn, so that what else the machine does falls on both; the first frame warms up."""
    for i, one in enumerate((asked[0], *asked)):
        for name, propose in (("before", lambda f: before(recogniser, f)), ("now", recogniser.propose)):
            begun = time.thread_time()
            propose(one.frame)
            if i:
                spent[name].append(time.thread_time() - begun)
