"""What a question of M2RAG is handed of its pages: the parts and the pictures that fit it best, in their order.

Released rows score every part and picture, 0 to 10, against the question. They are picked as the repository's own
configuration does (github.com/maziao/M2RAG, `src/config/watcher_config/summarize_mllm.yaml`, read in November 2026):
scored 3 at least, twenty parts and five pictures of a page, five pictures of no page, ten pictures in all; a picture
whose part is left out goes with it.

Pages of one's own have no scores. Their parts are compared with the question by the text encoder, their pictures by
captions, and by what they show where an encoder of open_clip is at hand (VITRINE_CLIP): the two similarities add up,
and a picture goes that is nearer to an advertisement or a logo than to the question and its own caption. What is hardly
alike (a cosine below 0.15) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from assistant.core.errors import BadImage, NotReady
from assistant.core.types import Evidence
from eval.data.m2rag.pieces import AUXILIARY, page_of, part_of
from eval.data.pieces import Piece
from eval.data.samples import SampleTurn

if TYPE_CHECKING:
    import numpy as np

#: What pictures that say nothing show.
_IDLE = ("a logo", "an advertisement", "an icon or a button", "a portrait of the author of a web page")


class TextSpace(Protocol):
    """Texts as unit vectors."""

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


class PictureSpace(Protocol):
    """Pictures and texts as unit vectors of one space."""

    def pictures(self, pictures: Sequence[np.ndarray]) -> np.ndarray: ...

    def texts(self, words: Sequence[str]) -> np.ndarray: ...


@dataclass(frozen=True)
class Limits:
    """How much is handed over.

    least: of a part's or picture's released score, 0 to 1. alike: of the cosine between question and text, where there
    is no score. pages: so many, those with the best part, where there is no score. parts, page_pictures: of one page.
    auxiliary: pictures of no page. pictures: in all.
    """

    least: float = 0.3
    alike: float = 0.15
    pages: int = 10
    parts: int = 20
    page_pictures: int = 5
    auxiliary: int = 5
    pictures: int = 10


USUAL = Limits()


def evidence_for(turn: SampleTurn, window: str | None = None) -> tuple[Evidence, ...]:
    """What a turn is handed; `window` is of no matter here. See `picked`."""
    return evidence_of(picked(turn, encoder=_encoder(), clip=_clip()))


def evidence_of(pieces: Iterable[Piece]) -> tuple[Evidence, ...]:
    """Pieces as an agent gets them; a picture that cannot be read is left out."""
    found = []
    for piece in pieces:
        try:
            found.append(piece.evidence())
        except BadImage:
            continue
    return tuple(found)


def picked(
    turn: SampleTurn, *, encoder: TextSpace, clip: PictureSpace | None = None, limits: Limits = USUAL
) -> list[Piece]:
    """The pieces that a turn is handed, in the order of their pages.

    Args:
        turn: with its pieces; one without is handed nothing.
        encoder: compares texts, where the data score nothing.
        clip: compares pictures with texts; None where there is no such encoder.
        limits: how much.
    """
    pieces = list(turn.pieces()) if turn.pieces is not None else []
    texts, pictures = _kinds(pieces)
    if any(piece.score is not None for piece in pieces):
        scores = {piece.id: piece.score for piece in pieces if piece.score is not None}
        least = limits.least
    else:
        scores = {
            **_alike(turn.query, texts, encoder),
            **_pictured(turn.query, pictures, encoder, clip),
        }
        least, pages = limits.alike, _best(texts, page_of, scores, limits.pages)
        texts = [piece for piece in texts if page_of(piece) in pages]
    # 1e-9: 3 of 10 is not to fall out for how it is written in binary
    texts = [piece for piece in texts if scores.get(piece.id, 0.0) >= least - 1e-9]
    pictures = [piece for piece in pictures if scores.get(piece.id, 0.0) >= least - 1e-9]
    parts = {part for page in _groups(texts, page_of).values() for part in _best(page, part_of, scores, limits.parts)}
    kept: list[Piece] = []
    for page, of_page in _groups(pictures, page_of).items():
        most = limits.auxiliary if page == AUXILIARY else limits.page_pictures
        here = [piece for piece in of_page if page == AUXILIARY or part_of(piece) in parts]
        kept += sorted(here, key=lambda piece: -scores[piece.id])[:most]
    order = {piece.id: n for n, piece in enumerate(pieces)}
    kept.sort(key=lambda piece: order[piece.id])
    shown = {piece.id for piece in sorted(kept, key=lambda piece: -scores[piece.id])[: limits.pictures]}
    told = {piece.id for piece in texts if part_of(piece) in parts}
    return [piece for piece in pieces if piece.id in (shown if piece.kind == "picture" else told)]


def _kinds(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    return (
        [piece for piece in pieces if piece.kind != "picture"],
        [piece for piece in pieces if piece.kind == "picture"],
    )


def _groups(pieces: Sequence[Piece], of: Callable[[Piece], str]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(of(piece), []).append(piece)
    return found


def _best(pieces: Sequence[Piece], of: Callable[[Piece], str], scores: Mapping[str, float], most: int) -> set[str]:
    """The groups with the best piece, at most so many."""
    tops = {name: max(scores.get(piece.id, 0.0) for piece in group) for name, group in _groups(pieces, of).items()}
    return set(sorted(tops, key=lambda name: -tops[name])[:most])


def _alike(query: str, pieces: Sequence[Piece], encoder: TextSpace) -> dict[str, float]:
    """Cosine of the question and what a piece says."""
    if not pieces:
        return {}
    vectors = encoder.encode([query, *(piece.text for piece in pieces)])
    return dict(zip((piece.id for piece in pieces), (vectors[1:] @ vectors[0]).tolist(), strict=True))


def _pictured(query: str, pieces: Sequence[Piece], encoder: TextSpace, clip: PictureSpace | None) -> dict[str, float]:
    """How well pictures fit by their captions, and by what they show; those that show nothing to the matter are out."""
    scores = _alike(query, pieces, encoder)
    if clip is None:
        return scores
    words = clip.texts([query, *_IDLE])
    for piece in pieces:
        pixels = _pixels(piece)
        if pixels is None:
            continue
        seen = clip.pictures([pixels])[0]
        asked, idle = float(seen @ words[0]), float((words[1:] @ seen).max())
        said = float(seen @ clip.texts([piece.text])[0]) if piece.text else asked
        if max(asked, said) < idle:
            del scores[piece.id]
        else:
            scores[piece.id] += asked
    return scores


def _pixels(piece: Piece) -> np.ndarray | None:
    from assistant.vision.frame import read_frame

    try:
        return read_frame(piece.picture.read()).pixels if piece.picture is not None else None
    except BadImage:
        return None


def _encoder() -> TextSpace:
    from assistant.text.encoder import text_encoder

    return text_encoder()


@lru_cache(maxsize=1)
def _clip() -> PictureSpace | None:
    """The encoder of open_clip, where its weights are on the disk."""
    from assistant.settings import read_settings
    from assistant.vision.open_clip_encoder import OpenClipEncoder

    try:
        folder = read_settings(profile="embedded").clip_dir
        return OpenClipEncoder(folder) if folder is not None else None
    except NotReady:
        return None
