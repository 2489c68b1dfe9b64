"""A folder of Markdown pages and questions: what is said, what is shown, what is left out and told."""

from __future__ import annotations

import json

import pytest
from PIL import Image, ImageEnhance

from assistant.core.errors import BadInput
from eval.data.datasets import load
from eval.data.m2rag.markdown import read_page
from tests.eval.data.m2rag.made import _encoded, animated, drawn, picture

PAGE = """---
author: nobody
---
# Folding a *plane*

[Home](/) · [Shop](/shop) · [About us](/about)

Fold the [sheet](https://x.invalid) in half. ![the sheet, folded](img/a.png) Then turn it.

<script>document.write("buy")</script>
<p>Wings: <img src='img/b.png' alt="wing tips"></p>

- First, press the edge.
- Then let go.

| part | length |
|---|---|
| wing | 9 cm |

![](img/small.png) ![b](img/broken.png)

![](img/moving.gif) ![](../out.png) ![far](https://pictures.invalid/far.png)

## See also

- [Boats](/boats)
- [Hats](/hats)
- [Kites](/kites)
"""


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "own"
    (made / "img").mkdir(parents=True)
    (made / "plane.md").write_text(PAGE)
    (made / "img/a.png").write_bytes(picture(11))
    (made / "img/b.png").write_bytes(picture(12))
    (made / "img/small.png").write_bytes(picture(13, (40, 40)))
    (made / "img/broken.png").write_bytes(picture(14)[:300])
    (made / "img/moving.gif").write_bytes(animated())
    (tmp_path / "out.png").write_bytes(picture(15))
    write(made, {"query": "how do I fold a plane?", "topic": "Crafts"})
    return made


def write(folder, *rows):
    (folder / "questions.jsonl").write_text("\n".join(json.dumps(row) for row in rows))


def pieces_of(data, n=0):
    return data.samples[n].turns[0].pieces()


def test_pages_become_passages_and_pictures_without_navigation_and_html(folder):
    data = load(str(folder))
    assert data.benchmark == "m2rag"
    assert data.samples[0].turns[0].domain == "Crafts"
    assert [(piece.kind, piece.source, piece.text) for piece in pieces_of(data)] == [
        ("passage", "plane.md", "Folding a plane\nFold the sheet in half."),
        ("picture", "img/a.png", "the sheet, folded"),
        ("passage", "plane.md", "Then turn it."),
        ("picture", "img/b.png", "wing tips"),
        (
            "passage", "plane.md",
            "First, press the edge.\nThen let go.\npart | length\nwing | 9 cm",
        ),
    ]  # fmt: skip
    assert {piece.title for piece in pieces_of(data)} == {"Folding a plane"}
    assert pieces_of(data)[1].picture.read() == picture(11)


def test_pictures_that_cannot_be_used_are_told_with_page_and_line(folder):
    told = {(row.row, row.why) for row in load(str(folder)).unusable}
    assert told == {
        (20, "the picture 'img/small.png' is too small (40x40 pixels): the picture is left out"),
        (20, "the picture 'img/broken.png' cannot be read: the picture is left out"),
        (22, "the picture 'img/moving.gif' is animated: the picture is left out"),
        (22, "there is no picture '../out.png' in the folder: the picture is left out"),
        (22, "the picture behind 'https://pictures.invalid/far.png' is not at hand: the picture is left out"),
    }
    assert {row.source for row in load(str(folder)).unusable} == {"own/plane.md"}


def test_the_second_picture_in_a_phone_s_photo_is_no_film(folder):
    drawn(13).save(folder / "img/phone.jpg", "MPO", save_all=True, append_images=[drawn(14)])
    (folder / "plane.md").write_text("A photo. ![the wing](img/phone.jpg)")
    data = load(str(folder))
    assert [piece.source for piece in pieces_of(data) if piece.kind == "picture"] == ["img/phone.jpg"]
    assert data.unusable == ()


def test_addresses_that_name_no_picture_are_told_and_stand_in_no_passage(folder):
    (folder / "plane.md").write_text(
        "Fold. ![a](file:///etc/passwd) ![b](javascript:alert(1)) [home](javascript:x) on."
    )
    data = load(str(folder))
    assert [piece.text for piece in pieces_of(data)] == ["Fold.", "home on."]
    assert [row.why for row in data.unusable] == [
        "there is no picture 'file:///etc/passwd' in the folder: the picture is left out",
        "there is no picture 'javascript:alert(1)' in the folder: the picture is left out",
    ]


