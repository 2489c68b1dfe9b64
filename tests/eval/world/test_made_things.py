"""Vehicles, clothes and sports gear: a look of their own that survives the camera, in places where they belong."""

import random

import cv2
import numpy as np
import pytest

from eval.world.drawing.draw import draw_art
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.cutouts import contour
from eval.world.drawing.kit.edition import Edition
from eval.world.drawing.kit.fabrics import chart, knitted
from eval.world.drawing.kit.surface import MOTIFS, Surface, curve, motif, rounded
from eval.world.drawing.kit.textures import SIDE, Texture, make_textures
from eval.world.drawing.made_things import COLOURS, DRAWINGS
from eval.world.drawing.scenes.scene import PLACES, Stage, shoot
from eval.world.model import Fact, Thing, Value
from eval.world.vocabulary import load_vocabulary

pytestmark = pytest.mark.slow

DOMAINS = {"vehicle", "style and fashion", "sports and games"}


@pytest.fixture(scope="module")
def vocabulary():
    return load_vocabulary()


@pytest.fixture(scope="module")
def kinds(vocabulary) -> dict:
    return {k: v for k, v in vocabulary.attributes["kinds"].items() if v["domain"] in DOMAINS}


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(make_textures(np.random.default_rng(4)))


def thing(kind: str, own: int, *, style: int = 31, variant: int = 0, named: bool = False) -> Thing:
    made = Thing(id="e1", kind=kind, name="Korvento Brisk", variant="Brisk", noun=kind)
    made.look = {"style": style, "own": own, "variant": variant, "flat": False, "named": named, "modes": ()}
    made.content = {"brand": "Korvento", "variant": "Brisk"}
    return made


def seen(stage: Stage, it: Thing, mode: str, seed: int, size: tuple[int, int], *, tidy: bool = False) -> np.ndarray:
    r = random.Random(seed)
    return shoot(stage, [draw_art(it, r, FontBox())], mode, size, r, tidy=tidy).pixels


def features(pixels: np.ndarray) -> tuple:
    scale = 700 / max(pixels.shape)
    grey = cv2.cvtColor(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    return cv2.SIFT_create(1500).detectAndCompute(grey, None)


def matches(a: tuple, b: tuple) -> int:
    """Local features of two pictures that agree on one homography."""
    pairs = cv2.BFMatcher().knnMatch(a[1], b[1], k=2)
    good = [m for m, n in pairs if m.distance < 0.75 * n.distance]
    if len(good) < 6:
        return 0
    source, target = np.float32([a[0][m.queryIdx].pt for m in good]), np.float32([b[0][m.trainIdx].pt for m in good])
    _, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, 5.0)
    return 0 if inliers is None else int(inliers.sum())


def test_every_kind_has_a_drawing_and_places(kinds) -> None:
    assert set(DRAWINGS) == set(kinds)
    assert set(COLOURS) <= set(kinds)
    for kind, spec in kinds.items():
        assert set(spec["modes"]) <= {*PLACES, "desk", "shelf", "hand", "wall"}, kind
    for domain in DOMAINS:
        found = [s for s in kinds.values() if s["domain"] == domain]
        assert len(found) >= 4
        assert sum(s["share"] * s["named"] for s in found) / sum(s["share"] for s in found) <= 0.6


def test_facts_are_many_and_can_be_asked_and_told(vocabulary, kinds) -> None:
    relations, tells = vocabulary.phrasings["relations"], vocabulary.voices["tell"]
    core = {
        "price",
        "weight",
        "designer",
        "launched",
        "assembled",
        "colours",
        "warranty",
        "stock",
        "waterproof",
        "maker",
    }
    core |= {"illustrator", "setting"}
    for group in {spec["facts"] for spec in kinds.values()}:
        facts = vocabulary.attributes["facts"][group]
        assert 12 <= len(facts) <= 16, group
        assert sum("more" in relations[n] for n in facts) >= 4, group
        assert sum("count" in relations[n] for n in facts) >= 1, group
        assert any(f["type"] == "yesno" for f in facts.values()), group
        assert {f.get("dynamism", "static") for f in facts.values()} & {"fast-changing", "real-time"}, group
        for name in set(facts) - core:
            assert len(set(relations[name]["ask"])) >= 12, name
            told = tells[name]
            assert len(told.get("plain", told.get("plain_yes", []))) >= (3 if "plain" in told else 2), name
            assert "plain" not in told or len(told["chatty"]) >= 2, name


def test_hardly_a_wording_gives_the_attribute_key_away(vocabulary, kinds) -> None:
    asked = hits = 0
    for group in {spec["facts"] for spec in kinds.values()}:
        for name, spec in vocabulary.attributes["facts"][group].items():
            for text in vocabulary.phrasings["relations"][name]["ask"]:
                keys = [k.replace("_", " ").lower() for k in spec["keys"]]
                asked += 1
                hits += any(k in text.lower() for k in keys)
    assert hits / asked < 0.3


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_a_frame_shows_the_thing_of_the_index_picture_and_not_its_sibling(kind, kinds, stage) -> None:
    it, sibling = thing(kind, 5), thing(kind, 6, variant=1)
    mode = kinds[kind]["modes"][0]
    indexed, other = (features(seen(stage, t, mode, 1, (700, 700), tidy=True)) for t in (it, sibling))
    frame = seen(stage, it, mode, 2, (720, 960))
    right, wrong = matches(indexed, features(frame)), matches(other, features(frame))
    assert right >= 40
    assert right > 1.5 * wrong


