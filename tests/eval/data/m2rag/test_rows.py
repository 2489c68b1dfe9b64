"""Rows of M2RAG as released: what becomes of them, and which are refused with line and key."""

from __future__ import annotations

import json

import pytest

from assistant.core.errors import BadInput
from eval.data.datasets import Reading, load
from tests.eval.data.m2rag.made import URL, image, row, write_rows


def turn_of(data):
    return data.samples[0].turns[0]


def test_a_row_becomes_a_question_with_pages_and_pictures_in_their_order(tmp_path):
    data = load(str(write_rows(tmp_path, row(topic="Crafts"))))
    assert data.benchmark == "m2rag"
    assert data.samples[0].picture is None
    turn = turn_of(data)
    assert (turn.interaction_id, turn.query, turn.ground_truth) == ("1", "how do I fold a paper plane?", "")
    assert turn.domain == "Crafts"
    pieces = turn.pieces()
    assert [(piece.kind, piece.text, piece.score) for piece in pieces] == [
        ("passage", "Fold it.", 0.9),
        ("picture", "picture 0 shows step 0", 0.9),
        ("passage", "Turn it.", 0.9),
        ("picture", "picture 1 shows step 1", 0.4),
        ("passage", "Press it.", 0.9),
        ("passage", "Now throw the plane.", 0.5),
        ("passage", "Buy our pens.", 0.1),
        ("picture", "picture 2 shows step 2", 0.8),
        ("picture", "picture 7 shows step 7", 0.8),
    ]
    assert {piece.source for piece in pieces if piece.kind == "passage"} == {f"{URL}/planes"}
    first, second = pieces[1], pieces[3]
    assert (first.source, first.title, first.role) == (f"{URL}/q/webpage-0/0.png", "Paper planes", "page")
    assert first.picture is not None
    assert first.picture.read() == (tmp_path / "images/set/q/webpage-0/0.png").read_bytes()
    assert second.picture is None  # its file is nowhere, and nobody allowed the network


def test_without_pictures_captions_stay(tmp_path):
    data = load(str(write_rows(tmp_path, row())), reading=Reading(pictures=False))
    pictures = [piece for piece in turn_of(data).pieces() if piece.kind == "picture"]
    assert len(pictures) == 4
    assert all(piece.picture is None and piece.text for piece in pictures)


def test_pictures_that_the_rows_say_are_of_no_use_are_left_out(tmp_path):
    useless = [
        image(3, 0, None), image(4, 0, 9, valid=False), image(5, 0, 9, detailed_image_caption=None),
        image(6, None, 9, split_id=None),
    ]  # fmt: skip
    made = row()
    made["webpages"][0]["images"] += useless
    made["aux_images"] = [image(7, None, None)]
    pictures = [p.text for p in turn_of(load(str(write_rows(tmp_path, made)))).pieces() if p.kind == "picture"]
    assert pictures == [f"picture {n} shows step {n}" for n in (0, 1, 2)]


def test_every_picture_of_a_question_has_an_address_of_its_own(tmp_path):
    made = row(aux_images=[image(7, None, 8, image_url=f"{URL}/q/webpage-0/0.png"), image(8, None, 8, image_url="a b")])
    sources = [p.source for p in turn_of(load(str(write_rows(tmp_path, made)))).pieces() if p.kind == "picture"]
    assert sources[0] == f"{URL}/q/webpage-0/0.png"
    assert sources[3:] == ["http://0.0.0.0:1/set/q/7.png", "http://0.0.0.0:1/set/q/8.png"]
    assert len(set(sources)) == len(sources)


def test_a_long_part_is_cut_where_a_model_would_be_shown_no_more(tmp_path):
    made = row()
    made["webpages"][0]["cleaned_webpage_splits"] = [
        {"split_id": 0, "text": "\n".join(f"Line {n} says that step {n} is easy." for n in range(60)), "score": 9}
    ]
    texts = [p.text for p in turn_of(load(str(write_rows(tmp_path, made)))).pieces() if p.kind == "passage"]
    assert len(texts) == 3
    assert all(len(text) <= 700 for text in texts)
    assert "\n".join(texts).split("\n") == [f"Line {n} says that step {n} is easy." for n in range(60)]


def test_questions_of_level_1_are_asked_and_others_where_there_are_no_such(tmp_path):
    rows = [row(1), row(2, level=2), row("c", level=3)]
    assert [s.session_id for s in load(str(write_rows(tmp_path, *rows))).samples] == ["1"]
    assert [s.session_id for s in load(str(write_rows(tmp_path, *rows[1:]))).samples] == ["2", "c"]


def test_a_json_list_of_rows_is_read_too(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([row(1), row(2)]))
    from eval.data.m2rag.rows import M2RAG_ROWS
    from tests.eval.data.m2rag.sources import source

    samples = list(M2RAG_ROWS.read(path, source(path)))
    assert [len(sample.turns[0].pieces()) for sample in samples] == [9, 9]


def change(**changes):
    made = row(2)
    page = made["webpages"][0]
    page.update({key: value for key, value in changes.items() if key in ("title", "images", "cleaned_webpage_splits")})
    made.update({key: value for key, value in changes.items() if key not in page})
    return made


WRONG = [
    ([1], "is list, not an object"),
    (change(query_id=None), "None as 'query_id'"),
    (change(content=" "), "' ' as 'content'"),
    (change(level="1"), "'1' as 'level'"),
    (change(webpages={}), "{} as 'webpages'"),
    (change(webpages=["x"]), "'webpages' 0 is str"),
    (change(title=3), "'webpages' 0 has 3 as 'title'"),
    (change(cleaned_webpage_splits="x"), "'webpages' 0 has 'x' as 'cleaned_webpage_splits'"),
    (change(cleaned_webpage_splits=[{"text": 1}]), "'cleaned_webpage_splits' 0 has 1 as 'text'"),
    (change(cleaned_webpage_splits=[{"text": "x", "score": 11}]), "has 11 as 'score': a number from 0 to 10"),
    (change(aux_images=[image(0, None, "8")]), "'aux_images' 0 has '8' as 'final_score'"),
    (change(images=[image(0, 0, True)]), "has True as 'final_score'"),
    (change(images=[image(0, 0, 3, image_url=["u"])]), "has ['u'] as 'image_url'"),
    (change(images=[image("0", 0, 3)]), "'images' 0 has '0' as 'image_id'"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG, ids=[told for _, told in WRONG])
def test_a_row_of_another_shape_is_refused_with_its_line_and_key(tmp_path, wrong, told):
    with pytest.raises(BadInput) as problem:
        load(str(write_rows(tmp_path, row(1), wrong)))
    assert "line 2 of 'dev_set.jsonl'" in str(problem.value)
    assert told in str(problem.value)


def test_a_line_that_breaks_off_is_refused(tmp_path):
    path = write_rows(tmp_path, row(1))
    with path.open("a") as file:
        file.write('{"query_id": 2, "content')
    with pytest.raises(BadInput, match=r"line 2 of .* is not JSON"):
        load(str(path))


def test_no_path_leads_out_of_the_folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    made = row(aux_images=[image(7, None, 8, cached_image_url="http://0.0.0.0:1/a/../../secret.png")])
    pieces = turn_of(load(str(write_rows(tmp_path / "data", made)))).pieces()
    assert pieces[-1].text == "picture 7 shows step 7"
    assert pieces[-1].picture is None
