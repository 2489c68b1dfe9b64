"""Which indexed entities a frame shows, how surely, and where.

`propose` runs beside text reading: a short list (`assistant.recognition.shortlist`), then an alignment of each.
`decide` brings in the text: pictures whose words stand on the frame join the short list, text agreement joins the
measures, and what reaches the shipped threshold is accepted, best first, one per place. Then small things that nothing
accepted explains are looked at more closely (`assistant.recognition.small_objects`). What visitors taught joins both
short lists and passes the same checks; where they decide nothing, it is known by how alike it looks
(`assistant.recognition.likeness`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from assistant.core.types import Candidate, Code, Frame, Polygon, TextLine
from assistant.recognition.alignment import Alignment, align, project, similarities
from assistant.recognition.likeness import ENCODER, Likeness, likenesses
from assistant.recognition.overlap import not_cut_out, within
from assistant.recognition.shortlist import ShortList
from assistant.recognition.small_objects import Island, closer, islands, uncovered
from assistant.recognition.taught_images import NONE, TaughtRows
from assistant.recognition.verify import Measures, Verifier, measure_alignment, text_measures
from assistant.text.agreement import compare, compare_places, other_number, overlap, words_of
from assistant.vision.image_encoder import LEAST_OF_THING, ImageEncoder, extract
from assistant.vision.local_features import FeatureStore, LocalFeatures
from assistant.vision.picture_encoder import WINDOWS, PictureEncoder, Seen, box_of
from assistant.vision.pretrained import Window

if TYPE_CHECKING:
    from assistant.index.raw_search import SearchPipeline

#: Pictures that are aligned because of the words on them.
TEXT_SHORT_LIST = 8
#: Two outlines with more of the smaller in common than this are the same place.
SAME_PLACE = 0.4
#: What is left of a confidence where the same words carry another number: its sibling, however alike.
_OF_OTHER_NUMBER = 0.2


@dataclass(frozen=True, eq=False)
class Aligned:
    """A picture of the short list that has a plausible place on the frame; a negative `index` is a taught one."""

    index: int
    picture: LocalFeatures
    alignment: Alignment
    measures: Measures
    confidence: float = 0.0


@dataclass(frozen=True, eq=False)
class Proposal:
    """What `propose` found. `sight` is the frame as the image encoder saw it, `results` the search results by row of
    the collection.
    """

    seen: LocalFeatures
    sight: Seen
    aligned: tuple[Aligned, ...]
    tried: frozenset[int]
    results: dict[int, dict[str, Any]]
    taught: TaughtRows = NONE


class Recogniser:
    """Finds indexed entities on frames. Holds no state between frames; safe to share between threads."""

    def __init__(
        self,
        encoder: PictureEncoder,
        pipeline: SearchPipeline,
        features: FeatureStore,
        taught: Callable[[], TaughtRows] = lambda: NONE,
    ) -> None:
        """`encoder` is the one that the index was made with; `taught` gives what visitors taught at this moment,
        nothing unless it is handed in.
        """
        local = ImageEncoder.load()
        self._encoder = encoder
        self._taught = taught
        self._pipeline = pipeline
        self._features = features
        self._short_list = ShortList(local, pipeline, features)
        self._verifier = Verifier.load(local.folder)
        self._words = lru_cache(maxsize=None)(lambda index: tuple(words_of(features.texts(index))))

    @property
    def threshold(self) -> float:
        """Confidence from which a candidate is accepted."""
        return self._verifier.threshold

    @property
    def verifier(self) -> Verifier:
        """The model that turns measures into a confidence."""
        return self._verifier

    @property
    def knows(self) -> int:
        """Another number whenever something was taught or forgotten: what was recognised before may be out of date."""
        return self._taught().version

    def propose(self, frame: Frame) -> Proposal:
        """Short list and alignments of one frame, before any text is known."""
        seen, sight = extract(frame), self._encoder.see(frame)
        taught = self._taught()
        short, results = self._short_list.of_frame(seen, sight.vectors(WINDOWS), taught)
        return Proposal(seen, sight, tuple(self._align(frame, seen, short, taught)), frozenset(short), results, taught)

    def candidates(self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine]) -> list[Aligned]:
        """Every aligned picture with its confidence, text included, surest first; nothing is left out."""
        aligned = [*proposal.aligned, *self._by_text(frame, proposal, texts)]
        judged = [self._judged(item, proposal, texts) for item in aligned]
        return sorted(judged, key=lambda item: (-item.confidence, item.index))

    def decide(
        self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine], codes: Sequence[Code] = ()
    ) -> tuple[Candidate, ...]:
        """The entities accepted at the shipped threshold, surest first, at most one for each place on the frame.

        Args:
            frame: the frame that `propose` got.
            proposal: what it returned.
            texts: lines read on the frame.
            codes: bar and QR codes; they do not take part yet, indexed pictures carry none.
        """
        accepted: list[Candidate] = []
        places: list[np.ndarray] = []
        items = self.candidates(frame, proposal, texts)
        self._accept(items, proposal, frame, texts, accepted, places)
        for closely, found in self._seen_closely(frame, proposal, texts, places):
            self._accept(found, closely, frame, texts, accepted, places)
            items += found
        decided = {proposal.taught.row(item.index).name for item in items if item.index < 0}
        self._accept_alike(proposal, frame, decided, accepted, places)
        return tuple(sorted(accepted, key=lambda candidate: -candidate.confidence))

    def considered(self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine]) -> list[Aligned]:
        """Every aligned picture that `decide` looks at, with its confidence: for calibration."""
        items, places = self.candidates(frame, proposal, texts), list[np.ndarray]()
        self._accept(items, proposal, frame, texts, [], places)
        return [*items, *(item for _, found in self._seen_closely(frame, proposal, texts, places) for item in found)]

    def _seen_closely(
        self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine], places: Sequence[np.ndarray]
    ) -> Iterator[tuple[Proposal, list[Aligned]]]:
        """What is found at small things that lie at none of the places, surest first."""
        for island in uncovered(islands(frame.pixels), places) if proposal.tried else ():
            closely = self._look_closely(frame, proposal, island)
            items = [self._judged(item, closely, texts) for item in closely.aligned]
            yield closely, sorted(items, key=lambda item: (-item.confidence, item.index))

    def _accept(
        self,
        items: Sequence[Aligned],
        proposal: Proposal,
        frame: Frame,
        texts: Sequence[TextLine],
        accepted: list[Candidate],
        places: list[np.ndarray],
    ) -> None:
        """Adds what is sure enough, surest first, where nothing was accepted before."""
        for item in items:
            if item.confidence < self.threshold:
                break
            if any(shared(item.alignment.outline, place) > SAME_PLACE for place in places):
                continue
            item = self._surest_on_same_ground(item, items, proposal, frame, texts)
            candidate = self._candidate(item, proposal, frame)
            places.append(item.alignment.outline)
            if candidate is not None and all(candidate.name != other.name for other in accepted):
                accepted.append(candidate)

    def _accept_alike(
        self,
        proposal: Proposal,
        frame: Frame,
        decided: Set[str],
        accepted: list[Candidate],
        places: list[np.ndarray],
    ) -> None:
        """Adds taught things that look alike enough where nothing was accepted before; those whose local features
        found a place were `decided` there: what is printed like them and is not them looks most alike.
        """
        for alike in self.alike(proposal):
            row, place = proposal.taught.row(alike.index), corners_of(alike.window, frame)
            if alike.confidence < self.threshold:
                break
            if row.name in decided or any(shared(place, other) > SAME_PLACE for other in places):
                continue
            places.append(place)
            accepted.append(
                Candidate(
                    name=row.name,
                    confidence=round(alike.confidence, 4),
                    outline_px=on_frame(place, frame),
                    attributes=row.attributes,
                    index=alike.index,
                    image_url=row.image_url,
                )
            )

    def alike(self, proposal: Proposal) -> list[Likeness]:
        """How alike each taught thing is to a part of the frame, surest first; none by another encoder's vectors."""
        if self._encoder.name != ENCODER or not len(proposal.taught):
            return []
        return likenesses(proposal.taught, WINDOWS, proposal.sight.vectors(WINDOWS), self._short_list.nearest)

    def _surest_on_same_ground(
        self,
        item: Aligned,
        items: Sequence[Aligned],
        proposal: Proposal,
        frame: Frame,
        texts: Sequence[TextLine],
    ) -> Aligned:
        """The item, or what lies at its place in a picture that was not cut out, where that is surer when it is."""
        surest = item
        if not_cut_out(item.picture):
            return item
        for rival in items:
            if rival.index == item.index or not not_cut_out(rival.picture):
                continue
            if shared(item.alignment.outline, rival.alignment.outline) <= SAME_PLACE:
                continue
            cut = within(rival.picture, rival.alignment, item.picture, item.alignment)
            if cut is not None:
                measures = measure_alignment(frame, proposal.seen, *cut)
                again = replace(rival, picture=cut[0], alignment=cut[1], measures=measures)
                surest = max(surest, self._judged(again, proposal, texts), key=lambda one: one.confidence)
        return surest

    def _look_closely(self, frame: Frame, proposal: Proposal, island: Island) -> Proposal:
        """Short list and alignments of one island, seen enlarged."""
        seen = closer(frame.pixels, island, proposal.seen.thumbnail)
        if len(seen) < LEAST_OF_THING:
            return replace(proposal, seen=seen, aligned=())
        vector = proposal.sight.vectors([box_of(island.corners, frame.width_px, frame.height_px)])
        short, results = self._short_list.of_part(seen, vector, proposal.taught)
        aligned = tuple(self._align(frame, seen, short, proposal.taught))
        return Proposal(seen, proposal.sight, aligned, frozenset(short), results, proposal.taught)

    def guess(self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine]) -> tuple[Candidate, ...]:
        """The likeliest entity, however unsure: for showing what the threshold is good for, never for measuring."""
        found = (self._candidate(item, proposal, frame) for item in self.candidates(frame, proposal, texts))
        return tuple(candidate for candidate in found if candidate is not None)[:1]

    def _align(self, frame: Frame, seen: LocalFeatures, short: Sequence[int], taught: TaughtRows) -> Iterator[Aligned]:
        pictures = [self._features.get(index) if index >= 0 else taught.row(index).features for index in short]
        for index, picture, similarity in zip(short, pictures, similarities(pictures, seen), strict=True):
            alignment = align(picture, seen, similarity)
            if alignment is not None:
                yield Aligned(index, picture, alignment, measure_alignment(frame, seen, picture, alignment))

    def _by_text(self, frame: Frame, proposal: Proposal, texts: Sequence[TextLine]) -> Iterator[Aligned]:
        """Pictures whose words stand on the frame but that the vectors did not bring up."""
        words = words_of(texts)
        if not words:
            return
        known, joined = frozenset(w.text for w in words), "".join(w.text for w in words)
        scores = {
            i: overlap(self._words(i), known, joined) for i in range(len(self._features)) if i not in proposal.tried
        }
        scores |= proposal.taught.by_text(known, joined, proposal.tried)
        likely = sorted((i for i in scores if scores[i] >= 0.35), key=lambda i: (-scores[i], i))[:TEXT_SHORT_LIST]
        yield from self._align(frame, proposal.seen, likely, proposal.taught)

    def _judged(self, item: Aligned, proposal: Proposal, texts: Sequence[TextLine]) -> Aligned:
        inside = lines_inside(item.alignment.outline, texts)
        words = self._words(item.index) if item.index >= 0 else proposal.taught.row(item.index).words
        agreement = compare(words, words_of(inside))
        there = mapped_back(item.alignment, inside)
        in_place, clash = compare_places(item.picture.texts, there)
        agreement = replace(agreement, in_place=in_place, clash=clash)
        measures = replace(item.measures, **text_measures(agreement))
        confidence = self._verifier.confidence(measures)
        if other_number(item.picture.texts, there):
            confidence *= _OF_OTHER_NUMBER
        return replace(item, measures=measures, confidence=confidence)

    def _candidate(self, item: Aligned, proposal: Proposal, frame: Frame) -> Candidate | None:
        if item.index < 0:
            row = proposal.taught.row(item.index)
            outline = on_frame(item.alignment.outline, frame)
            return Candidate(row.name, round(item.confidence, 4), outline, row.attributes, item.index, row.image_url)
        result = proposal.results.get(item.index) or next(iter(self._pipeline.pictures([item.index])), None)
        if result is None or not result["entities"]:
            return None
        entity = result["entities"][0]
        return Candidate(
            name=entity["entity_name"],
            confidence=round(item.confidence, 4),
            outline_px=on_frame(item.alignment.outline, frame),
            attributes=entity["entity_attributes"] or {},
            index=item.index,
            image_url=result["url"],
        )