@pytest.mark.parametrize("kind", ["bus", "ball", "jumper"])
def test_another_frame_is_another_picture(kind, kinds, stage) -> None:
    mode = kinds[kind]["modes"][0]
    one, other = (seen(stage, thing(kind, 5), mode, seed, (360, 480)) for seed in (2, 3))
    assert not np.array_equal(one, other)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_drawings_are_determined_and_show_names_only_where_they_are_carried(kind) -> None:
    first, again = (DRAWINGS[kind](thing(kind, 5), Edition.draw(random.Random(1)), FontBox()) for _ in range(2))
    named = DRAWINGS[kind](thing(kind, 5, named=True), Edition.draw(random.Random(1)), FontBox())
    assert np.array_equal(first.pixels, again.pixels)
    assert not np.array_equal(first.pixels, named.pixels)
    assert first.pixels.shape[2] == 4
    assert abs(first.pixels.shape[1] / first.pixels.shape[0] - first.width_cm / first.height_cm) < 0.02


def test_figures_are_printed_where_the_design_prints_them() -> None:
    plain, printed = thing("bus", 5), thing("bus", 5)
    for it, on in ((plain, False), (printed, True)):
        it.facts["route"] = Fact("route", Value("number", 37.0), "route", on_picture=on)
    a, b = (DRAWINGS["bus"](t, Edition.draw(random.Random(1)), FontBox()).pixels for t in (plain, printed))
    changed = np.argwhere((a[..., :3] != b[..., :3]).any(axis=2))
    assert len(changed) > 100
    assert changed[:, 1].min() > 0.7 * a.shape[1]  # the sign at the front alone


def test_a_pattern_does_not_depend_on_the_extent_of_what_it_fills() -> None:
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250)]
    for kind in MOTIFS:
        small, large = (Surface(40, 30, (0, 0, 0), 400) for _ in range(2))
        motif(small, small.mask(rounded(10, 10, 20, 20, 0)), kind, colours, 3.0, random.Random(8))
        motif(large, large.mask(rounded(0, 0, 40, 30, 0)), kind, colours, 3.0, random.Random(8))
        part = (slice(120, 180), slice(120, 180))
        assert np.abs(small.rgb[part].astype(int) - large.rgb[part]).mean() < 2, kind


def test_knitting_follows_its_chart() -> None:
    stitches = chart(random.Random(3), 20, 24, 4)
    assert stitches.shape == (20, 24)
    assert set(np.unique(stitches)) <= {0, 1, 2, 3}
    cloth = knitted(Surface(24, 16.4, (0, 0, 0), 480), np.zeros((20, 24), int), [(200, 100, 50)], 1.0, 12.0)
    ratio = cloth.reshape(-1, 3).mean(0)
    assert ratio[0] / ratio[1] == pytest.approx(2, rel=0.05)
    assert cloth[..., 0].std() > 10


def test_curves_pass_through_their_points() -> None:
    points = np.array([[0.0, 0], [4, 1], [5, 6], [1, 5]])
    for closed in (True, False):
        line = curve(points, closed=closed)
        assert all(np.linalg.norm(line - p, axis=1).min() < 1e-9 for p in points)


def test_a_contour_follows_what_is_opaque() -> None:
    art = DRAWINGS["kite"](thing("kite", 5), Edition.draw(random.Random(1)), FontBox())
    outline = contour(art)
    assert outline.min() >= 0
    assert outline.max() <= 1
    mask = np.zeros(art.pixels.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * [mask.shape[1], mask.shape[0]]).astype(np.int32)], 1)
    opaque = art.pixels[..., 3] > 100
    assert (opaque & (mask > 0)).sum() / opaque.sum() > 0.93


@pytest.mark.slow
def test_balls_stay_round_from_every_side(stage) -> None:
    for mode in ("grass", "hall", "shelf"):
        r = random.Random(5)
        polygon = shoot(stage, [draw_art(thing("ball", 5), r, FontBox())], mode, (720, 960), r).outlines[0]
        far = np.linalg.norm(polygon - polygon.mean(0), axis=1)
        assert far.max() / far.min() < 1.12, mode


@pytest.mark.slow
def test_big_things_are_seen_from_eye_level(stage) -> None:
    """The horizon crosses a car (148 cm high) and not the sky above it; water mirrors the boat."""
    r = random.Random(4)
    scene = shoot(stage, [draw_art(thing("car", 5), r, FontBox())], "car park", (720, 960), r)
    top, bottom = scene.outlines[0][:, 1].min(), scene.outlines[0][:, 1].max()
    assert 0.25 * 960 < (top + bottom) / 2 < 0.8 * 960
    r = random.Random(4)
    scene = shoot(stage, [draw_art(thing("boat", 5), r, FontBox())], "harbour", (720, 960), r)
    polygon = scene.outlines[0]
    low = int(polygon[:, 1].max())
    x = int(polygon[:, 0].mean())
    below, aside = scene.pixels[low + 8 : low + 40, x - 60 : x + 60], scene.pixels[low + 8 : low + 40, :40]
    assert abs(below.mean() - aside.mean()) + abs(below.std() - aside.std()) > 4


@pytest.mark.slow
def test_given_photographs_are_what_is_behind_or_below() -> None:
    red = Stage([Texture(np.full((SIDE, SIDE, 3), (200, 30, 30), np.uint8), 120.0, "photograph")])
    for kind, mode in (("car", "street"), ("boat", "harbour"), ("kite", "grass")):
        top = seen(red, thing(kind, 5), mode, 3, (480, 640))[:40].reshape(-1, 3).mean(0)
        assert top[0] > 2 * top[1], mode
