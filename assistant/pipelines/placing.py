"""Pictures between the sentences of an answer: which evidence a placeholder means, what is said under the picture, and
where a picture fits best.

The mechanism that every pipeline shares. A placeholder that means no picture among the evidence is dropped, and so is
the second one of a picture. What stands under a picture is the model's caption where the evidence carries it, or where
the model has seen the picture and says so; else the caption that the picture came with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assistant.core.placeholders import placeholder
from assistant.core.types import Evidence, Sentence
from assistant.models.sentences import Said
from assistant.pipelines.evidence_lines import gives_orders
from assistant.pipelines.sentence_check import Basis, grounded
from assistant.text.english import plain

CAPTION_CHARS = 160
#: MiniLM's cosine between a sentence and a caption; a picture that is less like every sentence is not shown. Stated,
#: not fitted: in two hand-written how-tos pictures of a step were at 0.3 to 0.7 to it, of anything else below 0.26.
LEAST_LIKENESS = 0.35
_PSEUDO_URL = re.compile(r"\W*(?:(?:piece|evidence)\W*)?(\d{1,3})\W*", re.IGNORECASE)


def number_of(pseudo_url: str) -> int | None:
    """The number of the evidence that a placeholder names ("piece-3"); None for anything else."""
    found = _PSEUDO_URL.fullmatch(pseudo_url)
    return int(found[1]) if found is not None else None


def named_by(said: Said, pieces: Sequence[Evidence]) -> Evidence | None:
    """The picture that a placeholder means; `pieces` are numbered from 1."""
    number = number_of(said.picture or "")
    if number is None or not 1 <= number <= len(pieces) or pieces[number - 1].kind != "picture":
        return None
    return pieces[number - 1]


def as_placed(piece: Evidence, caption: str = "", basis: Basis | None = None, *, check: bool = True) -> Sentence:
    """The picture as it stands in an answer.

    Args:
        piece: the picture.
        caption: the model's, "" for the evidence's own.
        basis: what the model was shown, where it wrote the caption.
        check: whether its caption has to be carried by the evidence.
    """
    caption, own = plain(caption, CAPTION_CHARS), plain(piece.text or piece.title or "", CAPTION_CHARS)
    sentence = None
    if caption and caption != own and basis is not None and not gives_orders(caption):
        said = Said(caption, (basis.pieces.index(piece) + 1,))
        sentence = grounded(said, basis, check=check)[0]
    words, ground = (caption, sentence.ground) if sentence is not None else (own, "evidence")
    return Sentence(placeholder(words, piece.source), (piece.id,), ground, picture=piece.id)


def woven(sentences: Sequence[Sentence], behind: Mapping[int, Sequence[Sentence]]) -> list[Sentence]:
    """The sentences with pictures behind them; `behind` goes by the places of the sentences, from 0."""
    return [part for n, sentence in enumerate(sentences) for part in (sentence, *behind.get(n, ()))]


def by_likeness(
    sentences: Sequence[Sentence],
    pictures: Sequence[Evidence],
    encode: Callable[[Sequence[str]], np.ndarray],
    least: float = LEAST_LIKENESS,
) -> dict[int, list[Evidence]]:
    """The place of the sentence → the picture whose caption is most like it, the likest pair first.

    One picture for a sentence and one sentence for a picture; pictures without a word stay out.
    """
    told = [piece for piece in pictures if piece.text or piece.title]
    if not told or not sentences:
        return {}
    texts = encode([sentence.text for sentence in sentences])
    likeness = texts @ encode([plain(piece.text or piece.title or "", 400) for piece in told]).T
    places: dict[int, list[Evidence]] = {}
    while likeness.max() >= least:
        n, m = (int(i) for i in np.unravel_index(int(likeness.argmax()), likeness.shape))
        places[n] = [told[m]]
        likeness[n, :] = likeness[:, m] = -np.inf
    return places