def test_a_page_that_lies_elsewhere_is_none_of_the_folder(folder, tmp_path):
    (tmp_path / "secret.md").write_text("secret")
    (folder / "linked.md").symlink_to(tmp_path / "secret.md")
    assert all("secret" not in piece.text for piece in pieces_of(load(str(folder))))


def test_a_page_named_twice_is_handed_once_and_an_empty_topic_is_none(folder):
    write(folder, {"query": "q", "pages": ["plane.md", "plane.md"], "topic": " "}, {"query": "q2"})
    data = load(str(folder))
    assert len(pieces_of(data, 0)) == len(pieces_of(data, 1)) == 5
    assert data.samples[0].turns[0].domain is None


def test_a_picture_too_large_is_told(folder):
    Image.new("RGB", (2500, 2000)).save(folder / "img/small.png")
    why = [row.why for row in load(str(folder)).unusable if "small.png" in row.why]
    assert why == ["the picture 'img/small.png' is too large (2500x2000 pixels): the picture is left out"]


def test_pictures_that_look_alike_are_handed_once(folder):
    again = ImageEnhance.Brightness(drawn(11).resize((240, 180))).enhance(1.1)
    (folder / "img/again.jpg").write_bytes(_encoded(again, "JPEG"))
    (folder / "more.md").write_text("More. ![again](img/again.jpg) ![other](img/other.png)")
    (folder / "img/other.png").write_bytes(picture(16))
    write(folder, {"query": "q", "pages": ["plane.md", "more.md"]}, {"query": "p", "pages": ["more.md"]})
    data = load(str(folder))
    shown = [[piece.source for piece in pieces_of(data, n) if piece.kind == "picture"] for n in (0, 1)]
    assert shown == [["img/a.png", "img/b.png", "img/other.png"], ["img/again.jpg", "img/other.png"]]


def test_a_picture_without_words_is_captioned_by_the_text_before_it(folder):
    (folder / "plane.md").write_text(
        '# T\n\nThe tail goes up.\n\n![IMG_01.png](img/a.png)\n\n![](img/b.png "the nose")'
    )
    assert [p.text for p in pieces_of(load(str(folder))) if p.kind == "picture"] == ["The tail goes up.", "the nose"]


def test_pictures_behind_urls_are_taken_from_a_folder_of_them(folder):
    import hashlib

    kept = folder / "urlcache" / hashlib.sha256(b"https://pictures.invalid/far.png").hexdigest()
    kept.parent.mkdir()
    kept.write_bytes(picture(17))
    found = {p.source: p for p in pieces_of(load(str(folder)))}
    assert found["https://pictures.invalid/far.png"].picture.read() == picture(17)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"query": ""}, "line 2 of 'questions.jsonl' has '' as 'query'"),
        ({"query": "q", "pages": "plane.md"}, "has 'plane.md' as 'pages'"),
        ({"query": "q", "pages": ["lost.md"]}, "names the page 'lost.md' under 'pages'"),
        (["q"], "is list, not an object"),
    ],
)
def test_a_question_of_another_shape_is_refused_with_its_line_and_key(folder, row, told):
    write(folder, {"query": "q"}, row)
    with pytest.raises(BadInput, match=r"line 2 of 'questions.jsonl'") as problem:
        load(str(folder))
    assert told in str(problem.value)


def test_a_page_that_is_no_text_is_refused_by_name(folder):
    (folder / "plane.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"'plane.md', which cannot be read"):
        load(str(folder))


def test_odd_markdown_is_read():
    assert read_page("").items == ()
    hidden = read_page("<!-- <img src=x.png> -->\n\n<style>p {}</style>\n\n![](")
    assert hidden.items == ("![](",)
    page = read_page("a <script>b</script> c <img alt='&lt;d&gt;' src=e.png> [f](javascript:g)\0")
    assert [item if isinstance(item, str) else (item.address, item.alt) for item in page.items] == [
        "a c",
        ("e.png", "<d>"),
        "f",
    ]
