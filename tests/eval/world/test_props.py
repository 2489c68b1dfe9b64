"""Objects to print, and the words that a user may change."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.world import props, seeds
from eval.world.content.pages import PageWriter
from eval.world.content.questions import Asker
from eval.world.content.region import make_region
from eval.world.drawing.kit.canvas import FontBox
from eval.world.vocabulary import bundled, load_vocabulary


def run(*arguments: str) -> int:
    return main("python -m eval", {"world": COMMANDS["world"]}, ["world", *arguments])


@pytest.fixture(scope="module")
def chosen() -> list[props.Prop]:
    vocabulary = load_vocabulary()
    region = make_region(12, 200, None, vocabulary)
    region.pages = PageWriter(12, region, vocabulary).write_all()
    stranger = make_region(13, 60, 0.5, vocabulary)
    return props.choose_props(12, region, stranger, Asker(region, vocabulary.phrasings))


def test_there_are_24_objects_of_every_form_and_four_are_unknown(chosen) -> None:
    assert len(chosen) == 24
    assert {f: sum(p.form == f for p in chosen) for f in props.FORMS} == props.FORMS
    assert sum(not p.known for p in chosen) == 4
    assert len({p.thing.name for p in chosen}) == 24
    families = [p.thing.family for p in chosen if p.known]
    assert len(families) - len(set(families)) >= 4  # look-alikes
    signs = [p.thing.content["form"] for p in chosen if p.thing.kind == "notice"]
    assert len(signs) == len(set(signs)) >= 3


def test_what_is_known_is_asked_with_its_answer(chosen) -> None:
    for prop in chosen:
        assert prop.thing.indexed or not prop.known or prop.thing.kind == "notice"
        assert len(prop.question) > 5
        assert prop.answer.startswith("I don't know") != prop.known


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(props.FORMS))
def test_a_page_shows_the_object_and_lines_to_cut(chosen, form) -> None:
    prop = next(p for p in chosen if p.form == form)
    page = props.draw_page(prop, 1, FontBox.open(None), seeds.rng(1, "test"))
    long_cm, short_cm = max(page.size) / props.DPI * 2.54, min(page.size) / props.DPI * 2.54
    assert (round(long_cm, 1), round(short_cm, 1)) == (29.7, 21.0)
    assert props.DPI >= 150
    pixels = np.array(page)
    margin = props._px(props.MARGIN_CM) - 4
    for edge in (pixels[:margin], pixels[-margin:], pixels[:, :margin], pixels[:, -margin:]):
        assert (edge == 255).all()
    cut = (np.abs(pixels.astype(int) - props._INK).max(2) < 3).sum()
    assert cut > 500
    assert (pixels.min(2) < 245).mean() > 0.03


def test_a_box_folds_up() -> None:
    """Each side meets its neighbour along an edge of the same length, and every flap has a fold."""
    from eval.world.drawing.kit.edition import Art

    art = Art(np.zeros((10, 10, 4), np.uint8), 10.0, 15.0, 4.0, "slab", (9, 9, 9), "grey")
    net = props._box_net(art)
    sizes = sorted((round(w, 3), round(h, 3)) for (_, _, w, h), _ in net.panels)
    assert sizes == [(4, 15), (4, 15), (10, 4), (10, 4), (10, 15), (10, 15)]
    lengths = sorted(round(abs(a[0] - b[0]) + abs(a[1] - b[1]), 3) for a, b in net.folds)
    assert lengths == [4] * 4 + [10] * 4 + [15] * 4
    assert all(0 <= x <= net.width_cm and 0 <= y <= net.height_cm for x, y in net.cuts[0])
    assert net.cuts[0][0] == net.cuts[0][-1]


@pytest.mark.slow
def test_the_command_writes_a_pdf(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(props, "FORMS", {"sheet": 2})
    out = tmp_path / "props.pdf"
    assert run("props", "--seed", "12", "--entities", "80", "--out", str(out)) == 0
    assert "2 pages" in capsys.readouterr().err
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert re.findall(rb"/Count (\d+)", data)[-1] == b"2"
    assert run("props", "--seed", "12", "--entities", "80", "--out", str(tmp_path / "again.pdf")) == 0
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["again.pdf", "props.pdf"]


def test_a_world_too_small_is_refused(tmp_path) -> None:
    with pytest.raises(BadInput, match="too few"):
        props.write_props(tmp_path / "p.pdf", 12, 9)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["props"], ["props", "--out", "x.png"], ["words"], ["words", "voices"]])
def test_bad_input_is_one_sentence(arguments, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("section", ["phrasings", "attributes"])
def test_the_language_can_be_written_changed_and_given_back(section, tmp_path) -> None:
    out = tmp_path / "mine.json"
    assert run("words", section, "--out", str(out)) == 0
    assert json.loads(out.read_text(encoding="utf-8")) == bundled(section)
    assert getattr(load_vocabulary(**{section: out}), section) == bundled(section)
    assert run("words", section, "--out", str(out)) == 2
