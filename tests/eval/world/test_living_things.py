"""Animals, plants and landmarks: drawn from their parameters, told apart by their marks, placed where they belong."""

import functools
import random

import cv2
import numpy as np
import pytest

from eval.world.drawing.draw import draw_art, photograph, usual_modes
from eval.world.drawing.kit import relief
from eval.world.drawing.kit.canvas import FontBox
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.textures import SIDE, Texture, make_textures
from eval.world.drawing.living_things import COLOURS, DRAWINGS
from eval.world.drawing.scenes.outdoors import PLACES
from eval.world.drawing.scenes.scene import Stage
from eval.world.model import Thing
from eval.world.vocabulary import load_vocabulary

pytestmark = pytest.mark.slow

DOMAINS = {"animal", "plants and gardening", "local"}


@pytest.fixture(scope="module")
def kinds() -> dict:
    return {k: v for k, v in load_vocabulary().attributes["kinds"].items() if v["domain"] in DOMAINS}


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(make_textures(np.random.default_rng(4)))


def thing(
    kind: str, own: int, modes: tuple[str, ...], *, style: int = 88, variant: int = 0, named: bool = False
) -> Thing:
    made = Thing(id="e1", kind=kind, name="Lanternbloom 'Ostrell Minuet'", variant="Minuet", noun=kind)
    made.look = {"style": style, "own": own, "variant": variant, "flat": False, "named": named, "modes": modes}
    return made


def matches(a: np.ndarray, b: np.ndarray) -> int:
    """Local features of two pictures that agree on one affine movement."""
    sift = cv2.SIFT_create(1500)
    ka, da = sift.detectAndCompute(cv2.cvtColor(a, cv2.COLOR_RGB2GRAY), None)
    kb, db = sift.detectAndCompute(cv2.cvtColor(b, cv2.COLOR_RGB2GRAY), None)
    pairs = cv2.BFMatcher().knnMatch(da, db, k=2)
    good = [m for m, n in pairs if m.distance < 0.8 * n.distance]
    if len(good) < 4:
        return 0
    source, target = np.float32([ka[m.queryIdx].pt for m in good]), np.float32([kb[m.trainIdx].pt for m in good])
    _, inliers = cv2.estimateAffine2D(source, target, ransacReprojThreshold=8.0)
    return int(inliers.sum()) if inliers is not None else 0


@functools.cache
def copy_of(kind: str, own: int, seed: int, variant: int = 0) -> Art:
    """Drawn once, as drawing costs most."""
    return DRAWINGS[kind](thing(kind, own, (), variant=variant), Edition.draw(random.Random(seed)), FontBox())


def over_grey(pixels: np.ndarray, width: int = 400) -> np.ndarray:
    alpha = pixels[..., 3:].astype(np.float32) / 255
    flat = (pixels[..., :3] * alpha + 128 * (1 - alpha)).astype(np.uint8)
    return cv2.resize(flat, (width, round(width * flat.shape[0] / flat.shape[1])), interpolation=cv2.INTER_AREA)


def test_every_kind_has_a_drawing_a_colour_and_places(kinds) -> None:
    assert set(DRAWINGS) == set(COLOURS) == set(kinds)
    for kind, spec in kinds.items():
        assert set(spec["modes"]) <= set(PLACES), kind
    by_domain = {d: [k for k, s in kinds.items() if s["domain"] == d] for d in DOMAINS}
    assert all(len(found) >= 4 for found in by_domain.values())
    for found in by_domain.values():
        shares = [(kinds[k]["share"], kinds[k]["named"]) for k in found]
        assert sum(s * named for s, named in shares) / sum(s for s, _ in shares) <= 0.6


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_a_copy_is_drawn_anew_but_carries_the_same_marks(kind, kinds) -> None:
    first, again, other = copy_of(kind, 5, 1), copy_of(kind, 5, 2), copy_of(kind, 6, 3, variant=1)
    assert np.array_equal(first.pixels, copy_of.__wrapped__(kind, 5, 1).pixels)
    assert first.pixels.shape != again.pixels.shape or not np.array_equal(first.pixels, again.pixels)
    same, different = (matches(over_grey(first.pixels), over_grey(p)) for p in (again.pixels, other.pixels))
    assert same >= 60
    assert same > 2 * different


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_art_is_a_cut_out_whose_foot_is_its_lower_edge(kind) -> None:
    art = copy_of(kind, 6, 3, variant=1)
    solid = art.pixels[..., 3] > 40
    assert art.body == "cutout"
    assert all(edge.any() for edge in (solid[-1], solid[0], solid[:, 0], solid[:, -1]))
    assert 0.1 < solid.mean() < 0.95
    assert art.width_cm / art.height_cm == pytest.approx(art.pixels.shape[1] / art.pixels.shape[0], rel=0.02)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_the_outline_holds_the_thing(kind, kinds, stage) -> None:
    r = random.Random(3)
    mode = r.choice(usual_modes(thing(kind, 5, tuple(kinds[kind]["modes"]))))
    scene = photograph(stage, [copy_of(kind, 5, 2)], mode, (480, 640), r)
    assert scene.pixels.shape == (640, 480, 3)
    inside = np.zeros((640, 480), np.uint8)
    cv2.fillPoly(inside, [np.round(scene.outlines[0]).astype(np.int32)], 1)
    assert 0.04 < inside.mean() < 0.6
    edges = cv2.Canny(scene.pixels, 60, 160) > 0
    assert edges[inside > 0].mean() > 0.03  # there is something to find on it


@pytest.mark.slow
def test_pictures_are_the_same_for_a_stream_and_differ_for_another(kinds, stage) -> None:
    it = thing("dog", 3, ("meadow",))

    def take(seed: int) -> np.ndarray:
        r = random.Random(seed)
        return photograph(stage, [draw_art(it, r, FontBox())], "meadow", (240, 320), r).pixels

    assert np.array_equal(take(1), take(1))
    assert not np.array_equal(take(1), take(2))


@pytest.mark.slow
def test_two_things_stand_side_by_side(stage) -> None:
    r = random.Random(8)
    arts = [copy_of("dog", 5, seed) for seed in (1, 2)]
    a, b = photograph(stage, arts, "meadow", (480, 640), r).outlines
    left, right = (a, b) if a[:, 0].mean() < b[:, 0].mean() else (b, a)
    assert left[:, 0].max() < right[:, 0].min() + 20


@pytest.mark.slow
def test_a_label_is_there_only_where_the_family_is_named() -> None:
    def whites(named: bool) -> int:
        art = DRAWINGS["flower"](thing("flower", 4, (), named=named), Edition.draw(random.Random(1)), FontBox())
        return int((art.pixels[-260:, :, :3].min(2) > 225).sum())

    assert whites(True) > whites(False) + 5000


def test_a_cushion_is_lit_from_the_upper_left() -> None:
    s = relief.Sheet(200, 200)
    s.part(relief.oval(100, 100, 80, 80), (120, 120, 120), depth_px=80, shadow=0.0)
    assert s.rgb[60, 60, 0] > s.rgb[100, 100, 0] * 1.05
    assert s.rgb[140, 140, 0] < s.rgb[100, 100, 0] * 0.85


def test_given_photographs_are_what_is_behind(stage) -> None:
    red = Texture(np.full((SIDE, SIDE, 3), (200, 30, 30), np.uint8), 120.0, "photograph")
    r = random.Random(5)
    scene = photograph(Stage([red]), [copy_of("dog", 5, 1)], "meadow", (240, 320), r)
    top = scene.pixels[:20].reshape(-1, 3).mean(0)
    assert top[0] > 2 * top[1]