def lines_inside(outline: np.ndarray, texts: Sequence[TextLine]) -> list[TextLine]:
    """The lines whose middle lies inside the outline."""
    border = outline.astype(np.float32)
    inside = []
    for line in texts:
        x, y = np.mean(np.asarray(line.outline_px, float), axis=0)
        if cv2.pointPolygonTest(border, (float(x), float(y)), False) >= 0:
            inside.append(line)
    return inside


def mapped_back(alignment: Alignment, lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines of the frame with their outlines in the indexed picture's pixels."""
    back = np.linalg.inv(alignment.homography)
    return [
        replace(
            line, outline_px=tuple((float(x), float(y)) for x, y in project(back, np.asarray(line.outline_px, float)))
        )
        for line in lines
    ]


def shared(a: np.ndarray, b: np.ndarray) -> float:
    """Area two convex outlines have in common, as a share of the smaller."""
    a, b = a.astype(np.float32), b.astype(np.float32)
    smaller = min(float(cv2.contourArea(a)), float(cv2.contourArea(b)))
    common, _ = cv2.intersectConvexConvex(a, b)
    return float(common) / smaller if smaller > 0 else 0.0


def corners_of(window: Window, frame: Frame) -> np.ndarray:
    """(4, 2) float32, clockwise: a window in the frame's pixels."""
    left, top, right, bottom = window
    shares = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return np.asarray(shares * np.array([frame.width_px, frame.height_px], np.float32))


def on_frame(outline: np.ndarray, frame: Frame) -> Polygon:
    """The part of a convex outline that lies on the frame."""
    border = np.array(
        [[0, 0], [frame.width_px, 0], [frame.width_px, frame.height_px], [0, frame.height_px]], np.float32
    )
    area, clipped = cv2.intersectConvexConvex(outline.astype(np.float32), border)
    points = outline if area <= 0 or clipped is None else clipped.reshape(-1, 2)
    inside = (outline >= 0).all() and (outline <= (frame.width_px, frame.height_px)).all()
    if inside:
        points = outline  # keep the corners in the picture's own order
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)
