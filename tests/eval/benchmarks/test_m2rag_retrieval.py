"""What a question of M2RAG is handed: by released scores, and by likeness where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.text.encoder import text_encoder
from eval.benchmarks.m2rag_retrieval import Limits, evidence_for, evidence_of, picked
from eval.data.datasets import load
from eval.data.pictures import CarriedPicture
from eval.data.pieces import Piece
from eval.data.samples import SampleTurn
from tests.eval.data.m2rag.made import image, picture, row, write_rows


class Refusing:
    """An encoder that must not be asked."""

    def encode(self, texts):
        raise AssertionError("rows with scores need no encoder")


def turn(pieces, query="how do I fold a paper plane?"):
    return SampleTurn("1", 0, query, "", pieces=lambda: pieces)


def part(n, score, page=0, kind="passage", number=0):
    mark = "t" if kind == "passage" else "i"
    where = "aux" if page is None else f"w{page}/s{n}"
    return Piece(f"{where}/{mark}{number}", "page", kind, f"u{page}-{n}-{number}", f"{kind} {n}", score=score)


def ids(pieces):
    return [piece.id for piece in pieces]


def test_parts_and_pictures_below_3_of_10_are_left_out_and_pictures_with_their_part(tmp_path):
    made = row()
    made["webpages"][0]["images"].append(image(3, 1, 2))
    found = picked(load(str(write_rows(tmp_path, made))).samples[0].turns[0], encoder=Refusing())
    assert [piece.text for piece in found] == [
        "Fold it.", "picture 0 shows step 0", "Turn it.", "picture 1 shows step 1", "Press it.", "Now throw the plane.",
        "picture 7 shows step 7",
    ]  # fmt: skip


def test_the_best_are_taken_and_their_order_stays():
    texts = [part(n, score) for n, score in enumerate((0.5, 0.9, 0.3, 0.7))]
    pictures = [part(1, score, kind="picture", number=n) for n, score in enumerate((0.4, 0.8, 0.6, 0.9))]
    alone = [part(0, score, None, "picture", n) for n, score in enumerate((0.7, 1.0))]
    limits = Limits(parts=2, page_pictures=3, auxiliary=1, pictures=3)
    found = picked(turn([texts[0], texts[1], *pictures, *texts[2:], *alone]), encoder=Refusing(), limits=limits)
    # of the page the parts 1 and 3, its pictures 1, 2 and 3; the better one of no page; of these four the best three
    assert ids(found) == ["w0/s1/t0", "w0/s1/i1", "w0/s1/i3", "w0/s3/t0", "aux/i1"]


def test_of_equal_scores_the_first_are_taken():
    pieces = [part(0, 0.9), *(part(0, 0.8, kind="picture", number=n) for n in range(7))]
    assert ids(picked(turn(pieces), encoder=Refusing())) == ["w0/s0/t0", *(f"w0/s0/i{n}" for n in range(5))]


def test_scores_go_along_as_shares_and_unreadable_pictures_stay_behind(tmp_path):
    path = write_rows(tmp_path, row())
    (tmp_path / "images/set/q/7.png").write_bytes(b"")
    found = evidence_for(load(str(path)).samples[0].turns[0])
    shown = [(piece.source, piece.score, piece.picture is not None) for piece in found if piece.kind == "picture"]
    assert [score for _, score, _ in shown] == [0.9, 0.4, 0.8]
    assert [has for _, _, has in shown] == [True, False, True]
    (tmp_path / "images/set/q/7.png").unlink()
    assert len(evidence_of([part(0, 0.5)])) == 1


def test_without_scores_what_is_alike_is_taken():
    said = ["Fold the sheet of paper in half to make a plane.", "Interest rates rose again in March."]
    pieces = [Piece(f"w0/s{n}/t0", "page", "passage", "p", text) for n, text in enumerate(said)]
    pieces += [
        Piece("w0/s0/i0", "page", "picture", "a", "folding the wings of a paper plane"),
        Piece("w0/s0/i1", "page", "picture", "b", "the central bank's building"),
    ]
    found = picked(turn(pieces), encoder=text_encoder())
    assert ids(found) == ["w0/s0/t0", "w0/s0/i0"]
    assert {piece.score for piece in evidence_of(found)} == {0.0}


class ByColour:
    """A space of red, green and blue: pictures by their mean colour, words by the colour that they name."""

    def pictures(self, pictures):
        return np.stack([self._unit(pixels.reshape(-1, 3).mean(axis=0)) for pixels in pictures])

    def texts(self, words):
        return np.stack([self._unit([("red" in w), ("green" in w), ("logo" in w or "adv" in w)]) for w in words])

    def _unit(self, vector):
        vector = np.asarray(vector, float) + 1e-6
        return vector / np.linalg.norm(vector)


class Same:
    def encode(self, texts):
        return np.ones((len(texts), 1), np.float32)


def coloured(rgb):
    import io

    from PIL import Image

    target = io.BytesIO()
    Image.new("RGB", (120, 120), rgb).save(target, "PNG")
    return CarriedPicture(target.getvalue())


def test_what_pictures_show_counts_where_an_encoder_is_at_hand():
    colours = {"r": (250, 5, 0), "g": (5, 250, 0), "ad": (0, 5, 250)}
    pieces = [Piece("w0/s0/t0", "page", "passage", "p", "text")]
    pieces += [
        Piece(f"w0/s0/i{n}", "page", "picture", name, "a thing", picture=coloured(rgb))
        for n, (name, rgb) in enumerate(colours.items())
    ]
    limits = Limits(page_pictures=2)
    found = picked(turn(pieces, "what is red?"), encoder=Same(), clip=ByColour(), limits=limits)
    assert [piece.source for piece in found] == ["p", "r", "g"]
    found = picked(turn(pieces, "what is red?"), encoder=Same(), clip=ByColour(), limits=Limits(page_pictures=1))
    assert [piece.source for piece in found] == ["p", "r"]


def test_a_turn_without_pieces_is_handed_nothing():
    assert evidence_for(SampleTurn("1", 0, "q", "")) == ()
    assert picked(turn([]), encoder=Refusing()) == []


@pytest.mark.parametrize("seed", range(3))
def test_pictures_are_handed_as_they_are(seed):
    data = picture(seed)
    (found,) = evidence_of([Piece("aux/i0", "page", "picture", "u", "c", picture=CarriedPicture(data), score=0.5)])
    assert (found.picture, found.score, found.kind) == (data, 0.5, "picture")
